/** Runs in the page, so it uses nothing from outside: looks at the graph that is drawn as a reader would. */
export function measurePicture() {
  const all = selector => [...document.querySelectorAll(`:is(.sheet, .blocks):not([hidden]) :is(${selector})`)];
  const names = all('.sheet-name, .sheet-path, .sheet-heading, .block-name, .block-facts, .block-band:not([hidden]) span');
  const cut = names.filter(name => name.scrollWidth > name.clientWidth + 1 && getComputedStyle(name).display !== 'inline');
  const outside = names.filter(name => {
    const [own, card] = [name.getBoundingClientRect(), name.closest('.sheet-card, .sheet-column, .block')?.getBoundingClientRect()];
    return card !== undefined && (own.left < card.left - 1 || own.right > card.right + 1 || own.top < card.top - 1 || own.bottom > card.bottom + 1);
  });
  const rects = all('.sheet-row, .sheet-title, .sheet-heading, .block, .block-close, .block-band:not([hidden]) span, .block-line .traffic').map(part => ({
    part,
    rect: part.getBoundingClientRect(),
  }));
  const overlapping = rects.flatMap(({ part, rect }, at) =>
    rects
      .slice(at + 1)
      .filter(({ rect: other }) => {
        const width = Math.min(rect.right, other.right) - Math.max(rect.left, other.left);
        const height = Math.min(rect.bottom, other.bottom) - Math.max(rect.top, other.top);
        return width > 1 && height > 1;
      })
      .map(other => `${part.textContent} / ${other.part.textContent}`),
  );
  const small = names.filter(name => Number.parseFloat(getComputedStyle(name).fontSize) < 11);
  const cards = all('.sheet-card, .block, .block-close').filter(card => !card.matches('.sheet-card') || card.querySelector('.sheet-row') !== null);
  const svg = document.querySelector(':is(.sheet, .blocks):not([hidden]) > * > svg')?.getBoundingClientRect();
  // Where everything is listed, no line has a path.
  const lines = all('.sheet-line:not(.gone), .block-line').filter(line => (line.querySelector('.seen')?.getAttribute('d') ?? '') !== '');
  const boxes = cards.map(card => card.getBoundingClientRect());
  const crossing = lines.filter(line => {
    const path = line.querySelector('.seen');
    if (path === null || svg === undefined) return false;
    const length = path.getTotalLength();
    const steps = Math.min(150, Math.max(33, Math.ceil(length / 8)));
    // The ends touch the boxes that they belong to.
    const points = Array.from({ length: steps - 2 }, (_, step) => path.getPointAtLength((length * (step + 1)) / steps));
    return boxes.some(box =>
      points.some(({ x, y }) => x + svg.left > box.left + 2 && x + svg.left < box.right - 2 && y + svg.top > box.top + 2 && y + svg.top < box.bottom - 2),
    );
  });
  const textOf = part => part.textContent ?? '';
  return {
    names: names.length,
    cut: [...cut, ...outside].map(textOf),
    overlapping,
    small: small.map(textOf),
    lines: lines.length,
    crossing: crossing.map(textOf),
  };
}

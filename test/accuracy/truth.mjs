/** Numbers of cases as text (`0-34,50`), and what a measured selection comes to. */

/** Ascending numbers as ranges. */
export function rangesOf(numbers) {
  const ranges = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(',');
}

export function indexesOf(ranges) {
  return ranges
    .split(',')
    .filter(range => range !== '')
    .flatMap(range => {
      const [first, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
}

/** Recall over all failing cases, its mean over functions that make a case fail, and how many times as many cases are selected as fail. */
export function figuresOf({ cases, mutants }) {
  const detected = mutants.filter(({ failing }) => failing > 0);
  const sum = key => detected.reduce((total, mutant) => total + mutant[key], 0);
  return {
    functions: mutants.length,
    detected: detected.length,
    cases,
    recall: sum('found') / sum('failing'),
    mean: detected.reduce((total, { found, failing }) => total + found / failing, 0) / detected.length,
    ratio: sum('selected') / sum('failing'),
  };
}

export function percent(share) {
  return (100 * share).toFixed(1);
}

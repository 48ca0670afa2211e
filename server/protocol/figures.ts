/** Figures in texts for people, the same in every locale so that texts compare. */

/** 12345 → `12,345`. */
export function figure(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** `1 caller`, `1,624 callers`. */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${figure(value)} ${value === 1 ? noun : plural}`;
}

/** `120`, or `120 and 1 possible`: what is certain, and what may come to it. */
export function certainAndPossible(certain: number, total: number): string {
  return certain < total ? `${figure(certain)} and ${figure(total - certain)} possible` : figure(total);
}

const BARS = '▁▂▃▄▅▆▇█';

/** A bar for each number, as high as it is beside the largest; the lowest is 0. */
export function sparkline(numbers: readonly number[]): string {
  const most = Math.max(1, ...numbers);
  return numbers.map(each => BARS.charAt(each === 0 ? 0 : Math.max(1, Math.round((each / most) * (BARS.length - 1))))).join('');
}

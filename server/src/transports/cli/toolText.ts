import type { Paint } from './terminal';

/** Colours the rendering of an answer: its first line stands out, places are marked, the stamp at the end recedes. */
export function paintAnswer(text: string, paint: Paint): string {
  const lines = text.trimEnd().split('\n');
  return lines
    .map((line, at) => {
      if (at === 0) return paint('bold', line);
      if (at === lines.length - 1) return paint('dim', line);
      return line.replace(/(?<place>[^\s`()[\]]+\.[A-Za-z]{1,5}:\d+(?:-\d+)?)/g, place => paint('cyan', place));
    })
    .join('\n');
}

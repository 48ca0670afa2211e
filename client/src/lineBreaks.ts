/** Stands for a line break where there is only one line to write in. */
export const LINE_BREAK = '↵';

/** A text of several lines as an input box can show it. */
export function collapseLineBreaks(text: string): string {
  return text.replace(/\r?\n/g, LINE_BREAK);
}

/** The text of several lines that was written on one. */
export function expandLineBreaks(text: string): string {
  return text.replaceAll(LINE_BREAK, '\n');
}

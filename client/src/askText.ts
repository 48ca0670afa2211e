import { type InputBoxOptions, window } from 'vscode';
import { collapseLineBreaks, expandLineBreaks, LINE_BREAK } from './lineBreaks';

/** Asks for a text that may have several lines, which an input box would join. `undefined` when the user leaves or changes nothing. */
export async function askText(options: InputBoxOptions & { readonly value: string; readonly prompt: string }): Promise<string | undefined> {
  const value = collapseLineBreaks(options.value);
  const prompt = value === options.value ? options.prompt : `${options.prompt}. ${LINE_BREAK} is a line break.`;
  const text = await window.showInputBox({ ...options, prompt, value });
  return text === undefined || text === value ? undefined : expandLineBreaks(text);
}

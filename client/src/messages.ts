import { type MessageItem, type MessageOptions, window } from 'vscode';
import { shownMessage } from './shownRows';

/** Shows a message of the editor and gives what was chosen. */
interface Tell {
  <T extends string>(message: string, ...items: T[]): Thenable<T | undefined>;
  <T extends string>(message: string, options: MessageOptions, ...items: T[]): Thenable<T | undefined>;
}

type Show = (message: string, ...rest: readonly (string | MessageOptions | MessageItem)[]) => Thenable<unknown>;

/** Messages of the editor, which are shown through here alone. */
export const showInformation = through(window.showInformationMessage as Show);
export const showWarning = through(window.showWarningMessage as Show);
export const showError = through(window.showErrorMessage as Show);

function through(show: Show): Tell {
  return ((message: string, ...rest: readonly (string | MessageOptions)[]) => show(shownMessage(message), ...rest)) as Tell;
}

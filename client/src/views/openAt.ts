import { Range, type Uri, type ViewColumn, window } from 'vscode';

/** Opens a file with the cursor at a 1-based line. */
export async function openAt(uri: Uri, line: number, column?: ViewColumn): Promise<void> {
  const start = Math.max(0, line - 1);
  await window.showTextDocument(uri, { selection: new Range(start, 0, start, 0), ...(column === undefined ? {} : { viewColumn: column }) });
}

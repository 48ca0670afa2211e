import { Range, type Uri, ViewColumn, window } from 'vscode';

/** Opens a file with the cursor at a 1-based line; as a preview the focus stays where it is. */
export async function openAt(uri: Uri, line: number, column?: ViewColumn, isPreview = false): Promise<void> {
  const start = Math.max(0, line - 1);
  const selection = new Range(start, 0, start, 0);
  await window.showTextDocument(uri, {
    selection,
    ...(column === undefined ? {} : { viewColumn: column }),
    ...(isPreview ? { preview: true, preserveFocus: true } : {}),
  });
}

/** Where a text goes beside a page, never in place of it: where text is shown already, else to the side. */
export function columnBeside(page: ViewColumn | undefined): ViewColumn {
  const other = window.visibleTextEditors.find(editor => editor.viewColumn !== undefined && editor.viewColumn !== page);
  return other?.viewColumn ?? ViewColumn.Beside;
}

import { Range, type TextDocument, Uri, window, workspace } from 'vscode';

/** Opens a line and selects in it the first of some names that it holds. */
export async function openUse(argument: unknown): Promise<void> {
  const { line, names, uri } = argument as { readonly uri: Uri; readonly line: number; readonly names: readonly string[] };
  if (!(uri instanceof Uri) || workspace.getWorkspaceFolder(uri) === undefined) return;
  const document = await workspace.openTextDocument(uri);
  await window.showTextDocument(document, {
    selection: nameIn(document, Math.min(Math.max(0, line - 1), document.lineCount - 1), names),
    preserveFocus: true,
    preview: true,
  });
}

function nameIn(document: TextDocument, line: number, names: readonly string[]): Range {
  const { text } = document.lineAt(line);
  for (const name of names) {
    const at = wordAt(text, name);
    if (at >= 0) return new Range(line, at, line, at + name.length);
  }
  return new Range(line, 0, line, 0);
}

/** Where a name stands as a whole word; -1 where it does not. */
function wordAt(text: string, name: string): number {
  for (let at = text.indexOf(name); at >= 0 && name !== ''; at = text.indexOf(name, at + 1)) {
    if (!/[\p{L}\p{N}_$]/u.test(text[at - 1] ?? ' ') && !/[\p{L}\p{N}_$]/u.test(text[at + name.length] ?? ' ')) return at;
  }
  return -1;
}

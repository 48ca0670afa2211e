import { commands, type Disposable, Range, type TextDocumentShowOptions, Uri, type ViewColumn, workspace } from 'vscode';
import type { PastTextParams } from '../../../server/protocol/features';
import { uriOf } from '../answers';
import type { LatticeServer } from '../languageClient/latticeServer';

const SCHEME = 'lattice-past';

/** A file of a folder at a state; `at` is `undefined` for the file as it is, `path` for a side that is empty. */
export interface Side {
  readonly path: string | undefined;
  readonly at: string | undefined;
}

/** Files as they were at commits, from Git's object store: read-only, for the editor's own diff view. */
export class PastDocuments implements Disposable {
  private readonly provider: Disposable;

  constructor(private readonly server: LatticeServer) {
    this.provider = workspace.registerTextDocumentContentProvider(SCHEME, { provideTextDocumentContent: uri => this.read(uri) });
  }

  /** Opens the diff view of two sides, at a 1-based line of the newer one. */
  async compare(folder: Uri, older: Side, newer: Side, title: string, line = 0): Promise<void> {
    await showDifference(uriOfSide(folder, older), uriOfSide(folder, newer), title, { line });
  }

  /** Opens a file as it was. */
  async open(folder: Uri, path: string, at: string): Promise<void> {
    await commands.executeCommand('vscode.open', uriOfSide(folder, { path, at }));
  }

  dispose(): void {
    this.provider.dispose();
  }

  private async read(uri: Uri): Promise<string> {
    const { at, folder, path } = JSON.parse(uri.query) as { readonly folder: string; readonly path?: string; readonly at: string };
    if (path === undefined) return '';
    const question: PastTextParams = { path, at };
    const answer = await this.server.ask('pastText', question, Uri.parse(folder));
    return answer.text ?? '';
  }
}

/** Opens the editor's diff view at a 1-based line of the newer side; 0 stands for the beginning. */
export async function showDifference(
  older: Uri,
  newer: Uri,
  title: string,
  { column, line }: { readonly column?: ViewColumn; readonly line: number },
): Promise<void> {
  const start = Math.max(0, line - 1);
  const selection = line > 0 ? { selection: new Range(start, 0, start, 0) } : {};
  const options: TextDocumentShowOptions = { ...selection, ...(column === undefined ? {} : { viewColumn: column }) };
  await commands.executeCommand('vscode.diff', older, newer, title, options);
}

function uriOfSide(folder: Uri, { at, path }: Side): Uri {
  return at === undefined && path !== undefined ? uriOf(folder, path) : pastUriOf(folder, path, at ?? '');
}

/** A file as it was; without a path an empty text. */
export function pastUriOf(folder: Uri, path: string | undefined, at: string): Uri {
  const query = JSON.stringify({ folder: folder.toString(), at, ...(path === undefined ? {} : { path }) });
  return Uri.from({ scheme: SCHEME, path: `/${path ?? 'empty'}`, query });
}

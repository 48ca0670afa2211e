import { Diagnostic, DiagnosticSeverity, type Disposable, languages, Range, Uri, workspace } from 'vscode';
import type { SyncProblem } from '../../../../server/protocol/features';
import type { LatticeServer } from '../../languageClient/latticeServer';
import { indexedFolders } from '../../settings';

const FILES = '**/.lattice/knowledge/**';
/** Without a further change; git changes many files. */
const QUIET_MS = 500;

/** What is wrong with knowledge files, as problems of the editor; looked at anew when one of them changes. */
export class FileProblems implements Disposable {
  private readonly collection = languages.createDiagnosticCollection('lattice-knowledge');
  private readonly watcher = workspace.createFileSystemWatcher(FILES);
  private readonly listening: Disposable[];
  private timer: NodeJS.Timeout | undefined;
  private wasRunning = false;

  constructor(private readonly server: LatticeServer) {
    const later = (): void => this.refreshSoon();
    this.listening = [
      this.watcher.onDidChange(later),
      this.watcher.onDidCreate(later),
      this.watcher.onDidDelete(later),
      server.onDidChange(() => this.serverChanged()),
    ];
  }

  async refresh(folder: Uri): Promise<void> {
    const { problems } = await this.server.ask('checkKnowledge', {}, folder);
    const byFile = new Map<string, Diagnostic[]>();
    for (const problem of problems) byFile.set(problem.path, [...(byFile.get(problem.path) ?? []), diagnosticOf(problem)]);
    this.collection.forEach(uri => {
      if (uri.toString().startsWith(`${folder.toString()}/`)) this.collection.delete(uri);
    });
    for (const [path, diagnostics] of byFile) this.collection.set(Uri.joinPath(folder, path), diagnostics);
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const one of [...this.listening, this.watcher, this.collection]) one.dispose();
  }

  private serverChanged(): void {
    const isRunning = this.server.state === 'running';
    if (isRunning && !this.wasRunning) this.refreshSoon();
    this.wasRunning = isRunning;
  }

  private refreshSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refreshAll(), QUIET_MS);
  }

  private async refreshAll(): Promise<void> {
    if (this.server.state !== 'running') return;
    for (const { uri } of indexedFolders()) await this.refresh(uri).catch(() => undefined);
  }
}

function diagnosticOf({ fix, line, message, severity }: SyncProblem): Diagnostic {
  const range = new Range(line - 1, 0, line - 1, Number.MAX_SAFE_INTEGER);
  const diagnostic = new Diagnostic(range, `${message} ${fix}`, severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning);
  diagnostic.source = 'Lattice';
  return diagnostic;
}

import type { WorkDoneProgressServerReporter } from 'vscode-languageserver/node';
import { progressText } from '../../../protocol/requests';
import type { LspConnection } from '../lspConnection';
import type { Folder } from './folders';

/** Shows the first index of the window's folders as work-done progress; silent afterwards. */
export class FirstIndexProgress {
  #reporter: Promise<WorkDoneProgressServerReporter> | undefined;
  #finished = false;

  constructor(private readonly connection: LspConnection) {}

  update(folders: readonly Folder[]): void {
    if (this.#finished) return;
    const running = folders.filter(folder => folder.progress.phase !== 'ready' && folder.progress.phase !== 'failed');
    if (running.length === 0) {
      if (this.#reporter === undefined) return;
      this.#finished = true;
      void this.#tell(reporter => reporter.done());
      return;
    }
    const folder = running[0];
    if (folder === undefined || folder.progress.phase === 'starting') return;
    const { done, total } = folder.progress;
    const percentage = total > 0 ? Math.min(100, Math.floor((done / total) * 100)) : undefined;
    const message = `${folders.length > 1 ? `${folder.name}, ` : ''}${progressText(folder.progress)}`;
    if (this.#reporter === undefined) {
      this.#reporter = this.connection.window.createWorkDoneProgress();
      void this.#tell(reporter => reporter.begin('Lattice: Indexing', percentage, message));
    } else void this.#tell(reporter => (percentage === undefined ? reporter.report(message) : reporter.report(percentage, message)));
  }

  async #tell(action: (reporter: WorkDoneProgressServerReporter) => void): Promise<void> {
    try {
      const reporter = await this.#reporter;
      if (reporter !== undefined) action(reporter);
    } catch {
      // The client refused the progress; the status notifications tell the same.
    }
  }
}

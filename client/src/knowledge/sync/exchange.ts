import { commands, type Uri, window } from 'vscode';
import type { ImportAnswer, SyncConflict, SyncProblem } from '../../../../server/protocol/features';
import { counted } from '../../../../server/protocol/figures';
import type { LatticeServer } from '../../languageClient/latticeServer';
import { showWarning } from '../../messages';
import type { FileProblems } from './fileProblems';
import { folderFor } from './folders';

type Question = NonNullable<ImportAnswer['question']>;

/** Writes and reads the knowledge files when the user says so. */
export class Exchange {
  constructor(
    private readonly server: LatticeServer,
    private readonly problems: FileProblems,
  ) {}

  async export(argument: unknown): Promise<void> {
    const folder = await folderFor(argument, 'Export Knowledge');
    if (folder === undefined) return;
    const answer = await this.server.ask('exportKnowledge', {}, folder);
    await this.problems.refresh(folder);
    const { conflicts, pending, problems, removed, written } = answer;
    const newer = pending.length === 0 ? '' : ` ${counted(pending.length, 'file')} changed since the last import. Import them first.`;
    const done =
      written.length + removed.length === 0
        ? 'Knowledge files are up to date.'
        : `Exported knowledge: ${counted(written.length, 'file')} written, ${removed.length} deleted.`;
    await this.tell(folder, `${done}${newer}`, problems, conflicts);
  }

  async import(argument: unknown): Promise<void> {
    const folder = await folderFor(argument, 'Import Knowledge');
    if (folder !== undefined) await this.importInto(folder, {});
  }

  /** Puts the question of many deletions to the user, and acts on the answer. */
  async ask(folder: Uri, { message, removed }: Question): Promise<void> {
    const remove = `Delete ${removed}`;
    const keep = 'Keep and Export Again';
    const choice = await showWarning(message, { modal: true }, remove, keep);
    if (choice === remove) await this.importInto(folder, { mayRemoveMany: true });
    if (choice !== keep) return;
    await this.importInto(folder, { keepRemoved: true });
    await this.export({ folder });
  }

  private async importInto(folder: Uri, params: Readonly<Record<string, boolean>>): Promise<void> {
    const answer = await this.server.ask('importKnowledge', params, folder);
    if (answer.question !== undefined) return this.ask(folder, answer.question);
    await this.problems.refresh(folder);
    const { conflicts = [], created = 0, entries = 0, merged = 0, problems = [], removed = 0, updated = 0 } = answer;
    const changes = `${created} created, ${updated} updated${merged > 0 ? ` (${merged} merged)` : ''}, ${removed} deleted.`;
    await this.tell(folder, created + updated + removed + entries === 0 ? 'Knowledge is up to date.' : `Imported knowledge: ${changes}`, problems, conflicts);
  }

  private async tell(folder: Uri, done: string, problems: readonly SyncProblem[], conflicts: readonly SyncConflict[]): Promise<void> {
    const errors = problems.filter(({ severity }) => severity === 'error').length;
    if (errors + conflicts.length === 0) {
      window.setStatusBarMessage(done, 5_000);
      return;
    }
    const resolve = 'Resolve…';
    const show = 'Show Problems';
    const what = [
      ...(errors > 0 ? [`${counted(errors, 'file')} with problems`] : []),
      ...(conflicts.length > 0 ? [counted(conflicts.length, 'conflict')] : []),
    ];
    const choice = await showWarning(`${done} ${what.join(', ')}.`, ...(conflicts.length > 0 ? [resolve] : []), ...(errors > 0 ? [show] : []));
    if (choice === resolve) await commands.executeCommand('lattice.resolveKnowledge', { folder, conflict: conflicts[0] });
    if (choice === show) await commands.executeCommand('workbench.actions.view.problems');
  }
}

import type { Disposable, Uri } from 'vscode';
import type { ConflictsAnswer } from '../../../../server/protocol/features';
import type { LatticeServer } from '../../languageClient/latticeServer';
import { indexedFolders, setting } from '../../settings';

type Question = NonNullable<ConflictsAnswer['question']>;

interface RemovalQuestionsOptions {
  readonly server: LatticeServer;
  readonly answer: (folder: Uri, question: Question) => Promise<unknown>;
}

/** An import that runs by itself (`lattice.knowledge.sync` = `auto`) cannot ask; what it would have asked is asked here, once. */
export class RemovalQuestions implements Disposable {
  private readonly asked = new Map<string, string>();
  private readonly listening: Disposable;

  constructor(private readonly options: RemovalQuestionsOptions) {
    this.listening = options.server.onRecords(({ areas }) => {
      if (areas.includes('knowledge')) void this.look();
    });
  }

  dispose(): void {
    this.listening.dispose();
  }

  private async look(): Promise<void> {
    for (const { uri } of indexedFolders()) {
      if (setting<string>('lattice.knowledge.sync', uri) !== 'auto') continue;
      const { question } = await this.options.server.ask('knowledgeConflicts', {}, uri).catch((): ConflictsAnswer => ({ conflicts: [] }));
      const key = question?.message ?? '';
      const isNew = key !== '' && this.asked.get(uri.toString()) !== key;
      this.asked.set(uri.toString(), key);
      if (question !== undefined && isNew) await this.options.answer(uri, question);
    }
  }
}

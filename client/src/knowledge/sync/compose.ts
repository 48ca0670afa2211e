/**
 * Door of sharing knowledge through files in the editor: export and import by command, conflicts in a merge editor, problems of the files as diagnostics.
 * Does not know the format of the files, nor how they are merged.
 */
import { commands, type Disposable, type LogOutputChannel } from 'vscode';
import { guarded } from '../../commands/registry';
import type { LatticeServer } from '../../languageClient/latticeServer';
import { Exchange } from './exchange';
import { FileProblems } from './fileProblems';
import { MergeDocuments } from './mergeDocuments';
import { RemovalQuestions } from './removalQuestions';
import { resolveConflict } from './resolveConflict';

export interface KnowledgeSyncOptions {
  readonly server: LatticeServer;
  readonly log: LogOutputChannel;
}

/** Builds the parts; all end with what is returned. */
export function composeKnowledgeSync({ log, server }: KnowledgeSyncOptions): Disposable[] {
  const problems = new FileProblems(server);
  const exchange = new Exchange(server, problems);
  const documents = new MergeDocuments(server);
  const table: Readonly<Record<string, (argument: unknown) => unknown>> = {
    'lattice.exportKnowledge': argument => exchange.export(argument),
    'lattice.importKnowledge': argument => exchange.import(argument),
    'lattice.resolveKnowledge': argument => resolveConflict({ server, documents }, argument),
  };
  const registered = Object.entries(table).map(([id, run]) => commands.registerCommand(id, (argument: unknown) => guarded(log, id, () => run(argument))));
  const questions = new RemovalQuestions({
    server,
    answer: (folder, question) => guarded(log, 'lattice.importKnowledge', () => exchange.ask(folder, question)),
  });
  return [problems, documents, questions, ...registered];
}

/**
 * Door of the extension: builds everything once, hands it to the editor and starts the language server off the critical path.
 * Knows nothing of graphs or indexing; all answers come from the language server (`server/protocol`).
 */
import type { ExtensionContext } from 'vscode';
import type { AnswerDto, FolderStatus } from '../../server/protocol/requests';
import { type Composition, compose } from './compose';

/** What other extensions may use: `extensions.getExtension('lattice.lattice-graph')?.exports`. */
export interface LatticeApi {
  readonly version: string;
  /** Resolves when every folder is indexed (or has failed); rejects when Lattice is off or no folder is open. */
  whenIndexed(): Promise<readonly FolderStatus[]>;
  /** Runs a tool of the catalogue in the folder of `uri` (the first folder when absent). */
  callTool(name: string, input: Readonly<Record<string, unknown>>, uri?: string): Promise<AnswerDto>;
}

let running: Composition | undefined;

export function activate(context: ExtensionContext): LatticeApi {
  const composition = compose(context);
  running = composition;
  composition.start();
  return {
    version: composition.version,
    whenIndexed: () => composition.server.whenIndexed(),
    callTool: (name, input, uri) => composition.server.callNamedTool(name, input, uri === undefined ? {} : { uri }),
  };
}

export async function deactivate(): Promise<void> {
  await running?.stop();
  running = undefined;
}

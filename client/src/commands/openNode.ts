import type { NodesParams } from '../../../server/protocol/features';
import { uriOf } from '../answers';
import type { LatticeServer } from '../languageClient/latticeServer';
import { Refusal } from '../refusal';
import { openAt } from '../views/openAt';
import { targetOf } from './target';

/** Opens the place where a node is declared now. */
export async function openNode({ server }: { readonly server: LatticeServer }, argument: unknown): Promise<void> {
  const target = await targetOf(server, argument, 'Select a symbol to open');
  if (target === undefined) return;
  const question: NodesParams = { ids: [target.id] };
  const [node] = (await server.ask('nodesById', question, target.folder)).nodes;
  if (node === undefined) throw new Refusal(`${target.name} is no longer in the graph.`);
  await openAt(uriOf(target.folder, node.path), node.nameLine);
}

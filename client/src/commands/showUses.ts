import { commands, Location, Position } from 'vscode';
import type { ImpactParams, Nodes, NodesParams } from '../../../server/protocol/features';
import { uriOf } from '../answers';
import type { LatticeServer } from '../languageClient/latticeServer';
import { Refusal } from '../refusal';
import type { Target } from './symbolSearch';
import { targetOf } from './target';

interface Parts {
  readonly server: LatticeServer;
}

const TEST_DEPTH = 3;
/** More than any symbol has: a lens opens as many rows as it counts. */
const MAX_TESTS = 1_000_000;

interface Place {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
}

/** Peeks at the lines that name a symbol, as many as its lens counts: certain ones before possible ones. */
export async function showReferences({ server }: Parts, argument: unknown): Promise<void> {
  const target = await targetOf(server, argument, 'Select a symbol to show the references of');
  if (target === undefined) return;
  const { places } = await server.ask('references', { id: target.id }, target.folder);
  if (places.length === 0) throw new Refusal(`No references to ${target.name} were found.`);
  const node = await nodeOf(server, target);
  await commands.executeCommand('editor.action.showReferences', uriOf(target.folder, node.path), nameOf(node), locations(target, places));
}

/** Peeks at the tests that reach a symbol. */
export async function showTests({ server }: Parts, argument: unknown): Promise<void> {
  const target = await targetOf(server, argument, 'Select a symbol to show the tests of');
  if (target === undefined) return;
  const question: ImpactParams = { target: target.id, limit: MAX_TESTS, maxDepth: TEST_DEPTH };
  const { directTests, transitiveTests } = await server.ask('impact', question, target.folder);
  const places = [...directTests, ...transitiveTests].map(({ path, startLine }) => ({ path, line: startLine }));
  if (places.length === 0) throw new Refusal(`No tests of ${target.name} were found within ${TEST_DEPTH} steps.`);
  const node = await nodeOf(server, target);
  // Titled as locations: tests need not name what they reach.
  await commands.executeCommand('editor.action.peekLocations', uriOf(target.folder, node.path), nameOf(node), locations(target, places), 'peek');
}

async function nodeOf(server: LatticeServer, target: Target): Promise<Nodes['nodes'][number]> {
  const question: NodesParams = { ids: [target.id] };
  const [node] = (await server.ask('nodesById', question, target.folder)).nodes;
  if (node === undefined) throw new Refusal(`${target.name} is no longer in the graph.`);
  return node;
}

function nameOf({ nameColumn, nameLine }: Nodes['nodes'][number]): Position {
  return new Position(Math.max(0, nameLine - 1), nameColumn);
}

function locations({ folder }: Target, places: readonly Place[]): Location[] {
  return places.map(({ line, path }) => new Location(uriOf(folder, path), new Position(Math.max(0, line - 1), 0)));
}

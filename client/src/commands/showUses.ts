import { commands, Location, Position } from 'vscode';
import type { ImpactAnswer, Impacted, ImpactParams, Nodes, NodesParams } from '../../../server/protocol/features';
import { uriOf } from '../answers';
import type { LatticeServer } from '../languageClient/latticeServer';
import { Refusal } from '../refusal';
import type { Target } from './symbolSearch';
import { targetOf } from './target';

interface Parts {
  readonly server: LatticeServer;
}

const TEST_DEPTH = 3;
/** The most that a peek lists. */
const MOST_PLACES = 1000;
/** Peeks at the users of a symbol, as many as its lens counts: what depends on it directly, tests apart, facts before maybes. */
export async function showCallers({ server }: Parts, argument: unknown): Promise<void> {
  const target = await targetOf(server, argument, 'Select a symbol to show the callers of');
  if (target === undefined) return;
  const node = await nodeOf(server, target);
  const answer = await ask(server, target, 1);
  const tests = [...answer.directTests, ...answer.transitiveTests];
  const rows = [...answer.directDependents, ...answer.maybe];
  await peek({ target, node, rows: rows.length > 0 ? rows : tests, lineOf: row => (row.line > 0 ? row.line : row.startLine) });
}

/** Peeks at the tests that reach a symbol. */
export async function showTests({ server }: Parts, argument: unknown): Promise<void> {
  const target = await targetOf(server, argument, 'Select a symbol to show the tests of');
  if (target === undefined) return;
  const { directTests, transitiveTests } = await ask(server, target, TEST_DEPTH);
  await peek({ target, node: await nodeOf(server, target), rows: [...directTests, ...transitiveTests], lineOf: row => row.startLine });
}

function ask(server: LatticeServer, target: Target, maxDepth: number): Promise<ImpactAnswer> {
  const question: ImpactParams = { target: target.id, limit: MOST_PLACES, maxDepth };
  return server.ask('impact', question, target.folder);
}

async function nodeOf(server: LatticeServer, target: Target): Promise<Nodes['nodes'][number]> {
  const question: NodesParams = { ids: [target.id] };
  const [node] = (await server.ask('nodesById', question, target.folder)).nodes;
  if (node === undefined) throw new Refusal(`${target.name} is no longer in the graph.`);
  return node;
}

interface Places {
  readonly target: Target;
  readonly node: Nodes['nodes'][number];
  readonly rows: readonly Impacted[];
  readonly lineOf: (row: Impacted) => number;
}

async function peek({ target, node, rows, lineOf }: Places): Promise<void> {
  if (rows.length === 0) throw new Refusal(`No results found for ${target.name}.`);
  const places = rows.map(row => new Location(uriOf(target.folder, row.path), new Position(Math.max(0, lineOf(row) - 1), 0)));
  const at = new Position(Math.max(0, node.nameLine - 1), node.nameColumn);
  await commands.executeCommand('editor.action.showReferences', uriOf(target.folder, node.path), at, places);
}

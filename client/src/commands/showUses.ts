import { commands, Location, Position } from 'vscode';
import type { ImpactDto, ImpactedDto, ImpactQuery, NodesDto, NodesQuery } from '../../../server/protocol/features';
import { uriOf } from '../answers';
import type { LatticeServer } from '../languageClient/latticeServer';
import { Refusal } from '../refusal';
import type { Target } from './symbolSearch';
import { targetOf } from './target';

interface Parts {
  readonly server: LatticeServer;
}

const TEST_DEPTH = 3;

/** Peeks at the places that use a symbol directly, facts before maybes. */
export async function showCallers({ server }: Parts, argument: unknown): Promise<void> {
  const target = await targetOf(server, argument, 'Show the callers of which symbol?');
  if (target === undefined) return;
  const { impacted, maybe } = await ask(server, target, 1);
  await peek(server, target, [...impacted, ...maybe], row => (row.line > 0 ? row.line : row.startLine));
}

/** Peeks at the tests that reach a symbol. */
export async function showTests({ server }: Parts, argument: unknown): Promise<void> {
  const target = await targetOf(server, argument, 'Show the tests of which symbol?');
  if (target === undefined) return;
  const { impacted } = await ask(server, target, TEST_DEPTH);
  await peek(
    server,
    target,
    impacted.filter(row => row.isTest),
    row => row.startLine,
  );
}

function ask(server: LatticeServer, target: Target, maxDepth: number): Promise<ImpactDto> {
  const question: ImpactQuery = { target: target.id, maxDepth };
  return server.ask<ImpactDto>('impact', question, target.folder);
}

async function peek(server: LatticeServer, target: Target, rows: readonly ImpactedDto[], lineOf: (row: ImpactedDto) => number): Promise<void> {
  if (rows.length === 0) throw new Refusal(`Nothing in the graph reaches ${target.name}.`);
  const question: NodesQuery = { ids: [target.id] };
  const [node] = (await server.ask<NodesDto>('nodesById', question, target.folder)).nodes;
  if (node === undefined) throw new Refusal(`${target.name} is no longer in the graph.`);
  const places = rows.map(row => new Location(uriOf(target.folder, row.path), new Position(Math.max(0, lineOf(row) - 1), 0)));
  const at = new Position(Math.max(0, node.nameLine - 1), node.nameColumn);
  await commands.executeCommand('editor.action.showReferences', uriOf(target.folder, node.path), at, places);
}

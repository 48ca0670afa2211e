import type { CancellationToken } from '../../../base/cancellation';
import type { GraphView } from '../../../code/graph/graphView';
import type { ServiceModel } from '../../../services/model';
import { isServiceFile } from '../../../services/serviceFile';
import type { Workspace } from '../../../workspace/snapshot';
import type { Breaking } from '../breaking';
import type { InterfaceChange, UnitChange } from '../linkChanges';
import type { State } from '../states/states';
import { type BreakingEndpointsSources, breakingEndpoints } from './breakingEndpoints';
import { interfaceChanges } from './interfaceChanges';

/** Where no service is seen now, what one offered before is looked for in states of at most this many files: in larger ones it would cost more than the rest of a comparison. */
const MAX_SEARCHED_FILES = 1500;

/**
 * Dependencies between services that came or went (requests, events, remote procedures, imports), what services offer and share that did, and endpoints that break who calls them. Looked for
 * where there are several services now or one that offers something, where files came or went that may describe some, and wherever there are few files.
 */
export async function serviceChanges(
  live: Workspace,
  older: State,
  newer: State,
  { read, within }: Pick<BreakingEndpointsSources, 'read' | 'within'>,
  token: CancellationToken,
): Promise<ServiceChanges> {
  const now = await live.services?.model(token);
  if (now === undefined) return NO_SERVICE_CHANGES;
  const isOffering = now.endpoints.length + now.events.length + now.entities.length > 0;
  const graphs = [older.snapshot.graph, newer.snapshot.graph] as const;
  const areSmall = graphs.every(graph => graph.fileCount <= MAX_SEARCHED_FILES);
  if (now.services.length < 2 && !isOffering && !areSmall && !haveOtherServiceFiles(...graphs)) return NO_SERVICE_CHANGES;
  const [before, after] = [await older.workspace.services?.model(token), await newer.workspace.services?.model(token)];
  const problem = [before, after].flatMap(model => (model?.services.length === 0 ? model.problems.filter(({ file }) => file === '') : []))[0];
  if (problem !== undefined) return { ...NO_SERVICE_CHANGES, notes: [`Dependencies between services are not known: ${problem.message}`] };
  const [old, current] = [callsOf(before), callsOf(after)];
  const breaking = before === undefined || after === undefined ? [] : await breakingEndpoints({ before, after, read, within });
  const interfaces = before === undefined || after === undefined ? [] : interfaceChanges(before, after, within);
  return { units: [...lacking(current, old, 'added'), ...lacking(old, current, 'removed')], interfaces, breaking, notes: [] };
}

interface ServiceChanges {
  readonly units: readonly UnitChange[];
  readonly interfaces: readonly InterfaceChange[];
  readonly breaking: readonly Breaking[];
  /** What could not be told, a sentence each. */
  readonly notes: readonly string[];
}

export const NO_SERVICE_CHANGES: ServiceChanges = { units: [], interfaces: [], breaking: [], notes: [] };

interface Call {
  readonly source: string;
  readonly target: string;
}

function callsOf(model: ServiceModel | undefined): ReadonlyMap<string, Call> {
  return new Map(model?.calls.map(({ source, target }) => [JSON.stringify([source, target]), { source, target }]));
}

function lacking(calls: ReadonlyMap<string, Call>, others: ReadonlyMap<string, Call>, change: UnitChange['change']): UnitChange[] {
  return [...calls].flatMap(([key, { source, target }]) => (others.has(key) ? [] : [{ level: 'service', change, from: source, to: target } as const]));
}

function haveOtherServiceFiles(before: GraphView, after: GraphView): boolean {
  return hasServiceFileBeside(before, after) || hasServiceFileBeside(after, before);
}

/** Whether a file that may describe services is in one state only. */
function hasServiceFileBeside(graph: GraphView, other: GraphView): boolean {
  for (const file of graph.files()) {
    const path = graph.idOf(file);
    if (other.fileOf(path) === undefined && isServiceFile(path)) return true;
  }
  return false;
}

import type { GraphView } from '../../code/graph/graphView';
import type { StableId } from '../../model/ids';
import type { ServiceModel } from '../../services/model';
import { serviceLines } from '../architecture/services/serviceNotes';
import type { SymbolRow } from '../shared/rows';

/** Services that are told, and symbols whose endpoints, calls and events are. */
const MAX_SERVICES = 3;
const MAX_SYMBOLS = 20;
/** Paths and names of events in a task. */
const PATH = /\/[\p{L}\p{N}_.~*:{}<>[\]-]+(?:\/[\p{L}\p{N}_.~*:{}<>[\]-]+)*/gu;
const EVENT = /[\p{L}\p{N}_]+(?:[./:-][\p{L}\p{N}_]+)+/gu;
const PARAMETER = /\{[^/]*\}|<[^/]*>|\[[^/]*\]|:[^/]+/g;

/**
 * What other services have to do with some symbols, in lines, most important first: which service they are in, whom it calls and who calls it;
 * then what each serves, asks of other services and tells them. Empty where the workspace is one service.
 */
export function servicesOf(model: ServiceModel | undefined, symbols: readonly SymbolRow[]): readonly string[] {
  if (model === undefined) return [];
  const names = [...new Set(symbols.map(({ path }) => model.serviceOf(path)))].filter(name => name !== '');
  const heads = model.services.length < 2 ? [] : names.slice(0, MAX_SERVICES).map(name => serviceLine(model, name));
  const plain = (text: string): string => text.replace(/\s+/g, ' ');
  const notes = symbols.slice(0, MAX_SYMBOLS).flatMap(({ id, name }) => serviceLines(model, id, plain, plain).map(line => `${name}: ${line}`));
  return [...heads, ...notes];
}

function serviceLine({ calls, services }: ServiceModel, name: string): string {
  const folder = services.find(service => service.name === name)?.paths[0] ?? '';
  const list = (verb: string, names: readonly string[]): string => (names.length === 0 ? '' : `${verb} ${[...new Set(names)].sort().join(', ')}`);
  const parts = [
    `Service ${name}${folder === '' ? '' : ` (${folder})`}`,
    list(
      'calls',
      calls.flatMap(({ source, target }) => (source === name ? [target] : [])),
    ),
    list(
      'called by',
      calls.flatMap(({ source, target }) => (target === name ? [source] : [])),
    ),
  ];
  return parts.filter(part => part !== '').join(' · ');
}

/** Code that serves, publishes or consumes what a task spells: `/orders/{id}` with any name for the parameter, `order.created`. */
export function servedInTask(graph: GraphView, model: ServiceModel | undefined, task: string): ReadonlySet<StableId> {
  const found = new Set<StableId>();
  if (model === undefined) return found;
  const paths = new Set(Array.from(task.matchAll(PATH), ([path]) => comparable(path.replace(/[.:]+$/, ''))));
  const names = new Set(Array.from(task.matchAll(EVENT), ([name]) => name));
  const add = (handler: StableId | undefined): void => {
    if (handler !== undefined && graph.find(handler) !== undefined) found.add(handler);
  };
  for (const { handler, path } of model.endpoints) if (path.length > 1 && paths.has(comparable(path))) add(handler);
  for (const { consumers, name, publishers } of model.events) if (names.has(name)) for (const { handler } of [...publishers, ...consumers]) add(handler);
  return found;
}

function comparable(path: string): string {
  return path.replace(PARAMETER, '{}').replace(/\/$/, '');
}

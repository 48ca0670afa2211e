import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import type { WorkspacePath } from '../../base/path';
import { err, ok, type Result } from '../../base/result';
import type { GraphView } from '../../code/graph/graphView';
import { headOf } from '../../model/ids';
import type { SearchView } from '../../search/searchView';
import type { Snapshot, Workspace } from '../../workspace/snapshot';
import { changesOf } from '../shared/changeSource';
import { type FeatureFailure, notFound } from '../shared/failure';
import { object, type Shaped, shape } from '../shared/shape';
import { workspacePath } from '../shared/spelling';
import { pathsLike } from '../shared/target';
import { LAYERS_RULE, type RuleSet } from './rules';

/** What words picked. Files only when they name no rule and no layer. */
export const pickedShape = shape(() =>
  object({
    rules: z.array(z.string()),
    layers: z.array(z.string()),
    files: z.array(z.string()),
  }),
);
export type Picked = Shaped<typeof pickedShape>;

/** Files to check; `undefined` for all. Folders stand for what is in them. */
export async function chosenFiles(
  workspace: Workspace,
  { graph, search }: Pick<Snapshot, 'graph' | 'search'>,
  { files, since }: { readonly files?: readonly string[]; readonly since?: string },
  token: CancellationToken,
): Promise<Result<ReadonlySet<WorkspacePath> | undefined, FeatureFailure>> {
  const named = files === undefined ? undefined : filesNamed(workspace, graph, search, files);
  if (named?.ok === false) return named;
  if (since === undefined) return ok(named?.value);
  const changes = await changesOf(workspace, since, token);
  if (!changes.ok) return changes;
  const changed = changes.value.files.map(file => file.path).filter(path => graph.fileOf(path) !== undefined);
  return ok(new Set(named === undefined ? changed : changed.filter(path => named.value.has(path))));
}

function filesNamed(workspace: Workspace, graph: GraphView, search: SearchView, files: readonly string[]): Result<ReadonlySet<WorkspacePath>, FeatureFailure> {
  const found = new Set<WorkspacePath>();
  for (const name of files) {
    const path = workspacePath(workspace, name.replace(/^file::/, ''));
    if (!path.ok) return path;
    const before = found.size;
    if (graph.fileOf(path.value) !== undefined) found.add(path.value);
    else for (const file of graph.files()) if (path.value === '' || graph.idOf(file).startsWith(`${path.value}/`)) found.add(graph.idOf(file));
    if (found.size === before && !found.has(path.value)) return err(notFound(name, pathsLike(search, path.value)));
  }
  return ok(found);
}

const MAX_FILES = 20;

/** Rules and layers that words name; without any, the files that the retriever finds for them. */
export function pickFrom(query: string, { layers, rules }: Pick<RuleSet, 'layers' | 'rules'>, search: SearchView): Picked {
  const asked = new Set(wordsIn(query));
  const isNamed = (text: string): boolean => wordsIn(text).some(word => asked.has(word));
  const pickedLayers = layers.map(layer => layer.id).filter(isNamed);
  const pickedRules = rules
    .filter(({ id, type, from, to }) => isNamed(`${id} ${type}`) || [...(from?.package ?? []), ...(to?.package ?? [])].some(isNamed))
    .map(rule => rule.id);
  const all = [...(layers.length > 0 && (asked.has('layer') || asked.has('layering')) ? [LAYERS_RULE] : []), ...pickedRules];
  if (all.length > 0 || pickedLayers.length > 0) return { rules: all, layers: pickedLayers, files: [] };
  const hits = search.search({ text: query, limit: MAX_FILES, offset: 0 }).hits.map(hit => headOf(hit.id));
  return { rules: [], layers: [], files: [...new Set(hits)].sort() };
}

/** Words that say nothing about which rule is meant. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(['no', 'only', 'via', 'the', 'a', 'of', 'to', 'in', 'is', 'max', 'rule', 'what', 'which', 'does', 'do']);

function wordsIn(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map(word => (word.length > 3 ? word.replace(/s$/, '') : word))
    .filter(word => word !== '' && !EMPTY_WORDS.has(word));
}

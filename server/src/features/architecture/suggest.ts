import { z } from 'zod';
import { PERSONAL_RANK, personalRank } from '../../algorithms/personalRank';
import type { CancellationToken } from '../../base/cancellation';
import { basename, dirname, extname, type WorkspacePath } from '../../base/path';
import { err, ok, type Result } from '../../base/result';
import { compareText } from '../../base/text';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { paramRef, phrase } from '../../model/hints';
import { NO_NODE } from '../../model/ids';
import { languageOfExtension, languageRow } from '../../model/languages';
import type { Snapshot, Workspace } from '../../workspace/snapshot';
import { atomsOfFiles, textsAbout } from '../knowledge/atomsOfFiles';
import { type FeatureFailure, fromEngine, invalid } from '../shared/failure';
import { feature } from '../shared/feature';
import { answerFresh, type Stamped } from '../shared/fresh';
import { STEP_WEIGHTS } from '../shared/links';
import { choice, integer, text, texts } from '../shared/params';
import { byRank, sentenceOf } from '../shared/rows';
import { object, optional, type Shaped, shape, stamped, unset } from '../shared/shape';
import { resolveTarget } from '../shared/target';
import { CodeMap } from './codeMap';
import { byDirectory, fileNameLike, mostFrequent, type Siblings, testPathFor, wordsOfName } from './directories';
import { proposedRules } from './proposeRules';
import type { Layer, RuleSet } from './rules';
import { ruleSources } from './sources';

/** What is suggested: a place for new code, or rules for a project without. */
export const SUGGEST_MODES = ['place', 'rules'] as const;
/** What is to be placed. */
export const UNIT_KINDS = ['class', 'function', 'module', 'component', 'service', 'test'] as const;

export const suggestParams = shape(() =>
  object({
    mode: optional(choice(SUGGEST_MODES)),
    /** What the new code does; needed unless rules are asked for. */
    description: optional(text()),
    kind: optional(choice(UNIT_KINDS)),
    name: optional(text()),
    /** Ids, paths or names of what it will use. */
    dependsOn: optional(texts()),
    limit: optional(integer()),
  }),
);
export type SuggestParams = Shaped<typeof suggestParams>;

export const placeSuggestionShape = shape(() =>
  object({
    path: z.string(),
    /** `''` where none is declared. */
    layer: z.string(),
    /** 0 to 1. */
    score: z.number(),
    reasons: z.array(z.string()),
    /** Layers that it may use; without layers, folders that its siblings use. */
    allowedImports: z.array(z.string()),
    testPath: z.string(),
  }),
);
export type PlaceSuggestion = Shaped<typeof placeSuggestionShape>;

export const atomToUpdateShape = shape(() =>
  object({
    id: z.string(),
    name: z.string(),
    /** The best suggestion that it covers. */
    path: z.string(),
  }),
);
export type AtomToUpdate = Shaped<typeof atomToUpdateShape>;

export const suggestAnswerShape = shape(() =>
  object({
    suggestions: z.array(placeSuggestionShape()),
    similarExisting: z.array(
      object({
        id: z.string(),
        score: z.number(),
        duplicate: z.boolean(),
      }),
    ),
    /** Atoms that cover a suggested path, and so should say what is new there; of the best place first. */
    atomsToUpdate: z.array(atomToUpdateShape()),
    /** Folders that were left out because their layer may not use what is needed. */
    dropped: z.array(z.string()),
    /** `mode: rules` only. */
    rulesYaml: unset(z.string()),
  }),
);
export type SuggestAnswer = Shaped<typeof suggestAnswerShape>;

const SEEDS = 10;
const DEFAULT_LIMIT = 3;

/** What is wrong with a question for a place, whatever the graph holds. */
export function suggestProblem({
  description = '',
  mode,
}: {
  readonly description?: string | undefined;
  readonly mode?: string | undefined;
}): FeatureFailure | undefined {
  if (mode === 'rules' || description.trim() !== '') return undefined;
  return invalid('description', phrase`${paramRef('description')} is required.`, phrase`Describe what the new code does, or use ${paramRef('mode', 'rules')}.`);
}

/** Where new code belongs, or which rules the code follows already. Writes nothing. */
export async function suggestArchitecture(
  workspace: Workspace,
  params: SuggestParams,
  token: CancellationToken,
): Promise<Result<Stamped<SuggestAnswer>, FeatureFailure>> {
  const none = { suggestions: [], similarExisting: [], atomsToUpdate: [], dropped: [], rulesYaml: undefined };
  if (params.mode === 'rules') {
    return answerFresh(workspace, [], token, ({ graph }) => ok({ value: { ...none, rulesYaml: proposedRules(graph) }, touched: [] }));
  }
  const problem = suggestProblem(params);
  if (problem !== undefined) return err(problem);
  const description = params.description?.trim() ?? '';
  const sources = await ruleSources(workspace);
  if (!sources.ok) return sources;
  const first = await workspace.snapshot([], token);
  if (!first.ok) return err(fromEngine(first.error));
  await first.value.graph.prepareCommunities(() => workspace.pause?.());
  return answerFresh(workspace, [], token, snapshot => {
    const needed: NodeHandle[] = [];
    for (const name of params.dependsOn ?? []) {
      const target = resolveTarget(snapshot, workspace, name);
      if (!target.ok) return target;
      needed.push(target.value.node);
    }
    const value = placesFor(workspace, snapshot, sources.value.rules, { ...params, description }, needed);
    return ok({ value, touched: value.similarExisting.map(row => snapshot.graph.node(snapshot.graph.find(row.id) ?? NO_NODE).path) });
  });
}

interface Candidate {
  readonly folder: WorkspacePath;
  /** Of the new file. */
  readonly path: WorkspacePath;
  readonly siblings: Siblings;
  readonly layer: Layer | undefined;
  readonly mass: number;
  readonly community: number;
  readonly alike: number;
  /** Share of the words asked for that an atom of this place has, the best of them. */
  readonly known: number;
}

function placesFor(
  workspace: Pick<Workspace, 'records'>,
  { graph, search }: Snapshot,
  rules: RuleSet,
  params: SuggestParams & { readonly description: string },
  needed: readonly NodeHandle[],
): SuggestAnswer {
  const { description, kind, limit = DEFAULT_LIMIT, name } = params;
  const map = new CodeMap(graph, rules);
  const everywhere = [...graph.files()].map(file => graph.idOf(file));
  const text = name === undefined ? description : `${name} ${description}`;
  const hits = search.search({ text: description, limit: SEEDS, offset: 0 }).hits.flatMap(hit => graph.find(hit.id) ?? []);
  const seeds = [...new Set([...hits, ...needed])];
  const { forward, backward, live } = graph.adjacency;
  const { nodes, scores } = personalRank([forward, backward], live, seeds, { ...PERSONAL_RANK, weights: STEP_WEIGHTS }, byRank(graph));
  const masses = new Map<WorkspacePath, number>();
  nodes.forEach((node, at) => {
    const file = graph.fileNodeOf(node);
    if (file === undefined || (kind !== 'test' && graph.isTest(file))) return;
    masses.set(dirname(graph.idOf(file)), (masses.get(dirname(graph.idOf(file))) ?? 0) + (scores[at] ?? 0));
  });
  const folders = byDirectory(graph);
  const main = mainCommunity(graph, seeds);
  const wanted = contentWords(text);
  const suffix = name === undefined ? undefined : wordsOfName(name).at(-1);
  const all = [...masses].flatMap(([folder, mass]): Candidate[] => {
    const siblings = folders.get(folder);
    if (siblings === undefined) return [];
    const files = kind === 'test' ? [...siblings.files, ...siblings.tests] : siblings.files;
    const path = pathIn(graph, folder, siblings, params, everywhere);
    const layer = map.layerOfPath(path);
    const share = (test: (file: NodeHandle) => boolean): number => (files.length === 0 ? 0 : files.filter(test).length / files.length);
    const known = Math.max(0, ...textsAbout(workspace, path).map(about => shareOf(wanted, contentWords(about))));
    return [{ folder, path, siblings, layer, mass, community: share(file => main.has(file)), alike: share(file => isAlike(graph, file, kind, suffix)), known }];
  });
  const mayUse = ({ layer }: Candidate): boolean => {
    if (layer?.mayDependOn === undefined) return true;
    const { id, mayDependOn } = layer;
    return needed.every(node => [undefined, id, ...mayDependOn].includes(map.layerOf(node)?.id));
  };
  const allowed = all.filter(mayUse);
  const scored = scoresOf(allowed).sort((a, b) => b.score - a.score || compareText(a.candidate.folder, b.candidate.folder));
  const suggestions = scored.slice(0, limit).map(row => suggestionOf(graph, rules, row, kind));
  return {
    suggestions,
    similarExisting: similarTo(graph, hits, text),
    atomsToUpdate: atomsCovering(workspace, suggestions),
    dropped: all
      .filter(candidate => !mayUse(candidate))
      .map(candidate => candidate.folder)
      .sort(),
    rulesYaml: undefined,
  };
}

function atomsCovering(workspace: Pick<Workspace, 'records'>, suggestions: readonly PlaceSuggestion[]): AtomToUpdate[] {
  const found = new Map<string, AtomToUpdate>();
  for (const { path } of suggestions) {
    for (const { id, name } of atomsOfFiles(workspace, [path])) if (!found.has(id)) found.set(id, { id, name, path });
  }
  return [...found.values()];
}

function contentWords(text: string): ReadonlySet<string> {
  return new Set(wordsOfName(text).filter(word => !EMPTY_WORDS.has(word)));
}

/** Share of some words that are among others. */
function shareOf(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return words.size === 0 ? 0 : [...words].filter(word => others.has(word)).length / words.size;
}

/** Files whose community is the one that most seeds are in. */
function mainCommunity(graph: GraphView, seeds: readonly NodeHandle[]): ReadonlySet<NodeHandle> {
  if (!graph.hasQuickCommunities) return new Set();
  const { of } = graph.communities();
  const main = mostFrequent(seeds.map(seed => of[seed] ?? -1).filter(community => community >= 0));
  return main === undefined ? new Set() : new Set(graph.membersOf(main).flatMap(node => graph.fileNodeOf(node) ?? []));
}

const KINDS_OF: Readonly<Record<(typeof UNIT_KINDS)[number], readonly string[]>> = {
  class: ['class', 'struct', 'interface', 'trait'],
  function: ['function'],
  module: [],
  component: ['function', 'class'],
  service: ['class', 'struct'],
  test: [],
};

/** Whether a file is of that kind: what it declares, and how it or that is called. */
function isAlike(graph: GraphView, file: NodeHandle, kind: SuggestParams['kind'], suffix: string | undefined): boolean {
  const path = graph.idOf(file);
  const tops = graph.childrenOf(file).map(node => graph.node(node));
  const ending = suffix ?? (kind === 'service' ? 'service' : undefined);
  const endsSo =
    ending === undefined || [basename(path).slice(0, -extname(path).length), ...tops.map(node => node.name)].some(name => wordsOfName(name).at(-1) === ending);
  if (kind === 'test') return graph.isTest(file);
  if (kind === 'component') return endsSo && isComponentFile(path);
  if (kind === undefined || kind === 'module') return suffix !== undefined && endsSo;
  return endsSo && tops.some(node => KINDS_OF[kind].includes(node.kind ?? ''));
}

function isComponentFile(path: WorkspacePath): boolean {
  const extension = extname(path);
  const language = languageOfExtension(extension);
  return /^\.[jt]sx$/.test(extension) || (language !== undefined && languageRow(language).isComponent === true);
}

interface Scored {
  readonly candidate: Candidate;
  readonly score: number;
}

/** Weights of mass, community, layer, likeness and knowledge; each part is scaled to 0 to 1. */
const WEIGHTS = { mass: 0.35, community: 0.25, layer: 0.2, alike: 0.1, known: 0.1 } as const;
const UNASSIGNED = 0.5;

function scoresOf(candidates: readonly Candidate[]): Scored[] {
  const most = (part: 'mass' | 'community' | 'alike' | 'known'): number => Math.max(...candidates.map(candidate => candidate[part]), 0) || 1;
  const [mass, community, alike, known] = [most('mass'), most('community'), most('alike'), most('known')];
  return candidates.map(candidate => {
    const layer = candidate.layer === undefined ? UNASSIGNED : 1;
    const score =
      (WEIGHTS.mass * candidate.mass) / mass +
      (WEIGHTS.community * candidate.community) / community +
      WEIGHTS.layer * layer +
      (WEIGHTS.alike * candidate.alike) / alike +
      (WEIGHTS.known * candidate.known) / known;
    return { candidate, score: Math.round(score * 1e4) / 1e4 };
  });
}

const MAX_NAME_WORDS = 3;
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  'a an and the of to for from in on with that which new code class function module component service test add adds make makes'.split(' '),
);

/** Where a file of that name would be, called as its siblings are. */
function pathIn(
  graph: GraphView,
  folder: WorkspacePath,
  siblings: Siblings,
  { description, name }: SuggestParams & { readonly description: string },
  everywhere: readonly WorkspacePath[],
): WorkspacePath {
  const given = name === undefined ? [] : wordsOfName(name);
  const words = wordsOfName(description).filter(word => !EMPTY_WORDS.has(word));
  const fileName = fileNameLike(
    siblings.files.map(file => graph.idOf(file)),
    given.length > 0 ? given : words.slice(0, MAX_NAME_WORDS),
    everywhere,
  );
  return folder === '' ? fileName : `${folder}/${fileName}`;
}

function suggestionOf(graph: GraphView, rules: RuleSet, { candidate, score }: Scored, kind: SuggestParams['kind']): PlaceSuggestion {
  const { folder, layer, path, siblings } = candidate;
  const testPath = testPathFor(graph, path, siblings.files);
  return {
    path: kind === 'test' ? testPath : path,
    layer: layer?.id ?? '',
    score,
    reasons: reasonsFor(candidate),
    allowedImports:
      layer?.mayDependOn === undefined
        ? rules.layers.length > 0 && layer !== undefined
          ? rules.layers.map(each => each.id)
          : importsOf(graph, siblings.files, folder)
        : [layer.id, ...layer.mayDependOn],
    testPath,
  };
}

function reasonsFor({ alike, community, known, layer, siblings }: Candidate): string[] {
  const percent = (share: number): string => `${Math.round(share * 100)}%`;
  return [
    'close to search results for the description',
    ...(community > 0 ? [`${percent(community)} of its files belong to the main community`] : []),
    ...(layer === undefined ? [] : [`declared layer ${layer.id}`]),
    ...(alike > 0 ? [`${percent(alike)} of its ${siblings.files.length} files are of this kind`] : []),
    ...(known > 0 ? ['its knowledge mentions this'] : []),
  ];
}

const MAX_IMPORTS = 5;

/** Folders that the files of a folder import most. */
function importsOf(graph: GraphView, files: readonly NodeHandle[], folder: WorkspacePath): string[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    for (const { relation, target } of graph.out(file)) {
      const other = graph.fileNodeOf(target);
      if (relation !== 'IMPORTS' || other === undefined) continue;
      const home = dirname(graph.idOf(other));
      if (home !== folder && home !== '') counts.set(home, (counts.get(home) ?? 0) + 1);
    }
  }
  return [...counts]
    .sort(([a, x], [b, y]) => y - x || compareText(a, b))
    .slice(0, MAX_IMPORTS)
    .map(([home]) => home);
}

const MIN_SIMILARITY = 0.4;
const DUPLICATE = 0.85;
const MAX_SIMILAR = 5;

/** Existing symbols that say much the same: twice the shared words over all words of both. */
function similarTo(graph: GraphView, hits: readonly NodeHandle[], text: string): SuggestAnswer['similarExisting'] {
  const wanted = contentWords(text);
  const rows = hits.flatMap(node => {
    const row = graph.node(node);
    if (row.nodeType !== 'symbol' || graph.isTest(node)) return [];
    const likeness = (words: string): number => {
      const own = contentWords(words);
      const shared = [...own].filter(word => wanted.has(word)).length;
      return own.size + wanted.size === 0 ? 0 : (2 * shared) / (own.size + wanted.size);
    };
    const score = Math.round(Math.max(likeness(row.name), likeness(`${row.name} ${sentenceOf(row)}`), likeness(sentenceOf(row))) * 1e4) / 1e4;
    return score >= MIN_SIMILARITY ? [{ id: row.id, score, duplicate: score >= DUPLICATE }] : [];
  });
  return rows.sort((a, b) => b.score - a.score || compareText(a.id, b.id)).slice(0, MAX_SIMILAR);
}

export const suggestArchitectureFeature = feature({
  name: 'suggestArchitecture',
  about: 'A location for new code, or rules that the existing code meets.',
  params: suggestParams,
  answer: stamped(suggestAnswerShape),
  run: suggestArchitecture,
});

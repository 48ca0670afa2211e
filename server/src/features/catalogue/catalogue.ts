/**
 * What can be asked of a workspace, by name: every feature is a function `(workspace, params, token) → plain data`.
 * Transports and guests call features through here; tools call them directly. No feature knows a protocol, an editor or a budget.
 *
 * Invariants: answers are plain data and say what they were computed from; params are checked before a feature sees them;
 * the order of everything listed is the same on every machine.
 */
import { SCENE_COLOURINGS, SCENE_GROUPINGS, SCENE_STARTS } from '../../../protocol/graphView';
import type { CancellationToken } from '../../base/cancellation';
import { err, type Result } from '../../base/result';
import type { Workspace } from '../../workspace/snapshot';
import { indexStatus, rebuild, setWorkspace } from '../administration/manage';
import { architectureEdit, EDIT_KINDS } from '../architecture/edits';
import { SEVERITIES } from '../architecture/rules';
import { SUGGEST_MODES, suggestArchitecture, UNIT_KINDS } from '../architecture/suggest';
import { validateArchitecture } from '../architecture/validate';
import { codeLenses, lensCounts } from '../editor/codeLens';
import { callHierarchyItem, incomingCalls, outgoingCalls, subtypes, supertypes, typeHierarchyItem } from '../editor/hierarchy';
import { hover } from '../editor/hover';
import { documentSymbols, nodesById, symbolAt, workspaceSymbols } from '../editor/places';
import { explain } from '../explain/explain';
import { SLICE_CONTEXTS, slice } from '../explain/slice';
import { impact } from '../impact/impact';
import { deletedKnowledge, knowledgeChangelog, knowledgeEntity, knowledgeOfTask } from '../knowledge/answers';
import { atomFiles, knowledgeGapFiles, knowledgeTree, movedPatterns, patternMatches } from '../knowledge/coverage';
import { checkKnowledge } from '../knowledge/syncCheck';
import { knowledgeConflict, knowledgeConflicts, resolveKnowledge } from '../knowledge/syncConflicts';
import { exportKnowledge } from '../knowledge/syncExport';
import { importKnowledge } from '../knowledge/syncImport';
import { health } from '../overview/health';
import { report } from '../overview/report';
import { structure } from '../overview/structure';
import { findPattern } from '../patterns/findPattern';
import { CLUSTERINGS, communities } from '../query/communities';
import { exportGraph } from '../query/exportGraph';
import { findPath } from '../query/findPath';
import { graphQuery, QUERY_MODES } from '../query/graphQuery';
import { neighborhood } from '../query/neighborhood';
import { DIRECTIONS, traverse } from '../query/traverse';
import { graphScene } from '../scene/graphScene';
import { HYBRID_MODES, hybridSearch } from '../search/hybridSearch';
import { searchCode } from '../search/searchCode';
import { type FeatureFailure, invalid } from '../shared/failure';
import { checkParams, type ParamTable } from '../shared/params';
import { categorizeTests } from '../testSelection/categorize';
import { testCommands } from '../testSelection/run';
import { selectTests } from '../testSelection/select';
import { workTree } from '../work/tree';

interface Feature {
  readonly params: ParamTable;
  /** Checks that the table cannot express; a message when they fail. */
  readonly check?: (params: Readonly<Record<string, unknown>>) => string | undefined;
  run(workspace: Workspace, params: never, token: CancellationToken): Promise<Result<unknown, FeatureFailure>>;
}

const ENTITY_TYPES = ['atom', 'molecule'];
const PLACE = { path: 'text!', line: 'integer!', column: 'integer!' } as const;

function oneOf(name: string, value: unknown, known: readonly unknown[]): string | undefined {
  return value === undefined || known.includes(value) ? undefined : `${name} must be one of ${known.join(', ')}.`;
}

const FEATURES: Readonly<Record<string, Feature>> = {
  search: { params: { query: 'text!', limit: 'integer', offset: 'integer', kinds: 'texts', rerank: 'flag' }, run: searchCode },
  explain: { params: { target: 'text!', limit: 'integer', depth: 'integer' }, run: explain },
  impact: {
    params: { target: 'text', files: 'texts', since: 'text', maxDepth: 'integer', relations: 'relations', limit: 'integer', offset: 'integer' },
    run: impact,
  },
  slice: {
    params: { file: 'text', symbol: 'text', query: 'text', context: 'text' },
    check: ({ context }) =>
      context === undefined || (SLICE_CONTEXTS as readonly unknown[]).includes(context) ? undefined : `context must be one of ${SLICE_CONTEXTS.join(', ')}.`,
    run: slice,
  },
  neighborhood: {
    params: { target: 'text!', radius: 'integer', undirected: 'flag', nodeTypes: 'texts', relations: 'relations', maxNodes: 'integer' },
    run: neighborhood,
  },
  selectTests: {
    params: { files: 'texts', since: 'text', includeTransitive: 'flag', depth: 'integer', categories: 'texts', minConfidence: 'number', maxTests: 'integer' },
    run: selectTests,
  },
  testCommands: { params: {}, run: testCommands },
  categorizeTests: { params: { paths: 'texts', category: 'text', framework: 'text' }, run: categorizeTests },
  traverse: {
    params: {
      entries: 'texts',
      maxHops: 'integer',
      relations: 'relations',
      nodeTypes: 'texts',
      minConfidence: 'number',
      maxResults: 'integer',
      direction: 'text',
    },
    check: ({ direction, entries }) => (entries === undefined ? 'entries is missing.' : oneOf('direction', direction, DIRECTIONS)),
    run: traverse,
  },
  findPath: { params: { from: 'text!', to: 'text!', undirected: 'flag', relations: 'relations', minConfidence: 'number' }, run: findPath },
  hybridSearch: {
    params: {
      query: 'text!',
      limit: 'integer',
      offset: 'integer',
      kinds: 'texts',
      mode: 'text',
      anchor: 'text',
      service: 'text',
      semanticWeight: 'number',
      graphWeight: 'number',
    },
    check: ({ mode }) => oneOf('mode', mode, HYBRID_MODES),
    run: hybridSearch,
  },
  communities: {
    params: { limit: 'integer', offset: 'integer', minMembers: 'integer', clustering: 'text' },
    check: ({ clustering }) => oneOf('clustering', clustering, CLUSTERINGS),
    run: communities,
  },
  graphQuery: {
    params: { query: 'text!', mode: 'text', kinds: 'texts', entities: 'texts', limit: 'integer', offset: 'integer' },
    check: ({ mode }) => oneOf('mode', mode, QUERY_MODES),
    run: graphQuery,
  },
  architecture: {
    params: { files: 'texts', since: 'text', rules: 'texts', query: 'text', includeBoundaries: 'flag', minSeverity: 'text', declaredOnly: 'flag' },
    check: ({ minSeverity }) => oneOf('minSeverity', minSeverity, SEVERITIES),
    run: validateArchitecture,
  },
  suggestArchitecture: {
    params: { mode: 'text', description: 'text', kind: 'text', name: 'text', dependsOn: 'texts', limit: 'integer' },
    check: ({ kind, mode }) => oneOf('mode', mode, SUGGEST_MODES) ?? oneOf('kind', kind, UNIT_KINDS),
    run: suggestArchitecture,
  },
  findPattern: {
    params: { pattern: 'text!', paths: 'texts', minSeverity: 'text', limit: 'integer', offset: 'integer' },
    check: ({ minSeverity }) => oneOf('minSeverity', minSeverity, SEVERITIES),
    run: findPattern,
  },
  architectureEdit: {
    params: { kind: 'text!', rule: 'text', from: 'text', to: 'text', edge: 'text', members: 'texts', reason: 'text', until: 'text' },
    check: ({ kind }) => oneOf('kind', kind, EDIT_KINDS),
    run: architectureEdit,
  },
  workTree: { params: {}, run: workTree },
  health: { params: {}, run: health },
  report: { params: {}, run: report },
  hover: { params: PLACE, run: hover },
  symbolAt: { params: PLACE, run: symbolAt },
  workspaceSymbols: { params: { query: 'text!', limit: 'integer' }, run: workspaceSymbols },
  documentSymbols: { params: { path: 'text!' }, run: documentSymbols },
  nodesById: { params: { ids: 'texts' }, run: nodesById },
  codeLenses: { params: { path: 'text!', all: 'flag' }, run: codeLenses },
  lensCounts: { params: { id: 'text!' }, run: lensCounts },
  structure: { params: { limit: 'integer', members: 'integer' }, run: structure },
  typeHierarchyItem: { params: PLACE, run: typeHierarchyItem },
  supertypes: { params: { id: 'text!' }, run: supertypes },
  subtypes: { params: { id: 'text!' }, run: subtypes },
  callHierarchyItem: { params: PLACE, run: callHierarchyItem },
  incomingCalls: { params: { id: 'text!' }, run: incomingCalls },
  outgoingCalls: { params: { id: 'text!' }, run: outgoingCalls },
  graphScene: {
    params: {
      start: 'text!',
      target: 'text',
      to: 'text',
      depth: 'integer',
      groupBy: 'text',
      relations: 'relations',
      kinds: 'texts',
      languages: 'texts',
      minConfidence: 'number',
      tests: 'flag',
      externals: 'flag',
      expand: 'texts',
      keep: 'texts',
      edgeBudget: 'integer',
      colourBy: 'text',
      atom: 'text',
    },
    check: ({ start, groupBy, colourBy }) =>
      oneOf('start', start, SCENE_STARTS) ?? oneOf('groupBy', groupBy, SCENE_GROUPINGS) ?? oneOf('colourBy', colourBy, SCENE_COLOURINGS),
    run: graphScene,
  },
  exportGraph: { params: { minConfidence: 'number', offset: 'integer', limit: 'integer' }, run: exportGraph },
  knowledgeTree: { params: {}, run: knowledgeTree },
  knowledgeGapFiles: { params: { folder: 'text!' }, run: knowledgeGapFiles },
  atomFiles: { params: { id: 'text!' }, run: atomFiles },
  patternMatches: { params: { patterns: 'texts' }, run: patternMatches },
  movedPatterns: { params: { from: 'text!', to: 'text!' }, run: movedPatterns },
  knowledgeEntity: {
    params: { entityType: 'text!', id: 'text!', includeChangelog: 'flag', changelogLimit: 'integer', history: 'flag', version: 'integer' },
    check: ({ entityType }) => oneOf('entityType', entityType, ENTITY_TYPES),
    run: knowledgeEntity,
  },
  knowledgeChangelog: {
    params: { parentType: 'text!', parentId: 'text!', limit: 'integer', offset: 'integer' },
    check: ({ parentType }) => oneOf('parentType', parentType, ENTITY_TYPES),
    run: knowledgeChangelog,
  },
  knowledgeOfTask: { params: { taskId: 'text!' }, run: knowledgeOfTask },
  deletedKnowledge: { params: {}, run: deletedKnowledge },
  exportKnowledge: { params: { agentId: 'text', sessionId: 'text' }, run: exportKnowledge },
  importKnowledge: { params: { mayRemoveMany: 'flag', keepRemoved: 'flag', agentId: 'text', sessionId: 'text' }, run: importKnowledge },
  checkKnowledge: { params: {}, run: checkKnowledge },
  knowledgeConflicts: { params: {}, run: knowledgeConflicts },
  knowledgeConflict: { params: { id: 'text!' }, run: knowledgeConflict },
  resolveKnowledge: {
    params: { id: 'text!', side: 'text', text: 'text', version: 'integer', fileHash: 'text', agentId: 'text', sessionId: 'text' },
    run: resolveKnowledge,
  },
  indexStatus: { params: {}, run: indexStatus },
  rebuild: {
    params: { mode: 'text', paths: 'texts', agentId: 'text', sessionId: 'text' },
    check: ({ mode }) => (mode === undefined || mode === 'incremental' || mode === 'full' ? undefined : 'mode must be incremental or full.'),
    run: rebuild,
  },
  setWorkspace: { params: { workspaceRoot: 'text!', sourceDir: 'text' }, run: setWorkspace },
};

export const featureNames: readonly string[] = Object.keys(FEATURES);

/** Runs a feature by name with params that came over a wire. */
export async function runFeature(name: string, workspace: Workspace, params: unknown, token: CancellationToken): Promise<Result<unknown, FeatureFailure>> {
  const feature = Object.hasOwn(FEATURES, name) ? FEATURES[name] : undefined;
  if (feature === undefined) return err(invalid('feature', `There is no feature ${name}.`, `Use one of ${featureNames.join(', ')}.`));
  const checked = checkParams(feature.params, params);
  if (!checked.ok) return checked;
  const problem = feature.check?.(checked.value);
  if (problem !== undefined) return err(invalid(problem.split(' ')[0] ?? 'params', problem));
  return feature.run(workspace, checked.value as never, token);
}

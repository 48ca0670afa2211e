/**
 * What can be asked of a workspace, by name. Transports and guests call features through here; tools call them directly.
 *
 * Invariants: answers are plain data and say what they were computed from; params are checked before a feature sees them;
 * the order of everything listed is the same on every machine.
 */

import type { CancellationToken } from '../../base/cancellation';
import { err, type Result } from '../../base/result';
import { withSearches } from '../../workspace/laterSearch';
import type { Workspace } from '../../workspace/snapshot';
import { catchUpFeature, indexStatusFeature, rebuildEndFeature, rebuildFeature, setWorkspaceFeature } from '../administration/manage';
import { architectureEditFeature } from '../architecture/edits';
import { servicesFeature } from '../architecture/services/overview';
import { suggestArchitectureFeature } from '../architecture/suggest';
import { architectureFeature } from '../architecture/validate';
import { branchImpactFeature } from '../compare/branchImpact';
import { clearHistoryFeature, markCheckpointFeature } from '../compare/checkpoints';
import { diffSinceFeature } from '../compare/diffSince';
import { graphDiffFeature } from '../compare/graphDiff';
import { pastTextFeature } from '../compare/pastText';
import { pointsFeature } from '../compare/points';
import { codeLensesFeature, lensCountsFeature } from '../editor/codeLens';
import {
  callHierarchyItemFeature,
  incomingCallsFeature,
  outgoingCallsFeature,
  subtypesFeature,
  supertypesFeature,
  typeHierarchyItemFeature,
} from '../editor/hierarchy';
import { commitChangeFeature, historyFeature } from '../editor/history';
import { hoverFeature } from '../editor/hover';
import { documentSymbolsFeature, nodesByIdFeature, symbolAtFeature, workspaceSymbolsFeature } from '../editor/places';
import { referencesFeature } from '../editor/references';
import { explainFeature } from '../explain/explain';
import { sliceFeature } from '../explain/slice';
import { impactFeature } from '../impact/impact';
import {
  deletedKnowledgeFeature,
  knowledgeChangelogFeature,
  knowledgeContextFeature,
  knowledgeEntityFeature,
  knowledgeOfTaskFeature,
  knowledgeSearchFeature,
} from '../knowledge/answers';
import { atomFilesFeature, knowledgeGapFilesFeature, knowledgeTreeFeature, movedPatternsFeature, patternMatchesFeature } from '../knowledge/coverage';
import { checkKnowledgeFeature } from '../knowledge/syncCheck';
import { knowledgeConflictFeature, knowledgeConflictsFeature, resolveKnowledgeFeature } from '../knowledge/syncConflicts';
import { exportKnowledgeFeature } from '../knowledge/syncExport';
import { importKnowledgeFeature } from '../knowledge/syncImport';
import { agentEventFeature } from '../memory/agentEvents/agentEvent';
import {
  agentsFeature,
  changeEpisodeFeature,
  claimsFeature,
  deleteEpisodeFeature,
  latestEpisodesFeature,
  releaseAgentFeature,
  restoreEpisodeFeature,
} from '../memory/oversight';
import { healthFeature } from '../overview/health';
import { reportFeature } from '../overview/report';
import { structureFeature } from '../overview/structure';
import { findPatternFeature } from '../patterns/findPattern';
import { communitiesFeature } from '../query/communities';
import { exportGraphFeature } from '../query/exportGraph';
import { findPathFeature } from '../query/findPath';
import { graphQueryFeature } from '../query/graphQuery';
import { neighborhoodFeature } from '../query/neighborhood';
import { traverseFeature } from '../query/traverse';
import { graphSceneFeature } from '../scene/graphScene';
import { hybridSearchFeature } from '../search/hybridSearch';
import { searchFeature } from '../search/searchCode';
import { namesServices, workspaceAsOf } from '../shared/changeSource';
import { type FeatureFailure, invalid, presentOnly } from '../shared/failure';
import { type AnswerOf, ask, type Feature, type FeatureInput } from '../shared/feature';
import { categorizeTestsFeature } from '../testSelection/categorize';
import { testCommandsFeature } from '../testSelection/run';
import { selectTestsFeature } from '../testSelection/select';
import { workItemFeature, workSearchFeature } from '../work/workItem';
import { workTreeFeature } from '../work/workTree';

export const FEATURES = {
  search: searchFeature,
  explain: explainFeature,
  impact: impactFeature,
  slice: sliceFeature,
  neighborhood: neighborhoodFeature,
  selectTests: selectTestsFeature,
  testCommands: testCommandsFeature,
  categorizeTests: categorizeTestsFeature,
  traverse: traverseFeature,
  findPath: findPathFeature,
  hybridSearch: hybridSearchFeature,
  communities: communitiesFeature,
  graphQuery: graphQueryFeature,
  architecture: architectureFeature,
  services: servicesFeature,
  suggestArchitecture: suggestArchitectureFeature,
  findPattern: findPatternFeature,
  graphDiff: graphDiffFeature,
  diffSince: diffSinceFeature,
  branchImpact: branchImpactFeature,
  pastText: pastTextFeature,
  points: pointsFeature,
  markCheckpoint: markCheckpointFeature,
  clearHistory: clearHistoryFeature,
  architectureEdit: architectureEditFeature,
  workTree: workTreeFeature,
  workItem: workItemFeature,
  workSearch: workSearchFeature,
  agentEvent: agentEventFeature,
  agents: agentsFeature,
  latestEpisodes: latestEpisodesFeature,
  claims: claimsFeature,
  releaseAgent: releaseAgentFeature,
  changeEpisode: changeEpisodeFeature,
  deleteEpisode: deleteEpisodeFeature,
  restoreEpisode: restoreEpisodeFeature,
  health: healthFeature,
  report: reportFeature,
  hover: hoverFeature,
  history: historyFeature,
  commitChange: commitChangeFeature,
  symbolAt: symbolAtFeature,
  workspaceSymbols: workspaceSymbolsFeature,
  documentSymbols: documentSymbolsFeature,
  nodesById: nodesByIdFeature,
  codeLenses: codeLensesFeature,
  lensCounts: lensCountsFeature,
  references: referencesFeature,
  structure: structureFeature,
  typeHierarchyItem: typeHierarchyItemFeature,
  supertypes: supertypesFeature,
  subtypes: subtypesFeature,
  callHierarchyItem: callHierarchyItemFeature,
  incomingCalls: incomingCallsFeature,
  outgoingCalls: outgoingCallsFeature,
  graphScene: graphSceneFeature,
  exportGraph: exportGraphFeature,
  knowledgeTree: knowledgeTreeFeature,
  knowledgeGapFiles: knowledgeGapFilesFeature,
  atomFiles: atomFilesFeature,
  patternMatches: patternMatchesFeature,
  movedPatterns: movedPatternsFeature,
  knowledgeEntity: knowledgeEntityFeature,
  knowledgeContext: knowledgeContextFeature,
  knowledgeSearch: knowledgeSearchFeature,
  knowledgeChangelog: knowledgeChangelogFeature,
  knowledgeOfTask: knowledgeOfTaskFeature,
  deletedKnowledge: deletedKnowledgeFeature,
  exportKnowledge: exportKnowledgeFeature,
  importKnowledge: importKnowledgeFeature,
  checkKnowledge: checkKnowledgeFeature,
  knowledgeConflicts: knowledgeConflictsFeature,
  knowledgeConflict: knowledgeConflictFeature,
  resolveKnowledge: resolveKnowledgeFeature,
  indexStatus: indexStatusFeature,
  rebuild: rebuildFeature,
  catchUp: catchUpFeature,
  rebuildEnd: rebuildEndFeature,
  setWorkspace: setWorkspaceFeature,
};

/** Name by which doors ask a feature. */
export type FeatureName = keyof typeof FEATURES;
/** What a feature may be asked with, and what it answers. */
export type ParamsOf<Name extends FeatureName> = FeatureInput<(typeof FEATURES)[Name]>;
/** What the feature of that name answers. */
export type Answer<Name extends FeatureName> = AnswerOf<(typeof FEATURES)[Name]>;

/** Features that can be asked about the code as it was: each takes `asOf` beside its own params. */
const OF_THE_PAST: ReadonlySet<string> = new Set<FeatureName>([
  'search',
  'explain',
  'impact',
  'neighborhood',
  'selectTests',
  'categorizeTests',
  'traverse',
  'findPath',
  'hybridSearch',
  'communities',
  'graphQuery',
  'architecture',
  'suggestArchitecture',
  'findPattern',
  'report',
  'structure',
  'graphScene',
  'exportGraph',
  'documentSymbols',
  'nodesById',
  'services',
]);
/** Those of them that walk the graph whatever its layers. */
const OF_ALL_LAYERS: ReadonlySet<string> = new Set<FeatureName>(['neighborhood', 'traverse', 'findPath', 'graphQuery', 'exportGraph']);

export const featureNames = Object.keys(FEATURES) as readonly FeatureName[];

/** Runs a feature by name with params that came over a wire. */
export async function runFeature(name: string, workspace: Workspace, params: unknown, token: CancellationToken): Promise<Result<unknown, FeatureFailure>> {
  if (!Object.hasOwn(FEATURES, name)) return err(invalid('feature', `Unknown feature: ${name}.`, `Use one of ${featureNames.join(', ')}.`));
  const feature: Feature = FEATURES[name as FeatureName];
  const { asOf, ...own } = typeof params === 'object' && params !== null ? (params as Record<string, unknown>) : {};
  if (asOf === undefined) return withSearches(() => ask(feature, workspace, params, token));
  if (typeof asOf !== 'string' || !OF_THE_PAST.has(feature.name)) return err(presentOnly(name));
  const past = await workspaceAsOf(workspace, asOf, token, { withServices: OF_ALL_LAYERS.has(name) || namesServices(own) });
  return past.ok ? withSearches(() => ask(feature, past.value, own, token)) : past;
}

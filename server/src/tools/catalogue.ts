import { graphBackup } from './definitions/admin/graphBackup';
import { graphRestore } from './definitions/admin/graphRestore';
import { graphSetWorkspace } from './definitions/admin/graphSetWorkspace';
import { archSuggest } from './definitions/architecture/archSuggest';
import { archValidate } from './definitions/architecture/archValidate';
import { findPattern } from './definitions/architecture/findPattern';
import { codeExplain } from './definitions/codeExplain';
import { graphHealth } from './definitions/graphHealth';
import { graphRebuild } from './definitions/graphRebuild';
import { impactAnalyze } from './definitions/impactAnalyze';
import { manageChangelog } from './definitions/knowledge/manageChangelog';
import { manageGraph } from './definitions/knowledge/manageGraph';
import { queryGraph } from './definitions/knowledge/queryGraph';
import { CLAIM_TOOLS } from './definitions/memory/claims';
import { EPISODE_TOOLS } from './definitions/memory/episodes';
import { contextPack } from './definitions/pack/contextPack';
import { communityList } from './definitions/query/communityList';
import { diffSinceTool } from './definitions/query/diffSince';
import { findPath } from './definitions/query/findPath';
import { graphDiffTool } from './definitions/query/graphDiff';
import { graphQuery } from './definitions/query/graphQuery';
import { graphTraverse } from './definitions/query/graphTraverse';
import { hybridSearch } from './definitions/query/hybridSearch';
import { queryGraphNeighborhood } from './definitions/query/queryGraphNeighborhood';
import { searchCode } from './definitions/searchCode';
import { semanticSlice } from './definitions/semanticSlice';
import { buildKnowledgeGraph } from './definitions/services/buildKnowledgeGraph';
import { checkCrossServiceEvents } from './definitions/services/checkCrossServiceEvents';
import { findCrossServiceImpact } from './definitions/services/findCrossServiceImpact';
import { getServiceContext } from './definitions/services/getServiceContext';
import { validateServiceBoundaries } from './definitions/services/validateServiceBoundaries';
import { testCategorize } from './definitions/tests/testCategorize';
import { testRun } from './definitions/tests/testRun';
import { testSelect } from './definitions/tests/testSelect';
import { WORK_TOOLS } from './definitions/work/tools';
import type { Tool } from './tool';

/** Every tool there is, in the order in which they are listed everywhere. */
export const TOOLS: readonly Tool[] = [
  contextPack,
  searchCode,
  codeExplain,
  semanticSlice,
  impactAnalyze,
  queryGraphNeighborhood,
  graphQuery,
  graphTraverse,
  findPath,
  hybridSearch,
  communityList,
  graphDiffTool,
  diffSinceTool,
  findPattern,
  archValidate,
  archSuggest,
  getServiceContext,
  findCrossServiceImpact,
  checkCrossServiceEvents,
  validateServiceBoundaries,
  buildKnowledgeGraph,
  testSelect,
  testCategorize,
  testRun,
  queryGraph,
  manageGraph,
  manageChangelog,
  ...WORK_TOOLS,
  ...EPISODE_TOOLS,
  ...CLAIM_TOOLS,
  graphHealth,
  graphRebuild,
  graphSetWorkspace,
  graphBackup,
  graphRestore,
];

import { codeExplain } from './definitions/codeExplain';
import { graphHealth } from './definitions/graphHealth';
import { graphRebuild } from './definitions/graphRebuild';
import { graphSetWorkspace } from './definitions/graphSetWorkspace';
import { impactAnalyze } from './definitions/impactAnalyze';
import { queryGraphNeighborhood } from './definitions/queryGraphNeighborhood';
import { searchCode } from './definitions/searchCode';
import { semanticSlice } from './definitions/semanticSlice';
import { testCategorize } from './definitions/tests/testCategorize';
import { testSelect } from './definitions/tests/testSelect';
import type { Tool } from './tool';

/** Every tool there is, in the order in which they are listed everywhere. */
export const TOOLS: readonly Tool[] = [
  searchCode,
  codeExplain,
  semanticSlice,
  impactAnalyze,
  queryGraphNeighborhood,
  testSelect,
  testCategorize,
  graphHealth,
  graphRebuild,
  graphSetWorkspace,
];

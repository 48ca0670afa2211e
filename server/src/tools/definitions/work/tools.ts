import type { Tool } from '../../tool';
import { manageContainer } from './manageContainer';
import { manageDependency } from './manageDependency';
import { manageSections, querySections } from './manageSections';
import { manageTag } from './manageTag';
import { manageTemplate } from './manageTemplate';
import { MOVES } from './moves';
import { getNextFeature, getNextTask } from './nextWork';
import { blockingIssuesTool, featureStatusTool, progressQuery } from './progress';
import { queryContainer } from './queryContainer';
import { taskUpdate } from './taskUpdate';

/** The tools of work, in the order in which they are listed. */
export const WORK_TOOLS: readonly Tool[] = [
  taskUpdate,
  ...MOVES,
  queryContainer,
  manageContainer,
  querySections,
  manageSections,
  getNextTask,
  getNextFeature,
  manageDependency,
  manageTemplate,
  manageTag,
  progressQuery,
  featureStatusTool,
  blockingIssuesTool,
];

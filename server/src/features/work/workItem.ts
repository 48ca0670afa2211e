import { z } from 'zod';
import { ok } from '../../base/result';
import { contextFiles } from '../../work/contextFiles';
import { CONTAINER_TYPES, OUTCOMES, PRIORITIES } from '../../work/entities';
import { listWork } from '../../work/lists';
import { feature } from '../shared/feature';
import { choice, integer, text } from '../shared/params';
import { object, optional, shape } from '../shared/shape';
import { getContainer } from './reading';
import { workStatusShape } from './workTree';

/** A feature or a task; what only tasks have is null for features. */
const workContainerShape = shape(() =>
  object({
    id: z.string(),
    projectId: z.string(),
    type: z.enum(CONTAINER_TYPES),
    featureId: z.string().nullable(),
    name: z.string(),
    summary: z.string(),
    status: workStatusShape(),
    priority: z.enum(PRIORITIES),
    tags: z.array(z.string()),
    /** Lower comes first. */
    order: z.number(),
    outcome: z.enum(OUTCOMES).nullable(),
    blockedReason: z.string().nullable(),
    statusBeforeBlock: workStatusShape().nullable(),
    assignedAgentId: z.string().nullable(),
    startTxId: z.string().nullable(),
    /** ISO-8601, as are the other times. */
    closedAt: z.string().nullable(),
    version: z.number(),
    createdAt: z.string(),
    updatedAt: z.string(),
  }),
);

const workSectionShape = shape(() =>
  object({
    id: z.string(),
    projectId: z.string(),
    containerId: z.string(),
    title: z.string(),
    /** Markdown. */
    content: z.string(),
    ordinal: z.number(),
    version: z.number(),
    createdAt: z.string(),
    updatedAt: z.string(),
  }),
);

/** `fromId` blocks `toId`. */
const workDependencyShape = shape(() =>
  object({
    fromId: z.string(),
    fromName: z.string(),
    fromStatus: workStatusShape(),
    toId: z.string(),
    toName: z.string(),
    toStatus: workStatusShape(),
  }),
);

/** How one version of a feature or task came about. */
const workVersionShape = shape(() =>
  object({
    version: z.number(),
    changedFields: z.array(z.string()),
    agentId: z.string().nullable(),
    txId: z.string().nullable(),
    reason: z.string().nullable(),
    /** ISO-8601. */
    at: z.string(),
  }),
);

const workItemAnswerShape = shape(() =>
  object({
    container: workContainerShape(),
    /** In reading order. */
    sections: z.array(workSectionShape()),
    /** Of a task, in both directions. */
    dependencies: z.array(workDependencyShape()),
    /** Of a feature, in order. */
    tasks: z.array(workContainerShape()),
    /** Newest first. */
    history: z.array(workVersionShape()),
    /** Paths and globs that its section *Context Files* names. */
    contextFiles: z.array(z.string()),
  }),
);

const workItemParams = shape(() => object({ id: text(), type: optional(choice(CONTAINER_TYPES)) }));

/** Whole, where the tool `query_container` fits its answer to a budget. `NOT_FOUND` for an id that is unknown or of the other type. */
export const workItemFeature = feature({
  name: 'workItem',
  about: 'A feature or task with its sections, dependencies, tasks and versions.',
  params: workItemParams,
  answer: workItemAnswerShape,
  run: async (workspace, { id, type }) => {
    const found = getContainer(workspace, { id, type, history: true });
    if (!found.ok) return found;
    const { history = [], ...item } = found.value;
    return ok({ ...item, history, contextFiles: contextFiles(item.sections) });
  },
});

const workSearchParams = shape(() => object({ type: choice(CONTAINER_TYPES), query: text(), limit: integer() }));
const workSearchAnswerShape = shape(() => object({ items: z.array(object({ id: z.string(), name: z.string(), status: workStatusShape() })) }));

/** Most rows that a search gives. */
const MAX_FOUND = 100;

/** At most 100, those first whose name has the words. */
export const workSearchFeature = feature({
  name: 'workSearch',
  about: 'Features or tasks whose name or summary has all words of a query.',
  params: workSearchParams,
  answer: workSearchAnswerShape,
  run: async ({ records }, { limit, query, type }) => {
    const { items } = listWork(records, { type, query }, { limit: Math.min(limit, MAX_FOUND), offset: 0 });
    return ok({ items: items.map(({ id, name, status }) => ({ id, name, status })) });
  },
});

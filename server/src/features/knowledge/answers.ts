import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import { runSteps } from '../../base/steps';
import type { GraphView } from '../../code/graph/graphView';
import { deletedEntity, unknownEntity, unknownVersion } from '../../knowledge/failures';
import { changelogOf, contextInSteps, type MatchedAtom, newestEntries, searchKnowledge, touchedBy } from '../../knowledge/reads';
import { entityId, taskIdOf } from '../../knowledge/rules';
import type { Anchor, Atom, EntityType, Molecule } from '../../knowledge/types';
import { type DeletedEntity, deletedEntities, entityAt, historyOf } from '../../knowledge/versions';
import { type KnowledgeView, knowledgeOf } from '../../knowledge/view';
import type { Records } from '../../model/records';
import type { Stamp, Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../shared/failure';
import { feature } from '../shared/feature';
import { NOT_INDEXED, stampOf } from '../shared/fresh';
import { choice, flag, integer, noParams, text, texts } from '../shared/params';
import { object, optional, type Shaped, shape, stampShape } from '../shared/shape';
import { type AnchorStates, anchorStates, anchorStatesShape, filesNamed } from './anchors';
import { filePatternsOf } from './filePatterns';
import { projectPaths } from './projectPaths';
import { changelogEntryShape, deletedEntityShape, knowledgeVersionShape } from './recordShapes';

const taskParams = shape(() => object({ taskId: text() }));
const namedItemsShape = shape(() => object({ items: z.array(object({ id: z.string(), name: z.string() })) }));
const deletedItemsShape = shape(() => object({ items: z.array(deletedEntityShape()) }));
const ENTITY_TYPES = ['atom', 'molecule'] as const;
/** Another atom that an atom names, and why. */
const relatedAtomShape = shape(() => object({ atomId: z.string(), name: z.string(), reason: z.string() }));

const changelogLineShape = shape(() => changelogEntryShape().pick({ taskId: true, summary: true, createdAt: true }));
type ChangelogLine = Shaped<typeof changelogLineShape>;

const atomInContextShape = shape(() =>
  object({
    id: z.string(),
    name: z.string(),
    knowledge: z.string(),
    /** The requested paths that it covers, in request order. */
    matchedPaths: z.array(z.string()),
    relatedAtoms: z.array(relatedAtomShape()),
    /** Newest first; absent when it was not asked for. */
    changelog: optional(z.array(changelogLineShape())),
    /** Absent when nothing is anchored, or without an index. */
    anchors: optional(anchorStatesShape()),
  }),
);
/** An atom that covers some of the files that were asked for. */
export type AtomInContext = Shaped<typeof atomInContextShape>;

const moleculeInContextShape = shape(() =>
  object({
    id: z.string(),
    name: z.string(),
    knowledge: z.string(),
    anchors: optional(anchorStatesShape()),
    /** The matching ones only. */
    atoms: z.array(atomInContextShape()),
  }),
);
/** A molecule with those of its atoms that cover some of the files that were asked for. */
export type MoleculeInContext = Shaped<typeof moleculeInContextShape>;

const contextAnswerShape = shape(() =>
  object({
    molecules: z.array(moleculeInContextShape()),
    orphanAtoms: z.array(atomInContextShape()),
    /** Requested paths that nothing covers: gaps, not errors. */
    unmatchedPaths: z.array(z.string()),
    stamp: stampShape(),
  }),
);
/** Knowledge about some files, by molecule. */
export type ContextAnswer = Shaped<typeof contextAnswerShape>;

const contextParams = shape(() =>
  object({
    paths: texts(),
    includeChangelog: optional(flag()),
    /** 5 when absent. */
    changelogLimit: optional(integer()),
  }),
);
export type ContextParams = Shaped<typeof contextParams>;

const INLINE_ENTRIES = 5;
/** Atoms looked at before others get their turn. */
const STEP = 100;
/** What is known about files: every atom that covers one of them, under its molecule. */
export async function knowledgeContext(workspace: Workspace, params: ContextParams, token: CancellationToken): Promise<Result<ContextAnswer, FeatureFailure>> {
  const { records } = workspace;
  const view = knowledgeOf(records);
  const pause = (): Promise<void> | undefined => workspace.pause?.();
  const { molecules, orphanAtoms, unmatchedPaths } = await runSteps(contextInSteps(view, projectPaths(workspace, params.paths)), pause, token);
  const matched = [...molecules.flatMap(group => group.atoms), ...orphanAtoms];
  const seen = await sight(workspace, [...matched.map(match => match.atom), ...molecules.map(group => group.molecule)], token);
  const logged = params.includeChangelog !== false;
  const ids = matched.map(match => match.atom.id);
  const entries = new Map<string, readonly ChangelogLine[]>();
  for (let at = 0; logged && at < ids.length; at += STEP) {
    if (at > 0) await pause();
    const some = newestEntries(records, 'atom', ids.slice(at, at + STEP), params.changelogLimit ?? INLINE_ENTRIES);
    for (const [id, lines] of some) entries.set(id, lines);
  }
  const atomIn = ({ atom, matchedPaths }: MatchedAtom): AtomInContext => ({
    id: atom.id,
    name: atom.name,
    knowledge: atom.knowledge,
    matchedPaths,
    relatedAtoms: namedAtoms(view, atom),
    ...(logged ? { changelog: (entries.get(atom.id) ?? []).map(lineOf) } : {}),
    ...seen.statesOf(atom.anchors),
  });
  return ok({
    molecules: molecules.map(({ molecule, atoms }) => ({
      id: molecule.id,
      name: molecule.name,
      knowledge: molecule.knowledge,
      ...seen.statesOf(molecule.anchors),
      atoms: atoms.map(atomIn),
    })),
    orphanAtoms: orphanAtoms.map(atomIn),
    unmatchedPaths,
    stamp: seen.stamp,
  });
}

const extrasShape = shape(() =>
  object({
    changelog: optional(z.array(changelogEntryShape())),
    anchors: optional(anchorStatesShape()),
  }),
);
type Extras = Shaped<typeof extrasShape>;

const entityShape = shape(() =>
  object({
    projectId: z.string(),
    name: z.string(),
    knowledge: z.string(),
    createdByTaskId: z.string(),
    lastTaskId: z.string(),
    version: z.number(),
    createdAt: z.string(),
    updatedAt: z.string(),
    ...extrasShape().shape,
  }),
);

/** All fields of an atom, its related atoms with their names. */
const atomAnswerShape = shape(() =>
  object({
    id: z.string(),
    ...entityShape().shape,
    moleculeId: z.string().nullable(),
    paths: z.array(z.string()),
    relatedAtoms: z.array(relatedAtomShape()),
  }),
);

/** All fields of a molecule, its related molecules with their names, and its atoms by name. */
const moleculeAnswerShape = shape(() =>
  object({
    id: z.string(),
    ...entityShape().shape,
    relatedMolecules: z.array(object({ moleculeId: z.string(), name: z.string(), reason: z.string() })),
    atoms: z.array(object({ id: z.string(), name: z.string() })),
  }),
);

export const getParams = shape(() =>
  object({
    entityType: choice(ENTITY_TYPES),
    id: text(),
    includeChangelog: optional(flag()),
    changelogLimit: optional(integer()),
    /** With its versions; also of what was deleted. */
    history: optional(flag()),
    /** As it stood then; also of what was deleted. */
    version: optional(integer()),
  }),
);
export type GetParams = Shaped<typeof getParams>;

const getAnswerShape = shape(() => {
  const times = {
    /** Newest first, those that are kept; absent when they were not asked for. */
    history: optional(z.array(knowledgeVersionShape())),
    /** ISO-8601: it is gone, and this is what it said. */
    deletedAt: optional(z.string()),
    stamp: stampShape(),
  };
  return z.union([object({ atom: atomAnswerShape(), ...times }), object({ molecule: moleculeAnswerShape(), ...times })]);
});
/** One atom or molecule with what belongs to it. */
export type GetAnswer = Shaped<typeof getAnswerShape>;

/** One atom or molecule with all there is to it. */
export async function knowledgeEntity(workspace: Workspace, params: GetParams, token: CancellationToken): Promise<Result<GetAnswer, FeatureFailure>> {
  const { entityType } = params;
  const { records } = workspace;
  const view = knowledgeOf(records);
  const id = entityId(entityType, params.id) ?? params.id;
  const past = pastOf(records, { ...params, id });
  if (!past.ok) return past;
  const { entity, ...times } = past.value;
  const seen = await sight(workspace, [entity], token);
  const limit = params.changelogLimit ?? INLINE_ENTRIES;
  const { anchors, ...fields } = entity;
  const extras: Extras = {
    ...(params.includeChangelog === false ? {} : { changelog: changelogOf(records, entityType, entity.id, { limit, offset: 0 }).entries }),
    ...seen.statesOf(anchors),
  };
  if ('paths' in fields) return ok({ atom: { ...fields, relatedAtoms: namedAtoms(view, fields), ...extras }, ...times, stamp: seen.stamp });
  const relatedMolecules = fields.relatedMolecules.flatMap(({ moleculeId, reason }) => {
    const other = view.molecule(moleculeId);
    return other === undefined ? [] : [{ moleculeId, name: other.name, reason }];
  });
  const atoms = view.membersOf(entity.id).map(({ id: atomId, name }) => ({ id: atomId, name }));
  return ok({ molecule: { ...fields, relatedMolecules, atoms, ...extras }, ...times, stamp: seen.stamp });
}

/** The entity as it is or was. What is gone is only found by who asks for the past. */
function pastOf(
  records: Records,
  { entityType, history: asksHistory = false, id, version }: GetParams,
): Result<Pick<GetAnswer, 'history' | 'deletedAt'> & { readonly entity: Atom | Molecule }, FeatureFailure> {
  const view = knowledgeOf(records);
  const current = entityType === 'atom' ? view.atom(id) : view.molecule(id);
  if (current !== undefined && version === undefined && !asksHistory) return ok({ entity: current });
  const known = entityId(entityType, id) === undefined ? undefined : historyOf(records, id);
  if (known === undefined) return err(unknownEntity(entityType, id));
  const { deletedAt, versions } = known;
  if (deletedAt !== undefined && version === undefined && !asksHistory) return err(deletedEntity(entityType, id, deletedAt));
  const entity = entityAt(records, id, version);
  if (entity === undefined)
    return err(
      unknownVersion(
        id,
        version ?? 0,
        versions.map(one => one.version),
      ),
    );
  return ok({ entity, ...(asksHistory ? { history: versions } : {}), ...(deletedAt === undefined ? {} : { deletedAt }) });
}

export interface SearchParams {
  readonly entityType: EntityType;
  readonly query?: string;
  readonly moleculeId?: string;
  readonly orphansOnly?: boolean;
  /** 20 when absent, at most 100. */
  readonly limit?: number;
  readonly offset?: number;
}

/** A page of atoms or molecules; `total` counts all matches. */
export interface SearchAnswer {
  readonly items: readonly (Omit<Atom, 'anchors'> | Omit<Molecule, 'anchors'>)[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly stamp: Stamp;
}

const DEFAULT_PAGE = 20;
const MAX_PAGE = 100;

/** Atoms or molecules whose name or text has all words of the query, name matches first; without a query all, by name. */
export async function knowledgeSearch(workspace: Workspace, params: SearchParams, _token: CancellationToken): Promise<Result<SearchAnswer, FeatureFailure>> {
  const { orphansOnly = false, offset = 0 } = params;
  const limit = Math.max(1, Math.min(MAX_PAGE, params.limit ?? DEFAULT_PAGE));
  const view = knowledgeOf(workspace.records);
  for (const [at, atom] of (params.query === undefined ? [] : view.atoms()).entries()) {
    if (at % (10 * STEP) === 10 * STEP - 1) await workspace.pause?.();
    view.foldedText(atom);
  }
  const found = searchKnowledge(view, { ...params, orphansOnly, limit, offset });
  if (!found.ok) return found;
  const items = found.value.items.map(({ anchors: _anchors, ...item }) => item);
  return ok({ items, total: found.value.total, limit, offset, stamp: stampOf(workspace) });
}

export const changelogParams = shape(() =>
  object({
    parentType: choice(ENTITY_TYPES),
    parentId: text(),
    limit: optional(integer()),
    offset: optional(integer()),
  }),
);
export type ChangelogParams = Shaped<typeof changelogParams>;

export const changelogAnswerShape = shape(() =>
  object({
    entries: z.array(changelogEntryShape()),
    total: z.number(),
    limit: z.number(),
    offset: z.number(),
    stamp: stampShape(),
  }),
);
export type ChangelogAnswer = Shaped<typeof changelogAnswerShape>;

/** A page of an entity's history, newest first. */
export async function knowledgeChangelog(
  workspace: Workspace,
  { parentType, parentId, limit: asked, offset = 0 }: ChangelogParams,
  _token: CancellationToken,
): Promise<Result<ChangelogAnswer, FeatureFailure>> {
  const view = knowledgeOf(workspace.records);
  const id = entityId(parentType, parentId) ?? parentId;
  if ((parentType === 'atom' ? view.atom(id) : view.molecule(id)) === undefined) return err(unknownEntity(parentType, parentId));
  const limit = Math.max(1, Math.min(MAX_PAGE, asked ?? DEFAULT_PAGE));
  return ok({ ...changelogOf(workspace.records, parentType, id, { limit, offset }), limit, offset, stamp: stampOf(workspace) });
}

/** Atoms and molecules that a task made, wrote last, or logged a change of. */
export async function knowledgeOfTask(
  workspace: Workspace,
  { taskId }: { readonly taskId: string },
  _token: CancellationToken,
): Promise<Result<{ readonly items: readonly { readonly id: string; readonly name: string }[] }, FeatureFailure>> {
  const items = touchedBy(workspace.records, taskIdOf(taskId) ?? taskId).map(({ id, name }) => ({ id, name }));
  return ok({ items });
}

const MAX_DELETED = 200;

/** What was deleted and can be brought back, the newest first. */
export async function deletedKnowledge(
  workspace: Workspace,
  _params: object,
  _token: CancellationToken,
): Promise<Result<{ readonly items: readonly DeletedEntity[] }, FeatureFailure>> {
  return ok({ items: deletedEntities(workspace.records, MAX_DELETED) });
}

interface Sight {
  readonly stamp: Stamp;
  statesOf(anchors: readonly Anchor[]): { readonly anchors?: AnchorStates };
}

/** The graph as it is now, for telling what became of what the entities name. */
async function sight(workspace: Workspace, entities: readonly (Atom | Molecule)[], token: CancellationToken): Promise<Sight> {
  const snapshot = await workspace.snapshot(filesNamed(entities.flatMap(entity => entity.anchors)), token);
  const graph: GraphView | undefined = snapshot.ok ? snapshot.value.graph : undefined;
  const patterns = filePatternsOf(workspace.records);
  const states = new Map<readonly Anchor[], AnchorStates | undefined>();
  for (const [at, { anchors }] of entities.entries()) {
    if (at % STEP === STEP - 1) await workspace.pause?.();
    states.set(anchors, graph === undefined ? undefined : anchorStates(graph, patterns, anchors));
  }
  return {
    stamp: snapshot.ok ? snapshot.value.stamp : NOT_INDEXED,
    statesOf: anchors => {
      const known = states.get(anchors);
      return known === undefined ? {} : { anchors: known };
    },
  };
}

function namedAtoms(view: KnowledgeView, atom: Pick<Atom, 'relatedAtoms'>): AtomInContext['relatedAtoms'] {
  return atom.relatedAtoms.flatMap(({ atomId, reason }) => {
    const other = view.atom(atomId);
    return other === undefined ? [] : [{ atomId, name: other.name, reason }];
  });
}

function lineOf({ taskId, summary, createdAt }: ChangelogLine): ChangelogLine {
  return { taskId, summary, createdAt };
}

export const knowledgeEntityFeature = feature({
  name: 'knowledgeEntity',
  about: 'Details of one atom or molecule.',
  params: getParams,
  answer: getAnswerShape,
  run: knowledgeEntity,
});

export const knowledgeChangelogFeature = feature({
  name: 'knowledgeChangelog',
  about: 'The changelog of an atom or molecule, newest first.',
  params: changelogParams,
  answer: changelogAnswerShape,
  run: knowledgeChangelog,
});

export const knowledgeOfTaskFeature = feature({
  name: 'knowledgeOfTask',
  about: 'Atoms and molecules that a task created, last updated, or logged a change for.',
  params: taskParams,
  answer: namedItemsShape,
  run: knowledgeOfTask,
});

export const deletedKnowledgeFeature = feature({
  name: 'deletedKnowledge',
  about: 'Atoms and molecules that were deleted, newest first.',
  params: noParams,
  answer: deletedItemsShape,
  run: deletedKnowledge,
});

export const knowledgeContextFeature = feature({
  name: 'knowledgeContext',
  about: 'The knowledge about files: the atoms that cover them, under their molecules.',
  params: contextParams,
  answer: contextAnswerShape,
  run: knowledgeContext,
});

const knowledgeSearchParams = shape(() => object({ entityType: choice(ENTITY_TYPES), query: text(), limit: integer() }));

/** At most 100, those first whose name has the words. */
export const knowledgeSearchFeature = feature({
  name: 'knowledgeSearch',
  about: 'Atoms or molecules whose name or text has all words of a query.',
  params: knowledgeSearchParams,
  answer: namedItemsShape,
  run: async (workspace, params, token) => {
    const found = await knowledgeSearch(workspace, params, token);
    return found.ok ? ok({ items: found.value.items.map(({ id, name }) => ({ id, name })) }) : found;
  },
});

import type { CancellationToken } from '../../base/cancellation';
import { err, type Failure, ok, type Result } from '../../base/result';
import type { KnowledgeFailure } from '../../knowledge/failures';
import type { Atom, ChangelogEntry, EntityType, Molecule } from '../../knowledge/types';
import { knowledgeOf } from '../../knowledge/view';
import {
  addEntry,
  type CreateInput,
  create,
  type Deleted,
  type DeleteInput,
  type EntryInput,
  remove,
  type Saved,
  type UpdateInput,
  update,
} from '../../knowledge/writes';
import type { Author, RecordsWritten } from '../../model/records';
import type { Stamp, Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../shared/failure';
import { stampOf } from '../shared/fresh';
import { anchoring } from './anchors';

/** An atom or molecule after a write. */
export interface SavedAnswer {
  /** What is stored now; `undefined` when it has been deleted since (a call that was tried again). */
  readonly entity: Atom | Molecule | undefined;
  readonly saved: Saved;
  readonly stamp: Stamp;
}

/** Creates an atom or molecule and anchors the code that its text names. */
export async function createKnowledge(
  workspace: Workspace,
  author: Author,
  input: CreateInput,
  token: CancellationToken,
): Promise<Result<SavedAnswer, FeatureFailure>> {
  const anchorsOf = await anchoring(workspace, [input.knowledge ?? ''], token);
  return savedAnswer(workspace, input.entityType, await create(workspace.records, author, input, anchorsOf));
}

/** Changes or restores an atom or molecule and anchors the code that its text names now. */
export async function updateKnowledge(
  workspace: Workspace,
  author: Author,
  input: UpdateInput,
  token: CancellationToken,
): Promise<Result<SavedAnswer, FeatureFailure>> {
  const anchorsOf = await anchoring(workspace, [input.knowledge ?? ''], token);
  return savedAnswer(workspace, input.entityType, await update(workspace.records, author, input, anchorsOf));
}

/** Deletes an atom or molecule, with `cascade` also its atoms. */
export async function deleteKnowledge(
  workspace: Workspace,
  author: Author,
  input: DeleteInput,
): Promise<Result<Deleted & { readonly stamp: Stamp }, FeatureFailure>> {
  const written = await remove(workspace.records, author, input);
  return written.ok ? ok({ ...written.value.result, stamp: stampOf(workspace) }) : err(asFeatureFailure(written.error));
}

/** Adds an entry to a changelog. */
export async function logKnowledge(
  workspace: Workspace,
  author: Author,
  input: EntryInput,
): Promise<Result<{ readonly entry: ChangelogEntry; readonly stamp: Stamp }, FeatureFailure>> {
  const written = await addEntry(workspace.records, author, input);
  return written.ok ? ok({ entry: written.value.result, stamp: stampOf(workspace) }) : err(asFeatureFailure(written.error));
}

function savedAnswer(
  workspace: Workspace,
  entityType: EntityType,
  written: Result<RecordsWritten<Saved>, KnowledgeFailure | Failure>,
): Result<SavedAnswer, FeatureFailure> {
  if (!written.ok) return err(asFeatureFailure(written.error));
  const { result } = written.value;
  const view = knowledgeOf(workspace.records);
  return ok({ entity: entityType === 'atom' ? view.atom(result.id) : view.molecule(result.id), saved: result, stamp: stampOf(workspace) });
}

const KNOWN_CODES: ReadonlySet<string> = new Set(['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'INVARIANT_VIOLATION']);

/** Rules of knowledge bring a hint of their own; what the store says does not. */
function asFeatureFailure(failure: KnowledgeFailure | Failure): FeatureFailure {
  if (KNOWN_CODES.has(failure.code) && 'hint' in failure) return failure as KnowledgeFailure;
  return {
    code: 'UNAVAILABLE',
    message: `Nothing was written: ${failure.message}`,
    hint: 'Fix the problem (such as disk space or folder permissions), then try again.',
  };
}

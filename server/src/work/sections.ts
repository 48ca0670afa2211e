import { err, ok, type Result } from '../base/result';
import { phrase, toolRef } from '../model/hints';
import type { Author, Decision, Records } from '../model/records';
import { bytesIssues, nameIssues, orderIssues } from './checks';
import { checkVersion, Edit } from './edits';
import { type Container, idWithPrefix, MAX_SIZES, type Section } from './entities';
import { type Issue, invalidFields, missing, type WorkFailure } from './failures';

/** Titles that mean something to Lattice or to agents; any other may be used too. */
export const WELL_KNOWN_SECTIONS = ['Context Files', 'Implementation Plan', 'Acceptance Criteria', 'Notes'] as const;

type Decided = Result<Decision<SectionsWritten>, WorkFailure>;

/** Sections of a container after a write. */
export interface SectionsWritten {
  readonly containerId: string;
  /** The section created, changed, moved or deleted. */
  readonly sectionId: string | null;
}

/** Adds a section at `ordinal`, by default at the end. Fails when a field is invalid or the item does not exist. */
export function createSection(
  records: Records,
  author: Author,
  request: { readonly containerId: string; readonly title: string; readonly content: string; readonly ordinal?: number },
): Decided {
  const edit = new Edit(records, author.agentId);
  const container = edit.view.container(request.containerId);
  if (container === undefined) return err(missing('task or feature', request.containerId));
  const issues = [...textIssues(request), ...ordinalIssues(request.ordinal)];
  if (issues.length > 0) return err(invalidFields(issues));
  const before = edit.view.sections(container.id);
  const section = newSection(edit, container, request.title, request.content);
  const place = Math.min(request.ordinal ?? before.length, before.length);
  inOrder(edit, [...before.slice(0, place), section, ...before.slice(place)], section);
  return written(edit, container, section.id);
}

/** Writes the given fields as the next version of a section. Fails with CONFLICT when `version` is not the latest. */
export function updateSection(
  records: Records,
  author: Author,
  request: { readonly id: string; readonly version: number; readonly title?: string; readonly content?: string; readonly ordinal?: number },
): Decided {
  const edit = new Edit(records, author.agentId);
  const found = edit.view.section(request.id);
  if (found === undefined) return err(missing('section', request.id, phrase`Use ${toolRef('query_sections')} to list them.`));
  const checked = checkVersion(found, request.version);
  if (!checked.ok) return checked;
  const { title, content, ordinal } = request;
  if (title === undefined && content === undefined && ordinal === undefined) {
    return err(invalidFields([{ field: 'title', message: 'is required, unless content or ordinal is given' }]));
  }
  const issues = [...textIssues({ title: title ?? found.title, content: content ?? found.content }), ...ordinalIssues(ordinal)];
  if (issues.length > 0) return err(invalidFields(issues));
  const changed: Section = { ...found, title: (title ?? found.title).trim(), content: content?.trim() ?? found.content };
  const others = edit.view.sections(found.containerId).filter(section => section.id !== found.id);
  const place = Math.min(ordinal ?? found.ordinal, others.length);
  inOrder(edit, [...others.slice(0, place), changed, ...others.slice(place)], undefined, found);
  return written(edit, { id: found.containerId }, found.id);
}

/** Deletes a section; those behind it move up. Fails with CONFLICT when `version` is not the latest. */
export function deleteSection(records: Records, author: Author, request: { readonly id: string; readonly version: number }): Decided {
  const edit = new Edit(records, author.agentId);
  const found = edit.view.section(request.id);
  if (found === undefined) return err(missing('section', request.id, phrase`Use ${toolRef('query_sections')} to list them.`));
  const checked = checkVersion(found, request.version);
  if (!checked.ok) return checked;
  edit.remove(found);
  inOrder(
    edit,
    edit.view.sections(found.containerId).filter(section => section.id !== found.id),
  );
  return written(edit, { id: found.containerId }, found.id);
}

/** `ids` is the new order; sections that it does not name follow in the order they had. */
export function reorderSections(records: Records, author: Author, request: { readonly containerId: string; readonly ids: readonly string[] }): Decided {
  const edit = new Edit(records, author.agentId);
  const container = edit.view.container(request.containerId);
  if (container === undefined) return err(missing('task or feature', request.containerId));
  const sections = edit.view.sections(container.id);
  const wanted = [...new Set(request.ids.map(id => idWithPrefix('section', id)))];
  const unknown = wanted.find(id => !sections.some(section => section.id === id));
  if (unknown !== undefined) return err(missing('section', unknown, phrase`Use ${toolRef('query_sections')} to list them.`));
  const first = wanted.flatMap(id => sections.find(section => section.id === id) ?? []);
  inOrder(edit, [...first, ...sections.filter(section => !wanted.includes(section.id))]);
  return written(edit, container, null);
}

/** A section that is not written yet; `inOrder` gives it its place. */
export function newSection(edit: Edit, container: Pick<Container, 'id'>, title: string, content: string): Section {
  const { at, projectId } = edit;
  return {
    id: edit.newId('section'),
    projectId,
    containerId: container.id,
    title: title.trim(),
    content: content.trim(),
    ordinal: 0,
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
}

/** Numbers the sections from 0 and writes those that change: `added` for the first time, `edited` (as it was before) even when it keeps its place. */
function inOrder(edit: Edit, sections: readonly Section[], added?: Section, edited?: Section): void {
  for (const [ordinal, section] of sections.entries()) {
    if (section.id === added?.id) edit.add({ ...section, ordinal });
    else if (section.id === edited?.id) edit.revise(edited, { ...section, ordinal });
    else if (section.ordinal !== ordinal) edit.revise(section, { ...section, ordinal });
  }
}

function written(edit: Edit, container: Pick<Container, 'id'>, sectionId: string | null): Decided {
  return ok({ records: edit.drafts, result: { containerId: container.id, sectionId } });
}

export function textIssues({ title, content }: { readonly title: string; readonly content: string }): Issue[] {
  return [...nameIssues('title', title), ...bytesIssues('content', content.trim(), MAX_SIZES.contentBytes)];
}

function ordinalIssues(ordinal: number | undefined): Issue[] {
  if (ordinal === undefined) return [];
  return ordinal < 0 ? [{ field: 'ordinal', message: 'must not be negative' }] : orderIssues('ordinal', ordinal);
}

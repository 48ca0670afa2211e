import { err, ok, type Result } from '../base/result';
import { phrase, toolRef } from '../model/hints';
import type { Author, Decision, Records } from '../model/records';
import { nameIssues } from './checks';
import { knownTags } from './containers';
import { Edit } from './edits';
import { MAX_SIZES, type Tag } from './entities';
import { invalidFields, missing, type WorkFailure } from './failures';

type Decided<T> = Result<Decision<T>, WorkFailure>;

const LIST_HINT = phrase`Use ${toolRef('manage_tag', { operation: 'list' })} to list them.`;

/** Creates a tag. Fails when the name is invalid or taken, whatever its case. */
export function createTag(records: Records, author: Author, name: string): Decided<Tag> {
  const edit = new Edit(records, author.agentId);
  const checked = checkedName(edit, name, undefined);
  if (!checked.ok) return checked;
  const tag: Tag = { id: edit.newId('tag'), projectId: edit.projectId, name: checked.value };
  edit.putTag(tag);
  return ok({ records: edit.drafts, result: tag });
}

/** Renames a tag on everything that bears it; each of those gets a new version. */
export function renameTag(records: Records, author: Author, id: string, name: string): Decided<Tag> {
  const edit = new Edit(records, author.agentId);
  const found = edit.view.tag(id);
  if (found === undefined) return err(missing('tag', id, LIST_HINT));
  const checked = checkedName(edit, name, found.id);
  if (!checked.ok) return checked;
  const tag: Tag = { ...found, name: checked.value };
  edit.putTag(tag);
  for (const bearer of edit.view.tagged(found.name)) edit.revise(bearer, { ...bearer, tags: bearer.tags.map(one => (one === found.name ? tag.name : one)) });
  return ok({ records: edit.drafts, result: tag });
}

/** Takes the tag off everything that bears it. */
export function deleteTag(records: Records, author: Author, id: string): Decided<{ readonly deletedId: string; readonly untaggedIds: readonly string[] }> {
  const edit = new Edit(records, author.agentId);
  const found = edit.view.tag(id);
  if (found === undefined) return err(missing('tag', id, LIST_HINT));
  const bearers = edit.view.tagged(found.name);
  edit.removeTag(found.id);
  for (const bearer of bearers) edit.revise(bearer, { ...bearer, tags: bearer.tags.filter(one => one !== found.name) });
  return ok({ records: edit.drafts, result: { deletedId: found.id, untaggedIds: bearers.map(bearer => bearer.id) } });
}

/** Puts the tag on a task or feature; one that bears it already is left as it is. */
export function applyTag(
  records: Records,
  author: Author,
  id: string,
  targetId: string,
): Decided<{ readonly containerId: string; readonly tags: readonly string[] }> {
  const edit = new Edit(records, author.agentId);
  const tag = edit.view.tag(id);
  if (tag === undefined) return err(missing('tag', id, LIST_HINT));
  const found = edit.view.container(targetId);
  if (found === undefined) return err(missing('task or feature', targetId));
  if (found.tags.includes(tag.name)) return ok({ records: [], result: { containerId: found.id, tags: found.tags } });
  if (found.tags.length >= MAX_SIZES.tags) return err(invalidFields([{ field: 'targetId', message: `already has the maximum of ${MAX_SIZES.tags} tags` }]));
  const changed = edit.revise(found, { ...found, tags: knownTags(edit, [...found.tags, tag.name]) });
  return ok({ records: edit.drafts, result: { containerId: changed.id, tags: changed.tags } });
}

function checkedName(edit: Edit, name: string, own: string | undefined): Result<string, WorkFailure> {
  const issues = nameIssues('name', name, MAX_SIZES.tagCharacters);
  if (issues.length > 0) return err(invalidFields(issues));
  const known = edit.view.tag(name.trim());
  if (known !== undefined && known.id !== own && known.name.toLowerCase() === name.trim().toLowerCase()) {
    return err({ ...invalidFields([{ field: 'name', message: `is already used by ${known.id} (${known.name})` }]), hint: `Use ${known.name}.` });
  }
  return ok(name.trim());
}

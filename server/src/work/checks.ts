import { utf8Length } from '../base/text';
import { MAX_SIZES } from './entities';
import type { Issue } from './failures';

/** Checks of texts and lists against `MAX_SIZES`; each gives what is wrong, or nothing. */

export function nameIssues(field: string, name: string, most: number = MAX_SIZES.nameCharacters): Issue[] {
  if (name.trim() === '') return [{ field, message: 'must not be empty' }];
  return name.trim().length > most ? [{ field, message: `has ${name.trim().length} characters; at most ${most} are allowed` }] : [];
}

export function bytesIssues(field: string, text: string, most: number): Issue[] {
  const bytes = utf8Length(text);
  return bytes > most ? [{ field, message: `has ${bytes} bytes; at most ${most} are allowed` }] : [];
}

export function tagIssues(tags: readonly string[]): Issue[] {
  if (tags.length > MAX_SIZES.tags) return [{ field: 'tags', message: `has ${tags.length} entries; at most ${MAX_SIZES.tags} are allowed` }];
  return tags.flatMap(tag => nameIssues('tags', tag, MAX_SIZES.tagCharacters));
}

export function orderIssues(field: string, order: number): Issue[] {
  return Number.isSafeInteger(order) ? [] : [{ field, message: 'must be a whole number' }];
}

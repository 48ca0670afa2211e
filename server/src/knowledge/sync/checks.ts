import { type Issue, knowledgeIssues, nameIssues, patternIssues, relatedIssues, taskIdOf } from '../rules';
import type { SharedEntity } from './sharedState';

/** Something that the bounds of the knowledge room refuse. */
export interface EntityIssue {
  /** A key of the front matter, or `knowledge` for the body. */
  readonly field: 'name' | 'paths' | 'related' | 'knowledge' | 'createdByTaskId';
  /** Position in a list that the issue is about. */
  readonly item: number | undefined;
  readonly message: string;
  readonly fix: string;
}

/** What keeps an entity from being stored. References are not looked up. */
export function entityIssues(entity: SharedEntity): readonly EntityIssue[] {
  const { createdByTaskId, id, kind, knowledge, name, paths, related } = entity;
  const targets = related.map(other => other.id);
  return [
    ...issues('name', 'The name', nameIssues(name), 'Use a shorter name.'),
    ...issues('paths', 'paths', patternsOf(kind, paths), 'Use 1 to 20 globs relative to the workspace.'),
    ...issues(
      'related',
      'related',
      relatedIssues(kind === 'atom' ? 'relatedAtoms' : 'relatedMolecules', targets, id),
      'List each related entry once, at most 50.',
    ),
    ...issues('knowledge', 'The text below the front matter', knowledgeIssues(knowledge), 'Shorten it, or split it into two entities.'),
    ...issues('createdByTaskId', createdByTaskId, taskIssues(createdByTaskId), 'Use task::uuid, manual or import.'),
  ];
}

function patternsOf(kind: SharedEntity['kind'], paths: readonly string[]): readonly Issue[] {
  if (kind === 'molecule') return [];
  return paths.length === 0 ? [{ field: 'paths', message: 'is empty' }] : patternIssues(paths);
}

function taskIssues(taskId: string): readonly Issue[] {
  return taskIdOf(taskId) === taskId ? [] : [{ field: 'createdByTaskId', message: 'is not a valid task ID' }];
}

function issues(field: EntityIssue['field'], subject: string, found: readonly Issue[], fix: string): readonly EntityIssue[] {
  return found.map(issue => {
    const item = /\.(\d+)$/.exec(issue.field)?.[1];
    return { field, item: item === undefined ? undefined : Number(item), message: `${subject} ${issue.message}.`, fix };
  });
}

import { z } from 'zod';
import type { WorkspacePath } from '../../base/path';
import { compareCodePoints, knowledgeOf } from '../../knowledge/view';
import type { Workspace } from '../../workspace/snapshot';
import { object, type Shaped, shape } from '../shared/shape';

/** An atom and how much of the files asked about it covers. */
export const atomOfFilesShape = shape(() =>
  object({
    id: z.string(),
    name: z.string(),
    /** Of the files asked about; at least 1. */
    files: z.number(),
  }),
);
export type AtomOfFiles = Shaped<typeof atomOfFilesShape>;

/** Atoms that cover some of these files: those that cover most of them first, then by name. Read from memory alone. */
export function atomsOfFiles({ records }: Pick<Workspace, 'records'>, paths: Iterable<WorkspacePath>): readonly AtomOfFiles[] {
  const view = knowledgeOf(records);
  const rows = new Map<string, { readonly id: string; readonly name: string; files: number }>();
  for (const path of paths) {
    for (const { id, name } of view.atomsCovering(path)) {
      const row = rows.get(id) ?? { id, name, files: 0 };
      row.files++;
      rows.set(id, row);
    }
  }
  return [...rows.values()].sort((a, b) => b.files - a.files || compareCodePoints(a.name, b.name) || compareCodePoints(a.id, b.id));
}

/** Names and texts of the atoms that cover a path, which need not exist yet. */
export function textsAbout({ records }: Pick<Workspace, 'records'>, path: WorkspacePath): readonly string[] {
  return knowledgeOf(records)
    .atomsCovering(path)
    .map(({ name, knowledge }) => `${name} ${knowledge}`);
}

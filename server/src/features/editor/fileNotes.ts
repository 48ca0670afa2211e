import type { WorkspacePath } from '../../base/path';
import { compareCodePoints, knowledgeOf } from '../../knowledge/view';
import type { Workspace } from '../../workspace/snapshot';

/** What is known about a file, for a hover: read from memory alone. */
export interface FileNotes {
  /** By name, at most three. */
  readonly atoms: readonly { readonly id: string; readonly name: string; readonly molecule?: string; readonly excerpt: string }[];
  /** Further atoms. */
  readonly more: number;
}

const MAX_ATOMS = 3;
const EXCERPT_LENGTH = 300;

export function fileNotes({ records }: Pick<Workspace, 'records'>, path: WorkspacePath): FileNotes {
  const view = knowledgeOf(records);
  const covering = [...view.atomsCovering(path)].sort((a, b) => compareCodePoints(a.name, b.name) || compareCodePoints(a.id, b.id));
  const atoms = covering.slice(0, MAX_ATOMS).map(({ id, knowledge, moleculeId, name }) => {
    const molecule = moleculeId === null ? undefined : view.molecule(moleculeId)?.name;
    return { id, name, excerpt: excerptOf(knowledge), ...(molecule === undefined ? {} : { molecule }) };
  });
  return { atoms, more: covering.length - atoms.length };
}

/** The beginning of a text on one line, cut after a word. */
export function excerptOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= EXCERPT_LENGTH) return line;
  const cut = line.slice(0, EXCERPT_LENGTH + 1).replace(/\s+\S*$/, '');
  return `${cut.length > EXCERPT_LENGTH ? cut.slice(0, EXCERPT_LENGTH) : cut}…`;
}

import type { CancellationToken } from '../../base/cancellation';
import { extname } from '../../base/path';
import { sameFilledLines } from '../../base/text';
import { absoluteOf } from '../../code/files/host';
import { languageOfExtension } from '../../model/languages';
import type { Hunk, LineRange } from '../../workspace/changes';
import type { Parsing } from '../parse/parsing';
import type { DiffEntry } from './diffText';

/** More files than these keep their comments. */
export const MAX_FILES_WITHOUT_COMMENTS = 500;

interface Texts {
  /** The old content; `undefined` where it is not known or too large. */
  readonly before: string | undefined;
  /** The new content; what lies in the folder when `undefined`. */
  readonly after: string | undefined;
}

/** Hunks of a file with the comments blank, without those in which only comments and empty lines differ. As they are where the file cannot be parsed. */
export async function codeHunks(
  { parsing, root }: { readonly parsing: Parsing; readonly root: string },
  { hunks, oldPath, path, status }: DiffEntry,
  texts: Texts,
  token: CancellationToken,
): Promise<DiffEntry['hunks']> {
  if (hunks === undefined || hunks.length === 0 || status === 'added' || status === 'deleted' || texts.before === undefined) return hunks;
  const linesOf = async (of: string, text: string | undefined): Promise<readonly string[] | undefined> => {
    const language = languageOfExtension(extname(of));
    if (language === undefined) return undefined;
    const parsed = await parsing.run(
      { path: of, absolutePath: absoluteOf(root, of), language, ...(text === undefined ? {} : { text }), codeOnly: true },
      token,
    );
    return parsed.code?.split(/\r\n|\n|\r/);
  };
  const [was, is] = await Promise.all([linesOf(oldPath ?? path, texts.before), linesOf(path, texts.after)]);
  if (was === undefined || is === undefined) return hunks;
  const kept: Hunk[] = [];
  for (const hunk of hunks) {
    const removedText = codeIn(was, hunk.removed, hunk.removedText);
    const addedText = codeIn(is, hunk.added, hunk.addedText);
    if (removedText === undefined || addedText === undefined) return hunks;
    if (!sameFilledLines(removedText, addedText)) kept.push({ ...hunk, removedText, addedText });
  }
  return kept;
}

/** The code in some lines; `undefined` when the lines are others than those of the text, which was written again meanwhile. */
function codeIn(lines: readonly string[], range: LineRange | undefined, texts: readonly string[]): readonly string[] | undefined {
  if (range === undefined) return [];
  const code = lines.slice(range.start - 1, range.end).map(line => line.trimEnd());
  const isOfText = (line: string, at: number): boolean => {
    const text = texts[at] ?? '';
    for (let column = 0; column < line.length; column++) if (line[column] !== ' ' && line[column] !== text[column]) return false;
    return true;
  };
  return code.length === texts.length && code.every(isOfText) ? code : undefined;
}

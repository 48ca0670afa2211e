import type { Section } from './entities';

/** Longer pieces are no path. */
const MAX_CHARACTERS = 512;

/**
 * Paths and node ids that the `Context Files` sections name: split by line, then comma; each piece loses list bullets,
 * checkboxes, quotes, backticks, link syntax, line suffixes and trailing remarks. Empty pieces, URLs, globs and overlong pieces are skipped.
 * Each once, in reading order.
 */
export function contextFiles(sections: readonly Pick<Section, 'title' | 'content'>[]): readonly string[] {
  const pieces = sections
    .filter(section => section.title.trim().toLowerCase() === 'context files')
    .flatMap(section => section.content.split(/\r\n|\r|\n/))
    .flatMap(line => line.split(','))
    .flatMap(piece => pathIn(piece) ?? []);
  return [...new Set(pieces)];
}

function pathIn(piece: string): string | undefined {
  if (piece.length > MAX_CHARACTERS) return undefined;
  let text = piece
    .trim()
    .replace(/^(?:>\s*)+/, '')
    .replace(/^(?:[-*+•]|\d+[.)])(?:\s+|$)/, '')
    .replace(/^\[[ xX]\](?:\s+|$)/, '')
    .trim();
  text = unlinked(text);
  text = text.replace(/\s+[-–—]\s.*$/, '').trim();
  text = unquoted(text);
  text = text.replace(/#L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?$/i, '').replace(/(?<!:):\d+(?:[-:]\d+)*$/, '');
  text = unquoted(text).trim();
  if (text === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^mailto:/i.test(text)) return undefined;
  return /[*?{}]|\[[^\]]*\]/.test(text) ? undefined : text;
}

/** `[text](target "title")` and `<target>` become their target, also when a remark follows. */
function unlinked(text: string): string {
  const link = /^!?\[([^\]]*)\]\(\s*<?([^)\s>]+)>?(?:\s+["'][^"']*["'])?\s*\)(.*)$/.exec(text);
  if (link !== null) return `${link[2] ?? ''}${link[3] ?? ''}`;
  const angle = /^<([^>]+)>(.*)$/.exec(text);
  return angle === null ? text : `${angle[1] ?? ''}${angle[2] ?? ''}`;
}

function unquoted(text: string): string {
  return text.replace(/^[`"'“”‘’]+/, '').replace(/[`"'“”‘’]+$/, '');
}

/** Sources of each language that look real, and broken variants of them that are the same in every run. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type LanguageId, languageOfExtension } from '../../server/src/model/languages';
import { parseFixture } from './fixture';

const fixtures = join(import.meta.dirname, '..', 'fixtures');

/** A mutated text is at most about this long, so that many fit into a run. */
const WINDOW_CHARACTERS = 1500;

/** Breaks every language somewhere: brackets, quotes, comments, white space that counts, characters outside of ASCII. */
const PIECES =
  `( ) { } [ ] => -> = ; , . ?. ? : :: " ' \` \${ #{ /* */ // # @ & * ! < > | ... 0 x this self function class def fn func import export return if else end do
  case match struct trait impl interface namespace module package public static async enum macro_rules! template<typename #define #if #endif #include <?php ?> $x @x
  <<EOF r#" é \u{1F600} \0`
    .split(/\s+/)
    .concat('\n', '\r', '  ', '\t', ' ');

/** Cases of one fixture file follow each other. */
const CASE = /^(?:\/\/|#|--)= .*$/m;

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort();
}

/** Sources among the fixtures by language, in a fixed order. */
export function readSeeds(): Map<LanguageId, string[]> {
  const seeds = new Map<LanguageId, string[]>();
  const add = (path: string, text: string): void => {
    const language = languageOfExtension(extname(path).toLowerCase());
    if (language === undefined) return;
    const known = seeds.get(language);
    if (known === undefined) seeds.set(language, [text]);
    else known.push(text);
  };
  for (const folder of ['languages', 'relations']) for (const path of filesBelow(join(fixtures, folder))) add(path, readFileSync(path, 'utf8'));
  for (const path of filesBelow(join(fixtures, 'resolve'))) {
    for (const part of readFileSync(path, 'utf8').split(CASE)) for (const [name, text] of parseFixture(part).files) add(name, text);
  }
  return seeds;
}

/** mulberry32: small, fixed, good enough to shuffle with. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Part of a source with one to eight edits: something left out, said twice, moved here from another source, or a piece put in. */
export function mutated(sources: readonly string[], next: () => number): string {
  const below = (limit: number): number => Math.floor(next() * limit);
  const source = sources[below(sources.length)] ?? '';
  const start = below(Math.max(1, source.length - WINDOW_CHARACTERS / 2));
  // Begins at a line, as files do; PHP is text before its mark.
  const first = source.lastIndexOf('\n', start) + 1;
  const mark = first > 0 && source.startsWith('<?php') ? '<?php\n' : '';
  let text = mark + source.slice(first, start + WINDOW_CHARACTERS);
  for (let edits = 1 + below(8); edits > 0; edits--) {
    const at = below(text.length);
    const kind = next();
    if (kind < 0.3) text = text.slice(0, at) + text.slice(at + below(12));
    else if (kind < 0.4) text = text.slice(0, at) + text.slice(at, at + below(60)) + text.slice(at);
    else if (kind < 0.5) {
      const other = sources[below(sources.length)] ?? '';
      const from = below(other.length);
      text = text.slice(0, at) + other.slice(from, from + below(40)) + text.slice(at);
    } else text = text.slice(0, at) + (PIECES[below(PIECES.length)] ?? '') + text.slice(at + below(2));
  }
  return text;
}

/** CODEOWNERS as GitHub and GitLab read it: patterns in the manner of gitignore, of which the last that matches a path names its owners. */
import { type PathTest, readGlob } from '../../../base/globs';
import type { WorkspacePath } from '../../../base/path';
import { lengthFault } from '../../../base/patternCost';

/** Where the file is looked for, the first that exists counts. */
export const OWNER_FILES: readonly WorkspacePath[] = ['.github/CODEOWNERS', '.gitlab/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'];

interface OwnerRule {
  readonly tests: readonly PathTest[];
  readonly owners: readonly string[];
}

/** Owners of files, as a CODEOWNERS file says. */
export class CodeOwners {
  readonly #rules: readonly OwnerRule[];

  constructor(text: string) {
    this.#rules = rulesOf(text);
  }

  /** Those who own a file, in the order in which they are named; `[]` for nobody's. */
  of(path: WorkspacePath): readonly string[] {
    for (let place = this.#rules.length - 1; place >= 0; place--) {
      const rule = this.#rules[place];
      if (rule?.tests.some(test => test.test(path)) === true) return rule.owners;
    }
    return [];
  }
}

function rulesOf(text: string): OwnerRule[] {
  const rules: OwnerRule[] = [];
  let usual: readonly string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const section = /^\^?\[[^\]]+\](?:\[\d+\])?(?<owners>.*)$/.exec(line.trim());
    if (section !== null) {
      usual = ownersIn(wordsOf(section.groups?.['owners'] ?? ''));
      continue;
    }
    const [pattern, ...words] = wordsOf(line);
    if (pattern === undefined || lengthFault(pattern) !== undefined) continue;
    const owners = ownersIn(words);
    rules.push({ tests: testsOf(pattern), owners: owners.length === 0 ? usual : owners });
  }
  return rules;
}

/** Words of a line without its comment; a space after a backslash is part of a word. */
function wordsOf(line: string): string[] {
  const bare = line.trim();
  if (bare.startsWith('#')) return [];
  const words = bare.match(/(?:\\.|[^\s\\])+/g) ?? [];
  const comment = words.findIndex(word => word.startsWith('#'));
  return (comment < 0 ? words : words.slice(0, comment)).map(word => word.replace(/\\(.)/g, '$1'));
}

function ownersIn(words: readonly string[]): string[] {
  return words.filter(word => word.includes('@'));
}

/** A pattern with a slash before its end is relative to the root; one that ends with a slash means what is in the folder. */
function testsOf(pattern: string): PathTest[] {
  const isFolder = pattern.endsWith('/');
  const bare = pattern.replace(/^\/|\/$/g, '');
  const from = /\/./.test(pattern) ? bare : `**/${bare}`;
  const inside = readGlob(`${from}/**`);
  // What a folder's `*` matches are its own files, not those of the folders in it.
  const isDirect = /[^*]\/\*$/.test(pattern);
  if (isFolder) return [inside];
  return isDirect ? [readGlob(from)] : [readGlob(from), inside];
}

/**
 * Code in the markup of components, as statements at the places where it stands: `{{ label }}` of Vue becomes `;(label);`, `@click="save"` becomes
 * `;{save};`, `{label}` of Svelte `;label;`. What cannot be such a statement is left out. Names that the markup itself declares (`v-for="item in items"`,
 * `{#each items as item}`) are spelled in a way that no script does, so that they are nobody's.
 */

/** Replaces the first character of a name that the markup declares. */
const FOREIGN = '\u00b5';
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

interface Piece {
  readonly code: string;
  /** Offset of `code` in the markup. */
  readonly at: number;
  /** Put over the characters in front of it, and behind it, which are markup. */
  readonly open: string;
  readonly close: string;
}

/** What was found in a markup: its pieces of code, and the names that it declares. */
interface Found {
  readonly pieces: Piece[];
  readonly locals: Set<string>;
}

/** Markup of the same length with its code as statements and all else blank. Of Vue only what stands in `<template>` with `<script setup>` sees the script. */
export function templateCode(markup: string, language: 'vue' | 'svelte'): string {
  const found: Found = { pieces: [], locals: new Set() };
  if (language === 'vue') readVue(markup, found);
  else readSvelte(markup, found);
  let out = '';
  for (const { at, close, code, open } of found.pieces) {
    const start = at - open.length;
    if (start < out.length || !isWhole(code)) continue;
    const end = at + code.length;
    const before = over(markup.slice(start, at), open);
    out += `${blank(markup.slice(out.length, start))}${before}${renamed(code, found.locals)}${over(markup.slice(end, end + close.length), close)}`;
  }
  return out + blank(markup.slice(out.length));
}

/** `marks` over a text, whose line ends stay. */
function over(text: string, marks: string): string {
  return text.replace(/[^\r\n]/g, (_, at: number) => marks[at] ?? ' ');
}

export function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}

/** Comments, the beginning of code in a text, and tags with their attributes; a value in quotes may hold `>`. The bound keeps tags that nothing closes cheap. */
const PARTS = /<!--[\s\S]*?(?:-->|$)|\{\{|<[A-Za-z][\w.:-]*((?:[^>"']|"[^"]*"|'[^']*'){0,1000})>/g;
/** Attributes that hold code, with the name and the value. */
const DIRECTIVE = /(?<=\s)([:@#][^\s=>"'/]*|v-[^\s=>"'/]*|slot-scope)=("[^"]*"|'[^']*')/g;
const LOOP = /^([\s\S]*?)\s(?:in|of)\s([\s\S]*)$/;
/** Entities (`&lt;`) are not code as they stand. */
const ENTITY = /&#?\w+;/;

function readVue(markup: string, found: Found): void {
  PARTS.lastIndex = 0;
  for (let part = PARTS.exec(markup); part !== null; part = PARTS.exec(markup)) {
    const [whole, attributes] = part;
    if (whole === '{{') {
      const end = markup.indexOf('}}', PARTS.lastIndex);
      if (end < 0) return;
      const code = markup.slice(PARTS.lastIndex, end);
      if (!ENTITY.test(code)) found.pieces.push({ code, at: PARTS.lastIndex, open: ';(', close: ');' });
      PARTS.lastIndex = end + 2;
    } else if (attributes !== undefined) {
      const start = part.index + whole.length - 1 - attributes.length;
      for (const { 0: directive, 1: name = '', 2: quoted = '', index } of attributes.matchAll(DIRECTIVE)) {
        readDirective(name, quoted.slice(1, -1), start + index + directive.length - quoted.length + 1, found);
      }
    }
  }
}

function readDirective(name: string, code: string, at: number, { locals, pieces }: Found): void {
  if (ENTITY.test(code)) return;
  if (name.startsWith('#') || name.startsWith('v-slot') || name === 'slot-scope') addNames(locals, code);
  else if (name === 'v-for') {
    const [, item = '', list = ''] = LOOP.exec(code) ?? [];
    addNames(locals, item);
    if (list !== '') pieces.push({ code: list, at: at + code.length - list.length, open: ';(', close: ');' });
  } else if (name.startsWith('@') || name.startsWith('v-on')) pieces.push({ code, at, open: ';{', close: '};' });
  else pieces.push({ code, at, open: ';(', close: ');' });
}

/** What stands behind `{` where it is no plain expression, and a style or a comment. */
const SVELTE_PARTS = /<!--[\s\S]*?(?:-->|$)|<style\b[\s\S]*?(?:<\/style\s*>|$)|\{/gi;
const BLOCK = /^(\s*(?:#if|:else\s+if|#key|#await|#each|#snippet|:then|:catch|@html|@render|@const|@attach|@debug|\.\.\.)\s*)([\s\S]*)$/;

function readSvelte(markup: string, found: Found): void {
  SVELTE_PARTS.lastIndex = 0;
  for (let part = SVELTE_PARTS.exec(markup); part !== null; part = SVELTE_PARTS.exec(markup)) {
    if (part[0] !== '{') continue;
    const end = closeOf(markup, part.index);
    if (end < 0) return;
    SVELTE_PARTS.lastIndex = end + 1;
    readMustache(markup.slice(part.index + 1, end), part.index + 1, found);
  }
}

function readMustache(text: string, at: number, { locals, pieces }: Found): void {
  const [, head = '', rest = text] = BLOCK.exec(text) ?? [];
  const kind = head.trim();
  const add = (code: string, offset = 0): void => {
    // As a statement these would be a block or a declaration.
    if (/^\s*(?:[{/:#@]|function\b|class\b|$)/.test(code)) return;
    const behind = text.length - head.length - offset - code.length;
    // What is left out in front of the code has room for the semicolon, as the brace has.
    pieces.push({ code, at: at + head.length + offset, open: ';', close: behind > 0 ? '; ' : ';' });
  };
  if (kind === '#snippet') addNames(locals, rest);
  else if (kind === ':then' || kind === ':catch') addNames(locals, rest);
  else if (kind === '@const') {
    const [declared = ''] = /^[^=]*/.exec(rest) ?? [];
    addNames(locals, declared);
    add(rest.slice(declared.length + 1), declared.length + 1);
  } else if (kind === '#each' || kind === '#await') {
    const split = kind === '#each' ? /\s+as\s/.exec(rest) : /\s+(?:then|catch)\s/.exec(rest);
    if (split !== null) addNames(locals, rest.slice(split.index + split[0].length).replace(/\([^()]*\)\s*$/, ''));
    add(rest.slice(0, split?.index));
  } else add(rest);
}

function addNames(locals: Set<string>, text: string): void {
  for (const [name] of text.matchAll(NAME)) locals.add(name);
}

function renamed(code: string, locals: ReadonlySet<string>): string {
  return code.replace(NAME, (name: string, at: number) => (locals.has(name) && code[at - 1] !== '.' ? `${FOREIGN}${name.slice(1)}` : name));
}

/** Quotes, brackets and comments of code. */
const TOKENS = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|\/\/|\/\*|[()[\]{}'"`]/g;
const CLOSED_BY: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Whether brackets and quotes of a piece are closed, so that it cannot reach beyond its end. */
function isWhole(code: string): boolean {
  const open: string[] = [];
  for (const [token] of code.matchAll(TOKENS)) {
    if (token.length > 1 && !token.startsWith('/')) continue;
    const closing = CLOSED_BY[token];
    if (closing !== undefined) open.push(closing);
    else if (open.pop() !== token) return false;
  }
  return open.length === 0 && code.trim() !== '';
}

/** Offset of the brace that closes the one at `start`; -1 when none does. */
function closeOf(text: string, start: number): number {
  let depth = 0;
  TOKENS.lastIndex = start;
  for (let token = TOKENS.exec(text); token !== null; token = TOKENS.exec(text)) {
    if (token[0] === '{') depth++;
    else if (token[0] === '}' && --depth === 0) return token.index;
  }
  return -1;
}

/** Single-file components of Vue and Svelte: their scripts and the code in their markup are TypeScript, and the file itself is what they export by default. */
import { NONE, operatorCode } from '../../../../model/facts';
import { MODIFIERS } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import { syntaxNode } from '../../../parse/syntaxTable';
import { bareValue } from './literals';
import { blank, templateCode } from './templates';
import type { Walk } from './walk';

/** Comments, and the tags of scripts with their attributes; a value in quotes may hold `>`. */
const TAGS = /<!--[\s\S]*?(?:-->|$)|<script\b((?:[^>"']|"[^"]*"|'[^']*')*)>/gi;
const CLOSING = /<\/script\s*>/gi;
const LANG = /(?:^|\s)lang\s*=\s*["']?([^\s"']*)/i;
const TYPE = /(?:^|\s)type\s*=\s*["']?([^\s"']*)/i;

/** Scripts of other languages (`lang="coffee"`, `type="application/ld+json"`) are no scripts to us. */
function isForeign(attributes: string): boolean {
  const lang = LANG.exec(attributes)?.[1] ?? 'ts';
  const type = TYPE.exec(attributes)?.[1] ?? 'module';
  return !/^(?:[jt]sx?|typescript|javascript)$/i.test(lang) || !/^(?:module|(?:text|application)\/(?:javascript|ecmascript|typescript))$/i.test(type);
}

/** `<script setup>`: without it, a template of Vue sees the members of an object instead of what the script declares. */
const SETUP = /(?:^|\s)setup(?=[\s=>]|$)/i;
/** The markup of a component of Vue, from its first tag to its last. */
const TEMPLATE = /(?<tag><template\b(?<attributes>(?:[^>"']|"[^"]*"|'[^']*')*)>)[\s\S]*(?=<\/template\s*>)/i;

/** The text with everything blank but its scripts and the code that its markup holds, so that lines and columns stay. */
export function scriptsOf(text: string, language: 'vue' | 'svelte'): string {
  const parts: { readonly text: string; readonly is: 'script' | 'markup' | 'foreign' }[] = [];
  let seesScript = language === 'svelte';
  let at = 0;
  TAGS.lastIndex = 0;
  for (let tag = TAGS.exec(text); tag !== null; tag = TAGS.exec(text)) {
    if (tag[1] === undefined || tag[1].endsWith('/')) continue;
    const start = tag.index + tag[0].length;
    CLOSING.lastIndex = start;
    const end = CLOSING.exec(text)?.index ?? text.length;
    TAGS.lastIndex = end;
    const is = isForeign(tag[1]) ? 'foreign' : 'script';
    seesScript ||= is === 'script' && SETUP.test(tag[1]);
    parts.push({ text: text.slice(at, tag.index), is: 'markup' }, { text: tag[0], is: 'foreign' }, { text: text.slice(start, end), is });
    at = end;
  }
  parts.push({ text: text.slice(at), is: 'markup' });
  const read = { script: (part: string) => part, markup: seesScript ? markupReader(language) : blank, foreign: blank };
  return parts.map(part => read[part.is](part.text)).join('');
}

function markupReader(language: 'vue' | 'svelte'): (part: string) => string {
  if (language === 'svelte') return part => templateCode(part, language);
  return part => {
    const { 0: template = '', groups, index = 0 } = TEMPLATE.exec(part) ?? {};
    if (LANG.test(groups?.['attributes'] ?? '')) return blank(part);
    return blank(part.slice(0, index)) + templateCode(template, language) + blank(part.slice(index + template.length));
  };
}

/** Makes the component's symbol and its default export, unless the script exports a class of its own. Before the statements are read: it contains what they export. */
export function declareComponent(walk: Walk, name: string): void {
  const { builder } = walk;
  walk.defaultName = builder.intern(name);
  if (exportsClass(walk)) return;
  const end = walk.text.length;
  walk.component = builder.addSymbol({
    name: walk.defaultName,
    kind: 'class',
    parent: NONE,
    modifiers: MODIFIERS.exported | MODIFIERS.defaultExport,
    start: 0,
    end,
    nameStart: 0,
    signature: builder.intern(`component ${name}`),
    hash: builder.hashOf(0, end),
  });
  builder.addExport({ kind: 'value', exportedName: builder.intern('default'), value: walk.row(operatorCode.class, walk.component) });
}

function exportsClass(walk: Walk): boolean {
  const { kinds, reader } = walk;
  if (walk.kind.length === 0) return false;
  return [...reader.namedChildren(syntaxNode(0))].some(node => {
    if (walk.kind[node] !== kinds.node.export_statement || !reader.hasChild(node, kinds.token.default)) return false;
    const value = walk.child(node, kinds.field.value);
    const declared = value === NO_NODE ? walk.child(node, kinds.field.declaration) : bareValue(walk, value);
    const kind = declared === NO_NODE ? 0 : walk.kind[declared];
    return kind !== 0 && (kind === kinds.node.class || kind === kinds.node.class_declaration || kind === kinds.node.abstract_class_declaration);
  });
}

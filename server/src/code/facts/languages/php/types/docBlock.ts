import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import type { PhpFile } from '../walk';
import { type DocForm, readDocType } from './docForm';

export interface DocVariable {
  /** With its `$`; '' when the tag names none. */
  readonly name: string;
  readonly form: DocForm;
  readonly at: number;
}

export interface DocMethod {
  readonly name: string;
  readonly at: number;
  readonly isStatic: boolean;
  readonly form: DocForm;
}

export interface DocTemplate {
  readonly name: string;
  readonly bound: DocForm | undefined;
}

/** Tags of a doc comment that say something about types. */
export interface DocBlock {
  readonly parameters: ReadonlyMap<string, DocForm>;
  readonly returns: DocForm | undefined;
  readonly variables: readonly DocVariable[];
  readonly properties: readonly DocVariable[];
  readonly methods: readonly DocMethod[];
  readonly templates: readonly DocTemplate[];
  /** Generic bases: `@extends Base<X>`, `@implements`, `@use`. */
  readonly bases: readonly DocForm[];
  readonly mixins: readonly { readonly form: DocForm; readonly at: number }[];
  readonly isTest: boolean;
}

const EMPTY: DocBlock = {
  parameters: new Map(),
  returns: undefined,
  variables: [],
  properties: [],
  methods: [],
  templates: [],
  bases: [],
  mixins: [],
  isTest: false,
};

const TAG =
  /@(?:(?:psalm|phpstan|phan)-)?(?<tag>param|return|var|property(?:-read|-write)?|method|template(?:-covariant|-contravariant)?|extends|implements|use|mixin|test)(?![\w-])[ \t]*/g;

type Draft = { -readonly [Key in keyof DocBlock]: DocBlock[Key] extends readonly (infer Item)[] ? Item[] : DocBlock[Key] } & {
  parameters: Map<string, DocForm>;
};

/** The doc comment directly before a node, over attributes. */
export function docNode(file: PhpFile, node: SyntaxNode): SyntaxNode {
  const before = file.reader.previousSibling(node);
  return file.is(before, 'comment') ? before : NO_NODE;
}

export function docBlock(file: PhpFile, node: SyntaxNode): DocBlock {
  const comment = docNode(file, node);
  return comment === NO_NODE ? EMPTY : readDocBlock(file.text(comment), file.reader.start(comment));
}

/** Tags of the text of a comment that starts at `offset`. */
export function readDocBlock(text: string, offset: number): DocBlock {
  if (!text.startsWith('/**') || !text.includes('@')) return EMPTY;
  const draft: Draft = { ...EMPTY, parameters: new Map(), variables: [], properties: [], methods: [], templates: [], bases: [], mixins: [] };
  TAG.lastIndex = 0;
  for (let match = TAG.exec(text); match !== null; match = TAG.exec(text)) readTag(draft, match.groups?.['tag'] ?? '', text, TAG.lastIndex, offset);
  return draft;
}

const NAME = /[ \t]*(?:&|\.\.\.)*[ \t]*(?<name>\$\w+)/y;

function nameAt(text: string, position: number): string {
  NAME.lastIndex = position;
  return NAME.exec(text)?.groups?.['name'] ?? '';
}

function readTag(draft: Draft, tag: string, text: string, position: number, offset: number): void {
  switch (tag.replace(/-.*/, '')) {
    case 'test':
      draft.isTest = true;
      return;
    case 'template':
      return readTemplate(draft, text, position, offset);
    case 'method':
      return readMethod(draft, text, position, offset);
    default:
  }
  const { form, end } = readDocType(text, position, offset);
  const name = nameAt(text, end);
  switch (tag.replace(/-.*/, '')) {
    case 'param':
      if (name !== '' && form.is !== 'unknown') draft.parameters.set(name, form);
      return;
    case 'return':
      draft.returns ??= form;
      return;
    case 'var':
      draft.variables.push({ name, form, at: offset + position });
      return;
    case 'property':
      if (name !== '') draft.properties.push({ name, form, at: offset + text.indexOf(name, end) });
      return;
    case 'mixin':
      draft.mixins.push({ form, at: offset + position });
      return;
    default:
      draft.bases.push(form);
  }
}

function readTemplate(draft: Draft, text: string, position: number, offset: number): void {
  const match = /^(?<name>\w+)(?<of>[ \t]+(?:of|as)[ \t]+)?/.exec(text.slice(position, position + 120));
  const { name, of } = match?.groups ?? {};
  if (name === undefined) return;
  draft.templates.push({ name, bound: of === undefined ? undefined : readDocType(text, position + name.length + of.length, offset).form });
}

/** `@method [static] [Type] name(…)`. */
function readMethod(draft: Draft, text: string, position: number, offset: number): void {
  const line = /^[^\n]*/.exec(text.slice(position))?.[0] ?? '';
  const isStatic = /^static[ \t]+[^\s(]+[ \t]*\(|^static[ \t]+\S+[ \t]+\w+[ \t]*\(/.test(line);
  const start = isStatic ? position + (/^static[ \t]+/.exec(line)?.[0].length ?? 0) : position;
  const rest = text.slice(start, position + line.length);
  const bare = /^(?<name>\w+)[ \t]*\(/.exec(rest)?.groups?.['name'];
  if (bare !== undefined) {
    draft.methods.push({ name: bare, at: offset + start, isStatic, form: { is: 'unknown' } });
    return;
  }
  const { form, end } = readDocType(text, start, offset);
  const match = /^(?<gap>[ \t]+&?)(?<name>\w+)[ \t]*\(/.exec(text.slice(end, position + line.length))?.groups;
  if (match?.['name'] !== undefined) draft.methods.push({ name: match['name'], at: offset + end + (match['gap'] ?? '').length, isStatic, form });
}

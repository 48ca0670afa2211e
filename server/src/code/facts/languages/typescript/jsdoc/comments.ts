/** Types that JavaScript says in doc comments: parameters, returns, variables, base classes, type definitions. */
import { type ExpressionRow, MODULE_SCOPE, NONE, operatorCode, type SomeRow } from '../../../../../model/facts';
import { commentBefore, commentText, foldedText } from '../../../sourceText';
import type { Walk } from '../walk';
import { typeOfText } from './typeText';

/** What the doc comment of a function says about types. */
export interface FunctionDoc {
  /** Type rows by parameter name. */
  readonly parameters: ReadonlyMap<string, ExpressionRow>;
  readonly returns: ExpressionRow | undefined;
}

interface Tag {
  readonly name: string;
  /** Range of the type between the braces; empty when there is none. */
  readonly typeStart: number;
  readonly typeEnd: number;
  /** First word after the type, without brackets and default. */
  readonly subject: string;
  readonly subjectAt: number;
}

const TAG = /@([a-zA-Z]+)[ \t]*/g;

/** Types in the doc comment that ends at `anchor`, read in the current scope. */
export function functionDoc(walk: Walk, anchor: number): FunctionDoc | undefined {
  const tags = tagsBefore(walk, anchor);
  if (tags.length === 0) return undefined;
  bindTemplates(walk, tags);
  const parameters = new Map<string, ExpressionRow>();
  let returns: ExpressionRow | undefined;
  for (const tag of tags) {
    if (tag.typeEnd <= tag.typeStart) continue;
    if (tag.name === 'param' || tag.name === 'arg' || tag.name === 'argument') {
      const type = parameterType(walk, tag);
      if (!tag.subject.includes('.') && type !== walk.unknown) parameters.set(tag.subject, type);
    } else if (tag.name === 'returns' || tag.name === 'return') {
      const type = typeOfText(walk, tag.typeStart, tag.typeEnd);
      // `Function`, `Object` or `*` says less than the body does.
      if (type !== walk.unknown) returns = type;
    } else if (tag.name === 'throws' || tag.name === 'exception') typeOfText(walk, tag.typeStart, tag.typeEnd);
  }
  return { parameters, returns };
}

/** `{...T}` of a rest parameter is a list of T. */
function parameterType(walk: Walk, tag: Tag): ExpressionRow {
  const type = typeOfText(walk, tag.typeStart, tag.typeEnd);
  return walk.text.startsWith('...', tag.typeStart) ? walk.row(operatorCode.arrayType, type) : type;
}

function bindTemplates(walk: Walk, tags: readonly Tag[]): void {
  for (const tag of tags) {
    if (tag.name !== 'template' || !/^[\w$]+$/.test(tag.subject)) continue;
    const type = tag.typeEnd > tag.typeStart ? typeOfText(walk, tag.typeStart, tag.typeEnd) : NONE;
    walk.builder.addBinding({ scope: walk.scope, name: walk.builder.intern(tag.subject), kind: 'typeParameter', type });
  }
}

/** Row of `@type` in the doc comment that ends at `anchor`, or `NONE`. */
export function declaredType(walk: Walk, anchor: number): ExpressionRow {
  const tag = tagsBefore(walk, anchor).find(candidate => candidate.name === 'type' && candidate.typeEnd > candidate.typeStart);
  if (tag === undefined) return NONE;
  const type = typeOfText(walk, tag.typeStart, tag.typeEnd);
  return type === walk.unknown ? NONE : type;
}

export interface ClassDoc {
  /** Type arguments of `@extends {Base<T>}`. */
  readonly typeArguments: readonly ExpressionRow[];
  /** Types of `@implements`, with the offset of each. */
  readonly implements: readonly { readonly type: ExpressionRow; readonly at: number }[];
}

/** What the doc comment of a class says about its heritage. */
export function classDoc(walk: Walk, anchor: number): ClassDoc {
  let typeArguments: readonly ExpressionRow[] = [];
  const implemented: { type: ExpressionRow; at: number }[] = [];
  const { expressions, lists } = walk.builder;
  const tags = tagsBefore(walk, anchor);
  bindTemplates(walk, tags);
  for (const tag of tags) {
    if (tag.typeEnd <= tag.typeStart) continue;
    if (tag.name === 'implements') implemented.push({ type: typeOfText(walk, tag.typeStart, tag.typeEnd), at: tag.typeStart });
    if (tag.name !== 'extends' && tag.name !== 'augments') continue;
    const row = typeOfText(walk, tag.typeStart, tag.typeEnd);
    if (expressions.operator[row] !== operatorCode.generic) continue;
    const start = expressions.listStart[row] ?? 0;
    typeArguments = lists.slice(start, start + (expressions.listCount[row] ?? 0));
  }
  return { typeArguments, implements: implemented };
}

/** `@typedef` and `@callback` in a comment: a type of the module, which other files can name through `import()`. */
export function readTypeDefinitions(walk: Walk, start: number, end: number): void {
  if (!walk.text.startsWith('/**', start)) return;
  const comment = walk.text.slice(start, end);
  if (!comment.includes('@typedef') && !comment.includes('@callback')) return;
  const tags = tagsIn(walk, start, end);
  tags.forEach((tag, index) => {
    if (tag.name !== 'typedef' && tag.name !== 'callback') return;
    if (!/^[\w$]+$/.test(tag.subject)) return;
    const following = tags.slice(index + 1);
    const stop = following.findIndex(other => other.name === 'typedef' || other.name === 'callback');
    defineType(walk, tag, stop < 0 ? following : following.slice(0, stop), start, end);
  });
}

function defineType(walk: Walk, tag: Tag, parts: readonly Tag[], start: number, end: number): void {
  const { builder, text } = walk;
  const name = builder.intern(tag.subject);
  const symbol = builder.addSymbol({
    name,
    kind: 'type',
    parent: NONE,
    start,
    end,
    nameStart: tag.subjectAt,
    signature: builder.internShown(`@${tag.name} ${foldedText(text, tag.typeStart - 1, tag.subjectAt + tag.subject.length)}`),
    doc: builder.internShown(commentText(text.slice(start, end))),
  });
  builder.addBinding({ scope: MODULE_SCOPE, name, kind: 'symbol', symbol });
  builder.addExport({ kind: 'local', exportedName: name, localName: name });
  const scope = builder.addScope('type', MODULE_SCOPE, symbol);
  builder.set('symbols', 'scope', symbol, scope);
  walk.within(() => {
    walk.scope = scope;
    walk.owner = symbol;
    bindTemplates(walk, parts);
    builder.set('symbols', 'type', symbol, definedType(walk, tag, parts));
  });
}

function definedType(walk: Walk, tag: Tag, parts: readonly Tag[]): ExpressionRow {
  const typed = parts.filter(part => part.typeEnd > part.typeStart);
  if (tag.name === 'callback') {
    for (const part of typed) if (part.name === 'param') typeOfText(walk, part.typeStart, part.typeEnd);
    const returns = typed.find(part => part.name === 'returns' || part.name === 'return');
    return walk.row(operatorCode.functionType, returns === undefined ? walk.unknown : typeOfText(walk, returns.typeStart, returns.typeEnd));
  }
  const items: SomeRow[] = [];
  for (const part of typed) {
    if (part.name !== 'property' && part.name !== 'prop') continue;
    const type = typeOfText(walk, part.typeStart, part.typeEnd);
    if (!part.subject.includes('.')) items.push(walk.builder.intern(part.subject), type);
  }
  if (items.length > 0) return walk.list(operatorCode.objectType, items);
  return tag.typeEnd > tag.typeStart ? typeOfText(walk, tag.typeStart, tag.typeEnd) : NONE;
}

function tagsBefore(walk: Walk, anchor: number): readonly Tag[] {
  const comment = commentBefore(walk.text, anchor);
  return comment?.isBlock === true && walk.text.startsWith('/**', comment.start) ? tagsIn(walk, comment.start, comment.end) : [];
}

/** Tags of one comment, in order. */
function tagsIn(walk: Walk, start: number, end: number): Tag[] {
  const { text } = walk;
  const tags: Tag[] = [];
  TAG.lastIndex = start;
  for (let match = TAG.exec(text); match !== null && match.index < end; match = TAG.exec(text)) {
    let at = match.index + match[0].length;
    let typeStart = at;
    let typeEnd = at;
    if (text.charCodeAt(at) === 123) {
      const close = closingBrace(text, at, end);
      typeStart = at + 1;
      typeEnd = close;
      at = close + 1;
    }
    const subject = /^[\s*]*\[?([^\s=\]*]*)/.exec(text.slice(at, Math.min(end - 2, at + 200)));
    const word = subject?.[1] ?? '';
    tags.push({ name: match[1] ?? '', typeStart, typeEnd, subject: word, subjectAt: at + (subject?.[0].length ?? 0) - word.length });
    TAG.lastIndex = Math.max(at, match.index + 1);
  }
  return tags;
}

function closingBrace(text: string, open: number, end: number): number {
  let depth = 0;
  for (let at = open; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 123) depth++;
    else if (code === 125 && --depth === 0) return at;
  }
  return end;
}

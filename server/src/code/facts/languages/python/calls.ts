import { nameBeginningWith } from '../../../../model/expressions';
import { type ExpressionRow, NO_TEXT, NONE } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { written } from '../../factTables';
import { beginningOf, listedNames, plainString } from './texts';
import { typeFormOf } from './types/typeForm';
import { addTypeForm, placeOf } from './types/typeRows';
import { type Frame, lastName, type Walk } from './walk';

type SpecialCall = (walk: Walk, call: SyntaxNode, parts: readonly SyntaxNode[], frame: Frame) => ExpressionRow | undefined;

/** Calls of well-known functions by plain name; each says `undefined` when the call is not of the expected form. */
const SPECIAL_CALLS: ReadonlyMap<string, SpecialCall> = new Map<string, SpecialCall>([
  ['super', superCall],
  ['isinstance', typeTest],
  ['issubclass', typeTest],
  ['cast', castCall],
  ['import_module', importCall],
  ['__import__', importCall],
  ['getattr', getAttributeCall],
]);

/** Row of a call, with one use for the call. `super()` is the super object itself. */
export function callValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const callee = file.child(node, 'function');
  const { name, at } = lastName(file, callee);
  const special = SPECIAL_CALLS.get(file.builder.strings[name] ?? '');
  const argumentNodes = argumentsOf(walk, node);
  if (special !== undefined && isPlainCallee(walk, callee)) {
    const row = special(walk, node, argumentNodes, frame);
    if (row !== undefined) return row;
  }
  const calleeRow = walk.quiet(callee, frame);
  const row = file.row(
    'call',
    calleeRow,
    NONE,
    NO_TEXT,
    argumentNodes.map(argument => walk.value(argument, frame)),
  );
  file.use('call', row, frame.owner, name, at);
  if (argumentNodes.some(argument => file.is(argument, 'keyword_argument'))) nameFields(walk, argumentNodes, fieldsOwner(walk, callee, row, frame), frame);
  return row;
}

/** Methods of Django's managers and query sets whose keywords are fields of the model: those that make or change rows, and those that look for them. */
const SETTING: ReadonlySet<string> = new Set('create acreate get_or_create aget_or_create update_or_create aupdate_or_create update aupdate'.split(' '));
const LOOKING: ReadonlySet<string> = new Set('filter exclude get aget'.split(' '));
const MANAGERS: ReadonlySet<string> = new Set(['objects', '_default_manager', '_base_manager']);

/** Row of the instance whose fields the keywords of a call may set, or of the class whose fields they may look at; `NONE` for other calls. */
function fieldsOwner(walk: Walk, callee: SyntaxNode, call: ExpressionRow, frame: Frame): ExpressionRow {
  const { file } = walk;
  const name = file.builder.strings[lastName(file, callee).name] ?? '';
  if (/^_*[A-Z]/.test(name) || name === 'cls') return call;
  const isSetting = SETTING.has(name);
  if (!file.is(callee, 'attribute') || (!isSetting && !LOOKING.has(name))) return NONE;
  let at = file.child(callee, 'object');
  while (file.is(at, 'call', 'attribute')) {
    if (!file.is(at, 'attribute')) at = file.child(at, 'function');
    else if (MANAGERS.has(file.text(file.child(at, 'attribute')))) {
      const model = walk.quiet(file.child(at, 'object'), frame);
      return isSetting ? file.row('call', model) : model;
    } else at = file.child(at, 'object');
  }
  return NONE;
}

/** A use of each field that a keyword may name; of `author__name` the first part is one. */
function nameFields(walk: Walk, argumentNodes: readonly SyntaxNode[], owner: ExpressionRow, frame: Frame): void {
  if (owner === NONE) return;
  const { file } = walk;
  for (const argument of argumentNodes) {
    if (!file.is(argument, 'keyword_argument')) continue;
    const node = file.child(argument, 'name');
    const [text = ''] = /^_*[^_]+(?:_[^_]+)*_?(?=__|$)/.exec(file.text(node)) ?? [];
    if (text === '' || text === 'defaults') continue;
    const word = file.builder.intern(text);
    file.use('keyword', file.row('member', owner, NONE, word), frame.owner, word, file.reader.start(node));
  }
}

export function argumentsOf(walk: Walk, call: SyntaxNode): SyntaxNode[] {
  const { file } = walk;
  const list = file.child(call, 'arguments');
  return file.is(list, 'generator_expression') ? [list] : file.children(list);
}

/** By plain name; `cast` and `import_module` also behind a module, and `cast` only when it comes from `typing`: other libraries have casts of their own. */
function isPlainCallee(walk: Walk, callee: SyntaxNode): boolean {
  const { file } = walk;
  const isName = file.is(callee, 'identifier');
  const text = file.text(callee);
  if (/^(?:\w+\.)?cast$/.test(text)) return isImportedFrom(walk, isName ? text : text.slice(0, text.indexOf('.')), /^typing(?:_extensions)?$/);
  return isName || text === 'importlib.import_module';
}

function isImportedFrom(walk: Walk, localName: string, specifier: RegExp): boolean {
  const { imports, strings } = walk.file.builder;
  return written(imports, imports.localName).some(
    (name, row) => strings[name] === localName && specifier.test(strings[imports.specifier[row] ?? NO_TEXT] ?? ''),
  );
}

function superCall(walk: Walk, _call: number, parts: readonly SyntaxNode[], frame: Frame): ExpressionRow | undefined {
  for (const part of parts) walk.value(part, frame);
  return walk.file.row('super', frame.scope);
}

/** `isinstance(x, (A, B))`: the classes are asserted rather than read. */
function typeTest(walk: Walk, call: SyntaxNode, parts: readonly SyntaxNode[], frame: Frame): ExpressionRow | undefined {
  const [subject, classes] = parts;
  if (subject === undefined || classes === undefined) return undefined;
  const { file } = walk;
  const callee = file.child(call, 'function');
  const rows = [walk.value(subject, frame), assertClasses(walk, classes, frame)];
  const row = file.row('call', walk.quiet(callee, frame), NONE, NO_TEXT, rows);
  const { name, at } = lastName(file, callee);
  file.use('call', row, frame.owner, name, at);
  return row;
}

function assertClasses(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  if (file.is(node, 'parenthesized_expression')) return assertClasses(walk, file.reader.firstNamedChild(node), frame);
  if (file.is(node, 'tuple'))
    return file.row(
      'array',
      NONE,
      NONE,
      file.builder.intern('tuple'),
      file.children(node).map(child => assertClasses(walk, child, frame)),
    );
  if (file.is(node, 'binary_operator'))
    return file.either([file.child(node, 'left'), file.child(node, 'right')].map(child => assertClasses(walk, child, frame)));
  const row = walk.quiet(node, frame);
  if (file.is(node, 'identifier') || file.is(node, 'attribute')) {
    const { name, at } = lastName(file, node);
    file.use('assertType', row, frame.owner, name, at);
  }
  return row;
}

/** `cast(T, x)`: a value of type T. */
function castCall(walk: Walk, _call: number, parts: readonly SyntaxNode[], frame: Frame): ExpressionRow | undefined {
  const [type, subject] = parts;
  if (type === undefined || subject === undefined || parts.length !== 2) return undefined;
  const { file } = walk;
  const form = typeFormOf(file, type);
  if (form.is === 'unknown') return undefined;
  walk.value(subject, frame);
  const row = addTypeForm(file, form, { ...placeOf(frame), counts: false });
  const last = form.is === 'name' ? form.parts.at(-1) : undefined;
  if (last !== undefined) file.use('assertType', row, frame.owner, file.builder.intern(last.text), last.at);
  return file.row('valueOfType', row);
}

/** `importlib.import_module("a.b")`, `__import__("a.b")`. */
function importCall(walk: Walk, call: SyntaxNode, parts: readonly SyntaxNode[], frame: Frame): ExpressionRow | undefined {
  const { file } = walk;
  const [first, second] = parts;
  if (first === undefined || second !== undefined || !file.is(first, 'string')) return undefined;
  const content = file.childOf(first, 'string_content');
  if (content === NO_NODE || !/^[\w.]+$/.test(file.text(content))) return undefined;
  const text = file.text(content);
  const level = text.length - text.replace(/^\.+/, '').length;
  walk.quiet(file.child(call, 'function'), frame);
  const specifier = file.builder.intern(text.slice(level));
  const row = file.builder.addImport({ kind: 'dynamic', specifier, level, typeOnly: frame.typeOnly, at: file.reader.start(content) });
  return file.row('module', row, NONE, specifier);
}

/** `getattr(x, "name")` with or without a default: the member of that name, or of those that begin with what is known of it. */
function getAttributeCall(walk: Walk, call: SyntaxNode, parts: readonly SyntaxNode[], frame: Frame): ExpressionRow | undefined {
  const { file } = walk;
  const [object, name, fallback] = parts;
  if (object === undefined || name === undefined) return undefined;
  const text = plainString(walk, name);
  const known = text === undefined ? nameBeginningWith(beginningOf(walk, name, call)) : /^\w+$/.test(text) ? text : undefined;
  if (known === undefined) {
    const listed = listedNames(walk, name);
    return listed.length === 0 ? undefined : listedAttributes(walk, object, name, listed, fallback, frame);
  }
  if (text === undefined && !file.is(name, 'identifier')) walk.value(name, frame);
  const word = file.builder.intern(known);
  const row = file.row('member', walk.value(object, frame), NONE, word);
  const content = file.is(name, 'string') ? file.childOf(name, 'string_content') : name;
  file.use('read', row, frame.owner, word, file.reader.start(content));
  return fallback === undefined ? row : file.either([row, walk.value(fallback, frame)]);
}

/** `getattr(x, name)` where all that `name` may be is written out: any of these members. */
function listedAttributes(
  walk: Walk,
  object: SyntaxNode,
  name: SyntaxNode,
  listed: readonly string[],
  fallback: SyntaxNode | undefined,
  frame: Frame,
): ExpressionRow {
  const { file } = walk;
  const owner = walk.value(object, frame);
  walk.value(name, frame);
  const rows = listed.map(text => file.row('member', owner, NONE, file.builder.intern(text)));
  const word = file.builder.intern(file.is(name, 'identifier') ? file.text(name) : '');
  for (const row of rows) file.use('read', row, frame.owner, word, file.reader.start(name));
  return file.either(fallback === undefined ? rows : [...rows, walk.value(fallback, frame)]);
}

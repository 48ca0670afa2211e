import { type ExpressionRow, NO_TEXT, NONE, type ScopeRow, type SymbolRow } from '../../../../../model/facts';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import type { FileContext } from '../fileContext';
import type { Frame } from '../walk';
import { type TypeForm, typeFormOf } from './typeForm';

/** Where names of a type are looked up, and who uses them. */
export interface TypePlace {
  readonly scope: ScopeRow;
  readonly owner: SymbolRow;
  /** False for types read a second time: no references are written. */
  readonly counts: boolean;
}

export function placeOf(frame: Frame, owner: SymbolRow = frame.owner): TypePlace {
  return { scope: frame.scope, owner, counts: true };
}

/** Row of a type annotation. */
export function addType(file: FileContext, node: SyntaxNode, place: TypePlace): ExpressionRow {
  return addTypeForm(file, typeFormOf(file, node), place);
}

/** Row of the annotation of a variable; `NONE` where it says how the variable may be used and not what it holds (`Final` alone). */
export function addVariableType(file: FileContext, node: SyntaxNode, place: TypePlace): ExpressionRow {
  const form = typeFormOf(file, node);
  return form.is === 'name' && QUALIFIERS.has(lastNameOf(form)) ? NONE : addTypeForm(file, form, place);
}

const QUALIFIERS: ReadonlySet<string> = new Set(['Final', 'ClassVar']);

/**
 * Row of a type. `Optional`, `Union`, `Callable`, `Type`, `Annotated` and their like are taken apart here, whatever they were imported from;
 * `Self` is `this` of the scope; every other generic keeps its base and arguments.
 */
export function addTypeForm(file: FileContext, form: TypeForm, place: TypePlace): ExpressionRow {
  switch (form.is) {
    case 'name':
      return nameRow(file, form.parts, place);
    case 'apply':
      return applied(file, form.base, form.items, place);
    case 'union':
      return file.either(form.items.map(item => addTypeForm(file, item, place)));
    case 'list':
      return file.row(
        'arrayType',
        NONE,
        NONE,
        file.builder.intern('tuple'),
        form.items.map(item => addTypeForm(file, item, place)),
      );
    case 'literal':
      return file.literal(form.text);
    case 'none':
      return file.literal('null');
    case 'ellipsis':
    case 'unknown':
      return file.unknown();
  }
}

/** Last name of a type such as `a.b.C[D]`, for tables of well-known names. */
export function lastNameOf(form: TypeForm): string {
  if (form.is === 'name') return form.parts.at(-1)?.text ?? '';
  return form.is === 'apply' ? lastNameOf(form.base) : '';
}

type Form = (file: FileContext, items: readonly TypeForm[], place: TypePlace) => ExpressionRow;

const first: Form = (file, items, place) => addTypeForm(file, items[0] ?? { is: 'unknown' }, place);
const classOf: Form = (file, items, place) => file.row('typeof', addTypeForm(file, items[0] ?? { is: 'unknown' }, place));
const tuple: Form = (file, items, place) => {
  const [item, more] = items;
  if (item !== undefined && more?.is === 'ellipsis') return file.row('arrayType', addTypeForm(file, item, place));
  const rows = items.map(each => addTypeForm(file, each, place));
  return file.row('arrayType', NONE, NONE, file.builder.intern('tuple'), rows);
};

const FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['Optional', (file, items, place) => file.either([first(file, items, place), file.literal('null')])],
  ['Union', (file, items, place) => file.either(items.map(item => addTypeForm(file, item, place)))],
  ['Callable', (file, items, place) => callable(file, items, place)],
  ['Type', classOf],
  ['type', classOf],
  ['Tuple', tuple],
  ['tuple', tuple],
  ['Literal', (file, items) => file.literal(items[0]?.is === 'literal' ? items[0].text : 'string')],
  ['TypeGuard', file => file.literal('boolean')],
  ['TypeIs', file => file.literal('boolean')],
  ...['Annotated', 'ClassVar', 'Final', 'InitVar', 'Required', 'NotRequired', 'ReadOnly', 'Unpack'].map((name): [string, Form] => [name, first]),
]);

/** Bases that make `X = Base[…]` the alias of a type. */
export function isTypeFormName(name: string): boolean {
  return FORMS.has(name) && name !== 'type' && name !== 'tuple';
}

function applied(file: FileContext, base: TypeForm, items: readonly TypeForm[], place: TypePlace): ExpressionRow {
  const form = FORMS.get(lastNameOf(base));
  if (form !== undefined) return form(file, items, place);
  const row = addTypeForm(file, base, place);
  return file.row(
    'generic',
    row,
    NONE,
    NO_TEXT,
    items.map(item => addTypeForm(file, item, place)),
  );
}

function callable(file: FileContext, items: readonly TypeForm[], place: TypePlace): ExpressionRow {
  const [parameters, result] = items;
  const list = parameters?.is === 'list' ? parameters.items.map(item => addTypeForm(file, item, place)) : [];
  return file.row('functionType', addTypeForm(file, result ?? { is: 'unknown' }, place), NONE, NO_TEXT, list);
}

function nameRow(file: FileContext, parts: readonly { readonly text: string; readonly at: number }[], place: TypePlace): ExpressionRow {
  const [head, ...rest] = parts;
  const last = parts.at(-1);
  if (head === undefined || last === undefined) return file.unknown();
  const { builder } = file;
  if (last.text === 'Self') return file.row('this', place.scope);
  let row = file.row('name', place.scope, NONE, builder.intern(head.text));
  for (const part of rest) row = file.row('member', row, NONE, builder.intern(part.text));
  if (place.counts && !FORMS.has(last.text)) file.use('type', row, place.owner, builder.intern(last.text), last.at);
  return row;
}

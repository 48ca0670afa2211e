/** Blocks of tests: `describe('a parser', () => …)` and `it('reads names', () => …)` are symbols named by their titles, the cases among them tests. */
import { type ExpressionRow, NONE, operatorCode } from '../../../../../model/facts';
import { MODIFIERS } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { testTitle } from '../../../walk/testTitle';
import { readFunction } from '../declarations/functions';
import { addSymbol } from '../declarations/symbols';
import { isFunctionKind } from '../literals';
import type { Walk } from '../walk';

const GROUPS: ReadonlySet<string> = new Set(['describe', 'suite', 'context', 'fdescribe', 'xdescribe']);
const CASES: ReadonlySet<string> = new Set(['it', 'test', 'specify', 'fit', 'xit', 'bench']);
/** What may stand behind either: `it.each(table)`, `test.only`, `describe.skipIf(x)`. */
const VARIANTS: ReadonlySet<string> = new Set([
  'only',
  'skip',
  'each',
  'for',
  'concurrent',
  'sequential',
  'parallel',
  'serial',
  'fails',
  'failing',
  'runIf',
  'skipIf',
  'shuffle',
]);

/** A block among the arguments of a call: its function, which is read as a symbol. */
export interface TestBlock {
  readonly isCase: boolean;
  readonly title: SyntaxNode;
  readonly body: SyntaxNode;
}

/** The block that a call with these arguments declares; undefined for any other call. */
export function testBlock(walk: Walk, callee: SyntaxNode, list: SyntaxNode): TestBlock | undefined {
  const isCase = list === NO_NODE ? undefined : casesOf(walk, callee);
  if (isCase === undefined) return undefined;
  const { reader, kinds } = walk;
  const given = reader.namedChildren(list).filter(child => walk.kind[child] !== kinds.node.comment);
  const [title] = given;
  const body = given.findLast(child => isFunctionKind(walk, walk.kind[child] ?? 0));
  return title !== undefined && isTitle(walk, title) && body !== undefined ? { isCase, title, body } : undefined;
}

/** A text, or one that is put together from texts and values. */
function isTitle(walk: Walk, node: SyntaxNode): boolean {
  const { field, node: kinds } = walk.kinds;
  const kind = walk.kind[node];
  if (kind === kinds.string || kind === kinds.template_string) return true;
  return kind === kinds.binary_expression && (isTitle(walk, walk.child(node, field.left)) || isTitle(walk, walk.child(node, field.right)));
}

/** Whether what is called declares a case (true) or a group (false); undefined for neither. */
function casesOf(walk: Walk, callee: SyntaxNode): boolean | undefined {
  const { field, node: kinds } = walk.kinds;
  const kind = walk.kind[callee];
  if (kind === kinds.identifier) {
    const name = walk.reader.text(callee);
    return CASES.has(name) ? true : GROUPS.has(name) ? false : undefined;
  }
  if (kind === kinds.call_expression) return casesOf(walk, walk.child(callee, field.function));
  if (kind !== kinds.member_expression) return undefined;
  const name = walk.reader.text(walk.child(callee, field.property));
  const object = walk.child(callee, field.object);
  if (name === 'describe') return casesOf(walk, object) === true ? false : undefined;
  if (name === 'test' && walk.reader.text(object) === 'Deno') return true;
  return VARIANTS.has(name) ? casesOf(walk, object) : undefined;
}

/** Row of the function of a block. */
export function readTestBlock(walk: Walk, { isCase, title, body }: TestBlock): ExpressionRow {
  const { field, node: kinds } = walk.kinds;
  const symbol = addSymbol(walk, {
    node: body,
    nameNode: title,
    name: walk.builder.intern(testTitle(textOf(walk, title))),
    kind: 'function',
    modifiers: isCase ? MODIFIERS.test : 0,
    body: walk.child(body, field.body),
    signatureFrom: title,
  });
  const row = readFunction(walk, { node: body, symbol, isArrow: walk.kind[body] === kinds.arrow_function });
  return walk.row(operatorCode.function, row, NONE);
}

/** What a title says; a value in it as in a template, `${name}`. */
function textOf(walk: Walk, title: SyntaxNode): string {
  const { field, node: kinds } = walk.kinds;
  const kind = walk.kind[title];
  const text = walk.reader.text(title);
  if (kind === kinds.binary_expression) return textOf(walk, walk.child(title, field.left)) + textOf(walk, walk.child(title, field.right));
  return kind === kinds.string || kind === kinds.template_string ? text.slice(1, -1).replace(/\\(['"`\\])/g, '$1') : `\${${text}}`;
}

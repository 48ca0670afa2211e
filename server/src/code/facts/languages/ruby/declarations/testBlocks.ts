/** Blocks of tests: `describe Parser do … end` and `it 'reads names' do … end` are symbols named by their titles, the cases among them tests. */
import { type FunctionRow, NONE, type SymbolRow } from '../../../../../model/facts';
import { MODIFIERS } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { testTitle } from '../../../walk/testTitle';
import { argumentNodes, constantOf, isConstant, literalStart, literalText } from '../names';
import { type Frame, Locals, methodBodyOf, type RubyFile, type Walk } from '../walk';
import { blockRow } from './blocks';

/** Calls whose block is a group of examples. */
const GROUPS: ReadonlySet<string> = new Set([
  'describe',
  'context',
  'feature',
  'fdescribe',
  'xdescribe',
  'fcontext',
  'xcontext',
  'shared_examples',
  'shared_context',
  'shared_examples_for',
]);

/** `its(:size) { … }` is an example of what that method of the subject gives. */
const ITS = 'its';

/** Calls whose block is an example: of RSpec, Minitest, Capybara, Rails and Shoulda. */
const CASES: ReadonlySet<string> = new Set(['it', 'specify', 'example', 'scenario', 'fit', 'xit', 'fspecify', 'xspecify', 'test', 'should', ITS]);

/** Those that are examples without a title, too. */
const UNTITLED: ReadonlySet<string> = new Set(['it', 'specify', 'example', 'fit', 'xit']);

/** Row of the block of a group or a case; undefined for any other call. */
export function testBlockRow(walk: Walk, node: SyntaxNode, called: string, frame: Frame): FunctionRow | undefined {
  const { file } = walk;
  const block = file.child(node, 'block');
  const isCase = CASES.has(called);
  if (block === NO_NODE || (!isCase && !GROUPS.has(called)) || !mayDeclare(file, node, frame)) return undefined;
  const titles = argumentNodes(file, node).filter(argument => isTitle(file, argument, isCase) || (called === ITS && literalText(file, argument) !== undefined));
  const [nameNode] = titles;
  if (nameNode === undefined && !(UNTITLED.has(called) && argumentNodes(file, node).length === 0)) return undefined;
  const title = nameNode === undefined ? called : testTitle(titles.map(part => textOf(file, part)).join(' '));
  const symbol = file.declare({
    node,
    nameNode: nameNode ?? file.child(node, 'method'),
    name: file.builder.intern(title),
    kind: 'function',
    parent: frame.owner,
    modifiers: isCase ? MODIFIERS.test : 0,
    body: file.child(block, 'body'),
  });
  if (called === ITS && nameNode !== undefined) callOfSubject(walk, nameNode, symbol, frame);
  return blockRow(walk, block, isCase ? frame : describing(walk, argumentNodes(file, node)[0] ?? NO_NODE, frame), { symbol, isGroup: !isCase });
}

function callOfSubject(walk: Walk, nameNode: SyntaxNode, symbol: SymbolRow, frame: Frame): void {
  const { file } = walk;
  const name = file.builder.intern(literalText(file, nameNode) ?? '');
  const subject = file.row('call', file.row('name', frame.scope, NONE, file.builder.intern('subject')));
  file.use('call', file.row('call', file.row('member', subject, NONE, name)), symbol, name, literalStart(file, nameNode));
}

/** Inside of `describe Parser`, `described_class` is `Parser`. */
function describing(walk: Walk, subject: SyntaxNode, frame: Frame): Frame {
  const { file } = walk;
  if (subject === NO_NODE || !isConstant(file, subject)) return frame;
  const value = constantOf(walk, subject, frame);
  const scope = file.builder.addScope('block', frame.scope);
  const locals = new Locals(frame.locals);
  file.builder.addBinding({ scope, name: file.builder.intern(DESCRIBED), kind: 'variable', value });
  locals.own(DESCRIBED, scope);
  return { ...frame, scope, locals };
}

const DESCRIBED = 'described_class';

/** Outside of methods, to nothing or to `RSpec`. */
function mayDeclare(file: RubyFile, node: SyntaxNode, frame: Frame): boolean {
  const receiver = file.child(node, 'receiver');
  const body = methodBodyOf(frame);
  return (body === undefined || body.method === '') && (receiver === NO_NODE || file.text(receiver) === 'RSpec');
}

/** A text; before a group also what it is about. */
function isTitle(file: RubyFile, node: SyntaxNode, isCase: boolean): boolean {
  return file.is(node, 'string') || (!isCase && (isConstant(file, node) || file.is(node, 'simple_symbol')));
}

function textOf(file: RubyFile, node: SyntaxNode): string {
  const text = file.text(node);
  return file.is(node, 'string') ? text.slice(1, -1).replace(/\\(["'\\])/g, '$1') : text.replace(/^:(?!:)/, '');
}

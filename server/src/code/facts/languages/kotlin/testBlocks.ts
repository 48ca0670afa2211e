/**
 * Blocks of Kotest: `describe("a parser") { … }`, `"reads names" { … }` and their like are symbols named by their titles, the cases among them tests.
 * Only in files that name a style of specification: elsewhere such calls are anything.
 */
import { type ExpressionRow, NONE } from '../../../../model/facts';
import { MODIFIERS } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { testTitle } from '../../walk/testTitle';
import { argumentNodes } from './calls';
import { lambdaValue } from './functions';
import type { KotlinFile } from './grammar';
import type { Frame, Walk } from './walk';

const SPECIFICATION = /\bio\.kotest\.core\.spec\b|\b(?:String|Fun|Describe|Behavior|Should|Word|Free|Expect|Feature)Spec\b/;
/** With `x` in front, a block is not run. */
const GROUP = /^x?(?:context|describe|given|when|and|feature)$/i;
const CASE = /^x?(?:test|it|should|expect|scenario|then)$/i;
/** Between a title and its block: groups of `WordSpec`. */
const WORD = /^(?:should|when)$/i;
/** One case for each row. */
const TABLE = 'withData';

interface TestBlock {
  readonly isCase: boolean;
  readonly title: string;
  readonly titleNode: SyntaxNode;
  readonly lambda: SyntaxNode;
}

/** Whether a file has blocks of tests at all. */
export function isSpecification(text: string): boolean {
  return SPECIFICATION.test(text);
}

/** Row of what a call declares when it is a block of tests; undefined for any other call. */
export function testBlockCall(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow | undefined {
  if (!walk.isSpecification || frame.owner === NONE) return undefined;
  const { file } = walk;
  const lambda = file.childOf(file.childOf(node, 'annotated_lambda'), 'lambda_literal');
  const head = file.reader.firstNamedChild(node);
  if (lambda === NO_NODE) return undefined;
  const block = blockBefore(walk, withoutConfiguration(file, head), lambda);
  return block === undefined ? undefined : declareBlock(walk, node, block, frame);
}

/** Row of `"a list" should { … }` or `"a list" - { … }`; undefined for any other operands. */
export function testBlockBetween(walk: Walk, node: SyntaxNode, operator: string, frame: Frame): ExpressionRow | undefined {
  if (!walk.isSpecification || frame.owner === NONE || !(operator === '-' || WORD.test(operator.replaceAll('`', '')))) return undefined;
  const { file } = walk;
  const titleNode = file.reader.firstNamedChild(node);
  const lambda = file.reader.lastNamedChild(node);
  if (!isTitle(file, titleNode) || !file.is(lambda, 'lambda_literal')) return undefined;
  return declareBlock(walk, node, { isCase: false, title: textOf(file, titleNode), titleNode, lambda }, frame);
}

/** `test("x").config(…)` and `"x".config(…)` begin like those without. */
function withoutConfiguration(file: KotlinFile, head: SyntaxNode): SyntaxNode {
  const chain = file.is(head, 'call_expression') ? file.reader.firstNamedChild(head) : NO_NODE;
  const isConfigured = file.is(chain, 'navigation_expression') && file.text(file.reader.lastNamedChild(chain)) === 'config';
  return isConfigured ? file.reader.firstNamedChild(chain) : head;
}

function blockBefore(walk: Walk, head: SyntaxNode, lambda: SyntaxNode): TestBlock | undefined {
  const { file } = walk;
  if (isTitle(file, head)) return { isCase: true, title: textOf(file, head), titleNode: head, lambda };
  const callee = file.is(head, 'call_expression') ? file.reader.firstNamedChild(head) : NO_NODE;
  if (!file.is(callee, 'identifier')) return undefined;
  const name = file.text(callee).replaceAll('`', '');
  if (name === TABLE) {
    const parameter = file.childOf(file.childOf(lambda, 'lambda_parameters'), 'variable_declaration');
    return { isCase: true, title: `\${${parameter === NO_NODE ? 'it' : file.text(parameter)}}`, titleNode: callee, lambda };
  }
  const isCase = CASE.test(name);
  const [titleNode] = argumentNodes(file, file.childOf(head, 'value_arguments'));
  if (!(isCase || GROUP.test(name)) || titleNode === undefined || !isTitle(file, titleNode)) return undefined;
  return { isCase, title: textOf(file, titleNode), titleNode, lambda };
}

function isTitle(file: KotlinFile, node: SyntaxNode): boolean {
  return file.is(node, 'string_literal', 'multiline_string_literal');
}

/** `!` in front of a title turns the case off, `f:` the others. */
function textOf(file: KotlinFile, node: SyntaxNode): string {
  return file
    .text(node)
    .replace(/^"+|"+$/g, '')
    .replace(/\\(["$\\])/g, '$1')
    .replace(/^(?:!|f:)/, '');
}

function declareBlock(walk: Walk, node: SyntaxNode, { isCase, lambda, title, titleNode }: TestBlock, frame: Frame): ExpressionRow {
  const { file } = walk;
  walk.value(titleNode, frame);
  const symbol = file.declare({
    node,
    nameNode: titleNode,
    name: file.builder.intern(testTitle(title)),
    kind: 'function',
    parent: frame.owner,
    modifiers: isCase ? MODIFIERS.test : 0,
    body: lambda,
  });
  return lambdaValue(walk, lambda, frame, symbol);
}

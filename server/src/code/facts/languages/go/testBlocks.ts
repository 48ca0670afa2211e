/**
 * Blocks of tests: `t.Run("reads names", func(t *testing.T) { … })` and, where a file imports Ginkgo, `Describe("a parser", func() { … })` and
 * `It("reads names", func() { … })` are symbols named by their titles, the cases among them tests. So is a suite, `RunSpecs(t, "Books")`.
 */
import { NONE, type SymbolRow } from '../../../../model/facts';
import { MODIFIERS } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { testTitle } from '../../walk/testTitle';
import type { Block, GoFile, Walk } from './walk';

/** In front of either, `F` runs only that block, `P` and `X` turn it off. */
const GROUP = /^[FPX]?(?:Describe|Context|When)$/;
const CASE = /^[FPX]?(?:It|Specify|DescribeTable)$/;
/** Runs all blocks of the package as one case of the test that calls it. */
const SUITE = 'RunSpecs';

export interface TestBlock {
  readonly isCase: boolean;
  readonly title: SyntaxNode;
  /** `NO_NODE` for a suite: its blocks stand elsewhere. */
  readonly body: SyntaxNode;
}

/** The block that a call with these arguments declares; undefined for any other call. */
export function testBlock(walk: Walk, callee: SyntaxNode, list: SyntaxNode, block: Block): TestBlock | undefined {
  const { file } = walk;
  const isMember = file.is(callee, 'selector_expression');
  const name = isMember ? file.text(file.child(callee, 'field')) : file.is(callee, 'identifier') ? file.text(callee) : '';
  const isRun = isMember && name === 'Run';
  const isSuite = file.hasGinkgo && name === SUITE && block.owner !== NONE;
  const isCase = isRun || (file.hasGinkgo && CASE.test(name));
  if (!isCase && !isSuite && !(file.hasGinkgo && GROUP.test(name))) return undefined;
  const given = file.children(list);
  const [title] = given;
  if (isSuite) return given[1] === undefined ? undefined : { isCase: true, title: given[1], body: NO_NODE };
  const body = given.find(argument => file.is(argument, 'func_literal'));
  if (title === undefined || title === body || body === undefined) return undefined;
  if (isRun && !(given[1] === body && isSubtest(file, body, block.owner))) return undefined;
  return { isCase: isCase && !(isRun && takes(file, body, BENCHMARK)), title, body };
}

/** What a block is handed, by its type. `go test` runs benchmarks only when asked. */
const TEST = /^\*testing\.[TBF]$/;
const BENCHMARK = /^\*testing\.B$/;

function takes(file: GoFile, body: SyntaxNode, type: RegExp): boolean {
  return file.children(file.child(body, 'parameters')).some(parameter => type.test(file.text(file.child(parameter, 'type'))));
}

/** A function that is handed a test, or stands in one: other things are run, too. */
function isSubtest(file: GoFile, body: SyntaxNode, owner: SymbolRow): boolean {
  const parameters = file.children(file.child(body, 'parameters'));
  if (parameters.length > 1 || file.child(body, 'result') !== NO_NODE) return false;
  if (takes(file, body, TEST)) return true;
  return owner !== NONE && ((file.builder.symbols.modifiers[owner] ?? 0) & MODIFIERS.test) !== 0;
}

/** The symbol of a block. */
export function declareTestBlock(walk: Walk, call: SyntaxNode, { isCase, title, body }: TestBlock, block: Block): SymbolRow {
  const { file } = walk;
  return file.declare({
    node: call,
    nameNode: title,
    name: file.builder.intern(testTitle(titleText(file, title))),
    kind: 'function',
    parent: block.owner,
    modifiers: isCase ? MODIFIERS.test : 0,
    body: file.child(body, 'body'),
  });
}

/** What a title says: texts as they are, formats with their verbs, values as in a template, `${name}`. */
function titleText(file: GoFile, title: SyntaxNode): string {
  const text = file.text(title);
  if (file.is(title, 'raw_string_literal')) return text.slice(1, -1);
  if (file.is(title, 'interpreted_string_literal')) return text.slice(1, -1).replace(/\\(["\\])/g, '$1');
  if (file.is(title, 'binary_expression')) return titleText(file, file.child(title, 'left')) + titleText(file, file.child(title, 'right'));
  const [format] = file.is(title, 'call_expression') ? file.children(file.child(title, 'arguments')) : [];
  const isFormat = format !== undefined && file.text(file.child(title, 'function')) === 'fmt.Sprintf' && !file.is(format, 'call_expression');
  return isFormat ? titleText(file, format) : `\${${text}}`;
}

import { type BindingRow, type ExpressionRow, type FunctionRow, NONE, type SymbolRow } from '../../../../model/facts';
import { MODIFIERS } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../parse/syntaxTable';
import { type FunctionBody, type OpenFunction, openFunction, typePlace } from '../../walk/frames';
import { bindVariables } from './control';
import type { KotlinFile } from './grammar';
import { addType, typeBehind } from './types';
import { type Frame, type Walk } from './walk';

/** Bindings of the parameters in order; a default value stands behind its parameter; `vararg` makes an array. */
export function addParameters(walk: Walk, list: SyntaxNode, open: OpenFunction, frame: Frame): void {
  const { file } = walk;
  const rows: BindingRow[] = [];
  const place = typePlace({ ...frame, scope: open.scope });
  const children = file.children(list);
  children.forEach((parameter, index) => {
    if (!file.is(parameter, 'parameter', 'class_parameter')) return;
    const before = children[index - 1];
    const modifiers = file.is(parameter, 'class_parameter')
      ? file.text(file.childOf(parameter, 'modifiers'))
      : before !== undefined && file.is(before, 'parameter_modifiers')
        ? file.text(before)
        : '';
    const isVariadic = /\bvararg\b/.test(modifiers);
    const nameNode = file.childOf(parameter, 'identifier');
    const item = addType(file, typeBehind(file, parameter), place);
    const type = isVariadic ? file.row('arrayType', item) : item;
    const after = children[index + 1];
    const preset = file.is(parameter, 'class_parameter')
      ? presetOf(file, parameter)
      : after !== undefined && !file.is(after, 'parameter', 'parameter_modifiers')
        ? after
        : NO_NODE;
    const value = preset === NO_NODE ? NONE : walk.value(preset, { ...frame, scope: open.scope });
    if (isVariadic) markVariadic(file, open.row);
    rows.push(addParameter(walk, nameNode, type, value, open, rows.length));
  });
  file.builder.setParameters(open.row, rows);
}

/** Default value of a parameter of a primary constructor. */
function presetOf(file: KotlinFile, parameter: SyntaxNode): SyntaxNode {
  const type = typeBehind(file, parameter);
  return file.children(parameter).find(child => child > type && type !== NO_NODE) ?? NO_NODE;
}

export function addParameter(walk: Walk, nameNode: SyntaxNode, type: ExpressionRow, value: ExpressionRow, open: OpenFunction, position: number): BindingRow {
  const { file } = walk;
  if (nameNode === NO_NODE) return NONE;
  const name = file.word(nameNode);
  walk.locals.add(name);
  return file.builder.addBinding({ scope: open.scope, name, kind: 'parameter', type, value, function: open.row, position });
}

function markVariadic(file: KotlinFile, row: FunctionRow): void {
  const symbol = file.builder.functions.symbol[row] ?? NONE;
  if (symbol !== NONE) file.builder.set('symbols', 'modifiers', symbol, (file.builder.symbols.modifiers[symbol] ?? 0) | MODIFIERS.variadic);
}

/** Runs `{ … }` or `= value`. */
export function runBody(walk: Walk, node: SyntaxNode, open: OpenFunction, symbol: SymbolRow, frame: Frame): void {
  const { file } = walk;
  const body: FunctionBody = { row: open.row, returns: [], decisions: { count: 0 } };
  const inside: Frame = { ...frame, scope: open.scope, owner: symbol, body };
  const code = file.reader.firstNamedChild(node);
  if (node !== NO_NODE && file.is(node, 'block')) walk.run(node, inside);
  else if (node !== NO_NODE && file.is(code, 'block')) walk.run(code, inside);
  else if (node !== NO_NODE) body.returns.push(walk.value(code, inside));
  file.builder.setReturns(
    open.row,
    body.returns.filter(row => row !== NONE),
  );
  if (symbol !== NONE) file.builder.set('symbols', 'complexity', symbol, body.decisions.count + 1);
}

/** `{ a, (b, c) -> … }`, the body of a symbol or of none; without parameters the one it may have is `it`. What it gives is its last statement. */
export function lambdaValue(walk: Walk, node: SyntaxNode, frame: Frame, symbol: SymbolRow = NONE): ExpressionRow {
  const { file } = walk;
  const open = openFunction(file, frame.scope, symbol);
  const decisions = symbol === NONE && frame.body !== undefined ? frame.body.decisions : { count: 0 };
  const body: FunctionBody = { row: open.row, returns: [], decisions };
  const inside: Frame = { ...frame, scope: open.scope, body, owner: symbol === NONE ? frame.owner : symbol };
  const list = file.childOf(node, 'lambda_parameters');
  const rows: BindingRow[] = [];
  for (const parameter of file.children(list)) {
    if (file.is(parameter, 'variable_declaration')) {
      const type = addType(file, typeBehind(file, parameter), typePlace(inside));
      rows.push(addParameter(walk, file.childOf(parameter, 'identifier'), type, NONE, open, rows.length));
    } else {
      const name = file.builder.intern(`<${rows.length}>`);
      rows.push(file.builder.addBinding({ scope: open.scope, name, kind: 'parameter', function: open.row, position: rows.length }));
      bindVariables(walk, parameter, file.row('name', open.scope, NONE, name), inside, open.scope);
    }
  }
  if (list === NO_NODE && usesIt(file, node)) {
    rows.push(file.builder.addBinding({ scope: open.scope, name: file.builder.intern('it'), kind: 'parameter', function: open.row, position: 0 }));
  }
  file.builder.setParameters(open.row, rows);
  const { last } = walk.run(node, inside);
  file.builder.setReturns(
    open.row,
    [...body.returns, last].filter(row => row !== NONE),
  );
  if (symbol !== NONE) file.builder.set('symbols', 'complexity', symbol, decisions.count + 1);
  return file.row('function', open.row);
}

/** Functions whose lambda has no parameter: `it` inside is that of the lambda around. */
const WITHOUT_PARAMETER =
  /^(?:run|apply|with|lazy|buildString|buildList|buildMap|synchronized|repeat|runBlocking|launch|async|withContext|runCatching|getOrPut|ifEmpty|measureTimeMillis|thread|assertThrows|assertFailsWith|coroutineScope|remember)$/;

function usesIt(file: KotlinFile, node: SyntaxNode): boolean {
  const lambda = file.reader.parent(node);
  const call = file.is(lambda, 'annotated_lambda') ? file.reader.parent(lambda) : NO_NODE;
  let callee = call === NO_NODE ? NO_NODE : file.reader.firstNamedChild(call);
  if (file.is(callee, 'call_expression')) callee = file.reader.firstNamedChild(callee);
  if (file.is(callee, 'navigation_expression')) callee = file.reader.lastNamedChild(callee);
  if (callee !== NO_NODE && WITHOUT_PARAMETER.test(file.text(callee))) return false;
  const end = file.reader.after(node);
  for (let at = syntaxNode(node + 1); at < end; at++) if (file.is(at, 'identifier') && file.reader.length(at) === 2 && file.text(at) === 'it') return true;
  return false;
}

/** `fun(x: A): B { … }` */
export function functionValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const open = openFunction(file, frame.scope, NONE);
  const list = file.childOf(node, 'function_value_parameters');
  addParameters(walk, list, open, frame);
  file.builder.set('functions', 'returnType', open.row, addType(file, typeBehind(file, node, list), typePlace(frame)));
  runBody(walk, file.childOf(node, 'function_body'), open, NONE, { ...frame });
  return file.row('function', open.row);
}

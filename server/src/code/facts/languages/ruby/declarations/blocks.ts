import { type ExpressionRow, type FunctionRow, NONE, type SymbolRow } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { openFunction } from '../../../walk/frames';
import type { YardForm } from '../docs/yardForm';
import { type Body, type Frame, Locals, methodBodyOf, type Walk } from '../walk';
import { bindParameters } from './parameters';

const NO_TYPES: ReadonlyMap<string, YardForm> = new Map();

export interface BlockPlace {
  /** Symbol that the block is the body of, or `NONE`. */
  readonly symbol?: SymbolRow;
  /** Name of the method that the block is the body of, when it is one. */
  readonly method?: string;
  /** The block is a group of examples, with fields of its own. */
  readonly isGroup?: boolean;
  /** The block runs in the body of the class around. */
  readonly isClassLevel?: boolean;
}

/** Row of `functions` of a block or lambda. */
export function blockRow(walk: Walk, node: SyntaxNode, frame: Frame, place: BlockPlace = {}): FunctionRow {
  const { file } = walk;
  const { builder } = file;
  const symbol = place.symbol ?? NONE;
  const { row, scope } = openFunction(file, frame.scope, symbol);
  const decisions = symbol === NONE && frame.body !== undefined ? frame.body.decisions : { count: 0 };
  const methodBody = place.method === undefined && frame.body !== undefined && methodBodyOf(frame)?.method !== '' ? methodBodyOf(frame) : undefined;
  const body: Body = { row, method: place.method ?? '', returns: [], yields: [], decisions, methodBody };
  const parameters = file.child(node, 'parameters');
  const inside: Frame = {
    ...frame,
    scope,
    home: scope,
    owner: symbol === NONE ? frame.owner : symbol,
    body,
    locals: new Locals(frame.locals),
    isClassLevel: frame.isClassLevel && place.isClassLevel === true,
    fields: place.isGroup === true ? scope : frame.fields,
    implicitBlock: parameters === NO_NODE ? row : NONE,
  };
  if (parameters !== NO_NODE) bindParameters(walk, parameters, NO_TYPES, inside);
  const content = file.child(node, 'body');
  if (content !== NO_NODE) body.returns.push(file.is(content, 'block', 'do_block') ? lambdaBody(walk, content, inside) : walk.run(content, inside));
  builder.setReturns(row, body.returns);
  if (symbol !== NONE) builder.set('symbols', 'complexity', symbol, decisions.count + 1);
  return row;
}

/** `->(x) { … }` holds its body in a block of its own. */
function lambdaBody(walk: Walk, block: SyntaxNode, frame: Frame): ExpressionRow {
  const body = walk.file.child(block, 'body');
  return body === NO_NODE ? walk.file.literal('null') : walk.run(body, frame);
}

/** `it` and `_1` in a block without parameters: bound when first read. */
export function implicitParameter(walk: Walk, text: string, frame: Frame): boolean {
  const position = text === 'it' ? 0 : Number(text.slice(1)) - 1;
  if (frame.implicitBlock === NONE) return false;
  const { builder } = walk.file;
  const scope = builder.functions.scope[frame.implicitBlock] ?? frame.home;
  builder.addBinding({ scope, name: builder.intern(text), kind: 'parameter', function: frame.implicitBlock, position });
  frame.locals.own(text, scope);
  return true;
}

/** `&:name`: a function of one argument that calls `name` on it. */
export function symbolProc(walk: Walk, name: string, at: number, frame: Frame): ExpressionRow {
  const { file } = walk;
  const { builder } = file;
  const scope = builder.addScope('function', frame.scope);
  const row = builder.addFunction({ symbol: NONE, scope });
  builder.set('scopes', 'function', scope, row);
  const parameter = builder.intern('(it)');
  builder.setParameters(row, [builder.addBinding({ scope, name: parameter, kind: 'parameter', function: row, position: 0 })]);
  const word = builder.intern(name);
  const call = file.row('call', file.row('member', file.row('name', scope, NONE, parameter), NONE, word));
  file.use('call', call, frame.owner, word, at);
  builder.setReturns(row, [call]);
  return file.row('function', row);
}

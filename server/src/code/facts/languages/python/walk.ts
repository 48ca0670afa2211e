import { type ExpressionRow, NO_TEXT, NONE, type ScopeRow, type StringIndex, type SymbolRow } from '../../../../model/facts';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { GeneratorBody } from '../../walk/frames';
import type { FileContext } from './fileContext';
import type { FieldName, KindName } from './grammar';

/** What the statements of one function body share. */
export interface Body extends GeneratorBody {
  /** Where names declared `global` or `nonlocal` bind instead. */
  readonly elsewhere: Map<string, ScopeRow>;
  readonly parent: Frame;
}

/** What the members of one class share. */
export interface ClassBody {
  readonly symbol: SymbolRow;
  readonly scope: ScopeRow;
  readonly isEnum: boolean;
  /** Symbol of each attribute, method and field by name. */
  readonly members: Map<string, SymbolRow>;
  /** Syntax node of the `self.x` that defines field `x`. */
  readonly definers: ReadonlyMap<string, number>;
}

/** Where a piece of code stands. Replaced, never changed: a guard gives the statements after it a frame of their own. */
export interface Frame {
  /** Scope that names are looked up in. */
  readonly scope: ScopeRow;
  /** Scope that assignments bind in. */
  readonly home: ScopeRow;
  readonly kind: 'module' | 'class' | 'function';
  /** Innermost enclosing symbol, or `NONE`. */
  readonly owner: SymbolRow;
  readonly body: Body | undefined;
  /** The class whose body this is, or whose method. */
  readonly class: ClassBody | undefined;
  /** Name of the parameter that holds the instance or the class. */
  readonly selfName: string;
  /** Interned names that an enclosing guard has narrowed, and the block scope it did so in. */
  readonly narrowed: ReadonlyMap<number, ScopeRow>;
  /** Symbols of names assigned in `home`, for module and class level. */
  readonly declared: Map<string, SymbolRow>;
  /** Inside `if TYPE_CHECKING`. */
  readonly typeOnly: boolean;
}

export function moduleFrame(scope: ScopeRow): Frame {
  return {
    scope,
    home: scope,
    kind: 'module',
    owner: NONE,
    body: undefined,
    class: undefined,
    selfName: '',
    narrowed: new Map(),
    declared: new Map(),
    typeOnly: false,
  };
}

/** What the parts of the extractor ask of each other; one per file. */
export interface Walk {
  readonly file: FileContext;
  /** Expression row of a node; writes the uses inside it. */
  value(node: SyntaxNode, frame: Frame): ExpressionRow;
  /** The same without a read of the outermost name: for what is called, raised, caught or decorated with. */
  quiet(node: SyntaxNode, frame: Frame): ExpressionRow;
  /** Runs the statements of a block; the frame after them. */
  run(block: SyntaxNode, frame: Frame): Frame;
  /** Binds a target (name, attribute, subscript, pattern) to a value. `statement` is what declares it, for its range. */
  bind(target: SyntaxNode, value: ExpressionRow, frame: Frame, statement: Declaration): Frame;
  /** Row of a lambda; `symbol` is the function symbol it is bound to, or `NONE`. */
  lambda(node: SyntaxNode, frame: Frame, symbol: SymbolRow): ExpressionRow;
}

/** How a name comes to be bound. */
export interface Declaration {
  /** Statement that the new symbol's range is taken from. */
  readonly node: SyntaxNode;
  /** Row of the declared type, or `NONE`. */
  readonly type: ExpressionRow;
  /** Loop variables, `with` targets and the like make no symbols. */
  readonly makesSymbol: boolean;
}

export type ValueHandler = (walk: Walk, node: SyntaxNode, frame: Frame) => ExpressionRow;
export type StatementHandler = (walk: Walk, node: SyntaxNode, frame: Frame) => Frame | undefined;

/** Last name of a callee or base (`c` of `a.b.c`) and where it stands. */
export function lastName(file: FileContext, node: SyntaxNode): { readonly name: StringIndex; readonly at: number } {
  const fields: Partial<Record<KindName, FieldName>> = { attribute: 'attribute', call: 'function', subscript: 'value' };
  for (let at = node, steps = 0; steps < 50; steps++) {
    if (file.is(at, 'identifier')) return { name: file.word(at), at: file.reader.start(at) };
    const step = (Object.entries(fields) as [KindName, FieldName][]).find(([kind]) => file.is(at, kind));
    if (step !== undefined) at = file.child(at, step[1]);
    else if (file.is(at, 'parenthesized_expression') || file.is(at, 'await')) at = file.reader.firstNamedChild(at);
    else break;
  }
  return { name: NO_TEXT, at: file.reader.start(node) };
}

import { type ExpressionRow, NONE, type ScopeRow, type SymbolRow } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../parse/syntaxTable';
import { FileWalk } from '../../walk/fileWalk';
import type { GeneratorBody } from '../../walk/frames';
import type { FieldName, KindName } from './grammar';

/** `this` and `base` are expressions though the grammar counts them among the tokens. */
export class CsharpFile extends FileWalk<KindName, FieldName> {
  override children(node: SyntaxNode): SyntaxNode[] {
    const found: SyntaxNode[] = [];
    if (node === NO_NODE) return found;
    const end = this.reader.after(node);
    for (let child = syntaxNode(node + 1); child < end; child = this.reader.after(child)) if (this.isPart(child)) found.push(child);
    return found;
  }

  /** First child that is a part of the program, `NO_NODE` for none. */
  first(node: SyntaxNode): SyntaxNode {
    if (node === NO_NODE) return NO_NODE;
    const end = this.reader.after(node);
    for (let child = syntaxNode(node + 1); child < end; child = this.reader.after(child)) if (this.isPart(child)) return child;
    return NO_NODE;
  }

  last(node: SyntaxNode): SyntaxNode {
    let last = NO_NODE;
    if (node === NO_NODE) return last;
    const end = this.reader.after(node);
    for (let child = syntaxNode(node + 1); child < end; child = this.reader.after(child)) if (this.isPart(child)) last = child;
    return last;
  }

  /** True for what is a part of the program. */
  isPart(node: SyntaxNode): boolean {
    const kind = this.reader.kind(node);
    if (!this.reader.isNamed(node)) return kind === this.grammar.kind.this || kind === this.grammar.kind.base;
    return !this.grammar.comments.has(kind);
  }
}

/** What the statements of one function body share. */
export interface Body extends GeneratorBody {
  /** Syntax of the declared return type, for `return new()`; `NO_NODE` when there is none. */
  readonly returnType: SyntaxNode;
}

/** Where a piece of code stands. Replaced, never changed. */
export interface Frame {
  /** Scope that names are looked up and bound in. */
  readonly scope: ScopeRow;
  /** Innermost enclosing symbol, or `NONE`. */
  readonly owner: SymbolRow;
  readonly body: Body | undefined;
  /** Symbol of the type whose members are declared here, or `NONE` in a namespace and in bodies. */
  readonly type: SymbolRow;
  /** Namespace around, in full. */
  readonly namespace: string;
}

export interface Tokens {
  readonly global: number;
  readonly static: number;
  readonly struct: number;
  readonly await: number;
  readonly using: number;
  readonly assign: number;
  readonly nullForgiving: number;
}

/** What the parts of the extractor ask of each other; one per file. */
export interface Walk {
  readonly file: CsharpFile;
  readonly token: Tokens;
  /** Block scope of top-level statements, made when the first is met. */
  programScope: ScopeRow;
  /** Expression row of a node; writes the uses inside it. `expected` is the syntax of the type its place asks for. */
  value(node: SyntaxNode, frame: Frame, expected?: SyntaxNode): ExpressionRow;
  /** The same without a read of the outermost name: for what is called, made or attached. */
  quiet(node: SyntaxNode, frame: Frame): ExpressionRow;
  /** Runs the declarations or statements inside a node. */
  run(node: SyntaxNode, frame: Frame): void;
  /** Runs one declaration or statement. */
  statement(node: SyntaxNode, frame: Frame): void;
}

export type ValueHandler = (walk: Walk, node: SyntaxNode, frame: Frame, expected: SyntaxNode) => ExpressionRow;
export type StatementHandler = (walk: Walk, node: SyntaxNode, frame: Frame) => void;

export function fileFrame(scope: ScopeRow): Frame {
  return { scope, owner: NONE, body: undefined, type: NONE, namespace: '' };
}

/** Where the signature of a declaration begins: behind its attributes. */
export function signatureStart(file: CsharpFile, node: SyntaxNode): number {
  const { reader } = file;
  const end = reader.after(node);
  for (let child = syntaxNode(node + 1); child < end; child = reader.after(child)) if (!file.is(child, 'attribute_list', 'comment')) return reader.start(child);
  return reader.start(node);
}

/** The identifier of a plain or generic name. */
export function identifierOf(file: CsharpFile, node: SyntaxNode): SyntaxNode {
  return file.is(node, 'generic_name') ? file.first(node) : node;
}

/** Where the last name of a type, callee or value stands (`c` in `a.b.c<T>()`), `NO_NODE` when it ends in something else. */
export function lastNameNode(file: CsharpFile, node: SyntaxNode): SyntaxNode {
  const { kind } = file.grammar;
  for (let at = node, steps = 0; at !== NO_NODE && steps < 100; steps++) {
    switch (file.reader.kind(at)) {
      case kind.identifier:
      case kind.predefined_type:
      case kind.this:
      case kind.base:
        return at;
      case kind.generic_name:
      case kind.parenthesized_expression:
      case kind.await_expression:
      case kind.postfix_unary_expression:
      case kind.prefix_unary_expression:
        at = file.first(at);
        break;
      case kind.qualified_name:
      case kind.alias_qualified_name:
      case kind.member_access_expression:
      case kind.member_binding_expression:
        at = file.child(at, 'name');
        break;
      case kind.conditional_access_expression:
        at = file.last(at);
        break;
      case kind.invocation_expression:
        at = file.child(at, 'function');
        break;
      case kind.object_creation_expression:
      case kind.nullable_type:
      case kind.array_type:
      case kind.pointer_type:
      case kind.ref_type:
      case kind.scoped_type:
        at = file.child(at, 'type');
        break;
      case kind.cast_expression:
        at = file.child(at, 'value');
        break;
      case kind.as_expression:
        at = file.child(at, 'left');
        break;
      default:
        return NO_NODE;
    }
  }
  return NO_NODE;
}

/** Type of the elements that a written collection type asks for: the argument of a generic, what an array is of. */
export function elementType(file: CsharpFile, expected: SyntaxNode): SyntaxNode {
  if (file.is(expected, 'array_type', 'nullable_type')) {
    const inner = file.child(expected, 'type');
    return file.is(expected, 'array_type') ? inner : elementType(file, inner);
  }
  return file.is(expected, 'generic_name') ? (file.children(file.childOf(expected, 'type_argument_list')).at(-1) ?? NO_NODE) : NO_NODE;
}

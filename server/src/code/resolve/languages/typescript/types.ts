/** Types that the compiler knows by name, and what interfaces with call signatures are when called. */
import { type ExpressionRow, NONE } from '../../../../model/facts';
import { symbolKindCode } from '../../../../model/nodes';
import { AS_TYPE, type Evaluator, type Mode } from '../../evaluate/evaluator';
import { instancesOf, receiverSubstitution, returnOf } from '../../evaluate/generics';
import { awaited } from '../../evaluate/imports';
import type { FileState } from '../../fileState';
import { NOTHING, SET_EXTERNAL, SET_UNKNOWN, type Value, type ValueSet } from '../../values';
import { JAVASCRIPT_ALIASES, JAVASCRIPT_GLOBALS, javascriptBuiltins, SAME_AS_ARGUMENT } from './builtins';

const ANYTHING: ReadonlySet<string> = new Set(['any', 'unknown', 'object']);

/** A name that the project does not declare: what is said of values holds for types with few exceptions, and every other type comes from outside. */
export function outsideName(ev: Evaluator, text: string, mode: Mode): ValueSet | undefined {
  if (mode !== AS_TYPE) return text === 'undefined' ? ev.builtin('typescript.undefined') : undefined;
  if (ANYTHING.has(text)) return SET_UNKNOWN;
  if (javascriptBuiltins.has(JAVASCRIPT_ALIASES[text] ?? text)) return undefined;
  if (SAME_AS_ARGUMENT.has(text) || JAVASCRIPT_GLOBALS.has(text)) return ev.values.single(ev.values.external(ev.nameOf(text)));
  return text === 'never' ? NOTHING : SET_EXTERNAL;
}

/** `Partial<T>`, `Awaited<T>`, … */
export function appliedOutside(ev: Evaluator, file: FileState, name: string, items: readonly ExpressionRow[]): ValueSet | undefined {
  const [first] = items;
  if (first === undefined) return undefined;
  if (SAME_AS_ARGUMENT.has(name)) return ev.typeOf(file, first);
  if (name === 'Awaited') return awaited(ev, ev.typeOf(file, first));
  if (name === 'ReturnType') return ev.values.members(ev.typeOf(file, first)).reduce((set, value) => ev.values.union(set, returnOf(ev, value)), NOTHING);
  return name === 'InstanceType' ? instancesOf(ev, ev.typeOf(file, first)) : undefined;
}

/** Function types that an interface with call or construct signatures stands for. */
export function callSignature(ev: Evaluator, value: Value): ValueSet {
  const node = ev.values.node(value);
  const file = ev.project.ownerOf(node);
  if (file === undefined) return NOTHING;
  const { symbols } = file.facts;
  const row = ev.project.rowOf(node);
  const type = symbols.kind[row] === symbolKindCode.interface ? (symbols.type[row] ?? NONE) : NONE;
  return type === NONE ? NOTHING : receiverSubstitution(ev, node, value, ev.typeOf(file, type));
}

import { NONE, operatorCode } from '../../../model/facts';
import { symbolKindCode } from '../../../model/nodes';
import type { FileState } from '../fileState';
import { VALUE } from '../values';
import type { Evaluator } from './evaluator';
import { declarationsOf } from './hierarchy';
import { exportedBinding, importedBinding } from './imports';

const kinds = symbolKindCode;

/** A symbol row of a file. */
export interface DeclaredSymbol {
  readonly file: FileState;
  readonly row: number;
}

/** Type alias symbol that a name means, through imports. */
export function aliasOf(ev: Evaluator, file: FileState, row: number): DeclaredSymbol | undefined {
  const { expressions, bindings, symbols } = file.facts;
  if (expressions.operator[row] === operatorCode.generic) return aliasOf(ev, file, expressions.a[row] ?? NONE);
  if (expressions.operator[row] === operatorCode.member) return aliasMember(ev, file, row);
  if (expressions.operator[row] !== operatorCode.name) return undefined;
  let at = file;
  let found = ev.lookup(file, expressions.a[row] ?? NONE, file.name(expressions.text[row] ?? 0));
  for (let hops = 0; hops < 8 && found !== NONE; hops++) {
    const table = at === file ? bindings : at.facts.bindings;
    const symbol = table.symbol[found] ?? NONE;
    if (symbol !== NONE) return (at === file ? symbols : at.facts.symbols).kind[symbol] === kinds.type ? { file: at, row: symbol } : undefined;
    const next = importedBinding(ev, at, table.import[found] ?? NONE);
    if (next === undefined) return undefined;
    at = next.file;
    found = next.binding;
  }
  return undefined;
}

/** `Namespace.Alias`. */
function aliasMember(ev: Evaluator, file: FileState, row: number): DeclaredSymbol | undefined {
  const { expressions } = file.facts;
  const name = file.name(expressions.text[row] ?? 0);
  for (const value of ev.values.members(ev.valueOf(file, expressions.a[row] ?? NONE))) {
    const kind = ev.values.kindOf(value);
    const owner = kind === VALUE.namespace || kind === VALUE.function || kind === VALUE.class ? ev.project.ownerOf(ev.values.a(value)) : undefined;
    const found =
      owner === undefined
        ? kind === VALUE.module
          ? exportedSymbols(ev, ev.values.a(value), name)
          : []
        : declarationsOf(owner, ev.project.rowOf(ev.values.a(value))).flatMap(declaration =>
            owner.membersNamed(declaration, name).map(member => ({ file: owner, row: member })),
          );
    const alias = found.find(symbol => symbol.file.facts.symbols.kind[symbol.row] === kinds.type);
    if (alias !== undefined) return alias;
  }
  return undefined;
}

/** Symbols that an import row stands for, before their values. */
export function importedSymbols(ev: Evaluator, file: FileState, row: number): readonly DeclaredSymbol[] {
  let target = importedBinding(ev, file, row);
  for (let hops = 0; hops < 8 && target !== undefined; hops++) {
    const { bindings } = target.file.facts;
    const symbol = bindings.symbol[target.binding] ?? NONE;
    if (symbol !== NONE) return [{ file: target.file, row: symbol }];
    target = importedBinding(ev, target.file, bindings.import[target.binding] ?? NONE);
  }
  return [];
}

export function exportedSymbols(ev: Evaluator, fileId: number, name: number): readonly DeclaredSymbol[] {
  const file = ev.project.file(fileId);
  const found = file === undefined ? undefined : exportedBinding(ev, file, name, 0);
  if (found === undefined) return [];
  const symbol = found.file.facts.bindings.symbol[found.binding] ?? NONE;
  if (symbol !== NONE) return [{ file: found.file, row: symbol }];
  return importedSymbols(ev, found.file, found.file.facts.bindings.import[found.binding] ?? NONE);
}

export function namespaceSymbols(ev: Evaluator, node: number, name: number): readonly DeclaredSymbol[] {
  const file = ev.project.ownerOf(node);
  return file === undefined ? [] : file.membersNamed(ev.project.rowOf(node), name).map(row => ({ file, row }));
}

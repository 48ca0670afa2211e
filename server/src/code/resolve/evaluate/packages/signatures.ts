import { type FileFacts, type FunctionRow, NONE } from '../../../../model/facts';

/**
 * Rows of the declared signatures of an overloaded function, in order: those before its implementation, or all where there is none.
 * They stand beside each other, the implementation last. Empty for a function that is declared once.
 */
export function signaturesBeside(facts: FileFacts, functionRow: FunctionRow): readonly FunctionRow[] {
  const { symbol, returnType } = facts.functions;
  const owner = symbol[functionRow] ?? NONE;
  if (owner === NONE || (symbol[functionRow - 1] !== owner && symbol[functionRow + 1] !== owner)) return [];
  let first = functionRow;
  while (first > 0 && symbol[first - 1] === owner) first--;
  let end = functionRow;
  if (first === functionRow) while (symbol[end] === owner) end++;
  const rows: FunctionRow[] = [];
  for (let row = first; row < end; row++) if ((returnType[row] ?? NONE) !== NONE) rows.push(row);
  return rows;
}

import type { SyntaxTable } from './syntaxTable';

/**
 * Snippets that the heap reader must read exactly as the cursor does before it is trusted with a grammar: fields through hidden nodes,
 * aliases, extras at the edges, missing and error nodes, long and wide tokens, long lists.
 */
export const SELF_CHECK_SNIPPETS: readonly string[] = [
  '',
  'class A(B):\n  # note é\n  @dec\n  def f(self, x: int = 1, *a, **k) -> str:\n    return f"a{x!r}b" if x else [y for y in a]\n\nx = y = lambda: 0\n',
  `/** doc */ export class A<T> extends B implements C { static #x?: number = 1; async *f({ a, b: [c] }, ...d) { for (const e of d) await e?.f(\`x\${a}\`); } }
import a, { b as c } from 'd'; export { a as default }; if (x) { y } else z; <T,>(x) => x; type = /r/g;\n`,
  `f(${'a, '.repeat(300)}"${'long '.repeat(80)}");\n${'\n'.repeat(40)}x = (1;\n } def class ( [ \n`,
];

const COLUMNS = ['kind', 'field', 'start', 'end', 'parent', 'next', 'flags'] as const;

/** Says where two tables of one text first differ; `undefined` when they are equal. */
export function tableDifference(a: SyntaxTable, b: SyntaxTable): string | undefined {
  if (a.count !== b.count) return `${a.count} nodes against ${b.count}`;
  for (const column of COLUMNS) {
    for (let i = 0; i < a.count; i++) if (a[column][i] !== b[column][i]) return `node ${i}: ${column} ${a[column][i]} against ${b[column][i]}`;
  }
  return undefined;
}

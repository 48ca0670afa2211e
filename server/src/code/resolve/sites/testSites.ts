import { NONE, type SymbolRow } from '../../../model/facts';
import type { NodeHandle } from '../../../model/ids';
import { MODIFIERS } from '../../../model/nodes';
import { relationCode } from '../../../model/relations';
import type { FileState } from '../fileState';
import type { SiteContext } from './siteContext';
import type { Candidate } from './siteWriter';

/** True for a symbol that is a test or stands in one, in a file that is no test itself (Rust's `#[test]`). */
export function isInTest(file: FileState, row: SymbolRow, node: NodeHandle): boolean {
  const { symbols } = file.facts;
  if (file.symbolNodes[row] !== node) return false;
  for (let at = row; at !== NONE; at = symbols.parent[at] ?? NONE) if (((symbols.modifiers[at] ?? 0) & MODIFIERS.test) !== 0) return true;
  return false;
}

/** What a test calls that is no test itself, it tests. */
export function writeTests(
  context: SiteContext,
  site: { from: NodeHandle; line: number; column: number; length: number },
  candidates: readonly Candidate[],
): void {
  const { ev, writer } = context;
  const subjects = candidates.filter(candidate => {
    const owner = ev.project.ownerOf(candidate.node);
    return owner?.isTest === false && !isInTest(owner, ev.project.rowOf(candidate.node), candidate.node);
  });
  writer.add(relationCode.TESTS, site.from, site.line, site.column, site.length, subjects);
}

import type { GraphView } from '../../code/graph/graphView';
import { type NodeHandle } from '../../model/ids';
import { relationCode } from '../../model/relations';
import type { Workspace } from '../../workspace/snapshot';
import type { Link } from './codeMap';
import type { Breach } from './judge';

/** Imports looked at for whether they carry types only; beyond that all count. */
const MAX_FILES = 500;

/** Of the imports behind some breaches, those that are gone when the program runs: `import type`, or under `TYPE_CHECKING`. */
export async function typeOnlyImports(workspace: Workspace, graph: GraphView, breaches: readonly Breach[]): Promise<ReadonlySet<string>> {
  const links = breaches.flatMap(({ cycle, source, target, relation }): Link[] => {
    if (cycle !== undefined) return cycle.links.filter(link => link.relation === relationCode.IMPORTS);
    const sourceFile = graph.fileNodeOf(source);
    if (relation !== 'IMPORTS' || target === undefined || sourceFile === undefined) return [];
    return [{ source, target, relation: relationCode.IMPORTS, sourceFile, targetFile: graph.fileNodeOf(target) }];
  });
  const byFile = new Map<NodeHandle, Link[]>();
  for (const link of links) byFile.set(link.sourceFile, [...(byFile.get(link.sourceFile) ?? []), link]);
  const found = new Set<string>();
  for (const [file, own] of [...byFile].slice(0, MAX_FILES)) {
    const text = await workspace.readText(graph.idOf(file));
    if (!text.ok) continue;
    const lines = text.value.split('\n');
    for (const link of own) {
      const places = graph.edge(link.source, 'IMPORTS', link.target)?.lines ?? [];
      if (places.length > 0 && places.every(line => isTypeOnly(lines, line - 1))) found.add(keyOf(link));
    }
  }
  return found;
}

export function keyOf({ source, target, relation }: Link): string {
  return `${source} ${relation} ${target}`;
}

/** Lines of one import statement that are looked through. */
const LONGEST_STATEMENT = 60;

/** Whether the import statement around a line (0-based) names types only. */
export function isTypeOnly(lines: readonly string[], at: number): boolean {
  if (isUnderTypeChecking(lines, at)) return true;
  let first = at;
  while (first > 0 && at - first < LONGEST_STATEMENT && !/^\s*(?:import|export)\b/.test(lines[first] ?? '')) first--;
  const statement = lines.slice(first, first + LONGEST_STATEMENT).join('\n');
  const head = /^\s*(?:import|export)\s+(?<type>type\s+(?!from\b|,))?(?<rest>[\s\S]*?)\bfrom\b/.exec(statement);
  if (head === null) return false;
  if (head.groups?.['type'] !== undefined) return true;
  const names = /^\{(?<names>[^}]*)\}\s*$/.exec(head.groups?.['rest'] ?? '')?.groups?.['names'];
  const parts = (names ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '');
  return parts.length > 0 && parts.every(name => name.startsWith('type '));
}

/** Python: an import inside `if TYPE_CHECKING:`. */
function isUnderTypeChecking(lines: readonly string[], at: number): boolean {
  const indent = (line: string): number => line.length - line.trimStart().length;
  const own = indent(lines[at] ?? '');
  if (own === 0) return false;
  for (let above = at - 1; above >= 0; above--) {
    const line = lines[above] ?? '';
    if (line.trim() === '' || indent(line) >= own) continue;
    return /^\s*if\s+(?:typing\.)?TYPE_CHECKING\s*:/.test(line);
  }
  return false;
}

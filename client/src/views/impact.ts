import type { Uri } from 'vscode';
import { dataOf, graphItem, type ImpactItem, numberOf, rowsOf, textOf } from '../answers';
import type { Target } from '../commands/symbolSearch';
import type { LatticeServer } from '../languageClient/latticeServer';

/** What depends on one symbol, as one answer of the server. */
export interface Impact {
  readonly target: Target;
  readonly folder: Uri;
  /** `Impact of add: …` */
  readonly title: string;
  /** The tool's own summary, answer first. */
  readonly summary: string;
  /** Nearest first, no row twice. */
  readonly items: readonly ImpactItem[];
}

/** Lists of the answer that hold dependents, with what being in them says of a row. */
const LISTS = [
  { key: 'directDependents', depth: 1, test: false },
  { key: 'transitiveDependents', depth: 2, test: false },
  { key: 'impactedSymbols', depth: 2, test: false },
  { key: 'directTests', depth: 1, test: true },
  { key: 'transitiveTests', depth: 2, test: true },
] as const;

export async function askImpact(server: LatticeServer, target: Target): Promise<Impact> {
  const answer = await server.callTool('impact_analyze', { target: target.id, profile: 'debug' }, { uri: target.folder.toString() });
  const data = dataOf(answer);
  const items = new Map<string, ImpactItem>();
  for (const list of LISTS) {
    for (const row of rowsOf(data, list.key)) {
      const item = impactItem(row, list);
      const known = items.get(item.id);
      items.set(item.id, known === undefined ? item : { ...known, test: known.test || item.test });
    }
  }
  const sorted = [...items.values()].sort((a, b) => a.depth - b.depth || a.file.localeCompare(b.file) || a.line - b.line);
  return { target, folder: target.folder, title: `Impact of ${target.name}`, summary: answer.envelope.summary, items: sorted };
}

function impactItem(row: Readonly<Record<string, unknown>>, list: (typeof LISTS)[number]): ImpactItem {
  return {
    ...graphItem(row),
    depth: numberOf(row, list.depth, 'depth'),
    relation: textOf(row, 'rel', 'relation').toLowerCase(),
    confidence: numberOf(row, 1, 'confidence'),
    via: textOf(row, 'via').split('::').at(-1) ?? '',
    test: list.test || row['test'] === true,
  };
}

import { matchesPath } from '../../base/globs';
import { hashText } from '../../base/hash';
import type { WorkspacePath } from '../../base/path';
import type { GraphView } from '../../code/graph/graphView';
import { compilePattern } from '../../knowledge/patterns';
import type { Records } from '../../model/records';

/** What a pattern covers in one revision. */
export interface Covered {
  readonly files: number;
  /** Of the paths and contents of those files. */
  readonly hash: string;
}

/** Patterns against the indexed files; each is looked up once per revision. */
export class FilePatterns {
  readonly #files = new WeakMap<GraphView, FileList>();

  /** Indexed files that a pattern covers, sorted. */
  filesOf(graph: GraphView, pattern: string): readonly WorkspacePath[] {
    return matching(this.#listOf(graph), pattern);
  }

  coveredBy(graph: GraphView, pattern: string): Covered {
    const list = this.#listOf(graph);
    let covered = list.covered.get(pattern);
    if (covered === undefined) {
      const paths = matching(list, pattern);
      covered = { files: paths.length, hash: hashText(paths.map(path => `${path}\n${hashOf(graph, path)}\n`).join('')) };
      list.covered.set(pattern, covered);
    }
    return covered;
  }

  /** All indexed files, sorted. */
  allFiles(graph: GraphView): readonly WorkspacePath[] {
    return this.#listOf(graph).paths;
  }

  #listOf(graph: GraphView): FileList {
    let list = this.#files.get(graph);
    if (list === undefined) {
      list = { paths: [...graph.files()].map(file => graph.idOf(file)).sort(), covered: new Map() };
      this.#files.set(graph, list);
    }
    return list;
  }
}

interface FileList {
  readonly paths: readonly WorkspacePath[];
  readonly covered: Map<string, Covered>;
}

function makeFilePatterns(_records: Records): FilePatterns {
  return new FilePatterns();
}

/** Patterns of all atoms, compiled once for each state of the records. */
export function filePatternsOf(records: Records): FilePatterns {
  return records.companion(makeFilePatterns);
}

function matching({ paths }: FileList, pattern: string): readonly WorkspacePath[] {
  const found = new Set<WorkspacePath>();
  for (const alternative of compilePattern(pattern).alternatives) {
    const { folder } = alternative;
    for (let at = firstFrom(paths, folder); at < paths.length; at++) {
      const path = paths[at] ?? '';
      if (!path.startsWith(folder)) break;
      if (matchesPath(alternative, path.split('/'))) found.add(path);
    }
  }
  return [...found].sort();
}

/** Rank of the first path that is not before `text`. */
function firstFrom(paths: readonly WorkspacePath[], text: string): number {
  let low = 0;
  let high = paths.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((paths[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

function hashOf(graph: GraphView, path: WorkspacePath): string {
  const file = graph.fileOf(path);
  return file === undefined ? '' : graph.node(file).contentHash;
}

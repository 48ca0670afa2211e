import type { WorkspacePath } from '../../base/path';
import type { ScannedFile } from '../../code/files/scan';
import type { FileSignature } from '../../code/files/stats';
import type { FileRecord } from '../../model/delta';
import type { SyntaxHealth } from '../../model/facts';
import type { LanguageId } from '../../model/languages';
import type { FileProblem, LanguageHealth } from '../../workspace/snapshot';

/** What the engine keeps of each file of the checkout beside the graph. Plain data: it is saved with the graph. */
export interface TrackedFile {
  readonly record: FileRecord;
  readonly signature: FileSignature;
  /** Key of the facts of `record.contentHash`; undefined where the file has none. */
  readonly factsKey: string | undefined;
  readonly syntax: SyntaxHealth | undefined;
  readonly symbols: number;
  readonly isMinified: boolean;
  readonly problem: Pick<FileProblem, 'code' | 'message'> | undefined;
}

const LISTED_PROBLEMS = 200;
/** A language is rare up to this much text in the whole workspace: parsing it ends before optimized code of its grammar would pay. */
const MAX_RARE_BYTES = 512 * 1024;

/** The files of a checkout as they are in the newest revision. */
export class FileTable {
  readonly #files = new Map<WorkspacePath, TrackedFile>();
  readonly #bytes = new Map<LanguageId, number>();

  get size(): number {
    return this.#files.size;
  }

  get(path: WorkspacePath): TrackedFile | undefined {
    return this.#files.get(path);
  }

  set(file: TrackedFile): void {
    this.delete(file.record.path);
    this.#files.set(file.record.path, file);
    addBytes(this.#bytes, file.record, 1);
  }

  delete(path: WorkspacePath): void {
    const record = this.#files.get(path)?.record;
    if (record === undefined) return;
    this.#files.delete(path);
    addBytes(this.#bytes, record, -1);
  }

  clear(): void {
    this.#files.clear();
    this.#bytes.clear();
  }

  /** Whether the workspace is known to hold little text of the language. */
  isRare(language: LanguageId): boolean {
    return this.size > 0 && (this.#bytes.get(language) ?? 0) <= MAX_RARE_BYTES;
  }

  /** Languages of which the workspace holds little text once `files` are taken in. */
  rareLanguages(files: readonly Pick<ScannedFile, 'path' | 'language' | 'sizeBytes'>[]): ReadonlySet<LanguageId> {
    const bytes = new Map(this.#bytes);
    for (const file of files) {
      const record = this.#files.get(file.path)?.record;
      if (record !== undefined) addBytes(bytes, record, -1);
      addBytes(bytes, file, 1);
    }
    return new Set([...bytes].filter(([, sum]) => sum <= MAX_RARE_BYTES).map(([language]) => language));
  }

  values(): IterableIterator<TrackedFile> {
    return this.#files.values();
  }

  paths(): IterableIterator<WorkspacePath> {
    return this.#files.keys();
  }

  languages(): LanguageHealth[] {
    const byLanguage = new Map<LanguageId, { files: number; symbols: number; lines: number; nodes: number; errorNodes: number }>();
    for (const { record, syntax, symbols } of this.#files.values()) {
      if (record.language === undefined) continue;
      const sum = byLanguage.get(record.language) ?? { files: 0, symbols: 0, lines: 0, nodes: 0, errorNodes: 0 };
      sum.files++;
      sum.symbols += symbols;
      sum.lines += syntax?.lines ?? 0;
      sum.nodes += syntax?.nodes ?? 0;
      sum.errorNodes += syntax?.errorNodes ?? 0;
      byLanguage.set(record.language, sum);
    }
    return [...byLanguage].map(([language, sum]) => ({ language, ...sum })).sort((a, b) => (a.language < b.language ? -1 : 1));
  }

  /** Problems of single files after those of the scan; all are counted, the first are listed. */
  problems(ofScan: readonly FileProblem[]): { readonly listed: FileProblem[]; readonly counts: Partial<Record<FileProblem['code'], number>> } {
    const listed: FileProblem[] = [];
    const counts: Partial<Record<FileProblem['code'], number>> = {};
    const add = (problem: FileProblem): void => {
      counts[problem.code] = (counts[problem.code] ?? 0) + 1;
      if (listed.length < LISTED_PROBLEMS) listed.push(problem);
    };
    ofScan.forEach(add);
    for (const { record, problem } of this.#files.values()) if (problem !== undefined) add({ path: record.path, ...problem });
    return { listed, counts };
  }
}

function addBytes(bytes: Map<LanguageId, number>, { language, sizeBytes }: Pick<FileRecord, 'language' | 'sizeBytes'>, times: 1 | -1): void {
  if (language !== undefined) bytes.set(language, (bytes.get(language) ?? 0) + times * sizeBytes);
}

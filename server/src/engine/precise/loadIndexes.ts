import type { CancellationToken } from '../../base/cancellation';
import { dirname, join, normalize, relativeTo, type WorkspacePath } from '../../base/path';
import type { Turn } from '../../base/yield';
import { absoluteOf, decodeText, type FileHost, isMissing } from '../../code/files/host';
import type { PreciseDocument, PreciseSymbols } from '../../model/preciseIndex';
import { inUtf16 } from './columns';
import { type ScipDocument, type ScipMetadata, scipDocument, scipParts } from './scipReader';
import { SymbolTable } from './symbolTable';

/** The setting's value when nobody set it: no index there is no problem. */
export const DEFAULT_INDEXES: readonly string[] = ['index.scip'];

/** Larger indexes would not fit in memory with everything else. */
const MAX_BYTES = 1024 ** 3;

export interface IndexFiles {
  readonly root: string;
  readonly host: FileHost;
  readonly caseInsensitive: boolean;
}

/** One index file that a setting names. */
export interface LoadedIndex {
  readonly path: string;
  readonly tool: string;
  readonly mtimeMs: number;
  readonly problem: string | undefined;
}

export interface LoadedDocument {
  readonly document: PreciseDocument;
  /** Position of its index. */
  readonly index: number;
  /** The text that was indexed, where the index has it. */
  readonly text: string | undefined;
}

export interface LoadedIndexes {
  readonly indexes: readonly LoadedIndex[];
  readonly symbols: PreciseSymbols;
  /** By the path of the file in the workspace. Of a file in several indexes the newest one counts. */
  readonly documents: ReadonlyMap<WorkspacePath, LoadedDocument>;
}

/** Reads the named indexes. Never rejects for what is wrong with one of them; throws `Cancelled`. `isFile` says which paths the workspace has. */
export async function loadIndexes(
  files: IndexFiles,
  paths: readonly string[],
  isFile: (path: WorkspacePath) => boolean,
  turn: Turn,
  token: CancellationToken,
): Promise<LoadedIndexes> {
  const symbols = new SymbolTable();
  const indexes: LoadedIndex[] = [];
  const documents = new Map<WorkspacePath, LoadedDocument>();
  for (const path of paths) {
    const opened = await open(files, path);
    if (opened === undefined) continue;
    const { mtimeMs } = opened;
    if ('problem' in opened) {
      indexes.push({ path, tool: '', mtimeMs, problem: opened.problem });
      continue;
    }
    const index = indexes.length;
    const take = (document: PreciseDocument, text: string | undefined): void => {
      const known = documents.get(document.path);
      // A file of several compilations is in an index several times.
      const isBetter = known === undefined || (known.index === index ? known.document.count < document.count : (indexes[known.index]?.mtimeMs ?? 0) <= mtimeMs);
      if (isBetter) documents.set(document.path, { document, index, text });
    };
    const read = await readIndex(files, opened.bytes, opened.path, symbols, isFile, take, turn, token);
    indexes.push({ path: opened.path, tool: read.tool, mtimeMs, problem: read.problem });
  }
  return { indexes, symbols, documents };
}

type Opened = { readonly path: WorkspacePath; readonly bytes: Buffer; readonly mtimeMs: number } | { readonly problem: string; readonly mtimeMs: number };

/** Undefined when the default one is not there. */
async function open({ root, host, caseInsensitive }: IndexFiles, path: string): Promise<Opened | undefined> {
  const clean = normalize(path);
  if (clean === undefined || clean === '') return { problem: 'The path is outside the workspace.', mtimeMs: 0 };
  try {
    const absolute = absoluteOf(root, clean);
    if (relativeTo(root, await host.realPath(absolute), caseInsensitive) === undefined) {
      return { problem: 'The path is a link to a path outside the workspace.', mtimeMs: 0 };
    }
    const { kind, mtimeMs, sizeBytes } = await host.stat(absolute);
    if (kind !== 'file') return { problem: 'This is not a file.', mtimeMs };
    if (sizeBytes > MAX_BYTES) return { problem: `The file is larger than ${MAX_BYTES / 1024 ** 2} MiB.`, mtimeMs };
    const bytes = await host.read(absolute);
    return { path: clean, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), mtimeMs };
  } catch (error) {
    if (isMissing(error)) return DEFAULT_INDEXES.includes(clean) ? undefined : { problem: 'The file does not exist.', mtimeMs: 0 };
    return { problem: `The file cannot be read (${error instanceof Error ? error.message : String(error)}).`, mtimeMs: 0 };
  }
}

async function readIndex(
  files: IndexFiles,
  bytes: Buffer,
  path: WorkspacePath,
  symbols: SymbolTable,
  isFile: (path: WorkspacePath) => boolean,
  take: (document: PreciseDocument, text: string | undefined) => void,
  turn: Turn,
  token: CancellationToken,
): Promise<{ readonly tool: string; readonly problem: string | undefined }> {
  try {
    const { metadata, documents: parts } = scipParts(bytes);
    const documents: ScipDocument[] = [];
    for (const part of parts) {
      documents.push(scipDocument(bytes, part, symbols));
      await turn.check(token);
    }
    const folder = folderOf(files, metadata, path, documents, isFile);
    for (const document of documents) {
      const placed = join(folder, document.path);
      if (placed === undefined) continue;
      const text = document.encoding === 'utf16' ? '' : (document.text ?? (await textOf(files, placed)));
      take({ ...inUtf16(document, text), path: placed }, document.text);
    }
    return { tool: `${metadata.tool} ${metadata.toolVersion}`.trim(), problem: undefined };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { tool: '', problem: `This is not a valid SCIP index: ${error.message}.` };
  }
}

/** Folder that the paths of an index are relative to: what it says itself if that is here, else where it lies, else the root; whichever has most of the files. */
function folderOf(
  { root, caseInsensitive }: IndexFiles,
  metadata: ScipMetadata,
  path: WorkspacePath,
  documents: readonly ScipDocument[],
  isFile: (path: WorkspacePath) => boolean,
): WorkspacePath {
  const declaredRoot = relativeTo(root, fromFileUri(metadata.projectRoot), caseInsensitive);
  const candidates = [...new Set([...(declaredRoot === undefined ? [] : [declaredRoot]), dirname(path), ''])];
  const hits = candidates.map(folder => documents.filter(document => isFile(join(folder, document.path) ?? '')).length);
  return candidates[hits.indexOf(Math.max(...hits))] ?? '';
}

function fromFileUri(uri: string): string {
  const path = uri.replace(/^file:\/\/[^/]*/, '').replace(/^\/([a-zA-Z]:)/, '$1');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function textOf({ root, host }: IndexFiles, path: WorkspacePath): Promise<string> {
  return host.read(absoluteOf(root, path)).then(decodeText, () => '');
}

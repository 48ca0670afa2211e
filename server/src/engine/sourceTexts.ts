import { normalize, relativeTo, type WorkspacePath } from '../base/path';
import { err, type Failure, ok, type Result } from '../base/result';
import { linesOf } from '../base/text';
import { absoluteOf, decodeText, type FileHost } from '../code/files/host';
import type { GraphNode } from '../code/graph/graphView';
import { type FileFacts, qualifiedName, symbolRow } from '../model/facts';
import { symbolId } from '../model/ids';
import type { LanguageId } from '../model/languages';
import type { SymbolSource } from '../workspace/snapshot';
import { hashOf } from './indexing/fileLoader';

export interface SourceTextsOptions {
  readonly root: string;
  readonly host: Pick<FileHost, 'read' | 'realPath'>;
  readonly caseInsensitive: boolean;
  /** Text that the asker's window holds unsaved. */
  readonly unsavedText: (path: WorkspacePath) => string | undefined;
  readonly isIndexed: (path: WorkspacePath) => boolean;
  readonly parse: (path: WorkspacePath, language: LanguageId, text: string) => Promise<FileFacts | undefined>;
  /** Why a file cannot be read, where it is not that it has gone. */
  readonly unreadable?: (path: WorkspacePath) => string;
}

/** Texts of the workspace as one asker sees them: unsaved documents over the disk. */
export class SourceTexts {
  constructor(private readonly options: SourceTextsOptions) {}

  async readText(path: WorkspacePath): Promise<Result<string, Failure>> {
    const read = await this.#read(path);
    return read.ok ? ok(read.value.text) : read;
  }

  async readSymbol({ id, language, path, ...node }: GraphNode, fileHash: string): Promise<Result<SymbolSource, Failure>> {
    const read = await this.#read(path);
    if (!read.ok) return read;
    const { content, text } = read.value;
    if (hashOf(content) === fileHash) return ok(sourceOf(text, node.startLine, node.endLine, node.isStale));
    const facts = language === undefined ? undefined : await this.options.parse(path, language, text);
    if (facts === undefined) return err({ code: 'UNAVAILABLE', message: `${path} has changed since it was indexed and cannot be parsed.` });
    const { count, endLine, startLine } = facts.symbols;
    for (let row = symbolRow(0); row < count; row++) {
      if (symbolId(path, qualifiedName(facts, row)) === id) return ok(sourceOf(text, (startLine[row] ?? 0) + 1, (endLine[row] ?? 0) + 1, true));
    }
    return err({ code: 'NOT_FOUND', message: `${path} has changed: ${node.name} no longer exists or cannot be parsed.` });
  }

  /** `content`: the bytes on disk, or the unsaved text. */
  async #read(path: WorkspacePath): Promise<Result<{ readonly text: string; readonly content: Uint8Array | string }, Failure>> {
    const { caseInsensitive, host, isIndexed, root, unsavedText } = this.options;
    const clean = normalize(path);
    const unsaved = clean === undefined ? undefined : unsavedText(clean);
    if (unsaved !== undefined) return ok({ text: unsaved, content: unsaved });
    if (clean === undefined || !isIndexed(clean)) return err({ code: 'FORBIDDEN', message: `${path} is not a file of the indexed workspace.` });
    try {
      const real = await host.realPath(absoluteOf(root, clean));
      if (relativeTo(root, real, caseInsensitive) === undefined) {
        return err({ code: 'FORBIDDEN', message: `${path} is now a link to a path outside the workspace.` });
      }
      const content = await host.read(real);
      return ok({ text: decodeText(content), content });
    } catch {
      const why = this.options.unreadable?.(path);
      return err(why === undefined ? { code: 'NOT_FOUND', message: `${path} can no longer be read.` } : { code: 'UNAVAILABLE', message: why });
    }
  }
}

function sourceOf(text: string, startLine: number, endLine: number, isStale: boolean): SymbolSource {
  return { code: linesOf(text, startLine, endLine), startLine, endLine, isStale };
}

/** From one file or text to its facts: what a parse worker does, also usable in process. */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { isUtf16 } from '../../base/text';
import type { Extractor } from '../../code/facts/extractor';
import { createExtractor } from '../../code/facts/registry';
import { inspectContent } from '../../code/files/content';
import { decodeText, faultCode, isMissing } from '../../code/files/host';
import type { SyntaxParser } from '../../code/parse/syntaxParser';
import { type LanguageId, languageRow } from '../../model/languages';
import { codeText } from './codeText';
import { encodeFacts } from './factsCodec';
import { type PackedAnswer, UNREAD } from './packedAnswer';
import type { ParseRequest } from './parsing';

export class FileParser {
  readonly #extractors = new Map<LanguageId, Extractor | undefined>();

  constructor(
    private readonly syntax: SyntaxParser,
    /** Files above this size are hashed, not parsed. */
    private readonly maxBytes: number,
    /** Told when a grammar is being loaded, which is no fault of the file that needs it first. */
    private readonly onLoading: (isLoading: boolean) => void = () => undefined,
  ) {}

  /** Rejects only when the parser itself is broken; what is wrong with the file is in the answer. */
  async parse(request: ParseRequest): Promise<PackedAnswer> {
    let bytes: Buffer;
    try {
      bytes = contentOf(request);
    } catch (error) {
      return unreadable(error);
    }
    const text = request.text ?? decodeText(bytes);
    const kind = inspectContent(bytes, text);
    const answer = { ...UNREAD, ...kind, contentHash: createHash('sha256').update(bytes).digest('hex'), sizeBytes: bytes.length };
    if (request.language === undefined || kind.isBinary || kind.isMinified) return answer;
    if (bytes.length > this.maxBytes) {
      return { ...answer, problem: { code: 'too_large', message: `Larger than ${this.maxBytes} bytes. Listed by name only.` } };
    }
    const invalid = request.text === undefined && text.includes('\uFFFD') && !isUtf16(bytes) && !isValidUtf8(bytes);
    const parsed = await this.#facts(request, request.language, text);
    if (parsed.problem !== undefined || !invalid) return { ...answer, ...parsed };
    return { ...answer, ...parsed, problem: { code: 'invalid_utf8', message: 'Not valid UTF-8. Invalid bytes are read as U+FFFD.' } };
  }

  async #facts(request: ParseRequest, language: LanguageId, text: string): Promise<Pick<PackedAnswer, 'packed' | 'problem' | 'code'>> {
    const { codeOnly = false, isRare = false, path } = request;
    const row = languageRow(language);
    const { grammar } = row;
    if (!this.#extractors.has(language)) {
      this.onLoading(true);
      this.#extractors.set(language, createExtractor(await this.syntax.load(grammar, isRare), language));
      this.onLoading(false);
    }
    const extractor = this.#extractors.get(language);
    if (extractor === undefined) return { packed: undefined, problem: undefined };
    const names = codeOnly ? await this.syntax.load(grammar, isRare) : undefined;
    const table = this.syntax.parse(grammar, extractor.prepare?.(text) ?? text);
    if (!table.ok) return { packed: undefined, problem: table.error };
    if (names !== undefined) return { packed: undefined, problem: undefined, code: codeText(table.value, names, row, text) };
    return { packed: encodeFacts(extractor.extract(table.value, path, text)), problem: undefined };
  }
}

function contentOf({ absolutePath, bytes, text }: ParseRequest): Buffer {
  if (bytes !== undefined) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return text === undefined ? contentAt(absolutePath) : Buffer.from(text, 'utf8');
}

/** A pipe that took the place of a file would block the thread forever when it is opened. */
function contentAt(path: string): Buffer {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!fstatSync(fd).isFile()) throw Object.assign(new Error(`EINVAL: ${path} is not a regular file`), { code: 'EINVAL' });
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

function isValidUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function unreadable(error: unknown): PackedAnswer {
  if (isMissing(error)) return { ...UNREAD, problem: { code: 'vanished', message: 'The file was deleted.' } };
  return { ...UNREAD, problem: { code: 'unreadable', message: `Cannot be read (${faultCode(error)}).` } };
}

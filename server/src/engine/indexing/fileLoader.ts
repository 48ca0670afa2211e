import { createHash } from 'node:crypto';
import { type CancellationToken, throwIfCancelled } from '../../base/cancellation';
import type { Turn } from '../../base/yield';
import { nameInFacts } from '../../code/facts/namesInFacts';
import type { ScannedFile } from '../../code/files/scan';
import { isSameSignature } from '../../code/files/stats';
import { EXTRACTOR_VERSION, type FileFacts } from '../../model/facts';
import type { LanguageId } from '../../model/languages';
import type { PackFile } from '../../store/packs';
import { decodeDigest } from '../parse/factsCodec';
import type { ParseAnswer, Parsing } from '../parse/parsing';
import type { TrackedFile } from './fileTable';

/** A file as it goes into the next revision. */
export interface LoadedFile {
  readonly tracked: TrackedFile;
  readonly facts: FileFacts | undefined;
  /** `none`: the content is what the table already has (only its time may differ). */
  readonly change: 'none' | 'content';
  readonly parsed: boolean;
}

export interface LoadRequest {
  readonly files: readonly ScannedFile[];
  readonly previous: (path: string) => TrackedFile | undefined;
  /** Languages whose grammars need not be fast, see `ParseRequest.isRare`; asked for with the first file that is parsed. */
  readonly rare: () => ReadonlySet<LanguageId>;
  /** Parse again whatever the caches hold. */
  readonly force: boolean;
  /** Compare contents even where size and time are the same. */
  readonly distrustSignatures: boolean;
  readonly onDone: (done: number) => void;
  /** Called with each file in the order asked for, as soon as it and those before it are loaded. */
  readonly onLoaded?: (file: LoadedFile) => void;
  /** Yields between two calls of `onLoaded`: one large file may block thousands behind it. */
  readonly turn?: Turn;
}

const FLUSH_BYTES = 4 * 1024 * 1024;
/** Files from this size on are begun before all others: one of them at the end would keep one worker busy while the others have nothing left to do. */
const LARGE_BYTES = 96 * 1024;
const WARM_LANGUAGES = 2;

/** From a scanned file to its facts: from the shared pack by content hash where it has them, else from the parse workers. */
export class FileLoader {
  #unflushed = 0;

  constructor(
    private readonly parsing: Parsing,
    private readonly pack: PackFile | undefined,
  ) {}

  /** Files in the order asked for. Throws `Cancelled`. */
  async load(request: LoadRequest, token: CancellationToken): Promise<LoadedFile[]> {
    const loaded: (LoadedFile | undefined)[] = request.files.map(() => undefined);
    const order = largestFirst(request.files);
    let next = 0;
    let done = 0;
    let reported = 0;
    // Asked once: what this very run puts into the pack does not make hashing first worth it.
    const mayBeCached = (this.pack?.size ?? 0) > 0;
    let rare: ReadonlySet<LanguageId> | undefined;
    const isRare = (language: LanguageId): boolean => (rare ??= request.rare()).has(language);
    let isReporting = false;
    let reporting = Promise.resolve();
    const reportLoaded = async (): Promise<void> => {
      isReporting = true;
      for (let first = loaded[reported]; first !== undefined; first = loaded[++reported]) {
        request.onLoaded?.(first);
        await request.turn?.check(token);
      }
      isReporting = false;
    };
    const work = async (): Promise<void> => {
      for (let place = next++; place < order.length; place = next++) {
        throwIfCancelled(token);
        // Files that have not changed are found out without waiting for anything.
        const wait = request.turn?.check(token);
        if (wait !== undefined) await wait;
        const at = order[place] as number;
        const file = request.files[at] as ScannedFile;
        loaded[at] = this.#unchanged(file, request) ?? (await this.#one(file, request, mayBeCached, isRare, token));
        request.onDone(++done);
        if (!isReporting) reporting = reportLoaded();
        // A failure is heard of when all are loaded, or not at all when loading itself failed.
        reporting.catch(() => undefined);
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.parsing.concurrency, request.files.length) }, work));
    await reporting;
    // On its way while names are being resolved; what makes the run durable waits for it and learns of failures.
    if (this.#unflushed > 0) this.#flush();
    return loaded.filter(file => file !== undefined);
  }

  /** Facts of a tracked file, undefined when the pack has lost them. */
  async factsOf(tracked: TrackedFile): Promise<FileFacts | undefined> {
    const packed = tracked.factsKey === undefined ? undefined : await this.pack?.get(tracked.factsKey);
    return packed === undefined ? undefined : this.parsing.decode(packed);
  }

  /** `FileFacts.digest` of a tracked file. */
  async digestOf({ factsKey }: TrackedFile): Promise<string | undefined> {
    const packed = factsKey === undefined ? undefined : await this.pack?.get(factsKey);
    return packed === undefined ? undefined : decodeDigest(packed);
  }

  /** The pack's content of when it was opened is not needed in memory any more. */
  release(): void {
    this.pack?.releaseImage();
  }

  /** Has the grammars of the commonest languages loaded before the first file is edited. */
  async warmUp(languages: readonly { readonly language: LanguageId; readonly files: number }[], token: CancellationToken): Promise<void> {
    const common = languages
      .filter(({ files }) => files > 0)
      .sort((a, b) => b.files - a.files)
      .slice(0, WARM_LANGUAGES);
    for (const { language } of common) await this.parsing.run({ path: '', absolutePath: '', language, text: '' }, token);
  }

  /** Facts of a text that is not on the disk. */
  async parseText(path: string, absolutePath: string, language: LanguageId, text: string, token: CancellationToken): Promise<ParseAnswer> {
    return this.parsing.run({ path, absolutePath, language, text }, token);
  }

  /** What is found out without reading the file. */
  #unchanged(file: ScannedFile, { distrustSignatures, force, previous: previousOf }: LoadRequest): LoadedFile | undefined {
    const previous = previousOf(file.path);
    if (file.content !== 'read') return unread(file, previous);
    if (previous === undefined || force) return undefined;
    if (!distrustSignatures && isSameSignature(file, previous.signature)) return { tracked: previous, facts: undefined, change: 'none', parsed: false };
    return sameContent(file, previous, this.parsing.hashOf?.(file.path));
  }

  async #one(
    file: ScannedFile,
    request: LoadRequest,
    mayBeCached: boolean,
    isRare: (language: LanguageId) => boolean,
    token: CancellationToken,
  ): Promise<LoadedFile> {
    const previous = request.previous(file.path);
    // What the disk holds is shown as it reads, however much of it cannot be parsed: the same content gives the same graph, whatever was there before.
    const cached = request.force ? undefined : await this.#fromCache(file, previous, mayBeCached, token);
    if (cached !== undefined) return cached;
    const answer = await this.parsing.run(
      { path: file.path, absolutePath: file.absolutePath, language: file.language, isRare: file.language !== undefined && isRare(file.language) },
      token,
    );
    if (file.language !== undefined && answer.packed !== undefined) this.#keep(keyOf(answer.contentHash, file.language, file.path), answer.packed);
    return { tracked: track(file, answer, answer.facts), facts: answer.facts, change: 'content', parsed: true };
  }

  /** Parsed files reach the disk while others are being parsed, so that a killed index need not begin anew. Whether that went well shows at the last flush. */
  #keep(key: string, packed: Uint8Array): void {
    this.pack?.put(key, packed);
    this.#unflushed += packed.length;
    if (this.#unflushed >= FLUSH_BYTES) this.#flush();
  }

  #flush(): void {
    this.#unflushed = 0;
    void this.pack?.flush();
  }

  /** Undefined when the file has to be parsed. */
  async #fromCache(file: ScannedFile, previous: TrackedFile | undefined, mayBeCached: boolean, token: CancellationToken): Promise<LoadedFile | undefined> {
    const worthHashing = previous !== undefined || file.language === undefined || mayBeCached;
    if (!worthHashing) return undefined;
    const answer = await this.parsing.run({ path: file.path, absolutePath: file.absolutePath, language: undefined }, token);
    const same = previous === undefined || answer.problem !== undefined ? undefined : sameContent(file, previous, answer.contentHash);
    if (same !== undefined) return same;
    if (file.language === undefined || answer.problem !== undefined || answer.isBinary || answer.isMinified) {
      return { tracked: track(file, answer, undefined), facts: undefined, change: 'content', parsed: false };
    }
    const key = keyOf(answer.contentHash, file.language, file.path);
    const packed = await this.pack?.get(key);
    const facts = packed === undefined ? undefined : this.parsing.decode(packed);
    if (facts === undefined) return undefined;
    return { tracked: track(file, answer, facts), facts, change: 'content', parsed: false };
  }
}

/** Languages with little text in a run that has much of others. */
function largestFirst(files: readonly ScannedFile[]): number[] {
  const large: number[] = [];
  const others: number[] = [];
  for (const [at, { sizeBytes }] of files.entries()) (sizeBytes >= LARGE_BYTES ? large : others).push(at);
  return [...large, ...others];
}

/** Key of a file's facts: what they depend on. A component is called after its file. */
export function keyOf(contentHash: string, language: LanguageId, path: string): string {
  const name = nameInFacts(language, path);
  return name === '' ? `${contentHash}:${language}` : `${contentHash}:${language}:${name}`;
}

/** Version of everything a facts pack holds. */
export const FACTS_VERSION = String(EXTRACTOR_VERSION);

/** SHA-256 in hexadecimal digits; of a text in UTF-8. */
export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function signatureOf(file: ScannedFile): TrackedFile['signature'] {
  return { sizeBytes: file.sizeBytes, mtimeMs: file.mtimeMs, inode: file.inode };
}

/** Nothing where the content is another one, or is read as another language now. */
function sameContent(file: ScannedFile, previous: TrackedFile, contentHash: string | undefined): LoadedFile | undefined {
  const { record } = previous;
  if (record.contentHash !== contentHash || record.language !== file.language) return undefined;
  return { tracked: { ...previous, signature: signatureOf(file) }, facts: undefined, change: 'none', parsed: false };
}

function unread(file: ScannedFile, previous: TrackedFile | undefined): LoadedFile {
  const tracked = track(file, undefined, undefined);
  const same = previous !== undefined && previous.record.contentHash === '' && previous.record.sizeBytes === file.sizeBytes;
  return { tracked, facts: undefined, change: same ? 'none' : 'content', parsed: false };
}

const UNREAD_PROBLEMS = {
  read: undefined,
  binary: undefined,
  tooLarge: { code: 'too_large', message: 'Larger than lattice.maxFileSizeKb. Listed by name only.' },
} as const;

const SYNTAX_ERRORS = { code: 'syntax_errors', message: 'Parts of the file could not be parsed. Some symbols may be missing.' } as const;

function hasErrors(facts: FileFacts | undefined): boolean {
  return (facts?.syntax.errorNodes ?? 0) > 0;
}

function track(file: ScannedFile, answer: ParseAnswer | undefined, facts: FileFacts | undefined): TrackedFile {
  const readable = answer !== undefined && !answer.isBinary;
  return {
    record: {
      path: file.path,
      language: readable ? file.language : undefined,
      contentHash: answer?.contentHash ?? '',
      sizeBytes: answer?.sizeBytes ?? file.sizeBytes,
      isTest: file.isTest,
      isGenerated: file.isGenerated || answer?.isGenerated === true,
    },
    signature: signatureOf(file),
    factsKey: facts === undefined || file.language === undefined || answer === undefined ? undefined : keyOf(answer.contentHash, file.language, file.path),
    syntax: facts?.syntax,
    symbols: facts?.symbols.count ?? 0,
    isMinified: file.isMinified || answer?.isMinified === true,
    problem: answer?.problem ?? UNREAD_PROBLEMS[file.content] ?? (hasErrors(facts) ? SYNTAX_ERRORS : undefined),
  };
}

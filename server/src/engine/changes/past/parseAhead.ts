import { type CancellationToken, throwIfCancelled } from '../../../base/cancellation';
import { extname, type WorkspacePath } from '../../../base/path';
import type { Clock } from '../../../base/ports';
import { type Failure, ok, type Result } from '../../../base/result';
import type { Turn } from '../../../base/yield';
import type { GitPlace } from '../../../code/files/git';
import { type LanguageId, languageOfExtension } from '../../../model/languages';
import type { PackFile } from '../../../store/packs';
import { keyOf } from '../../indexing/fileLoader';
import type { Parsing } from '../../parse/parsing';
import { blobsOf } from '../../processes/git/blobs';
import { type GitRepository, readRepository } from '../../processes/git/repository';
import { type Blob, Blobs } from './blobs';
import { KnownBlobs, keyOfBlob } from './commitParsing';

export interface ParseAheadOptions {
  readonly root: string;
  readonly git: GitPlace | undefined;
  /** The commit that HEAD is at. */
  readonly commit: () => string | undefined;
  readonly ignores: (path: WorkspacePath) => boolean;
  readonly maxFileSizeKb: () => number;
  readonly parsing: Parsing;
  readonly pack: PackFile | undefined;
  readonly clock: Clock;
  /** A superseded owner must not touch the files of its successor. */
  readonly mayWrite: () => boolean;
}

/** Commits along first parents whose files are parsed ahead. */
const MAX_COMMITS = 100;
/** Contents parsed for one position of HEAD, and how long that may take: the rest is parsed when somebody asks. */
const MAX_BYTES = 32 << 20;
const MAX_MS = 120_000;
const FLUSHED_AFTER = 50;

/** A content that a file had before it was changed. */
interface EarlierFile extends Blob {
  readonly path: WorkspacePath;
  readonly language: LanguageId;
}

/**
 * Parses ahead what files were like before the newest commits changed them, so that the first question about one of these commits need not. Facts go into
 * the pack by content hash, as if somebody had asked; what is there already is not read.
 */
export class ParseAhead {
  readonly #known: KnownBlobs;
  readonly #keys = new Set<string>();
  #done: string | undefined;

  constructor(private readonly options: ParseAheadOptions) {
    this.#known = new KnownBlobs(options.pack);
  }

  /** Records of the pack that the newest commits need. */
  get keys(): Iterable<string> {
    return this.#keys;
  }

  /** Nothing when HEAD is where it was. Rejects with `Cancelled`. */
  async complete(turn: Turn, token: CancellationToken): Promise<void> {
    const { commit: head, git: place, mayWrite, pack, root } = this.options;
    const commit = head();
    if (place === undefined || pack === undefined || commit === undefined || commit === this.#done || !mayWrite()) return;
    await readRepository(root, place, token, async git => {
      const files = await this.#filesBefore(git, commit);
      if (files.ok) await this.#parse(git, files.value, turn, token);
      return files;
    });
    await pack.flush();
    this.#done = commit;
  }

  /** The newest first. */
  async #filesBefore(git: GitRepository, commit: string): Promise<Result<readonly EarlierFile[], Failure>> {
    const changes = await git.ask('contentsBefore', ['-n', `${MAX_COMMITS}`, commit, '--', '.']);
    if (!changes.ok) return changes;
    const found = new Map<string, Pick<EarlierFile, 'blob' | 'language' | 'path'>>();
    for (const { blob, path } of contentsBeforeIn(changes.value.toString('utf8'))) {
      const language = languageOfExtension(extname(path));
      if (language !== undefined && !this.options.ignores(path)) found.set(`${blob}:${keyOf('', language, path)}`, { blob, path, language });
    }
    if (found.size === 0) return ok([]);
    const sizes = await git.ask('presence', [], [...new Set([...found.values()].map(({ blob }) => blob)), ''].join('\n'));
    if (!sizes.ok) return sizes;
    const bytes = new Map<string, number>();
    for (const line of sizes.value.toString('utf8').split('\n')) {
      const [blob = '', kind, size] = line.split(' ');
      if (kind === 'blob') bytes.set(blob, Number(size));
    }
    const most = this.options.maxFileSizeKb() * 1024;
    return ok(
      [...found.values()].flatMap((file): EarlierFile[] => {
        const sizeBytes = bytes.get(file.blob);
        return sizeBytes === undefined || sizeBytes > most ? [] : [{ ...file, sizeBytes }];
      }),
    );
  }

  async #parse(git: GitRepository, files: readonly EarlierFile[], turn: Turn, token: CancellationToken): Promise<void> {
    const { clock, mayWrite, pack } = this.options;
    const until = clock.monotonic() + MAX_MS;
    const blobs = new Blobs(names => blobsOf(git, names), files);
    let bytes = 0;
    let unflushed = 0;
    for (const file of files) {
      await turn.check(token);
      throwIfCancelled(token);
      if (await this.#isParsed(file)) continue;
      bytes += file.sizeBytes;
      if (bytes > MAX_BYTES || clock.monotonic() > until || !mayWrite()) return;
      await this.#parseOne(file, blobs, token);
      if (++unflushed % FLUSHED_AFTER === 0) await pack?.flush();
    }
  }

  async #isParsed({ blob, language, path }: EarlierFile): Promise<boolean> {
    const answer = await this.#known.of(blob);
    if (answer === undefined) return false;
    const key = keyOf(answer.contentHash, language, path);
    if (!answer.isBinary && !answer.isMinified && this.options.pack?.has(key) !== true) return false;
    this.#need(blob, key);
    return true;
  }

  async #parseOne({ blob, language, path }: EarlierFile, blobs: Blobs, token: CancellationToken): Promise<void> {
    const bytes = await blobs.read(blob, token);
    if (bytes === undefined) return;
    const answer = await this.options.parsing.run({ path, absolutePath: path, language, bytes }, token);
    const key = keyOf(answer.contentHash, language, path);
    if (answer.packed !== undefined) this.options.pack?.put(key, answer.packed);
    this.#known.keep(blob, answer);
    this.#need(blob, key);
  }

  #need(blob: string, key: string): void {
    this.#keys.add(keyOfBlob(blob));
    this.#keys.add(key);
  }
}

/** `M`, `D`, `T` with the content before. */
const CHANGE = /^\n*:\d{6} \d{6} (?<blob>[0-9a-f]{40,64}) [0-9a-f]+ [A-Z]/;

/** Reads the output of `git log --raw -z`: contents that files had before, in the order in which they are named. */
export function contentsBeforeIn(output: string): { readonly blob: string; readonly path: WorkspacePath }[] {
  const fields = output.split('\0');
  const found: { blob: string; path: WorkspacePath }[] = [];
  for (const [at, field] of fields.entries()) {
    const blob = CHANGE.exec(field)?.groups?.['blob'];
    const path = fields[at + 1];
    if (blob !== undefined && path !== undefined && !/^0+$/.test(blob)) found.push({ blob, path });
  }
  return found;
}

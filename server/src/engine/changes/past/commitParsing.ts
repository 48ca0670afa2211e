import type { CancellationToken } from '../../../base/cancellation';
import type { WorkspacePath } from '../../../base/path';
import type { FileFacts } from '../../../model/facts';
import type { PackFile } from '../../../store/packs';
import { UNREAD } from '../../parse/packedAnswer';
import type { ParseAnswer, ParseRequest, Parsing } from '../../parse/parsing';
import type { Blobs } from './blobs';

/** What reading a content tells of it. */
export type ContentAnswer = Pick<ParseAnswer, 'contentHash' | 'sizeBytes' | 'isBinary' | 'isGenerated' | 'isMinified'>;

/** What is known of contents that are not read again, by their name. */
export interface KnownContents {
  of(blob: string): Promise<ContentAnswer | undefined>;
  keep(blob: string, answer: ParseAnswer): void;
}

/** What contents of git's object store read like, by their name there; kept beside the facts, so that a commit that was looked at is not read again. */
export class KnownBlobs implements KnownContents {
  readonly #known = new Map<string, ContentAnswer>();

  constructor(private readonly pack: PackFile | undefined) {}

  async of(blob: string): Promise<ContentAnswer | undefined> {
    const known = this.#known.get(blob);
    if (known !== undefined) return known;
    const kept = await this.pack?.get(keyOfBlob(blob));
    if (kept === undefined) return undefined;
    const answer = JSON.parse(Buffer.from(kept).toString('utf8')) as ContentAnswer;
    this.#known.set(blob, answer);
    return answer;
  }

  /** These with others, which need not be kept. */
  with(others: ReadonlyMap<string, ContentAnswer>): KnownContents {
    return { of: async blob => others.get(blob) ?? (await this.of(blob)), keep: (blob, answer) => this.keep(blob, answer) };
  }

  keep(blob: string, { contentHash, isBinary, isGenerated, isMinified, sizeBytes }: ParseAnswer): void {
    if (contentHash === '' || this.#known.has(blob)) return;
    const answer = { contentHash, sizeBytes, isBinary, isGenerated, isMinified };
    this.#known.set(blob, answer);
    this.pack?.put(keyOfBlob(blob), Buffer.from(JSON.stringify(answer)));
  }
}

/** Of what is known of a content, in a pack of facts. */
export function keyOfBlob(blob: string): string {
  return `git:${blob}`;
}

/** Parse workers for the files of a commit: what is asked by path is answered from git's object store. */
export class CommitParsing implements Parsing {
  constructor(
    private readonly parsing: Parsing,
    private readonly blobOf: (path: WorkspacePath) => string | undefined,
    private readonly blobs: Blobs,
    private readonly known: KnownContents,
    /** What was known before any content was read, by name. */
    private readonly answers: ReadonlyMap<string, ContentAnswer>,
  ) {}

  get concurrency(): number {
    return this.parsing.concurrency;
  }

  hashOf(path: WorkspacePath): string | undefined {
    return this.answers.get(this.blobOf(path) ?? '')?.contentHash;
  }

  decode(packed: Uint8Array): FileFacts | undefined {
    return this.parsing.decode(packed);
  }

  async run(request: ParseRequest, token: CancellationToken): Promise<ParseAnswer> {
    const blob = this.blobOf(request.path);
    if (blob === undefined) return { ...UNREAD, facts: undefined, problem: { code: 'vanished', message: 'The file is not in the commit.' } };
    const known = request.language === undefined ? await this.known.of(blob) : undefined;
    if (known !== undefined) return { ...UNREAD, facts: undefined, ...known };
    const bytes = await this.blobs.read(blob, token);
    if (bytes === undefined) return { ...UNREAD, facts: undefined, problem: { code: 'unreadable', message: 'Its content is not in the repository.' } };
    const answer = await this.parsing.run({ ...request, bytes }, token);
    this.known.keep(blob, answer);
    return answer;
  }
}

import { createHash } from 'node:crypto';
import type { WorkspacePath } from '../../base/path';
import type { GitPlace } from '../../code/files/git';
import { absoluteOf, decodeText, type FileHost } from '../../code/files/host';
import type { FileRecord } from '../../model/delta';
import type { FileContent } from '../indexing/searchDocuments';
import { subjectsByFile } from './pastCommits';

export interface ContentSourceOptions {
  readonly root: string;
  readonly host: FileHost;
  /** Without git there is no history. */
  readonly git: GitPlace | undefined;
  /** The commit that HEAD is at. */
  readonly commit: () => string | undefined;
}

/** Larger files are searched by their facts. */
const MAX_BYTES = 512 * 1024;
const NO_SUBJECTS: ReadonlyMap<WorkspacePath, readonly string[]> = new Map();

/** What is searched of files beside their facts: their content, and the subjects of past commits up to where HEAD is. */
export class ContentSource {
  #commit: string | undefined;
  #subjects: Promise<ReadonlyMap<WorkspacePath, readonly string[]>> = Promise.resolve(NO_SUBJECTS);
  #unreadable: string | undefined;

  constructor(private readonly options: ContentSourceOptions) {}

  /** There is a history up to where HEAD is, but git could not tell it. */
  get isUnreadable(): boolean {
    const commit = this.options.commit();
    return commit !== undefined && commit === this.#unreadable;
  }

  /** `text` stands for the content on disk. Content that is not that of the record any more is left to the change that will bring it. */
  async of(record: FileRecord, text?: string): Promise<FileContent> {
    const [history, content] = await Promise.all([this.#historyOf(record.path), text ?? this.#contentOf(record)]);
    return { text: content, history };
  }

  /** Files whose history differs between a commit and where HEAD is now. */
  async changedSince(commit: string | undefined): Promise<readonly WorkspacePath[]> {
    const [before, now] = await Promise.all([this.#at(commit), this.#now()]);
    const isSame = (path: WorkspacePath): boolean => (before.get(path) ?? []).join('\n') === (now.get(path) ?? []).join('\n');
    return [...new Set([...before.keys(), ...now.keys()])].filter(path => !isSame(path));
  }

  async #historyOf(path: WorkspacePath): Promise<string> {
    return ((await this.#now()).get(path) ?? []).join('\n');
  }

  #now(): Promise<ReadonlyMap<WorkspacePath, readonly string[]>> {
    const commit = this.options.commit();
    if (commit !== this.#commit) {
      this.#subjects = this.#read(commit);
      this.#commit = commit;
    }
    return this.#subjects;
  }

  #at(commit: string | undefined): Promise<ReadonlyMap<WorkspacePath, readonly string[]>> {
    return commit === this.#commit ? this.#subjects : this.#read(commit);
  }

  async #read(commit: string | undefined): Promise<ReadonlyMap<WorkspacePath, readonly string[]>> {
    const { git, root } = this.options;
    if (git === undefined || commit === undefined) return NO_SUBJECTS;
    const subjects = await subjectsByFile(root, git, commit);
    if (subjects === undefined) this.#unreadable = commit;
    return subjects ?? NO_SUBJECTS;
  }

  async #contentOf({ contentHash, language, path, sizeBytes }: FileRecord): Promise<string | undefined> {
    if (language === undefined || contentHash === '' || sizeBytes > MAX_BYTES) return undefined;
    const { host, root } = this.options;
    const bytes = await host.read(absoluteOf(root, path)).catch(() => undefined);
    if (bytes === undefined || createHash('sha256').update(bytes).digest('hex') !== contentHash) return undefined;
    return decodeText(bytes);
  }
}

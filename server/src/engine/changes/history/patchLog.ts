/** Lines that a change took from the old version and put into the new one, as in the header of a hunk without context. */
export interface LineChange {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
}

export interface PatchedFile {
  /** Where the file was after the commit; `undefined` when the commit removed it. */
  readonly path: string | undefined;
  /** Where it was before; `undefined` when the commit added it. */
  readonly oldPath: string | undefined;
  /** In order of lines. */
  readonly changes: readonly LineChange[];
}

export interface LoggedCommit {
  readonly hash: string;
  /** Seconds since 1970, when it was committed. */
  readonly time: number;
  /** One line; of a merge the title of what was merged, where the message tells it. */
  readonly subject: string;
  /** It joins histories, and no pull request or merge request says that they are one change. */
  readonly isPlainMerge: boolean;
  readonly files: readonly PatchedFile[];
}

const NEWLINE = 10;
/** Begins a commit, parts its hash, time and parents, subject and body, and ends its message: the marks of the call `patches`. */
const [START, PART, END] = ['\u0001', '\u0002', '\u0003'];
/** Stands before a commit whose predecessor changed nothing. */
const BETWEEN = '\0';
/** First bytes of the lines of a patch that hold text of files: added, removed, `\ No newline at end of file`. */
const TEXT_LINES: ReadonlySet<number> = new Set(Buffer.from('+-\\'));
const MAX_SUBJECT_LENGTH = 200;
const HUNK = /^@@ -(?<oldStart>\d+)(?:,(?<oldCount>\d+))? \+(?<newStart>\d+)(?:,(?<newCount>\d+))? @@/;
/** How GitHub, GitLab, Bitbucket and Azure DevOps call the merge of what was reviewed as one change. */
const REVIEWED_MERGE = /^Merge(?:d)? (?:pull request|PR|in )\b|(?:^|\n)See merge request /;
const MERGE = /^Merge (?:pull request|branch|remote-tracking branch|PR|commit)\b/;

/**
 * Reads the output of `git log --patch -U0` as it comes. What was added and removed is passed over without being decoded,
 * so that the cost is that of finding line ends.
 */
export class PatchLogReader {
  readonly #take: (commit: LoggedCommit) => void;
  /** Of a line whose end has not come: its beginning, as far as it matters. */
  #begun: Buffer | undefined;
  #message: string | undefined;
  #commit: { hash: string; time: number; subject: string; isPlainMerge: boolean; files: PatchedFile[] } | undefined;
  #file: { path: string | undefined; oldPath: string | undefined; changes: LineChange[] } | undefined;

  /** `take` is handed each commit once it is complete, in the order of the log. */
  constructor(take: (commit: LoggedCommit) => void) {
    this.#take = take;
  }

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      const end = chunk.indexOf(NEWLINE, at);
      const piece = chunk.subarray(at, end < 0 ? chunk.length : end);
      const first = this.#begun?.[0] ?? piece[0];
      const matters = this.#message !== undefined || !this.#isText(first);
      if (end < 0) {
        // A copy: the chunk is not ours to keep.
        this.#begun = Buffer.concat([this.#begun ?? Buffer.of(), matters || this.#begun === undefined ? piece : Buffer.of()]);
        return;
      }
      if (matters) this.#line((this.#begun === undefined ? piece : Buffer.concat([this.#begun, piece])).toString('utf8'));
      this.#begun = undefined;
      at = end + 1;
    }
  }

  /** After the last chunk. */
  end(): void {
    this.push(Buffer.of(NEWLINE));
    this.#endCommit();
  }

  /** In the header of a file, lines with these first bytes name its paths. */
  #isText(first: number | undefined): boolean {
    return first !== undefined && TEXT_LINES.has(first) && (this.#file === undefined || this.#file.changes.length > 0);
  }

  #line(line: string): void {
    if (this.#message !== undefined) this.#continueMessage(`\n${line}`);
    else if (line.charAt(line.startsWith(BETWEEN) ? 1 : 0) === START) {
      this.#endCommit();
      this.#message = '';
      this.#continueMessage(line.slice(line.indexOf(START) + 1));
    } else if (line.startsWith('diff --git ')) {
      this.#endFile();
      this.#file = { path: undefined, oldPath: undefined, changes: [] };
    } else if (this.#file !== undefined) headerOrHunk(this.#file, line);
  }

  #continueMessage(text: string): void {
    this.#message += text;
    const end = this.#message?.indexOf(END) ?? -1;
    if (end < 0) return;
    const [head = '', subject = '', body = ''] = this.#message?.slice(0, end).split(PART) ?? [];
    const [hash = '', time = '', ...parents] = head.split(' ');
    const isPlainMerge = parents.length > 1 && !REVIEWED_MERGE.test(`${subject}\n${body}`);
    this.#commit = { hash, time: Number(time), subject: titleOf(subject, body), isPlainMerge, files: [] };
    this.#message = undefined;
  }

  #endFile(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined && (file.path !== undefined || file.oldPath !== undefined)) this.#commit?.files.push(file);
  }

  #endCommit(): void {
    this.#endFile();
    if (this.#commit !== undefined) this.#take(this.#commit);
    this.#commit = undefined;
  }
}

function headerOrHunk(file: { path: string | undefined; oldPath: string | undefined; changes: LineChange[] }, line: string): void {
  const hunk = HUNK.exec(line)?.groups;
  if (hunk !== undefined) {
    const count = (text: string | undefined): number => Number(text ?? 1);
    const { newCount, newStart, oldCount, oldStart } = hunk;
    file.changes.push({ oldStart: Number(oldStart), oldCount: count(oldCount), newStart: Number(newStart), newCount: count(newCount) });
  } else if (line.startsWith('--- ')) file.oldPath = pathOf(line);
  else if (line.startsWith('+++ ')) file.path = pathOf(line);
  else if (line.startsWith('rename from ')) file.oldPath = line.slice('rename from '.length);
  else if (line.startsWith('rename to ')) file.path = line.slice('rename to '.length);
}

/** `--- a/x y<TAB>` gives `x y`. */
function pathOf(line: string): string | undefined {
  const path = line.slice(4).replace(/\t$/, '');
  return path === '/dev/null' ? undefined : path.slice(2);
}

function titleOf(subject: string, body: string): string {
  const merged = MERGE.test(subject)
    ? body
        .split('\n')
        .map(line => line.trim())
        .find(line => line !== '')
    : undefined;
  return (merged ?? subject).replace(/\s+/g, ' ').trim().slice(0, MAX_SUBJECT_LENGTH);
}

import { type CancellationToken, Cancelled, onCancelled, throwIfCancelled } from '../../../base/cancellation';
import { err, type Failure, ok, type Result } from '../../../base/result';
import { abandonTree, type RunningProcess, startTree } from '../../processTree';
import { type GitRun, gitFailure, MAX_BYTES, MAX_MS, MAX_STDERR, tooLarge } from './process';

/** An object of a repository. */
export interface GitObject {
  /** Hash in hexadecimal digits. */
  readonly hash: string;
  readonly kind: string;
  readonly bytes: Uint8Array;
}

/** Objects by what they were asked for; those that are not there are left out. */
export type GitObjectsFound = ReadonlyMap<string, GitObject>;

/** A `git cat-file --batch` to start, how much it may take for one question, and how long it waits for the next one. */
export interface ObjectsRun extends Pick<GitRun, 'args' | 'env' | 'folder' | 'maxBytes' | 'program' | 'timeoutMs'> {
  readonly idleMs?: number;
}

/** As long as it runs it holds files of the repository open, which Windows does not let Git remove. */
const MAX_IDLE_MS = 1000;

const MAX_CLOSING_MS = 1000;

interface Question {
  readonly names: readonly string[];
  readonly found: Map<string, GitObject>;
  answered: number;
  bytes: number;
  readonly settle: (outcome: Result<GitObjectsFound, Failure>) => void;
}

/**
 * Objects of a repository from one `git cat-file --batch`, which goes on from question to question: a large process takes longer to start another one
 * than that one takes to answer. It ends when nothing is asked for a while. Questions are answered one after the other. What takes too long, says too much or
 * is cancelled is killed; the next question starts anew.
 */
export class GitObjects {
  #child: RunningProcess | undefined;
  #question: Question | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;
  #stderr = '';
  /** The line that is being read. */
  #line: Buffer[] = [];
  /** The object that is being read. */
  #object: { readonly name: string; readonly kind: string; readonly hash: string; readonly bytes: Buffer; filled: number } | undefined;

  constructor(
    private readonly run: ObjectsRun,
    private readonly token: CancellationToken,
  ) {}

  /** By hash or any other name that git knows, without line breaks. `UNAVAILABLE` and `GIT` as of `runGit`. Rejects with `Cancelled`. */
  read(names: readonly string[]): Promise<Result<GitObjectsFound, Failure>> {
    if (names.length === 0) return Promise.resolve(ok(new Map()));
    const reading = this.#last.then(() => this.#ask(names));
    this.#last = reading.catch(() => undefined);
    return reading;
  }

  /** Ends the process and waits for its end, briefly; what is asked for after that starts another one. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    await new Promise<void>(resolve => {
      const timer = setTimeout(() => {
        abandonTree(child);
        resolve();
      }, MAX_CLOSING_MS);
      child.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
      child.stdin.end();
    });
  }

  #ask(names: readonly string[]): Promise<Result<GitObjectsFound, Failure>> {
    throwIfCancelled(this.token);
    clearTimeout(this.#idle);
    return new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer);
        listening.dispose();
        this.#question = undefined;
        if (this.#child !== undefined) this.#idle = setTimeout(() => void this.close(), this.run.idleMs ?? MAX_IDLE_MS);
      };
      const settle: Question['settle'] = outcome => {
        done();
        resolve(outcome);
      };
      const timer = setTimeout(() => this.#giveUp('git cat-file took too long.'), this.run.timeoutMs ?? MAX_MS);
      this.#question = { names, found: new Map(), answered: 0, bytes: 0, settle };
      const listening = onCancelled(this.token, () => {
        this.#kill();
        done();
        reject(new Cancelled());
      });
      this.#child ??= this.#started();
      this.#child.stdin.write(`${names.join('\n')}\n`);
    });
  }

  #started(): RunningProcess {
    const { args, env, folder, program } = this.run;
    const child = startTree(program, args, { cwd: folder, env });
    this.#stderr = '';
    this.#line = [];
    this.#object = undefined;
    const ended = (failure: () => Failure): void => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.#question?.settle(err(failure()));
    };
    child.stdout.on('data', (chunk: Buffer) => this.#child === child && this.#take(chunk));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (this.#child === child) this.#stderr = (this.#stderr + text).slice(0, MAX_STDERR);
    });
    child.once('error', error => ended(() => ({ code: 'UNAVAILABLE', message: `git cannot be run: ${error.message}` })));
    child.once('close', exit => ended(() => gitFailure(this.#stderr, exit)));
    // git may have ended before it read its input; its exit status says so.
    child.stdin.on('error', () => undefined);
    return child;
  }

  #kill(): void {
    if (this.#child !== undefined) abandonTree(this.#child);
    this.#child = undefined;
  }

  #giveUp(message: string): void {
    this.#kill();
    this.#question?.settle(err({ code: 'UNAVAILABLE', message }));
  }

  /** A line for each name, and behind that of an object its content and the end of a line. */
  #take(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && this.#question !== undefined; ) {
      const object = this.#object;
      if (object !== undefined && object.filled < object.bytes.length) {
        const end = Math.min(chunk.length, at + object.bytes.length - object.filled);
        object.filled += chunk.copy(object.bytes, object.filled, at, end);
        at = end;
      } else if (object !== undefined) {
        at++;
        this.#object = undefined;
        this.#answer(this.#question, object.name, { hash: object.hash, kind: object.kind, bytes: object.bytes });
      } else {
        const end = chunk.indexOf(10, at);
        this.#line.push(chunk.subarray(at, end < 0 ? chunk.length : end));
        at = end < 0 ? chunk.length : end + 1;
        if (end >= 0) this.#begin(this.#question, Buffer.concat(this.#line.splice(0)).toString('utf8'));
      }
    }
  }

  #begin(question: Question, line: string): void {
    const name = question.names[question.answered] ?? '';
    const [, hash = '', kind = '', size = ''] = /^([0-9a-f]{40,64}) (blob|commit|tree|tag) (\d+)$/.exec(line) ?? [];
    if (hash === '') return this.#answer(question, name, undefined);
    question.bytes += Number(size);
    const maxBytes = this.run.maxBytes ?? MAX_BYTES;
    if (question.bytes > maxBytes) this.#giveUp(tooLarge(maxBytes));
    else this.#object = { name, hash, kind, bytes: Buffer.allocUnsafeSlow(Number(size)), filled: 0 };
  }

  #answer(question: Question, name: string, object: GitObject | undefined): void {
    question.answered++;
    if (object !== undefined) question.found.set(name, object);
    if (question.answered === question.names.length) question.settle(ok(question.found));
  }
}

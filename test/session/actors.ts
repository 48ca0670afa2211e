import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSync } from 'esbuild';
import { removeFolder } from '../helpers/removeFolder.mjs';

/** Bundles `actor.ts` once and starts processes of it; `dispose` ends all of them. */
export class Actors {
  readonly folder = mkdtempSync(join(tmpdir(), 'lattice-session-'));
  readonly #program = join(this.folder, 'actor.mjs');
  readonly #all: Actor[] = [];

  constructor() {
    const entry = join(import.meta.dirname, 'actor.ts');
    buildSync({ entryPoints: [entry], bundle: true, platform: 'node', format: 'esm', target: 'node20', outfile: this.#program });
  }

  /** Resolves when the process has its gateway, or has failed to get one. */
  async start(setting: Readonly<Record<string, unknown>> = {}): Promise<Actor> {
    const actor = new Actor(
      spawn(process.execPath, [this.#program, JSON.stringify({ folder: this.folder, ...setting })], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    this.#all.push(actor);
    await actor.started;
    return actor;
  }

  /** Lines `word pid` in the order in which they happened. */
  markers(): readonly { readonly word: string; readonly pid: number }[] {
    const lines = readFileSync(join(this.folder, 'markers'), 'utf8').split('\n').filter(Boolean);
    return lines.map(line => ({ word: line.split(' ')[0] ?? '', pid: Number(line.split(' ')[1]) }));
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#all.map(actor => actor.kill()));
    removeFolder(this.folder);
  }
}

export interface Opening {
  readonly ready?: { readonly role: string; readonly ownerPid: number };
  readonly failed?: { readonly code: string; readonly message: string };
}

export class Actor {
  readonly started: Promise<Opening>;
  readonly exited: Promise<number | null>;
  readonly pid: number;
  readonly #waiting = new Map<string, (value: unknown) => void>();
  #next = 1;

  constructor(readonly child: ChildProcess) {
    this.pid = child.pid ?? 0;
    this.exited = new Promise(resolve => {
      child.once('exit', code => resolve(code));
    });
    let opened: (opening: Opening) => void = () => undefined;
    this.started = new Promise(resolve => {
      opened = resolve;
    });
    if (child.stdout === null) throw new TypeError('the actor has no stdout');
    createInterface({ input: child.stdout }).on('line', line => {
      const message = JSON.parse(line) as { id?: string; value?: unknown } & Opening;
      if (message.id === undefined) opened(message);
      else this.#waiting.get(message.id)?.(message.value);
    });
  }

  ask(command: string, rest = ''): Promise<unknown> {
    const id = `${this.pid}-${this.#next++}`;
    return new Promise(resolve => {
      this.#waiting.set(id, resolve);
      this.child.stdin?.write(`${command} ${id} ${rest}\n`);
    });
  }

  async health(): Promise<{ readonly role: string; readonly ownerPid: number }> {
    return (await this.ask('health')) as { role: string; ownerPid: number };
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }

  async end(): Promise<number | null> {
    this.child.stdin?.end();
    return this.exited;
  }
}

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { type Door, DoorClosed, openLsp, openMcp, SharedPlace } from '../session/doors';
import { expectLedger, Ledger, prepareRows, type SharedRows, Writer } from '../session/writers';
import { CLI } from '../transports/bundles';
import { numbers, type Step } from './steps';

/** Most processor time that one turn of a main loop may take, in milliseconds. Issues of speed are measured in `test/bench`; this is for what hangs. */
const MAX_BLOCK_MS = 2_000;
/** Most that a process may hold, in megabytes, with a workspace as small as this one. */
const MAX_MEMORY_MB = 600;
const FILES = 30;
/** Whether this user may have a mount namespace of its own. */
export const hasNamespaces = process.platform === 'linux' && spawnSync('unshare', ['--mount', 'true']).status === 0;

interface Client {
  readonly door: Door;
  readonly writer: Writer;
  readonly isMcp: boolean;
  /** Resolves when it has found the owner, or become it. */
  readonly found: Promise<unknown>;
}

/** One era: clients that write into one project while things happen to them. `run` throws when a promise is broken. */
export class World {
  readonly place = new SharedPlace();
  readonly ledger = new Ledger();
  readonly #sockets = join(this.place.base, 'run');
  readonly #full = join(this.place.base, 'full');
  readonly #blocks = join(this.place.base, 'blocks');
  readonly #clients: Client[] = [];
  readonly #thawing = new Set<Promise<void>>();
  readonly #frozen = new Set<number>();
  #rows: SharedRows | undefined;
  #next = 0;
  maxMemoryMb = 0;

  constructor() {
    mkdirSync(this.#sockets, { mode: 0o700 });
    for (let n = 0; n < FILES; n++) writeFileSync(join(this.place.workspace, 'src', `m${n}.ts`), moduleText(n, 0));
    mkdirSync(join(this.place.workspace, 'inner'));
    writeFileSync(join(this.place.workspace, 'inner', 'b.ts'), 'export const b = 1;\n');
    this.#git('init', '-q', '-b', 'main');
    this.#git('add', '-A');
    this.#git('commit', '-qm', 'first');
    this.#git('checkout', '-qb', 'other');
    for (let n = 0; n < FILES; n += 2) writeFileSync(join(this.place.workspace, 'src', `m${n}.ts`), moduleText(n, 1));
    this.#git('commit', '-qam', 'second');
  }

  /** Carries the script out and looks at every promise. `untilMs` (of `performance.now`) cuts it short. */
  async run(script: readonly Step[], untilMs = Number.POSITIVE_INFINITY): Promise<void> {
    for (const step of script) {
      if (performance.now() > untilMs) break;
      await this.#carryOut(step);
      this.#measure();
    }
    await this.#settle();
    await this.#expectKept();
    await this.#expectGraphAsCold();
    this.#expectUnblocked();
    const last = script.at(-1);
    if (last?.do === 'damage' && performance.now() <= untilMs) await this.#damage(numbers(last.amount));
  }

  async dispose(): Promise<void> {
    rmSync(this.#full, { force: true });
    await Promise.all(this.#clients.map(({ door }) => door.kill()));
    this.place.remove();
  }

  async #carryOut(step: Step): Promise<void> {
    switch (step.do) {
      case 'open':
        return this.#open(step);
      case 'close':
        return this.#end(step.who, door => door.end());
      case 'kill':
        return this.#end(step.who, door => door.kill());
      case 'killOwner':
        for (let n = 0; n < step.amount; n++) await this.#killOwner();
        return;
      case 'freeze':
        return this.#freeze(step);
      case 'removeSockets':
        removeFolder(this.#sockets);
        mkdirSync(this.#sockets, { mode: 0o700 });
        return;
      case 'takeFolder':
        return this.#takeFolder(step.how);
      case 'fillDisk':
        writeFileSync(this.#full, '');
        await after(step.amount);
        rmSync(this.#full);
        return;
      case 'git':
        return this.#storm(step.rounds);
      case 'switchWorkspace':
        return this.#switch(step.who);
      case 'write':
        await after(step.ms);
        return;
      case 'damage':
        return;
    }
  }

  async #open({ clockMs, hidden, lsp }: Extract<Step, { do: 'open' }>): Promise<void> {
    if (this.#clients.length >= 6) return;
    const options = [this.place.env['NODE_OPTIONS'], `--require=${join(import.meta.dirname, 'preload.cjs')}`].filter(option => option !== undefined).join(' ');
    const env = {
      NODE_OPTIONS: options,
      XDG_RUNTIME_DIR: this.#sockets,
      LATTICE_LOG: 'info',
      LATTICE_SOAK_CLOCK: String(clockMs),
      LATTICE_SOAK_FULL: this.#full,
      LATTICE_SOAK_BLOCKS: this.#blocks,
    };
    const within = hidden ? { within: ['unshare', '--mount', 'sh', '-c', `mount -t tmpfs none ${this.#sockets} && exec "$@"`, 'sh'] } : {};
    const door = (lsp ? openLsp : openMcp)(this.place, { env, ...within });
    this.#rows ??= await prepareRows(door);
    const writer = new Writer(door, `w${this.#next++}`, this.#rows, this.ledger);
    writer.done.catch(() => undefined);
    const found = door.call('graph_health', {}).catch(() => undefined);
    this.#clients.push({ door, writer, isMcp: !lsp, found });
  }

  async #end(who: number, how: (door: Door) => Promise<void>): Promise<void> {
    // Somebody stays to write.
    if (this.#clients.length < 2) return;
    const [client] = this.#clients.splice(who % this.#clients.length, 1);
    if (client === undefined || this.#frozen.has(client.door.pid)) return void (client && this.#clients.push(client));
    await how(client.door);
    await client.writer.done;
  }

  async #killOwner(): Promise<void> {
    const owner = this.place.ownerPid();
    const at = this.#clients.findIndex(({ door }) => door.pid === owner);
    if (at >= 0) await this.#end(at, door => door.kill());
    await after(50);
  }

  async #freeze({ isOwner, ms, who }: Extract<Step, { do: 'freeze' }>): Promise<void> {
    const owner = this.place.ownerPid();
    const client = isOwner ? this.#clients.find(({ door }) => door.pid === owner) : this.#clients[who % Math.max(1, this.#clients.length)];
    if (client === undefined || process.platform === 'win32' || this.#frozen.size > 0) return;
    const { pid } = client.door;
    process.kill(pid, 'SIGSTOP');
    this.#frozen.add(pid);
    const thaw = after(ms).then(() => {
      this.#frozen.delete(pid);
      process.kill(pid, 'SIGCONT');
    });
    this.#thawing.add(thaw);
  }

  /**
   * Nobody is killed or frozen until the owner has begun anew: what is in no file and in no process is gone. Nobody starts meanwhile either: who sees neither
   * the data nor the socket of the owner begins a new project, as it should.
   */
  async #takeFolder(how: 'removed' | 'moved' | 'copied'): Promise<void> {
    await this.#thaw();
    const [writer] = this.#clients;
    if (writer === undefined || !existsSync(this.place.home)) return;
    const { home } = this.place;
    const aside = join(this.place.base, `home-${this.#next++}`);
    await Promise.all(this.#clients.map(({ found }) => found));
    await this.#acknowledgement();
    const owner = this.place.ownerCard()?.token;
    if (how === 'copied') cpSync(home, aside, { recursive: true, filter: path => !/\.(?:new|s)$/.test(path) });
    if (how === 'moved') renameSync(home, aside);
    else await removeUnderWriters(home);
    if (how === 'copied') renameSync(aside, home);
    await this.#until('no owner began anew', () => {
      const card = this.place.ownerCard();
      return card !== undefined && card.token !== owner && card.state === 'serving';
    });
    await this.#acknowledgement();
  }

  /** Waits until one more write has been acknowledged. */
  async #acknowledgement(): Promise<void> {
    const before = this.ledger.acknowledged;
    await this.#until('no write was acknowledged', () => this.ledger.acknowledged > before);
  }

  async #until(problem: string, isSo: () => boolean): Promise<void> {
    const untilMs = performance.now() + 120_000;
    while (!isSo()) {
      if (performance.now() > untilMs) throw new Error(`${problem} for two minutes: ${this.#state()}`);
      // A writer that met a broken promise has stopped: that is what went wrong.
      await Promise.race([after(20), ...this.#clients.map(({ writer }) => writer.done.then(() => after(20)))]);
    }
  }

  #state(): string {
    const living = this.#clients.map(
      ({ door, isMcp }) =>
        `${isMcp ? 'mcp' : 'lsp'} ${door.pid}${existsSync(`/proc/${door.pid}`) ? '' : ' gone'}${this.#frozen.has(door.pid) ? ' frozen' : ''}`,
    );
    const last = this.ledger.refusals.at(-1)?.summary ?? 'none';
    return `clients ${living.join(', ')}; owner ${this.place.ownerPid()}; last refusal: ${last}; they wrote: ${this.#clients.map(({ door }) => door.lastWords()).join('\n')}`;
  }

  async #storm(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      this.#git('checkout', '-q', '-f', round % 2 === 0 ? 'main' : 'other');
      writeFileSync(join(this.place.workspace, 'src', `m${round}.ts`), moduleText(round, this.#next++));
      this.#git('commit', '-q', '--allow-empty', '-am', `storm ${this.#next}`);
      await after(30);
    }
  }

  async #switch(who: number): Promise<void> {
    const client = this.#clients[who % Math.max(1, this.#clients.length)];
    if (client === undefined || !client.isMcp || this.#frozen.size > 0) return;
    const { workspace } = this.place;
    for (const workspaceRoot of [join(workspace, 'inner'), workspace]) {
      await Promise.race([client.door.call('graph_set_workspace', { workspaceRoot }), client.writer.done]).catch((error: unknown) => {
        if (!(error instanceof DoorClosed)) throw error;
      });
    }
  }

  async #thaw(): Promise<void> {
    await Promise.all(this.#thawing);
    this.#thawing.clear();
  }

  async #settle(): Promise<void> {
    rmSync(this.#full, { force: true });
    await this.#thaw();
    if (this.#clients.length > 0) await this.#acknowledgement();
    await Promise.all(this.#clients.map(({ writer }) => writer.stop()));
    await Promise.all(this.#clients.map(({ door }) => door.end()));
    this.#clients.length = 0;
  }

  async #expectKept(): Promise<void> {
    const store = await this.place.store();
    try {
      if (this.#rows !== undefined) expectLedger(store, this.ledger, this.#rows, false);
      if (store.needsHashCheck) throw new Error(`something is said to be lost: ${store.recovered.join(' ')}`);
    } finally {
      await store.abandon();
    }
  }

  async #expectGraphAsCold(): Promise<void> {
    const [warm, cold] = [await this.#rowsOf(this.place.home), await this.#rowsOf(join(this.place.base, 'cold'))];
    const missing = cold.filter(row => !warm.includes(row));
    const more = warm.filter(row => !cold.includes(row));
    if (missing.length + more.length > 0)
      throw new Error(`the graph is not that of a cold index: lacks ${missing.slice(0, 3).join(' ')}; has ${more.slice(0, 3).join(' ')}`);
  }

  #rowsOf(home: string): Promise<readonly string[]> {
    const child = spawn(process.execPath, [CLI, 'export', '--workspace', this.place.workspace], { env: { ...this.place.env, LATTICE_HOME: home } });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    child.stderr.resume();
    return new Promise((resolve, reject) => {
      child.once('close', code => (code === 0 ? resolve(text.split('\n').filter(isOfFiles).sort()) : reject(new Error(`lattice export ended with ${code}`))));
    });
  }

  /** Damages one file of a project that nobody uses: what is lost then is told, and only what stood in one record is. */
  async #damage(next: (limit: number) => number): Promise<void> {
    const folders = ['journal', 'view'].map(name => join(this.place.project, name));
    const files = folders.flatMap(folder => readdirSync(folder).map(name => join(folder, name))).filter(path => statSync(path).size > 0);
    const path = files[next(files.length)];
    if (path === undefined) return;
    const bytes = readFileSync(path);
    const at = next(bytes.length);
    const isCut = next(2) === 0;
    bytes[at] = (bytes[at] ?? 0) ^ (1 << next(8));
    writeFileSync(path, isCut ? bytes.subarray(0, at) : bytes);
    const store = await this.place.store();
    try {
      const names = new Set(store.query('SELECT name FROM work_containers').map(row => String(row['name'])));
      const lost = [...this.ledger.tasksDone].filter(name => !names.has(name));
      if (lost.length > 0 && !store.needsHashCheck)
        throw new Error(`${lost.length} tasks are gone without a word after ${path} was ${isCut ? 'cut' : 'changed'} at ${at}`);
    } finally {
      await store.abandon();
    }
  }

  #measure(): void {
    if (process.platform !== 'linux') return;
    for (const { door } of this.#clients) {
      const status = existsSync(`/proc/${door.pid}/status`) ? readFileSync(`/proc/${door.pid}/status`, 'utf8') : '';
      const heldMb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
      this.maxMemoryMb = Math.max(this.maxMemoryMb, heldMb);
      if (heldMb > MAX_MEMORY_MB) throw new Error(`process ${door.pid} holds ${Math.round(heldMb)} MB`);
    }
  }

  /** Milliseconds of processor time of the longest turn of a main loop. */
  get longestBlockMs(): number {
    const lines = existsSync(this.#blocks) ? readFileSync(this.#blocks, 'utf8').split('\n').filter(Boolean) : [];
    return Math.max(0, ...lines.map(line => (JSON.parse(line) as { readonly ms: number }).ms));
  }

  #expectUnblocked(): void {
    if (this.longestBlockMs > MAX_BLOCK_MS) throw new Error(`a main loop was held for ${this.longestBlockMs} ms of processor time`);
  }

  #git(...words: readonly string[]): void {
    const identity = ['-c', 'user.name=soak', '-c', 'user.email=soak@example.invalid', '-c', 'core.autocrlf=false'];
    execFileSync('git', [...identity, ...words], { cwd: this.place.workspace, stdio: ['ignore', 'ignore', 'pipe'] });
  }
}

/** Whoever writes below it may make a folder full again that was empty a moment ago. */
async function removeUnderWriters(folder: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return removeFolder(folder);
    } catch (error) {
      if (attempt === 50) throw error;
      await after(10);
    }
  }
}

/** Rows of the code graph: what people and agents wrote is in one of the two data folders only. */
function isOfFiles(row: string): boolean {
  return [...row.matchAll(/"(?:id|source|target)":"([^"]*)"/g)].every(([, id = '']) => id.startsWith('src/') || id.startsWith('inner/'));
}

function moduleText(n: number, version: number): string {
  const next = (n + 1) % FILES;
  return `import { f${next} } from './m${next}';\n\nexport function f${n}(): number {\n  return f${next}() + ${version};\n}\n`;
}

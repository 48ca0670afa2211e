import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import {
  createMessageConnection,
  ErrorCodes,
  type MessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import type { AnswerDto } from '../../server/protocol/requests';
import { ROOM_KINDS, ROOM_MIGRATIONS } from '../../server/src/main/rooms';
import type { OwnerCard } from '../../server/src/session/ownerLock';
import { highestGeneration, projectFolder } from '../../server/src/store/dataFolder';
import { nodeDisk } from '../../server/src/store/disk';
import { ProjectStore } from '../../server/src/store/projectStore';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { DIST } from '../transports/bundles';

export type Envelope = AnswerDto['envelope'];

/** A small workspace with a data folder, for processes that share them. */
export class SharedPlace {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-writers-')));
  readonly workspace = join(this.base, 'workspace');
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;

  constructor(home = 'home') {
    this.home = join(this.base, home);
    mkdirSync(join(this.workspace, 'src'), { recursive: true });
    writeFileSync(join(this.workspace, 'src', 'a.ts'), 'export function a(): number {\n  return 1;\n}\n');
    const { LATTICE_SUITE: _, LATTICE_SOAK: __, ...env } = process.env;
    this.env = { ...env, LATTICE_HOME: this.home, LATTICE_LOG: 'error' };
  }

  /** Process id of the newest owner, from its card; `undefined` also while cards come and go. */
  ownerPid(): number | undefined {
    return this.ownerCard()?.pid;
  }

  ownerCard(): Pick<OwnerCard, 'pid' | 'token' | 'state'> | undefined {
    try {
      const cards = readdirSync(this.#owners)
        .filter(name => /^owner\.\d+\.json$/.test(name))
        .sort((a, b) => Number(a.match(/\d+/)?.[0]) - Number(b.match(/\d+/)?.[0]));
      const newest = cards.at(-1);
      return newest === undefined ? undefined : (JSON.parse(readFileSync(join(this.#owners, newest), 'utf8')) as OwnerCard);
    } catch {
      return undefined;
    }
  }

  get #owners(): string {
    return join(this.project, 'owner');
  }

  #generations(): readonly number[] {
    return existsSync(this.#owners) ? readdirSync(this.#owners).map(name => Number(/^owner\.(\d+)\.json$/.exec(name)?.[1] ?? 0)) : [];
  }

  /** Folder of the project in the data folder. */
  get project(): string {
    return projectFolder(this.home, this.#identity).folder;
  }

  /** A repository is one project with all its worktrees. */
  get #identity(): string {
    const repository = join(this.workspace, '.git');
    return existsSync(repository) ? repository : this.workspace;
  }

  /** What the store holds, as the next owner finds it. Only when no process is left. */
  async store(): Promise<ProjectStore> {
    const project = projectFolder(this.home, this.#identity);
    // Higher than all before it, and no card of an owner says so: whoever comes after goes on from what the journal says.
    const generation = 1 + Math.max(await highestGeneration(nodeDisk(), project), ...this.#generations());
    const opened = await ProjectStore.open({
      project,
      projectId: 'p',
      disk: nodeDisk(),
      fence: { generation, holds: () => true, lose: () => undefined },
      clock: { now: () => Date.now(), monotonic: () => performance.now() },
      timers: { after: () => ({ dispose: () => undefined }) },
      log: { write: () => undefined },
      random: () => 'feedbeef',
      sqlWasm: async () => readFileSync(join(DIST, 'sql-wasm.wasm')),
      kinds: ROOM_KINDS,
      migrations: ROOM_MIGRATIONS,
    });
    if (!opened.ok) throw new Error(opened.error.message);
    return opened.value;
  }

  remove(): void {
    removeFolder(this.base);
  }
}

/** The process ended while the call was under way. */
export class DoorClosed extends Error {}

/** A process of the product, as an agent or an editor starts it, that can call tools. */
export interface Door {
  readonly pid: number;
  call(name: string, input: Readonly<Record<string, unknown>>): Promise<Envelope>;
  kill(): Promise<void>;
  /** The end of what it wrote to its error output. */
  lastWords(): string;
  /** Ends its input and waits for the process to leave. */
  end(): Promise<void>;
}

/** What is different about a process. */
export interface Surroundings {
  readonly env?: NodeJS.ProcessEnv;
  /** A program with words that runs the process, in another mount namespace for one. */
  readonly within?: readonly string[];
  /** User and group to run as. */
  readonly user?: number;
}

/** An MCP bridge that was told `initialize`. */
export function openMcp(place: SharedPlace, surroundings: Surroundings = {}): Door {
  const process = spawnBundle(place, 'mcp.js', ['--workspace', place.workspace, '--tools', 'full'], surroundings);
  const waiting = new Map<number, (envelope: Envelope) => void>();
  let next = 1;
  createInterface({ input: process.child.stdout }).on('line', line => {
    const { error, id, result } = JSON.parse(line) as {
      readonly id?: number;
      readonly result?: { readonly structuredContent?: Envelope };
      readonly error?: unknown;
    };
    if (id === undefined) return;
    const answered = waiting.get(id);
    waiting.delete(id);
    answered?.(result?.structuredContent ?? failedEnvelope(JSON.stringify(error ?? result)));
  });
  const send = (message: object): boolean => process.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  send({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'writer', version: '1' } } });
  send({ method: 'notifications/initialized' });
  return {
    ...process.door,
    call: (name, input) => {
      const id = next++;
      const answer = new Promise<Envelope>(resolve => waiting.set(id, resolve));
      send({ id, method: 'tools/call', params: { name, arguments: input } });
      return Promise.race([answer, process.closed]);
    },
  };
}

/** A language server with the workspace open. */
export function openLsp(place: SharedPlace): Door {
  const process = spawnBundle(place, 'server.js', ['--stdio']);
  const connection: MessageConnection = createMessageConnection(new StreamMessageReader(process.child.stdout), new StreamMessageWriter(process.child.stdin));
  let isConnected = true;
  connection.onError(() => undefined);
  connection.onClose(() => void (isConnected = false));
  connection.listen();
  const uri = pathToFileURL(place.workspace).href;
  const opened = connection
    .sendRequest('initialize', {
      processId: null,
      capabilities: {},
      rootUri: uri,
      workspaceFolders: [{ uri, name: 'workspace' }],
      initializationOptions: { trusted: true },
    })
    .then(() => connection.sendNotification('initialized', {}));
  opened.catch(() => undefined);
  return {
    ...process.door,
    call: async (name, input) => {
      const sent = opened.then(() => connection.sendRequest<AnswerDto>('lattice/callTool', { name, input }));
      // The output of a killed process may end before its exit is told, and nothing can be sent to one that was told to end: the exit is what counts.
      const isLeft = (error: unknown): boolean =>
        !isConnected || process.child.stdin.writableEnded || (error instanceof ResponseError && error.code === ErrorCodes.MessageWriteError);
      const answer = sent.catch((error: unknown) => (isLeft(error) ? process.closed : Promise.reject(error)));
      answer.catch(() => undefined);
      return (await Promise.race([answer, process.closed])).envelope;
    },
  };
}

/** In characters. */
const LAST_WORDS = 2_000;

interface Spawned {
  readonly child: ChildProcessWithoutNullStreams;
  readonly closed: Promise<never>;
  readonly door: Pick<Door, 'pid' | 'kill' | 'end' | 'lastWords'>;
}

function spawnBundle(place: SharedPlace, bundle: string, words: readonly string[], { env = {}, user, within = [] }: Surroundings = {}): Spawned {
  const [program = '', ...rest] = [...within, process.execPath, join(DIST, bundle), ...words];
  const as = user === undefined ? {} : { uid: user, gid: user };
  const child = spawn(program, rest, { cwd: place.workspace, env: { ...place.env, ...env }, ...as });
  child.stdin.on('error', () => undefined);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-LAST_WORDS);
  });
  const exited = new Promise<void>(resolve => {
    child.once('exit', () => resolve());
  });
  const closed = exited.then(() => Promise.reject(new DoorClosed(`process ${child.pid} ended`)));
  closed.catch(() => undefined);
  const kill = async (): Promise<void> => {
    child.kill('SIGCONT');
    child.kill('SIGKILL');
    await exited;
  };
  const end = async (): Promise<void> => {
    child.stdin.end();
    await exited;
  };
  return { child, closed, door: { pid: child.pid ?? 0, kill, end, lastWords: () => said } };
}

function failedEnvelope(summary: string): Envelope {
  return { ok: false, summary, profile: 'compact', _tokenEstimate: 0, errorCode: 'INTERNAL' };
}

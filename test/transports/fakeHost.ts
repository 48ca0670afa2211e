import { PassThrough } from 'node:stream';
import { CancellationSource, type CancellationToken } from '../../server/src/base/cancellation';
import { Emitter } from '../../server/src/base/emitter';
import { err, type Failure, ok, type Result } from '../../server/src/base/result';
import { phrase, toolRef } from '../../server/src/model/hints';
import type { WorkspaceSettings } from '../../server/src/model/settings';
import type { Caller, FileEvent, Gateway, OverlayChange, ToolAnswer, ToolCall } from '../../server/src/session/gateway';
import { runCli } from '../../server/src/transports/commandLine';
import type { DataAdministration, OpenRequest, ToolRow, TransportHost } from '../../server/src/transports/host';
import type { ProcessIo } from '../../server/src/transports/processIo';
import type { EngineHealth, IndexProgress } from '../../server/src/workspace/snapshot';

export const STAMP = { revision: 7, head: 'abcdef012345', pendingFiles: 0 };
const READY: IndexProgress = { phase: 'ready', done: 0, total: 0 };

/** A workspace whose answers the test gives; it records what it was asked. */
export class FakeGateway implements Gateway {
  readonly calls: ToolCall[] = [];
  readonly tokens: CancellationToken[] = [];
  readonly queries: { readonly feature: string; readonly params: unknown; readonly caller: Caller }[] = [];
  readonly fileEvents: FileEvent[] = [];
  readonly overlays: OverlayChange[] = [];
  readonly settings: Partial<WorkspaceSettings>[] = [];
  readonly progress = new Emitter<IndexProgress>();
  readonly revisions = new Emitter<{ readonly revision: number; readonly changed: readonly string[] }>();
  /** How often somebody has begun to listen for progress. */
  listened = 0;
  readonly onProgress: Gateway['onProgress'] = listener => {
    this.listened++;
    return this.progress.event(listener);
  };
  readonly onRevision = this.revisions.event;
  readonly records = new Emitter<readonly string[]>();
  readonly onRecords = this.records.event;
  role: 'owner' | 'guest' = 'owner';
  closed = false;
  answers: Readonly<Record<string, (params: never) => unknown>> = {};
  onCall: (call: ToolCall, token: CancellationToken) => ToolAnswer | Promise<ToolAnswer> = call => answerOf({ tool: call.name, input: call.input });
  #phase = READY;
  #indexed: Result<void, Failure> | undefined = ok(undefined);
  #waiting: ((result: Result<void, Failure>) => void)[] = [];

  constructor(readonly root: string) {}

  /** Starts as a workspace whose first index is running; `index` goes on with it. */
  indexing(): void {
    this.#indexed = undefined;
    this.#phase = { phase: 'scanning', done: 0, total: 0 };
  }

  index(progress: IndexProgress): void {
    this.#phase = progress;
    this.progress.fire(progress);
    if (progress.phase !== 'ready' && progress.phase !== 'failed') return;
    this.#indexed = progress.phase === 'ready' ? ok(undefined) : err({ code: 'UNAVAILABLE', message: progress.problem ?? '' });
    for (const resolve of this.#waiting) resolve(this.#indexed);
    this.#waiting = [];
  }

  async callTool(call: ToolCall, token: CancellationToken): Promise<ToolAnswer> {
    this.calls.push(call);
    this.tokens.push(token);
    return this.onCall(call, token);
  }

  async query(feature: string, params: unknown, caller: Caller): Promise<Result<unknown, Failure>> {
    this.queries.push({ feature, params, caller });
    const answer = this.answers[feature];
    return answer === undefined ? err({ code: 'VALIDATION_ERROR', message: `no feature ${feature}` }) : ok(answer(params as never));
  }

  async health(): Promise<EngineHealth> {
    return { ...HEALTH, progress: this.#phase };
  }

  async ready(): Promise<Result<void, Failure>> {
    return this.#indexed ?? new Promise(resolve => this.#waiting.push(resolve));
  }

  notifyFiles(events: readonly FileEvent[]): void {
    this.fileEvents.push(...events);
  }

  overlay(changes: readonly OverlayChange[]): void {
    this.overlays.push(...changes);
  }

  configure(settings: Partial<WorkspaceSettings>): void {
    this.settings.push(settings);
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  dispose(): void {
    this.closed = true;
  }
}

export function answerOf(data: Readonly<Record<string, unknown>>, text = 'Found 1.\nsrc/a.ts:3 function a\nrevision 7'): ToolAnswer {
  return { envelope: { ok: true, summary: 'Found 1.', profile: 'compact', _tokenEstimate: 10, stamp: STAMP, data }, text };
}

export function refusalOf(errorCode: 'NOT_FOUND' | 'VALIDATION_ERROR' | 'INTERNAL', data: Readonly<Record<string, unknown>> = {}): ToolAnswer {
  const envelope = { ok: false, summary: 'There is no foo.', profile: 'compact', _tokenEstimate: 10, hint: 'Search for it.', errorCode, data } as const;
  return { envelope, text: 'There is no foo.' };
}

export const HEALTH: EngineHealth = {
  progress: READY,
  watcherState: 'idle',
  pendingFiles: 0,
  languages: [{ language: 'typescript', files: 3, symbols: 12, lines: 1200, nodes: 9000, errorNodes: 180 }],
  problems: [{ path: 'src/bad.ts', code: 'unreadable', message: 'permission denied' }],
  problemCounts: { unreadable: 1 },
  skipped: { ignored: 1, generated: 1, minified: 2 },
  latestTxId: 'tx-1',
  latestTxTimestamp: 0,
  txCount: 1,
  recentEvents: [],
  storeBytes: { journal: 1000, view: 2000, packs: 3_000_000 },
  recovered: [],
  lastIndex: { durationMs: 1234, filesParsed: 2, filesFromCache: 1, backgroundMs: 2500 },
  dataFolder: '/data',
  role: 'owner',
  ownerPid: 42,
  engineVersion: '1.2.3',
};

const searchSchema = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'What to look for.' },
    k: { type: 'integer', default: 10, description: 'How many.' },
    minScore: { type: 'number' },
    relations: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }], description: 'Relations.' },
    includeTests: { type: 'boolean', description: 'Also tests.' },
    profile: { type: 'string', enum: ['compact', 'balanced', 'debug'] },
  },
  required: ['query'],
};
const targetSchema = {
  type: 'object',
  properties: { target: { type: 'string' }, profile: { type: 'string', enum: ['compact', 'balanced', 'debug'] } },
  required: ['target'],
};
const ENVELOPE = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };

function row(name: string, inputSchema: object, readOnlyHint = true): ToolRow {
  return {
    name,
    title: name,
    description: `Does ${name}. Use it often.`,
    inputSchema: { ...inputSchema },
    outputSchema: ENVELOPE,
    annotations: { readOnlyHint, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  };
}

export const TOOLS: readonly ToolRow[] = [
  row('search_code', searchSchema),
  row('code_explain', targetSchema),
  row('semantic_slice', targetSchema),
  row('impact_analyze', { ...targetSchema, properties: { ...targetSchema.properties, since: { type: 'string' }, maxDepth: { type: 'integer' } } }),
  row('query_graph_neighborhood', targetSchema),
  row('graph_health', { type: 'object', properties: {} }),
  row('graph_rebuild', { type: 'object', properties: { mode: { type: 'string', enum: ['incremental', 'full'] } } }, false),
  row('graph_set_workspace', { type: 'object', properties: { workspaceRoot: { type: 'string' } }, required: ['workspaceRoot'] }, false),
];

export class FakeHost implements TransportHost {
  readonly version = '1.2.3';
  readonly bundleFolder: string;
  readonly tools = [
    ...TOOLS,
    row('graph_diff', { type: 'object', properties: { from: { type: 'string' }, to: { type: 'string' } } }),
    row('arch_validate', {
      type: 'object',
      properties: {
        files: { type: 'array', items: { type: 'string' } },
        since: { type: 'string' },
        minSeverity: { type: 'string', enum: ['info', 'warning', 'error'] },
      },
    }),
  ];
  readonly gateways = new Map<string, FakeGateway>();
  readonly opened: OpenRequest[] = [];
  readonly data: DataAdministration & { dropped: string[]; resets: { root: string; all: boolean }[] };
  prepare: (gateway: FakeGateway) => void = () => undefined;
  openFailure: Failure | undefined;

  constructor(folder: string) {
    this.bundleFolder = folder;
    const dropped: string[] = [];
    const resets: { root: string; all: boolean }[] = [];
    this.data = {
      folder,
      dropped,
      resets,
      inspect: async (_, repair) => [
        { level: 'ok', subject: 'Data folder', message: folder },
        {
          level: repair ? 'ok' : 'error',
          subject: 'Journal',
          message: repair ? 'repaired' : 'damaged',
          ...(repair ? {} : { advice: phrase`Run lattice doctor --repair, then ${toolRef('graph_rebuild', { mode: 'full' })}.` }),
        },
      ],
      vanished: async () => [{ root: '/gone', folder: '/data/gone', sizeBytes: 1500 }],
      drop: async gone => {
        dropped.push(gone);
        return ok(undefined);
      },
      reset: async (root, all) => {
        resets.push({ root, all });
        return ok(['the index']);
      },
    };
  }

  selectTools(spec: string): Result<readonly ToolRow[], Failure> {
    if (spec === 'full') return ok(TOOLS);
    if (spec === 'core') return ok(TOOLS.slice(0, 6));
    const found = TOOLS.filter(tool => spec.split(',').includes(tool.name));
    return found.length > 0 ? ok(found) : err({ code: 'VALIDATION_ERROR', message: `There is no tool ${spec}.` });
  }

  refusalOf: TransportHost['refusalOf'] = () => undefined;

  async open(request: OpenRequest): Promise<Result<Gateway, Failure>> {
    this.opened.push(request);
    if (this.openFailure !== undefined) return err(this.openFailure);
    const gateway = new FakeGateway(request.root);
    this.prepare(gateway);
    this.gateways.set(request.root, gateway);
    return ok(gateway);
  }

  get gateway(): FakeGateway {
    const [first] = this.gateways.values();
    if (first === undefined) throw new Error('No workspace was opened.');
    return first;
  }
}

export interface FakeIoOptions {
  readonly tty?: boolean;
  readonly env?: Record<string, string>;
  /** Milliseconds; stands still unless given. */
  readonly now?: () => number;
}

/** A process for the command line: streams in memory, no terminal unless asked for. */
export function fakeIo(cwd: string, options: FakeIoOptions = {}): ProcessIo & { readonly text: () => { out: string; err: string } } {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const out: string[] = [];
  const errors: string[] = [];
  stdout.on('data', chunk => out.push(String(chunk)));
  stderr.on('data', chunk => errors.push(String(chunk)));
  const terminal = options.tty === true ? { isTTY: true, columns: 100 } : {};
  return {
    stdin: new PassThrough(),
    stdout: Object.assign(stdout, terminal),
    stderr: Object.assign(stderr, terminal),
    env: options.env ?? {},
    cwd,
    platform: 'linux',
    text: () => ({ out: out.join(''), err: errors.join('') }),
  };
}

export interface CliRun {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

export async function cli(
  host: FakeHost,
  cwd: string,
  words: readonly string[],
  options: FakeIoOptions = {},
  source = new CancellationSource(),
): Promise<CliRun> {
  const io = fakeIo(cwd, options);
  const exit = await runCli({ words, host, io, now: options.now ?? (() => 0), token: source.token });
  await new Promise(resolve => setImmediate(resolve));
  return { exit, ...io.text() };
}

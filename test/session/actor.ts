/** A process with a gateway on a pretend engine, driven line by line over stdin. Run by the tests of this folder as a bundle. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { neverCancelled } from '../../server/src/base/cancellation';
import { Emitter } from '../../server/src/base/emitter';
import { err, ok } from '../../server/src/base/result';
import type { Answering } from '../../server/src/session/answering';
import type { AttachedCheckout, CheckoutHost } from '../../server/src/session/checkoutHost';
import type { OverlayChange } from '../../server/src/session/gateway';
import { openGateway } from '../../server/src/session/projectSession';
import type { EngineHealth, Workspace } from '../../server/src/workspace/snapshot';

interface Setting {
  readonly folder: string;
  readonly protocol?: number;
  readonly oldest?: number;
  readonly longLived?: boolean;
  /** The main loop is held this long when the process starts as an owner. */
  readonly heldMs?: number;
  /** An owner that goes takes this long to close its store. */
  readonly closingMs?: number;
}

const setting = JSON.parse(process.argv[2] ?? '{}') as Setting;
const markers = join(setting.folder, 'markers');
const answers = join(setting.folder, 'answers');
const mark = (word: string): void => appendFileSync(markers, `${word} ${process.pid}\n`);
const say = (value: object): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

const overlays = new Map<string, Map<string, string>>();
const health = {
  progress: { phase: 'ready', done: 1, total: 1 },
  pendingFiles: 0,
  languages: [],
  problems: [],
  recentEvents: [],
  recovered: [],
  skipped: {},
  storeBytes: {},
  dataFolder: '',
  engineVersion: '1',
  ownerPid: process.pid,
  role: 'owner',
} as unknown as EngineHealth;

function workspaceOf(viewer: string | undefined): Workspace {
  const seen = viewer === undefined ? undefined : overlays.get(viewer);
  return { readText: (path: string) => Promise.resolve(ok(seen?.get(path) ?? 'on disk')) } as unknown as Workspace;
}

function pretendHost(): CheckoutHost {
  mark('begin');
  if (setting.heldMs !== undefined) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, setting.heldMs);
  const beat = setInterval(() => mark('work'), 5);
  let isClosed = false;
  const attach = (root: string): AttachedCheckout => ({
    root,
    workspace: workspaceOf,
    answering: find => find(),
    ready: () => Promise.resolve(ok(undefined)),
    health: () => health,
    notifyFiles: () => undefined,
    overlay: (viewer: string, changes: readonly OverlayChange[]) => {
      const documents = overlays.get(viewer) ?? new Map<string, string>();
      for (const change of changes) documents.set(change.path, change.text ?? 'on disk');
      overlays.set(viewer, documents);
    },
    configure: () => undefined,
    onProgress: new Emitter<never>().event,
    onRevision: new Emitter<never>().event,
    onRecords: new Emitter<never>().event,
    dispose: () => undefined,
  });
  return {
    attach: root => Promise.resolve(root.endsWith('missing') ? err({ code: 'NOT_FOUND', message: 'no such folder' }) : ok(attach(root))),
    recall: key => {
      if (isClosed) throw new Error('the store is closed');
      return journal().get(key);
    },
    remember: (key, answer) => {
      appendFileSync(answers, `${key}\t${answer}\n`);
      return Promise.resolve();
    },
    close: async () => {
      isClosed = true;
      clearInterval(beat);
      await new Promise(resolve => setTimeout(resolve, setting.closingMs ?? 0));
      mark('end');
    },
  };
}

function journal(): ReadonlyMap<string, string> {
  const lines = existsSync(answers) ? readFileSync(answers, 'utf8').split('\n').filter(Boolean) : [];
  return new Map(lines.map(line => [line.slice(0, line.indexOf('\t')), line.slice(line.indexOf('\t') + 1)]));
}

const answering: Answering = {
  changes: tool => tool === 'write',
  query: async (workspace, feature) => ok(await workspace.readText(feature)),
  callTool: async (_, call) => {
    if (call.name === 'slow') await new Promise(resolve => setTimeout(resolve, 60_000));
    return { envelope: { ok: true, summary: String(process.pid), profile: 'compact', _tokenEstimate: 1 }, text: call.idempotencyKey };
  },
};

const opened = await openGateway({
  root: setting.folder,
  lockFolder: join(setting.folder, 'lock'),
  projectKey: setting.folder,
  place: { platform: process.platform, env: {}, tmpdir: tmpdir(), uid: process.getuid?.() ?? -1, dataFolder: setting.folder },
  attach: { watch: 'none', settings: undefined, longLived: setting.longLived ?? true },
  versions: { protocol: setting.protocol ?? 2, oldest: setting.oldest ?? 1 },
  engineVersion: '0.0.0',
  answering,
  log: { write: (level, message) => (level === 'error' ? process.stderr.write(`${message}\n`) : undefined) },
  lowestGeneration: () => Promise.resolve(1),
  createHost: () => Promise.resolve(ok(pretendHost())),
});
if (!opened.ok) {
  say({ failed: opened.error });
  process.exit(3);
}
const gateway = opened.value;
const report = async (): Promise<object> => {
  const { role, ownerPid } = await gateway.health();
  return { role, ownerPid };
};
say({ ready: await report() });

const caller = { agentId: undefined, sessionId: String(process.pid), kind: 'editor' } as const;
createInterface({ input: process.stdin })
  .on('line', line => {
    const [command = '', id = '', rest = ''] = line.split(' ');
    void run(command, id, rest).then(value => say({ id, value }));
  })
  .on('close', () => void gateway.close().then(() => process.exit(0)));

async function run(command: string, id: string, rest: string): Promise<unknown> {
  switch (command) {
    case 'health':
      return report();
    case 'read':
    case 'write':
    case 'slow':
      return gateway.callTool({ name: command, input: {}, caller, idempotencyKey: rest === '' ? id : rest }, neverCancelled);
    case 'overlay':
      gateway.overlay([{ path: 'a', version: 1, text: rest }], caller);
      return 'done';
    case 'text':
      return gateway.query('a', {}, rest === 'agent' ? { ...caller, kind: 'agent' } : caller, neverCancelled);
    default:
      return undefined;
  }
}

import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { neverCancelled } from '../../server/src/base/cancellation';
import { type OpenOptions, openWorkspace } from '../../server/src/main/compose';
import type { Caller, Gateway, ToolAnswer } from '../../server/src/session/gateway';
import type { EngineHealth } from '../../server/src/workspace/snapshot';
import { removeFolder } from '../helpers/removeFolder.mjs';

export const distFolder = join(import.meta.dirname, '../../dist');

/** A folder of source files with its own data folder, and the gateways a test opens on it. */
export class Checkout {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-engine-')));
  readonly root: string;
  readonly data = join(this.base, 'data');
  readonly logged: string[] = [];
  readonly #open: Asking[] = [];

  constructor(files: Readonly<Record<string, string | Uint8Array>>, folder = 'work') {
    this.root = join(this.base, folder);
    mkdirSync(this.root);
    this.write(files);
  }

  write(files: Readonly<Record<string, string | Uint8Array>>, root = this.root): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  }

  remove(path: string): void {
    rmSync(join(this.root, path), { recursive: true });
  }

  /** Resolves when folder and graph agree. */
  async open(options: Partial<OpenOptions> = {}): Promise<Asking> {
    const opened = await openWorkspace({
      root: this.root,
      distFolder,
      dataFolder: this.data,
      longLived: false,
      watch: 'none',
      log: { write: (level, message) => void this.logged.push(`${level}: ${message}`) },
      ...options,
    });
    if (!opened.ok) throw new Error(opened.error.message);
    const asking = new Asking(opened.value);
    this.#open.push(asking);
    const ready = await opened.value.ready(neverCancelled);
    if (!ready.ok) throw new Error(ready.error.message);
    return asking;
  }

  async dispose(): Promise<void> {
    for (const asking of this.#open) await asking.close();
    removeFolder(this.base);
  }
}

/** Whether a row of an export is of the code: transactions and what hangs on them differ from index to index, communities carry their revision. */
export function isOfCode(row: unknown): boolean {
  const { nodeType, source, target } = row as { readonly nodeType?: string; readonly source?: string; readonly target?: string };
  const isAbove = (id: string | undefined): boolean => id !== undefined && /^(?:tx|community)::/.test(id);
  return nodeType !== 'tx' && nodeType !== 'community' && !isAbove(source) && !isAbove(target);
}

/** One client of a gateway with a session of its own. */
export class Asking {
  readonly #sessionId = randomUUID();

  constructor(readonly gateway: Gateway) {}

  caller(kind: Caller['kind'] = 'agent'): Caller {
    return { agentId: undefined, sessionId: this.#sessionId, kind };
  }

  call(name: string, input: Readonly<Record<string, unknown>>, kind?: Caller['kind']): Promise<ToolAnswer> {
    return this.gateway.callTool({ name, input: { profile: 'debug', ...input }, caller: this.caller(kind), idempotencyKey: randomUUID() }, neverCancelled);
  }

  /** Ids found for a name, best first. */
  async find(query: string, kind?: Caller['kind']): Promise<readonly string[]> {
    const answer = await this.gateway.query('search', { query, limit: 50 }, this.caller(kind), neverCancelled);
    if (!answer.ok) throw new Error(answer.error.message);
    return (answer.value as { hits: readonly { id: string }[] }).hits.map(hit => hit.id);
  }

  /** Asks until the answer says that nothing is pending; an answer that has to wait for more than 200 ms may say otherwise. */
  async settled(name: string, input: Readonly<Record<string, unknown>>, kind?: Caller['kind']): Promise<ToolAnswer> {
    for (let attempt = 0; attempt < 1000; attempt++) {
      const answer = await this.call(name, input, kind);
      if (answer.envelope.stamp?.pendingFiles === 0) return answer;
    }
    throw new Error('files stay pending');
  }

  /** Whether a symbol is there, once nothing is pending. */
  async has(id: string, kind?: Caller['kind']): Promise<boolean> {
    await this.settled('search_code', { query: id });
    return (await this.find(id.slice(id.lastIndexOf(':') + 1), kind)).includes(id);
  }

  async revision(): Promise<number> {
    const { envelope } = await this.call('graph_health', {});
    return envelope.stamp?.revision ?? 0;
  }

  health(): Promise<EngineHealth> {
    return this.gateway.health();
  }

  close(): Promise<void> {
    return this.gateway.close();
  }
}

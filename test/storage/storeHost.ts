import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Timers } from '../../server/src/base/ports';
import type { Migration, RecordKind } from '../../server/src/model/records';
import { projectFolder } from '../../server/src/store/dataFolder';
import type { Disk } from '../../server/src/store/disk';
import type { Fence } from '../../server/src/store/fence';
import { ProjectStore, type ProjectStoreOptions } from '../../server/src/store/projectStore';

/** A kind of record as a later room would bring it: named notes. */
export const NOTE_KIND: RecordKind = {
  kind: 'note',
  apply: (database, payload, stamp) => database.run('INSERT INTO note (seq, text) VALUES (?, ?)', [stamp.seq, (payload as { text: string }).text]),
};

export const NOTE_MIGRATION: Migration = {
  version: 1000,
  name: 'notes',
  apply: database => database.script('CREATE TABLE note (seq INTEGER NOT NULL, text TEXT NOT NULL)'),
};

export const SQL_WASM = readFileSync(createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm'));

export class ManualTimers implements Timers {
  readonly waiting = new Set<{ readonly ms: number; readonly action: () => void }>();

  after(ms: number, action: () => void): { dispose(): void } {
    const entry = { ms, action };
    this.waiting.add(entry);
    return { dispose: () => void this.waiting.delete(entry) };
  }

  fire(): void {
    const due = [...this.waiting];
    this.waiting.clear();
    for (const { action } of due) action();
  }
}

export class ManualClock {
  time = 1_000_000;
  now(): number {
    return this.time;
  }
  monotonic(): number {
    return this.time;
  }
}

export const PROJECT = projectFolder('/data', '/repository/.git');

let owners = 0;

/** A hold on the project that is newer than all before it and that nobody takes away. */
export function newFence(): Fence {
  return { generation: ++owners, holds: () => true, lose: () => undefined };
}

export function storeOptions(disk: Disk, more: Partial<ProjectStoreOptions> = {}): ProjectStoreOptions {
  return {
    project: PROJECT,
    projectId: 'p',
    disk,
    fence: newFence(),
    clock: new ManualClock(),
    timers: new ManualTimers(),
    log: { write: () => undefined },
    random: () => (++owners).toString(16).padStart(8, '0'),
    sqlWasm: async () => SQL_WASM,
    kinds: [NOTE_KIND],
    migrations: [NOTE_MIGRATION],
    ...more,
  };
}

export async function openStore(disk: Disk, more: Partial<ProjectStoreOptions> = {}): Promise<ProjectStore> {
  const opened = await ProjectStore.open(storeOptions(disk, more));
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

export async function note(store: ProjectStore, text: string): Promise<boolean> {
  return (await store.append({ kind: 'note', payload: { text } })).ok;
}

export function notesOf(store: ProjectStore): readonly string[] {
  return store.query('SELECT text FROM note ORDER BY seq').map(row => String(row['text']));
}

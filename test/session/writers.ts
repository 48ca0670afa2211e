import { setTimeout as after } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Records } from '../../server/src/model/records';
import { type Door, DoorClosed, type Envelope } from './doors';

/** What writers were promised, and what they tried. */
export class Ledger {
  readonly tasksTried = new Set<string>();
  readonly tasksDone = new Set<string>();
  /** By shared task: the summary that was acknowledged for each version. */
  readonly versions = new Map<string, Map<number, string>>();
  readonly entriesTried = new Set<string>();
  readonly entriesDone = new Set<string>();
  readonly atomVersions = new Map<number, string>();
  /** Milliseconds from a call to its acknowledgement. */
  readonly latencies: number[] = [];
  /** Answers that a writer should never get. */
  readonly refusals: Envelope[] = [];
  conflicts = 0;

  get acknowledged(): number {
    return this.latencies.length;
  }
}

export interface SharedRows {
  readonly templateId: string;
  readonly taskIds: readonly string[];
  readonly atomId: string;
}

/** What all writers write to: two tasks, an atom, a template with two sections. */
export async function prepareRows(door: Door): Promise<SharedRows> {
  const made = async (name: string, input: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await door.call(name, { profile: 'debug', ...input });
    expect(answer, answer.summary).toMatchObject({ ok: true });
    return answer.data ?? {};
  };
  const idOf = (value: unknown): string => (value as { readonly id: string }).id;
  const sections = [
    { title: 'Notes', content: 'n' },
    { title: 'Context Files', content: 'src/a.ts' },
  ];
  const { template } = await made('manage_template', { operation: 'create', name: 'usual', sections });
  const tasks = [await made('manage_container', task('shared 1')), await made('manage_container', task('shared 2'))];
  const atom = await made('manage_graph', { operation: 'create', entityType: 'atom', name: 'a', paths: ['src/**'], createdByTaskId: 'manual' });
  return { templateId: idOf(template), taskIds: tasks.map(data => idOf(data['task'])), atomId: idOf(atom) };
}

function task(name: string): Readonly<Record<string, unknown>> {
  return { operation: 'create', containerType: 'task', name };
}

/** One client that writes until it is told to stop or its process is gone. */
export class Writer {
  /** Resolves when it has stopped writing. */
  readonly done: Promise<void>;
  #stopped = false;
  #next = 0;

  constructor(
    readonly door: Door,
    private readonly name: string,
    private readonly rows: SharedRows,
    private readonly ledger: Ledger,
    /** Told of every acknowledged write that was begun at this time. */
    private readonly onAcknowledged: (begun: number) => void = () => undefined,
  ) {
    this.done = this.#run();
  }

  stop(): Promise<void> {
    this.#stopped = true;
    return this.done;
  }

  async #run(): Promise<void> {
    const works = [() => this.#createTask(), () => this.#changeTask(), () => this.#logChange(), () => this.#changeAtom()];
    try {
      while (!this.#stopped) await works[this.#next++ % works.length]?.();
    } catch (error) {
      if (!(error instanceof DoorClosed)) throw error;
    }
  }

  async #createTask(): Promise<void> {
    const name = `${this.name} ${this.#next}`;
    this.ledger.tasksTried.add(name);
    const answer = await this.#write('manage_container', { ...task(name), templateId: this.rows.templateId });
    if (answer.ok) this.ledger.tasksDone.add(name);
  }

  async #changeTask(): Promise<void> {
    const id = this.rows.taskIds[this.#next % this.rows.taskIds.length] ?? '';
    const summary = `${this.name} ${this.#next}`;
    await this.#optimistic('query_container', { operation: 'get', id }, 'task', async version => {
      const answer = await this.#write('task_update', { taskId: id, version, fields: { summary } });
      if (answer.ok) this.#note(this.ledger.versions, id, version + 1, summary);
      return answer;
    });
  }

  async #logChange(): Promise<void> {
    const summary = `${this.name} ${this.#next}`;
    this.ledger.entriesTried.add(summary);
    const answer = await this.#write('manage_changelog', { operation: 'append', parentType: 'atom', parentId: this.rows.atomId, taskId: 'manual', summary });
    if (answer.ok) this.ledger.entriesDone.add(summary);
  }

  async #changeAtom(): Promise<void> {
    const knowledge = `${this.name} ${this.#next}`;
    const { atomId: id } = this.rows;
    await this.#optimistic('query_graph', { operation: 'get', entityType: 'atom', id }, 'atom', async version => {
      const answer = await this.#write('manage_graph', { operation: 'update', entityType: 'atom', id, version, knowledge, lastTaskId: 'manual' });
      if (answer.ok) {
        expect(this.ledger.atomVersions.has(version + 1)).toBe(false);
        this.ledger.atomVersions.set(version + 1, knowledge);
      }
      return answer;
    });
  }

  /** Reads a version and writes on it, until nobody was faster. */
  async #optimistic(tool: string, get: Readonly<Record<string, unknown>>, key: string, write: (version: number) => Promise<Envelope>): Promise<void> {
    for (let attempt = 0; attempt < 50; attempt++) {
      const read = await this.door.call(tool, { profile: 'debug', ...get });
      if (!read.ok) return void this.ledger.refusals.push(read);
      const { version } = (read.data ?? {})[key] as { readonly version: number };
      const answer = await write(version);
      if (answer.ok || answer.errorCode !== 'CONFLICT') return;
      this.ledger.conflicts++;
      await after(Math.random() * 5);
    }
  }

  async #write(name: string, input: Readonly<Record<string, unknown>>): Promise<Envelope> {
    const begun = performance.now();
    const answer = await this.door.call(name, input);
    if (answer.ok) {
      this.ledger.latencies.push(performance.now() - begun);
      this.onAcknowledged(begun);
    } else if (answer.errorCode !== 'CONFLICT') this.ledger.refusals.push(answer);
    return answer;
  }

  #note(all: Map<string, Map<number, string>>, id: string, version: number, summary: string): void {
    const known = all.get(id) ?? new Map<number, string>();
    expect(known.has(version), `version ${version} of ${id} was acknowledged twice`).toBe(false);
    all.set(id, known.set(version, summary));
  }
}

/** Compares the store as it is on disk with what was acknowledged; `exact` when no process was killed, so that nothing else may be there. */
export function expectLedger(records: Pick<Records, 'query'>, ledger: Ledger, rows: SharedRows, exact: boolean): void {
  const names = records.query("SELECT id, name FROM work_containers WHERE name NOT LIKE 'shared%'");
  const found = names.map(row => String(row['name']));
  expect(new Set(found).size, 'a task twice').toBe(found.length);
  expect(
    [...ledger.tasksDone].filter(name => !found.includes(name)),
    'tasks lost',
  ).toEqual([]);
  expect(
    found.filter(name => !(exact ? ledger.tasksDone : ledger.tasksTried).has(name)),
    'tasks nobody made',
  ).toEqual([]);
  const halves = records.query(
    "SELECT c.name FROM work_containers c WHERE c.name NOT LIKE 'shared%' AND (SELECT count(*) FROM work_sections s WHERE s.container_id = c.id) <> 2",
  );
  expect(halves, 'tasks without their sections').toEqual([]);
  for (const id of rows.taskIds) {
    const kept = records.query('SELECT version, fields FROM work_versions WHERE entity_id = ? ORDER BY version', [id]);
    expect(kept.map(row => row['version'])).toEqual(kept.map((_, at) => at + 1));
    const summaries = new Map(kept.map(row => [Number(row['version']), (JSON.parse(String(row['fields'])) as { readonly summary: string }).summary]));
    const acknowledged = ledger.versions.get(id) ?? new Map<number, string>();
    expect(
      [...acknowledged].filter(([version, summary]) => summaries.get(version) !== summary),
      'versions lost',
    ).toEqual([]);
    expect(new Set(summaries.values()).size, 'a write carried out twice').toBe(summaries.size);
    if (exact) expect(kept).toHaveLength(acknowledged.size + 1);
  }
  const entries = records.query('SELECT summary FROM graph_changelog').map(row => String(row['summary']));
  expect(new Set(entries).size, 'an entry twice').toBe(entries.length);
  expect(
    [...ledger.entriesDone].filter(summary => !entries.includes(summary)),
    'entries lost',
  ).toEqual([]);
  expect(
    entries.filter(summary => !(exact ? ledger.entriesDone : ledger.entriesTried).has(summary)),
    'entries nobody made',
  ).toEqual([]);
  const [atom] = records.query('SELECT version, knowledge FROM graph_atoms WHERE id = ?', [rows.atomId]);
  const newest = Math.max(1, ...ledger.atomVersions.keys());
  expect(Number(atom?.['version'])).toBeGreaterThanOrEqual(newest);
  if (exact) expect(atom).toEqual({ version: ledger.atomVersions.size + 1, knowledge: ledger.atomVersions.get(newest) ?? '' });
  const past = records.query('SELECT version, valid_from, valid_to FROM knowledge_versions WHERE entity_id = ? ORDER BY version', [rows.atomId]);
  expect(past.map(row => row['version'])).toEqual(past.map((_, at) => at + Number(past[0]?.['version'] ?? 1)));
  expect(past.at(-1), 'the newest version').toMatchObject({ version: Number(atom?.['version']), valid_to: null });
  expect(past.slice(0, -1).map(row => row['valid_to'])).toEqual(past.slice(1).map(row => row['valid_from']));
  expect(records.query('SELECT * FROM unapplied_record'), 'records without effect').toEqual([]);
  const orphans = records.query("SELECT v.seq FROM work_versions v WHERE NOT EXISTS (SELECT 1 FROM graph_tx t WHERE t.seq = v.seq AND t.type = 'agent_edit')");
  expect(orphans, 'versions without a transaction').toEqual([]);
}

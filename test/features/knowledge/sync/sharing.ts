import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { neverCancelled } from '../../../../server/src/base/cancellation';
import { knowledgeFiles } from '../../../../server/src/engine/knowledgeFiles';
import { checkKnowledge } from '../../../../server/src/features/knowledge/syncCheck';
import { knowledgeConflict, knowledgeConflicts, type ResolveParams, resolveKnowledge } from '../../../../server/src/features/knowledge/syncConflicts';
import { exportKnowledge } from '../../../../server/src/features/knowledge/syncExport';
import { type ImportParams, importKnowledge } from '../../../../server/src/features/knowledge/syncImport';
import type { Atom, ChangelogEntry, Molecule } from '../../../../server/src/knowledge/types';
import { knowledgeOf } from '../../../../server/src/knowledge/view';
import { addEntry, type CreateInput, create, remove, type UpdateInput, update } from '../../../../server/src/knowledge/writes';
import type { KnowledgeSettings } from '../../../../server/src/model/settings';
import { type MemoryRecords, memoryRecords, SOMEBODY } from '../../../helpers/memoryRecords';
import { removeFolder } from '../../../helpers/removeFolder.mjs';
import { workspaceOf } from '../../../helpers/workspaceOf';

export const FOLDER = '.lattice/knowledge';

/** A checkout on disk with the knowledge of one machine. */
export class Sharing {
  settings: KnowledgeSettings = { sync: 'manual', trusted: true };
  /** What others do whenever an answer lets them. */
  meanwhile: () => Promise<void> = async () => undefined;
  readonly #workspace;

  private constructor(
    readonly root: string,
    readonly records: MemoryRecords,
  ) {
    const workspace = workspaceOf({ files: {} }, { root, records, knowledgeFiles: knowledgeFiles(root, () => this.settings) });
    this.#workspace = { ...workspace, pause: () => this.meanwhile() };
  }

  /** In a new folder, or over the files of a given one. `machine` keeps the ids of several machines apart. */
  static async begin(root = temporaryFolder(), machine = '0'): Promise<Sharing> {
    const records = await memoryRecords();
    const { newId } = records;
    Object.assign(records, { newId: () => `${machine}${newId().slice(1)}` });
    return new Sharing(root, records);
  }

  async create(input: Partial<CreateInput> & { readonly name: string }): Promise<string> {
    const entityType = input.entityType ?? 'atom';
    const paths = entityType === 'atom' ? { paths: ['src/**'] } : {};
    const made = await create(this.records, SOMEBODY, { entityType, createdByTaskId: 'manual', ...paths, ...input }, () => []);
    if (!made.ok) throw new Error(made.error.message);
    return made.value.result.id;
  }

  async update(id: string, fields: Partial<UpdateInput>): Promise<void> {
    const input = { entityType: kindOf(id), id, version: this.row(id).version, knowledgeMode: 'overwrite', lastTaskId: 'manual', ...fields } as const;
    const done = await update(this.records, SOMEBODY, input, () => []);
    if (!done.ok) throw new Error(done.error.message);
  }

  async remove(id: string, cascade = false): Promise<void> {
    const done = await remove(this.records, SOMEBODY, { entityType: kindOf(id), id, version: this.row(id).version, cascade });
    if (!done.ok) throw new Error(done.error.message);
  }

  async log(id: string, summary: string): Promise<void> {
    const done = await addEntry(this.records, SOMEBODY, { parentType: kindOf(id), parentId: id, taskId: 'manual', summary });
    if (!done.ok) throw new Error(done.error.message);
  }

  find(id: string): Atom | Molecule | undefined {
    const view = knowledgeOf(this.records);
    return view.atom(id) ?? view.molecule(id);
  }

  row(id: string): Atom | Molecule {
    const row = this.find(id);
    if (row === undefined) throw new Error(`no ${id}`);
    return row;
  }

  /** Everything that is kept, without local bookkeeping. */
  all(): object[] {
    const view = knowledgeOf(this.records);
    return [...view.molecules(), ...view.atoms()].map(({ anchors: _a, lastTaskId: _l, updatedAt: _u, version: _v, projectId: _p, ...rest }) => rest);
  }

  summaries(id: string): string[] {
    const rows = this.records.query('SELECT summary FROM graph_changelog WHERE parent_id = ? ORDER BY created_at, id', [id]);
    return rows.map(row => String(row['summary'] satisfies unknown as ChangelogEntry['summary']));
  }

  export = async () => unwrap(await exportKnowledge(this.#workspace, {}, neverCancelled));
  import = async (params: ImportParams = {}) => unwrap(await importKnowledge(this.#workspace, params, neverCancelled));
  tryImport = () => importKnowledge(this.#workspace, {}, neverCancelled);
  tryExport = () => exportKnowledge(this.#workspace, {}, neverCancelled);
  check = async () => unwrap(await checkKnowledge(this.#workspace, {}, neverCancelled));
  open = async () => unwrap(await knowledgeConflicts(this.#workspace, {}, neverCancelled));
  conflicts = async () => (await this.open()).conflicts;
  conflict = async (id: string) => unwrap(await knowledgeConflict(this.#workspace, { id }, neverCancelled));
  tryResolve = (params: ResolveParams) => resolveKnowledge(this.#workspace, params, neverCancelled);

  /** Resolves as somebody does who has just looked at the conflict. */
  async resolve(id: string, choice: { readonly side: 'local' | 'file' } | { readonly text: string }): Promise<void> {
    const { fileHash, version } = await this.conflict(id);
    unwrap(await this.tryResolve({ id, ...choice, ...(version === undefined ? {} : { version }), ...(fileHash === undefined ? {} : { fileHash }) }));
  }

  /** Texts of all knowledge files by their path in the folder. */
  files(): Record<string, string> {
    const folder = join(this.root, FOLDER);
    const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
    const paths = names.map(entry =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
    return Object.fromEntries(paths.sort().map(path => [path, readFileSync(join(folder, path), 'utf8')]));
  }

  /** Path in the folder of the file that has an id in it. */
  fileOf(id: string): string {
    const found = Object.entries(this.files()).find(([path, text]) => path.endsWith('.md') && text.includes(`\nid: ${id}\n`));
    if (found === undefined) throw new Error(`no file of ${id}`);
    return found[0];
  }

  read(path: string): string {
    return readFileSync(join(this.root, FOLDER, path), 'utf8');
  }

  write(path: string, text: string): void {
    const absolute = join(this.root, FOLDER, path);
    mkdirSync(dirname(absolute), { recursive: true });
    writeFileSync(absolute, text);
  }

  edit(path: string, from: string, to: string): void {
    const text = this.read(path);
    if (!text.includes(from)) throw new Error(`${path} has no ${from}`);
    this.write(path, text.replace(from, to));
  }

  delete(path: string): void {
    rmSync(join(this.root, FOLDER, path), { recursive: true });
  }
}

export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-sharing-')));
  onTestFinished(() => removeFolder(folder));
  return folder;
}

function kindOf(id: string): 'atom' | 'molecule' {
  return id.startsWith('atom::') ? 'atom' : 'molecule';
}

function unwrap<T>(outcome: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: { readonly message: string } }): T {
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value;
}

/** A checkout with one atom, exported: its id and its file. */
export async function sharedAtom(): Promise<{ readonly ada: Sharing; readonly id: string; readonly path: string }> {
  const ada = await Sharing.begin();
  const id = await ada.create({ name: 'Checkout', knowledge: 'one\n\ntwo\n\nthree' });
  await ada.export();
  return { ada, id, path: ada.fileOf(id) };
}

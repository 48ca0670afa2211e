import { runAtOnce } from '../../../server/src/base/steps';
import { type ExportPlan, type ImportPlan, planExport, planImport } from '../../../server/src/knowledge/sync/plan';
import { readFolderFile, type SharedFolder, sharedFolder } from '../../../server/src/knowledge/sync/sharedFolder';
import { canonical, type SharedEntity, type SharedEntry } from '../../../server/src/knowledge/sync/sharedState';

/** Rows, files and what both last agreed on, without store and disk: what the plans say is carried out as it stands. */
export class CheckoutModel {
  readonly rows = new Map<string, SharedEntity>();
  readonly entries = new Map<string, SharedEntry[]>();
  readonly bases = new Map<string, SharedEntity>();
  files = new Map<string, string>();

  constructor(rows: readonly SharedEntity[] = []) {
    for (const row of rows) this.set(row);
  }

  set(row: SharedEntity): void {
    this.rows.set(row.id, canonical(row));
  }

  folder(): SharedFolder {
    const files = [...this.files].map(([path, text]) => readFolderFile({ path, text, hash: text }));
    const folder = runAtOnce(sharedFolder(files, [...this.rows.keys(), ...this.bases.keys()]));
    if ('refusal' in folder) throw new Error(folder.refusal.message);
    return folder;
  }

  export(): ExportPlan {
    const plan = runAtOnce(planExport(this.#local(), this.bases, this.folder()));
    for (const { path, text, entity } of plan.changes) {
      if (text === undefined) this.files.delete(path);
      else this.files.set(path, text);
      if (entity !== undefined) this.bases.set(entity.id, entity);
    }
    for (const { id, entity } of plan.bases) this.bases.set(id, entity);
    for (const id of plan.forgotten) this.bases.delete(id);
    return plan;
  }

  import(): ImportPlan {
    const plan = runAtOnce(planImport(this.#local(), this.bases, this.folder()));
    for (const row of [...plan.created, ...plan.updated]) this.rows.set(row.id, row);
    for (const id of plan.removed) {
      this.rows.delete(id);
      this.entries.delete(id);
      for (const row of this.rows.values()) if (row.moleculeId === id) this.rows.set(row.id, { ...row, moleculeId: null });
    }
    for (const { parentId, entry } of plan.entries) this.entries.set(parentId, [...(this.entries.get(parentId) ?? []), entry]);
    for (const { id, entity } of plan.bases) this.bases.set(id, entity);
    for (const id of plan.forgotten) this.bases.delete(id);
    return plan;
  }

  #local(): { entities: ReadonlyMap<string, SharedEntity>; entriesOf: (id: string) => readonly SharedEntry[] } {
    return { entities: this.rows, entriesOf: id => this.entries.get(id) ?? [] };
  }
}

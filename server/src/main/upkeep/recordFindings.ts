/** What `lattice doctor` says of knowledge, work and their backups. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Failure, ok, type Result } from '../../base/result';
import { phrase, toolRef } from '../../model/hints';
import type { ProjectFolder } from '../../store/dataFolder';
import type { Disk } from '../../store/disk';
import type { Fence } from '../../store/fence';
import { STORE_MIGRATIONS } from '../../store/migrations';
import { ProjectRecords } from '../../store/projectRecords';
import { ProjectStore, RECOVERED_KIND } from '../../store/projectStore';
import { TRANSACTION_KINDS } from '../../store/transactions';
import { BackupFolder } from '../../store/upkeep/backupFolder';
import { StoreBackups } from '../../store/upkeep/backups';
import { checkRecords, repairRows } from '../../store/upkeep/recordsDoctor';
import { lostWrites, salvage } from '../../store/upkeep/salvage';
import type { Finding } from '../../transports/host';
import { randomId, systemClock, systemTimers } from '../platform';
import { RESTORED_TABLES, ROOM_CHECKS, ROOM_KINDS, ROOM_MIGRATIONS, VERSIONED_RESTORES } from '../rooms';

const SUBJECT = 'Knowledge, work';
const LEVELS = { ok: 'ok', warning: 'warning', damaged: 'error' } as const;
const VERSIONED = Object.values(VERSIONED_RESTORES).flatMap(({ versioned }) => versioned);
const SILENT = { write: () => undefined };

interface Place {
  readonly disk: Disk;
  readonly project: ProjectFolder;
  /** Path of `sql-wasm.wasm`. */
  readonly sqlWasmPath: string;
}

/** Checks rows, journal and backups. Changes nothing; may run beside an owner. */
export async function recordFindings({ disk, project, sqlWasmPath }: Place): Promise<Finding[]> {
  const sqlWasm = await readFile(sqlWasmPath);
  const kinds = [RECOVERED_KIND, ...TRANSACTION_KINDS, ...ROOM_KINDS];
  const migrations = [...STORE_MIGRATIONS, ...ROOM_MIGRATIONS];
  const found = await checkRecords({ disk, project, sqlWasm, kinds, migrations, checks: ROOM_CHECKS, tables: Object.values(RESTORED_TABLES).flat() });
  return found.map(({ isRepairable, message, severity }) => {
    const advice =
      isRepairable === true
        ? { advice: 'Run `lattice doctor --repair`.' }
        : severity === 'damaged'
          ? {
              advice: phrase`Create a backup (${toolRef('graph_backup')}), then restore the latest backup that contains the missing data (${toolRef('graph_restore')}).`,
            }
          : {};
    return { level: LEVELS[severity], subject: SUBJECT, message, ...advice };
  });
}

/** Puts back what damaged journal files still hold, and puts rows right that point nowhere, after a backup. Only while nobody owns the project. Gives what it did. */
export async function repairRecords(place: Place, fence: Fence): Promise<Result<readonly string[], Failure>> {
  const store = await openStore(place, fence);
  if (!store.ok) return store;
  try {
    const broken = ROOM_CHECKS.filter(check => check.repair !== undefined && store.value.query(check.broken).length > 0);
    const lost = await lostWrites(store.value, place.disk, place.project);
    if (broken.length === 0 && lost.length === 0) return ok([]);
    const kept = await backupsOf(place, store.value, fence).create('before a repair');
    if (!kept.ok) return kept;
    return ok([
      `Saved as backup ${kept.value.backupId} before the repair.`,
      ...(await salvage(store.value, lost, VERSIONED)),
      ...(await repairRows(store.value, broken)),
    ]);
  } finally {
    await store.value.close();
  }
}

/** Reads every backup and compares it with what it was. */
export async function backupFindings({ disk, project, sqlWasmPath }: Place): Promise<Finding[]> {
  const subject = 'Backups';
  const folder = new BackupFolder({
    folder: project.backups,
    projectId: projectIdIn(project),
    disk,
    sqlWasm: () => readFile(sqlWasmPath),
    migrations: [...STORE_MIGRATIONS, ...ROOM_MIGRATIONS],
  });
  const checked = await folder.check();
  const sound = checked.filter(({ problem }) => problem === undefined);
  const findings: Finding[] = checked.flatMap(({ backupId, problem }) =>
    problem === undefined ? [] : [{ level: 'warning', subject, message: problem, advice: `Delete ${backupId}.db and ${backupId}.json in ${project.backups}.` }],
  );
  const newest = sound[0]?.backupId;
  return [{ level: 'ok', subject, message: newest === undefined ? 'none yet' : `${sound.length} valid, latest ${newest}` }, ...findings];
}

/** The short name of a project in transactions. */
export function projectIdIn(project: ProjectFolder): string {
  return project.folder.slice(-16);
}

function openStore({ disk, project, sqlWasmPath }: Place, fence: Fence): Promise<Result<ProjectStore, Failure>> {
  return ProjectStore.open({
    project,
    projectId: projectIdIn(project),
    disk,
    fence,
    clock: systemClock,
    timers: systemTimers,
    log: SILENT,
    random: randomId,
    sqlWasm: () => readFile(sqlWasmPath),
    kinds: ROOM_KINDS,
    migrations: ROOM_MIGRATIONS,
  });
}

function backupsOf({ disk, project, sqlWasmPath }: Place, store: ProjectStore, fence: Fence): StoreBackups {
  const projectId = projectIdIn(project);
  const records = new ProjectRecords({ store, projectId, newId: () => randomBytes(16).toString('hex'), checkout: '' });
  return new StoreBackups({
    folder: project.backups,
    projectId,
    disk,
    clock: systemClock,
    log: SILENT,
    random: randomId,
    sqlWasm: () => readFile(sqlWasmPath),
    migrations: [...STORE_MIGRATIONS, ...ROOM_MIGRATIONS],
    tables: RESTORED_TABLES,
    revising: VERSIONED_RESTORES,
    records,
    exportView: () => store.exportView(),
    mayWrite: () => fence.holds(),
  });
}

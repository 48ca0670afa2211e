import { join } from 'node:path';
import { setAside } from './atomicFile';
import type { ProjectFolder } from './dataFolder';
import type { Disk } from './disk';
import { readSegment } from './journal/journalRecords';
import { mendSegment, segmentNames } from './journal/segments';
import { checkPack } from './packFormat';
import { type JournalPositions, readSnapshot, snapshotGenerations, snapshotName } from './snapshots';

export interface Finding {
  /** Path of the file. */
  readonly what: string;
  readonly severity: 'ok' | 'warning' | 'damaged';
  readonly message: string;
}

/** Reads every file of a project's store and compares checksums. Changes nothing; may run beside an owner. Rejects as the disk does. */
export async function checkStore(disk: Disk, project: ProjectFolder): Promise<readonly Finding[]> {
  return [
    ...(await checkSnapshots(disk, project)),
    ...(await checkJournal(disk, project)),
    ...(await checkFacts(disk, project)),
    ...(await listSetAside(disk, project)),
  ];
}

/** Sets damaged files aside, cuts torn ones off and deletes what can be built again. Only while nobody owns the project. Gives what it did. */
export async function repairStore(disk: Disk, project: ProjectFolder): Promise<readonly string[]> {
  const done: string[] = [];
  for (const generation of await snapshotGenerations(disk, project.view)) {
    const snapshot = await readSnapshot(disk, project.view, generation);
    if (!('problem' in snapshot)) continue;
    done.push(`The saved view ${snapshotName(generation)} was kept as ${await setAside(disk, join(project.view, snapshotName(generation)))}.`);
  }
  const covered = await coveredPositions(disk, project);
  for (const name of await segmentNames(disk, project.journal)) {
    const { message } = await mendSegment(disk, project.journal, name, covered[name] ?? 0);
    if (message !== undefined) done.push(message);
  }
  const facts = await disk.read(project.factsPack);
  if (facts !== undefined && checkPack(facts).length > 0) {
    await disk.remove(project.factsPack);
    done.push(`${project.factsPack} was deleted; the next start parses the files again.`);
  }
  return done;
}

async function checkSnapshots(disk: Disk, project: ProjectFolder): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const generation of await snapshotGenerations(disk, project.view)) {
    const what = join(project.view, snapshotName(generation));
    const snapshot = await readSnapshot(disk, project.view, generation);
    const problem = 'problem' in snapshot ? snapshot.problem : undefined;
    findings.push(problem === undefined ? { what, severity: 'ok', message: 'sound' } : { what, severity: 'damaged', message: problem });
  }
  return findings;
}

async function checkJournal(disk: Disk, project: ProjectFolder): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const covered = await coveredPositions(disk, project);
  for (const name of await segmentNames(disk, project.journal)) {
    const what = join(project.journal, name);
    const { state, records, goodBytes, coveredDamageAt } = readSegment((await disk.read(what)) ?? new Uint8Array(), covered[name]);
    if (state === 'whole' && coveredDamageAt === undefined) findings.push({ what, severity: 'ok', message: `${records.length} records` });
    else if (state === 'whole') {
      findings.push({
        what,
        severity: 'warning',
        message: `damaged at byte ${coveredDamageAt}, in records that the newest saved view contains: nothing is lost`,
      });
    } else if (state === 'torn') findings.push({ what, severity: 'warning', message: `an unfinished record after byte ${goodBytes}, which nobody relies on` });
    else findings.push({ what, severity: 'damaged', message: `damaged at byte ${goodBytes}, after ${records.length} records` });
  }
  return findings;
}

/** Last record of each segment that the newest sound view contains. */
async function coveredPositions(disk: Disk, project: ProjectFolder): Promise<JournalPositions> {
  for (const generation of await snapshotGenerations(disk, project.view)) {
    const snapshot = await readSnapshot(disk, project.view, generation);
    if (!('problem' in snapshot)) return snapshot.positions;
  }
  return {};
}

async function checkFacts(disk: Disk, project: ProjectFolder): Promise<readonly Finding[]> {
  const what = project.factsPack;
  const bytes = await disk.read(what);
  if (bytes === undefined) return [];
  const problems = checkPack(bytes);
  return problems.length === 0 ? [{ what, severity: 'ok', message: 'sound' }] : problems.map(message => ({ what, severity: 'damaged', message }));
}

async function listSetAside(disk: Disk, project: ProjectFolder): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const folder of [project.folder, project.journal, project.view]) {
    for (const name of await disk.list(folder)) {
      if (/\.damaged-\d+$/.test(name))
        findings.push({ what: join(folder, name), severity: 'warning', message: 'kept from earlier damage; delete it when you no longer need it' });
    }
  }
  return findings;
}

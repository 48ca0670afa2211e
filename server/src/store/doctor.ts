import { join } from 'node:path';
import { replaceFile, setAside, unusedDamagedPath } from './atomicFile';
import type { ProjectFolder } from './dataFolder';
import type { Disk } from './disk';
import { readAcknowledged } from './journal/acknowledged';
import { encodeRecord } from './journal/journalRecords';
import { type JournalContent, journalAfter, readSegments, type SegmentReading } from './journal/reading';
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

/** Sets damaged files aside and deletes what can be built again. Only while nobody owns the project. Gives what it did. */
export async function repairStore(disk: Disk, project: ProjectFolder): Promise<readonly string[]> {
  const done: string[] = [];
  for (const generation of await snapshotGenerations(disk, project.view)) {
    const snapshot = await readSnapshot(disk, project.view, generation);
    if (!('problem' in snapshot)) continue;
    done.push(`The saved view ${snapshotName(generation)} was kept as ${await setAside(disk, join(project.view, snapshotName(generation)))}.`);
  }
  for (const segment of (await readOver(disk, project)).segments) if (segment.isLossy) done.push(await mend(disk, project, segment));
  const facts = await disk.read(project.factsPack);
  if (facts !== undefined && checkPack(facts).length > 0) {
    await disk.remove(project.factsPack);
    done.push(`${project.factsPack} was deleted. The next start parses all files again.`);
  }
  return done;
}

async function checkSnapshots(disk: Disk, project: ProjectFolder): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const generation of await snapshotGenerations(disk, project.view)) {
    const what = join(project.view, snapshotName(generation));
    const snapshot = await readSnapshot(disk, project.view, generation);
    const problem = 'problem' in snapshot ? snapshot.problem : undefined;
    findings.push(problem === undefined ? { what, severity: 'ok', message: 'valid' } : { what, severity: 'damaged', message: problem });
  }
  return findings;
}

async function checkJournal(disk: Disk, project: ProjectFolder): Promise<readonly Finding[]> {
  const names = await disk.list(project.journal);
  return (await readOver(disk, project)).segments.map(segment => {
    const what = join(project.journal, segment.name);
    const { damagedAt, isLossy, records, tornAt } = segment;
    const [at] = damagedAt;
    if (isLossy) return { what, severity: 'damaged', message: `damaged at byte ${at ?? tornAt}: confirmed changes may be lost there` };
    const isKnown = names.includes(`${segment.name}.damaged-1`);
    if (at !== undefined && isKnown)
      return { what, severity: 'warning', message: `damaged at byte ${at}, as found before; what could be read is saved elsewhere` };
    if (at !== undefined) return { what, severity: 'warning', message: `damaged at byte ${at}, in records that are saved elsewhere: nothing is lost` };
    if (tornAt !== undefined && isKnown)
      return { what, severity: 'warning', message: `an unfinished record after byte ${tornAt}, as found before: a confirmed change may be lost` };
    if (tornAt !== undefined) return { what, severity: 'warning', message: `an unfinished record after byte ${tornAt}, which was never confirmed` };
    return { what, severity: 'ok', message: records.length === 1 ? '1 record' : `${records.length} records` };
  });
}

/** The journal after what the newest sound view contains. */
async function readOver(disk: Disk, project: ProjectFolder): Promise<JournalContent> {
  const acknowledged = await readAcknowledged(disk, project.acknowledged);
  const positions = await coveredPositions(disk, project);
  const lastSeq = Math.max(0, ...Object.values(positions));
  return journalAfter({ lastSeq, positionOf: segment => positions[segment] ?? 0, acknowledged }, await readSegments(disk, project.journal));
}

/** Keeps the file as it is beside one that has its intact records only. For an owner: nobody else writes. */
async function mend(disk: Disk, project: ProjectFolder, { name, records }: SegmentReading): Promise<string> {
  const path = join(project.journal, name);
  const aside = await unusedDamagedPath(disk, path);
  await replaceFile(disk, aside, [(await disk.read(path)) ?? new Uint8Array()]);
  await replaceFile(disk, path, records.map(encodeRecord));
  return `The damaged journal ${name} was kept as ${aside}; its intact records (${records.length}) are still in use.`;
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
  return problems.length === 0 ? [{ what, severity: 'ok', message: 'valid' }] : problems.map(message => ({ what, severity: 'damaged', message }));
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

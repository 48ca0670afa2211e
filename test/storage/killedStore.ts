import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type ProjectFolder, projectFolder } from '../../server/src/store/dataFolder';
import { nodeDisk } from '../../server/src/store/disk';
import type { ProjectStoreOptions } from '../../server/src/store/projectStore';

export function killedProject(folder: string): ProjectFolder {
  return projectFolder(folder, 'killed');
}

/** The real disk and clock, as a process of its own has them. */
export function killedStoreOptions(folder: string, sqlWasm: string): ProjectStoreOptions {
  return {
    project: killedProject(folder),
    projectId: 'p',
    disk: nodeDisk(),
    // One process after another: each is newer than all before it.
    fence: { generation: Date.now(), holds: () => true, lose: () => undefined },
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    timers: { after: () => ({ dispose: () => undefined }) },
    log: { write: () => undefined },
    random: () => randomBytes(4).toString('hex'),
    sqlWasm: () => readFile(sqlWasm),
    kinds: [
      {
        kind: 'note',
        apply: (database, payload, stamp) => database.run('INSERT INTO note (seq, text) VALUES (?, ?)', [stamp.seq, (payload as { text: string }).text]),
      },
    ],
    migrations: [{ version: 1000, name: 'notes', apply: database => database.script('CREATE TABLE note (seq INTEGER NOT NULL, text TEXT NOT NULL)') }],
  };
}

import { expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { hashText } from '../../../server/src/base/hash';
import { ok } from '../../../server/src/base/result';
import { knowledgeContext } from '../../../server/src/features/knowledge/answers';
import { knowledgeTree } from '../../../server/src/features/knowledge/coverage';
import { checkKnowledge } from '../../../server/src/features/knowledge/syncCheck';
import { exportKnowledge } from '../../../server/src/features/knowledge/syncExport';
import { importKnowledge } from '../../../server/src/features/knowledge/syncImport';
import { drafts } from '../../../server/src/knowledge/tables';
import type { KnowledgeFile, KnowledgeFiles } from '../../../server/src/workspace/knowledgeFiles';
import type { Workspace } from '../../../server/src/workspace/snapshot';
import { memoryRecords, SOMEBODY } from '../../helpers/memoryRecords';
import { workspaceOf } from '../../helpers/workspaceOf';

const ATOMS = 1200;
const ENTRIES = 2;
const AT = '2026-01-01T00:00:00.000Z';
const COMMON = { projectId: 'p', createdByTaskId: 'manual', lastTaskId: 'manual', version: 1, createdAt: AT, updatedAt: AT };

const many = <T>(count: number, of: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => of(at));
const uuid = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
const fileOf = (at: number): string => `src/area${at % 300}/file${at}.ts`;

/** As many atoms as files, each with a changelog; what is asked goes on at the next turn of the event loop wherever it pauses. */
async function crowded(): Promise<Workspace> {
  const records = await memoryRecords();
  const atoms = many(ATOMS, at => ({
    ...COMMON,
    id: `atom::${uuid(at)}`,
    name: `Atom ${at}`,
    knowledge: `Rule ${at}.\n\n${'word '.repeat(40)}`,
    moleculeId: null,
    relatedAtoms: [],
    paths: [`src/area${at % 300}/**`, `lib/part${at}/*.{ts,tsx}`],
    anchors: [
      { ref: fileOf(at), hash: 'h' },
      { ref: `src/area${at % 300}/**`, hash: 'h', files: 5 },
    ],
  }));
  const entryOf = (parentId: string, at: number): Parameters<typeof drafts.addEntry>[0] => {
    return { id: `changelog::${uuid(at)}`, parentType: 'atom', parentId, taskId: 'manual', summary: `Change ${at}.`, createdAt: AT };
  };
  const entries = atoms.flatMap(({ id }, at) => many(ENTRIES, each => drafts.addEntry(entryOf(id, at * ENTRIES + each))));
  await records.write(SOMEBODY, () => ({ ok: true, value: { records: [...atoms.map(drafts.putAtom), ...entries], result: 0 } }));
  const sketch = Object.fromEntries(many(ATOMS, at => [fileOf(at), {}]));
  return { ...workspaceOf(sketch, { records, knowledgeFiles: filesInMemory() }), pause: () => new Promise(resolve => setImmediate(resolve)) };
}

function filesInMemory(): KnowledgeFiles {
  const files = new Map<string, KnowledgeFile>();
  return {
    settings: () => ({ sync: 'manual', trusted: true }),
    read: async () => ok([...files.values()]),
    change: async changes =>
      changes.map(({ path, text = '' }) => {
        const hash = hashText(text);
        files.set(path, { path, text, hash });
        return { path, hash };
      }),
  };
}

/** Processor time of the longest stretch in which nobody else had a turn, as a part of all that the work took. */
async function longestStretch(work: () => Promise<unknown>): Promise<number> {
  let [longest, total, isOver] = [0, 0, false];
  let last = process.cpuUsage();
  const look = (): void => {
    const { system, user } = process.cpuUsage(last);
    last = process.cpuUsage();
    longest = Math.max(longest, user + system);
    total += user + system;
    if (!isOver) setImmediate(look);
  };
  const looking = new Promise<void>(resolve => setImmediate(() => resolve(look())));
  last = process.cpuUsage();
  await Promise.all([looking, work()]);
  isOver = true;
  await new Promise(resolve => setImmediate(resolve));
  return longest / total;
}

test.each<[string, number, (workspace: Workspace) => Promise<unknown>]>([
  ['the tree', 0.5, workspace => knowledgeTree(workspace, {}, neverCancelled)],
  ['a context of many files', 0.3, workspace => knowledgeContext(workspace, { paths: many(ATOMS, fileOf) }, neverCancelled)],
  ['an export', 0.2, workspace => exportKnowledge(workspace, {}, neverCancelled)],
  ['an import', 0.2, workspace => importKnowledge(workspace, {}, neverCancelled)],
  ['a check', 0.2, workspace => checkKnowledge(workspace, {}, neverCancelled)],
])('%s over much knowledge lets others have their turn', async (name, share, ask) => {
  const workspace = await crowded();
  if (/import|check|export/.test(name)) await exportKnowledge(workspace, {}, neverCancelled);
  // The least of some: the others also measure what else the process had to do.
  const stretches = [await longestStretch(() => ask(workspace))];
  while (Math.min(...stretches) >= share && stretches.length < 6) stretches.push(await longestStretch(() => ask(workspace)));
  expect(Math.min(...stretches)).toBeLessThan(share);
});

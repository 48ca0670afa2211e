/**
 * `node test/bench/knowledge.mjs`: knowledge at the size that it is made for: 10,000 atoms with 100,000 changelog entries in a real store,
 * and a context of 200 paths over 500 atoms. Prints processor time, which other work on the machine does not change much.
 */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { removeFolder } from '../helpers/removeFolder.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const require = createRequire(import.meta.url);
const ATOMS = 10_000;
const MOLECULES = 200;
const ENTRIES_PER_ATOM = 10;
const FOLDERS = 2500;
const nobody = { agentId: undefined, sessionId: undefined, key: undefined };

const folder = mkdtempSync(join(tmpdir(), 'lattice-bench-'));
try {
  await bench();
} finally {
  removeFolder(folder);
}

async function bench() {
  const lattice = await load();
  const sqlWasm = readFileSync(require.resolve('sql.js/dist/sql-wasm.wasm'));
  const open = () => lattice.openRecords(join(folder, 'data'), sqlWasm);
  const first = await open();
  await fill(lattice, first.records);
  await first.close();
  const [opened, openMs] = await timed(open);
  row('open the store', openMs, 1000);
  const { records } = opened;
  const view = lattice.knowledgeOf(records);
  let longest = 0;
  let since = performance.now();
  const step = async () => {
    longest = Math.max(longest, performance.now() - since);
    await new Promise(resolve => setImmediate(resolve));
    since = performance.now();
    return true;
  };
  row('read all of it into memory, in steps', (await timed(() => view.prepare(step)))[1]);
  row('  longest step (wall clock)', longest);
  const some = many(200, at => view.atoms()[(at * 4999) % ATOMS]);
  const paths = at => many(200, each => `src/area${(at * 37 + each * 11) % FOLDERS}/deep/file${each % 10}.ts`);
  await series('get an atom by id', 50, at => view.atom(some[at].id));
  await series('changelog, first page', 50, at => lattice.changelogOf(records, 'atom', some[at].id, { limit: 20, offset: 0 }));
  await series('search by a word in few texts', 50, at => search(lattice, view, `word${at}`));
  await series('search by words in all texts', 50, () => search(lattice, view, 'the rule'));
  await series('search without words', 50, () => search(lattice, view, ''));
  await series('context of 200 paths over all atoms, with changelog', 50, at => {
    const context = lattice.contextOf(view, paths(at));
    const matched = [...context.orphanAtoms, ...context.molecules.flatMap(each => each.atoms)];
    lattice.newestEntries(
      records,
      'atom',
      matched.map(({ atom }) => atom.id),
      5,
    );
  });
  await series('atoms of a task', 50, at => lattice.touchedBy(records, `task::${uuid(at)}`).length);
  await series('  of that, matching', 50, at => lattice.contextOf(view, paths(at)));
  await series('a plain write and fsync of the same size (wall clock)', undefined, () => plainWrite(), { wall: true, count: 100 });
  await series('write, processor time', 30, at => update(lattice, records, some[at]), { count: 100 });
  await series('write, acknowledged (fsync included, wall clock)', 30, at => update(lattice, records, some[at]), { wall: true, count: 100 });
  await series(
    'first read after a write',
    50,
    async at => {
      await update(lattice, records, view.atom(some[at].id));
      const [, ms] = await timed(async () => view.atoms().length + view.atomsCovering('src/area1/deep/a.ts').length);
      return ms;
    },
    { own: true, count: 30 },
  );
  await opened.close();
  await small(lattice);
}

/** 200 paths over 500 atoms with three patterns each, a third of them without a folder to begin with. */
async function small(lattice) {
  const { records, close } = await lattice.openRecords(join(folder, 'small'), readFileSync(require.resolve('sql.js/dist/sql-wasm.wasm')));
  const atoms = many(500, at => atomOf(records, at, [`src/area${at}/**`, `src/*/deep/file${at % 10}.ts`, `**/*${at}.{ts,tsx}`]));
  await records.write(nobody, () => ({ ok: true, value: { records: atoms.map(lattice.drafts.putAtom), result: 0 } }));
  const view = lattice.knowledgeOf(records);
  view.atomsCovering('x');
  await series('context of 200 paths over 500 atoms', 50, at => {
    const context = lattice.contextOf(
      view,
      many(200, each => `src/area${(at + each) % 500}/deep/file${each % 10}.ts`),
    );
    if (context.orphanAtoms.length === 0) throw new Error('nothing matched');
  });
  await close();
}

async function fill(lattice, records) {
  const molecules = many(MOLECULES, at => ({ ...common(records, at), id: `molecule::${uuid(at)}`, name: `Molecule ${at}`, relatedMolecules: [] }));
  await put(records, molecules.map(lattice.drafts.putMolecule));
  for (let from = 0; from < ATOMS; from += 500) {
    const atoms = many(500, at => ({
      ...atomOf(records, from + at, [`src/area${(from + at) % FOLDERS}/**`, `lib/part${from + at}/*.{ts,tsx}`]),
      moleculeId: molecules[(from + at) % MOLECULES].id,
    }));
    await put(records, atoms.map(lattice.drafts.putAtom));
    const entries = atoms.flatMap((atom, at) =>
      many(ENTRIES_PER_ATOM, each => ({
        id: `changelog::${uuid((from + at) * ENTRIES_PER_ATOM + each)}`,
        parentType: 'atom',
        parentId: atom.id,
        taskId: `task::${uuid((from + at) % 1000)}`,
        summary: `Change ${each} of ${atom.name}, for a reason that takes a sentence to tell.`,
        createdAt: new Date(Date.UTC(2026, 0, 1) + each * 60_000).toISOString(),
      })),
    );
    await put(records, entries.map(lattice.drafts.addEntry));
  }
}

function plainWrite() {
  const file = openSync(join(folder, 'plain'), 'a');
  writeSync(file, 'x'.repeat(2000));
  fdatasyncSync(file);
  closeSync(file);
}

async function put(records, drafts) {
  const written = await records.write(nobody, () => ({ ok: true, value: { records: drafts, result: 0 } }));
  if (!written.ok) throw new Error(written.error.message);
}

async function update(lattice, records, atom) {
  const current = lattice.knowledgeOf(records).atom(atom.id);
  const input = {
    entityType: 'atom',
    id: atom.id,
    version: current.version,
    knowledge: `${current.knowledge} More.`,
    knowledgeMode: 'overwrite',
    lastTaskId: 'manual',
  };
  const written = await lattice.update(records, nobody, input, () => []);
  if (!written.ok) throw new Error(written.error.message);
}

function search(lattice, view, query) {
  return lattice.searchKnowledge(view, { entityType: 'atom', query, orphansOnly: false, limit: 20, offset: 0 });
}

function common(records, at) {
  const time = new Date(Date.UTC(2026, 0, 1) + at).toISOString();
  const text = `The rule of area ${at}: word${at % 500} comes before word${(at * 7) % 500}. `;
  return {
    projectId: records.projectId,
    knowledge: text.repeat(12).trim(),
    createdByTaskId: 'manual',
    lastTaskId: at % 2 === 0 ? 'manual' : 'import',
    version: 1,
    createdAt: time,
    updatedAt: time,
    anchors: [],
  };
}

function atomOf(records, at, paths) {
  return { ...common(records, at), id: `atom::${uuid(at)}`, name: `Atom ${at}`, moleculeId: null, paths, relatedAtoms: [] };
}

function uuid(number) {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}

function many(count, of) {
  return Array.from({ length: count }, (_, at) => of(at));
}

/** Processor time of this process in milliseconds; `wall` takes the clock instead. */
async function timed(run, { wall = false } = {}) {
  const before = process.cpuUsage();
  const started = performance.now();
  const value = await run();
  const { user, system } = process.cpuUsage(before);
  return [value, wall ? performance.now() - started : (user + system) / 1000];
}

/** `own` says that the run gives its own figure. */
async function series(name, limit, run, { wall = false, own = false, count = 200 } = {}) {
  const figures = [];
  for (let at = 0; at < count; at++) {
    const [value, ms] = await timed(() => run(at % 200), { wall });
    figures.push(own ? value : ms);
  }
  figures.sort((a, b) => a - b);
  row(name, figures[Math.floor(figures.length * 0.95)], limit, ` (median ${figures[figures.length >> 1].toFixed(2)})`);
}

function row(name, ms, limit, more = '') {
  const verdict = limit === undefined ? '' : ms <= limit ? ` ≤ ${limit}` : ` > ${limit}: TOO SLOW`;
  console.log(`${name.padEnd(58)} p95 ${ms.toFixed(2).padStart(8)} ms${verdict}${more}`);
}

/** The rooms as one module, with a store like the owner's. */
async function load() {
  const source = `
    export { knowledgeOf } from './server/src/knowledge/view';
    export { changelogOf, contextOf, newestEntries, searchKnowledge, touchedBy } from './server/src/knowledge/reads';
    export { update } from './server/src/knowledge/writes';
    export { drafts } from './server/src/knowledge/tables';
    import { KNOWLEDGE_KINDS, KNOWLEDGE_MIGRATIONS } from './server/src/knowledge/tables';
    import { WORK_KINDS, WORK_MIGRATIONS } from './server/src/work/tables';
    import { ProjectStore } from './server/src/store/projectStore';
    import { ProjectRecords } from './server/src/store/projectRecords';

    import { projectFolder } from './server/src/store/dataFolder';
    import { nodeDisk } from './server/src/store/disk';
    import { randomUUID } from 'node:crypto';
    export async function openRecords(folder, sqlWasm) {
      const clock = { now: () => Date.now(), monotonic: () => performance.now() };
      const timers = { after: (ms, run) => { const timer = setTimeout(run, ms); return { dispose: () => clearTimeout(timer) }; } };
      const opened = await ProjectStore.open({
        project: projectFolder(folder, folder), projectId: 'p', disk: nodeDisk(), clock, timers,
        fence: { generation: Date.now(), holds: () => true, lose: () => undefined },
        log: { write: () => undefined }, random: () => randomUUID().replaceAll('-', ''), sqlWasm: async () => sqlWasm,
        kinds: [...KNOWLEDGE_KINDS, ...WORK_KINDS], migrations: [...KNOWLEDGE_MIGRATIONS, ...WORK_MIGRATIONS],
      });
      if (!opened.ok) throw new Error(opened.error.message);
      const store = opened.value;
      return { records: new ProjectRecords({ store, projectId: 'p', newId: randomUUID, checkout: folder }), close: () => store.close() };
    }`;
  const outfile = join(folder, 'bench.mjs');
  await esbuild.build({
    stdin: { contents: source, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'error',
    banner: { js: "import { createRequire as _createRequire } from 'node:module'; const require = _createRequire(import.meta.url); const __dirname = '';" },
  });
  writeFileSync(join(folder, 'package.json'), '{}');
  return await import(pathToFileURL(outfile).href);
}

import { execFileSync } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CancellationSource, Cancelled, neverCancelled } from '../../server/src/base/cancellation';
import { Turn } from '../../server/src/base/yield';
import { findGit } from '../../server/src/code/files/git';
import { nodeHost } from '../../server/src/code/files/nodeHost';
import { ChangeTracer } from '../../server/src/engine/changes/history/changeTracer';
import { type LoggedCommit, PatchLogReader } from '../../server/src/engine/changes/history/patchLog';
import { nodeDisk } from '../../server/src/store/disk';
import type { PastChanges } from '../../server/src/workspace/pastChanges';
import { graphOf, type WorkspaceSketch } from '../helpers/graphOf';
import { tempFolder } from '../unit/files/tempFolder';

const IDENTITY = ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid', '-c', 'commit.gpgsign=false', '-c', 'core.autocrlf=false'];

class Repository {
  readonly root = tempFolder({});
  readonly packs = tempFolder({});

  constructor() {
    this.git('init', '-q', '-b', 'main');
  }

  git(...args: string[]): string {
    return execFileSync('git', [...IDENTITY, ...args], { cwd: this.root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  }

  write(path: string, lines: readonly string[]): void {
    writeFileSync(join(this.root, path), lines.map(line => `${line}\n`).join(''));
  }

  commit(subject: string): void {
    this.git('add', '-A');
    this.git('commit', '-q', '--allow-empty', '-m', subject);
  }

  async tracer(sketch: () => WorkspaceSketch): Promise<ChangeTracer> {
    const tracer = new ChangeTracer({
      root: this.root,
      git: await findGit(this.root, nodeHost),
      commit: () => this.git('rev-parse', 'HEAD'),
      graph: () => graphOf(sketch()).view,
      disk: nodeDisk(),
      packPath: join(this.packs, 'changes.pack'),
      mayWrite: () => true,
    });
    await tracer.restore();
    return tracer;
  }

  async trace(sketch: WorkspaceSketch): Promise<PastChanges> {
    const tracer = await this.tracer(() => sketch);
    await tracer.complete(turn(), neverCancelled);
    await tracer.close();
    if (tracer.changes === undefined) throw new Error(`nothing traced: ${tracer.state}`);
    return tracer.changes;
  }
}

function turn(): Turn {
  return new Turn({ now: () => 0, monotonic: () => 0 }, () => Promise.resolve());
}

function symbol(name: string, start: number, end: number) {
  return { name, lines: [start, end] as [number, number] };
}

function subjects(changes: PastChanges | undefined, id: string): readonly (string | undefined)[] {
  return [...(changes?.of(id) ?? [])].map(place => changes?.commits[place]?.subject);
}

const BODY = ['function one() {', '  return 1;', '}', '', 'function two() {', '  return 2;', '}'];

test('a symbol was changed by the commits that changed its lines, through edits above it, renames of its file and what is not committed', async () => {
  const repository = new Repository();
  repository.write('old.ts', BODY);
  repository.commit('both');
  repository.write('old.ts', BODY.with(5, '  return 22;'));
  repository.commit('only two');
  repository.git('mv', 'old.ts', 'new.ts');
  repository.commit('moved');
  repository.write('new.ts', ['// above', ...BODY.with(5, '  return 22;')]);
  repository.commit('above');
  repository.write('new.ts', ['// more', '// more', '// above', ...BODY.with(5, '  return 22;').with(1, '  return 11;')]);
  const changes = await repository.trace({ 'new.ts': { symbols: [symbol('one', 4, 6), symbol('two', 8, 10)] } });
  expect(subjects(changes, 'new.ts::one')).toEqual(['both']);
  expect(subjects(changes, 'new.ts::two')).toEqual(['only two', 'both']);
  expect(changes.commits.map(({ files, subject }) => [subject, files])).toEqual([
    ['above', 1],
    ['moved', 1],
    ['only two', 1],
    ['both', 1],
  ]);
});

test('what was removed inside a symbol changed it, what was removed beside it did not', async () => {
  const repository = new Repository();
  repository.write('a.ts', ['// gone', ...BODY.toSpliced(2, 0, '  gone();'), '// gone']);
  repository.commit('first');
  repository.write('a.ts', BODY);
  repository.commit('second');
  const changes = await repository.trace({ 'a.ts': { symbols: [symbol('one', 1, 3), symbol('two', 5, 7)] } });
  expect(subjects(changes, 'a.ts::one')).toEqual(['second', 'first']);
  expect(subjects(changes, 'a.ts::two')).toEqual(['first']);
});

test('two files that change names keep their own past', async () => {
  const repository = new Repository();
  repository.write('a.ts', BODY);
  repository.commit('a');
  repository.write('b.ts', ['function three() {', '  return three();', '}']);
  repository.commit('b');
  for (const [from, to] of [
    ['a.ts', 'c.ts'],
    ['b.ts', 'a.ts'],
    ['c.ts', 'b.ts'],
  ] as const)
    renameSync(join(repository.root, from), join(repository.root, to));
  repository.git('-c', 'diff.renames=true', 'add', '-A');
  repository.commit('swap');
  const changes = await repository.trace({ 'a.ts': { symbols: [symbol('three', 1, 3)] }, 'b.ts': { symbols: [symbol('one', 1, 3)] } });
  // git tells a swap of contents as a change of both.
  expect(subjects(changes, 'a.ts::three')).toContain('swap');
  expect(subjects(changes, 'b.ts::one')).toContain('swap');
});

test('a merge counts as one commit with the title of what was merged', async () => {
  const repository = new Repository();
  repository.write('a.ts', BODY);
  repository.commit('first');
  repository.git('checkout', '-q', '-b', 'side');
  repository.write('a.ts', BODY.with(1, '  return 11;'));
  repository.commit('on the side');
  repository.git('checkout', '-q', 'main');
  repository.git('merge', '-q', '--no-ff', '-m', 'Merge pull request #1 from x/side', '-m', 'Return more than one', 'side');
  const changes = await repository.trace({ 'a.ts': { symbols: [symbol('one', 1, 3)] } });
  expect(subjects(changes, 'a.ts::one')).toEqual(['Return more than one', 'first']);
});

test('only a merge of what was reviewed as one change tells what changes together', async () => {
  const repository = new Repository();
  repository.write('a.ts', BODY);
  repository.commit('first');
  const merge = (branch: string, ...message: string[]): void => {
    repository.git('checkout', '-q', '-b', branch);
    repository.write(`${branch}.ts`, BODY);
    repository.commit(`on ${branch}`);
    repository.git('checkout', '-q', 'main');
    repository.git('merge', '-q', '--no-ff', ...message.flatMap(part => ['-m', part]), branch);
  };
  merge('one', 'Merge pull request #1 from x/one', 'One');
  merge('two', "Merge branch 'two' into main", 'Two\n\nSee merge request x/y!2');
  merge('three', "Merge branch 'three'");
  const { commits } = await repository.trace({ 'a.ts': {} });
  expect(commits.map(({ isPlainMerge, subject }) => [subject, isPlainMerge])).toEqual([
    ["Merge branch 'three'", true],
    ['Two', false],
    ['One', false],
    ['first', false],
  ]);
});

test('a file was changed by the commits that changed its text, through renames; a rename alone and a generated file do not count', async () => {
  const repository = new Repository();
  repository.write('old.ts', BODY);
  repository.write('notes.md', ['# Notes']);
  repository.write('package-lock.json', ['{}']);
  repository.commit('first');
  repository.write('notes.md', ['# Notes', 'more']);
  repository.write('package-lock.json', ['{ }']);
  repository.commit('notes');
  repository.git('mv', 'old.ts', 'new.ts');
  repository.commit('moved');
  repository.write('new.ts', [...BODY, '// end']);
  repository.write('old.ts', ['another();']);
  repository.commit('another takes the old name');
  const changes = await repository.trace({ 'new.ts': {}, 'old.ts': {}, 'notes.md': {}, 'package-lock.json': {} });
  expect(subjects(changes, 'new.ts')).toEqual(['another takes the old name', 'first']);
  expect(subjects(changes, 'old.ts')).toEqual(['another takes the old name']);
  expect(subjects(changes, 'notes.md')).toEqual(['notes', 'first']);
  expect([...changes.files].sort()).toEqual(['new.ts', 'notes.md', 'old.ts']);
  expect([...changes.ids]).toEqual([]);
});

test('where HEAD goes ahead, what is known is gone on from; another process begins with what was saved', async () => {
  const repository = new Repository();
  repository.write('a.ts', BODY);
  repository.commit('first');
  const sketch: WorkspaceSketch = { 'a.ts': { symbols: [symbol('one', 1, 3), symbol('two', 5, 7)] } };
  const tracer = await repository.tracer(() => sketch);
  expect(tracer.state).toBe('pending');
  await tracer.complete(turn(), neverCancelled);
  repository.write('a.ts', BODY.with(1, '  return 11;'));
  repository.commit('second');
  expect(tracer.state).toBe('pending');
  await tracer.complete(turn(), neverCancelled);
  expect(tracer.state).toBe('current');
  expect(subjects(tracer.changes, 'a.ts::one')).toEqual(['second', 'first']);
  expect(subjects(tracer.changes, 'a.ts::two')).toEqual(['first']);
  await tracer.close();

  const next = await repository.tracer(() => sketch);
  expect(next.state).toBe('current');
  expect(subjects(next.changes, 'a.ts::one')).toEqual(['second', 'first']);
  repository.git('reset', '-q', '--hard', 'HEAD~1');
  repository.write('a.ts', BODY.with(5, '  return 22;'));
  repository.commit('instead');
  await next.complete(turn(), neverCancelled);
  expect(subjects(next.changes, 'a.ts::one')).toEqual(['first']);
  expect(subjects(next.changes, 'a.ts::two')).toEqual(['instead', 'first']);
  await next.close();
});

test('the reader needs no line to be whole, and takes no text of a file for its own', () => {
  const patch = [
    '\u0001aaaa 100 cccc\u0002Subject  of\tone\u0002\u0003\0',
    'diff --git a/x y.ts b/x y.ts',
    '--- a/x y.ts\t',
    '+++ b/x y.ts\t',
    '@@ -1 +1,2 @@ \u0001 no commit',
    '--- a/not a path',
    '+++ b/not a path',
    '+diff --git a/no b/no',
    '\\ No newline at end of file',
    '@@ -9,0 +11,3 @@',
    '+\u0001',
    '\u0001bbbb 50 dddd eeee\u0002Second\u0002one\n\ndiff --git a/no b/no\u0003\0',
    'diff --git a/old b/new',
    'similarity index 100%',
    'rename from old',
    'rename to new',
    'diff --git a/gone b/gone',
    'deleted file mode 100644',
    '--- a/gone',
    '+++ /dev/null',
    '@@ -1,2 +0,0 @@',
    '-a',
    '-b',
    '',
  ].join('\n');
  const expected: readonly LoggedCommit[] = [
    {
      hash: 'aaaa',
      time: 100,
      subject: 'Subject of one',
      isPlainMerge: false,
      files: [
        {
          path: 'x y.ts',
          oldPath: 'x y.ts',
          changes: [
            { oldStart: 1, oldCount: 1, newStart: 1, newCount: 2 },
            { oldStart: 9, oldCount: 0, newStart: 11, newCount: 3 },
          ],
        },
      ],
    },
    {
      hash: 'bbbb',
      time: 50,
      subject: 'Second',
      isPlainMerge: true,
      files: [
        { path: 'new', oldPath: 'old', changes: [] },
        { path: undefined, oldPath: 'gone', changes: [{ oldStart: 1, oldCount: 2, newStart: 0, newCount: 0 }] },
      ],
    },
  ];
  const bytes = Buffer.from(patch);
  for (const size of [1, 2, 3, 7, 64, bytes.length]) {
    const found: LoggedCommit[] = [];
    const reader = new PatchLogReader(commit => found.push(commit));
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
    reader.end();
    expect(found).toEqual(expected);
  }
});

test('what git cannot tell is said, and asked again only where HEAD is another', async () => {
  const repository = new Repository();
  repository.write('a.ts', BODY);
  repository.commit('first');
  const tracer = new ChangeTracer({
    root: repository.root,
    git: await findGit(repository.root, nodeHost),
    commit: () => 'f'.repeat(40),
    graph: () => graphOf({}).view,
    disk: nodeDisk(),
    packPath: join(repository.packs, 'changes.pack'),
    mayWrite: () => true,
  });
  await tracer.complete(turn(), neverCancelled);
  expect([tracer.state, tracer.changes]).toEqual(['unreadable', undefined]);
});

/** Numbers between 0 and 1 from a seed (Park and Miller 1988). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 0x7fffffff;
    return state / 0x7fffffff;
  };
}

test.each([1, 2, 3])('over random histories it tells what git log -L tells (seed %i)', async seed => {
  const random = randomFrom(seed);
  const any = (count: number): number => Math.floor(random() * count);
  const repository = new Repository();
  let made = 0;
  const fresh = (): string[] => [`function f${++made}() {`, ...Array.from({ length: 3 + any(4) }, () => `  step${any(1e6)}();`), '}'];
  const functions = Array.from({ length: 5 }, fresh);
  const write = (): void =>
    repository.write(
      'a.ts',
      functions.flatMap(lines => [...lines, '', `// ${lines[0]}`]),
    );
  write();
  repository.commit('start');
  for (let commit = 0; commit < 25; commit++) {
    const lines = functions[any(functions.length)] ?? [];
    const kind = any(5);
    if (kind === 0) functions.splice(any(functions.length + 1), 0, fresh());
    else if (kind === 1) lines.splice(1 + any(lines.length - 2), 0, `  step${any(1e6)}();`);
    else if (kind === 2 && lines.length > 4) lines.splice(1 + any(lines.length - 2), 1);
    else lines[1 + any(lines.length - 2)] = `  step${any(1e6)}();`;
    write();
    repository.commit(`commit ${commit}`);
  }
  let line = 1;
  const spans = functions.map(lines => {
    const span = symbol((lines[0] ?? '').slice('function '.length, -'() {'.length), line, line + lines.length - 1);
    line += lines.length + 2;
    return span;
  });
  const changes = await repository.trace({ 'a.ts': { symbols: spans } });
  for (const { lines, name } of spans) {
    const told = repository.git('log', '-s', '--format=%s', `-L${lines[0]},${lines[1]}:a.ts`).split('\n');
    expect(subjects(changes, `a.ts::${name}`), name).toEqual(told.filter(subject => subject !== ''));
  }
});

test('it ends when it is cancelled', async () => {
  const source = new CancellationSource();
  source.cancel();
  const repository = new Repository();
  repository.commit('first');
  const { traceChanges } = await import('../../server/src/engine/changes/history/traceChanges');
  const place = await findGit(repository.root, nodeHost);
  if (place === undefined) throw new Error('no repository');
  const request = { folder: repository.root, place, head: repository.git('rev-parse', 'HEAD'), graph: graphOf({}).view, before: undefined, turn: turn() };
  await expect(traceChanges(request, source.token)).rejects.toBeInstanceOf(Cancelled);
});

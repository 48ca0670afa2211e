import type { SharedEntity, SharedEntry } from '../../../server/src/knowledge/sync/sharedState';

export type Random = () => number;

/** Numbers in [0, 1) that are the same for a seed on every machine (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

export function uuid(n: number): string {
  return `${String(n % 7).padStart(8, '0')}-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

/** Texts that a format may trip over. */
const AWKWARD = [
  'plain words',
  '---',
  '--- ',
  '# Heading\n\n- list\n  - nested',
  '=======',
  'Heading\n=======',
  'a: b # no comment',
  '"quoted" \\ back\\nslash',
  'Größe 日本語 🧪 e\u0301',
  '\u2028line\u2029ends',
  '\ttabs\t',
  '{ id: atom::x }',
  'id: atom::00000000-0000-4000-8000-000000000000',
  '~',
  'null',
  '- [x] done',
  'CRLF\r\nlines\rand more',
  '\u0000\u0007control\u0085',
  '---[2026-01-01T00:00:00.000Z task:manual]---\nappended',
  '```ts\nconst x = 1;\n```',
  '<<<<<<<not a marker',
  'x <<<<<<< not at the start',
  '%YAML 1.2',
  '*star &anchor !tag',
  '\ufeffbom',
];

export function someText(random: Random, most: number): string {
  return Array.from({ length: Math.floor(random() * (most + 1)) }, () => pick(random, AWKWARD)).join(pick(random, ['\n', '\n\n', ' ']));
}

export function someName(random: Random): string {
  const name = someText(random, 2).trim().slice(0, 60).trim();
  return name === '' ? 'A name' : name;
}

const GLOBS = ['src/**', 'src/*.ts', '**/*.{ts,tsx}', 'a/[ab]?.ts', '*.md', 'dir with space/**', 'größe/**', "it's/*", 'a"b/*.ts', 'src/pages/checkout/**'];

/** Rows as writers leave them; those with even numbers are atoms. */
export function someEntities(random: Random, count: number): SharedEntity[] {
  return Array.from({ length: count }, (_, n) => someEntity(random, n, count));
}

export function idOf(n: number): string {
  return `${n % 2 === 0 ? 'atom' : 'molecule'}::${uuid(n)}`;
}

export function someEntity(random: Random, n: number, count: number): SharedEntity {
  const isAtom = n % 2 === 0;
  const others = Array.from({ length: count }, (_, other) => other).filter(other => other !== n && other % 2 === n % 2);
  const related = others.filter(() => random() < 0.3).map(other => ({ id: idOf(other), reason: someText(random, 1) }));
  return {
    id: idOf(n),
    kind: isAtom ? 'atom' : 'molecule',
    name: someName(random),
    moleculeId: isAtom && count > 1 && random() < 0.6 ? idOf(1) : null,
    paths: isAtom ? [...new Set([pick(random, GLOBS), pick(random, GLOBS)])] : [],
    related,
    knowledge: someText(random, 6),
    createdByTaskId: pick(random, ['manual', 'import', `task::${uuid(3)}`]),
    createdAt: `2026-01-0${1 + (n % 9)}T00:00:00.000Z`,
  };
}

export function someEntries(random: Random, most: number): SharedEntry[] {
  return Array.from({ length: Math.floor(random() * (most + 1)) }, () => ({
    id: `changelog::${uuid(Math.floor(random() * 1e9))}`,
    taskId: pick(random, ['manual', `task::${uuid(3)}`]),
    summary: `${someText(random, 2)} x`.trim(),
    createdAt: `2026-01-0${1 + Math.floor(random() * 9)}T00:00:00.${String(Math.floor(random() * 1000)).padStart(3, '0')}Z`,
  }));
}

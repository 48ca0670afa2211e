import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { canonical } from '../../../server/src/knowledge/sync/sharedState';
import { changelogText, entityText } from '../../../server/src/knowledge/sync/textFiles';

const ROOT = join(import.meta.dirname, '..', '..', '..');

interface Rule {
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly include?: string;
  readonly patterns?: readonly Rule[];
}

interface Grammar extends Rule {
  readonly scopeName: string;
  readonly injections?: Readonly<Record<string, Rule>>;
  readonly repository: Readonly<Record<string, Rule>>;
}

interface Manifest {
  readonly contributes: {
    readonly grammars: readonly { readonly language: string; readonly scopeName: string; readonly path: string }[];
    readonly languages: readonly { readonly id: string; readonly filenamePatterns: readonly string[]; readonly configuration?: string }[];
  };
}

function read<T>(path: string): T {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as T;
}

const { grammars, languages } = read<Manifest>('package.json').contributes;
const KNOWLEDGE = read<Grammar>('syntaxes/lattice-knowledge.tmLanguage.json');
const CHANGELOG = read<Grammar>('syntaxes/lattice-changelog.tmLanguage.json');

const ENTITY = entityText(
  canonical({
    id: 'atom::00000000-0000-4000-8000-000000000001',
    kind: 'atom',
    name: 'Checkout',
    moleculeId: 'molecule::00000000-0000-4000-8000-000000000002',
    paths: ['src/**'],
    related: [{ id: 'atom::00000000-0000-4000-8000-000000000003', reason: 'pays' }],
    knowledge: 'See `src/a.ts::Cart::add`.\n\n---[2026-01-01T00:00:00.000Z task:manual]---\nMore.',
    createdByTaskId: 'manual',
    createdAt: '2026-01-01T00:00:00.000Z',
  }),
);

function rules(grammar: Grammar): Rule[] {
  const all: Rule[] = [];
  const visit = (rule: Rule): void => {
    all.push(rule);
    for (const inner of rule.patterns ?? []) visit(inner);
  };
  for (const rule of [grammar, ...Object.values(grammar.injections ?? {}), ...Object.values(grammar.repository)]) visit(rule);
  return all;
}

function matches(grammar: Grammar, name: string, text: string): string[] {
  const source = grammar.repository[name]?.match;
  if (source === undefined) throw new Error(`no rule ${name}`);
  return [...text.matchAll(new RegExp(source, 'gmu'))].map(found => found[0]);
}

test('every grammar and language of the manifest is there, under its name', () => {
  expect(grammars.map(({ path, scopeName }) => read<Grammar>(path).scopeName === scopeName)).toEqual([true, true]);
  expect(grammars.map(({ language }) => language)).toEqual(languages.map(({ id }) => id));
  for (const { configuration } of languages) if (configuration !== undefined) expect(read(configuration)).toHaveProperty('brackets');
});

test.each([['knowledge', KNOWLEDGE] as const, ['changelog', CHANGELOG] as const])(
  '%s: every rule that is included exists, and every expression can be read',
  (_, grammar) => {
    const included = rules(grammar).flatMap(({ include }) => (include?.startsWith('#') === true ? [include.slice(1)] : []));
    expect(included.filter(name => !(name in grammar.repository))).toEqual([]);
    for (const { begin, end, match } of rules(grammar)) {
      for (const source of [begin, end, match]) if (source !== undefined) expect(() => new RegExp(source.replace('\\A', '^'), 'u')).not.toThrow();
    }
  },
);

test('an exported file has every part that is colored', () => {
  expect(matches(KNOWLEDGE, 'key', ENTITY)).toEqual(['id:', 'kind:', 'name:', 'molecule:', 'paths:', 'related:', 'createdByTaskId:', 'createdAt:']);
  expect(matches(KNOWLEDGE, 'relatedKey', ENTITY)).toEqual(['id:', 'reason:']);
  expect(matches(KNOWLEDGE, 'kind', ENTITY)).toEqual(['atom']);
  expect(matches(KNOWLEDGE, 'entityId', ENTITY)).toHaveLength(3);
  expect(matches(KNOWLEDGE, 'nodeId', ENTITY)).toEqual(['src/a.ts::Cart::add']);
  expect(matches(KNOWLEDGE, 'separator', ENTITY)).toEqual(['---[2026-01-01T00:00:00.000Z task:manual]---']);
  expect(matches(KNOWLEDGE, 'conflictMarker', ENTITY)).toEqual([]);
  expect(matches(KNOWLEDGE, 'conflictMarker', '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> b\n<<<<<<<a')).toEqual(['<<<<<<< HEAD', '>>>>>>> b']);
});

test('so has a changelog', () => {
  const line = changelogText([
    { id: 'changelog::00000000-0000-4000-8000-000000000001', taskId: 'manual', summary: 's', createdAt: '2026-01-01T00:00:00.000Z' },
  ]);
  expect(matches(CHANGELOG, 'key', line)).toEqual(['"id"', '"taskId"', '"summary"', '"createdAt"']);
});

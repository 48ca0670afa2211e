import { expect, test } from 'vitest';
import { shape, type Unshaped } from '../../server/src/tools/shaping';
import type { FieldRule } from '../../server/src/tools/tool';

const FIELDS: readonly FieldRule[] = [
  { key: 'direct', priority: 'required', description: '' },
  { key: 'further', priority: 'high', keeps: 4, description: '' },
  { key: 'tests', priority: 'required', keeps: 2, description: '' },
  { key: 'others', priority: 'high', description: '' },
  { key: 'extra', priority: 'medium', description: '' },
];

const names = (prefix: string, number: number): string[] => Array.from({ length: number }, (_, at) => `${prefix} ${'x'.repeat(20)} ${at}`);

function shaped(data: Readonly<Record<string, unknown>>, maxTokens: number) {
  const answer: Unshaped = {
    summary: 'Sum.',
    profile: 'compact',
    maxTokens,
    stamp: { revision: 1, head: '', pendingFiles: 0 },
    data,
    hint: undefined,
    fields: FIELDS,
    page: undefined,
    isContinued: false,
    cursorAt: String,
  };
  const envelope = shape(answer);
  expect(envelope?._tokenEstimate).toBeLessThanOrEqual(maxTokens);
  return { data: envelope?.data as Record<string, string[]>, hint: String(envelope?.hint) };
}

test('a list that gives way is cut before a field of high priority is left out, and takes what room remains', () => {
  const data = { direct: names('d', 2), further: names('f', 3), tests: names('t', 60), others: names('o', 60), extra: names('e', 60) };
  const { data: kept, hint } = shaped(data, 300);
  expect(kept['direct']).toHaveLength(2);
  expect(kept['further']).toHaveLength(3);
  expect(kept['tests']?.length).toBeGreaterThan(2);
  expect(kept).not.toHaveProperty('others');
  expect(hint).toContain(`Omitted to fit in 300 tokens: tests after the first ${kept['tests']?.length}, extra (60), others (60).`);
  // One more item would not have fitted.
  expect(300 - Math.ceil(JSON.stringify(kept).length / 4)).toBeLessThan(120);
});

test('the list declared first is filled first; a list of high priority that gave way comes back in part', () => {
  const { data: kept, hint } = shaped({ direct: names('d', 4), further: names('f', 40), tests: names('t', 40) }, 200);
  expect(kept['further']?.length).toBeGreaterThan(0);
  expect(kept['further']?.length).toBeLessThan(40);
  expect(kept['tests']).toHaveLength(2);
  expect(hint).toContain(`further after the first ${kept['further']?.length}, tests after the first 2.`);
  expect(kept).not.toHaveProperty('truncated');
});

test('lists that fit are whole, and one that does not give way is still shortened', () => {
  const whole = { direct: names('d', 2), further: names('f', 6), tests: names('t', 6), others: names('o', 2) };
  expect(shaped(whole, 1200).data).toEqual(whole);
  const { data: cut } = shaped({ direct: names('d', 50), tests: names('t', 2) }, 200);
  expect(cut).toMatchObject({ truncated: true, total: 50 });
  expect(cut['tests']).toHaveLength(2);
});

test('where one item is too long, lists of text in it keep their first and last item', () => {
  const ids = names('d', 1);
  const { data: kept } = shaped({ direct: [{ id: 'a', via: names('step', 30) }], tests: ids }, 200);
  const [row] = kept['direct'] as unknown as readonly [{ readonly id: string; readonly via: readonly string[] }];
  expect(row).toEqual({ id: 'a', via: [names('step', 30)[0], names('step', 30)[29]] });
});

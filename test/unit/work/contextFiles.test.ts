import { expect, test } from 'vitest';
import { contextFiles } from '../../../server/src/work/contextFiles';

test.each([
  ['lines', 'src/a.ts\nsrc/b.ts\r\nsrc/c.ts', ['src/a.ts', 'src/b.ts', 'src/c.ts']],
  ['commas', 'src/a.ts, src/b.ts,src/c.ts,', ['src/a.ts', 'src/b.ts', 'src/c.ts']],
  ['bullets', '- src/a.ts\n* src/b.ts\n+ src/c.ts\n1. src/d.ts\n2) src/e.ts', ['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts', 'src/e.ts']],
  ['checkboxes', '- [ ] src/a.ts\n- [x] src/b.ts\n[X] src/c.ts', ['src/a.ts', 'src/b.ts', 'src/c.ts']],
  ['quotes', '> src/a.ts\n"src/b.ts"\n\'src/c.ts\'\n`src/d.ts`', ['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts']],
  ['links', '[the pay code](src/a.ts)\n- [`b`](src/b.ts "title")\n<src/c.ts>', ['src/a.ts', 'src/b.ts', 'src/c.ts']],
  ['line suffixes', 'src/a.ts:10\nsrc/b.ts:10-20\nsrc/c.ts#L10\nsrc/d.ts#L10-L20\n`src/e.ts:7`', ['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts', 'src/e.ts']],
  ['remarks', 'src/a.ts - the entry\n- `src/b.ts:3` - here\n[c](src/c.ts) - see', ['src/a.ts', 'src/b.ts', 'src/c.ts']],
  [
    'names with dashes, ids and spaces',
    'src/my-file.ts\nsrc/a.ts::Store::save\nsrc/two words.ts',
    ['src/my-file.ts', 'src/a.ts::Store::save', 'src/two words.ts'],
  ],
  ['garbage', ' \n- \n,,\nhttps://example.org/a.ts\n[x](http://example.org)\nsrc/**\nsrc/*.ts\nsrc/{a,b}.ts\nsrc/[ab].ts\nsrc/?.ts', []],
  ['length', `${'a'.repeat(512)}\n${'b'.repeat(513)}`, ['a'.repeat(512)]],
  ['mixed and twice', '- `src/a.ts:1`, src/b.ts\n> src/a.ts', ['src/a.ts', 'src/b.ts']],
])('%s of Context Files are read', (_, content, expected) => {
  expect(contextFiles([{ title: 'Context Files', content }])).toEqual(expected);
});

test('all sections of that title count, whatever its case, and no other', () => {
  const sections = [
    { title: 'context files', content: 'a.ts' },
    { title: 'Notes', content: 'b.ts' },
    { title: ' CONTEXT FILES ', content: 'c.ts' },
  ];
  expect(contextFiles(sections)).toEqual(['a.ts', 'c.ts']);
  expect(contextFiles([])).toEqual([]);
});

import { expect, test } from 'vitest';
import { unlinked } from '../../../client/src/work/foreignMarkdown';

test.each([
  ['## Plan\n\n- **one**\n- two', '## Plan\n\n- **one**\n- two'],
  ['[run](command:quit)', '\\[run\\](command:quit)'],
  ['![x](https://example.org/x.png)', '!\\[x\\](https://example.org/x.png)'],
  ['<command:quit> <img src=x> <b>', '\\<command:quit> \\<img src=x> \\<b>'],
  ['[x]\n\n[x]: command:quit', '\\[x\\]\n\n\\[x\\]: command:quit'],
  ['`a[0] < b` and a[0]', '`a[0] < b` and a\\[0\\]'],
  ['``a[`0`]`` [x](y)', '``a[`0`]`` \\[x\\](y)'],
  ['` [x](command:quit)', '` \\[x\\](command:quit)'],
  ['`` [x](command:quit) `', '`` \\[x\\](command:quit) `'],
  ['\\`[x](command:quit)`', '\\`\\[x\\](command:quit)`'],
  ['`\\`[x](command:quit)`', '`\\`\\[x\\](command:quit)`'],
  ['```ts\na[0] < [b](c)\n```\n[x](y)', '```ts\na[0] < [b](c)\n```\n\\[x\\](y)'],
  ['````\n```\n[a](b)\n````\n[x](y)', '````\n```\n[a](b)\n````\n\\[x\\](y)'],
  ['```a`[x](y)\n[x](y)', '```a`\\[x\\](y)\n\\[x\\](y)'],
  ['> ```\n[x](y)', '> ```\n\\[x\\](y)'],
])('%j has no links, images or tags left', (markdown, expected) => {
  expect(unlinked(markdown)).toBe(expected);
});

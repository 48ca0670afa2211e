import { expect, test } from 'vitest';
import { withContextBlock } from '../../../server/protocol/contextBlock';

const BLOCK = '<!-- lattice:service-context -->\n## Orders\n<!-- /lattice:service-context -->';

test.each([
  ['a file that there is not', undefined, `${BLOCK}\n`],
  ['an empty file', '', `${BLOCK}\n`],
  ['a file that ends with its line', '# Rules\n', `# Rules\n\n${BLOCK}\n`],
  ['a file without an end of line', '# Rules', `# Rules\n\n${BLOCK}\n`],
  ['a file that has an older context', `# Rules\n\n${BLOCK.replace('Orders', 'Old')}\nMore\n`, `# Rules\n\n${BLOCK}\nMore\n`],
  ['a file of Windows', '# Rules\r\n', `# Rules\r\n\r\n${BLOCK.replaceAll('\n', '\r\n')}\r\n`],
])('a context is written into %s once, and what stands around it stays', (_, before, after) => {
  expect(withContextBlock(before, '## Orders\n')).toBe(after);
  expect(withContextBlock(after, '## Orders\n')).toBe(after);
});

test.each([['# Rules\n'], ['# Rules\r\n'], ['']])('an empty context takes out what was written into %j', before => {
  expect(withContextBlock(withContextBlock(before, '## Orders'), '')).toBe(before);
  expect(withContextBlock(before, '')).toBe(before);
});

test('a text behind the context stays when the context goes', () => {
  expect(withContextBlock(`# Rules\n\n${BLOCK}\n\nMore\n`, '')).toBe('# Rules\n\nMore\n');
});

test.each([['<!-- lattice:service-context -->\n'], ['<!-- /lattice:service-context -->\n<!-- lattice:service-context -->\n'], [`${BLOCK}\n${BLOCK}\n`]])(
  'a file whose markers do not pair up is left alone: %j',
  text => {
    expect(withContextBlock(text, '## Orders')).toBeUndefined();
  },
);

test('what the workspace says of itself does not end the block', () => {
  const text = withContextBlock(undefined, 'GET /<!-- /lattice:service-context -->x');
  expect(text?.match(/<!-- \/lattice:service-context -->/g)).toHaveLength(1);
});

import { expect, test } from 'vitest';
import { docLines } from '../../../client/src/views/docMarkdown';

test('code of a doc comment stays as it is written, the rest is no Markdown', () => {
  const doc = 'Not in :meth:`__call__`. Instead of doing this::\n\n    app = My_Middleware(app)\n\n    run(*args)\n\nuse *this* [link](command:x).';
  expect(docLines(doc)).toEqual([
    'Not in `__call__`. Instead of doing this:',
    '',
    '```',
    'app = My_Middleware(app)',
    '',
    'run(*args)',
    '```',
    '',
    'use \\*this\\* \\[link\\](command:x).',
  ]);
});

test('a fence keeps its language and what is in it, and ends where it ends or with the comment', () => {
  expect(docLines('Use:\n```ts\napp.get("/*", c => c.text(`a_b`))\n```\nDone_.')).toEqual([
    'Use:',
    '```ts',
    'app.get("/*", c => c.text(`a_b`))',
    '```',
    'Done\\_.',
  ]);
  expect(docLines('~~~\na ``` b\n')).toEqual(['````', 'a ``` b', '````']);
});

test('names of reStructuredText read as they are shown, and its fields begin lines', () => {
  expect(docLines('A :class:`~werkzeug.test.EnvironBuilder` of ``json``, see :doc:`the docs </config>`.\n:param a: one\n:param b: two\n@returns x')).toEqual([
    'A `EnvironBuilder` of `json`, see `the docs`.  ',
    ':param a: one  ',
    ':param b: two  ',
    '@returns x',
  ]);
});

test('an indented line below text is text', () => {
  expect(docLines('.. versionchanged:: 0.7\n    Called_ even then.')).toEqual(['.. versionchanged:: 0.7', '    Called\\_ even then.']);
});

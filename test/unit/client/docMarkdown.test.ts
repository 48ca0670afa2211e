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
    '*Parameter* `a`: one  ',
    '*Parameter* `b`: two  ',
    '@returns x',
  ]);
});

test('directives of reStructuredText read as they are shown', () => {
  expect(docLines('.. versionchanged:: 0.7\n    Called_ even then.')).toEqual(['*Changed in version 0.7:* Called\\_ even then.']);
  expect(docLines('Sums.\n\n.. _sums:\n\n.. note::\n\n   Slow with ``n``.\n\n   Very.\n.. deprecated:: 2.0\nAfter.')).toEqual([
    'Sums.',
    '',
    '',
    '*Note:* Slow with `n`.',
    '',
    'Very.',
    '',
    '*Deprecated since version 2.0:*',
    'After.',
  ]);
  const titled = docLines('.. admonition:: About *the* First\n\n    It is `name`.\n\n    Always.\nAfter.');
  expect(titled).toEqual(['*About \\*the\\* First:* It is `name`.', '', 'Always.', 'After.']);
  expect(docLines('.. topic:: New in this version\n\n    Much.')).toEqual(['*New in this version:* Much.']);
  expect(docLines('Use:\n\n.. code-block:: python\n    :linenos:\n\n    if x:\n        run()\n\n.. autoclass:: Cart')).toEqual([
    'Use:',
    '',
    '```python',
    'if x:',
    '    run()',
    '```',
    '',
    '.. autoclass:: Cart',
  ]);
});

test('fields of reStructuredText say what they are; a role at the beginning of a line is a word of it', () => {
  expect(docLines('Not in\n:meth:`.Cart.add`.\n:param int count: how *many*\n    there are\n:returns: the sum\n:rtype: int\n:raises KeyError: never')).toEqual([
    'Not in',
    '`Cart.add`.  ',
    '*Parameter* `count` (`int`): how \\*many\\*',
    '    there are  ',
    '*Returns*: the sum  ',
    '*Return type*: int  ',
    '*Raises* `KeyError`: never',
  ]);
});

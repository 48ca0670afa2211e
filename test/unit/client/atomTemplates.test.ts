import { expect, test } from 'vitest';
import { ATOM_TEMPLATES, headingsOf, snippetOf } from '../../../client/src/knowledge/atomTemplates';

test('a template begins with its headings, and has a place to fill in below each', () => {
  const template = { label: 'Rule', icon: 'law', detail: '', sections: [['Rule', 'What of $x}?'] as const, ['Reason', 'Why?'] as const] };
  expect(headingsOf(template)).toBe('## Rule\n\n## Reason');
  expect(snippetOf(template)).toBe('## Rule\n\n${1:What of \\$x\\}?}\n\n## Reason\n\n${2:Why?}');
});

test('the first template is empty, the others have headings that differ', () => {
  const [empty, ...others] = ATOM_TEMPLATES;
  expect(headingsOf(empty ?? expect.fail('there is no template'))).toBe('');
  for (const { sections } of others) expect(new Set(sections.map(([heading]) => heading)).size).toBeGreaterThan(2);
  expect(new Set(ATOM_TEMPLATES.map(({ label }) => label)).size).toBe(ATOM_TEMPLATES.length);
});

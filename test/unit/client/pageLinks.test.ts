import { expect, test } from 'vitest';
import { explainPage } from '../../../client/src/views/explainPage';
import type { ExplainAnswer } from '../../../server/protocol/features';
import { breakable, pageLink } from '../../../server/protocol/pageLinks';

test.each([
  ['file:///home/ada/shop', 'file:///home/ada/shop', 'src/pay.ts', 12, '/src/pay.ts#L12'],
  ['file:///home/ada/shop', 'file:///home/ada/shop', 'src/pay.ts', 0, '/src/pay.ts'],
  ['file:///home/ada/shop', 'file:///home/ada/tools/cli', 'a.ts', 3, '/../tools/cli/a.ts#L3'],
  ['file:///c%3A/code/shop', 'file:///c%3A/code/shop', 'src/a (b)#c.ts', 1, '/src/a%20%28b%29%23c.ts#L1'],
  ['vscode-remote://ssh-remote%2Bbox/home/shop', 'vscode-remote://ssh-remote%2Bbox/home/shop', 'x.py', 2, '/x.py#L2'],
  ['vscode-remote://ssh-remote%2Bbox/home/shop', 'file:///home/shop', 'x.py', 2, undefined],
  ['', 'file:///home/shop', 'x.py', 2, undefined],
  ['file:///home/shop', 'file:///home/shop', '../../etc/passwd', 0, undefined],
  ['file:///home/shop', 'file:///home/shop', 'src\\..\\..\\secret.txt', 0, undefined],
  ['file:///home/shop', 'file:///home/shop', 'src/..gitkeep', 0, '/src/..gitkeep'],
  ['file:///home/shop', 'file:///home/shop', 'half \ud800.py', 2, undefined],
])('a page of %s links %s %s:%i as %s', (first, folder, path, line, address) => {
  expect(pageLink(first, folder, path, line)).toBe(address);
});

test('the page of a symbol links the places of the symbol, its users, tests and members', () => {
  const neighbour = { id: 'src/shop.ts::buy', name: 'buy', rel: 'called_by', line: 7, confidence: 1 };
  const answer = {
    symbol: { id: 'src/pay.ts::total', name: 'total', kind: 'function', path: 'src/pay.ts', startLine: 11, endLine: 13 },
    sentence: '',
    doc: '',
    signature: '',
    modifiers: [],
    complexity: 1,
    dependents: [neighbour],
    dependencies: [{ ...neighbour, id: 'lib/round.ts::round', name: 'round', rel: 'CALLS', line: 12 }],
    tests: ['test/pay.test.ts::testTotal'],
    members: [
      { name: 'inner', kind: 'function', path: 'src/pay.ts', startLine: 12 },
      { name: 'later', kind: 'method', path: 'src/later.ts', startLine: 3 },
    ],
    counts: {
      dependents: 1300,
      possibleDependents: 1,
      dependencies: 1,
      possibleDependencies: 0,
      tests: 1,
      references: { unresolved: 0, external: 0, resolved: 1 },
    },
  } as unknown as ExplainAnswer;
  const page = explainPage(answer, 'typescript', (path, line) => pageLink('file:///w', 'file:///w', path, line));
  for (const link of [
    '[src/pay.ts:11–13](/src/pay.ts#L11)',
    '[buy](/src/shop.ts#L7)',
    '[src/shop.ts:7](/src/shop.ts#L7)',
    '[src/pay.ts:12](/src/pay.ts#L12)',
    '[test/pay.test.ts](/test/pay.test.ts)',
    '[inner](/src/pay.ts#L12) function, line 12',
    '[later](/src/later.ts#L3) method, src/later.ts:3',
  ])
    expect(page).toContain(link);
  expect(page).toContain('## Used by (1,299 and 1 possible)');
  expect(page).toContain('## Uses (1)');
  // More columns do not fit into a page beside code.
  for (const line of page.split('\n').filter(text => text.startsWith('|'))) expect(line.split(' | ').length, line).toBe(2);
  expect(explainPage(answer, 'typescript', () => undefined)).not.toContain('](');
  // A short doc comment stands at the top; of a manual only the first paragraph does, and all of it at the end.
  const short = explainPage({ ...answer, doc: 'Adds up.\n\nSlowly.' }, 'typescript', () => undefined);
  expect(short).toContain('> Adds up.\n> \n> Slowly.\n\n## Used by');
  const manual = explainPage({ ...answer, doc: `Adds\nup.\n\n${'More.\n'.repeat(20)}` }, 'typescript', () => undefined);
  expect(manual).toContain('> Adds\n> up.\n\n## Used by');
  expect(manual.slice(manual.indexOf('## Members'))).toContain('## Documentation\n\n> Adds\n> up.\n> \n> More.\n');
});

test('long names and paths may break where their words end, and stay one text for who copies them', () => {
  const escape = (part: string): string => part.replaceAll('_', '\\_');
  expect(breakable('src/pay.ts', escape)).toBe('src/pay.ts');
  expect(breakable('src/flask/sansio/app.py', escape)).toBe('src/<wbr>flask/<wbr>sansio/<wbr>app.<wbr>py');
  expect(breakable('SessionInterface.__init_subclass__', escape)).toBe('Session<wbr>Interface.<wbr>\\_\\_init\\_<wbr>subclass\\_\\_');
});

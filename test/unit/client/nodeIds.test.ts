import { expect, test } from 'vitest';
import { possibleIdsIn } from '../../../client/src/agents/chat/nodeIds';

test('IDs are found in any field of an answer, each once, in order; words, numbers and source are left out', () => {
  const data = {
    items: [
      { id: 'src/pay.ts::Payments::charge', kind: 'method', line: 12, via: [{ id: 'docs/how to pay.md' }] },
      { id: 'task::7f3a', path: 'src/pay.ts', source: 'charge() {\n  return this.pay();\n}' },
    ],
    byFile: { first: 'src/pay.ts' },
    missing: null,
    text: 'x.'.repeat(300),
  };
  expect([...possibleIdsIn(data)]).toEqual(['src/pay.ts::Payments::charge', 'docs/how to pay.md', 'task::7f3a', 'src/pay.ts']);
});

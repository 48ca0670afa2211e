/** A branch of a small shop in a repository of its own, with code in two languages and a test. */
import { neverCancelled } from '../../../server/src/base/cancellation';
import type { Answer, FeatureName, ParamsOf } from '../../../server/src/features/catalogue/catalogue';
import type { Asking } from '../../engine/checkout';
import { type Repository, repository } from '../../engine/repository';

/** The answer of a feature; throws its failure. */
export async function ask<Name extends FeatureName>(asking: Asking, name: Name, params: ParamsOf<Name>): Promise<Answer<Name>> {
  const answer = await asking.gateway.query(name, params, asking.caller('editor'), neverCancelled);
  if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
  return answer.value as Answer<Name>;
}

export const MONEY = `/** Adds. */
export function add(a: number, b: number) {
  // both
  return a + b;
}
export class Till {
  // the drawer
  open() {
    return add(1, 2);
  }
}
`;
/** What the main branch has. */
export const BEFORE = {
  'package.json': '{"name":"shop","devDependencies":{"vitest":"1"}}',
  'README.md': 'Shop\n',
  'src/money.ts': MONEY,
  'src/shop.ts': "import { add, Till } from './money';\nexport const pay = () => add(1, new Till().open());\n",
  'src/tools.py': 'def stack(boxes):\n    """Stacks."""\n    return boxes\n',
  'test/shop.test.ts': "import { test } from 'vitest';\nimport { pay } from '../src/shop';\ntest('pays', () => {\n  pay();\n});\n",
};

/** Checked out at the main branch's commit, without commits of its own. */
export function branch(): Repository {
  const made = repository();
  made.commit(BEFORE);
  made.git('checkout', '-q', '-b', 'work');
  return made;
}

import { expect, test, vi } from 'vitest';
import type { MemoryRow } from '../../../server/protocol/features';

vi.mock('vscode', () => ({ EventEmitter: class {}, MarkdownString: class {}, ThemeIcon: class {}, TreeItem: class {}, TreeItemCollapsibleState: {} }));

test('the page of an episode names its facts in words, links its code, and says nothing twice', async () => {
  const { memoryPage } = await import('../../../client/src/memory/memoryPage');
  const row = {
    id: 'episode::1',
    type: 'EDIT',
    agentId: 'docs-writer',
    timestamp: '2026-01-02T03:04:05Z',
    content: 'Wrapped the text.',
    entities: ['src/a.ts::Page::text', 'src/a.ts', 'src/old.ts', 'service::orders'],
    anchors: { gone: ['src/old.ts'] },
    metadata: { linesBefore: 3, reason: '- [x](y)' },
  } as unknown as MemoryRow;
  const page = memoryPage(row, { linkTo: (path, line) => `/${path}#L${line}`, lines: new Map([['src/a.ts::Page::text', 7]]) });
  expect(page.match(/Wrapped the text\./g)).toHaveLength(1);
  expect(page).toContain('Edit · docs-writer · ');
  expect(page).toContain('**Lines before:** 3');
  expect(page).toContain('**Reason:** \\- \\[x\\](y)');
  expect(page).toContain('- [`Page.text`](/src/a.ts#L7) src/a.ts\n- [`src/a.ts`](/src/a.ts#L0)\n- `src/old.ts` (no longer exists)\n- `service::orders`');
});

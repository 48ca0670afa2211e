import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import type { KnowledgeSettings } from '../../server/src/model/settings';
import { type Asking, Checkout } from './checkout';

/** Longest wait for what takes 2 s on an idle machine. */
const BOUND = { timeout: 90_000, interval: 100 };
const SOURCE = { 'src/a.ts': 'export class Cart {}\n' };

let checkout: Checkout;
afterEach(() => checkout.dispose());

function open(knowledge: Partial<KnowledgeSettings> = {}): Promise<Asking> {
  return checkout.open({ longLived: true, watch: 'files', settings: { knowledge: { sync: 'auto', trusted: true, ...knowledge } } });
}

async function create(asking: Asking, name: string): Promise<string> {
  const { envelope } = await asking.call('manage_graph', {
    operation: 'create',
    entityType: 'atom',
    name,
    paths: ['src/**'],
    knowledge: 'before',
    createdByTaskId: 'manual',
  });
  if (!envelope.ok) throw new Error(envelope.summary);
  return String(envelope.data?.['id']);
}

async function get(asking: Asking, id: string): Promise<unknown> {
  return (await asking.call('query_graph', { operation: 'get', entityType: 'atom', id })).envelope.data?.['atom'];
}

function folder(): string {
  return join(checkout.root, '.lattice', 'knowledge', 'atoms');
}

function files(): string[] {
  return existsSync(folder()) ? readdirSync(folder()).filter(name => name.endsWith('.md')) : [];
}

function git(...words: string[]): void {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: join(checkout.base, 'none'), GIT_CONFIG_NOSYSTEM: '1' };
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...words], { cwd: checkout.root, env, stdio: 'pipe' });
}

test('what is written goes into files by itself, what is edited there comes back, and both follow the branch', async () => {
  checkout = new Checkout(SOURCE);
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'begin');
  const asking = await open();
  const id = await create(asking, 'Cart');
  await vi.waitFor(() => expect(files()).toHaveLength(1), BOUND);
  git('add', '-A');
  git('commit', '-qm', 'knowledge');

  const path = join(folder(), files()[0] ?? '');
  writeFileSync(path, readFileSync(path, 'utf8').replace('before', 'after'));
  await vi.waitFor(async () => expect(await get(asking, id)).toMatchObject({ knowledge: 'after', version: 2, lastTaskId: 'import' }), BOUND);

  git('commit', '-qam', 'newer');
  git('checkout', '-q', 'HEAD~1');
  await vi.waitFor(async () => expect(await get(asking, id)).toMatchObject({ knowledge: 'before', version: 3 }), BOUND);
  git('checkout', '-q', 'HEAD~1');
  await vi.waitFor(async () => expect(await get(asking, id)).toBeUndefined(), BOUND);
  git('checkout', '-q', 'main');
  await vi.waitFor(async () => expect(await get(asking, id)).toMatchObject({ knowledge: 'after', version: 1 }), BOUND);
});

test('files that are there at the start are read, and what they lack is written', async () => {
  checkout = new Checkout(SOURCE);
  const first = await open({ sync: 'manual' });
  const id = await create(first, 'Cart');
  await first.gateway.query('exportKnowledge', {}, first.caller(), neverCancelled);
  const path = join(folder(), files()[0] ?? '');
  await create(first, 'Second');
  writeFileSync(path, readFileSync(path, 'utf8').replace('before', 'meanwhile'));
  expect(files()).toHaveLength(1);
  await first.close();
  const second = await open();
  await vi.waitFor(async () => expect(await get(second, id)).toMatchObject({ knowledge: 'meanwhile' }), BOUND);
  await vi.waitFor(() => expect(files()).toHaveLength(2), BOUND);
});

import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { neverCancelled } from '../../server/src/base/cancellation';
import { type Asking, Checkout, isOfCode } from './checkout';

export const IDENTITY = ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid', '-c', 'commit.gpgsign=false', '-c', 'core.autocrlf=false'];
/** Checkouts that the test at hand uses. */
export const open: Checkout[] = [];

export async function closeAll(): Promise<void> {
  for (const checkout of open.splice(0)) await checkout.dispose();
}

/** A repository of its own, with a commit a day. */
export interface Repository {
  readonly checkout: Checkout;
  git(...args: string[]): string;
  /** Commits everything; answers with the commit. */
  commit(files: Readonly<Record<string, string | Uint8Array>>, removed?: readonly string[], when?: string): string;
}

export function repository(): Repository {
  const checkout = new Checkout({});
  open.push(checkout);
  const git = (...args: string[]): string =>
    execFileSync('git', [...IDENTITY, ...args], { cwd: checkout.root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  git('init', '-q', '-b', 'main');
  let made = 0;
  return {
    checkout,
    git,
    commit(files, removed = [], when = `2026-01-0${++made}T12:00:00Z`) {
      checkout.write(files);
      for (const path of removed) rmSync(join(checkout.root, path), { recursive: true });
      git('add', '-A', '-f');
      execFileSync('git', [...IDENTITY, 'commit', '-q', '-m', 'more'], {
        cwd: checkout.root,
        stdio: 'ignore',
        env: { ...process.env, GIT_AUTHOR_DATE: when, GIT_COMMITTER_DATE: when },
      });
      return git('rev-parse', 'HEAD');
    },
  };
}

/** All of the code in an export, as text: what two indexes must agree on to the byte. */
export async function exported(asking: Asking, params: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const rows: unknown[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const page = await asking.gateway.query('exportGraph', { ...params, offset }, asking.caller(), neverCancelled);
    if (!page.ok) throw new Error(page.error.message);
    const { nextOffset, rows: more } = page.value as { readonly rows: readonly unknown[]; readonly nextOffset?: number };
    rows.push(...more);
    offset = nextOffset;
  }
  return rows
    .filter(isOfCode)
    .map(row => JSON.stringify(row))
    .join('\n');
}

/** The index of a fresh clone at a commit, which knows nothing of the repository's other commits. */
export async function cold(from: string, commit: string, folder = ''): Promise<string> {
  const clone = new Checkout({});
  open.push(clone);
  execFileSync('git', [...IDENTITY, 'clone', '-q', '--no-checkout', from, clone.root], { stdio: 'ignore' });
  execFileSync('git', [...IDENTITY, 'checkout', '-q', commit], { cwd: clone.root, stdio: 'ignore' });
  return exported(await clone.open(folder === '' ? {} : { root: join(clone.root, folder) }));
}

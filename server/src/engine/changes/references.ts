import type { CancellationToken } from '../../base/cancellation';
import type { GitPlace } from '../../code/files/git';
import type { GitReference } from '../../workspace/changes';
import { readRepository } from '../processes/git/repository';

/** Branches and tags, those with the newest commits first; at most 300. Empty without git, or where it cannot tell. */
export async function referencesOf(folder: string, place: GitPlace | undefined, token: CancellationToken): Promise<readonly GitReference[]> {
  if (place === undefined) return [];
  const output = await readRepository(folder, place, token, git => git.ask('references', ['refs/heads', 'refs/remotes', 'refs/tags']));
  return output.ok ? referencesIn(output.value.toString('utf8')) : [];
}

const NAME = /^refs\/(?<folder>heads|remotes|tags)\/(?<name>.+)$/;
const KINDS: Readonly<Record<string, GitReference['kind']>> = { heads: 'branch', remotes: 'remote', tags: 'tag' };

/** Reads lines of commit, time and full name. Names that stand for another (`origin/HEAD`) are left out. */
function referencesIn(output: string): GitReference[] {
  return output.split('\n').flatMap((line): GitReference[] => {
    const [commit = '', time = '', full = ''] = line.split('\t');
    const { folder = '', name = '' } = NAME.exec(full)?.groups ?? {};
    const kind = KINDS[folder];
    return kind === undefined || name.endsWith('/HEAD') ? [] : [{ name, kind, commit, at: Number(time) * 1000 }];
  });
}

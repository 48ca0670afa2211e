import type { CancellationToken } from '../../base/cancellation';
import type { GitPlace } from '../../code/files/git';
import { readRepository } from '../processes/git/repository';

/** Names of those who made some commits, by full hash. Empty without git, or where it cannot tell. */
export async function authorsOf(
  folder: string,
  place: GitPlace | undefined,
  commits: readonly string[],
  token: CancellationToken,
): Promise<ReadonlyMap<string, string>> {
  const hashes = commits.filter(hash => /^[0-9a-f]{40,64}$/.test(hash));
  if (place === undefined || hashes.length === 0) return new Map();
  const output = await readRepository(folder, place, token, git => git.ask('authors', [...hashes, '--']));
  if (!output.ok) return new Map();
  const lines = output.value.toString('utf8').split('\n');
  return new Map(lines.filter(line => line.includes(' ')).map(line => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]));
}

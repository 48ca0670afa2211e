import { type GitPlace, readHead } from '../../../code/files/git';
import type { FileHost } from '../../../code/files/host';
import { readStateName } from '../stateNames';

/** Names that mean the same commit for as long as HEAD is where it is. */
const STEADY = /^(?:HEAD(?:[~^]\d*)*|[0-9a-f]{40}|[0-9a-f]{64})$/;
/** More names than these are forgotten. */
const MAX_KNOWN = 200;

/** Which commits names meant that depend on nothing but HEAD, so that the next question about one need not start git: that alone takes longer than the rest. */
export class NamedCommits {
  readonly #known = new Map<string, string>();

  constructor(private readonly host: FileHost) {}

  /** The name of a state where it is of that kind, together with where HEAD is now. */
  async keyOf(asked: string, place: GitPlace | undefined): Promise<string | undefined> {
    const word = readStateName(asked);
    if (place === undefined || word.kind !== 'revision' || !STEADY.test(word.text)) return undefined;
    const { commit } = await readHead(place, this.host);
    return commit === undefined ? undefined : `${place.gitDir} ${commit} ${word.text}`;
  }

  get(key: string | undefined): string | undefined {
    return key === undefined ? undefined : this.#known.get(key);
  }

  /** `before`: the key from before git was asked. HEAD may have moved since. */
  async note(asked: string, place: GitPlace | undefined, before: string | undefined, commit: string): Promise<void> {
    if (before === undefined || before !== (await this.keyOf(asked, place))) return;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(before, commit);
  }
}

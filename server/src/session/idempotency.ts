import type { CheckoutHost } from './checkoutHost';
import type { ToolAnswer } from './gateway';

const MAX_REMEMBERED = 1_000;
/** Longer answers are remembered in memory only. */
const MAX_JOURNALED_CHARACTERS = 64 * 1024;

/** Carries out a write at most once per key, also when the retry reaches another owner of the project. */
export class IdempotentCalls {
  readonly #answers = new Map<string, Promise<ToolAnswer>>();

  constructor(private readonly host: Pick<CheckoutHost, 'recall' | 'remember'>) {}

  run(key: string, call: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const journaled = this.host.recall(key);
    if (journaled !== undefined) return Promise.resolve(JSON.parse(journaled) as ToolAnswer);
    const answer = this.#carryOut(key, call);
    this.#answers.set(key, answer);
    if (this.#answers.size > MAX_REMEMBERED) {
      const oldest = this.#answers.keys().next();
      if (oldest.done !== true) this.#answers.delete(oldest.value);
    }
    answer.catch(() => this.#answers.delete(key));
    return answer;
  }

  async #carryOut(key: string, call: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
    const answer = await call();
    const text = JSON.stringify(answer);
    if (answer.envelope.ok && text.length <= MAX_JOURNALED_CHARACTERS) await this.host.remember(key, text);
    return answer;
  }
}

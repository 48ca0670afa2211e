import type { StableId } from '../../model/ids';
import { forEachWord, isStopWord, tokensOfWord } from '../../search/tokenizer';
import type { PastChanges } from '../../workspace/pastChanges';

/** A commit that changed more files says little of each. */
const MAX_FILES = 60;
/** A commit counts by how much of the task it says, less where its subject is long, and less for each symbol the more it changed. */
const SUBJECT_LENGTH = 8;
const LENGTH_BONUS = 1.5;
const SPREAD = 0.35;
/** What a further commit of a symbol adds, over the one before. */
const NEXT_COMMIT = 0.5;
/** Commits between pauses. */
const STEP = 500;

/** Words of the subjects of past commits. */
interface Subjects {
  /** By place of the commit; empty for what changed too much. */
  readonly tokens: readonly ReadonlySet<string>[];
  /** In how many subjects a word stands. */
  readonly counts: ReadonlyMap<string, number>;
  /** How many symbols a commit changed. */
  readonly changed: Uint32Array;
}

const known = new WeakMap<PastChanges, Subjects>();

/**
 * Symbols that commits with a subject like the task changed, with 0 to 1 over the best: what a task changes is what tasks like it changed.
 * Words weigh by their rarity among subjects (Robertson and Spärck Jones 1976).
 */
export async function changedByTasksLike(past: PastChanges, task: string, pause: () => Promise<void>): Promise<ReadonlyMap<StableId, number>> {
  const subjects = known.get(past) ?? (await subjectsOf(past, pause));
  known.set(past, subjects);
  const likeness = likenessOf(subjects, tokensOf(task));
  const scores = new Map<StableId, number>();
  let most = 0;
  for (const id of past.ids) {
    const gains: number[] = [];
    for (const place of past.of(id)) {
      const like = likeness[place] ?? 0;
      if (like > 0) gains.push(like / Math.max(1, subjects.changed[place] ?? 1) ** SPREAD);
    }
    if (gains.length === 0) continue;
    const score = gains.sort((a, b) => b - a).reduce((sum, gain, at) => sum + gain * NEXT_COMMIT ** at, 0);
    scores.set(id, score);
    most = Math.max(most, score);
  }
  for (const [id, score] of scores) scores.set(id, score / most);
  return scores;
}

function likenessOf({ counts, tokens }: Subjects, task: ReadonlySet<string>): Float64Array {
  const rarity = new Map<string, number>();
  let all = 0;
  for (const token of task) {
    const count = counts.get(token) ?? 0;
    const weight = Math.log(1 + (tokens.length - count + 0.5) / (count + 0.5));
    rarity.set(token, weight);
    all += weight;
  }
  return Float64Array.from(tokens, subject => {
    let matched = 0;
    for (const [token, weight] of rarity) if (subject.has(token)) matched += weight;
    return matched === 0 ? 0 : (matched / all) * Math.min(1, LENGTH_BONUS / Math.sqrt(1 + subject.size / SUBJECT_LENGTH));
  });
}

async function subjectsOf(past: PastChanges, pause: () => Promise<void>): Promise<Subjects> {
  const tokens: ReadonlySet<string>[] = [];
  const counts = new Map<string, number>();
  for (const { files, subject } of past.commits) {
    const words = files > MAX_FILES ? new Set<string>() : tokensOf(subject);
    tokens.push(words);
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    if (tokens.length % STEP === 0) await pause();
  }
  const changed = new Uint32Array(tokens.length);
  for (const id of past.ids) for (const place of past.of(id)) changed[place] = (changed[place] ?? 0) + 1;
  return { tokens, counts, changed };
}

function tokensOf(text: string): ReadonlySet<string> {
  const tokens = new Set<string>();
  forEachWord(text, word => {
    if (!isStopWord(word)) for (const token of tokensOfWord(word)) tokens.add(token);
  });
  return tokens;
}

import type { ContextAnswer } from '../../../features/knowledge/answers';
import type { ContainerAnswer } from '../../../features/work/reading';
import { type Hint, joinHints, paramRef, phrase, toolRef } from '../../../model/hints';
import { ENVELOPE_TOKENS, estimateTokens, PAGE_TOKENS } from '../../shaping';
import type { ToolContext } from '../../tool';
import { fitContext } from '../knowledge/fit';
import { count } from '../outcome';
import { fittedTo, itemRow, OUTLINE_HINT, outlineRow, sectionRow } from './rows';

type Fields = Readonly<Record<string, unknown>>;

export interface ItemAnswer {
  readonly data: Fields;
  /** Counts what was held back and says how to get it; `''` when everything is there. */
  readonly hint: Hint;
}

/** Shares of what the parts before them leave. */
const ITEM_SHARE = 0.6;
const ROWS_SHARE = 0.4;
const SECTIONS_BESIDE_KNOWLEDGE = 0.4;

/**
 * One feature or task with everything around it, as far as it fits: the item first, then what blocks it (or its tasks), its sections, what is known
 * about its files, and its versions. Each part gets a share of the room that is left, and what it does not use goes to the next.
 */
export function itemAnswer(context: ToolContext, found: ContainerAnswer, knowledge: ContextAnswer | undefined): ItemAnswer {
  const { container, dependencies, history, sections, tasks } = found;
  const room = new Room(Math.min(context.maxTokens, PAGE_TOKENS) - ENVELOPE_TOKENS);
  const item = room.spend(fittedTo(room.left * ITEM_SHARE, container));
  const rows =
    container.type === 'task' ? room.take(dependencies, ROWS_SHARE, 'dependency', 'dependencies') : room.take(tasks.map(itemRow), ROWS_SHARE, 'task');
  const texts = sectionRows(room, sections, knowledge === undefined ? 1 : SECTIONS_BESIDE_KNOWLEDGE);
  const known = knowledge === undefined ? undefined : knowledgeIn(room, knowledge);
  const versions = history === undefined ? undefined : room.take(history, 1, 'version');
  return {
    data: {
      [container.type]: item,
      sections: texts,
      ...(container.type === 'task' ? { dependencies: rows } : { tasks: rows }),
      ...(known === undefined ? {} : { graphContext: known }),
      ...(versions === undefined ? {} : { history: versions }),
    },
    hint: room.hint(),
  };
}

function sectionRows(room: Room, sections: ContainerAnswer['sections'], share: number): readonly Fields[] {
  const whole = sections.map(sectionRow);
  if (estimateTokens(whole) <= room.left * share) return room.spend(whole);
  room.say(OUTLINE_HINT);
  return room.take(sections.map(outlineRow), share, 'section');
}

function knowledgeIn(room: Room, knowledge: ContextAnswer): Fields {
  const { data, heldBack } = fitContext(knowledge, room.left + ENVELOPE_TOKENS, 0);
  if (heldBack > 0)
    room.say(
      phrase`Omitted: the text of ${count(heldBack, 'atom or molecule', 'atoms and molecules')}. To read it, use ${toolRef('query_graph', { operation: 'context' })} and the Context Files.`,
    );
  return room.spend(data);
}

/** The tokens of an answer as its parts use them up, with a note of what was held back. */
class Room {
  readonly #heldBack: string[] = [];
  readonly #notes: Hint[] = [];

  constructor(public left: number) {}

  spend<T>(value: T): T {
    this.left = Math.max(0, this.left - estimateTokens(value));
    return value;
  }

  /** The first rows that fit the share; the others are counted. */
  take<T>(rows: readonly T[], share: number, noun: string, plural?: string): readonly T[] {
    const limit = this.left * share;
    let used = 0;
    const end = rows.findIndex(row => (used += estimateTokens(row)) > limit);
    const taken = end < 0 ? rows : rows.slice(0, end);
    if (taken.length < rows.length) this.#heldBack.push(`${rows.length - taken.length} of ${count(rows.length, noun, plural)}`);
    return this.spend(taken);
  }

  say(note: Hint): void {
    this.#notes.push(note);
  }

  hint(): Hint {
    const held = this.#heldBack.length === 0 ? [] : [phrase`Omitted: ${this.#heldBack.join(', ')}. Use a larger ${paramRef('profile')} to get them.`];
    return joinHints([...held, ...this.#notes]);
  }
}

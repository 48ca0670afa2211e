import { type Hint, joinHints, paramRef, phrase } from '../model/hints';
import type { Stamp } from '../workspace/snapshot';
import { type Envelope, hintFields, type Profile } from './envelope';
import type { FieldRule, Page, Priority } from './tool';

/** One page of an unlimited answer, in tokens (100 KB of JSON). */
export const PAGE_TOKENS = 25_600;
/** What summary, stamp, hint and cursor take of an answer, in tokens. */
export const ENVELOPE_TOKENS = 170;

export interface Unshaped {
  readonly summary: string;
  readonly profile: Profile;
  readonly maxTokens: number;
  readonly stamp: Stamp;
  readonly data: Readonly<Record<string, unknown>>;
  readonly hint: Hint | undefined;
  readonly fields: readonly FieldRule[];
  readonly page: Page | undefined;
  readonly keepsEmpty?: boolean;
  /** The caller came with a cursor: the page list is what was asked for. */
  readonly isContinued: boolean;
  readonly cursorAt: (offset: number) => string;
}

/** `ceil(JSON length / 4)`: what an answer costs, rather over- than under-counted. */
export function estimateTokens(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / 4);
}

/** Takes items in rank order and stops at the first that would overflow. */
export function fillSlot<T>(
  items: readonly T[],
  tokensOf: (item: T) => number,
  slotTokens: number,
): { readonly selected: readonly T[]; readonly usedTokens: number } {
  let usedTokens = 0;
  let count = 0;
  for (const item of items) {
    const tokens = tokensOf(item);
    if (usedTokens + tokens > slotTokens) break;
    usedTokens += tokens;
    count++;
  }
  return { selected: items.slice(0, count), usedTokens };
}

/**
 * Makes an answer fit its budget: drops low, then medium fields, cuts lists that can be shortened (`keeps`) as far as needed, drops high fields,
 * last declared first, and numbers and words only when nothing else is left; shortens required lists in whole items from their low-ranked end, down to one, and lists of text in those
 * to their first and last item; `undefined` when even that is too big.
 */
export function shape(answer: Unshaped): Envelope | undefined {
  const limit = Math.min(answer.maxTokens, PAGE_TOKENS);
  const draft: AnswerDraft = { answer, limit, data: withoutEmpty(answer), dropped: [] };
  for (const key of droppable(draft)) if (cannotFit(draft, key)) drop(draft, key);
  precut(draft);
  let envelope = assemble(draft);
  let hasGivenWay = false;
  for (const key of droppable(draft)) {
    if (envelope._tokenEstimate <= limit) break;
    if (!hasGivenWay && priorityOf(answer, key) === 'high') {
      hasGivenWay = true;
      giveWay(draft);
      envelope = assemble(draft);
      if (envelope._tokenEstimate <= limit) break;
    }
    drop(draft, key);
    envelope = assemble(draft);
  }
  if (envelope._tokenEstimate <= limit) return hasGivenWay ? refill(draft, envelope) : envelope;
  while (envelope._tokenEstimate > limit && shorten(draft, envelope._tokenEstimate - limit)) envelope = assemble(draft);
  if (envelope._tokenEstimate > limit && keepEnds(draft)) envelope = assemble(draft);
  for (const key of envelope._tokenEstimate <= limit ? [] : smallKeys(draft)) {
    drop(draft, key);
    envelope = assemble(draft);
    if (envelope._tokenEstimate <= limit) return envelope;
  }
  if (envelope._tokenEstimate > limit && answer.profile === 'compact' && !answer.fields.some(field => field.priority === 'required')) {
    draft.data = {};
    envelope = assemble(draft);
  }
  return envelope._tokenEstimate <= limit ? envelope : undefined;
}

interface AnswerDraft {
  readonly answer: Unshaped;
  readonly limit: number;
  data: Record<string, unknown>;
  readonly dropped: string[];
}

function withoutEmpty(answer: Unshaped): Record<string, unknown> {
  const isKept = (key: string, value: unknown): boolean => answer.keepsEmpty === true || priorityOf(answer, key) === 'required' || !isEmpty(value);
  const kept = Object.entries(answer.data).filter(([key, value]) => value !== undefined && isKept(key, value));
  return Object.fromEntries(kept);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value as object).length === 0;
}

/** A page asked for by cursor is its list and little else, so that list counts as required. */
function priorityOf(answer: Unshaped, key: string): Priority {
  if (answer.isContinued && answer.page?.key === key) return 'required';
  return answer.fields.find(field => field.key === key)?.priority ?? 'low';
}

/** Keys that may go, in the order in which they do. */
function droppable({ answer, data }: AnswerDraft): string[] {
  const declared = answer.fields.map(field => field.key);
  const rank = (key: string): number => (declared.includes(key) ? declared.indexOf(key) : declared.length);
  const level = { low: 0, medium: 1, high: 2, required: 3 } as const;
  return Object.keys(data)
    .filter(key => priorityOf(answer, key) !== 'required' && !isSmall(data[key]))
    .sort((a, b) => level[priorityOf(answer, a)] - level[priorityOf(answer, b)] || rank(b) - rank(a));
}

/** Naming it as left out would take as much as it does. */
function isSmall(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value.length <= SMALL_TEXT);
}

const SMALL_TEXT = 12;

function drop(draft: AnswerDraft, key: string): void {
  delete draft.data[key];
  draft.dropped.push(key);
}

function smallKeys({ answer, data }: AnswerDraft): string[] {
  return Object.keys(data).filter(key => priorityOf(answer, key) !== 'required' && isSmall(data[key]));
}

/** Fewest characters that an item of a list takes, with its comma. */
const MIN_ITEM_LENGTH = 4;

/** A list too long for the whole budget is not even written out to be measured. */
function cannotFit({ data, limit }: AnswerDraft, key: string): boolean {
  const value = data[key];
  return Array.isArray(value) && value.length * MIN_ITEM_LENGTH > limit * 4;
}

function precut({ data, limit }: AnswerDraft): void {
  for (const [key, value] of Object.entries(data)) if (Array.isArray(value) && value.length > limit) data[key] = value.slice(0, Math.max(1, limit));
}

/** Cuts the lists that can be shortened to what they keep. */
function giveWay({ answer, data }: AnswerDraft): void {
  for (const { keeps, key } of answer.fields) {
    const list = data[key];
    if (keeps !== undefined && Array.isArray(list)) data[key] = list.slice(0, keeps);
  }
}

/** Puts items of the lists that gave way back while they fit, the first declared list first. */
function refill(draft: AnswerDraft, fitting: Envelope): Envelope {
  const { answer, data, limit } = draft;
  let envelope = fitting;
  for (const { keeps, key } of answer.fields) {
    const whole = answer.data[key];
    if (keeps === undefined || !Array.isArray(whole)) continue;
    const isBack = !(key in data);
    if (isBack) draft.dropped.splice(draft.dropped.indexOf(key), 1);
    const kept = isBack ? 0 : lengthOf(data[key]);
    let length = kept;
    let spare = (limit - envelope._tokenEstimate) * 4;
    while (length < whole.length && (spare -= JSON.stringify(whole[length]).length + 1) >= 0) length++;
    for (; length > kept; length--) {
      data[key] = whole.slice(0, length);
      const fuller = assemble(draft);
      if (fuller._tokenEstimate > limit) continue;
      envelope = fuller;
      break;
    }
    if (length > kept) continue;
    if (isBack) drop(draft, key);
    else data[key] = whole.slice(0, kept);
  }
  return envelope;
}

/** Takes items off the end of the longest list to save about `excess` tokens; false when every list has one item. */
function shorten({ data }: AnswerDraft, excess: number): boolean {
  const lists = Object.entries(data).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]) && entry[1].length > 1);
  const longest = lists.map(([key, list]) => ({ key, list, size: JSON.stringify(list).length })).sort((a, b) => b.size - a.size)[0];
  if (longest === undefined) return false;
  let spare = excess * 4;
  let length = longest.list.length;
  while (length > 1 && spare > 0) spare -= JSON.stringify(longest.list[--length]).length + 1;
  data[longest.key] = longest.list.slice(0, length);
  return true;
}

/** Leaves of lists of text inside of items, as the ways from one thing to another, the first and the last item; false when there is none to shorten. */
function keepEnds({ data }: AnswerDraft): boolean {
  let hasShortened = false;
  const ends = (value: unknown): unknown => {
    if (!Array.isArray(value) || value.length < 3 || !value.every(item => typeof item === 'string')) return value;
    hasShortened = true;
    return [value[0], value.at(-1)];
  };
  const shortened = (item: unknown): unknown =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).map(([key, value]) => [key, ends(value)]))
      : item;
  for (const [key, value] of Object.entries(data)) if (Array.isArray(value)) data[key] = value.map(shortened);
  return hasShortened;
}

function assemble({ answer, data, dropped, limit }: AnswerDraft): Envelope {
  const full: Record<string, unknown> = { ...data };
  const { page } = answer;
  const shortened = Object.keys(full).filter(key => lengthOf(full[key]) < lengthOf(answer.data[key]));
  const givenWay = answer.fields.filter(({ keeps, key }) => keeps !== undefined && shortened.includes(key)).map(({ key }) => key);
  const cut = shortened.find(key => !givenWay.includes(key));
  if (cut !== undefined) {
    full['truncated'] = true;
    full['total'] ??= page?.key === cut ? page.total : lengthOf(answer.data[cut]);
  }
  if (page !== undefined) {
    const shown = page.offset + (page.isNested === true ? page.count : Math.min(page.count, lengthOf(full[page.key])));
    if (shown < page.total) full['nextCursor'] = answer.cursorAt(shown);
  }
  const omitted = [...givenWay.map(key => `${key} after the first ${lengthOf(full[key])}`), ...dropped.map(key => counted(key, answer.data[key]))];
  const left = omitted.length === 0 ? undefined : phrase`Omitted to fit in ${limit} tokens: ${omitted.join(', ')}. ${wider(answer.profile)}`;
  const hint = joinHints([left, answer.hint].filter(each => each !== undefined));
  const payload = {
    ok: true,
    summary: answer.summary,
    profile: answer.profile,
    stamp: answer.stamp,
    ...(Object.keys(full).length === 0 ? {} : { data: full }),
  };
  if (hint === '') return { ...payload, _tokenEstimate: estimateTokens(payload) };
  const { hint: told, ...parts } = hintFields(hint);
  return { ...payload, hint: told, ...parts, _tokenEstimate: estimateTokens({ ...payload, hint: told }) };
}

/** `sections (3)` for a list; the name alone for anything else. */
function counted(key: string, value: unknown): string {
  return Array.isArray(value) ? `${key} (${value.length})` : key;
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

function wider(profile: Profile): Hint {
  if (profile === 'compact') return phrase`Use ${paramRef('profile', 'balanced')} for more.`;
  return profile === 'balanced' ? phrase`Use ${paramRef('profile', 'debug')} for all.` : phrase`Use ${paramRef('cursor')} for more.`;
}

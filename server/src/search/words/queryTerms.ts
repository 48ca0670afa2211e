import { forEachWord, isStopWord, nameKey, stem, tokensOfWord } from '../tokenizer';
import { relatedTo } from './relatedWords';

/** More words than this are cut off: the coordination mask has one bit per term. */
const MAX_TERMS = 31;

/** Fewer words are a name: it is meant as it is spelled. */
const MIN_WORDS_OF_PROSE = 3;

export interface QueryTerm {
  /** As in the index. */
  readonly token: string;
  /** Lower case and unstemmed, for looking up longer terms. */
  readonly prefix: string;
}

/** A word that names use for one of the query's. */
export interface RelatedTerm {
  readonly token: string;
  /** Bit per term of the query that it stands for; none where that is a stop word. */
  readonly termBits: number;
}

export interface ParsedQuery {
  /** Distinct, in order of the text. */
  readonly terms: readonly QueryTerm[];
  /** Distinct, and none of `terms`. */
  readonly related: readonly RelatedTerm[];
  /** Name key of the whole text. */
  readonly nameKey: string;
  /** Literal readings of the text as an id or its end. */
  readonly idEndings: readonly string[];
  /** Name keys of the last segment of each reading. */
  readonly lastNameKeys: readonly string[];
  /** Whether tests, examples or the like are asked for. */
  readonly asksBeside: boolean;
}

const ASKED_BESIDE = /\b(?:tests?|tested|specs?|fixtures?|mocks?|bench\w*|examples?|samples?|demos?)\b/i;

export function parseQuery(text: string): ParsedQuery {
  const trimmed = text.trim().replace(/^["'`]+|["'`()]+$/g, '');
  const words: string[] = [];
  forEachWord(trimmed, word => words.push(word));
  const telling = words.filter(word => !isStopWord(word));
  const terms = new Map<string, QueryTerm>();
  for (const word of telling.length > 0 ? telling : words) {
    for (const token of tokensOfWord(word)) if (terms.size < MAX_TERMS && !terms.has(token)) terms.set(token, { token, prefix: prefixOf(word, token) });
  }
  const idEndings = /\s/.test(trimmed) ? [] : [...new Set([trimmed, trimmed.replace(/[.#]/g, '::')])];
  const lastNameKeys = [...new Set(idEndings.flatMap(ending => [ending.split(/::|\//).at(-1) ?? '', ending.split('/').at(-1) ?? ''].map(nameKey)))];
  return {
    terms: [...terms.values()],
    related: words.length < MIN_WORDS_OF_PROSE ? [] : relatedTerms(words, [...terms.keys()]),
    nameKey: nameKey(trimmed),
    idEndings,
    lastNameKeys: lastNameKeys.filter(key => key !== ''),
    asksBeside: ASKED_BESIDE.test(text),
  };
}

function relatedTerms(words: readonly string[], tokens: readonly string[]): readonly RelatedTerm[] {
  const bits = new Map<string, number>();
  for (const word of words) {
    const source = stem(word.toLowerCase());
    const place = tokens.indexOf(source);
    for (const token of relatedTo(source)) if (!tokens.includes(token)) bits.set(token, (bits.get(token) ?? 0) | (place < 0 ? 0 : 1 << place));
  }
  return [...bits].map(([token, termBits]) => ({ token, termBits }));
}

/** Of a word of one part its unstemmed form; of a part of several, the token itself. */
function prefixOf(word: string, token: string): string {
  const whole = nameKey(word);
  return whole.startsWith(token) && tokensOfWord(word).length === 1 ? whole : token;
}

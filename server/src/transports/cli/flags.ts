import { err, type Failure, ok, type Result } from '../../base/result';
import { nearest } from '../suggest';

export type FlagKind = 'boolean' | 'string' | 'number' | 'integer' | 'list' | 'json';

export interface Flag {
  /** Spelling on the command line without dashes, in kebab case. */
  readonly name: string;
  readonly kind: FlagKind;
  /** Placeholder in the help. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly help: string;
  /** Shown in the help only; who reads the flag applies it. */
  readonly fallback?: string;
  readonly short?: string;
}

const FORMATS = ['text', 'json', 'markdown'];

/** Of commands whose answer is also a comment on a pull request. */
export const FORMAT_FLAG: Flag = {
  name: 'format',
  kind: 'string',
  value: FORMATS.join('|'),
  choices: FORMATS,
  help: 'Output format. markdown is meant for pull request comments; json is the same as --json.',
  fallback: 'text',
};

/** Of commands that read the code and can do so as it was. */
export const AS_OF_FLAG: Flag = {
  name: 'as-of',
  kind: 'string',
  value: 'WHEN',
  help: 'Use the code as it was: a commit, tag, branch, time (2026-01-31T12:00) or transaction ID.',
};

export type FlagValue = boolean | string | number | readonly string[] | object;

export interface ParsedArguments {
  readonly flags: ReadonlyMap<string, FlagValue>;
  readonly positionals: readonly string[];
}

/**
 * Reads `--flag value`, `--flag=value`, `--no-flag`, `-f`, and `--` (all that follows is positional).
 * A number such as `-1` is a value. A list flag may be repeated and takes comma-separated values.
 */
export function parseArguments(words: readonly string[], known: readonly Flag[]): Result<ParsedArguments, Failure> {
  const flags = new Map<string, FlagValue>();
  const positionals: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') {
      positionals.push(...words.slice(at + 1));
      break;
    }
    if (!/^-./.test(word) || /^-\d/.test(word)) {
      positionals.push(word);
      continue;
    }
    const equals = word.indexOf('=');
    const spelling = equals < 0 ? word : word.slice(0, equals);
    const found = findFlag(spelling, known);
    if (!found.ok) return found;
    const { flag, negated } = found.value;
    if (flag.kind === 'boolean') {
      if (equals >= 0) return usage(`${spelling} does not take a value.`);
      flags.set(flag.name, !negated);
      continue;
    }
    const text = equals >= 0 ? word.slice(equals + 1) : words[++at];
    // If a value is left out, the next flag is not the value.
    if (text === undefined || (equals < 0 && text.startsWith('--') && findFlag(text, known).ok))
      return usage(`${spelling} requires a value: ${spelling} ${flag.value ?? 'VALUE'}`);
    const value = readValue(flag, spelling, text);
    if (!value.ok) return value;
    const before = flags.get(flag.name);
    flags.set(flag.name, Array.isArray(before) && Array.isArray(value.value) ? [...before, ...value.value] : value.value);
  }
  return ok({ flags, positionals });
}

function findFlag(spelling: string, known: readonly Flag[]): Result<{ readonly flag: Flag; readonly negated: boolean }, Failure> {
  if (/^-[a-zA-Z]$/.test(spelling)) {
    const flag = known.find(candidate => candidate.short === spelling.slice(1));
    if (flag !== undefined) return ok({ flag, negated: false });
  }
  const name = kebab(spelling.replace(/^--?/, ''));
  const flag = known.find(candidate => candidate.name === name);
  if (flag !== undefined && spelling.startsWith('--')) return ok({ flag, negated: false });
  const positive = known.find(candidate => candidate.kind === 'boolean' && `no-${candidate.name}` === name);
  if (positive !== undefined) return ok({ flag: positive, negated: true });
  const near = nearest(
    name,
    known.map(candidate => candidate.name),
  );
  return usage(`Unknown flag ${spelling}.${near === undefined ? '' : ` Did you mean --${near}?`}`);
}

function readValue(flag: Flag, spelling: string, text: string): Result<FlagValue, Failure> {
  if (flag.choices !== undefined && flag.kind !== 'list' && !flag.choices.includes(text)) {
    const near = nearest(text, flag.choices);
    return usage(`${spelling} must be one of ${flag.choices.join(', ')}, not ${JSON.stringify(text)}.${near === undefined ? '' : ` Did you mean ${near}?`}`);
  }
  switch (flag.kind) {
    case 'number':
    case 'integer': {
      const value = text.trim() === '' ? Number.NaN : Number(text);
      const good = flag.kind === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
      return good ? ok(value) : usage(`${spelling} must be ${flag.kind === 'integer' ? 'a whole number' : 'a number'}, not ${JSON.stringify(text)}.`);
    }
    case 'list':
      return ok(
        text
          .split(',')
          .map(item => item.trim())
          .filter(item => item !== ''),
      );
    case 'json':
      return readJsonObject(spelling, text);
    default:
      return ok(text);
  }
}

function readJsonObject(spelling: string, text: string): Result<FlagValue, Failure> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return ok(value);
  } catch {
    // Falls through to the message below.
  }
  return usage(`${spelling} must be a JSON object.`);
}

export function kebab(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}

function usage(message: string): Result<never, Failure> {
  return err({ code: 'USAGE', message });
}

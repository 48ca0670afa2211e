import { err, ok, type Result } from '../../base/result';
import { parseRelation, type Relation } from '../../model/relations';
import { type FeatureFailure, invalid } from './failure';

/** What a parameter must be; a trailing `!` makes it required. */
export type ParamType = 'text' | 'text!' | 'integer' | 'integer!' | 'number' | 'flag' | 'texts' | 'relations';

export type ParamTable = Readonly<Record<string, ParamType>>;

/** Checks parameters that came over a wire against a table. Unknown ones are refused; nothing is guessed. */
export function checkParams(table: ParamTable, params: unknown): Result<Record<string, unknown>, FeatureFailure> {
  if (params === null || typeof params !== 'object' || Array.isArray(params)) return err(invalid('params', 'params must be an object.'));
  const given = params as Readonly<Record<string, unknown>>;
  const checked: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(table)) {
    const value = given[name];
    if (value === undefined || value === null) {
      if (type.endsWith('!')) return err(invalid(name, `${name} is missing.`));
      continue;
    }
    const read = READERS[type.replace('!', '') as keyof typeof READERS](value);
    if (read === undefined) return err(invalid(name, `${name} must be ${WORDS[type.replace('!', '') as keyof typeof WORDS]}.`));
    checked[name] = read;
  }
  const unknown = Object.keys(given).find(name => !(name in table) && given[name] !== undefined);
  return unknown === undefined
    ? ok(checked)
    : err(invalid(unknown, `There is no parameter ${unknown}.`, `Use ${Object.keys(table).join(', ') || 'no parameters'}.`));
}

/** Reads relation names in any spelling; `undefined` when one is unknown. */
export function relationsOf(names: readonly string[]): Relation[] | undefined {
  const relations = names.map(name => parseRelation(name)?.relation);
  return relations.every(relation => relation !== undefined) ? relations : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const areTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

const READERS: Readonly<Record<'text' | 'integer' | 'number' | 'flag' | 'texts' | 'relations', (value: unknown) => unknown>> = {
  text: value => (isText(value) ? value : undefined),
  integer: value => (isNumber(value) && Number.isInteger(value) && value >= 0 ? value : undefined),
  number: value => (isNumber(value) ? value : undefined),
  flag: value => (typeof value === 'boolean' ? value : undefined),
  texts: value => (areTexts(value) ? value : undefined),
  relations: value => (areTexts(value) ? relationsOf(value) : undefined),
};

const WORDS: Readonly<Record<keyof typeof READERS, string>> = {
  text: 'a text',
  integer: 'a whole number that is not negative',
  number: 'a number',
  flag: 'true or false',
  texts: 'a list of texts',
  relations: 'a list of relation names',
};

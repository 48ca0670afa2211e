import type { JsonProperty, ToolRow } from '../host';
import type { Flag, FlagKind, FlagValue } from './flags';
import { kebab } from './flags';

/** Flags of the command line derived from a tool's input schema; `omit` names what the positionals give. */
export function flagsOfTool(tool: ToolRow, omit: readonly string[]): Flag[] {
  return Object.entries(tool.inputSchema.properties ?? {})
    .filter(([name]) => !omit.includes(name))
    .map(([name, property]) => flagOf(name, property));
}

/** The tool's input from parsed flags: kebab case back to the wire names, absent flags left out. */
export function inputFromFlags(tool: ToolRow, flags: ReadonlyMap<string, FlagValue>): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const name of Object.keys(tool.inputSchema.properties ?? {})) {
    const value = flags.get(kebab(name));
    if (value !== undefined) input[name] = value;
  }
  return input;
}

function flagOf(name: string, property: JsonProperty): Flag {
  const kind = kindOf(property);
  const choices = choicesOf(kind === 'list' ? (arrayPart(property)?.items ?? {}) : property);
  return {
    name: kebab(name),
    kind,
    help: property.description ?? '',
    ...(kind === 'boolean' ? {} : { value: choices === undefined ? PLACEHOLDERS[kind] : choices.join('|') }),
    ...(choices === undefined ? {} : { choices }),
    ...(property.default === undefined ? {} : { fallback: JSON.stringify(property.default) }),
  };
}

const PLACEHOLDERS: Readonly<Record<FlagKind, string>> = { boolean: '', string: 'TEXT', number: 'N', integer: 'N', list: 'A,B', json: 'JSON' };

function kindOf(property: JsonProperty): FlagKind {
  if (arrayPart(property) !== undefined) return 'list';
  const types = typesOf(property);
  if (types.includes('boolean')) return 'boolean';
  if (types.includes('integer')) return 'integer';
  if (types.includes('number')) return 'number';
  return types.includes('object') ? 'json' : 'string';
}

function arrayPart(property: JsonProperty): JsonProperty | undefined {
  if (property.type === 'array') return property;
  return property.anyOf?.find(part => part.type === 'array');
}

function typesOf(property: JsonProperty): readonly string[] {
  if (property.anyOf !== undefined) return property.anyOf.flatMap(typesOf);
  if (typeof property.type === 'string') return [property.type];
  return property.type ?? [];
}

function choicesOf(property: JsonProperty): readonly string[] | undefined {
  const values = property.enum ?? property.anyOf?.find(part => part.enum !== undefined)?.enum;
  const texts = values?.filter(value => typeof value === 'string');
  return texts === undefined || texts.length === 0 || (property.enum === undefined && (property.anyOf?.length ?? 0) > 1) ? undefined : texts;
}

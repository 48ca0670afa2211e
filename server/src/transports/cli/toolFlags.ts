import type { JsonProperty, ToolRow } from '../host';
import type { Flag, FlagKind, FlagValue } from './flags';
import { kebab } from './flags';

/** Flags of the command line derived from a tool's input schema; `omit` names what the positionals give. */
export function flagsOfTool(tool: ToolRow, omit: readonly string[]): Flag[] {
  return Object.entries(tool.inputSchema.properties ?? {})
    .filter(([name]) => !omit.includes(name) && !UNUSED.has(name))
    .map(([name, property]) => flagOf(name, property, TEXTS[`${tool.name}.${kebab(name)}`] ?? TEXTS[kebab(name)]));
}

/** Parameters that the command line has another flag for. */
const UNUSED: ReadonlySet<string> = new Set(['budget']);

/**
 * Help of flags, by name or by tool and name. Schemas say less, because every word there costs agents tokens, and use the names of parameters.
 * What is not listed here has the words of its schema.
 */
const TEXTS: Readonly<Record<string, string>> = {
  'arch_suggest.description': 'Same as WORDS',
  'arch_validate.since': 'Only files changed since a revision, a range A..B, a time or a transaction',
  'centrality-reranking': 'Use centrality to rank the results. Default: from settings (on)',
  context: 'How much to include: only the signature, the body, the body with callers and callees, or everything',
  depth: 'Maximum distance from the target',
  'graph_diff.scope': 'Path or ID to limit the comparison to',
  cursor: 'Continue a list: nextCursor of the previous page (with --json)',
  'ego-graph-k-hops': 'Maximum distance of the added neighbors',
  'filter-edge-types': 'Only these relations: calls, imports…',
  'filter-node-types': 'Only these kinds of nodes: file, function, CLASS…',
  'impact_analyze.files': 'Changed files, instead of TARGET',
  'impact_analyze.since': 'Changes since HEAD (uncommitted changes), a revision, a range A..B, a time or a transaction, instead of TARGET',
  'impact_analyze.target': 'Same as TARGET',
  'include-decisions': 'Include decisions',
  'include-episodes': 'Include episodes',
  'include-learnings': 'Include learnings',
  kind: 'Kind of the new code',
  limit: 'Results per page',
  'max-nodes': 'Maximum number of nodes',
  'max-depth': 'Maximum distance from the change',
  'min-severity': 'Minimum severity',
  mode: 'place: suggest locations; rules: suggest layers and rules from the existing code',
  'output-format': 'Format of the results: one line each, with summaries, or as short as possible',
  profile: 'Level of detail: compact (300 tokens), balanced (1200 tokens) or debug (no limit)',
  radius: 'Maximum distance from the node',
  scope: 'Dependents to include',
  'semantic_slice.file': 'Path of a file. Without TARGET, shows its outline',
  'semantic_slice.query': 'Search terms, instead of TARGET. Shows the best match',
  'semantic_slice.symbol': 'Same as TARGET',
  'task-id': 'Include the plan and blockers of a task',
  undirected: 'Follow links in both directions',
};

/** The tool's input from parsed flags: kebab case back to the wire names, absent flags left out. */
export function inputFromFlags(tool: ToolRow, flags: ReadonlyMap<string, FlagValue>): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const name of Object.keys(tool.inputSchema.properties ?? {})) {
    const value = flags.get(kebab(name));
    if (value !== undefined) input[name] = value;
  }
  return input;
}

function flagOf(name: string, property: JsonProperty, text: string | undefined): Flag {
  const kind = kindOf(property);
  const choices = choicesOf(kind === 'list' ? (arrayPart(property)?.items ?? {}) : property);
  return {
    name: kebab(name),
    kind,
    help: [text ?? property.description ?? '', rangeOf(property)].filter(text => text !== '').join(', '),
    ...(kind === 'boolean' ? {} : { value: choices === undefined ? PLACEHOLDERS[kind] : choices.join('|') }),
    ...(choices === undefined ? {} : { choices }),
    ...(property.default === undefined ? {} : { fallback: typeof property.default === 'string' ? property.default : fallbackOf(name, property.default) }),
  };
}

/** A switch that is on is turned off by its other spelling. */
function fallbackOf(name: string, value: unknown): string {
  return value === true ? `on; --no-${kebab(name)} turns it off` : value === false ? 'off' : JSON.stringify(value);
}

/** `1 to 3`; `''` where only what a whole number can be is the bound. */
function rangeOf(property: JsonProperty): string {
  const parts = [property, ...(property.anyOf ?? [])];
  const { minimum, maximum } = parts.find(part => part.minimum !== undefined || part.maximum !== undefined) ?? {};
  const least = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? undefined : minimum;
  const most = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (least !== undefined && most !== undefined) return `${least} to ${most}`;
  return least !== undefined ? `at least ${least}` : most !== undefined ? `at most ${most}` : '';
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

import { z } from 'zod';
import { TOOLS } from './catalogue';
import { PROFILES } from './envelope';
import { COMMON } from './inputs';
import { EFFECTS, type Tool } from './tool';

/** JSON schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly annotations: Readonly<Record<string, boolean | string>>;
}

/** A tool as the protocols list it. Schemas are inline (no `$ref`) and the same on every run. */
export function describeTool(tool: Tool): ToolDescription {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchemaOf(tool),
    outputSchema: OUTPUT_SCHEMA,
    annotations: { title: tool.title, ...EFFECTS[tool.effect] },
  };
}

/** Every tool with its parameters and fields, for the documentation. */
export function toolsMarkdown(): string {
  return TOOLS.map(tool => {
    const parameters = parameterRows(tool).map(({ name, type, required, text }) => `| \`${name}\`${required ? ' (required)' : ''} | ${type} | ${cell(text)} |`);
    const fields = tool.fields.map(field => `| \`${field.key}\` | ${field.priority} | ${cell(field.description)} |`);
    return [
      `## ${tool.name}`,
      '',
      tool.description,
      '',
      `Effect: ${tool.effect}. Default profile: ${tool.defaultProfile}.`,
      '',
      ...(parameters.length === 0 ? [] : ['| Parameter | Type | Meaning |', '|---|---|---|', ...parameters, '']),
      '| Field of `data` | Priority | Meaning |',
      '|---|---|---|',
      ...fields,
    ].join('\n');
  }).join('\n\n');
}

/** Names and schemas of all tools, frozen in `test/pins/tools.json`. */
export function pinnedTools(): unknown {
  return TOOLS.map(tool => ({ ...describeTool(tool), description: undefined, fields: tool.fields.map(({ key, priority }) => `${key} ${priority}`) }));
}

/** What the editor offers to its own agents; a name without a tool takes no place. */
const EDITOR_TOOLS: readonly string[] = [
  'context_pack',
  'search_code',
  'graph_query',
  'code_explain',
  'semantic_slice',
  'impact_analyze',
  'diff_since',
  'query_graph',
  'episode_recall',
  'arch_validate',
  'test_select',
  'episode_add',
  'manage_graph',
  'task_update',
];

/** Entries of `contributes.languageModelTools`, in the order of the catalogue. The tag of a tool that changes something has the editor ask first. */
export function languageModelTools(): Readonly<Record<string, unknown>>[] {
  return TOOLS.filter(tool => EDITOR_TOOLS.includes(tool.name)).map(tool => ({
    name: `lattice_${tool.name}`,
    toolReferenceName: `lattice${tool.name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
    displayName: tool.title,
    userDescription: /^.*?\.(?=\s|$)/s.exec(tool.description)?.[0] ?? tool.description,
    modelDescription: tool.description,
    icon: '$(type-hierarchy)',
    tags: ['lattice', tool.effect === 'read' ? 'read' : 'write'],
    when: 'config.lattice.enable',
    canBeReferencedInPrompt: true,
    inputSchema: inputSchemaOf(tool),
  }));
}

const OUTPUT_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    ok: { type: 'boolean' },
    summary: { type: 'string' },
    profile: { enum: Object.keys(PROFILES) },
    _tokenEstimate: { type: 'integer' },
    stamp: { type: 'object' },
    data: { type: 'object' },
    hint: { type: 'string' },
    errorCode: { type: 'string' },
  },
  required: ['ok', 'summary', 'profile', '_tokenEstimate'],
};

function inputSchemaOf(tool: Tool): JsonSchema {
  const { profile, maxTokens, cursor } = COMMON;
  const shape = tool.input.extend(tool.paged === true ? { profile, maxTokens, cursor } : { profile, maxTokens });
  const schema = z.toJSONSchema(shape, { io: 'input', target: 'draft-7' }) as Record<string, unknown>;
  delete schema['$schema'];
  delete schema['additionalProperties'];
  const properties = schema['properties'] as Record<string, Record<string, unknown>>;
  for (const property of Object.values(properties)) if (property['maximum'] === Number.MAX_SAFE_INTEGER) delete property['maximum'];
  return schema;
}

interface ParameterRow {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly text: string;
}

function parameterRows(tool: Tool): ParameterRow[] {
  const schema = inputSchemaOf(tool);
  const properties = schema['properties'] as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const required = new Set(schema['required'] as readonly string[] | undefined);
  return Object.keys(tool.input.shape).map(name => {
    const property = properties[name] ?? {};
    const choices = Array.isArray(property['enum']) ? property['enum'].join(', ') : undefined;
    const range = property['maximum'] === undefined ? '' : ` ${shown(property['minimum'])}–${shown(property['maximum'])}`;
    const preset = property['default'] === undefined ? '' : `, default ${shown(property['default'])}`;
    const text = typeof property['description'] === 'string' ? property['description'] : '';
    return { name, type: `${choices ?? shown(property['type'])}${range}${preset}`, required: required.has(name), text };
  });
}

/** A value of a schema as a word. */
function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

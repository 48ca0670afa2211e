import { z } from 'zod';
import { ERROR_CODES, PROFILES } from './envelope';
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

/** Rows for the documentation. */
export function toolTable(tools: readonly Tool[]): string {
  const rows = tools.map(tool => `| \`${tool.name}\` | ${cell(tool.description)} | ${parametersOf(tool)} | ${tool.effect} |`);
  return ['| Tool | What it does | Parameters | Effect |', '|---|---|---|---|', ...rows].join('\n');
}

/** Entries of `contributes.languageModelTools`. */
export function languageModelTools(tools: readonly Tool[]): Readonly<Record<string, unknown>>[] {
  return tools.map(tool => ({
    name: `lattice_${tool.name}`,
    toolReferenceName: `lattice${tool.name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
    displayName: tool.title,
    modelDescription: tool.description,
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

/** Error codes for the documentation, in order. */
export const errorCodes: readonly string[] = ERROR_CODES;

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

function parametersOf(tool: Tool): string {
  const schema = inputSchemaOf(tool);
  const required = new Set(schema['required'] as string[] | undefined);
  return Object.keys(tool.input.shape)
    .map(name => `\`${name}\`${required.has(name) ? '' : '?'}`)
    .join(', ');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

import { MAX_NAME_LENGTH } from './messageLimits';

/**
 * What requests of MCP must carry, checked before the library sees them: it answers a wrong shape with a fault of its own (-32603) and several lines of JSON.
 * After the schema of the protocol; whatever else a request carries is left to the library.
 */
type Kind = 'string' | 'object' | 'text map';

interface Shape {
  /** Path of a parameter, with dots, to what it must be. A `?` at the end makes it optional, with all below it. */
  readonly [path: string]: Kind;
}

const PAGE: Shape = { 'cursor?': 'string' };
const SHAPES: Readonly<Record<string, Shape>> = {
  initialize: {
    protocolVersion: 'string',
    capabilities: 'object',
    clientInfo: 'object',
    'clientInfo.name': 'string',
    'clientInfo.version': 'string',
  },
  'tools/list': PAGE,
  'resources/list': PAGE,
  'resources/templates/list': PAGE,
  'prompts/list': PAGE,
  'tools/call': { name: 'string', 'arguments?': 'object' },
  'resources/read': { uri: 'string' },
  'resources/subscribe': { uri: 'string' },
  'resources/unsubscribe': { uri: 'string' },
  'prompts/get': { name: 'string', 'arguments?': 'text map' },
  'completion/complete': {
    ref: 'object',
    'ref.type': 'string',
    argument: 'object',
    'argument.name': 'string',
    'argument.value': 'string',
    'context?': 'object',
    'context.arguments?': 'text map',
  },
};
const REFERENCES: Readonly<Record<string, string>> = { 'ref/prompt': 'name', 'ref/resource': 'uri' };

/** What is wrong with the parameters of a request, in one sentence; `undefined` when they are as the protocol says. */
export function shapeFault(method: string, params: unknown): string | undefined {
  const shape = SHAPES[method];
  if (shape === undefined) return undefined;
  if (params !== undefined && !isObject(params)) return `Invalid parameters of ${method}: params must be an object.`;
  for (const [path, kind] of Object.entries(shape)) {
    const names = path.replace('?', '').split('.');
    const value = valueAt(params, names);
    const isMissing = value === undefined && (path.endsWith('?') || (names.length > 1 && valueAt(params, names.slice(0, -1)) === undefined));
    if (isMissing) continue;
    if (!is(value, kind)) return `Invalid parameters of ${method}: ${names.join('.')} must be ${WORDS[kind]}.`;
    if (kind !== 'object' && isTooLong(value))
      return `Invalid parameters of ${method}: ${names.join('.')} must not be longer than ${MAX_NAME_LENGTH} characters.`;
  }
  return method === 'completion/complete' ? referenceFault(Object(valueAt(params, ['ref'])) as Record<string, unknown>) : undefined;
}

function referenceFault(ref: Readonly<Record<string, unknown>>): string | undefined {
  const name = REFERENCES[String(ref['type'])];
  if (name === undefined) return `Invalid parameters of completion/complete: ref.type must be ${Object.keys(REFERENCES).join(' or ')}.`;
  const value = ref[name];
  if (typeof value !== 'string') return `Invalid parameters of completion/complete: ref.${name} must be a string.`;
  return isTooLong(value) ? `Invalid parameters of completion/complete: ref.${name} must not be longer than ${MAX_NAME_LENGTH} characters.` : undefined;
}

/** Of a text, or of any in a map of texts. */
function isTooLong(value: unknown): boolean {
  const texts = typeof value === 'string' ? [value] : Object.values(Object(value) as Readonly<Record<string, string>>);
  return texts.some(text => text.length > MAX_NAME_LENGTH);
}

const WORDS: Readonly<Record<Kind, string>> = { string: 'a string', object: 'an object', 'text map': 'an object of strings' };

function is(value: unknown, kind: Kind): boolean {
  if (kind === 'string') return typeof value === 'string';
  return isObject(value) && (kind === 'object' || Object.values(value).every(each => typeof each === 'string'));
}

function valueAt(params: unknown, names: readonly string[]): unknown {
  let value = params;
  for (const name of names) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { basename, type WorkspacePath } from '../../base/path';
import type { ContractFact, OperationFact, SchemaFact, SchemaField } from '../serviceFile';
import { lineAt } from './data';

/** Most declarations of one file that are kept. */
const MAX_DECLARATIONS = 5000;

/** Protocol Buffers: services with their procedures, messages with their fields. Reads declarations, not the whole grammar. */
export function readProto(path: WorkspacePath, source: string): ContractFact {
  const text = withoutComments(source);
  const pack = /^\s*package\s+(?<name>[\w.]+)\s*;/m.exec(text)?.groups?.['name'] ?? '';
  const operations: OperationFact[] = [];
  const schemas: SchemaFact[] = [];
  for (const block of blocksOf(text, /\b(?<keyword>service|message)\s+(?<name>\w+)\s*\{/g)) {
    if (schemas.length + operations.length > MAX_DECLARATIONS) break;
    const line = lineAt(text, block.start);
    if (block.keyword === 'service') operations.push(...proceduresOf(text, pack, block));
    else schemas.push({ name: block.name, line, description: '', fields: messageFields(block.body) });
  }
  const byName = new Map(schemas.map(schema => [schema.name, schema.fields]));
  return {
    id: path,
    type: 'proto',
    format: /^\s*syntax\s*=\s*"(?<version>[^"]+)"/m.exec(text)?.groups?.['version'] ?? 'proto2',
    title: pack || basename(path),
    version: /(?:^|\.)(?<version>v\d+\w*)$/.exec(pack)?.groups?.['version'] ?? '',
    service: '',
    deprecated: /(?:^|\/)deprecated\//.test(path),
    basePaths: [],
    operations: operations.map(operation => ({
      ...operation,
      request: byName.get(operation.refs[0] ?? '') ?? [],
      response: byName.get(operation.refs[1] ?? '') ?? [],
    })),
    channels: [],
    schemas,
  };
}

interface Block {
  readonly keyword: string;
  readonly name: string;
  readonly start: number;
  readonly bodyStart: number;
  readonly body: string;
}

function* blocksOf(text: string, head: RegExp): Generator<Block> {
  for (let match = head.exec(text); match !== null; match = head.exec(text)) {
    const bodyStart = match.index + match[0].length;
    const end = closing(text, bodyStart);
    yield {
      keyword: match.groups?.['keyword'] ?? '',
      name: match.groups?.['name'] ?? '',
      start: match.index,
      bodyStart,
      body: text.slice(bodyStart, end),
    };
  }
}

/** Offset of the brace that closes what was opened before `from`. */
function closing(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 123) depth++;
    else if (code === 125 && --depth === 0) return at;
  }
  return text.length;
}

const PROCEDURE = /\brpc\s+(?<name>\w+)\s*\(\s*(?:stream\s+)?(?<request>[\w.]+)\s*\)\s*returns\s*\(\s*(?:stream\s+)?(?<response>[\w.]+)\s*\)/g;

function proceduresOf(text: string, pack: string, { body, bodyStart, name }: Block): OperationFact[] {
  const full = pack === '' ? name : `${pack}.${name}`;
  return [...body.matchAll(PROCEDURE)].flatMap((match): OperationFact[] => {
    const { groups } = match;
    if (groups === undefined) return [];
    const refs = [groups['request'] ?? '', groups['response'] ?? ''].map(type => type.split('.').pop() ?? '');
    const line = lineAt(text, bodyStart + match.index);
    const path = `/${full}/${groups['name']}`;
    const bindings = bindingsOf(body, match.index + match[0].length);
    const operation = { method: 'GRPC', path, operationId: groups['name'] ?? '', summary: '', line, request: [], response: [], refs, security: [] };
    return [bindings.length === 0 ? operation : { ...operation, bindings }];
  });
}

const BINDING = /\b(?<method>get|put|post|delete|patch)\s*:\s*"(?<path>\/[^"]*)"/g;

/** What `option (google.api.http)` of a procedure says, whose head ends at `from`, with additional bindings. */
function bindingsOf(body: string, from: number): NonNullable<OperationFact['bindings']> {
  const opening = /^\s*\{/.exec(body.slice(from));
  if (opening === null) return [];
  const start = from + opening[0].length;
  const options = body.slice(start, closing(body, start));
  if (!/\(\s*google\.api\.http\s*\)/.test(options)) return [];
  return [...options.matchAll(BINDING)].map(({ groups }) => ({
    method: (groups?.['method'] ?? '').toUpperCase(),
    // `{name=shelves/*}` takes what fits the pattern.
    path: (groups?.['path'] ?? '').replace(/\{([\w.]+)=[^}]*\}/g, '{$1}'),
  }));
}

const FIELD = /(?:^|[;{}\n])\s*(?:(?<label>optional|required|repeated)\s+)?(?<type>map\s*<[^>]+>|[\w.]+)\s+(?<name>\w+)\s*=\s*\d+/g;
const NO_TYPES: ReadonlySet<string> = new Set(['option', 'reserved', 'package', 'import', 'syntax', 'extensions', 'return']);

function messageFields(body: string): readonly SchemaField[] {
  return [...body.matchAll(FIELD)].slice(0, 100).flatMap((match): SchemaField[] => {
    const { label = '', type = '', name = '' } = match.groups ?? {};
    if (NO_TYPES.has(type) || name === '') return [];
    const ref = /^[A-Z]|\./.test(type) ? (type.split('.').pop() ?? '') : '';
    return [{ name, type: label === 'repeated' ? `${type}[]` : type, required: label === 'required', ref }];
  });
}

/** The text with comments as spaces, so that places stay. */
export function withoutComments(text: string): string {
  return text.replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, part => (part.startsWith('"') ? part : part.replace(/[^\n]/g, ' ')));
}

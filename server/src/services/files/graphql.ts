import { graphQlOperations } from '../../base/graphQlText';
import type { WorkspacePath } from '../../base/path';
import type { ContractFact, OperationFact, ProxyRoute, SchemaFact, SchemaField, ServiceFile } from '../serviceFile';
import { lineAt } from './data';

const BUILT_IN: ReadonlySet<string> = new Set(['Int', 'Float', 'String', 'Boolean', 'ID']);
const TYPE = /\b(?:extend\s+)?(?<keyword>type|input|interface)\s+(?<name>\w+)[^{}]*\{/g;
const FIELD = /^[ \t]*(?<name>\w+)\s*(?:\((?<arguments>[^)]*)\))?\s*:\s*(?<type>[\w[\]!]+)/gm;

/** `@deprecated(reason: …)`, whose parentheses would end those of the arguments that it stands in. */
const DIRECTIVE = /@\w+(?:\s*\([^()]*\))?/g;

/** A GraphQL schema: fields of its root types as operations, types as schemas. Undefined for documents of queries. */
export function readGraphQl(path: WorkspacePath, source: string): ContractFact | undefined {
  const text = withoutNotes(source);
  const roots = rootTypes(text);
  const operations: OperationFact[] = [];
  const schemas: SchemaFact[] = [];
  for (const match of text.matchAll(TYPE)) {
    const { name = '' } = match.groups ?? {};
    const bodyStart = match.index + match[0].length;
    const close = text.indexOf('}', bodyStart);
    const body = text.slice(bodyStart, close < 0 ? text.length : close);
    const root = roots.get(name);
    if (root === undefined) schemas.push({ name, line: lineAt(text, match.index), description: '', fields: fieldsIn(body) });
    else operations.push(...operationsOf(text, { root, body, bodyStart }));
  }
  if (schemas.length === 0 && operations.length === 0) return undefined;
  return { id: path, type: 'graphql', format: '', title: '', version: '', service: '', deprecated: false, basePaths: [], operations, channels: [], schemas };
}

/** Services that a gateway puts together, of a schema that is made of theirs (Apollo Federation): `@join__graph(name: "orders", url: "http://orders/graphql")`. */
export function readFederation(source: string): readonly ProxyRoute[] {
  return [...source.matchAll(/@join__graph\((?<arguments>[^)]*)\)/g)].flatMap(({ groups, index }): ProxyRoute[] => {
    const { arguments: given = '' } = groups ?? {};
    const target = /\burl\s*:\s*"(?<url>[^"]+)"/.exec(given)?.groups?.['url'];
    // All that the other one answers, whatever path it has for GraphQL.
    return target === undefined ? [] : [{ line: lineAt(source, index), path: '', target, rewritten: '', kind: 'graphql' }];
  });
}

/** Root fields that the operations of a document ask for. */
export function readDocument(source: string): NonNullable<ServiceFile['documents']> {
  return graphQlOperations(source).flatMap(({ fields, root, start }) =>
    fields.map(field => ({ method: root.toUpperCase(), field, line: lineAt(source, start) })),
  );
}

function rootTypes(text: string): ReadonlyMap<string, string> {
  const named = /\bschema\b[^{]*\{(?<body>[^}]*)\}/.exec(text)?.groups?.['body'] ?? '';
  const own = [...named.matchAll(/(?<root>query|mutation|subscription)\s*:\s*(?<name>\w+)/g)].map(
    match => [match.groups?.['name'] ?? '', (match.groups?.['root'] ?? '').toUpperCase()] as const,
  );
  return new Map(own.length > 0 ? own : [['Query', 'QUERY'] as const, ['Mutation', 'MUTATION'] as const, ['Subscription', 'SUBSCRIPTION'] as const]);
}

function operationsOf(text: string, { body, bodyStart, root }: { readonly root: string; readonly body: string; readonly bodyStart: number }): OperationFact[] {
  return [...body.matchAll(FIELD)].map((match): OperationFact => {
    const { arguments: given = '', name = '', type = '' } = match.groups ?? {};
    const ref = type.replace(/[[\]!]/g, '');
    return {
      method: root,
      path: `/${name}`,
      operationId: name,
      summary: '',
      line: lineAt(text, bodyStart + match.index + match[0].search(/\S/)),
      request: fieldsIn(given.replaceAll(',', '\n')),
      response: [],
      refs: BUILT_IN.has(ref) ? [] : [ref],
      security: [],
    };
  });
}

function fieldsIn(body: string): readonly SchemaField[] {
  return [...body.matchAll(FIELD)].map(match => {
    const { name = '', type = '' } = match.groups ?? {};
    const bare = type.replace(/[[\]!]/g, '');
    return { name, type: type.startsWith('[') ? `${bare}[]` : bare, required: type.endsWith('!'), ref: BUILT_IN.has(bare) ? '' : bare };
  });
}

/** Comments, descriptions and directives as spaces. */
function withoutNotes(text: string): string {
  const blank = (part: string): string => part.replace(/[^\n]/g, ' ');
  return text.replace(/"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|#[^\n]*/g, blank).replace(DIRECTIVE, blank);
}

import type { WorkspacePath } from '../../base/path';
import type { ContractFact, OperationFact, SchemaField } from '../serviceFile';
import { type Data, isRecord, KeyLines, listIn, recordIn, textIn } from './data';
import type { References } from './references';
import { fieldsOf, refsOf, schemaFacts } from './schemaFacts';

const METHODS = ['get', 'post', 'put', 'delete', 'patch', 'options', 'head', 'trace'] as const;

/** OpenAPI 2 and 3. */
export function readOpenApi(path: WorkspacePath, root: Data, text: string, references: References): ContractFact {
  const lines = new KeyLines(text);
  const { resolve } = references;
  const operations: OperationFact[] = [];
  const global = securityOf(root['security']);
  for (const [route, given] of Object.entries(recordIn(root, 'paths'))) {
    const line = lines.next(route);
    const item = pathItem(given, resolve);
    if (!route.startsWith('/') || item === undefined) continue;
    for (const method of METHODS) {
      const operation = item[method];
      if (isRecord(operation)) operations.push(operationOf(route, method, operation, line, { resolve, global }));
    }
  }
  const components = recordIn(root, 'components');
  const schemas = root['swagger'] === undefined ? recordIn(components, 'schemas') : recordIn(root, 'definitions');
  return {
    ...headOf(path, root),
    type: 'openapi',
    format: textIn(root, 'openapi') || textIn(root, 'swagger'),
    basePaths: basePathsOf(root),
    operations,
    channels: [],
    schemas: schemaFacts(schemas, new KeyLines(text), resolve),
  };
}

function pathItem(given: unknown, resolve: References['resolve']): Data | undefined {
  if (!isRecord(given)) return undefined;
  const ref = given['$ref'];
  if (typeof ref !== 'string') return given;
  const found = resolve(ref);
  return isRecord(found) ? { ...found, ...given } : given;
}

interface Around {
  readonly resolve: References['resolve'];
  readonly global: readonly string[];
}

function operationOf(path: string, method: string, given: Data, line: number, { resolve, global }: Around): OperationFact {
  const body = requestSchema(given, resolve);
  const answer = responseSchema(given, resolve);
  return {
    method: method.toUpperCase(),
    path,
    operationId: textIn(given, 'operationId'),
    summary: textIn(given, 'summary') || firstSentence(textIn(given, 'description')),
    line,
    request: body === undefined ? parameterFields(given, resolve) : fieldsOf(body, resolve),
    response: fieldsOf(answer, resolve),
    refs: [...new Set([...refsOf(body), ...refsOf(answer)])],
    security: given['security'] === undefined ? global : securityOf(given['security']),
  };
}

function requestSchema(operation: Data, resolve: References['resolve']): unknown {
  const body = followed(operation['requestBody'], resolve);
  const ofBody = isRecord(body) ? mediaSchema(body['content']) : undefined;
  if (ofBody !== undefined) return ofBody;
  const parameter = listIn(operation, 'parameters')
    .map(one => followed(one, resolve))
    .find(one => textIn(one, 'in') === 'body');
  return isRecord(parameter) ? parameter['schema'] : undefined;
}

function parameterFields(operation: Data, resolve: References['resolve']): SchemaField[] {
  return listIn(operation, 'parameters').flatMap((one): SchemaField[] => {
    const parameter = followed(one, resolve);
    const name = textIn(parameter, 'name');
    if (!isRecord(parameter) || name === '' || textIn(parameter, 'in') === 'header') return [];
    const type = textIn(parameter['schema'], 'type') || textIn(parameter, 'type') || 'string';
    return [{ name, type, required: parameter['required'] === true, ref: '' }];
  });
}

function responseSchema(operation: Data, resolve: References['resolve']): unknown {
  const responses = recordIn(operation, 'responses');
  const good = Object.keys(responses).find(status => /^2(?:\d\d|XX)$/i.test(status)) ?? 'default';
  const response = followed(responses[good], resolve);
  if (!isRecord(response)) return undefined;
  return response['schema'] ?? mediaSchema(response['content']);
}

function mediaSchema(content: unknown): unknown {
  const media = isRecord(content) ? Object.values(content)[0] : undefined;
  return isRecord(media) ? media['schema'] : undefined;
}

function followed(value: unknown, resolve: References['resolve']): unknown {
  const ref = isRecord(value) ? value['$ref'] : undefined;
  return typeof ref === 'string' ? resolve(ref) : value;
}

function securityOf(value: unknown): string[] {
  return [...new Set((Array.isArray(value) ? value : []).flatMap(one => (isRecord(one) ? Object.keys(one) : [])))];
}

function basePathsOf(root: Data): string[] {
  const own = textIn(root, 'basePath');
  const servers = listIn(root, 'servers').map(server => pathOfUrl(withDefaults(textIn(server, 'url'), recordIn(server, 'variables'))));
  return [...new Set([own, ...servers].map(path => path.replace(/\/+$/, '')).filter(path => path.startsWith('/')))];
}

function withDefaults(url: string, variables: Data): string {
  return url.replace(/\{(?<name>[^}]+)\}/g, (whole, name: string) => textIn(variables[name], 'default') || whole);
}

/** Path of an absolute or relative address. */
export function pathOfUrl(url: string): string {
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/[?#].*$/, '');
}

export function firstSentence(text: string): string {
  return (/^.*?[.!?](?=\s|$)/s.exec(text.trim())?.[0] ?? text.trim().split('\n')[0] ?? '').slice(0, 200);
}

/** What every contract of a document says of itself. */
export function headOf(path: WorkspacePath, root: Data): Pick<ContractFact, 'id' | 'title' | 'version' | 'service' | 'deprecated'> {
  const info = recordIn(root, 'info');
  return {
    id: textIn(root, 'x-contract-id') || textIn(info, 'x-contract-id') || path,
    title: textIn(info, 'title'),
    version: textIn(info, 'version'),
    service: textIn(root, 'x-service') || textIn(info, 'x-service'),
    deprecated: [textIn(root, 'x-status'), textIn(info, 'x-status')].includes('deprecated') || /(?:^|\/)deprecated\//.test(path),
  };
}

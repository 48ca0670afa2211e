import type { SchemaFact, SchemaField } from '../serviceFile';
import { type Data, isRecord, type KeyLines, recordIn, textIn, textsOf } from './data';

/** Finds what a `$ref` leads to; undefined where that is in no file that was read. */
export type Resolve = (ref: string) => unknown;

/** Steps along `$ref`, `allOf` and `items` for one schema: cycles end here. */
const MAX_STEPS = 8;
const MAX_FIELDS = 100;

/** Name of the schema behind a reference: `#/components/schemas/Order` and `schemas/Order.yaml` are `Order`. */
export function refName(ref: unknown): string {
  if (typeof ref !== 'string') return '';
  const last =
    ref
      .replace(/[#/]+$/, '')
      .split(/[#/]/)
      .pop() ?? '';
  return last
    .replace(/\.(?:schema\.)?(?:json|ya?ml|avsc)$/i, '')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}

/** Fields of a schema, references followed one by one; of an array those of its items. */
export function fieldsOf(schema: unknown, resolve: Resolve, steps = MAX_STEPS): readonly SchemaField[] {
  if (!isRecord(schema) || steps === 0) return [];
  const ref = schema['$ref'];
  if (typeof ref === 'string') return fieldsOf(resolve(ref), resolve, steps - 1);
  const required = new Set(textsOf(schema['required']));
  const own = Object.entries(recordIn(schema, 'properties')).map(
    ([name, value]): SchemaField => ({ name, type: typeOf(value), required: required.has(name), ref: directRef(value) }),
  );
  const parts = ['allOf', 'oneOf', 'anyOf'].flatMap(key => (Array.isArray(schema[key]) ? (schema[key] as unknown[]) : []));
  const inherited = parts.flatMap(part => fieldsOf(part, resolve, steps - 1));
  const items = own.length + inherited.length === 0 ? fieldsOf(schema['items'], resolve, steps - 1) : [];
  const byName = new Map([...inherited, ...own, ...items].map(field => [field.name, field]));
  return [...byName.values()].slice(0, MAX_FIELDS);
}

function directRef(value: unknown): string {
  if (!isRecord(value)) return '';
  return refName(value['$ref']) || refName(isRecord(value['items']) ? value['items']['$ref'] : undefined);
}

/** Type in words: `string`, `integer`, `Order`, `Order[]`. */
export function typeOf(value: unknown): string {
  if (!isRecord(value)) return 'any';
  const name = refName(value['$ref']);
  if (name !== '') return name;
  const type = value['type'];
  if (type === 'array' || value['items'] !== undefined) return `${typeOf(value['items'])}[]`;
  if (Array.isArray(type)) return type.map(String).join(' | ');
  return textIn(value, 'type') || (value['properties'] === undefined ? 'any' : 'object');
}

/** Names of the schemas a schema names itself: not those of these in turn. */
export function refsOf(schema: unknown, depth = 4): string[] {
  if (!isRecord(schema) || depth === 0) return [];
  const own = refName(schema['$ref']);
  if (own !== '') return [own];
  const parts = ['allOf', 'oneOf', 'anyOf'].flatMap(key => (Array.isArray(schema[key]) ? (schema[key] as unknown[]) : []));
  return [schema['items'], ...parts, ...Object.values(recordIn(schema, 'properties'))].flatMap(part => refsOf(part, depth - 1));
}

/** Object schemas by name, in the order in which they stand. */
export function schemaFacts(schemas: Data, lines: KeyLines, resolve: Resolve): readonly SchemaFact[] {
  return Object.entries(schemas).flatMap(([name, schema]): SchemaFact[] => {
    const line = lines.next(name);
    if (!isRecord(schema)) return [];
    const fields = fieldsOf(schema, resolve);
    const isObject = fields.length > 0 || schema['type'] === 'object';
    return isObject && textIn(schema, 'type') !== 'array' ? [{ name, line, description: textIn(schema, 'description'), fields }] : [];
  });
}

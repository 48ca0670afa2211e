/** How ids and relations read in the editor. */
import { joinedNames, namesIn } from '../../server/protocol/qualifiedNames';

/** Last segment of an id: the member of `src/a.ts::Cart::add`, the base name of a file. */
export function nameOf(id: string): string {
  return namesIn(id).at(-1) ?? id.slice(id.lastIndexOf('/') + 1);
}

/** What encloses a symbol inside its file (`Cart` of `src/a.ts::Cart::add`), or `''`. */
export function containerOf(id: string): string {
  return joinedNames(namesIn(id).slice(0, -1));
}

/** A symbol with what encloses it: `Cart.add`; an endpoint as it is called: `GET /orders/{id} of orders`. */
export function qualifiedName(id: string): string {
  const [prefix, service, method, ...path] = id.split('::');
  if (prefix === 'endpoint' && path.length > 0) return `${method} ${path.join('::')}${service === '' ? '' : ` of ${service}`}`;
  const names = namesIn(id);
  return names.length === 0 ? nameOf(id) : joinedNames(names);
}

/** The base name of each path, with as many folders as tell it from the others: `cookie/index.ts` beside `route/index.ts`. */
export function shortPaths(paths: readonly string[]): ReadonlyMap<string, string> {
  const ending = (path: string, length: number): string => path.split('/').slice(-length).join('/');
  const shorts = new Map<string, string>();
  for (let length = 1, open = [...new Set(paths)]; open.length > 0; length++) {
    const counts = new Map<string, number>();
    for (const path of open) counts.set(ending(path, length), (counts.get(ending(path, length)) ?? 0) + 1);
    for (const path of open) shorts.set(path, ending(path, length));
    open = open.filter(path => (counts.get(ending(path, length)) ?? 0) > 1 && path.split('/').length > length);
  }
  return shorts;
}

/** What a dependent does to the node it depends on: `calls`, `imports`; for a reverse name `calls it`. */
export function verbOf(relation: string): string {
  return VERBS[relation] ?? relation.toLowerCase().replaceAll('_', ' ');
}

/** Relations and reverse names that alone do not say what the dependent does. */
const VERBS: Readonly<Record<string, string>> = {
  called_by: 'calls it',
  inherited_by: 'extends it',
  implemented_by: 'implements it',
  overridden_by: 'overrides it',
  imported_by: 'imports it',
  used_as_type_by: 'uses it as a type',
  instantiated_by: 'creates it',
  decorated_by: 'decorates it',
  raised_by: 'raises it',
  caught_by: 'catches it',
  assigned_by: 'assigns it',
  read_by: 'reads it',
  constant_used_by: 'uses it',
  default_used_by: 'has it as default',
  global_used_by: 'uses it',
  type_asserted_by: 'asserts it',
  context_manager_used_by: 'enters it',
  tested_by: 'tests it',
  named_by: 'imports or exports it',
  re_exported_by: 're-exports it',
  INHERITS: 'extends',
  USES_TYPE: 'uses the type',
  INSTANTIATES: 'creates',
  DECORATES: 'is decorated by',
  ASSIGNS_TO: 'assigns',
  READS_FROM: 'reads',
  USES_CONSTANT: 'uses',
  USES_DEFAULT: 'has as default',
  USES_GLOBAL: 'uses',
  ASSERTS_TYPE: 'asserts',
  USES_CONTEXT_MANAGER: 'enters',
  NAMES: 'imports or exports',
  RE_EXPORTS: 're-exports',
  IMPORTS_TYPES: 'imports types of',
};

import type { WorkspacePath } from '../../base/path';
import type { StableId } from '../../model/ids';
import type { CodeReader } from '../codeReader';
import type { Contract, Entity, Service, ServiceModel } from '../model';
import type { SchemaField, ServiceFile } from '../serviceFile';
import type { Place } from '../surface';

export interface EntitySources {
  readonly files: readonly ServiceFile[];
  readonly contracts: readonly Contract[];
  readonly services: readonly Service[];
  readonly serviceOf: (path: WorkspacePath) => string;
  readonly code: CodeReader;
}

/** Schemas that only wrap others. */
const ENVELOPE = /(?:Request|Response|Error|Errors|List|Reply|Input|Payload|Params|Result|Page)$/;
const SUFFIX = /(?:service|model|schema|entity|repository|controller|handler)$/;

interface Draft {
  name: string;
  description: string;
  owner: string;
  fields: readonly SchemaField[];
  readonly declaring: Set<string>;
  readonly referring: Set<string>;
  place: Place | undefined;
}

/** Entities of the domain model and of contracts, with the types that implement them and the services that own and use them. */
export function matchEntities({ code, contracts, files, serviceOf }: EntitySources): Pick<ServiceModel, 'entities' | 'relationships'> {
  const drafts = new Map<string, Draft>();
  const draftOf = (name: string): Draft => {
    let draft = drafts.get(name);
    if (draft === undefined)
      drafts.set(name, (draft = { name, description: '', owner: '', fields: [], declaring: new Set(), referring: new Set(), place: undefined }));
    return draft;
  };
  for (const { domain, path } of files) {
    for (const { description, fields, line, name, owner } of domain?.entities ?? []) {
      Object.assign(draftOf(name), { description, owner, fields, place: { file: path, line } });
    }
  }
  for (const { fact, file, service } of contracts) {
    for (const schema of fact?.schemas ?? []) {
      if (ENVELOPE.test(schema.name) || schema.fields.length === 0) continue;
      const draft = draftOf(schema.name);
      if (service !== '') draft.declaring.add(service);
      if (draft.fields.length === 0) draft.fields = schema.fields;
      if (draft.description === '') draft.description = schema.description;
      draft.place ??= { file, line: schema.line };
    }
  }
  for (const { fact, service } of contracts) {
    const refs = [...(fact?.operations ?? []), ...(fact?.channels ?? [])].flatMap(({ refs: names }) => names);
    if (service !== '') for (const name of refs) drafts.get(name)?.referring.add(service);
  }
  const implementing = implementations(code, drafts.keys());
  const entities = [...drafts.values()].map((draft): Entity => {
    const symbols = implementing.get(bareName(draft.name)) ?? [];
    const owner = ownerOf(draft, symbols, serviceOf);
    const users = symbols.flatMap(({ id, path }) => [serviceOf(path), ...code.usersOf(id).map(serviceOf)]);
    const referencedBy = [...new Set([...draft.declaring, ...draft.referring, ...users])].filter(name => name !== '' && name !== owner).sort();
    const { description, fields, name, place } = draft;
    return { name, description, owner, fields, referencedBy, implementations: symbols.map(({ id }) => id), place };
  });
  return { entities: entities.sort((a, b) => (a.name < b.name ? -1 : 1)), relationships: relationshipsOf(files, drafts) };
}

/** Both names in lower case without one suffix: `Order`, `OrderModel` and `OrderService` are `order`. */
export function bareName(name: string): string {
  const lower = name.toLowerCase();
  const bare = lower.replace(SUFFIX, '');
  return bare === '' ? lower : bare;
}

function implementations(code: CodeReader, names: Iterable<string>): ReadonlyMap<string, { readonly id: StableId; readonly path: WorkspacePath }[]> {
  const found = new Map([...names].map(name => [bareName(name), [] as { readonly id: StableId; readonly path: WorkspacePath }[]]));
  if (found.size > 0) for (const { id, name, path } of code.types()) found.get(bareName(name))?.push({ id, path });
  return found;
}

/** The domain model, else the only service that declares it, else the one with most types of it, else the first by name. */
function ownerOf({ declaring, owner }: Draft, symbols: readonly { readonly path: WorkspacePath }[], serviceOf: (path: WorkspacePath) => string): string {
  if (owner !== '') return owner;
  const [only] = declaring;
  if (declaring.size === 1) return only ?? '';
  const counts = new Map([...declaring].map(name => [name, 0]));
  for (const { path } of symbols) {
    const name = serviceOf(path);
    if (name !== '' && (declaring.size === 0 || counts.has(name))) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? '';
}

const TYPES: ReadonlySet<string> = new Set(['has_one', 'has_many', 'belongs_to', 'many_to_many', 'references', 'contains']);

/** Those of the domain model, and fields of one entity whose type is another. */
function relationshipsOf(files: readonly ServiceFile[], drafts: ReadonlyMap<string, Draft>): ServiceModel['relationships'] {
  const declared = files.flatMap(({ domain }) => domain?.relationships ?? []).filter(({ source, target }) => drafts.has(source) && drafts.has(target));
  const known = new Set(declared.map(({ source, target }) => `${source} ${target}`));
  const derived = [...drafts.values()].flatMap(({ fields, name }) =>
    fields.flatMap(({ ref, type }) => {
      if (ref === name || !drafts.has(ref) || known.has(`${name} ${ref}`)) return [];
      known.add(`${name} ${ref}`);
      const isMany = type.endsWith('[]');
      return [{ source: name, target: ref, type: isMany ? 'has_many' : 'has_one', cardinality: isMany ? '1:N' : '1:1' }];
    }),
  );
  return [...declared.map(one => ({ ...one, type: TYPES.has(one.type) ? one.type : 'references' })), ...derived];
}

/** Makes the model of the services from what files and code say. Pure: the same sources give the same model. */
import { Cancelled, neverCancelled } from '../base/cancellation';
import { dirname, type WorkspacePath } from '../base/path';
import { runSteps } from '../base/steps';
import type { GraphView } from '../code/graph/graphView';
import { SERVICE_CONFIDENCE } from '../model/evidence';
import { CodeSurfaces, type SurfaceSources } from './code/codeSurface';
import type { CodeReader } from './codeReader';
import { discover } from './discovery/discover';
import { withEnvironmentFiles } from './discovery/environmentFiles';
import { Folders, type WorkspaceFile } from './discovery/folders';
import { withHostedUnits } from './discovery/hostedUnits';
import { storeOfAddress } from './discovery/infrastructure';
import { withLibraries } from './discovery/libraries';
import { Modules } from './discovery/modules';
import { withInterfaces } from './givenInterfaces';
import { Addresses } from './matching/addresses';
import { matchCalls, needsMentions } from './matching/calls';
import { matchContracts } from './matching/contracts';
import { matchEndpoints } from './matching/endpoints';
import { matchEntities } from './matching/entities';
import { matchEvents } from './matching/events';
import { importsBetween } from './matching/imports';
import { keyOf, Procedures } from './matching/procedures';
import { usersIn } from './matching/users';
import type { Service, ServiceModel } from './model';
import type { FileProblem, ServiceFile } from './serviceFile';
import { type CodeSurface, joinSurfaces, withQueueBindings } from './surface';

type Digests = readonly (readonly [path: WorkspacePath, digest: string])[];

/** All that the model of the services is made from; plain data, so that equal sources give an equal model. */
export interface ModelSources {
  readonly workspaceName: string;
  /** By path. */
  readonly files: readonly ServiceFile[];
  readonly workspaceFiles: readonly (WorkspaceFile & { readonly language: string })[];
  readonly graph: GraphView;
  /** What facts say of calls and texts, by path (`FileFacts.digest`). Asked for when the code is read. */
  readonly digests: () => Promise<Digests>;
  /** Texts of configuration that code refers to. */
  readonly configurations: SurfaceSources['configurations'];
  /** What the code offers and uses, where that is known from before. */
  readonly surface?: CodeSurface | undefined;
  /** What was read of the code in other states; what stands in for files for a while is not kept there. */
  readonly surfaces?: { readonly of: CodeSurfaces; readonly isKept: boolean };
  /** Told of what was read of the code. */
  readonly onSurface?: (surface: CodeSurface) => void;
  readonly code: CodeReader;
  /** How AsyncAPI 2 is read: `service` takes `publish` as what this service publishes, `specification` as the reverse. */
  readonly asyncapi2: 'service' | 'specification';
  /** Interfaces that others found, by name of a service. */
  readonly interfaces?: unknown;
}

/** What is kept of the code of one workspace from one model to the next. */
export function keptSurfaces(): CodeSurfaces {
  return new CodeSurfaces();
}

/** `pause` is called between steps, so that others can run. */
export async function buildModel(sources: ModelSources, pause: () => Promise<void> | undefined): Promise<ServiceModel> {
  const { code, digests, workspaceFiles, workspaceName } = sources;
  const { problem, surface } = sources.surface === undefined ? await readCode(sources, pause) : { problem: [], surface: sources.surface };
  await pause();
  const read = withEnvironmentFiles(sources.files.filter(({ path }) => !TEST_DATA.test(path)).sort((a, b) => (a.path < b.path ? -1 : 1)));
  const folders = new Folders(workspaceFiles);
  const ownCode = withQueueBindings(productive(surface, workspaceFiles));
  const files = withLibraries(withHostedUnits(read, ownCode.hosted), folders);
  const shown = described(ownCode, files);
  const modules = new Modules(files);
  await pause();
  const {
    problems,
    services: found,
    stores,
  } = discover({ files, folders, surface: shown, workspaceName, languageIn: languagesIn(workspaceFiles), programs: programsIn(sources.graph), modules });
  const services = found.filter(service => service.paths.some(path => folders.has(path) || folders.hasFile(path)));
  const own = withInterfaces(withDocuments(shown, files), services, sources.interfaces);
  const serviceOf = ownership(services, modules);
  const addresses = new Addresses(services, stores, files);
  await pause();
  const procedures = new Procedures({ services, serviceOf, surface: own, code });
  const contracts = matchContracts({ files, services, serviceOf, surface: own, procedures });
  const offered = matchEndpoints({ contracts, services, serviceOf, surface: own, procedures, code, files, handed: addresses.handed });
  await pause();
  const usersOf = usersIn(code, serviceOf);
  const events = matchEvents({ contracts: offered.contracts, serviceOf, usersOf, addresses, surface: own, services, asyncapi2: sources.asyncapi2 });
  await pause();
  const domain = matchEntities({ files, contracts: offered.contracts, services, serviceOf, code });
  await pause();
  // One service imports nothing from another.
  const imports = services.length < 2 ? [] : await runSteps(importsBetween(code.imports(), { services, serviceOf, folders }), pause, neverCancelled);
  const { calls, requests, unanswered } = matchCalls({
    files,
    services,
    serviceOf,
    surface: own,
    imports,
    addresses,
    endpoints: offered.endpoints,
    procedures,
    code,
    usersOf,
    mentions: mentionsIn(needsMentions(services, addresses) ? await digests() : [], serviceOf),
  });
  return {
    projectName: files.map(file => file.map?.projectName ?? '').find(name => name !== '') ?? workspaceName,
    services,
    stores,
    storeUses: storeUses(services, { files, serviceOf, surface: own, stores, addresses }),
    contracts: offered.contracts,
    endpoints: offered.endpoints,
    events,
    entities: domain.entities,
    relationships: domain.relationships,
    calls,
    requests,
    unanswered,
    serviceOf,
    skipped: own.skipped,
    problems: [...problem, ...problems, ...files.flatMap(file => file.problems)],
  };
}

/** Code that cannot be read leaves what files say: the reason is a problem, never the end of the build. */
async function readCode(
  { configurations, digests, graph, onSurface, surfaces: { of: surfaces, isKept } = { of: new CodeSurfaces(), isKept: false } }: ModelSources,
  pause: () => Promise<void> | undefined,
): Promise<{ readonly surface: CodeSurface; readonly problem: readonly FileProblem[] }> {
  try {
    const surface = await runSteps(surfaces.read({ graph, configurations, digests: await digests() }, { isKept }), pause, neverCancelled);
    onSurface?.(surface);
    return { surface, problem: [] };
  } catch (error) {
    if (error instanceof Cancelled) throw error;
    const message = `The interfaces in the code could not be read: ${error instanceof Error ? error.message : String(error)}`;
    return {
      surface: joinSurfaces([]),
      problem: [{ file: '', line: 0, message }],
    };
  }
}

/** Folders of what tests read, as Go, pytest and Jest call them. Contracts and deployments there describe no system. */
const TEST_DATA = /(?:^|\/)(?:testdata|fixtures|__fixtures__|__tests__|__mocks__)\//;

/** Folders of what tests are made with. */
const TEST_CODE = /(?:^|\/)(?:test[-_]?(?:support|utils?|helpers?|harness|doubles|fixtures|data|kit)|__tests__|__mocks__)\//i;

/** What tests, examples and documentation do is no interface of the system. */
function productive(surface: CodeSurface, files: ModelSources['workspaceFiles']): CodeSurface {
  const tests = new Set(files.filter(file => file.isTest).map(file => file.path));
  const known = new Map<WorkspacePath, boolean>();
  const isOwn = ({ place: { file } }: { readonly place: { readonly file: WorkspacePath } }): boolean => {
    const isKnown = known.get(file) ?? (!tests.has(file) && !TEST_CODE.test(file) && !isHidden(file));
    known.set(file, isKnown);
    return isKnown;
  };
  return {
    routes: surface.routes.filter(isOwn),
    calls: surface.calls.filter(isOwn),
    events: surface.events.filter(isOwn),
    rpcs: surface.rpcs.filter(isOwn),
    stores: surface.stores.filter(isOwn),
    starts: surface.starts.filter(place => isOwn({ place })),
    skipped: surface.skipped.filter(isOwn),
    hosted: surface.hosted.filter(isOwn),
    bindings: surface.bindings.filter(isOwn),
  };
}

/** Clients and servers that only their spelling tells are those of services that a contract describes. */
function described(surface: CodeSurface, files: readonly ServiceFile[]): CodeSurface {
  const operations = files.flatMap(({ contract }) => (contract?.type === 'proto' ? contract.operations : []));
  // What is registered for procedures over HTTP is called after their service as well.
  const known = new Set(
    operations.flatMap(({ bindings, path }) => ['', ...(bindings === undefined ? [] : ['HTTP'])].map(end => keyOf(`${path.split('/')[1] ?? ''}${end}`))),
  );
  return { ...surface, rpcs: surface.rpcs.filter(rpc => rpc.isSpelled !== true || known.has(keyOf(rpc.service))) };
}

/** What documents of GraphQL beside the code ask for. */
function withDocuments(surface: CodeSurface, files: readonly ServiceFile[]): CodeSurface {
  const asked = files.flatMap(({ documents = [], path }) =>
    documents.map(({ field, line, method }) => ({
      method,
      url: { path: `/${field}` },
      symbol: undefined,
      framework: 'graphql',
      confidence: SERVICE_CONFIDENCE.requestWithoutHost,
      place: { file: path, line },
    })),
  );
  return asked.length === 0 ? surface : { ...surface, calls: [...surface.calls, ...asked] };
}

function isHidden(path: WorkspacePath): boolean {
  return dirname(path)
    .split('/')
    .some(segment => segment.startsWith('.') || segment === 'node_modules');
}

/** The service with the longest root around a path. */
function ownership(services: readonly Service[], modules: Modules): (path: WorkspacePath) => string {
  const roots = new Map(services.flatMap(service => service.paths.map(path => [path, service.name] as const)));
  const known = new Map<WorkspacePath, string>();
  const ofFolder = (folder: WorkspacePath): string => {
    const found = known.get(folder);
    if (found !== undefined) return found;
    const name = roots.get(folder) ?? (folder === '' ? '' : ofFolder(dirname(folder)));
    known.set(folder, name);
    return name;
  };
  const ofFile = new Map<WorkspacePath, string>();
  return path => {
    let name = ofFile.get(path);
    if (name === undefined) ofFile.set(path, (name = roots.get(path) ?? ofFolder(modules.homeOf(path))));
    return name;
  };
}

/** Texts of the code of each service, as far as the digests of its files keep them. */
function mentionsIn(digests: Digests, serviceOf: (path: WorkspacePath) => string): (service: string, key: string) => boolean {
  const texts = new Map<string, string[]>();
  for (const [path, digest] of digests) {
    const service = serviceOf(path);
    const known = texts.get(service);
    if (known === undefined) texts.set(service, [digest]);
    else known.push(digest);
  }
  return (service, key) => (texts.get(service) ?? []).some(text => text.includes(key));
}

/** Files with a function `main` outside of types, tests left out. */
function programsIn(graph: GraphView): readonly WorkspacePath[] {
  return graph.named('main').flatMap(node => {
    const { id, kind, name, path } = graph.node(node);
    return kind === 'function' && name === 'main' && id === `${path}::main` && !graph.isTest(node) ? [path] : [];
  });
}

/** The language with most lines in a folder and below, tests left out; `''` for a folder without code. */
function languagesIn(files: ModelSources['workspaceFiles']): (folder: WorkspacePath) => string {
  const counts = new Map<WorkspacePath, Map<string, number>>();
  for (const { isCode, isTest, language, lines, path } of files) {
    if (!isCode || isTest) continue;
    for (let folder = path; folder !== ''; ) {
      folder = dirname(folder);
      let known = counts.get(folder);
      if (known === undefined) counts.set(folder, (known = new Map()));
      known.set(language, (known.get(language) ?? 0) + Math.max(1, lines));
    }
  }
  return folder => [...(counts.get(folder) ?? [])].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '';
}

interface StoreSources {
  readonly files: readonly ServiceFile[];
  readonly serviceOf: (path: WorkspacePath) => string;
  readonly surface: CodeSurface;
  readonly stores: ServiceModel['stores'];
  readonly addresses: Addresses;
}

/** The only store of a product; of several the one that is called after the service. */
function storeOf(stores: StoreSources['stores'], product: string | undefined, service: string): string | undefined {
  const found = stores.filter(one => one.product === product);
  const [only, ...others] = found.length === 1 ? found : found.filter(({ name }) => name.startsWith(`${service}-`) || name === `${service}db`);
  return others.length === 0 ? only?.name : undefined;
}

/** Stores that services name in their configuration, or connect to in code. */
function storeUses(services: readonly Service[], { addresses, serviceOf, stores, surface }: StoreSources): ReadonlyMap<string, readonly string[]> {
  const uses = new Map<string, Set<string>>(services.map(service => [service.name, new Set<string>()]));
  for (const { name } of services) {
    for (const value of addresses.valuesOf(name).values()) {
      const product = storeOfAddress(value)?.product;
      const store = addresses.storeAt(value.split(',')[0] ?? '') ?? storeOf(stores, product, name);
      if (store !== undefined) uses.get(name)?.add(store);
    }
  }
  for (const use of surface.stores) {
    const service = serviceOf(use.place.file);
    const store = stores.find(one => one.name === use.name)?.name ?? storeOf(stores, use.name, service);
    if (store !== undefined) uses.get(service)?.add(store);
  }
  return new Map([...uses].map(([name, found]) => [name, [...found].sort()]));
}

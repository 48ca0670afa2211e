/** Door: from the digests of files and the graph to what the code offers and uses. */
import type { WorkspacePath } from '../../base/path';
import type { Steps } from '../../base/steps';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { languageRow } from '../../model/languages';
import { type CodeSurface, joinSurfaces } from '../surface';
import { RouteCollector } from './collector';
import { Configuration } from './configuration';
import type { LanguageTables } from './framework';
import { BINDERS, HANDLERS, READ_WITH, READERS, TABLES } from './languages/tables';
import { type FileUnit, Units } from './units';
import { readUses } from './uses';

export interface SurfaceSources {
  readonly graph: GraphView;
  /** Digests of files (`FileFacts.digest`) by path; files without one may be left out. */
  readonly digests: Iterable<readonly [path: WorkspacePath, digest: string]>;
  /** Texts of configuration: `application.yml`, `application.properties`, `web.xml`. */
  readonly configurations: ReadonlyMap<WorkspacePath, string>;
}

/** What the code of one group of languages said, and in which state of its files. */
interface Part {
  readonly states: States;
  readonly configurations: SurfaceSources['configurations'];
  readonly surface: CodeSurface;
}

/** `fileStateOf` of each file of a group, tests left out, by handle. */
type States = ReadonlyMap<NodeHandle, object>;

/** Files between two yields while groups are compared. */
const FILES_IN_STEP = 500;

/**
 * What code offers and uses, by groups of languages that name each other's code. What was read of a group is kept and read again only when a file of it
 * has another state, or when texts of configuration have changed. Files of tests are left out.
 */
export class CodeSurfaces {
  readonly #parts = new Map<string, Part>();

  /** Rows are by group, in each in order of path and line. `isKept: false`: of texts that stand in for files for a while. */
  *read({ configurations, digests, graph }: SurfaceSources, { isKept = true } = {}): Steps<CodeSurface> {
    const groups = yield* groupsOf(graph);
    const isConfigured = this.#isConfigured(configurations);
    const stale = new Map<string, Units>();
    for (const [group, states] of groups) if (!isConfigured || !isSame(this.#parts.get(group)?.states, states)) stale.set(group, new Units(graph));
    for (const [path, digest] of digests) {
      const file = graph.fileOf(path);
      const units = file === undefined ? undefined : stale.get(groupOf(graph, file) ?? '');
      units?.add(path, digest);
      if (units !== undefined) yield undefined;
    }
    const configuration = new Configuration(configurations);
    const surfaces: CodeSurface[] = [];
    const now = new Map<string, Part>();
    for (const [group, states] of groups) {
      const units = stale.get(group);
      const known = this.#parts.get(group);
      const surface = units === undefined && known !== undefined ? known.surface : yield* surfaceOf(group, units ?? new Units(graph), configuration);
      surfaces.push(surface);
      now.set(group, { states, configurations, surface });
    }
    if (isKept) this.#keep(now);
    return joinSurfaces(surfaces);
  }

  /** Takes over what was read of this code before, by another process: of `read` with the same graph and texts. */
  *adopt(surface: CodeSurface, { configurations, graph }: Omit<SurfaceSources, 'digests'>): Steps<void> {
    const groups = yield* groupsOf(graph);
    const known = new Map<WorkspacePath, string | undefined>();
    const groupAt = (path: WorkspacePath): string | undefined => {
      const file = known.has(path) ? undefined : graph.fileOf(path);
      if (file !== undefined) known.set(path, groupOf(graph, file));
      return known.get(path);
    };
    const parts = new Map<string, Part>();
    let rows = 0;
    for (const [group, states] of groups) {
      const part = partOf(surface, path => groupAt(path) === group);
      rows += sizeOf(part);
      parts.set(group, { states, configurations, surface: part });
      yield undefined;
    }
    // Of what stands in a file beside the code it is not known who read it.
    if (rows === sizeOf(surface)) this.#keep(parts);
  }

  #keep(parts: ReadonlyMap<string, Part>): void {
    this.#parts.clear();
    for (const [group, part] of parts) this.#parts.set(group, part);
  }

  #isConfigured(configurations: SurfaceSources['configurations']): boolean {
    const [part] = this.#parts.values();
    if (part === undefined || part.configurations.size !== configurations.size) return false;
    for (const [path, text] of configurations) if (part.configurations.get(path) !== text) return false;
    return true;
  }
}

/** By state of a file: the group that it is read with, `''` for none. */
const GROUPS = new WeakMap<object, string>();

/** The group that a file of code is read with; undefined for one that offers and uses nothing. */
function groupOf(graph: GraphView, file: NodeHandle): string | undefined {
  const state = graph.fileStateOf(file);
  if (state === undefined) return undefined;
  let group = GROUPS.get(state);
  if (group === undefined) GROUPS.set(state, (group = groupIn(graph, file) ?? ''));
  return group === '' ? undefined : group;
}

function groupIn(graph: GraphView, file: NodeHandle): string | undefined {
  const { isTest, language } = graph.node(file);
  if (isTest || language === undefined) return undefined;
  const { family } = languageRow(language);
  return TABLES[family] === undefined ? undefined : (READ_WITH[family] ?? family);
}

function* groupsOf(graph: GraphView): Steps<ReadonlyMap<string, States>> {
  const groups = new Map<string, Map<NodeHandle, object>>();
  let count = 0;
  for (const file of graph.files()) {
    const group = groupOf(graph, file);
    const state = group === undefined ? undefined : graph.fileStateOf(file);
    if (++count % FILES_IN_STEP === 0) yield undefined;
    if (group === undefined || state === undefined) continue;
    const states = groups.get(group);
    if (states === undefined) groups.set(group, new Map([[file, state]]));
    else states.set(file, state);
  }
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isSame(known: States | undefined, states: States): boolean {
  if (known?.size !== states.size) return false;
  for (const [file, state] of states) if (known.get(file) !== state) return false;
  return true;
}

function partOf(surface: CodeSurface, isOwn: (path: WorkspacePath) => boolean): CodeSurface {
  const own = <Row extends { readonly place: { readonly file: WorkspacePath } }>(rows: readonly Row[]): readonly Row[] =>
    rows.filter(({ place }) => isOwn(place.file));
  const { bindings, calls, events, hosted, routes, rpcs, skipped, starts, stores } = surface;
  return {
    routes: own(routes),
    calls: own(calls),
    events: own(events),
    rpcs: own(rpcs),
    stores: own(stores),
    starts: starts.filter(({ file }) => isOwn(file)),
    skipped: own(skipped),
    hosted: own(hosted),
    bindings: own(bindings),
  };
}

function sizeOf(surface: CodeSurface): number {
  return Object.values(surface).reduce((sum, rows: readonly unknown[]) => sum + rows.length, 0);
}

function* surfaceOf(group: string, units: Units, configuration: Configuration): Steps<CodeSurface> {
  const tablesOf = (file: FileUnit): LanguageTables | undefined => TABLES[languageRow(file.language).family];
  const collector = new RouteCollector(units, tablesOf, configuration, BINDERS, file => HANDLERS[languageRow(file.language).family]);
  yield* collector.collect(READERS[group] ?? []);
  yield* readUses(collector, tablesOf);
  const { bindings, calls, events, hosted, routes, rpcs, skipped, starts, stores } = collector;
  return { routes, calls, events, rpcs, stores, starts, skipped, hosted, bindings };
}

/**
 * Door of the room: joins the facts of all files into resolutions, and keeps them right as files change.
 *
 * It knows facts, manifests and paths; it does not know trees, disks, the graph or who asks. Invariants: the state after any sequence of updates
 * gives the resolutions that one update with all files would give; the order of files does not matter; one update runs at a time.
 * A change re-resolves the changed files and those that consulted something whose interface differs, nothing else.
 */

import { type CancellationToken, neverCancelled } from '../../base/cancellation';
import type { WorkspacePath } from '../../base/path';
import { invariant } from '../../base/result';
import type { Turn } from '../../base/yield';
import type { FileFacts } from '../../model/facts';
import { type NodeIds, nodeColumn } from '../../model/ids';
import type { PreciseState } from '../../model/preciseIndex';
import type { FileResolution } from '../../model/resolution';
import { CallSiteIndex } from './callSites';
import { Dependencies, type DependencyColumns } from './dependencies';
import { LazyEvaluator } from './evaluate/lazyEvaluator';
import type { FileState } from './fileState';
import { Guesses } from './guesses';
import { expressionHashes, interfaceHashes } from './interfaceHash';
import { RULES } from './languages/rules';
import { decidesImports, manifestMeaning, rulesOf } from './languages/rulesOf';
import { Manifests } from './modules/manifests';
import { ModuleResolver } from './modules/moduleResolver';
import { type DependencyKey, type NameNumber, NO_FILE, NO_NAME, nameNumber } from './numbers';
import { PackageIndex } from './packages/packageIndex';
import { isOwnPackage } from './precise/ownPackages';
import { PreciseFile } from './precise/preciseFile';
import { PreciseTargets } from './precise/preciseTargets';
import { Project } from './project';
import type { MissedSite } from './sites/missedSites';
import { resolveSites } from './sites/sites';
import { SiteWriter } from './sites/siteWriter';
import { Values } from './values';

export { isManifest } from './languages/rulesOf';
export { fits, withTexts } from './precise/fits';

export interface ResolverFile {
  readonly path: WorkspacePath;
  /** Undefined for files that get a node only; imports may still end there. */
  readonly facts: FileFacts | undefined;
  readonly isTest: boolean;
}

/** What changed since the last update: files as facts, and the texts of manifests. */
export interface ResolverUpdate {
  readonly upserts: readonly ResolverFile[];
  readonly removed: readonly WorkspacePath[];
  /** Text of manifests (`isManifest`) that came or changed; undefined for one that went. */
  readonly manifests?: ReadonlyMap<WorkspacePath, string | undefined>;
  /** All that precise indexes say, each time; the same object as long as nothing changed. */
  readonly precise?: PreciseState;
}

/** What is compared to tell whether a file's resolution changed. */
export type Given = Pick<FileResolution, 'path' | 'sites' | 'unresolved' | 'external'>;

/** What an update has resolved, for the graph. */
export interface ResolverResult {
  /** One per upserted file, in order of path. */
  readonly resolutions: readonly FileResolution[];
  /** Other files whose resolution differs now, in order of path. */
  readonly relinked: readonly FileResolution[];
  /** Files whose resolution failed for a reason of ours: their references all count as unresolved. */
  readonly failed: readonly WorkspacePath[];
  /** Number of files that were resolved anew. */
  readonly resolved: number;
}

/** What a resolver knows beside the facts of its files, as plain data: with it another process goes on without resolving anything. */
export interface ResolverColumns {
  readonly names: readonly string[];
  readonly paths: readonly string[];
  readonly dependencies: DependencyColumns;
}

/** What a change that is to be taken back has put aside. */
interface PutAside {
  /** By path, in the order in which they changed: what was there, if anything. */
  readonly files: Map<string, { readonly state: FileState | undefined; readonly isKnown: boolean }>;
  readonly given: Map<string, number | undefined>;
  readonly manifestTexts: ReadonlyMap<string, string>;
  readonly manifests: Manifests;
  readonly owed: ReadonlySet<DependencyKey>;
  readonly owedFiles: ReadonlySet<string>;
}

/** A change that cannot be previewed: it may concern every file. */
export class NotPreviewable extends Error {
  constructor() {
    super('The change may affect every file.');
    this.name = 'NotPreviewable';
  }
}

/** Above this many resolved files the look-up tables are freed after the update. */
const LARGE_UPDATE = 400;

/** About how many dependencies a reference makes: what tables are sized for before a first resolution. */
const EDGES_PER_REFERENCE = 2;

/** Links the names of all files to nodes, incrementally: an update resolves the files that changed and those that looked at what changed. */
export class Resolver {
  readonly #project: Project;
  readonly #dependencies = new Dependencies();
  readonly #values = new Values();
  readonly #modules: ModuleResolver;
  readonly #evaluator: LazyEvaluator;
  readonly #guesses: Guesses;
  readonly #precise: PreciseTargets;
  readonly #packages: PackageIndex;
  readonly #callSites: CallSiteIndex;
  readonly #ids: NodeIds;
  readonly #onMissed: ((site: MissedSite) => void) | undefined;
  readonly #manifestTexts = new Map<string, string>();
  /** By path: hash of the last resolution given out. */
  readonly #given = new Map<string, number>();
  /** By path: states made before their update. */
  readonly #prepared = new Map<string, FileState>();
  /** Keys whose dependents an interrupted update still owes. */
  #owed = new Set<DependencyKey>();
  #owedFiles = new Set<string>();
  #aside: PutAside | undefined;

  /** `onMissed` hears of each site that no candidate is found for, whenever its file is resolved. */
  constructor(options: { readonly ids: NodeIds; readonly onMissed?: (site: MissedSite) => void }) {
    this.#ids = options.ids;
    this.#onMissed = options.onMissed;
    this.#project = new Project(options.ids, rulesOf);
    const families = RULES.filter(rules => rules.modules !== undefined).map(rules => rules.family);
    this.#modules = new ModuleResolver(this.#project, this.#dependencies, new Manifests(new Map()), families);
    this.#packages = new PackageIndex(this.#project, () => this.#modules.manifests);
    this.#callSites = new CallSiteIndex(this.#project);
    this.#evaluator = new LazyEvaluator(this.#project, this.#values, this.#dependencies, this.#modules, this.#packages, this.#callSites, rulesOf);
    this.#guesses = new Guesses(this.#project);
    this.#precise = new PreciseTargets(this.#project);
  }

  /**
   * Does what can be done for a file alone, while others are still being read. The next update that brings the same facts of the file uses it;
   * nothing else changes. May be called again, or not at all.
   */
  prepare(file: ResolverFile): void {
    const { path, facts, isTest } = file;
    if (facts === undefined || this.#prepared.get(path)?.facts === facts) return;
    const state = this.#project.stateOf(path, facts, isTest);
    state.prepareTables();
    this.#prepared.set(path, state);
  }

  /** Throws `Cancelled`; what was changed until then is owed by the next update. */
  update(update: ResolverUpdate, turn: Turn, token: CancellationToken): Promise<ResolverResult> {
    return this.#update(update, undefined, turn, token);
  }

  /** `only`: what is resolved, where it is known which resolutions are missing; else that is told by what the files rest on. */
  async #update(update: ResolverUpdate, only: ReadonlySet<string> | undefined, turn: Turn, token: CancellationToken): Promise<ResolverResult> {
    const isTold = only === undefined;
    const changedKeys = this.#owed;
    const dirty = this.#owedFiles;
    const { manifests } = this.#modules;
    const isRewired = this.#applyManifests(update.manifests);
    const bearers = new Map<NameNumber, number>();
    const upserts = [...update.upserts].sort((left, right) => order(left.path, right.path));
    try {
      for (const path of [...update.removed].sort(order)) this.#remove(path, changedKeys, bearers, isTold);
      for (const file of upserts) {
        this.#put(file, changedKeys, bearers, isTold);
        dirty.add(file.path);
        const wait = turn.check(token);
        if (wait !== undefined) await wait;
      }
    } finally {
      // Also when it was cancelled: then the next update owes them.
      this.#guesses.settle(bearers);
      for (const [name, sum] of bearers) if (sum !== 0) changedKeys.add(this.#dependencies.bearers(name));
    }
    this.#prepared.clear();
    await turn.check(token);
    const moved = this.#modules.begin();
    if (only !== undefined) return this.#resolve(new Set(upserts.map(file => file.path)), only, turn, token);
    const everything = this.#aside === undefined && (isRewired || upserts.length >= this.#project.livingFiles);
    if (isRewired && this.#aside !== undefined) await this.#rewire(manifests, changedKeys, dirty, turn, token);
    if (everything) this.#dependencies.clear(upserts.reduce((sum, { facts }) => sum + (facts?.references.count ?? 0), 0) * EDGES_PER_REFERENCE);
    await turn.check(token);
    for (const file of this.#project.files()) if (everything || moved.has(file.family)) dirty.add(file.path);
    await turn.check(token);
    if (!everything) for (const id of this.#dependencies.dependents(changedKeys)) dirty.add(this.#project.pathOf(id));
    for (const path of this.#precise.update(update.precise, [...update.removed, ...upserts.map(file => file.path)])) dirty.add(path);
    const result = await this.#resolve(new Set(upserts.map(file => file.path)), dirty, turn, token);
    this.#owed = new Set();
    this.#owedFiles = new Set();
    return result;
  }

  /** Manifests that do not say what they did before, as far as any language reads them; `undefined` for one that is not there. */
  #changedManifests(texts: ReadonlyMap<WorkspacePath, string | undefined>): WorkspacePath[] {
    return [...texts.keys()].filter(path => {
      const [before, text] = [this.#manifestTexts.get(path), texts.get(path)];
      return before !== text && (before === undefined || text === undefined || manifestMeaning(path, before) !== manifestMeaning(path, text));
    });
  }

  /** Whether a change of manifests (`undefined`: gone) can be previewed: what the changed ones decide can be told file by file. */
  canPreview(manifests: ReadonlyMap<WorkspacePath, string | undefined>): boolean {
    return this.#changedManifests(manifests).every(path => decidesImports(path));
  }

  /**
   * An `update` to a state that does not stay: `rollback` must follow, also when this fails, before anything else. Only for manifests that `canPreview` allows,
   * and without precise indexes. Throws `NotPreviewable` where `update` would resolve everything. `only`: resolves these files alone, because the caller knows
   * the other resolutions; the result has no others.
   */
  async preview(update: ResolverUpdate, turn: Turn, token: CancellationToken, only?: ReadonlySet<WorkspacePath>): Promise<ResolverResult> {
    invariant(this.#aside === undefined, 'a change was previewed before the last one was rolled back');
    this.#mustBePreviewable(update);
    this.#aside = {
      files: new Map(),
      given: new Map(),
      manifestTexts: new Map(this.#manifestTexts),
      manifests: this.#modules.manifests,
      owed: new Set(this.#owed),
      owedFiles: new Set(this.#owedFiles),
    };
    return this.#update(update, only, turn, token);
  }

  /** Goes on from the state of a whole `preview` to a further one; `rollback` goes back to the state before the first. */
  async previewNext(update: ResolverUpdate, turn: Turn, token: CancellationToken): Promise<ResolverResult> {
    invariant(this.#aside !== undefined, 'nothing was previewed yet');
    this.#mustBePreviewable(update);
    return this.#update(update, undefined, turn, token);
  }

  #mustBePreviewable({ manifests = new Map() }: ResolverUpdate): void {
    if (!this.canPreview(manifests)) throw new NotPreviewable();
  }

  /**
   * Back to the state before `preview`, without resolving anything: what the files rest on was noted when they were resolved, and notes are only ever added
   * as long as not everything is resolved anew.
   */
  async rollback(turn: Turn): Promise<void> {
    const aside = this.#aside;
    if (aside === undefined) return;
    const unused = new Map<NameNumber, number>();
    for (const [path, { isKnown, state }] of aside.files) {
      const previewed = this.#project.fileAt(path);
      if (previewed !== undefined) this.#note(previewed, -1, unused, false);
      if (state === undefined) this.#project.remove(path);
      else {
        this.#project.put(state);
        this.#note(state, 1, unused, false);
      }
      if (isKnown) this.#modules.paths.add(path);
      else this.#modules.paths.remove(path);
      const wait = turn.check(neverCancelled);
      if (wait !== undefined) await wait;
    }
    this.#guesses.settle(unused);
    for (const [path, hash] of aside.given) {
      if (hash === undefined) this.#given.delete(path);
      else this.#given.set(path, hash);
    }
    this.#manifestTexts.clear();
    for (const [path, text] of aside.manifestTexts) this.#manifestTexts.set(path, text);
    if (this.#modules.manifests !== aside.manifests) this.#setManifests(aside.manifests);
    this.#owed = new Set(aside.owed);
    this.#owedFiles = new Set(aside.owedFiles);
    this.#prepared.clear();
    this.#modules.begin();
    this.#evaluator.begin();
    this.#aside = undefined;
  }

  /** Of the state after a whole update. */
  toColumns(): ResolverColumns {
    const { names } = this.#project;
    return {
      names: Array.from({ length: names.size }, (_, name) => names.text(nameNumber(name))),
      paths: this.#project.paths,
      dependencies: this.#dependencies.toColumns(),
    };
  }

  /**
   * Takes in all files of a project with the resolutions that a resolver in the state of `columns` gave them. For a new resolver, without a precise index.
   * Throws `Cancelled`; then it is to be thrown away.
   */
  async adopt(update: ResolverUpdate, given: Iterable<Given>, columns: ResolverColumns, turn: Turn, token: CancellationToken): Promise<void> {
    this.#applyManifests(update.manifests);
    const unused = new Set<DependencyKey>();
    const bearers = new Map<NameNumber, number>();
    for (const file of [...update.upserts].sort((left, right) => order(left.path, right.path))) {
      this.#put(file, unused, bearers, false);
      const wait = turn.check(token);
      if (wait !== undefined) await wait;
    }
    this.#guesses.settle(bearers);
    this.#modules.begin();
    const names = columns.names.map(name => this.#project.names.intern(name));
    const files = columns.paths.map(path => this.#project.fileId(path));
    const steps = this.#dependencies.adopt(
      columns.dependencies,
      name => names[name] ?? NO_NAME,
      file => files[file] ?? NO_FILE,
    );
    while (steps.next().done !== true) {
      const wait = turn.check(token);
      if (wait !== undefined) await wait;
    }
    this.#precise.update(update.precise, []);
    for (const resolution of given) this.#given.set(resolution.path, fingerprint(resolution));
    for (const file of this.#project.files()) file.dropTables();
  }

  /** Adds what a change of manifests concerns, file by file. */
  async #rewire(before: Manifests, changedKeys: Set<DependencyKey>, dirty: Set<string>, turn: Turn, token: CancellationToken): Promise<void> {
    const known = new Map<string, boolean>();
    for (const file of this.#project.files()) {
      if (file.rules.beyondImports === undefined) continue;
      const rewired = this.#modules.rewired(before, file, known);
      if (rewired === undefined) throw new NotPreviewable();
      for (const key of rewired.imports) changedKeys.add(key);
      if (rewired.isOther) {
        dirty.add(file.path);
        for (const key of this.#packages.globals.keysOf(file)) changedKeys.add(this.#dependencies.bearers(key));
      }
      const wait = turn.check(token);
      if (wait !== undefined) await wait;
    }
  }

  async #resolve(upserted: ReadonlySet<string>, dirty: ReadonlySet<string>, turn: Turn, token: CancellationToken): Promise<ResolverResult> {
    const resolutions: FileResolution[] = [];
    const relinked: FileResolution[] = [];
    const failed: string[] = [];
    let resolved = 0;
    this.#evaluator.begin();
    for (const path of [...dirty].sort(order)) {
      const wait = turn.check(token);
      if (wait !== undefined) await wait;
      const file = this.#project.fileAt(path);
      if (file === undefined) {
        if (upserted.has(path) && this.#modules.paths.all.has(path)) resolutions.push(this.#plain(path));
        continue;
      }
      resolved++;
      const resolution = this.#resolveFile(file, failed);
      const hash = fingerprint(resolution);
      if (upserted.has(path)) resolutions.push(resolution);
      else if (this.#given.get(path) !== hash) relinked.push(resolution);
      this.#give(path, hash);
    }
    this.#evaluator.begin();
    if (dirty.size > LARGE_UPDATE) for (const file of this.#project.files()) file.dropTables();
    return { resolutions, relinked, failed, resolved };
  }

  /** A fault in one file must not cost the others their answers. */
  #resolveFile(file: FileState, failed: string[]): FileResolution {
    try {
      return resolveSites(this.#evaluator, file, this.#guesses, { precise: this.#preciseOf(file), onMissed: this.#onMissed });
    } catch {
      failed.push(file.path);
      this.#evaluator.begin();
      const { references, symbols } = file.facts;
      const unresolved = new Int32Array(symbols.count + 1);
      for (const owner of references.owner) {
        const row = owner < 0 ? symbols.count : owner;
        unresolved[row] = (unresolved[row] ?? 0) + 1;
      }
      return { ...this.#plain(file.path), symbolNodes: nodeColumn(file.symbolNodes), unresolved, external: new Int32Array(symbols.count + 1) };
    }
  }

  #preciseOf(file: FileState): PreciseFile | undefined {
    const document = this.#precise.documentOf(file.path);
    if (document === undefined) return undefined;
    return new PreciseFile(this.#precise, document, file, this.#project, name => isOwnPackage(this.#modules.manifests, name));
  }

  #applyManifests(texts: ReadonlyMap<WorkspacePath, string | undefined> | undefined): boolean {
    if (texts === undefined) return false;
    const changed = this.#changedManifests(texts).length > 0;
    for (const [path, text] of texts) {
      if (text === undefined) this.#manifestTexts.delete(path);
      else this.#manifestTexts.set(path, text);
    }
    if (changed) this.#setManifests(new Manifests(new Map(this.#manifestTexts)));
    return changed;
  }

  #setManifests(manifests: Manifests): void {
    const files = [...this.#project.files()];
    const unused = new Map<NameNumber, number>();
    for (const file of files) this.#packages.note(file, -1, unused);
    this.#modules.setManifests(manifests);
    for (const file of [...files, ...this.#prepared.values()]) file.forgetPackages();
    for (const file of files) this.#packages.note(file, 1, unused);
  }

  /** Notes the hash of a resolution that is given out; none for a file that goes. */
  #give(path: string, hash: number | undefined): void {
    const aside = this.#aside;
    if (aside !== undefined && !aside.given.has(path)) aside.given.set(path, this.#given.get(path));
    if (hash === undefined) this.#given.delete(path);
    else this.#given.set(path, hash);
  }

  #putAside(path: string): void {
    const aside = this.#aside;
    if (aside === undefined || aside.files.has(path)) return;
    aside.files.set(path, { state: this.#project.fileAt(path), isKnown: this.#modules.paths.all.has(path) });
  }

  /** `isTold`: what others may rest on is compared. */
  #put(file: ResolverFile, changedKeys: Set<DependencyKey>, bearers: Map<NameNumber, number>, isTold: boolean): void {
    const { path, facts, isTest } = file;
    this.#putAside(path);
    const before = this.#project.fileAt(path);
    if (this.#modules.paths.add(path)) this.#modules.paths.askedFor(path, changedKeys);
    const isCompared = isTold && before !== undefined;
    if (before !== undefined) this.#note(before, -1, bearers, isCompared);
    const hashesBefore = !isCompared ? undefined : interfaceHashes(before, this.#dependencies);
    if (facts === undefined) {
      this.#project.remove(path);
      if (isCompared) this.#unitsChanged(hashesBefore, undefined, changedKeys);
      return;
    }
    const prepared = this.#prepared.get(path);
    const state = prepared?.facts === facts && prepared.isTest === isTest ? prepared : this.#project.stateOf(path, facts, isTest);
    this.#project.put(state);
    this.#note(state, 1, bearers, isCompared);
    if (isCompared) this.#unitsChanged(hashesBefore, interfaceHashes(state, this.#dependencies), changedKeys);
    else if (before === undefined) this.#modules.paths.askedFor(path, changedKeys);
  }

  #remove(path: string, changedKeys: Set<DependencyKey>, bearers: Map<NameNumber, number>, isTold: boolean): void {
    this.#putAside(path);
    const before = this.#project.fileAt(path);
    if (before !== undefined) {
      this.#note(before, -1, bearers, false);
      if (isTold) this.#unitsChanged(interfaceHashes(before, this.#dependencies), undefined, changedKeys);
    }
    this.#project.remove(path);
    this.#give(path, undefined);
    if (this.#modules.paths.remove(path)) this.#modules.paths.askedFor(path, changedKeys);
  }

  /** `isExact`: the same file comes in again, so what differs must be told from what does not. */
  #note(file: FileState, sign: 1 | -1, bearers: Map<NameNumber, number>, isExact: boolean): void {
    this.#guesses.note(file, sign, bearers);
    this.#packages.note(file, sign, bearers);
    this.#callSites.note(file, sign, bearers, isExact ? expressionHashes(file, this.#dependencies) : undefined);
  }

  #unitsChanged(
    before: ReadonlyMap<DependencyKey, string> | undefined,
    after: ReadonlyMap<DependencyKey, string> | undefined,
    changedKeys: Set<DependencyKey>,
  ): void {
    for (const [unit, hash] of before ?? []) if (after?.get(unit) !== hash) changedKeys.add(unit);
    for (const unit of after?.keys() ?? []) if (before?.has(unit) !== true) changedKeys.add(unit);
  }

  #plain(path: string): FileResolution {
    return {
      path,
      file: this.#ids.intern(path),
      symbolNodes: nodeColumn(new Int32Array(0)),
      sites: new SiteWriter(() => '').finish(),
      unresolved: new Int32Array(1),
      external: new Int32Array(1),
    };
  }
}

function order(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Hash of everything in a resolution, for telling whether it changed. */
function fingerprint(resolution: Given): number {
  let hash = 17;
  const mix = (values: Int32Array | Uint8Array): void => {
    for (const value of values) hash = (Math.imul(hash, 31) + value) | 0;
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  };
  const { sites } = resolution;
  for (const column of [sites.relation, sites.from, sites.line, sites.column, sites.length, sites.candidateStart, sites.target, sites.confidence, sites.source])
    mix(column);
  mix(resolution.unresolved);
  mix(resolution.external);
  return hash;
}

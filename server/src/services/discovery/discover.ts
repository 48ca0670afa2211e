import { basename, dirname, extname, isWithin, join, type WorkspacePath } from '../../base/path';
import { MANIFESTS } from '../files/manifests';
import type { DataStore, Service } from '../model';
import type { FileProblem, ManifestFact, ServiceFile, UnitFact } from '../serviceFile';
import type { CodeSurface, Place } from '../surface';
import { ownName } from './configNames';
import { type Draft, draftOf, type Found, imageNames, STRENGTH } from './drafts';
import { type Folders, isSupportFolder, isTestFolder, plainName } from './folders';
import { isBuiltInfrastructure, productOfImage, roleOf, storeOfAddress } from './infrastructure';
import { holdsProgram } from './libraries';
import type { Modules } from './modules';
import { programFiles, twinsOf } from './programs';
import { UnitRoots } from './units';

export interface DiscoveryInput {
  readonly files: readonly ServiceFile[];
  readonly folders: Folders;
  readonly surface: CodeSurface;
  /** Name of the folder that is open. */
  readonly workspaceName: string;
  /** Language of most of the code in a folder, in words; `''` for none. */
  readonly languageIn: (folder: WorkspacePath) => string;
  /** Files with a function that programs begin in. */
  readonly programs: readonly WorkspacePath[];
  readonly modules: Modules;
}

export interface Discovery {
  readonly services: readonly Service[];
  readonly stores: readonly DataStore[];
  readonly problems: readonly FileProblem[];
}

/** Folders that say what kind of program they hold, not which. */
const GENERIC = /^(?:service|svc|server|api|app|job|worker|admin|interface|internal|src|backend)$/i;

/** Where workspaces of Nest and Nx keep what their applications share. */
const LIBRARIES = /^libs\//;

/** File of a class that usually starts a program of the JVM. */
const MAIN_CLASS = /(?:Application|App|Main|Server|Bootstrap|Launcher|Runner|Starter)(?:Kt)?$/i;

export function discover(input: DiscoveryInput): Discovery {
  return new Discoverer(input).run();
}

class Discoverer {
  readonly #drafts: Draft[] = [];
  readonly #stores = new Map<string, DataStore>();
  readonly #problems: FileProblem[] = [];
  readonly #roots: UnitRoots;
  /** Folders of places where code begins to serve or to listen. */
  readonly #signs: readonly WorkspacePath[];
  /** The first route in each file and folder, by its place in the surface. */
  readonly #firstRoutes = new Map<WorkspacePath, number>();
  /** By name of the file that programs begin in. */
  readonly #entryFolders = new Map<string, readonly WorkspacePath[]>();

  constructor(private readonly input: DiscoveryInput) {
    this.#roots = new UnitRoots(input);
    const { events, routes, rpcs, starts } = input.surface;
    const places = [
      ...routes.map(route => route.place),
      ...events.map(event => event.place),
      ...rpcs.filter(rpc => rpc.side === 'server').map(rpc => rpc.place),
      ...starts,
    ];
    for (const [at, { place }] of routes.entries()) {
      const { file } = place;
      if (!this.#firstRoutes.has(file)) this.#firstRoutes.set(file, at);
      for (let path = input.modules.homeOf(file); !this.#firstRoutes.has(path); path = dirname(path)) this.#firstRoutes.set(path, at);
    }
    this.#signs = [...new Set(places.map(place => input.modules.homeOf(place.file)))].filter(folder => !isSupportFolder(folder));
  }

  run(): Discovery {
    this.#declared();
    for (const source of ['compose', 'skaffold', 'tilt', 'aspire'] as const) this.#units(source);
    this.#cluster();
    this.#dockerfiles();
    this.#manifests();
    this.#serviceFolders();
    this.#commands();
    this.#programFiles();
    this.#libraries();
    this.#drafts.splice(0, this.#drafts.length, ...this.#drafts.filter(draft => !this.#isScripts(draft)));
    this.#workspace();
    this.#connections();
    return {
      services: this.#finished(),
      stores: [...this.#stores.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
      problems: this.#problems,
    };
  }

  /** A folder of shell scripts that prepare or start something else. */
  #isScripts({ paths, sources }: Draft): boolean {
    const hasMore = ({ contract, path, proxies }: ServiceFile): boolean => (contract ?? proxies) !== undefined && paths.some(root => isWithin(path, root));
    return this.input.languageIn(paths[0] ?? '') === 'Bash' && !sources.includes('map') && !this.input.files.some(hasMore);
  }

  #declared(): void {
    for (const { map, path } of this.input.files) {
      for (const declared of map?.services ?? []) {
        const roots = declared.paths.flatMap(root => join('', root.replace(/\/?\*+.*$/, '')) ?? []).filter(root => this.input.folders.has(root));
        const named = roots.length > 0 || declared.paths.length > 0 ? roots : this.input.folders.named(declared.name).slice(0, 1);
        if (named.length === 0) {
          this.#problems.push({ file: path, line: declared.line, message: `The service ${declared.name} has no files.` });
          continue;
        }
        const draft = draftOf({ name: declared.name, root: named[0] ?? '', source: 'map', place: { file: path, line: declared.line } });
        draft.paths.push(...named.slice(1));
        Object.assign(draft, {
          domain: declared.domain,
          description: declared.description,
          stack: declared.stack,
          estimatedLoc: declared.estimatedLoc,
          contracts: declared.contracts,
        });
        this.#drafts.push(draft);
      }
    }
  }

  #units(source: 'compose' | 'skaffold' | 'tilt' | 'aspire'): void {
    const depth = ({ path }: ServiceFile): number => path.split('/').length;
    for (const file of this.input.files.toSorted((a, b) => variantOf(a.path) - variantOf(b.path) || depth(a) - depth(b))) {
      if (isSupportFolder(dirname(file.path))) continue;
      for (const unit of file.units ?? []) if (unit.source === source) this.#unit(unit, { file: file.path, line: unit.line });
    }
  }

  /** What runs in a cluster counts where a folder of the workspace is called so. */
  #cluster(): void {
    for (const file of this.input.files) {
      for (const unit of file.units ?? []) {
        if (unit.source === 'kubernetes' || unit.source === 'helm') this.#unit(unit, { file: file.path, line: unit.line });
      }
    }
  }

  #unit(unit: UnitFact, place: Place): void {
    if (unit.dockerfile !== undefined && isTestFolder(dirname(unit.dockerfile))) return;
    const product = productOfImage(unit.image);
    const base = this.#roots.dockerfileOf(unit)?.docker?.base ?? '';
    if (product !== undefined && unit.context === undefined) return this.#store(unit.name, unit.image, [...unit.aliases], place);
    if (isBuiltInfrastructure(base)) return this.#store(unit.name, base, [...unit.aliases, ...imageNames(unit)], place);
    const root = this.#roots.rootOf(unit);
    if (root === undefined) {
      this.#known(unit);
      return;
    }
    const own = this.input.files.find(file => file.docker !== undefined && dirname(file.path) === root)?.docker;
    const isOwnBuild = unit.context === undefined || base === '';
    if (isOwnBuild && own !== undefined && isBuiltInfrastructure(own.base)) return this.#store(unit.name, own.base, imageNames(unit), place);
    if (!isSupportFolder(root)) this.#add({ name: unit.name, root, source: unit.source, place, unit });
  }

  /** A unit without a folder of its own may still name a service that is known. */
  #known(unit: UnitFact): void {
    const names = [unit.name, ...imageNames(unit)].map(plainName);
    const draft = this.#drafts.find(one => names.includes(plainName(one.name)) || [...one.aliases].some(alias => names.includes(plainName(alias))));
    draft?.units.push(unit);
  }

  #dockerfiles(): void {
    for (const { docker, path } of this.input.files) {
      const root = dirname(path);
      if (docker === undefined || root === '' || isSupportFolder(root) || this.input.folders.codeIn(root) === 0) continue;
      if (isBuiltInfrastructure(docker.base) || (basename(path) !== 'Dockerfile' && !this.#hasSign(root))) continue;
      this.#add({ name: basename(root), root, source: 'dockerfile', place: { file: path, line: 1 } });
    }
  }

  #manifests(): void {
    for (const { manifest, path } of this.input.files) {
      const root = dirname(path);
      if (manifest === undefined || root === '' || isSupportFolder(root) || this.#isParent(manifest, root)) continue;
      if (manifest.isLibrary === true) continue;
      const { entryFile, runsLibraries } = MANIFESTS[manifest.kind];
      if (this.#hasNoEntry(entryFile, root)) continue;
      const hasMain = holdsProgram(manifest, root, this.input.folders);
      const isProgram = runsLibraries !== true && (manifest.isRunnable || hasMain) && !this.#isModuleWithoutMain(manifest, root);
      if ((!isProgram || manifest.isShared === true) && (!this.#hasSign(root) || this.#isBuiltIn(manifest, root))) continue;
      this.#add({ name: ownName(manifest.name) || basename(root), root, source: 'manifest', place: { file: path, line: 1 } });
    }
  }

  /** A plugin that packs programs is often given to all modules: those without a class that may start one are libraries. */
  #isModuleWithoutMain({ kind }: ManifestFact, root: WorkspacePath): boolean {
    return (kind === 'maven' || kind === 'gradle') && !this.input.folders.hasCodeCalled(root, MAIN_CLASS);
  }

  /** A module without a program and without routes that others are built with: what it publishes, they publish. */
  #isBuiltIn(manifest: ManifestFact, root: WorkspacePath): boolean {
    if (this.#firstRoutes.has(root) || manifest.isRunnable || !this.#isModuleWithoutMain(manifest, root)) return false;
    return this.input.files.some(
      file => dirname(file.path) !== root && file.manifest?.kind === manifest.kind && file.manifest.dependencies.includes(manifest.name),
    );
  }

  #isParent(manifest: ManifestFact, root: WorkspacePath): boolean {
    if (manifest.isParent) return true;
    return this.input.files.some(({ manifest: other, path }) => {
      if (other === undefined || path === undefined) return false;
      const folder = dirname(path);
      if (folder === root) return other.isParent;
      return (
        other.kind === manifest.kind && isWithin(folder, root) && MANIFESTS[manifest.kind].nests !== true && !isSupportFolder(folder) && this.#hasSign(folder)
      );
    });
  }

  #serviceFolders(): void {
    for (const parent of ['services', 'apps', 'microservices', 'src/services', 'src/apps', 'packages']) {
      for (const root of this.input.folders.childrenOf(parent)) {
        const isEnough = parent === 'services' || parent === 'apps' ? this.input.folders.codeIn(root) > 0 : this.#hasSign(root);
        if (isEnough && !isSupportFolder(root)) this.#add({ name: basename(root), root, source: 'folder', place: undefined });
      }
    }
  }

  /** Modules that nothing begins in are what the others are made with. */
  #hasNoEntry(entryFile: string | undefined, root: WorkspacePath): boolean {
    const entries = entryFile === undefined ? [] : this.#entries(entryFile);
    return entries.length > 0 && !entries.some(folder => isWithin(folder, root));
  }

  /** Folders with a file that programs begin in. */
  #entries(name: string): readonly WorkspacePath[] {
    const known = this.#entryFolders.get(name);
    if (known !== undefined) return known;
    const others = this.input.programs.filter(path => extname(path) === extname(name)).map(path => dirname(path));
    const folders = [...new Set([...this.input.folders.withCodeCalled(name), ...others])].filter(folder => !isSupportFolder(folder));
    this.#entryFolders.set(name, folders);
    return folders;
  }

  /** Programs of one manifest: `cmd/orders` and `cmd/billing` are two services, a single one is what the manifest names. */
  #commands(): void {
    for (const { manifest, path } of this.input.files) {
      const { entryFile, programsIn: programs } = manifest === undefined ? {} : MANIFESTS[manifest.kind];
      if (programs === undefined) continue;
      const parent = join(dirname(path), programs) ?? programs;
      const roots = this.input.folders.childrenOf(parent).filter(folder => this.#hasSign(folder));
      if (roots.length > 1) for (const root of roots) this.#add({ name: basename(root), root, source: 'folder', place: undefined });
      else if (entryFile !== undefined) this.#parts(dirname(path), programs, entryFile);
    }
    for (const { entryFile, programsIn } of this.#drafts.length === 0 ? Object.values(MANIFESTS) : []) {
      if (entryFile !== undefined && programsIn !== undefined) this.#parts('', programsIn, entryFile);
    }
  }

  /** Parts of one manifest that each have a program: `app/cart/cmd/server/main.go`, `order/main.go`. */
  #parts(root: WorkspacePath, programs: string, entryFile: string): void {
    const homes = this.#entries(entryFile)
      .filter(folder => isWithin(folder, root))
      .map(folder => (`/${folder}/`.includes(`/${programs}/`) ? `/${folder}/`.slice(0, `/${folder}/`.lastIndexOf(`/${programs}/`)).slice(1) : folder));
    const found = [...new Set(homes)].filter(home => home !== '' && home !== root && this.#hasSign(home));
    if (found.length < 2) return;
    for (const home of found) {
      const name = basename(home);
      const around = dirname(home);
      this.#add({ name: GENERIC.test(name) && around !== '' ? `${basename(around)}-${name}` : name, root: home, source: 'folder', place: undefined });
    }
  }

  #programFiles(): void {
    for (const file of programFiles(this.input.surface, this.input.files)) {
      if (this.#drafts.some(({ paths }) => paths.some(root => root !== file && isWithin(dirname(file), root)))) continue;
      this.#add({ name: basename(file).slice(0, -extname(file).length), root: file, source: 'folder', place: { file, line: 1 } });
    }
  }

  /** A library that is built into one service only is a part of it, unless the workspace itself is built with it, too. */
  #libraries(): void {
    const builtWith = new Map(
      this.input.files.flatMap(({ manifest, path }) => (manifest?.builtWith === undefined ? [] : [[dirname(path), manifest] as const])),
    );
    const users = new Map<WorkspacePath, Set<Draft | 'workspace'>>();
    for (const user of [...this.#drafts, 'workspace'] as const) {
      const queue = (user === 'workspace' ? [''] : user.paths).flatMap(root => builtWith.get(root)?.builtWith ?? []);
      const seen = new Set<WorkspacePath>();
      for (const folder of queue) {
        if (seen.has(folder) || builtWith.get(folder)?.isLibrary !== true) continue;
        seen.add(folder);
        users.set(folder, (users.get(folder) ?? new Set()).add(user));
        queue.push(...(builtWith.get(folder)?.builtWith ?? []));
      }
    }
    for (const [folder, [only, ...others]] of users) {
      const isTaken = this.#drafts.some(draft => draft.paths.some(root => root !== '' && isWithin(folder, root)));
      const isPart = only !== undefined && only !== 'workspace' && others.length === 0;
      if (isPart && !isTaken && !isSupportFolder(folder)) only.paths.push(folder);
    }
  }

  /** What serves and belongs to no service yet is the workspace itself, called as its manifest says. */
  #workspace(): void {
    const taken = new Set(this.#drafts.flatMap(({ paths }) => paths));
    const librariesOfPrograms = this.#librariesOfPrograms();
    // Beside services, only routes make another one: what shared code publishes or starts belongs to those who use it.
    const signs =
      this.#drafts.length === 0
        ? this.#signs
        : this.input.surface.routes
            .map(({ place }) => place.file)
            .filter(file => !taken.has(file) && !librariesOfPrograms.some(({ extension, root }) => extension === extname(file) && isWithin(file, root)))
            .map(file => this.input.modules.homeOf(file))
            .filter(folder => !isSupportFolder(folder));
    const libraries = this.input.files.flatMap(({ manifest, path }) => {
      const isLibrary = manifest !== undefined && (manifest.isLibrary === true || this.#hasNoEntry(MANIFESTS[manifest.kind].entryFile, dirname(path)));
      return isLibrary ? [dirname(path)] : [];
    });
    const homes = [...libraries, ...this.#drafts.flatMap(draft => draft.paths)];
    const lost = [...new Set(signs)].filter(
      folder => !homes.some(root => isWithin(folder, root)) && (this.#drafts.length === 0 || !LIBRARIES.test(`${folder}/`)),
    );
    if (lost.length === 0) return;
    const own = this.input.files.filter(({ docker, manifest, path }) => (docker ?? manifest) !== undefined && dirname(path) === '');
    if (this.#drafts.length > 0 && (own.length === 0 || own.some(({ manifest }) => manifest?.isParent === true))) return;
    const named = own.map(({ manifest }) => ownName(manifest?.name ?? '')).find(name => name !== '') ?? nameBelow(this.input.files, lost);
    this.#drafts.push(draftOf({ name: this.#freeName(named || this.input.workspaceName, ''), root: '', source: 'workspace', place: undefined }));
  }

  /** Manifests all of whose programs are services: code of their language beside those is what they are made with. */
  #librariesOfPrograms(): readonly { readonly root: WorkspacePath; readonly extension: string }[] {
    return this.input.files.flatMap(({ manifest, path }) => {
      const { builds, entryFile } = manifest === undefined ? {} : MANIFESTS[manifest.kind];
      if (builds === undefined || entryFile === undefined) return [];
      const root = dirname(path);
      const entries = this.#entries(entryFile).filter(folder => isWithin(folder, root));
      const isService = (folder: WorkspacePath): boolean => this.#drafts.some(({ paths }) => paths.some(own => own !== '' && isWithin(folder, own)));
      return entries.length > 1 && entries.every(isService) ? [{ root, extension: builds }] : [];
    });
  }

  #add(found: Found): void {
    const { name, place, root, source, unit } = found;
    const same = this.#drafts.find(draft => draft.paths.includes(root));
    if (same !== undefined) {
      if (!same.sources.includes(source)) same.sources.push(source);
      same.aliases.add(name);
      if (unit !== undefined) same.units.push(unit);
      return;
    }
    const twin = source === 'folder' ? this.#twinOf(root) : undefined;
    if (twin !== undefined) {
      twin.paths.push(root);
      return;
    }
    const around = this.#drafts.find(draft => plainName(draft.name) === plainName(name) && draft.paths.some(path => path !== '' && isWithin(path, root)));
    if (around !== undefined && root !== '') {
      around.paths.push(root);
      if (unit !== undefined) around.units.push(unit);
      return;
    }
    const strength = STRENGTH.indexOf(source);
    const isWeaker = (draft: Draft): boolean => strength > STRENGTH.indexOf(draft.sources[0] ?? 'workspace');
    const outer = this.#drafts.find(draft => draft.paths.some(path => path !== '' && isWithin(root, path)) && (isWeaker(draft) || draft.sources[0] === source));
    if (outer !== undefined && (source !== 'compose' || outer.sources[0] === 'map')) {
      if (unit !== undefined) outer.units.push(unit);
      return;
    }
    // A folder around services that stronger sources named is only their common place.
    const isInside = (draft: Draft): boolean => draft.paths.some(path => path !== root && isWithin(path, root));
    if (this.#drafts.some(draft => isInside(draft) && isWeaker(draft) && !this.#isScripts(draft))) return;
    const draft = draftOf({ name: this.#freeName(name, root), root, source, place });
    draft.aliases.add(name);
    if (unit !== undefined) draft.units.push(unit);
    this.#drafts.push(draft);
  }

  /** The service that is the other half of a folder: `services/orders` holds what the program in `cmd/orders` starts. */
  #twinOf(root: WorkspacePath): Draft | undefined {
    const twins = twinsOf(root);
    return this.#drafts.find(draft => draft.paths.some(path => twins.includes(path)));
  }

  /** Names are ids: a second service of a name is called by its folder. */
  #freeName(name: string, root: WorkspacePath): string {
    const isTaken = (one: string): boolean => this.#drafts.some(draft => draft.name === one);
    const clean = name.replaceAll('::', '-');
    if (!isTaken(clean)) return clean;
    return isTaken(basename(root)) || root === '' ? root || `${clean}-2` : basename(root);
  }

  #hasSign(root: WorkspacePath): boolean {
    return this.#signs.some(folder => isWithin(folder, root));
  }

  #store(name: string, image: string, aliases: readonly string[], place: Place): void {
    const product = productOfImage(image);
    if (product?.kind === undefined) return;
    const known = this.#stores.get(name);
    if (known === undefined) this.#stores.set(name, { name, product: product.name, kind: product.kind, aliases: [...new Set(aliases)], place });
  }

  /** Stores that only connection strings name. */
  #connections(): void {
    const values = this.input.files.flatMap(({ config, configMaps, path, units }) => {
      const all = [config ?? {}, ...Object.values(configMaps ?? {}), ...(units ?? []).map(unit => unit.env)];
      return isSupportFolder(path) ? [] : all.flatMap(one => Object.values(one)).map(value => ({ value, path }));
    });
    for (const { path, value } of values) {
      const store = storeOfAddress(value);
      if (store === undefined) continue;
      const isKnown = [...this.#stores.values()].some(one => one.product === store.product || one.name === store.host);
      if (!isKnown)
        this.#stores.set(store.product, { name: store.product, product: store.product, kind: store.kind, aliases: [], place: { file: path, line: 1 } });
    }
  }

  #finished(): readonly Service[] {
    this.#joinTwins();
    return this.#drafts
      .map((draft): Service => {
        const root = draft.paths[0] ?? '';
        const manifests = this.input.files.filter(({ manifest, path }) => manifest !== undefined && draft.paths.includes(dirname(path)));
        const dependencies = manifests.flatMap(({ manifest }) => manifest?.dependencies ?? []);
        const names = [
          ...draft.aliases,
          ...manifests.map(({ manifest }) => ownName(manifest?.name ?? '')),
          ...draft.units.flatMap(unit => [unit.name, ...imageNames(unit), ...unit.aliases]),
        ];
        const configured = this.input.files.filter(
          ({ config, path }) => config !== undefined && draft.paths.some(one => isWithin(path, one)) && !isSupportFolder(path),
        );
        const aliases = [...names, basename(root), ...configured.map(({ config }) => config?.['spring.application.name'] ?? '')];
        const hasProxies = this.input.files.some(({ path, proxies }) => (proxies ?? []).length > 0 && root !== '' && isWithin(path, root));
        return {
          name: draft.name,
          paths: draft.paths,
          sources: draft.sources,
          place: draft.place,
          aliases: [...new Set(aliases.filter(alias => alias !== '' && alias !== draft.name && !/[${}]|HELM/.test(alias)))],
          role: roleOf(
            [draft.name, ...names].map(name => name.toLowerCase()),
            dependencies,
            hasProxies,
          ),
          domain: draft.domain,
          description: draft.description || (manifests.map(({ manifest }) => manifest?.description ?? '').find(text => text !== '') ?? ''),
          stack: Object.keys(draft.stack).length > 0 ? draft.stack : this.#stackOf(draft),
          estimatedLoc: draft.estimatedLoc ?? draft.paths.reduce((sum, path) => sum + this.input.folders.linesIn(path), 0),
          contracts: draft.contracts,
          units: draft.units,
        };
      })
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }

  /** `internal/orders` and `pkg/orders` belong to the program in `cmd/orders`, `orders-api` to the module `orders`. */
  #joinTwins(): void {
    for (const draft of this.#drafts) {
      const root = draft.paths[0] ?? '';
      for (const ending of root === '' ? [] : ['api', 'client', 'contracts', 'api-spec']) {
        const twin = `${root}-${ending}`;
        if (this.input.folders.has(twin) && !this.#drafts.some(one => one.paths.includes(twin))) draft.paths.push(twin);
      }
    }
    for (const draft of this.#drafts) {
      const root = draft.paths[0] ?? '';
      for (const twin of twinsOf(root)) {
        if (this.input.folders.has(twin) && !this.#drafts.some(one => one.paths.includes(twin))) draft.paths.push(twin);
      }
    }
  }

  #stackOf({ paths }: Draft): Readonly<Record<string, string>> {
    const language = this.input.languageIn(paths[0] ?? '');
    const first = Math.min(...paths.map(path => this.#firstRoutes.get(path) ?? Number.POSITIVE_INFINITY));
    const framework = this.input.surface.routes[first]?.framework;
    return { ...(language === '' ? {} : { language }), ...(framework === undefined ? {} : { framework }) };
  }
}

/** 0 for `compose.yaml` and what is no Compose file, 1 for the variants beside it, 2 for those of tests. */
function variantOf(path: WorkspacePath): number {
  const variant = /^(?:docker-)?compose[._-](?<variant>.+)\.ya?ml$/i.exec(basename(path))?.groups?.['variant'];
  return variant === undefined ? 0 : /test|e2e|\bci\b/i.test(variant) ? 2 : 1;
}

/** Name of the only manifest around what serves. */
function nameBelow(files: readonly ServiceFile[], folders: readonly WorkspacePath[]): string {
  const around = files.filter(({ manifest, path }) => manifest !== undefined && folders.every(folder => isWithin(folder, dirname(path))));
  return around.map(({ manifest }) => ownName(manifest?.name ?? '')).find(name => name !== '') ?? '';
}

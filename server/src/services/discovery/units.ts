import { basename, dirname, isWithin, join, type WorkspacePath } from '../../base/path';
import { PROGRAM_MANIFESTS } from '../files/manifestNames';
import { MANIFESTS, type ManifestTraits } from '../files/manifests';
import type { ServiceFile, UnitFact } from '../serviceFile';
import { type Folders, isSupportFolder, plainName } from './folders';
import { isBuiltInfrastructure } from './infrastructure';

export interface UnitSources {
  readonly files: readonly ServiceFile[];
  readonly folders: Folders;
  /** Language of most of the code in a folder, in words; `''` for none. */
  readonly languageIn: (folder: WorkspacePath) => string;
}

/** Finds the folder of code behind what a deployment builds or runs. */
export class UnitRoots {
  readonly #dockerfiles: ReadonlyMap<WorkspacePath, ServiceFile>;
  readonly #manifests: ReadonlyMap<WorkspacePath, ManifestTraits>;
  /** Folders of programs by the name of what is built from them. */
  readonly #programs = new Map<string, WorkspacePath[]>();
  /** Files with routes of gateways. */
  readonly #gateways: readonly WorkspacePath[];

  readonly #languageIn: UnitSources['languageIn'];
  readonly #folders: Folders;

  constructor({ files, folders, languageIn }: UnitSources) {
    this.#folders = folders;
    this.#languageIn = languageIn;
    this.#gateways = files.flatMap(({ path, proxies }) => ((proxies ?? []).length > 0 ? [path] : []));
    this.#manifests = new Map(files.flatMap(({ manifest, path }) => (manifest === undefined ? [] : [[dirname(path), MANIFESTS[manifest.kind]] as const])));
    for (const { manifest, path } of files) {
      if (manifest === undefined || MANIFESTS[manifest.kind].namesProgram !== true || manifest.isLibrary === true || manifest.isParent) continue;
      this.#programs.set(manifest.name, [...(this.#programs.get(manifest.name) ?? []), dirname(path)]);
    }
    this.#dockerfiles = new Map(files.flatMap(file => (file.docker === undefined ? [] : [[file.path, file] as const])));
  }

  dockerfileOf(unit: UnitFact): ServiceFile | undefined {
    if (unit.context === undefined) return undefined;
    const path = unit.dockerfile ?? join(unit.context, 'Dockerfile');
    return path === undefined ? undefined : this.#dockerfiles.get(path);
  }

  /** Undefined where no code of the workspace is built. */
  rootOf(unit: UnitFact): WorkspacePath | undefined {
    const root = this.#builtFrom(unit);
    return root !== undefined && unit.context !== undefined && this.#isOnlyProgram(root, unit.context) ? unit.context : root;
  }

  /** Whether a folder holds the only program of the manifest around it, or code of that program: what is beside it is its own as well. */
  #isOnlyProgram(root: WorkspacePath, around: WorkspacePath): boolean {
    const { entryFile } = this.#manifests.get(around) ?? {};
    if (root === around || entryFile === undefined) return false;
    const [entry, ...others] = new Set(this.#folders.withCodeCalled(entryFile).filter(folder => isWithin(folder, around) && !isSupportFolder(folder)));
    if (entry === undefined || others.length > 0) return false;
    return isWithin(entry, root) || (!this.#isBuilt(root) && this.#languageIn(root) === this.#languageIn(entry));
  }

  #builtFrom(unit: UnitFact): WorkspacePath | undefined {
    const { context, mounted } = unit;
    if (mounted !== undefined && mounted !== '' && this.#folders.codeIn(mounted) > 0) return mounted;
    if (context === undefined || !this.#folders.has(context)) return this.#called(unit);
    const dockerfile = this.dockerfileOf(unit);
    const beside = dockerfile === undefined ? undefined : dirname(dockerfile.path);
    // A Dockerfile in a folder of its own, with code beside it, builds that folder, however wide its context.
    if (beside !== undefined && beside !== context && this.#holdsProgram(beside) && !isSupportFolder(beside)) return beside;
    if (!this.#isShared(context)) return context;
    // A build file that only a variable names says nothing of which part of the workspace it builds.
    const isUnknown = context === '' && unit.dockerfile?.includes('$') === true;
    return this.#inContext(unit, context, dockerfile) ?? (isUnknown ? undefined : context);
  }

  /** Whether a folder has code other than scripts that wait for something or prepare it. */
  #holdsProgram(folder: WorkspacePath): boolean {
    return this.#folders.codeIn(folder) > 0 && this.#languageIn(folder) !== 'Bash';
  }

  /** Whether several things are built from one folder, or the whole workspace is. */
  #isShared(context: WorkspacePath): boolean {
    return context === '' || ![...this.#dockerfiles.keys()].some(path => dirname(path) === context) || this.#folders.childrenOf(context).length > 6;
  }

  /** The folder of a wide context that its Dockerfile, its arguments or its name speak of. */
  #inContext(unit: UnitFact, context: WorkspacePath, dockerfile: ServiceFile | undefined): WorkspacePath | undefined {
    const names = [unit.name, unit.image.split('/').pop() ?? '', ...unit.buildWords.map(word => basename(word))].filter(name => name !== '');
    const words = [...unit.buildWords, ...(dockerfile?.docker?.paths ?? [])];
    const spoken = words
      .flatMap(word => this.#foldersOf(context, word))
      .filter(path => path !== context && this.#folders.codeIn(path) > 0 && !isSupportFolder(path));
    const isNamed = (path: WorkspacePath): boolean => names.some(name => alike(basename(path), name));
    const only = new Set(spoken).size === 1 ? spoken[0] : undefined;
    return spoken.find(isNamed) ?? this.#called(unit, context) ?? only ?? this.#programAmong(words, context);
  }

  /** The folder of the only program below a context that a build file speaks of by its name: `COPY --from=build target/release/orders_server /usr/bin`. */
  #programAmong(words: readonly string[], context: WorkspacePath): WorkspacePath | undefined {
    const named = new Set(words.map(word => basename(word)).flatMap(name => this.#programs.get(name) ?? []));
    const [folder, ...others] = [...named].filter(
      path => path !== context && isWithin(path, context) && this.#folders.codeIn(path) > 0 && !isSupportFolder(path),
    );
    return others.length === 0 ? folder : undefined;
  }

  /** A word as a folder of the context, also when it stands behind a folder of the image (`/app/cmd/web`). */
  #foldersOf(context: WorkspacePath, word: string): WorkspacePath[] {
    const parts = word.split('/').filter(part => part !== '' && part !== '.');
    return parts.flatMap((_, at) => {
      const path = join(context, parts.slice(at).join('/'));
      if (path === undefined || path === '') return [];
      return this.#folders.has(path) ? [path] : this.#folders.hasFile(path) && dirname(path) !== context ? [dirname(path)] : [];
    });
  }

  /** A folder that is called as the unit or its image. */
  #called(unit: UnitFact, context: WorkspacePath = ''): WorkspacePath | undefined {
    const image = unit.image.split('/').pop() ?? '';
    for (const name of [unit.name, image, ...unit.aliases].filter(one => one.length > 1)) {
      // A program in the context itself keeps its own code in folders that are called so.
      if (unit.context === context && CODE_FOLDER.test(name) && this.#isBuilt(context)) continue;
      const below = this.#folders.named(name).filter(path => path !== context && (context === '' || path.startsWith(`${context}/`)));
      const found = unit.context === context && this.#begins(context) ? below.filter(path => this.#begins(path) || this.#isBuilt(path)) : below;
      const built = this.#builtIn(name, context);
      const best = found.find(path => this.#isPlace(path)) ?? built ?? found.find(path => path.split('/').length <= 4 && !this.#isPart(path, context));
      if (best !== undefined) return best;
    }
    return undefined;
  }

  /** A folder that is called so and builds a gateway, or infrastructure with settings of one's own: neither needs code. */
  #builtIn(name: string, context: WorkspacePath): WorkspacePath | undefined {
    for (const [path, { docker }] of this.#dockerfiles) {
      const folder = dirname(path);
      if (plainName(basename(folder)) !== plainName(name) || !folder.startsWith(context === '' ? '' : `${context}/`) || isSupportFolder(folder)) continue;
      if (this.#gateways.some(file => isWithin(file, folder)) || isBuiltInfrastructure(docker?.base ?? '')) return folder;
    }
    return undefined;
  }

  /** Whether a folder is a part of something that is built by itself: pages of a web application are called as the services behind them. */
  #isPart(path: WorkspacePath, context: WorkspacePath): boolean {
    for (let folder = dirname(path); folder !== context && folder !== ''; folder = dirname(folder)) if (this.#isBuilt(folder)) return true;
    return false;
  }

  /** Whether a program begins in a folder itself. */
  #begins(path: WorkspacePath): boolean {
    return ['main.go', 'main.py', 'manage.py', 'server.js', 'index.js'].some(name => this.#folders.hasFile(path === '' ? name : `${path}/${name}`));
  }

  #isBuilt(path: WorkspacePath): boolean {
    return ['Dockerfile', ...PROGRAM_MANIFESTS].some(name => this.#folders.hasFile(path === '' ? name : `${path}/${name}`));
  }

  /** A folder where a program may begin: it has a build, a manifest, or is one of those that hold one program each. */
  #isPlace(path: WorkspacePath): boolean {
    const parent = basename(dirname(path));
    return this.#isBuilt(path) || ['cmd', 'services', 'apps', 'src'].includes(parent);
  }
}

/** Names of folders that programs keep their code in. */
const CODE_FOLDER = /^(?:app|lib|main|server|src|web|www)$/i;

/** Whether two names mean one thing: spellings, and a word like `service` more or less. */
export function alike(a: string, b: string): boolean {
  const [first, second] = [plainName(a), plainName(b)];
  if (first === second) return true;
  const bare = (name: string): string => name.replace(/(?:service|svc|server|api|app)$/, '');
  return bare(first) !== '' && bare(first) === bare(second);
}

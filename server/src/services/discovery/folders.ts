import { basename, dirname, type WorkspacePath } from '../../base/path';

export interface WorkspaceFile {
  readonly path: WorkspacePath;
  readonly isCode: boolean;
  readonly isTest: boolean;
  readonly lines: number;
}

interface Folder {
  /** Files of code in it and below, tests left out. */
  code: number;
  lines: number;
}

/** Folders of a workspace with the code in them. */
export class Folders {
  readonly #folders = new Map<WorkspacePath, Folder>();
  readonly #paths = new Set<WorkspacePath>();
  /** Files of code, tests left out. */
  readonly #code: WorkspacePath[] = [];
  readonly #byName = new Map<string, WorkspacePath[]>();
  /** By their name with that of the folder around them: `cart/service`. */
  readonly #byNames = new Map<string, WorkspacePath[]>();

  constructor(files: Iterable<WorkspaceFile>) {
    for (const file of files) this.#add(file);
    for (const path of [...this.#folders.keys()].sort(byDepth)) {
      const key = plainName(basename(path));
      this.#byName.set(key, [...(this.#byName.get(key) ?? []), path]);
      const both = plainName(path.split('/').slice(-2).join('/'));
      if (path.includes('/')) this.#byNames.set(both, [...(this.#byNames.get(both) ?? []), path]);
    }
  }

  hasFile(path: WorkspacePath): boolean {
    return this.#paths.has(path);
  }

  has(path: WorkspacePath): boolean {
    return path === '' || this.#folders.has(path);
  }

  /** Whether a file of code in a folder or below is called so, without its extension. */
  hasCodeCalled(folder: WorkspacePath, name: RegExp): boolean {
    for (const path of this.#code) if (path.startsWith(`${folder}/`) && name.test(basename(path).replace(/\.[^.]+$/, ''))) return true;
    return false;
  }

  codeIn(path: WorkspacePath): number {
    return this.#folders.get(path)?.code ?? 0;
  }

  linesIn(path: WorkspacePath): number {
    return this.#folders.get(path)?.lines ?? 0;
  }

  /** Direct children of a folder. */
  childrenOf(path: WorkspacePath): readonly WorkspacePath[] {
    return [...this.#folders.keys()].filter(folder => folder !== '' && dirname(folder) === path).sort();
  }

  /** Folders with a file of code that is called so, tests left out. */
  withCodeCalled(name: string): readonly WorkspacePath[] {
    return this.#code.filter(path => basename(path) === name).map(path => dirname(path));
  }

  /** Folders with code that are called so, the shallowest first, then those that are called so together with the folder around them; spelling of words (`user-service`, `UserService`) does not matter. */
  named(name: string): readonly WorkspacePath[] {
    const key = plainName(name);
    return [...(this.#byName.get(key) ?? []), ...(this.#byNames.get(key) ?? [])].filter(path => this.codeIn(path) > 0 && !isSupportFolder(path));
  }

  #add({ isCode, isTest, lines, path }: WorkspaceFile): void {
    this.#paths.add(path);
    if (isCode && !isTest) this.#code.push(path);
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      let known = this.#folders.get(folder);
      if (known === undefined) this.#folders.set(folder, (known = { code: 0, lines: 0 }));
      if (isCode && !isTest) {
        known.code++;
        known.lines += lines;
      }
      if (folder === '') break;
    }
  }
}

function byDepth(a: WorkspacePath, b: WorkspacePath): number {
  return a.split('/').length - b.split('/').length || (a < b ? -1 : 1);
}

/** A name without what spellings differ in. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Folders that hold no service of the system: tests, examples, tools, hidden ones. */
const ASIDE =
  /^(?:\..*|tests?|e2e|playwright|cypress|testing|integration-tests?|examples?|samples?|extras?|(?:old-)?docs?|documentation|scripts?|tools?|hack|ci|third_party|vendor|node_modules|fixtures?|testdata|benchmarks?|templates?|.+\.(?:(?:unit|integration|functional|acceptance|component|architecture|e2e|api)?tests?|specs?)|.+-e2e)$/i;

const TESTS = /^(?:tests?|e2e|playwright|cypress|testing|integration-tests?)$/i;

/** Where names of packages of the JVM begin: `com.example.orders` is no example. */
const PACKAGES = /(?<=(?:^|\/)src\/main\/[^/]+)\/.*$/;

export function isSupportFolder(path: WorkspacePath): boolean {
  return path
    .replace(PACKAGES, '')
    .split('/')
    .some(segment => ASIDE.test(segment));
}

/** Folders of tests alone. */
export function isTestFolder(path: WorkspacePath): boolean {
  return path.split('/').some(segment => TESTS.test(segment));
}

/** Python projects of a workspace, and which of them code can import from which. */
import { basename, dirname } from '../../../../base/path';

/** Files that make their folder a project with an environment of its own. */
const MARKERS = /^(?:pyproject\.toml|setup\.cfg|setup\.py|requirements\.txt|Pipfile)$/;

/** Tests import what they are run with, whatever stands beside them. */
const TESTS = /(?:^|\/)(?:tests?|e2e)(?:\/|$)/;

/** Tables of a manifest that make a project one that others can install. */
const INSTALLABLE = /^\[(?:project|build-system|tool\.poetry|tool\.flit[\w.]*|metadata)\]/m;

/** The dependencies are in another file. */
const DEPENDS_ELSEWHERE = /^dynamic\s*=\s*\[[^\]]*["']dependencies["']|^install_requires\s*=\s*file:/m;

/** What the manifests in a folder say. */
interface Project {
  /** `undefined` where no manifest that is read tells it. */
  name: string | undefined;
  isInstallable: boolean;
  /** Text in which dependencies are named; `undefined` where they cannot be told. */
  declared: string | undefined;
}

/**
 * Answers rest on the texts of manifests and on the paths of the project. What cannot be told is allowed: code may import from projects around it and
 * inside it, and from folders that belong to no project.
 */
export class PythonProjects {
  readonly #projects = new Map<string, Project>();
  /** Folders of projects that the code of a project can import from, beside its own. */
  readonly #reached = new Map<string, ReadonlySet<string>>();

  /** `written`: what manifests say of the folders that code is imported from, by folder of the manifest. */
  constructor(
    texts: ReadonlyMap<string, string>,
    paths: Iterable<string>,
    private readonly written: ReadonlyMap<string, readonly string[]>,
  ) {
    for (const path of paths) {
      const name = basename(path);
      if (!MARKERS.test(name) || TESTS.test(dirname(path))) continue;
      const project = this.#projects.get(dirname(path)) ?? { name: undefined, isInstallable: false, declared: undefined };
      this.#projects.set(dirname(path), project);
      const text = texts.get(path);
      if (name === 'setup.py') project.isInstallable = true;
      if (text === undefined || !INSTALLABLE.test(text)) continue;
      project.isInstallable = true;
      project.name ??= /^\s*name\s*=\s*["']?(?<name>[\w.-]+)/m.exec(text)?.groups?.['name'];
      if (!DEPENDS_ELSEWHERE.test(text)) project.declared = `${project.declared ?? ''}\n${plain(text)}`;
    }
  }

  /** Folders of projects, for comparison. */
  get folders(): Iterable<string> {
    return this.#projects.keys();
  }

  /** Whether code in `folder` can import what stands in `root`. */
  reaches(folder: string, root: string): boolean {
    const [from, to] = [this.#homeOf(folder), this.#homeOf(root)];
    if (from === '' || to === '' || isInFolder(from, to) || isInFolder(to, from)) return true;
    return this.written.get(from)?.includes(root) === true || this.dependsOn(folder, root);
  }

  /** Whether `root` stands in a project that the one of `folder` may be installed with. */
  dependsOn(folder: string, root: string): boolean {
    const [from, to] = [this.#homeOf(folder), this.#homeOf(root)];
    if (from === '' || from === to) return false;
    let reached = this.#reached.get(from);
    if (reached === undefined) this.#reached.set(from, (reached = this.#reachedFrom(from)));
    return reached.has(to);
  }

  /** Folder of the project around a folder; `''` for none. */
  #homeOf(folder: string): string {
    let at = folder;
    while (at !== '' && !this.#projects.has(at)) at = dirname(at);
    return at;
  }

  #reachedFrom(from: string): ReadonlySet<string> {
    const installable = [...this.#projects].filter(([, { isInstallable }]) => isInstallable);
    if (this.#projects.get(from)?.declared === undefined) return new Set(installable.map(([folder]) => folder));
    const around = [...this.#projects.keys()].filter(folder => isInFolder(from, folder));
    const reached = new Set(around);
    for (const folder of reached) {
      const declared = this.#projects.get(folder)?.declared ?? '';
      for (const [other, { name }] of installable) if (name === undefined || names(declared, plain(name))) reached.add(other);
    }
    return reached;
  }
}

/** Names of distributions are equal in any case and with any of `-`, `_` and `.`. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[-_.]+/g, '-');
}

function names(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!/[\w-]/.test(text[at - 1] ?? '') && !/[\w-]/.test(text[at + name.length] ?? '')) return true;
  }
  return false;
}

function isInFolder(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

import type { Dependencies } from '../dependencies';
import type { FileState } from '../fileState';
import type { Project } from '../project';
import type { Manifests } from './manifests';
import { NodeModules } from './node';
import { PythonModules } from './python';

/** Where an import leads: a file number, a folder (namespace package), or why nowhere. */
export type ModuleRef = { readonly file: number } | { readonly folder: string } | 'external' | 'missing';

/** Joins the rules of the ecosystems with the files there are; notes each path that was asked for. */
export class ModuleResolver {
  #node: NodeModules;
  #python: PythonModules;
  readonly #known = new Set<string>();
  /** Answers of this update by file and row. */
  #imports: (ModuleRef | undefined)[][] = [];

  constructor(
    private readonly project: Project,
    private readonly dependencies: Dependencies,
    manifests: Manifests,
  ) {
    this.#node = new NodeModules(manifests);
    this.#python = new PythonModules(manifests);
  }

  /** True when a new set of manifests or files changes where Python looks. */
  setManifests(manifests: Manifests): void {
    this.#node = new NodeModules(manifests);
    this.#python = new PythonModules(manifests);
  }

  /** All files of the project, with or without facts. */
  get paths(): ReadonlySet<string> {
    return this.#known;
  }

  addPath(path: string): boolean {
    if (this.#known.has(path)) return false;
    this.#known.add(path);
    return true;
  }

  removePath(path: string): boolean {
    return this.#known.delete(path);
  }

  /** Starts an update. True when Python's import roots or folders changed. */
  begin(): boolean {
    this.#imports = [];
    const paths: string[] = [];
    for (const path of this.#known) if (path.endsWith('.py') || path.endsWith('.pyi')) paths.push(path);
    return this.#python.rebuild(paths);
  }

  /** Module that a row of `imports` names. */
  ofImport(file: FileState, row: number): ModuleRef {
    const { dependencies } = this;
    const unit = dependencies.importRow(file.id, row);
    dependencies.consult(unit);
    let rows = this.#imports[file.id];
    if (rows === undefined) {
      rows = [];
      this.#imports[file.id] = rows;
    }
    const known = rows[row];
    if (known !== undefined) return known;
    const before = dependencies.current;
    dependencies.current = unit;
    const { imports } = file.facts;
    const found = this.resolve(file, file.text(imports.specifier[row] ?? 0), imports.level[row] ?? 0);
    dependencies.current = before;
    rows[row] = found;
    return found;
  }

  resolve(file: FileState, specifier: string, level: number): ModuleRef {
    const found =
      file.family === 'python' ? this.#python.resolve(file.path, specifier, level, this.#probe) : this.#node.resolve(file.path, specifier, this.#probe);
    return this.#ref(found);
  }

  /** Submodule of a Python package. */
  submodule(file: FileState, name: string): ModuleRef | undefined {
    const found = this.#python.submodule(file.path, name, this.#probe);
    return found === undefined ? undefined : this.#ref(found);
  }

  inFolder(folder: string, name: string): ModuleRef | undefined {
    const found = this.#python.inFolder(folder, name, this.#probe);
    return found === undefined ? undefined : this.#ref(found);
  }

  nodeOf(file: number): number {
    return this.project.nodeOfPath(this.project.pathOf(file));
  }

  #ref(found: { readonly path: string } | { readonly folder: string } | 'external' | 'missing'): ModuleRef {
    if (typeof found === 'string') return found;
    return 'folder' in found ? found : { file: this.project.fileId(found.path) };
  }

  readonly #probe = (path: string): boolean => {
    this.dependencies.consult(this.dependencies.path(path));
    return this.#known.has(path);
  };
}

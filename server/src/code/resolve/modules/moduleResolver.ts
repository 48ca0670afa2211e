import { Interner } from '../../../base/interner';
import { dirname, extname } from '../../../base/path';
import type { Dependencies } from '../dependencies';
import type { FileState } from '../fileState';
import type { Project } from '../project';
import type { Manifests } from './manifests';
import { NodeModules } from './node';
import { ProjectPaths } from './projectPaths';
import { PythonModules } from './python';

/** Where an import leads: a file number, a folder (namespace package), or why nowhere. */
export type ModuleRef = { readonly file: number } | { readonly folder: string } | 'external' | 'missing';

/** Forms of a request that its key tells apart: by what the importing file's extension changes, or by Python's leading dots. */
const FORMS = 32;
const PACKAGE_IMPORT = 4;
const PYTHON = 8;

/** Joins the rules of the ecosystems with the files there are; notes each path that was asked for. */
export class ModuleResolver {
  readonly paths: ProjectPaths;
  #node: NodeModules;
  #python: PythonModules;
  /** Answers of this update by file and row. */
  #imports: (ModuleRef | undefined)[][] = [];
  /** Answers of this update by key of the request: the files of a folder ask for the same modules again and again. */
  readonly #answers = new Map<number, ModuleRef>();
  readonly #folders = new Interner();
  /** By file number: number of its folder. */
  readonly #folderOf: number[] = [];
  /** By folder number: number of the folder whose mappings hold there. */
  #mappingScopes: number[] = [];

  constructor(
    private readonly project: Project,
    private readonly dependencies: Dependencies,
    public manifests: Manifests,
  ) {
    this.paths = new ProjectPaths(dependencies);
    this.#node = new NodeModules(manifests);
    this.#python = new PythonModules(manifests);
  }

  /** True when a new set of manifests or files changes where Python looks. */
  setManifests(manifests: Manifests): void {
    this.manifests = manifests;
    this.#node = new NodeModules(manifests);
    this.#python = new PythonModules(manifests);
    this.#mappingScopes = [];
  }

  /** Starts an update. True when Python's import roots or folders changed. */
  begin(): boolean {
    this.#imports = [];
    this.#answers.clear();
    const paths: string[] = [];
    for (const path of this.paths.all) if (path.endsWith('.py') || path.endsWith('.pyi')) paths.push(path);
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
    const found = this.#answer(file, file.name(imports.specifier[row] ?? 0), imports.level[row] ?? 0);
    dependencies.current = before;
    rows[row] = found;
    return found;
  }

  resolve(file: FileState, specifier: string, level: number): ModuleRef {
    return this.#answer(file, file.projectName(specifier), level);
  }

  #answer(file: FileState, name: number, level: number): ModuleRef {
    const { dependencies } = this;
    const specifier = this.project.names.text(name);
    const key = dependencies.request(this.#scopeOf(file, specifier, level), name);
    dependencies.consult(key);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const before = dependencies.current;
    dependencies.current = key;
    const found =
      file.family === 'python' ? this.#python.resolve(file.path, specifier, level, this.paths) : this.#node.resolve(file.path, specifier, this.paths);
    dependencies.current = before;
    const target = this.#ref(found);
    this.#answers.set(key, target);
    return target;
  }

  /** Number that stands for all that an answer rests on beside the specifier. */
  #scopeOf(file: FileState, specifier: string, level: number): number {
    let folder = this.#folderOf[file.id];
    if (folder === undefined) {
      folder = this.#folders.intern(dirname(file.path));
      this.#folderOf[file.id] = folder;
    }
    if (file.family === 'python') return folder * FORMS + PYTHON + Math.min(level, FORMS - PYTHON - 1);
    if (specifier.startsWith('.')) return folder * FORMS + formOf(file.path);
    if (specifier.startsWith('#')) return folder * FORMS + PACKAGE_IMPORT;
    let scope = this.#mappingScopes[folder];
    if (scope === undefined) {
      scope = this.#folders.intern(this.#node.mappingScope(this.#folders.text(folder)));
      this.#mappingScopes[folder] = scope;
    }
    return scope * FORMS;
  }

  /** Submodule of a Python package. */
  submodule(file: FileState, name: string): ModuleRef | undefined {
    const found = this.#python.submodule(file.path, name, this.paths);
    return found === undefined ? undefined : this.#ref(found);
  }

  inFolder(folder: string, name: string): ModuleRef | undefined {
    const found = this.#python.inFolder(folder, name, this.paths);
    return found === undefined ? undefined : this.#ref(found);
  }

  nodeOf(file: number): number {
    return this.project.nodeOfPath(this.project.pathOf(file));
  }

  #ref(found: { readonly path: string } | { readonly folder: string } | 'external' | 'missing'): ModuleRef {
    if (typeof found === 'string') return found;
    return 'folder' in found ? found : { file: this.project.fileId(found.path) };
  }
}

/** What a file's extension changes in the order in which extensions are tried. */
function formOf(path: string): number {
  return (extname(path).startsWith('.js') ? 1 : 0) + (/\.[cm]?jsx?$/.test(path) ? 2 : 0);
}

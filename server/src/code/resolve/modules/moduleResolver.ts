import { Interner } from '../../../base/interner';
import { dirname, extname } from '../../../base/path';
import { operandOf } from '../../../model/expressions';
import { expressionRow, type ImportRow, importRow, NO_TEXT, NONE, operatorCode } from '../../../model/facts';
import type { NodeHandle } from '../../../model/ids';
import type { Dependencies } from '../dependencies';
import type { FileState } from '../fileState';
import type { DependencyKey, FileNumber, NameNumber } from '../numbers';
import type { Project } from '../project';
import type { Manifests } from './manifests';
import { FORMS, type ModuleFinder, type ModuleTarget } from './moduleFinder';
import { ProjectPaths } from './projectPaths';

/** Where an import leads: a file number, a folder that is a package by itself, or why nowhere. */
export type ModuleRef = { readonly file: FileNumber } | { readonly folder: string; readonly family: string } | 'external' | 'missing';

/** Joins the rules of the ecosystems with the files there are; notes each path that was asked for. */
export class ModuleResolver {
  readonly paths: ProjectPaths;
  /** By family; made when first asked for. */
  readonly #finders = new Map<string, ModuleFinder>();
  /** The same by manifests that counted before. */
  readonly #earlierFinders = new WeakMap<Manifests, Map<string, ModuleFinder>>();
  /** Answers of this update by file and row. */
  #imports: (ModuleRef | undefined)[][] = [];
  /** Answers of this update by key of the request: the files of a folder ask for the same modules again and again. */
  readonly #answers = new Map<DependencyKey, ModuleRef>();
  /** Folders, told apart by family. */
  readonly #folders = new Interner();
  /** By file number: number of its folder. */
  readonly #folderOf: number[] = [];
  /** By folder number: number of the folder whose word counts there. */
  #sharedScopes: number[] = [];

  constructor(
    private readonly project: Project,
    private readonly dependencies: Dependencies,
    public manifests: Manifests,
    private readonly families: readonly string[],
  ) {
    this.paths = new ProjectPaths(dependencies);
  }

  setManifests(manifests: Manifests): void {
    this.manifests = manifests;
    this.#finders.clear();
    this.#sharedScopes = [];
  }

  /** Starts an update. Gives the families in which imports written as before may lead elsewhere now. */
  begin(): ReadonlySet<string> {
    this.#imports = [];
    this.#answers.clear();
    const changed = new Set<string>();
    for (const family of this.families) if (this.#finderOf(family)?.rebuild?.(this.paths.all) === true) changed.add(family);
    return changed;
  }

  /**
   * What differs for the files of a family since manifests were these, the paths being the same: imports that lead elsewhere, by their keys, and the files of
   * which anything else does. `undefined` where it cannot be told.
   */
  rewired(
    before: Manifests,
    file: FileState,
    known: Map<string, boolean>,
  ): { readonly imports: readonly DependencyKey[]; readonly isOther: boolean } | undefined {
    const { rules } = file;
    if (rules.modules === undefined || rules.beyondImports === undefined) return undefined;
    const folder = dirname(file.path);
    const [old, now] = [this.#finderOf(file.family, before), this.#finderOf(file.family)];
    const isSame = (specifier: string, level: number): boolean => {
      const key = `${folder}\0${extname(file.path)}\0${level}\0${specifier}`;
      let same = known.get(key);
      if (same === undefined) {
        const [was, is] = [old, now].map(finder => JSON.stringify(finder?.resolve(file.path, specifier, level, this.paths.unnoted)));
        known.set(key, (same = was === is));
      }
      return same;
    };
    const { expressions, imports } = file.facts;
    const led: DependencyKey[] = [];
    for (let row = importRow(0); row < imports.count; row++) {
      if (!isSame(file.text(imports.specifier[row] ?? NO_TEXT), imports.level[row] ?? 0)) led.push(this.dependencies.importRow(file.id, row));
    }
    for (let row = expressionRow(0); row < expressions.count; row++) {
      if (expressions.operator[row] !== operatorCode.module || operandOf.import(expressions, row) !== NONE) continue;
      if (!isSame(file.text(expressions.text[row] ?? NO_TEXT), 0)) return undefined;
    }
    return { imports: led, isOther: rules.beyondImports(before, folder) !== rules.beyondImports(this.manifests, folder) };
  }

  /** Module that a row of `imports` names. */
  ofImport(file: FileState, row: ImportRow): ModuleRef {
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
    const found = this.#answer(file, file.name(imports.specifier[row] ?? NO_TEXT), imports.level[row] ?? 0);
    dependencies.current = before;
    rows[row] = found;
    return found;
  }

  resolve(file: FileState, specifier: string, level: number): ModuleRef {
    return this.#answer(file, file.projectName(specifier), level);
  }

  /** A module inside another. */
  submodule(file: FileState, name: string): ModuleRef | undefined {
    const found = this.#finderOf(file.family)?.submodule?.(file.path, name, this.paths);
    return found === undefined ? undefined : this.#ref(found, file.family);
  }

  inFolder(folder: string, family: string, name: string): ModuleRef | undefined {
    const found = this.#finderOf(family)?.inFolder?.(folder, name, this.paths);
    return found === undefined ? undefined : this.#ref(found, family);
  }

  nodeOf(file: FileNumber): NodeHandle {
    return this.project.nodeOfPath(this.project.pathOf(file));
  }

  #finderOf(family: string, manifests = this.manifests): ModuleFinder | undefined {
    const finders = manifests === this.manifests ? this.#finders : this.#earlier(manifests);
    const known = finders.get(family);
    if (known !== undefined) return known;
    const made = this.project.rulesOf(family).modules?.(manifests);
    if (made !== undefined) finders.set(family, made);
    return made;
  }

  #earlier(manifests: Manifests): Map<string, ModuleFinder> {
    let finders = this.#earlierFinders.get(manifests);
    if (finders === undefined) this.#earlierFinders.set(manifests, (finders = new Map()));
    return finders;
  }

  #answer(file: FileState, name: NameNumber, level: number): ModuleRef {
    const finder = this.#finderOf(file.family);
    if (finder === undefined) return 'external';
    const { dependencies } = this;
    const specifier = this.project.names.text(name);
    const key = dependencies.request(this.#scopeOf(finder, file, specifier, level), name);
    dependencies.consult(key);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const before = dependencies.current;
    dependencies.current = key;
    const target = this.#ref(finder.resolve(file.path, specifier, level, this.paths), file.family);
    dependencies.current = before;
    this.#answers.set(key, target);
    return target;
  }

  /** Number that stands for all that an answer rests on beside the specifier. */
  #scopeOf(finder: ModuleFinder, file: FileState, specifier: string, level: number): number {
    let folder = this.#folderOf[file.id];
    if (folder === undefined) {
      folder = this.#folders.intern(`${file.family}\0${dirname(file.path)}`);
      this.#folderOf[file.id] = folder;
    }
    const form = finder.form(file.path, specifier, level);
    if (form >= 0) return folder * FORMS + form;
    let scope = this.#sharedScopes[folder];
    if (scope === undefined) {
      scope = this.#folders.intern(`${file.family}\0${finder.sharedScope(dirname(file.path))}`);
      this.#sharedScopes[folder] = scope;
    }
    return scope * FORMS;
  }

  #ref(found: ModuleTarget, family: string): ModuleRef {
    if (typeof found === 'string') return found;
    return 'folder' in found ? { folder: found.folder, family } : { file: this.project.fileId(found.path) };
  }
}

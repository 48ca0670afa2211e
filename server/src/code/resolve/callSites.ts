import { operandOf } from '../../model/expressions';
import { type ExpressionRow, expressionRow, NONE, operatorCode, REFERENCE_KINDS, type ReferenceRow, referenceRow } from '../../model/facts';
import type { FileState } from './fileState';
import { type FileNumber, fileNumber, type NameNumber, NO_FILE, NO_NAME } from './numbers';
import type { Project } from './project';

/** A call expression of some file, or a decorator (a row of `references`), which is called with what it decorates. */
export type CallSite = CallOf | DecoratorOf;

interface CallOf {
  readonly file: FileState;
  readonly row: ExpressionRow;
  readonly isDecorator: false;
}

/** A decorator is called with what it stands at. */
export interface DecoratorOf {
  readonly file: FileState;
  readonly row: ReferenceRow;
  readonly isDecorator: true;
}

const DECORATOR = REFERENCE_KINDS.indexOf('decorator');

/** More calls than this say nothing certain about a parameter. */
const MANY = 12;
/** Of more calls than this not even those that are no tests are looked for. */
const TOO_MANY = 200;
/** Names of classes hardly mean anything else: of so many calls of a constructor all are looked at. */
const MANY_MADE = 1000;

/**
 * Calls of the languages without declared parameter types, by the last name of what is called: where a parameter may get its value from.
 * The caller must consult `bearers` of `keyOf(name)`.
 */
export class CallSiteIndex {
  /** By name: numbers of files and expression rows, alternating. */
  readonly #sites = new Map<NameNumber, number[]>();

  constructor(private readonly project: Project) {}

  /** Takes the calls and decorators of a file in (`1`) or out (`-1`) and says which names' calls differ; `spell` gives a call by what others see of it. */
  note(file: FileState, sign: 1 | -1, changed: Map<NameNumber, number>, spell: ((row: ExpressionRow) => number) | undefined): void {
    if (!flowsFromCalls(file)) return;
    const { expressions } = file.facts;
    const touched = new Set<NameNumber>();
    for (let row = expressionRow(0); row < expressions.count; row++) {
      const operator = expressions.operator[row];
      if ((operator !== operatorCode.call && operator !== operatorCode.new) || (expressions.listCount[row] ?? 0) === 0) continue;
      const name = file.lastName(operandOf.callee(expressions, row));
      if (name < 0) continue;
      if (sign > 0) this.#add(name, file.id, row);
      else touched.add(name);
      const key = this.keyOf(name);
      changed.set(key, (changed.get(key) ?? 0) + sign * (spell === undefined ? 1 : spell(row)));
    }
    const { references } = file.facts;
    for (let row = referenceRow(0); row < references.count; row++) {
      const name = references.kind[row] === DECORATOR ? file.lastName(references.expression[row] ?? NONE) : NO_NAME;
      if (name < 0) continue;
      if (sign > 0) this.#add(name, file.id, NONE - 1 - row);
      else touched.add(name);
      const key = this.keyOf(name);
      changed.set(key, (changed.get(key) ?? 0) + sign * ((references.owner[row] ?? NONE) + 2));
    }
    for (const name of touched) this.#drop(name, file.id);
  }

  /** Calls of a name in order of paths: all, those that are no tests where they are many, or none where these are many, too. */
  of(name: NameNumber, isConstructor: boolean): readonly CallSite[] {
    const sites = this.#sites.get(name);
    const [many, tooMany] = isConstructor ? [MANY_MADE, MANY_MADE] : [MANY, TOO_MANY];
    if (sites === undefined || sites.length > tooMany * 2) return [];
    const isMany = sites.length > many * 2;
    const out: CallSite[] = [];
    for (let i = 0; i < sites.length; i += 2) {
      const file = this.project.file(fileNumber(sites[i] ?? NO_FILE));
      const row = sites[i + 1] ?? NONE;
      if (file === undefined || (isMany && file.isTest)) continue;
      out.push(row < NONE ? { file, row: referenceRow(NONE - 1 - row), isDecorator: true } : { file, row: expressionRow(row), isDecorator: false });
    }
    if (out.length > many) return [];
    return out.sort((left, right) => (left.file.path < right.file.path ? -1 : left.file.path > right.file.path ? 1 : left.row - right.row));
  }

  keyOf(name: NameNumber): NameNumber {
    return this.project.names.intern(`*calls ${this.project.names.text(name)}`);
  }

  #add(name: NameNumber, file: FileNumber, row: number): void {
    const sites = this.#sites.get(name);
    if (sites === undefined) this.#sites.set(name, [file, row]);
    else sites.push(file, row);
  }

  #drop(name: NameNumber, file: FileNumber): void {
    const sites = this.#sites.get(name) ?? [];
    const kept: number[] = [];
    for (let i = 0; i < sites.length; i += 2) if (sites[i] !== file) kept.push(sites[i] ?? 0, sites[i + 1] ?? 0);
    if (kept.length === 0) this.#sites.delete(name);
    else this.#sites.set(name, kept);
  }
}

/** Languages in which parameters mostly have no declared type. */
export function flowsFromCalls(file: FileState): boolean {
  return file.rules.untypedParameters?.(file.facts.language) === true;
}

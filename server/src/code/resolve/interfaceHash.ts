import { hashText } from '../../base/hash';
import { operandOf } from '../../model/expressions';
import {
  assignmentRow,
  type BindingRow,
  bindingRow,
  type ExpressionRow,
  exportRow,
  type FileFacts,
  type FunctionRow,
  type ImportRow,
  importRow,
  MODULE_SCOPE,
  NO_TEXT,
  NONE,
  OPERATORS,
  operatorCode,
  type ScopeRow,
  type SymbolRow,
  symbolRow,
} from '../../model/facts';
import { symbolKindCode } from '../../model/nodes';
import type { Dependencies } from './dependencies';
import { signaturesBeside } from './evaluate/packages/signatures';
import type { FileState } from './fileState';
import type { DependencyKey, NameNumber } from './numbers';
import { RecursiveHashes } from './tables/recursiveHashes';

/** Unit of a file that says that it is there and what its package clause is, in languages with packages. */
export const PACKAGE_UNIT = '*package';

/** Unit of a file that says what its decorators are, in languages where something reaches code that does not name it. */
export const DECORATED_UNIT = '*decorated';

const ENUMERATOR = symbolKindCode.enum_member;

/** Operators whose list holds rows; `object` and `objectType` alternate string and row. */
const PAIRED: ReadonlySet<number> = new Set([operatorCode.object, operatorCode.objectType]);
/** Operators whose `a` is not a row. */
const SCOPED: ReadonlySet<number> = new Set([operatorCode.name, operatorCode.this, operatorCode.super]);

/**
 * A hash per unit of a file over what other files can see of it: no positions, no sites, and of bodies only what a result is inferred from.
 * Equal hashes mean that nothing resolved through the unit can differ.
 */
export function interfaceHashes(file: FileState, dependencies: Dependencies): ReadonlyMap<DependencyKey, string> {
  return new InterfaceHasher(file, dependencies).run();
}

/** Hashes of expressions by what they rest on, as positive numbers. */
export function expressionHashes(file: FileState, dependencies: Dependencies): (row: ExpressionRow) => number {
  const hasher = new InterfaceHasher(file, dependencies);
  return row => Number.parseInt(hasher.expression(row).slice(0, 8), 16) + 1 || 1;
}

class InterfaceHasher {
  readonly #facts: FileFacts;
  readonly #hashes = new RecursiveHashes();
  readonly #parts = new Map<DependencyKey, string[]>();

  constructor(
    private readonly file: FileState,
    private readonly dependencies: Dependencies,
  ) {
    this.#facts = file.facts;
  }

  run(): ReadonlyMap<DependencyKey, string> {
    const { bindings, symbols } = this.#facts;
    for (let row = bindingRow(0); row < bindings.count; row++) {
      const scope = bindings.scope[row] ?? MODULE_SCOPE;
      if (scope === MODULE_SCOPE || this.file.isGlobalScope(scope)) this.#put(this.#unit(this.file.name(bindings.name[row] ?? NO_TEXT)), this.#binding(row));
    }
    for (let row = symbolRow(0); row < symbols.count; row++) {
      const parent = symbols.parent[row] ?? NONE;
      const name = this.file.name(symbols.name[row] ?? NO_TEXT);
      if (parent === NONE) this.#put(this.#unit(name), this.#symbol(row, false));
      else if ((symbols.parent[parent] ?? NONE) === NONE && this.file.isContainer(parent)) {
        const container = this.#unit(this.file.name(symbols.name[parent] ?? NO_TEXT));
        this.#put(this.dependencies.member(container, name, this.file.id), this.#symbol(row, true));
      } else if (symbols.kind[row] === ENUMERATOR) this.#openEnumerator(row, parent);
    }
    this.#exports();
    this.#assignments();
    if (this.file.rules.decoratorsReach === true) this.#decorators();
    if (!this.file.isModular) this.#put(this.#named(PACKAGE_UNIT), `package ${this.#text(this.#facts.scopes.package[0])}`);
    const out = new Map<DependencyKey, string>();
    for (const [unit, parts] of this.#parts) out.set(unit, hashText(parts.join('\n')));
    return out;
  }

  /** Where enumerations are open, an enumerator is asked for as a member of the type around its enumeration, too. */
  #openEnumerator(row: SymbolRow, enumeration: SymbolRow): void {
    const { symbols } = this.#facts;
    const around = symbols.parent[enumeration] ?? NONE;
    if (this.file.rules.opensEnums !== true || (symbols.parent[around] ?? NONE) !== NONE) return;
    const container = this.#unit(this.file.name(symbols.name[around] ?? NO_TEXT));
    this.#put(this.dependencies.member(container, this.file.name(symbols.name[row] ?? NO_TEXT), this.file.id), this.#symbol(row, true));
  }

  #unit(name: NameNumber): DependencyKey {
    return this.dependencies.unit(this.file.id, name);
  }

  #named(text: string): DependencyKey {
    return this.#unit(this.file.projectName(text));
  }

  #put(unit: DependencyKey, part: string): void {
    const parts = this.#parts.get(unit);
    if (parts === undefined) this.#parts.set(unit, [part]);
    else parts.push(part);
  }

  #text(index: number | undefined): string {
    return this.#facts.strings[index ?? 0] ?? '';
  }

  #decorators(): void {
    const { symbols } = this.#facts;
    for (let row = symbolRow(0); row < symbols.count; row++) {
      for (const decorator of this.file.decoratorsOf(row))
        this.#put(this.#named(DECORATED_UNIT), `${this.#text(symbols.name[row])} ${symbols.parent[row]} ${this.#expression(decorator)}`);
    }
  }

  #exports(): void {
    const { exports, imports } = this.#facts;
    // Sets: a further export of a kind that is there already changes nothing for those who asked for all of them.
    const whole = new Set<string>();
    const stars = new Set<string>();
    for (let row = exportRow(0); row < exports.count; row++) {
      const name = this.#text(exports.exportedName[row]);
      const part = `export ${exports.kind[row]} ${name} ${this.#text(exports.localName[row])} ${this.#text(exports.importedName[row])} ${this.#import(exports.import[row] ?? NONE)} ${this.#expression(exports.value[row] ?? NONE)}`;
      if (name !== '') this.#put(this.#named(name), part);
      whole.add(`${exports.kind[row]} ${name === '' ? part : ''}`);
      stars.add(name === '' ? part : `names ${exports.kind[row] === 6 ? name : ''}`);
    }
    for (let row = importRow(0); row < imports.count; row++) if (this.#text(imports.localName[row]) === '') stars.add(this.#import(row));
    for (const part of whole) this.#put(this.#named('*whole'), part);
    for (const part of stars) this.#put(this.#named('*stars'), part);
  }

  #assignments(): void {
    const { assignments } = this.#facts;
    for (let row = assignmentRow(0); row < assignments.count; row++) {
      const part = `${this.#expression(assignments.target[row] ?? NONE)} = ${this.#expression(assignments.value[row] ?? NONE)} : ${this.#expression(assignments.type[row] ?? NONE)}`;
      this.#put(this.#named(`*set ${this.#text(assignments.name[row])}`), part);
    }
    for (const [holder, uses] of this.file.holders.all) {
      this.#put(this.#named(`*holder ${holder}`), uses.map(use => `${use.iterated} ${this.#expression(use.value)}`).join('\n'));
    }
  }

  #import(row: ImportRow): string {
    if (row === NONE) return '';
    const { imports } = this.#facts;
    return `import ${imports.kind[row]} ${this.#text(imports.specifier[row])} ${imports.level[row]} ${this.#text(imports.importedName[row])} ${this.#text(imports.localName[row])}`;
  }

  #binding(row: BindingRow): string {
    const { bindings } = this.#facts;
    const symbol = bindings.symbol[row] ?? NONE;
    const own = symbol === NONE ? '' : this.#symbol(symbol, false);
    return `${bindings.kind[row]} ${this.#import(bindings.import[row] ?? NONE)} ${this.#expression(bindings.type[row] ?? NONE)} ${this.#expression(bindings.value[row] ?? NONE)} ${own}`;
  }

  /** `deep`: members are part of it, since they have no unit of their own. */
  #symbol(row: SymbolRow, deep: boolean): string {
    return this.#hashes.of(deep ? 'wholeSymbol' : 'symbol', row, () => {
      const { symbols } = this.#facts;
      const parts = [
        this.#text(symbols.name[row]),
        `${this.#text(symbols.container[row])} ${this.#expression(symbols.receiver[row] ?? NONE)}`,
        `${symbols.kind[row]} ${symbols.modifiers[row]} ${(symbols.complexity[row] ?? 0) > 0}`,
        this.#expression(symbols.type[row] ?? NONE),
        this.#expression(symbols.value[row] ?? NONE),
        this.#function(symbols.function[row] ?? NONE),
        ...(this.file.rules.signatures === true ? signaturesBeside(this.#facts, symbols.function[row] ?? NONE).map(own => this.#function(own)) : []),
      ];
      this.#gains(row, parts);
      const scope = symbols.scope[row] ?? NONE;
      if (scope !== NONE) for (const binding of this.file.typeParametersOf(scope)) parts.push(this.#binding(binding));
      const parent = symbols.parent[row] ?? NONE;
      const isAskedWhole = this.file.rules.structural === true && symbols.kind[row] === symbolKindCode.interface;
      const isTopContainer = parent === NONE && this.file.isContainer(row) && !isAskedWhole;
      if ((deep || parent !== NONE || isAskedWhole) && !isTopContainer && this.file.isContainer(row)) {
        for (const member of this.file.childrenOf(row)) parts.push(this.#symbol(member, true));
      }
      return parts.join(' ');
    });
  }

  /** What bases, assignments and decorators give a symbol. */
  #gains(row: SymbolRow, parts: string[]): void {
    const { heritage, assignments } = this.#facts;
    for (const line of this.file.heritageOf(row)) parts.push(`${heritage.kind[line]} ${this.#expression(heritage.expression[line] ?? NONE)}`);
    for (const line of this.file.assignmentsTo(row)) {
      const columns = [assignments.value[line], assignments.type[line], assignments.target[line]];
      parts.push(columns.map(column => this.#expression(column ?? NONE)).join(' '));
    }
    if (this.file.rules.decoratorsReplace === true) for (const expression of this.file.decoratorsOf(row)) parts.push(`@${this.#expression(expression)}`);
  }

  #function(row: FunctionRow): string {
    if (row === NONE) return '';
    return this.#hashes.of('function', row, () => {
      const { functions, bindings, lists } = this.#facts;
      const parts = [`${functions.modifiers[row]}`];
      const start = functions.parameterStart[row] ?? 0;
      for (let i = 0; i < (functions.parameterCount[row] ?? 0); i++) {
        const parameter = lists[start + i] ?? NONE;
        parts.push(parameter === NONE ? '' : `${this.#text(bindings.name[parameter])} ${this.#binding(parameter)}`);
      }
      const declared = functions.returnType[row] ?? NONE;
      if (declared !== NONE) parts.push(this.#expression(declared));
      else {
        const first = functions.returnStart[row] ?? 0;
        for (let i = 0; i < (functions.returnCount[row] ?? 0); i++) parts.push(this.#expression(lists[first + i] ?? NONE));
      }
      return parts.join(' ');
    });
  }

  expression(row: ExpressionRow): string {
    return this.#expression(row);
  }

  #expression(row: ExpressionRow): string {
    return row < 0 ? '' : this.#hashes.of('expression', row, () => this.#spell(row));
  }

  #spell(row: ExpressionRow): string {
    const { expressions, lists } = this.#facts;
    const operator = expressions.operator[row] ?? 0;
    const parts = [`${OPERATORS[operator]} ${this.#text(expressions.text[row])}`];
    if (operator === operatorCode.name)
      parts.push(
        this.#local(operandOf.scope(expressions, row), this.file.name(expressions.text[row] ?? NO_TEXT)),
        this.#exact(operandOf.exact(expressions, row)),
      );
    else if (operator === operatorCode.function) parts.push(this.#function(operandOf.function(expressions, row)));
    else if (operator === operatorCode.class) parts.push(this.#symbol(operandOf.class(expressions, row), true));
    else if (operator === operatorCode.module) parts.push(this.#import(operandOf.import(expressions, row)));
    else if (operator === operatorCode.literal) parts.push(this.#text(Math.max(0, operandOf.literal(expressions, row))));
    else if (!SCOPED.has(operator) && operator !== operatorCode.object)
      parts.push(this.#expression(operandOf.inner(expressions, row)), this.#expression(operandOf.other(expressions, row)));
    const start = expressions.listStart[row] ?? 0;
    for (let i = 0; i < (expressions.listCount[row] ?? 0); i++) {
      const item = lists[start + i] ?? NONE;
      parts.push(PAIRED.has(operator) && i % 2 === 0 ? this.#text(item) : this.#expression(item));
    }
    return parts.join(' ');
  }

  #exact(binding: BindingRow): string {
    return binding === NONE ? '' : this.#binding(binding);
  }

  /** A local name means what it is bound to; a module-level one is a unit of its own. */
  #local(scope: ScopeRow, name: NameNumber): string {
    const { scopes } = this.#facts;
    for (let at = scope; at > 0; at = scopes.parent[at] ?? NONE) {
      let row = this.file.firstBinding(at, name);
      if (row === NONE) continue;
      const parts: string[] = [];
      for (; row !== NONE; row = this.file.nextBinding(row)) parts.push(this.#hashes.of('binding', row, () => this.#binding(row)));
      return parts.join(' ');
    }
    return '';
  }
}

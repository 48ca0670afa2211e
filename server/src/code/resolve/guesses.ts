import { confidenceOf, MAX_CONFIDENCE, sourceCode } from '../../model/evidence';
import { firstWordOf, operandOf } from '../../model/expressions';
import { type ExpressionRow, NO_TEXT, NONE, operatorCode, type SymbolRow, symbolRow } from '../../model/facts';
import { NO_NODE, type NodeHandle } from '../../model/ids';
import { MODIFIERS, symbolKindCode } from '../../model/nodes';
import type { Evaluator } from './evaluate/evaluator';
import { ownerOfSymbol } from './evaluate/generics';
import { findMember, hasOpenBase } from './evaluate/members';
import type { FileState } from './fileState';
import type { NameNumber } from './numbers';
import type { Project } from './project';
import type { Candidate } from './sites/siteWriter';

/** Names so common outside a project that a match says nothing. */
const COMMON: ReadonlySet<string> = new Set(
  `add all any append apply assign at bind call catch charAt clear clone close concat copy count create data decode delete destroy emit encode end entries error every exec execute exists exit extend fill filter finally find findIndex first flush forEach format from get getItem has head id includes index indexOf info init insert items join keys last len length list load lock log lower map match max merge min name next now off on once open parse path pop post print push put query raise read readline reduce register release remove render replace request reset resolve reverse run save search seek select send set setItem setup shift size slice some sort splice split start startswith status stop strip test text then title toString trim type union update upper url use value valueOf values wait walk warn write`.split(
    ' ',
  ),
);
/** True for a name that many things outside a project bear, too. */
export function isCommonName(name: string): boolean {
  return name.length < 3 || COMMON.has(name);
}

const FEW = 3;
const METHOD_KINDS: ReadonlySet<number> = new Set([symbolKindCode.method, symbolKindCode.constructor]);

const HOLDER_KINDS: ReadonlySet<number> = new Set([symbolKindCode.field, symbolKindCode.property]);

const VALUE_KINDS: ReadonlySet<number> = new Set([symbolKindCode.variable, symbolKindCode.constant]);

/** Kinds of functions that were assigned to a member of something. */
const ASSIGNED_KINDS: ReadonlySet<number> = new Set([symbolKindCode.function, symbolKindCode.method]);

/** What stands before the last name of a function that was assigned to a member of a variable or of the prototype of something unknown: `res` of `res.send = function …`. */
function holderOf(file: FileState, row: SymbolRow): string | undefined {
  const { symbols } = file.facts;
  if (file.rules.openObjects !== true || !ASSIGNED_KINDS.has(symbols.kind[row] ?? 0)) return undefined;
  const path = file.text(symbols.name[row] ?? NO_TEXT);
  const at = path.lastIndexOf(PROTOTYPE);
  if (at > 0) return path.slice(path.lastIndexOf('.', at - 1) + 1, at);
  const parent = symbols.parent[row] ?? NONE;
  return parent !== NONE && VALUE_KINDS.has(symbols.kind[parent] ?? 0) ? file.text(symbols.name[parent] ?? NO_TEXT) : undefined;
}

const PROTOTYPE = '.prototype.';

/** True for a function that was assigned to a member of a variable, or of the prototype of something unknown. */
function isAssignedFunction(file: FileState, row: SymbolRow): boolean {
  return holderOf(file, row) !== undefined;
}

/** Short names of a variable begin its long one: `req` of a `Request`. */
const SHORT_NAME = 3;

function isCalledLike(name: string, holder: string): boolean {
  return name === holder || (name.length >= SHORT_NAME && /^[A-Z]/.test(holder) && holder.toLowerCase().startsWith(name.toLowerCase()));
}

/** True for what runs code when it is read. */
function isAccessor(file: FileState, row: SymbolRow): boolean {
  const { symbols } = file.facts;
  return (symbols.function[row] ?? NONE) !== NONE && ((symbols.modifiers[row] ?? 0) & (MODIFIERS.getter | MODIFIERS.property)) !== 0;
}

/** In dynamic languages accessors are methods. */
function isCallableProperty(file: FileState, row: SymbolRow): boolean {
  return file.rules.dynamic === true && file.facts.symbols.kind[row] === symbolKindCode.property;
}

/** What somebody may ask of the bearers of a name; each is consulted by itself, as a name of its own in the project's names. */
interface Questions {
  /** In which languages it has any. */
  readonly whether: NameNumber;
  /** Which there are, where they are few. */
  readonly few: NameNumber;
  /** Which are functions assigned to members of variables. */
  readonly assigned: NameNumber;
  /** Which are members of interfaces. */
  readonly ofInterfaces: NameNumber;
  /** Which are accessors. */
  readonly accessors: NameNumber;
}

/** The bearers of a name before an update, and a sum over those that came and went. */
interface Before {
  readonly families: ReadonlyMap<string, number>;
  readonly size: number;
  readonly hasHolders: boolean;
  sum: number;
}

/** Of more methods than these that an object may have by the beginning of a name, only its own and inherited ones are looked at. */
const MAX_LIKE = 200;

/** Where a name has more bearers, no implementation of a method is looked for by it. */
const MAX_IMPLEMENTATIONS = 20;

/** Who bears a member name, for calls whose receiver is unknown; and which classes implement which, for calls through an interface. */
export class Guesses {
  /** By name: nodes of the methods so called. */
  readonly #bearers = new Map<NameNumber, Set<NodeHandle>>();
  /** By name: those of them that are members of interfaces, which are few among many. */
  readonly #ofInterfaces = new Map<NameNumber, Set<NodeHandle>>();
  /** By first word, as `#wordOf` has it: the names that methods had. */
  readonly #byWord = new Map<NameNumber, Set<NameNumber>>();
  /** By name: what is asked of all names that begin with the same word. */
  readonly #wordOf = new Map<NameNumber, NameNumber>();
  /** By name: how many fields and properties are so called in languages where they may hold functions. */
  readonly #holders = new Map<NameNumber, number>();

  readonly #questions = new Map<NameNumber, Questions>();
  /** By name: as it was at the first `note` since `settle`. */
  readonly #before = new Map<NameNumber, Before>();

  constructor(private readonly project: Project) {}

  /** Names whose bearers differ when a file comes in (`1`) or goes (`-1`). `settle` must follow after the last file. */
  note(file: FileState, sign: 1 | -1, changed: Map<NameNumber, number>): void {
    const { symbols } = file.facts;
    for (let row = symbolRow(0); row < symbols.count; row++) {
      const isHolder = file.rules.closed === true && HOLDER_KINDS.has(symbols.kind[row] ?? 0);
      if (!isHolder && !METHOD_KINDS.has(symbols.kind[row] ?? 0) && !isCallableProperty(file, row) && !isAssignedFunction(file, row)) continue;
      const name = this.#memberName(file, row);
      const node = file.symbolNodes[row] ?? NO_NODE;
      const before = this.#remembered(name);
      const mark = (question: NameNumber): void => {
        changed.set(question, (changed.get(question) ?? 0) + sign * weightOf(node));
      };
      mark(name);
      if (isHolder) {
        this.#holders.set(name, (this.#holders.get(name) ?? 0) + sign);
        continue;
      }
      const bearers = this.#bearers.get(name) ?? new Set<NodeHandle>();
      if (sign > 0) bearers.add(node);
      else bearers.delete(node);
      this.#bearers.set(name, bearers);
      before.sum += sign * weightOf(node);
      const word = this.#questionOnWord(name);
      mark(word);
      if (sign > 0) this.#byWord.set(word, (this.#byWord.get(word) ?? new Set()).add(name));
      if (isAssignedFunction(file, row)) mark(this.#questionsOn(name).assigned);
      if (isOfInterface(file, row)) {
        const ofInterfaces = this.#ofInterfaces.get(name) ?? new Set<NodeHandle>();
        if (sign > 0) ofInterfaces.add(node);
        else ofInterfaces.delete(node);
        this.#ofInterfaces.set(name, ofInterfaces);
        mark(this.#questionsOn(name).ofInterfaces);
      }
      if (isAccessor(file, row)) mark(this.#questionsOn(name).accessors);
    }
  }

  /** What a member is called by: of one that is named by its path, the last name. */
  #memberName(file: FileState, row: SymbolRow): NameNumber {
    const name = file.facts.symbols.name[row] ?? NO_TEXT;
    const path = file.rules.openObjects === true ? file.text(name) : '';
    const at = path.lastIndexOf(PROTOTYPE);
    return at > 0 ? this.project.names.intern(path.slice(at + PROTOTYPE.length)) : file.name(name);
  }

  /** After all files of an update: which questions have other answers than before it. */
  settle(changed: Map<NameNumber, number>): void {
    for (const [name, before] of this.#before) {
      const now = this.#stateOf(name);
      const isSame = before.hasHolders === now.hasHolders && [...now.families.keys()].sort().join() === [...before.families.keys()].sort().join();
      if (!isSame) changed.set(this.#questionsOn(name).whether, 1);
      const wereFew = Math.min(before.size, now.size) <= MAX_IMPLEMENTATIONS || hasFew(before.families) || hasFew(now.families);
      if (before.sum !== 0 && wereFew) changed.set(this.#questionsOn(name).few, 1);
    }
    this.#before.clear();
  }

  #remembered(name: NameNumber): Before {
    let before = this.#before.get(name);
    if (before === undefined) this.#before.set(name, (before = this.#stateOf(name)));
    return before;
  }

  #stateOf(name: NameNumber): Before {
    const families = new Map<string, number>();
    const bearers = this.#bearers.get(name);
    for (const node of bearers ?? []) {
      // What is about to go or be exchanged still belongs to its file.
      const family = this.project.ownerOf(node)?.family ?? '';
      families.set(family, (families.get(family) ?? 0) + 1);
    }
    return { families, size: bearers?.size ?? 0, hasHolders: (this.#holders.get(name) ?? 0) > 0, sum: 0 };
  }

  #questionOnWord(name: NameNumber): NameNumber {
    let word = this.#wordOf.get(name);
    if (word === undefined) {
      const { names } = this.project;
      this.#wordOf.set(name, (word = names.intern(`*like ${firstWordOf(names.text(name))}`)));
    }
    return word;
  }

  #questionsOn(name: NameNumber): Questions {
    let questions = this.#questions.get(name);
    if (questions === undefined) {
      const { names } = this.project;
      const asked = (what: string): NameNumber => names.intern(`*${what} ${names.text(name)}`);
      questions = {
        whether: asked('whether'),
        few: asked('few'),
        assigned: asked('assigned'),
        ofInterfaces: asked('ofInterfaces'),
        accessors: asked('accessors'),
      };
      this.#questions.set(name, questions);
    }
    return questions;
  }

  /** False when a call of a member cannot mean the project in a language where that can be told: nothing in it bears the name. */
  mayBeOfProject(ev: Evaluator, file: FileState, callee: ExpressionRow): boolean {
    const { expressions } = file.facts;
    const isTold = file.rules.dynamic === true || file.rules.closed === true;
    if (!isTold || callee < 0 || expressions.operator[callee] !== operatorCode.member) return true;
    const name = file.name(expressions.text[callee] ?? NO_TEXT);
    ev.dependencies.consult(ev.dependencies.bearers(this.#questionsOn(name).whether));
    if ((this.#holders.get(name) ?? 0) > 0) return true;
    for (const node of this.#bearers.get(name) ?? []) if (this.project.ownerOf(node)?.family === file.family) return true;
    return false;
  }

  /** The one function of that name that was assigned to something called like the receiver: `res.send()` of an unknown `res` means `res.send = function …`. */
  assignedToNamesake(ev: Evaluator, file: FileState, callee: ExpressionRow): NodeHandle | undefined {
    const { expressions } = file.facts;
    if (file.rules.openObjects !== true || callee < 0 || expressions.operator[callee] !== operatorCode.member) return undefined;
    const receiver = operandOf.receiver(expressions, callee);
    const operator = receiver < 0 ? undefined : expressions.operator[receiver];
    if (operator !== operatorCode.name && operator !== operatorCode.member) return undefined;
    const called = file.text(expressions.text[receiver] ?? NO_TEXT);
    const name = file.name(expressions.text[callee] ?? NO_TEXT);
    ev.dependencies.consult(ev.dependencies.bearers(this.#questionsOn(name).assigned));
    const found: NodeHandle[] = [];
    for (const node of this.#bearers.get(name) ?? []) {
      const owner = this.project.ownerOf(node);
      const holder = owner?.family === file.family ? holderOf(owner, this.project.rowOf(node)) : undefined;
      if (holder !== undefined && isCalledLike(called, holder)) found.push(node);
    }
    return found.length === 1 ? found[0] : undefined;
  }

  /** Methods of that name when there are few and the name is telling; confidences stay below every cut. */
  forCallee(ev: Evaluator, file: FileState, callee: ExpressionRow): readonly Candidate[] {
    const { expressions } = file.facts;
    if (callee < 0 || expressions.operator[callee] !== operatorCode.member) return [];
    const name = file.name(expressions.text[callee] ?? NO_TEXT);
    const text = ev.project.names.text(name);
    if (isCommonName(text)) return [];
    ev.dependencies.consult(ev.dependencies.bearers(this.#questionsOn(name).few));
    const bearers = [...(this.#bearers.get(name) ?? [])].filter(node => this.project.ownerOf(node)?.family === file.family);
    if (bearers.length === 0 || bearers.length > FEW) return [];
    return bearers.map(node => ({ node, confidence: confidenceOf('heuristic') / bearers.length, source: sourceCode.heuristic }));
  }

  /** Methods whose names begin with a text, of some types: their own, inherited ones, and those of their heirs. Each may be meant as much as the other. */
  methodsLike(ev: Evaluator, user: FileState, prefix: string, types: ReadonlySet<NodeHandle>): readonly Candidate[] {
    const { names } = this.project;
    const word = names.intern(`*like ${firstWordOf(prefix)}`);
    ev.dependencies.consult(ev.dependencies.bearers(word));
    const bases = new Set([...types].flatMap(type => ev.hierarchy(type).map(link => link.node)));
    const own: NodeHandle[] = [];
    const ofHeirs: NodeHandle[] = [];
    for (const name of this.#byWord.get(word) ?? []) {
      const text = names.text(name);
      if (!text.startsWith(prefix) || text === prefix) continue;
      for (const node of this.#bearers.get(name) ?? []) {
        const file = this.project.ownerOf(node);
        const type = file?.family === user.family && (user.isTest || !file.isTest) ? ownerOfSymbol(ev, file, this.project.rowOf(node)) : NO_NODE;
        if (type < 0) continue;
        if (bases.has(type)) own.push(node);
        else if (ev.hierarchy(type).some(link => types.has(link.node))) ofHeirs.push(node);
      }
    }
    const found = own.length + ofHeirs.length > MAX_LIKE ? own : [...own, ...ofHeirs];
    if (found.length > MAX_LIKE) return [];
    const confidence = Math.min(MAX_CONFIDENCE.likeNamed, 1 / found.length);
    return found.map(node => ({ node, confidence, source: sourceCode.heuristic }));
  }

  /** The accessors called `name` that code of a file may mean. */
  accessorsNamed(ev: Evaluator, file: FileState, name: NameNumber): ReadonlySet<NodeHandle> {
    ev.dependencies.consult(ev.dependencies.bearers(this.#questionsOn(name).accessors));
    const out = new Set<NodeHandle>();
    for (const node of this.#bearers.get(name) ?? []) {
      const owner = this.project.ownerOf(node);
      if (owner?.family === file.family && isAccessor(owner, this.project.rowOf(node))) out.add(node);
    }
    return out;
  }

  /** Types that have a method of that name of their own and that a file may use: those of tests are for tests. */
  typesWith(ev: Evaluator, user: FileState, name: NameNumber): readonly NodeHandle[] {
    ev.dependencies.consult(ev.dependencies.bearers(name));
    const out = new Set<NodeHandle>();
    for (const node of this.#bearers.get(name) ?? []) {
      const file = this.project.ownerOf(node);
      const type = file?.family === user.family && (user.isTest || !file.isTest) ? ownerOfSymbol(ev, file, this.project.rowOf(node)) : NO_NODE;
      if (type >= 0) out.add(type);
    }
    return [...out];
  }

  /** Types that derive from one, or mix it in, and have a method of that name of their own; none where there are many. */
  heirsWith(ev: Evaluator, user: FileState, node: NodeHandle, name: NameNumber): readonly { readonly type: NodeHandle; readonly member: NodeHandle }[] {
    ev.dependencies.consult(ev.dependencies.bearers(name));
    const out: { type: NodeHandle; member: NodeHandle }[] = [];
    for (const member of this.#bearers.get(name) ?? []) {
      const file = this.project.ownerOf(member);
      const type = file?.family === user.family && (user.isTest || !file.isTest) ? ownerOfSymbol(ev, file, this.project.rowOf(member)) : NO_NODE;
      if (type >= 0 && type !== node && ev.hierarchy(type).some(link => link.node === node)) out.push({ type, member });
    }
    return out.length > MAX_IMPLEMENTATIONS ? [] : out.sort((left, right) => (this.project.idText(left.member) < this.project.idText(right.member) ? -1 : 1));
  }

  /** Members called `name` of the interfaces that a type has all members of, without saying that it implements them. */
  interfaceMembers(ev: Evaluator, node: NodeHandle, name: NameNumber): readonly { readonly owner: NodeHandle; readonly member: NodeHandle }[] {
    const family = this.project.ownerOf(node)?.family;
    ev.dependencies.consult(ev.dependencies.bearers(this.#questionsOn(name).ofInterfaces));
    const out: { owner: NodeHandle; member: NodeHandle }[] = [];
    for (const member of this.#ofInterfaces.get(name) ?? []) {
      const file = this.project.ownerOf(member);
      const parent = file === undefined ? NONE : (file.facts.symbols.parent[this.project.rowOf(member)] ?? NONE);
      if (file === undefined || file.family !== family || !isPlain(file, parent)) continue;
      const owner = file.symbolNodes[parent] ?? NO_NODE;
      if (owner !== node && hasAllMembers(ev, node, owner)) out.push({ owner, member });
    }
    return out.sort((left, right) => (this.project.idText(left.member) < this.project.idText(right.member) ? -1 : 1));
  }

  /** Implementations of an abstract or interface method, and what overrides another one where a call may run it, sharing what is left of certainty. */
  implementationsOf(ev: Evaluator, node: NodeHandle, rest: number, mayBeOverridden: boolean): readonly Candidate[] {
    const file = this.project.ownerOf(node);
    if (file === undefined) return [];
    const { symbols } = file.facts;
    const row = this.project.rowOf(node);
    const parent = symbols.parent[row] ?? NONE;
    if (parent === NONE) return [];
    const isStructural = file.rules.structural === true;
    const isInterface = symbols.kind[parent] === symbolKindCode.interface || symbols.kind[parent] === symbolKindCode.trait;
    const name = file.name(symbols.name[row] ?? NO_TEXT);
    const isAbstract = ((symbols.modifiers[row] ?? 0) & MODIFIERS.abstract) !== 0;
    if (!isInterface && !isAbstract && !(mayBeOverridden && isOverridable(file, row, this.project.names.text(name)))) return [];
    ev.dependencies.consult(ev.dependencies.bearers(this.#questionsOn(name).few));
    const bearers = this.#bearers.get(name);
    if (bearers === undefined || bearers.size < 2 || bearers.size > MAX_IMPLEMENTATIONS) return [];
    const owner = file.symbolNodes[parent] ?? NO_NODE;
    const found: NodeHandle[] = [];
    for (const bearer of bearers) {
      if (bearer === node) continue;
      const bearerFile = this.project.ownerOf(bearer);
      const classNode = bearerFile === undefined ? NO_NODE : ownerOfSymbol(ev, bearerFile, this.project.rowOf(bearer));
      if (classNode < 0 || classNode === owner) continue;
      if (ev.hierarchy(classNode).some(link => link.node === owner) || (isStructural && hasAllMembers(ev, classNode, owner))) found.push(bearer);
    }
    const each = Math.min(confidenceOf('dispatch'), rest / Math.max(1, found.length));
    return found.map(candidate => ({ node: candidate, confidence: each, source: sourceCode.dispatch }));
  }
}

/** Spreads nodes, so that those that come and those that go do not add up to nothing by chance. */
function weightOf(node: NodeHandle): number {
  return (Math.imul(node + 1, 0x9e3779b1) >>> 0) + 1;
}

function hasFew(families: ReadonlyMap<string, number>): boolean {
  return [...families.values()].some(count => count <= FEW);
}

/** A method of a class that those of its heirs may stand in for. Types that only embed others have no heirs. */
function isOverridable(file: FileState, row: SymbolRow, name: string): boolean {
  const { symbols } = file.facts;
  if (symbols.kind[row] !== symbolKindCode.method || file.rules.structural === true || file.rules.neverOverrides?.has(name) === true) return false;
  const { unmangled } = file.rules;
  if (unmangled !== undefined) return unmangled.test(name);
  return ((symbols.modifiers[row] ?? 0) & (MODIFIERS.static | MODIFIERS.private)) === 0;
}

function isOfInterface(file: FileState, row: SymbolRow): boolean {
  const { symbols } = file.facts;
  const parent = symbols.parent[row] ?? NONE;
  return parent !== NONE && symbols.kind[parent] === symbolKindCode.interface;
}

/** True for interfaces that others may mean to implement: at the top of a file, without type parameters. */
function isPlain(file: FileState, row: SymbolRow): boolean {
  const scope = file.facts.symbols.scope[row] ?? NONE;
  return (file.facts.symbols.parent[row] ?? NONE) === NONE && (scope === NONE || file.typeParametersOf(scope).length === 0);
}

/** True when a type has every member of an interface, its own or inherited ones. */
function hasAllMembers(ev: Evaluator, node: NodeHandle, owner: NodeHandle): boolean {
  if (hasOpenBase(ev, owner) && !hasOpenBase(ev, node)) return false;
  for (const link of ev.hierarchy(owner)) {
    const file = ev.project.ownerOf(link.node);
    if (file === undefined) return false;
    ev.dependencies.consult(ev.unitOfSymbol(file, ev.project.rowOf(link.node)));
    for (const member of file.childrenOf(ev.project.rowOf(link.node))) {
      const hit = findMember(ev, node, file.name(file.facts.symbols.name[member] ?? NO_TEXT))[0];
      if (hit === undefined || ev.hooks(file).satisfies?.(ev, hit, { file, row: member }) === false) return false;
    }
  }
  return true;
}

/**
 * The digest of a file: its expressions and declarations, reduced to what routes, requests and events can be read from.
 *
 * One shape for all languages. It is made where a file is parsed and only of files that show a sign of such things; others have none.
 * It is plain data that travels and is kept as text (`digestText.ts`). Positions are `line * 1024 + column`, both 0-based, columns cut at 1023.
 */

/** Something whose value may be asked for; 0: nothing that is known here. */
export type Term =
  | 0
  | TextTerm
  | JoinTerm
  | NameTerm
  | MemberTerm
  | CallTerm
  | ListTerm
  | ObjectTerm
  | FunctionTerm
  | AnyTerm
  | NamedTerm
  | GenericTerm
  | OtherTerm;

/** A literal text. */
export interface TextTerm {
  readonly kind: 'text';
  readonly text: string;
}

/** Parts one after the other: a template, a concatenation. */
export interface JoinTerm {
  readonly kind: 'join';
  readonly parts: readonly Term[];
}

/** A name as it is looked up where it stands. */
export interface NameTerm {
  readonly kind: 'name';
  readonly name: string;
  readonly position: number;
}

/** `owner.name`, `owner::name`, `owner->name`, `owner['name']` */
export interface MemberTerm {
  readonly kind: 'member';
  readonly owner: Term;
  readonly name: string;
  readonly position: number;
}

/** A call, a construction, an annotation, a macro. `position` is where the name of what is called stands. */
export interface CallTerm {
  readonly kind: 'call';
  readonly callee: Term;
  readonly args: readonly Term[];
  readonly isConstruction?: true;
  readonly position: number;
}

export interface ListTerm {
  readonly kind: 'list';
  readonly items: readonly Term[];
}

/** Keys in source order; `''` for a spread or a computed key. */
export interface ObjectTerm {
  readonly kind: 'object';
  readonly entries: readonly (readonly [key: string, value: Term])[];
}

/** A function as a value, with its body. */
export interface FunctionTerm {
  readonly kind: 'function';
  readonly fn: DigestFunction;
}

/** One of several. */
export interface AnyTerm {
  readonly kind: 'any';
  readonly parts: readonly Term[];
}

/** An argument with its name. */
export interface NamedTerm {
  readonly kind: 'named';
  readonly name: string;
  readonly value: Term;
}

/** A type or a function with its type arguments. */
export interface GenericTerm {
  readonly kind: 'generic';
  readonly base: Term;
  readonly args: readonly Term[];
}

/** Not known itself, with the calls inside it. */
export interface OtherTerm {
  readonly kind: 'other';
  readonly parts: readonly Term[];
}

/** A parameter with its declared type. */
export interface DigestParameter {
  readonly name: string;
  readonly type?: Term;
  /** Default. */
  readonly initial?: Term;
  /** Decorators, annotations. */
  readonly decorators?: readonly Term[];
}

/** A function or method. */
export interface DigestFunction {
  /** `''` without a name. */
  readonly name: string;
  /** Where the name stands, else where it begins. */
  readonly position: number;
  readonly parameters: readonly DigestParameter[];
  readonly body: readonly Step[];
  /** Decorators, annotations. */
  readonly decorators?: readonly Term[];
  /** Declared type of the result. */
  readonly result?: Term;
  /** Type whose member it is, written outside its body; and the name of the receiver. */
  readonly owner?: Term;
  readonly self?: string;
}

/** A class, interface or object type with its base types; its members are the steps of its body. */
export interface DigestClass {
  readonly name: string;
  readonly position: number;
  readonly bases: readonly Term[];
  readonly decorators?: readonly Term[];
  readonly body: readonly Step[];
  /** An interface: what it declares is done elsewhere. */
  readonly isInterface?: true;
}

/** What a file does or declares, in source order; blocks are flattened. */
export type Step =
  /** A variable, constant or field. */
  | {
      readonly kind: 'let';
      readonly name: string;
      readonly position: number;
      readonly type?: Term;
      readonly value?: Term;
      readonly decorators?: readonly Term[];
    }
  /** An assignment to something other than a new name. */
  | { readonly kind: 'set'; readonly target: Term; readonly value: Term }
  | { readonly kind: 'do'; readonly value: Term }
  | { readonly kind: 'return'; readonly value: Term }
  | { readonly kind: 'fn'; readonly fn: DigestFunction }
  | { readonly kind: 'class'; readonly cls: DigestClass }
  /** `name` is `*` for the module as a whole, `default` for its default. `as` is the name it has here, `''` for all names. */
  | { readonly kind: 'import'; readonly from: string; readonly name: string; readonly as: string; readonly position: number }
  /** `value` under the name `as` for others; with `from` passed on from there, `*` for all names. */
  | { readonly kind: 'export'; readonly as: string; readonly value?: Term; readonly from?: string; readonly name?: string; readonly position: number };

/** What a file says about routes, requests and events, in a form common to all languages. */
export interface Digest {
  /** Package or namespace, `''` without one. */
  readonly package: string;
  readonly steps: readonly Step[];
}

/** The last part of a name: `list` for `controller.list` and `list<T>`; `''` for anything else. */
export function termName(term: Term): string {
  if (term === 0) return '';
  if (term.kind === 'name' || term.kind === 'member') return term.name;
  return term.kind === 'generic' ? termName(term.base) : '';
}

/** Where a term is; 0 if the digest does not say. */
export function termPosition(term: Term): number {
  if (term === 0) return 0;
  switch (term.kind) {
    case 'name':
    case 'member':
    case 'call':
      return term.position;
    case 'function':
      return term.fn.position;
    case 'named':
      return termPosition(term.value);
    case 'generic':
      return termPosition(term.base);
    case 'list':
      return Math.max(0, ...term.items.map(termPosition));
    case 'text':
      return 0;
    case 'object':
      return Math.max(0, ...term.entries.map(([, value]) => termPosition(value)));
    default:
      return Math.max(0, ...term.parts.map(termPosition));
  }
}

/** All texts and names in terms or steps, in source order. */
export function wordsIn(part: Term | Step | readonly (Term | Step)[]): string[] {
  const words: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === 'string') words.push(value);
    else if (Array.isArray(value)) for (const item of value) visit(item);
    else if (typeof value === 'object' && value !== null) for (const [key, inner] of Object.entries(value)) if (key !== 'kind') visit(inner);
  };
  visit(part);
  return words;
}

const COLUMNS = 1024;

/** Line and column (both 0-based) as one number; columns from 1,023 on count as 1,023. */
export function digestPosition(line: number, column: number): number {
  return line * COLUMNS + Math.min(column, COLUMNS - 1);
}

/** 0-based. */
export function lineOfPosition(position: number): number {
  return Math.floor(position / COLUMNS);
}

/** 0-based. */
export function columnOfPosition(position: number): number {
  return position % COLUMNS;
}

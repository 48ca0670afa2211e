/**
 * The digest of a file: its expressions and declarations, reduced to what routes, requests and events can be read from.
 *
 * One shape for all languages. It is made where a file is parsed and only of files that show a sign of such things; others have none.
 * It is plain data that travels and is kept as JSON, so keys are short. Positions are `line * 1024 + column`, both 0-based, columns cut at 1023.
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
  readonly k: 's';
  readonly v: string;
}

/** Parts one after the other: a template, a concatenation. */
export interface JoinTerm {
  readonly k: '+';
  readonly of: readonly Term[];
}

/** A name as it is looked up where it stands. */
export interface NameTerm {
  readonly k: 'n';
  readonly v: string;
  readonly p: number;
}

/** `of.v`, `of::v`, `of->v`, `of['v']` */
export interface MemberTerm {
  readonly k: 'm';
  readonly of: Term;
  readonly v: string;
  readonly p: number;
}

/** A call, a construction (`n`), an annotation, a macro. `p` is where the name of what is called stands. */
export interface CallTerm {
  readonly k: 'call';
  readonly f: Term;
  readonly a: readonly Term[];
  readonly n?: 1;
  readonly p: number;
}

export interface ListTerm {
  readonly k: 'l';
  readonly of: readonly Term[];
}

/** Keys in source order; `''` for a spread or a computed key. */
export interface ObjectTerm {
  readonly k: 'o';
  readonly of: readonly (readonly [key: string, value: Term])[];
}

/** A function as a value, with its body. */
export interface FunctionTerm {
  readonly k: 'f';
  readonly fn: DigestFunction;
}

/** One of several. */
export interface AnyTerm {
  readonly k: '|';
  readonly of: readonly Term[];
}

/** An argument with its name. */
export interface NamedTerm {
  readonly k: '=';
  readonly v: string;
  readonly of: Term;
}

/** A type or a function with its type arguments. */
export interface GenericTerm {
  readonly k: '<';
  readonly of: Term;
  readonly a: readonly Term[];
}

/** Not known itself, with the calls inside it. */
export interface OtherTerm {
  readonly k: '?';
  readonly of: readonly Term[];
}

/** A parameter: name `v`, declared type `t`. */
export interface DigestParameter {
  readonly v: string;
  readonly t?: Term;
  /** Default. */
  readonly x?: Term;
  /** Decorators, annotations. */
  readonly d?: readonly Term[];
}

/** A function or method: parameters `ps`, body `b`. */
export interface DigestFunction {
  /** `''` without a name. */
  readonly v: string;
  /** Where the name stands, else where it begins. */
  readonly p: number;
  readonly ps: readonly DigestParameter[];
  readonly b: readonly Step[];
  /** Decorators, annotations. */
  readonly d?: readonly Term[];
  /** Declared type of the result. */
  readonly r?: Term;
  /** Type whose member it is, written outside its body; and the name of the receiver. */
  readonly of?: Term;
  readonly self?: string;
}

/** A class, interface or object type: name `v` at `p`, its base types, decorators `d`, and its members as steps `b`. */
export interface DigestClass {
  readonly v: string;
  readonly p: number;
  readonly bases: readonly Term[];
  readonly d?: readonly Term[];
  readonly b: readonly Step[];
  /** An interface: what it declares is done elsewhere. */
  readonly i?: 1;
}

/** What a file does or declares, in source order; blocks are flattened. */
export type Step =
  /** A variable, constant or field. */
  | { readonly s: 'let'; readonly v: string; readonly p: number; readonly t?: Term; readonly x?: Term; readonly d?: readonly Term[] }
  /** An assignment to something other than a new name. */
  | { readonly s: 'set'; readonly to: Term; readonly x: Term }
  | { readonly s: 'do'; readonly x: Term }
  | { readonly s: 'return'; readonly x: Term }
  | { readonly s: 'fn'; readonly fn: DigestFunction }
  | { readonly s: 'class'; readonly c: DigestClass }
  /** `name` is `*` for the module as a whole, `default` for its default. `as` is the name it has here, `''` for all names. */
  | { readonly s: 'import'; readonly from: string; readonly name: string; readonly as: string; readonly p: number }
  /** `x` under the name `v` for others; with `from` passed on from there, `*` for all names. */
  | { readonly s: 'export'; readonly v: string; readonly x?: Term; readonly from?: string; readonly name?: string; readonly p: number };

/** What a file says about routes, requests and events, in a form common to all languages. */
export interface Digest {
  /** Package or namespace, `''` without one. */
  readonly package: string;
  readonly steps: readonly Step[];
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

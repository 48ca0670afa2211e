/** What a term may be, as far as code tells without running. */
import type { CallTerm, DigestClass, DigestFunction, Term } from '../../model/digest';
import type { Framework } from './framework';
import type { FileUnit, Scope } from './units';

/** A part of a text: literal, a value that only running code knows, a variable of the environment or key of configuration. */
export type Piece =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'hole'; readonly name: string }
  | { readonly is: 'variable'; readonly name: string; readonly fallback: string | undefined };

export type Value =
  /** `via`: the call that gave it to a parameter. */
  | { readonly kind: 'text'; readonly pieces: readonly Piece[]; readonly via?: Origin }
  /** Something outside the workspace, by its path joined with dots: `express.Router`, `flask.Flask`. */
  | { readonly kind: 'outside'; readonly path: string }
  /** What calling something outside gives, or an instance of a type outside. */
  | { readonly kind: 'made'; readonly path: string; readonly call: CallTerm | undefined; readonly scope: Scope | undefined }
  /** `given`: arguments that were bound to it. */
  | { readonly kind: 'function'; readonly fn: DigestFunction; readonly scope: Scope; readonly self: Value | undefined; readonly given?: number }
  | { readonly kind: 'class'; readonly cls: DigestClass; readonly scope: Scope }
  /** `fields`: what a literal sets. */
  | { readonly kind: 'instance'; readonly cls: DigestClass; readonly scope: Scope; readonly fields?: LiteralFields }
  | { readonly kind: 'module'; readonly file: FileUnit }
  | { readonly kind: 'package'; readonly files: readonly FileUnit[] }
  | { readonly kind: 'object'; readonly entries: readonly (readonly [string, Term])[]; readonly scope: Scope }
  | { readonly kind: 'list'; readonly items: readonly Term[]; readonly scope: Scope; readonly via?: Origin }
  | { readonly kind: 'router'; readonly router: Router };

export interface LiteralFields {
  readonly entries: readonly (readonly [string, Term])[];
  readonly scope: Scope;
}

export interface Origin {
  readonly file: FileUnit;
  readonly position: number;
}

/** Something that routes are attached to. */
export interface Router {
  readonly id: number;
  readonly framework: Framework;
  /** Where it is made. */
  readonly file: FileUnit;
  readonly position: number;
  /** Its own prefix. */
  prefix: readonly Piece[];
  /** The application itself, not a part of one. */
  readonly isRoot: boolean;
  /** A group whose routes have no path of their own. */
  readonly isPathless: boolean;
  readonly mounts: Mount[];
}

/** That a router is part of another one. */
export interface Mount {
  readonly parent: Router;
  readonly prefix: readonly Piece[];
  /** The prefix stands in place of the router's own. */
  readonly replaces: boolean;
}

export function text(v: string): Piece[] {
  return v === '' ? [] : [{ is: 'text', text: v }];
}

/** Adjacent literals become one. */
export function joined(pieces: readonly Piece[]): Piece[] {
  const out: Piece[] = [];
  for (const piece of pieces) {
    const last = out.at(-1);
    if (last?.is === 'text' && piece.is === 'text') out[out.length - 1] = { is: 'text', text: last.text + piece.text };
    else out.push(piece);
  }
  return out;
}

/** Text of pieces without anything that is not known, else undefined. Variables stand for their default. */
export function literalOf(pieces: readonly Piece[]): string | undefined {
  let out = '';
  for (const piece of pieces) {
    if (piece.is === 'text') out += piece.text;
    else if (piece.is === 'variable' && piece.fallback !== undefined) out += piece.fallback;
    else return undefined;
  }
  return out;
}

/** Pieces as the path of a route or a request: what is not known is a parameter. */
export function pathOf(pieces: readonly Piece[]): string {
  return pieces.map(piece => (piece.is === 'text' ? piece.text : piece.is === 'variable' ? (piece.fallback ?? '') : `{${piece.name}}`)).join('');
}

/** `base + '/api'` without a base that is not known: where an application is mounted is a matter of its settings. */
export function withoutBase(pieces: readonly Piece[]): readonly Piece[] {
  const [first, second] = pieces;
  return first?.is === 'hole' && second?.is === 'text' && second.text.startsWith('/') ? pieces.slice(1) : pieces;
}

/** Joins paths with one slash between them. */
export function joinPaths(...paths: readonly string[]): string {
  let out = '';
  for (const path of paths) {
    if (path === '') continue;
    out = path.startsWith('/') ? out.replace(/\/+$/, '') + path : out === '' || out.endsWith('/') ? out + path : `${out}/${path}`;
  }
  return out.startsWith('/') ? out : `/${out}`;
}

/** The literal text of a piece, or its name. */
export function wordOf(piece: Piece): string {
  return piece.is === 'text' ? piece.text : piece.name;
}

/** Values of `a || b`: a variable of the environment without a default gets that text. */
export function withDefault(first: readonly Value[], others: readonly Value[]): readonly Value[] {
  const [fallback] = others;
  if (fallback?.kind !== 'text') return [...first, ...others];
  const word = fallback.pieces.every(piece => piece.is === 'text') ? fallback.pieces.map(piece => piece.text).join('') : undefined;
  const texts = first.flatMap((value): Value[] => {
    if (value.kind !== 'text') return [];
    const [only] = value.pieces;
    if (value.pieces.length !== 1 || only?.is !== 'variable' || only.fallback !== undefined) return [value];
    return [{ kind: 'text', pieces: [{ ...only, fallback: word }] }];
  });
  return texts.length > 0 ? texts : others;
}

const MAX_PREFIXES = 16;

/** All prefixes under which a router is reached. */
export function prefixesOf(router: Router, below: readonly Router[] = []): (readonly Piece[])[] {
  if (below.length > 24) return [];
  const mounts = router.mounts.filter(({ parent }) => parent !== router && !below.includes(parent));
  if (mounts.length === 0) return [router.prefix];
  const found: (readonly Piece[])[] = [];
  for (const { parent, prefix, replaces } of mounts) {
    for (const above of prefixesOf(parent, [...below, router])) {
      const own = replaces ? [] : router.prefix;
      found.push(joinPieces(joinPieces(above, prefix), own));
      if (found.length >= MAX_PREFIXES) return found;
    }
  }
  const seen = new Set<string>();
  return found.filter(each => !seen.has(pathOf(each)) && seen.add(pathOf(each)));
}

function joinPieces(left: readonly Piece[], right: readonly Piece[]): readonly Piece[] {
  if (left.length === 0 || right.length === 0) return left.length === 0 ? right : left;
  return [...left, { is: 'text', text: '/' }, ...right];
}

/** `"/x?<page>"` */
export function withoutQuery(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.map(piece => (piece.is === 'text' ? { is: 'text', text: piece.text.replace(/\?<.*$/, '') } : piece));
}

/** `@import` tags of JSDoc comments: imports of types for the comments of a JavaScript file (TypeScript 5.5). */
import { MODULE_SCOPE } from '../../../../../model/facts';
import type { Walk } from '../walk';

const TAG = /@import\b/g;
/** A name, a mark or a quoted specifier; a star that begins a line of the comment is its margin. */
const TOKEN = /(?:\s|(?<=^[ \t]*)\*(?!\/))*(?<token>[\p{ID_Start}$_][\p{ID_Continue}$\u200C\u200D]*|[{},*]|"[^"\n]*"|'[^'\n]*')/muy;

interface Token {
  readonly text: string;
  readonly at: number;
}

interface Imported {
  readonly kind: 'default' | 'namespace' | 'named';
  readonly name: Token;
  /** The local name. */
  readonly local: Token;
}

/** Reads the imports of the comment in `[start, end)`. A tag that is no whole import, as in prose, is none. */
export function readImportTags(walk: Walk, start: number, end: number): void {
  const { builder, text } = walk;
  if (!text.startsWith('/**', start)) return;
  TAG.lastIndex = start;
  for (let tag = TAG.exec(text); tag !== null && tag.index < end; tag = TAG.exec(text)) {
    const clause = new Clause(text, TAG.lastIndex, end).read();
    if (clause === undefined) continue;
    const specifier = builder.intern(clause.specifier);
    for (const { kind, local, name } of clause.imported) {
      const localName = builder.intern(local.text);
      const importedName = builder.intern(kind === 'named' ? unquoted(name.text) : kind === 'default' ? 'default' : '*');
      const alias = name === local ? {} : { aliasAt: local.at };
      const row = builder.addImport({ kind, specifier, importedName, localName, typeOnly: true, at: name.at, ...alias });
      builder.set('imports', 'binding', row, builder.addBinding({ scope: MODULE_SCOPE, name: localName, kind: 'import', import: row }));
    }
  }
}

/** `A, { B, C as D } from "x"`, `* as A from "x"`. */
class Clause {
  #next: Token | undefined;
  #at: number;

  constructor(
    private readonly text: string,
    start: number,
    private readonly end: number,
  ) {
    this.#at = start;
    this.#advance();
  }

  read(): { readonly imported: readonly Imported[]; readonly specifier: string } | undefined {
    const imported: Imported[] = [];
    const byDefault = this.#name();
    if (byDefault !== undefined) imported.push({ kind: 'default', name: byDefault, local: byDefault });
    if (byDefault === undefined || this.#take(',')) {
      const others = this.#take('*') ? this.#namespace() : this.#named();
      if (others === undefined) return undefined;
      imported.push(...others);
    }
    if (!this.#take('from')) return undefined;
    const specifier = this.#next?.text ?? '';
    return isQuoted(specifier) ? { imported, specifier: unquoted(specifier) } : undefined;
  }

  #namespace(): Imported[] | undefined {
    const local = this.#take('as') ? this.#name() : undefined;
    return local === undefined ? undefined : [{ kind: 'namespace', name: local, local }];
  }

  #named(): Imported[] | undefined {
    if (!this.#take('{')) return undefined;
    const found: Imported[] = [];
    while (!this.#take('}')) {
      const name = this.#isQuoted() ? this.#advance() : this.#name();
      if (name === undefined) return undefined;
      const local = this.#take('as') ? this.#name() : name;
      if (local === undefined || isQuoted(local.text)) return undefined;
      found.push({ kind: 'named', name, local });
      if (!this.#take(',') && this.#next?.text !== '}') return undefined;
    }
    return found;
  }

  #name(): Token | undefined {
    return this.#next !== undefined && /^[\p{ID_Start}$_]/u.test(this.#next.text) ? this.#advance() : undefined;
  }

  #isQuoted(): boolean {
    return isQuoted(this.#next?.text ?? '');
  }

  #take(text: string): boolean {
    if (this.#next?.text !== text) return false;
    this.#advance();
    return true;
  }

  /** Returns the token that was next. */
  #advance(): Token | undefined {
    const taken = this.#next;
    TOKEN.lastIndex = this.#at;
    const text = TOKEN.exec(this.text)?.groups?.['token'];
    this.#next = text === undefined || TOKEN.lastIndex > this.end ? undefined : { text, at: TOKEN.lastIndex - text.length };
    this.#at = TOKEN.lastIndex;
    return taken;
  }
}

const isQuoted = (text: string): boolean => /^["']/.test(text);
const unquoted = (text: string): string => (isQuoted(text) ? text.slice(1, -1) : text);

/** Texts that are put together: one after the other, by a format, from the items of a list. */
import { type CallTerm, type Term, termName } from '../../../model/digest';
import { formattedTerms, holeName, isFolderPackage, keptTerm } from '../questions';
import type { Scope } from '../units';
import { joined, literalOf, type Origin, type Piece, type Value } from '../values';
import { LibraryCalls } from './libraryCalls';

export const MAX_VALUES = 8;
/** Steps of a builder of addresses. */
const URI_STEP =
  /^(?:from(?:UriString|HttpUrl|Uri|Path)|toUri|toUriString|toString|build|buildAndExpand|encode|expand|path|pathSegment|queryParam\w*|uriVariables)$/;

export abstract class Texts extends LibraryCalls {
  protected concatenation(terms: readonly Term[], scope: Scope): readonly Value[] {
    let all: { readonly pieces: readonly Piece[]; readonly via: Origin | undefined }[] = [{ pieces: [], via: undefined }];
    for (const term of terms) {
      const texts = this.values(term, scope)
        .filter(value => value.kind === 'text')
        .slice(0, 4);
      const hole: readonly Piece[] = this.#isNeverSet(term, scope) ? [] : [{ is: 'hole', name: this.#spelled(term, scope) }];
      const options = texts.length === 0 ? [{ pieces: hole, via: undefined }] : texts;
      all = all
        .flatMap(before => options.map(option => ({ pieces: [...before.pieces, ...option.pieces], via: before.via ?? option.via })))
        .slice(0, MAX_VALUES);
    }
    return all.map(({ pieces, via }) => ({ kind: 'text', pieces: joined(pieces), ...(via === undefined ? {} : { via }) }));
  }

  /** The name of what is not known; of a variable for an address, the name of what it is set to. */
  #spelled(term: Term, scope: Scope): string {
    const name = holeName(term);
    if (term === 0 || term.kind !== 'name' || !/^(?:url|uri|base|host|address|endpoint|\w*(?:[uU]rl|[uU]ri|_url|_uri|Host|_host))$/.test(term.name))
      return name;
    const { term: held } = this.declared(term, scope);
    return held === term ? name : holeName(held);
  }

  /** A text of a wrapper around a router that nothing sets: Go begins it empty. */
  #isNeverSet(term: Term, scope: Scope): boolean {
    if (this.sites.size === 0 || term === 0 || term.kind !== 'member' || !isFolderPackage(scope.file)) return false;
    this.markTransient();
    const values = this.values(term, scope);
    return values.length > 0 && values.every(value => value.kind === 'made' && value.path === 'string');
  }

  /** `fmt.Sprintf("/v1/%s", name)` */
  protected formatted(call: CallTerm, scope: Scope): readonly Value[] | undefined {
    const formats = this.tablesOf(scope.file)?.formats;
    const [format = 0, ...args] = call.args;
    if (formats === undefined || format === 0 || !this.values(call.callee, scope).some(value => value.kind === 'outside' && formats.includes(value.path)))
      return undefined;
    const literals = this.texts(format, scope).flatMap(pieces => literalOf(pieces) ?? []);
    return literals.flatMap(literal => this.concatenation(formattedTerms(literal, args), scope)).slice(0, MAX_VALUES);
  }

  /** `UriComponentsBuilder.fromUriString(base).path("/orders").queryParam("page", page).build().toUri()` */
  protected uriBuilt(call: CallTerm, scope: Scope): readonly Value[] | undefined {
    if (this.tablesOf(scope.file)?.hasPlaceholders !== true || !URI_STEP.test(termName(call.callee))) return undefined;
    const parts: Term[] = [];
    let at: Term = call;
    while (at !== 0 && at.kind === 'call' && at.callee !== 0 && at.callee.kind === 'member') {
      const { name, owner }: { readonly name: string; readonly owner: Term } = at.callee;
      if (name === 'path') parts.unshift(at.args[0] ?? 0);
      else if (name === 'pathSegment') parts.unshift(...at.args.flatMap((segment): Term[] => [{ kind: 'text', text: '/' }, segment]));
      else if (/^from(?:UriString|HttpUrl|Uri|Path)$/.test(name) && termName(owner) === 'UriComponentsBuilder')
        return this.concatenation([at.args[0] ?? 0, ...parts], scope);
      at = owner;
    }
    return undefined;
  }

  /** What is left when something is taken off the ends of texts. */
  protected trimmed(call: CallTerm, scope: Scope): readonly Value[] | undefined {
    const texts = this.values(keptTerm(call), scope).filter(value => value.kind === 'text');
    return texts.length > 0 ? texts : undefined;
  }

  /** `base.concat("/orders/", id)`, of texts. */
  protected appended({ args, callee }: CallTerm, scope: Scope): readonly Value[] | undefined {
    if (callee === 0 || callee.kind !== 'member' || callee.name !== 'concat' || args.length === 0) return undefined;
    const values = this.values(callee.owner, scope);
    // Only texts have such a method in languages with placeholders; elsewhere lists have one too.
    const isText = values.some(value => value.kind === 'text') || (values.length === 0 && this.tablesOf(scope.file)?.hasPlaceholders === true);
    if (!isText) return undefined;
    return this.concatenation([callee.owner, ...args], scope);
  }

  /** `[base, "/api"].concat()`, `['a', 'b'].join('/')` */
  protected joinedItems({ args, callee }: CallTerm, scope: Scope): readonly Value[] | undefined {
    if (callee === 0 || callee.kind !== 'member' || callee.owner === 0 || callee.owner.kind !== 'list') return undefined;
    const [separator] = args;
    if (callee.name === 'concat') return args.length === 0 ? this.concatenation(callee.owner.items, scope) : undefined;
    if (callee.name !== 'join' || separator === undefined) return undefined;
    return this.concatenation(
      callee.owner.items.flatMap((item, index) => (index === 0 ? [item] : [separator, item])),
      scope,
    );
  }
}

/** What tells a symbol apart that two extensions list. Ranges do not: they may hold the name or the whole declaration, or come later. */
interface ListedSymbol {
  readonly name: string;
  readonly location: { readonly uri: { toString(): string } };
}

/** Leaves out symbols of the workspace that other extensions list too. The editor shows what every provider answers. */
export class UnlistedSymbols {
  /** Texts that everybody is asked for, Lattice too. */
  readonly #asked = new Set<string>();

  constructor(private readonly askEverybody: (text: string) => PromiseLike<readonly ListedSymbol[] | undefined>) {}

  /** Everybody is being asked for `text`: an answer of Lattice would be taken for one of another. */
  isAsked(text: string): boolean {
    return this.#asked.has(text);
  }

  /** Those of `symbols`, found for `text`, that no other extension lists. */
  async among<Symbol extends ListedSymbol>(symbols: readonly Symbol[], text: string): Promise<Symbol[]> {
    if (symbols.length === 0 || this.isAsked(text)) return [...symbols];
    this.#asked.add(text);
    try {
      const others = new Set(((await this.askEverybody(text)) ?? []).map(keyOf));
      return symbols.filter(symbol => !others.has(keyOf(symbol)));
    } catch {
      return [...symbols];
    } finally {
      this.#asked.delete(text);
    }
  }
}

/** Some list `pay(int)`, some `Cart.pay` or `Cart::pay`. */
function keyOf({ name, location }: ListedSymbol): string {
  const [head = ''] = name.split('(', 1);
  return `${location.uri.toString()} ${
    head
      .trim()
      .split(/[.#]|::/)
      .at(-1) ?? head
  }`;
}

import type { SearchPage, SearchQuery, SearchView } from '../search/searchView';

/** A search that is made when somebody asks for it: for most questions about a past state nobody does. */
export class LaterSearch implements SearchView {
  #made: SearchView | undefined;
  #making: Promise<SearchView> | undefined;

  /** `make` is called again after it has failed. */
  constructor(private readonly make: () => Promise<SearchView>) {}

  get documentCount(): number {
    return this.#now().documentCount;
  }

  search(query: SearchQuery): SearchPage {
    return this.#now().search(query);
  }

  async searchInSteps(query: SearchQuery, pause: () => Promise<void>): Promise<SearchPage> {
    return (await this.prepare()).searchInSteps(query, pause);
  }

  suggest(name: string, limit: number): ReturnType<SearchView['suggest']> {
    return this.#now().suggest(name, limit);
  }

  async prepare(): Promise<SearchView> {
    if (this.#made !== undefined) return this.#made;
    this.#making ??= this.make().finally(() => {
      this.#making = undefined;
    });
    this.#made = await this.#making;
    return this.#made;
  }

  #now(): SearchView {
    if (this.#made === undefined) throw new SearchNotMade(this);
    return this.#made;
  }
}

/** Thrown where something searches at once that has not been made yet. */
class SearchNotMade extends Error {
  constructor(readonly search: LaterSearch) {
    super('The search of a past state was not made.');
  }
}

/** Asks a question that only reads, and asks it again where it turned out to search: then that is made first. */
export async function withSearches<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof SearchNotMade)) throw error;
      await error.search.prepare();
    }
  }
}

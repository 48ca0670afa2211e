import { type AnyOrama, create, type IDocumentsStore, type IIndex, search, type TokenScore } from '@orama/orama';
import { InvariantViolated } from '../base/result';
import { SEARCH_FIELDS, type SearchHit, type SearchPage, type SearchQuery } from './searchView';
import { tokenize } from './tokenizer';

const NO_PAGE: SearchPage = { hits: [], total: 0 };

/**
 * Orama with our tokenizer, our index component and our document store.
 *
 * What we go around, with the figures that decided it (50,000 and 200,000 documents, one core):
 * its insert pipeline takes 2.6 s for 50,000 documents, since each token costs a scan of all tokens of the field; the columns of `segmentBuilder` take
 * under half a second. Its stored index answers three common words in 97 ms (p95) at 50,000 and 2.3 s at 200,000 documents; the columns in about 3 ms.
 * Its document store would hold every text a second time. So documents reach the columns directly, and `insert`, `remove`, `load` and `save` of the
 * component refuse. Orama's own sort and paging see only the best `offset + limit` documents, numbered by rank; so ties stay in order of ids.
 */
export class OramaEngine {
  readonly #orama: AnyOrama;
  #rank: () => SearchPage = () => NO_PAGE;
  #page: SearchPage = NO_PAGE;

  constructor() {
    const rankNow = (): TokenScore[] => {
      this.#page = this.#rank();
      this.#orama.internalDocumentIDStore.internalIdToId = this.#page.hits.map(hit => hit.id);
      return this.#page.hits.map((hit, position) => [position + 1, hit.score]);
    };
    this.#orama = create({
      schema: FIELD_TYPES,
      sort: { enabled: false },
      components: {
        tokenizer: { language: 'english', normalizationCache: new Map<string, string>(), tokenize: (text: string) => [...tokenize(text)] },
        index: indexComponent(rankNow),
        documentsStore: documentsComponent(rankedId => this.#page.hits[rankedId - 1]),
      },
    });
  }

  /** `rank` gives the best `offset + limit` documents; it is not called for a query without text. */
  search(query: SearchQuery, rank: () => SearchPage): SearchPage {
    if (query.text.trim() === '') return NO_PAGE;
    this.#rank = rank;
    const offset = Math.max(0, Math.floor(query.offset));
    const found = search(this.#orama, { term: query.text, limit: Math.max(0, Math.floor(query.limit)), offset });
    if (found instanceof Promise) throw new InvariantViolated('Orama answered later although no hook was given');
    const outcome = { hits: found.hits.map(hit => hit.document as unknown as SearchHit), total: this.#page.total };
    this.#page = NO_PAGE;
    return outcome;
  }
}

const FIELD_TYPES = Object.fromEntries(SEARCH_FIELDS.map(field => [field, 'string' as const]));

interface NoStore {
  readonly vectorIndexes: Readonly<Record<string, never>>;
}

function indexComponent(rankNow: () => TokenScore[]): IIndex<never> {
  const component = {
    create: (): NoStore => ({ vectorIndexes: {} }),
    search: rankNow,
    searchByWhereClause: refuse,
    getSearchableProperties: () => Object.keys(FIELD_TYPES),
    getSearchablePropertiesWithTypes: () => FIELD_TYPES,
    insert: refuse,
    remove: refuse,
    insertDocumentScoreParameters: refuse,
    insertTokenScoreParameters: refuse,
    removeDocumentScoreParameters: refuse,
    removeTokenScoreParameters: refuse,
    calculateResultScores: refuse,
    load: refuse,
    save: refuse,
  };
  return component as unknown as IIndex<never>;
}

function documentsComponent(hitAt: (rankedId: number) => SearchHit | undefined): IDocumentsStore {
  const component = {
    create: () => ({ docs: {} }),
    get: (_store: unknown, id: number) => hitAt(id),
    getMultiple: (_store: unknown, ids: readonly number[]) => ids.map(hitAt),
    getAll: () => ({}),
    count: () => 0,
    store: refuse,
    remove: refuse,
    load: refuse,
    save: refuse,
  };
  return component as unknown as IDocumentsStore;
}

function refuse(): never {
  throw new InvariantViolated('documents reach the search index through SearchIndex.update');
}

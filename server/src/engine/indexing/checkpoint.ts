import { Packr } from 'msgpackr';
import { neverCancelled } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import { eachInSteps, runSteps, type Steps } from '../../base/steps';
import type { Turn } from '../../base/yield';
import { CodeGraph } from '../../code/graph/codeGraph';
import { ColumnWriter, fromColumns, GRAPH_FORMAT, type GraphColumns } from '../../code/graph/graphColumns';
import { SEARCH_COLUMNS_VERSION } from '../../search/columns';
import { SearchIndex } from '../../search/searchIndex';
import type { Disk } from '../../store/disk';
import { loadGraphPack, saveGraphPack } from '../../store/graphPack';
import type { PreciseSummary } from '../precise/preciseFiles';
import { FACTS_VERSION } from './fileLoader';
import type { TrackedFile } from './fileTable';
import type { IndexState } from './indexState';
import { fromPieces, inPieces } from './largeParts';
import { ResolverLinks } from './resolverLinks';

/** Raised whenever `TrackedFile` changes. */
const TABLE_FORMAT = 8;
/** Files packed between two checks of the clock. */
const SLICE = 8;

/** The warm-start state of one checkout on disk: graph, search columns and the table of files, replaced as a whole. */
export class Checkpoint {
  readonly #version: string;
  readonly links: ResolverLinks;

  constructor(
    private readonly disk: Disk,
    private readonly path: string,
    engineVersion: string,
  ) {
    this.links = new ResolverLinks(disk, `${path}.links`, engineVersion);
    this.#version = [engineVersion, FACTS_VERSION, GRAPH_FORMAT, SEARCH_COLUMNS_VERSION, TABLE_FORMAT].join('.');
  }

  /** `precise` is what of precise indexes is in the graph. */
  async save(state: IndexState, precise: PreciseSummary, turn: Turn): Promise<Result<void>> {
    const packr = makePackr();
    const { view } = state.graph;
    const { revision } = view;
    const content = contentOf(state);
    // The first end of an index does not wait for it; when contents are saved too there is time.
    if (content.isComplete) {
      await view.preparePageRank(() => turn.check(neverCancelled));
      await view.prepareCommunities(() => turn.check(neverCancelled));
    }
    const writer = new ColumnWriter(state.interner);
    const fileSlices = slices(state.graph.entries());
    const tableSlices = slices([...state.table.values()]);
    const pause = (): Promise<void> | undefined => turn.check(neverCancelled);
    const search = await runSteps(state.search.toColumns(), pause, neverCancelled);
    const parts: Uint8Array[] = [];
    const put = async (value: unknown): Promise<void> => {
      parts.push(packr.pack(value));
      await pause();
    };
    const putLarge = async (value: object): Promise<void> => {
      for (const piece of inPieces(value)) await put(piece);
    };
    await put({
      format: GRAPH_FORMAT,
      revision,
      fileSlices: fileSlices.length,
      tableSlices: tableSlices.length,
      searchVersion: search.version,
      searchFields: search.segments.map(({ postings }) => postings.length),
      precise,
      content,
      links: await this.links.save(state, turn),
    } satisfies Head);
    for (const slice of fileSlices) await put(writer.write(slice));
    await put(writer.idColumns);
    for (const column of writer.ids()) await put(column);
    await putLarge({ ranks: writer.ranksOf(view), communities: writer.communitiesOf(view) });
    for (const { postings, ...segment } of search.segments) {
      await putLarge(segment);
      for (const field of postings) await putLarge(field);
    }
    for (const slice of tableSlices) await put(slice);
    return saveGraphPack(this.disk, this.path, this.#version, parts, pause);
  }

  /** `undefined` when there is nothing to start from. A saved state that is damaged is told as an error with its `message`. */
  async load(state: IndexState, turn: Turn): Promise<Result<PreciseSummary | undefined>> {
    const content = await loadGraphPack(this.disk, this.path, this.#version, () => turn.check(neverCancelled));
    if ('problem' in content) return err({ code: 'DAMAGED', message: content.problem });
    if ('missing' in content) return ok(undefined);
    try {
      const precise = await this.#restore(state, content.parts, turn);
      return precise !== undefined ? ok(precise) : err({ code: 'DAMAGED', message: `The saved graph ${this.path} is inconsistent and will be rebuilt.` });
    } catch (error) {
      return err({ code: 'DAMAGED', message: `The saved graph ${this.path} cannot be read (${String(error)}) and will be rebuilt.` });
    }
  }

  async #restore(state: IndexState, parts: readonly Uint8Array[], turn: Turn): Promise<PreciseSummary | undefined> {
    const packr = makePackr();
    let next = 0;
    const take = async (): Promise<unknown> => {
      const part = parts[next++];
      if (part === undefined) throw new RangeError('a part is missing');
      const value: unknown = packr.unpack(part);
      await turn.check(neverCancelled);
      return value;
    };
    const head = (await take()) as Head;
    const files: GraphColumns['files'][number][] = [];
    for (let slice = 0; slice < head.fileSlices; slice++) files.push(...((await take()) as GraphColumns['files']));
    const ids: GraphColumns['ids'][number][] = [];
    for (let columns = (await take()) as number; columns > 0; columns--) ids.push((await take()) as GraphColumns['ids'][number]);
    const { communities, ranks } = (await fromPieces(take)) as Pick<GraphColumns, 'ranks' | 'communities'>;
    const segments: unknown[] = [];
    for (const fields of head.searchFields) {
      const segment = await fromPieces(take);
      const postings: unknown[] = [];
      for (let field = 0; field < fields; field++) postings.push(await fromPieces(take));
      segments.push({ ...segment, postings });
    }
    const tracked: TrackedFile[] = [];
    for (let slice = 0; slice < head.tableSlices; slice++) tracked.push(...((await take()) as TrackedFile[]));
    // Revisions after the last save were lost with their owner; their numbers are not given again.
    const graph = new CodeGraph(state.interner, Math.max(head.revision, state.firstRevision));
    const inTurns = <T>(steps: Steps<T>): Promise<T> => runSteps(steps, () => turn.check(neverCancelled), neverCancelled);
    const search = await inTurns(SearchIndex.fromColumns({ version: head.searchVersion, segments }));
    if (search === undefined) return undefined;
    const columns: GraphColumns = { format: head.format, revision: head.revision, ids, files, ranks, communities };
    if ((await inTurns(fromColumns(graph, columns, state.interner))) === undefined) return undefined;
    await inTurns(eachInSteps(tracked, file => state.table.set(file)));
    state.pendingContent.commit = head.content.commit;
    if (!head.content.isComplete) state.pendingContent.add(state.table.paths());
    state.restore(graph, search);
    state.linksKey = head.links;
    return head.precise;
  }
}

interface Head {
  readonly format: number;
  readonly revision: number;
  readonly fileSlices: number;
  readonly tableSlices: number;
  readonly searchVersion: number;
  /** Postings of each segment of the search index: a part each, so that packing a large one can yield in between. */
  readonly searchFields: readonly number[];
  readonly precise: PreciseSummary;
  /** Whether content and history of all files are in the search index, and up to which commit. */
  readonly content: { readonly isComplete: boolean; readonly commit: string | undefined };
  readonly links: number | undefined;
}

function contentOf({ pendingContent }: IndexState): Head['content'] {
  return { isComplete: pendingContent.size === 0, commit: pendingContent.commit };
}

function makePackr(): Packr {
  return new Packr({ moreTypes: true, useRecords: true, sequential: false });
}

function slices<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / SLICE) }, (_, at) => items.slice(at * SLICE, (at + 1) * SLICE));
}

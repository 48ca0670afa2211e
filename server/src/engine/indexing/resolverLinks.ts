import { Packr } from 'msgpackr';
import { neverCancelled } from '../../base/cancellation';
import type { Turn } from '../../base/yield';
import type { ResolverColumns } from '../../code/resolve/resolver';
import type { Disk } from '../../store/disk';
import { loadGraphPack, saveGraphPack } from '../../store/graphPack';
import { FACTS_VERSION } from './fileLoader';
import type { IndexState } from './indexState';
import { fromPieces, inPieces } from './largeParts';

/** Raised whenever what a resolver's columns mean changes. */
const LINKS_FORMAT = 3;

/**
 * What the resolver knows of who rests on what, in a file beside the saved graph. With it the first change after a start costs reading facts back, not resolving
 * them all; without it, or with one that is not of this graph, everything is resolved once more.
 */
export class ResolverLinks {
  readonly #version: string;

  constructor(
    private readonly disk: Disk,
    private readonly path: string,
    engineVersion: string,
  ) {
    this.#version = [engineVersion, FACTS_VERSION, LINKS_FORMAT].join('.');
  }

  /** The key of what is on disk for the graph as it is, `undefined` when nothing is. Never rejects; to be called in the lane, before the graph is saved with that key. */
  async save(state: IndexState, turn: Turn): Promise<number | undefined> {
    const { resolver } = state;
    if (state.linksKey !== undefined || resolver === undefined || state.pendingContent.size > 0) return state.linksKey;
    const key = state.graph.view.revision;
    const { dependencies, ...texts } = resolver.toColumns();
    const packr = new Packr({ moreTypes: true, useRecords: true });
    const pause = (): Promise<void> | undefined => turn.check(neverCancelled);
    const parts: Uint8Array[] = [];
    for (const part of [{ key }, texts, dependencies]) {
      for (const piece of inPieces(part)) {
        await pause();
        parts.push(packr.pack(piece));
      }
    }
    const saved = await saveGraphPack(this.disk, this.path, this.#version, parts, pause);
    state.linksKey = saved.ok ? key : undefined;
    return state.linksKey;
  }

  /** Never rejects. */
  async load(key: number): Promise<ResolverColumns | undefined> {
    const content = await loadGraphPack(this.disk, this.path, this.#version).catch(() => undefined);
    if (content === undefined || !('parts' in content) || content.parts.length < 3) return undefined;
    const packr = new Packr({ moreTypes: true, useRecords: true });
    try {
      const parts = content.parts.values();
      const take = async (): Promise<unknown> => packr.unpack(parts.next().value ?? new Uint8Array(0));
      const head = await fromPieces(take);
      if (head['key'] !== key) return undefined;
      return { ...(await fromPieces(take)), dependencies: await fromPieces(take) } as unknown as ResolverColumns;
    } catch {
      return undefined;
    }
  }
}

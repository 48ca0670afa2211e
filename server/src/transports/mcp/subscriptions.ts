import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { neverCancelled } from '../../base/cancellation';
import type { Disposable } from '../../base/disposable';
import type { Gateway } from '../../session/gateway';
import { askFeature } from '../asking';
import { newSessionId } from '../callers';
import { RESOURCES } from './resources';

/** Most resources that one connection follows; more are refused. */
const MAX_FOLLOWED = 1000;
/** Newest episodes that are looked at after a write. */
const MAX_EPISODES = 50;
const TELLING = RESOURCES.filter(row => row.tells !== undefined);

/** What followers are told of an episode, never its content. */
export interface EpisodeNews {
  readonly id: string;
  readonly type: string;
  readonly agentId: string;
  readonly entities: readonly string[];
}

/**
 * Resources that the client follows, in both eras: `resources/subscribe`, and `subscriptions/listen`, whose streams the SDK keeps and filters;
 * it only has to be sent what may be asked for.
 */
export class Subscriptions implements Disposable {
  readonly #uris = new Set<string>();
  /** Sessions of this connection: what they write is no news to it. */
  readonly #own = new Set<string>();
  /** Episodes that were there before, or are told of; `undefined` as long as nobody follows them. */
  #known: Set<string> | undefined;
  #looking: Promise<void> = Promise.resolve();
  #gateway: Gateway | undefined;
  #publish: (uri: string, episode?: EpisodeNews) => Promise<void> = () => Promise.resolve();
  #heard: readonly Disposable[] = [];

  constructor(private readonly report: (error: Error) => void) {}

  /** The newer era's way in: a request as it came over the line. */
  hear(method: string, params: unknown): void {
    if (method !== 'subscriptions/listen') return;
    const wanted = z.object({ notifications: z.object({ resourceSubscriptions: z.array(z.string()) }) }).safeParse(params);
    for (const uri of wanted.success ? wanted.data.notifications.resourceSubscriptions : []) this.#add(uri);
  }

  /** The older era's way in. `sessions` are those that the server's caller writes in. */
  serve(server: McpServer, sessions: readonly string[]): void {
    for (const session of sessions) this.#own.add(session);
    this.publishTo((uri, episode) => server.server.sendResourceUpdated({ uri, ...(episode === undefined ? {} : { _meta: { episode } }) }));
    server.server.setRequestHandler('resources/subscribe', async ({ params }) => {
      if (!this.#add(params.uri)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `At most ${MAX_FOLLOWED} resources can be subscribed to.`);
      await this.#looking;
      return {};
    });
    server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      this.#uris.delete(params.uri);
      return {};
    });
  }

  /** Where news of a followed resource goes. */
  publishTo(publish: (uri: string, episode?: EpisodeNews) => Promise<void>): void {
    this.#publish = publish;
  }

  /** Tells of what changes in this workspace; the one followed before is left. */
  follow(gateway: Gateway): void {
    this.dispose();
    this.#gateway = gateway;
    // Of another workspace, whatever is there was there before.
    if (this.#known !== undefined) this.#look(true);
    this.#heard = [gateway.onRecords(areas => this.#changed(areas)), gateway.onRevision(() => this.#changed(['revision']))];
  }

  dispose(): void {
    for (const listener of this.#heard) listener.dispose();
    this.#heard = [];
  }

  #add(uri: string): boolean {
    if (this.#uris.size >= MAX_FOLLOWED && !this.#uris.has(uri)) return false;
    this.#uris.add(uri);
    if (this.#known === undefined && TELLING.some(row => row.uri === uri)) this.#look(true);
    return true;
  }

  /** Looks for episodes that were not there before, one look after the other. The first only learns what is there. */
  #look(isFirst = false): void {
    this.#known ??= new Set();
    const failed = (error: unknown): void => this.report(error instanceof Error ? error : new Error(String(error)));
    this.#looking = this.#looking.then(() => this.#notifyOfEpisodes(isFirst)).catch(failed);
  }

  async #notifyOfEpisodes(isFirst: boolean): Promise<void> {
    const known = this.#known;
    if (this.#gateway === undefined || known === undefined) return;
    const asker = { kind: 'agent', agentId: undefined, sessionId: newSessionId() } as const;
    const found = await askFeature(this.#gateway, 'latestEpisodes', { limit: MAX_EPISODES }, asker, neverCancelled);
    if (!found.ok) return;
    const fresh = found.value.episodes.filter(({ id }) => !known.has(id)).reverse();
    this.#known = new Set(found.value.episodes.map(({ id }) => id));
    if (isFirst) return;
    for (const { sessionId, ...news } of fresh) {
      if (this.#own.has(sessionId)) continue;
      for (const { tells, uri } of TELLING) if (this.#uris.has(uri) && (tells === 'all' || tells === news.type)) await this.#publish(uri, news);
    }
  }

  #changed(areas: readonly string[]): void {
    if (areas.includes('memory') && this.#known !== undefined) this.#look();
    const prefixes = RESOURCES.filter(row => row.follows !== undefined && areas.includes(row.follows)).map(row => row.uri.replace(/\{.*$/, ''));
    for (const uri of this.#uris) {
      if (!prefixes.some(prefix => uri.startsWith(prefix))) continue;
      this.#publish(uri).catch((error: unknown) => this.report(error instanceof Error ? error : new Error(String(error))));
    }
  }
}

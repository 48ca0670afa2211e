import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Disposable } from '../../base/disposable';
import type { Gateway } from '../../session/gateway';
import { RESOURCES } from './resources';

/** Most resources that one connection follows; more are refused. */
const MAX_FOLLOWED = 1000;

/**
 * Resources that the client follows, in both eras: `resources/subscribe`, and `subscriptions/listen`, whose streams the SDK keeps and filters;
 * it only has to be sent what may be asked for.
 */
export class Subscriptions implements Disposable {
  readonly #uris = new Set<string>();
  #publish: (uri: string) => Promise<void> = () => Promise.resolve();
  #heard: readonly Disposable[] = [];

  constructor(private readonly report: (error: Error) => void) {}

  /** The newer era's way in: a request as it came over the line. */
  hear(method: string, params: unknown): void {
    if (method !== 'subscriptions/listen') return;
    const wanted = z.object({ notifications: z.object({ resourceSubscriptions: z.array(z.string()) }) }).safeParse(params);
    for (const uri of wanted.success ? wanted.data.notifications.resourceSubscriptions : []) this.#add(uri);
  }

  /** The older era's way in. */
  serve(server: McpServer): void {
    this.publishTo(uri => server.server.sendResourceUpdated({ uri }));
    server.server.setRequestHandler('resources/subscribe', ({ params }) => {
      if (!this.#add(params.uri)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `At most ${MAX_FOLLOWED} resources can be subscribed to.`);
      return {};
    });
    server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      this.#uris.delete(params.uri);
      return {};
    });
  }

  /** Where news of a followed resource goes. */
  publishTo(publish: (uri: string) => Promise<void>): void {
    this.#publish = publish;
  }

  /** Tells of what changes in this workspace; the one followed before is left. */
  follow(gateway: Gateway): void {
    this.dispose();
    this.#heard = [gateway.onRecords(areas => this.#changed(areas)), gateway.onRevision(() => this.#changed(['revision']))];
  }

  dispose(): void {
    for (const listener of this.#heard) listener.dispose();
    this.#heard = [];
  }

  #add(uri: string): boolean {
    if (this.#uris.size >= MAX_FOLLOWED && !this.#uris.has(uri)) return false;
    this.#uris.add(uri);
    return true;
  }

  #changed(areas: readonly string[]): void {
    const prefixes = RESOURCES.filter(row => row.follows !== undefined && areas.includes(row.follows)).map(row => row.uri.replace(/\{.*$/, ''));
    for (const uri of this.#uris) {
      if (!prefixes.some(prefix => uri.startsWith(prefix))) continue;
      this.#publish(uri).catch((error: unknown) => this.report(error instanceof Error ? error : new Error(String(error))));
    }
  }
}

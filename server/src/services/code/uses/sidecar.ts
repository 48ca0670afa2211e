/** Requests through the Dapr process beside a program: the application is in the path or in a header, whatever the host. */
import { type CallTerm, termName } from '../../../model/digest';
import type { UrlTemplate } from '../../surface';
import type { RouteCollector } from '../collector';
import type { Scope } from '../units';
import { literalOf, type Piece, type Value } from '../values';

const APP_HEADER = 'dapr-app-id';

/** `http://localhost:3500/v1.0/invoke/orders/method/items` leads to `items` of `orders`. */
export function throughSidecar(url: UrlTemplate): UrlTemplate {
  const { app, path } = /^\/v1\.0\/invoke\/(?<app>[^/{}]+)\/method(?<path>\/.*)?$/.exec(url.path)?.groups ?? {};
  return app === undefined ? url : { host: app, path: path ?? '' };
}

/** The topic that a request to the process beside a program publishes to. */
export function publishedTopic({ path }: UrlTemplate): string | undefined {
  return /^\/v1\.0\/publish\/[^/]+\/(?<topic>[^/{}]+)$/.exec(path)?.groups?.['topic'];
}

/** Functions that answer with what they are given. */
const ANSWERS = /^(?:json|send|jsonify|dumps|JSONResponse)$/;

/** Topics that a program answers with when it is asked for its subscriptions: `res.json([{ pubsubname: 'pubsub', topic: 'orders', route: 'orders' }])`. */
export function subscribedTopics(collector: RouteCollector, call: CallTerm, scope: Scope): readonly string[] {
  const [answer = 0] = ANSWERS.test(termName(call.callee)) ? call.args : [];
  return collector.evaluator.values(answer, scope).flatMap(value => {
    const items = value.kind === 'list' ? value.items.flatMap(item => collector.evaluator.values(item, value.scope)) : [];
    return items.flatMap(item => {
      if (item.kind !== 'object' || !item.entries.some(([key]) => /^pubsub_?name$/i.test(key))) return [];
      const topic = item.entries.find(([key]) => key === 'topic')?.[1] ?? 0;
      return collector.evaluator.texts(topic, item.scope).flatMap(pieces => literalOf(pieces) ?? []);
    });
  });
}

/** Applications that functions name in a header of their requests: `req.Header.Add("dapr-app-id", "orders")`. */
export class NamedApplications {
  readonly #byScope = new Map<Scope, string>();

  constructor(private readonly collector: RouteCollector) {
    for (const { call, scope } of collector.visits) {
      const [first = 0, second] = call.args;
      if (second === undefined || first === 0 || first.kind !== 'text' || first.text !== APP_HEADER) continue;
      const app = this.#wordOf(collector.evaluator.textsAt(call, 1, scope)[0]);
      if (app !== undefined) this.#byScope.set(scope, app);
    }
  }

  /** The application that a request is for by its headers, among its arguments or set beside it. */
  of(call: CallTerm, scope: Scope): string | undefined {
    for (const argument of call.args) {
      const term = argument !== 0 && argument.kind === 'named' ? (argument.name === 'headers' ? argument.value : 0) : argument;
      for (const value of this.collector.evaluator.values(term, scope)) {
        const app = this.#inHeaders(value) ?? this.#entry(value, 'headers').map(inner => this.#inHeaders(inner))[0];
        if (app !== undefined) return app;
      }
    }
    return this.#byScope.get(scope);
  }

  #inHeaders(value: Value): string | undefined {
    for (const found of this.#entry(value, APP_HEADER)) {
      const app = found.kind === 'text' ? this.#wordOf(found.pieces) : undefined;
      if (app !== undefined) return app;
    }
    return undefined;
  }

  #entry(value: Value, name: string): readonly Value[] {
    const term = value.kind === 'object' ? value.entries.find(([key]) => key === name)?.[1] : undefined;
    return term === undefined || value.kind !== 'object' ? [] : this.collector.evaluator.values(term, value.scope);
  }

  #wordOf(pieces: readonly Piece[] | undefined): string | undefined {
    const word = pieces === undefined ? undefined : literalOf(pieces);
    return word === '' ? undefined : word;
  }
}

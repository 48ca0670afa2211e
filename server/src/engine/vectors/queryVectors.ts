import type { RemoteEmbedder } from './remoteEmbedder';

/** Queries whose vectors are kept. */
const MAX_KEPT = 256;
/** An answer does not wait longer for a service; it is by words then. */
const QUERY_TIMEOUT_MS = 2_000;

/** Vectors of queries from a service, the latest ones kept. */
export class QueryVectors {
  readonly #kept = new Map<string, Promise<Float32Array | undefined>>();

  constructor(private readonly service: () => RemoteEmbedder | undefined) {}

  /** `undefined` when no service is in use or it does not answer in time. */
  of(text: string): Promise<Float32Array | undefined> {
    const service = this.service();
    if (service === undefined) return Promise.resolve(undefined);
    const key = `${service.id}\n${text}`;
    const known = this.#kept.get(key);
    const vector =
      known ??
      service.embed([text], QUERY_TIMEOUT_MS).then(
        ([first]) => first,
        () => {
          this.#kept.delete(key);
          return undefined;
        },
      );
    this.#kept.delete(key);
    this.#kept.set(key, vector);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return vector;
  }
}

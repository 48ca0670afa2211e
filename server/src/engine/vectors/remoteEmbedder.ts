import type { RetrievalSettings } from '../../model/settings';

/** Vectors for texts from a service that the user named. Rejects with a sentence that holds neither key nor text. */
export interface RemoteEmbedder {
  /** Kind and model: vectors of different ones cannot be compared. */
  readonly id: string;
  embed(texts: readonly string[], timeoutMs: number): Promise<readonly Float32Array[]>;
}

/** How each kind of service is asked and answers. */
interface Dialect {
  readonly path: string;
  readonly endpoint: string;
  read(answer: unknown): readonly unknown[] | undefined;
}

const DIALECTS: Readonly<Record<'openai' | 'ollama', Dialect>> = {
  openai: {
    path: 'embeddings',
    endpoint: '',
    read: answer => {
      const { data } = answer as { data?: unknown };
      if (!Array.isArray(data)) return undefined;
      const rows = data as readonly { readonly index?: number; readonly embedding?: unknown }[];
      return [...rows].sort((a, b) => (a.index ?? 0) - (b.index ?? 0)).map(row => row.embedding);
    },
  },
  ollama: {
    path: 'api/embed',
    endpoint: 'http://127.0.0.1:11434',
    read: answer => {
      const { embeddings } = answer as { embeddings?: unknown };
      return Array.isArray(embeddings) ? embeddings : undefined;
    },
  },
};

/** The service of the settings, or why it cannot be asked. `key` goes nowhere but into the request. */
export function remoteEmbedderOf(
  { embedder, endpoint, model }: Pick<RetrievalSettings, 'embedder' | 'endpoint' | 'model'>,
  key: string | undefined,
): RemoteEmbedder | { readonly problem: string } {
  if (embedder !== 'openai' && embedder !== 'ollama') return { problem: 'no embedding service is configured' };
  const dialect = DIALECTS[embedder];
  const base = endpoint === '' ? dialect.endpoint : endpoint;
  if (base === '') return { problem: 'lattice.search.embedderEndpoint is not set' };
  if (model === '') return { problem: 'lattice.search.embedderModel is not set' };
  const url = urlOf(base, dialect.path);
  if (url === undefined) return { problem: `lattice.search.embedderEndpoint is not an HTTP or HTTPS URL` };
  if (key !== undefined && url.protocol === 'http:' && !isLoopback(url)) return { problem: 'API keys are only sent over HTTPS or to this machine' };
  return { id: `${embedder}:${url.host}:${model}`, embed: (texts, timeoutMs) => ask({ url, dialect, model, key }, texts, timeoutMs) };
}

interface Service {
  readonly url: URL;
  readonly dialect: Dialect;
  readonly model: string;
  readonly key: string | undefined;
}

async function ask({ dialect, key, model, url }: Service, texts: readonly string[], timeoutMs: number): Promise<readonly Float32Array[]> {
  const response = await fetch(url, {
    method: 'POST',
    // A service that sends on elsewhere is not the one that the user named.
    redirect: 'error',
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ model, input: texts }),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    throw new Error(
      error instanceof Error && error.name === 'TimeoutError' ? `${url.host} did not answer in ${timeoutMs} ms` : `${url.host} cannot be reached`,
    );
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${url.host} answered ${response.status}`);
  }
  const answer: unknown = await response.json().catch(() => undefined);
  const rows = typeof answer === 'object' && answer !== null ? dialect.read(answer) : undefined;
  const vectors = (rows ?? []).flatMap(row => (isVector(row) ? [Float32Array.from(row)] : []));
  const dimension = vectors[0]?.length;
  if (vectors.length !== texts.length || vectors.some(({ length }) => length !== dimension)) throw new Error(`${url.host} returned an invalid response`);
  return vectors;
}

const MAX_DIMENSIONS = 8192;

function isVector(row: unknown): row is readonly number[] {
  return Array.isArray(row) && row.length > 0 && row.length <= MAX_DIMENSIONS && row.every(value => typeof value === 'number' && Number.isFinite(value));
}

function urlOf(base: string, path: string): URL | undefined {
  try {
    const url = new URL(path, base.endsWith('/') ? base : `${base}/`);
    return (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === '' ? url : undefined;
  } catch {
    return undefined;
  }
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

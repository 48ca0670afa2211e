import { expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { hybridSearch } from '../../../server/src/features/search/hybridSearch';
import { searchCode } from '../../../server/src/features/search/searchCode';
import { type CentralitySettings, DEFAULT_RETRIEVAL, readRetrieval, readSettings } from '../../../server/src/model/settings';
import { TOOLS } from '../../../server/src/tools/catalogue';
import { invoke } from '../../../server/src/tools/invoke';
import type { Workspace } from '../../../server/src/workspace/snapshot';
import { shop } from '../../helpers/shop';
import { workspaceOf } from '../../helpers/workspaceOf';

const QUERY = 'total uses basket';

function shopWith(centrality: Partial<CentralitySettings>): Workspace {
  return { ...workspaceOf(shop), retrieval: { ...DEFAULT_RETRIEVAL, centrality: { ...DEFAULT_RETRIEVAL.centrality, ...centrality } } };
}

async function rows(
  workspace: Workspace,
  more: { readonly rerank?: boolean } = {},
): Promise<readonly { id: string; score: number; centrality: number; blendedScore: number }[]> {
  const found = await searchCode(workspace, { query: QUERY, ...more }, neverCancelled);
  if (!found.ok) throw new Error('no answer');
  return found.value.hits;
}

test('relevance and centrality are blended in the share of the setting, and hits ordered by it', async () => {
  for (const alpha of [0.3, 0.9]) {
    const hits = await rows(shopWith({ alpha }));
    for (const { blendedScore, centrality, score } of hits) expect(blendedScore).toBeCloseTo((1 - alpha) * score + alpha * centrality, 3);
    expect(hits.map(({ blendedScore }) => blendedScore)).toEqual(hits.map(({ blendedScore }) => blendedScore).sort((a, b) => b - a));
  }
});

test('a share of 0 changes no order; neither does annotation alone; the request goes before the setting', async () => {
  const plain = (await rows(shopWith({ reranking: false }))).map(({ id }) => id);
  expect((await rows(shopWith({ alpha: 0 }))).map(({ id }) => id)).toEqual(plain);
  expect((await rows(shopWith({ alpha: 1 }), { rerank: false })).map(({ id }) => id)).toEqual(plain);
  expect((await rows(shopWith({ alpha: 1 }))).map(({ id }) => id)).not.toEqual(plain);
  expect((await rows(shopWith({ alpha: 1, reranking: false }), { rerank: true })).map(({ id }) => id)).not.toEqual(plain);
});

test('centrality is measured as the setting says', async () => {
  const workspace = shopWith({ method: 'degree' });
  const view = workspace.current()?.graph;
  for (const { centrality, id } of await rows(workspace)) expect(centrality).toBeCloseTo(view?.centrality('degree')[view.find(id) ?? -1] ?? -1, 3);
});

test.each([
  [{ annotation: true, reranking: true }, {}, true, true],
  [{ annotation: true, reranking: false }, {}, true, false],
  [{ annotation: false, reranking: false }, {}, false, false],
  [{ annotation: false, reranking: false }, { centrality_reranking: true }, true, true],
  [{ annotation: true, reranking: true }, { centrality_reranking: false }, true, false],
])('with %j and %j hits carry centrality: %s, blended_score: %s', async (settings, input, annotated, reranked) => {
  const call = { name: 'search_code', input: { query: QUERY, ...input }, agentId: undefined, sessionId: 's' };
  const { envelope } = await invoke(TOOLS, shopWith(settings), call, neverCancelled);
  const [first] = (envelope.data as { results: Record<string, unknown>[] }).results;
  expect(['centrality' in (first ?? {}), 'blended_score' in (first ?? {})]).toEqual([annotated, reranked]);
});

test('settings round-trip, also by the names of the specification and by flat keys; what is of the wrong kind keeps its default', () => {
  const centrality = { method: 'closeness', alpha: 0.1, annotation: false, reranking: false } as const;
  const settings = { ...DEFAULT_RETRIEVAL, mode: 'lexical' as const, fusion: 'rrf' as const, embedder: 'ollama' as const, model: 'm', centrality };
  expect(readSettings(JSON.parse(JSON.stringify({ retrieval: settings })))).toEqual({ retrieval: settings });
  expect(readRetrieval({ graph_enhanced: centrality }).centrality).toEqual(centrality);
  const flat = { centrality_method: 'closeness', centrality_alpha: 0.1, centrality_annotation: false, centrality_reranking: false };
  expect(readRetrieval(flat).centrality).toEqual(centrality);
  expect(readRetrieval({ graph_enhanced: flat }).centrality).toEqual(centrality);
  expect(readRetrieval({ mode: 'x', fusion: 3, embedder: 'y', endpoint: 1, alpha: 2, method: 'z', annotation: 'no' })).toEqual(DEFAULT_RETRIEVAL);
});

test('around the best: candidates are what a walk from them reaches', async () => {
  const found = await hybridSearch(workspaceOf(shop), { query: 'report', mode: 'graph' }, neverCancelled);
  const words = await hybridSearch(workspaceOf(shop), { query: 'report', mode: 'bm25' }, neverCancelled);
  if (!found.ok || !words.ok) throw new Error('no answer');
  const ids = found.value.hits.map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(words.value.hits.length);
  expect(ids).toEqual(expect.arrayContaining([words.value.hits[0]?.id]));
});

test('vectors of a service: the query brings its own', async () => {
  const asked: string[] = [];
  const embedQuery = async (text: string): Promise<undefined> => void asked.push(text);
  await searchCode({ ...workspaceOf(shop), embedQuery }, { query: QUERY }, neverCancelled);
  expect(asked).toEqual([QUERY]);
});

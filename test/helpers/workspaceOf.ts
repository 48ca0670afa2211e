import { normalize } from '../../server/src/base/path';
import { err, ok, type Result } from '../../server/src/base/result';
import { linesOf } from '../../server/src/base/text';
import type { GraphView } from '../../server/src/code/graph/graphView';
import { communityLayer } from '../../server/src/layers/communityLayer';
import type { LayerSource } from '../../server/src/layers/layer';
import { LayerStack } from '../../server/src/layers/layerStack';
import { EpisodeLayer } from '../../server/src/layers/memory/episodeLayer';
import { MemoryLayer } from '../../server/src/layers/memory/memoryLayer';
import { transactionLayer } from '../../server/src/layers/memory/transactionLayer';
import type { Backups } from '../../server/src/model/backups';
import type { Records } from '../../server/src/model/records';
import { DEFAULT_PATTERNS, type PatternSettings } from '../../server/src/model/settings';
import type { SearchView } from '../../server/src/search/searchView';
import type { ChangeSet, VersionFailure } from '../../server/src/workspace/changes';
import type { CoveragePort } from '../../server/src/workspace/coverage';
import type { KnowledgeFiles } from '../../server/src/workspace/knowledgeFiles';
import type { PastChanges } from '../../server/src/workspace/pastChanges';
import type { ServicesPort } from '../../server/src/workspace/services';
import type { EngineHealth, RebuildRequest, Snapshot, Workspace } from '../../server/src/workspace/snapshot';
import type { TestRunner } from '../../server/src/workspace/testRunner';
import { graphOf, type WorkspaceSketch } from './graphOf';
import { tokenize } from './words';

export interface MemoryWorkspace extends Workspace {
  /** Rebuilds asked for so far. */
  readonly rebuilds: RebuildRequest[];
  /** Paths that answers had compared with the disk. */
  readonly touched: string[];
}

export interface WorkspaceOptions {
  readonly root?: string;
  readonly texts?: Readonly<Record<string, string>>;
  /** Texts with their comments blank; without one a file is not parsed. */
  readonly codeTexts?: Readonly<Record<string, string>>;
  /** Files whose text is newer than the graph. */
  readonly stale?: readonly string[];
  /** Before the first index there is no snapshot. */
  readonly notReady?: boolean;
  /** What changed, by the version that was asked for; without it there is no git. */
  readonly tests?: Partial<TestRunner>;
  readonly today?: string;
  readonly thresholds?: Partial<PatternSettings>;
  /** See `memoryRecords`; without them nothing was ever written and nothing can be. */
  readonly records?: Records;
  /** Without them there is no folder of knowledge files. */
  readonly knowledgeFiles?: KnowledgeFiles;
  readonly backups?: Backups;
  /** See `servicesOver`; without it nothing is known of services. */
  readonly services?: { readonly layer: LayerSource; readonly port: ServicesPort };
  /** Without it nothing is known of coverage. */
  readonly coverage?: CoveragePort;
  readonly changes?: (since: string | undefined) => Result<ChangeSet, VersionFailure>;
  /** The workspace as it was, by the word that asks for it; without it nothing is known of the past. */
  readonly past?: Readonly<Record<string, WorkspaceSketch>>;
  /** When all of them were, in epoch milliseconds: answers tell. */
  readonly pastTime?: number;
  /** When it is that is looked at, in epoch milliseconds; the present without it. */
  readonly asOf?: number;
  /** Without them it is not known what past commits changed. */
  readonly pastChanges?: PastChanges;
}

/** A workspace in memory over a sketched graph, with a plain word search. */
export function workspaceOf(sketch: WorkspaceSketch, options: WorkspaceOptions = {}): MemoryWorkspace {
  const { interner, view } = graphOf(sketch);
  const root = options.root ?? '/home/ada/shop';
  const { records } = options;
  const sources =
    records === undefined ? [] : [new MemoryLayer(records, { root, caseInsensitive: false }), transactionLayer(records, root), new EpisodeLayer(records)];
  const layers = new LayerStack(interner, [...(options.services === undefined ? [] : [options.services.layer]), ...sources, communityLayer()], () => undefined);
  const search = searchOver(view);
  const snapshotNow = (): Snapshot => {
    const graph = layers.over(view);
    const stamp = { revision: graph.revision, head: 'abc123def456', pendingFiles: 0, ...(options.asOf === undefined ? {} : { asOf: options.asOf }) };
    return { revision: graph.revision, graph, search, stamp, ...(options.stale === undefined ? {} : { stale: new Set(options.stale) }) };
  };
  const rebuilds: RebuildRequest[] = [];
  const touched: string[] = [];
  return {
    root,
    name: 'shop',
    rebuilds,
    touched,
    snapshot: async touching => {
      touched.push(...touching);
      return options.notReady === true ? err({ code: 'NOT_READY', message: 'The first index is not finished.' }) : ok(snapshotNow());
    },
    current: () => (options.notReady === true ? undefined : snapshotNow()),
    readText: async path => {
      const text = options.texts?.[path];
      return text === undefined || normalize(path) === undefined ? err({ code: 'FORBIDDEN', message: `${path} is not in the workspace.` }) : ok(text);
    },
    readSymbol: async ({ endLine, isStale, path, startLine }) => {
      const text = options.texts?.[path];
      if (text === undefined) return err({ code: 'NOT_FOUND', message: `${path} can no longer be read.` });
      return ok({ code: linesOf(text, startLine, endLine), startLine, endLine, isStale });
    },
    codeText: async path => options.codeTexts?.[path],
    changes: async since => options.changes?.(since) ?? err({ code: 'UNAVAILABLE', message: 'This is not a git repository.' }),
    ...(options.past === undefined
      ? {}
      : {
          asOf: async (when: string) => {
            const then = options.past?.[when];
            return then === undefined
              ? err({ code: 'NOT_FOUND', message: `Unknown: ${when}.`, hint: 'Use HEAD.' })
              : ok(workspaceOf(then, { root, ...(options.pastTime === undefined ? {} : { asOf: options.pastTime }) }));
          },
        }),
    pastChanges: () => options.pastChanges,
    tests: {
      policy: () => ({ allowRun: false, trusted: false, commands: [], approved: [] }),
      isInside: async () => true,
      run: async () => err({ code: 'UNAVAILABLE', message: 'Nothing can be started here.' }),
      ...options.tests,
    },
    records: options.records ?? NO_RECORDS,
    knowledgeFiles: options.knowledgeFiles ?? NO_KNOWLEDGE_FILES,
    ...(options.services === undefined ? {} : { services: options.services.port }),
    ...(options.coverage === undefined ? {} : { coverage: options.coverage }),
    ...(options.backups === undefined ? {} : { backups: options.backups }),
    architecture: {
      readText: async path => (path.startsWith('.lattice/') ? ok(options.texts?.[path]) : err({ code: 'FORBIDDEN', message: `${path} is not in .lattice.` })),
      today: () => options.today ?? '2026-06-01',
      thresholds: () => ({ ...DEFAULT_PATTERNS, ...options.thresholds }),
    },
    health: () => healthOf(options.notReady === true),
    commands: {
      rebuild: async request => {
        rebuilds.push(request);
        return ok({ txId: `tx-${rebuilds.length}` });
      },
      rebuildEnd: async () => ok(undefined),
      catchUp: async () => ok(undefined),
    },
  };
}

const NO_KNOWLEDGE_FILES: KnowledgeFiles = {
  settings: () => ({ sync: 'manual', trusted: true }),
  read: async () => ok([]),
  change: async changes => changes.map(({ path }) => ({ path, hash: undefined, problem: 'There is no disk here.' })),
};

const NO_RECORDS: Records = {
  projectId: 'p',
  now: () => 0,
  newId: () => '',
  query: () => [],
  write: async () => err({ code: 'UNAVAILABLE', message: 'This workspace keeps no records.' }),
  onWritten: () => ({ dispose: () => undefined }),
  onApplied: () => ({ dispose: () => undefined }),
  companion: make => make(NO_RECORDS),
};

function searchOver(view: GraphView): SearchView {
  const documents = [...view.nodes()].map(handle => {
    const node = view.node(handle);
    return { id: node.id, words: new Set(tokenize(`${node.id} ${node.doc} ${node.signature}`)) };
  });
  const search: SearchView['search'] = ({ text, limit, offset, accept }) => {
    const words = tokenize(text);
    const hits = documents
      .map(({ id, words: own }) => ({ id, score: words.filter(word => own.has(word)).length, fields: [] }))
      .filter(hit => hit.score > 0 && (accept === undefined || accept(hit.id)))
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
    return { hits: hits.slice(offset, offset + limit), total: hits.length };
  };
  return {
    documentCount: documents.length,
    search,
    searchInSteps: async query => search(query),
    suggest: (name, limit) =>
      documents
        .map(document => document.id)
        .filter(id => id.toLowerCase().includes(name.toLowerCase().slice(0, 3)))
        .slice(0, limit),
  };
}

function healthOf(isStarting: boolean): EngineHealth {
  return {
    progress: { phase: isStarting ? 'parsing' : 'ready', done: 1, total: 2 },
    watcherState: isStarting ? 'not_started' : 'idle',
    pendingFiles: 0,
    languages: [{ language: 'typescript', files: 3, symbols: 5, lines: 100, nodes: 1000, errorNodes: 10 }],
    problems: [],
    problemCounts: { binary: 2 },
    skipped: { ignored: 0, generated: 0, minified: 0 },
    latestTxId: 'tx-0',
    latestTxTimestamp: 1_700_000_000_000,
    txCount: 1,
    recentEvents: [],
    storeBytes: { journal: 1, view: 2, packs: 3 },
    recovered: [],
    lastIndex: undefined,
    dataFolder: '/home/ada/.lattice',
    role: 'owner',
    ownerPid: 1,
    engineVersion: '0.0.0',
  };
}

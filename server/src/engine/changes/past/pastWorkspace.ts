import { err, ok } from '../../../base/result';
import type { FileFacts } from '../../../model/facts';
import type { LanguageId } from '../../../model/languages';
import type { ServicesPort } from '../../../workspace/services';
import type { SearchHealth, Snapshot, Workspace } from '../../../workspace/snapshot';
import { SourceTexts } from '../../sourceTexts';
import { BlobUnavailable } from './blobs';
import type { PastView } from './pastViews';

export interface PastWorkspaceOptions {
  readonly caseInsensitive: boolean;
  /** The graph has the layer of the services, whatever is asked. */
  readonly withServices: boolean;
  parse(path: string, language: LanguageId, text: string): Promise<FileFacts | undefined>;
}

/** Search over a commit knows names, signatures and comments; what else the files hold, and past commits, is not read for it. */
const SEARCH: SearchHealth = {
  words: { done: 0, total: 1 },
  history: 'unreadable',
  vectors: { state: 'off', embedder: 'workspace', dimension: 0, documents: 0, done: 0, cpuMs: 0, packBytes: 0 },
};

/** The workspace as it was at a commit: its code and its texts. What people and agents wrote is that of today; nothing can be changed or run. */
export function pastWorkspace(live: Workspace, { host, moment, services, snapshot: code }: PastView, options: PastWorkspaceOptions): Workspace {
  let isServed = false;
  const snapshot = (): Snapshot => (isServed ? { ...code, graph: services.graph, revision: services.graph.revision } : code);
  const modelOf: ServicesPort['model'] = async token => {
    const model = await services.model(token);
    isServed = true;
    return model;
  };
  const texts = new SourceTexts({
    root: live.root,
    host,
    caseInsensitive: options.caseInsensitive,
    unsavedText: () => undefined,
    isIndexed: path => code.graph.fileOf(path) !== undefined,
    parse: (path, language, text) => options.parse(path, language, text),
  });
  const readOnly = err({ code: 'READ_ONLY', message: 'The past cannot be changed.' });
  return {
    root: live.root,
    name: live.name,
    async snapshot(_touching, token) {
      try {
        if (options.withServices && !isServed) await modelOf(token);
      } catch (error) {
        if (error instanceof BlobUnavailable) return err(error.failure);
        throw error;
      }
      return ok(snapshot());
    },
    current: snapshot,
    readText: path => texts.readText(path),
    readSymbol: (symbol, fileHash) => texts.readSymbol(symbol, fileHash),
    changes: async (since, token) => {
      if (since === undefined || since.includes('..'))
        return err({
          code: 'VALIDATION_ERROR',
          message: `With asOf, since must be a single earlier state to compare with ${moment.name}.`,
        });
      if (moment.recorded !== undefined)
        return err({
          code: 'UNAVAILABLE',
          message: `The changes from ${since} to ${moment.name} cannot be listed, because that state is not a commit. Use lattice diff.`,
        });
      return live.changes(`${since}..${moment.commit ?? ''}`, token);
    },
    ...(live.codeText === undefined ? {} : { codeText: (path, text) => live.codeText?.(path, text) ?? Promise.resolve(undefined) }),
    health: () => live.health(),
    searchHealth: () => SEARCH,
    ...(live.retrieval === undefined ? {} : { retrieval: live.retrieval }),
    tests: { policy: () => live.tests.policy(), isInside: async () => false, run: async () => readOnly },
    architecture: live.architecture,
    records: live.records,
    knowledgeFiles: live.knowledgeFiles,
    services: {
      settings: services.settings,
      model: modelOf,
      get current() {
        return isServed ? services.current : undefined;
      },
      get built() {
        return services.built;
      },
    },
    ...(live.pause === undefined ? {} : { pause: () => live.pause?.() ?? Promise.resolve() }),
    ...(live.takeTurn === undefined ? {} : { takeTurn: () => live.takeTurn?.() ?? Promise.resolve() }),
    commands: { rebuild: async () => readOnly, rebuildEnd: async () => readOnly },
  };
}

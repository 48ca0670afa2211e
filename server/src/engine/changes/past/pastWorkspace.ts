import type { CancellationToken } from '../../../base/cancellation';
import { err, type Failure, ok, type Result } from '../../../base/result';
import type { FileFacts } from '../../../model/facts';
import type { LanguageId } from '../../../model/languages';
import { NO_SERVICES, type ServiceModel } from '../../../services/model';
import type { SearchHealth, Snapshot, Workspace } from '../../../workspace/snapshot';
import { SourceTexts } from '../../sourceTexts';
import type { PastView } from './pastViews';

export interface PastWorkspaceOptions {
  readonly caseInsensitive: boolean;
  /** The graph has the layer of the services, whatever is asked. */
  readonly withServices: boolean;
  parse(path: string, language: LanguageId, text: string): Promise<FileFacts | undefined>;
}

/** Search over a past state knows names, signatures and comments, and the contents of files where it lies over the live index; not all that past commits say. */
const SEARCH: Omit<SearchHealth, 'words'> = {
  history: 'unreadable',
  vectors: { state: 'off', embedder: 'workspace', dimension: 0, documents: 0, done: 0, cpuMs: 0, packBytes: 0 },
};

/** The workspace as it was at a commit: its code and its texts. What people and agents wrote is that of today; nothing can be changed or run. */
export function pastWorkspace(
  live: Workspace,
  { host, moment, searchesContents, services, snapshot: code }: PastView,
  options: PastWorkspaceOptions,
): Workspace {
  let isServed = false;
  const snapshot = (): Snapshot => (isServed ? { ...code, graph: services.graph, revision: services.graph.revision } : code);
  const servicesMade = async (token: CancellationToken): Promise<Result<ServiceModel | undefined, Failure>> => {
    const model = await services.model(token);
    isServed ||= model.ok;
    return model;
  };
  const texts = new SourceTexts({
    root: live.root,
    host,
    caseInsensitive: options.caseInsensitive,
    unsavedText: () => undefined,
    isIndexed: path => code.graph.fileOf(path) !== undefined,
    parse: (path, language, text) => options.parse(path, language, text),
    unreadable: path => (moment.recorded === undefined ? `The content of ${path} is not in this clone.` : `The source of ${path} at that time is not stored.`),
  });
  const readOnly = err({ code: 'READ_ONLY', message: 'Past states are read-only.' });
  return {
    root: live.root,
    name: live.name,
    async snapshot(_touching, token) {
      const made = options.withServices && !isServed ? await servicesMade(token) : ok(undefined);
      return made.ok ? ok(snapshot()) : made;
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
    searchHealth: () => ({ ...SEARCH, words: { done: searchesContents ? 1 : 0, total: 1 } }),
    ...(live.retrieval === undefined ? {} : { retrieval: live.retrieval }),
    tests: { policy: () => live.tests.policy(), isInside: async () => false, run: async () => readOnly },
    architecture: live.architecture,
    records: live.records,
    knowledgeFiles: live.knowledgeFiles,
    services: {
      settings: services.settings,
      async model(token) {
        const model = await servicesMade(token);
        return model.ok ? model.value : { ...NO_SERVICES, problems: [{ file: '', line: 0, message: model.error.message }] };
      },
      get current() {
        return isServed ? services.current : undefined;
      },
      get built() {
        return services.built;
      },
    },
    ...(live.pause === undefined ? {} : { pause: () => live.pause?.() ?? Promise.resolve() }),
    ...(live.takeTurn === undefined ? {} : { takeTurn: () => live.takeTurn?.() ?? Promise.resolve() }),
    commands: { rebuild: async () => readOnly, rebuildEnd: async () => readOnly, catchUp: async () => readOnly },
  };
}

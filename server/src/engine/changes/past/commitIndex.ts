import type { CancellationToken } from '../../../base/cancellation';
import { extname } from '../../../base/path';
import type { Clock, YieldTurn } from '../../../base/ports';
import { err, type Failure, ok, type Result } from '../../../base/result';
import type { FileHost } from '../../../code/files/host';
import type { GraphView } from '../../../code/graph/graphView';
import { communityLayer } from '../../../layers/communityLayer';
import { LayerStack } from '../../../layers/layerStack';
import { languageOfExtension } from '../../../model/languages';
import type { WorkspaceSettings } from '../../../model/settings';
import type { SearchView } from '../../../search/searchView';
import type { PackFile } from '../../../store/packs';
import type { IndexProgress } from '../../../workspace/snapshot';
import { FileLoader, keyOf } from '../../indexing/fileLoader';
import { Indexing } from '../../indexing/indexing';
import { IndexState } from '../../indexing/indexState';
import type { Parsing } from '../../parse/parsing';
import { PreciseFiles } from '../../precise/preciseFiles';
import { Blobs, BlobUnavailable, type ReadBlobs } from './blobs';
import { commitHost } from './commitHost';
import { CommitParsing, type KnownContents } from './commitParsing';
import type { TreeFile } from './commitTree';
import { PastServices, type PastServicesOptions } from './pastServices';

export interface CommitIndexOptions {
  /** Root of the checkout, where the files of the commit appear. */
  readonly root: string;
  readonly caseInsensitive: boolean;
  readonly files: readonly TreeFile[];
  readonly readBlobs: ReadBlobs;
  readonly services: Pick<PastServicesOptions, 'layer' | 'logError' | 'readBlobs' | 'reader' | 'saved' | 'workspaceName'>;
  readonly known: KnownContents;
  readonly parsing: Parsing;
  readonly pack: PackFile | undefined;
  readonly settings: WorkspaceSettings;
  readonly clock: Clock;
  readonly yieldTurn: YieldTurn;
  readonly onProgress: (progress: IndexProgress) => void;
}

/** The index of a commit, made by the same steps as that of a folder: whatever is true of the one is true of the other. */
export interface CommitIndex {
  readonly graph: GraphView;
  readonly search: SearchView;
  readonly host: FileHost;
  readonly services: PastServices;
  /** Number of files whose content the repository does not have (a partial clone): only their names are in the graph. */
  readonly missingFiles: number;
}

/** Facts come from the pack by content hash; only what was never seen is read and parsed. Throws `Cancelled`. */
export async function indexCommit(options: CommitIndexOptions, token: CancellationToken): Promise<Result<CommitIndex, Failure>> {
  const { caseInsensitive, clock, files, known, onProgress, pack, parsing, readBlobs, root, settings, yieldTurn } = options;
  const blobs = new Blobs(readBlobs, await unseen(files, known, pack));
  const byPath = new Map(files.map(file => [file.path, file]));
  const host = commitHost({ root, files, read: blob => blobs.read(blob) });
  const state = new IndexState(0);
  const precise = new PreciseFiles({ root, host, caseInsensitive, paths: () => settings.preciseIndexes });
  const commitParsing = new CommitParsing(parsing, path => byPath.get(path)?.blob, blobs, known);
  const loader = new FileLoader(commitParsing, pack);
  const indexing = new Indexing({
    root,
    host,
    caseInsensitive,
    isCommit: true,
    state,
    loader,
    links: async () => undefined,
    precise,
    clock,
    yieldTurn,
    settings: () => settings,
    onProgress,
  });
  try {
    const done = await indexing.whole({ force: false, distrustSignatures: false, within: undefined }, token);
    if (!done.ok) return done;
  } catch (error) {
    if (!(error instanceof BlobUnavailable)) throw error;
  }
  // Files that could not be read now would look like files that were not there then.
  if (blobs.failure !== undefined) return err(blobs.failure);
  state.ensurePublished();
  const layers = new LayerStack(state.interner, [communityLayer()], () => undefined);
  const { search } = state;
  const missingFiles = files.filter(({ blob }) => blobs.missing.has(blob)).length;
  const services = new PastServices({
    ...options.services,
    root,
    files,
    table: state.table,
    code: state.graph.view,
    interner: state.interner,
    signature: precise.summary.signature,
    factsOf: tracked => loader.factsOf(tracked),
    settings: settings.services,
    clock,
    turn: () => indexing.turn(),
  });
  return ok({ graph: layers.over(state.graph.view), search: search.view(), host, services, missingFiles });
}

/** Contents that will have to be read, in the order in which they are asked for. */
async function unseen(files: readonly TreeFile[], known: KnownContents, pack: PackFile | undefined): Promise<readonly TreeFile[]> {
  const needed: TreeFile[] = [];
  for (const file of files) {
    const answer = await known.of(file.blob);
    const language = languageOfExtension(extname(file.path));
    const isKept = language === undefined || answer?.isBinary === true || answer?.isMinified === true;
    if (answer === undefined || (!isKept && pack?.has(keyOf(answer.contentHash, language, file.path)) !== true)) needed.push(file);
  }
  return needed;
}

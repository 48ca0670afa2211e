import { type CancellationToken, eitherCancelled } from '../../../base/cancellation';
import { extname, type WorkspacePath } from '../../../base/path';
import type { Clock, YieldTurn } from '../../../base/ports';
import { err, type Failure, ok, type Result } from '../../../base/result';
import { Turn } from '../../../base/yield';
import { absoluteOf, decodeText, type FileHost } from '../../../code/files/host';
import type { GraphView } from '../../../code/graph/graphView';
import { isManifest, NotPreviewable } from '../../../code/resolve/resolver';
import { communityLayer } from '../../../layers/communityLayer';
import { LayerStack } from '../../../layers/layerStack';
import { languageOfExtension } from '../../../model/languages';
import type { WorkspaceSettings } from '../../../model/settings';
import type { SearchView } from '../../../search/searchView';
import type { PackFile } from '../../../store/packs';
import type { IndexProgress } from '../../../workspace/snapshot';
import { FileLoader, hashOf, keyOf } from '../../indexing/fileLoader';
import { Indexing } from '../../indexing/indexing';
import { IndexState } from '../../indexing/indexState';
import type { Parsing } from '../../parse/parsing';
import { PreciseFiles } from '../../precise/preciseFiles';
import { Blobs, BlobUnavailable, type ReadBlobs } from './blobs';
import { commitHost } from './commitHost';
import { CommitParsing, type ContentAnswer, type KnownContents } from './commitParsing';
import type { TreeFile } from './commitTree';
import type { KeptLinks } from './keptLinks';
import { PastServices, type PastServicesOptions } from './pastServices';

/** The files of a commit, and what reads them. */
export interface CommitFilesOptions {
  /** Root of the checkout, where the files of the commit appear. */
  readonly root: string;
  readonly caseInsensitive: boolean;
  readonly files: readonly TreeFile[];
  readonly readBlobs: ReadBlobs;
  readonly known: KnownContents;
  readonly live: LiveIndex;
  readonly parsing: Parsing;
  readonly pack: PackFile | undefined;
  readonly settings: WorkspaceSettings;
  readonly clock: Clock;
  readonly yieldTurn: YieldTurn;
  readonly onProgress: (progress: IndexProgress) => void;
}

export interface CommitIndexOptions extends CommitFilesOptions {
  /** Whether the texts of all files can be read. */
  readonly hasTexts: boolean;
  readonly services: ServicesParts;
  readonly kept: KeptLinks;
}

/** What the services of a commit are made with, beside its index. */
export type ServicesParts = Pick<PastServicesOptions, 'layer' | 'logError' | 'readBlobs' | 'reader' | 'saved' | 'workspaceName'>;

/** The index of the checkout as it is now, which most of a past state still is. */
export interface LiveIndex {
  readonly state: IndexState;
  /** Runs work while nothing changes the index, after what waits; rejects with `Cancelled` once it is closed. */
  inLane<T>(work: (token: CancellationToken) => Promise<T>): Promise<T>;
  /** Feeds the resolver after a warm start. Gives files whose facts are lost. */
  prime(token: CancellationToken): Promise<readonly WorkspacePath[]>;
}

/** Where more than this share of the files differ, resolving them all by themselves costs less and blocks nothing. */
const MAX_DIFFERENT_SHARE = 0.25;

/** Contents that are compared before it is decided where to begin. */
const MAX_COMPARED_BYTES = 8 << 20;
/** Contents that the pack of facts is asked about at once. */
const ASKED_AT_ONCE = 256;

/** The index of a commit, made by the same steps as that of a folder: whatever is true of the one is true of the other. */
export interface CommitIndex {
  readonly graph: GraphView;
  /** Made when it is asked for. */
  readonly search: () => Promise<SearchView>;
  readonly host: FileHost;
  readonly services: PastServices;
  /** Whether the contents of files are searched too, not just names, signatures and comments. */
  readonly searchesContents: boolean;
  /** Number of files whose content the repository does not have (a partial clone): only their names are in the graph. */
  readonly missingFiles: number;
}

/**
 * The live index with the files exchanged that differ, where that is most of the commit, else one of its own. Facts come from the pack by content hash;
 * only what was never seen is read and parsed. Throws `Cancelled`.
 */
export async function indexCommit(options: CommitIndexOptions, token: CancellationToken): Promise<Result<CommitIndex, Failure>> {
  const { live } = options;
  try {
    const over = live.state.published === undefined ? undefined : await live.inLane(closing => overlaid(options, eitherCancelled(token, closing)));
    return over ?? (await indexInto(options, new IndexState(0), token));
  } catch (error) {
    if (error instanceof BlobUnavailable) return err(error.failure);
    throw error;
  }
}

/** `undefined` where the live index is no good beginning. */
async function overlaid(options: CommitIndexOptions, token: CancellationToken): Promise<Result<CommitIndex, Failure> | undefined> {
  const { live, clock, yieldTurn } = options;
  const { state } = live;
  const answers = await answersOf(options.files, options.known);
  const reader = reading(options, neededFor(options, answers), answers, differing(options, answers));
  if (state.table.size === 0 || !(await isNear(options, reader, token)) || (await live.prime(token)).length > 0 || state.hasPrecise) return undefined;
  if (!(await canPreviewManifests(options, reader))) return undefined;
  const { host } = reader;
  const contentOf = async (path: WorkspacePath): Promise<string | undefined> => host.read(absoluteOf(options.root, path)).then(decodeText, () => undefined);
  try {
    const index = await indexInto(
      options,
      state.fork({ of: async ({ path }) => ({ text: await contentOf(path), history: '' }) }, fork => options.kept.over(fork)),
      token,
      reader,
    );
    return index.ok ? ok({ ...index.value, searchesContents: options.hasTexts && state.pendingContent.size === 0 }) : index;
  } catch (error) {
    if (error instanceof NotPreviewable) return undefined;
    throw error;
  } finally {
    await state.rollback(new Turn(clock, yieldTurn));
  }
}

/** Whether few files differ from those of the live index. Contents that are not known are compared as long as they are small together; they are read in any case. */
async function isNear({ files, live, settings }: CommitFilesOptions, { answers, blobs }: Reading, token: CancellationToken): Promise<boolean> {
  const { table } = live.state;
  let bytesLeft = MAX_COMPARED_BYTES;
  const hashRead = async ({ blob, sizeBytes }: TreeFile): Promise<string | undefined> => {
    bytesLeft -= sizeBytes;
    const bytes = bytesLeft < 0 ? undefined : await blobs.read(blob, token);
    return bytes === undefined ? undefined : hashOf(bytes);
  };
  const present = new Set(files.map(({ path }) => path));
  if (settings.preciseIndexes.some(path => present.has(path))) return false;
  let different = 0;
  for (const path of table.paths()) if (!present.has(path)) different++;
  for (const file of files) {
    const hash = table.get(file.path)?.record.contentHash ?? '';
    // What is never read has no hash.
    if (hash !== '' && (answers.get(file.blob)?.contentHash ?? (await hashRead(file))) !== hash) different++;
  }
  return different <= table.size * MAX_DIFFERENT_SHARE + 1;
}

/** Whether it can be told which imports the manifests of a commit lead elsewhere than those of the live index. */
async function canPreviewManifests({ files, live, root }: CommitFilesOptions, { answers, host }: Reading): Promise<boolean> {
  const { resolver, table } = live.state;
  if (resolver === undefined) return false;
  const texts = new Map<WorkspacePath, string | undefined>();
  const present = new Set(files.map(({ path }) => path));
  for (const path of table.paths()) if (isManifest(path) && !present.has(path)) texts.set(path, undefined);
  for (const file of files) {
    const { path } = file;
    if (!isManifest(path) || !isDifferent(file, live, answers)) continue;
    texts.set(path, await host.read(absoluteOf(root, path)).then(decodeText, () => undefined));
  }
  return resolver.canPreview(texts);
}

/** How the contents of a commit are read. */
interface Reading {
  readonly blobs: Blobs;
  readonly host: FileHost;
  readonly answers: Answers;
}

/** What was known of contents before any of them was read, by their names. */
type Answers = ReadonlyMap<string, ContentAnswer>;

function reading({ files, readBlobs, root }: CommitFilesOptions, order: readonly TreeFile[], answers: Answers, later: readonly TreeFile[] = []): Reading {
  const blobs = new Blobs(readBlobs, order, later);
  return { answers, blobs, host: commitHost({ root, files, read: blob => blobs.read(blob) }) };
}

/** The same without what is only known of files that differ. */
async function readingUnseen(options: CommitFilesOptions): Promise<Reading> {
  const answers = await answersOf(options.files, options.known);
  return reading(options, unseen(options.files, answers, options.pack), answers);
}

/**
 * Takes a copy of the live index that nobody reads to the state of a commit, for what is kept of its references alone, and with `parts` of its services. False where
 * it cannot go there by the files that differ; then the copy is as it was. Throws `Cancelled`.
 */
export async function resolveCommit(
  options: CommitFilesOptions,
  copy: IndexState,
  token: CancellationToken,
  parts?: ServicesParts,
): Promise<Result<boolean, Failure>> {
  const from = { ...options, live: { ...options.live, state: copy } };
  const reader = await readingUnseen(from);
  try {
    if (!(await isNear(from, reader, token)) || !(await canPreviewManifests(from, reader))) return ok(false);
    const taken = await takeIn(options, copy, token, reader);
    if (!taken.ok) return taken;
    if (parts !== undefined) await modelOnce(servicesOf(options, copy, taken.value, parts), token);
    return ok(true);
  } catch (error) {
    if (error instanceof NotPreviewable) return ok(false);
    if (error instanceof BlobUnavailable) return err(error.failure);
    throw error;
  }
}

async function indexInto(options: CommitIndexOptions, state: IndexState, token: CancellationToken, reader?: Reading): Promise<Result<CommitIndex, Failure>> {
  const taken = await takeIn(options, state, token, reader);
  if (!taken.ok) return taken;
  const { blobs, host, indexing } = taken.value;
  const { files, known, pack } = options;
  state.ensurePublished();
  const layers = new LayerStack(state.interner, [communityLayer()], () => undefined);
  // What is in a file whose facts are known is in the graph without its text.
  const unread = files.filter(({ blob }) => blobs.missing.has(blob));
  const missingFiles = unseen(unread, await answersOf(unread, known), pack).length;
  const services = servicesOf(options, state, taken.value, options.services);
  return ok({ graph: layers.over(state.graph.view), search: () => state.searchLater(indexing.turn()), host, searchesContents: false, services, missingFiles });
}

function servicesOf(options: CommitFilesOptions, state: IndexState, { indexing, loader, precise }: Taken, parts: ServicesParts): PastServices {
  const { clock, files, root, settings } = options;
  return new PastServices({
    ...parts,
    root,
    files,
    table: state.table,
    code: state.graph.view,
    interner: state.interner,
    signature: precise.summary.signature,
    digestOf: tracked => loader.digestOf(tracked),
    settings: settings.services,
    clock,
    turn: () => indexing.turn(),
  });
}

/** For what is kept on the way. What fails is made when somebody asks. */
async function modelOnce(services: PastServices, token: CancellationToken): Promise<void> {
  try {
    await services.model(token);
  } finally {
    await services.close();
  }
}

/** What a commit was taken in with. */
interface Taken extends Omit<Reading, 'answers'> {
  readonly indexing: Indexing;
  readonly loader: FileLoader;
  readonly precise: PreciseFiles;
}

/** Makes an index that of the commit. */
async function takeIn(options: CommitFilesOptions, state: IndexState, token: CancellationToken, reader?: Reading): Promise<Result<Taken, Failure>> {
  const { caseInsensitive, clock, files, known, onProgress, pack, parsing, root, settings, yieldTurn } = options;
  const { answers, blobs, host } = reader ?? (await readingUnseen(options));
  const byPath = new Map(files.map(file => [file.path, file]));
  const precise = new PreciseFiles({ root, host, caseInsensitive, paths: () => settings.preciseIndexes });
  const commitParsing = new CommitParsing(parsing, path => byPath.get(path)?.blob, blobs, known, answers);
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
  const done = await indexing.whole({ force: false, distrustSignatures: true, within: undefined }, token);
  if (!done.ok) return done;
  // Files that could not be read now would look like files that were not there then.
  return blobs.failure === undefined ? ok({ blobs, host, indexing, loader, precise }) : err(blobs.failure);
}

/** Contents that will have to be read for a view over the live index: manifests, which tell whether there can be one, and what is in no pack. */
function neededFor({ files, live, pack }: CommitIndexOptions, answers: Answers): readonly TreeFile[] {
  const manifests = files.filter(file => isManifest(file.path) && isDifferent(file, live, answers));
  return [...new Set([...manifests, ...unseen(files, answers, pack)])];
}

/** Contents that are read when the view is searched, because texts are: also of files whose facts are known. */
function differing({ files, live }: CommitIndexOptions, answers: Answers): readonly TreeFile[] {
  return files.filter(file => isDifferent(file, live, answers));
}

function isDifferent({ blob, path }: TreeFile, { state }: LiveIndex, answers: Answers): boolean {
  return answers.get(blob)?.contentHash !== state.table.get(path)?.record.contentHash;
}

/** Contents that will have to be read, in the order in which they are asked for. */
function unseen(files: readonly TreeFile[], answers: Answers, pack: PackFile | undefined): readonly TreeFile[] {
  return files.filter(({ blob, path }) => {
    const answer = answers.get(blob);
    const language = languageOfExtension(extname(path));
    const isKept = language === undefined || answer?.isBinary === true || answer?.isMinified === true;
    return answer === undefined || (!isKept && pack?.has(keyOf(answer.contentHash, language, path)) !== true);
  });
}

async function answersOf(files: readonly TreeFile[], known: KnownContents): Promise<Answers> {
  const answers = new Map<string, ContentAnswer>();
  for (let at = 0; at < files.length; at += ASKED_AT_ONCE) {
    const some = files.slice(at, at + ASKED_AT_ONCE);
    const found = await Promise.all(some.map(({ blob }) => known.of(blob)));
    for (const [place, answer] of found.entries()) if (answer !== undefined) answers.set(some[place]?.blob ?? '', answer);
  }
  return answers;
}

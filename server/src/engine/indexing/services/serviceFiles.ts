import type { WorkspacePath } from '../../../base/path';
import { absoluteOf, decodeText, type FileHost } from '../../../code/files/host';
import { isMeantForServices } from '../../../services/readServiceFile';
import { isServiceFile, type ServiceFile, SYMFONY_ROUTES } from '../../../services/serviceFile';
import type { FileTable, TrackedFile } from '../fileTable';
import type { ServiceFileReader } from './serviceFileReader';

/** Larger files are named as a problem and not read. */
const MAX_BYTES = 24 * 1024 * 1024;
/** What is read of these to know what they are. */
const HEAD_BYTES = 16 * 1024;

interface Known {
  readonly version: string;
  readonly file: ServiceFile | undefined;
  /** Text of configuration that code refers to. */
  readonly text?: string;
  /** Versions of the files that its references lead to. */
  readonly references: ReadonlyMap<WorkspacePath, string>;
}

export interface ServiceFilesOptions {
  readonly root: string;
  readonly host: FileHost;
  readonly table: FileTable;
  readonly reader: ServiceFileReader;
}

/** What files beside the code say of services. */
export interface ServiceFilesRead {
  readonly files: readonly ServiceFile[];
  /** Texts of configuration by path. */
  readonly configurations: ReadonlyMap<WorkspacePath, string>;
}

/** What files beside the code say of services, by path; reads again only what has changed. */
export class ServiceFiles {
  readonly #known = new Map<WorkspacePath, Known>();

  constructor(private readonly options: ServiceFilesOptions) {}

  /** Ends what is being read. */
  async dispose(): Promise<void> {
    await this.options.reader.dispose();
  }

  forget(): void {
    this.#known.clear();
  }

  /** Brings everything up to date, calling `pause` between files. Whether anything differs now. */
  async update(pause: () => Promise<void> | undefined): Promise<boolean> {
    const { table } = this.options;
    let isChanged = false;
    for (const path of this.#known.keys()) {
      if (table.get(path) !== undefined) continue;
      this.#known.delete(path);
      isChanged = true;
    }
    for (const tracked of Array.from(table.values())) {
      const { path } = tracked.record;
      await pause();
      if (!isServiceFile(path) || this.#isCurrent(tracked)) continue;
      this.#known.set(path, await this.#read(tracked));
      isChanged = true;
    }
    await this.options.reader.rest();
    return isChanged;
  }

  files(): readonly ServiceFile[] {
    return [...this.#known.values()].flatMap(({ file }) => file ?? []);
  }

  /** Texts of configuration by path. */
  configurations(): ReadonlyMap<WorkspacePath, string> {
    return new Map([...this.#known].flatMap(([path, { text }]) => (text === undefined ? [] : [[path, text] as const])));
  }

  /** The same with other texts in place of some files. A text that cannot be read, as while it is being typed, leaves what its file says. */
  async replacing(texts: ReadonlyMap<WorkspacePath, string>): Promise<ServiceFilesRead> {
    const files: ServiceFile[] = [];
    const configurations = new Map(this.configurations());
    for (const [path, { file, references }] of this.#known) {
      const typed = texts.get(path);
      if (typed !== undefined && configurations.has(path)) configurations.set(path, typed);
      const isReadAnew = typed !== undefined || [...references.keys()].some(reference => texts.has(reference));
      const text = isReadAnew ? (typed ?? (await this.#text(path))) : undefined;
      const read = text === undefined ? file : (await this.#follow(path, text, texts)).file;
      const isBroken = text !== undefined && (read?.problems.length ?? 0) > 0 && file !== undefined;
      const kept = isBroken ? { ...file, problems: read?.problems ?? [] } : read;
      if (kept !== undefined) files.push(kept);
    }
    await this.options.reader.rest();
    return { files, configurations };
  }

  #isCurrent(tracked: TrackedFile): boolean {
    const known = this.#known.get(tracked.record.path);
    if (known?.version !== versionOf(tracked)) return false;
    for (const [path, version] of known.references) if (this.#versionAt(path) !== version) return false;
    return true;
  }

  #versionAt(path: WorkspacePath): string {
    const tracked = this.options.table.get(path);
    return tracked === undefined ? '' : versionOf(tracked);
  }

  async #read(tracked: TrackedFile): Promise<Known> {
    const { path, sizeBytes } = tracked.record;
    const version = versionOf(tracked);
    const nothing = { version, file: undefined, references: new Map<WorkspacePath, string>() };
    if (sizeBytes > MAX_BYTES) {
      const head = (await this.#text(path, HEAD_BYTES)) ?? '';
      return isMeantForServices(path, head)
        ? { ...nothing, file: problemOf(path, `The file is larger than ${MAX_BYTES / 1024 / 1024} MB and is not read.`) }
        : nothing;
    }
    const text = await this.#text(path);
    if (text === undefined) return nothing;
    const { file, references } = await this.#follow(path, text, new Map());
    return {
      version,
      file,
      ...(CONFIGURATION.test(path) || SYMFONY_ROUTES.test(path) ? { text } : {}),
      references: new Map(references.map(reference => [reference, this.#versionAt(reference)])),
    };
  }

  /** Reads a text with the files that its references lead to, round by round: each reading names the files that it could not look into. */
  async #follow(
    path: WorkspacePath,
    text: string,
    typed: ReadonlyMap<WorkspacePath, string>,
  ): Promise<{ readonly file: ServiceFile | undefined; readonly references: readonly WorkspacePath[] }> {
    const others = new Map<WorkspacePath, string>();
    for (let round = 1; ; round++) {
      const file = await this.#parse(path, text, others);
      const references = file?.references ?? [];
      const missing = references.filter(reference => !others.has(reference) && this.options.table.get(reference) !== undefined);
      if (missing.length === 0 || round === MAX_ROUNDS) return { file, references };
      for (const reference of missing) others.set(reference, typed.get(reference) ?? (await this.#text(reference)) ?? '');
    }
  }

  async #parse(path: WorkspacePath, text: string, others: ReadonlyMap<WorkspacePath, string>): Promise<ServiceFile | undefined> {
    const reply = await this.options.reader.read({ path, text, others });
    return 'file' in reply ? reply.file : problemOf(path, reply.problem);
  }

  async #text(path: WorkspacePath, maxBytes = MAX_BYTES): Promise<string | undefined> {
    const { host, root } = this.options;
    return host.read(absoluteOf(root, path), maxBytes).then(
      bytes => decodeText(bytes),
      () => undefined,
    );
  }
}

const MAX_ROUNDS = 5;
const CONFIGURATION = /(?:^|\/)(?:(?:application|bootstrap|config|settings)[\w.-]*\.(?:ya?ml|properties)|WEB-INF\/web\.xml)$/;

function problemOf(path: WorkspacePath, message: string): ServiceFile {
  return { path, problems: [{ file: path, line: 0, message }] };
}

/** What a file is known by: its hash, or size and time of one that is too large to be hashed. */
function versionOf({ record, signature }: TrackedFile): string {
  return record.contentHash || `${record.sizeBytes}:${signature.mtimeMs}`;
}

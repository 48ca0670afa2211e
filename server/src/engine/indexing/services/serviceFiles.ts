import type { WorkspacePath } from '../../../base/path';
import { absoluteOf, decodeText, type FileHost } from '../../../code/files/host';
import { readServiceFile } from '../../../services/readServiceFile';
import { isServiceFile, type ServiceFile } from '../../../services/serviceFile';
import type { FileTable, TrackedFile } from '../fileTable';

/** Larger files are named as a problem and not read. YAML takes a second of processor time per megabyte, JSON a hundredth of it. */
const MAX_BYTES = 24 * 1024 * 1024;
const MAX_YAML_BYTES = 1024 * 1024;

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
}

/** What files beside the code say of services, by path; reads again only what has changed. */
export class ServiceFiles {
  readonly #known = new Map<WorkspacePath, Known>();

  constructor(private readonly options: ServiceFilesOptions) {}

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
    return isChanged;
  }

  files(): readonly ServiceFile[] {
    return [...this.#known.values()].flatMap(({ file }) => file ?? []);
  }

  /** Texts of configuration by path. */
  configurations(): ReadonlyMap<WorkspacePath, string> {
    return new Map([...this.#known].flatMap(([path, { text }]) => (text === undefined ? [] : [[path, text] as const])));
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
    const most = path.endsWith('.json') ? MAX_BYTES : MAX_YAML_BYTES;
    if (sizeBytes > most) {
      const isMeant = /openapi|swagger|asyncapi|compose|schema/i.test(path);
      return isMeant ? { ...nothing, file: problemOf(path, `The file is larger than ${most / 1024 / 1024} MB and is not read.`) } : nothing;
    }
    const text = await this.#text(path);
    if (text === undefined) return nothing;
    const others = new Map<WorkspacePath, string>();
    // References are followed round by round: each reading names the files that it could not look into.
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const file = this.#parse(path, text, others);
      const missing = (file?.references ?? []).filter(reference => !others.has(reference) && this.options.table.get(reference) !== undefined);
      if (missing.length === 0 || round === MAX_ROUNDS - 1) {
        return {
          version,
          file,
          ...(CONFIGURATION.test(path) ? { text } : {}),
          references: new Map((file?.references ?? []).map(reference => [reference, this.#versionAt(reference)])),
        };
      }
      for (const reference of missing) others.set(reference, (await this.#text(reference)) ?? '');
    }
    return nothing;
  }

  #parse(path: WorkspacePath, text: string, others: ReadonlyMap<WorkspacePath, string>): ServiceFile | undefined {
    try {
      return readServiceFile(path, text, other => others.get(other));
    } catch (error) {
      return problemOf(path, error instanceof Error ? error.message : String(error));
    }
  }

  async #text(path: WorkspacePath): Promise<string | undefined> {
    const { host, root } = this.options;
    return host.read(absoluteOf(root, path), MAX_BYTES).then(
      bytes => decodeText(bytes),
      () => undefined,
    );
  }
}

const MAX_ROUNDS = 5;
const CONFIGURATION = /(?:^|\/)(?:application|bootstrap|config|settings)[\w.-]*\.(?:ya?ml|properties)$/;

function problemOf(path: WorkspacePath, message: string): ServiceFile {
  return { path, problems: [{ file: path, line: 0, message }] };
}

/** What a file is known by: its hash, or size and time of one that is too large to be hashed. */
function versionOf({ record, signature }: TrackedFile): string {
  return record.contentHash || `${record.sizeBytes}:${signature.mtimeMs}`;
}

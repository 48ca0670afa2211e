import { realpathSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { relativeTo } from '../../base/path';
import { err, type Failure, type Result } from '../../base/result';
import type { Gateway } from '../../session/gateway';
import type { TransportHost } from '../host';

/**
 * The workspace one MCP connection speaks of: opened at once, so that its index is under way before the first question,
 * and switched by `graph_set_workspace` within its folder and the granted roots only.
 */
export class WorkspaceSession {
  #current: Promise<Result<Gateway, Failure>>;
  #root: string;
  readonly #grantedRoots: readonly string[];

  constructor(
    private readonly host: TransportHost,
    root: string,
    grantedRoots: readonly string[],
    private readonly platform: string,
    /** Told of each workspace that is opened. */
    private readonly onOpened: (gateway: Gateway) => void = () => undefined,
  ) {
    this.#root = root;
    this.#grantedRoots = [root, ...grantedRoots.map(folder => realFolder(resolve(root, folder)) ?? resolve(root, folder))];
    this.#current = this.#open(root);
  }

  get gateway(): Promise<Result<Gateway, Failure>> {
    return this.#current;
  }

  /** Codes: `NOT_FOUND`, `FORBIDDEN`, or what opening gives. The old workspace stays when the new one cannot be opened. */
  async switchTo(folder: string): Promise<Result<Gateway, Failure>> {
    const wanted = isAbsolute(folder) ? folder : resolve(this.#root, folder);
    const real = realFolder(wanted);
    const caseInsensitive = this.platform === 'win32' || this.platform === 'darwin';
    const granted = this.#grantedRoots.some(root => relativeTo(root, real ?? wanted, caseInsensitive) !== undefined);
    if (!granted) {
      const roots = this.#grantedRoots.join(', ');
      return err({ code: 'FORBIDDEN', message: `${folder} is outside the allowed roots (${roots}). Use --root when starting the server to allow more.` });
    }
    if (real === undefined) return err({ code: 'NOT_FOUND', message: `The folder ${folder} does not exist.` });
    if (real === this.#root) return this.#current;
    const opened = await this.#open(real);
    if (!opened.ok) return opened;
    const before = this.#current;
    this.#current = Promise.resolve(opened);
    this.#root = real;
    await closeOf(before);
    return opened;
  }

  async close(): Promise<void> {
    await closeOf(this.#current);
  }

  async #open(root: string): Promise<Result<Gateway, Failure>> {
    const opened = await this.host.open({ root, longLived: true, watch: 'files' });
    if (opened.ok) this.onOpened(opened.value);
    return opened;
  }
}

async function closeOf(opening: Promise<Result<Gateway, Failure>>): Promise<void> {
  const opened = await opening;
  if (opened.ok) await opened.value.close();
}

function realFolder(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch {
    return undefined;
  }
}

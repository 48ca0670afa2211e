import type { SecretStorage } from 'vscode';

/** What the user's own settings say of the service that vectors come from. */
export interface EmbedderChoice {
  readonly embedder: string;
  readonly endpoint: string;
  /** Environment variable that the server reads the key from; empty when it must not have one. */
  readonly keyVariable: string;
}

/** Origin of the service, for which a key is kept; `undefined` when no service is named. */
export function addressOf({ embedder, endpoint }: EmbedderChoice): string | undefined {
  if (embedder !== 'openai' && embedder !== 'ollama') return undefined;
  const address = endpoint.trim() === '' && embedder === 'ollama' ? 'http://127.0.0.1:11434' : endpoint.trim();
  try {
    const url = new URL(address);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.origin : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Keys of embedding services in the editor's secret storage, each for one address and used for no other. The server gets its key in the
 * environment it is started with: messages to it can be traced into the log, and its settings are kept on disk.
 */
export class EmbedderKeys {
  /** Address whose key the running server was given. */
  #given: string | undefined;

  constructor(
    private readonly secrets: SecretStorage,
    private readonly choice: () => EmbedderChoice,
  ) {}

  get address(): string | undefined {
    return addressOf(this.choice());
  }

  /** Variables for a server that is about to start. */
  async environment(): Promise<Readonly<Record<string, string>>> {
    const { keyVariable } = this.choice();
    const { address } = this;
    const key = address === undefined || keyVariable === '' ? undefined : await this.secrets.get(nameOf(address));
    this.#given = key === undefined ? undefined : address;
    return key === undefined ? {} : { [keyVariable]: key };
  }

  /** Whether the server holds a key that is not for the address it would now ask. */
  get mustRestart(): boolean {
    return this.#given !== undefined && this.#given !== this.address;
  }

  /** Whether a key is kept for the address that the server does not have yet. */
  async isMissing(): Promise<boolean> {
    const { address } = this;
    return address !== undefined && address !== this.#given && (await this.has(address));
  }

  async has(address: string): Promise<boolean> {
    return (await this.secrets.get(nameOf(address))) !== undefined;
  }

  async set(address: string, key: string): Promise<void> {
    await this.secrets.store(nameOf(address), key);
  }

  async remove(address: string): Promise<void> {
    await this.secrets.delete(nameOf(address));
  }
}

function nameOf(address: string): string {
  return `lattice.embedderKey:${address}`;
}

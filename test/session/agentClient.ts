import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { DIST } from '../transports/bundles';
import type { SharedPlace } from './doors';
import type { Transcript } from './transcript';

/** `legacy` begins with `initialize`, the others with `server/discover`. */
export type Era = 'legacy' | '2026-07-28' | 'auto';

/** What a tool answered. */
export interface Said {
  readonly data: Readonly<Record<string, unknown>>;
  readonly summary: string;
  readonly text: string;
  readonly tokens: number;
  readonly profile: string;
}

interface Answer {
  readonly ok: boolean;
  readonly summary: string;
  readonly profile: string;
  readonly _tokenEstimate: number;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** An agent in the official client, over stdio. When its process is killed it starts another and asks again. */
export class AgentClient {
  /** Ids of the episodes and claims that it was told are there. */
  readonly acknowledged: string[] = [];
  #client: Client | undefined;
  #transport: StdioClientTransport | undefined;

  private constructor(
    private readonly place: SharedPlace,
    readonly name: string,
    readonly era: Era,
    private readonly transcript: Transcript,
  ) {}

  static async start(place: SharedPlace, name: string, era: Era, transcript: Transcript): Promise<AgentClient> {
    const agent = new AgentClient(place, name, era, transcript);
    await agent.#connect();
    return agent;
  }

  get pid(): number | undefined {
    return this.#transport?.pid ?? undefined;
  }

  /** A call that a reader of the transcript sees. */
  async call(tool: string, input: Readonly<Record<string, unknown>>): Promise<Said> {
    const said = await this.#ask(tool, input);
    this.transcript.told(this.name, tool, input, said);
    return said;
  }

  /** A call that only counts. */
  async quietly(tool: string, input: Readonly<Record<string, unknown>>): Promise<Said> {
    const said = await this.#ask(tool, input);
    this.transcript.counted(this.name, tool, said);
    return said;
  }

  async restart(): Promise<void> {
    await this.close();
    await this.#connect();
    await this.call('agent_status', { agentId: this.name });
  }

  async kill(): Promise<void> {
    const { pid } = this;
    if (pid === undefined) return;
    const closed = new Promise<void>(resolve => {
      if (this.#client === undefined) resolve();
      else this.#client.onclose = resolve;
    });
    process.kill(pid, 'SIGKILL');
    await closed;
    this.#client = undefined;
    this.#transport = undefined;
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#transport = undefined;
    await client?.close();
  }

  async #connect(): Promise<Client> {
    const env = Object.fromEntries(Object.entries(this.place.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
    const args = [join(DIST, 'mcp.js'), '--workspace', this.place.workspace, '--tools', 'full'];
    const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' });
    const mode = this.era === '2026-07-28' ? { pin: this.era } : this.era;
    const client = new Client({ name: this.name, version: '1' }, { versionNegotiation: { mode } });
    await client.connect(transport);
    this.#client = client;
    this.#transport = transport;
    return client;
  }

  async #ask(tool: string, input: Readonly<Record<string, unknown>>, retries = 3): Promise<Said> {
    try {
      const client = this.#client ?? (await this.#connect());
      const answer = await client.callTool({ name: tool, arguments: { agentId: this.name, ...input } }, { timeout: 120_000 });
      const { _tokenEstimate: tokens, data = {}, ok, profile, summary } = answer.structuredContent as unknown as Answer;
      if (!ok) throw new Error(`${tool}: ${summary}`);
      const text = (answer.content as readonly { readonly text?: string }[])[0]?.text ?? '';
      for (const key of ['episodeId', 'claimId']) if (typeof data[key] === 'string' && data[key] !== '') this.acknowledged.push(data[key]);
      return { data, summary, text, tokens, profile };
    } catch (error) {
      // Its process was killed under it; what it asked may or may not have been done.
      if (retries === 0 || this.#client !== undefined) throw error;
      return this.#ask(tool, input, retries - 1);
    }
  }
}

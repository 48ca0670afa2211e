import type { Readable, Writable } from 'node:stream';

/** What the command line needs of the process it runs in; tests give their own. */
export interface ProcessIo {
  readonly stdin: Readable;
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly platform: string;
  /** Ends the process without waiting for anything: something in it does not end. */
  readonly exitImmediately?: () => void;
}

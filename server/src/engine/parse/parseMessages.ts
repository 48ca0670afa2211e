import type { PackedAnswer } from './packedAnswer';
import type { ParseRequest } from './parsing';

/** Given to a parse worker when it starts. */
export interface ParseWorkerData {
  /** Folder that holds `web-tree-sitter.wasm` and `grammars/*.wasm`. */
  readonly distFolder: string;
  readonly maxBytes: number;
  /** One shared 32-bit integer: number of the request being worked on, so that the pool knows which one a dead or hanging worker was at; negative while it loads a grammar for it. */
  readonly progress: SharedArrayBuffer;
  /** One shared 32-bit integer for all workers, see `compileGrammar`. */
  readonly compiling: SharedArrayBuffer;
}

export interface ParseBatch {
  readonly requests: readonly { readonly id: number; readonly request: ParseRequest }[];
}

export type ParseReply =
  | { readonly kind: 'answers'; readonly answers: readonly { readonly id: number; readonly answer: PackedAnswer }[] }
  | { readonly kind: 'log'; readonly level: 'debug' | 'info' | 'warn' | 'error'; readonly message: string };

import type { Readable, Writable } from 'node:stream';
import { createConnection, ErrorCodes, ProposedFeatures, StreamMessageWriter } from 'vscode-languageserver/node';
import { ResyncingReader } from './lsp/resyncingReader';

export type LspConnection = ReturnType<typeof connectStreams>;

/** Connection over a pair of streams. A message that cannot be read is answered with a parse error; the connection lives on. */
export function connectStreams(input: Readable, output: Writable, onEnd: () => void) {
  const reader = new ResyncingReader(input);
  const writer = new StreamMessageWriter(output);
  reader.onError(error => {
    const answer = { jsonrpc: '2.0', id: null, error: { code: ErrorCodes.ParseError, message: `Parse error: ${error.message}` } };
    void writer.write(answer).catch(() => undefined);
  });
  reader.onClose(onEnd);
  input.once('end', onEnd);
  return createConnection(ProposedFeatures.all, reader, writer);
}

/** Connection as the command line asks for: `--stdio`, else `--node-ipc`, `--socket` or `--pipe`, which the library reads itself. */
export function connectAsAsked(words: readonly string[], input: Readable, output: Writable, onEnd: () => void): LspConnection {
  return words.includes('--stdio') ? connectStreams(input, output, onEnd) : createConnection(ProposedFeatures.all);
}

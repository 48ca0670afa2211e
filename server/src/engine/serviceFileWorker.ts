/** What the thread for large service files does: parse one after another. It is ended from outside. */
import type { MessagePort } from 'node:worker_threads';
import { readServiceFile } from '../services/readServiceFile';
import type { ReadFileMessage, ReadFileReply } from './indexing/services/serviceFileReader';

/** Answers each message on the port with what its file says, in their order. */
export function serveServiceFileWorker(port: MessagePort): void {
  port.on('message', ({ others, path, text }: ReadFileMessage) => {
    let reply: ReadFileReply;
    try {
      reply = { file: readServiceFile(path, text, other => others.get(other)) };
    } catch (error) {
      reply = { problem: error instanceof Error ? error.message : String(error) };
    }
    port.postMessage(reply);
  });
}

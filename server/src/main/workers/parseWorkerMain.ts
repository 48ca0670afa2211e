/** Entry of a parse worker thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { type ParseWorkerData, serveParseWorker } from '../../engine/parse/parseWorker';

if (parentPort === null) throw new Error('parseWorkerMain runs in a worker thread only');
serveParseWorker(parentPort, workerData as ParseWorkerData);

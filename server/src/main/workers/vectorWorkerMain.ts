/** Entry of the thread that learns vectors for words. */
import { parentPort } from 'node:worker_threads';
import { serveVectorWorker } from '../../engine/vectorWorker';

if (parentPort === null) throw new Error('vectorWorkerMain runs in a worker thread only');
serveVectorWorker(parentPort);

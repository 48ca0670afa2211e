/** Entry of the thread that parses large files beside the code: contracts, deployments. */
import { parentPort } from 'node:worker_threads';
import { serveServiceFileWorker } from '../../engine/serviceFileWorker';

if (parentPort === null) throw new Error('serviceFileWorkerMain runs in a worker thread only');
serveServiceFileWorker(parentPort);

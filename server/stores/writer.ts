/** The thread that writes, as the product starts it: it serves as soon as it is loaded. */
import { serveSteps } from '../storage/sqlite/thread-worker.ts';
import { openWriterSteps } from './writer-steps.ts';

serveSteps(openWriterSteps);

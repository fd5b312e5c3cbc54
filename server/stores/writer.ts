/** The entry module of the writing thread: it serves as soon as it is loaded. */
import { serveSteps } from '../storage/sqlite/thread-worker.ts';
import { openWriterSteps } from './writer-steps.ts';

serveSteps(openWriterSteps);

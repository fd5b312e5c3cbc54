/** The entry module of the writing thread: it serves as soon as it is loaded. */
import { serveThread } from '../../store/sqlite/thread-worker.ts';
import { openWriterSteps } from './writer-steps.ts';

serveThread(openWriterSteps);

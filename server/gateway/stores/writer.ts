/** The entry module of the writer thread. It accepts requests as soon as it's loaded. */
import { serveThread } from '../../store/sqlite/thread-worker.ts';
import { openWriterSteps } from './writer-steps.ts';

serveThread(openWriterSteps);

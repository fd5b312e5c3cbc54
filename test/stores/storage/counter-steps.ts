/** The tests run this as the writer thread. */
import { serveSteps } from '../../../server/storage/sqlite/thread-worker.ts';
import { openCounterSteps } from './counter-table.ts';

serveSteps(openCounterSteps);

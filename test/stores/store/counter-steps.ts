/** The tests run this as the writer thread. */
import { serveThread } from '../../../server/store/sqlite/thread-worker.ts';
import { openCounterSteps } from './counter-table.ts';

serveThread(openCounterSteps);

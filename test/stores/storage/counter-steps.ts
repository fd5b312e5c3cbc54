/** Run by the tests as the thread that writes. */
import { serveSteps } from '../../../server/storage/sqlite/thread-worker.ts';
import { openCounterSteps } from './counter-table.ts';

serveSteps(openCounterSteps);

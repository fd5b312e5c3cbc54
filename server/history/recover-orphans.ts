/** Ends responses of dead processes as failed, with their partial output. */

import { setTimeout as wait } from 'node:timers/promises';
import { type FailedError, isUnfinished, PartialOutput } from '../protocols/responses/partial-output.ts';
import type { RunLog } from './response-run.ts';
import type { ResponseRuns } from './response-runs.ts';
import type { RunKey } from './run-store.ts';
import type { HistoryStore } from './store.ts';

const INTERVAL_MS = 2_000;

const STOPPED: FailedError = { code: 'server_error', message: 'The gateway stopped before the response was complete.' };

interface OrphanOptions {
  readonly runs: ResponseRuns;
  readonly responses: Pick<HistoryStore, 'find' | 'save'>;
  readonly log: RunLog;
}

/** Looks for them every two seconds, until the runs are closed. A process without a heartbeat is dead. Never rejects. */
export async function recoverOrphans(options: OrphanOptions): Promise<void> {
  const { runs, log } = options;
  while (!runs.isClosed) {
    try {
      for (const key of await runs.claimOrphans()) await endOrphan(options, key);
    } catch (err) {
      if (!runs.isClosed) log.error({ err }, 'ending responses of dead processes failed');
    }
    await wait(INTERVAL_MS, undefined, { ref: false });
  }
}

async function endOrphan({ runs, responses, log }: OrphanOptions, key: RunKey): Promise<void> {
  const stored = await responses.find(key.accountId, key.responseId);
  // The caller of a response in the foreground has lost the connection, and learned of no ID to come back with.
  if (stored?.response.background !== true) return await runs.remove(key);
  log.warn({ responseId: key.responseId, accountId: key.accountId }, 'response of a dead process ended as failed');
  const { frames, blocks } = await runs.readStored(key);
  const partial = new PartialOutput();
  partial.add(frames);
  const isStored = !isUnfinished(stored.response);
  const response = isStored ? stored.response : partial.end(stored.response, STOPPED);
  if (!isStored) await responses.save({ ...stored, response });
  await runs.endOrphan(key, blocks, partial.hasEnded ? Buffer.alloc(0) : partial.writeLastEvent(response));
}

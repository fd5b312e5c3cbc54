/** Old data is deleted in small steps by one of the processes that share a store. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { openEmbedded } from '../../../server/gateway/stores/embedded.ts';
import { startHourlySweep } from '../../../server/gateway/stores/hourly-sweep.ts';
import { SQLITE } from '../../../server/store/plan.ts';
import { openLog } from '../../../server/telemetry/log.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { hangLimitMs } from '../../harness/hang-limit.ts';

/** Stores with 250 responses of long ago. */
async function openFilled() {
  const stores = await openEmbedded({ data: temporaryFolder(), durability: 'relaxed' }, { isCalled: () => false });
  onTestFinished(() => stores.close());
  const old = { accountId: 'ada', previousId: null, upstream: 'east', createdAt: 1, input: [], response: { output: [] } };
  await Promise.all(Array.from({ length: 250 }, (_, at) => stores.responses.save({ ...old, id: `resp_${at}` })));
  return stores;
}

function sweep(stores: Awaited<ReturnType<typeof openFilled>>, node: string, isShared = true) {
  const seen = { hasBegun: false, hasEnded: false };
  const activity = {
    async sweep() {
      seen.hasEnded = true;
      return 0;
    },
  };
  const days = () => {
    seen.hasBegun = true;
    return 30;
  };
  const sweeper = startHourlySweep({ stores, activity, node, isShared, days, log: openLog({ log: { level: 'silent' } }) });
  onTestFinished(() => sweeper.close());
  return { sweeper, seen, isDone: () => vi.waitFor(() => expect(seen.hasEnded).toBe(true), { timeout: hangLimitMs }) };
}

const left = async (stores: Awaited<ReturnType<typeof openFilled>>): Promise<number> => {
  const [row] = await stores.activity.ask('SELECT count(*) AS rows FROM responses', []);
  return Number(row?.rows);
};

test('deletes everything in the first by name of two living processes, and nothing in the other', async () => {
  const stores = await openFilled();
  for (const node of ['a', 'b']) await stores.ledger.heartbeat(node);
  const second = sweep(stores, 'b');
  // What the second asks is answered before what the first asks.
  await sweep(stores, 'a').isDone();
  expect([await left(stores), second.seen.hasBegun]).toEqual([0, false]);
});

test('leaves the remainder for the next time when it stops, and needs no other process', async () => {
  const stores = await openFilled();
  const { sweeper } = sweep(stores, 'b', false);
  await sweeper.close();
  expect(await left(stores)).toBe(250 - SQLITE.maxSweptRows);
  await sweep(stores, 'b', false).isDone();
  expect(await left(stores)).toBe(0);
});

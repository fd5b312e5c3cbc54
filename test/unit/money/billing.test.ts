/** Billing of one process from its start to its end: prices in force, signs of life, and a last moment for open holds (promises G1 and G2). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { openMoney } from '../../../server/money/money.ts';
import type { LedgerStore, Orphan } from '../../../server/money/store.ts';
import { listOutboxFiles, openOutbox } from '../../../server/store/outbox/outbox.ts';
import { holdIntervals, until } from '../../harness/held-clock.ts';
import { configOf, openLines } from '../settings.ts';
import { noon, openMemory, order, topUp } from './open.ts';

const config = () =>
  configOf({
    upstreams: { main: { kind: 'simulator' } },
    models: [{ id: 'm', kind: 'text', prices: { input: '1', output: '10' } }],
    priceLists: { cheap: { m: { input: '0.5', output: '5' } } },
  });

/** Billing whose signs of life are counted; the last one can be made to fail. */
async function open() {
  const { ledger } = openMemory('ada');
  await topUp(ledger, 'ada', 100n);
  await ledger.heartbeat('node_0', noon);
  await ledger.reserve(order({ requestId: 'of a dead process', amount: 8n, node: 'node_0', at: noon }));
  const seen = { beats: 0, left: [] as string[], isDown: false };
  const counted: LedgerStore = {
    ...ledger,
    async heartbeat(...beat) {
      seen.beats++;
      if (seen.isDown) throw new Error('the store is down');
      return await ledger.heartbeat(...beat);
    },
    removeNode(node, at): AsyncIterable<readonly Orphan[]> {
      seen.left.push(node);
      return ledger.removeNode(node, at);
    },
  };
  const { log, lines } = openLines();
  const settings = config();
  return { money: await openMoney({ config: settings, ledger: counted, log }), ledger, seen, lines, settings };
}

test('writes a heartbeat at once and every five seconds, whatever became of the last, and none after its end', async () => {
  holdIntervals();
  const { money, seen, lines } = await open();
  expect([seen.beats, money.node]).toEqual([1, expect.stringMatching(/^node_[0-9a-f]{18}$/)]);
  vi.advanceTimersByTime(4_999);
  await nextTurn();
  expect(seen.beats).toBe(1);
  seen.isDown = true;
  vi.advanceTimersByTime(1);
  await until(() => lines.some(({ msg }) => msg === "ledger didn't respond"));
  seen.isDown = false;
  vi.advanceTimersByTime(5_000);
  await until(() => seen.beats === 3);
  await money.close();
  expect([seen.left, vi.getTimerCount()]).toEqual([[money.node], 0]);
});

test('expires the holds of the last process at the start if no other shares the store, and logs nothing else', async () => {
  const { money, ledger, lines } = await open();
  expect((await ledger.findCharge('of a dead process'))?.state).toBe('expired');
  expect(lines).toMatchObject([{ id: 'of a dead process', node: 'node_0', held: '0.000008' }]);
  await money.close();
});

test('applies the prices of the file, in each of its lists', async () => {
  const { money } = await open();
  const input = (list: string) => {
    const prices = money.prices.find(list, 'm')?.prices;
    return prices?.kind === 'tokens' ? prices.input : null;
  };
  expect([input('standard'), input('cheap'), input('no such list')]).toEqual([1_000_000n, 500_000n, 1_000_000n]);
  await money.close();
});

test('waits for open holds before a process ends, and leaves its outbox to the next one', async () => {
  const { money, seen, settings } = await open();
  money.open.add('r1');
  const closing = money.close();
  await nextTurn();
  expect(seen.left).toEqual([]);
  money.open.delete('r1');
  await closing;
  expect(seen.left).toEqual([money.node]);
  const next = openOutbox({ folder: settings.data });
  expect(listOutboxFiles(settings.data)).toEqual(['settlements-0.sqlite']);
  await next.close();
});

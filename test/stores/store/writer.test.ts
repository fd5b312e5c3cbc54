/** The thread that writes, as the product starts it. */
import { expect, onTestFinished, test } from 'vitest';
import type { WriterSteps } from '../../../server/gateway/stores/writer-steps.ts';
import { openSqliteLedger } from '../../../server/money/sqlite.ts';
import { openDatabase } from '../../../server/store/sqlite/database.ts';
import { openWriterThread } from '../../../server/store/sqlite/thread.ts';
import { temporaryFolder } from '../../harness/folder.ts';

test('writes the ledger over the thread and reads on the event loop', async () => {
  const folder = temporaryFolder();
  const { connection } = openDatabase({ folder, durability: 'strict', checkpoints: 'elsewhere' });
  const entry = new URL('../../../server/gateway/stores/writer.ts', import.meta.url);
  const steps = openWriterThread<WriterSteps>({ entry, folder, durability: 'strict' });
  onTestFinished(async () => {
    await steps.close();
    connection.close();
  });
  const ledger = openSqliteLedger({ connection, steps });
  const price = { priceList: 'standard', model: 'some-model', source: 'config', prices: '{}', createdAt: 1 } as const;
  const made = await ledger.addPrice(price);
  expect(made).toMatchObject(price);
  expect(await ledger.findPrice(made.version)).toEqual(made);
  expect(connection.prepare('PRAGMA wal_autocheckpoint').get()).toEqual({ wal_autocheckpoint: 0 });
});

/** A gateway that is killed while it tells a webhook: the next one tells it the same, under the same id, and nobody tells it twice more. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { test as base, describe, expect, onTestFinished } from 'vitest';
import { openReceiver, receiverSecret } from '../fakes/webhook-receiver.ts';
import { temporaryFolder } from '../harness/folder.ts';
import { emptyPostgres, postgresName } from '../harness/postgres.ts';
import { postgresMissing } from '../harness/servers.ts';

const program = fileURLToPath(new URL('./alert-process.ts', import.meta.url));
const MINUTE_MS = 60_000;
const noon = Date.UTC(2027, 0, 10, 12);

const engines = [
  { title: 'sqlite', isMissing: false, urlOf: async () => '' },
  { title: postgresName, isMissing: postgresMissing !== null, urlOf: emptyPostgres },
];

describe.each(engines)('$title', ({ isMissing, urlOf }) => {
  base.skipIf(isMissing)('sends the notification of a killed process once more from the next one, under the same id', async () => {
    const receiver = await openReceiver();
    onTestFinished(() => receiver.close());
    const [folder, url] = [temporaryFolder(), await urlOf()];
    const start = (now: number) =>
      spawn(process.execPath, [program, folder, url, receiver.url, receiverSecret, String(now)], { stdio: 'inherit' });
    const asked = Promise.withResolvers<void>();
    receiver.next(() => asked.resolve());
    const first = start(noon);
    await asked.promise;
    first.kill('SIGKILL');
    expect(await once(first, 'exit')).toEqual([null, 'SIGKILL']);
    for (const minutes of [0, 2, 4]) expect(await once(start(noon + minutes * MINUTE_MS), 'exit')).toEqual([0, null]);
    const [one, ...others] = receiver.came;
    expect(receiver.came.map(({ type, data }) => `${type} ${data.kind}`)).toEqual([
      'alert.opened ledger_mismatch',
      'alert.opened ledger_mismatch',
    ]);
    expect(others.map(({ id, body }) => [id, body])).toEqual([[one?.id, one?.body]]);
  });
});

/** The attempts in a receipt are those of the header x-modelgate-attempts (promise G5). */
import { expect, onTestFinished, test } from 'vitest';
import type { Receipt } from '../../../contract/usage.ts';
import { failure, hangUp, silence } from '../../fakes/faults.ts';
import { chargesOf, openStage, type Stage, says, streams } from './stage.ts';

/** The gateway under test checks its answers against the contract. */
async function receiptOf({ gateway }: Stage, id: string): Promise<Receipt> {
  return (await (await gateway.call(`/usage/${id}`)).json()) as Receipt;
}
const idOf = (answer: Response): string => answer.headers.get('x-request-id') ?? '';
const toTheHeader = ({ attempts }: Receipt): string =>
  attempts
    .map(({ upstream, status, code, ms }) =>
      [upstream, ...(status === null ? [] : [`status=${status}`]), ...(code === null ? [] : [`error=${code}`]), `ms=${ms}`].join(';'),
    )
    .join(', ');

test.each([
  ['a whole answer', false],
  ['a stream', true],
])('shows both attempts in the receipt of %s from the backup, like the header', async (_title, stream) => {
  const stage = await openStage();
  stage.main.next(failure(503));
  stage.backup.next(stream ? streams('here') : says('here'));
  const answer = await stage.ask({ stream });
  await answer.text();
  const receipt = await receiptOf(stage, idOf(answer));
  expect(receipt).toMatchObject({
    state: 'posted',
    attempts: [
      { upstream: 'main', status: 503 },
      { upstream: 'backup', status: 200, code: null },
    ],
  });
  expect(toTheHeader(receipt)).toBe(answer.headers.get('x-modelgate-attempts'));
});

test('shows both attempts in the receipt of a call that failed at both upstreams', async () => {
  const stage = await openStage({ routing: { maxAttempts: 2 } });
  stage.main.next(failure(500));
  stage.backup.next(hangUp);
  const answer = await stage.ask();
  await answer.text();
  const receipt = await receiptOf(stage, idOf(answer));
  expect(receipt).toMatchObject({
    state: 'voided',
    outcome: 'failed',
    attempts: [
      { upstream: 'main', status: 500 },
      { upstream: 'backup', status: null },
    ],
  });
  expect(toTheHeader(receipt)).toBe(answer.headers.get('x-modelgate-attempts'));
});

test('shows no attempts in the receipt of a call that succeeds immediately', async () => {
  const stage = await openStage();
  stage.main.next(says('here'));
  const answer = await stage.ask();
  await answer.text();
  expect(await receiptOf(stage, idOf(answer))).toMatchObject({ state: 'posted', attempts: [] });
});

test('shows both attempts in the receipt of a caller who disconnected during the second', async () => {
  const stage = await openStage();
  stage.main.next(failure(503));
  stage.backup.next(silence);
  const leaving = new AbortController();
  const asking = stage.ask({}, { signal: leaving.signal }).catch(() => undefined);
  await expect.poll(() => stage.asked()).toEqual([1, 1]);
  leaving.abort();
  await asking;
  await expect.poll(async () => (await chargesOf(stage.gateway))[0]?.outcome).toBe('client_disconnected');
  const [left] = await chargesOf(stage.gateway);
  const { attempts } = await receiptOf(stage, String(left?.request_id));
  expect(attempts.map(({ upstream, status }) => [upstream, status])).toEqual([
    ['main', 503],
    ['backup', null],
  ]);
});

test('causes no leak warning of Node in a call with four attempts', async () => {
  const models = ['one', 'two', 'three', 'four'];
  const candidates = models.map((upstreamModel, index) => ({ upstream: 'main', upstreamModel, priority: index + 1 }));
  const stage = await openStage({ routing: { maxAttempts: 4 }, candidates, main: { onClientDisconnect: 'drain' } });
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  stage.main.next(failure(503), { times: 3 });
  stage.main.next(says('here'));
  const answer = await stage.ask();
  expect(answer.status).toBe(200);
  expect(stage.asked()).toEqual([4, 0]);
  expect(warnings).toEqual([]);
});

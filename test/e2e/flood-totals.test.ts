/** The totals of a flood: every call that was rejected is counted, whatever its kind. */
import { expect, test } from 'vitest';
import { startGateway } from '../harness/gateway.ts';
import { useOpened } from '../harness/opened.ts';

const gateway = useOpened(() => startGateway());

const bodies = {
  '/chat/completions': { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Hello' }] },
  '/responses': { model: 'gpt-5.4', input: 'Hello', store: false },
};

async function readTotals(): Promise<Record<string, number>> {
  const rows = await gateway.gateway.activity.ask(
    'SELECT code, CAST(sum(requests) AS BIGINT) AS requests FROM activity_hours GROUP BY code',
    [],
  );
  return Object.fromEntries(rows.map(({ code, requests }) => [String(code), Number(requests)]));
}

test('C2: counts every 429 of a key whose calls alternate between two operations', async () => {
  const limits = { requestsPerMinute: { limit: 40, mode: 'enforce' }, tokensPerMinute: null, concurrency: null } as const;
  const { key } = await gateway.newKey({ account: 'flood', limits });
  const statuses = new Map<number, number>();
  for (let round = 0; round < 25; round++) {
    const paths = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? ('/chat/completions' as const) : ('/responses' as const)));
    const answers = await Promise.all(paths.map((path) => gateway.call(path, { method: 'POST', key, json: bodies[path] })));
    for (const answer of answers) {
      await answer.text();
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }
  }
  expect(statuses.get(429)).toBeGreaterThan(400);
  await expect
    .poll(async () => {
      await gateway.gateway.activity.flush();
      return await readTotals();
    })
    .toEqual({ '': statuses.get(200), rate_limit_exceeded: statuses.get(429) });
});

/** Bounds of stored conversations: references and chains are summed up before they are read, and each account has a quota (faults A2, A3, C6). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { json } from '../fakes/delivery.ts';
import { response } from '../fakes/responses.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { behind, startGateway, type TestGateway } from '../harness/gateway.ts';
import { expectRefusal } from '../harness/refusal.ts';

const LIMIT = 100_000;
const MIB = 1_048_576;

interface Answer {
  readonly id: string;
  readonly output: readonly { readonly id: string }[];
}

let fake: Fake;
let gateway: TestGateway;
beforeAll(async () => {
  fake = await openFake();
  gateway = await startGateway({ ...behind(fake.url), server: { bodyLimitBytes: LIMIT }, history: { accountMiB: 1 } });
});
afterAll(async () => {
  await gateway.close();
  await fake.close();
});

const ask = (more: Record<string, unknown>, key?: string) =>
  gateway.call('/responses', { json: { model: 'gpt-5.4', input: 'Hi', ...more }, ...(key !== undefined && { key }) });

async function create(more: Record<string, unknown> = {}, key?: string): Promise<Answer> {
  const answer = await ask(more, key);
  expect(answer.status).toBe(200);
  // The gateway under test checks its answers against the contract.
  return (await answer.json()) as Answer;
}
const remove = (id: string, key?: string) => gateway.call(`/responses/${id}`, { method: 'DELETE', ...(key !== undefined && { key }) });

/** The vendor answers with a text of this length. */
async function createLong(length: number): Promise<Answer> {
  fake.next(json(response({ text: 'x'.repeat(length) })));
  return await create();
}

/** Expects a refusal, without a call to the vendor. */
async function expectRejectedUnsent(answer: Promise<Response>, refusal: Parameters<typeof expectRefusal>[1]): Promise<string> {
  const before = fake.requests.length;
  const { error } = await expectRefusal(await answer, refusal);
  expect(fake.requests.length).toBe(before);
  return error.message;
}

const refer = (ids: readonly (string | undefined)[]) => ids.map((id) => ({ type: 'item_reference', id }));

describe('references to stored items', () => {
  test('A2: rejects those that exceed the body limit at the first that is too many', async () => {
    const { output } = await createLong(30_000);
    const many = Array.from({ length: 4_000 }, () => output[0]?.id);
    await expectRejectedUnsent(ask({ input: refer(many.slice(0, 1_000)) }), {
      code: 'request_too_large',
      param: 'input[1].id',
      says: `${LIMIT} bytes`,
    });
  });

  test('A2: replaces those that repeat within the limit each time', async () => {
    const { output } = await createLong(1_000);
    await create({ input: refer([output[0]?.id, output[0]?.id, output[0]?.id]) });
    expect(fake.last.fields.input).toHaveLength(3);
  });

  test('A2: rejects those to an unknown item with its position', async () => {
    const { output } = await create();
    await expectRejectedUnsent(ask({ input: refer([output[0]?.id, 'msg_none']) }), { code: 'item_not_found', param: 'input[1].id' });
  });
});

describe('a chain of stored responses', () => {
  const turn = (length: number, previous?: string) =>
    create({ input: 'y'.repeat(length), ...(previous !== undefined && { previous_response_id: previous }) });

  test('A3: rejects one that exceeds the body limit', async () => {
    let last = await turn(30_000);
    for (let turns = 1; turns < 3; turns++) last = await turn(30_000, last.id);
    const refusal = { code: 'request_too_large', param: 'previous_response_id', says: `${LIMIT} bytes` } as const;
    await expectRejectedUnsent(ask({ input: 'z'.repeat(30_000), previous_response_id: last.id }), refusal);
    await create({ previous_response_id: last.id });
  });

  test('A3: counts and sends no tools of earlier requests', async () => {
    const tool = { type: 'function', name: 'f', description: 'd'.repeat(20_000), parameters: { type: 'object', properties: {} } };
    let last = await create({ tools: [tool] });
    for (let turns = 1; turns < 8; turns++) last = await create({ tools: [tool], previous_response_id: last.id });
    expect(fake.last.fields.input).toHaveLength(15);
  });

  test('C6: rejects one with a deleted early turn with the ID of that turn', async () => {
    const first = await create();
    const second = await create({ previous_response_id: first.id });
    const third = await create({ previous_response_id: second.id });
    await remove(first.id);
    const refusal = { code: 'previous_response_not_found', param: 'previous_response_id', says: first.id } as const;
    await expectRejectedUnsent(ask({ previous_response_id: third.id }), refusal);
  });
});

describe('the quota of an account', () => {
  test('A3: rejects storing more without a call to the provider, and has room again after a deletion', async () => {
    const { key } = await gateway.newKey({ account: 'full' });
    const made: Answer[] = [];
    for (let kept = 0; kept < MIB - 90_000; kept += 90_000) made.push(await create({ input: 'y'.repeat(90_000) }, key));
    const refusal = { code: 'storage_quota_exceeded', param: 'store', says: 'store: false' } as const;
    await expectRejectedUnsent(ask({ input: 'y'.repeat(90_000) }, key), refusal);
    expect((await ask({ input: 'y'.repeat(90_000), store: false }, key)).status).toBe(200);
    expect((await ask({ input: 'y'.repeat(90_000) })).status).toBe(200);
    for (const { id } of made.slice(0, 2)) expect((await remove(id, key)).status).toBe(200);
    await create({ input: 'y'.repeat(90_000) }, key);
  });
});

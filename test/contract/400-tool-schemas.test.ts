/** Status 400 for tool schemas and arguments that expand to much more than their bytes, where the request is translated. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { SMALL_BODY_BYTES } from '../../server/api/v1/auth-hook.ts';
import type { LedgerStore } from '../../server/money/store.ts';
import { chain, forkedLadder, ladder, wrapped } from '../fixtures/tools/costly.ts';
import { type Caller, type Kind, kinds, modelOver, openPairs, type Pairs } from '../harness/pairs.ts';
import { expectRefusal } from '../harness/refusal.ts';

let pairs: Pairs;
let ledger: LedgerStore;
beforeAll(async () => {
  pairs = await openPairs();
  ledger = pairs.gateway.gateway.money?.ledger ?? expect.fail('billing is off');
});
afterEach(() => {
  for (const kind of kinds) expect(pairs.fakes[kind].requests).toEqual([]);
});
afterAll(() => pairs.close());

type Fields = Readonly<Record<string, unknown>>;

const plain = { type: 'object', properties: { place: { type: 'string' } } };

/** The form of a call: its first message, and how its tools are written. */
const words = {
  chat: {
    path: '/chat/completions',
    said: { messages: [{ role: 'user', content: 'Hi' }] },
    tool: (name: string, parameters: Fields) => ({ type: 'function', function: { name, parameters } }),
    field: '.function.parameters',
  },
  responses: {
    path: '/responses',
    said: { input: 'Hi', store: false },
    tool: (name: string, parameters: Fields) => ({ type: 'function', name, parameters }),
    field: '.parameters',
  },
} as const;

async function expectFreeRefusal(
  caller: Caller,
  fields: Fields,
  refusal: Omit<Parameters<typeof expectRefusal>[1], 'code'>,
): Promise<void> {
  for (const balance of [0n, 5_000_000n]) {
    const { key, accountId } = await pairs.gateway.newKey({ account: `account ${++accounts}`, balance });
    const answer = await pairs.gateway.call(words[caller].path, { key, json: fields });
    // A large body of a caller without money is not read.
    const isRead = balance > 0n || Buffer.byteLength(JSON.stringify(fields)) <= SMALL_BODY_BYTES;
    await expectRefusal(answer, isRead ? { code: 'invalid_value', ...refusal } : { code: 'insufficient_balance' });
    expect(await ledger.getBalance(accountId)).toEqual({ balance, held: 0n });
  }
}
let accounts = 0;

const unlike: readonly (readonly [Caller, Kind])[] = [
  ['responses', 'chat'],
  ['responses', 'anthropic'],
  ['responses', 'gemini'],
  ['chat', 'responses'],
  ['chat', 'anthropic'],
  ['chat', 'gemini'],
];

const MUCH = /with references, unions, and packed values expanded, the request exceeds [\d,]+ values, the limit for its size/;

describe.each(unlike)('A %s call to a model over %s', (caller, kind) => {
  const { said, tool, field } = words[caller];
  const withTools = (...schemas: readonly Fields[]) => ({
    model: modelOver(kind),
    ...said,
    tools: schemas.map((schema, index) => tool(`f${index}`, schema)),
  });

  test('A1: rejects at no charge a tool whose definitions each refer to the next twice, and names the tool', async () => {
    await expectFreeRefusal(caller, withTools(plain, plain, ladder(20)), { param: `tools[2]${field}`, says: MUCH });
  });

  test('A10: rejects 128 tools that expand to too much together at no charge', async () => {
    const small = Array.from({ length: 128 }, () => ladder(10));
    await expectFreeRefusal(caller, withTools(...small), { param: expect.stringMatching(/^tools\[\d+\]/), says: MUCH });
  });

  test.each([
    ['unions whose branches double on the way', forkedLadder(14), MUCH],
    ['3,000 names at the end of 200 unions', wrapped(200, 3000), MUCH],
    ['a chain of 15,000 references', chain(15_000), 'nests more than 500 references and unions'],
  ])('A10: rejects %s at no charge', async (_what, schema, says) => {
    await expectFreeRefusal(caller, withTools(plain, schema), { param: `tools[1]${field}`, says });
  });
});

describe.each(['anthropic', 'gemini'] as const)('A call to a model over %s', (kind) => {
  test.each(['chat', 'responses'] as const)(
    'A1: rejects half a million values in the arguments of a tool call over %s, at no charge',
    async (caller) => {
      const packed = `{"a":[${'[],'.repeat(500_000)}[]]}`;
      const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: packed };
      const asked = { id: 'c', type: 'function', function: { name: 'f', arguments: packed } };
      const said = {
        chat: {
          messages: [
            { role: 'user', content: 'Hi' },
            { role: 'assistant', content: null, tool_calls: [asked] },
            { role: 'tool', tool_call_id: 'c', content: '' },
          ],
        },
        responses: { input: [{ role: 'user', content: 'Hi' }, call, { type: 'function_call_output', call_id: 'c', output: '' }] },
      };
      const param = { chat: 'messages[1].tool_calls[0]', responses: 'input[1]' }[caller];
      await expectFreeRefusal(caller, { model: modelOver(kind), ...said[caller] }, { param, says: 'the request exceeds 160,000 values' });
    },
  );
});

test('A1: rejects a data URL with five million parameters', async () => {
  const url = `data:image/png${';'.repeat(5_000_000)},AAAA`;
  const input = [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }];
  const answer = await pairs.gateway.call('/responses', { json: { model: modelOver('gemini'), input } });
  await expectRefusal(answer, { code: 'unsupported_parameter', param: 'input[0].content[0]', says: 'base64 data URL' });
});

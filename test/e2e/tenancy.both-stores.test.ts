/** Two accounts on one gateway: the second can neither read nor change anything by an id of the first (promise G12). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contract } from '../../contract/index.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { recordAttempts } from '../harness/record-attempts.ts';

let gateway: TestGateway;
/** The key of the second account. */
let stranger: string;
/** All ids of the first account: of what it made, of its key, of itself. */
let ids: readonly string[];
let responseId: string;

const model = 'gpt-5.4';

/** All ids have one form: letters, an underscore or hyphen, and at least 16 letters or digits. */
const idsIn = (text: string) => text.match(/\b[a-z]+[_-][0-9A-Za-z]{16,}\b/g) ?? [];

/** An unknown id of the same length and kind, so that content-length is the same. */
function neverWas(id: string): string {
  const tail = [...id.slice(-12)].map((letter) => (letter === 'z' ? 'y' : 'z')).join('');
  return id.slice(0, -12) + tail;
}

/** Headers that differ between any two answers. */
const isOfTheCall = (name: string) => name === 'x-request-id' || name === 'date' || name.startsWith('x-ratelimit-');

async function seen(answer: Response, id: string) {
  const headers = [...answer.headers].filter(([name]) => !isOfTheCall(name));
  return { status: answer.status, headers, body: (await answer.text()).replaceAll(id, '<id>') };
}

/** Each place where a caller can put an id: in the path of each route that has one, and in bodies that refer to something. */
const inAddresses = Object.entries(contract).flatMap(([name, { method, path }]) => {
  const places = path.match(/:\w+/g) ?? [];
  return places.map((place) => ({
    way: `${name} with ${place}`,
    ask: (id: string) => gateway.call(path.replace(/^\/v1/, '').replace(place, id).replaceAll(/:\w+/g, id), { key: stranger, method }),
  }));
});
const inBodies = [false, true].flatMap((stream) => {
  const post = (json: object) => gateway.call('/responses', { key: stranger, json: { model, stream, ...json } });
  return [
    { way: `previous_response_id, stream: ${stream}`, ask: (id: string) => post({ input: 'Go on.', previous_response_id: id }) },
    { way: `item_reference, stream: ${stream}`, ask: (id: string) => post({ input: [{ type: 'item_reference', id }] }) },
    {
      way: `the call_id of a result, stream: ${stream}`,
      ask: (id: string) => post({ input: [{ type: 'function_call_output', call_id: id, output: '1' }] }),
    },
  ];
});

beforeAll(async () => {
  gateway = await startGateway();
  stranger = (await gateway.newKey({ account: 'stranger' })).key;
  const owner = await gateway.newKey({ account: 'owner' });
  const own = (path: string, json?: unknown) => gateway.call(path, { key: owner.key, ...(json !== undefined && { json }) });
  const answers = [await own('/responses', { model, input: 'A secret.' })];
  const first = (await answers[0]?.clone().json()) as { id: string };
  responseId = first.id;
  answers.push(
    await own('/responses', { model, input: [{ role: 'user', content: 'And another.' }], previous_response_id: first.id }),
    await own(`/responses/${first.id}/input_items`),
    await own('/chat/completions', { model, messages: [{ role: 'user', content: 'hi' }] }),
  );
  for (const { status } of answers) expect(status).toBe(200);
  const accountId = await gateway.withAccess(async ({ store }) => (await store.findAccount('owner'))?.id ?? '');
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  const requests = answers.map(({ headers }) => headers.get('x-request-id') ?? '');
  ids = [...new Set([...texts.flatMap(idsIn), ...requests, owner.id, accountId])];
});
afterAll(() => gateway.close());

test('G12: includes every kind in the IDs of the first account', () => {
  const kinds = new Set(ids.map((id) => id.replace(/[_-].*/, '')));
  for (const kind of ['resp', 'msg', 'chatcmpl', 'req', 'key', 'acct']) expect(kinds).toContain(kind);
  expect(inAddresses.map(({ way }) => way)).toContain('deleteResponse with :response_id');
});

test.each([...inAddresses, ...inBodies])(
  'F45, G12: returns by $way the same for an ID of another account as for an unknown ID',
  async ({ ask }) => {
    for (const id of ids) {
      const foreign = await seen(await ask(id), id);
      const unknown = await seen(await ask(neverWas(id)), neverWas(id));
      expect(foreign.status, id).toBeGreaterThanOrEqual(400);
      expect(foreign, id).toEqual(unknown);
      expect(foreign.body).not.toContain('secret');
    }
    recordAttempts('G12', { what: 'requests with an id of another account', times: ids.length });
  },
);

test('F45, G12: starts no page after an item of another account', async () => {
  const own = await gateway.call('/responses', { key: stranger, json: { model, input: 'Mine.' } });
  const { id: ownId } = (await own.json()) as { id: string };
  for (const id of ids) {
    const page = (after: string) => gateway.call(`/responses/${ownId}/input_items?after=${after}`, { key: stranger });
    const foreign = await seen(await page(id), id);
    expect(foreign.status).toBe(400);
    expect(foreign).toEqual(await seen(await page(neverWas(id)), neverWas(id)));
  }
  recordAttempts('G12', { what: 'requests with an id of another account', times: ids.length });
});

test('F45, G12: lets the first account read and continue its response after these requests', async () => {
  const { key } = await gateway.newKey({ account: 'owner' });
  expect((await gateway.call(`/responses/${responseId}`, { key })).status).toBe(200);
  const next = await gateway.call('/responses', { key, json: { model, input: 'Go on.', previous_response_id: responseId } });
  expect(next.status).toBe(200);
});

test('returns the stored response to another key of the same account', async () => {
  const { key } = await gateway.newKey({ account: 'owner' });
  const items = await gateway.call(`/responses/${responseId}/input_items`, { key });
  expect(JSON.stringify(await items.json())).toContain('A secret.');
});

/** Checks of state between requests: stored responses, and answers by idempotency key. */
import { randomUUID } from 'node:crypto';
import { Response } from '../../contract/responses.ts';
import { DeletedResponse, InputItemList } from '../../contract/stored-responses.ts';
import { type Check, demandRefusal, fitting, goodBody } from './check.ts';
import { streamOf } from './events.ts';
import { chatAsk, responseAsk } from './operations.ts';
import { demand, demandAll } from './violation.ts';

export const state: readonly Check[] = [
  {
    group: 'state',
    area: 'responses',
    name: 'stores a response: it can be read, continued and deleted',
    async run(caller) {
      const json = { ...responseAsk(caller), store: true };
      const { id } = goodBody(await caller.ask('/responses', { json }), Response);
      demand(goodBody(await caller.ask(`/responses/${id}`), Response).id === id, 'reading it gives a different response');
      const next = goodBody(await caller.ask('/responses', { json: { ...responseAsk(caller), previous_response_id: id } }), Response);
      demand(next.previous_response_id === id, 'the next response does not name the one before');
      const { data } = goodBody(await caller.ask(`/responses/${id}/input_items`), InputItemList);
      demand(data.length === 1, `the input has ${data.length} items, not 1`);
      goodBody(await caller.ask(`/responses/${id}`, { method: 'DELETE' }), DeletedResponse);
      demandRefusal(await caller.ask(`/responses/${id}`), 'response_not_found');
    },
  },
  {
    group: 'state',
    area: 'responses',
    name: 'keeps what a stream ended with',
    async run(caller) {
      const { events } = streamOf(await caller.ask('/responses', { json: { ...responseAsk(caller), store: true, stream: true } }));
      const ended = fitting(Response, events.at(-1)?.data.response, 'the response at the end');
      const kept = goodBody(await caller.ask(`/responses/${ended.id}`), Response);
      await caller.ask(`/responses/${ended.id}`, { method: 'DELETE' });
      demand(JSON.stringify(kept.output) === JSON.stringify(ended.output), 'the output that is kept is another one');
    },
  },
  {
    group: 'state',
    area: 'responses',
    name: 'lists the input of a response by pages, without a gap or a repeat',
    async run(caller) {
      const input = ['one', 'two', 'three'].map((content) => ({ role: 'user', content }));
      const { id } = goodBody(await caller.ask('/responses', { json: { ...responseAsk(caller), input, store: true } }), Response);
      const read = async (query: string) => goodBody(await caller.ask(`/responses/${id}/input_items?${query}`), InputItemList);
      const first = await read('limit=2&order=asc');
      const rest = await read(`limit=2&order=asc&after=${first.last_id}`);
      const newest = await read('limit=3');
      await caller.ask(`/responses/${id}`, { method: 'DELETE' });
      const paged = [...first.data, ...rest.data].map((item) => item.id);
      demandAll([
        () => demand(first.has_more && !rest.has_more, 'has_more is not true on the first page and false on the last'),
        () => demand(new Set(paged).size === input.length, `the pages have ${new Set(paged).size} items, not ${input.length}`),
        () => demand(String(newest.data.map((item) => item.id).toReversed()) === String(paged), 'newest first is another order'),
      ]);
    },
  },
  {
    group: 'state',
    area: 'chat',
    name: 'refuses an idempotency key under which something else was asked',
    async run(caller) {
      const headers = { 'idempotency-key': randomUUID() };
      const first = await caller.ask('/chat/completions', { json: chatAsk(caller), headers });
      demand(first.status === 200, `the status is ${first.status}, not 200`);
      const other = { ...chatAsk(caller), temperature: 0.5 };
      demandRefusal(await caller.ask('/chat/completions', { json: other, headers }), 'invalid_value');
    },
  },
  {
    group: 'state',
    area: 'chat',
    name: 'runs an idempotency key once, and repeats the answer',
    async run(caller) {
      const asked = { json: chatAsk(caller), headers: { 'idempotency-key': randomUUID() } };
      const [first, second] = [await caller.ask('/chat/completions', asked), await caller.ask('/chat/completions', asked)];
      const isRepeated = second.headers.get('idempotent-replayed') === 'true';
      demandAll([
        () => demand(first.status === 200, `the status is ${first.status}, not 200`),
        () => demand(second.text === first.text, 'the second answer differs'),
        () => demand(isRepeated, 'the second answer is not marked as a repetition'),
      ]);
    },
  },
];

/** Checks stored responses: continuing, reading, and deleting them. */

import { randomUUID } from 'node:crypto';
import { DeletedResponse, InputItemList } from '../../contract/responses/stored.ts';
import { Response } from '../../contract/responses.ts';
import { assert, assertAll, assertError, parseOkBody, parseWithSchema } from './assert.ts';
import type { Check } from './check.ts';
import { parseEventStream } from './event-stream.ts';
import { createChatRequest, createResponseRequest } from './request.ts';

export const stateChecks: readonly Check[] = [
  {
    group: 'state',
    area: 'responses',
    name: 'stores a response that can be retrieved, continued, and deleted',
    async run(caller) {
      const json = { ...createResponseRequest(caller), store: true };
      const { id } = parseOkBody(await caller.send('/responses', { json }), Response);
      assert(parseOkBody(await caller.send(`/responses/${id}`), Response).id === id, 'the retrieved response has a different ID');
      const nextResponse = parseOkBody(
        await caller.send('/responses', { json: { ...createResponseRequest(caller), previous_response_id: id } }),
        Response,
      );
      assert(nextResponse.previous_response_id === id, "the next response doesn't have the expected previous_response_id");
      const { data } = parseOkBody(await caller.send(`/responses/${id}/input_items`), InputItemList);
      assert(data.length === 1, `expected 1 input item, got ${data.length}`);
      parseOkBody(await caller.send(`/responses/${id}`, { method: 'DELETE' }), DeletedResponse);
      assertError(await caller.send(`/responses/${id}`), 'response_not_found');
    },
  },
  {
    group: 'state',
    area: 'responses',
    name: 'stores the final response of a stream',
    async run(caller) {
      const { events } = parseEventStream(
        await caller.send('/responses', { json: { ...createResponseRequest(caller), store: true, stream: true } }),
      );
      const finalResponse = parseWithSchema(Response, events.at(-1)?.data.response, 'the final response');
      const storedResponse = parseOkBody(await caller.send(`/responses/${finalResponse.id}`), Response);
      await caller.send(`/responses/${finalResponse.id}`, { method: 'DELETE' });
      assert(
        JSON.stringify(storedResponse.output) === JSON.stringify(finalResponse.output),
        'the stored output differs from the streamed output',
      );
    },
  },
  {
    group: 'state',
    area: 'responses',
    name: 'paginates the input items of a response without gaps or duplicates',
    async run(caller) {
      const input = ['one', 'two', 'three'].map((content) => ({ role: 'user', content }));
      const { id } = parseOkBody(
        await caller.send('/responses', { json: { ...createResponseRequest(caller), input, store: true } }),
        Response,
      );
      const listItems = async (query: string) => parseOkBody(await caller.send(`/responses/${id}/input_items?${query}`), InputItemList);
      const firstPage = await listItems('limit=2&order=asc');
      const secondPage = await listItems(`limit=2&order=asc&after=${firstPage.last_id}`);
      const reversedPage = await listItems('limit=3');
      await caller.send(`/responses/${id}`, { method: 'DELETE' });
      const pagedIds = [...firstPage.data, ...secondPage.data].map((item) => item.id);
      assertAll([
        () => assert(firstPage.has_more && !secondPage.has_more, "has_more isn't true on the first page and false on the last"),
        () => assert(new Set(pagedIds).size === input.length, `expected ${input.length} items on all pages, got ${new Set(pagedIds).size}`),
        () =>
          assert(
            String(reversedPage.data.map((item) => item.id).toReversed()) === String(pagedIds),
            "descending order isn't the reverse of ascending order",
          ),
      ]);
    },
  },
  {
    group: 'state',
    area: 'chat',
    name: 'rejects an idempotency key that was used with another body',
    async run(caller) {
      const headers = { 'idempotency-key': randomUUID() };
      const firstResponse = await caller.send('/chat/completions', { json: createChatRequest(caller), headers });
      assert(firstResponse.status === 200, `the status is ${firstResponse.status}, not 200`);
      const otherBody = { ...createChatRequest(caller), temperature: 0.5 };
      assertError(await caller.send('/chat/completions', { json: otherBody, headers }), 'idempotency_key_reused');
    },
  },
  {
    group: 'state',
    area: 'chat',
    name: 'runs a request with an idempotency key once, and replays the response',
    async run(caller) {
      const request = { json: createChatRequest(caller), headers: { 'idempotency-key': randomUUID() } };
      const [first, second] = [await caller.send('/chat/completions', request), await caller.send('/chat/completions', request)];
      const isRepeated = second.headers.get('idempotent-replayed') === 'true';
      assertAll([
        () => assert(first.status === 200, `the status is ${first.status}, not 200`),
        () => assert(second.text === first.text, 'the second response differs from the first'),
        () => assert(isRepeated, "the second response isn't marked as a replay"),
      ]);
    },
  },
];

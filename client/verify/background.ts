/** Checks responses in the background: their states, their events again from any one, and canceling. */

import { Response } from '../../contract/responses.ts';
import { assert, assertAll, parseOkBody, parseWithSchema } from './assert.ts';
import type { Check } from './check.ts';
import { parseEventStream } from './event-stream.ts';
import { createResponseRequest } from './request.ts';
import type { VerifyClient } from './target.ts';

const createRequest = (caller: VerifyClient) => ({ ...createResponseRequest(caller), store: true, background: true });

export const backgroundChecks: readonly Check[] = [
  {
    group: 'state',
    area: 'responses',
    name: 'completes a response in the background, and streams it to the end',
    async run(caller) {
      const started = parseOkBody(await caller.send('/responses', { json: createRequest(caller) }), Response);
      const { events } = parseEventStream(await caller.send(`/responses/${started.id}?stream=true`));
      const final = parseWithSchema(Response, events.at(-1)?.data.response, 'the final response');
      const stored = parseOkBody(await caller.send(`/responses/${started.id}`), Response);
      await caller.send(`/responses/${started.id}`, { method: 'DELETE' });
      assertAll([
        () => assert(started.status === 'queued' || started.status === 'in_progress', `the status is ${started.status}, not queued`),
        () => assert(started.output.length === 0, 'the response has output before it runs'),
        () => assert(JSON.stringify(stored.output) === JSON.stringify(final.output), 'the stored output differs from the streamed output'),
      ]);
    },
  },
  {
    group: 'state',
    area: 'responses',
    name: 'streams the events after a given one again, unchanged',
    async run(caller) {
      const first = await caller.send('/responses', { json: { ...createRequest(caller), stream: true } });
      const { events } = parseEventStream(first);
      const { id } = parseWithSchema(Response, events[0]?.data.response, 'the first response');
      const rest = await caller.send(`/responses/${id}?stream=true&starting_after=1`);
      await caller.send(`/responses/${id}`, { method: 'DELETE' });
      const [, , ...expected] = events;
      assert(JSON.stringify(parseEventStream(rest).events) === JSON.stringify(expected), 'the events after the second one differ');
    },
  },
  {
    group: 'state',
    area: 'responses',
    name: 'cancels a response in the background, or returns it complete',
    async run(caller) {
      const { id } = parseOkBody(await caller.send('/responses', { json: createRequest(caller) }), Response);
      const ended = parseOkBody(await caller.send(`/responses/${id}/cancel`, { method: 'POST' }), Response);
      const stored = parseOkBody(await caller.send(`/responses/${id}`), Response);
      await caller.send(`/responses/${id}`, { method: 'DELETE' });
      assertAll([
        () => assert(ended.status !== 'queued' && ended.status !== 'in_progress', `the status is ${ended.status} after cancelling`),
        () => assert(stored.status === ended.status, 'the stored status differs from the returned one'),
      ]);
    },
  },
];

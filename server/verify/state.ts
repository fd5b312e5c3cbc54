/** Checks of state between requests: stored responses, and answers by idempotency key. */
import { randomUUID } from 'node:crypto';
import { Response } from '../../contract/responses.ts';
import { DeletedResponse, InputItemList } from '../../contract/stored-responses.ts';
import { type Check, demandRefusal, goodBody } from './check.ts';
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

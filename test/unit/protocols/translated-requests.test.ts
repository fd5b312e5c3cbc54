/** The requests of both callers, a row each: what the gateway reads, and what an upstream of each protocol receives, or which field is rejected. */
import { describe, expect, test } from 'vitest';
import { ChatCompletionRequest } from '../../../contract/chat.ts';
import { ResponseRequest } from '../../../contract/responses.ts';
import { converseDialect } from '../../../server/protocols/converse/dialect.ts';
import { type Json, readRows } from '../../fixtures/rows.ts';
import { type Caller, callers, upstreams } from './fixture-answers.ts';
import { refusalOf } from './upstream-reading.ts';

interface Row {
  readonly title: string;
  readonly caller: Caller;
  /** Without `model`; without messages or input it says `Hi`. */
  readonly body: Json;
}
interface ReadRow extends Row {
  /** The part of the turn that the request becomes. */
  readonly turn: Json;
}
interface SentRow extends Row {
  readonly to: keyof typeof models;
  readonly model?: string;
  readonly sent?: Json;
  /** The code and the field of the error, in place of `sent`. */
  readonly rejected?: string;
}

const dialects = { ...upstreams, converse: converseDialect };
const models = { chat: 'gpt-5.4', responses: 'gpt-5.4', anthropic: 'claude-opus-5', gemini: 'gemini-3.5-flash', converse: 'm' } as const;
const contracts = { chat: ChatCompletionRequest, responses: ResponseRequest } as const;
const hello = { chat: { messages: [{ role: 'user', content: 'Hi' }] }, responses: { input: 'Hi' } } as const;

describe('the gateway', () => {
  test.each(readRows<ReadRow>('read-requests'))('reads the request of a $caller caller: $title', ({ caller, body, turn }) => {
    // The contract cannot check results of calls in earlier responses.
    const parsed = { ...contracts[caller].parse({ model: 'any', ...body }) };
    const read = callers[caller].readRequest(parsed, 'up-model');
    expect(read).toMatchObject({ caller, model: 'up-model' });
    for (const [field, value] of Object.entries(turn)) expect(read).toHaveProperty(field, value);
  });

  test.each(readRows<SentRow>('sent-requests'))(
    'translates from $caller to $to: $title',
    ({ caller, to, model = models[to], body, ...row }) => {
      const write = () => dialects[to].writeRequest(callers[caller].readRequest({ ...hello[caller], ...body }, model));
      if (row.rejected !== undefined) return expect(refusalOf(write)).toBe(row.rejected);
      const sent = JSON.parse(JSON.stringify(write()));
      expect(sent).toEqual(row.sent);
      if (to === 'chat' || to === 'responses') expect(contracts[to].safeParse(sent).error).toBeUndefined();
    },
  );
});

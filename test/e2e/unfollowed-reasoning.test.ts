/** Reasoning that no item of its response follows: the Responses API rejects it as input, so a stored conversation is sent without it. */
import { beforeEach, describe, expect, test } from 'vitest';
import { json, stream } from '../fakes/delivery.ts';
import { response, responseFrames } from '../fakes/responses.ts';
import { useOpened } from '../harness/opened.ts';
import { modelOver, openPairs, seals } from '../harness/pairs.ts';

const pairs = useOpened(() => openPairs());

const user = (content: string) => ({ type: 'message', role: 'user', content });
const reasoning = { type: 'reasoning', encrypted_content: seals.responses };

describe.each([false, true])('streamed: %s', (isStream) => {
  beforeEach(() => pairs.fakes.responses.clear());

  /** Queues an incomplete response of the vendor. */
  function expectCut(text: string | null): void {
    const cut = { text, reasoning: 'Hm.', status: 'incomplete' } as const;
    pairs.fakes.responses.next(isStream ? stream(responseFrames(cut)) : json(response(cut)));
  }

  /** Returns the ID of the response, and the fields that the caller reads as omitted. */
  async function ask(body: object): Promise<{ id: string; dropped: string | null }> {
    const answer = await pairs.gateway.call('/responses', { json: { model: modelOver('responses'), stream: isStream, ...body } });
    const text = await answer.text();
    expect([answer.status, text]).toEqual([200, expect.any(String)]);
    return { id: /"id":"(resp_[^"]+)"/.exec(text)?.[1] ?? '', dropped: answer.headers.get('x-modelgate-dropped') };
  }

  const sent = () => pairs.fakes.responses.last.fields.input;

  test('leaves it out of the stored conversation, and names the loss', async () => {
    expectCut(null);
    const { id } = await ask({ input: 'Hello' });
    const { dropped } = await ask({ previous_response_id: id, input: 'Go on.' });
    expect(sent()).toEqual([user('Hello'), user('Go on.')]);
    expect(dropped).toBe('reasoning.encrypted_content');
  });

  test('sends it where a message of its response follows', async () => {
    expectCut('Half of');
    const { id } = await ask({ input: 'Hello' });
    const { dropped } = await ask({ previous_response_id: id, input: 'Go on.' });
    expect(sent()).toMatchObject([user('Hello'), reasoning, { role: 'assistant' }, user('Go on.')]);
    expect(dropped).toBeNull();
  });

  test('sends it where the caller sends it back itself', async () => {
    const input = [user('Hello'), { ...reasoning, summary: [] }, user('Go on.')];
    const { dropped } = await ask({ store: false, input });
    expect(sent()).toEqual(input);
    expect(dropped).toBeNull();
  });
});

import { createServer, type Server } from 'node:http';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GatewayError } from '../../../server/primitives/errors.ts';
import type { CanonicalEvent } from '../../../server/protocols/canonical/canonical-events.ts';
import { chatCallerDialect } from '../../../server/protocols/chat/dialect.ts';
import { responsesCallerDialect } from '../../../server/protocols/responses/dialect.ts';
import { answers, open, start, stop, text, thought } from '../../fixtures/turn/answers.ts';
import { createHead } from '../../fixtures/turn/heads.ts';
import { makeAnswer } from '../../fixtures/turn/random.ts';

let server: Server;
let client: OpenAI;
/** The events of the next answer. */
let events: readonly CanonicalEvent[] = [];

beforeAll(async () => {
  server = createServer((request, reply) => {
    const isChat = request.url === '/v1/chat/completions';
    const dialect = isChat ? chatCallerDialect : responsesCallerDialect;
    const asked = isChat ? { stream_options: { include_usage: true } } : { include: ['reasoning.encrypted_content'] };
    const writer = dialect.openStream(createHead(isChat ? 'chatcmpl' : 'resp', asked));
    reply.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) reply.write(writer.write(event));
    reply.end(writer.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  client = new OpenAI({ apiKey: 'none', baseURL: `http://127.0.0.1:${address.port}/v1`, maxRetries: 0 });
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

const model = 'any-model';
function readResponse(told: readonly CanonicalEvent[]) {
  events = told;
  return client.responses.stream({ model, input: 'hi' }).finalResponse();
}
function readChat(told: readonly CanonicalEvent[]) {
  events = told;
  return client.chat.completions.stream({ model, messages: [{ role: 'user', content: 'hi' }] }).finalChatCompletion();
}
const wholeResponse = (told: readonly CanonicalEvent[]) =>
  responsesCallerDialect.writeResponse(told, createHead('resp', { include: ['reasoning.encrypted_content'] }));
/** The value as JSON carries it. */
const onWire = (value: unknown) => JSON.parse(JSON.stringify(value));

describe.each(answers)('the OpenAI SDK, with $what as the answer,', ({ events: told }) => {
  it('collects the response stream into the whole response', async () => {
    const final = await readResponse(told);
    expect(onWire(final)).toMatchObject(onWire(wholeResponse(told)));
  });

  it('collects the chat stream into the whole completion', async () => {
    const final = await readChat(told);
    const whole = onWire(chatCallerDialect.writeResponse(told, createHead('chatcmpl')));
    expect(final.choices[0]?.finish_reason).toBe(whole.choices[0].finish_reason);
    expect(final.choices[0]?.message.content ?? '').toBe(whole.choices[0].message.content ?? '');
    expect(onWire(final.choices[0]?.message.tool_calls ?? [])).toMatchObject(whole.choices[0].message.tool_calls ?? []);
    expect(onWire(final.usage ?? null)).toEqual(whole.usage ?? null);
  });
});

describe('the OpenAI SDK', () => {
  it('collects the stream of any answer into the whole one', async () => {
    for (let seed = 1000; seed < 1060; seed++) {
      const told = makeAnswer(seed);
      expect(onWire(await readResponse(told))).toMatchObject(onWire(wholeResponse(told)));
      const whole = onWire(chatCallerDialect.writeResponse(told, createHead('chatcmpl')));
      expect((await readChat(told)).choices[0]?.message.content ?? '').toBe(whole.choices[0].message.content ?? '');
    }
  });

  it('throws an error with the code of the gateway when the upstream fails in the middle', async () => {
    const failed: CanonicalEvent = { kind: 'failed', error: new GatewayError('context_length_exceeded') };
    for (const before of [[], [start, text('Hi')], [thought('Hm')], [open(0, 'f')], [text('Hi'), stop]]) {
      await expect(readResponse([...before, failed])).rejects.toMatchObject({ code: 'context_length_exceeded' });
      await expect(readChat([...before, failed])).rejects.toMatchObject({ code: 'context_length_exceeded' });
    }
  });

  it('throws when the upstream was cut', async () => {
    await expect(readResponse([start, text('Hi')])).rejects.toMatchObject({ code: 'upstream_error' });
    await expect(readChat([start, text('Hi')])).rejects.toMatchObject({ code: 'upstream_error' });
  });
});

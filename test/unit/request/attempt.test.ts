/** One attempt that succeeds, or fails before any output: the order of its steps, and the failure (promises G1, G4, G5). */
import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../../contract/errors.ts';
import type { Once } from '../../../server/request/idempotent.ts';
import type { ParsedRequest } from '../../../server/request/transcoder.ts';
import { chatCompletion, chatFrames, chatUsage } from '../../fakes/chat.ts';
import { json, stream } from '../../fakes/delivery.ts';
import { failure, hangUp, html, redirect, silence } from '../../fakes/faults.ts';
import { imageFrames } from '../../fakes/images.ts';
import { failedFrames, response, responseFrames, responseUsage } from '../../fakes/responses.ts';
import type { Script } from '../../fakes/script.ts';
import { textOf } from '../inside.ts';
import { chat, draw, failedAttempt, openSteps, respond, useAttempts } from './attempt-stage.ts';
import { openCall, principalOf } from './one-call.ts';

const { inside, begin } = useAttempts();
const at = (model: string, ask: ParsedRequest): ParsedRequest => {
  if (ask.body.kind !== 'json') return ask;
  const value = { ...ask.body.value, model };
  return { ...ask, body: { kind: 'json', value, bytes: Buffer.from(JSON.stringify(value)) } };
};
/** Stores answers for an idempotency key, and records its calls. */
const keepingIn = (names: string[]): Pick<Once, 'add' | 'forget' | 'seal' | 'keepWhole' | 'release'> => ({
  add: () => void names.push('add'),
  forget: () => void names.push('forget'),
  seal: async () => void names.push('seal'),
  keepWhole: async () => void names.push('keep'),
  release: async () => void names.push('free'),
});

describe('G1, G4: a whole answer', () => {
  test('is charged by its usage, then stored, then sent', async () => {
    const done = Promise.withResolvers<void>();
    const steps = openSteps({ until: done.promise });
    const order = openCall({ principal: principalOf() });
    order.call.once = keepingIn(steps.names);
    const { call, answer } = begin(chat(), { steps, call: order });
    answer.then(() => steps.names.push('told')).catch(() => undefined);
    await expect.poll(() => steps.names).toEqual(['settle completed']);
    expect(call.outcome.end).toBeNull();
    done.resolve();
    expect(await textOf(await answer)).toContain('chatcmpl-fake');
    expect(steps.names).toEqual(['settle completed', 'done', 'keep', 'told']);
    expect(steps.evidence).toMatchObject([{ usage: { input: chatUsage.prompt_tokens, output: chatUsage.completion_tokens } }]);
    expect(call.outcome).toMatchObject({
      end: 'completed',
      usage: { input: 11 },
      attempts: [{ upstream: 'main', status: 200, code: null }],
    });
  });

  test('that cannot be charged is not sent', async () => {
    const fault = new Error('kept nowhere');
    const { answer, call } = begin(chat(), { steps: openSteps({ fault }) });
    await expect(answer).rejects.toBe(fault);
    expect(call.outcome.end).toBeNull();
  });

  test.each([true, false])(
    'of a response is charged after it is stored, and not when it cannot be stored (stored: %s)',
    async (isStored) => {
      const steps = openSteps();
      const fault = new Error('the disk is full');
      const saved = async () => {
        steps.names.push('saved');
        if (!isStored) throw fault;
      };
      const recording = { echo: { id: 'resp_ours' }, save: () => void steps.names.push('save'), saved, note: null };
      const { answer } = begin(respond(), { steps, recording });
      if (isStored) expect(await textOf(await answer)).toContain('resp_ours');
      else await expect(answer).rejects.toBe(fault);
      expect(steps.names).toEqual(['save', 'saved', ...(isStored ? ['settle completed'] : [])]);
    },
  );
});

describe('G5: a stream', () => {
  test('begins for its caller with the first event, and ends after it is charged', async () => {
    const [said, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const steps = openSteps({ until: done.promise });
    const frames = chatFrames({ text: ['one ', 'two'], includeUsage: true });
    inside().main.next(stream([{ comment: 'still here' }, { until: said.promise }, ...frames]));
    const { call, answer } = begin(chat(true), { steps });
    let hasBegun = false;
    void answer.then(() => {
      hasBegun = true;
    });
    await expect.poll(() => inside().main.requests[0]?.sent.length).toBeGreaterThan(0);
    expect([hasBegun, inside().gateway.streams.size, call.outcome.firstEventMs]).toEqual([false, 1, undefined]);
    said.resolve();
    const begun = await answer;
    expect(call.outcome.firstEventMs).toBeGreaterThan(0);
    let isRead = false;
    const reading = textOf(begun).finally(() => {
      isRead = true;
    });
    await expect.poll(() => steps.names).toEqual(['settle completed']);
    expect([isRead, call.outcome.attempts]).toMatchObject([false, [{ status: 200, code: null }]]);
    done.resolve();
    expect((await reading).endsWith('data: [DONE]\n\n')).toBe(true);
    expect([call.outcome.end, call.outcome.usage?.output, inside().gateway.streams.size]).toEqual([
      'completed',
      chatUsage.completion_tokens,
      0,
    ]);
    expect(steps.evidence).toMatchObject([{ usage: { output: chatUsage.completion_tokens } }]);
  });
});

interface Row {
  readonly script: Script;
  readonly ask?: ParsedRequest;
  readonly code: ErrorCode;
  readonly status: number | null;
  readonly verdict?: 'again' | 'elsewhere' | 'caller';
  readonly restMs?: number;
}

const rows: Readonly<Record<string, Row>> = {
  'answers 500': { script: failure(500), code: 'upstream_error', status: 500 },
  'answers 404': { script: failure(404), code: 'upstream_error', status: 404, verdict: 'elsewhere' },
  'knows the key no more': { script: failure(401), code: 'upstream_error', status: 401, verdict: 'elsewhere' },
  'is busy for seven seconds': {
    script: failure(429, { headers: { 'retry-after': '7' } }),
    code: 'rate_limit_exceeded',
    status: 429,
    verdict: 'elsewhere',
    restMs: 7_000,
  },
  'is busy and does not say for how long': { script: failure(429), code: 'rate_limit_exceeded', status: 429 },
  'refuses a value': { script: failure(400, { code: 'invalid_value' }), code: 'invalid_value', status: 400, verdict: 'caller' },
  'points elsewhere': { script: redirect('http://127.0.0.1:9/'), code: 'upstream_error', status: 307 },
  'answers with a page': { script: html(), code: 'upstream_error', status: 200 },
  'hangs up': { script: hangUp, code: 'upstream_error', status: null },
  'breaks off in the middle': {
    script: json(chatCompletion(), { stopAfter: { bytes: 20 }, ending: 'cut' }),
    code: 'upstream_error',
    status: 200,
  },
  'streams where JSON was asked for': { script: stream(chatFrames()), code: 'upstream_error', status: 200 },
  'says nothing in time': { ask: at('hasty', chat()), script: silence, code: 'upstream_timeout', status: null },
  'answers JSON where a stream was asked for': { ask: chat(true), script: json(chatCompletion()), code: 'upstream_error', status: 200 },
  'opens a stream and says nothing in time': {
    ask: at('hasty', chat(true)),
    script: stream([], { ending: 'stall' }),
    code: 'upstream_timeout',
    status: 200,
  },
  'ends a stream that said nothing': { ask: chat(true), script: stream([]), code: 'upstream_error', status: 200 },
  'fails in the first event': {
    ask: respond(true),
    script: stream(failedFrames({ code: 'server_is_overloaded', message: 'busy' })),
    code: 'overloaded',
    status: 200,
  },
  'draws for too long': { ask: at('hasty-drawn', draw()), script: silence, code: 'upstream_timeout', status: null, verdict: 'caller' },
  'streams a picture for too long': {
    ask: at('hasty-drawn', draw(true)),
    script: stream([], { ending: 'stall' }),
    code: 'upstream_timeout',
    status: 200,
    verdict: 'caller',
  },
  'breaks off a picture': {
    ask: draw(true),
    script: stream(imageFrames().slice(0, 0), { ending: 'cut' }),
    code: 'upstream_error',
    status: 200,
  },
};

describe('G5: a vendor that', () => {
  test.each(Object.entries(rows))(
    '%s has failed before anything was shown: nothing is settled, and another attempt may follow',
    async (_what, row) => {
      const { script, ask = chat(), code, status, verdict = 'again', restMs = 0 } = row;
      inside().main.next(script);
      const { answer, steps, call } = begin(ask);
      expect(await failedAttempt(answer)).toMatchObject({ error: { code }, status, verdict, restMs, evidence: null });
      // Whoever tries in turn ends it, and knows why.
      expect([steps.names, call.outcome.attempts, call.outcome.end, inside().gateway.streams.size]).toEqual([[], [], null, 0]);
    },
  );

  test('fails in a stream removes what was stored for the idempotency key', async () => {
    const order = openCall({ principal: principalOf() });
    const names: string[] = [];
    order.call.once = keepingIn(names);
    inside().main.next(stream(responseFrames({ text: 'one' }), { stopAfter: { frames: 2 }, ending: 'cut' }));
    await failedAttempt(begin(respond(true), { call: order }).answer);
    expect(names.at(-1)).toBe('forget');
  });

  test('does not end its error body is not waited for', async () => {
    inside().main.next(json({ error: { message: 'no' } }, { status: 503, stopAfter: { bytes: 4 }, ending: 'stall' }));
    const { answer } = begin(chat());
    expect(await failedAttempt(answer)).toMatchObject({ error: { code: 'overloaded' }, status: 503 });
    await inside().main.hangUp(0);
  });
});

describe('F33: the usage of a failed answer', () => {
  const failedResponse = (usage: unknown) => ({ ...response({ status: 'failed', usage }), output: [] });
  test.each([
    ['whole, with usage', respond(), json({ ...failedResponse(responseUsage), error: { code: 'server_error', message: 'no' } }), 7],
    ['whole, without', respond(), json({ ...failedResponse(null), error: { code: 'server_error', message: 'no' } }), null],
    [
      'in a stream, with usage',
      respond(true),
      stream([
        { event: 'response.failed', data: { type: 'response.failed', sequence_number: 0, response: failedResponse(responseUsage) } },
      ]),
      7,
    ],
    ['in a stream, without', respond(true), stream(failedFrames({ code: 'server_error', message: 'no' })), null],
  ])('is in the failed attempt: %s', async (_what, ask, script, output) => {
    inside().main.next(script);
    const { evidence } = await failedAttempt(begin(ask).answer);
    expect(evidence?.usage?.output ?? null).toBe(output);
  });
});

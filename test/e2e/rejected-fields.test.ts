/** Optional fields that a provider rejects for a model: the request is repeated without the field, and later ones omit it. */
import { describe, expect, test } from 'vitest';
import { anthropicFailure, anthropicFrames, anthropicMessage } from '../fakes/anthropic.ts';
import { chatCompletion, chatFrames } from '../fakes/chat.ts';
import { json, stream } from '../fakes/delivery.ts';
import { failure } from '../fakes/faults.ts';
import { geminiAnswer, geminiFailure, geminiFrames } from '../fakes/gemini.ts';
import { response, responseFrames } from '../fakes/responses.ts';
import type { Script } from '../fakes/script.ts';
import { startGateway } from '../harness/gateway.ts';
import { useFake, useOpened } from '../harness/opened.ts';
import { expectRefusal } from '../harness/refusal.ts';

type Kind = 'chat' | 'responses' | 'local' | 'anthropic' | 'gemini';
/** How many models each kind has: every test uses one of its own, since what it learned stays. */
const models: Readonly<Record<Kind, number>> = { chat: 20, responses: 10, local: 4, anthropic: 12, gemini: 4 };
const placeOf = (kind: string): object =>
  kind === 'chat' || kind === 'responses' ? { upstream: 'openai', protocols: [kind] } : { upstream: kind };

const vendor = useFake();
const gateway = useOpened(() => {
  const at = { baseUrl: vendor.url, apiKey: 'sk-vendor' };
  return startGateway({
    upstreams: {
      openai: { ...at, kind: 'openai' },
      local: { ...at, kind: 'openai-compatible' },
      anthropic: { ...at, kind: 'anthropic' },
      gemini: { ...at, kind: 'gemini' },
    },
    models: [
      ...Object.entries(models).flatMap(([kind, length]) =>
        Array.from({ length }, (_, index) => ({ ...placeOf(kind), id: `${kind}-mystery-${index}`, kind: 'text' })),
      ),
      ...['both-1', 'both-2'].map((id) => ({ id, kind: 'text', upstream: 'openai' })),
      { id: 'pictures', kind: 'image', upstream: 'openai' },
    ],
  });
});

const used = new Map<Kind, number>();
function newModel(kind: Kind): string {
  const index = used.get(kind) ?? 0;
  used.set(kind, index + 1);
  return `${kind}-mystery-${index}`;
}

const replies: Readonly<Record<Kind, (isStream: boolean) => Script>> = {
  chat: (isStream) => (isStream ? stream(chatFrames({ includeUsage: true })) : json(chatCompletion())),
  responses: (isStream) => (isStream ? stream(responseFrames()) : json(response())),
  local: (isStream) => replies.chat(isStream),
  anthropic: (isStream) => (isStream ? stream(anthropicFrames()) : json(anthropicMessage())),
  gemini: (isStream) => (isStream ? stream(geminiFrames()) : json(geminiAnswer())),
};

/** Rejects requests that have the field at any depth, and answers the others. */
function plays(kind: Kind, rejected: string, refusal: Script): void {
  vendor.always(({ body, fields, path }) =>
    body.includes(`"${rejected}":`) ? refusal : replies[kind](fields.stream === true || path.includes(':stream')),
  );
}

type Caller = 'chat' | 'responses';
const ask = (caller: Caller, fields: object): Promise<Response> =>
  caller === 'chat'
    ? gateway.call('/chat/completions', { json: { messages: [{ role: 'user', content: 'Hi.' }], ...fields } })
    : gateway.call('/responses', { json: { input: 'Hi.', store: false, ...fields } });
const ignoredIn = (answer: Response): string | null => answer.headers.get('x-modelgate-dropped');

const openAiSays = (param: string, code = 'unsupported_parameter'): Script =>
  failure(400, { code, param, message: `Unsupported parameter: '${param}' is not supported with this model.` });
const serverSays = (message: string): Script => failure(400, { message });
const claudeSays = (message: string): Script => anthropicFailure(400, 'invalid_request_error', message);
const geminiSays = (message: string): Script => geminiFailure(400, 'INVALID_ARGUMENT', message);

const effortOf = { chat: { reasoning_effort: 'high' }, responses: { reasoning: { effort: 'high', summary: 'auto' } } };
const effortNames = { chat: 'reasoning_effort', responses: 'reasoning.effort, reasoning.summary' };

interface Case {
  readonly caller: Caller;
  readonly kind: Kind;
  /** The caller's fields. */
  readonly fields: object;
  /** The provider's field. */
  readonly rejected: string;
  readonly refusal: Script;
  readonly dropped: string;
}

const cases: readonly Case[] = (['chat', 'responses'] as const).flatMap((caller) => {
  const temperature = { caller, fields: { temperature: 0.2 }, rejected: 'temperature', dropped: 'temperature' };
  const effort = { caller, fields: effortOf[caller], dropped: effortNames[caller] };
  return [
    { ...temperature, kind: 'chat', refusal: openAiSays('temperature', 'unsupported_value') },
    { ...temperature, kind: 'responses', refusal: openAiSays('temperature') },
    { ...temperature, kind: 'local', refusal: serverSays("Unsupported parameter: 'temperature'") },
    { ...temperature, kind: 'anthropic', refusal: claudeSays('`temperature` is deprecated for this model.') },
    { ...effort, kind: 'chat', rejected: 'reasoning_effort', refusal: openAiSays('reasoning_effort') },
    { ...effort, kind: 'responses', rejected: 'reasoning', refusal: openAiSays('reasoning.effort') },
    { ...effort, kind: 'anthropic', rejected: 'effort', refusal: claudeSays('This model does not support the effort parameter.') },
    { ...effort, kind: 'anthropic', rejected: 'thinking', refusal: claudeSays('adaptive thinking is not supported on this model') },
    { ...effort, kind: 'gemini', rejected: 'thinkingConfig', refusal: geminiSays('Thinking level HIGH is not supported for this model.') },
  ];
});

describe.each(cases)('$rejected of a $caller call over $kind', ({ caller, kind, fields, rejected, refusal, dropped }) => {
  test.each([false, true])('repeats a rejected call without the field, and omits it from the next one (stream: %s)', async (isStream) => {
    plays(kind, rejected, refusal);
    const request = { model: newModel(kind), ...fields, stream: isStream };
    for (const calls of [2, 1]) {
      const before = vendor.requests.length;
      const answer = await ask(caller, request);
      const text = await answer.text();
      expect([answer.status, ignoredIn(answer), vendor.requests.length - before], text.slice(0, 300)).toEqual([200, dropped, calls]);
      if (isStream) expect(text).toContain(caller === 'chat' ? '[DONE]' : 'response.completed');
    }
  });
});

test('leaves every other byte of a forwarded request as the caller wrote it', async () => {
  plays('chat', 'top_p', openAiSays('top_p'));
  await ask('chat', { model: newModel('chat'), top_p: 0.2, temperature: 0.5, user: 'ada' });
  const [first, second] = vendor.requests.map(({ body }) => body.toString());
  expect(second).toBe(first?.replace('"top_p":0.2,', ''));
});

test('keeps the format beside a rejected verbosity', async () => {
  plays('responses', 'verbosity', openAiSays('text.verbosity', 'unsupported_value'));
  const answer = await ask('responses', { model: newModel('responses'), text: { verbosity: 'low', format: { type: 'json_object' } } });
  expect([answer.status, ignoredIn(answer)]).toEqual([200, 'text.verbosity']);
  expect(vendor.last.fields.text).toEqual({ format: { type: 'json_object' } });
});

test('keeps the effort beside a rejected summary', async () => {
  plays('responses', 'summary', openAiSays('reasoning.summary', 'unsupported_value'));
  const answer = await ask('responses', { model: newModel('responses'), ...effortOf.responses });
  expect([answer.status, ignoredIn(answer)]).toEqual([200, 'reasoning.summary']);
  expect(vendor.last.fields.reasoning).toEqual({ effort: 'high' });
});

test('sends the field again with another effort, since some models accept it only without reasoning', async () => {
  plays('chat', 'temperature', openAiSays('temperature'));
  const model = newModel('chat');
  await ask('chat', { model, temperature: 0.2, reasoning_effort: 'high' });
  vendor.clear();
  vendor.always(() => json(chatCompletion()));
  await ask('chat', { model, temperature: 0.2, reasoning_effort: 'none' });
  expect(vendor.last.fields.temperature).toBe(0.2);
});

test('returns the second rejection after two calls, and omits both fields from the next call', async () => {
  vendor.always(({ fields }) => {
    if (fields.temperature !== undefined) return openAiSays('temperature');
    return fields.top_p === undefined ? json(chatCompletion()) : openAiSays('top_p');
  });
  const request = { model: newModel('chat'), temperature: 0.2, top_p: 0.5 };
  const first = await ask('chat', request);
  await expectRefusal(first, { code: 'unsupported_parameter', param: 'top_p' });
  expect(vendor.requests).toHaveLength(2);
  const second = await ask('chat', request);
  expect([second.status, ignoredIn(second), vendor.requests.length]).toEqual([200, 'temperature, top_p', 3]);
});

describe('with a provider that wants the other protocol', () => {
  const both = "Unsupported parameter: 'temperature' is not supported in /v1/chat/completions. Please use /v1/responses instead.";
  const elsewhere = failure(400, { code: 'unsupported_parameter', param: 'temperature', message: both });
  const paths = (): string[] => vendor.requests.map(({ path }) => path);

  test('omits a field that is rejected over that one, too', async () => {
    vendor.always(({ path, fields }) => {
      if (path === '/v1/chat/completions') return elsewhere;
      return fields.temperature === undefined ? json(response()) : openAiSays('temperature');
    });
    for (const expected of [['/v1/chat/completions', '/v1/responses', '/v1/responses'], ['/v1/responses']]) {
      const before = vendor.requests.length;
      const answer = await ask('chat', { model: 'both-1', temperature: 0.2 });
      expect([answer.status, ignoredIn(answer), paths().slice(before)]).toEqual([200, 'temperature', expected]);
    }
  });

  test('sends the field over that one', async () => {
    vendor.always(({ path }) => (path === '/v1/chat/completions' ? elsewhere : json(response())));
    const answer = await ask('chat', { model: 'both-2', temperature: 0.2 });
    expect([answer.status, ignoredIn(answer), paths()]).toEqual([200, null, ['/v1/chat/completions', '/v1/responses']]);
    expect(vendor.last.fields.temperature).toBe(0.2);
  });
});

test('returns the rejection of a field of an image call after one call', async () => {
  vendor.always(() => openAiSays('user'));
  const answer = await gateway.call('/images/generations', { json: { model: 'pictures', prompt: 'Oslo', user: 'ada' } });
  expect([answer.status, vendor.requests.length]).toEqual([400, 1]);
});

describe('other rejections', () => {
  const tools = [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: {} } } }];

  test.each([
    ['for an invalid value', { temperature: 2 }, failure(400, { code: 'invalid_value', param: 'temperature' }), 'temperature'],
    ['for the stop sequences', { stop: ['x'] }, openAiSays('stop'), 'stop'],
    ['for the tools', { tools }, openAiSays('tools'), 'tools'],
    ['for the output limit', { max_completion_tokens: 9 }, openAiSays('max_completion_tokens'), 'max_completion_tokens'],
    ['for the format', { response_format: { type: 'json_object' } }, openAiSays('response_format'), 'response_format'],
    ["for a field that wasn't sent", { top_p: 0.5 }, openAiSays('temperature'), 'temperature'],
    ['that quotes such words', { temperature: 0.2 }, serverSays("Invalid name: 'temperature is not supported with this model'"), null],
  ])('returns one %s after one call', async (_, fields, refusal, param) => {
    vendor.always(() => refusal);
    const answer = await ask('chat', { model: newModel('chat'), ...fields });
    expect([answer.status, ((await answer.json()) as { error: { param: unknown } }).error.param]).toEqual([400, param]);
    expect(vendor.requests).toHaveLength(1);
  });
});

/** Checks of complete responses against the schemas of the contract: models, chat, responses, and images. */
import { z } from 'zod';
import { OwnAccount, OwnKey, Statement, UsageSummary } from '../../contract/account.ts';
import { CatalogList } from '../../contract/catalog.ts';
import { ChatCompletion, ChatCompletionChunk } from '../../contract/chat/completion.ts';
import { ImageList } from '../../contract/images.ts';
import { Model, ModelList } from '../../contract/models.ts';
import { Response } from '../../contract/responses.ts';
import { Receipt, UsageList } from '../../contract/usage.ts';
import { orderFault } from '../dialects/responses/order.ts';
import { assert, assertAll, type Caller, type Check, demandRefusal, fitting, goodBody, LeftOut, streamOf, Violation } from './check.ts';

/** Large enough to include reasoning, which also counts. */
const MAX_TOKENS = 1_000;
export const chatAsk = ({ model }: Caller) => ({
  model,
  messages: [{ role: 'user', content: 'Say hello.' }],
  max_completion_tokens: MAX_TOKENS,
});
export const responseAsk = ({ model }: Caller) => ({ model, input: 'Say hello.', max_output_tokens: MAX_TOKENS, store: false });

export function pictureAsk({ imageModel }: Caller) {
  if (imageModel === null) throw new LeftOut('no image model given or found');
  return { model: imageModel, prompt: 'A lighthouse', size: '1024x1024', n: 1 };
}

/** One white pixel. */
const PIXEL = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
export const editAsk = (caller: Caller) => ({ ...pictureAsk(caller), images: [{ image_url: PIXEL }] });

/** PNG, JPEG, WebP. */
const MAGIC = /^(?:89504e470d0a1a0a|ffd8ff|52494646.{8}57454250)/;
export function demandPicture(base64: string | undefined): void {
  assert(MAGIC.test(Buffer.from(base64 ?? '', 'base64').toString('hex', 0, 12)), "the image isn't a PNG, JPEG, or WebP");
}

const place = {
  name: 'place',
  strict: true,
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false },
};
const Place = z.strictObject({ city: z.string() });

function demandPlace(text: string): void {
  fitting(Place, parseJson(text), 'the JSON');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Violation(`the text isn't JSON: ${text.slice(0, 80)}`);
  }
}

export const operations: readonly Check[] = [
  {
    group: 'operations',
    area: 'models',
    name: 'lists the models that the key can call',
    async run(caller) {
      const { data } = goodBody(await caller.ask('/models'), ModelList);
      assert(
        data.some(({ id }) => id === caller.model),
        `the list doesn't contain the model ${caller.model}`,
      );
    },
  },
  {
    group: 'operations',
    area: 'models',
    name: 'retrieves a listed model by its ID',
    async run(caller) {
      const { id } = goodBody(await caller.ask(`/models/${encodeURIComponent(caller.model)}`), Model);
      assert(id === caller.model, `the model is ${id}, not ${caller.model}`);
    },
  },
  {
    group: 'operations',
    area: 'chat',
    name: 'returns a chat completion',
    async run(caller) {
      const { choices } = goodBody(await caller.ask('/chat/completions', { json: chatAsk(caller) }), ChatCompletion);
      assert(choices.length === 1 && Boolean(choices[0]?.message.content), 'the response has no text');
    },
  },
  {
    group: 'operations',
    area: 'responses',
    name: 'returns a response',
    async run(caller) {
      const { status, output } = goodBody(await caller.ask('/responses', { json: responseAsk(caller) }), Response);
      const hasMessage = output.some(({ type }) => type === 'message');
      assertAll([
        () => assert(status === 'completed', `the status is ${String(status)}, not completed`),
        () => assert(hasMessage, 'the output has no message'),
      ]);
    },
  },
  {
    group: 'operations',
    area: 'chat',
    name: 'returns chat content that matches the requested JSON schema',
    async run(caller) {
      const json = { ...chatAsk(caller), response_format: { type: 'json_schema', json_schema: place } };
      const { choices } = goodBody(await caller.ask('/chat/completions', { json }), ChatCompletion);
      demandPlace(choices[0]?.message.content ?? '');
    },
  },
  {
    group: 'operations',
    area: 'responses',
    name: 'returns response text that matches the requested JSON schema',
    async run(caller) {
      const json = { ...responseAsk(caller), text: { format: { type: 'json_schema', ...place } } };
      const { output } = goodBody(await caller.ask('/responses', { json }), Response);
      const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []));
      demandPlace(parts.map((part) => (part.type === 'output_text' ? part.text : '')).join(''));
    },
  },
  ...(['generations', 'edits'] as const).map(
    (kind): Check => ({
      group: 'operations',
      area: 'images',
      name: kind === 'edits' ? 'edits an image' : 'generates an image',
      async run(caller) {
        const json = kind === 'edits' ? editAsk(caller) : pictureAsk(caller);
        const { data } = goodBody(await caller.ask(`/images/${kind}`, { json }), ImageList);
        assertAll([
          () => assert(data?.length === 1, `expected 1 image, got ${data?.length ?? 0}`),
          () => demandPicture(data?.[0]?.b64_json ?? undefined),
        ]);
      },
    }),
  ),
];

const NAME = 'add_numbers';
const parameters = {
  type: 'object',
  properties: { a: { type: 'integer' }, b: { type: 'integer' } },
  required: ['a', 'b'],
  additionalProperties: false,
};
const question = { role: 'user', content: `Use ${NAME} to add 2 and 3.` };
const DESCRIPTION = 'Adds two numbers.';

const chatTools = ({ model }: Caller, messages: readonly unknown[], choice: unknown) => ({
  model,
  messages,
  max_completion_tokens: MAX_TOKENS,
  tool_choice: choice,
  tools: [{ type: 'function', function: { name: NAME, description: DESCRIPTION, parameters } }],
});
const forced = { type: 'function', function: { name: NAME } };

const responseTools = ({ model }: Caller, input: readonly unknown[], choice: unknown) => ({
  model,
  input,
  max_output_tokens: MAX_TOKENS,
  tool_choice: choice,
  store: false,
  tools: [{ type: 'function', name: NAME, description: DESCRIPTION, parameters, strict: true }],
});
const forcedResponse = { type: 'function', name: NAME };

function demandCall(called: string, text: string): void {
  assert(called === NAME, `the call is to ${called}, not ${NAME}`);
  const given: unknown = parseArguments(text);
  const isWhole = typeof given === 'object' && given !== null && 'a' in given && 'b' in given;
  assert(isWhole, `the arguments ${text.slice(0, 80)} lack a field that the schema requires`);
}

function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Violation(`the arguments aren't JSON: ${text.slice(0, 80)}`);
  }
}

export const tools: readonly Check[] = [
  {
    group: 'tools',
    area: 'chat',
    name: 'calls a tool in chat, and continues with its result',
    async run(caller) {
      const first = await caller.ask('/chat/completions', { json: chatTools(caller, [question], forced) });
      const { choices } = goodBody(first, ChatCompletion);
      const { tool_calls: calls = [], content } = choices[0]?.message ?? {};
      const [call] = calls ?? [];
      if (call?.type !== 'function') throw new Violation(`the message has no function call: ${content ?? ''}`);
      demandCall(call.function.name, call.function.arguments);
      const messages = [question, { role: 'assistant', tool_calls: [call] }, { role: 'tool', tool_call_id: call.id, content: '5' }];
      const second = await caller.ask('/chat/completions', { json: chatTools(caller, messages, 'none') });
      assert(Boolean(goodBody(second, ChatCompletion).choices[0]?.message.content), 'no text follows the tool result');
    },
  },
  {
    group: 'tools',
    area: 'responses',
    name: 'calls a tool in a response, and continues with its result',
    async run(caller) {
      const first = await caller.ask('/responses', { json: responseTools(caller, [question], forcedResponse) });
      const { output } = goodBody(first, Response);
      const call = output.find(({ type }) => type === 'function_call');
      if (call?.type !== 'function_call') throw new Violation('the output has no function call');
      demandCall(call.name, call.arguments);
      const result = { type: 'function_call_output', call_id: call.call_id, output: '5' };
      const second = await caller.ask('/responses', { json: responseTools(caller, [question, ...output, result], 'none') });
      const isTold = goodBody(second, Response).output.some(({ type }) => type === 'message');
      assert(isTold, 'no message follows the tool result');
    },
  },
  {
    group: 'tools',
    area: 'chat',
    name: "streams one tool call in chat, and finishes with 'tool_calls'",
    async run(caller) {
      const json = { ...chatTools(caller, [question], forced), stream: true };
      const { events } = streamOf(await caller.ask('/chat/completions', { json }));
      const chunks = events.map(({ data }, index) => fitting(ChatCompletionChunk, data, `chunk ${index}`));
      const choices = chunks.flatMap((chunk) => chunk.choices);
      const pieces = choices.flatMap(({ delta }) => delta.tool_calls ?? []);
      const ids = pieces.flatMap(({ id }) => id ?? []);
      const names = pieces.flatMap((piece) => piece.function?.name ?? []);
      const isEnded = choices.some(({ finish_reason: reason }) => reason === 'tool_calls' || reason === 'stop');
      assertAll([
        () => assert(new Set(ids).size === 1, `expected 1 call ID in the chunks, got ${new Set(ids).size}`),
        () => demandCall(names.join(''), pieces.map((piece) => piece.function?.arguments ?? '').join('')),
        () => assert(isEnded, "the finish reason isn't 'tool_calls'"),
      ]);
    },
  },
  {
    group: 'tools',
    area: 'responses',
    name: 'streams the arguments of a tool call, and repeats them in the final event',
    async run(caller) {
      const json = { ...responseTools(caller, [question], forcedResponse), stream: true };
      const { events } = streamOf(await caller.ask('/responses', { json }));
      const of = (type: string) => events.filter(({ data }) => data.type === type).map(({ data }) => data);
      const joined = of('response.function_call_arguments.delta')
        .map(({ delta }) => String(delta))
        .join('');
      const [end] = of('response.completed');
      const { output } = fitting(Response, end?.response, 'the final response');
      const call = output.find(({ type }) => type === 'function_call');
      if (call?.type !== 'function_call') throw new Violation('the final output has no function call');
      const fault = orderFault(events.map(({ data }) => data));
      assert(fault === null, fault ?? '');
      demandCall(call.name, joined);
      assert(
        joined === call.arguments,
        `the deltas join to ${joined.slice(0, 80)}, but the final event has ${call.arguments.slice(0, 80)}`,
      );
    },
  },
];

/** The path doesn't start with `/v1`. */
export const CATALOG = '/../catalog';

/** Reads the account's newest request. */
async function readNewest(caller: Caller) {
  const page = goodBody(await caller.ask('/usage?limit=1'), UsageList);
  const [newest] = page.data;
  if (!newest) throw new LeftOut('the account has no charged usage');
  return { page, newest };
}

export const usage: readonly Check[] = [
  {
    group: 'operations',
    area: 'catalog',
    name: 'lists models and prices without a key',
    async run(caller) {
      const { data } = goodBody(await caller.ask(CATALOG, { key: null }), CatalogList);
      const ids = data.map(({ id }) => id);
      assert(new Set(ids).size === ids.length, 'the list contains a model twice');
    },
  },
  {
    group: 'errors',
    area: 'catalog',
    name: 'rejects an unknown price group',
    run: async (caller) => demandRefusal(await caller.ask(`${CATALOG}?group=no-such-group`, { key: null }), 'invalid_value', 'group'),
  },
  {
    group: 'operations',
    area: 'usage',
    name: 'returns the balance, usage, and statement',
    async run(caller) {
      const account = goodBody(await caller.ask('/account'), OwnAccount);
      const key = goodBody(await caller.ask('/key'), OwnKey);
      const summary = goodBody(await caller.ask('/account/usage?group_by=model'), UsageSummary);
      const statement = goodBody(await caller.ask('/account/statement?limit=1'), Statement);
      assertAll([
        () => assert(key.account_id === account.id, 'the key belongs to another account'),
        () =>
          assert(
            summary.data.every(({ key_id: id }) => id === null),
            'totals by model contain a key ID',
          ),
        () => assert(statement.data.length <= 1, `expected 1 line in the statement, got ${statement.data.length}`),
      ]);
    },
  },
  {
    group: 'state',
    area: 'usage',
    name: 'paginates usage without duplicates',
    async run(caller) {
      const { page, newest } = await readNewest(caller);
      if (!page.has_more) throw new LeftOut('the account has only one page of usage');
      const next = goodBody(await caller.ask(`/usage?limit=1&after=${newest.request_id}`), UsageList);
      const ids = next.data.map(({ request_id: id }) => id);
      assertAll([
        () => assert(page.data.length === 1, `expected 1 request on the page, got ${page.data.length}`),
        () => assert(page.last_id === newest.request_id, "last_id isn't the ID of the last request"),
        () => assert(ids.length === 1, `expected 1 request on the next page, got ${ids.length}`),
        () => assert(!ids.includes(newest.request_id), 'the next page repeats the request'),
      ]);
    },
  },
  {
    group: 'state',
    area: 'usage',
    name: 'returns the receipt of a listed request',
    async run(caller) {
      const { newest } = await readNewest(caller);
      const receipt = goodBody(await caller.ask(`/usage/${newest.request_id}`), Receipt);
      assertAll([
        () => assert(receipt.request_id === newest.request_id, 'the receipt belongs to another request'),
        () =>
          assert(receipt.charged === newest.charged, `the receipt shows ${receipt.charged} charged, but the list shows ${newest.charged}`),
      ]);
    },
  },
];

/** Checks of whole answers: models, chat, responses and both kinds of images, by the schemas of the contract. */
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

/** Large enough for reasoning, which counts too. */
const MAX_TOKENS = 1_000;
export const chatAsk = ({ model }: Caller) => ({
  model,
  messages: [{ role: 'user', content: 'Say hello.' }],
  max_completion_tokens: MAX_TOKENS,
});
export const responseAsk = ({ model }: Caller) => ({ model, input: 'Say hello.', max_output_tokens: MAX_TOKENS, store: false });

export function pictureAsk({ imageModel }: Caller) {
  if (imageModel === null) throw new LeftOut('no image model was named or found');
  return { model: imageModel, prompt: 'A lighthouse', size: '1024x1024', n: 1 };
}

/** One white pixel. */
const PIXEL = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
export const editAsk = (caller: Caller) => ({ ...pictureAsk(caller), images: [{ image_url: PIXEL }] });

/** PNG, JPEG, WebP. */
const MAGIC = /^(?:89504e470d0a1a0a|ffd8ff|52494646.{8}57454250)/;
export function demandPicture(base64: string | undefined): void {
  assert(MAGIC.test(Buffer.from(base64 ?? '', 'base64').toString('hex', 0, 12)), 'the image is neither PNG nor JPEG nor WebP');
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
    throw new Violation(`the text is not JSON: ${text.slice(0, 80)}`);
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
        `the list does not have the model ${caller.model}`,
      );
    },
  },
  {
    group: 'operations',
    area: 'models',
    name: 'has a model of the list by its id',
    async run(caller) {
      const { id } = goodBody(await caller.ask(`/models/${encodeURIComponent(caller.model)}`), Model);
      assert(id === caller.model, `it is the model ${id}, not ${caller.model}`);
    },
  },
  {
    group: 'operations',
    area: 'chat',
    name: 'answers a chat',
    async run(caller) {
      const { choices } = goodBody(await caller.ask('/chat/completions', { json: chatAsk(caller) }), ChatCompletion);
      assert(choices.length === 1 && Boolean(choices[0]?.message.content), 'the answer has no text');
    },
  },
  {
    group: 'operations',
    area: 'responses',
    name: 'answers a response',
    async run(caller) {
      const { status, output } = goodBody(await caller.ask('/responses', { json: responseAsk(caller) }), Response);
      const hasMessage = output.some(({ type }) => type === 'message');
      assertAll([
        () => assert(status === 'completed', `its status is ${String(status)}, not completed`),
        () => assert(hasMessage, 'the output has no message'),
      ]);
    },
  },
  {
    group: 'operations',
    area: 'chat',
    name: 'answers a chat in JSON of the schema that is asked for',
    async run(caller) {
      const json = { ...chatAsk(caller), response_format: { type: 'json_schema', json_schema: place } };
      const { choices } = goodBody(await caller.ask('/chat/completions', { json }), ChatCompletion);
      demandPlace(choices[0]?.message.content ?? '');
    },
  },
  {
    group: 'operations',
    area: 'responses',
    name: 'answers a response in JSON of the schema that is asked for',
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
          () => assert(data?.length === 1, `there are ${data?.length ?? 0} images, not 1`),
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
  assert(called === NAME, `the call is of ${called}, not of ${NAME}`);
  const given: unknown = parseArguments(text);
  const isWhole = typeof given === 'object' && given !== null && 'a' in given && 'b' in given;
  assert(isWhole, `the arguments ${text.slice(0, 80)} lack what the schema requires`);
}

function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Violation(`the arguments are not JSON: ${text.slice(0, 80)}`);
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
      if (call?.type !== 'function') throw new Violation(`there is no call of a function: ${content ?? ''}`);
      demandCall(call.function.name, call.function.arguments);
      const messages = [question, { role: 'assistant', tool_calls: [call] }, { role: 'tool', tool_call_id: call.id, content: '5' }];
      const second = await caller.ask('/chat/completions', { json: chatTools(caller, messages, 'none') });
      assert(Boolean(goodBody(second, ChatCompletion).choices[0]?.message.content), 'there is no text after the result');
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
      if (call?.type !== 'function_call') throw new Violation('the output has no call of a function');
      demandCall(call.name, call.arguments);
      const result = { type: 'function_call_output', call_id: call.call_id, output: '5' };
      const second = await caller.ask('/responses', { json: responseTools(caller, [question, ...output, result], 'none') });
      const isTold = goodBody(second, Response).output.some(({ type }) => type === 'message');
      assert(isTold, 'there is no message after the result');
    },
  },
  {
    group: 'tools',
    area: 'chat',
    name: 'streams a call in chat whose pieces join to one call, and ends for it',
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
        () => assert(new Set(ids).size === 1, `the pieces have ${new Set(ids).size} ids of calls, not 1`),
        () => demandCall(names.join(''), pieces.map((piece) => piece.function?.arguments ?? '').join('')),
        () => assert(isEnded, 'the stream does not end for the call'),
      ]);
    },
  },
  {
    group: 'tools',
    area: 'responses',
    name: 'streams the arguments of a call, and repeats the same at the end',
    async run(caller) {
      const json = { ...responseTools(caller, [question], forcedResponse), stream: true };
      const { events } = streamOf(await caller.ask('/responses', { json }));
      const of = (type: string) => events.filter(({ data }) => data.type === type).map(({ data }) => data);
      const joined = of('response.function_call_arguments.delta')
        .map(({ delta }) => String(delta))
        .join('');
      const [end] = of('response.completed');
      const { output } = fitting(Response, end?.response, 'the response at the end');
      const call = output.find(({ type }) => type === 'function_call');
      if (call?.type !== 'function_call') throw new Violation('the output at the end has no call of a function');
      const fault = orderFault(events.map(({ data }) => data));
      assert(fault === null, fault ?? '');
      demandCall(call.name, joined);
      assert(joined === call.arguments, `the pieces join to ${joined.slice(0, 80)}, the end has ${call.arguments.slice(0, 80)}`);
    },
  },
];

/** It lies beside `/v1`, not below. */
export const CATALOG = '/../catalog';

/** The newest request of the account. */
async function readNewest(caller: Caller) {
  const page = goodBody(await caller.ask('/usage?limit=1'), UsageList);
  const [newest] = page.data;
  if (!newest) throw new LeftOut('the account has used nothing that is charged');
  return { page, newest };
}

export const usage: readonly Check[] = [
  {
    group: 'operations',
    area: 'catalog',
    name: 'shows anybody the models and their prices',
    async run(caller) {
      const { data } = goodBody(await caller.ask(CATALOG, { key: null }), CatalogList);
      const ids = data.map(({ id }) => id);
      assert(new Set(ids).size === ids.length, 'a model stands there twice');
    },
  },
  {
    group: 'errors',
    area: 'catalog',
    name: 'does not know a group of prices that is none',
    run: async (caller) => demandRefusal(await caller.ask(`${CATALOG}?group=no-such-group`, { key: null }), 'invalid_value', 'group'),
  },
  {
    group: 'operations',
    area: 'usage',
    name: 'tells what is left, what was used and what was paid',
    async run(caller) {
      const account = goodBody(await caller.ask('/account'), OwnAccount);
      const key = goodBody(await caller.ask('/key'), OwnKey);
      const summary = goodBody(await caller.ask('/account/usage?group_by=model'), UsageSummary);
      const statement = goodBody(await caller.ask('/account/statement?limit=1'), Statement);
      assertAll([
        () => assert(key.account_id === account.id, 'the key is of another account'),
        () =>
          assert(
            summary.data.every(({ key_id: id }) => id === null),
            'sums by model name a key',
          ),
        () => assert(statement.data.length <= 1, `the statement has ${statement.data.length} lines, not 1`),
      ]);
    },
  },
  {
    group: 'state',
    area: 'usage',
    name: 'lists what was used by pages, without a repeat',
    async run(caller) {
      const { page, newest } = await readNewest(caller);
      if (!page.has_more) throw new LeftOut('the account has used a single page');
      const next = goodBody(await caller.ask(`/usage?limit=1&after=${newest.request_id}`), UsageList);
      const ids = next.data.map(({ request_id: id }) => id);
      assertAll([
        () => assert(page.data.length === 1, `the page has ${page.data.length} requests, not 1`),
        () => assert(page.last_id === newest.request_id, 'last_id is not that of the last request'),
        () => assert(ids.length === 1, `the next page has ${ids.length} requests, not 1`),
        () => assert(!ids.includes(newest.request_id), 'the next page repeats the request'),
      ]);
    },
  },
  {
    group: 'state',
    area: 'usage',
    name: 'has a receipt of a request that it lists',
    async run(caller) {
      const { newest } = await readNewest(caller);
      const receipt = goodBody(await caller.ask(`/usage/${newest.request_id}`), Receipt);
      assertAll([
        () => assert(receipt.request_id === newest.request_id, 'it is the receipt of another request'),
        () => assert(receipt.charged === newest.charged, `it says ${receipt.charged} was charged, the list ${newest.charged}`),
      ]);
    },
  },
];

/** Runs all checks in sequence against a deployment. */

import type { ErrorCode } from '../../contract/errors.ts';
import { ModelList } from '../../contract/models.ts';
import { chatAsk, operations, pictureAsk, responseAsk, tools, usage } from './answers.ts';
import {
  type Answer,
  type Area,
  type Ask,
  areaOf,
  askTarget,
  assert,
  assertAll,
  type Caller,
  type Check,
  demandRefusal,
  goodBody,
  LeftOut,
  type Outcome,
  type Target,
  Violation,
} from './check.ts';
import { requestIds, state, streams } from './streams.ts';

export interface Choice {
  readonly model?: string | undefined;
  readonly imageModel?: string | undefined;
  readonly hasImages: boolean;
  /** Omit to run all checks. */
  readonly only?: readonly Area[] | undefined;
  readonly limitedKey?: string | undefined;
}

/** Throws if nothing can be tested, because the deployment doesn't respond or doesn't return a model list that is needed. */
export async function openCaller(target: Target, choice: Choice): Promise<Caller> {
  const { model, imageModel, hasImages, limitedKey } = choice;
  const ids = isListNeeded(choice) ? await listModels(target) : [];
  const chosen = model ?? ids.find((id) => !isImage(id)) ?? 'no-model';
  return {
    model: chosen,
    imageModel: hasImages ? (imageModel ?? ids.find(isImage) ?? null) : null,
    limitedKey: limitedKey ?? null,
    ask: (path, ask) => askTarget(target, path, ask),
  };
}

/** Returns whether the model list is needed. With `only`, a mock doesn't need one. */
function isListNeeded({ model, imageModel, hasImages, only }: Choice): boolean {
  if (!only) return model === undefined || imageModel === undefined;
  const asksText = only.includes('chat') || only.includes('responses');
  return (asksText && model === undefined) || (only.includes('images') && hasImages && imageModel === undefined);
}

/** Guesses the kind by the name, because the model list doesn't contain it. */
const isImage = (id: string): boolean => /image|dall-e|imagen/i.test(id);

async function listModels(target: Target): Promise<string[]> {
  return goodBody(await askTarget(target, '/models'), ModelList).data.map(({ id }) => id);
}

export async function* runChecks(caller: Caller, chosen: readonly Check[] = checks): AsyncGenerator<Outcome> {
  for (const check of chosen) yield await runCheck(caller, check);
}

/** Returns the checks of the chosen operations. */
export const checksOf = (only: readonly Area[] | undefined): readonly Check[] =>
  only ? checks.filter(({ area }) => area !== null && only.includes(area)) : checks;

async function runCheck(caller: Caller, { group, name, run }: Check): Promise<Outcome> {
  const startedAt = performance.now();
  const [is, detail, mismatches] = await run(caller).then(
    () => ['passed', '', []] as const,
    (error: unknown) => (error instanceof LeftOut ? (['skipped', error.message, []] as const) : failed(error)),
  );
  return { group, name, state: is, detail, mismatches, ms: Math.round(performance.now() - startedAt) };
}

const failed = (error: unknown) => ['failed', reasonOf(error), error instanceof Violation ? error.mismatches : [reasonOf(error)]] as const;

/** Adds the cause of a failed fetch, which contains the reason. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

interface Wrong {
  readonly name: string;
  readonly code: ErrorCode;
  readonly param?: string;
  readonly path: string;
  readonly ask: (caller: Caller) => Ask;
}

const wrongs: readonly Wrong[] = [
  { name: 'rejects a request without a key', code: 'invalid_api_key', path: '/models', ask: () => ({ key: null }) },
  {
    name: 'rejects a wrong key before validating the body',
    code: 'invalid_api_key',
    path: '/chat/completions',
    ask: () => ({ key: 'mg-wrong', body: '{' }),
  },
  {
    name: 'rejects an unknown model',
    code: 'model_not_found',
    param: 'model',
    path: '/chat/completions',
    ask: (caller) => ({ json: { ...chatAsk(caller), model: 'no-such-model' } }),
  },
  { name: "rejects a body that isn't JSON", code: 'invalid_json', path: '/responses', ask: () => ({ body: '{"model": ' }) },
  {
    name: 'returns 400 with the name of a missing field',
    code: 'missing_required_parameter',
    param: 'messages',
    path: '/chat/completions',
    ask: ({ model }) => ({ json: { model } }),
  },
  {
    name: 'returns 400 with the name of a field that has the wrong type',
    code: 'invalid_type',
    param: 'temperature',
    path: '/responses',
    ask: (caller) => ({ json: { ...responseAsk(caller), temperature: 'warm' } }),
  },
  {
    name: 'returns 400 with the field for a number that is too large',
    code: 'decimal_above_max_value',
    param: 'temperature',
    path: '/chat/completions',
    ask: (caller) => ({ json: { ...chatAsk(caller), temperature: 9 } }),
  },
  {
    name: 'rejects a field of another operation',
    code: 'unknown_parameter',
    param: 'response_format',
    path: '/responses',
    ask: (caller) => ({ json: { ...responseAsk(caller), response_format: { type: 'text' } } }),
  },
  {
    name: 'rejects a body with the wrong content type',
    code: 'unsupported_media_type',
    path: '/chat/completions',
    ask: () => ({ body: 'hello', headers: { 'content-type': 'text/plain' } }),
  },
  {
    name: 'rejects an unknown image model',
    code: 'model_not_found',
    param: 'model',
    path: '/images/generations',
    ask: (caller) => ({ json: { ...pictureAsk(caller), model: 'no-such-model' } }),
  },
  {
    name: 'returns 400 if the image prompt is missing',
    code: 'missing_required_parameter',
    param: 'prompt',
    path: '/images/generations',
    ask: (caller) => ({ json: { model: pictureAsk(caller).model } }),
  },
  {
    name: 'returns 400 if the image to edit is missing',
    code: 'missing_required_parameter',
    param: 'images',
    path: '/images/edits',
    ask: (caller) => ({ json: pictureAsk(caller) }),
  },
  {
    name: 'returns 400 with the field for an empty array',
    code: 'empty_array',
    param: 'messages',
    path: '/chat/completions',
    ask: (caller) => ({ json: { ...chatAsk(caller), messages: [] } }),
  },
  {
    name: 'returns 400 with the field for an integer that is too small',
    code: 'integer_below_min_value',
    param: 'max_completion_tokens',
    path: '/chat/completions',
    ask: (caller) => ({ json: { ...chatAsk(caller), max_completion_tokens: 0 } }),
  },
  {
    name: 'rejects an unknown previous_response_id',
    code: 'previous_response_not_found',
    param: 'previous_response_id',
    path: '/responses',
    ask: (caller) => ({ json: { ...responseAsk(caller), previous_response_id: 'resp_of_nobody' } }),
  },
  {
    name: 'rejects an unknown item ID',
    code: 'item_not_found',
    param: 'input[0].id',
    path: '/responses',
    ask: (caller) => ({ json: { ...responseAsk(caller), input: [{ type: 'item_reference', id: 'msg_of_nobody' }] } }),
  },
  {
    name: 'returns 404 when deleting an unknown response',
    code: 'response_not_found',
    path: '/responses/resp_of_nobody',
    ask: () => ({ method: 'DELETE' }),
  },
  {
    name: 'returns 400 if the page size is too large',
    code: 'integer_above_max_value',
    param: 'limit',
    path: '/responses/resp_of_nobody/input_items?limit=1000',
    ask: () => ({}),
  },
  {
    name: 'rejects streaming a stored response',
    code: 'unsupported_parameter',
    param: 'stream',
    path: '/responses/resp_of_nobody?stream=true',
    ask: () => ({}),
  },
  {
    name: 'returns 404 for an unknown model',
    code: 'model_not_found',
    param: 'model',
    path: '/models/no-such-model',
    ask: () => ({}),
  },
  {
    name: 'rejects an unknown usage query',
    code: 'unknown_parameter',
    param: 'since',
    path: '/usage?since=1',
    ask: () => ({}),
  },
  {
    name: 'returns 404 for the receipt of an unknown request',
    code: 'not_found',
    param: 'request_id',
    path: '/usage/req_of_nobody',
    ask: () => ({}),
  },
  { name: 'returns 404 for an unknown URL', code: 'unknown_url', path: '/no-such-thing', ask: () => ({}) },
  {
    name: 'returns 404 for an unknown response',
    code: 'response_not_found',
    path: '/responses/resp_of_nobody',
    ask: () => ({}),
  },
];

const refusals: readonly Check[] = [
  ...wrongs.map(
    ({ name, code, param, path, ask }): Check => ({
      group: 'errors',
      area: areaOf(path),
      name,
      run: async (caller) => demandRefusal(await caller.ask(path, ask(caller)), code, param),
    }),
  ),
  {
    group: 'errors',
    area: 'chat',
    name: 'returns 405 with the allowed methods',
    async run(caller) {
      const answer = await caller.ask('/chat/completions', { method: 'GET' });
      const allowed = String(answer.headers.get('allow'));
      assertAll([
        () => demandRefusal(answer, 'method_not_allowed'),
        () => assert(allowed === 'POST', `the allow header is ${allowed}, not POST`),
      ]);
    },
  },
  {
    group: 'errors',
    area: 'responses',
    name: 'rejects a streaming request with an HTTP status, not in the stream',
    async run(caller) {
      const json = { ...responseAsk(caller), model: 'no-such-model', stream: true };
      demandRefusal(await caller.ask('/responses', { json }), 'model_not_found', 'model');
    },
  },
];

const DURATION = /^(?:\d+ms|(?:\d+m)?\d+(?:\.\d+)?s)$/;

/** Checks the rate limit headers. Returns false if none are present. */
function demandWindow({ headers }: Answer, what: 'requests' | 'tokens'): boolean {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((word) => headers.get(`x-ratelimit-${word}-${what}`) ?? null);
  if (limit === null && remaining === null && reset === null) return false;
  const areCounts = /^\d+$/.test(limit ?? '') && /^\d+$/.test(remaining ?? '');
  assertAll([
    () => assert(areCounts, `the headers for the limit and the remaining ${what} are ${limit} and ${remaining}, not whole numbers`),
    () => assert(!areCounts || Number(remaining) <= Number(limit), `the remaining ${what} (${remaining}) exceed the limit (${limit})`),
    () => assert(DURATION.test(reset ?? ''), `the reset header for ${what} is '${reset}', which isn't a duration`),
  ]);
  return true;
}

const limits: readonly Check[] = [
  {
    group: 'limits',
    area: 'models',
    name: 'sends limit, remaining, and reset headers together',
    async run(caller) {
      const key = caller.limitedKey === null ? {} : { key: caller.limitedKey };
      const answer = await caller.ask('/models', key);
      const said = assertAll([() => demandWindow(answer, 'requests'), () => demandWindow(answer, 'tokens')]);
      if (!said.includes(true)) throw new LeftOut('the key has no limits');
    },
  },
  {
    group: 'limits',
    area: 'chat',
    name: 'rejects a call above the rate limit with retry-after',
    async run(caller) {
      const { limitedKey: key } = caller;
      if (key === null) throw new LeftOut('specify a key with a limit of one request per minute with --limited-key');
      await caller.ask('/chat/completions', { key, json: chatAsk(caller) });
      const answer = await caller.ask('/chat/completions', { key, json: chatAsk(caller) });
      const wait = answer.headers.get('retry-after') ?? 'nothing';
      assertAll([
        () => demandRefusal(answer, 'rate_limit_exceeded'),
        () => assert(/^[1-9]\d*$/.test(wait), `retry-after is ${wait}, not a number of seconds`),
      ]);
    },
  },
];

export const checks: readonly Check[] = [...operations, ...requestIds, ...streams, ...refusals, ...tools, ...state, ...usage, ...limits];

/** Checks of errors: status, code, type and field, as in the table of errors. */
import type { ErrorCode } from '../../contract/errors.ts';
import type { Ask, Caller } from './caller.ts';
import { areaOf, type Check, demandRefusal } from './check.ts';
import { chatAsk, responseAsk } from './operations.ts';
import { demand, demandAll } from './violation.ts';

interface Wrong {
  readonly name: string;
  readonly code: ErrorCode;
  readonly param?: string;
  readonly path: string;
  readonly ask: (caller: Caller) => Ask;
}

const wrongs: readonly Wrong[] = [
  { name: 'refuses a caller without a key', code: 'invalid_api_key', path: '/models', ask: () => ({ key: null }) },
  {
    name: 'refuses a wrong key before a wrong body',
    code: 'invalid_api_key',
    path: '/chat/completions',
    ask: () => ({ key: 'mg-wrong', body: '{' }),
  },
  {
    name: 'refuses an unknown model',
    code: 'model_not_found',
    param: 'model',
    path: '/chat/completions',
    ask: (caller) => ({ json: { ...chatAsk(caller), model: 'no-such-model' } }),
  },
  { name: 'refuses a body that is not JSON', code: 'invalid_json', path: '/responses', ask: () => ({ body: '{"model": ' }) },
  {
    name: 'names a missing field',
    code: 'missing_required_parameter',
    param: 'messages',
    path: '/chat/completions',
    ask: ({ model }) => ({ json: { model } }),
  },
  {
    name: 'names a field of the wrong type',
    code: 'invalid_type',
    param: 'temperature',
    path: '/responses',
    ask: (caller) => ({ json: { ...responseAsk(caller), temperature: 'warm' } }),
  },
  {
    name: 'names a number that is too large',
    code: 'decimal_above_max_value',
    param: 'temperature',
    path: '/chat/completions',
    ask: (caller) => ({ json: { ...chatAsk(caller), temperature: 9 } }),
  },
  {
    name: 'refuses a field of another operation',
    code: 'unknown_parameter',
    param: 'response_format',
    path: '/responses',
    ask: (caller) => ({ json: { ...responseAsk(caller), response_format: { type: 'text' } } }),
  },
  {
    name: 'refuses a body of another type',
    code: 'unsupported_media_type',
    path: '/chat/completions',
    ask: () => ({ body: 'hello', headers: { 'content-type': 'text/plain' } }),
  },
  { name: 'answers 404 at an unknown address', code: 'unknown_url', path: '/no-such-thing', ask: () => ({}) },
  {
    name: 'answers 404 for an unknown response',
    code: 'response_not_found',
    path: '/responses/resp_of_nobody',
    ask: () => ({}),
  },
];

export const refusals: readonly Check[] = [
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
    name: 'names the methods of an address when the method is wrong',
    async run(caller) {
      const answer = await caller.ask('/chat/completions', { method: 'GET' });
      const allowed = String(answer.headers.get('allow'));
      demandAll([
        () => demandRefusal(answer, 'method_not_allowed'),
        () => demand(allowed === 'POST', `the allow header is ${allowed}, not POST`),
      ]);
    },
  },
  {
    group: 'errors',
    area: 'responses',
    name: 'refuses a stream by its status, not within it',
    async run(caller) {
      const json = { ...responseAsk(caller), model: 'no-such-model', stream: true };
      demandRefusal(await caller.ask('/responses', { json }), 'model_not_found', 'model');
    },
  },
];

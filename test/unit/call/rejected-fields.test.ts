/** Errors about optional fields in the words of many providers, and how long they are remembered. */
import { describe, expect, test } from 'vitest';
import { openRejectedFields } from '../../../server/call/rejected-fields.ts';
import { readAnthropicFailure } from '../../../server/protocols/anthropic/errors.ts';
import { readConverseFailure } from '../../../server/protocols/converse/errors.ts';
import { readFailureStatus } from '../../../server/protocols/errors.ts';
import { readGeminiFailure } from '../../../server/protocols/gemini/errors.ts';
import { findRejectedField, omitFields } from '../../../server/protocols/optional-fields.ts';
import { createJsonBody } from '../../../server/protocols/wire/json-body.ts';
import { readSimulatedError } from '../../../server/providers/simulator/faults.ts';
import { placeAt } from './places.ts';

const asked = {
  temperature: 0.2,
  top_p: 0.5,
  presence_penalty: 0.5,
  logit_bias: { 1: 1 },
  reasoning_effort: 'high',
  verbosity: 'low',
  user: 'ada',
  service_tier: 'flex',
  stop: ['x'],
};
const claude = { temperature: 0.2, thinking: { type: 'adaptive' }, output_config: { effort: 'high' } };
const gemini = { generationConfig: { topP: 0.5, thinkingConfig: { thinkingLevel: 'HIGH' } } };
const nova = { inferenceConfig: { temperature: 0.2 } };

const openAiSays = (error: object) => readFailureStatus(400, JSON.stringify({ error }), undefined);
const serverSays = (message: string) => openAiSays({ message, type: 'invalid_request_error', param: null, code: null });
const grokSays = (error: string) =>
  readFailureStatus(400, JSON.stringify({ code: 'Client specified an invalid argument', error }), undefined);
const claudeSays = (message: string) =>
  readAnthropicFailure(400, JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } }), undefined);
const geminiSays = (message: string) =>
  readGeminiFailure(400, JSON.stringify({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }), undefined);
const bedrockSays = (message: string) => readConverseFailure(400, JSON.stringify({ message }), undefined, 'ValidationException');

describe('findRejectedField', () => {
  test.each([
    [
      'temperature',
      openAiSays({ code: 'unsupported_value', param: 'temperature', message: "Unsupported value: 'temperature' does not …" }),
      asked,
    ],
    ['user', openAiSays({ code: 'unsupported_parameter', param: 'user' }), asked],
    ['verbosity', openAiSays({ code: 'unsupported_value', param: 'text.verbosity' }), asked],
    ['presence_penalty', serverSays("Unsupported parameter: 'presence_penalty' is not supported with this model. (request id: 1)"), asked],
    [
      'temperature',
      serverSays("Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value …"),
      asked,
    ],
    ['top_p', serverSays('Unsupported parameter: top_p'), asked],
    ['logit_bias', serverSays('Parameter logit_bias is not supported.'), asked],
    ['reasoning_effort', serverSays('`reasoning_effort` is not supported with this model'), asked],
    ['presence_penalty', grokSays('Argument not supported on this model: presencePenalty'), asked],
    ['reasoning_effort', grokSays('Model grok-4-latest does not support parameter reasoningEffort.'), asked],
    ['temperature', claudeSays('`temperature` is deprecated for this model.'), claude],
    ['reasoning_effort', claudeSays('This model does not support the effort parameter.'), claude],
    ['reasoning_effort', claudeSays('adaptive thinking is not supported on this model'), claude],
    ['reasoning_effort', claudeSays('"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive".'), claude],
    ['reasoning_effort', geminiSays('Thinking level is not supported for this model.'), gemini],
    [
      'reasoning_effort',
      geminiSays('Thinking level MINIMAL is not supported for this model. Please retry with other thinking level.'),
      gemini,
    ],
    ['reasoning_effort', geminiSays('Thinking budget is not supported for this model.'), gemini],
    [
      'reasoning_effort',
      geminiSays(
        'Unable to submit request because thinking_level MEDIUM is not supported by this model. Learn more: https://cloud.google.com/',
      ),
      gemini,
    ],
    ['temperature', bedrockSays('The model returned the following errors: temperature is deprecated for this model.'), nova],
  ])('returns %s for %o', (name, error, sent) => {
    expect(findRejectedField(error, { request: asked, sent })?.paths[0]).toBe(name);
  });

  test.each([
    ['another code', openAiSays({ code: 'invalid_value', param: 'temperature', message: "Invalid 'temperature': too high." }), asked],
    ['another field', openAiSays({ code: 'unsupported_parameter', param: 'stop' }), asked],
    ['a field with a price', openAiSays({ code: 'unsupported_parameter', param: 'service_tier' }), asked],
    ['an inner field', openAiSays({ code: 'unsupported_value', param: 'messages[0].temperature' }), asked],
    ['a quotation', serverSays("Unknown tool: 'temperature is not supported with this model'"), asked],
    ['a field that was omitted', claudeSays('`temperature` is deprecated for this model.'), { ...claude, temperature: undefined }],
    ['both sampling fields', claudeSays('`temperature` and `top_p` cannot both be specified for this model.'), claude],
    ['a simulated failure', readSimulatedError(400, simulated(), undefined), asked],
  ])('returns null for %s', (_, error, sent) => {
    expect(findRejectedField(error, { request: asked, sent })).toBeNull();
  });

  test('returns null for a field that the gateway added', () => {
    expect(findRejectedField(claudeSays('This model does not support the effort parameter.'), { request: {}, sent: claude })).toBeNull();
  });
});

function simulated(): string {
  const message = "Unsupported parameter: 'temperature' is not supported with this model.";
  return JSON.stringify({ error: { message, type: 'invalid_request_error', param: 'temperature', code: 'unsupported_parameter' } });
}

const temperature = findRejectedField(serverSays('Unsupported parameter: temperature'), { request: asked, sent: asked });
if (temperature === null) throw new Error('temperature is not an optional field');

test('omits a default of every model without a name', () => {
  const { body, dropped } = omitFields(createJsonBody({ model: 'm', temperature: 1 }), [temperature]);
  expect([body.value, dropped]).toEqual([{ model: 'm' }, []]);
});

test('forgets a rejected field after an hour, and remembers it by upstream, model and effort', () => {
  let now = 0;
  const rejected = openRejectedFields(() => now);
  const place = placeAt('openai');
  rejected.learn(place, asked, temperature);
  now = 3_599_999;
  expect(rejected.find(place, asked)).toEqual([temperature]);
  expect(rejected.find(placeAt('azure'), asked)).toEqual([]);
  expect(rejected.find(placeAt('openai', { upstreamModel: 'other' }), asked)).toEqual([]);
  expect(rejected.find(place, { ...asked, reasoning_effort: 'none' })).toEqual([]);
  now = 3_600_000;
  expect(rejected.find(place, asked)).toEqual([]);
});

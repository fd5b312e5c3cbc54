/** Errors about optional fields in the words of many providers, and how long they are remembered. */
import { expect, test } from 'vitest';
import { openRejectedFields } from '../../../server/call/rejected-fields.ts';
import { readAnthropicFailure } from '../../../server/protocols/anthropic/errors.ts';
import { readConverseFailure } from '../../../server/protocols/converse/errors.ts';
import { readFailureStatus } from '../../../server/protocols/errors.ts';
import { readGeminiFailure } from '../../../server/protocols/gemini/errors.ts';
import { findRejectedField, omitFields } from '../../../server/protocols/optional-fields.ts';
import { createJsonBody } from '../../../server/protocols/wire/json-body.ts';
import { readSimulatedError } from '../../../server/providers/simulator/faults.ts';
import { readRows } from '../../fixtures/rows.ts';
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

/** What a provider says, read as an error. */
const readers = {
  openai: (error: unknown) => readFailureStatus(400, JSON.stringify({ error }), undefined),
  grok: (error: unknown) => readFailureStatus(400, JSON.stringify({ code: 'Client specified an invalid argument', error }), undefined),
  anthropic: (message: unknown) =>
    readAnthropicFailure(400, JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } }), undefined),
  gemini: (message: unknown) =>
    readGeminiFailure(400, JSON.stringify({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }), undefined),
  bedrock: (message: unknown) => readConverseFailure(400, JSON.stringify({ message }), undefined, 'ValidationException'),
  simulator(message: unknown) {
    const error = { message, type: 'invalid_request_error', param: 'temperature', code: 'unsupported_parameter' };
    return readSimulatedError(400, JSON.stringify({ error }), undefined);
  },
};
const sentTo = { openai: asked, grok: asked, simulator: asked, anthropic: claude, gemini, bedrock: nova };

interface Row {
  readonly title: string;
  readonly from: keyof typeof readers;
  /** The message, or all of the error. */
  readonly says: unknown;
  readonly field: string | null;
}

test.each(readRows<Row>('rejected-fields'))('finds $field in $title', ({ from, says, field }) => {
  expect(findRejectedField(readers[from](says), { request: asked, sent: sentTo[from] })?.paths[0] ?? null).toBe(field);
});

test('finds no field that was omitted, or that the gateway added', () => {
  const deprecated = readers.anthropic('`temperature` is deprecated for this model.');
  expect(findRejectedField(deprecated, { request: asked, sent: { ...claude, temperature: undefined } })).toBeNull();
  const effort = readers.anthropic('This model does not support the effort parameter.');
  expect(findRejectedField(effort, { request: {}, sent: claude })).toBeNull();
});

const temperature = findRejectedField(readers.openai({ message: 'Unsupported parameter: temperature' }), { request: asked, sent: asked });
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

/** Recorded responses against the contract: what deviates is named by its field, and what is newer passes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { recordingSchemaOutput } from '../../../../docs/generate/recording-schema.ts';
import { findDeviation } from '../../../../server/providers/recordings/find-deviation.ts';
import { openRecordings } from '../../../../server/providers/recordings/player.ts';
import { RecordedCall, toRecordedFrames, toRecordedResponse } from '../../../../server/providers/recordings/recorded-call.ts';
import { createRecorder } from '../../../../server/providers/recordings/recorder.ts';
import { temporaryFolder } from '../../../harness/folder.ts';

const fixtures = join(import.meta.dirname, '../../../fixtures');
const providers = [
  ['chat', 'createChatCompletion'],
  ['responses', 'createResponse'],
] as const;

describe.each(providers)('a recorded provider response of %s', (folder, operation) => {
  const list = (kind: string) => readdirSync(join(fixtures, folder, kind)).map((name) => join(fixtures, folder, kind, name));

  test('passes, whole and streamed', () => {
    const whole = list('answers').map((file) => [file, toRecordedResponse(readFileSync(file))] as const);
    const streamed = list('streams').map((file) => [file, toRecordedFrames(readFileSync(file))] as const);
    const deviations = [...whole, ...streamed].map(([file, answer]) => [file, findDeviation({ operation, answer })]);
    expect(deviations.length).toBeGreaterThan(40);
    expect(deviations.filter(([, deviation]) => deviation !== null)).toEqual([]);
  });
});

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const choice = { index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' };
const completion = { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices: [choice], usage };
const delta = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: {}, finish_reason: null }] };
const created = { type: 'response.created', sequence_number: 0 };
const error = { message: 'No.', type: 'server_error', param: null, code: 'upstream_error' };

const read = (operation: RecordedCall['operation'], answer: object) =>
  findDeviation(RecordedCall.parse(JSON.parse(JSON.stringify({ format: 1, operation, request: {}, answer: { status: 200, ...answer } }))));

test.each([
  ['createChatCompletion', { body: { ...completion, choices: {} } }, 'answer.body.choices: expected array, received object'],
  ['createChatCompletion', { body: { ...completion, id: undefined } }, 'answer.body.id: expected string, received undefined'],
  ['createChatCompletion', { text: '{ "id": 5 }' }, 'answer.text.id: expected string, received number'],
  ['createChatCompletion', { text: 'Hi' }, 'answer.text: expected JSON'],
  [
    'createChatCompletion',
    { frames: [{ data: delta }, { data: { ...delta, choices: [{ index: '0', delta: {} }] } }] },
    'answer.frames[1].data.choices[0].index: expected number, received string',
  ],
  ['createChatCompletion', { frames: [{ data: { error: { ...error, param: 1 } } }] }, 'answer.frames[0].data.error.param: '],
  ['createResponse', { frames: [{ event: 'response.created', data: created }] }, 'answer.frames[0].data.response: expected object'],
  ['createResponse', { frames: [{ text: 'data: { "type": "response.created" }\n\n' }] }, 'answer.frames[0].text.'],
  ['createResponse', { frames: [{ data: { type: 'response.newer' } }] }, 'answer.frames[0].data.sequence_number: expected number'],
  ['generateImages', { body: { created: 1, data: [{ b64_json: 5 }] } }, 'answer.body.data[0].b64_json: expected string'],
] as const)('names the field of %s that deviates: %j', (operation, answer, deviation) => {
  expect(read(operation, answer)).toContain(deviation);
});

test.each([
  ['createChatCompletion', { body: { ...completion, newer: { field: 1 } } }],
  [
    'createChatCompletion',
    { frames: [{ data: { ...delta, newer: 1 } }, { data: { error } }, { text: 'data: [DONE]\n\n' }, { text: ': hi\n\n' }] },
  ],
  ['createResponse', { frames: [{ event: 'response.newer', data: { type: 'response.newer', sequence_number: 1, anything: 1 } }] }],
  ['generateImages', { frames: [{ data: { type: 'image_generation.newer' } }] }],
] as const)('accepts what is newer than the contract, and the ends of streams: %s %j', (operation, answer) => {
  expect(read(operation, answer)).toBeNull();
});

test("names a provider's deviation in the recording, and replays it unchanged", () => {
  const folder = temporaryFolder();
  const call = { operation: 'createChatCompletion', body: { kind: 'json', value: { model: 'm', messages: [] } } } as const;
  const text = JSON.stringify({ ...completion, choices: {} });
  createRecorder(folder, []).begin(call, []).recordResponse(Buffer.from(text));
  const [name = ''] = readdirSync(folder);
  const file: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  expect(file).toMatchObject({ deviation: 'answer.body.choices: expected array, received object' });
  const player = openRecordings({ tape: { kind: 'replay', folder }, upstreams: {} });
  expect(player?.kind === 'replay' && player.findResponse(call)).toEqual({ status: 200, body: JSON.parse(text) });
});

test('writes a JSON schema that accepts a recording and rejects a mistake', () => {
  const validate = new Ajv({ strict: false }).compile(JSON.parse(recordingSchemaOutput().text));
  const recording = { $schema: 'recording.schema.json', format: 1, operation: 'createChatCompletion', request: { model: 'm' } };
  expect(validate({ ...recording, answer: { status: 200, body: completion } })).toBe(true);
  expect(validate({ ...recording, answer: { status: 200, bodies: completion } })).toBe(false);
});

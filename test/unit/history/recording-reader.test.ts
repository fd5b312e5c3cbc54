/** Recordings of responses: a translated stream is neither parsed nor written again, a relayed one is patched. */
import { expect, test } from 'vitest';
import { type Recording, RecordingReader, recordWhole } from '../../../server/history/recording-reader.ts';
import type { Fields } from '../../../server/primitives/fields.ts';
import { translate } from '../../../server/protocols/canonical/translate.ts';
import { chatUpstreamDialect } from '../../../server/protocols/chat/dialect.ts';
import { responsesCallerDialect } from '../../../server/protocols/responses/dialect.ts';
import { createEchoedFields } from '../../../server/protocols/responses/echoed-fields.ts';
import { responsesRelay } from '../../../server/protocols/responses/relay.ts';
import type { StreamReader } from '../../../server/protocols/stream-reader.ts';
import { parseFrame } from '../../../server/protocols/wire/frames.ts';
import { createJsonBody } from '../../../server/protocols/wire/json-body.ts';
import { chatCompletion, chatFrames } from '../../fakes/chat.ts';
import { frameBytes } from '../../fakes/frames.ts';
import { response, responseFrames } from '../../fakes/responses.ts';
import { createHead } from '../../fixtures/turn/heads.ts';

const text = ['one ', 'two'];
const asked = { model: 'gpt-5.4', input: 'Hi', stream: true };

function openRecording() {
  const kept: Fields[] = [];
  const recording: Recording = {
    echo: createEchoedFields('resp_1', true, 'resp_0'),
    save: (finished) => kept.push(finished),
    saved: async () => {},
    note: null,
  };
  return { recording, kept };
}

const request = { ...asked, previous_response_id: 'resp_0' };
const overChat = () =>
  translate({
    caller: responsesCallerDialect,
    upstream: chatUpstreamDialect,
    body: request,
    bytes: 100,
    model: 'm',
    head: createHead('resp', request),
  });

/** Keeps the buffers that a reader made, to tell them from copies. */
function watched(inner: StreamReader): { readonly reader: StreamReader; readonly made: Buffer[] } {
  const made: Buffer[] = [];
  const keep = (block: Buffer): Buffer => {
    made.push(block);
    return block;
  };
  const reader: StreamReader = {
    transform: (frames) => keep(inner.transform(frames)),
    flush: () => keep(inner.flush()),
    fail: (error) => inner.fail(error),
    get failure() {
      return inner.failure;
    },
    get hasBegun() {
      return inner.hasBegun;
    },
    get isComplete() {
      return inner.isComplete;
    },
    get usage() {
      return inner.usage;
    },
    get written() {
      return inner.written;
    },
  };
  return { reader, made };
}

test("passes a translated stream in its writer's buffers, and saves its response at the end", () => {
  const { recording, kept } = openRecording();
  const { reader, made } = watched(overChat().readStream());
  const recorder = new RecordingReader(reader, recording);
  const passed = chatFrames({ text }).map((frame) => recorder.transform(frameBytes(frame)));
  expect(kept).toEqual([]);
  passed.push(recorder.flush());
  expect(passed).toHaveLength(made.length);
  for (const [index, block] of passed.entries()) expect(block).toBe(made[index]);
  expect(kept).toMatchObject([{ id: 'resp_1', status: 'completed', store: true, previous_response_id: 'resp_0' }]);
});

test('saves no translated stream that breaks off', () => {
  const { recording, kept } = openRecording();
  const recorder = new RecordingReader(overChat().readStream(), recording);
  for (const frame of chatFrames({ text }).slice(0, 2)) recorder.transform(frameBytes(frame));
  expect(() => recorder.flush()).toThrow();
  expect(kept).toEqual([]);
});

test('adds the echoed fields to every event with a response of a relayed stream, and saves the last one', () => {
  const { recording, kept } = openRecording();
  const inner = responsesRelay.readStream(createJsonBody(asked), { requested: 'gpt-5.4', upstream: 'gpt-5.4' });
  const recorder = new RecordingReader(inner, recording);
  const events = responseFrames({ text }).map((frame) => parseFrame(recorder.transform(frameBytes(frame))));
  const carriers = events.flatMap((event) => (event?.response ? [event.response] : []));
  expect(carriers.length).toBeGreaterThan(2);
  for (const carried of carriers) expect(carried).toMatchObject(recording.echo);
  expect(kept).toEqual([carriers.at(-1)]);
});

test('saves a translated JSON response as written, and a relayed one as patched', () => {
  const translated = openRecording();
  const answer = overChat().readResponse(Buffer.from(JSON.stringify(chatCompletion({ text }))));
  expect(recordWhole(answer, translated.recording)).toBe(answer.bytes);
  expect(translated.kept).toEqual([answer.written]);
  expect(translated.kept).toMatchObject([{ ...translated.recording.echo }]);

  const relayed = openRecording();
  const bytes = recordWhole({ bytes: Buffer.from(JSON.stringify(response({ text }))) }, relayed.recording);
  expect(JSON.parse(bytes.toString())).toMatchObject(relayed.recording.echo);
  expect(relayed.kept).toEqual([JSON.parse(bytes.toString())]);
});

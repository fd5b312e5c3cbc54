/** Recordings of responses: a translated stream is neither parsed nor written again. */
import { expect, test } from 'vitest';
import { type Recording, RecordingReader } from '../../../server/history/recording-reader.ts';
import type { Fields } from '../../../server/primitives/fields.ts';
import { translate } from '../../../server/protocols/canonical/translate.ts';
import { chatUpstreamDialect } from '../../../server/protocols/chat/dialect.ts';
import { responsesCallerDialect } from '../../../server/protocols/responses/dialect.ts';
import { createEchoedFields } from '../../../server/protocols/responses/echoed-fields.ts';
import type { StreamReader } from '../../../server/protocols/stream-reader.ts';
import { chatFrames } from '../../fakes/chat.ts';
import { frameBytes } from '../../fakes/frames.ts';
import { createHead } from '../../fixtures/turn/heads.ts';

const text = ['one ', 'two'];

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

const request = { model: 'gpt-5.4', input: 'Hi', stream: true, previous_response_id: 'resp_0' };
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

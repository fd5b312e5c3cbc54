/** The output that a writer reports is the one that a reader finds in the bytes of its stream. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chatCaller } from '../../../server/dialects/chat/write-answer.ts';
import { echoInFrames } from '../../../server/dialects/responses/relay.ts';
import { responsesCaller } from '../../../server/dialects/responses/write-answer.ts';
import type { CallerDialect, TurnEvent } from '../../../server/dialects/turn/turn.ts';
import { watchOutput } from '../../../server/dialects/usage.ts';
import { frameObject } from '../../../server/dialects/wire/frames.ts';
import { isFields } from '../../../server/primitives/fields.ts';
import { createHead } from '../../fixtures/turn/heads.ts';
import { cutAnswers, failedAnswers, finishedAnswers } from './arbitrary-events.ts';

const callers = { chat: chatCaller, responses: responsesCaller } as const satisfies Record<string, CallerDialect>;
const prefixes = { chat: 'chatcmpl', responses: 'resp' } as const;
const events = fc.oneof(finishedAnswers, failedAnswers, cutAnswers);
const sealing = { include: ['reasoning.encrypted_content'] };

/** The frames of each event and of the end. */
function write(protocol: keyof typeof callers, told: readonly TurnEvent[], request: Readonly<Record<string, unknown>>) {
  const writer = callers[protocol].openStream(createHead(prefixes[protocol], request));
  return { writer, frames: [...told.map((event) => writer.write(event)), writer.end()] };
}

describe.each(['chat', 'responses'] as const)('a stream that is written for a %s caller', (protocol) => {
  test.each([
    ['as it is', {}],
    ['with encrypted reasoning', sealing],
  ] as const)('G4: reports the text, calls and hidden reasoning of its bytes, %s', (_name, request) => {
    fc.assert(
      fc.property(events, (told) => {
        const { writer, frames } = write(protocol, told, request);
        const watch = watchOutput(protocol) ?? expect.fail('text is watched');
        for (const block of frames) watch.see(block);
        const { output } = writer.written;
        expect(output.text.text).toBe(watch.text.text);
        expect(output.text.length).toBe(watch.text.length);
        for (const areAsked of [false, true]) expect(output.hidden(areAsked)).toEqual(watch.hidden(areAsked));
        expect(output.calls).toEqual(watch.calls);
      }),
    );
  });
});

test('the finished response of a written stream is that of its terminal event, and null after a failure', () => {
  fc.assert(
    fc.property(events, (told) => {
      const { writer, frames } = write('responses', told, sealing);
      const kept: unknown[] = [];
      echoInFrames(Buffer.concat(frames), {}, (response) => kept.push(response));
      const { finished } = writer.written;
      expect(finished === null ? [] : [JSON.parse(JSON.stringify(finished))]).toEqual(kept);
    }),
  );
});

test('id, `store` and `previous_response_id` are right in a written stream, so that nothing is patched', () => {
  const request = { store: false, previous_response_id: 'resp_before' };
  const { frames } = write('responses', [{ kind: 'start' }, { kind: 'text', text: 'Hi' }, { kind: 'finish', reason: 'stop' }], request);
  const block = Buffer.concat(frames);
  const patched = echoInFrames(block, { id: 'resp_1', ...request }, () => {});
  expect(patched.toString()).toBe(block.toString());
  expect(isFields(frameObject(block.subarray(0, block.indexOf('\n\n') + 2))?.response)).toBe(true);
});

/** The output that a writer reports is the one that a reader finds in the bytes of its stream. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFields } from '../../../server/primitives/fields.ts';
import type { CanonicalEvent } from '../../../server/protocols/canonical/canonical-events.ts';
import { chatCallerDialect } from '../../../server/protocols/chat/dialect.ts';
import { createDeliveredOutput } from '../../../server/protocols/delivered-output.ts';
import type { CallerDialect } from '../../../server/protocols/dialect.ts';
import { responsesCallerDialect } from '../../../server/protocols/responses/dialect.ts';
import { echoInFrames } from '../../../server/protocols/responses/echoed-fields.ts';
import { parseFrame } from '../../../server/protocols/wire/frames.ts';
import { createHead } from '../../fixtures/turn/heads.ts';
import { cutAnswers, failedAnswers, finishedAnswers } from './arbitrary-events.ts';

const callers = { chat: chatCallerDialect, responses: responsesCallerDialect } as const satisfies Record<string, CallerDialect>;
const prefixes = { chat: 'chatcmpl', responses: 'resp' } as const;
const events = fc.oneof(finishedAnswers, failedAnswers, cutAnswers);
const sealing = { include: ['reasoning.encrypted_content'] };

/** The frames of each event and of the end. */
function write(protocol: keyof typeof callers, told: readonly CanonicalEvent[], request: Readonly<Record<string, unknown>>) {
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
        const watch = createDeliveredOutput(protocol) ?? expect.fail('text is watched');
        for (const block of frames) watch.observe(block);
        const { output } = writer.written;
        expect(output.text.text).toBe(watch.text.text);
        expect(output.text.length).toBe(watch.text.length);
        for (const areAsked of [false, true]) expect(output.getHiddenReasoning(areAsked)).toEqual(watch.getHiddenReasoning(areAsked));
        expect(output.calls).toEqual(watch.calls);
      }),
    );
  });
});

test('finishes a written stream with the response of its terminal event, and with null after a failure', () => {
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

test('writes ID, `store`, and `previous_response_id` into a stream, so that nothing is patched', () => {
  const request = { store: false, previous_response_id: 'resp_before' };
  const { frames } = write('responses', [{ kind: 'start' }, { kind: 'text', text: 'Hi' }, { kind: 'finish', reason: 'stop' }], request);
  const block = Buffer.concat(frames);
  const patched = echoInFrames(block, { id: 'resp_1', ...request }, () => {});
  expect(patched.toString()).toBe(block.toString());
  expect(isFields(parseFrame(block.subarray(0, block.indexOf('\n\n') + 2))?.response)).toBe(true);
});

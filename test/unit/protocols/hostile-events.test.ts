/** F01: upstreams that send any values in any place: readers fail with a GatewayError or read on, and each stream has one end. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ChatCompletion } from '../../../contract/chat/completion.ts';
import { Response } from '../../../contract/responses.ts';
import { GatewayError } from '../../../server/primitives/errors.ts';
import { anthropicDialect } from '../../../server/protocols/anthropic/dialect.ts';
import type { CanonicalRequest } from '../../../server/protocols/canonical/canonical-request.ts';
import { chatCallerDialect, chatUpstreamDialect } from '../../../server/protocols/chat/dialect.ts';
import { converseDialect } from '../../../server/protocols/converse/dialect.ts';
import { geminiDialect } from '../../../server/protocols/gemini/dialect.ts';
import { responsesCallerDialect, responsesUpstreamDialect } from '../../../server/protocols/responses/dialect.ts';
import { openOrderCheck } from '../../../server/protocols/responses/order-check.ts';
import { anthropicMessage } from '../../fakes/anthropic.ts';
import { chatCompletion } from '../../fakes/chat.ts';
import { converseAnswer } from '../../fakes/converse.ts';
import { geminiAnswer } from '../../fakes/gemini.ts';
import { response } from '../../fakes/responses.ts';
import { createHead } from '../../fixtures/turn/heads.ts';
import { isThorough } from '../../harness/thorough.ts';
import { readChat, readResponses } from '../../harness/transcript.ts';
import type { Kind } from './arbitrary-items.ts';
import { manyRuns } from './arbitrary-values.ts';
import { hostileFrames, hostileWhole } from './hostile-values.ts';
import { inPieces, isLike, kinds, pairs, pass } from './passing.ts';
import { bytesOf } from './transcripts.ts';
import { chatTurn, responsesTurn } from './upstream-reading.ts';

const upstreams = {
  chat: chatUpstreamDialect,
  responses: responsesUpstreamDialect,
  anthropic: anthropicDialect,
  gemini: geminiDialect,
  converse: converseDialect,
};
const tools = {
  chat: [
    { type: 'function', function: { name: 'get_rain' } },
    { type: 'custom', custom: { name: 'apply_patch' } },
  ],
  responses: [
    { type: 'function', name: 'get_rain' },
    { type: 'custom', name: 'apply_patch' },
  ],
};
const turns = [chatTurn({ tools: tools.chat }), responsesTurn({ tools: tools.responses })];
const calls = [
  { id: 'call_0', name: 'get_rain', arguments: '{"city":"Oslo"}' },
  { id: 'call_1', name: 'apply_patch', arguments: '{"input":"x"}' },
];
const wholes = {
  chat: chatCompletion({ toolCalls: calls, text: 'Hi', extra: null }),
  responses: response({ toolCalls: calls, text: 'Hi', reasoning: 'Hm', extra: null }),
  anthropic: anthropicMessage({ toolCalls: calls, text: 'Hi', thoughts: [{ text: 'Hm' }] }),
  gemini: geminiAnswer({ text: 'Hi', thoughts: 'Hm', calls: [{ name: 'get_rain', args: { city: 'Oslo' }, signature: 'c2ln' }] }),
  converse: converseAnswer({ toolCalls: calls, text: 'Hi', thoughts: [{ text: 'Hm' }] }),
};

describe.each(kinds)('the reader of a %s upstream', (kind) => {
  test('reads any values without throwing, and gives no events after a failure', () => {
    fc.assert(
      fc.property(hostileFrames(kind), fc.constantFrom(...turns), (frames, turn) => {
        const reader = upstreams[kind].openStream(turn);
        let failures = 0;
        for (const { data, event } of frames) {
          const value: unknown = JSON.parse(JSON.stringify(typeof data === 'string' ? null : data));
          if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
          // Checked above to be an object and no list.
          const told = reader.read(value as Readonly<Record<string, unknown>>, event ?? null);
          if (failures > 0) expect(told).toEqual([]);
          failures += told.filter((each) => each.kind === 'failed').length;
          if (failures > 0)
            expect({ last: told.at(-1)?.kind ?? 'failed', isComplete: reader.isComplete }).toEqual({ last: 'failed', isComplete: true });
        }
        failures += reader.end().filter((each) => each.kind === 'failed').length;
        expect(failures).toBeLessThanOrEqual(1);
        expect(reader.end()).toEqual([]);
      }),
      manyRuns(600),
    );
  });

  test('reads any values in a whole answer into one that fits the contract, or throws a GatewayError', () => {
    fc.assert(
      fc.property(hostileWhole(wholes[kind]), fc.constantFrom(...turns), (answer, turn) => {
        const written = writeWhole(kind, answer, turn);
        if (written instanceof GatewayError) expect(written.code).not.toBe('internal_error');
        else expect((turn.caller === 'chat' ? ChatCompletion : Response).safeParse(written).error?.issues ?? []).toEqual([]);
      }),
      manyRuns(500),
    );
  });
});

/** An object that cannot be converted to a string. */
const noText = { toString: 1 };

test.each([
  { kind: 'responses', what: 'a place', event: { type: 'response.output_text.delta', output_index: noText, delta: 'a' } },
  {
    kind: 'gemini',
    what: 'a reason',
    event: { error: { code: 400, message: 'a', details: [{ reason: noText }, { retryDelay: noText }] } },
  },
  {
    kind: 'anthropic',
    what: 'an index',
    event: { type: 'content_block_start', index: noText, content_block: { type: 'text', text: 'a' } },
  },
  {
    kind: 'chat',
    what: 'an index',
    event: { choices: [{ index: 0, delta: { tool_calls: [{ index: noText, function: { name: 'a' } }] } }] },
  },
] as const)("doesn't throw in the reader of a $kind upstream for $what that can't be converted to a string", ({ kind, event }) => {
  for (const turn of turns) expect(upstreams[kind].openStream(turn).read(event, null)).not.toEqual([]);
});

/** The whole answer to the caller as JSON, or the error. */
function writeWhole(kind: Kind, answer: Readonly<Record<string, unknown>>, turn: CanonicalRequest): unknown {
  const head = createHead(turn.caller === 'chat' ? 'chatcmpl' : 'resp');
  const caller = turn.caller === 'chat' ? chatCallerDialect : responsesCallerDialect;
  try {
    return JSON.parse(JSON.stringify(caller.writeResponse(upstreams[kind].readResponse(answer, turn), head)));
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown;
    throw thrown;
  }
}

function faultsOf(out: string): string[] {
  const check = openOrderCheck();
  return [...readResponses(out).events.map((event) => check.check(event)), check.end()].filter((fault) => fault !== null);
}

describe.each(pairs.filter((pair) => !isLike(pair)))('a $caller caller over a $kind upstream', (pair) => {
  test('gets a stream that fits the contract, with one end, whatever the upstream sends', () => {
    const outcomes = { complete: 0, failed: 0 };
    fc.assert(
      fc.property(hostileFrames(pair.kind), fc.integer({ min: 1, max: 400 }), (frames, size) => {
        const { out, failure } = pass(pair, inPieces(bytesOf(frames), [size]));
        outcomes[failure === null ? 'complete' : 'failed']++;
        expect(failure?.code).not.toBe('internal_error');
        if (pair.caller === 'chat') {
          const { error, isDone, finishReason } = readChat(out);
          expect({ hasFailed: error !== null, isDone, hasFinished: finishReason !== null }).toEqual({
            hasFailed: failure !== null,
            isDone: failure === null,
            hasFinished: failure === null,
          });
        } else {
          const { types, isDone } = readResponses(out);
          const ends = types.filter((type) => /^response\.(completed|incomplete|failed)$/.test(type));
          expect({ ends: ends.length, isFailed: ends[0] === 'response.failed', isDone }).toEqual({
            ends: 1,
            isFailed: failure !== null,
            isDone: true,
          });
          expect(faultsOf(out)).toEqual([]);
        }
      }),
      manyRuns(400),
    );
    expect(Math.min(outcomes.complete, outcomes.failed)).toBeGreaterThan(isThorough() ? 20 : 2);
  });
});

describe.each(pairs.filter(isLike))('a $caller caller whose stream is forwarded', (pair) => {
  test('gets [DONE] once, and not after a failure of chat', () => {
    fc.assert(
      fc.property(hostileFrames(pair.kind), fc.integer({ min: 1, max: 400 }), (frames, size) => {
        const { out, failure } = pass(pair, inPieces(bytesOf(frames), [size]));
        expect(failure?.code).not.toBe('internal_error');
        const marks = out.match(/^data: \[DONE\]$/gm) ?? [];
        const isDone = failure === null || pair.caller === 'responses';
        expect(marks).toHaveLength(isDone ? 1 : 0);
        expect(out.endsWith('data: [DONE]\n\n')).toBe(isDone);
      }),
      manyRuns(400),
    );
  });
});

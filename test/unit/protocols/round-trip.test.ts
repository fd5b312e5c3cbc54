/** Any turn, written as a request of an OpenAI protocol and read again, is the same but for the listed losses. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ChatCompletionRequest } from '../../../contract/chat.ts';
import { ResponseRequest } from '../../../contract/responses.ts';
import type { CanonicalRequest } from '../../../server/protocols/canonical/canonical-request.ts';
import { chatCallerDialect, chatUpstreamDialect } from '../../../server/protocols/chat/dialect.ts';
import { responsesCallerDialect, responsesUpstreamDialect } from '../../../server/protocols/responses/dialect.ts';
import { legalTurns } from './arbitrary-turns.ts';
import { runs } from './arbitrary-values.ts';
import { chatLosses, type Loss, responsesLosses } from './turn-losses.ts';

const protocols = {
  chat: { upstream: chatUpstreamDialect, caller: chatCallerDialect, losses: chatLosses, request: ChatCompletionRequest },
  responses: { upstream: responsesUpstreamDialect, caller: responsesCallerDialect, losses: responsesLosses, request: ResponseRequest },
} as const;
type Protocol = keyof typeof protocols;
const pairs = (['chat', 'responses'] as const).flatMap((caller) =>
  (['chat', 'responses'] as const).map((protocol) => ({ caller, protocol })),
);

/** The body as JSON. */
const bodyOf = (turn: CanonicalRequest, protocol: Protocol) => JSON.parse(JSON.stringify(protocols[protocol].upstream.writeRequest(turn)));
const readAgain = (turn: CanonicalRequest, protocol: Protocol): CanonicalRequest => {
  const { caller, losses } = protocols[protocol];
  return without(caller.readRequest(bodyOf(turn, protocol), turn.model), losses.slice(-1));
};
const without = (turn: CanonicalRequest, losses: readonly Loss[]): CanonicalRequest =>
  losses.reduce((left, { apply }) => apply(left), turn);

describe.each(pairs)('a turn of a $caller caller for a $protocol upstream', ({ caller, protocol }) => {
  const turns = legalTurns({ caller, upstream: protocol });
  const { losses, request } = protocols[protocol];

  test('reads back the same, but for the listed losses', () => {
    fc.assert(
      fc.property(turns, (turn) => {
        expect(readAgain(turn, protocol)).toEqual(without(turn, losses));
      }),
      runs(600),
    );
  });

  test('fits the contract as a body', () => {
    fc.assert(
      fc.property(turns, (turn) => {
        expect(request.safeParse(bodyOf(turn, protocol)).error?.issues ?? []).toEqual([]);
        expect(bodyOf(turn, protocol)).toMatchObject({ model: turn.model });
      }),
      runs(200),
    );
  });
});

describe.each(pairs)('any turn of a $caller caller for a $protocol upstream', ({ caller, protocol }) => {
  test('goes upstream, or gets a 400 that names the field', () => {
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(legalTurns({ caller, upstream: 'any' }), (turn) => {
        const refusal = refusalOf(turn, protocol);
        outcomes.add(refusal === null ? 'sent' : 'rejected');
        if (refusal !== null) expect(refusal).toMatchObject({ status: 400, param: expect.stringMatching(/^[a-z_]+/) });
      }),
      runs(300),
    );
    expect([...outcomes].toSorted()).toEqual(['rejected', 'sent']);
  });
});

/** The error that is thrown, or null; a body that is sent must fit the contract. */
function refusalOf(turn: CanonicalRequest, protocol: Protocol): unknown {
  try {
    expect(protocols[protocol].request.safeParse(bodyOf(turn, protocol)).error?.issues ?? []).toEqual([]);
    return null;
  } catch (thrown) {
    return thrown;
  }
}

describe.each(['chat', 'responses'] as const)('a listed loss of %s', (protocol) => {
  const { losses } = protocols[protocol];
  const sample = pairs
    .filter((pair) => pair.protocol === protocol)
    .flatMap(({ caller }) => fc.sample(legalTurns({ caller, upstream: protocol }), runs(150)))
    .map((turn) => ({ turn, read: readAgain(turn, protocol) }));

  test.each(losses.map((loss, at) => ({ ...loss, at })))('happens: $what ($why)', ({ at }) => {
    // A loss that does not happen could hide a real one.
    const others = losses.toSpliced(at, 1);
    const isNeeded = sample.some(({ turn, read }) => !isAlike(read, without(turn, others)));
    expect(isNeeded).toBe(true);
  });
});

function isAlike(one: CanonicalRequest, other: CanonicalRequest): boolean {
  try {
    expect(one).toEqual(other);
    return true;
  } catch {
    return false;
  }
}

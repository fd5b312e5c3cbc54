/** Recorded answers are read, written for both callers and read again, with the same events. */
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../server/primitives/errors.ts';
import { readAnthropicFailure } from '../../../server/protocols/anthropic/errors.ts';
import { readFailureStatus } from '../../../server/protocols/errors.ts';
import { readGeminiFailure } from '../../../server/protocols/gemini/errors.ts';
import { allFixtures, type Dialect, dialects, type Fixture, fixturesOf, readSaid, saidNames } from '../../fixtures/files.ts';
import { askAgain, askedBy, type Caller, plain, readFixture, sealsIn, throughStream, throughWhole, toldTo } from './fixture-answers.ts';

const answers = allFixtures('answers', 'streams');
/** A chat caller has no tools in namespaces, so they are not called for it. */
const isFor = (caller: Caller, { shown }: Fixture) => caller === 'responses' || shown !== 'namespaced-call';
const pairs = (['chat', 'responses'] as const).flatMap((caller) =>
  answers.filter((fixture) => isFor(caller, fixture)).map((fixture) => ({ caller, fixture, path: fixture.path })),
);

describe('a gateway', () => {
  test.each(answers)('reads $path as its recorded events', (fixture) => {
    const { events, sealed = false } = readSaid(fixture.shown);
    const read = readFixture(fixture, askedBy.responses());
    expect(plain(read)).toEqual(events);
    // Chat has no encrypted reasoning.
    expect(sealsIn(read).filter(Boolean).length > 0).toBe(sealed && fixture.dialect !== 'chat');
  });
});

describe.each([
  { name: 'a second gateway, which gets the whole answer,', through: throughWhole },
  { name: 'F11: a second gateway, which gets a stream in its legal order,', through: throughStream },
])('$name', ({ through }) => {
  test.each(pairs)('reads the same events over $caller for $path', ({ caller, fixture }) => {
    const read = readFixture(fixture, askedBy[caller]());
    const again = through(caller, read);
    expect(plain(again)).toEqual(toldTo(caller, plain(read)));
    expect(sealsIn(again)).toEqual(caller === 'chat' ? [] : sealsIn(read));
  });
});

/** The code of the failure, which is the name of its file. */
function codeOf(act: () => readonly { readonly kind: string; readonly error?: GatewayError }[]): string {
  try {
    const last = act().at(-1);
    return last?.kind === 'failed' && last.error ? last.error.code : `no failure: ${last?.kind}`;
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown.code;
    throw thrown;
  }
}

describe('F01: a gateway', () => {
  test.each(allFixtures('failures'))('reads $path as a failure with that code', (fixture) => {
    expect(codeOf(() => readFixture(fixture, askedBy.responses()))).toBe(fixture.shown);
  });

  test.each(allFixtures('failures').filter(({ isStream }) => isStream))(
    'reads $path, and sends both callers one failure and no end',
    (fixture) => {
      for (const caller of ['chat', 'responses'] as const) {
        const read = readFixture(fixture, askedBy[caller]());
        const again = throughStream(caller, read);
        expect(again.filter(({ kind }) => kind === 'failed')).toHaveLength(1);
        expect(again.some(({ kind }) => kind === 'finish')).toBe(false);
      }
    },
  );
});

const errorReaders: Readonly<Record<Dialect, typeof readFailureStatus>> = {
  chat: readFailureStatus,
  responses: readFailureStatus,
  anthropic: readAnthropicFailure,
  gemini: readGeminiFailure,
};

describe('an upstream error', () => {
  test.each(allFixtures('errors'))('becomes an error with the code of its name: $path', (fixture) => {
    const { status, body, retryAfter } = JSON.parse(fixture.text);
    const error = errorReaders[fixture.dialect](status, JSON.stringify(body), retryAfter);
    expect(error.code).toBe(fixture.shown);
    // Errors about the gateway's key or account do not have the vendor's message.
    if (fixture.shown === 'upstream_error') expect(error.message).not.toContain(body.error.message);
    // The recorded ones have 7 or 3 seconds.
    if (retryAfter !== undefined) expect(error.headers?.['retry-after']).toBe(retryAfter);
  });
});

describe('F10: a responses caller', () => {
  const sealing = answers.filter(({ shown, dialect }) => readSaid(shown).sealed && (dialect === 'anthropic' || dialect === 'gemini'));
  test.each(sealing)('keeps the signed reasoning of $path, and its provider gets it back unchanged', (fixture) => {
    const signed = [...fixture.text.matchAll(/"(?:signature|thoughtSignature|data)": ?"([^"]+)"/g)].map(([, signature]) => signature);
    expect(signed.length).toBeGreaterThan(0);
    const again = JSON.stringify(askAgain(fixture));
    for (const signature of signed) expect(again).toContain(`"${signature}"`);
  });
});

/** The answers that are recorded in each dialect, whole and streamed. */
const core = ['text', 'call', 'parallel-calls', 'custom-call', 'thoughts', 'thoughts-then-call', 'length', 'filter', 'blocked', 'usage'];

test('finds these recordings per dialect, with and without streaming, and one for each file of events', () => {
  for (const dialect of dialects) {
    for (const sort of ['answers', 'streams'] as const) {
      expect(
        fixturesOf(dialect, sort).map(({ shown }) => shown),
        `${dialect} ${sort}`,
      ).toEqual(expect.arrayContaining(core));
    }
  }
  expect(new Set(saidNames())).toEqual(new Set(answers.map(({ shown }) => shown)));
});

/** The order of the candidates of a model: the upstream of the conversation first, then by session (F12, F26). */
import { describe, expect, test } from 'vitest';
import type { Candidate } from '../../../server/config/catalog.ts';
import { jsonBody } from '../../../server/dialects/wire/json-body.ts';
import type { Gateway } from '../../../server/gateway.ts';
import { chooseCandidates, sessionOf } from '../../../server/request/candidates.ts';
import type { ParsedRequest } from '../../../server/request/transcoder.ts';
import { openCall, principalOf } from './one-call.ts';
import { placeAt } from './places.ts';

type Affinity = 'key' | 'session' | 'none';

/** The upstream that made each stored response, by account and id. */
const stored: Readonly<Record<string, string>> = { 'ada resp_1': 'backup', 'ada resp_2': 'gone' };

function openRoute(places: readonly Candidate[], affinity: Affinity = 'key') {
  const lookedUp: string[] = [];
  // The fields of a gateway that routing uses.
  const gateway = {
    config: { routing: { affinity } },
    catalog: { candidates: () => places },
    history: {
      async upstreamOf(accountId: string, id: string) {
        lookedUp.push(id);
        return stored[`${accountId} ${id}`] ?? null;
      },
    },
  } as unknown as Gateway;
  const [first] = places;
  const routed = async (
    fields: Record<string, unknown> = {},
    operation: ParsedRequest['operation'] = 'createResponse',
    accountId = 'ada',
  ) => {
    const { call } = openCall({ principal: principalOf({ accountId }) });
    const parsed = { operation, body: jsonBody({ model: 'm', ...fields }) };
    const found = await chooseCandidates(gateway, call, {
      parsed,
      model: first ?? expect.fail('no place'),
      session: sessionOf(gateway, call, parsed),
    });
    return found.map(({ upstream }) => upstream);
  };
  return { gateway, routed, lookedUp };
}

const two = [placeAt('main'), placeAt('backup', { priority: 2 })];

describe('F12: a conversation', () => {
  test('goes to the upstream of its last answer first, whatever its priority, then to the others', async () => {
    const { routed } = openRoute(two);
    expect(await routed({ previous_response_id: 'resp_1' })).toEqual(['backup', 'main']);
    expect(await routed()).toEqual(['main', 'backup']);
  });

  test.each([
    ['of an upstream that does not serve the model any more', { previous_response_id: 'resp_2' }, undefined, undefined],
    ['of another account', { previous_response_id: 'resp_1' }, undefined, 'bob'],
    ['that is not stored', { previous_response_id: 'resp_9' }, undefined, undefined],
    ['with an id that is no string', { previous_response_id: 7 }, undefined, undefined],
    ['in a call of another operation', { previous_response_id: 'resp_1' }, 'createChatCompletion', undefined],
  ] as const)('%s is ordered like any other call', async (_what, fields, operation, account) => {
    const { routed } = openRoute(two);
    expect(await routed(fields, operation, account)).toEqual(['main', 'backup']);
  });

  test('of a model with one candidate is not looked up', async () => {
    const { routed, lookedUp } = openRoute(two.slice(0, 1));
    expect([await routed({ previous_response_id: 'resp_1' }), lookedUp]).toEqual([['main'], []]);
  });
});

describe('F26: calls of one session', () => {
  const many = Array.from({ length: 20 }, (_, index) => placeAt(`place-${index}`));

  test('have one order of candidates, and those of another session a different one', async () => {
    const { routed } = openRoute(many);
    const [one, again, other] = [
      await routed({ prompt_cache_key: 'a' }),
      await routed({ prompt_cache_key: 'a' }),
      await routed({ prompt_cache_key: 'b' }),
    ];
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
  });

  test('with affinity: none have a random order each time', async () => {
    const { routed } = openRoute(many, 'none');
    // The chance of the same order of twenty is about 1 in 10^18.
    expect(await routed({ prompt_cache_key: 'a' })).not.toEqual(await routed({ prompt_cache_key: 'a' }));
  });
});

describe('the session of a call', () => {
  const sessionFor = (affinity: Affinity, fields: Record<string, unknown>, principal = principalOf()): string | null =>
    sessionOf(openRoute(two, affinity).gateway, openCall({ principal }).call, { operation: 'createResponse', body: jsonBody(fields) });

  test.each([
    ['key', { prompt_cache_key: 'chat 7' }, 'ada\nchat 7'],
    ['session', { prompt_cache_key: 'chat 7' }, 'ada\nchat 7'],
    ['none', { prompt_cache_key: 'chat 7' }, null],
    ['key', {}, 'key_1'],
    ['key', { prompt_cache_key: '' }, 'key_1'],
    ['key', { prompt_cache_key: 7 }, 'key_1'],
    ['session', {}, null],
    ['none', {}, null],
  ] as const)('by %s, with %j: %s', (affinity, fields, expected) => {
    expect(sessionFor(affinity, fields)).toBe(expected);
  });

  test('G12: with the same cache key differs between accounts', () => {
    const fields = { prompt_cache_key: 'chat 7' };
    expect(sessionFor('key', fields, principalOf({ accountId: 'bob' }))).not.toBe(sessionFor('key', fields));
  });

  test('without a principal is null', () => {
    const { gateway } = openRoute(two);
    expect(sessionOf(gateway, openCall().call, { operation: 'createResponse', body: jsonBody({ prompt_cache_key: 'x' }) })).toBeNull();
  });
});

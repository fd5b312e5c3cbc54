/** Inputs of procedures, turned into requests of their routes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contract } from '../../../../contract/index.ts';

import { toRouteRequest } from '../../../../server/api/trpc/request.ts';

describe('an input', () => {
  test('of a GET goes into the path and the query', () => {
    const input = { response_id: 'resp_1', limit: 5, order: 'asc', after: undefined, stream: null };
    expect(toRouteRequest(contract.listInputItems, input, false)).toEqual({
      method: 'GET',
      path: '/v1/responses/resp_1/input_items?limit=5&order=asc',
      body: undefined,
    });
  });

  test('that is empty or no object adds no query', () => {
    for (const input of [undefined, null, {}, 'text', []]) expect(toRouteRequest(contract.listUsage, input, false).path).toBe('/v1/usage');
  });

  test('of a POST is its body, with `stream` set for a stream', () => {
    expect(toRouteRequest(contract.createResponse, { model: 'm', input: 'x' }, false).body).toBe('{"model":"m","input":"x"}');
    expect(toRouteRequest(contract.createResponse, { model: 'm', input: 'x' }, true).body).toBe('{"model":"m","input":"x","stream":true}');
    expect(toRouteRequest(contract.createResponse, undefined, false).body).toBe('{}');
    expect(toRouteRequest(contract.createResponse, 'text', true).body).toBe('"text"');
  });

  test.each([undefined, null, '', 7, {}])('with response_id %j is rejected by its name', (response_id) => {
    expect(() => toRouteRequest(contract.deleteResponse, { response_id }, false)).toThrow(
      "'response_id' is required and must be a non-empty string",
    );
  });

  test('never leads to another path, whatever its id and fields are', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }),
        (response_id, rest) => {
          const { path } = toRouteRequest(contract.getResponse, { ...rest, response_id: response_id.toWellFormed() }, false);
          const url = new URL(`http://gateway${path}`);
          // A URL with the segment `..` is normalised, which no route takes.
          if (!/^\.\.?$/.test(response_id)) expect(decodeURIComponent(url.pathname)).toBe(`/v1/responses/${response_id.toWellFormed()}`);
          expect(path).toMatch(/^\/v1\/responses\/[^/?#]+(\?[^#\r\n]*)?$/);
        },
      ),
    );
  });
});

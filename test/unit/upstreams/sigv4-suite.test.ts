/** The signing test suite of AWS's own library over our signer. */
import { expect, test } from 'vitest';
import { Signer } from '../../../server/upstreams/auth/aws.ts';
import suite from '../../fixtures/aws/signature-suite.json' with { type: 'json' };

test('it has as many vectors as were taken over', () => expect(suite.vectors).toHaveLength(32));

test.each(suite.vectors)('$name', ({ method, path, headers, hash, authorization }) => {
  const pairs = headers.map(([name = '', value = '']) => [name, value] as const);
  expect(new Signer(suite).authorization({ method, path, headers: pairs, hash }, suite)).toBe(authorization);
});

/** Errors by operation: an upstream's error gets a code that the operation names; an undeclared one of the gateway is a fault. */
import { describe, expect, test } from 'vitest';
import { findOperationBreach } from '../../server/api/http/contract-breach.ts';
import { GatewayError, toDeclaredError } from '../../server/primitives/errors.ts';

describe('an error of an upstream', () => {
  const said = new GatewayError('item_not_found', { message: 'Not this.', param: 'input', headers: { 'retry-after': '3' } });

  test('is unchanged if the operation names its code', () => {
    expect(toDeclaredError('createResponse', said)).toBe(said);
  });

  test('becomes invalid_value with the same message, param and headers if the operation does not name its code', () => {
    const heard = toDeclaredError('createChatCompletion', said);
    expect([heard.body.error, heard.headers, heard.status]).toEqual([
      { message: 'Not this.', type: 'invalid_request_error', param: 'input', code: 'invalid_value' },
      { 'retry-after': '3' },
      400,
    ]);
  });

  test('becomes upstream_error if it is no mistake of the caller', () => {
    expect(toDeclaredError('createChatCompletion', new GatewayError('conflict')).code).toBe('upstream_error');
  });

  test('is unchanged if it was requested from the simulator', () => {
    const requested = new GatewayError('conflict', { status: 409 });
    expect(toDeclaredError('createChatCompletion', requested)).toBe(requested);
    expect(findOperationBreach('createChatCompletion', requested)).toBeNull();
  });
});

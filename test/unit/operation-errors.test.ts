/** Errors by operation: an upstream's error gets a code that the operation names; an undeclared one of the gateway is a fault. */
import { describe, expect, test } from 'vitest';
import { findOperationBreach } from '../../server/api/http/contract-breach.ts';
import { GatewayError, toDeclaredError } from '../../server/primitives/errors.ts';
import { unnamedIn } from '../harness/contract-check.ts';
import { startGateway } from '../harness/gateway.ts';

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

describe('an error breaks the contract', () => {
  test('if its operation does not name its code', () => {
    expect(findOperationBreach('listModels', new GatewayError('model_not_found'))).toBe(
      "'listModels' returns 'model_not_found', which its contract doesn't declare.",
    );
    expect(findOperationBreach('createResponse', new GatewayError('model_not_found'))).toBeNull();
  });

  test('if there is no operation and its code needs one', () => {
    expect(findOperationBreach(null, new GatewayError('not_found'))).toBe("'not_found' is returned outside of any operation.");
    expect(findOperationBreach(null, new GatewayError('unknown_url'))).toBeNull();
  });
});

describe('the log of a gateway under test', () => {
  const line = { msg: 'request', method: 'GET', route: '/v1/models', code: 'model_not_found' };

  test('shows answers whose code the operation does not name', () => {
    expect(unnamedIn([line, { ...line, method: 'HEAD' }], () => false)).toHaveLength(2);
    expect(
      unnamedIn(
        [
          { ...line, code: 'invalid_api_key' },
          { ...line, msg: 'other' },
        ],
        () => false,
      ),
    ).toEqual([]);
    expect(unnamedIn([line], () => true)).toEqual([]);
  });

  test('excuses the errors that were requested from its simulator, and no other call or status', async () => {
    const gateway = await startGateway();
    const chat = (content: string) =>
      gateway.call('/chat/completions', { json: { model: 'gpt-5.4', messages: [{ role: 'user', content }] } });
    const answer = await chat('simulate: error 409');
    expect([answer.status, await answer.json()]).toMatchObject([409, { error: { code: 'conflict' } }]);
    expect((await chat('simulate: malformed')).status).toBe(502);
    const asked = await gateway.lineOf(answer);
    expect(unnamedIn(gateway.lines, () => false)).toEqual(['createChatCompletion answered conflict']);
    // Another call, and another status than the requested one.
    gateway.lines.push({ ...asked, id: 'req_other' }, { ...asked, status: 502 });
    await expect(gateway.close()).rejects.toThrow(/: createChatCompletion answered conflict, createChatCompletion answered conflict$/);
  });

  test('allows unknown_url and method_not_allowed where there is no operation', () => {
    expect(unnamedIn([{ ...line, route: 'unknown', code: 'unknown_url' }], () => false)).toEqual([]);
    expect(unnamedIn([{ ...line, method: 'PUT', code: 'method_not_allowed' }], () => false)).toEqual([]);
    expect(unnamedIn([{ ...line, method: 'PUT' }], () => false)).toEqual(['PUT /v1/models answered model_not_found']);
  });
});

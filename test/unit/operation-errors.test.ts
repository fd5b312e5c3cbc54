/** What an upstream says is told by a code that the operation names; what is raised here without one is seen as the fault that it is. */
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../server/errors.ts';
import { breachOf, heardBy } from '../../server/operation-errors.ts';
import { startGateway } from '../harness/gateway.ts';
import { unnamedIn } from '../harness/named.ts';

describe('a caller whose upstream names a mistake', () => {
  const said = new GatewayError('item_not_found', { message: 'Not this.', param: 'input', headers: { 'retry-after': '3' } });

  test('reads it as it is where the operation names it', () => {
    expect(heardBy('createResponse', said)).toBe(said);
  });

  test('reads a mistake with the same words and field where it does not', () => {
    const heard = heardBy('createChatCompletion', said);
    expect([heard.body.error, heard.headers, heard.status]).toEqual([
      { message: 'Not this.', type: 'invalid_request_error', param: 'input', code: 'invalid_value' },
      { 'retry-after': '3' },
      400,
    ]);
  });

  test('reads that the upstream failed where it was no mistake of the caller', () => {
    expect(heardBy('createChatCompletion', new GatewayError('conflict')).code).toBe('upstream_error');
  });

  test('reads exactly what was ordered from the simulator', () => {
    const ordered = new GatewayError('conflict', { status: 409 });
    expect(heardBy('createChatCompletion', ordered)).toBe(ordered);
    expect(breachOf('createChatCompletion', ordered)).toBeNull();
  });
});

describe('an error breaks the contract', () => {
  test('where its operation does not name its code', () => {
    expect(breachOf('listModels', new GatewayError('model_not_found'))).toBe(
      "'listModels' answers 'model_not_found', which its contract does not name.",
    );
    expect(breachOf('createResponse', new GatewayError('model_not_found'))).toBeNull();
  });

  test('where there is no operation, but it speaks of one', () => {
    expect(breachOf(null, new GatewayError('not_found'))).toBe("'not_found' is answered where no operation is.");
    expect(breachOf(null, new GatewayError('unknown_url'))).toBeNull();
  });
});

describe('the log of a gateway under test', () => {
  const line = { msg: 'request', method: 'GET', route: '/v1/models', code: 'model_not_found' };

  test('gives away an answer that the contract does not name', () => {
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

  test('excuses what its simulator was asked for, and nothing else of that', async () => {
    const gateway = await startGateway();
    const chat = (content: string) =>
      gateway.call('/chat/completions', { json: { model: 'gpt-5.4', messages: [{ role: 'user', content }] } });
    const answer = await chat('simulate: error 409');
    expect([answer.status, await answer.json()]).toMatchObject([409, { error: { code: 'conflict' } }]);
    expect((await chat('simulate: malformed')).status).toBe(502);
    const asked = await gateway.lineOf(answer);
    expect(unnamedIn(gateway.lines, () => false)).toEqual(['createChatCompletion answered conflict']);
    // Of another call, and with another status than the one that was asked for.
    gateway.lines.push({ ...asked, id: 'req_other' }, { ...asked, status: 502 });
    await expect(gateway.close()).rejects.toThrow(/: createChatCompletion answered conflict, createChatCompletion answered conflict$/);
  });

  test('lets an address without an operation say that there is none', () => {
    expect(unnamedIn([{ ...line, route: 'unknown', code: 'unknown_url' }], () => false)).toEqual([]);
    expect(unnamedIn([{ ...line, method: 'PUT', code: 'method_not_allowed' }], () => false)).toEqual([]);
    expect(unnamedIn([{ ...line, method: 'PUT' }], () => false)).toEqual(['PUT /v1/models answered model_not_found']);
  });
});

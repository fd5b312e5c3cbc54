/** An error that the contract does not name for its operation: reported in development, logged and answered in production, and noticed by the tests (decision 0001). */
import { expect, onTestFinished, test } from 'vitest';
import { GatewayError } from '../../../server/primitives/errors.ts';
import { failure } from '../../fakes/faults.ts';
import { startGateway, type TestGateway } from '../../harness/gateway.ts';
import { expectRefusal } from '../../harness/refusal.ts';
import { openBehindVendor } from '../../harness/vendor.ts';

const says = "'getResponse' returns 'conflict', which its contract doesn't declare.";

/** A gateway whose history throws an error that no operation names. */
async function openWrong(settings: Record<string, unknown> = {}): Promise<TestGateway> {
  const gateway = await startGateway(settings);
  Object.assign(gateway.gateway.history, {
    find: () => {
      throw new GatewayError('conflict', { message: 'It was raised by mistake.' });
    },
  });
  return gateway;
}

test('names the operation and the error in the response in development', async () => {
  const gateway = await openWrong();
  await expectRefusal(await gateway.call('/responses/resp_1'), { code: 'internal_error', says });
  await gateway.close();
});

test('returns the error itself in production, logs the fault, and fails the close of the test gateway', async () => {
  const gateway = await openWrong({ validateResponses: false });
  const answer = await gateway.call('/responses/resp_1');
  await expectRefusal(answer, { code: 'conflict', says: 'It was raised by mistake.' });
  const line = await gateway.lineWhere(({ msg }) => msg === 'error not declared in the contract');
  expect(line).toMatchObject({ level: 'error', code: 'conflict', err: { message: says } });
  await gateway.lineOf(answer);
  await expect(gateway.close()).rejects.toThrow('The contract does not name what was answered: getResponse answered conflict');
});

test('returns invalid_value for a 400 of a provider with a code that the operation does not name', async () => {
  const { fake, gateway, close } = await openBehindVendor();
  onTestFinished(close);
  fake.next(failure(400, { code: 'item_not_found', message: 'Not this.', param: 'messages' }));
  const json = { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Hello' }] };
  const rejection = { code: 'invalid_value', param: 'messages', says: 'Not this.' } as const;
  await expectRefusal(await gateway.call('/chat/completions', { json }), rejection);
});

/** The answer of an inner request, read from a server over a socket. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';

import { FailedCall, openEvents, readValue } from '../../../../server/api/trpc/response.ts';

async function answerWith(listener: RequestListener): Promise<IncomingMessage> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  // `as`: it listens on a port.
  const calling = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }).end();
  return (await once(calling, 'response'))[0];
}

test('throws after the events of a stream that is cut', async () => {
  const answer = await answerWith((_, response) => response.write('data: {"type":"one"}\n\n', () => response.destroy()));
  const events: unknown[] = [];
  const reading = (async () => {
    for await (const event of await openEvents(answer)) events.push(event);
  })();
  await expect(reading).rejects.toMatchObject({ failure: { status: 502, error: { code: 'upstream_error' } } });
  expect(events).toEqual([{ type: 'one' }]);
});

test('throws internal_error without the content of an answer that is no error of the contract', async () => {
  const answer = await answerWith((_, response) => response.writeHead(418).end('{"secret": 1}'));
  const thrown: unknown = await readValue(answer).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(FailedCall);
  expect(thrown).toMatchObject({ failure: { status: 500, error: { code: 'internal_error' } } });
  expect(JSON.stringify(thrown)).not.toContain('secret');
});

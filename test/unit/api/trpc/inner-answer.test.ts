/** The answer of an inner request, read from a server over a socket. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';

import { FailedCall, openEvents, readValue } from '../../../../server/api/trpc/response.ts';

interface Answering {
  readonly answer: IncomingMessage;
  readonly response: ServerResponse;
}

async function answerWith(start: (response: ServerResponse) => void): Promise<Answering> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A listening TCP server has an address with a port.
  const calling = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  const answered = once(calling, 'response');
  const asked = once(server, 'request');
  calling.end();
  const [, response] = await asked;
  start(response);
  const [answer] = await answered;
  return { answer, response };
}

const frame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

test('leaving the loop closes the connection', async () => {
  const { answer, response } = await answerWith((made) => made.write(frame({ type: 'one' })));
  const gone = once(response, 'close');
  for await (const event of await openEvents(answer)) {
    expect(event).toEqual({ type: 'one' });
    break;
  }
  await gone;
  expect([answer.destroyed, response.writableFinished]).toEqual([true, false]);
});

test('a stream that breaks off throws after its events', async () => {
  const { answer, response } = await answerWith((made) => made.write(`: comment\n\n${frame({ type: 'one' })}`));
  const events: unknown[] = [];
  const reading = (async () => {
    for await (const event of await openEvents(answer)) {
      events.push(event);
      response.destroy();
    }
  })();
  await expect(reading).rejects.toMatchObject({ failure: { status: 502, error: { code: 'upstream_error' } } });
  expect(events).toEqual([{ type: 'one' }]);
});

test('an answer that is not an error of the contract is internal_error, without its content', async () => {
  const { answer } = await answerWith((made) => made.writeHead(418).end('{"secret": 1}'));
  const thrown: unknown = await readValue(answer).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(FailedCall);
  expect(thrown).toMatchObject({ failure: { status: 500, error: { code: 'internal_error' } } });
  expect(JSON.stringify(thrown)).not.toContain('secret');
});

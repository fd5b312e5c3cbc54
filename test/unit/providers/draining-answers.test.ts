/** Answers of callers who have disconnected, when the gateway ends (promises G6 and G9). */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';

import { DrainingResponses } from '../../../server/providers/draining-responses.ts';

test('G6, G9: waits for a caller who leaves as the server closes, even if the server notices first', async () => {
  const answers = new DrainingResponses();
  const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  // `as`: it listens on a port.
  const caller = connect((server.address() as AddressInfo).port, '127.0.0.1');
  caller.write('GET / HTTP/1.1\r\nhost: gateway\r\n\r\n');
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  response.on('close', () => answers.add({ settled, cut: settle }));
  const closed = new Promise((resolve) => server.close(resolve));
  caller.resetAndDestroy();
  await closed;
  let isOver = false;
  const over = answers.waitUntilSettled().then(() => {
    isOver = true;
  });
  await expect.poll(() => answers.size).toBe(1);
  expect(isOver).toBe(false);
  settle();
  await over;
});

test('G9: stops listening to callers who leave after the end', async () => {
  const answers = new DrainingResponses();
  answers.cut();
  const { promise: settled, resolve: cut } = Promise.withResolvers<void>();
  answers.add({ settled, cut });
  await answers.waitUntilSettled();
  expect(answers.size).toBe(0);
});

/** A turn over a WebSocket is read from the upstream no faster than its client reads it. */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TurnStream } from '../../../../server/api/websocket/turn-stream.ts';

const BLOCKS = 64;
const block = Buffer.alloc(65_536, 'x');

test('waits for a client that reads slowly, and sends it every block', async () => {
  let sent = 0;
  function* send(): Generator<Buffer> {
    while (sent < BLOCKS) {
      sent++;
      yield block;
    }
  }
  // `as`: the stream reads only the status and the body.
  const response = Object.assign(Readable.from(send(), { highWaterMark: 1 }), { statusCode: 200 }) as never;
  const reader = new TurnStream(Promise.resolve(response), new AbortController()).read();
  await reader.next();
  for (let turns = 0; turns < 500; turns++) await nextTurn();
  expect(sent).toBeLessThan(10);
  let received = 1;
  for await (const _ of reader) received++;
  expect(received).toBe(BLOCKS);
});

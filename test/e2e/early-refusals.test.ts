/** Callers who are rejected while they still send the body: what they read, and how much the gateway reads of them. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { startGateway } from '../harness/gateway.ts';
import { useOpened } from '../harness/opened.ts';
import { type RawAnswer, readAnswers, request, talk } from '../harness/raw.ts';
import { expectRefusal } from '../harness/refusal.ts';

const gateway = useOpened(() => startGateway());

const MEBIBYTE = 1_048_576;
const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(MEBIBYTE, 0x20), Buffer.from('\r\n')]);

interface Door {
  readonly why: string;
  readonly code: 'invalid_api_key' | 'unsupported_media_type' | 'request_too_large' | 'unknown_url';
  readonly path?: string;
  readonly hasKey?: boolean;
  readonly type?: string;
}
const doors: readonly Door[] = [
  { why: 'without a key', code: 'invalid_api_key', hasKey: false },
  { why: 'of another kind', code: 'unsupported_media_type', type: 'text/plain' },
  { why: 'that is too large', code: 'request_too_large' },
  { why: 'to an address where nothing is', code: 'unknown_url', path: '/chat/completion' },
];

function headOf({ path = '/chat/completions', hasKey = true, type = 'application/json' }: Door, ...more: readonly string[]): Buffer {
  const key = hasKey ? [`authorization: Bearer ${gateway.key}`] : [];
  return request([`POST /v1${path} HTTP/1.1`, ...key, `content-type: ${type}`, ...more]);
}

interface Heard {
  readonly answers: readonly RawAnswer[];
  /** The bytes that were sent until the connection ended. */
  readonly sentBytes: number;
}

/** Sends the first bytes and then chunk after chunk, whatever is answered, until the gateway closes. */
async function insist(first: Buffer): Promise<Heard> {
  const socket = connect({ port: Number(new URL(gateway.origin).port), host: '127.0.0.1', allowHalfOpen: true });
  const received: Buffer[] = [];
  socket.on('data', (bytes) => received.push(bytes));
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const goOn = (failure?: Error | null): void => {
    if (!failure && !socket.destroyed) socket.write(chunk, goOn);
  };
  socket.write(first, goOn);
  await once(socket, 'data');
  await closed;
  return { answers: readAnswers(Buffer.concat(received)), sentBytes: socket.bytesWritten };
}

describe.each(doors)('a body $why', (door) => {
  test('gets an error that a caller can read after sending all 25 MB', async () => {
    // Five connections, since a reset does not lose the answer every time.
    for (let time = 0; time < 5; time += 1) {
      const answers = await talk(gateway.origin, headOf(door, 'transfer-encoding: chunked'), ...Array(25).fill(chunk), '0\r\n\r\n');
      const [answer] = answers;
      if (!answer || answers.length > 1) throw new Error(`${answers.length} answers`);
      await expectRefusal(answer, { code: door.code });
    }
  });

  test('gets its connection closed while the caller still sends', async () => {
    const { answers, sentBytes } = await insist(headOf(door, 'transfer-encoding: chunked'));
    expect(answers).toMatchObject([{ headers: { connection: 'close' } }]);
    // The gateway reads some of it, and the buffers of the connection hold some.
    expect(sentBytes).toBeLessThan(64 * MEBIBYTE);
  });
});

test('ignores a request that follows a rejected body on the same connection', async () => {
  const hidden = request(['GET /v1/models HTTP/1.1', `authorization: Bearer ${gateway.key}`]);
  const head = headOf({ why: '', code: 'invalid_api_key', hasKey: false }, 'transfer-encoding: chunked');
  const { answers } = await insist(Buffer.concat([head, chunk, Buffer.from('0\r\n\r\n'), hidden]));
  expect(answers.map(({ status }) => status)).toEqual([401]);
  // Log lines are written in the order in which the requests end.
  const later = await gateway.call('/models');
  await gateway.lineOf(later);
  const done = gateway.lines.filter(({ route }) => route === '/v1/models').map(({ id }) => id);
  expect(done).toEqual([later.headers.get('x-request-id')]);
});

test('waits for no small body that is never sent after a rejection', async () => {
  const head = request(['POST /v1/chat/completions HTTP/1.1', 'content-type: application/json', 'content-length: 1000']);
  // The gateway closes the connection. The timeout of a whole request is five minutes.
  const answers = await talk(gateway.origin, head);
  expect(answers.map(({ status }) => status)).toEqual([401]);
});

test('keeps the connection for the next request after rejecting a small body', async () => {
  const small = request(['POST /v1/chat/completions HTTP/1.1', 'content-type: application/json'], '{"model":"gpt-5.4"}');
  const next = request(['GET /v1/models HTTP/1.1', `authorization: Bearer ${gateway.key}`, 'connection: close']);
  const answers = await talk(gateway.origin, small, next);
  expect(answers.map(({ status }) => status)).toEqual([401, 200]);
});

/** Sends HTTP as bytes on a socket, for requests that no client library sends. Reads all answers until the gateway closes the connection. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { hangLimitMs } from './hang-limit.ts';

export interface RawAnswer {
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Bytes = string | Uint8Array;

/** Sends the pieces one after another without waiting. The last request must have `connection: close`. */
export async function talk(origin: string, ...pieces: readonly Bytes[]): Promise<RawAnswer[]> {
  return readAnswers(await converse(origin, pieces, false));
}

/** Like `talk`, but sends each request only when the answer to the previous one has begun. */
export async function talkInTurn(origin: string, ...requests: readonly Bytes[]): Promise<RawAnswer[]> {
  return readAnswers(await converse(origin, requests, true));
}

function converse(origin: string, pieces: readonly Bytes[], inTurn: boolean): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1', noDelay: true });
    const received: Buffer[] = [];
    socket.setTimeout(hangLimitMs, () => socket.destroy(new Error(`no end after: ${Buffer.concat(received)}`)));
    socket.on('data', (bytes) => received.push(bytes));
    // A gateway that refuses early closes the connection while the rest is being sent. The answer so far counts.
    socket.on('error', (error: NodeJS.ErrnoException) => (/EPIPE|ECONNRESET/.test(error.code ?? '') ? undefined : reject(error)));
    socket.on('close', () => resolve(Buffer.concat(received)));
    void sendAll(socket, pieces, inTurn);
  });
}

async function sendAll(socket: Socket, pieces: readonly Bytes[], inTurn: boolean): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return;
    const answered = inTurn ? once(socket, 'data').catch(() => undefined) : undefined;
    await new Promise((sent) => socket.write(piece, sent));
    await answered;
  }
}

/** The bytes of a request. `lines`: the request line, and the headers other than host and length. */
export function request(lines: readonly string[], body: Bytes = ''): Buffer {
  const length = body.length === 0 ? [] : [`content-length: ${Buffer.byteLength(body)}`];
  const head = [lines[0], 'host: gateway.test', ...lines.slice(1), ...length].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`), Buffer.from(body)]);
}

/** Parses all answers in the bytes of a connection. */
export function readAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const border = rest.indexOf('\r\n\r\n');
    const [start = '', ...lines] = rest.toString('latin1', 0, border).split('\r\n');
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(start)?.[1];
    if (border < 0 || status === undefined) throw new Error(`not an HTTP answer: ${rest.toString('latin1', 0, 200)}`);
    const headers = Object.fromEntries(
      lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const [body, end] = readBody(rest, border + 4, headers);
    answers.push({ status: Number(status), headers, body });
    rest = rest.subarray(end);
  }
  return answers;
}

/** The body, and the index after it. An answer to HEAD has a length but no body. */
function readBody(bytes: Buffer, from: number, headers: Readonly<Record<string, string>>): readonly [string, number] {
  if (headers['transfer-encoding'] === 'chunked') return readChunks(bytes, from);
  const length = Number(headers['content-length'] ?? 0);
  const isHead = length > 0 && (from === bytes.length || bytes.toString('latin1', from, from + 9) === 'HTTP/1.1 ');
  const end = isHead ? from : from + length;
  return [bytes.toString('utf8', from, end), end];
}

function readChunks(bytes: Buffer, from: number): readonly [string, number] {
  const pieces: Buffer[] = [];
  for (let at = from; ; ) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) throw new Error('a chunked body that does not end');
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    const start = line + 2;
    if (size === 0) return [Buffer.concat(pieces).toString('utf8'), start + 2];
    pieces.push(bytes.subarray(start, start + size));
    at = start + size + 2;
  }
}

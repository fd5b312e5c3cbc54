/** One connection to the gateway as bytes: many requests one after the other, or a talk past all rules of HTTP. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  /** Lower-case names; what comes twice is joined by a line feed, which no header can hold. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Text goes out in UTF-8. */
export type Bytes = Buffer | string;

/** Far over anything that a case takes; a gateway that is silent for so long hangs. */
const SILENCE_MS = 60_000;

/** Keeps its connection for as long as the gateway does. */
export class Lane {
  readonly #port: number;
  #socket: Socket | null = null;
  #received = Buffer.alloc(0);

  constructor(port: number) {
    this.#port = port;
  }

  /** The answer to one whole request. */
  async ask(bytes: Bytes, isHead = false): Promise<Answer> {
    const kept = this.#socket;
    const answer = await this.#exchange(bytes, isHead);
    if (answer) return answer;
    // The gateway may close an idle connection in the moment in which it is used again; a fresh one it has to answer.
    const anew = kept ? await this.#exchange(bytes, isHead) : null;
    if (!anew) throw new Error('the gateway closed the connection and said nothing');
    return anew;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
    this.#received = Buffer.alloc(0);
  }

  /** Null where the connection ended without a byte. */
  async #exchange(bytes: Bytes, isHead: boolean): Promise<Answer | null> {
    const socket = this.#socket ?? open(this.#port);
    this.#socket = socket;
    socket.write(bytes);
    for (;;) {
      const read = nextAnswer(this.#received, isHead);
      if (read) {
        this.#received = read.rest;
        if (read.answer.status === 100) continue;
        if (read.answer.headers.connection === 'close' || read.rest.length > 0) this.close();
        return read.answer;
      }
      const piece = await nextPiece(socket);
      if (piece) this.#received = Buffer.concat([this.#received, piece]);
      else if (this.#received.length === 0) return this.#forget();
      else throw new Error(`an answer that breaks off: ${this.#received.toString('latin1').slice(0, 300)}`);
    }
  }

  #forget(): null {
    this.close();
    return null;
  }
}

/** Asks the gateway to close the connection, once it has come so far. */
const farewell = 'GET /v1/farewell HTTP/1.1\r\nhost: gateway.test\r\nconnection: close\r\n\r\n';

/**
 * All answers on a connection of its own. Behind whole requests comes one more that ends the connection; where the gateway may wait for
 * the rest of a request the sending side is closed, which it takes for the end of the caller.
 */
export async function converse(port: number, bytes: Bytes, isWhole: boolean): Promise<Answer[]> {
  const socket = open(port);
  socket.write(bytes);
  if (isWhole) socket.write(farewell);
  else socket.end();
  const received: Buffer[] = [];
  for (let piece = await nextPiece(socket); piece; piece = await nextPiece(socket)) received.push(piece);
  socket.destroy();
  const answers: Answer[] = [];
  for (let rest = Buffer.concat(received); rest.length > 0; ) {
    const read = nextAnswer(rest, false);
    if (!read) throw new Error(`what came is no answer: ${rest.toString('latin1').slice(0, 300)}`);
    if (read.answer.status !== 100) answers.push(read.answer);
    rest = read.rest;
  }
  if (isWhole && answers.length === 0) throw new Error('the gateway said nothing');
  return answers;
}

function open(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  // A gateway that refuses early closes while the rest is still being sent: what it said counts.
  socket.on('error', () => undefined);
  socket.setTimeout(SILENCE_MS, () => socket.destroy());
  return socket;
}

/** Null at the end of the connection. */
async function nextPiece(socket: Socket): Promise<Buffer | null> {
  for (;;) {
    // A socket without an encoding gives buffers.
    const piece = socket.read() as Buffer | null;
    if (piece) return piece;
    if (socket.readableEnded || socket.destroyed) return null;
    const stop = new AbortController();
    const heard = ['readable', 'end', 'close'].map((event) => once(socket, event, stop).catch(() => undefined));
    await Promise.race(heard);
    stop.abort();
  }
}

interface Read {
  readonly answer: Answer;
  readonly rest: Buffer<ArrayBuffer>;
}

/** Null where more has to come. */
export function nextAnswer(bytes: Buffer<ArrayBuffer>, isHead: boolean): Read | null {
  const border = bytes.indexOf('\r\n\r\n');
  if (border < 0) return null;
  const [start = '', ...lines] = bytes.toString('latin1', 0, border).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(start)?.[1]);
  if (!(status >= 100)) throw new Error(`not an HTTP answer: ${bytes.toString('latin1', 0, 300)}`);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = name in headers ? `${headers[name]}\n${value}` : value;
  }
  const from = border + 4;
  const body = isHead || status === 100 ? { text: '', end: from } : readBody(bytes, from, headers);
  return body && { answer: { status, headers, body: body.text }, rest: bytes.subarray(body.end) };
}

interface Body {
  readonly text: string;
  readonly end: number;
}

function readBody(bytes: Buffer, from: number, headers: Answer['headers']): Body | null {
  if (headers['transfer-encoding'] === 'chunked') return readChunks(bytes, from);
  const end = from + Number(headers['content-length'] ?? 0);
  return end <= bytes.length ? { text: bytes.toString('utf8', from, end), end } : null;
}

function readChunks(bytes: Buffer, from: number): Body | null {
  const pieces: Buffer[] = [];
  for (let at = from; ; ) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    const start = line + 2;
    const end = start + size + 2;
    if (end > bytes.length) return null;
    if (size === 0) return { text: Buffer.concat(pieces).toString('utf8'), end };
    pieces.push(bytes.subarray(start, start + size));
    at = end;
  }
}

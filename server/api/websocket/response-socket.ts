/** One WebSocket connection of the Responses API: runs each turn as an inner `POST /v1/responses`, and sends the events of its stream as text frames. */

import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { contract } from '../../../contract/index.ts';
import { MAX_CONCURRENT_TURNS, MAX_CONNECTION_MINUTES, MAX_LANES, StreamId } from '../../../contract/responses/websocket.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { type CreateResponseCode, GatewayError } from '../../primitives/errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';
import { KeyedSlots } from '../../primitives/keyed-slots.ts';
import { isCompactionItem } from '../../protocols/responses/compaction-items.ts';
import { findPreviousId, withEncryptedReasoning } from '../../protocols/responses/continuation.ts';
import { echoInFrames } from '../../protocols/responses/echoed-fields.ts';
import { FrameJoiner, findDataBytes, forEachFrame, readEventName, readFrameData } from '../../protocols/wire/frames.ts';
import { createShutdownError } from '../http/errors.ts';
import { injectRequest, toInnerHeaders } from '../http/inner-request.ts';
import type { AbandonedTurns, TurnRequest } from './abandoned-turns.ts';
import { readErrorFrame, toErrorFrame, WebSocketError } from './error-frames.ts';
import { TurnStream } from './turn-stream.ts';
import type { Conversation, UnsavedResponses } from './unsaved-responses.ts';
import { writeWarmUp } from './warm-up.ts';

/** The default lane, for messages without `stream_id`. */
const DEFAULT_LANE = '';
/** Messages that run or wait, and their bytes. Others stay in the socket. */
const MAX_OPEN_TURNS = 32;
const MAX_OPEN_BYTES = 4 * 1024 * 1024;
/** Maximum size of an event. Responses can contain generated files. */
const MAX_EVENT_BYTES = 64 * 1024 * 1024;
/** Events that were sent this recently may be lost with the connection. */
const RECENT_MS = 2_000;

/** Close codes (RFC 6455, 7.4.1). */
const NORMAL = 1000;
const GOING_AWAY = 1001;
/** The connection ended without a close frame. */
const LOST = 1006;

export interface ResponseSocketOptions {
  readonly socket: WebSocket;
  /** The underlying socket, to wait until the client has read. */
  readonly raw: Duplex;
  readonly upgrade: IncomingMessage;
  readonly gateway: Gateway;
  readonly server: Server;
  readonly unsaved: UnsavedResponses;
  /** The key of the client. */
  readonly keyId: string;
  readonly abandoned: AbandonedTurns;
}

/** A `response.create` message. */
interface Turn {
  readonly lane: string;
  /** The fields of the same request over HTTP. */
  readonly request: Fields;
  readonly isWarmUp: boolean;
}

interface OpenTurn {
  readonly request: TurnRequest;
  readonly stream: TurnStream;
}

interface RunningTurn {
  readonly turn: Turn;
  readonly previousId: string | null;
  /** The conversation with the turn's input. */
  readonly conversation: Conversation;
}

export class ResponseSocket {
  readonly #options: ResponseSocketOptions;
  readonly #openedAt = performance.now();
  readonly #lanes = new Set<string>();
  readonly #laneSlots = new KeyedSlots(1);
  readonly #slots = new KeyedSlots(MAX_CONCURRENT_TURNS);
  /** Running turns, and recently ended ones, whose last events may be lost with the connection. */
  readonly #recentTurns = new Set<OpenTurn>();
  /** Aborted when the client disconnects. */
  readonly #gone = new AbortController();
  /** Running and waiting turns. */
  #openTurns = 0;
  #openBytes = 0;
  #isStopping = false;
  /** Number of turns so far. */
  turns = 0;

  constructor(options: ResponseSocketOptions) {
    this.#options = options;
    const { socket, unsaved, abandoned } = options;
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    // The client violated the protocol, so the library closes the connection.
    socket.on('error', () => undefined);
    socket.once('close', (code) => {
      this.#gone.abort();
      // A client that closed its connection is done. One that lost it may reconnect.
      for (const { request, stream } of this.#recentTurns)
        if (code === LOST) abandoned.add(request, stream);
        else stream.abort();
      unsaved.close();
    });
  }

  /** Ends running turns, rejects new ones, and closes the connection. */
  stop(): void {
    this.#isStopping = true;
    this.#closeIfStopped();
  }

  #receive(data: RawData, isBinary: boolean): void {
    let lane = DEFAULT_LANE;
    try {
      const text = readText(data, isBinary);
      const message = parseMessage(text);
      if (message.type === 'response.steer') this.#send(JSON.stringify(rejectSteering(message)));
      else {
        const turn = readTurn(message);
        ({ lane } = turn);
        this.#begin(turn, text.length);
      }
    } catch (thrown) {
      this.#sendError(thrown, lane);
    }
  }

  #begin(turn: Turn, bytes: number): void {
    const { lane } = turn;
    if (lane !== DEFAULT_LANE) this.#lanes.add(lane);
    if (this.#lanes.size > MAX_LANES) {
      this.#lanes.delete(lane);
      throw new WebSocketError('websocket_stream_limit_reached', 'stream_id');
    }
    this.turns++;
    this.#countOpen(1, bytes);
    void this.#runInLane(turn).finally(() => {
      this.#countOpen(-1, -bytes);
      this.#closeIfStopped();
    });
  }

  #countOpen(turns: number, bytes: number): void {
    this.#openTurns += turns;
    this.#openBytes += bytes;
    const { socket } = this.#options;
    if (this.#openTurns > MAX_OPEN_TURNS || (this.#openTurns > 1 && this.#openBytes > MAX_OPEN_BYTES)) socket.pause();
    else socket.resume();
  }

  async #runInLane(turn: Turn): Promise<void> {
    const releaseLane = await this.#laneSlots.acquire(turn.lane);
    const release = await this.#slots.acquire('');
    try {
      if (!this.#gone.signal.aborted) await this.#run(turn);
    } catch (thrown) {
      if (this.#gone.signal.aborted) return;
      if (toErrorFrame(thrown).status === 500) this.#options.gateway.log.error({ err: thrown }, 'WebSocket turn failed');
      this.#sendError(thrown, turn.lane);
    } finally {
      release();
      releaseLane();
    }
  }

  async #run(turn: Turn): Promise<void> {
    const { gateway, socket, unsaved, upgrade } = this.#options;
    if (this.#isStopping) throw createShutdownError();
    if (performance.now() - this.#openedAt > MAX_CONNECTION_MINUTES * 60_000) {
      this.#sendError(new WebSocketError('websocket_connection_limit_reached'), turn.lane);
      socket.close(NORMAL);
      return;
    }
    const previousId = findPreviousId(turn.request);
    const previous = previousId === null ? undefined : unsaved.find(previousId);
    const storedId = previous ? previous.storedId : previousId;
    const input = joinItems(previous?.items ?? '', ...listItems(turn.request.input));
    if (turn.isWarmUp) {
      const principal = await gateway.authenticator.authenticate(upgrade.headers.authorization, upgrade);
      const { id, frames } = writeWarmUp(gateway, principal, turn.request);
      unsaved.keep(id, { storedId, items: input, lane: turn.lane });
      return await this.#sendFrames(frames, turn.lane);
    }
    const request = previous ? { ...turn.request, previous_response_id: storedId ?? undefined } : turn.request;
    const turnRequest: TurnRequest = { keyId: this.#options.keyId, fields: turn.request, items: input };
    const stream = this.#options.abandoned.take(turnRequest) ?? this.#request(request, previous ? input : null);
    const open: OpenTurn = { request: turnRequest, stream };
    this.#recentTurns.add(open);
    const running = { turn, previousId, conversation: { storedId, items: input, lane: turn.lane } };
    const isCompleted = await this.#relay(stream, running).finally(() => {
      setTimeout(() => this.#recentTurns.delete(open), RECENT_MS).unref();
    });
    // A failed turn can be repeated only with the complete input. If a fork from another lane fails, only the fork is affected.
    if (!isCompleted && previousId !== null && previous?.lane === turn.lane) unsaved.drop(previousId);
  }

  /** `input`: items as JSON that replace the request's own. Null keeps them. */
  #request(request: Fields, input: string | null): TurnStream {
    const { server, upgrade } = this.#options;
    const withReasoning = request.store === false && isFields(request.reasoning) ? withEncryptedReasoning(request) : request;
    const { 'idempotency-key': _, ...headers } = toInnerHeaders(upgrade.headers);
    const body = JSON.stringify({ ...withReasoning, stream: true, ...(input !== null && { input: undefined }) });
    const abort = new AbortController();
    const response = injectRequest(
      server,
      {
        method: 'POST',
        path: contract.createResponse.path,
        headers: { ...headers, 'content-type': 'application/json' },
        body: input === null ? body : `${body.slice(0, -1)},"input":[${input}]}`,
      },
      { remoteAddress: upgrade.socket.remoteAddress, requestId: null, signal: abort.signal },
    );
    return new TurnStream(response, abort);
  }

  /** Sends the response's events. Returns whether it was completed. */
  async #relay(stream: TurnStream, { turn: { lane, request }, previousId, conversation }: RunningTurn): Promise<boolean> {
    const { unsaved } = this.#options;
    const response = await stream.response;
    if (this.#gone.signal.aborted) return false;
    if (response.statusCode !== 200) {
      this.#send(inLane(JSON.stringify(await readErrorFrame(response)), lane));
      return false;
    }
    let isCompleted = false;
    const echo = previousId === null ? {} : { previous_response_id: previousId };
    const joiner = new FrameJoiner(MAX_EVENT_BYTES);
    for await (const chunk of stream.read()) {
      const block = joiner.push(chunk);
      if (block === null) continue;
      const frames = echoInFrames(block, echo, ({ id, store, output }) => {
        isCompleted = true;
        if (store === false || request.store === false) unsaved.keep(String(id), appendOutput(conversation, output));
      });
      await this.#sendFrames(frames, lane);
    }
    return isCompleted;
  }

  async #sendFrames(block: Buffer, lane: string): Promise<void> {
    const { socket, raw } = this.#options;
    // One write for all frames of a block.
    raw.cork();
    forEachFrame(block, (frame) => {
      const event = readEvent(frame);
      if (event === null) return;
      if (lane === DEFAULT_LANE) socket.send(event, { binary: false }, ignoreError);
      else this.#send(inLane(event.toString(), lane));
    });
    raw.uncork();
    if (!raw.writableNeedDrain || raw.destroyed) return;
    // A client that doesn't read for too long is disconnected, which ends this wait.
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        raw.off('drain', finish).off('close', finish);
        resolve();
      };
      raw.on('drain', finish).on('close', finish);
    });
  }

  #sendError(thrown: unknown, lane: string): void {
    this.#send(inLane(JSON.stringify(toErrorFrame(thrown)), lane));
  }

  #send(text: string): void {
    this.#options.socket.send(text, ignoreError);
  }

  #closeIfStopped(): void {
    if (this.#isStopping && this.#openTurns === 0) this.#options.socket.close(GOING_AWAY, 'The gateway is shutting down.');
  }
}

/** The error means that the connection closed, which the `close` handler processes. */
const ignoreError = (): void => undefined;

/** The JSON of an event. Null for comments, `[DONE]`, and private events. */
function readEvent(frame: Buffer): Buffer | null {
  const name = readEventName(frame);
  if (isPrivate(name)) return null;
  const data = name === null ? null : findDataBytes(frame);
  if (data !== null) return data;
  const text = readFrameData(frame);
  return text?.startsWith('{') ? Buffer.from(text) : null;
}

/** Adds the lane to a JSON object. */
const inLane = (json: string, lane: string): string => (lane === DEFAULT_LANE ? json : `${json.slice(0, -1)},"stream_id":"${lane}"}`);

const joinItems = (...lists: readonly string[]): string => lists.filter((list) => list !== '').join(',');

/** The items as JSON. Reasoning without its encrypted form can't be continued. */
function listItems(items: unknown): readonly string[] {
  if (typeof items === 'string') return [JSON.stringify({ type: 'message', role: 'user', content: items })];
  if (!Array.isArray(items)) return [];
  const isUsable = (item: unknown): boolean => !isFields(item) || item.type !== 'reasoning' || typeof item.encrypted_content === 'string';
  return items.filter(isUsable).map((item) => JSON.stringify(item));
}

/** A compaction replaces everything before it. */
function appendOutput(conversation: Conversation, output: unknown): Conversation {
  const compactionIndex = Array.isArray(output) ? output.findLastIndex(isCompactionItem) : -1;
  if (!Array.isArray(output) || compactionIndex < 0) return { ...conversation, items: joinItems(conversation.items, ...listItems(output)) };
  return { ...conversation, storedId: null, items: joinItems(...listItems(output.slice(compactionIndex))) };
}

/** Events that OpenAI's servers send only to OpenAI's clients. */
const isPrivate = (name: string | null): boolean => name !== null && /^(?:codex|responsesapi)\./.test(name);

function readText(data: RawData, isBinary: boolean): string {
  if (isBinary)
    throw new GatewayError<CreateResponseCode>('invalid_json', { message: 'Messages must be text frames with one JSON object each.' });
  return data.toString();
}

function parseMessage(text: string): Fields {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch (cause) {
    throw new GatewayError<CreateResponseCode>('invalid_json', { cause });
  }
  if (!isFields(message) || Array.isArray(message))
    throw new GatewayError<CreateResponseCode>('invalid_json', { message: 'A message must be a JSON object.' });
  return message;
}

function readTurn(message: Fields): Turn {
  const { type, stream_id: lane = DEFAULT_LANE, generate, stream: _, background, client_metadata: __, ...request } = message;
  if (type !== 'response.create')
    throw new GatewayError<CreateResponseCode>('invalid_value', {
      param: 'type',
      message: "'type' must be 'response.create' or 'response.steer'.",
    });
  if (lane !== DEFAULT_LANE && !StreamId.safeParse(lane).success) throw new WebSocketError('invalid_stream_id', 'stream_id');
  if (background === true)
    throw new GatewayError<CreateResponseCode>('unsupported_value', {
      param: 'background',
      message: "'background' isn't supported over WebSocket.",
    });
  return { lane: String(lane), request, isWarmUp: generate === false };
}

function rejectSteering({ previous_response_id, input }: Fields) {
  const error = new WebSocketError('steering_not_supported').body;
  return { type: 'response.steer.failed', sequence_number: 0, steer: { previous_response_id, input }, error };
}

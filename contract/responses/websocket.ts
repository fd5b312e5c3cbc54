/** The Responses API over WebSocket: the messages of clients, and the errors that exist only there. The server's other frames are the events of a stream. */
import { z } from 'zod';

/** A lane: turns of one lane run one after another, turns of different lanes at the same time. */
export const StreamId = z.string().regex(/^[A-Za-z0-9_.-]{1,256}$/);

/** Turns of one connection that run at the same time. Further ones wait. */
export const MAX_CONCURRENT_TURNS = 16;
/** Named lanes of one connection. */
export const MAX_LANES = 32;
/** After this time, the next turn is rejected with `websocket_connection_limit_reached`, and the connection closes. */
export const MAX_CONNECTION_MINUTES = 60;

/** The messages of error frames by code. All have status 400. */
export const webSocketErrors = {
  invalid_stream_id: "'stream_id' must have 1 to 256 letters, digits, underscores, periods, or hyphens.",
  websocket_stream_limit_reached: `A connection can use at most ${MAX_LANES} stream IDs. Open another connection for further ones.`,
  websocket_connection_limit_reached: `This connection is ${MAX_CONNECTION_MINUTES} minutes old. Open a new connection to continue.`,
  steering_not_supported: "This gateway can't steer a response in progress. Wait for its end, then continue it.",
} as const;
export type WebSocketErrorCode = keyof typeof webSocketErrors;

/** An error of one turn. The connection stays open. */
export interface WebSocketErrorFrame {
  readonly type: 'error';
  /** The status that the same request has over HTTP. */
  readonly status: number;
  readonly error: {
    readonly type: string;
    readonly code: string | null;
    readonly message: string;
    readonly param: string | null;
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly headers?: Readonly<Record<string, string>>;
  readonly stream_id?: string;
}

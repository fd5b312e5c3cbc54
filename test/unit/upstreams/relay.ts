/** Opens a stream from an upstream to a caller, on a clock of the test. */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';
import { chatRelay } from '../../../server/dialects/chat/relay.ts';
import { responsesRelay } from '../../../server/dialects/responses/relay.ts';
import { complain } from '../../../server/dialects/wire/error-frames.ts';
import { jsonBody } from '../../../server/dialects/wire/json-body.ts';
import { type RelayOptions, RelayStream, type StreamEnd } from '../../../server/upstreams/stream-to-caller.ts';
import { frameBytes, type SseEvent } from '../../fakes/frames.ts';

export interface OpenRelay {
  readonly source: Readable;
  readonly stream: RelayStream;
  /** The result of `begin`; undefined while it waits. */
  readonly begun: { readonly how: unknown };
  /** The arguments of `onEnd`. */
  readonly ends: StreamEnd[];
  /** The text that the caller has read so far. */
  readonly read: () => string;
  /** Sends frames from the upstream; resolves when they were processed. */
  say(...frames: readonly (SseEvent | string)[]): Promise<void>;
  /** Advances the clock. */
  pass(ms: number): Promise<void>;
  /** The caller begins to read. */
  listen(): void;
}

const names = { asked: 'm', upstream: 'm' };
const readers = {
  chat: () => chatRelay.readStream(jsonBody({ model: 'm', stream: true }), names),
  responses: () => responsesRelay.readStream(jsonBody({ model: 'm', stream: true }), names),
};

export const heartbeatMs = 15_000;
export const firstEventMs = 5_000;
export const openingMs = 2_000;

type Order = Partial<RelayOptions> & { readonly protocol?: keyof typeof readers };

/** Waits for four turns of the event loop. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await nextTurn();
}

export function openRelay({ protocol = 'chat', onEnd = async () => undefined, ...changes }: Order = {}): OpenRelay {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const source = new Readable({ read: () => undefined });
  const ends: StreamEnd[] = [];
  const stream = new RelayStream({
    source,
    reader: readers[protocol](),
    maxFrameBytes: 1_000_000,
    heartbeatMs,
    firstEventMs,
    openingMs,
    complaint: (error, untold) => complain(protocol, error, untold),
    onEnd: (end) => {
      ends.push(end);
      return onEnd(end);
    },
    ...changes,
  });
  const begun: { how: unknown } = { how: undefined };
  stream.begin().then(
    () => {
      begun.how = 'shown';
    },
    (error: unknown) => {
      begun.how = error;
    },
  );
  stream.on('error', () => undefined);
  const chunks: Buffer[] = [];
  return {
    source,
    stream,
    begun,
    ends,
    read: () => Buffer.concat(chunks).toString(),
    async say(...frames) {
      source.push(Buffer.concat(frames.map((frame) => (typeof frame === 'string' ? Buffer.from(frame) : frameBytes(frame)))));
      await turns();
    },
    async pass(ms) {
      await vi.advanceTimersByTimeAsync(ms);
      await turns();
    },
    listen: () => void stream.on('data', (chunk: Buffer) => void chunks.push(chunk)),
  };
}

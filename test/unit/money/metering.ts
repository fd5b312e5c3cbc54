/** The usage of a response that arrived, streamed or not, as it's charged. */
import { afterAll, beforeAll } from 'vitest';
import { type Estimator, openEstimator } from '../../../server/money/estimator.ts';
import type { UsageBounds } from '../../../server/money/hold-range.ts';
import { measureUsage, type UsageEvidence } from '../../../server/money/measured-usage.ts';
import { MeteredReader, type MeteredRequest, readEvidence } from '../../../server/money/metered-reader.ts';
import { chatRelay } from '../../../server/protocols/chat/relay.ts';
import { imagesRelay } from '../../../server/protocols/images/relay.ts';
import type { Relay } from '../../../server/protocols/relay.ts';
import { responsesRelay } from '../../../server/protocols/responses/relay.ts';
import { createJsonBody } from '../../../server/protocols/wire/json-body.ts';
import { frameBytes, type SseEvent } from '../../fakes/frames.ts';

type Protocol = MeteredRequest['protocol'];
type Request = Readonly<Record<string, unknown>>;

const names = { requested: 'gpt-5.4', upstream: 'gpt-5.4' };
const relays: Readonly<Record<Protocol, Relay>> = { chat: chatRelay, responses: responsesRelay, images: imagesRelay };

export const prompt = 'say hello to everyone';
export const request = { model: 'gpt-5.4', input: prompt, stream: true };

export const toMetered = (protocol: Protocol, asked: Request = request): MeteredRequest => ({
  protocol,
  callerRequest: asked,
  request: asked,
});

/** Reads blocks of a stream; `isMeasured` as the pipeline passes it. */
export function openMeteredReader(protocol: Protocol, blocks: readonly Buffer[], asked: Request = request, isMeasured?: boolean) {
  const reader = new MeteredReader(relays[protocol].readStream(createJsonBody(asked), names), toMetered(protocol, asked), isMeasured);
  for (const block of blocks) reader.transform(block);
  return reader;
}

interface Arrival {
  readonly end?: 'completed' | 'failed' | 'client_disconnected';
  /** All frames in one chunk. */
  readonly inOne?: boolean;
  readonly asked?: Request;
  readonly bounds?: UsageBounds;
}

/** Counts with an estimator that lives as long as the tests of a file. */
export function openMetering() {
  let estimator: Estimator;
  beforeAll(() => {
    estimator = openEstimator();
  });
  afterAll(() => estimator.close());
  const measure = (evidence: UsageEvidence, bounds?: UsageBounds) => measureUsage(evidence, estimator, bounds && { bounds });
  return {
    measure,
    count: (texts: readonly string[]) => estimator.count(texts),
    /** Null if nothing is owed. */
    async charge(
      protocol: Protocol,
      frames: readonly SseEvent[],
      { end = 'client_disconnected', inOne = false, asked, bounds }: Arrival = {},
    ) {
      const bytes = frames.map((frame) => frameBytes(frame));
      const evidence = openMeteredReader(protocol, inOne ? [Buffer.concat(bytes)] : bytes, asked).getEvidence(end);
      return evidence && (await measure(evidence, bounds));
    },
    chargeWhole(protocol: Protocol, body: object, asked: Request = request) {
      const bytes = Buffer.from(JSON.stringify(body));
      const { usage } = relays[protocol].readResponse(bytes, names, asked);
      return measure(readEvidence(bytes, usage, toMetered(protocol, asked)));
    },
  };
}

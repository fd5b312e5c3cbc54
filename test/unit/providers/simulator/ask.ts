/** Calls the simulator as the gateway does, and parses its answers. */
import { EventEmitter } from 'node:events';
import { createJsonBody } from '../../../../server/protocols/wire/json-body.ts';

import { openSimulator } from '../../../../server/providers/simulator/simulator.ts';
import type { SimulatorResponse } from '../../../../server/providers/simulator/simulator-response.ts';
import type { ImageFile, Operation, UpstreamRequest } from '../../../../server/providers/upstream.ts';

export type Wire = Record<string, unknown>;

/** Fixed, so that tests know the times in answers. */
export const startedAt = 1_790_000_000;
const simulator = openSimulator({ eventDelayMs: 0, now: () => startedAt * 1000 });

export function createRequest(operation: Operation, value: Wire, stream = false, signal = new AbortController().signal): UpstreamRequest {
  return {
    operation,
    model: 'gpt-5.4',
    body: createJsonBody({ model: 'gpt-5.4', ...value }),
    stream,
    session: null,
    requestId: 'req_test',
    gone: new EventEmitter(),
    signal,
  };
}

export function send(operation: Operation, value: Wire, stream = false): Promise<SimulatorResponse> {
  return simulator.send(createRequest(operation, value, stream));
}

export function sendForm(value: Wire, images: readonly ImageFile[], mask: ImageFile | null = null): Promise<SimulatorResponse> {
  const { signal } = new AbortController();
  return simulator.send({
    operation: 'editImages',
    model: 'gpt-image-2',
    body: { kind: 'form', value, images, overlays: mask ? { mask } : {} },
    stream: false,
    session: null,
    requestId: 'req_test',
    gone: new EventEmitter(),
    signal,
  });
}

export async function readChunks({ body }: SimulatorResponse): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return chunks;
}

/** The body of a whole answer. Loosely typed: the contract's schemas, or the test, say what is in it. */
export async function readJson<Body = Wire>(answer: SimulatorResponse | Promise<SimulatorResponse>): Promise<Body> {
  return JSON.parse(Buffer.concat(await readChunks(await answer)).toString());
}

export interface Frame {
  readonly event: string | null;
  readonly data: string;
}

/** Every chunk must be one whole frame. */
export async function readFrames(answer: SimulatorResponse | Promise<SimulatorResponse>): Promise<Frame[]> {
  return (await readChunks(await answer)).map((chunk) => {
    const found = /^(?:event: (.+)\n)?data: (.+)\n\n$/.exec(chunk.toString());
    if (!found) throw new Error(`not one whole frame: ${chunk}`);
    return { event: found[1] ?? null, data: found[2] ?? '' };
  });
}

export async function readEvents<Event = Wire>(answer: SimulatorResponse | Promise<SimulatorResponse>): Promise<Event[]> {
  return (await readFrames(answer)).filter(({ data }) => data !== '[DONE]').map(({ data }) => JSON.parse(data));
}

export function functionTool(name: string, parameters: Wire): Wire {
  return { type: 'function', name, parameters };
}

export function chatTool(name: string, parameters: Wire): Wire {
  return { type: 'function', function: { name, parameters } };
}

export const citySchema = {
  type: 'object',
  properties: { city: { type: 'string' }, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
  required: ['city', 'unit'],
  additionalProperties: false,
};

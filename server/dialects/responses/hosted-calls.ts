/** Tools of a responses call that the upstream runs itself: whether there are any, and how often each was called (specification 2.4). */
import { type Fields, isFields } from '../../../contract/rule.ts';
import { GatewayError } from '../../errors.ts';
import { eachFrame, frameObject } from '../frames.ts';

/** How many calls, by the type of their output items: `web_search_call`, `image_generation_call`, … */
export type HostedCalls = Readonly<Record<string, number>>;

/** What the caller has to run itself is no cost but its tokens; a search for tools is none either. */
const runThere = /^(?:web_search|file_search|code_interpreter|image_generation|mcp|shell|programmatic_tool_calling)/;

export function hasHostedTools({ tools }: Fields): boolean {
  return Array.isArray(tools) && tools.some((tool) => isFields(tool) && typeof tool.type === 'string' && runThere.test(tool.type));
}

/** In the output of a whole response. */
export function countHostedCalls(bytes: Buffer): HostedCalls {
  const counter = new HostedCallCounter();
  const response = parse(bytes);
  if (isFields(response) && Array.isArray(response.output)) for (const item of response.output) counter.add(item);
  return counter.calls;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch (cause) {
    // A large answer was looked at no closer than its end.
    throw new GatewayError('upstream_error', { message: 'The upstream answered something that is not JSON.', cause });
  }
}

const DONE = Buffer.from('response.output_item.done');

export class HostedCallCounter {
  readonly #calls = new Map<string, number>();

  get calls(): HostedCalls {
    return Object.fromEntries(this.#calls);
  }

  /** Frames of a stream on their way to the caller. */
  see(frames: Buffer): void {
    if (!frames.includes(DONE)) return;
    eachFrame(frames, (frame) => {
      const event = frame.includes(DONE) ? frameObject(frame) : null;
      if (event?.type === 'response.output_item.done') this.add(event.item);
    });
  }

  add(item: unknown): void {
    if (!isFields(item) || typeof item.type !== 'string' || !isHostedCall(item.type) || item.status === 'failed') return;
    this.#calls.set(item.type, (this.#calls.get(item.type) ?? 0) + 1);
  }
}

const callersOwn = new Set(['function_call', 'custom_tool_call']);
const isHostedCall = (type: string): boolean => /^[a-z][a-z0-9_]{0,58}_call$/.test(type) && !callersOwn.has(type);

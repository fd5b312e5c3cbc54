/** Compacts a conversation for a model that can't: asks it for a summary, and returns that as the only item of the response, sealed. */

import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import type { Fields } from '../../primitives/fields.ts';
import type { CanonicalEvent } from '../canonical/canonical-events.ts';
import type { CanonicalRequest, MessageItem } from '../canonical/canonical-request.ts';
import { WrittenOutput, type WrittenStream } from '../delivered-output.ts';
import type { CallerDialect, CallerStreamWriter, ResponseHead } from '../dialect.ts';
import { readResponseRequest } from './read-request.ts';
import type { Event, ResponseObject } from './wire.ts';
import { ResponseBuilder } from './write-response.ts';
import { toStreamWriter } from './write-stream.ts';

const SUMMARY_REQUEST = `Write a handover of this conversation for the model that continues it. That model will see only your text, and none of the messages, tool calls, and results above.

Include:
- what the user wants, with every requirement, preference, and constraint that still applies, in the user's own words where the wording matters
- what was done and decided so far, and why
- facts that are needed again: names, paths, identifiers, commands, numbers, and short excerpts of text or code, copied exactly
- what failed, and what was learned from it
- what is unfinished, and the next step

Omit pleasantries and everything that no longer matters. Don't continue the task, don't call tools, and don't address the user. Respond with the handover alone.`;

/** The conversation without its tools and response settings, followed by the request for a summary. */
function readCompactionRequest(body: Fields, model: string): CanonicalRequest {
  // `as`: `isCompactionRequested` has found the trigger in the list.
  const input = body.input as readonly Fields[];
  const turn = readResponseRequest({ ...body, input: input.slice(0, -1) }, model);
  const request: MessageItem = {
    kind: 'message',
    role: 'user',
    parts: [{ kind: 'text', text: SUMMARY_REQUEST }],
    phase: null,
    name: null,
    path: `input[${input.length - 1}]`,
  };
  return {
    ...turn,
    items: [...turn.items, request],
    tools: [],
    toolChoice: null,
    parallelToolCalls: null,
    format: { kind: 'text' },
    settings: { ...turn.settings, topLogprobs: null },
    reasoningSummary: null,
    verbosity: null,
    extras: {},
  };
}

/** Encrypts a summary, so that only this gateway can read it. */
export type SealSummary = (summary: string) => string;

export const createCompactionDialect = (seal: SealSummary): CallerDialect<ResponseObject> => ({
  readRequest: readCompactionRequest,
  writeResponse(events, head) {
    const builder = new CompactionBuilder(head, seal);
    for (const event of events) builder.handleEvent(event);
    builder.end();
    return builder.getResult();
  },
  openStream: (head): CallerStreamWriter => toStreamWriter(new CompactionBuilder(head, seal)),
});

const createNoSummaryError = () =>
  new GatewayError<CallCode>('upstream_error', { message: 'The model returned no summary of the conversation.' });

/** Collects the text of the response instead of writing it. Everything else that the model produces is dropped. */
class CompactionBuilder extends ResponseBuilder {
  readonly #seal: SealSummary;
  readonly #modelOutput = new WrittenOutput(true);
  #summary = '';

  constructor(head: ResponseHead, seal: SealSummary) {
    super(head);
    this.#seal = seal;
  }

  /** Counts the text of the model, because the caller never gets it. */
  override get written(): WrittenStream {
    const written = super.written;
    return {
      output: this.#modelOutput,
      get finished() {
        return written.finished;
      },
    };
  }

  override handleEvent(event: CanonicalEvent): Event[] {
    switch (event.kind) {
      case 'text':
        this.#summary += event.text;
        this.#modelOutput.add(event.text);
        return super.handleEvent({ kind: 'start' });
      case 'reasoning':
        this.#modelOutput.add(event.text);
        return super.handleEvent({ kind: 'start' });
      case 'encrypted':
        this.#modelOutput.openReasoning();
        this.#modelOutput.closeReasoning(event.encrypted);
        return super.handleEvent({ kind: 'start' });
      case 'annotation':
      case 'refusal':
      case 'call':
      case 'arguments':
        return super.handleEvent({ kind: 'start' });
      case 'finish':
        return this.#summary.trim() === ''
          ? super.handleEvent({ kind: 'failed', error: createNoSummaryError() })
          : [...this.addCompaction(this.#seal(this.#summary)), ...super.handleEvent(event)];
      case 'start':
      case 'usage':
      case 'failed':
        return super.handleEvent(event);
    }
  }
}

/** What a responses call goes on from and leaves behind: the stored turns before it go upstream, its own is kept (specification 4.6). */
import { randomBytes } from 'node:crypto';
import type { Call } from './call.ts';
import { type JsonBody, withFields } from './dialects/json-body.ts';
import { forUpstream, type History } from './history/history.ts';
import type { Recording } from './history/recorder.ts';

export interface Conversation {
  /** The body as an upstream without memory has to get it; the caller's own where nothing is stored before it. */
  readonly body: JsonBody;
  /** Null where nothing has to be written into the answer, and nothing kept. */
  readonly recording: Recording | null;
}

/** Throws `previous_response_not_found`, and 400 for results without a call and calls without a result. */
export function openConversation(history: History, call: Call, body: JsonBody): Conversation {
  // Every call that comes this far has its principal.
  const accountId = call.principal?.accountId ?? '';
  const { items, own, previousId } = history.expand(accountId, body.value);
  const isStored = body.value.store !== false;
  const isExpanded = previousId !== null || hasReference(body.value.input);
  return {
    body: isExpanded ? withFields(body, { input: forUpstream(items), previous_response_id: undefined }) : body,
    recording:
      isStored || previousId !== null ? { echo: { id: newResponseId(), store: isStored, previous_response_id: previousId }, save } : null,
  };

  function save(response: Readonly<Record<string, unknown>>): void {
    if (!isStored) return;
    history.save({ id: String(response.id), accountId, previousId, createdAt: Math.floor(Date.now() / 1000), input: own, response });
  }
}

/** Ours, since it has to be unlike every other: upstreams promise that for their own place only. */
const newResponseId = () => `resp_${randomBytes(24).toString('hex')}`;

const hasReference = (input: unknown): boolean => Array.isArray(input) && input.some((item) => item?.type === 'item_reference');

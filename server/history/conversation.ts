/** The stored conversation of a responses call: sends the stored turns before it upstream, and stores its own turn. */
import type { Fields } from '../../contract/rule.ts';
import type { Model } from '../config/catalog.ts';
import { askingForEncrypted, asksToStore, ENCRYPTED_REASONING, withConversation } from '../dialects/responses/continuation.ts';
import { echoedFields } from '../dialects/responses/echoed-fields.ts';
import { editInput } from '../dialects/wire/input-edits.ts';
import type { JsonBody } from '../dialects/wire/json-body.ts';
import { ownTurn } from '../primitives/serial-work.ts';
import type { RequestContext } from '../request/context.ts';
import type { Expanded, History } from './history.ts';
import { type Destination, editOf, itemsFor, losesReasoning } from './outgoing.ts';
import type { Recording } from './recorder.ts';

export interface Conversation {
  /** The body for an upstream that stores nothing; the caller's own when nothing has to change. */
  readonly body: JsonBody;
  /** Null when nothing is written into the answer, nothing is stored, and no encrypted reasoning is recorded. */
  readonly recording: Recording | null;
  /** What was left out of the conversation because the upstream cannot read it, for `x-modelgate-ignored`. */
  readonly ignored: readonly string[];
}

interface Asked {
  readonly body: JsonBody;
  readonly model: Model;
  /** Makes the id of the response. */
  readonly marks: { newHex(bytes: number): string };
}

/** Throws `previous_response_not_found` or `item_not_found`, 413 when too much would be read, 403 when too much would be stored, and 400 for results without a call and calls without a result. */
export async function openConversation(history: History, call: RequestContext, { body, model, marks }: Asked): Promise<Conversation> {
  // Every call has a principal by now.
  const accountId = call.principal?.accountId ?? '';
  const expanded = await history.expand({ accountId, share: call.share }, body, model.upstream);
  const isStored = asksToStore(body.value);
  if (isStored) await history.checkQuota(accountId, expanded.ownBytes);
  const to = { upstream: model.upstream, protocols: model.protocols, origins: history.origins };
  const sent = sendable(body, expanded, to);
  const hasLostReasoning = expanded.hasLostReasoning || expanded.items.some((item) => losesReasoning(item, to));
  const recording = openRecording(history, { id: newResponseId(marks), accountId, model, expanded, isStored });
  return { body: isStored ? askingForEncrypted(sent) : sent, recording, ignored: hasLostReasoning ? [ENCRYPTED_REASONING] : [] };
}

/** The body with the whole conversation, except for what its upstream cannot read. */
function sendable(body: JsonBody, { items, isLonger }: Expanded, to: Destination): JsonBody {
  if (isLonger) return withConversation(body, itemsFor(items, to));
  // For another dialect the items are read into a turn, which has no ids.
  return to.protocols.includes('responses') ? editInput(body, (item) => editOf(item, to)) : body;
}

interface Opening {
  readonly id: string;
  readonly accountId: string;
  readonly model: Model;
  readonly expanded: Expanded;
  readonly isStored: boolean;
}

/** In bytes: writing an input of this size as JSON takes many milliseconds. */
const LARGE = 1_048_576;

function openRecording(history: History, { id, accountId, model, expanded, isStored }: Opening): Recording | null {
  const { own, ownBytes, previousId } = expanded;
  const { upstream } = model;
  const note = model.protocols.includes('responses') ? (bytes: Buffer) => history.origins.note(bytes, upstream) : null;
  let saving = Promise.resolve();
  const saved = () => saving;
  if (!isStored && previousId === null) return note && { echo: {}, save: null, saved, note };
  const echo = echoedFields(id, isStored, previousId);
  const save = (response: Fields): void => {
    const record = { id, accountId, previousId, upstream, createdAt: Math.floor(Date.now() / 1000), input: own, response };
    saving = ownBytes < LARGE ? history.save(record) : ownTurn().then(() => history.save(record));
    // The caller of `saved` handles the failure.
    saving.catch(() => {});
  };
  return { echo, save: isStored ? save : null, saved, note };
}

/** The gateway makes the id, since it must be unique here: an upstream's ids are unique only at that upstream. */
const newResponseId = (marks: Asked['marks']) => `resp_${marks.newHex(24)}`;

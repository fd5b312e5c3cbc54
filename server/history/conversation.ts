/** What a responses call goes on from and leaves behind: the stored turns before it go upstream, its own is kept. */
import type { Fields } from '../../contract/rule.ts';
import type { Model } from '../config/catalog.ts';
import { askingForSeal, asksToStore, SEALED, withConversation } from '../dialects/responses/continuation.ts';
import { echoedFields } from '../dialects/responses/echoed-fields.ts';
import { editInput } from '../dialects/wire/input-edits.ts';
import type { JsonBody } from '../dialects/wire/json-body.ts';
import type { RequestContext } from '../request/context.ts';
import type { Expanded, History } from './history.ts';
import { type Destination, editOf, itemsFor, losesSeal } from './outgoing.ts';
import type { Recording } from './recorder.ts';

export interface Conversation {
  /** The body as an upstream without memory has to get it; the caller's own where nothing has to be changed in it. */
  readonly body: JsonBody;
  /** Null where nothing has to be written into the answer, and nothing kept. */
  readonly recording: Recording | null;
  /** What was left out of the conversation because nobody there could read it, for `x-modelgate-ignored`. */
  readonly ignored: readonly string[];
}

/** Throws `previous_response_not_found`, 413 and 403 where it would be read or stored without measure, and 400 for results without a call and calls without a result. */
export async function openConversation(history: History, call: RequestContext, body: JsonBody, model: Model): Promise<Conversation> {
  // Every call that comes this far has its principal.
  const accountId = call.principal?.accountId ?? '';
  const expanded = await history.expand({ accountId, share: call.share }, body, model.upstream);
  const isStored = asksToStore(body.value);
  if (isStored) await history.makeRoom(accountId, expanded.ownBytes);
  const to = { upstream: model.upstream, protocols: model.protocols, origins: history.origins };
  const sent = sendable(body, expanded, to);
  const hasLostSeals = expanded.hasLostSeals || expanded.items.some((item) => losesSeal(item, to));
  const recording = openRecording(history, { id: newResponseId(call), accountId, model, expanded, isStored });
  return { body: isStored ? askingForSeal(sent) : sent, recording, ignored: hasLostSeals ? [SEALED] : [] };
}

/** The body with the whole conversation in it, as far as its upstream can make something of it. */
function sendable(body: JsonBody, { items, isLonger }: Expanded, to: Destination): JsonBody {
  if (isLonger) return withConversation(body, itemsFor(items, to));
  // Another dialect reads the items into a turn, which knows no ids.
  return to.protocols.includes('responses') ? editInput(body, (item) => editOf(item, to)) : body;
}

interface Opening {
  readonly id: string;
  readonly accountId: string;
  readonly model: Model;
  readonly expanded: Expanded;
  readonly isStored: boolean;
}

function openRecording(history: History, { id, accountId, model, expanded, isStored }: Opening): Recording | null {
  const { own, previousId } = expanded;
  const { upstream } = model;
  const note = model.protocols.includes('responses') ? (bytes: Buffer) => history.origins.note(bytes, upstream) : null;
  let saving = Promise.resolve();
  const saved = () => saving;
  if (!isStored && previousId === null) return note && { echo: {}, save: null, saved, note };
  const echo = echoedFields(id, isStored, previousId);
  const save = (response: Fields): void => {
    saving = history.save({ id, accountId, previousId, upstream, createdAt: Math.floor(Date.now() / 1000), input: own, response });
    // Looked at by whoever waits for `saved`.
    saving.catch(() => {});
  };
  return { echo, save: isStored ? save : null, saved, note };
}

/** Ours, since it has to be unlike every other: upstreams promise that for their own place only. */
const newResponseId = ({ marks }: RequestContext) => `resp_${marks.newHex(24)}`;

/** What a responses call goes on from and leaves behind: the stored turns before it go upstream, its own is kept (specification 4.6). */
import { randomBytes } from 'node:crypto';
import { type Fields, isFields } from '../contract/rule.ts';
import type { Call } from './call.ts';
import type { Model } from './catalog.ts';
import { type JsonBody, withFields } from './dialects/json-body.ts';
import { isSealedHere } from './dialects/sealed.ts';
import { forUpstream, type History, isClosed } from './history/history.ts';
import type { Recording } from './history/recorder.ts';

export interface Conversation {
  /** The body as an upstream without memory has to get it; the caller's own where nothing is stored before it. */
  readonly body: JsonBody;
  /** Null where nothing has to be written into the answer, and nothing kept. */
  readonly recording: Recording | null;
}

/** Throws `previous_response_not_found`, and 400 for results without a call and calls without a result. */
export function openConversation(history: History, call: Call, body: JsonBody, model: Model): Conversation {
  // Every call that comes this far has its principal.
  const accountId = call.principal?.accountId ?? '';
  const { upstream } = model;
  const { items, own, previousId } = history.expand(accountId, body.value, upstream);
  const isStored = body.value.store !== false;
  const changes = { ...expansion(body.value, items, model), ...(isStored && sealing(body.value)) };
  const sent = Object.keys(changes).length === 0 ? body : withFields(body, changes);
  if (!isStored && previousId === null) return { body: sent, recording: null };
  const echo = { id: newResponseId(), store: isStored, previous_response_id: previousId };
  const save = (response: Fields): void =>
    history.save({ id: echo.id, accountId, previousId, upstream, createdAt: Math.floor(Date.now() / 1000), input: own, response });
  return { body: sent, recording: { echo, save: isStored ? save : null } };
}

/** The input that goes upstream, where it is not the caller's own: something is stored before it, or it holds thoughts that nobody there can open. */
function expansion(body: Fields, items: readonly Fields[], { protocols }: Model): Fields {
  const speaksResponses = protocols.includes('responses');
  // A dialect that seals thoughts drops those of others by itself.
  const canOpen = (sealed: string) => !speaksResponses || !isSealedHere(sealed);
  const isOwn = body.previous_response_id === undefined || body.previous_response_id === null;
  if (isOwn && !hasReference(body.input) && !items.some((item) => isClosed(item, canOpen))) return {};
  return { input: forUpstream(items, canOpen), previous_response_id: undefined };
}

const SEALED = 'reasoning.encrypted_content';

/** `include` with the sealed thoughts in it. */
export function withSealed(include: unknown): readonly unknown[] {
  const asked: readonly unknown[] = Array.isArray(include) ? include : [];
  return asked.includes(SEALED) ? asked : [...asked, SEALED];
}

/** An upstream that keeps nothing has to hand its thoughts over, or the next turn goes on without them. Only models that reason are asked. */
const sealing = ({ include, reasoning }: Fields): Fields => (isFields(reasoning) ? { include: withSealed(include) } : {});

/** Ours, since it has to be unlike every other: upstreams promise that for their own place only. */
const newResponseId = () => `resp_${randomBytes(24).toString('hex')}`;

const hasReference = (input: unknown): boolean => Array.isArray(input) && input.some((item) => item?.type === 'item_reference');

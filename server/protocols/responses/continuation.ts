/** Reads and changes what a responses request says about storage: the response that it continues, whether it is stored, and the items that it refers to. */
import { type Fields, isFields } from '../../primitives/fields.ts';
import { type JsonBody, withFields } from '../wire/json-body.ts';

/** The field with the previous response's ID, also used in errors. */
export const PREVIOUS_ID_FIELD = 'previous_response_id';

/** The field that decides whether the response is stored, also used in errors. */
export const STORE_FIELD = 'store';

/** The `include` value that requests encrypted reasoning. `x-modelgate-dropped` reports it by this name. */
export const ENCRYPTED_REASONING = 'reasoning.encrypted_content';

interface Continuation {
  /** The new input items. */
  readonly own: readonly Fields[];
  readonly previousId: string | null;
}

export const readContinuation = (value: Fields): Continuation => ({ own: toInputItems(value.input), previousId: findPreviousId(value) });

/** The ID of the response that a body continues. Null if it starts a conversation. */
export const findPreviousId = ({ previous_response_id: id }: Fields): string | null => (typeof id === 'string' ? id : null);

/** True if the response should be stored, which is the default. */
export const isStorageRequested = ({ store }: Fields): boolean => store !== false;

export const withoutStoring = (body: JsonBody): JsonBody => withFields(body, { store: false });

/** A plain string is a single user message. */
function toInputItems(input: unknown): readonly Fields[] {
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }];
  // The contract has validated the input as a list of items.
  return Array.isArray(input) ? (input as Fields[]) : [];
}

/** Puts the full conversation into the body, so that it doesn't refer to stored responses. */
export const withConversation = (body: JsonBody, items: readonly Fields[]): JsonBody =>
  withFields(body, { input: items, previous_response_id: undefined });

/** Requests encrypted reasoning if the body has `reasoning`. Upstreams store nothing, so the next turn would otherwise lose its reasoning. */
export const requestEncryptedReasoning = (body: JsonBody): JsonBody =>
  isFields(body.value.reasoning) ? withFields(body, { include: addEncryptedReasoning(body.value.include) }) : body;

/** Adds encrypted reasoning to `include`, for a stored response. */
export const withEncryptedReasoning = (request: Fields): Fields => ({ ...request, include: addEncryptedReasoning(request.include) });

function addEncryptedReasoning(include: unknown): readonly unknown[] {
  const requested: readonly unknown[] = Array.isArray(include) ? include : [];
  return requested.includes(ENCRYPTED_REASONING) ? requested : [...requested, ENCRYPTED_REASONING];
}

/** The ID that an item refers to. Null if the item isn't a reference. */
export const findReferencedId = ({ type, id }: Fields): string | null => (type === 'item_reference' ? String(id) : null);

/** The path of an input item's ID, for errors. */
export const getReferencePath = (index: number): string => `input[${index}].id`;

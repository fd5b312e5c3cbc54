/** The fields of a responses request about stored conversations: its input, the previous response, and whether the answer is stored. */
import { type Fields, isFields, isSet } from '../../../contract/rule.ts';
import { type JsonBody, withFields } from '../wire/json-body.ts';

/** The field that names the response before this one, as errors name it. */
export const PREVIOUS_ID = 'previous_response_id';
/** The field that says whether the answer is stored, as errors name it. */
export const STORE = 'store';
/** The value of `include` that asks for encrypted reasoning, as `x-modelgate-ignored` names it. */
export const ENCRYPTED_REASONING = 'reasoning.encrypted_content';

export interface Continuation {
  /** The new input items. */
  readonly own: readonly Fields[];
  readonly previousId: string | null;
}

export const readContinuation = (value: Fields): Continuation => ({ own: ownItems(value.input), previousId: previousIdOf(value) });

/** The id of the response that a body continues; null where it begins a conversation. */
export const previousIdOf = ({ previous_response_id: id }: Fields): string | null => (typeof id === 'string' ? id : null);

/** Whether the answer is to be stored; by default it is. */
export const asksToStore = ({ store }: Fields): boolean => store !== false;

export const withoutStoring = (body: JsonBody): JsonBody => withFields(body, { store: false });

/** A plain string is one message of the user. */
function ownItems(input: unknown): readonly Fields[] {
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }];
  // The contract has validated it as a list of items.
  return Array.isArray(input) ? (input as Fields[]) : [];
}

/** The body with the whole conversation in it, so that it refers to nothing stored. */
export const withConversation = (body: JsonBody, items: readonly Fields[]): JsonBody =>
  withFields(body, { input: items, previous_response_id: undefined });

/** The body with a request for encrypted reasoning, if it has `reasoning`: the upstream stores nothing, so the next turn would lack its reasoning otherwise. */
export const askingForEncrypted = (body: JsonBody): JsonBody =>
  isFields(body.value.reasoning) ? withFields(body, { include: includingEncrypted(body.value.include) }) : body;

/** The request with encrypted reasoning in its `include`, for an answer that is stored. */
export const includingEncryptedIn = (asked: Fields): Fields => ({ ...asked, include: includingEncrypted(asked.include) });

function includingEncrypted(include: unknown): readonly unknown[] {
  const asked: readonly unknown[] = Array.isArray(include) ? include : [];
  return asked.includes(ENCRYPTED_REASONING) ? asked : [...asked, ENCRYPTED_REASONING];
}

/** The id that an item refers to; null for an item that stands for itself. */
export const referenceOf = ({ type, id }: Fields): string | null => (type === 'item_reference' ? String(id) : null);

/** Where an item of the input is refused, as errors name it. */
export const placeOfReference = (index: number): string => `input[${index}].id`;

/** The output items of a response object. */
export function outputOf(response: Fields): readonly Fields[] {
  // Only responses that were read as such are stored: their output is a list of objects.
  return hasOutput(response) ? (response.output as Fields[]) : [];
}

export const hasOutput = (response: Fields): boolean => Array.isArray(response.output);

/** The field of a response object that holds its items. */
export const OUTPUT = 'output';

/** A stored item without its encrypted reasoning; the same item where it has none. */
export function withoutEncrypted(item: Fields): Fields {
  if (item.type !== 'reasoning' || !isSet(item.encrypted_content)) return item;
  const { encrypted_content: _, ...rest } = item;
  return rest;
}

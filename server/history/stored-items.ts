/** Reads the items of earlier responses that a request refers to, within a memory budget. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CreateResponseCode, GatewayError, type OperationError, throwStoreDown, toPrintable } from '../primitives/errors.ts';
import type { Fields } from '../primitives/fields.ts';
import { countValues, MAX_WORK_VALUES } from '../protocols/canonical/work-budget.ts';
import { findReferencedId, getReferencePath, PREVIOUS_ID_FIELD as PREVIOUS } from '../protocols/responses/continuation.ts';
import { findTrailingReasoning, getOutputItems } from '../protocols/responses/stored-items.ts';
import { type ChainExtent, type HistoryReader, type HistoryStore, MAX_CHAIN, type StoredOutput, type StoredTurn } from './store.ts';

/** The same limit as for a body, because a translation can visit each value twice. */
const MAX_VALUES = MAX_WORK_VALUES / 2;
/** Bytes to parse before the event loop runs other work. */
const MAX_BYTES_PER_TURN = 1_048_576;

/** An item, and the upstream that created or received it. */
export interface ItemWithOrigin {
  readonly item: Fields;
  readonly upstream: string;
  /** Whether the item is reasoning with no other item after it in its response. */
  readonly isUnfollowed?: boolean;
}

/** The items that a request references. */
interface ReferencedItems {
  /** By item ID. */
  readonly items: ReadonlyMap<string, ItemWithOrigin>;
  /** The total for all references. A repeated reference counts each time. */
  readonly bytes: number;
}

/** Counts and limits the bytes and values read for one request. */
class ReadBudget {
  readonly #maxBytes: number;
  #bytes: number;
  #values = 0;
  #bytesSincePause = 0;

  constructor(ownBytes: number, maxBytes: number) {
    this.#bytes = ownBytes;
    this.#maxBytes = maxBytes;
  }

  /** The remaining bytes of the budget. */
  get remaining(): number {
    return this.#maxBytes - this.#bytes;
  }

  /** Counts bytes before they're read. */
  add(bytes: number, param: string): void {
    this.#bytes += bytes;
    if (this.#bytes <= this.#maxBytes) return;
    const message = `With the content that '${param}' refers to, the request exceeds ${this.#maxBytes} bytes. Start a new conversation or send less input.`;
    throw new GatewayError<CreateResponseCode>('request_too_large', { param, message });
  }

  async parse(text: string, param: string): Promise<unknown> {
    this.#bytesSincePause += text.length;
    if (this.#bytesSincePause > MAX_BYTES_PER_TURN) {
      this.#bytesSincePause = text.length;
      await nextTurn();
    }
    this.#values += countValues(text);
    if (this.#values > MAX_VALUES) {
      const message = `The request exceeds ${MAX_VALUES} values once '${param}' is resolved. Start a new conversation or send less.`;
      throw new GatewayError<CreateResponseCode>('request_too_large', { param, message });
    }
    return JSON.parse(text);
  }
}

/** Opens the reader for one request. The request's own bytes and all referenced content must fit into `maxBytes`. */
export function createStoredItemReader(
  store: HistoryStore,
  { accountId, share }: HistoryReader,
  { ownBytes, maxBytes }: { ownBytes: number; maxBytes: number },
) {
  const budget = new ReadBudget(ownBytes, maxBytes);
  return {
    /** Returns all items of the turns up to this one, oldest first. */
    async chain(previousId: string): Promise<readonly ItemWithOrigin[]> {
      const extent = await store.measureChain(accountId, previousId, budget.remaining).catch(throwStoreDown);
      if (!extent) throw createUnknownResponseError(previousId);
      budget.add(extent.bytes, PREVIOUS);
      assertChainComplete(extent);
      share?.acquireStored(extent.bytes);
      const turns = await store.listChain(accountId, previousId).catch(throwStoreDown);
      // A response of the chain was deleted during the read.
      if (turns.length < extent.links) throw createUnknownResponseError(previousId);
      const items: ItemWithOrigin[] = [];
      for (const turn of turns) {
        const { given: inputItems, made: outputItems } = await parseTurn(budget, turn);
        const trailingReasoning = new Set(findTrailingReasoning(outputItems));
        for (const item of [...inputItems, ...outputItems])
          items.push({ item, upstream: turn.upstream, isUnfollowed: trailingReasoning.has(item) });
      }
      return items;
    },
    /** Resolves all references. Each item is read once. */
    async references(items: readonly Fields[]): Promise<ReferencedItems> {
      const references = items.flatMap((item, index) => {
        const id = findReferencedId(item);
        return id === null ? [] : [{ id, index }];
      });
      if (references.length === 0) return { items: new Map(), bytes: 0 };
      const ids = [...new Set(references.map(({ id }) => id))];
      const sizes = await store.measureItems(accountId, ids).catch(throwStoreDown);
      // A repeated reference counts as if the body held the item each time.
      let bytes = 0;
      for (const { id, index } of references) {
        const size = sizes.get(id) ?? throwUnknownItem(id, index);
        budget.add(size, getReferencePath(index));
        bytes += size;
      }
      share?.acquireStored(bytes);
      const storedOutputs = await store.findItems(accountId, ids).catch(throwStoreDown);
      for (const { id, index } of references) if (!storedOutputs.has(id)) throwUnknownItem(id, index);
      return { items: await parseItems(budget, storedOutputs), bytes };
    },
  };
}

async function parseTurn(
  budget: ReadBudget,
  { input, output, response }: StoredTurn,
): Promise<{ given: readonly Fields[]; made: readonly Fields[] }> {
  // The gateway wrote this JSON when it stored the response.
  const inputItems = (await budget.parse(input, PREVIOUS)) as readonly Fields[];
  if (response !== null) return { given: inputItems, made: getOutputItems((await budget.parse(response, PREVIOUS)) as Fields) };
  return { given: inputItems, made: output ? ((await budget.parse(output, PREVIOUS)) as readonly Fields[]) : [] };
}

async function parseItems(
  budget: ReadBudget,
  storedOutputs: ReadonlyMap<string, StoredOutput>,
): Promise<ReadonlyMap<string, ItemWithOrigin>> {
  const items = new Map<string, ItemWithOrigin>();
  for (const [id, { item, upstream }] of storedOutputs) items.set(id, { item: (await budget.parse(item, 'input')) as Fields, upstream });
  return items;
}

/** Rejects a chain without its start: the model would respond as if the conversation were complete. */
function assertChainComplete({ links, previousId }: ChainExtent): void {
  if (previousId === null) return;
  if (links > MAX_CHAIN)
    throw new GatewayError<CreateResponseCode>('request_too_large', {
      param: PREVIOUS,
      message: `'${PREVIOUS}' continues a chain of more than ${MAX_CHAIN} responses. Start a new conversation.`,
    });
  const message = `The conversation is incomplete: response '${toPrintable(previousId)}' was deleted or has expired. Send the full conversation in 'input'.`;
  throw new GatewayError<CreateResponseCode>('previous_response_not_found', { param: PREVIOUS, message });
}

/** One error for an unknown ID, an ID of another account, a response that wasn't stored, and one past its retention time. */
const createUnknownResponseError = (id: string): OperationError<'createResponse', 400> =>
  new GatewayError('previous_response_not_found', { param: PREVIOUS, message: formatNotStored(id) });

export const formatNotStored = (id: string) => `Response '${toPrintable(id)}' not found. This account has no stored response with this ID.`;

function throwUnknownItem(id: string, index: number): never {
  const error: OperationError<'createResponse', 400> = new GatewayError('item_not_found', {
    param: getReferencePath(index),
    message: `'input[${index}]' refers to item '${toPrintable(id)}', which isn't stored for this account. Send the item itself.`,
  });
  throw error;
}

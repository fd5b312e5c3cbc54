/** Writes the result of a compaction: the messages of the user, then the compacted conversation. */

import type { CompactedResponse } from '../../../contract/responses/compact.ts';
import type { Exact } from '../../../contract/shared/exact.ts';
import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import type { Fields } from '../../primitives/fields.ts';
import type { ResponseHead } from '../dialect.ts';
import type { CompleteResponse } from '../relay.ts';
import { isCompactionItem } from './compaction-items.ts';
import { getOutputItems } from './stored-items.ts';

type Compacted = Exact<CompactedResponse>;

/** `request`: the request with its full conversation. Throws `upstream_error` if the response isn't a compacted conversation. */
export function toCompactedResponse(complete: CompleteResponse, request: Fields, { createdAt, newId }: ResponseHead): CompleteResponse {
  // `as`: the reader of the response has checked that it's an object.
  const response = complete.written ?? (JSON.parse(complete.bytes.toString()) as Fields);
  const compacted: Fields & Partial<Compacted> = {
    id: String(response.id),
    object: 'response.compaction',
    created_at: typeof response.created_at === 'number' ? response.created_at : createdAt,
    output: [...listUserMessages(request, newId), readCompaction(response, newId)],
    // `as`: readers of responses write it in the contract's form.
    usage: response.usage as Compacted['usage'],
  };
  return { ...complete, bytes: Buffer.from(JSON.stringify(compacted)), written: compacted };
}

type Output = Compacted['output'][number];

function readCompaction(response: Fields, newId: ResponseHead['newId']): Output {
  if (response.status === 'incomplete') throw createNotCompactedError('reached the output limit before it was complete');
  const item = getOutputItems(response).find(isCompactionItem);
  if (typeof item?.encrypted_content !== 'string') throw createNotCompactedError("isn't in the response of the upstream");
  return { id: readId(item) ?? newId('cmp'), type: 'compaction', encrypted_content: item.encrypted_content };
}

const createNotCompactedError = (reason: string) =>
  new GatewayError<CallCode>('upstream_error', { message: `The compacted conversation ${reason}.` });

function listUserMessages({ input }: Fields, newId: ResponseHead['newId']): Output[] {
  // `as`: the contract has validated the input as a list of items.
  const items = Array.isArray(input) ? (input as readonly Fields[]) : [];
  return items.flatMap((item): Output[] => {
    if (item.role !== 'user' || (item.type !== undefined && item.type !== 'message')) return [];
    const { content } = item;
    // `as`: the contract has validated the parts, too.
    const parts = typeof content === 'string' ? [{ type: 'input_text', text: content }] : content;
    return [{ id: readId(item) ?? newId('msg'), type: 'message', role: 'user', status: 'completed', content: parts } as Output];
  });
}

const readId = ({ id }: Fields): string | null => (typeof id === 'string' ? id : null);

/** Output items of a response: as a stream opens them, and as they are when done. */
import type * as wire from '../../dialects/responses/wire.ts';
import { createId } from '../ids.ts';
import type { Ask } from '../plan/ask.ts';
import { describePieces } from '../plan/logprobs.ts';
import type { CallItem, MessageItem, PlanItem, ReasoningItem } from '../plan/plan.ts';

/** A planned item with its ids, which every event about it repeats. */
export type OutputItem = { readonly id: string } & (
  | { readonly kind: 'reasoning'; readonly planned: ReasoningItem }
  | { readonly kind: 'message'; readonly planned: MessageItem }
  | { readonly kind: 'call'; readonly planned: CallItem; readonly callId: string }
);

export function nameItem(planned: PlanItem): OutputItem {
  switch (planned.kind) {
    case 'reasoning':
      return { kind: 'reasoning', id: createId('rs_'), planned };
    case 'call':
      return { kind: 'call', id: createId(planned.tool.kind === 'custom' ? 'ctc_' : 'fc_'), callId: createId('call_'), planned };
    default:
      return { kind: 'message', id: createId('msg_'), planned };
  }
}

/** As `response.output_item.added` shows it. */
export function openItem(item: OutputItem): wire.Item {
  switch (item.kind) {
    case 'reasoning':
      return { id: item.id, type: 'reasoning', summary: [] };
    case 'message':
      return { id: item.id, type: 'message', status: 'in_progress', role: 'assistant', content: [] };
    case 'call':
      return writeCall(item, '', 'in_progress');
  }
}

/** As `response.output_item.done` and the response show it. */
export function writeItem(item: OutputItem, ask: Ask): wire.Item {
  const status = item.planned.isCut ? 'incomplete' : 'completed';
  const text = item.planned.pieces.join('');
  switch (item.kind) {
    case 'reasoning':
      return {
        id: item.id,
        type: 'reasoning',
        summary: [{ type: 'summary_text', text }],
        // Both keys only where they say something: a null is refused by strict readers.
        ...(ask.reasoning?.isEncrypted ? { encrypted_content: encryptText(text) } : {}),
        ...(item.planned.isCut ? { status } : {}),
      };
    case 'message':
      return { id: item.id, type: 'message', status, role: 'assistant', content: [writePart(item.planned, text, ask.topLogprobs)] };
    case 'call':
      return writeCall(item, text, status);
  }
}

/** The part of a message, whole or with the text that has come so far. */
export function writePart({ kind, pieces }: MessageItem, text: string, topLogprobs: number | null): wire.MessagePart {
  if (kind === 'refusal') return { type: 'refusal', refusal: text };
  const logprobs = topLogprobs === null || text === '' ? [] : describePieces(pieces, topLogprobs);
  return { type: 'output_text', annotations: [], logprobs, text };
}

type Status = 'in_progress' | 'completed' | 'incomplete';

function writeCall(item: OutputItem & { kind: 'call' }, text: string, status: Status): wire.Item {
  const { tool } = item.planned;
  const names = { call_id: item.callId, name: tool.name, ...(tool.namespace === null ? {} : { namespace: tool.namespace }) };
  if (tool.kind === 'function') return { id: item.id, type: 'function_call', status, arguments: text, ...names };
  // The wire gives a custom call no status, except that a broken one must show.
  return { id: item.id, type: 'custom_tool_call', input: text, ...names, ...(status === 'incomplete' ? { status } : {}) };
}

/** Opaque to the caller; it comes back as it is, and nothing here reads it. */
function encryptText(text: string): string {
  return Buffer.from(`simulated reasoning: ${text}`).toString('base64');
}

/** Reads the input of a responses request into items, and the tools that stand inside it. */
import type { ResponseRequest } from '../../../contract/responses.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import type { Item, Part } from '../turn/turn.ts';

type Input = ResponseRequest['input'];
export type InputItem = Exclude<Input, string>[number];
type Of<Type extends InputItem['type']> = Extract<InputItem, { type?: Type }>;
type Content = Of<'message'>['content'];
type ContentPart = Exclude<Content, string>[number];

export function readInput(input: Input): Item[] {
  if (typeof input === 'string') {
    return [{ kind: 'message', role: 'user', parts: [{ kind: 'text', text: input }], phase: null, name: null, path: 'input' }];
  }
  const searches = new Set(input.flatMap((item) => (item.type === 'tool_search_call' ? (item.call_id ?? []) : [])));
  return input.flatMap((item, index) => {
    const path = `input[${index}]`;
    // It belongs to the search: upstreams that are not sent the one are not sent the other.
    if (isOutput(item) && searches.has(item.call_id)) return { kind: 'foreign', type: item.type, value: item, path };
    return readItem(item, path) ?? [];
  });
}

const isOutput = (item: InputItem): item is Of<'function_call_output'> | Of<'custom_tool_call_output'> =>
  item.type === 'function_call_output' || item.type === 'custom_tool_call_output';

const NO_COMPACTION =
  "A 'compaction_trigger' cannot be honoured: the upstream of this model compacts nothing. Ask for a summary in a message instead.";

/** Null for what is read elsewhere. The ids, marks and statuses that clients put on items mean nothing. */
function readItem(item: InputItem, path: string): Item | null {
  switch (item.type) {
    case undefined:
    case 'message': {
      const { role, content, phase } = item;
      return { kind: 'message', role, parts: readContent(content), phase: phase ?? null, name: null, path };
    }
    case 'function_call':
    case 'custom_tool_call':
      return readCall(item, path);
    case 'function_call_output':
      return { kind: 'output', form: 'function', callId: item.call_id, parts: readContent(item.output), path };
    case 'custom_tool_call_output':
      return { kind: 'output', form: 'custom', callId: item.call_id, parts: readContent(item.output), path };
    case 'reasoning':
      return readReasoning(item, path);
    case 'additional_tools':
      return null;
    case 'compaction_trigger':
      throw new GatewayError<CallCode>('unsupported_value', { param: 'input', message: NO_COMPACTION });
    default:
      return { kind: 'foreign', type: item.type, value: item, path };
  }
}

function readCall(item: Of<'function_call'> | Of<'custom_tool_call'>, path: string): Item {
  const { call_id: callId, name, namespace } = item;
  const place = { kind: 'call', callId, name, namespace: namespace ?? null, path } as const;
  if (item.type === 'function_call') return { ...place, form: 'function', arguments: item.arguments };
  return { ...place, form: 'custom', arguments: item.input };
}

function readReasoning({ summary, content, encrypted_content }: Of<'reasoning'>, path: string): Item {
  const texts = (parts: readonly { readonly text: string }[] | null | undefined) => (parts ?? []).map(({ text }) => text);
  return { kind: 'reasoning', summary: texts(summary), content: texts(content), encrypted: encrypted_content ?? null, path };
}

function readContent(content: Content): Part[] {
  return typeof content === 'string' ? [{ kind: 'text', text: content }] : content.map(readPart);
}

function readPart(part: ContentPart): Part {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
      return { kind: 'text', text: part.text };
    case 'refusal':
      return { kind: 'refusal', text: part.refusal };
    case 'input_image':
      return { kind: 'image', url: part.image_url ?? null, fileId: part.file_id ?? null, detail: part.detail ?? null };
    case 'input_file': {
      const { filename, file_data, file_url, file_id } = part;
      return { kind: 'file', filename: filename ?? null, data: file_data ?? null, url: file_url ?? null, fileId: file_id ?? null };
    }
    case 'input_audio':
      return { kind: 'audio', data: part.input_audio.data, format: part.input_audio.format };
  }
}

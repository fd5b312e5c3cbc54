/** The OpenAI SDK as a caller of chat and of responses, streamed or not, and its answer in one neutral shape. */
import OpenAI, { APIError } from 'openai';
import { expect } from 'vitest';
import { openOrderCheck } from '../../server/protocols/responses/order-check.ts';
import type { Caller, ReplyCall } from '../harness/pairs.ts';
import { readChat, readResponses } from '../harness/transcript.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface Got {
  readonly text: string;
  readonly refusal: string;
  /** Null for chat, which has no field for it. */
  readonly reasoning: string | null;
  readonly calls: readonly ReplyCall[];
  readonly end: 'stop' | 'calls' | 'length' | 'filter';
  readonly usage: { readonly input: number; readonly cached: number; readonly output: number; readonly reasoning: number };
}

export interface Answered {
  readonly kind: 'answered';
  readonly got: Got;
  /** The items of a responses answer. */
  readonly output: readonly Fields[];
  readonly id: string;
}
export interface Rejected {
  readonly kind: 'rejected';
  readonly status: number | undefined;
  readonly code: string | null | undefined;
  readonly param: string | null | undefined;
}

export interface AskOptions {
  readonly baseURL: string;
  readonly key: string;
  readonly caller: Caller;
  readonly isStream: boolean;
  /** Whether the gateway wrote the stream, so that its order is checked. */
  readonly isTranslated: boolean;
}

/** Makes the call and reads the answer by the SDK; a stream is also checked against the contract and its order. */
export async function ask(body: Fields, options: AskOptions): Promise<Answered | Rejected> {
  const transcripts: Promise<string>[] = [];
  const record: typeof fetch = async (url, init) => {
    const answer = await fetch(url, init);
    transcripts.push(answer.clone().text());
    return answer;
  };
  const sdk = new OpenAI({ baseURL: options.baseURL, apiKey: options.key, maxRetries: 0, fetch: record });
  try {
    const answered = await (options.caller === 'chat' ? askChat : askResponses)(sdk, body, options.isStream);
    if (options.isStream) checkTranscript((await transcripts[0]) ?? '', options);
    return answered;
  } catch (error) {
    if (!(error instanceof APIError)) throw error;
    return { kind: 'rejected', status: error.status, code: error.code, param: error.param };
  }
}

function checkTranscript(transcript: string, { caller, isTranslated }: AskOptions): void {
  if (caller === 'chat') {
    expect(readChat(transcript)).toMatchObject({ error: null, isDone: true });
    return;
  }
  const { events } = readResponses(transcript);
  if (isTranslated) expect(orderFaults(events)).toEqual([]);
}

/** The faults in the order of a responses stream. */
export function orderFaults(events: readonly Fields[]): string[] {
  const check = openOrderCheck();
  return [...events.map((event) => check.check(event)), check.end()].filter((fault) => fault !== null);
}

async function askChat(sdk: OpenAI, body: Fields, isStream: boolean): Promise<Answered> {
  // The cases are bodies on the wire, which may have fields that the SDK's types lack.
  const params = body as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming;
  const answer = isStream
    ? await sdk.chat.completions.stream({ ...params, stream: true, stream_options: { include_usage: true } }).finalChatCompletion()
    : await sdk.chat.completions.create(params);
  const [choice] = answer.choices;
  if (!choice) throw new Error('an answer without a choice');
  const ends = { stop: 'stop', tool_calls: 'calls', function_call: 'calls', length: 'length', content_filter: 'filter' } as const;
  const { usage } = answer;
  const got: Got = {
    text: choice.message.content ?? '',
    refusal: choice.message.refusal ?? '',
    reasoning: null,
    calls: (choice.message.tool_calls ?? []).map(readChatCall),
    end: ends[choice.finish_reason],
    usage: {
      input: usage?.prompt_tokens ?? -1,
      cached: usage?.prompt_tokens_details?.cached_tokens ?? -1,
      output: usage?.completion_tokens ?? -1,
      reasoning: usage?.completion_tokens_details?.reasoning_tokens ?? -1,
    },
  };
  return { kind: 'answered', got, output: [], id: answer.id };
}

const readChatCall = (call: OpenAI.ChatCompletionMessageToolCall): Got['calls'][number] =>
  call.type === 'custom'
    ? { id: call.id, name: call.custom.name, input: call.custom.input, custom: true }
    : { id: call.id, name: call.function.name, input: call.function.arguments };

async function askResponses(sdk: OpenAI, body: Fields, isStream: boolean): Promise<Answered> {
  // As above: bodies on the wire.
  const params = body as unknown as OpenAI.Responses.ResponseCreateParamsNonStreaming;
  const answer = isStream ? await sdk.responses.stream({ ...params, stream: true }).finalResponse() : await sdk.responses.create(params);
  const calls = answer.output.flatMap(readCall);
  const { usage } = answer;
  const got: Got = {
    text: answer.output_text,
    refusal: partsOf(answer, 'refusal'),
    reasoning: answer.output.flatMap((item) => (item.type === 'reasoning' ? item.summary : [])).reduce((all, { text }) => all + text, ''),
    calls,
    end: endOf(answer, calls.length > 0),
    usage: {
      input: usage?.input_tokens ?? -1,
      cached: usage?.input_tokens_details.cached_tokens ?? -1,
      output: usage?.output_tokens ?? -1,
      reasoning: usage?.output_tokens_details.reasoning_tokens ?? -1,
    },
  };
  // Items are JSON objects.
  return { kind: 'answered', got, output: answer.output as unknown as Fields[], id: answer.id };
}

function partsOf(answer: OpenAI.Responses.Response, type: 'refusal'): string {
  const parts = answer.output.flatMap((item) => (item.type === 'message' ? item.content : []));
  return parts.map((part) => (part.type === type ? part.refusal : '')).join('');
}

function endOf({ status, incomplete_details }: OpenAI.Responses.Response, hasCalls: boolean): Got['end'] {
  if (status === 'completed') return hasCalls ? 'calls' : 'stop';
  if (status !== 'incomplete') throw new Error(`an answer with the status ${status}`);
  return incomplete_details?.reason === 'content_filter' ? 'filter' : 'length';
}

function readCall(item: OpenAI.Responses.ResponseOutputItem): Got['calls'][number][] {
  if (item.type === 'custom_tool_call') return [{ id: item.call_id, name: item.name, input: item.input, custom: true, ...spaceOf(item) }];
  if (item.type === 'function_call') return [{ id: item.call_id, name: item.name, input: item.arguments, ...spaceOf(item) }];
  return [];
}

/** `namespace`, which the SDK's types may lack. */
const spaceOf = (item: object): object => ('namespace' in item && item.namespace != null ? { namespace: item.namespace } : {});

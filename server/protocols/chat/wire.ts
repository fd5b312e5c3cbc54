/** Types of the bodies of chat completions. */

import type { ChatCompletion, ChatCompletionChunk } from '../../../contract/chat/completion.ts';
import type { Exact } from '../../../contract/shared/exact.ts';

export type WireObject = Readonly<Record<string, unknown>>;

export type Completion = Exact<ChatCompletion>;

export type Message = Completion['choices'][number]['message'];

export type ToolCall = Extract<NonNullable<Message['tool_calls']>[number], { readonly type: 'function' | 'custom' }>;

export type Annotation = NonNullable<Message['annotations']>[number];

export type ChatUsage = NonNullable<Completion['usage']>;

export type ChatFinishReason = Completion['choices'][number]['finish_reason'];

export type Chunk = Exact<ChatCompletionChunk>;

export type ChunkHead = Pick<Chunk, 'id' | 'object' | 'created' | 'model'>;

export type Delta = Chunk['choices'][number]['delta'];

export type Logprobs = NonNullable<Chunk['choices'][number]['logprobs']>;

export type TokenLogprob = NonNullable<Logprobs['content']>[number];

/** Types of the parts of a chat answer. */
import type { ChatCompletion, ChatCompletionChunk } from '../../../contract/chat-completion.ts';
import type { Written } from '../../../contract/written.ts';

export type Completion = Written<ChatCompletion>;
export type Message = Completion['choices'][number]['message'];
export type AnsweredCall = NonNullable<Message['tool_calls']>[number];
export type Annotation = NonNullable<Message['annotations']>[number];
export type ChatUsage = NonNullable<Completion['usage']>;
export type FinishReason = Completion['choices'][number]['finish_reason'];

export type Chunk = Written<ChatCompletionChunk>;
export type ChunkHead = Pick<Chunk, 'id' | 'object' | 'created' | 'model'>;
export type Delta = Chunk['choices'][number]['delta'];
export type Logprobs = NonNullable<Chunk['choices'][number]['logprobs']>;
export type TokenLogprob = NonNullable<Logprobs['content']>[number];

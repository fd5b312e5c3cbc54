/** The shapes of responses as they are written here, by the names of their parts. Types alone. */
import type { ResponseStreamEvent } from '../../../contract/response-events.ts';
import type { Response, ResponseRequest } from '../../../contract/responses.ts';
import type { EventFields, EventOf, Written } from '../../../contract/written.ts';

export type ResponseObject = Written<Response>;
export type Item = ResponseObject['output'][number];
export type MessagePart = Extract<Item, { readonly type: 'message' }>['content'][number];
export type TextPart = Extract<MessagePart, { readonly type: 'output_text' }>;
export type Summary = Extract<Item, { readonly type: 'reasoning' }>['summary'][number];
export type TextAnnotation = TextPart['annotations'][number];
export type TokenLogprob = NonNullable<TextPart['logprobs']>[number];

export type Event = Written<ResponseStreamEvent>;
export type EventType = Event['type'];
export type EventOfType<Type extends EventType> = EventOf<ResponseStreamEvent, Type>;
/** Before its stream numbers it. */
export type Unnumbered<One extends Event = Event> = One extends Event ? Omit<One, 'sequence_number'> : never;
/** The same by its type, and without that. */
export type Telling<Type extends EventType> = EventFields<ResponseStreamEvent, Type, 'sequence_number'>;

export type Tool = NonNullable<ResponseRequest['tools']>[number];

/** Types of the bodies and events of responses. */

import type { ResponseStreamEvent } from '../../../contract/responses/events.ts';
import type { Response, ResponseRequest } from '../../../contract/responses.ts';
import type { EventFields, EventOf, Exact } from '../../../contract/shared/exact.ts';

export type ResponseObject = Exact<Response>;

export type Item = ResponseObject['output'][number];

export type MessagePart = Extract<Item, { readonly type: 'message' }>['content'][number];

export type TextPart = Extract<MessagePart, { readonly type: 'output_text' }>;

export type Summary = Extract<Item, { readonly type: 'reasoning' }>['summary'][number];

export type TextAnnotation = TextPart['annotations'][number];

export type TokenLogprob = NonNullable<TextPart['logprobs']>[number];

export type Event = Exact<ResponseStreamEvent>;

export type EventType = Event['type'];

export type EventOfType<Type extends EventType> = EventOf<ResponseStreamEvent, Type>;

/** An event without its `sequence_number`, which the stream adds. */
export type Unnumbered<One extends Event = Event> = One extends Event ? Omit<One, 'sequence_number'> : never;

/** An event's fields without `type` and `sequence_number`, by event type. */
export type EventPayload<Type extends EventType> = EventFields<ResponseStreamEvent, Type, 'sequence_number'>;

export type Tool = NonNullable<ResponseRequest['tools']>[number];

/** Checked by the compiler: the types that are written are closed at every depth, and what the contract leaves free stays free. */
import type { ChatCompletion } from '../../contract/chat-completion.ts';
import type { ResponseStreamEvent } from '../../contract/response-events.ts';
import type { Response, ResponseRequest } from '../../contract/responses.ts';
import type { EventFields, EventOf, Written } from '../../contract/written.ts';

type Identical<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type AllTrue<T extends Record<string, true>> = T;
type AllFalse<T extends Record<string, false>> = T;
/** Whether a field of any name may be read, as where unknown fields are allowed. */
type IsOpen<T> = string extends keyof T ? true : false;

type Completion = Written<ChatCompletion>;
type Choice = Completion['choices'][number];
type FunctionTool = Extract<NonNullable<Written<ResponseRequest>['tools']>[number], { type: 'function' }>;

export type Free = AllTrue<{
  metadata: Identical<NonNullable<Written<Response>['metadata']>, Record<string, string>>;
  jsonSchema: IsOpen<NonNullable<FunctionTool['parameters']>>;
  everyAnswer: ChatCompletion extends Completion ? true : false;
  theContractItself: IsOpen<ChatCompletion>;
}>;

export type Closed = AllFalse<{
  top: IsOpen<Completion>;
  entry: IsOpen<Choice>;
  message: IsOpen<Choice['message']>;
  usage: IsOpen<NonNullable<Completion['usage']>>;
  oneOfSeveral: IsOpen<FunctionTool>;
}>;

export type Events = AllTrue<{
  oneOfThem: Identical<EventOf<ResponseStreamEvent, 'response.refusal.delta'>['delta'], string>;
  unknownOnesAreNone: Identical<EventOf<ResponseStreamEvent, 'response.banana'>, never>;
  fields: Identical<
    keyof EventFields<ResponseStreamEvent, 'response.refusal.delta', 'sequence_number'>,
    'item_id' | 'output_index' | 'content_index' | 'delta'
  >;
}>;

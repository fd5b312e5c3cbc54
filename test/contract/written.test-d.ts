/** Checked by the compiler: what the gateway writes has exactly the contract's type, so a misspelt field or a change of the contract does not compile. */
import type { Key } from '../../contract/admin/keys.ts';
import type { CatalogModel } from '../../contract/catalog.ts';
import type { ChatCompletion, ChatCompletionChunk } from '../../contract/chat/completion.ts';
import type { ImageEditEvent, ImageGenerationEvent, ImageList } from '../../contract/images.ts';
import type { Model } from '../../contract/models.ts';
import type { ResponseStreamEvent } from '../../contract/responses/events.ts';
import type { Response, ResponseRequest } from '../../contract/responses.ts';
import type { EventFields, EventOf, Exact } from '../../contract/shared/exact.ts';
import type { Receipt } from '../../contract/usage.ts';
import type { writeKey } from '../../server/api/admin/keys.ts';
import type { Handlers } from '../../server/api/http/ts-rest.ts';
import type { writeCatalogModel } from '../../server/api/v1/catalog.ts';
import type { createModelHandlers } from '../../server/api/v1/models.ts';
import type { writeReceipt } from '../../server/api/v1/receipt.ts';
import type { createStoredResponseHandlers } from '../../server/api/v1/stored-responses.ts';
import type { createUsageHandlers } from '../../server/api/v1/usage.ts';
import { writeJson } from '../../server/call/forwarded-response.ts';
import type { writeChatResponse, writeUsage } from '../../server/protocols/chat/write-response.ts';
import type { Emit, toItem } from '../../server/protocols/responses/output.ts';
import type { writeResponse } from '../../server/protocols/responses/write-response.ts';
import { writeDataFrame, writeEventFrame } from '../../server/protocols/wire/frames.ts';
import type { writeCompletion as simulateCompletion, writeChunks } from '../../server/providers/simulator/completion.ts';
import type { writeImageEvents, writeImages } from '../../server/providers/simulator/images.ts';

type Identical<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type AllTrue<T extends Record<string, true>> = T;
type AllFalse<T extends Record<string, false>> = T;
/** Whether a field of any name may be read, as where unknown fields are allowed. */
type IsOpen<T> = string extends keyof T ? true : false;

type Completion = Exact<ChatCompletion>;
type Choice = Completion['choices'][number];
type FunctionTool = Extract<NonNullable<Exact<ResponseRequest>['tools']>[number], { type: 'function' }>;

export type Free = AllTrue<{
  metadata: Identical<NonNullable<Exact<Response>['metadata']>, Record<string, string>>;
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

/** What a function of the gateway declares that it writes. */
type By<Writer> = Writer extends (...args: never) => infer Result
  ? Awaited<Result> extends Generator<infer Each> | AsyncGenerator<infer Each>
    ? Each
    : Awaited<Result>
  : never;
type Writes<Writer, Shape> = Identical<By<Writer>, Exact<Shape>>;

export type Writers = AllTrue<{
  completion: Writes<typeof writeChatResponse, ChatCompletion>;
  chatUsage: Writes<typeof writeUsage, NonNullable<ChatCompletion['usage']>>;
  response: Writes<typeof writeResponse, Response>;
  item: Writes<typeof toItem, Response['output'][number]>;
  catalogModel: Identical<By<typeof writeCatalogModel>, CatalogModel>;
  receipt: Identical<By<typeof writeReceipt>, Receipt>;
  key: Identical<By<typeof writeKey>, Key>;
  models: Identical<By<typeof createModelHandlers>, Handlers<'listModels' | 'getModel' | 'getProtocol'>>;
  storedResponses: Identical<
    By<typeof createStoredResponseHandlers>,
    Handlers<'getResponse' | 'cancelResponse' | 'deleteResponse' | 'listInputItems'>
  >;
  usage: Identical<By<typeof createUsageHandlers>, Handlers<'listUsage' | 'getUsage'>>;
  simulatedCompletion: Writes<typeof simulateCompletion, ChatCompletion>;
  simulatedChunks: Writes<typeof writeChunks, ChatCompletionChunk>;
  simulatedImages: Writes<typeof writeImages, ImageList>;
  simulatedImageEvents: Writes<typeof writeImageEvents, ImageGenerationEvent | ImageEditEvent>;
}>;

/** Mistakes in a value: a field too many, another name, another type, another word, and a field that is missing. */
const known = { context_window: null, max_output_tokens: null, pricing: null } as const;
const capabilities = {
  tools: true,
  hosted_tools: true,
  parallel_tool_calls: true,
  image_input: true,
  structured_output: 'schema',
  reasoning_effort: true,
} as const;
const model: Exact<Model> = { id: 'm', object: 'model', created: 0, owned_by: 'us', ...known, capabilities };
const message: Choice['message'] = { role: 'assistant', content: 'hello', refusal: null };
// @ts-expect-error The contract has no such field.
export const added: Exact<Model> = { ...model, banana: 1 };
const choice: Choice = { index: 0, finish_reason: 'stop', message };
// @ts-expect-error Nor below the top.
export const addedBelow: Pick<Completion, 'choices'> = { choices: [{ ...choice, banana: 1 }] };
// @ts-expect-error The field has another name.
export const renamed: Exact<Model> = { id: 'm', object: 'model', created: 0, owner: 'us' };
// @ts-expect-error It is text.
export const retyped: Exact<Model> = { ...model, owned_by: 1 };
// @ts-expect-error The word is `model`.
export const reworded: Exact<Model> = { ...model, object: 'models' };
// @ts-expect-error `owned_by` is missing.
export const missing: Exact<Model> = { id: 'm', object: 'model', created: 0 };

/** Mistakes in frames and events. */
export const frames = (tell: Emit): void => {
  writeDataFrame<Exact<Model>>(model);
  // @ts-expect-error It does not say what is in it.
  writeDataFrame(model);
  // @ts-expect-error Nor does this one.
  writeEventFrame('model', model);
  // @ts-expect-error The contract has no such field.
  writeJson<Model>({ ...model, banana: 1 });
  tell('response.refusal.delta', { item_id: 'a', output_index: 0, content_index: 0, delta: 'b' });
  // @ts-expect-error No event is called so.
  tell('response.refusal.piece', { item_id: 'a', output_index: 0, content_index: 0, delta: 'b' });
  // @ts-expect-error This event has no such field.
  tell('response.refusal.delta', { item_id: 'a', output_index: 0, content_index: 0, delta: 'b', banana: 1 });
};

type ListModels = Handlers<'listModels'>['listModels'];
/** Handlers with typical mistakes. */
export const right: ListModels = async ({ ok }) => ok({ object: 'list', data: [model] });
declare const response: Response;
// @ts-expect-error A field too many, where the contract lets those of others pass.
export const tooMany: Handlers<'getResponse'>['getResponse'] = async ({ ok }) => ok({ ...response, banana: 1 });
// @ts-expect-error A body that passes by `ok`.
export const besideOk: ListModels = async () => ({ status: 200, body: { banana: 1 } });
// @ts-expect-error Not the shape of an answer.
export const shapeless: ListModels = async () => ({ kind: 'value', value: { banana: 1 } });
// @ts-expect-error A status that the contract does not have.
export const otherStatus: ListModels = async () => ({ status: 418, body: { object: 'list', data: [] } });

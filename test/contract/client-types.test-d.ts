/** Checked by the compiler: the types of the client are exactly those of the contract, and its methods are its operations. */
import type { z } from 'zod';
import type * as client from '../../client/sdk/src/index.ts';
import type { Contract } from '../../contract/index.ts';
import type { OutputPart } from '../../contract/responses/parts.ts';
import type * as errors from '../../contract/shared/error-bodies.ts';

/**
 * Resolves aliases, interfaces and intersections, so that only the shape is compared. Index signatures beside named fields are dropped, since
 * the types of the client do not name what the contract allows at run time. A plain map stays one.
 */
type Flat<T> = T extends string
  ? OneWord<T>
  : T extends readonly (infer Item)[]
    ? Flat<Item>[]
    : T extends object
      ? { [Key in keyof T as string extends Key ? ([Named<T>] extends [never] ? Key : never) : Key]: Flat<T[Key]> }
      : T;
/** The enum of a type that is newer is another one in each. */
type OneWord<T extends string> = T extends client.UnknownEvent['type'] | Contracted['type'] ? '(newer)' : T;
type Contracted = Exclude<z.infer<typeof OutputPart>, { type: 'output_text' | 'refusal' | 'reasoning_text' }>;
type Named<T> = keyof { [Key in keyof T as string extends Key ? never : Key]: T[Key] };
type Identical<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Same<A, B> = Identical<Flat<A>, Flat<B>>;

type Name = keyof Contract;
type Body<N extends Name> = Contract[N] extends { body: infer S extends z.ZodType } ? z.infer<S> : never;
type Answer<N extends Name> = Contract[N] extends { responses: { 200: infer S extends z.ZodType } } ? z.infer<S> : never;
type Query<N extends Name> = Contract[N] extends { query: infer S extends z.ZodType } ? z.infer<S> : never;
type StreamEvent<N extends Name> = Contract[N] extends { metadata: { sse: infer S extends z.ZodType } } ? z.infer<S> : never;

/** Compiles only if every entry is true; the error names the type. */
type AllTrue<T extends Record<string, true>> = T;
type AllFalse<T extends Record<string, false>> = T;

export type Shapes = AllTrue<{
  ModelList: Same<client.ModelList, Answer<'listModels'>>;
  Model: Same<client.Model, Answer<'getModel'>>;
  ResponseRequest: Same<client.ResponseRequest, Body<'createResponse'>>;
  ModelResponse: Same<client.ModelResponse, Answer<'createResponse'>>;
  StoredResponse: Same<client.ModelResponse, Answer<'getResponse'>>;
  DeletedResponse: Same<client.DeletedResponse, Answer<'deleteResponse'>>;
  InputItemQuery: Same<client.InputItemQuery, Query<'listInputItems'>>;
  InputItemList: Same<client.InputItemList, Answer<'listInputItems'>>;
  ResponseStreamEvent: Same<client.ResponseStreamEvent, StreamEvent<'createResponse'>>;
  ChatCompletionRequest: Same<client.ChatCompletionRequest, Body<'createChatCompletion'>>;
  ChatCompletion: Same<client.ChatCompletion, Answer<'createChatCompletion'>>;
  ChatCompletionChunk: Same<client.ChatCompletionChunk, StreamEvent<'createChatCompletion'>>;
  ImageGenerationRequest: Same<client.ImageGenerationRequest, Body<'generateImages'>>;
  ImageGenerationEvent: Same<client.ImageGenerationEvent, StreamEvent<'generateImages'>>;
  GeneratedImageList: Same<client.ImageList, Answer<'generateImages'>>;
  ImageEditRequest: Same<client.ImageEditRequest, Body<'editImages'>>;
  ImageEditEvent: Same<client.ImageEditEvent, StreamEvent<'editImages'>>;
  EditedImageList: Same<client.ImageList, Answer<'editImages'>>;
  ProtocolQuery: Same<client.ProtocolQuery, Query<'getProtocol'>>;
  ProtocolList: Same<client.ProtocolList, Answer<'getProtocol'>>;
  CatalogQuery: Same<client.CatalogQuery, Query<'getCatalog'>>;
  CatalogList: Same<client.CatalogList, Answer<'getCatalog'>>;
  UsageQuery: Same<client.UsageQuery, Query<'listUsage'>>;
  UsageList: Same<client.UsageList, Answer<'listUsage'>>;
  Receipt: Same<client.Receipt, Answer<'getUsage'>>;
  OwnAccount: Same<client.OwnAccount, Answer<'getAccount'>>;
  OwnKey: Same<client.OwnKey, Answer<'getKey'>>;
  UsageSummaryQuery: Same<client.UsageSummaryQuery, Query<'getUsageSummary'>>;
  UsageSummary: Same<client.UsageSummary, Answer<'getUsageSummary'>>;
  StatementQuery: Same<client.StatementQuery, Query<'listStatement'>>;
  Statement: Same<client.Statement, Answer<'listStatement'>>;
  ErrorBody: Same<client.ErrorBody, errors.ErrorBody>;
}>;

type MethodName = {
  [Key in keyof client.Modelgate]: client.Modelgate[Key] extends (...args: never[]) => unknown ? Key : never;
}[keyof client.Modelgate];
/** Methods for an operation that has another one, for a connection, for routes without a method, and for another client. */
type OtherMethod = 'streamResponse' | 'connect' | 'request' | 'withOptions';
export type Methods = AllTrue<{ areTheOperations: Identical<Exclude<MethodName, OtherMethod>, Name> }>;

/** The comparison can fail: a weaker one would miss each of these, and `never` is identical to `never`. */
type Request = client.ResponseRequest;
export type Seen = AllFalse<{
  addedOptionalField: Same<Request & { added?: string }, Body<'createResponse'>>;
  addedNestedField: Same<Request & { text?: { added?: string } | null }, Body<'createResponse'>>;
  requiredField: Same<Request & { temperature: number | null }, Body<'createResponse'>>;
  narrowedField: Same<Omit<Request, 'top_p'> & { top_p?: number }, Body<'createResponse'>>;
  nothingToCompare: Same<never, Body<'createResponse'>>;
  missingMethod: Identical<Exclude<MethodName, OtherMethod | 'listModels'>, Name>;
}>;

/** Whether a type has an index signature beside its named fields, at any depth: such a type accepts every misspelt field. */
type IsOpen<T> = T extends readonly (infer Item)[]
  ? IsOpen<Item>
  : T extends object
    ? string extends keyof T
      ? [Named<T>] extends [never]
        ? false
        : T extends { type: client.UnknownEvent['type'] }
          ? false
          : true
      : { [Key in keyof T]-?: IsOpen<T[Key]> }[keyof T]
    : false;

export type ClosedTypes = AllFalse<{
  ModelList: IsOpen<client.ModelList>;
  ModelResponse: IsOpen<client.ModelResponse>;
  ResponseRequest: IsOpen<client.ResponseRequest>;
  ResponseStreamEvent: IsOpen<client.ResponseStreamEvent>;
  InputItemList: IsOpen<client.InputItemList>;
  ChatCompletion: IsOpen<client.ChatCompletion>;
  ChatCompletionRequest: IsOpen<client.ChatCompletionRequest>;
  ChatCompletionChunk: IsOpen<client.ChatCompletionChunk>;
  ImageList: IsOpen<client.ImageList>;
  ImageGenerationRequest: IsOpen<client.ImageGenerationRequest>;
  ImageGenerationEvent: IsOpen<client.ImageGenerationEvent>;
  ImageEditRequest: IsOpen<client.ImageEditRequest>;
  ImageEditEvent: IsOpen<client.ImageEditEvent>;
  CatalogList: IsOpen<client.CatalogList>;
  UsageList: IsOpen<client.UsageList>;
  Receipt: IsOpen<client.Receipt>;
  OwnAccount: IsOpen<client.OwnAccount>;
  OwnKey: IsOpen<client.OwnKey>;
  UsageSummary: IsOpen<client.UsageSummary>;
  Statement: IsOpen<client.Statement>;
}>;
/** The types of the contract are open, so this check would find them. */
export type OpenTypes = AllTrue<{ contract: true extends IsOpen<Body<'createResponse'>> ? true : false }>;

/** Types narrow as before beside events that are newer than the client; those are what is left of a switch over all types. */
type Streamed = client.ResponseStreamEvent;
export type Narrowed = AllTrue<{
  known: Identical<Extract<Streamed, { type: 'response.created' }>, client.ResponseCreatedEvent>;
  newer: Identical<Extract<Streamed, { type: client.UnknownEvent['type'] }>, client.UnknownEvent>;
}>;

/** A newer item has no `role`, so that a mistake in a message without `type` is reported as one. No request can ask for image URLs. */
export type Reported = AllTrue<{
  newerItem: Identical<client.UnknownInputItem['role'], undefined>;
  imageFormat: Identical<NonNullable<client.ImageGenerationRequest['response_format']>, 'b64_json'>;
  editFormat: Identical<NonNullable<client.ImageEditRequest['response_format']>, 'b64_json'>;
}>;

/** The code of an error is one of its status, or one that the client doesn't know. */
type Newer = client.UnknownEvent['type'];
export type Codes = AllTrue<{
  rateLimit: Identical<client.RateLimitError['code'], client.ErrorCodes[429] | Newer | null>;
  anyError: Identical<client.ModelgateError['code'], client.ErrorDetail['code'] | Newer | null>;
}>;
/** Every status has one class. A new status has to be added to a class. */
type Classes = 'BadRequestError' | 'AuthenticationError' | 'PermissionError' | 'NotFoundError' | 'ConflictError' | 'RequestTooLargeError';
type Instance<Class extends keyof typeof client> = (typeof client)[Class] extends new (...args: never[]) => infer One ? One : never;
type CodeIn<Class extends keyof typeof client> = Instance<Class> extends { code: infer Code } ? Code : never;
export type EveryCode = AllTrue<{
  areTheCodes: Identical<CodeIn<Classes | 'RateLimitError' | 'ServerError'>, client.ModelgateError['code']>;
}>;

/** A listener gets the events of its type. */
export type Listened = AllTrue<{
  one: Identical<client.EventOf<Streamed, 'response.created'>, client.ResponseCreatedEvent>;
  ofSeveralTypes: Identical<client.EventOf<Streamed, 'response.web_search_call.completed'>, client.HostedToolEvent>;
  chunks: Identical<client.EventType<client.ChatCompletionChunk>, never>;
  newer: Identical<Extract<client.EventType<Streamed>, Newer>, never>;
}>;

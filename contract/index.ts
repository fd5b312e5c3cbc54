/**
 * The contract as one router: the main operations, stored responses, usage, the caller's account, and the public catalog.
 * Each operation has its errors. Imports only zod and @ts-rest/core.
 */
import { initContract } from '@ts-rest/core';
import type { z } from 'zod';
import { OwnAccount, OwnKey, Statement, StatementQuery, UsageSummary, UsageSummaryQuery } from './account.ts';
import { CatalogList, CatalogQuery } from './catalog.ts';
import { ChatCompletion, ChatCompletionChunk } from './chat/completion.ts';
import { ChatCompletionRequest } from './chat.ts';
import { ImageEditEvent, ImageEditForm, ImageEditRequest, ImageGenerationEvent, ImageGenerationRequest, ImageList } from './images.ts';
import { Model, ModelList, ModelPathParams, ModelQuery } from './models.ts';
import { type OperationCode, type OperationName, operationErrors } from './operation-errors.ts';
import { ProtocolList, ProtocolQuery } from './protocol.ts';
import { CompactedResponse, CompactionRequest } from './responses/compact.ts';
import { ResponseStreamEvent } from './responses/events.ts';
import {
  DeletedResponse,
  InputItemList,
  InputItemQuery,
  InputTokens,
  NoBody,
  ResponsePathParams,
  StoredResponseQuery,
} from './responses/stored.ts';
import { Response, ResponseRequest } from './responses.ts';
import { createErrorResponses, type ErrorResponses } from './shared/error-bodies.ts';
import { Receipt, UsageList, UsagePathParams, UsageQuery } from './usage.ts';

/** Metadata of a route, beyond what ts-rest defines. */
export interface RouteMetadata {
  readonly tag: 'Models' | 'Responses' | 'Chat' | 'Images' | 'Usage' | 'Account';
  /** Whether the operation needs no key. */
  readonly isPublic?: boolean;
  /** Whether it reads the caller's own account. These operations need no permission, count toward no limit, and aren't logged as calls. */
  readonly isOwnRead?: boolean;
  /** Schema of one event. Omitted for operations that can't stream. */
  readonly sse?: z.ZodType;
  /** Whether the stream ends with `data: [DONE]`. */
  readonly done?: boolean;
  /** Whether a POST has no body. */
  readonly hasNoBody?: boolean;
  /** Schema of the multipart form that the operation accepts besides JSON. */
  readonly form?: z.ZodType;
}
const defineMetadata = <const M extends RouteMetadata>(value: M) => value;

const contractBuilder = initContract();

/** Returns the success and error responses of an operation. */
function createResponses<Name extends OperationName, Success extends z.ZodType>(operation: Name, success: Success) {
  const errors: ErrorResponses<OperationCode<Name>> = createErrorResponses(operation, operationErrors[operation]);
  return { 200: success, ...errors } as const;
}

export const contract = contractBuilder.router(
  {
    // The five main operations.
    listModels: {
      method: 'GET',
      path: '/v1/models',
      query: ModelQuery,
      responses: createResponses('listModels', ModelList),
      summary: 'List models',
      description: 'Lists the models that your key can call.',
      metadata: defineMetadata({ tag: 'Models' }),
    },
    createResponse: {
      method: 'POST',
      path: '/v1/responses',
      body: ResponseRequest,
      responses: createResponses('createResponse', Response),
      summary: 'Create a response',
      description:
        'Creates a model response with the Responses API, which coding agents use. With `stream: true`, the response is a stream of named events that ends with exactly one of `response.completed`, `response.incomplete`, and `response.failed`.',
      metadata: defineMetadata({ tag: 'Responses', sse: ResponseStreamEvent, done: true }),
    },
    createChatCompletion: {
      method: 'POST',
      path: '/v1/chat/completions',
      body: ChatCompletionRequest,
      responses: createResponses('createChatCompletion', ChatCompletion),
      summary: 'Create a chat completion',
      description:
        'Creates a completion for a conversation. With `stream: true`, the response is a stream of chunks that ends with `data: [DONE]`.',
      metadata: defineMetadata({ tag: 'Chat', sse: ChatCompletionChunk, done: true }),
    },
    generateImages: {
      method: 'POST',
      path: '/v1/images/generations',
      body: ImageGenerationRequest,
      responses: createResponses('generateImages', ImageList),
      summary: 'Generate images',
      description: 'Generates images from a prompt. With `stream: true`, partial images are sent while the image is being generated.',
      metadata: defineMetadata({ tag: 'Images', sse: ImageGenerationEvent }),
    },
    editImages: {
      method: 'POST',
      path: '/v1/images/edits',
      body: ImageEditRequest,
      responses: createResponses('editImages', ImageList),
      summary: 'Edit images',
      description:
        'Edits images, or creates a new image from them. Accepts a multipart form with files, or JSON with data URLs, https URLs, or file IDs.',
      metadata: defineMetadata({ tag: 'Images', sse: ImageEditEvent, form: ImageEditForm }),
    },

    // Single models, and stored responses.
    getModel: {
      method: 'GET',
      path: '/v1/models/:model',
      pathParams: ModelPathParams,
      responses: createResponses('getModel', Model),
      summary: 'Get a model',
      description: 'Retrieves a model that your key can call. Any other model returns 404, whether or not it exists.',
      metadata: defineMetadata({ tag: 'Models' }),
    },
    getProtocol: {
      method: 'GET',
      path: '/v1/protocol',
      query: ProtocolQuery,
      responses: createResponses('getProtocol', ProtocolList),
      summary: 'Get the protocols of models',
      description:
        "Lists, for each model that your key can call, what happens to the fields of a request: whether they're forwarded, translated, dropped, or rejected. Requires no permission and doesn't count toward any limit.",
      metadata: defineMetadata({ tag: 'Models', isOwnRead: true }),
    },
    getCatalog: {
      method: 'GET',
      path: '/catalog',
      query: CatalogQuery,
      responses: createResponses('getCatalog', CatalogList),
      summary: 'Get the catalog',
      description:
        "Lists every model with its prices, limits, and capabilities. No key is required, and the response can be cached for a minute. The path doesn't start with `/v1`.",
      metadata: defineMetadata({ tag: 'Models', isPublic: true }),
    },
    countInputTokens: {
      method: 'POST',
      path: '/v1/responses/input_tokens',
      body: ResponseRequest,
      responses: createResponses('countInputTokens', InputTokens),
      summary: 'Count input tokens',
      description:
        'Counts the input tokens that a request would use, without running it. Accepts the same body as `POST /v1/responses`. Free of charge, but it counts toward your request rate limit.',
      metadata: defineMetadata({ tag: 'Responses' }),
    },
    getResponse: {
      method: 'GET',
      path: '/v1/responses/:response_id',
      pathParams: ResponsePathParams,
      query: StoredResponseQuery,
      responses: createResponses('getResponse', Response),
      summary: 'Get a response',
      description:
        'Retrieves a stored response, exactly as it was returned when it was created, or as it is now while it runs in the background. With `stream=true`, its events are sent again. Only the account that created it can read it.',
      metadata: defineMetadata({ tag: 'Responses', sse: ResponseStreamEvent, done: true }),
    },
    deleteResponse: {
      method: 'DELETE',
      path: '/v1/responses/:response_id',
      pathParams: ResponsePathParams,
      responses: createResponses('deleteResponse', DeletedResponse),
      summary: 'Delete a response',
      description: 'Deletes a stored response. It can no longer be read or continued.',
      metadata: defineMetadata({ tag: 'Responses' }),
    },
    cancelResponse: {
      method: 'POST',
      path: '/v1/responses/:response_id/cancel',
      pathParams: ResponsePathParams,
      body: NoBody,
      responses: createResponses('cancelResponse', Response),
      summary: 'Cancel a response',
      description:
        'Cancels a response that runs in the background, and returns it with the output that it has, which is charged. A response that has ended is returned as it is.',
      metadata: defineMetadata({ tag: 'Responses', hasNoBody: true }),
    },
    compactResponse: {
      method: 'POST',
      path: '/v1/responses/compact',
      body: CompactionRequest,
      responses: createResponses('compactResponse', CompactedResponse),
      summary: 'Compact a conversation',
      description:
        'Replaces a conversation by one encrypted item that stands for it, so that you can continue with less input. Charged like a response of the model, which may write the summary. The result is the whole new conversation: send it unchanged, without `previous_response_id`, before your next input.',
      metadata: defineMetadata({ tag: 'Responses' }),
    },
    listInputItems: {
      method: 'GET',
      path: '/v1/responses/:response_id/input_items',
      pathParams: ResponsePathParams,
      query: InputItemQuery,
      responses: createResponses('listInputItems', InputItemList),
      summary: 'List the input items of a response',
      description: 'Lists the input of a stored response, newest first: its own items and the items of earlier turns.',
      metadata: defineMetadata({ tag: 'Responses' }),
    },

    // The caller's usage and payments.
    listUsage: {
      method: 'GET',
      path: '/v1/usage',
      query: UsageQuery,
      responses: createResponses('listUsage', UsageList),
      summary: 'List usage',
      description: 'Lists the requests made with any key of your account, newest first. Empty when billing is off.',
      metadata: defineMetadata({ tag: 'Usage', isOwnRead: true }),
    },
    getUsage: {
      method: 'GET',
      path: '/v1/usage/:request_id',
      pathParams: UsagePathParams,
      responses: createResponses('getUsage', Receipt),
      summary: 'Get a receipt',
      description:
        'Retrieves a request and its itemized receipt: usage × prices × multiplier = charge. The receipt of a stream is available before its last event is sent.',
      metadata: defineMetadata({ tag: 'Usage', isOwnRead: true }),
    },
    getAccount: {
      method: 'GET',
      path: '/v1/account',
      responses: createResponses('getAccount', OwnAccount),
      summary: 'Get the account',
      description:
        "Retrieves the account that owns your key: the amount left to spend, and the remainder of its limits. Requires no permission and doesn't count toward any limit.",
      metadata: defineMetadata({ tag: 'Account', isOwnRead: true }),
    },
    getKey: {
      method: 'GET',
      path: '/v1/key',
      responses: createResponses('getKey', OwnKey),
      summary: 'Get the key',
      description: 'Retrieves your key: its permissions, its expiry, and the remainder of its spending caps and limits.',
      metadata: defineMetadata({ tag: 'Account', isOwnRead: true }),
    },
    getUsageSummary: {
      method: 'GET',
      path: '/v1/account/usage',
      query: UsageSummaryQuery,
      responses: createResponses('getUsageSummary', UsageSummary),
      summary: 'Summarize usage',
      description:
        'Totals the requests, tokens, and charges of your account by hour, day, week, or month, optionally grouped by model and key. The totals are exact.',
      metadata: defineMetadata({ tag: 'Account', isOwnRead: true }),
    },
    listStatement: {
      method: 'GET',
      path: '/v1/account/statement',
      query: StatementQuery,
      responses: createResponses('listStatement', Statement),
      summary: 'List the statement',
      description: 'Lists the payments and charges of your account, newest first. Empty when billing is off.',
      metadata: defineMetadata({ tag: 'Account', isOwnRead: true }),
    },
  },
  { strictStatusCodes: true },
);
export type Contract = typeof contract;

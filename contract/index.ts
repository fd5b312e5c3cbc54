/** The contract as one router: the five operations, stored responses, usage, the caller's account, and the public catalog, each with its errors. Imports only zod and @ts-rest/core. */
import { initContract } from '@ts-rest/core';
import type { z } from 'zod';
import { OwnAccount, OwnKey, Statement, StatementQuery, UsageSummary, UsageSummaryQuery } from './account.ts';
import { CatalogList, CatalogQuery } from './catalog.ts';
import { ChatCompletion, ChatCompletionChunk } from './chat/completion.ts';
import { ChatCompletionRequest } from './chat.ts';
import { ImageEditEvent, ImageEditForm, ImageEditRequest, ImageGenerationEvent, ImageGenerationRequest, ImageList } from './images.ts';
import { Model, ModelList, ModelPath, ModelQuery } from './models.ts';
import { type OperationCode, type OperationName, operationErrors } from './operation-errors.ts';
import { ProtocolList, ProtocolQuery } from './protocol.ts';
import { ResponseStreamEvent } from './responses/events.ts';
import { DeletedResponse, InputItemList, InputItemQuery, InputTokens, ResponsePath, StoredResponseQuery } from './responses/stored.ts';
import { Response, ResponseRequest } from './responses.ts';
import { type ErrorResponses, errorResponses } from './shared/error-bodies.ts';
import { Receipt, UsageList, UsagePath, UsageQuery } from './usage.ts';

/** What a route declares beyond ts-rest: its stream, its form, and its group in the documentation. */
export interface RouteMetadata {
  readonly tag: 'Models' | 'Responses' | 'Chat' | 'Images' | 'Usage' | 'Account';
  /** Whether it needs no key. */
  readonly isPublic?: boolean;
  /** Whether it reads the caller's own account: that needs no permission, counts toward no limit, and isn't logged as a call. */
  readonly isOwnRead?: boolean;
  /** Schema of one event, when `stream: true` turns the response into a stream of server-sent events. */
  readonly sse?: z.ZodType;
  /** Whether the stream ends with `data: [DONE]`. */
  readonly done?: boolean;
  /** Schema of the multipart form that the operation accepts besides JSON. */
  readonly form?: z.ZodType;
}
const metadata = <const M extends RouteMetadata>(value: M) => value;

const c = initContract();

/** Every response of an operation: its success and its errors. */
function answers<Name extends OperationName, Success extends z.ZodType>(operation: Name, success: Success) {
  const errors: ErrorResponses<OperationCode<Name>> = errorResponses(operation, operationErrors[operation]);
  return { 200: success, ...errors } as const;
}

export const contract = c.router(
  {
    // The five main operations.
    listModels: {
      method: 'GET',
      path: '/v1/models',
      query: ModelQuery,
      responses: answers('listModels', ModelList),
      summary: 'List models',
      description: 'Lists the models that your key can call.',
      metadata: metadata({ tag: 'Models' }),
    },
    createResponse: {
      method: 'POST',
      path: '/v1/responses',
      body: ResponseRequest,
      responses: answers('createResponse', Response),
      summary: 'Create a response',
      description:
        'Creates a model response with the Responses API, which coding agents use. With `stream: true`, the response is a stream of named events that ends with exactly one of `response.completed`, `response.incomplete`, and `response.failed`.',
      metadata: metadata({ tag: 'Responses', sse: ResponseStreamEvent, done: true }),
    },
    createChatCompletion: {
      method: 'POST',
      path: '/v1/chat/completions',
      body: ChatCompletionRequest,
      responses: answers('createChatCompletion', ChatCompletion),
      summary: 'Create a chat completion',
      description:
        'Creates a completion for a conversation. With `stream: true`, the response is a stream of chunks that ends with `data: [DONE]`.',
      metadata: metadata({ tag: 'Chat', sse: ChatCompletionChunk, done: true }),
    },
    generateImages: {
      method: 'POST',
      path: '/v1/images/generations',
      body: ImageGenerationRequest,
      responses: answers('generateImages', ImageList),
      summary: 'Generate images',
      description: 'Generates images from a prompt. With `stream: true`, partial images are sent while the image is being generated.',
      metadata: metadata({ tag: 'Images', sse: ImageGenerationEvent }),
    },
    editImages: {
      method: 'POST',
      path: '/v1/images/edits',
      body: ImageEditRequest,
      responses: answers('editImages', ImageList),
      summary: 'Edit images',
      description: 'Edits images, or creates a new image from them. Accepts a multipart form with files, or JSON with data URLs.',
      metadata: metadata({ tag: 'Images', sse: ImageEditEvent, form: ImageEditForm }),
    },

    // More about models, and stored responses.
    getModel: {
      method: 'GET',
      path: '/v1/models/:model',
      pathParams: ModelPath,
      responses: answers('getModel', Model),
      summary: 'Get a model',
      description: 'Retrieves a model that your key can call. Any other model returns 404, whether or not it exists.',
      metadata: metadata({ tag: 'Models' }),
    },
    getProtocol: {
      method: 'GET',
      path: '/v1/protocol',
      query: ProtocolQuery,
      responses: answers('getProtocol', ProtocolList),
      summary: 'Get the protocols of models',
      description:
        "Lists, for each model that your key can call, what happens to the fields of a request: whether they're forwarded, translated, dropped, or rejected. Requires no permission and doesn't count toward any limit.",
      metadata: metadata({ tag: 'Models', isOwnRead: true }),
    },
    getCatalog: {
      method: 'GET',
      path: '/catalog',
      query: CatalogQuery,
      responses: answers('getCatalog', CatalogList),
      summary: 'Get the catalog',
      description:
        "Lists every model with its prices, limits, and capabilities. No key is required, and the response can be cached for a minute. The path doesn't start with `/v1`.",
      metadata: metadata({ tag: 'Models', isPublic: true }),
    },
    countInputTokens: {
      method: 'POST',
      path: '/v1/responses/input_tokens',
      body: ResponseRequest,
      responses: answers('countInputTokens', InputTokens),
      summary: 'Count input tokens',
      description:
        'Counts the input tokens that a request would use, without running it. Accepts the same body as `POST /v1/responses`. Free of charge, but it counts toward your request rate limit.',
      metadata: metadata({ tag: 'Responses' }),
    },
    getResponse: {
      method: 'GET',
      path: '/v1/responses/:response_id',
      pathParams: ResponsePath,
      query: StoredResponseQuery,
      responses: answers('getResponse', Response),
      summary: 'Get a response',
      description:
        'Retrieves a stored response, exactly as it was returned when it was created. Only the account that created it can read it.',
      metadata: metadata({ tag: 'Responses' }),
    },
    deleteResponse: {
      method: 'DELETE',
      path: '/v1/responses/:response_id',
      pathParams: ResponsePath,
      responses: answers('deleteResponse', DeletedResponse),
      summary: 'Delete a response',
      description: 'Deletes a stored response. It can no longer be read or continued.',
      metadata: metadata({ tag: 'Responses' }),
    },
    listInputItems: {
      method: 'GET',
      path: '/v1/responses/:response_id/input_items',
      pathParams: ResponsePath,
      query: InputItemQuery,
      responses: answers('listInputItems', InputItemList),
      summary: 'List the input items of a response',
      description: 'Lists the input of a stored response, newest first: its own items and the items of earlier turns.',
      metadata: metadata({ tag: 'Responses' }),
    },

    // What the caller has used and paid for.
    listUsage: {
      method: 'GET',
      path: '/v1/usage',
      query: UsageQuery,
      responses: answers('listUsage', UsageList),
      summary: 'List usage',
      description: 'Lists the requests made with any key of your account, newest first. Empty when billing is off.',
      metadata: metadata({ tag: 'Usage', isOwnRead: true }),
    },
    getUsage: {
      method: 'GET',
      path: '/v1/usage/:request_id',
      pathParams: UsagePath,
      responses: answers('getUsage', Receipt),
      summary: 'Get a receipt',
      description:
        'Retrieves a request and its itemized receipt: usage × prices × multiplier = charge. The receipt of a stream is available before its last event is sent.',
      metadata: metadata({ tag: 'Usage', isOwnRead: true }),
    },
    getAccount: {
      method: 'GET',
      path: '/v1/account',
      responses: answers('getAccount', OwnAccount),
      summary: 'Get the account',
      description:
        "Retrieves the account that owns your key: the amount left to spend, and the remainder of its limits. Requires no permission and doesn't count toward any limit.",
      metadata: metadata({ tag: 'Account', isOwnRead: true }),
    },
    getKey: {
      method: 'GET',
      path: '/v1/key',
      responses: answers('getKey', OwnKey),
      summary: 'Get the key',
      description: 'Retrieves your key: its permissions, its expiry, and the remainder of its spending cap and limits.',
      metadata: metadata({ tag: 'Account', isOwnRead: true }),
    },
    getUsageSummary: {
      method: 'GET',
      path: '/v1/account/usage',
      query: UsageSummaryQuery,
      responses: answers('getUsageSummary', UsageSummary),
      summary: 'Summarize usage',
      description:
        'Totals the requests, tokens, and charges of your account by hour, day, week, or month, optionally grouped by model and key. The totals are exact.',
      metadata: metadata({ tag: 'Account', isOwnRead: true }),
    },
    listStatement: {
      method: 'GET',
      path: '/v1/account/statement',
      query: StatementQuery,
      responses: answers('listStatement', Statement),
      summary: 'List the statement',
      description: 'Lists the payments and charges of your account, newest first. Empty when billing is off.',
      metadata: metadata({ tag: 'Account', isOwnRead: true }),
    },
  },
  { strictStatusCodes: true },
);
export type Contract = typeof contract;

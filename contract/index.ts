/** The contract: the five operations, those on stored responses, usage and the own account, and the public catalog, as one router; each with its errors. Imports only zod and @ts-rest/core. */
import { initContract } from '@ts-rest/core';
import type { z } from 'zod';
import { OwnAccount, OwnKey, Statement, StatementQuery, UsageSummary, UsageSummaryQuery } from './account.ts';
import { CatalogList, CatalogQuery } from './catalog.ts';
import { ChatCompletion, ChatCompletionChunk } from './chat/completion.ts';
import { ChatCompletionRequest } from './chat.ts';
import { ImageEditEvent, ImageEditForm, ImageEditRequest, ImageGenerationEvent, ImageGenerationRequest, ImageList } from './images.ts';
import { Model, ModelList, ModelPath, ModelQuery } from './models.ts';
import { type OperationCode, type OperationName, operationErrors } from './operation-errors.ts';
import { ResponseStreamEvent } from './responses/events.ts';
import { DeletedResponse, InputItemList, InputItemQuery, InputTokens, ResponsePath, StoredResponseQuery } from './responses/stored.ts';
import { Response, ResponseRequest } from './responses.ts';
import { type ErrorResponses, errorResponses } from './shared/error-bodies.ts';
import { Receipt, UsageList, UsagePath, UsageQuery } from './usage.ts';

/** What a route declares beyond ts-rest: its stream, its form, its group in the documentation. */
export interface RouteMetadata {
  readonly tag: 'Models' | 'Responses' | 'Chat' | 'Images' | 'Usage' | 'Account';
  /** Whether it needs no key. */
  readonly isPublic?: boolean;
  /** Whether it reads the bill of its own account: that needs no permission, takes nothing from limits, and is no call in any sum. */
  readonly isOwnRead?: boolean;
  /** Schema of one event, when `stream: true` makes the answer a stream of Server-Sent Events. */
  readonly sse?: z.ZodType;
  /** Whether the stream ends with `data: [DONE]`. */
  readonly done?: boolean;
  /** Schema of the multipart form that the operation accepts besides JSON. */
  readonly form?: z.ZodType;
}
const metadata = <const M extends RouteMetadata>(value: M) => value;

const c = initContract();

/** Every answer of an operation: its success, and its errors. */
function answers<Name extends OperationName, Success extends z.ZodType>(operation: Name, success: Success) {
  const errors: ErrorResponses<OperationCode<Name>> = errorResponses(operation, operationErrors[operation]);
  return { 200: success, ...errors } as const;
}

export const contract = c.router(
  {
    // The five operations that the product is about.
    listModels: {
      method: 'GET',
      path: '/v1/models',
      query: ModelQuery,
      responses: answers('listModels', ModelList),
      summary: 'List models',
      description: 'The models that this key can call. Check the list with your key before you rely on a model.',
      metadata: metadata({ tag: 'Models' }),
    },
    createResponse: {
      method: 'POST',
      path: '/v1/responses',
      body: ResponseRequest,
      responses: answers('createResponse', Response),
      summary: 'Create a response',
      description:
        'The responses protocol, which coding agents speak. With `stream: true` the answer is a stream of named events that ends with exactly one of `response.completed`, `response.incomplete` and `response.failed`.',
      metadata: metadata({ tag: 'Responses', sse: ResponseStreamEvent, done: true }),
    },
    createChatCompletion: {
      method: 'POST',
      path: '/v1/chat/completions',
      body: ChatCompletionRequest,
      responses: answers('createChatCompletion', ChatCompletion),
      summary: 'Create a chat completion',
      description: 'The chat protocol. With `stream: true` the answer is a stream of chunks that ends with `data: [DONE]`.',
      metadata: metadata({ tag: 'Chat', sse: ChatCompletionChunk, done: true }),
    },
    generateImages: {
      method: 'POST',
      path: '/v1/images/generations',
      body: ImageGenerationRequest,
      responses: answers('generateImages', ImageList),
      summary: 'Generate images',
      description: 'Generates images from a prompt. With `stream: true` partial images come while the image is made.',
      metadata: metadata({ tag: 'Images', sse: ImageGenerationEvent }),
    },
    editImages: {
      method: 'POST',
      path: '/v1/images/edits',
      body: ImageEditRequest,
      responses: answers('editImages', ImageList),
      summary: 'Edit images',
      description: 'Changes images, or makes a new one from them. Takes a multipart form with files, or JSON with data URLs.',
      metadata: metadata({ tag: 'Images', sse: ImageEditEvent, form: ImageEditForm }),
    },

    // More about models, and about responses that were made.
    getModel: {
      method: 'GET',
      path: '/v1/models/:model',
      pathParams: ModelPath,
      responses: answers('getModel', Model),
      summary: 'Get a model',
      description: 'One model of the list. A model that the key cannot call is 404, like one that does not exist.',
      metadata: metadata({ tag: 'Models' }),
    },
    getCatalog: {
      method: 'GET',
      path: '/catalog',
      query: CatalogQuery,
      responses: answers('getCatalog', CatalogList),
      summary: 'Get the catalog',
      description:
        'Every model with its prices, bounds and abilities. Needs no key, and may be cached for a minute. Its path does not begin with `/v1`.',
      metadata: metadata({ tag: 'Models', isPublic: true }),
    },
    countInputTokens: {
      method: 'POST',
      path: '/v1/responses/input_tokens',
      body: ResponseRequest,
      responses: answers('countInputTokens', InputTokens),
      summary: 'Count input tokens',
      description:
        'The input tokens that a response request would use, without making it. Free; it counts toward your request rate limit. Takes the body of `POST /v1/responses`.',
      metadata: metadata({ tag: 'Responses' }),
    },
    getResponse: {
      method: 'GET',
      path: '/v1/responses/:response_id',
      pathParams: ResponsePath,
      query: StoredResponseQuery,
      responses: answers('getResponse', Response),
      summary: 'Get a response',
      description: 'A stored response, as the caller got it. Only the account that created it can read it.',
      metadata: metadata({ tag: 'Responses' }),
    },
    deleteResponse: {
      method: 'DELETE',
      path: '/v1/responses/:response_id',
      pathParams: ResponsePath,
      responses: answers('deleteResponse', DeletedResponse),
      summary: 'Delete a response',
      description: 'Deletes a stored response. After that, no conversation can continue from it.',
      metadata: metadata({ tag: 'Responses' }),
    },
    listInputItems: {
      method: 'GET',
      path: '/v1/responses/:response_id/input_items',
      pathParams: ResponsePath,
      query: InputItemQuery,
      responses: answers('listInputItems', InputItemList),
      summary: 'List the input items of a response',
      description: 'The input of a stored response: its own items, and those of the earlier turns. Newest first.',
      metadata: metadata({ tag: 'Responses' }),
    },

    // What the caller has used and paid.
    listUsage: {
      method: 'GET',
      path: '/v1/usage',
      query: UsageQuery,
      responses: answers('listUsage', UsageList),
      summary: 'List usage',
      description: 'Requests of the account, with any of its keys, newest first. Empty when calls are not charged.',
      metadata: metadata({ tag: 'Usage', isOwnRead: true }),
    },
    getUsage: {
      method: 'GET',
      path: '/v1/usage/:request_id',
      pathParams: UsagePath,
      responses: answers('getUsage', Receipt),
      summary: 'Get a receipt',
      description:
        'One request with its itemised receipt: classes × prices × multiplier = charge. The receipt of a stream exists before its last event is sent.',
      metadata: metadata({ tag: 'Usage', isOwnRead: true }),
    },
    getAccount: {
      method: 'GET',
      path: '/v1/account',
      responses: answers('getAccount', OwnAccount),
      summary: 'Get the account',
      description:
        'The account of the key: what is left to spend, and what its limits leave. Needs no permission, and counts towards no limit.',
      metadata: metadata({ tag: 'Account', isOwnRead: true }),
    },
    getKey: {
      method: 'GET',
      path: '/v1/key',
      responses: answers('getKey', OwnKey),
      summary: 'Get the key',
      description: 'The key of the call: its permissions, when it expires, and what is left of its spending cap and limits.',
      metadata: metadata({ tag: 'Account', isOwnRead: true }),
    },
    getUsageSummary: {
      method: 'GET',
      path: '/v1/account/usage',
      query: UsageSummaryQuery,
      responses: answers('getUsageSummary', UsageSummary),
      summary: 'Summarise usage',
      description: 'Calls, tokens and charges of the account by hour, day, week or month, and by model and key. The sums are exact.',
      metadata: metadata({ tag: 'Account', isOwnRead: true }),
    },
    listStatement: {
      method: 'GET',
      path: '/v1/account/statement',
      query: StatementQuery,
      responses: answers('listStatement', Statement),
      summary: 'List the statement',
      description: 'Money in and out: payments and charges, newest first. Empty when calls are not charged.',
      metadata: metadata({ tag: 'Account', isOwnRead: true }),
    },
  },
  { strictStatusCodes: true },
);
export type Contract = typeof contract;

/** The client: one typed method for each operation of the gateway. */
import { type Answered, type Call, openCall } from './call.ts';
import { ModelgateError } from './errors.ts';
import { EventStream, type UnknownEvent } from './event-stream.ts';
import { excerpt, parseJson } from './fields.ts';
import { type ClientOptions, type RequestOptions, readSettings, type Settings } from './options.ts';
import { openPages, type PagedCall } from './pages.ts';
import { routes } from './routes.gen.ts';
import { type Answer, type Order, send } from './send.ts';
import type {
  CatalogList,
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionRequest,
  DeletedResponse,
  ImageEditEvent,
  ImageEditRequest,
  ImageGenerationEvent,
  ImageGenerationRequest,
  ImageList,
  InputItemList,
  InputTokens,
  Model,
  ModelList,
  ModelResponse,
  OwnAccount,
  OwnKey,
  Receipt,
  ResponseRequest,
  ResponseStreamEvent,
  Statement,
  UsageList,
  UsageSummary,
} from './types.gen.ts';
import type { ImageEditUpload } from './uploads.ts';

/** Options for a page of the input items of a stored response. */
export interface InputItemQuery {
  /** The most items to return: 1 to 100. Absent: 20. */
  limit?: number | undefined;
  /** `asc`: oldest first. Absent: `desc`, newest first. */
  order?: 'asc' | 'desc' | undefined;
  /** Id of the item after which to continue: `last_id` of the page before. */
  after?: string | undefined;
}

/** Options for the catalog. */
export interface CatalogQuery {
  /** Only models that accounts of this group may call, such as `default` or `vip`. Absent: all of them. */
  group?: string | undefined;
}

/** Options for a page of the requests of an account. */
export interface UsageQuery {
  /** Only requests from this time on; in seconds since 1970. */
  from?: number | undefined;
  /** Only requests before this time; in seconds since 1970. */
  to?: number | undefined;
  /** The most requests to return: 1 to 100. Absent: 20. */
  limit?: number | undefined;
  /** Id of the request after which to continue: `last_id` of the page before. */
  after?: string | undefined;
}

/** Options for sums of usage. */
export interface UsageSummaryQuery {
  /** Begin of the range in seconds since 1970, moved to the begin of its bucket. Absent: 30 days before `to`. */
  from?: number | undefined;
  /** End of the range in seconds since 1970. Absent: now. */
  to?: number | undefined;
  /** Length of a bucket; `hour` for at most 7 days. Absent: `day`. */
  bucket?: 'hour' | 'day' | 'week' | 'month' | undefined;
  /** What a row is apart from its bucket. Absent: all calls together. */
  group_by?: 'model' | 'key' | undefined;
  /** A second dimension. Absent: none. */
  then_by?: 'model' | 'key' | undefined;
  /** Only calls of this model. */
  model?: string | undefined;
  /** Only calls with this key. */
  key_id?: string | undefined;
}

/** Options for a page of the statement of an account. */
export interface StatementQuery {
  /** Only lines from this time on; in seconds since 1970. */
  from?: number | undefined;
  /** Only lines before this time; in seconds since 1970. */
  to?: number | undefined;
  /** The most lines to return: 1 to 100. Absent: 50. */
  limit?: number | undefined;
  /** Id of the line after which to continue: `last_id` of the page before. */
  after?: string | undefined;
}

/** A request whose answer comes as a stream of events. */
export type Streamed<Request> = Request & { readonly stream: true };
/** A request whose answer is one JSON object. */
export type Whole<Request> = Request & { readonly stream?: false | null | undefined };

/** What `stream` of a request may be. */
export type StreamFlag = boolean | null | undefined;
/** The answer to a request: events when `stream` is true, one object when it is not, either when the compiler does not know. */
export type AnswerTo<Flag extends StreamFlag, Answer, Event> = Flag extends true ? EventStream<Event> : Answer;

/**
 * A client of a Modelgate gateway.
 *
 * Every method retries (twice by default) after status 408, 409, 429 and 5xx and after a failed connection, and waits
 * as long as the gateway asks; a POST carries an idempotency key for that. It rejects with a subclass of `ModelgateError`: by status
 * (`BadRequestError`, `AuthenticationError`, `PermissionError`, `NotFoundError`, `ConflictError`, `RequestTooLargeError`, `RateLimitError`,
 * `ServerError`), or with `ConnectionError`, `TimeoutError` or `AbortError`.
 *
 * @example
 * const client = new Modelgate({ baseURL: 'http://127.0.0.1:8080/v1', apiKey: 'mg-…' });
 * const response = await client.createResponse({ model: 'gpt-5.4', input: 'Why is the sky blue?' });
 * console.log(outputText(response));
 */
export class Modelgate {
  /** Address of the gateway, ending in `/v1`. */
  readonly baseURL: string;
  readonly #settings: Settings;

  /** @throws ModelgateError for a base URL that does not end in `/v1`, and when there is no key. */
  constructor(options: ClientOptions = {}) {
    this.#settings = readSettings(options);
    this.baseURL = this.#settings.baseURL;
  }

  /** The models that the key can call: `GET /v1/models`. */
  listModels(options?: RequestOptions): Call<ModelList> {
    return this.#call('listModels', undefined, options);
  }

  /** One model that the key can call: `GET /v1/models/{model}`. Any other is a `NotFoundError`. */
  getModel(id: string, options?: RequestOptions): Call<Model> {
    return this.#call('getModel', undefined, options, id);
  }

  /** Every model with its prices, bounds and abilities: `GET /catalog`, beside `/v1`. */
  getCatalog(query?: CatalogQuery, options?: RequestOptions): Call<CatalogList> {
    return this.#call('getCatalog', undefined, options, '', query);
  }

  /**
   * A response, as one object or as a stream of events: `POST /v1/responses`.
   * `outputText(response)` reads its text. A stream ends with `response.completed`, `response.incomplete` or `response.failed`.
   */
  createResponse<Flag extends StreamFlag = undefined>(
    body: ResponseRequest & { readonly stream?: Flag | undefined },
    options?: RequestOptions,
  ): Call<AnswerTo<Flag, ModelResponse, ResponseStreamEvent | UnknownEvent>> {
    return this.#call('createResponse', body, options);
  }

  /** The input tokens that a response request would use, without making it: `POST /v1/responses/input_tokens`. Free. */
  countInputTokens(body: ResponseRequest, options?: RequestOptions): Call<InputTokens> {
    return this.#call('countInputTokens', body, options);
  }

  /** A stored response, as the caller got it: `GET /v1/responses/{response_id}`. */
  getResponse(id: string, options?: RequestOptions): Call<ModelResponse> {
    return this.#call('getResponse', undefined, options, id);
  }

  /** Deletes a stored response: `DELETE /v1/responses/{response_id}`. A retry after a lost answer gets a `NotFoundError`. */
  deleteResponse(id: string, options?: RequestOptions): Call<DeletedResponse> {
    return this.#call('deleteResponse', undefined, options, id);
  }

  /**
   * The input of a stored response, newest first: `GET /v1/responses/{response_id}/input_items`.
   * Awaited: one page. In a `for await` loop: every item of this page and of all later pages.
   */
  listInputItems(id: string, query: InputItemQuery = {}, options?: RequestOptions): PagedCall<InputItemList> {
    return openPages((page) => this.#call('listInputItems', undefined, options, id, page), query);
  }

  /**
   * An answer in a conversation, as one object or as a stream of chunks: `POST /v1/chat/completions`.
   * `chatText(completion)` reads its text; the text of a chunk is `chunk.choices[0]?.delta.content`.
   */
  createChatCompletion<Flag extends StreamFlag = undefined>(
    body: ChatCompletionRequest & { readonly stream?: Flag | undefined },
    options?: RequestOptions,
  ): Call<AnswerTo<Flag, ChatCompletion, ChatCompletionChunk>> {
    return this.#call('createChatCompletion', body, options);
  }

  /** Images generated from a prompt, as base64 in `data[].b64_json`: `POST /v1/images/generations`. */
  generateImages<Flag extends StreamFlag = undefined>(
    body: ImageGenerationRequest & { readonly stream?: Flag | undefined },
    options?: RequestOptions,
  ): Call<AnswerTo<Flag, ImageList, ImageGenerationEvent>> {
    return this.#call('generateImages', body, options);
  }

  /**
   * Images edited, or made from other images: `POST /v1/images/edits`.
   * A request with `image` (files) is sent as a form, one with `images` (data URLs) as JSON.
   */
  editImages<Flag extends StreamFlag = undefined>(
    body: (ImageEditUpload | ImageEditRequest) & { readonly stream?: Flag | undefined },
    options?: RequestOptions,
  ): Call<AnswerTo<Flag, ImageList, ImageEditEvent>> {
    return this.#call('editImages', body, options);
  }

  /**
   * Requests of the account and what they cost, newest first: `GET /v1/usage`.
   * Awaited: one page. In a `for await` loop: every request of this page and of all later pages.
   */
  listUsage(query: UsageQuery = {}, options?: RequestOptions): PagedCall<UsageList> {
    return openPages((page) => this.#call('listUsage', undefined, options, '', page), query);
  }

  /** The receipt of a request, by the `x-request-id` of its answer: `GET /v1/usage/{request_id}`. */
  getUsage(id: string, options?: RequestOptions): Call<Receipt> {
    return this.#call('getUsage', undefined, options, id);
  }

  /** The account of the key, with what is left to spend: `GET /v1/account`. */
  getAccount(options?: RequestOptions): Call<OwnAccount> {
    return this.#call('getAccount', undefined, options);
  }

  /** The key itself: what it may do, and what is left of its cap and limits: `GET /v1/key`. */
  getKey(options?: RequestOptions): Call<OwnKey> {
    return this.#call('getKey', undefined, options);
  }

  /** Sums of the calls of the account by time, model and key: `GET /v1/account/usage`. */
  getUsageSummary(query?: UsageSummaryQuery, options?: RequestOptions): Call<UsageSummary> {
    return this.#call('getUsageSummary', undefined, options, '', query);
  }

  /**
   * Money in and out of the account, newest first: `GET /v1/account/statement`.
   * Awaited: one page. In a `for await` loop: every line of this page and of all later pages.
   */
  listStatement(query: StatementQuery = {}, options?: RequestOptions): PagedCall<Statement> {
    return openPages((page) => this.#call('listStatement', undefined, options, '', page), query);
  }

  #call<Result>(
    name: keyof typeof routes,
    body: object | undefined,
    options: RequestOptions = {},
    ...[id, query]: readonly [id?: string, query?: object]
  ): Call<Result> {
    const route = { ...routes[name], path: fillPath(routes[name].path, id, query) };
    return openCall(answer({ settings: this.#settings, route, body: body && { ...body, ...options.extraBody }, options }));
  }
}

async function answer<Result>(order: Order): Promise<Answered<Result>> {
  const answered = await send(order);
  const { response, attempt } = answered;
  const data = order.body?.stream === true ? EventStream.open(response, attempt, order.route.ends) : await readBody(answered);
  // `as`: the gateway's answers follow the contract, which the types come from.
  return { data: data as Result, response, requestId: response.headers.get('x-request-id') };
}

/** The address of one call: what is absent in the query is left out. */
function fillPath(path: string, id = '', query: object = {}): string {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined));
  return path.replace(/{.*}/, () => encodeURIComponent(id)) + `?${search}`.replace(/\?$/, '');
}

async function readBody({ response, attempt }: Answer): Promise<unknown> {
  const body = await response
    .text()
    .catch((error) => Promise.reject(attempt.explain(error)))
    .finally(() => attempt.close());
  const value = parseJson(body);
  if (value !== undefined) return value;
  const { status, headers } = response;
  throw new ModelgateError(`The answer is not JSON; is this the address of a gateway? It begins: ${excerpt(body)}`, { status, headers });
}

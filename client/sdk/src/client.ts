/** The client: one typed method for each operation of the gateway. */
import { type Answered, type Call, openCall } from './call.ts';
import { ModelgateError } from './errors.ts';
import { EventStream } from './event-stream.ts';
import { type Fields, parseJson, truncateText } from './fields.ts';
import { type ClientOptions, type RequestOptions, readSettings, type Settings } from './options.ts';
import { openPages, type PagedCall } from './pages.ts';
import { ResponseConnection } from './response-connection.ts';
import { type Route, routes } from './routes.gen.ts';
import { type OutgoingRequest, type SentResponse, send } from './send.ts';
import type {
  CatalogList,
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionRequest,
  CompactedResponse,
  CompactionRequest,
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
  ProtocolList,
  Receipt,
  ResponseRequest,
  ResponseStreamEvent,
  Statement,
  UsageList,
  UsageSummary,
} from './types.gen.ts';
import type { ImageEditUpload } from './uploads.ts';

/** Options for a page of a stored response's input items. */
export interface InputItemQuery {
  /** Maximum number of items to return, from 1 to 100. Defaults to 20. */
  limit?: number | undefined;
  /** The order of the items: `asc` for oldest first, `desc` for newest first. Defaults to `desc`. */
  order?: 'asc' | 'desc' | undefined;
  /** A cursor: the `last_id` of the previous page. Omit for the first page. */
  after?: string | undefined;
}

/** Options for the list of protocols. */
export interface ProtocolQuery {
  /** Only this model. Omit to get all models that the key can call. */
  model?: string | undefined;
}

/** Options for the catalog. */
export interface CatalogQuery {
  /** Only models that accounts in this group can call, such as `default` or `vip`. Omit to get all models. */
  group?: string | undefined;
}

/** Options for a page of the account's requests. */
export interface UsageQuery {
  /** Only requests from this time on, as a Unix timestamp in seconds. */
  from?: number | undefined;
  /** Only requests before this time, as a Unix timestamp in seconds. */
  to?: number | undefined;
  /** Maximum number of requests to return, from 1 to 100. Defaults to 20. */
  limit?: number | undefined;
  /** A cursor: the `last_id` of the previous page. Omit for the first page. */
  after?: string | undefined;
}

/** Options for usage totals. */
export interface UsageSummaryQuery {
  /** The start of the range as a Unix timestamp in seconds, rounded down to the full hour. Defaults to 30 days before `to`. */
  from?: number | undefined;
  /** The end of the range as a Unix timestamp in seconds. Defaults to now. */
  to?: number | undefined;
  /** The length of a bucket. A range can have at most 7 days with `hour`. Defaults to `day`. */
  bucket?: 'hour' | 'day' | 'week' | 'month' | undefined;
  /** How to group the rows of a bucket. Omit to get one row for all calls. */
  group_by?: 'model' | 'key' | undefined;
  /** A second dimension to group by. Optional. */
  then_by?: 'model' | 'key' | undefined;
  /** Only calls to this model. Omit to get all models. */
  model?: string | undefined;
  /** Only calls with this key. Omit to get all keys. */
  key_id?: string | undefined;
}

/** Options for a page of the account's statement. */
export interface StatementQuery {
  /** Only lines from this time on, as a Unix timestamp in seconds. */
  from?: number | undefined;
  /** Only lines before this time, as a Unix timestamp in seconds. */
  to?: number | undefined;
  /** Maximum number of lines to return, from 1 to 100. Defaults to 50. */
  limit?: number | undefined;
  /** A cursor: the `last_id` of the previous page. Omit for the first page. */
  after?: string | undefined;
}

/** A request to a route without its own method. */
export interface RawRequest extends Route {
  /** Path below the gateway's origin, such as `/v1/models`, without a query. */
  readonly path: string;
  /** A JSON object. With `stream: true`, the response is an `EventStream`, and `ends` is required. */
  readonly body?: object | undefined;
  /** Query parameters. Undefined values are omitted. */
  readonly query?: object | undefined;
}

/** A request with a streamed response. */
export type Streamed<Request> = Request & { readonly stream: true };
/** A request whose response is one JSON object. */
export type Whole<Request> = Request & { readonly stream?: false | null | undefined };

/** The possible values of a request's `stream`. */
export type StreamFlag = boolean | null | undefined;
/** The type of a response: events if `stream` is true, an object if it's false or omitted, and either if the compiler can't tell. */
export type AnswerTo<Flag extends StreamFlag, Answer, Event> = Flag extends true ? EventStream<Event> : Answer;

/**
 * A client of a Modelgate gateway.
 *
 * Every method retries (twice by default) after status 408, 409, 429, and 5xx, and after a failed connection. It waits
 * as long as the gateway asks. It sends an idempotency key with every POST that it can retry. It rejects with a subclass of
 * `ModelgateError`: by status (`BadRequestError`, `AuthenticationError`, `PermissionError`, `NotFoundError`, `ConflictError`,
 * `RequestTooLargeError`, `RateLimitError`, `ServerError`), or with `ConnectionError`, `TimeoutError`, or `AbortError`.
 *
 * @example
 * const client = new Modelgate({ baseURL: 'http://127.0.0.1:8080/v1', apiKey: 'mg-…' });
 * const response = await client.createResponse({ model: 'gpt-5.4', input: 'Why is the sky blue?' });
 * console.log(outputText(response));
 */
export class Modelgate {
  /** The base URL of the gateway, ending with `/v1`. */
  readonly baseURL: string;
  readonly #settings: Settings;

  /** @throws ModelgateError if the base URL doesn't end with `/v1`, or if no API key is set. */
  constructor(options: ClientOptions = {}) {
    this.#settings = readSettings(options);
    this.baseURL = this.#settings.baseURL;
  }

  /**
   * Returns another client with the same settings, apart from those given here. `headers` are added to those of this client. An option
   * that is `undefined` gets its default again.
   *
   * @example
   * const patient = client.withOptions({ maxRetries: 5, timeoutMs: 1_800_000 });
   */
  withOptions(options: ClientOptions): Modelgate {
    const headers = { ...this.#settings.headers, ...options.headers };
    return new Modelgate({ ...this.#settings, ...options, headers });
  }

  /**
   * Sends a request to a route that this version has no method for, with the same headers, retries, and errors as every method.
   * The response is JSON of the type that you name, which isn't checked.
   *
   * @example
   * const { data } = await client.request<{ data: unknown[] }>({ method: 'GET', path: '/v1/newer', query: { limit: 5 } });
   */
  request<Result = unknown>({ body, query = {}, ...route }: RawRequest, options: RequestOptions = {}): Call<Result> {
    const fields: Fields | undefined = body && { ...body, ...options.extraBody };
    const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined));
    // One slash: without it, the path could extend the host name, and the key would be sent to another server.
    const path = route.path.replace(/^\/*/, '/') + `?${search}`.replace(/\?$/, '');
    const isStream = { ...query, ...fields }.stream === true;
    return openCall(sendAndRead({ settings: this.#settings, route: { ...route, path }, body: fields, isStream, options }));
  }

  /** Lists the models that the key can call: `GET /v1/models`. */
  listModels(options?: RequestOptions): Call<ModelList> {
    return this.#call('listModels', undefined, options);
  }

  /** Retrieves a model that the key can call: `GET /v1/models/{model}`. Any other model throws a `NotFoundError`. */
  getModel(id: string, options?: RequestOptions): Call<Model> {
    return this.#call('getModel', undefined, options, id);
  }

  /** Lists every model with its prices, limits, and capabilities: `GET /catalog`, which is outside `/v1`. */
  getCatalog(query?: CatalogQuery, options?: RequestOptions): Call<CatalogList> {
    return this.#call('getCatalog', undefined, options, '', query);
  }

  /** Lists what happens to the fields of a request, by model: `GET /v1/protocol`. */
  getProtocol(query?: ProtocolQuery, options?: RequestOptions): Call<ProtocolList> {
    return this.#call('getProtocol', undefined, options, '', query);
  }

  /**
   * Creates a response, as one object or as a stream of events: `POST /v1/responses`.
   * `outputText(response)` returns its text. A stream ends with `response.completed`, `response.incomplete`, or `response.failed`.
   */
  createResponse<Flag extends StreamFlag = undefined>(
    body: ResponseRequest & { readonly stream?: Flag | undefined },
    options?: RequestOptions,
  ): Call<AnswerTo<Flag, ModelResponse, ResponseStreamEvent>> {
    return this.#call('createResponse', body, options);
  }

  /**
   * Opens a WebSocket for agents that make many calls in one conversation: `GET /v1/responses`. Each turn sends only its new input.
   * Connects at the first turn, and again after a lost connection. Call `close()` when you're done.
   */
  connect(): ResponseConnection {
    return new ResponseConnection(this.#settings, (body, options) => this.createResponse({ ...body, stream: true }, options));
  }

  /** Counts the input tokens that a request would use, without running it: `POST /v1/responses/input_tokens`. Free of charge. */
  countInputTokens(body: ResponseRequest, options?: RequestOptions): Call<InputTokens> {
    return this.#call('countInputTokens', body, options);
  }

  /** Retrieves a stored response, exactly as it was returned when it was created: `GET /v1/responses/{response_id}`. */
  getResponse(id: string, options?: RequestOptions): Call<ModelResponse> {
    return this.#call('getResponse', undefined, options, id);
  }

  /**
   * Streams the events of a stored response again, from the first one or after `starting_after`, and continues while it runs:
   * `GET /v1/responses/{response_id}?stream=true`.
   */
  streamResponse(
    id: string,
    query: { readonly starting_after?: number | undefined } = {},
    options?: RequestOptions,
  ): Call<AnswerTo<true, ModelResponse, ResponseStreamEvent>> {
    return this.#call('getResponse', undefined, options, id, { ...query, stream: true });
  }

  /** Cancels a response that runs in the background: `POST /v1/responses/{response_id}/cancel`. Returns an ended response unchanged. */
  cancelResponse(id: string, options?: RequestOptions): Call<ModelResponse> {
    return this.#call('cancelResponse', undefined, options, id);
  }

  /**
   * Compacts a conversation: `POST /v1/responses/compact`. `output` replaces it: send it before your next input, without `previous_response_id`.
   */
  compactResponse(body: CompactionRequest, options?: RequestOptions): Call<CompactedResponse> {
    return this.#call('compactResponse', body, options);
  }

  /** Deletes a stored response: `DELETE /v1/responses/{response_id}`. A retry after a lost response gets a `NotFoundError`. */
  deleteResponse(id: string, options?: RequestOptions): Call<DeletedResponse> {
    return this.#call('deleteResponse', undefined, options, id);
  }

  /**
   * Lists the input of a stored response, newest first: `GET /v1/responses/{response_id}/input_items`.
   * With `await`, you get one page. A `for await` loop gets every item of this page and of all later pages.
   */
  listInputItems(id: string, query: InputItemQuery = {}, options?: RequestOptions): PagedCall<InputItemList> {
    return openPages((page) => this.#call('listInputItems', undefined, options, id, page), query);
  }

  /**
   * Creates a completion for a conversation, as one object or as a stream of chunks: `POST /v1/chat/completions`.
   * `chatText(completion)` returns its text. The text of a chunk is `chunk.choices[0]?.delta.content`.
   */
  createChatCompletion<Flag extends StreamFlag = undefined>(
    body: ChatCompletionRequest & { readonly stream?: Flag | undefined },
    options?: RequestOptions,
  ): Call<AnswerTo<Flag, ChatCompletion, ChatCompletionChunk>> {
    return this.#call('createChatCompletion', body, options);
  }

  /** Generates images from a prompt, as base64 in `data[].b64_json`: `POST /v1/images/generations`. */
  generateImages<Flag extends StreamFlag = undefined>(
    body: ImageGenerationRequest & { readonly stream?: Flag | undefined },
    options?: RequestOptions,
  ): Call<AnswerTo<Flag, ImageList, ImageGenerationEvent>> {
    return this.#call('generateImages', body, options);
  }

  /**
   * Edits images, or creates a new image from them: `POST /v1/images/edits`.
   * A request with `image` (files) is sent as a form, one with `images` (data URLs) as JSON.
   */
  editImages<Flag extends StreamFlag = undefined>(
    body: (ImageEditUpload | ImageEditRequest) & { readonly stream?: Flag | undefined },
    options?: RequestOptions,
  ): Call<AnswerTo<Flag, ImageList, ImageEditEvent>> {
    return this.#call('editImages', body, options);
  }

  /**
   * Lists the requests of the account with their cost, newest first: `GET /v1/usage`.
   * With `await`, you get one page. A `for await` loop gets every request of this page and of all later pages.
   */
  listUsage(query: UsageQuery = {}, options?: RequestOptions): PagedCall<UsageList> {
    return openPages((page) => this.#call('listUsage', undefined, options, '', page), query);
  }

  /** Retrieves the receipt of a request, by the `x-request-id` of its response: `GET /v1/usage/{request_id}`. */
  getUsage(id: string, options?: RequestOptions): Call<Receipt> {
    return this.#call('getUsage', undefined, options, id);
  }

  /** Retrieves the account that owns the key, with what's left to spend: `GET /v1/account`. */
  getAccount(options?: RequestOptions): Call<OwnAccount> {
    return this.#call('getAccount', undefined, options);
  }

  /** Retrieves the key: its permissions, and what's left of its spending cap and limits: `GET /v1/key`. */
  getKey(options?: RequestOptions): Call<OwnKey> {
    return this.#call('getKey', undefined, options);
  }

  /** Totals the account's calls by time, model, and key: `GET /v1/account/usage`. */
  getUsageSummary(query?: UsageSummaryQuery, options?: RequestOptions): Call<UsageSummary> {
    return this.#call('getUsageSummary', undefined, options, '', query);
  }

  /**
   * Lists the payments and charges of the account, newest first: `GET /v1/account/statement`.
   * With `await`, you get one page. A `for await` loop gets every line of this page and of all later pages.
   */
  listStatement(query: StatementQuery = {}, options?: RequestOptions): PagedCall<Statement> {
    return openPages((page) => this.#call('listStatement', undefined, options, '', page), query);
  }

  #call<Result>(
    name: keyof typeof routes,
    body: object | undefined,
    options?: RequestOptions,
    ...[id = '', query]: readonly [id?: string, query?: object]
  ): Call<Result> {
    const path = routes[name].path.replace(/{.*}/, () => encodeURIComponent(id));
    return this.request({ ...routes[name], path, body, query }, options);
  }
}

async function sendAndRead<Result>(order: OutgoingRequest): Promise<Answered<Result>> {
  const answered = await send(order);
  const { response, attempt } = answered;
  const data = order.isStream ? EventStream.open(response, attempt, order.route.ends) : await readBody(answered);
  // `as`: responses of the gateway follow the contract, which defines these types.
  return { data: data as Result, response, requestId: response.headers.get('x-request-id') };
}

async function readBody({ response, attempt }: SentResponse): Promise<unknown> {
  const body = await response
    .text()
    .catch((error) => Promise.reject(attempt.explain(error)))
    .finally(() => attempt.close());
  const value = parseJson(body);
  if (value !== undefined) return value;
  const { status, headers } = response;
  throw new ModelgateError(`The response isn't JSON. Check the base URL. It begins: ${truncateText(body)}`, { status, headers });
}

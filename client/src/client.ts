/** The client: one typed method for each operation of the gateway (specification part 4). */
import { ModelgateError } from './errors.ts';
import { EventStream } from './event-stream.ts';
import { excerpt, type Fields, parseJson } from './fields.ts';
import { type ClientOptions, type RequestOptions, readSettings, type Settings } from './options.ts';
import { routes } from './routes.gen.ts';
import { type Answer, send } from './send.ts';
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
  Model,
  ModelList,
  ModelResponse,
  Receipt,
  ResponseRequest,
  ResponseStreamEvent,
  UsageList,
} from './types.gen.ts';
import type { ImageEditUpload } from './uploads.ts';

/** Which page of the input items of a stored response. */
export interface InputItemQuery {
  /** Most items to return: 1 to 100. Absent: 20. */
  limit?: number | undefined;
  /** `asc`: oldest first. Absent: `desc`, newest first. */
  order?: 'asc' | 'desc' | undefined;
  /** Id of the item to go on after: `last_id` of the page before. */
  after?: string | undefined;
}

/** Which models of the catalog. */
export interface CatalogQuery {
  /** Only models that accounts of this group may call, such as `default` or `vip`. Absent: all of them. */
  group?: string | undefined;
}

/** Which page of the requests of an account. */
export interface UsageQuery {
  /** Only requests from this time on; in seconds since 1970. */
  from?: number | undefined;
  /** Only requests before this time; in seconds since 1970. */
  to?: number | undefined;
  /** Most requests to return: 1 to 100. Absent: 20. */
  limit?: number | undefined;
  /** Id of the request to go on after: `last_id` of the page before. */
  after?: string | undefined;
}

/** A request whose answer comes as a stream of events. */
export type Streamed<Request> = Request & { readonly stream: true };
/** A request whose answer comes whole. */
export type Whole<Request> = Request & { readonly stream?: false | null | undefined };

/**
 * A client of a Modelgate gateway.
 *
 * Every method sends a request again (twice, unless told otherwise) after status 408, 409, 429 and 5xx and after a failed connection, and waits
 * as long as the gateway asks. It rejects with a subclass of `ModelgateError`: by status (`BadRequestError`, `AuthenticationError`,
 * `PermissionError`, `NotFoundError`, `ConflictError`, `RequestTooLargeError`, `RateLimitError`, `ServerError`), or with `ConnectionError`,
 * `TimeoutError` or `AbortError`.
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

  /** @throws ModelgateError for a base URL that does not end in `/v1`, and where there is no key. */
  constructor(options: ClientOptions = {}) {
    this.#settings = readSettings(options);
    this.baseURL = this.#settings.baseURL;
  }

  /** The models that the key can call: `GET /v1/models` (specification 4.1). */
  listModels(options?: RequestOptions): Promise<ModelList> {
    return this.#call('listModels', undefined, options);
  }

  /** One model that the key can call: `GET /v1/models/{model}`. Any other is a `NotFoundError`. */
  getModel(id: string, options?: RequestOptions): Promise<Model> {
    return this.#call('getModel', undefined, options, id);
  }

  /** Every model with its prices, bounds and abilities: `GET /catalog`, beside `/v1` (specification 2.1). */
  getCatalog(query?: CatalogQuery, options?: RequestOptions): Promise<CatalogList> {
    return this.#call('getCatalog', undefined, options, '', query);
  }

  /**
   * A response, whole or as a stream of its events: `POST /v1/responses` (specification 4.2).
   * `outputText(response)` reads its text. A stream ends with `response.completed`, `response.incomplete` or `response.failed`.
   */
  createResponse(body: Streamed<ResponseRequest>, options?: RequestOptions): Promise<EventStream<ResponseStreamEvent>>;
  createResponse(body: Whole<ResponseRequest>, options?: RequestOptions): Promise<ModelResponse>;
  createResponse(body: ResponseRequest, options?: RequestOptions): Promise<ModelResponse | EventStream<ResponseStreamEvent>>;
  createResponse(body: ResponseRequest, options?: RequestOptions): Promise<ModelResponse | EventStream<ResponseStreamEvent>> {
    return this.#call('createResponse', body, options);
  }

  /** A stored response as it was answered: `GET /v1/responses/{response_id}`. */
  getResponse(id: string, options?: RequestOptions): Promise<ModelResponse> {
    return this.#call('getResponse', undefined, options, id);
  }

  /** Deletes a stored response: `DELETE /v1/responses/{response_id}`. A repeat after a lost answer finds nothing: `NotFoundError`. */
  deleteResponse(id: string, options?: RequestOptions): Promise<DeletedResponse> {
    return this.#call('deleteResponse', undefined, options, id);
  }

  /** A page of what the model was given for a stored response, newest first: `GET /v1/responses/{response_id}/input_items`. */
  listInputItems(id: string, query?: InputItemQuery, options?: RequestOptions): Promise<InputItemList> {
    return this.#call('listInputItems', undefined, options, id, query);
  }

  /**
   * An answer in a conversation, whole or as a stream of chunks: `POST /v1/chat/completions` (specification 4.3).
   * `chatText(completion)` reads its text; of a chunk it is `chunk.choices[0]?.delta.content`.
   */
  createChatCompletion(body: Streamed<ChatCompletionRequest>, options?: RequestOptions): Promise<EventStream<ChatCompletionChunk>>;
  createChatCompletion(body: Whole<ChatCompletionRequest>, options?: RequestOptions): Promise<ChatCompletion>;
  createChatCompletion(body: ChatCompletionRequest, options?: RequestOptions): Promise<ChatCompletion | EventStream<ChatCompletionChunk>>;
  createChatCompletion(body: ChatCompletionRequest, options?: RequestOptions): Promise<ChatCompletion | EventStream<ChatCompletionChunk>> {
    return this.#call('createChatCompletion', body, options);
  }

  /** Images drawn from a prompt, as base64 in `data[].b64_json`: `POST /v1/images/generations` (specification 4.4). */
  generateImages(body: Streamed<ImageGenerationRequest>, options?: RequestOptions): Promise<EventStream<ImageGenerationEvent>>;
  generateImages(body: Whole<ImageGenerationRequest>, options?: RequestOptions): Promise<ImageList>;
  generateImages(body: ImageGenerationRequest, options?: RequestOptions): Promise<ImageList | EventStream<ImageGenerationEvent>>;
  generateImages(body: ImageGenerationRequest, options?: RequestOptions): Promise<ImageList | EventStream<ImageGenerationEvent>> {
    return this.#call('generateImages', body, options);
  }

  /**
   * Images changed, or drawn from other images: `POST /v1/images/edits` (specification 4.5).
   * With `image` (files) it is sent as a form, with `images` (data URLs) as JSON.
   */
  editImages(body: Streamed<ImageEditUpload | ImageEditRequest>, options?: RequestOptions): Promise<EventStream<ImageEditEvent>>;
  editImages(body: Whole<ImageEditUpload | ImageEditRequest>, options?: RequestOptions): Promise<ImageList>;
  editImages(body: ImageEditUpload | ImageEditRequest, options?: RequestOptions): Promise<ImageList | EventStream<ImageEditEvent>>;
  editImages(body: ImageEditUpload | ImageEditRequest, options?: RequestOptions): Promise<ImageList | EventStream<ImageEditEvent>> {
    return this.#call('editImages', body, options);
  }

  /** Requests of the account and what they cost, newest first: `GET /v1/usage`. */
  listUsage(query?: UsageQuery, options?: RequestOptions): Promise<UsageList> {
    return this.#call('listUsage', undefined, options, '', query);
  }

  /** The receipt of a request, by the `x-request-id` of its answer: `GET /v1/usage/{request_id}`. */
  getUsage(id: string, options?: RequestOptions): Promise<Receipt> {
    return this.#call('getUsage', undefined, options, id);
  }

  async #call<Result>(
    name: keyof typeof routes,
    body: object | undefined,
    options: RequestOptions = {},
    ...[id, query]: readonly [id?: string, query?: object]
  ): Promise<Result> {
    const route = { ...routes[name], path: fillPath(routes[name].path, id, query) };
    const fields: Fields | undefined = body && { ...body, ...options.extraBody };
    const answer = await send({ settings: this.#settings, route, body: fields, options });
    const result = fields?.stream === true ? EventStream.open(answer.response, answer.attempt, route.ends) : await readBody(answer);
    // What the gateway sends is trusted to be what the contract promises; the types come from there.
    return result as Result;
  }
}

/** The address of one call: what is absent in the query is left out. */
function fillPath(path: string, id = '', query: object = {}): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(entries);
  return path.replace(/{.*}/, () => encodeURIComponent(id)) + (entries.length > 0 ? `?${search}` : '');
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

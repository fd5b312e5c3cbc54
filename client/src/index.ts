/** What the package `@modelgate/client` exports: the client, its errors and streams, and the types of the contract (specification part 4). */
export { type CatalogQuery, type InputItemQuery, Modelgate, type Streamed, type UsageQuery, type Whole } from './client.ts';
export {
  AbortError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  type FailureDetails,
  ModelgateError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  RequestTooLargeError,
  ServerError,
  StreamError,
  TimeoutError,
} from './errors.ts';
export { EventStream } from './event-stream.ts';
export type * from './operation-errors.gen.ts';
export type { ClientOptions, ExtraHeaders, RequestOptions } from './options.ts';
export { chatText, outputText } from './text.ts';
export type * from './types.gen.ts';
export type { ImageEditUpload, NamedBytes, Upload } from './uploads.ts';

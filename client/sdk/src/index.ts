/** What the package `@modelgate/client` exports: the client, its errors and streams, and the types of the contract. */
export type { Answered, Call } from './call.ts';
export {
  type AnswerTo,
  type CatalogQuery,
  type InputItemQuery,
  Modelgate,
  type ProtocolQuery,
  type RawRequest,
  type StatementQuery,
  type Streamed,
  type StreamFlag,
  type UsageQuery,
  type UsageSummaryQuery,
  type Whole,
} from './client.ts';
export { finalCompletion } from './completion.ts';
export {
  AbortError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  type FailureDetails,
  ModelgateError,
  NotFoundError,
  ParseError,
  PermissionError,
  RateLimitError,
  RequestTooLargeError,
  type SchemaIssue,
  ServerError,
  StreamError,
  TimeoutError,
} from './errors.ts';
export { type EventOf, EventStream, type EventType } from './event-stream.ts';
export { extraOf, withExtra } from './extra.ts';
export type { LogFields, Logger, LogLevel } from './logger.ts';
export type * from './operation-errors.gen.ts';
export type { ClientOptions, ExtraHeaders, RequestOptions } from './options.ts';
export type { Page, PagedCall } from './pages.ts';
export { ResponseConnection, type TurnOptions } from './response-connection.ts';
export {
  createParsedCompletion,
  createParsedResponse,
  jsonSchemaOf,
  type Parsed,
  type ParsedOptions,
  parse,
  type StandardJsonSchema,
  type StandardSchema,
} from './schema.ts';
export { chatText, outputText } from './text.ts';
export { type LocalTool, runTools, type ToolCallInfo, type ToolLoopOptions, type ToolOptions, tool } from './tools.ts';
export type * from './types.gen.ts';
export type { ImageEditUpload, NamedBytes, Upload } from './uploads.ts';

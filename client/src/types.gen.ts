/** The shapes of the contract: what is sent, and what comes back (specification parts 2 and 6). */
// Generated from the contract by `node docs/client.ts`; do not edit.

/** What the gateway carries to and from the model. How well the model makes use of it is its own affair. */
export interface Abilities {
  /** Function tools, and free-form tools such as `apply_patch`. */
  tools: boolean;
  /** Tools that the upstream runs itself, such as a web search. */
  hosted_tools: boolean;
  /** Whether a caller can say if there may be several calls at once. */
  parallel_tool_calls: boolean;
  image_input: boolean;
  /** What an answer can be held to: a JSON schema, any JSON object, or neither. */
  structured_output: 'schema' | 'json' | 'none';
  /** Whether a caller can say how much it should think. */
  reasoning_effort: boolean;
}

/** Tools that a coding agent declares inside the input. */
export interface AdditionalTools {
  type: 'additional_tools';
  role?: 'developer' | null | undefined;
  /** At most 128 entries. */
  tools: Tool[];
  /** 1 to 512 characters. */
  id?: string | null | undefined;
  status?: ItemStatus | null | undefined;
}

/** A tool of the request, named as it is there. */
export interface AllowedTool {
  /** At most 512 characters. */
  type: string;
  [key: string]: unknown;
}

/** A subset of the tools of the request. */
export interface AllowedTools {
  type: 'allowed_tools';
  mode: 'auto' | 'required';
  /** 1 to 128 entries. */
  tools: AllowedTool[];
}

/** A piece of sound: its bytes as base64, and what they are. */
export interface AudioClip {
  data: string;
  format: 'wav' | 'mp3';
}

/** Models of the catalog. Which of them a key can call, `GET /v1/models` says. */
export interface CatalogList {
  object: 'list';
  /** In a stable order. */
  data: CatalogModel[];
}

/** One model, for whoever chooses. */
export interface CatalogModel {
  /** Model id to put into requests. */
  id: string;
  object: 'model';
  /** Where the model comes from. */
  owned_by: string;
  kind: 'text' | 'image';
  /** Groups of accounts that may call it, and what its prices are multiplied with for each. */
  groups: Array<{
    name: string;
    multiplier: Multiplier;
  }>;
  /** Null where calls are not charged. */
  prices: CatalogPrices | null;
  /** Tokens that it takes, answer included. Null where that is not known. */
  context_window: number | null;
  /** Most tokens of one answer, by which its price is reckoned where a call sets no limit. Null for pictures. */
  max_output_tokens: number | null;
  /** What it can be called by. */
  protocols: Array<'chat' | 'responses' | 'images'>;
  abilities: Abilities;
}

/** Prices before the multiplier of a group. */
export type CatalogPrices = 'free' | TokenPrices | ImagePrices;

/** A subset of the tools of the request. */
export interface ChatAllowedTools {
  type: 'allowed_tools';
  allowed_tools: {
    mode: 'auto' | 'required';
    /** 1 to 128 entries. */
    tools: ChatNamedChoice[];
  };
}

/** Chat annotation. */
export interface ChatAnnotation {
  type: string;
  url_citation?: {
    url: string;
    title: string;
    start_index: number;
    end_index: number;
  } | null | undefined;
}

/** A call of a custom tool. */
export interface ChatAnsweredCustomCall {
  id: string;
  type: 'custom';
  custom: {
    name: string;
    input: string;
  };
}

/** The function that the model calls; `arguments` is JSON as it wrote it. */
export interface ChatAnsweredFunction {
  name: string;
  arguments: string;
}

/** A call of a function. */
export interface ChatAnsweredFunctionCall {
  id: string;
  type: 'function';
  function: ChatAnsweredFunction;
}

/** Chat answered message: `role` is `assistant`. */
export interface ChatAnsweredMessage {
  role: 'assistant';
  /** The text of the answer; null when the model only calls tools. */
  content?: string | null | undefined;
  refusal?: string | null | undefined;
  annotations?: ChatAnnotation[] | null | undefined;
  tool_calls?: ChatAnsweredToolCall[] | null | undefined;
  function_call?: ChatAnsweredFunction | null | undefined;
  audio?: {
    id: string;
    data: string;
    /** Seconds since 1970-01-01 UTC. */
    expires_at: number;
    transcript: string;
  } | null | undefined;
}

/** A call for the caller to run; its `id` goes back as `tool_call_id`. */
export type ChatAnsweredToolCall = ChatAnsweredFunctionCall | ChatAnsweredCustomCall;

/** An earlier answer; carries text, a refusal, audio or calls. */
export interface ChatAssistantMessage {
  role: 'assistant';
  content?: string | ChatAssistantPart[] | null | undefined;
  refusal?: string | null | undefined;
  audio?: {
    /** 1 to 512 characters. */
    id: string;
  } | null | undefined;
  /** At most 128 entries. */
  tool_calls?: ChatToolCall[] | null | undefined;
  /** @deprecated use `tool_calls`. */
  function_call?: ChatCalledFunction | null | undefined;
  /** Tells participants of the same role apart. At most 512 characters. */
  name?: string | null | undefined;
}

/** A piece of an earlier answer. */
export type ChatAssistantPart = ChatTextPart | ChatRefusalPart;

/** Chat audio options. */
export interface ChatAudioOptions {
  voice: string | { [key: string]: unknown; };
  format: 'wav' | 'aac' | 'mp3' | 'flac' | 'opus' | 'pcm16';
}

/** Chat audio part: `type` is `input_audio`. */
export interface ChatAudioPart {
  type: 'input_audio';
  input_audio: AudioClip;
  /** Marks the end of a part of the prompt that may be cached. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** The function that was called in an earlier turn, and with what. */
export interface ChatCalledFunction {
  /** At most 512 characters. */
  name: string;
  /** JSON as the model wrote it; it may be malformed. */
  arguments: string;
}

/** The text is in `choices[0].message.content`. */
export interface ChatCompletion {
  id: string;
  object: 'chat.completion';
  /** Seconds since 1970-01-01 UTC. */
  created: number;
  /** Id of the model that answered. */
  model: string;
  choices: Array<{
    index: number;
    message: ChatAnsweredMessage;
    finish_reason: FinishReason;
    logprobs?: ChatLogprobs | null | undefined;
  }>;
  usage?: ChatUsage | null | undefined;
  service_tier?: string | null | undefined;
  system_fingerprint?: string | null | undefined;
}

/** One `data:` line of a chat stream. The stream ends with `data: [DONE]`. */
export interface ChatCompletionChunk {
  id: string;
  object: 'chat.completion.chunk';
  /** Seconds since 1970-01-01 UTC. */
  created: number;
  model: string;
  /** Empty in the chunk that carries the usage. */
  choices: Array<{
    index: number;
    delta: ChatDelta;
    finish_reason?: FinishReason | null | undefined;
    logprobs?: ChatLogprobs | null | undefined;
  }>;
  /** Only where `stream_options.include_usage` was asked for: null, and filled in the last chunk. */
  usage?: ChatUsage | null | undefined;
  service_tier?: string | null | undefined;
  system_fingerprint?: string | null | undefined;
}

/** Null counts as absent. A field that no operation knows is left out and named in `x-modelgate-ignored`, unless the operator of the upstream allows it. */
export interface ChatCompletionRequest {
  /** Id of a text model. 1 to 512 characters. */
  model: string;
  /** The conversation, oldest first. 1 to 4096 entries. */
  messages: ChatMessage[];
  /** True: the answer comes as Server-Sent Events. Absent: false. */
  stream?: boolean | null | undefined;
  /** At most 128 entries. */
  tools?: ChatTool[] | null | undefined;
  tool_choice?: ChatToolChoice | null | undefined;
  response_format?: ChatResponseFormat | null | undefined;
  reasoning_effort?: ReasoningEffort | null | undefined;
  /** Most output tokens, reasoning included. At least 1. */
  max_completion_tokens?: number | null | undefined;
  /** Only with `stream: true`. `include_usage` adds a last chunk with the usage. */
  stream_options?: {
    include_usage?: boolean | null | undefined;
    include_obfuscation?: boolean | null | undefined;
  } | null | undefined;
  /** Usual range 0 to 2. Absent: the model’s own. 0 to 2. */
  temperature?: number | null | undefined;
  /** Nucleus sampling. Absent: the model’s own. 0 to 1. */
  top_p?: number | null | undefined;
  /** The older name of `max_completion_tokens`; send one of the two. At least 1. */
  max_tokens?: number | null | undefined;
  /** Number of answers. Absent: 1. 1 to 128. */
  n?: number | null | undefined;
  /** Up to four texts that end the answer. */
  stop?: string | string[] | null | undefined;
  /** -2 to 2. */
  frequency_penalty?: number | null | undefined;
  /** -2 to 2. */
  presence_penalty?: number | null | undefined;
  /** Token id to a bias from -100 to 100. */
  logit_bias?: { [key: string]: number; } | null | undefined;
  /** Return log probabilities of the output tokens. */
  logprobs?: boolean | null | undefined;
  /** How many alternatives per token; needs `logprobs: true`. 0 to 20. */
  top_logprobs?: number | null | undefined;
  /** @deprecated best effort to repeat an answer. */
  seed?: number | null | undefined;
  /** Whether the model may make several calls at once. Absent: true. */
  parallel_tool_calls?: boolean | null | undefined;
  /** @deprecated use `tools`. At most 128 entries. */
  functions?: Array<{
    /** At most 512 characters. */
    name: string;
    description?: string | null | undefined;
    parameters?: { [key: string]: unknown; } | null | undefined;
  }> | null | undefined;
  /** @deprecated use `tool_choice`. */
  function_call?: 'none' | 'auto' | ChatFunctionName | null | undefined;
  /** Sent by bridge tools: `reasoning.effort` counts as `reasoning_effort`. */
  reasoning?: {
    effort?: ReasoningEffort | null | undefined;
  } | null | undefined;
  verbosity?: Verbosity | null | undefined;
  /** At most 2 entries. */
  modalities?: Array<'text' | 'audio'> | null | undefined;
  /** Needed when `modalities` has `audio`. */
  audio?: ChatAudioOptions | null | undefined;
  prediction?: {
    type: 'content';
    content: string | ChatTextPart[];
  } | null | undefined;
  /** Taken, and never honoured: upstreams are told to keep nothing, and true is named in `x-modelgate-ignored`. */
  store?: boolean | null | undefined;
  metadata?: Metadata | null | undefined;
  /** @deprecated use `safety_identifier` and `prompt_cache_key`. At most 512 characters. */
  user?: string | null | undefined;
  /** At most 64 characters. */
  safety_identifier?: string | null | undefined;
  /** At most 64 characters. */
  prompt_cache_key?: string | null | undefined;
  /** @deprecated use `prompt_cache_options`. */
  prompt_cache_retention?: 'in_memory' | 'in-memory' | '24h' | null | undefined;
  prompt_cache_options?: PromptCacheOptions | null | undefined;
  service_tier?: ServiceTier | null | undefined;
  web_search_options?: {
    search_context_size?: 'low' | 'medium' | 'high' | null | undefined;
    user_location?: { [key: string]: unknown; } | null | undefined;
  } | null | undefined;
  moderation?: TextModeration | null | undefined;
}

/** One custom tool, by its name. */
export interface ChatCustomChoice {
  type: 'custom';
  custom: ChatNamedTool;
}

/** A tool that takes free text instead of JSON arguments. */
export interface ChatCustomTool {
  type: 'custom';
  custom: {
    name: ToolName;
    /** What the tool does and when to use it; the model reads this. */
    description?: string | null | undefined;
    format?: ChatCustomToolFormat | null | undefined;
  };
}

/** A call of a custom tool in an earlier turn. */
export interface ChatCustomToolCall {
  /** 1 to 512 characters. */
  id: string;
  type: 'custom';
  custom: {
    /** At most 512 characters. */
    name: string;
    input: string;
  };
}

/** What the input of the tool has to look like. */
export type ChatCustomToolFormat = PlainTextFormat | ChatGrammarFormat;

/** Chat delta. */
export interface ChatDelta {
  role?: 'assistant' | 'developer' | 'system' | 'user' | 'tool' | null | undefined;
  content?: string | null | undefined;
  refusal?: string | null | undefined;
  tool_calls?: ChatToolCallDelta[] | null | undefined;
  function_call?: ChatFunctionDelta | null | undefined;
}

/** Chat file part: `type` is `file`. */
export interface ChatFilePart {
  type: 'file';
  file: {
    /** At most 512 characters. */
    filename?: string | null | undefined;
    /** A data URL. */
    file_data?: string | null | undefined;
    /** 1 to 512 characters. */
    file_id?: string | null | undefined;
  };
  /** Marks the end of a part of the prompt that may be cached. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** One function, by its name. */
export interface ChatFunctionChoice {
  type: 'function';
  function: ChatNamedTool;
}

/** Chat function definition. */
export interface ChatFunctionDefinition {
  name: ToolName;
  /** What the tool does and when to use it; the model reads this. */
  description?: string | null | undefined;
  /** JSON schema of the arguments. Absent: no arguments. */
  parameters?: { [key: string]: unknown; } | null | undefined;
  /** Whether the arguments must follow the schema exactly. Absent: false. */
  strict?: boolean | null | undefined;
}

/** A piece of a function call: its name once, its arguments bit by bit. */
export interface ChatFunctionDelta {
  name?: string | undefined;
  arguments?: string | undefined;
}

/** @deprecated use the role `tool`. */
export interface ChatFunctionMessage {
  role: 'function';
  /** At most 512 characters. */
  name: string;
  content?: string | null | undefined;
}

/** @deprecated the one of `functions` that has to be called. */
export interface ChatFunctionName {
  /** At most 512 characters. */
  name: string;
}

/** A function that the caller runs. */
export interface ChatFunctionTool {
  type: 'function';
  function: ChatFunctionDefinition;
}

/** A call of a function in an earlier turn. */
export interface ChatFunctionToolCall {
  /** 1 to 512 characters. */
  id: string;
  type: 'function';
  function: ChatCalledFunction;
}

/** Text that follows a grammar. */
export interface ChatGrammarFormat {
  type: 'grammar';
  grammar: {
    syntax: 'lark' | 'regex';
    /** The grammar that the input has to follow. Not empty. */
    definition: string;
  };
}

/** Chat image part: `type` is `image_url`. */
export interface ChatImagePart {
  type: 'image_url';
  image_url: {
    /** A data URL, or an https address where the upstream can fetch it. The gateway never fetches it. Not empty. */
    url: string;
    detail?: 'auto' | 'low' | 'high' | 'original' | null | undefined;
  };
  /** Marks the end of a part of the prompt that may be cached. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** Sets the behaviour of the assistant. */
export interface ChatInstructionMessage {
  role: 'system' | 'developer';
  content: string | ChatTextPart[];
  /** Tells participants of the same role apart. At most 512 characters. */
  name?: string | null | undefined;
}

/** JSON that follows a schema of the caller. */
export interface ChatJsonSchemaFormat {
  type: 'json_schema';
  json_schema: {
    name: string;
    description?: string | null | undefined;
    schema?: { [key: string]: unknown; } | null | undefined;
    strict?: boolean | null | undefined;
  };
}

/** Chat logprobs. */
export interface ChatLogprobs {
  content?: ChatTokenLogprob[] | null | undefined;
  refusal?: ChatTokenLogprob[] | null | undefined;
}

/** Chat message. */
export type ChatMessage = ChatInstructionMessage | ChatUserMessage | ChatAssistantMessage | ChatToolMessage | ChatFunctionMessage;

/** One tool, by its name. */
export type ChatNamedChoice = ChatFunctionChoice | ChatCustomChoice;

/** A tool of the request, by its name. */
export interface ChatNamedTool {
  name: ToolName;
}

/** Chat refusal part: `type` is `refusal`. */
export interface ChatRefusalPart {
  type: 'refusal';
  refusal: string;
}

/** Form of the answer. On responses this is `text.format`, one level flatter. */
export type ChatResponseFormat = PlainTextFormat | JsonObjectFormat | ChatJsonSchemaFormat;

/** Chat text part: `type` is `text`. */
export interface ChatTextPart {
  type: 'text';
  text: string;
  /** Marks the end of a part of the prompt that may be cached. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** A token of the answer, and how likely it was. */
export interface ChatTokenLogprob {
  token: string;
  logprob: number;
  bytes?: number[] | null | undefined;
  top_logprobs: ChatTopLogprob[];
}

/** Chat tool. */
export type ChatTool = ChatFunctionTool | ChatCustomTool;

/** A call that the model made in an earlier turn. */
export type ChatToolCall = ChatFunctionToolCall | ChatCustomToolCall;

/** `id`, `type` and the name come once, on the first piece of a call. */
export interface ChatToolCallDelta {
  /** Which call this piece belongs to. 0 to 127. */
  index: number;
  id?: string | undefined;
  type?: 'function' | 'custom' | undefined;
  function?: ChatFunctionDelta | undefined;
  custom?: {
    name?: string | undefined;
    input?: string | undefined;
  } | undefined;
}

/** `none`, `auto`, `required`, one tool by name, or a subset of the tools. */
export type ChatToolChoice = 'none' | 'auto' | 'required' | ChatToolSelection;

/** The result of a tool call. */
export interface ChatToolMessage {
  role: 'tool';
  content: string | ChatTextPart[];
  /** Id of the call that this answers. 1 to 512 characters. */
  tool_call_id: string;
}

/** One tool by its name, or a subset of them. */
export type ChatToolSelection = ChatFunctionChoice | ChatCustomChoice | ChatAllowedTools;

/** A token that could have stood there, and how likely it was. */
export interface ChatTopLogprob {
  token: string;
  logprob: number;
  bytes?: number[] | null | undefined;
}

/** Chat usage. */
export interface ChatUsage {
  prompt_tokens: number;
  completion_tokens: number;
  /** The sum of the two. */
  total_tokens: number;
  /** Parts of `prompt_tokens`. */
  prompt_tokens_details?: {
    cached_tokens?: number | null | undefined;
    cache_write_tokens?: number | null | undefined;
    audio_tokens?: number | null | undefined;
  } | null | undefined;
  /** Parts of `completion_tokens`. */
  completion_tokens_details?: {
    reasoning_tokens?: number | null | undefined;
    audio_tokens?: number | null | undefined;
    accepted_prediction_tokens?: number | null | undefined;
    rejected_prediction_tokens?: number | null | undefined;
  } | null | undefined;
}

/** Chat user message: `role` is `user`. */
export interface ChatUserMessage {
  role: 'user';
  content: string | ChatUserPart[];
  /** Tells participants of the same role apart. At most 512 characters. */
  name?: string | null | undefined;
}

/** What a user says, shows, plays or hands over. */
export type ChatUserPart = ChatTextPart | ChatImagePart | ChatAudioPart | ChatFilePart;

/** A text model in the format of the Codex CLI. */
export interface CodexModel {
  slug: string;
  [key: string]: unknown;
}

/** Compaction: `type` is `compaction`. */
export interface Compaction {
  type: 'compaction';
  encrypted_content: string;
  /** 1 to 512 characters. */
  id?: string | null | undefined;
  status?: ItemStatus | null | undefined;
}

/** Compaction trigger: `type` is `compaction_trigger`. */
export interface CompactionTrigger {
  type: 'compaction_trigger';
  /** 1 to 512 characters. */
  id?: string | null | undefined;
  status?: ItemStatus | null | undefined;
}

/** A tool that takes free text instead of JSON arguments. */
export interface CustomTool {
  type: 'custom';
  name: LongToolName;
  /** What the tool does and when to use it; the model reads this. */
  description?: string | null | undefined;
  format?: CustomToolFormat | null | undefined;
}

/** Custom tool call: `type` is `custom_tool_call`. */
export interface CustomToolCall {
  type: 'custom_tool_call';
  id?: string | null | undefined;
  call_id: string;
  name: string;
  input: string;
  namespace?: string | null | undefined;
  status?: ItemStatus | null | undefined;
}

/** Custom tool call output: `type` is `custom_tool_call_output`. */
export interface CustomToolCallOutput {
  type: 'custom_tool_call_output';
  /** Links a call with its output. 1 to 512 characters. */
  call_id: string;
  output: ToolOutput;
  /** 1 to 512 characters. */
  id?: string | null | undefined;
  status?: ItemStatus | null | undefined;
}

/** What the input of the tool has to look like. */
export type CustomToolFormat = PlainTextFormat | GrammarFormat;

/** It can no longer be read, nor gone on from. */
export interface DeletedResponse {
  id: string;
  object: 'response';
  deleted: true;
}

/** US dollars as a text, with six digits behind the point. */
export type Dollars = string;

/** The body of every answer that is not 2xx. */
export interface ErrorBody {
  error: ErrorDetail;
}

/** Error detail. */
export interface ErrorDetail {
  /** What went wrong and what to do, in a sentence for people. */
  message: string;
  /** Coarse class of the error. */
  type: 'invalid_request_error' | 'authentication_error' | 'permission_error' | 'rate_limit_error' | 'server_error' | 'image_generation_user_error';
  /** Path of the field at fault, or null. */
  param: string | null;
  /** The exact reason, for programs. */
  code: 'invalid_json' | 'malformed_request' | 'unknown_parameter' | 'unsupported_parameter' | 'unsupported_value' | 'missing_required_parameter' | 'invalid_type' | 'invalid_value' | 'integer_below_min_value' | 'integer_above_max_value' | 'decimal_below_min_value' | 'decimal_above_max_value' | 'string_above_max_length' | 'empty_string' | 'array_above_max_length' | 'empty_array' | 'context_length_exceeded' | 'previous_response_not_found' | 'invalid_image_format' | 'invalid_base64_image' | 'invalid_image_url' | 'image_file_too_large' | 'moderation_blocked' | 'invalid_api_key' | 'permission_denied' | 'insufficient_balance' | 'subscription_inactive' | 'storage_quota_exceeded' | 'model_not_found' | 'response_not_found' | 'not_found' | 'item_not_found' | 'unknown_url' | 'method_not_allowed' | 'request_timeout' | 'idempotency_conflict' | 'conflict' | 'request_too_large' | 'unsupported_media_type' | 'upgrade_required' | 'headers_too_large' | 'rate_limit_exceeded' | 'token_limit_exceeded' | 'concurrency_limit_exceeded' | 'internal_error' | 'upstream_error' | 'overloaded' | 'no_upstream_available' | 'upstream_timeout';
}

/** `stop`: a natural end. `length`: a token limit. `tool_calls`: the model calls tools. `content_filter`: output was withheld. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call';

/** A call for the caller to run; may come with no text in the response. */
export interface FunctionCall {
  type: 'function_call';
  id?: string | null | undefined;
  /** Goes back in `function_call_output.call_id`. */
  call_id: string;
  name: string;
  arguments: string;
  namespace?: string | null | undefined;
  status?: ItemStatus | null | undefined;
}

/** The result of a function call; built by the caller, never returned in `output`. */
export interface FunctionCallOutput {
  type: 'function_call_output';
  /** Links a call with its output. 1 to 512 characters. */
  call_id: string;
  output: ToolOutput;
  /** 1 to 512 characters. */
  id?: string | null | undefined;
  status?: ItemStatus | null | undefined;
}

/** A function that the caller runs. */
export interface FunctionTool {
  type: 'function';
  name: LongToolName;
  /** What the tool does and when to use it; the model reads this. */
  description?: string | null | undefined;
  /** JSON schema of the arguments. Absent: no arguments. */
  parameters?: { [key: string]: unknown; } | null | undefined;
  /** Whether the arguments must follow the schema exactly. Absent: the upstream decides, usually true. */
  strict?: boolean | null | undefined;
}

/** Carries `b64_json` (plain base64) or, from older models, `url`. */
export interface GeneratedImage {
  b64_json?: string | undefined;
  url?: string | undefined;
  revised_prompt?: string | null | undefined;
}

/** Text that follows a grammar. */
export interface GrammarFormat {
  type: 'grammar';
  syntax: 'lark' | 'regex';
  /** The grammar that the input has to follow. Not empty. */
  definition: string;
}

/** A tool that the upstream runs. */
export interface HostedChoice {
  type: 'tool_search' | 'local_shell' | 'shell' | 'apply_patch' | 'file_search' | 'code_interpreter' | 'image_generation' | 'computer' | 'computer_use_preview' | 'programmatic_tool_calling' | 'web_search' | 'web_search_preview' | 'web_search_preview_2025_03_11';
}

/** A tool that the upstream ran, or another item of its own. */
export interface HostedItem {
  type: 'local_shell_call' | 'local_shell_call_output' | 'shell_call' | 'shell_call_output' | 'apply_patch_call' | 'apply_patch_call_output' | 'web_search_call' | 'file_search_call' | 'image_generation_call' | 'code_interpreter_call' | 'computer_call' | 'computer_call_output' | 'mcp_call' | 'mcp_list_tools' | 'mcp_approval_request' | 'mcp_approval_response' | 'program' | 'program_output' | 'configuration_update' | 'tool_search_call' | 'tool_search_output' | 'compaction' | 'additional_tools';
  id?: string | null | undefined;
  status?: string | null | undefined;
  [key: string]: unknown;
}

/** Another tool of the upstream; its own settings are handed on. */
export interface HostedTool {
  type: 'tool_search' | 'local_shell' | 'shell' | 'apply_patch' | 'file_search' | 'code_interpreter' | 'image_generation' | 'computer' | 'computer_use_preview' | 'programmatic_tool_calling';
  [key: string]: unknown;
}

/** Hosted tool event. */
export interface HostedToolEvent {
  type: 'response.web_search_call.in_progress' | 'response.web_search_call.searching' | 'response.web_search_call.completed' | 'response.file_search_call.in_progress' | 'response.file_search_call.searching' | 'response.file_search_call.completed' | 'response.code_interpreter_call.in_progress' | 'response.code_interpreter_call.interpreting' | 'response.code_interpreter_call.completed' | 'response.code_interpreter_call_code.delta' | 'response.code_interpreter_call_code.done' | 'response.image_generation_call.in_progress' | 'response.image_generation_call.generating' | 'response.image_generation_call.partial_image' | 'response.image_generation_call.completed' | 'response.mcp_call.in_progress' | 'response.mcp_call.completed' | 'response.mcp_call.failed' | 'response.mcp_call_arguments.delta' | 'response.mcp_call_arguments.done' | 'response.mcp_list_tools.in_progress' | 'response.mcp_list_tools.completed' | 'response.mcp_list_tools.failed' | 'response.shell_call.in_progress' | 'response.shell_call.completed';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  item_id: string;
  output_index: number;
}

/** Image edit completed event: `type` is `image_edit.completed`. */
export interface ImageEditCompletedEvent {
  type: 'image_edit.completed';
  b64_json: string;
  /** Seconds since 1970-01-01 UTC. */
  created_at: number;
  background?: string | null | undefined;
  output_format?: string | null | undefined;
  quality?: string | null | undefined;
  size?: string | null | undefined;
  usage?: ImageUsage | null | undefined;
  safety_identifier?: string | null | undefined;
}

/** Partial images, then exactly one completed or error event. No `[DONE]`. */
export type ImageEditEvent = ImageEditPartialImageEvent | ImageEditCompletedEvent | ImageErrorEvent;

/** Image edit partial image event: `type` is `image_edit.partial_image`. */
export interface ImageEditPartialImageEvent {
  type: 'image_edit.partial_image';
  b64_json: string;
  /** Seconds since 1970-01-01 UTC. */
  created_at: number;
  background?: string | null | undefined;
  output_format?: string | null | undefined;
  quality?: string | null | undefined;
  size?: string | null | undefined;
  partial_image_index: number;
}

/** The JSON form of an edit. Null counts as absent. */
export interface ImageEditRequest {
  /** What to draw, or what to change. 1 to 32000 characters. */
  prompt: string;
  /** Id of the image model. 1 to 512 characters. */
  model: string;
  /** Number of images. Absent: 1. With `stream: true` only 1. 1 to 10. */
  n?: number | null | undefined;
  /** `auto`, or `<width>x<height>`: multiples of 16, not longer than 3 times the other side, at most 3840x2160 in either direction. At most 16 characters. */
  size?: string | null | undefined;
  quality?: 'auto' | 'low' | 'medium' | 'high' | null | undefined;
  /** `transparent` needs `png` or `webp`. */
  background?: 'auto' | 'opaque' | 'transparent' | null | undefined;
  /** Absent: `png`. */
  output_format?: 'png' | 'jpeg' | 'webp' | null | undefined;
  /** Only with `jpeg` or `webp`. Absent: 100. 0 to 100. */
  output_compression?: number | null | undefined;
  moderation?: 'auto' | 'low' | null | undefined;
  /** True: partial images and the final one come as Server-Sent Events. */
  stream?: boolean | null | undefined;
  /** Only with `stream: true`: how many partial images to send. Fewer may come. 0 to 3. */
  partial_images?: number | null | undefined;
  /** @deprecated use `safety_identifier`. At most 512 characters. */
  user?: string | null | undefined;
  /** At most 64 characters. */
  safety_identifier?: string | null | undefined;
  /** Images always come as base64; `url` is refused. */
  response_format?: 'b64_json' | 'url' | null | undefined;
  /** The pictures to change or to draw from. 1 to 16 entries. */
  images: ImageReference[];
  /** Transparent pixels mark what to change in the first picture; same size as that picture. */
  mask?: ImageReference | null | undefined;
  /** Taken; `gpt-image-2` does not use it. */
  input_fidelity?: 'high' | 'low' | null | undefined;
}

/** The last event of a stream that failed. */
export interface ImageErrorEvent {
  type: 'error';
  error: {
    message: string;
    type: string;
    param: string | null;
    code: string | null;
  };
}

/** Image generation completed event: `type` is `image_generation.completed`. */
export interface ImageGenerationCompletedEvent {
  type: 'image_generation.completed';
  b64_json: string;
  /** Seconds since 1970-01-01 UTC. */
  created_at: number;
  background?: string | null | undefined;
  output_format?: string | null | undefined;
  quality?: string | null | undefined;
  size?: string | null | undefined;
  usage?: ImageUsage | null | undefined;
  safety_identifier?: string | null | undefined;
}

/** Partial images, then exactly one completed or error event. No `[DONE]`. */
export type ImageGenerationEvent = ImageGenerationPartialImageEvent | ImageGenerationCompletedEvent | ImageErrorEvent;

/** Image generation partial image event: `type` is `image_generation.partial_image`. */
export interface ImageGenerationPartialImageEvent {
  type: 'image_generation.partial_image';
  b64_json: string;
  /** Seconds since 1970-01-01 UTC. */
  created_at: number;
  background?: string | null | undefined;
  output_format?: string | null | undefined;
  quality?: string | null | undefined;
  size?: string | null | undefined;
  partial_image_index: number;
}

/** Null counts as absent. */
export interface ImageGenerationRequest {
  /** What to draw, or what to change. 1 to 32000 characters. */
  prompt: string;
  /** Id of the image model. 1 to 512 characters. */
  model: string;
  /** Number of images. Absent: 1. With `stream: true` only 1. 1 to 10. */
  n?: number | null | undefined;
  /** `auto`, or `<width>x<height>`: multiples of 16, not longer than 3 times the other side, at most 3840x2160 in either direction. At most 16 characters. */
  size?: string | null | undefined;
  quality?: 'auto' | 'low' | 'medium' | 'high' | null | undefined;
  /** `transparent` needs `png` or `webp`. */
  background?: 'auto' | 'opaque' | 'transparent' | null | undefined;
  /** Absent: `png`. */
  output_format?: 'png' | 'jpeg' | 'webp' | null | undefined;
  /** Only with `jpeg` or `webp`. Absent: 100. 0 to 100. */
  output_compression?: number | null | undefined;
  moderation?: 'auto' | 'low' | null | undefined;
  /** True: partial images and the final one come as Server-Sent Events. */
  stream?: boolean | null | undefined;
  /** Only with `stream: true`: how many partial images to send. Fewer may come. 0 to 3. */
  partial_images?: number | null | undefined;
  /** @deprecated use `safety_identifier`. At most 512 characters. */
  user?: string | null | undefined;
  /** At most 64 characters. */
  safety_identifier?: string | null | undefined;
  /** Images always come as base64; `url` is refused. */
  response_format?: 'b64_json' | 'url' | null | undefined;
}

/** Image list. */
export interface ImageList {
  /** Seconds since 1970-01-01 UTC. */
  created: number;
  background?: string | null | undefined;
  output_format?: string | null | undefined;
  quality?: string | null | undefined;
  size?: string | null | undefined;
  data: GeneratedImage[];
  usage?: ImageUsage | null | undefined;
}

/** Image prices. */
export interface ImagePrices {
  /** For a picture, by `size/quality`; `default` for what no entry fits. */
  images: { [key: string]: Dollars; };
}

/** Image reference. */
export interface ImageReference {
  /** A data URL of a PNG, JPEG or WebP image. */
  image_url?: string | null | undefined;
  /** Not supported: there is no Files API. 1 to 512 characters. */
  file_id?: string | null | undefined;
}

/** Tokens by what they stand for. */
export interface ImageTokens {
  text_tokens: number;
  image_tokens: number;
}

/** Image usage. */
export interface ImageUsage {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  input_tokens_details: ImageTokens;
  output_tokens_details?: ImageTokens | null | undefined;
}

/** Input audio: `type` is `input_audio`. */
export interface InputAudio {
  type: 'input_audio';
  input_audio: AudioClip;
}

/** Input file: `type` is `input_file`. */
export interface InputFile {
  type: 'input_file';
  /** At most 512 characters. */
  filename?: string | null | undefined;
  /** A data URL. */
  file_data?: string | null | undefined;
  file_url?: string | null | undefined;
  /** 1 to 512 characters. */
  file_id?: string | null | undefined;
  /** Marks the end of a part of the prompt that may be cached. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** Input image: `type` is `input_image`. */
export interface InputImage {
  type: 'input_image';
  /** A string: a data URL, or an https address where the upstream can fetch it. The gateway never fetches it. */
  image_url?: string | null | undefined;
  /** 1 to 512 characters. */
  file_id?: string | null | undefined;
  detail?: 'low' | 'high' | 'auto' | 'original' | null | undefined;
  /** Marks the end of a part of the prompt that may be cached. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** Input item. */
export type InputItem = InputMessage | PastFunctionCall | FunctionCallOutput | PastCustomToolCall | CustomToolCallOutput | PastReasoning | ItemReference | AdditionalTools | ToolSearchCall | ToolSearchOutput | Compaction | CompactionTrigger | ReplayedItem;

/** One page of the input of a stored response. */
export interface InputItemList {
  object: 'list';
  data: StoredItem[];
  /** Null where the page is empty. */
  first_id: string | null;
  /** Goes into `after` of the next call. */
  last_id: string | null;
  has_more: boolean;
}

/** A message; `type` may be left out. */
export interface InputMessage {
  type?: 'message' | undefined;
  role: 'user' | 'system' | 'developer' | 'assistant';
  content: string | MessagePart[];
  /** Whether a message is said on the way or is the answer. */
  phase?: 'commentary' | 'final_answer' | null | undefined;
  /** 1 to 512 characters. */
  id?: string | null | undefined;
  status?: ItemStatus | null | undefined;
}

/** Input text: `type` is `input_text`. */
export interface InputText {
  type: 'input_text';
  text: string;
  /** Marks the end of a part of the prompt that may be cached. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** Item reference: `type` is `item_reference`. */
export interface ItemReference {
  type: 'item_reference';
  /** 1 to 512 characters. */
  id: string;
}

/** Item status. */
export type ItemStatus = 'in_progress' | 'completed' | 'incomplete' | 'searching' | 'generating' | 'interpreting' | 'calling' | 'failed';

/** Any JSON object. The prompt has to ask for JSON as well. */
export interface JsonObjectFormat {
  type: 'json_object';
}

/** JSON that follows a schema of the caller. */
export interface JsonSchemaFormat {
  type: 'json_schema';
  name: string;
  schema: { [key: string]: unknown; };
  /** Set it to true to have the answer follow the schema exactly. */
  strict?: boolean | null | undefined;
  description?: string | null | undefined;
}

/** Keepalive event: `type` is `keepalive`. */
export interface KeepaliveEvent {
  type: 'keepalive';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
}

/** Letters, digits, `_` and `-`; at most 128. */
export type LongToolName = string;

/** The tools of an MCP server, or one of them. */
export interface McpChoice {
  type: 'mcp';
  /** At most 512 characters. */
  server_label: string;
  /** At most 512 characters. */
  name?: string | null | undefined;
}

/** Tools of an MCP server, run by the upstream. */
export interface McpTool {
  type: 'mcp';
  /** At most 512 characters. */
  server_label: string;
  /** At most 512 characters. */
  server_url?: string | null | undefined;
  allowed_tools?: unknown | undefined;
  require_approval?: unknown | undefined;
}

/** Message part. */
export type MessagePart = InputText | InputImage | InputFile | InputAudio | PastOutputText | Refusal;

/** Up to 16 pairs; keys up to 64 characters, values up to 512. */
export type Metadata = { [key: string]: string; };

/** One model that the key can call. */
export interface Model {
  /** Model id to put into requests. */
  id: string;
  object: 'model';
  /** Seconds since 1970-01-01 UTC. */
  created: number;
  /** Where the model comes from. */
  owned_by: string;
}

/** Everything listed can be called with the key in use, and everything that can be called is listed. */
export interface ModelList {
  object: 'list';
  /** The models that the key can call, in a stable order. */
  data: Model[];
  /** The same text models in the format of the Codex CLI; only where `client_version` is in the query. */
  models?: CodexModel[] | undefined;
}

/** Read the text by walking `output` for items of type `message`; client libraries offer it as `output_text`, which is not on the wire. */
export interface ModelResponse {
  /** Usable as `previous_response_id` where the response was stored. */
  id: string;
  object: 'response';
  /** Seconds since 1970-01-01 UTC. */
  created_at: number;
  completed_at?: number | null | undefined;
  status?: ResponseStatus | null | undefined;
  error?: {
    code?: string | null | undefined;
    message: string;
  } | null | undefined;
  /** `max_output_tokens` or `content_filter`. */
  incomplete_details?: {
    reason?: string | null | undefined;
  } | null | undefined;
  model: string;
  /** Typed items; the answer is not always the first. */
  output: OutputItem[];
  previous_response_id?: string | null | undefined;
  instructions?: unknown | undefined;
  tools?: ToolEcho[] | null | undefined;
  tool_choice?: unknown | undefined;
  parallel_tool_calls?: boolean | null | undefined;
  text?: {
    /** As the request asked for it. */
    format?: unknown | undefined;
    verbosity?: string | null | undefined;
  } | null | undefined;
  reasoning?: {
    effort?: string | null | undefined;
    summary?: string | null | undefined;
  } | null | undefined;
  temperature?: number | null | undefined;
  top_p?: number | null | undefined;
  presence_penalty?: number | null | undefined;
  frequency_penalty?: number | null | undefined;
  top_logprobs?: number | null | undefined;
  max_output_tokens?: number | null | undefined;
  max_tool_calls?: number | null | undefined;
  truncation?: string | null | undefined;
  store?: boolean | null | undefined;
  background?: boolean | null | undefined;
  service_tier?: string | null | undefined;
  metadata?: { [key: string]: string; } | null | undefined;
  safety_identifier?: string | null | undefined;
  prompt_cache_key?: string | null | undefined;
  user?: string | null | undefined;
  /** Null until the response has ended. */
  usage?: ResponseUsage | null | undefined;
}

/** What prices are multiplied with for accounts of a group. */
export type Multiplier = string;

/** One tool of the request, by its name. */
export interface NamedChoice {
  type: 'function' | 'custom';
  name: LongToolName;
}

/** A tool of a namespace. */
export type NamespaceMember = FunctionTool | CustomTool;

/** Several tools under one name; calls to them carry `namespace`. */
export interface NamespaceTool {
  type: 'namespace';
  name: LongToolName;
  /** What the tool does and when to use it; the model reads this. */
  description?: string | null | undefined;
  /** At most 128 entries. */
  tools: NamespaceMember[];
}

/** Output item. */
export type OutputItem = OutputMessage | FunctionCall | CustomToolCall | Reasoning | HostedItem;

/** Text is in `content[].text` of the parts of type `output_text`. */
export interface OutputMessage {
  type: 'message';
  id: string;
  role: 'assistant';
  status: ItemStatus;
  content: OutputPart[];
  /** Whether a message is said on the way or is the answer. */
  phase?: 'commentary' | 'final_answer' | null | undefined;
}

/** Output part. */
export type OutputPart = OutputText | Refusal | ReasoningText;

/** Output text: `type` is `output_text`. */
export interface OutputText {
  type: 'output_text';
  text: string;
  annotations: TextAnnotation[];
  logprobs?: TokenLogprob[] | null | undefined;
}

/** Past custom tool call: `type` is `custom_tool_call`. */
export interface PastCustomToolCall {
  type: 'custom_tool_call';
  /** Links a call with its output. 1 to 512 characters. */
  call_id: string;
  /** At most 512 characters. */
  name: string;
  input: string;
  /** At most 512 characters. */
  namespace?: string | null | undefined;
  /** 1 to 512 characters. */
  id?: string | null | undefined;
  status?: ItemStatus | null | undefined;
}

/** Past function call: `type` is `function_call`. */
export interface PastFunctionCall {
  type: 'function_call';
  /** Links a call with its output. 1 to 512 characters. */
  call_id: string;
  /** At most 512 characters. */
  name: string;
  /** JSON as the model wrote it. */
  arguments: string;
  /** At most 512 characters. */
  namespace?: string | null | undefined;
  /** 1 to 512 characters. */
  id?: string | null | undefined;
  status?: ItemStatus | null | undefined;
}

/** Text of an earlier answer, passed back. */
export interface PastOutputText {
  type: 'output_text';
  text: string;
  annotations?: TextAnnotation[] | null | undefined;
  logprobs?: TokenLogprob[] | null | undefined;
}

/** Reasoning of an earlier turn, passed back as it came. */
export interface PastReasoning {
  type: 'reasoning';
  /** At most 1024 entries. */
  summary: SummaryText[];
  /** At most 1024 entries. */
  content?: ReasoningText[] | null | undefined;
  encrypted_content?: string | null | undefined;
  /** 1 to 512 characters. */
  id?: string | null | undefined;
  status?: ItemStatus | null | undefined;
}

/** Text of any form. */
export interface PlainTextFormat {
  type: 'text';
}

/** How the upstream may cache the prompt. */
export interface PromptCacheOptions {
  mode?: 'implicit' | 'explicit' | null | undefined;
  /** At most 512 characters. */
  ttl?: string | null | undefined;
}

/** May come ahead of the message: do not read `output[0]` as the answer. */
export interface Reasoning {
  type: 'reasoning';
  id: string;
  summary: SummaryText[];
  content?: ReasoningText[] | null | undefined;
  /** Opaque; pass it back unchanged to keep the reasoning over turns without storage. */
  encrypted_content?: string | null | undefined;
  status?: ItemStatus | null | undefined;
}

/** How much the model should think before it answers. Models differ in which values they take. */
export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** Reasoning options. */
export interface ReasoningOptions {
  effort?: ReasoningEffort | null | undefined;
  summary?: 'auto' | 'concise' | 'detailed' | null | undefined;
  /** @deprecated use `summary`. */
  generate_summary?: 'auto' | 'concise' | 'detailed' | null | undefined;
  /** At most 512 characters. */
  context?: string | null | undefined;
  /** At most 512 characters. */
  mode?: string | null | undefined;
}

/** Reasoning text: `type` is `reasoning_text`. */
export interface ReasoningText {
  type: 'reasoning_text';
  text: string;
}

/** A request with everything that is needed to work its charge out again by hand. */
export interface Receipt {
  object: 'usage';
  /** The `x-request-id` of the answer. */
  request_id: string;
  /** The key that it was called with. */
  key_id: string;
  model: string;
  /** Name of the operation, such as `createResponse`. */
  operation: string;
  /** `held`: it is still running. `posted`: it was charged. `voided`: it cost nothing, the hold went back. `expired`: the same, after the gateway had died with it; one that was only silent for long, and goes on, charges what is left to take. */
  state: 'held' | 'posted' | 'voided' | 'expired';
  /** How it ended, such as `completed`, `failed` or `client_gone`. Null while it is running. */
  outcome: string | null;
  /** What it is paid from. */
  source: 'balance' | 'subscription';
  /** What was reserved before it was sent: the most that it could cost. */
  held: Dollars;
  /** What was taken. Never more than was held. */
  charged: Dollars;
  /** Whether tokens were counted by the gateway, since the upstream did not say how many there were. */
  estimated: boolean;
  /** Classes that do not overlap. Null as long as nothing was charged. */
  tokens: UsageTokens | null;
  /** The limit on its output, in tokens, that the gateway set: the request named none, and what paid for it went no further. Null where it set none. */
  output_limit: number | null;
  /** Pictures made, by `size/quality`. */
  images: { [key: string]: number; } | null;
  /** Calls of tools that the upstream ran itself, by the type of their output item. */
  tools: { [key: string]: number; } | null;
  /** Seconds since 1970-01-01 UTC. */
  created_at: number;
  /** Seconds since 1970-01-01 UTC. */
  settled_at: number | null;
  /** The version of the prices that it was charged by. Each change makes a new one; old ones are kept. */
  price_version: number;
  /** Who was asked, in order, where that was more than once or came to nothing. Empty where the first answer was a good one. */
  attempts: UsageAttempt[];
  lines: ReceiptLine[];
  /** The sum of the lines. */
  subtotal: string;
  /** That of the group at the time. */
  multiplier: Multiplier;
  /** What was added to come to a whole millionth of a dollar; always less than one. */
  rounding: string;
  /** `subtotal` × `multiplier` + `rounding`. `charged` is the lesser of this and `held`. */
  cost: Dollars;
}

/** One class of what was used, and what it comes to. */
export interface ReceiptLine {
  /** `input`, `cached_input`, `cache_write`, `output`, `size/quality` of pictures, or a tool such as `web_search_call`. */
  class: string;
  quantity: number;
  price: Dollars;
  per: 'million_tokens' | 'picture' | 'call';
  /** `quantity` × `price`, divided by a million where the price is for a million. Exact: dollars to twelve digits. */
  amount: string;
}

/** Refusal: `type` is `refusal`. */
export interface Refusal {
  type: 'refusal';
  refusal: string;
}

/** A call of a hosted tool or its output, passed back as it came. */
export interface ReplayedItem {
  type: 'local_shell_call' | 'local_shell_call_output' | 'shell_call' | 'shell_call_output' | 'apply_patch_call' | 'apply_patch_call_output' | 'web_search_call' | 'file_search_call' | 'image_generation_call' | 'code_interpreter_call' | 'computer_call' | 'computer_call_output' | 'mcp_call' | 'mcp_list_tools' | 'mcp_approval_request' | 'mcp_approval_response' | 'program' | 'program_output' | 'configuration_update';
  /** 1 to 512 characters. */
  id?: string | null | undefined;
  /** At most 512 characters. */
  status?: string | null | undefined;
  action?: { [key: string]: unknown; } | null | undefined;
  [key: string]: unknown;
}

/** Response completed event: `type` is `response.completed`. */
export interface ResponseCompletedEvent {
  type: 'response.completed';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  response: ModelResponse;
}

/** Response content part added event: `type` is `response.content_part.added`. */
export interface ResponseContentPartAddedEvent {
  type: 'response.content_part.added';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  item_id: string;
  output_index: number;
  content_index: number;
  part: OutputPart;
}

/** Response content part done event: `type` is `response.content_part.done`. */
export interface ResponseContentPartDoneEvent {
  type: 'response.content_part.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  item_id: string;
  output_index: number;
  content_index: number;
  part: OutputPart;
}

/** Response created event: `type` is `response.created`. */
export interface ResponseCreatedEvent {
  type: 'response.created';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  response: ModelResponse;
}

/** Response custom tool call input delta event: `type` is `response.custom_tool_call_input.delta`. */
export interface ResponseCustomToolCallInputDeltaEvent {
  type: 'response.custom_tool_call_input.delta';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  item_id: string;
  output_index: number;
  delta: string;
}

/** Response custom tool call input done event: `type` is `response.custom_tool_call_input.done`. */
export interface ResponseCustomToolCallInputDoneEvent {
  type: 'response.custom_tool_call_input.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  item_id: string;
  output_index: number;
  input: string;
}

/** Response error event: `type` is `error`. */
export interface ResponseErrorEvent {
  type: 'error';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  code?: string | null | undefined;
  message: string;
  param?: string | null | undefined;
  /** The same once more, nested: some clients read only this form. */
  error?: {
    type: 'invalid_request_error' | 'authentication_error' | 'permission_error' | 'rate_limit_error' | 'server_error' | 'image_generation_user_error';
    code: string | null;
    message: string;
    param: string | null;
  } | null | undefined;
}

/** Response failed event: `type` is `response.failed`. */
export interface ResponseFailedEvent {
  type: 'response.failed';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  response: ModelResponse;
}

/** Response function call arguments delta event: `type` is `response.function_call_arguments.delta`. */
export interface ResponseFunctionCallArgumentsDeltaEvent {
  type: 'response.function_call_arguments.delta';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  item_id: string;
  output_index: number;
  delta: string;
}

/** Response function call arguments done event: `type` is `response.function_call_arguments.done`. */
export interface ResponseFunctionCallArgumentsDoneEvent {
  type: 'response.function_call_arguments.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  item_id: string;
  output_index: number;
  arguments: string;
  name?: string | null | undefined;
}

/** Response in progress event: `type` is `response.in_progress`. */
export interface ResponseInProgressEvent {
  type: 'response.in_progress';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  response: ModelResponse;
}

/** Response incomplete event: `type` is `response.incomplete`. */
export interface ResponseIncompleteEvent {
  type: 'response.incomplete';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  response: ModelResponse;
}

/** Response output item added event: `type` is `response.output_item.added`. */
export interface ResponseOutputItemAddedEvent {
  type: 'response.output_item.added';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  output_index: number;
  item: OutputItem;
}

/** Response output item done event: `type` is `response.output_item.done`. */
export interface ResponseOutputItemDoneEvent {
  type: 'response.output_item.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  output_index: number;
  item: OutputItem;
}

/** Response output text annotation added event: `type` is `response.output_text.annotation.added`. */
export interface ResponseOutputTextAnnotationAddedEvent {
  type: 'response.output_text.annotation.added';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  item_id: string;
  output_index: number;
  content_index: number;
  annotation_index: number;
  annotation: TextAnnotation;
}

/** Response output text delta event: `type` is `response.output_text.delta`. */
export interface ResponseOutputTextDeltaEvent {
  type: 'response.output_text.delta';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  item_id: string;
  output_index: number;
  content_index: number;
  delta: string;
  logprobs?: TokenLogprob[] | null | undefined;
}

/** Response output text done event: `type` is `response.output_text.done`. */
export interface ResponseOutputTextDoneEvent {
  type: 'response.output_text.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  item_id: string;
  output_index: number;
  content_index: number;
  text: string;
  logprobs?: TokenLogprob[] | null | undefined;
}

/** Response queued event: `type` is `response.queued`. */
export interface ResponseQueuedEvent {
  type: 'response.queued';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  response: ModelResponse;
}

/** Response reasoning summary part added event: `type` is `response.reasoning_summary_part.added`. */
export interface ResponseReasoningSummaryPartAddedEvent {
  type: 'response.reasoning_summary_part.added';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  item_id: string;
  output_index: number;
  summary_index: number;
  part: SummaryText;
}

/** Response reasoning summary part done event: `type` is `response.reasoning_summary_part.done`. */
export interface ResponseReasoningSummaryPartDoneEvent {
  type: 'response.reasoning_summary_part.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  item_id: string;
  output_index: number;
  summary_index: number;
  part: SummaryText;
}

/** Response reasoning summary text delta event: `type` is `response.reasoning_summary_text.delta`. */
export interface ResponseReasoningSummaryTextDeltaEvent {
  type: 'response.reasoning_summary_text.delta';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  item_id: string;
  output_index: number;
  summary_index: number;
  delta: string;
}

/** Response reasoning summary text done event: `type` is `response.reasoning_summary_text.done`. */
export interface ResponseReasoningSummaryTextDoneEvent {
  type: 'response.reasoning_summary_text.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  item_id: string;
  output_index: number;
  summary_index: number;
  text: string;
}

/** Response reasoning text delta event: `type` is `response.reasoning_text.delta`. */
export interface ResponseReasoningTextDeltaEvent {
  type: 'response.reasoning_text.delta';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  item_id: string;
  output_index: number;
  content_index: number;
  delta: string;
}

/** Response reasoning text done event: `type` is `response.reasoning_text.done`. */
export interface ResponseReasoningTextDoneEvent {
  type: 'response.reasoning_text.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  item_id: string;
  output_index: number;
  content_index: number;
  text: string;
}

/** Response refusal delta event: `type` is `response.refusal.delta`. */
export interface ResponseRefusalDeltaEvent {
  type: 'response.refusal.delta';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  item_id: string;
  output_index: number;
  content_index: number;
  delta: string;
}

/** Response refusal done event: `type` is `response.refusal.done`. */
export interface ResponseRefusalDoneEvent {
  type: 'response.refusal.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  item_id: string;
  output_index: number;
  content_index: number;
  refusal: string;
}

/** Null counts as absent. A field that no operation knows is left out and named in `x-modelgate-ignored`, unless the operator of the upstream allows it. */
export interface ResponseRequest {
  /** Id of a text model. 1 to 512 characters. */
  model: string;
  /** A string, or items: messages, calls and their outputs. */
  input: string | InputItem[];
  /** The system prompt of this turn; send it again on every chained turn. */
  instructions?: string | null | undefined;
  /** True: the answer comes as Server-Sent Events. Absent: false. */
  stream?: boolean | null | undefined;
  stream_options?: {
    include_obfuscation?: boolean | null | undefined;
  } | null | undefined;
  text?: TextOptions | null | undefined;
  reasoning?: ReasoningOptions | null | undefined;
  /** At most 128 entries. */
  tools?: Tool[] | null | undefined;
  tool_choice?: ToolChoice | null | undefined;
  parallel_tool_calls?: boolean | null | undefined;
  /** Id of a stored response to go on from. `instructions` are not carried over. 1 to 512 characters. */
  previous_response_id?: string | null | undefined;
  /** Whether the response may be chained from later. Absent: true. */
  store?: boolean | null | undefined;
  /** Only false is supported. */
  background?: boolean | null | undefined;
  /** Most output tokens, reasoning included. At least 16. */
  max_output_tokens?: number | null | undefined;
  /** Most calls of hosted tools. 1 to 10000. */
  max_tool_calls?: number | null | undefined;
  /** Leave it out when no tuning is wanted. 0 to 2. */
  temperature?: number | null | undefined;
  /** 0 to 1. */
  top_p?: number | null | undefined;
  /** Needs `message.output_text.logprobs` in `include`. 0 to 20. */
  top_logprobs?: number | null | undefined;
  /** -2 to 2. */
  presence_penalty?: number | null | undefined;
  /** -2 to 2. */
  frequency_penalty?: number | null | undefined;
  /** Deprecated. What happens when the input is too long. */
  truncation?: 'auto' | 'disabled' | null | undefined;
  /** At most 16 entries. */
  context_management?: Array<{
    /** At most 512 characters. */
    type: string;
    compact_threshold?: number | null | undefined;
  }> | null | undefined;
  /** Extra output, for example `reasoning.encrypted_content`. At most 32 entries. */
  include?: string[] | null | undefined;
  metadata?: Metadata | null | undefined;
  /** Sent by coding agents; taken and not used. */
  client_metadata?: { [key: string]: unknown; } | null | undefined;
  /** At most 64 characters. */
  prompt_cache_key?: string | null | undefined;
  /** @deprecated use `prompt_cache_options`. */
  prompt_cache_retention?: 'in_memory' | 'in-memory' | '24h' | null | undefined;
  prompt_cache_options?: PromptCacheOptions | null | undefined;
  /** At most 64 characters. */
  safety_identifier?: string | null | undefined;
  service_tier?: ServiceTier | null | undefined;
  /** @deprecated use `safety_identifier` and `prompt_cache_key`. At most 512 characters. */
  user?: string | null | undefined;
  moderation?: TextModeration | null | undefined;
}

/** Response status. */
export type ResponseStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';

/** One event of a responses stream. It opens with `response.created` and ends in exactly one of `response.completed`, `response.incomplete` and `response.failed`; then comes `data: [DONE]`. */
export type ResponseStreamEvent = ResponseCreatedEvent | ResponseQueuedEvent | ResponseInProgressEvent | ResponseCompletedEvent | ResponseIncompleteEvent | ResponseFailedEvent | ResponseOutputItemAddedEvent | ResponseOutputItemDoneEvent | ResponseContentPartAddedEvent | ResponseContentPartDoneEvent | ResponseOutputTextDeltaEvent | ResponseOutputTextDoneEvent | ResponseOutputTextAnnotationAddedEvent | ResponseRefusalDeltaEvent | ResponseRefusalDoneEvent | ResponseFunctionCallArgumentsDeltaEvent | ResponseFunctionCallArgumentsDoneEvent | ResponseCustomToolCallInputDeltaEvent | ResponseCustomToolCallInputDoneEvent | ResponseReasoningSummaryPartAddedEvent | ResponseReasoningSummaryPartDoneEvent | ResponseReasoningSummaryTextDeltaEvent | ResponseReasoningSummaryTextDoneEvent | ResponseReasoningTextDeltaEvent | ResponseReasoningTextDoneEvent | HostedToolEvent | KeepaliveEvent | ResponseErrorEvent;

/** Response usage. */
export interface ResponseUsage {
  input_tokens: number;
  input_tokens_details?: {
    cached_tokens: number;
    cache_write_tokens?: number | null | undefined;
  } | null | undefined;
  output_tokens: number;
  output_tokens_details?: {
    reasoning_tokens: number;
  } | null | undefined;
  total_tokens: number;
}

/** Processing tier to ask the upstream for; the answer says which one was used. */
export type ServiceTier = 'auto' | 'default' | 'flex' | 'scale' | 'priority' | 'fast' | 'ultrafast';

/** An item that the model was given: of the request, or of the turns before it in the chain. */
export interface StoredItem {
  /** As it was given, or made here where an item came without one. */
  id: string;
  /** For example `message`, `function_call` or `function_call_output`. */
  type: string;
  role?: string | null | undefined;
  /** The parts of a message. */
  content?: unknown | undefined;
  [key: string]: unknown;
}

/** Summary text: `type` is `summary_text`. */
export interface SummaryText {
  type: 'summary_text';
  text: string;
}

/** A citation or a file path inside a text. */
export interface TextAnnotation {
  /** At most 512 characters. */
  type: string;
  [key: string]: unknown;
}

/** Structured output; takes the place of `response_format` on chat. */
export type TextFormat = PlainTextFormat | JsonObjectFormat | JsonSchemaFormat;

/** Moderation of a text call. On the images endpoints `moderation` is a word instead. */
export interface TextModeration {
  /** At most 512 characters. */
  model: string;
  policy?: { [key: string]: unknown; } | null | undefined;
}

/** Text options. */
export interface TextOptions {
  format?: TextFormat | null | undefined;
  verbosity?: Verbosity | null | undefined;
}

/** Token logprob. */
export interface TokenLogprob {
  token: string;
  logprob: number;
  bytes?: number[] | null | undefined;
  top_logprobs?: Array<{
    token: string;
    logprob: number;
  }> | null | undefined;
}

/** Token prices. */
export interface TokenPrices {
  /** For a million input tokens. */
  input: Dollars;
  /** For a million input tokens that were read from a cache. */
  cached_input: Dollars;
  /** For a million input tokens that were written to a cache. */
  cache_write: Dollars;
  /** For a million output tokens, reasoning included. */
  output: Dollars;
  /** For a call of a tool that the upstream runs itself; of the others nothing. */
  tools: { [key: string]: Dollars; };
}

/** Tool. */
export type Tool = FunctionTool | CustomTool | NamespaceTool | WebSearchTool | McpTool | HostedTool;

/** `none`, `auto`, `required`, one tool, or a subset of the tools (`allowed_tools`, a hard limit). */
export type ToolChoice = 'none' | 'auto' | 'required' | ToolSelection;

/** A tool of the request, as the upstream repeats it. */
export interface ToolEcho {
  type: string;
  [key: string]: unknown;
}

/** Letters, digits, `_` and `-`; at most 64. */
export type ToolName = string;

/** A string, or parts. */
export type ToolOutput = string | ToolOutputPart[];

/** A piece of what a tool gives back. */
export type ToolOutputPart = InputText | InputImage | InputFile;

/** Tool search call: `type` is `tool_search_call`. */
export interface ToolSearchCall {
  type: 'tool_search_call';
  /** 1 to 512 characters. */
  call_id?: string | null | undefined;
  arguments: unknown;
  /** At most 512 characters. */
  execution?: string | null | undefined;
  /** 1 to 512 characters. */
  id?: string | null | undefined;
  status?: ItemStatus | null | undefined;
}

/** Tool search output: `type` is `tool_search_output`. */
export interface ToolSearchOutput {
  type: 'tool_search_output';
  /** 1 to 512 characters. */
  call_id?: string | null | undefined;
  /** At most 1024 entries. */
  tools: Tool[];
  /** At most 512 characters. */
  execution?: string | null | undefined;
  /** 1 to 512 characters. */
  id?: string | null | undefined;
  status?: ItemStatus | null | undefined;
}

/** One tool, or a subset of them. */
export type ToolSelection = NamedChoice | HostedChoice | McpChoice | AllowedTools;

/** One time that an upstream was asked. */
export interface UsageAttempt {
  /** Its name in the configuration, as in `x-modelgate-attempts`. */
  upstream: string;
  /** Of its answer. Null where none came. */
  status: number | null;
  /** What went wrong, by the code of an error. Null where the answer was good. */
  code: string | null;
  /** Milliseconds until it had failed, or until its answer could be handed on. */
  ms: number;
}

/** One page of the requests of an account, newest first. */
export interface UsageList {
  object: 'list';
  data: UsageRecord[];
  /** Null where the page is empty. */
  first_id: string | null;
  /** Goes into `after` of the next call. */
  last_id: string | null;
  has_more: boolean;
}

/** One request that was paid for, or may have to be. */
export interface UsageRecord {
  object: 'usage';
  /** The `x-request-id` of the answer. */
  request_id: string;
  /** The key that it was called with. */
  key_id: string;
  model: string;
  /** Name of the operation, such as `createResponse`. */
  operation: string;
  /** `held`: it is still running. `posted`: it was charged. `voided`: it cost nothing, the hold went back. `expired`: the same, after the gateway had died with it; one that was only silent for long, and goes on, charges what is left to take. */
  state: 'held' | 'posted' | 'voided' | 'expired';
  /** How it ended, such as `completed`, `failed` or `client_gone`. Null while it is running. */
  outcome: string | null;
  /** What it is paid from. */
  source: 'balance' | 'subscription';
  /** What was reserved before it was sent: the most that it could cost. */
  held: Dollars;
  /** What was taken. Never more than was held. */
  charged: Dollars;
  /** Whether tokens were counted by the gateway, since the upstream did not say how many there were. */
  estimated: boolean;
  /** Classes that do not overlap. Null as long as nothing was charged. */
  tokens: UsageTokens | null;
  /** The limit on its output, in tokens, that the gateway set: the request named none, and what paid for it went no further. Null where it set none. */
  output_limit: number | null;
  /** Pictures made, by `size/quality`. */
  images: { [key: string]: number; } | null;
  /** Calls of tools that the upstream ran itself, by the type of their output item. */
  tools: { [key: string]: number; } | null;
  /** Seconds since 1970-01-01 UTC. */
  created_at: number;
  /** Seconds since 1970-01-01 UTC. */
  settled_at: number | null;
}

/** Tokens by what they are charged as; the classes do not overlap. */
export interface UsageTokens {
  /** Neither read from a cache nor written to one. */
  input: number;
  /** Read from a cache. */
  cached_input: number;
  /** Written to a cache. */
  cache_write: number;
  /** Reasoning included. */
  output: number;
  /** Part of `output`. */
  reasoning: number;
}

/** How long the answer should be. */
export type Verbosity = 'low' | 'medium' | 'high';

/** A search of the web, run by the upstream. */
export interface WebSearchTool {
  type: 'web_search' | 'web_search_2025_08_26' | 'web_search_preview' | 'web_search_preview_2025_03_11';
  external_web_access?: boolean | null | undefined;
  filters?: { [key: string]: unknown; } | null | undefined;
  user_location?: { [key: string]: unknown; } | null | undefined;
  search_context_size?: 'low' | 'medium' | 'high' | null | undefined;
}

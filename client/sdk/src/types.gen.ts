/** The shapes of the contract: what is sent, and what comes back. */
// Generated from the contract by `node docs/generate/client.ts`; do not edit.

/** The features that the gateway supports for the model. How well the model uses them depends on the model. */
export interface Abilities {
  /** Function tools, and free-form tools such as `apply_patch`. */
  tools: boolean;
  /** Tools that the upstream runs, such as a web search. */
  hosted_tools: boolean;
  /** Whether a caller can allow or forbid several calls at once. */
  parallel_tool_calls: boolean;
  /** Whether it accepts images: in messages, or to edit them. */
  image_input: boolean;
  /** The structured output that it supports: a JSON schema, any JSON object, or none. */
  structured_output: 'schema' | 'json' | 'none';
  /** Whether a caller can set the reasoning effort. */
  reasoning_effort: boolean;
}

/** Tools that a coding agent declares inside the input. Upstreams without such items get them in `tools`. */
export interface AdditionalTools {
  /** The type of the object: always `additional_tools`. */
  type: 'additional_tools';
  /** Role of the author: `developer`, or absent; the gateway ignores it. */
  role?: 'developer' | null | undefined;
  /** Tools that the model may call from here on, up to 128. */
  tools: Tool[];
  /** Id of the item, from the client or from an earlier answer. Accepted, but not sent to the upstream, which does not know the id. Absent: a stored item gets a new id. 1 to 512 characters. */
  id?: string | null | undefined;
  /** Status of the item in the earlier answer; the gateway ignores it, so it may be absent. */
  status?: ItemStatus | null | undefined;
}

/** A tool of the request, named as in the request. */
export interface AllowedTool {
  /** The kind of tool: `function` and `custom` come with a `name`, others need only their type. At most 512 characters. */
  type: string;
}

/** A subset of the tools of the request. */
export interface AllowedTools {
  /** The type of the object: always `allowed_tools`. */
  type: 'allowed_tools';
  /** `auto`: the model may call one of them or answer. `required`: it must call one of them. */
  mode: 'auto' | 'required';
  /** The tools that may be called: 1 to 128. */
  tools: AllowedTool[];
}

/** An audio clip: its data in base64, and its encoding. */
export interface AudioClip {
  /** The audio in base64, without a data URL prefix. */
  data: string;
  /** The encoding of `data`. */
  format: 'wav' | 'mp3';
}

/** Models of the catalog. `GET /v1/models` lists those that a key can call. */
export interface CatalogList {
  /** The type of the object: always `list`. */
  object: 'list';
  /** The models, in a stable order. */
  data: CatalogModel[];
}

/** One model of the catalog. */
export interface CatalogModel {
  /** Model id for requests. */
  id: string;
  /** The type of the object: always `model`. */
  object: 'model';
  /** Owner of the model: as configured, else the name of its upstream. */
  owned_by: string;
  /** `text` answers chat and responses, `image` generates images. */
  kind: 'text' | 'image';
  /** Groups of accounts that may call it, each with its multiplier of prices. */
  groups: Array<{
    /** Name of the group. */
    name: string;
    /** The factor by which prices are multiplied for accounts of this group. */
    multiplier: Multiplier;
  }>;
  /** What a call costs. Null when calls are not charged. */
  prices: CatalogPrices | null;
  /** Size of the context window in tokens, answer included. Null when unknown. */
  context_window: number | null;
  /** The most tokens of one answer. A call without a limit holds the price of that many. Null for image models. */
  max_output_tokens: number | null;
  /** The operations that can call it. */
  protocols: Array<'chat' | 'responses' | 'images'>;
  /** The features that a call of it can use. */
  abilities: Abilities;
}

/** Prices per million tokens, prices per image, or `free`; all before the multiplier of a group. */
export type CatalogPrices = TokenPrices | ImagePrices | 'free';

/** A subset of the tools of the request. */
export interface ChatAllowedTools {
  /** The type of the object: always `allowed_tools`. */
  type: 'allowed_tools';
  /** The subset, and whether one of its tools must be called. */
  allowed_tools: {
    /** `auto`: the model may call one of them or answer. `required`: it must call one of them. */
    mode: 'auto' | 'required';
    /** The tools that may be called, by name: 1 to 128. */
    tools: ChatNamedChoice[];
  };
}

/** The source of a part of the text, found by the upstream's web search. */
export interface ChatAnnotation {
  /** The type of the annotation: `url_citation`, or a type that the upstream defines. */
  type: string;
  /** The page that a part of the text cites. Omitted for other types. */
  url_citation?: {
    /** The URL of the page. */
    url: string;
    /** The title of the page. */
    title: string;
    /** Index at which the citing text starts in `content`, from 0. */
    start_index: number;
    /** Index at which the citing text ends in `content`, from 0. */
    end_index: number;
  } | null | undefined;
}

/** A call to a free-form tool, for you to run. */
export interface ChatAnsweredCustomCall {
  /** The ID of the tool call. Send it back as `tool_call_id`. */
  id: string;
  /** The type of the object: always `custom`. */
  type: 'custom';
  /** The free-form tool to call. */
  custom: {
    /** The name of the tool, as declared in the request. */
    name: string;
    /** The input of the tool, as free text. */
    input: string;
  };
}

/** The function that the model calls, and its arguments. */
export interface ChatAnsweredFunction {
  /** The name of the function, as declared in the request. */
  name: string;
  /** The arguments as the model wrote them, in JSON. Validate them before you use them. */
  arguments: string;
}

/** A function call for you to run. */
export interface ChatAnsweredFunctionCall {
  /** The ID of the tool call. Send it back as `tool_call_id`. */
  id: string;
  /** The type of the object: always `function`. */
  type: 'function';
  /** The function to call. */
  function: ChatAnsweredFunction;
}

/** The model's text, refusal, or tool calls. Append it to `messages` unchanged. */
export interface ChatAnsweredMessage {
  /** The role of the author: always `assistant`. */
  role: 'assistant';
  /** The text of the message. Null if the model only calls tools or refuses. */
  content?: string | null | undefined;
  /** The refusal, in the model's words. Null if the model didn't refuse. */
  refusal?: string | null | undefined;
  /** The sources of the text. Empty or omitted if none. */
  annotations?: ChatAnnotation[] | null | undefined;
  /** Tool calls for you to run. Omitted if none. */
  tool_calls?: ChatAnsweredToolCall[] | null | undefined;
  /** @deprecated send `tools` and read `tool_calls`. The single call for a request with `functions`; omitted otherwise. */
  function_call?: ChatAnsweredFunction | null | undefined;
  /** The audio output. Omitted unless the request's `modalities` contains `audio`. */
  audio?: {
    /** The ID of this audio, for use in a later turn. */
    id: string;
    /** The audio in base64, in the request's `audio.format`. */
    data: string;
    /** When the upstream deletes the audio, as a Unix timestamp in seconds. */
    expires_at: number;
    /** The transcript of the audio. */
    transcript: string;
  } | null | undefined;
}

/** A tool call for you to run. Send its `id` back as `tool_call_id`. */
export type ChatAnsweredToolCall = ChatAnsweredFunctionCall | ChatAnsweredCustomCall;

/** An assistant message from an earlier turn, with text, a refusal, audio, or tool calls. */
export interface ChatAssistantMessage {
  /** The role of the author: always `assistant`. */
  role: 'assistant';
  /** The assistant's message: a string, or up to 1024 parts with text, refusals, and reasoning. Null or omitted only if the message has `tool_calls`, `refusal`, `audio`, or `function_call`. */
  content?: string | ChatAssistantPart[] | null | undefined;
  /** The refusal, in the model's words. Omit if the model didn't refuse. */
  refusal?: string | null | undefined;
  /** Optional. Refers to audio output from an earlier turn. Returns 400 unless the model is on a chat upstream. */
  audio?: {
    /** The `audio.id` of the earlier output. 1 to 512 characters. */
    id: string;
  } | null | undefined;
  /** Optional. Up to 128 tool calls that the model made. */
  tool_calls?: ChatToolCall[] | null | undefined;
  /** @deprecated use `tool_calls`. The single function call of the older form, followed by a `function` message with the result. */
  function_call?: ChatCalledFunction | null | undefined;
  /** Optional. Tells participants with the same role apart; up to 512 characters. Returns 400 on responses upstreams. Not sent to Anthropic and Gemini upstreams. */
  name?: string | null | undefined;
}

/** A part of an assistant message. */
export type ChatAssistantPart = ChatTextPart | ChatRefusalPart | ChatThinkingPart;

/** The voice and encoding of audio output. Returns 400 unless the model is on a chat upstream. */
export interface ChatAudioOptions {
  /** The name of one of the upstream's voices, or an object that identifies a custom voice. */
  voice: string | { [key: string]: unknown; };
  /** The encoding of the output audio. */
  format: 'wav' | 'aac' | 'mp3' | 'flac' | 'opus' | 'pcm16';
}

/** Audio in a user message. Returns 400 on Anthropic and Gemini upstreams. */
export interface ChatAudioPart {
  /** The type of the object: always `input_audio`. */
  type: 'input_audio';
  /** The audio, with its encoding. */
  input_audio: AudioClip;
  /** Optional. Marks the end of a part of the prompt that the upstream can cache. Sent to upstreams that use the same API as this call, to responses upstreams, and to Claude as `cache_control`, where only the last four marks count. Omitted for others. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** The function that was called in an earlier turn, with its arguments. */
export interface ChatCalledFunction {
  /** The name of the function that was called. At most 512 characters. */
  name: string;
  /** The arguments as the model wrote them, in JSON; they may be malformed. Anthropic and Gemini upstreams require a JSON object or an empty string; anything else returns 400. */
  arguments: string;
}

/** The text is in `choices[0].message.content`. */
export interface ChatCompletion {
  /** The ID of the completion, the same in all of its chunks. Chat completions aren't stored, so they can't be retrieved by this ID. */
  id: string;
  /** The type of the object: always `chat.completion`. */
  object: 'chat.completion';
  /** Unix timestamp in seconds. */
  created: number;
  /** The ID of the model, as in the request. */
  model: string;
  /** The choices: one, or as many as `n`. */
  choices: Array<{
    /** Index of the choice among the `n` choices, from 0. */
    index: number;
    /** The message that the model generated. */
    message: ChatAnsweredMessage;
    /** Why the model stopped. */
    finish_reason: FinishReason;
    /** Log probabilities of the output tokens. Null or omitted unless the request has `logprobs: true`. */
    logprobs?: ChatLogprobs | null | undefined;
  }>;
  /** Total usage of all choices. Omitted if the upstream doesn't report it. */
  usage?: ChatUsage | null | undefined;
  /** The processing tier that was used. Omitted if the upstream doesn't report it. */
  service_tier?: string | null | undefined;
  /** An ID of the backend configuration that the model ran with. Use it to compare responses for the same `seed`. Omitted if the upstream doesn't report it. */
  system_fingerprint?: string | null | undefined;
}

/** One `data:` line of a chat stream. The stream ends with `data: [DONE]`, or with `data: {"error": …}` if it failed. */
export interface ChatCompletionChunk {
  /** The ID of the completion, the same in all of its chunks. Chat completions aren't stored, so they can't be retrieved by this ID. */
  id: string;
  /** The type of the object: always `chat.completion.chunk`. */
  object: 'chat.completion.chunk';
  /** Unix timestamp in seconds. */
  created: number;
  /** The ID of the model, as in the request. */
  model: string;
  /** The choices that this chunk adds to. Empty in the chunk with the usage. */
  choices: Array<{
    /** Index of the choice among the `n` choices, from 0. */
    index: number;
    /** What this chunk adds to its choice. */
    delta: ChatDelta;
    /** Why the model stopped. Null except in the last chunk of a choice. */
    finish_reason?: FinishReason | null | undefined;
    /** Log probabilities of the output tokens. Null or omitted unless the request has `logprobs: true`. */
    logprobs?: ChatLogprobs | null | undefined;
  }>;
  /** Total usage of all choices, in the last chunk; null in earlier chunks. Omitted unless the request has `stream_options.include_usage: true`. */
  usage?: ChatUsage | null | undefined;
  /** The processing tier that was used. Omitted if the upstream doesn't report it. */
  service_tier?: string | null | undefined;
  /** An ID of the backend configuration that the model ran with. Use it to compare responses for the same `seed`. Omitted if the upstream doesn't report it. */
  system_fingerprint?: string | null | undefined;
}

/** A conversation, and options for the completion. Fields set to null are treated as omitted. Unknown fields are forwarded to OpenAI and Azure, unless they could select a model, provider, tier, tool, or price. All other unknown fields are dropped and listed in `x-modelgate-ignored`, unless the upstream is configured to allow them. */
export interface ChatCompletionRequest {
  /** The ID of a text model, as listed by `GET /v1/models`. 1 to 512 characters. */
  model: string;
  /** The conversation so far, oldest message first: 1 to 4096 messages. */
  messages: ChatMessage[];
  /** Whether to stream the response as server-sent events. Defaults to false. */
  stream?: boolean | null | undefined;
  /** Optional. Up to 128 tools that the model can call and you run. Upstreams without free-form tools get those as functions with one string parameter. */
  tools?: ChatTool[] | null | undefined;
  /** Controls which tools the model can or must call. Defaults to `auto` if there are tools, and to `none` otherwise. */
  tool_choice?: ChatToolChoice | null | undefined;
  /** The format of the output. Defaults to plain text. */
  response_format?: ChatResponseFormat | null | undefined;
  /** How much the model reasons before it responds. Defaults to the model's own value. Chat completions don't return the reasoning, but it counts as output tokens. */
  reasoning_effort?: ReasoningEffort | null | undefined;
  /** Maximum number of output tokens, including reasoning tokens. A completion that reaches it ends with `finish_reason: length`. Defaults to the model's maximum. If your account can't pay for that many, the gateway sets a lower limit and reports it in `x-modelgate-output-limit`. On a responses upstream, less than 16 becomes 16. At least 1. */
  max_completion_tokens?: number | null | undefined;
  /** Optional. Options for streaming. Returns 400 without `stream: true`. */
  stream_options?: {
    /** Whether to send one more chunk before `[DONE]`, with the usage and an empty `choices` array. Defaults to false. */
    include_usage?: boolean | null | undefined;
    /** Whether the upstream pads its chunks, so that their sizes don't reveal their content. Sent to chat upstreams; the gateway doesn't add padding itself. Optional; the provider decides if omitted. */
    include_obfuscation?: boolean | null | undefined;
  } | null | undefined;
  /** Sampling temperature, from 0 to 2. Higher values make the output more varied. Defaults to the model's own value. Anthropic upstreams accept 0 to 1 and return 400 for more; reasoning models may reject any value. */
  temperature?: number | null | undefined;
  /** Nucleus sampling, from 0 to 1: the model considers only the most likely tokens that together have this probability. Defaults to the model's own value. */
  top_p?: number | null | undefined;
  /** The older name of `max_completion_tokens`, with the same meaning. Optional; sending both returns 400. At least 1. */
  max_tokens?: number | null | undefined;
  /** How many choices to generate, from 1 to 128; each is charged. Defaults to 1. More than 1 returns 400 unless the model is on a chat upstream. */
  n?: number | null | undefined;
  /** Optional. Up to 4 sequences, each up to 1,024 characters, at which the model stops generating. The output doesn't contain the sequence. Returns 400 on responses upstreams. */
  stop?: string | string[] | null | undefined;
  /** From -2 to 2. Positive values make a token less likely each time it has already occurred in the text. Defaults to 0. Any other value returns 400 on responses upstreams and Anthropic upstreams. */
  frequency_penalty?: number | null | undefined;
  /** From -2 to 2. Positive values make a token less likely once it has occurred in the text, however often. Defaults to 0. Any other value returns 400 on responses upstreams and Anthropic upstreams. */
  presence_penalty?: number | null | undefined;
  /** Optional. Maps token IDs to a bias from -100 (never) to 100 (always). Returns 400 unless the model is on a chat upstream. */
  logit_bias?: { [key: string]: number; } | null | undefined;
  /** Whether to return log probabilities of the output tokens. Defaults to false. True returns 400 on Anthropic upstreams. */
  logprobs?: boolean | null | undefined;
  /** How many of the most likely tokens to return at each position, from 0 to 20. Requires `logprobs: true`. Defaults to 0. */
  top_logprobs?: number | null | undefined;
  /** @deprecated there is no replacement. Asks for the same output as before, without a guarantee. Not sent to responses upstreams, and listed in `x-modelgate-ignored` there. Returns 400 on Anthropic upstreams. Gemini upstreams accept only integers. */
  seed?: number | null | undefined;
  /** Whether the model can make several tool calls in parallel. Optional; the provider decides if omitted, usually true. False returns 400 on Gemini upstreams. */
  parallel_tool_calls?: boolean | null | undefined;
  /** @deprecated use `tools`. A request with `functions` and no `tools` gets at most one call, as `function_call`. At most 128 entries. */
  functions?: Array<{
    /** The name of the function. At most 512 characters. */
    name: string;
    /** Optional. Tells the model what the function does. */
    description?: string | null | undefined;
    /** JSON Schema for the arguments. Omit if the function has no arguments. */
    parameters?: { [key: string]: unknown; } | null | undefined;
  }> | null | undefined;
  /** @deprecated use `tool_choice`. */
  function_call?: 'none' | 'auto' | ChatFunctionName | null | undefined;
  /** Optional. An alternative to `reasoning_effort` that some client adapters send: `reasoning.effort` is used if `reasoning_effort` is omitted. Other fields, such as `max_tokens` and `enabled`, are sent only to an upstream that is configured to accept them; otherwise they're listed in `x-modelgate-ignored`. */
  reasoning?: {
    /** Used as `reasoning_effort` if that is omitted. */
    effort?: ReasoningEffort | null | undefined;
  } | null | undefined;
  /** How verbose the output is. Defaults to the model's own value, usually `medium`. */
  verbosity?: Verbosity | null | undefined;
  /** The output types to generate. Defaults to `["text"]`. `audio` requires the `audio` field, and returns 400 unless the model is on a chat upstream. At most 2 entries. */
  modalities?: Array<'text' | 'audio'> | null | undefined;
  /** The voice and encoding of audio output. Required if `modalities` contains `audio`; optional otherwise. */
  audio?: ChatAudioOptions | null | undefined;
  /** Optional. Text that most of the output is expected to repeat, which makes the response faster. Returns 400 unless the model is on a chat upstream. */
  prediction?: {
    /** The type of the object: always `content`. */
    type: 'content';
    /** The expected text: a string, or up to 1,024 parts. */
    content: string | ChatTextPart[];
  } | null | undefined;
  /** Whether Modelgate can keep reasoning between tool calls. Chat completions are never stored, and the gateway tells upstreams to store nothing; `store: true` is listed in `x-modelgate-ignored`. On a responses upstream, Modelgate keeps the encrypted reasoning before each tool call for a day and sends it back with the tool results. Send `false` to turn that off. Omit it to keep the reasoning. */
  store?: boolean | null | undefined;
  /** Key-value pairs for the upstream. The gateway doesn't use them. Optional. Doesn't change the output. Not sent to Anthropic and Gemini upstreams. */
  metadata?: Metadata | null | undefined;
  /** Set `include` to get the cost of the call in the response. Not sent to upstreams. Omit to get a response without the cost. */
  usage?: UsageOptions | null | undefined;
  /** @deprecated use `safety_identifier` and `prompt_cache_key`. Optional. Doesn't change the output. Not sent to Anthropic and Gemini upstreams. At most 512 characters. */
  user?: string | null | undefined;
  /** A stable, opaque ID of your end user, which lets the provider identify users who violate its policies. Optional. Doesn't change the output. Not sent to Anthropic and Gemini upstreams. At most 64 characters. */
  safety_identifier?: string | null | undefined;
  /** A stable key for the conversation, up to 64 characters. If a model has several upstreams, calls with the same key go to the same one, which improves cache hits. Optional. Doesn't change the output. Not sent to Anthropic and Gemini upstreams. */
  prompt_cache_key?: string | null | undefined;
  /** @deprecated use `prompt_cache_options`. How long the upstream keeps a cached prompt. Omitted for Gemini upstreams. For Claude, `24h` keeps marks for one hour. */
  prompt_cache_retention?: 'in_memory' | 'in-memory' | '24h' | null | undefined;
  /** How the upstream caches the prompt. Optional; the provider decides if omitted. */
  prompt_cache_options?: PromptCacheOptions | null | undefined;
  /** The processing tier to request from the upstream. Defaults to `auto`. */
  service_tier?: ServiceTier | null | undefined;
  /** Lets the upstream search the web. Omit to disable web search. Charged as one `web_search_call`; returns 400 if that has no price. Unless it's an empty object, it also returns 400 if the model isn't on a chat upstream. An empty object there is listed in `x-modelgate-ignored` and costs nothing. */
  web_search_options?: {
    /** How much of the search results is added to the context. Optional; the provider decides if omitted, usually `medium`. */
    search_context_size?: 'low' | 'medium' | 'high' | null | undefined;
    /** Optional. The user's approximate location, in the upstream's format. */
    user_location?: { [key: string]: unknown; } | null | undefined;
  } | null | undefined;
  /** Asks the upstream to moderate the text of the call. Optional; the provider decides if omitted. */
  moderation?: TextModeration | null | undefined;
}

/** A free-form tool by its name. */
export interface ChatCustomChoice {
  /** The type of the object: always `custom`. */
  type: 'custom';
  /** Names the free-form tool. */
  custom: ChatNamedTool;
}

/** A tool that takes free text instead of JSON arguments, run by the caller. Upstreams that support only functions get a function with one string parameter; the call comes back as `custom`. */
export interface ChatCustomTool {
  /** The type of the object: always `custom`. */
  type: 'custom';
  /** The tool itself. */
  custom: {
    /** Name that the model calls it by. */
    name: ToolName;
    /** What the tool does and when to use it; the model reads this. Optional. */
    description?: string | null | undefined;
    /** Format of the text that the tool takes. Omit for any. */
    format?: ChatCustomToolFormat | null | undefined;
  };
}

/** A call to a free-form tool from an earlier turn. */
export interface ChatCustomToolCall {
  /** The ID of the tool call. The `tool` message with its result refers to it in `tool_call_id`. 1 to 512 characters. */
  id: string;
  /** The type of the object: always `custom`. */
  type: 'custom';
  /** The free-form tool, with its input. */
  custom: {
    /** The name of the tool that was called. At most 512 characters. */
    name: string;
    /** The input of the tool, as free text. */
    input: string;
  };
}

/** Format of the input of the tool. */
export type ChatCustomToolFormat = PlainTextFormat | ChatGrammarFormat;

/** What a chunk adds to its choice. Empty in the last chunk of the choice. */
export interface ChatDelta {
  /** The role of the author: `assistant`. Sent only in the first chunk of a choice, and omitted in the others. */
  role?: 'assistant' | 'developer' | 'system' | 'user' | 'tool' | null | undefined;
  /** The next piece of the text. Omitted if this chunk has none. */
  content?: string | null | undefined;
  /** The next piece of a refusal. Omitted if this chunk has none. */
  refusal?: string | null | undefined;
  /** The sources of the text. Omitted if this chunk has none. */
  annotations?: ChatAnnotation[] | null | undefined;
  /** The next pieces of tool calls. Omitted if this chunk has none. */
  tool_calls?: ChatToolCallDelta[] | null | undefined;
  /** @deprecated send `tools` and read `tool_calls`. The next piece of the single call for a request with `functions`. */
  function_call?: ChatFunctionDelta | null | undefined;
}

/** A document in a user message. */
export interface ChatFilePart {
  /** The type of the object: always `file`. */
  type: 'file';
  /** The file: either its data or its ID. */
  file: {
    /** Optional. The name of the file, up to 512 characters. */
    filename?: string | null | undefined;
    /** The file as a data URL. Anthropic upstreams accept only PDF and plain text; other types return 400. Omit only if you send `file_id`. */
    file_data?: string | null | undefined;
    /** The ID of a file stored at the upstream. Omit if you send `file_data`. The gateway has no Files API. Returns 400 on Anthropic and Gemini upstreams. 1 to 512 characters. */
    file_id?: string | null | undefined;
  };
  /** Optional. Marks the end of a part of the prompt that the upstream can cache. Sent to upstreams that use the same API as this call, to responses upstreams, and to Claude as `cache_control`, where only the last four marks count. Omitted for others. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** A function by its name. */
export interface ChatFunctionChoice {
  /** The type of the object: always `function`. */
  type: 'function';
  /** Names the function. */
  function: ChatNamedTool;
}

/** Name, description and parameters of a function. */
export interface ChatFunctionDefinition {
  /** Name that the model calls it by. */
  name: ToolName;
  /** What the tool does and when to use it; the model reads this. Optional. */
  description?: string | null | undefined;
  /** JSON schema of the arguments, at most 64 levels deep. Absent: no arguments. */
  parameters?: { [key: string]: unknown; } | null | undefined;
  /** Whether the arguments must follow the schema exactly. Defaults to false. */
  strict?: boolean | null | undefined;
}

/** A piece of a function call. The name is sent once, the arguments in pieces. */
export interface ChatFunctionDelta {
  /** The name of the function. Sent only in the first piece of a call, and omitted in the others. */
  name?: string | undefined;
  /** The next piece of the JSON arguments. Omitted if this chunk has none. */
  arguments?: string | undefined;
}

/** @deprecated use the role `tool`. The output of a `function_call`. */
export interface ChatFunctionMessage {
  /** The role of the author: always `function`. */
  role: 'function';
  /** The name of the function that was called. The older form has no IDs. At most 512 characters. */
  name: string;
  /** The output of the function. Null means an empty string. */
  content?: string | null | undefined;
}

/** @deprecated use `tool_choice`. Forces the model to call this one of `functions`. */
export interface ChatFunctionName {
  /** The name of the function. At most 512 characters. */
  name: string;
}

/** A function that the caller runs. */
export interface ChatFunctionTool {
  /** The type of the object: always `function`. */
  type: 'function';
  /** The function itself. */
  function: ChatFunctionDefinition;
}

/** A function call from an earlier turn. */
export interface ChatFunctionToolCall {
  /** The ID of the tool call. The `tool` message with its result refers to it in `tool_call_id`. 1 to 512 characters. */
  id: string;
  /** The type of the object: always `function`. */
  type: 'function';
  /** The function, with its arguments. */
  function: ChatCalledFunction;
}

/** Text that follows a grammar. */
export interface ChatGrammarFormat {
  /** The type of the object: always `grammar`. */
  type: 'grammar';
  /** The grammar that the input follows. */
  grammar: {
    /** How the grammar is written: `lark`, or `regex` for one regular expression. */
    syntax: 'lark' | 'regex';
    /** The grammar that the input must follow. Upstreams without free-form tools cannot enforce it; there the model reads it in the description. Not empty. */
    definition: string;
  };
}

/** The URL of an image, and the detail at which the model sees it. */
export interface ChatImageAddress {
  /** A data URL, or an https URL that the upstream can fetch. The gateway never fetches it. Gemini upstreams accept only data URLs; other URLs return 400. Not empty. */
  url: string;
  /** The resolution at which the model sees the image. A higher one uses more input tokens. Defaults to `auto`. Not sent to Anthropic and Gemini upstreams. */
  detail?: 'auto' | 'low' | 'high' | 'original' | null | undefined;
}

/** An image in a user message. */
export interface ChatImagePart {
  /** The type of the object: always `image_url`. */
  type: 'image_url';
  /** The image: an object with its URL, or only the URL. */
  image_url: string | ChatImageAddress;
  /** Optional. Marks the end of a part of the prompt that the upstream can cache. Sent to upstreams that use the same API as this call, to responses upstreams, and to Claude as `cache_control`, where only the last four marks count. Omitted for others. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** Instructions for the model. They can appear anywhere in the conversation. */
export interface ChatInstructionMessage {
  /** `system` and `developer` have the same effect. Upstreams that don't support `developer` get `system`; others have a separate field for instructions. */
  role: 'system' | 'developer';
  /** The instructions: a string, or 1 to 1024 text parts. */
  content: string | ChatTextPart[];
  /** Optional. Tells participants with the same role apart; up to 512 characters. Returns 400 on responses upstreams. Not sent to Anthropic and Gemini upstreams. */
  name?: string | null | undefined;
}

/** JSON that follows the schema you supply. Returns 400 on chat upstreams whose provider doesn't support schemas. */
export interface ChatJsonSchemaFormat {
  /** The type of the object: always `json_schema`. */
  type: 'json_schema';
  /** The schema, with its name and description. */
  json_schema: {
    /** The name of the response format. The model may see it. */
    name: string;
    /** Optional. Describes the response format to the model. */
    description?: string | null | undefined;
    /** JSON Schema for the response, at most 64 levels deep. Omit to allow any JSON. */
    schema?: { [key: string]: unknown; } | null | undefined;
    /** Whether the output must follow the schema exactly. Defaults to false. Anthropic and Gemini upstreams ignore this and always follow the schema. */
    strict?: boolean | null | undefined;
  };
}

/** Log probabilities of the output tokens. */
export interface ChatLogprobs {
  /** The tokens of the text. Null if there is no text. */
  content?: ChatTokenLogprob[] | null | undefined;
  /** The tokens of the refusal. Null if the model didn't refuse. */
  refusal?: ChatTokenLogprob[] | null | undefined;
}

/** A message of the conversation. Its fields depend on `role`. */
export type ChatMessage = ChatInstructionMessage | ChatUserMessage | ChatAssistantMessage | ChatToolMessage | ChatFunctionMessage;

/** One tool, by its name. */
export type ChatNamedChoice = ChatFunctionChoice | ChatCustomChoice;

/** A tool of the request, by its name. */
export interface ChatNamedTool {
  /** Name of a tool of this request. */
  name: ToolName;
}

/** A refusal from an earlier turn, sent back as a part. */
export interface ChatRefusalPart {
  /** The type of the object: always `refusal`. */
  type: 'refusal';
  /** The refusal, in the model's words. */
  refusal: string;
}

/** The format of the output. In the Responses API this is `text.format`, which is one level flatter. */
export type ChatResponseFormat = PlainTextFormat | JsonObjectFormat | ChatJsonSchemaFormat;

/** Text in a message. */
export interface ChatTextPart {
  /** The type of the object: always `text`. */
  type: 'text';
  /** The text. It can be empty. */
  text: string;
  /** Optional. Marks the end of a part of the prompt that the upstream can cache. Sent to upstreams that use the same API as this call, to responses upstreams, and to Claude as `cache_control`, where only the last four marks count. Omitted for others. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** Reasoning from an earlier turn, in the format of some chat providers. Sent back to providers that support it; otherwise it's omitted and listed in `x-modelgate-ignored`. */
export interface ChatThinkingPart {
  /** The type of the object: always `thinking`. */
  type: 'thinking';
  /** The model's reasoning: a string, or up to 1024 text parts. */
  thinking: string | ChatThoughtText[];
}

/** A part of the model's reasoning. */
export interface ChatThoughtText {
  /** The type of the object: always `text`. */
  type: 'text';
  /** The text of the reasoning. */
  text: string;
}

/** A token of the output, with its log probability. */
export interface ChatTokenLogprob {
  /** The token as text. */
  token: string;
  /** The natural logarithm of the token's probability, at most 0. */
  logprob: number;
  /** The token as UTF-8 bytes. One character can span several tokens. Null if the token has no bytes. */
  bytes?: number[] | null | undefined;
  /** The most likely tokens at this position, as many as the request's `top_logprobs`. Empty if that is 0. */
  top_logprobs: ChatTopLogprob[];
}

/** A tool that the model may call and the caller runs. */
export type ChatTool = ChatFunctionTool | ChatCustomTool;

/** A tool call that the model made in an earlier turn. Its result must follow in a `tool` message, before any message with another role. */
export type ChatToolCall = ChatFunctionToolCall | ChatCustomToolCall;

/** A piece of a tool call. `id`, `type`, and the name are sent once, in the first piece. */
export interface ChatToolCallDelta {
  /** Index of the tool call that this piece belongs to, from 0 without gaps. 0 to 127. */
  index: number;
  /** The ID of the tool call. Sent only in the first piece of a call, and omitted in the others. */
  id?: string | undefined;
  /** The type of the tool. Sent only in the first piece of a call, and omitted in the others. */
  type?: 'function' | 'custom' | undefined;
  /** A piece of a function call. Omitted for a free-form tool. */
  function?: ChatFunctionDelta | undefined;
  /** A piece of a call to a free-form tool. Omitted for a function. */
  custom?: {
    /** The name of the tool. Sent only in the first piece of a call, and omitted in the others. */
    name?: string | undefined;
    /** The next piece of the input. Omitted if this chunk has none. */
    input?: string | undefined;
  } | undefined;
}

/** `none`: no call. `auto`: the model decides. `required`: at least one call. Or one tool by name, which must then be called, or a subset of the tools. */
export type ChatToolChoice = 'none' | 'auto' | 'required' | ChatToolSelection;

/** The output of a tool call. */
export interface ChatToolMessage {
  /** The role of the author: always `tool`. */
  role: 'tool';
  /** The output of the tool: a string, or 1 to 1024 text parts. */
  content: string | ChatTextPart[];
  /** The ID of the tool call that this message responds to. Returns 400 if no open tool call has this ID. 1 to 512 characters. */
  tool_call_id: string;
}

/** One tool by its name, or a subset of them. */
export type ChatToolSelection = ChatFunctionChoice | ChatCustomChoice | ChatAllowedTools;

/** An alternative token at this position, with its log probability. */
export interface ChatTopLogprob {
  /** The alternative token as text. */
  token: string;
  /** The natural logarithm of the token's probability, at most 0. */
  logprob: number;
  /** The token as UTF-8 bytes. One character can span several tokens. Null if the token has no bytes. */
  bytes?: number[] | null | undefined;
}

/** Tokens used by the completion, as counted by the upstream. If the upstream doesn't report usage, see the receipt for the gateway's count. */
export interface ChatUsage {
  /** Number of input tokens, including tokens read from a cache. */
  prompt_tokens: number;
  /** Number of output tokens, including reasoning tokens. */
  completion_tokens: number;
  /** The sum of `prompt_tokens` and `completion_tokens`. */
  total_tokens: number;
  /** Breakdown of `prompt_tokens`. Omitted if the upstream doesn't report it. */
  prompt_tokens_details?: {
    /** Tokens read from the upstream's cache, charged at the price of cached input. Omitted if none. */
    cached_tokens?: number | null | undefined;
    /** Tokens written to the upstream's cache, charged at the price of cache writes. Omitted if none. */
    cache_write_tokens?: number | null | undefined;
    /** Audio input tokens. Omitted if there are none, or if the upstream doesn't count them separately. */
    audio_tokens?: number | null | undefined;
  } | null | undefined;
  /** Breakdown of `completion_tokens`. Omitted if the upstream doesn't report it. */
  completion_tokens_details?: {
    /** Reasoning tokens, charged as output. Omitted if there are none, or if the upstream doesn't count them separately. */
    reasoning_tokens?: number | null | undefined;
    /** Audio output tokens. Omitted if there are none, or if the upstream doesn't count them separately. */
    audio_tokens?: number | null | undefined;
    /** Tokens of the `prediction` that appear in the output. Omitted if none. */
    accepted_prediction_tokens?: number | null | undefined;
    /** Tokens of the `prediction` that don't appear in the output. They're still charged as output. Omitted if none. */
    rejected_prediction_tokens?: number | null | undefined;
  } | null | undefined;
  /** The amount charged, in US dollars. Omitted unless the request has `usage: { include: true }` and calls are charged. */
  cost?: number | undefined;
}

/** A user message: text, images, audio, and files. */
export interface ChatUserMessage {
  /** The role of the author: always `user`. */
  role: 'user';
  /** The user's message: a string, or 1 to 1024 parts. */
  content: string | ChatUserPart[];
  /** Optional. Tells participants with the same role apart; up to 512 characters. Returns 400 on responses upstreams. Not sent to Anthropic and Gemini upstreams. */
  name?: string | null | undefined;
}

/** A part of a user message: text, an image, audio, or a file. */
export type ChatUserPart = ChatTextPart | ChatImagePart | ChatAudioPart | ChatFilePart;

/** A text model in the format of the Codex CLI. */
export interface CodexModel {
  /** Id of the model; the other fields are private to the Codex CLI. */
  slug: string;
}

/** A conversation that a responses upstream has compacted. Others refuse it with 400. */
export interface Compaction {
  /** The type of the object: always `compaction`. */
  type: 'compaction';
  /** The encrypted conversation, unchanged. Only the upstream that encrypted it can read it; another refuses it with 400. */
  encrypted_content: string;
  /** Id of the item, from the client or from an earlier answer. Accepted, but not sent to the upstream, which does not know the id. Absent: a stored item gets a new id. 1 to 512 characters. */
  id?: string | null | undefined;
  /** Status of the item in the earlier answer; the gateway ignores it, so it may be absent. */
  status?: ItemStatus | null | undefined;
}

/** Asks a responses upstream to compact the conversation; the last item of the input. Others refuse it with 400. */
export interface CompactionTrigger {
  /** The type of the object: always `compaction_trigger`. */
  type: 'compaction_trigger';
  /** Id of the item, from the client or from an earlier answer. Accepted, but not sent to the upstream, which does not know the id. Absent: a stored item gets a new id. 1 to 512 characters. */
  id?: string | null | undefined;
  /** Status of the item in the earlier answer; the gateway ignores it, so it may be absent. */
  status?: ItemStatus | null | undefined;
}

/** A tool that takes free text instead of JSON arguments, run by the caller. Upstreams that support only functions get a function with one string parameter; the call comes back as `custom_tool_call`. */
export interface CustomTool {
  /** The type of the object: always `custom`. */
  type: 'custom';
  /** Name that the model calls it by. */
  name: LongToolName;
  /** What the tool does and when to use it; the model reads this. Optional. */
  description?: string | null | undefined;
  /** Format of the text that the tool takes. Omit for any. */
  format?: CustomToolFormat | null | undefined;
}

/** A call of a free-form tool for the caller to run. */
export interface CustomToolCall {
  /** The type of the object: always `custom_tool_call`. */
  type: 'custom_tool_call';
  /** Id of the item from the upstream. Absent when the upstream gave none. */
  id?: string | null | undefined;
  /** Id of the call; send it back as `custom_tool_call_output.call_id`. */
  call_id: string;
  /** Name of the tool, as the request declared it. */
  name: string;
  /** Free text for the tool. Empty while the call begins. */
  input: string;
  /** The namespace of the tool; send it back with the call. Absent: the tool has none. */
  namespace?: string | null | undefined;
  /** Status of the item. Absent: it is complete. */
  status?: ItemStatus | null | undefined;
}

/** The result of a call of a free-form tool; built by the caller, never returned in `output`. */
export interface CustomToolCallOutput {
  /** The type of the object: always `custom_tool_call_output`. */
  type: 'custom_tool_call_output';
  /** Links a call with its output: both have the same `call_id`. It is not the `id` of the item. 1 to 512 characters. */
  call_id: string;
  /** What the tool gave back. */
  output: ToolOutput;
  /** Id of the item, from the client or from an earlier answer. Accepted, but not sent to the upstream, which does not know the id. Absent: a stored item gets a new id. 1 to 512 characters. */
  id?: string | null | undefined;
  /** Status of the item in the earlier answer; the gateway ignores it, so it may be absent. */
  status?: ItemStatus | null | undefined;
}

/** Format of the input of the tool. */
export type CustomToolFormat = PlainTextFormat | GrammarFormat;

/** A deleted response: it can no longer be read or continued. */
export interface DeletedResponse {
  /** Id of the response that was deleted. */
  id: string;
  /** The type of the object: always `response`. */
  object: 'response';
  /** Always true: a response that does not exist is 404. */
  deleted: true;
}

/** US dollars as a string, with six decimal places. */
export type Dollars = string;

/** The body of every answer that is not 2xx. */
export interface ErrorBody {
  /** The error itself. */
  error: ErrorDetail;
}

/** The error. All four fields are always present. */
export interface ErrorDetail {
  /** What went wrong and what to do, as a sentence for people. The wording may change. */
  message: string;
  /** Coarse class of the error. */
  type: 'invalid_request_error' | 'authentication_error' | 'permission_error' | 'rate_limit_error' | 'server_error' | 'image_generation_user_error';
  /** Path of the field that caused the error, such as `messages[2].content`. Null: no field did. */
  param: string | null;
  /** The exact reason, for programs. It belongs to one status and one type. */
  code: 'invalid_json' | 'malformed_request' | 'unknown_parameter' | 'unsupported_parameter' | 'unsupported_value' | 'missing_required_parameter' | 'invalid_type' | 'invalid_value' | 'integer_below_min_value' | 'integer_above_max_value' | 'decimal_below_min_value' | 'decimal_above_max_value' | 'string_above_max_length' | 'empty_string' | 'array_above_max_length' | 'empty_array' | 'context_length_exceeded' | 'previous_response_not_found' | 'invalid_image_format' | 'invalid_base64_image' | 'invalid_image_url' | 'image_file_too_large' | 'moderation_blocked' | 'invalid_api_key' | 'permission_denied' | 'insufficient_balance' | 'subscription_inactive' | 'storage_quota_exceeded' | 'model_not_found' | 'response_not_found' | 'not_found' | 'item_not_found' | 'unknown_url' | 'method_not_allowed' | 'request_timeout' | 'idempotency_conflict' | 'conflict' | 'config_changed' | 'request_too_large' | 'unsupported_media_type' | 'upgrade_required' | 'headers_too_large' | 'rate_limit_exceeded' | 'token_limit_exceeded' | 'concurrency_limit_exceeded' | 'internal_error' | 'upstream_error' | 'overloaded' | 'no_upstream_available' | 'upstream_timeout';
}

/** `stop`: the model finished, reached a stop sequence, or refused. `length`: a token limit was reached. `tool_calls`: the model called tools. `content_filter`: output was withheld. `function_call`: the same as `tool_calls`, for requests with `functions`. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call';

/** A call for the caller to run; the response may have no text beside it. */
export interface FunctionCall {
  /** The type of the object: always `function_call`. */
  type: 'function_call';
  /** Id of the item from the upstream. Absent when the upstream gave none. */
  id?: string | null | undefined;
  /** Id of the call; send it back as `function_call_output.call_id`. */
  call_id: string;
  /** Name of the function, as the request declared it. */
  name: string;
  /** JSON as the model wrote it: check it before use. Empty while the call begins. */
  arguments: string;
  /** The namespace of the tool; send it back with the call. Absent: the tool has none. */
  namespace?: string | null | undefined;
  /** Status of the item. Absent: it is complete. */
  status?: ItemStatus | null | undefined;
}

/** The result of a function call; built by the caller, never returned in `output`. */
export interface FunctionCallOutput {
  /** The type of the object: always `function_call_output`. */
  type: 'function_call_output';
  /** Links a call with its output: both have the same `call_id`. It is not the `id` of the item. 1 to 512 characters. */
  call_id: string;
  /** What the function gave back. */
  output: ToolOutput;
  /** Id of the item, from the client or from an earlier answer. Accepted, but not sent to the upstream, which does not know the id. Absent: a stored item gets a new id. 1 to 512 characters. */
  id?: string | null | undefined;
  /** Status of the item in the earlier answer; the gateway ignores it, so it may be absent. */
  status?: ItemStatus | null | undefined;
}

/** A function that the caller runs. */
export interface FunctionTool {
  /** The type of the object: always `function`. */
  type: 'function';
  /** Name that the model calls it by. A name that is too long for an upstream is shortened for it, and comes back in full. */
  name: LongToolName;
  /** What the tool does and when to use it; the model reads this. Optional. */
  description?: string | null | undefined;
  /** JSON schema of the arguments, at most 64 levels deep. Absent: no arguments. */
  parameters?: { [key: string]: unknown; } | null | undefined;
  /** Whether the arguments must follow the schema exactly. Absent: the upstream decides, usually true. */
  strict?: boolean | null | undefined;
}

/** An image: has `b64_json` (plain base64) or, from older models, `url`. */
export interface GeneratedImage {
  /** The image in plain base64, without the prefix of a data URL. Absent only beside `url`. */
  b64_json?: string | undefined;
  /** Address at which the upstream keeps the image for a limited time. Only older models have one; otherwise it is absent. */
  url?: string | undefined;
  /** The prompt as the model rewrote it. Absent when the model used the prompt unchanged. */
  revised_prompt?: string | null | undefined;
}

/** Text that follows a grammar. */
export interface GrammarFormat {
  /** The type of the object: always `grammar`. */
  type: 'grammar';
  /** How the grammar is written: `lark`, or `regex` for one regular expression. */
  syntax: 'lark' | 'regex';
  /** The grammar that the input must follow. Upstreams without free-form tools cannot enforce it; there the model reads it in the description. Not empty. */
  definition: string;
}

/** A tool of the upstream by its type. */
export interface HostedChoice {
  /** The tool of the upstream that must be used. 400 when the upstream does not speak responses. */
  type: 'tool_search' | 'local_shell' | 'shell' | 'apply_patch' | 'file_search' | 'code_interpreter' | 'image_generation' | 'computer' | 'computer_use_preview' | 'programmatic_tool_calling' | 'web_search' | 'web_search_preview' | 'web_search_preview_2025_03_11';
}

/** A call of a tool that the upstream ran, or another item of the upstream. Calls are charged by type; failed calls are free. */
export interface HostedItem {
  /** The tool, or the kind of item; the other fields depend on it. */
  type: 'local_shell_call' | 'local_shell_call_output' | 'shell_call' | 'shell_call_output' | 'apply_patch_call' | 'apply_patch_call_output' | 'web_search_call' | 'file_search_call' | 'image_generation_call' | 'code_interpreter_call' | 'computer_call' | 'computer_call_output' | 'mcp_call' | 'mcp_list_tools' | 'mcp_approval_request' | 'mcp_approval_response' | 'program' | 'program_output' | 'configuration_update' | 'tool_search_call' | 'tool_search_output' | 'compaction' | 'additional_tools';
  /** Id of the item from the upstream. Absent when the upstream gave none. */
  id?: string | null | undefined;
  /** Status, in the words of that tool. Absent for items that have no such field. */
  status?: string | null | undefined;
}

/** Another tool of the upstream; its settings are forwarded. One that the upstream runs is charged by the call. When the upstream does not speak responses, or a tool that it runs has no price, the tool is left out and named in `x-modelgate-ignored`; a call whose `tool_choice` requires it is 400. */
export interface HostedTool {
  /** The tool. */
  type: 'tool_search' | 'local_shell' | 'shell' | 'apply_patch' | 'file_search' | 'code_interpreter' | 'image_generation' | 'computer' | 'computer_use_preview' | 'programmatic_tool_calling';
}

/** Progress of a tool that the upstream runs; the other fields depend on the type. */
export interface HostedToolEvent {
  /** The tool, and the state of the call. */
  type: 'response.web_search_call.in_progress' | 'response.web_search_call.searching' | 'response.web_search_call.completed' | 'response.file_search_call.in_progress' | 'response.file_search_call.searching' | 'response.file_search_call.completed' | 'response.code_interpreter_call.in_progress' | 'response.code_interpreter_call.interpreting' | 'response.code_interpreter_call.completed' | 'response.code_interpreter_call_code.delta' | 'response.code_interpreter_call_code.done' | 'response.image_generation_call.in_progress' | 'response.image_generation_call.generating' | 'response.image_generation_call.partial_image' | 'response.image_generation_call.completed' | 'response.mcp_call.in_progress' | 'response.mcp_call.completed' | 'response.mcp_call.failed' | 'response.mcp_call_arguments.delta' | 'response.mcp_call_arguments.done' | 'response.mcp_list_tools.in_progress' | 'response.mcp_list_tools.completed' | 'response.mcp_list_tools.failed' | 'response.shell_call.in_progress' | 'response.shell_call.completed';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this event is about. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
}

/** The last event of a stream that succeeded: the complete image. */
export interface ImageEditCompletedEvent {
  /** The type of the object: always `image_edit.completed`. */
  type: 'image_edit.completed';
  /** The image in plain base64, without the prefix of a data URL. */
  b64_json: string;
  /** Unix timestamp in seconds. */
  created_at: number;
  /** Background of the image: `opaque` or `transparent`. Absent when the upstream does not report it. */
  background?: string | null | undefined;
  /** Encoding of the image: `png`, `jpeg` or `webp`. Absent when the upstream does not report it. */
  output_format?: string | null | undefined;
  /** The quality of the image: `low`, `medium` or `high`. Absent when the upstream does not report it. */
  quality?: string | null | undefined;
  /** Width and height in pixels, such as `1024x1024`. Absent when the upstream does not report it. */
  size?: string | null | undefined;
  /** What the request used. Absent when the upstream reports nothing. */
  usage?: ImageUsage | null | undefined;
  /** `safety_identifier` of the request. Absent when the upstream does not repeat it. */
  safety_identifier?: string | null | undefined;
}

/** Partial images, then exactly one completed or error event. No `[DONE]`. */
export type ImageEditEvent = ImageEditPartialImageEvent | ImageEditCompletedEvent | ImageErrorEvent;

/** A partial image, to show until the next one comes. */
export interface ImageEditPartialImageEvent {
  /** The type of the object: always `image_edit.partial_image`. */
  type: 'image_edit.partial_image';
  /** The partial image in plain base64, without the prefix of a data URL. */
  b64_json: string;
  /** Unix timestamp in seconds. */
  created_at: number;
  /** Background of the image: `opaque` or `transparent`. Absent when the upstream does not report it. */
  background?: string | null | undefined;
  /** Encoding of the image: `png`, `jpeg` or `webp`. Absent when the upstream does not report it. */
  output_format?: string | null | undefined;
  /** The quality of the image: `low`, `medium` or `high`. Absent when the upstream does not report it. */
  quality?: string | null | undefined;
  /** Width and height in pixels, such as `1024x1024`. Absent when the upstream does not report it. */
  size?: string | null | undefined;
  /** Which partial image this is, from 0. */
  partial_image_index: number;
}

/** The JSON form of an edit. Null counts as absent. */
export interface ImageEditRequest {
  /** The image to generate, or the change to make. 1 to 32,000 characters. */
  prompt: string;
  /** Id of an image model, as `GET /v1/models` lists it. 1 to 512 characters. */
  model: string;
  /** Number of images; each is charged. Absent: 1. With `stream: true` only 1. 1 to 10. */
  n?: number | null | undefined;
  /** `auto`, or `<width>x<height>` in pixels. `gpt-image-2` accepts multiples of 16, one side at most 3 times the other, up to 3840x2160 in either direction. Absent: `auto`, the upstream decides. The price may depend on it. */
  size?: string | null | undefined;
  /** Quality of the image: `auto`, `low`, `medium`, or `high`, and `xhigh` or `max` for models that have it. Absent: `auto`, the upstream decides. The price may depend on it; until the quality is known, the highest price is held. 1 to 16 characters. */
  quality?: string | null | undefined;
  /** Background of the image. `transparent` needs `png` or `webp`. Absent: `auto`, the upstream decides. */
  background?: 'auto' | 'opaque' | 'transparent' | null | undefined;
  /** Encoding of the image: `png`, `jpeg`, or `webp`, and `gif` or `svg` for models that have it. Each frame of a `gif` is charged as an image. Absent: `png`. The simulator has `png` only. 1 to 16 characters. */
  output_format?: string | null | undefined;
  /** Quality of the encoding, from 0 to 100; 100 makes the largest file. Only with `jpeg` or `webp`. Absent: 100. */
  output_compression?: number | null | undefined;
  /** How strictly the upstream moderates the request; what it refuses is 400 `moderation_blocked`. Defaults to `auto`. */
  moderation?: 'auto' | 'low' | null | undefined;
  /** True: partial images and the final one come as Server-Sent Events. Defaults to false. */
  stream?: boolean | null | undefined;
  /** How many partial images to send; only with `stream: true`. Fewer may come. Optional. 0 to 3. */
  partial_images?: number | null | undefined;
  /** How much the model plans the image, for models that can: `low`, `medium`, or `high`. Absent: the model decides. 1 to 16 characters. */
  complexity?: string | null | undefined;
  /** Number of frames of a `gif`; each is charged as an image. Absent: 9. 1 to 100. */
  frame_count?: number | null | undefined;
  /** Milliseconds that each frame of a `gif` is shown. Absent: 200. At least 1. */
  frame_duration_ms?: number | null | undefined;
  /** Options of an `svg`, for models whose operator accepts them. Optional. */
  svg?: { [key: string]: unknown; } | null | undefined;
  /** @deprecated use `safety_identifier`. The gateway forwards it to the upstream. At most 512 characters. */
  user?: string | null | undefined;
  /** An opaque id of the end user, so that the vendor can find a user who breaks its rules. Absent: none is sent. At most 64 characters. */
  safety_identifier?: string | null | undefined;
  /** Images always come as base64: `b64_json` changes nothing, `url` is 400. Absent: `b64_json`. */
  response_format?: 'b64_json' | 'url' | null | undefined;
  /** The images to change or to use as input: 1 to 16. */
  images: ImageReference[];
  /** A PNG of at most 4 MB. Transparent pixels mark what to change in the first image; the mask has the same size. Absent: the whole image may change. */
  mask?: ImageReference | null | undefined;
  /** How closely the result matches the given images. Forwarded to the upstream; `gpt-image-2` does not use it. Optional; the provider decides if omitted. */
  input_fidelity?: 'high' | 'low' | null | undefined;
}

/** The last event of a stream that failed. */
export interface ImageErrorEvent {
  /** The type of the object: always `error`. */
  type: 'error';
  /** The error, as in the body of an answer that is not 2xx. */
  error: {
    /** What went wrong and what to do, as a sentence for people. */
    message: string;
    /** Coarse class of the error, as in the body of an error. */
    type: string;
    /** Path of the field that caused the error. Null: no field did. */
    param: string | null;
    /** The reason, for programs: an error code of this API. Never null. */
    code: string | null;
  };
}

/** The last event of a stream that succeeded: the complete image. */
export interface ImageGenerationCompletedEvent {
  /** The type of the object: always `image_generation.completed`. */
  type: 'image_generation.completed';
  /** The image in plain base64, without the prefix of a data URL. */
  b64_json: string;
  /** Unix timestamp in seconds. */
  created_at: number;
  /** Background of the image: `opaque` or `transparent`. Absent when the upstream does not report it. */
  background?: string | null | undefined;
  /** Encoding of the image: `png`, `jpeg` or `webp`. Absent when the upstream does not report it. */
  output_format?: string | null | undefined;
  /** The quality of the image: `low`, `medium` or `high`. Absent when the upstream does not report it. */
  quality?: string | null | undefined;
  /** Width and height in pixels, such as `1024x1024`. Absent when the upstream does not report it. */
  size?: string | null | undefined;
  /** What the request used. Absent when the upstream reports nothing. */
  usage?: ImageUsage | null | undefined;
  /** `safety_identifier` of the request. Absent when the upstream does not repeat it. */
  safety_identifier?: string | null | undefined;
}

/** Partial images, then exactly one completed or error event. No `[DONE]`. */
export type ImageGenerationEvent = ImageGenerationPartialImageEvent | ImageGenerationCompletedEvent | ImageErrorEvent;

/** A partial image, to show until the next one comes. */
export interface ImageGenerationPartialImageEvent {
  /** The type of the object: always `image_generation.partial_image`. */
  type: 'image_generation.partial_image';
  /** The partial image in plain base64, without the prefix of a data URL. */
  b64_json: string;
  /** Unix timestamp in seconds. */
  created_at: number;
  /** Background of the image: `opaque` or `transparent`. Absent when the upstream does not report it. */
  background?: string | null | undefined;
  /** Encoding of the image: `png`, `jpeg` or `webp`. Absent when the upstream does not report it. */
  output_format?: string | null | undefined;
  /** The quality of the image: `low`, `medium` or `high`. Absent when the upstream does not report it. */
  quality?: string | null | undefined;
  /** Width and height in pixels, such as `1024x1024`. Absent when the upstream does not report it. */
  size?: string | null | undefined;
  /** Which partial image this is, from 0. */
  partial_image_index: number;
}

/** The image to generate, and its options. Null counts as absent. A field that no operation knows is forwarded to OpenAI and Azure, unless it may choose a model, provider, tier, tool or price; otherwise it is left out and named in `x-modelgate-ignored`, unless the operator of the upstream allows it. */
export interface ImageGenerationRequest {
  /** The image to generate, or the change to make. 1 to 32,000 characters. */
  prompt: string;
  /** Id of an image model, as `GET /v1/models` lists it. 1 to 512 characters. */
  model: string;
  /** Number of images; each is charged. Absent: 1. With `stream: true` only 1. 1 to 10. */
  n?: number | null | undefined;
  /** `auto`, or `<width>x<height>` in pixels. `gpt-image-2` accepts multiples of 16, one side at most 3 times the other, up to 3840x2160 in either direction. Absent: `auto`, the upstream decides. The price may depend on it. */
  size?: string | null | undefined;
  /** Quality of the image: `auto`, `low`, `medium`, or `high`, and `xhigh` or `max` for models that have it. Absent: `auto`, the upstream decides. The price may depend on it; until the quality is known, the highest price is held. 1 to 16 characters. */
  quality?: string | null | undefined;
  /** Background of the image. `transparent` needs `png` or `webp`. Absent: `auto`, the upstream decides. */
  background?: 'auto' | 'opaque' | 'transparent' | null | undefined;
  /** Encoding of the image: `png`, `jpeg`, or `webp`, and `gif` or `svg` for models that have it. Each frame of a `gif` is charged as an image. Absent: `png`. The simulator has `png` only. 1 to 16 characters. */
  output_format?: string | null | undefined;
  /** Quality of the encoding, from 0 to 100; 100 makes the largest file. Only with `jpeg` or `webp`. Absent: 100. */
  output_compression?: number | null | undefined;
  /** How strictly the upstream moderates the request; what it refuses is 400 `moderation_blocked`. Defaults to `auto`. */
  moderation?: 'auto' | 'low' | null | undefined;
  /** True: partial images and the final one come as Server-Sent Events. Defaults to false. */
  stream?: boolean | null | undefined;
  /** How many partial images to send; only with `stream: true`. Fewer may come. Optional. 0 to 3. */
  partial_images?: number | null | undefined;
  /** How much the model plans the image, for models that can: `low`, `medium`, or `high`. Absent: the model decides. 1 to 16 characters. */
  complexity?: string | null | undefined;
  /** Number of frames of a `gif`; each is charged as an image. Absent: 9. 1 to 100. */
  frame_count?: number | null | undefined;
  /** Milliseconds that each frame of a `gif` is shown. Absent: 200. At least 1. */
  frame_duration_ms?: number | null | undefined;
  /** Options of an `svg`, for models whose operator accepts them. Optional. */
  svg?: { [key: string]: unknown; } | null | undefined;
  /** @deprecated use `safety_identifier`. The gateway forwards it to the upstream. At most 512 characters. */
  user?: string | null | undefined;
  /** An opaque id of the end user, so that the vendor can find a user who breaks its rules. Absent: none is sent. At most 64 characters. */
  safety_identifier?: string | null | undefined;
  /** Images always come as base64: `b64_json` changes nothing, `url` is 400. Absent: `b64_json`. */
  response_format?: 'b64_json' | 'url' | null | undefined;
}

/** The images are in `data[].b64_json`; the other fields apply to all of them. */
export interface ImageList {
  /** Unix timestamp in seconds. */
  created: number;
  /** Background of the image: `opaque` or `transparent`. Absent when the upstream does not report it. */
  background?: string | null | undefined;
  /** Encoding of the image: `png`, `jpeg` or `webp`. Absent when the upstream does not report it. */
  output_format?: string | null | undefined;
  /** The quality of the image: `low`, `medium` or `high`. Absent when the upstream does not report it. */
  quality?: string | null | undefined;
  /** Width and height in pixels, such as `1024x1024`. Absent when the upstream does not report it. */
  size?: string | null | undefined;
  /** The images: at most `n`. */
  data: GeneratedImage[];
  /** What the request used. Absent when the upstream reports nothing. */
  usage?: ImageUsage | null | undefined;
}

/** Prices of an image model. */
export interface ImagePrices {
  /** Price of an image, by `size/quality`; `default` when no entry matches. */
  images: { [key: string]: Dollars; };
}

/** An image in a JSON body. */
export interface ImageReference {
  /** A data URL of a PNG, JPEG or WebP image, up to 20 MiB of text. A web address is 400, because the gateway does not fetch images. A reference where it is absent is 400 too. */
  image_url?: string | null | undefined;
  /** Id of a file, which is not supported: there is no Files API, and an id is 400. Leave it absent. 1 to 512 characters. */
  file_id?: string | null | undefined;
}

/** Text and image tokens. */
export interface ImageTokens {
  /** Tokens that represent text. */
  text_tokens: number;
  /** Tokens that represent images. */
  image_tokens: number;
}

/** Tokens used, as the upstream counted them. Images are charged per image, not by these tokens. */
export interface ImageUsage {
  /** Tokens of the prompt and of the input images. */
  input_tokens: number;
  /** Tokens of the generated images. */
  output_tokens: number;
  /** The sum of `input_tokens` and `output_tokens`. */
  total_tokens: number;
  /** Parts of `input_tokens`. */
  input_tokens_details: ImageTokens;
  /** Parts of `output_tokens`. Absent when the upstream reports none. */
  output_tokens_details?: ImageTokens | null | undefined;
}

/** Audio for the model. Anthropic and Gemini upstreams take none: 400. */
export interface InputAudio {
  /** The type of the object: always `input_audio`. */
  type: 'input_audio';
  /** The audio and its encoding. */
  input_audio: AudioClip;
}

/** A document for the model: its data, its address or its id. */
export interface InputFile {
  /** The type of the object: always `input_file`. */
  type: 'input_file';
  /** Name of the file, up to 512 characters. Absent: the model gets no name. */
  filename?: string | null | undefined;
  /** The file as a data URL. Anthropic upstreams take PDF and plain text alone, another kind is 400. Absent only beside `file_url` or `file_id`. */
  file_data?: string | null | undefined;
  /** An https address that the upstream can fetch. The gateway never fetches it. Chat and Gemini upstreams refuse an address with 400. Absent: another field gives the file. */
  file_url?: string | null | undefined;
  /** Id of a file that the upstream stores. The gateway has no Files API; Anthropic and Gemini upstreams refuse an id with 400. Absent: the data is in the part. 1 to 512 characters. */
  file_id?: string | null | undefined;
  /** Optional. Marks the end of a part of the prompt that the upstream can cache. Sent to upstreams that use the same API as this call, to responses upstreams, and to Claude as `cache_control`, where only the last four marks count. Omitted for others. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** An image for the model. */
export interface InputImage {
  /** The type of the object: always `input_image`. */
  type: 'input_image';
  /** A string: a data URL, or an https address that the upstream can fetch. The gateway never fetches it. Gemini upstreams take data URLs alone: an address is 400. Absent only beside `file_id`. */
  image_url?: string | null | undefined;
  /** Id of a file that the upstream stores. The gateway has no Files API; chat, Anthropic and Gemini upstreams refuse an id with 400. Absent: the data is in the part. 1 to 512 characters. */
  file_id?: string | null | undefined;
  /** The resolution at which the model sees the image. A higher one uses more input tokens. Defaults to `auto`. Not sent to Anthropic and Gemini upstreams. Chat upstreams are sent `original` as `high`. */
  detail?: 'low' | 'high' | 'auto' | 'original' | null | undefined;
  /** Optional. Marks the end of a part of the prompt that the upstream can cache. Sent to upstreams that use the same API as this call, to responses upstreams, and to Claude as `cache_control`, where only the last four marks count. Omitted for others. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** One item of the conversation, of the kind that `type` names; an item without `type` is a message. An item of a kind that is not listed here is forwarded as it came, if the vendor of the model has responses too, and is 400 otherwise. */
export type InputItem = InputMessage | PastFunctionCall | FunctionCallOutput | PastCustomToolCall | CustomToolCallOutput | PastReasoning | ItemReference | AdditionalTools | ToolSearchCall | ToolSearchOutput | Compaction | CompactionTrigger | ReplayedItem;

/** One page of the input of a stored response. */
export interface InputItemList {
  /** The type of the object: always `list`. */
  object: 'list';
  /** The items of this page, in the requested order. */
  data: StoredItem[];
  /** Id of the first item of this page. Null when the page is empty. */
  first_id: string | null;
  /** Id of the last item of this page, for `after` of the next call. Null when the page is empty. */
  last_id: string | null;
  /** Whether more items follow this page. */
  has_more: boolean;
}

/** A message; `type` may be left out. */
export interface InputMessage {
  /** What this object is: always `message`, also when it is absent. */
  type?: 'message' | undefined;
  /** Role of the author. `system` and `developer` both give instructions; `assistant` is an earlier answer. */
  role: 'user' | 'system' | 'developer' | 'assistant';
  /** The content: a string, or up to 1024 parts. */
  content: string | MessagePart[];
  /** Whether a message is a comment during the work or the final answer. Absent: unknown. Only responses upstreams support it. */
  phase?: 'commentary' | 'final_answer' | null | undefined;
  /** Id of the item, from the client or from an earlier answer. Accepted, but not sent to the upstream, which does not know the id. Absent: a stored item gets a new id. 1 to 512 characters. */
  id?: string | null | undefined;
  /** Status of the item in the earlier answer; the gateway ignores it, so it may be absent. */
  status?: ItemStatus | null | undefined;
}

/** A piece of text for the model. */
export interface InputText {
  /** The type of the object: always `input_text`. */
  type: 'input_text';
  /** The text itself. It may be empty. */
  text: string;
  /** Optional. Marks the end of a part of the prompt that the upstream can cache. Sent to upstreams that use the same API as this call, to responses upstreams, and to Claude as `cache_control`, where only the last four marks count. Omitted for others. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** The input tokens of a request that was not made. */
export interface InputTokens {
  /** The type of the object: always `response.input_tokens`. */
  object: 'response.input_tokens';
  /** Input tokens that the request would use. At least 1. */
  input_tokens: number;
  /** Whether Modelgate estimated them, because the provider of the model has no count. Images and files are not in an estimate. */
  estimated: boolean;
}

/** Refers to a stored item. The gateway inserts the item, which is charged as input. */
export interface ItemReference {
  /** The type of the object: always `item_reference`. */
  type: 'item_reference';
  /** Id of an item of a response that is stored for this account. An unknown one is 400 `item_not_found`. 1 to 512 characters. */
  id: string;
}

/** `in_progress`: more follows. `completed`: it is complete. `incomplete`: it ended early. The other values are for tools that the upstream runs. */
export type ItemStatus = 'in_progress' | 'completed' | 'incomplete' | 'searching' | 'generating' | 'interpreting' | 'calling' | 'failed';

/** Any JSON object. Ask for JSON in the prompt as well. Anthropic upstreams, and older Gemini models with tools, have no JSON mode: the gateway asks for JSON in the prompt, and returns `upstream_error` if the output isn't a JSON object. */
export interface JsonObjectFormat {
  /** The type of the object: always `json_object`. */
  type: 'json_object';
}

/** JSON that follows a schema of the caller. 400 when a chat vendor does not support schemas. */
export interface JsonSchemaFormat {
  /** The type of the object: always `json_schema`. */
  type: 'json_schema';
  /** A name for the format, which the model may see. */
  name: string;
  /** JSON schema of the answer, at most 64 levels deep. */
  schema: { [key: string]: unknown; };
  /** True: the answer follows the schema exactly. Absent: the upstream decides, and one that speaks chat gets false. Anthropic and Gemini upstreams ignore this: they always follow the schema. */
  strict?: boolean | null | undefined;
  /** What the format is for; the model reads this. Optional. */
  description?: string | null | undefined;
}

/** Keeps the connection alive during a long silence, for clients that ignore comment lines. */
export interface KeepaliveEvent {
  /** The type of the object: always `keepalive`. */
  type: 'keepalive';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
}

/** Letters, digits, `_` and `-`; at most 128. */
export type LongToolName = string;

/** The tools of an MCP server, or one of them. */
export interface McpChoice {
  /** The type of the object: always `mcp`. */
  type: 'mcp';
  /** Name of the server, as in calls of its tools. At most 512 characters. */
  server_label: string;
  /** The tool of that server that must be called. Absent: any of them. At most 512 characters. */
  name?: string | null | undefined;
}

/** Tools of an MCP server, run by the upstream and charged by the call. When the upstream has none, or `mcp_call` has no price, they are left out and named in `x-modelgate-ignored`; a call whose `tool_choice` requires them is 400. */
export interface McpTool {
  /** The type of the object: always `mcp`. */
  type: 'mcp';
  /** Name of the server, as in calls of its tools. At most 512 characters. */
  server_label: string;
  /** Address of the server. The upstream connects to it; the gateway never does. Absent: the upstream knows the server. At most 512 characters. */
  server_url?: string | null | undefined;
  /** Names of its tools that may be called, or a filter for them. Omit to allow all. */
  allowed_tools?: unknown | undefined;
  /** Which calls need approval by the caller: `always`, `never`, or a filter. Optional; the provider decides if omitted. */
  require_approval?: unknown | undefined;
}

/** A part of a message: input of a user, or output of an earlier answer. */
export type MessagePart = InputText | InputImage | InputFile | InputAudio | PastOutputText | Refusal;

/** Up to 16 key-value pairs. Keys have up to 64 characters, values up to 512. */
export type Metadata = { [key: string]: string; };

/** One model that the key can call. */
export interface Model {
  /** Model id for requests. */
  id: string;
  /** The type of the object: always `model`. */
  object: 'model';
  /** Release date of the model, as configured, else a fixed time; in seconds since 1970-01-01 UTC. */
  created: number;
  /** Owner of the model: as configured, else the name of its upstream. */
  owned_by: string;
  /** Size of the context window in tokens, including the response. Null when unknown. */
  context_window: number | null;
  /** The most tokens of one response. Null for image models. */
  max_output_tokens: number | null;
  /** What your key pays: the prices of your plan with the multiplier of your group. Null when calls are not charged. */
  pricing: CatalogPrices | null;
  /** What a call of the model can use. */
  capabilities: Abilities;
}

/** Exactly the models that this key can call. */
export interface ModelList {
  /** The type of the object: always `list`. */
  object: 'list';
  /** The models that the key can call, in a stable order. */
  data: Model[];
  /** The same text models in the format of the Codex CLI; absent unless `client_version` is in the query. */
  models?: CodexModel[] | undefined;
}

/** A model response. To read the text, look for items of type `message` in `output`. Client libraries offer it as `output_text`, which isn't part of the JSON. */
export interface ModelResponse {
  /** The ID of the response. If the response was stored, you can use it as `previous_response_id`. */
  id: string;
  /** The type of the object: always `response`. */
  object: 'response';
  /** When the response was created, as a Unix timestamp in seconds. */
  created_at: number;
  /** When the response was completed, as a Unix timestamp in seconds. Null if it wasn't completed. */
  completed_at?: number | null | undefined;
  /** The status of the response. Omitted if the upstream doesn't report it. */
  status?: ResponseStatus | null | undefined;
  /** Why the response failed. Null if it didn't fail. */
  error?: {
    /** The reason, for use in code: an error code of this API, `server_error`, or a code of the upstream. Omitted if the upstream doesn't report one. */
    code?: string | null | undefined;
    /** A human-readable description of the error. */
    message: string;
  } | null | undefined;
  /** Why the response is incomplete. Null if it isn't incomplete. */
  incomplete_details?: {
    /** `max_output_tokens`: the output limit was reached. `content_filter`: output was withheld. Null or omitted if the upstream doesn't report it. */
    reason?: string | null | undefined;
  } | null | undefined;
  /** The ID of the model, as in the request. */
  model: string;
  /** The output items, of several types. The message isn't always the first item. */
  output: OutputItem[];
  /** The ID of the response that this one continues. Null if it starts a conversation. */
  previous_response_id?: string | null | undefined;
  /** `instructions` of the request, or the value used instead. Null if the request had none. */
  instructions?: unknown | undefined;
  /** The tools that the model could call. Empty if none. Omitted if the upstream doesn't report it. */
  tools?: ToolEcho[] | null | undefined;
  /** `tool_choice` of the request, or the value used instead. A string or an object, as in the request. Omitted if the upstream doesn't report it. */
  tool_choice?: unknown | undefined;
  /** Whether the model could make several tool calls in parallel. Omitted if the upstream doesn't report it. */
  parallel_tool_calls?: boolean | null | undefined;
  /** `text` of the request, or the value used instead. Omitted if the upstream doesn't report it. */
  text?: {
    /** The format of the output: `text.format` of the request, or `text` if the request had none. Omitted if the upstream doesn't report it. */
    format?: TextFormatEcho | null | undefined;
    /** The requested verbosity: `low`, `medium`, or `high`. Omitted if the upstream doesn't report it. */
    verbosity?: string | null | undefined;
  } | null | undefined;
  /** `reasoning` of the request, or the value used instead. Also contains its other settings. Omitted if the upstream doesn't report it. */
  reasoning?: {
    /** The requested reasoning effort. Null if the model's default was used. */
    effort?: string | null | undefined;
    /** The requested reasoning summary. Null if the upstream's default was used. */
    summary?: string | null | undefined;
  } | null | undefined;
  /** `temperature` of the request, or the value used instead. 1 if omitted from the request. */
  temperature?: number | null | undefined;
  /** `top_p` of the request, or the value used instead. 1 if omitted from the request. */
  top_p?: number | null | undefined;
  /** `presence_penalty` of the request, or the value used instead. 0 if omitted from the request. */
  presence_penalty?: number | null | undefined;
  /** `frequency_penalty` of the request, or the value used instead. 0 if omitted from the request. */
  frequency_penalty?: number | null | undefined;
  /** `top_logprobs` of the request, or the value used instead. 0 if omitted from the request. */
  top_logprobs?: number | null | undefined;
  /** The output limit in tokens, from the request or set by the gateway. Null if there is no limit. */
  max_output_tokens?: number | null | undefined;
  /** `max_tool_calls` of the request, or the value used instead. Null if there is no limit. */
  max_tool_calls?: number | null | undefined;
  /** `truncation` of the request, or the value used instead. `disabled` if omitted from the request. */
  truncation?: string | null | undefined;
  /** Whether the gateway stores the response. False if the key doesn't have permission to store responses. Omitted if the upstream doesn't report it. */
  store?: boolean | null | undefined;
  /** Always false: the gateway doesn't support background responses. Omitted if the upstream doesn't report it. */
  background?: boolean | null | undefined;
  /** The processing tier that was used. Omitted if the upstream doesn't report it. */
  service_tier?: string | null | undefined;
  /** `metadata` of the request, or the value used instead. Empty if the request had none. Omitted if the upstream doesn't report it. */
  metadata?: { [key: string]: string; } | null | undefined;
  /** `safety_identifier` of the request, or the value used instead. Null if the request had none. */
  safety_identifier?: string | null | undefined;
  /** `prompt_cache_key` of the request, or the value used instead. Null if the request had none. */
  prompt_cache_key?: string | null | undefined;
  /** @deprecated send `safety_identifier`. `user` of the request, or the value used instead. Null or omitted if the request had none. */
  user?: string | null | undefined;
  /** Tokens used by the response. Null until the response has ended. */
  usage?: ResponseUsage | null | undefined;
}

/** The factor by which prices are multiplied for accounts in a group. */
export type Multiplier = string;

/** A tool by its name. A tool in a namespace may also have `namespace`. */
export interface NamedChoice {
  /** The kind of tool. */
  type: 'function' | 'custom';
  /** Name of a tool of this request, which must be called. */
  name: LongToolName;
}

/** A tool of a namespace. */
export type NamespaceMember = FunctionTool | CustomTool;

/** Several tools under one name; calls of them have `namespace`. Upstreams without namespaces get flat names. */
export interface NamespaceTool {
  /** The type of the object: always `namespace`. */
  type: 'namespace';
  /** Name of the group; calls have it as `namespace`. */
  name: LongToolName;
  /** What the tool does and when to use it; the model reads this. Optional. */
  description?: string | null | undefined;
  /** The tools of the group, up to 128. */
  tools: NamespaceMember[];
}

/** One item of the answer, of the kind that `type` names. */
export type OutputItem = OutputMessage | FunctionCall | CustomToolCall | Reasoning | HostedItem;

/** Text is in `content[].text` of the parts of type `output_text`. */
export interface OutputMessage {
  /** The type of the object: always `message`. */
  type: 'message';
  /** Id of the item; when the response is stored, an `item_reference` can refer to it. */
  id: string;
  /** Role of the author: always `assistant`. */
  role: 'assistant';
  /** Status of the message. */
  status: ItemStatus;
  /** Parts of the message, in order; empty while it begins. */
  content: OutputPart[];
  /** Whether a message is a comment during the work or the final answer. Absent: unknown. Only responses upstreams support it. */
  phase?: 'commentary' | 'final_answer' | null | undefined;
}

/** A piece of an item of the output. */
export type OutputPart = OutputText | Refusal | ReasoningText;

/** A piece of text of the answer. */
export interface OutputText {
  /** The type of the object: always `output_text`. */
  type: 'output_text';
  /** The text; JSON when `text.format` asked for JSON. */
  text: string;
  /** Sources and files of the text. Empty: none. */
  annotations: TextAnnotation[];
  /** Log probabilities of the tokens. Empty or absent unless `include` asked for them. */
  logprobs?: TokenLogprob[] | null | undefined;
}

/** The account that owns the key, with what is left. */
export interface OwnAccount {
  /** The type of the object: always `account`. */
  object: 'account';
  /** Id of the account. */
  id: string;
  /** Its name, unique among accounts. */
  name: string;
  /** Its group, which determines the models that it may call and their prices. */
  group: string;
  /** `no_money`: neither the balance nor a subscription pays for a call. `active`: one does, or calls are not charged. */
  state: 'active' | 'no_money';
  /** Money of the account. Null when calls are not charged. */
  balance: OwnBalance | null;
  /** The subscription that pays now. Null: none does. */
  subscription: OwnSubscription | null;
  /** Limits of all its keys together, those of its group included. Empty: none. */
  limits: OwnLimit[];
  /** When it was made, in seconds since 1970-01-01 UTC. */
  created_at: number;
}

/** Money of the account. */
export interface OwnBalance {
  /** All payments in, less all charges. */
  balance: Dollars;
  /** What is reserved for requests that are running. */
  held: Dollars;
  /** `balance` less `held`: the amount that the next request can use. */
  available: Dollars;
}

/** The most that the key may spend, and what is left of it. */
export interface OwnCap {
  /** The most that may be spent in a period. */
  amount: Dollars;
  /** When it resets, in UTC; weeks begin on Monday. */
  period: 'day' | 'week' | 'month' | 'never';
  /** The part that is neither spent nor held. Null when calls are not charged. */
  left: Dollars | null;
  /** When it resets, in seconds since 1970-01-01 UTC. Null: never. */
  resets_at: number | null;
}

/** The key of the call, with what is left of its cap and limits; never the key itself. */
export interface OwnKey {
  /** The type of the object: always `key`. */
  object: 'key';
  /** Id of the key, `key_…`. It is no secret. */
  id: string;
  /** Its name, for people. */
  name: string;
  /** The last four characters of the key, to recognise it. */
  last_four: string;
  /** Id of the account that owns it. */
  account_id: string;
  /** `replaced`: another key takes its place, and it works until it expires. */
  state: 'active' | 'replaced';
  /** What the key may do. */
  permissions: OwnPermissions;
  /** Addresses that it may be used from. Null: any. */
  ip_ranges: string[] | null;
  /** The most that it may spend, with the keys that share the cap. Null: no cap. */
  spending_cap: OwnCap | null;
  /** Its own limits. Those of the account apply too. Empty: none. */
  limits: OwnLimit[];
  /** When it was made, in seconds since 1970-01-01 UTC. */
  created_at: number;
  /** When it expires, in seconds since 1970-01-01 UTC. Null: never. */
  expires_at: number | null;
  /** Id of the key that replaces it. Null: none. */
  replaced_by: string | null;
}

/** A limit that applies to calls with the key. */
export interface OwnLimit {
  /** Whose limit it is; all its calls count towards it. */
  scope: 'key' | 'account' | 'group';
  /** What is counted; `concurrency`: requests that are running. */
  quantity: 'requests' | 'tokens' | 'concurrency';
  /** The limit: per minute; for `concurrency`, at once. */
  limit: number;
  /** `enforce` refuses with 429. `observe` counts and logs, but refuses nothing. `off` does nothing. */
  mode: 'off' | 'observe' | 'enforce';
  /** What remains now. Null for `concurrency`. */
  remaining: number | null;
  /** Milliseconds until the limit is fully restored. Null when `remaining` is null. */
  reset_ms: number | null;
}

/** The permissions of the key, within those of its group. */
export interface OwnPermissions {
  /** Operations that the key may use. Null: all of them. */
  operations: string[] | null;
  /** Models that the key may call, by ids or patterns with `*`. Null: all that the group may call. */
  models: string[] | null;
  /** Whether responses may be stored. */
  may_store: boolean;
  /** Whether the key may list the keys of its account, and make others that may do no more than itself. */
  manage_keys: boolean;
}

/** What the running subscription still includes in this period. */
export interface OwnSubscription {
  /** Id of the subscription. */
  id: string;
  /** Name of its plan. */
  plan: string;
  /** The amount for each period. */
  included: Dollars;
  /** The part that is neither used nor held. */
  left: Dollars;
  /** When the amount is used up: `stop` refuses until the next period, `balance` charges the balance. */
  on_exhaustion: 'stop' | 'balance';
  /** When the included amount resets, in seconds since 1970-01-01 UTC. */
  resets_at: number;
  /** When it ends, in seconds since 1970-01-01 UTC. Null: when it is cancelled. */
  ends_at: number | null;
}

/** A call of a free-form tool in an earlier turn. A `custom_tool_call_output` with its `call_id` must follow. */
export interface PastCustomToolCall {
  /** The type of the object: always `custom_tool_call`. */
  type: 'custom_tool_call';
  /** Links a call with its output: both have the same `call_id`. It is not the `id` of the item. 1 to 512 characters. */
  call_id: string;
  /** Name of the tool that was called. At most 512 characters. */
  name: string;
  /** The free text that the model gave it. */
  input: string;
  /** The namespace of the tool, as in the call. Absent: the tool has none, or its name is unique. At most 512 characters. */
  namespace?: string | null | undefined;
  /** Id of the item, from the client or from an earlier answer. Accepted, but not sent to the upstream, which does not know the id. Absent: a stored item gets a new id. 1 to 512 characters. */
  id?: string | null | undefined;
  /** Status of the item in the earlier answer; the gateway ignores it, so it may be absent. */
  status?: ItemStatus | null | undefined;
}

/** A call that the model made in an earlier turn. A `function_call_output` with its `call_id` must follow. */
export interface PastFunctionCall {
  /** The type of the object: always `function_call`. */
  type: 'function_call';
  /** Links a call with its output: both have the same `call_id`. It is not the `id` of the item. 1 to 512 characters. */
  call_id: string;
  /** Name of the function that was called. At most 512 characters. */
  name: string;
  /** JSON as the model wrote it; it may be malformed. Anthropic and Gemini upstreams need a JSON object or an empty text: another one is 400. */
  arguments: string;
  /** The namespace of the tool, as in the call. Absent: the tool has none, or its name is unique. At most 512 characters. */
  namespace?: string | null | undefined;
  /** Id of the item, from the client or from an earlier answer. Accepted, but not sent to the upstream, which does not know the id. Absent: a stored item gets a new id. 1 to 512 characters. */
  id?: string | null | undefined;
  /** Status of the item in the earlier answer; the gateway ignores it, so it may be absent. */
  status?: ItemStatus | null | undefined;
}

/** Text of an earlier answer, sent back. */
export interface PastOutputText {
  /** The type of the object: always `output_text`. */
  type: 'output_text';
  /** The text of the earlier answer. */
  text: string;
  /** Citations and files of the earlier answer. Only responses upstreams read them. Optional. */
  annotations?: TextAnnotation[] | null | undefined;
  /** Log probabilities from the earlier answer; the gateway ignores them, so they may be absent. */
  logprobs?: TokenLogprob[] | null | undefined;
}

/** Reasoning of an earlier turn, sent back unchanged. */
export interface PastReasoning {
  /** The type of the object: always `reasoning`. */
  type: 'reasoning';
  /** A summary of the reasoning, up to 1024 paragraphs; may be empty. */
  summary: SummaryText[];
  /** The reasoning text, when the upstream showed it. Absent: it did not. At most 1024 entries. */
  content?: ReasoningText[] | null | undefined;
  /** The encrypted reasoning, unchanged. Only the upstream that encrypted it can read it; for another it is left out, and `x-modelgate-ignored` names the field. Absent: the model does not see its earlier reasoning. */
  encrypted_content?: string | null | undefined;
  /** Id of the item, from the client or from an earlier answer. Accepted, but not sent to the upstream, which does not know the id. Absent: a stored item gets a new id. 1 to 512 characters. */
  id?: string | null | undefined;
  /** Status of the item in the earlier answer; the gateway ignores it, so it may be absent. */
  status?: ItemStatus | null | undefined;
}

/** Plain text, the default. */
export interface PlainTextFormat {
  /** The type of the object: always `text`. */
  type: 'text';
}

/** How the upstream caches the prompt. Sent to chat and responses upstreams. For Claude, `ttl` sets how long marks are kept: `5m`, or one hour for anything longer. Omitted for others, and if nothing is marked. */
export interface PromptCacheOptions {
  /** `implicit`: the upstream decides what to cache. `explicit`: it caches only the parts marked with `prompt_cache_breakpoint`. Optional; the provider decides if omitted. */
  mode?: 'implicit' | 'explicit' | null | undefined;
  /** How long the upstream keeps the cached prompt, in the upstream's format. Optional; the provider decides if omitted. At most 512 characters. */
  ttl?: string | null | undefined;
}

/** Reasoning may come before the message, so `output[0]` is not always the answer. */
export interface Reasoning {
  /** The type of the object: always `reasoning`. */
  type: 'reasoning';
  /** Id of the item; when the response is stored, an `item_reference` can refer to it. */
  id: string;
  /** The summary of the reasoning, in paragraphs; empty unless `reasoning.summary` asked for it. */
  summary: SummaryText[];
  /** The reasoning text. Absent when the upstream does not show it. */
  content?: ReasoningText[] | null | undefined;
  /** Opaque; send it back unchanged to keep the reasoning across turns without storage. Absent unless `include` asked for it, and when the upstream encrypts nothing. */
  encrypted_content?: string | null | undefined;
  /** Status of the item. Absent: it is complete. */
  status?: ItemStatus | null | undefined;
}

/** How much the model reasons before it responds. Reasoning is charged as output. Each model supports some of the values. Anthropic upstreams treat `minimal` as `low`. Gemini upstreams treat `xhigh` and `max` as `high`, and from the third generation on, `none` as `minimal`. */
export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** How the model reasons before it answers. Reasoning counts as output tokens, shown or not. */
export interface ReasoningOptions {
  /** How much the model should reason. Defaults to what the model does. */
  effort?: ReasoningEffort | null | undefined;
  /** Whether the answer has summaries of the reasoning, as items of the type `reasoning`, and how detailed they are. Absent: the upstream decides, usually no summaries. Anthropic and Gemini upstreams have no levels of detail, and chat upstreams are not asked. */
  summary?: 'auto' | 'concise' | 'detailed' | null | undefined;
  /** @deprecated use `summary`, which wins when both are sent. */
  generate_summary?: 'auto' | 'concise' | 'detailed' | null | undefined;
  /** Which reasoning of earlier turns the model gets, in the format of the upstream. Sent to responses upstreams only. Optional; the provider decides if omitted. At most 512 characters. */
  context?: string | null | undefined;
  /** The mode of reasoning, in the format of the upstream. Sent to responses upstreams only. Optional; the provider decides if omitted. At most 512 characters. */
  mode?: string | null | undefined;
}

/** Unsummarised reasoning; few upstreams show it. */
export interface ReasoningText {
  /** The type of the object: always `reasoning_text`. */
  type: 'reasoning_text';
  /** The reasoning as the model wrote it. */
  text: string;
}

/** A request with all numbers that its charge is computed from. */
export interface Receipt {
  /** The type of the object: always `usage`. */
  object: 'usage';
  /** The `x-request-id` of the answer. */
  request_id: string;
  /** The key of the request. */
  key_id: string;
  /** Id of the model, as in the request. */
  model: string;
  /** Name of the operation, such as `createResponse`. */
  operation: string;
  /** `held`: it is still running. `posted`: it was charged. `voided`: it cost nothing and its hold was released. `expired`: its hold was released after its gateway process had died. If the process was alive after all and the request ends, the cost is still charged, as far as money is left. */
  state: 'held' | 'posted' | 'voided' | 'expired';
  /** How it ended, such as `completed`, `failed` or `client_disconnected`. Null while it is running. */
  outcome: string | null;
  /** What pays for it. */
  source: 'balance' | 'subscription';
  /** The amount reserved before the request was sent: the most that it could cost. */
  held: Dollars;
  /** The amount charged. Never more than was held. */
  charged: Dollars;
  /** Whether the gateway estimated the tokens, because the upstream did not report them. */
  estimated: boolean;
  /** What it used, in classes that do not overlap. Null until something is charged. */
  tokens: UsageTokens | null;
  /** The output limit in tokens that the gateway set, because the request had none and the account could not pay for more. Null when it set none. */
  output_limit: number | null;
  /** Images made, by `size/quality`. Null until something is charged. */
  images: { [key: string]: number; } | null;
  /** Calls of tools that the upstream ran itself, by the type of their output item. Null until something is charged. */
  tools: { [key: string]: number; } | null;
  /** When the money was held, in seconds since 1970-01-01 UTC. */
  created_at: number;
  /** When it was charged or its hold released, in seconds since 1970-01-01 UTC. Null while it is running. */
  settled_at: number | null;
  /** The version of the prices that it was charged by. Each change of prices makes a new version; old ones are kept. */
  price_version: number;
  /** The attempts in order, if there was more than one, the only one failed, or another protocol was chosen for it. Otherwise empty. */
  attempts: UsageAttempt[];
  /** The usage, by class. Empty until something is charged. */
  lines: ReceiptLine[];
  /** The sum of the amounts of the lines. */
  subtotal: string;
  /** The multiplier of the group at the time. */
  multiplier: Multiplier;
  /** The amount added to round up to a whole millionth of a dollar; always less than a millionth. */
  rounding: string;
  /** `subtotal` × `multiplier` + `rounding`. `charged` is the lesser of this and `held`. */
  cost: Dollars;
}

/** One class of usage, and its amount. */
export interface ReceiptLine {
  /** `input`, `cached_input`, `cache_write`, `output`, `size/quality` of images, or a tool such as `web_search_call`. */
  class: string;
  /** The number of tokens, images or calls; an unused class has no line. */
  quantity: number;
  /** Price before the multiplier, for the unit in `per`. */
  price: Dollars;
  /** The unit of the price: a million tokens, one image (`picture`) or one call. */
  per: 'million_tokens' | 'picture' | 'call';
  /** `quantity` × `price`, divided by a million when the price is per million. Exact: dollars with twelve decimal places. */
  amount: string;
}

/** A refusal of the model, in an answer or sent back. */
export interface Refusal {
  /** The type of the object: always `refusal`. */
  type: 'refusal';
  /** Why the model does not answer, in its words. */
  refusal: string;
}

/** A call of a hosted tool or its output, sent back unchanged. Upstreams that do not speak responses leave out a `web_search_call` that has ended, and refuse the others with 400. */
export interface ReplayedItem {
  /** The tool, and whether this is a call or its output. */
  type: 'local_shell_call' | 'local_shell_call_output' | 'shell_call' | 'shell_call_output' | 'apply_patch_call' | 'apply_patch_call_output' | 'web_search_call' | 'file_search_call' | 'image_generation_call' | 'code_interpreter_call' | 'computer_call' | 'computer_call_output' | 'mcp_call' | 'mcp_list_tools' | 'mcp_approval_request' | 'mcp_approval_response' | 'program' | 'program_output' | 'configuration_update';
  /** Id of the item. Sent to the upstream only when another item or the upstream refers to it. Absent when the answer had none. 1 to 512 characters. */
  id?: string | null | undefined;
  /** Status in the earlier answer, in the words of that tool. Absent for tools that have no such field. At most 512 characters. */
  status?: string | null | undefined;
  /** The action of the tool, in the format of that tool. Absent for tools that have no such field. */
  action?: { [key: string]: unknown; } | null | undefined;
}

/** The last event of a stream that succeeded. */
export interface ResponseCompletedEvent {
  /** The type of the object: always `response.completed`. */
  type: 'response.completed';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** The whole response with its usage. */
  response: ModelResponse;
}

/** A part of a message or of a reasoning item begins. */
export interface ResponseContentPartAddedEvent {
  /** The type of the object: always `response.content_part.added`. */
  type: 'response.content_part.added';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this event is about. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the part in the content of its item, from 0. */
  content_index: number;
  /** The part as it begins: without text. */
  part: OutputPart;
}

/** A part of a message or of a reasoning item ends. */
export interface ResponseContentPartDoneEvent {
  /** The type of the object: always `response.content_part.done`. */
  type: 'response.content_part.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this event is about. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the part in the content of its item, from 0. */
  content_index: number;
  /** The part with all of its content. */
  part: OutputPart;
}

/** The first event: the response has its id. */
export interface ResponseCreatedEvent {
  /** The type of the object: always `response.created`. */
  type: 'response.created';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** The response so far; its output is empty. */
  response: ModelResponse;
}

/** The next piece of the input of a free-form tool. */
export interface ResponseCustomToolCallInputDeltaEvent {
  /** The type of the object: always `response.custom_tool_call_input.delta`. */
  type: 'response.custom_tool_call_input.delta';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this event is about. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** The next piece of the text; all pieces in order are the complete text. */
  delta: string;
}

/** The input of a free-form tool ends. */
export interface ResponseCustomToolCallInputDoneEvent {
  /** The type of the object: always `response.custom_tool_call_input.done`. */
  type: 'response.custom_tool_call_input.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this event is about. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** All of the input, as the model wrote it. */
  input: string;
}

/** The stream has failed; `response.failed` follows. */
export interface ResponseErrorEvent {
  /** The type of the object: always `error`. */
  type: 'error';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** The reason, for programs: an error code of this API. Never absent or null. */
  code?: string | null | undefined;
  /** What went wrong, for people. */
  message: string;
  /** The field that caused the error. Null: no field did. */
  param?: string | null | undefined;
  /** The same error again, nested: some clients read only this form. Never absent. */
  error?: {
    /** Coarse class of the error. */
    type: 'invalid_request_error' | 'authentication_error' | 'permission_error' | 'rate_limit_error' | 'server_error' | 'image_generation_user_error';
    /** The reason, for programs: an error code of this API. Never null. */
    code: string | null;
    /** What went wrong, for people. */
    message: string;
    /** The field that caused the error. Null: no field did. */
    param: string | null;
  } | null | undefined;
}

/** The last event of a stream that failed; it follows `error`. */
export interface ResponseFailedEvent {
  /** The type of the object: always `response.failed`. */
  type: 'response.failed';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** The incomplete response; `error` gives the reason. */
  response: ModelResponse;
}

/** The next piece of the arguments of a call. */
export interface ResponseFunctionCallArgumentsDeltaEvent {
  /** The type of the object: always `response.function_call_arguments.delta`. */
  type: 'response.function_call_arguments.delta';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this event is about. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** The next piece of the JSON; a piece alone is not valid JSON. */
  delta: string;
}

/** The arguments of a call end. */
export interface ResponseFunctionCallArgumentsDoneEvent {
  /** The type of the object: always `response.function_call_arguments.done`. */
  type: 'response.function_call_arguments.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this event is about. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** All of the JSON, as the model wrote it. */
  arguments: string;
  /** Name of the function. Absent when the upstream omits it; the item has it. */
  name?: string | null | undefined;
}

/** The model has begun. */
export interface ResponseInProgressEvent {
  /** The type of the object: always `response.in_progress`. */
  type: 'response.in_progress';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** The response so far; its output is empty. */
  response: ModelResponse;
}

/** The last event of an answer that a limit or a filter ended early. */
export interface ResponseIncompleteEvent {
  /** The type of the object: always `response.incomplete`. */
  type: 'response.incomplete';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** The incomplete response with its usage; `incomplete_details` gives the reason. */
  response: ModelResponse;
}

/** An item of the output begins. */
export interface ResponseOutputItemAddedEvent {
  /** The type of the object: always `response.output_item.added`. */
  type: 'response.output_item.added';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Its place in `output`, from 0. */
  output_index: number;
  /** The item as it begins: without content, status `in_progress`. */
  item: OutputItem;
}

/** An item of the output ends, complete or incomplete. */
export interface ResponseOutputItemDoneEvent {
  /** The type of the object: always `response.output_item.done`. */
  type: 'response.output_item.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Its place in `output`, from 0. */
  output_index: number;
  /** The item with all of its content. */
  item: OutputItem;
}

/** A text of the answer gets an annotation: a source or a file. */
export interface ResponseOutputTextAnnotationAddedEvent {
  /** The type of the object: always `response.output_text.annotation.added`. */
  type: 'response.output_text.annotation.added';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this event is about. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the part in the content of its item, from 0. */
  content_index: number;
  /** Index of the annotation in its part, from 0. */
  annotation_index: number;
  /** The annotation itself. */
  annotation: TextAnnotation;
}

/** The next piece of an answer text. */
export interface ResponseOutputTextDeltaEvent {
  /** The type of the object: always `response.output_text.delta`. */
  type: 'response.output_text.delta';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this event is about. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the part in the content of its item, from 0. */
  content_index: number;
  /** The next piece of the text; all pieces in order are the complete text. */
  delta: string;
  /** Log probabilities of the tokens of this piece. Empty or absent unless `include` asked for them. */
  logprobs?: TokenLogprob[] | null | undefined;
}

/** A text of the answer ends. */
export interface ResponseOutputTextDoneEvent {
  /** The type of the object: always `response.output_text.done`. */
  type: 'response.output_text.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this event is about. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the part in the content of its item, from 0. */
  content_index: number;
  /** The complete text, all pieces together. */
  text: string;
  /** Log probabilities of the tokens of this piece. Empty or absent unless `include` asked for them. */
  logprobs?: TokenLogprob[] | null | undefined;
}

/** The upstream has queued the request. */
export interface ResponseQueuedEvent {
  /** The type of the object: always `response.queued`. */
  type: 'response.queued';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** The response so far; its output is empty. */
  response: ModelResponse;
}

/** A paragraph of the reasoning summary begins. */
export interface ResponseReasoningSummaryPartAddedEvent {
  /** The type of the object: always `response.reasoning_summary_part.added`. */
  type: 'response.reasoning_summary_part.added';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this event is about. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the paragraph of the summary, from 0. */
  summary_index: number;
  /** The paragraph as it begins: without text. */
  part: SummaryText;
}

/** A paragraph of the reasoning summary ends. */
export interface ResponseReasoningSummaryPartDoneEvent {
  /** The type of the object: always `response.reasoning_summary_part.done`. */
  type: 'response.reasoning_summary_part.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this event is about. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the paragraph of the summary, from 0. */
  summary_index: number;
  /** The paragraph with all of its text. */
  part: SummaryText;
}

/** The next piece of a paragraph of the reasoning summary. */
export interface ResponseReasoningSummaryTextDeltaEvent {
  /** The type of the object: always `response.reasoning_summary_text.delta`. */
  type: 'response.reasoning_summary_text.delta';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this event is about. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the paragraph of the summary, from 0. */
  summary_index: number;
  /** The next piece of the text; all pieces in order are the complete text. */
  delta: string;
}

/** The text of a paragraph of the reasoning summary ends. */
export interface ResponseReasoningSummaryTextDoneEvent {
  /** The type of the object: always `response.reasoning_summary_text.done`. */
  type: 'response.reasoning_summary_text.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this event is about. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the paragraph of the summary, from 0. */
  summary_index: number;
  /** The complete text, all pieces together. */
  text: string;
}

/** The next piece of reasoning text. */
export interface ResponseReasoningTextDeltaEvent {
  /** The type of the object: always `response.reasoning_text.delta`. */
  type: 'response.reasoning_text.delta';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this event is about. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the part in the content of its item, from 0. */
  content_index: number;
  /** The next piece of the text; all pieces in order are the complete text. */
  delta: string;
}

/** A reasoning text ends. */
export interface ResponseReasoningTextDoneEvent {
  /** The type of the object: always `response.reasoning_text.done`. */
  type: 'response.reasoning_text.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this event is about. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the part in the content of its item, from 0. */
  content_index: number;
  /** The complete text, all pieces together. */
  text: string;
}

/** The next piece of a refusal. */
export interface ResponseRefusalDeltaEvent {
  /** The type of the object: always `response.refusal.delta`. */
  type: 'response.refusal.delta';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this event is about. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the part in the content of its item, from 0. */
  content_index: number;
  /** The next piece of the text; all pieces in order are the complete text. */
  delta: string;
}

/** A refusal ends. */
export interface ResponseRefusalDoneEvent {
  /** The type of the object: always `response.refusal.done`. */
  type: 'response.refusal.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this event is about. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the part in the content of its item, from 0. */
  content_index: number;
  /** The whole refusal, all pieces together. */
  refusal: string;
}

/** The input, and options for the response. Fields set to null are treated as omitted. Unknown fields are forwarded to OpenAI and Azure, unless they could select a model, provider, tier, tool, or price. All other unknown fields are dropped and listed in `x-modelgate-ignored`, unless the upstream is configured to allow them. */
export interface ResponseRequest {
  /** The ID of a text model, as listed by `GET /v1/models`. 1 to 512 characters. */
  model: string;
  /** A string, which becomes a user message, or up to 4096 items: messages, tool calls, and their outputs. */
  input: string | InputItem[];
  /** Optional. The system prompt of this turn, placed before the input. Send it again with every turn of a conversation. */
  instructions?: string | null | undefined;
  /** Whether to stream the response as server-sent events. Defaults to false. */
  stream?: boolean | null | undefined;
  /** Optional. Options for streaming. */
  stream_options?: {
    /** Whether the upstream pads its events, so that their sizes don't reveal their content. Sent to responses upstreams; the gateway doesn't add padding itself. Optional; the provider decides if omitted. */
    include_obfuscation?: boolean | null | undefined;
  } | null | undefined;
  /** The format and verbosity of the text. Defaults to plain text. */
  text?: TextOptions | null | undefined;
  /** How the model reasons. Defaults to the model's own settings. */
  reasoning?: ReasoningOptions | null | undefined;
  /** Optional. Up to 128 tools that the model can call. */
  tools?: Tool[] | null | undefined;
  /** Controls which tools the model can or must call. Defaults to `auto`. */
  tool_choice?: ToolChoice | null | undefined;
  /** Whether the model can make several tool calls in parallel. Optional; the provider decides if omitted, usually true. False returns 400 on Gemini upstreams. */
  parallel_tool_calls?: boolean | null | undefined;
  /** The ID of a stored response of your account to continue. Its items and those of earlier turns become input, and are charged as input. `instructions` aren't carried over. Omit to start a new conversation. 1 to 512 characters. */
  previous_response_id?: string | null | undefined;
  /** Whether the gateway stores the response, so that you can read and continue it, for 30 days unless configured otherwise. Upstreams are told to store nothing. Defaults to true. If the key doesn't have permission to store responses, the default is false, and true returns 403. */
  store?: boolean | null | undefined;
  /** Whether to run the request in the background. Only false is supported; use `stream` for long responses. Defaults to false. */
  background?: boolean | null | undefined;
  /** Maximum number of output tokens, including reasoning tokens. A response that reaches it ends as `incomplete`. Defaults to the model's maximum. If your account can't pay for that many, the gateway sets a lower limit and reports it in `x-modelgate-output-limit`. At least 16. */
  max_output_tokens?: number | null | undefined;
  /** Maximum number of calls to tools that the upstream runs. The price of that many calls is reserved. Omit for no limit, in which case the price of 16 calls is reserved. Returns 400 unless the model is on a responses upstream. 1 to 10000. */
  max_tool_calls?: number | null | undefined;
  /** Sampling temperature, from 0 to 2. Higher values make the output more varied. Defaults to the model's own value. Anthropic upstreams accept 0 to 1 and return 400 for more; reasoning models may reject any value. */
  temperature?: number | null | undefined;
  /** Nucleus sampling, from 0 to 1: the model considers only the most likely tokens that together have this probability. Defaults to the model's own value. */
  top_p?: number | null | undefined;
  /** How many of the most likely tokens to return at each position, from 0 to 20. Requires `message.output_text.logprobs` in `include`. Defaults to 0. More than 0 returns 400 on Anthropic upstreams. */
  top_logprobs?: number | null | undefined;
  /** From -2 to 2. Positive values make a token less likely once it has occurred in the text, however often. Defaults to 0. Any other value returns 400 on Anthropic upstreams, and some responses upstreams reject it. */
  presence_penalty?: number | null | undefined;
  /** From -2 to 2. Positive values make a token less likely each time it has already occurred in the text. Defaults to 0. Any other value returns 400 on Anthropic upstreams, and some responses upstreams reject it. */
  frequency_penalty?: number | null | undefined;
  /** @deprecated there is no replacement. Controls what a responses upstream does if the input is too long: `auto` drops the oldest items, `disabled` returns an error. Defaults to `disabled`. Not sent to other upstreams. */
  truncation?: 'auto' | 'disabled' | null | undefined;
  /** How a responses upstream shortens a conversation that grows too long; up to 16 entries. Not sent to other upstreams. Omit to leave the conversation as it is. */
  context_management?: Array<{
    /** The action on the conversation, such as `compaction`. At most 512 characters. */
    type: string;
    /** The number of input tokens that triggers the action. Optional; the provider decides if omitted. */
    compact_threshold?: number | null | undefined;
  }> | null | undefined;
  /** Optional. Up to 32 names of additional output to include, such as `reasoning.encrypted_content` or `message.output_text.logprobs`. Output that an upstream can't provide is omitted and listed in `x-modelgate-ignored`. */
  include?: string[] | null | undefined;
  /** Key-value pairs that are repeated in the response. Optional. Doesn't change the output. Not sent to Anthropic and Gemini upstreams. */
  metadata?: Metadata | null | undefined;
  /** Optional. Private metadata of a coding agent, accepted but neither logged nor forwarded. Names have up to 256 characters. */
  client_metadata?: { [key: string]: unknown; } | null | undefined;
  /** A stable key for the conversation, up to 64 characters. If a model has several upstreams, calls with the same key go to the same one, which improves cache hits. Optional. Doesn't change the output. Not sent to Anthropic and Gemini upstreams. */
  prompt_cache_key?: string | null | undefined;
  /** @deprecated use `prompt_cache_options`. How long the upstream keeps a cached prompt. Omitted for Gemini upstreams. For Claude, `24h` keeps marks for one hour. */
  prompt_cache_retention?: 'in_memory' | 'in-memory' | '24h' | null | undefined;
  /** How the upstream caches the prompt. Optional; the provider decides if omitted. */
  prompt_cache_options?: PromptCacheOptions | null | undefined;
  /** A stable, opaque ID of your end user, which lets the provider identify users who violate its policies. Optional. Doesn't change the output. Not sent to Anthropic and Gemini upstreams. At most 64 characters. */
  safety_identifier?: string | null | undefined;
  /** The processing tier to request from the upstream. Defaults to `auto`. */
  service_tier?: ServiceTier | null | undefined;
  /** How the upstream handles images in the conversation, in its own format. Sent to responses upstreams; otherwise listed in `x-modelgate-ignored`. Optional; the provider decides if omitted. */
  image?: { [key: string]: unknown; } | null | undefined;
  /** Set `include` to get the cost of the call in the response. Not sent to upstreams. Omit to get a response without the cost. */
  usage?: UsageOptions | null | undefined;
  /** @deprecated use `safety_identifier` and `prompt_cache_key`. Optional. Doesn't change the output. Not sent to Anthropic and Gemini upstreams. At most 512 characters. */
  user?: string | null | undefined;
  /** Asks the upstream to moderate the text of the call. Optional; the provider decides if omitted. */
  moderation?: TextModeration | null | undefined;
}

/** `queued`, `in_progress`: only in the first events of a stream. `completed`: finished normally. `incomplete`: ended early; see `incomplete_details`. `failed`: see `error`. `cancelled`: canceled by the upstream. */
export type ResponseStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';

/** One event of a responses stream. It begins with `response.created` and ends with exactly one of `response.completed`, `response.incomplete` and `response.failed`; then comes `data: [DONE]`. */
export type ResponseStreamEvent = ResponseCreatedEvent | ResponseQueuedEvent | ResponseInProgressEvent | ResponseCompletedEvent | ResponseIncompleteEvent | ResponseFailedEvent | ResponseOutputItemAddedEvent | ResponseOutputItemDoneEvent | ResponseContentPartAddedEvent | ResponseContentPartDoneEvent | ResponseOutputTextDeltaEvent | ResponseOutputTextDoneEvent | ResponseOutputTextAnnotationAddedEvent | ResponseRefusalDeltaEvent | ResponseRefusalDoneEvent | ResponseFunctionCallArgumentsDeltaEvent | ResponseFunctionCallArgumentsDoneEvent | ResponseCustomToolCallInputDeltaEvent | ResponseCustomToolCallInputDoneEvent | ResponseReasoningSummaryPartAddedEvent | ResponseReasoningSummaryPartDoneEvent | ResponseReasoningSummaryTextDeltaEvent | ResponseReasoningSummaryTextDoneEvent | ResponseReasoningTextDeltaEvent | ResponseReasoningTextDoneEvent | HostedToolEvent | KeepaliveEvent | ResponseErrorEvent;

/** Tokens used by the response, as counted by the upstream. */
export interface ResponseUsage {
  /** Number of input tokens, including earlier turns of the conversation and tokens read from a cache. */
  input_tokens: number;
  /** Breakdown of `input_tokens`. Omitted if the upstream doesn't report it. */
  input_tokens_details?: {
    /** Tokens read from the upstream's cache, charged at the price of cached input. */
    cached_tokens: number;
    /** Tokens written to the upstream's cache, charged at the price of cache writes. Omitted if none. */
    cache_write_tokens?: number | null | undefined;
  } | null | undefined;
  /** Number of output tokens, including reasoning tokens. */
  output_tokens: number;
  /** Breakdown of `output_tokens`. Omitted if the upstream doesn't report it. */
  output_tokens_details?: {
    /** Reasoning tokens, charged as output. */
    reasoning_tokens: number;
  } | null | undefined;
  /** The sum of `input_tokens` and `output_tokens`. */
  total_tokens: number;
  /** The amount charged, in US dollars. Omitted unless the request has `usage: { include: true }` and calls are charged. */
  cost?: number | undefined;
}

/** The processing tier to request from the upstream. The response reports the tier that was used. If calls are charged, only `auto` and `default` are accepted, unless the model is free: prices apply to the default tier. Not sent to Anthropic and Gemini upstreams. */
export type ServiceTier = 'auto' | 'default' | 'flex' | 'scale' | 'priority' | 'fast' | 'ultrafast';

/** US dollars as a string, with six decimal places. Can be negative. */
export type SignedDollars = string;

/** One page of the money in and out of an account, newest first. */
export interface Statement {
  /** The type of the object: always `list`. */
  object: 'list';
  /** The lines of this page, newest first. */
  data: StatementLine[];
  /** Id of the first line of this page. Null when the page is empty. */
  first_id: string | null;
  /** Id of the last line of this page, for `after` of the next call. Null when the page is empty. */
  last_id: string | null;
  /** Whether more lines follow this page. */
  has_more: boolean;
}

/** One charge or payment of the account. */
export interface StatementLine {
  /** The `x-request-id` of a charge; for a payment the id that its transfer was given, such as an invoice. */
  id: string;
  /** `charge`: a call. `top_up`: money in. `refund`: money that was paid back. `correction`: either. */
  kind: 'charge' | 'top_up' | 'refund' | 'correction';
  /** What came in, or with a minus sign what went out. */
  amount: SignedDollars;
  /** Where a charge was taken from; a payment goes to the `balance`. */
  source: 'balance' | 'subscription';
  /** The model of a charge. Null for a payment. */
  model: string | null;
  /** The key of a charge. Null for a payment. */
  key_id: string | null;
  /** When the money of a call was held, or a payment booked; in seconds since 1970-01-01 UTC. */
  at: number;
}

/** An item of the input: from the request, or from earlier turns. */
export interface StoredItem {
  /** Id of the item: from the request, or made by the gateway. */
  id: string;
  /** Kind of the item, such as `message`, `function_call` or `function_call_output`. */
  type: string;
  /** Role of the author of a message. Absent for other items. */
  role?: string | null | undefined;
  /** The parts of a message; a string becomes one part. Absent for other items. */
  content?: unknown | undefined;
}

/** A paragraph of the summary of the reasoning. */
export interface SummaryText {
  /** The type of the object: always `summary_text`. */
  type: 'summary_text';
  /** The text of the paragraph. */
  text: string;
}

/** Tokens by class of charge; the classes do not overlap. */
export interface SummedTokens {
  /** Input that was neither read from a cache nor written to one. */
  input: number;
  /** Input that was read from a cache. */
  cached_input: number;
  /** Input that was written to a cache. */
  cache_write: number;
  /** All output, reasoning included. */
  output: number;
}

/** A citation or a file path inside a text. */
export interface TextAnnotation {
  /** Kind of the annotation, such as `url_citation` or `file_path`; its other fields depend on it. At most 512 characters. */
  type: string;
}

/** Format of the answer, for structured output. In chat this is `response_format`. */
export type TextFormat = PlainTextFormat | JsonObjectFormat | JsonSchemaFormat;

/** The text format of the request, as repeated by the upstream. */
export interface TextFormatEcho {
  /** The type of the format: `text`, `json_object`, or `json_schema`. */
  type: string;
}

/** Moderation of a text call by the upstream. Returns 400 on Anthropic and Gemini upstreams. In image requests, `moderation` is a string instead. */
export interface TextModeration {
  /** The ID of one of the upstream's moderation models. At most 512 characters. */
  model: string;
  /** The moderation policy, in the upstream's format. Omit to use the model's default policy. */
  policy?: { [key: string]: unknown; } | null | undefined;
}

/** Format and length of the text of the answer. */
export interface TextOptions {
  /** Format of the answer. Defaults to plain text. */
  format?: TextFormat | null | undefined;
  /** How long the answer should be. Absent: the default of the model, usually `medium`. */
  verbosity?: Verbosity | null | undefined;
}

/** The log probability of one token. */
export interface TokenLogprob {
  /** The token as text. */
  token: string;
  /** Natural logarithm of its probability, at most 0. */
  logprob: number;
  /** The token as UTF-8 bytes; one character may span several tokens. Null or absent when the token has none. */
  bytes?: number[] | null | undefined;
  /** The likeliest tokens at this position, as many as `top_logprobs` of the request; empty or absent for 0. */
  top_logprobs?: Array<{
    /** The token as text. */
    token: string;
    /** Natural logarithm of its probability, at most 0. */
    logprob: number;
  }> | null | undefined;
}

/** Prices of a text model. The classes do not overlap: a token is charged in one of them. */
export interface TokenPrices {
  /** Price of a million input tokens. */
  input: Dollars;
  /** Price of a million input tokens read from a cache. */
  cached_input: Dollars;
  /** Price of a million input tokens written to a cache. */
  cache_write: Dollars;
  /** Price of a million input tokens written to a cache that keeps them for an hour. */
  cache_write_1h: Dollars;
  /** Price of a million input tokens written to a cache that keeps them for 12 hours. */
  cache_write_12h: Dollars;
  /** Price of a million output tokens, reasoning included. */
  output: Dollars;
  /** Price of a call of a tool that the upstream runs, by the type of its output item. A tool without a price is omitted where a request only offers it, and rejected with 400 where the request requires it. Tools that the caller runs cost only their tokens. */
  tools: { [key: string]: Dollars; };
}

/** A tool that the model may call: run by the caller, or by the upstream itself. */
export type Tool = FunctionTool | CustomTool | NamespaceTool | WebSearchTool | McpTool | HostedTool;

/** `none`: no call. `auto`: the model decides. `required`: at least one call. Or one tool, which must then be called, or a subset of the tools (`allowed_tools`, a hard limit). */
export type ToolChoice = 'none' | 'auto' | 'required' | ToolSelection;

/** A tool of the request, as repeated by the upstream. */
export interface ToolEcho {
  /** The type of the tool, such as `function` or `web_search`. */
  type: string;
}

/** Letters, digits, `_` and `-`; at most 64. */
export type ToolName = string;

/** A string, or up to 1,024 parts. Upstreams that accept only text as a result get the text there, and the images and files in a message after it. */
export type ToolOutput = string | ToolOutputPart[];

/** A part of what a tool returns: text, an image or a file. */
export type ToolOutputPart = InputText | InputImage | InputFile;

/** An earlier search for tools. Upstreams that do not speak responses are not sent it. */
export interface ToolSearchCall {
  /** The type of the object: always `tool_search_call`. */
  type: 'tool_search_call';
  /** Links the search with its output. Null when the upstream ran the search. 1 to 512 characters. */
  call_id?: string | null | undefined;
  /** The search query, as the model wrote it. */
  arguments: unknown;
  /** Who searched: `client` or `server`. Optional; the provider decides if omitted. At most 512 characters. */
  execution?: string | null | undefined;
  /** Id of the item, from the client or from an earlier answer. Accepted, but not sent to the upstream, which does not know the id. Absent: a stored item gets a new id. 1 to 512 characters. */
  id?: string | null | undefined;
  /** Status of the item in the earlier answer; the gateway ignores it, so it may be absent. */
  status?: ItemStatus | null | undefined;
}

/** The result of a search for tools. Upstreams without such items get these tools in `tools`. */
export interface ToolSearchOutput {
  /** The type of the object: always `tool_search_output`. */
  type: 'tool_search_output';
  /** The `call_id` of the search. Null when the upstream ran the search. 1 to 512 characters. */
  call_id?: string | null | undefined;
  /** Tools that were found, up to 1,024; the model may call them from here on. */
  tools: Tool[];
  /** Who searched: `client` or `server`. Optional; the provider decides if omitted. At most 512 characters. */
  execution?: string | null | undefined;
  /** Id of the item, from the client or from an earlier answer. Accepted, but not sent to the upstream, which does not know the id. Absent: a stored item gets a new id. 1 to 512 characters. */
  id?: string | null | undefined;
  /** Status of the item in the earlier answer; the gateway ignores it, so it may be absent. */
  status?: ItemStatus | null | undefined;
}

/** One tool, or a subset of them. */
export type ToolSelection = NamedChoice | HostedChoice | McpChoice | AllowedTools;

/** One attempt at an upstream. */
export interface UsageAttempt {
  /** Its name in the configuration, as in `x-modelgate-attempts`. */
  upstream: string;
  /** HTTP status of its answer. Null when none came. */
  status: number | null;
  /** The error code of the failure. Null when the attempt succeeded. */
  code: string | null;
  /** Milliseconds until it failed, or until its answer could be forwarded. */
  ms: number;
  /** The protocol chosen for this attempt, as in `x-modelgate-protocol`. Null: no choice was needed. */
  protocol: string | null;
}

/** One page of the requests of an account, newest first. */
export interface UsageList {
  /** The type of the object: always `list`. */
  object: 'list';
  /** The requests of this page, newest first. */
  data: UsageRecord[];
  /** `request_id` of the first request of this page. Null when the page is empty. */
  first_id: string | null;
  /** `request_id` of the last request of this page, for `after` of the next call. Null when the page is empty. */
  last_id: string | null;
  /** Whether more requests follow this page. */
  has_more: boolean;
}

/** Options for the usage in the response. With `include: true`, the usage of a complete response, or of the last event of a stream, contains `usage.cost`. A stream then always reports its usage. */
export interface UsageOptions {
  /** Whether to include `usage.cost` in the response. Defaults to false. */
  include?: boolean | null | undefined;
}

/** One request that was charged or has money held. */
export interface UsageRecord {
  /** The type of the object: always `usage`. */
  object: 'usage';
  /** The `x-request-id` of the answer. */
  request_id: string;
  /** The key of the request. */
  key_id: string;
  /** Id of the model, as in the request. */
  model: string;
  /** Name of the operation, such as `createResponse`. */
  operation: string;
  /** `held`: it is still running. `posted`: it was charged. `voided`: it cost nothing and its hold was released. `expired`: its hold was released after its gateway process had died. If the process was alive after all and the request ends, the cost is still charged, as far as money is left. */
  state: 'held' | 'posted' | 'voided' | 'expired';
  /** How it ended, such as `completed`, `failed` or `client_disconnected`. Null while it is running. */
  outcome: string | null;
  /** What pays for it. */
  source: 'balance' | 'subscription';
  /** The amount reserved before the request was sent: the most that it could cost. */
  held: Dollars;
  /** The amount charged. Never more than was held. */
  charged: Dollars;
  /** Whether the gateway estimated the tokens, because the upstream did not report them. */
  estimated: boolean;
  /** What it used, in classes that do not overlap. Null until something is charged. */
  tokens: UsageTokens | null;
  /** The output limit in tokens that the gateway set, because the request had none and the account could not pay for more. Null when it set none. */
  output_limit: number | null;
  /** Images made, by `size/quality`. Null until something is charged. */
  images: { [key: string]: number; } | null;
  /** Calls of tools that the upstream ran itself, by the type of their output item. Null until something is charged. */
  tools: { [key: string]: number; } | null;
  /** When the money was held, in seconds since 1970-01-01 UTC. */
  created_at: number;
  /** When it was charged or its hold released, in seconds since 1970-01-01 UTC. Null while it is running. */
  settled_at: number | null;
}

/** Sums of the calls of the account over time. */
export interface UsageSummary {
  /** The type of the object: always `usage_summary`. */
  object: 'usage_summary';
  /** Begin of the range in seconds since 1970: the full hour that `from` of the request lies in. */
  from: number;
  /** End of the range in seconds since 1970; not part of it. */
  to: number;
  /** Length of a bucket, by UTC; weeks begin on Monday. */
  bucket: 'hour' | 'day' | 'week' | 'month';
  /** All calls that ended before this time are counted; in seconds since 1970. */
  complete_until: number;
  /** By model or key, the dearest first, then by time. A bucket without calls is absent. */
  data: UsageSummaryRow[];
  /** Sums over the whole range. */
  total: UsageSums;
}

/** Sums of the calls that ended in one bucket, of one model or key. */
export interface UsageSummaryRow {
  /** Begin of the bucket, by UTC, in seconds since 1970. The first bucket can begin before `from`. */
  at: number;
  /** The model; an empty text for calls without one. Null: not asked for, or the rest. */
  model: string | null;
  /** The key. Null: not asked for, or the rest. */
  key_id: string | null;
  /** Whether it is all that is not among the twelve that cost most. */
  is_rest: boolean;
  /** Calls that ended. Reading the own account is no call. */
  requests: number;
  /** Those that failed: an error from 500 on, or in the middle of a stream. */
  errors: number;
  /** Those that were rejected: an error below 500. */
  rejected: number;
  /** Tokens that they used. */
  tokens: SummedTokens;
  /** Images that they made. */
  images: number;
  /** What was charged for them, to the balance or a subscription. */
  charged: Dollars;
}

/** Sums of calls. */
export interface UsageSums {
  /** Calls that ended. Reading the own account is no call. */
  requests: number;
  /** Those that failed: an error from 500 on, or in the middle of a stream. */
  errors: number;
  /** Those that were rejected: an error below 500. */
  rejected: number;
  /** Tokens that they used. */
  tokens: SummedTokens;
  /** Images that they made. */
  images: number;
  /** What was charged for them, to the balance or a subscription. */
  charged: Dollars;
}

/** Tokens by class of charge; the classes do not overlap. */
export interface UsageTokens {
  /** Input that was neither read from a cache nor written to one. */
  input: number;
  /** Input that was read from a cache. */
  cached_input: number;
  /** Input that was written to a cache. */
  cache_write: number;
  /** All output, reasoning included. */
  output: number;
  /** The part of `output` that is reasoning. */
  reasoning: number;
}

/** How verbose the output is. Sent to chat and responses upstreams only: Anthropic and Gemini upstreams have no such option. */
export type Verbosity = 'low' | 'medium' | 'high';

/** A search of the web, run by the upstream and charged by the call. When the upstream has none, or it has no price, the tool is left out and named in `x-modelgate-ignored`; a call whose `tool_choice` requires it is 400. */
export interface WebSearchTool {
  /** The version of the search tool; new code sends `web_search`. */
  type: 'web_search' | 'web_search_2025_08_26' | 'web_search_preview' | 'web_search_preview_2025_03_11';
  /** Whether the upstream fetches pages from the web; false: only pages that it has cached. Absent: the upstream decides, usually true. */
  external_web_access?: boolean | null | undefined;
  /** Which pages count, in the format of the upstream, such as `allowed_domains`. Omit to search all. */
  filters?: { [key: string]: unknown; } | null | undefined;
  /** Roughly where the user is, in the format of the upstream. Absent: no location. */
  user_location?: { [key: string]: unknown; } | null | undefined;
  /** How much of the search results the model reads. Absent: the upstream decides, usually `medium`. */
  search_context_size?: 'low' | 'medium' | 'high' | null | undefined;
}

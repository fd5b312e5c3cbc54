/** The types of the contract: requests and responses. */
// Generated from the contract by `node docs/generate/client.ts`; do not edit.

/** Stands for any string that isn't a type of this version, so that the compiler can tell the two apart. */
declare enum NewerType {
  isNewerThanThisVersion = '(newer)',
}

/** The features that the gateway supports for the model. How well the model uses them depends on the model. */
export interface Abilities {
  /** Whether the model supports function tools, and free-form tools such as `apply_patch`. */
  tools: boolean;
  /** Whether the model supports tools that the upstream runs, such as web search. */
  hosted_tools: boolean;
  /** Whether requests can allow or forbid parallel tool calls. */
  parallel_tool_calls: boolean;
  /** Whether the model accepts images, in messages or to edit them. */
  image_input: boolean;
  /** The structured output that the model supports: a JSON schema, any JSON object, or none. */
  structured_output: 'schema' | 'json' | 'none';
  /** Whether requests can set the reasoning effort. */
  reasoning_effort: boolean;
}

/** Tools that a coding agent declares within the input. Upstreams that don't support such items get them in `tools`. */
export interface AdditionalTools {
  /** The type of the object: always `additional_tools`. */
  type: 'additional_tools';
  /** The role of the author: `developer`. Optional; the gateway ignores it. */
  role?: 'developer' | null | undefined;
  /** Up to 128 tools that the model can call from here on. */
  tools: Tool[];
  /** Optional. The ID of the item, from the client or from an earlier response. Accepted, but not sent to the upstream, which doesn't know the ID. If omitted, a stored item gets a new ID. 1 to 512 characters. */
  id?: string | null | undefined;
  /** The status of the item in the earlier response. The gateway ignores it, so you can omit it. */
  status?: ItemStatus | null | undefined;
}

/** A tool in the request, identified in the same way as there. */
export interface AllowedTool {
  /** The type of the tool. `function` and `custom` also need a `name`. At most 512 characters. */
  type: string;
}

/** A subset of the tools in the request. */
export interface AllowedTools {
  /** The type of the object: always `allowed_tools`. */
  type: 'allowed_tools';
  /** `auto`: the model can call one of the tools or generate a message. `required`: it must call one of them. */
  mode: 'auto' | 'required';
  /** The tools that the model can call: 1 to 128. */
  tools: AllowedTool[];
}

/** An audio clip and its encoding. */
export interface AudioClip {
  /** The audio in base64, without a data URL prefix. */
  data: string;
  /** The encoding of `data`. At most 64 characters. */
  format: 'wav' | 'mp3' | (string & Record<never, never>);
}

/** The models in the catalog. `GET /v1/models` lists those that your key can call. */
export interface CatalogList {
  /** The type of the object: always `list`. */
  object: 'list';
  /** The models, in a stable order. */
  data: CatalogModel[];
}

/** A model in the catalog. */
export interface CatalogModel {
  /** The model ID to use in requests. */
  id: string;
  /** The type of the object: always `model`. */
  object: 'model';
  /** The owner of the model, as configured, or else the name of its upstream. */
  owned_by: string;
  /** `text`: chat completions and responses. `image`: image generations and edits. */
  kind: 'text' | 'image';
  /** The account groups that can call the model, each with its price multiplier. */
  groups: Array<{
    /** The name of the group. */
    name: string;
    /** The price multiplier for accounts in this group. */
    multiplier: Multiplier;
  }>;
  /** The prices of the model. Null when billing is off. */
  prices: CatalogPrices | null;
  /** The size of the context window in tokens, including the output. Null if unknown. */
  context_window: number | null;
  /** Maximum number of output tokens per response. A call without an output limit reserves the price of that many. Null for image models. */
  max_output_tokens: number | null;
  /** The APIs that can call the model. */
  protocols: Array<'chat' | 'responses' | 'images'>;
  /** The features that calls to the model can use. */
  abilities: Abilities;
}

/** Prices per million tokens, prices per image, or `free`. All prices are before the group's multiplier. */
export type CatalogPrices = TokenPrices | ImagePrices | 'free';

/** A subset of the tools in the request. */
export interface ChatAllowedTools {
  /** The type of the object: always `allowed_tools`. */
  type: 'allowed_tools';
  /** The subset of tools, and whether one of them must be called. */
  allowed_tools: {
    /** `auto`: the model can call one of the tools or generate a message. `required`: it must call one of them. */
    mode: 'auto' | 'required';
    /** The tools that the model can call, by name: 1 to 128. */
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
  /** The text of the message. Null if the message has only tool calls or a refusal. */
  content?: string | null | undefined;
  /** The refusal, in the model's words. Null if the message isn't a refusal. */
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
export type ChatAnsweredToolCall = ChatAnsweredFunctionCall | ChatAnsweredCustomCall | ChatUnknownToolCall;

/** An assistant message from an earlier turn, with text, a refusal, audio, or tool calls. */
export interface ChatAssistantMessage {
  /** The role of the author: always `assistant`. */
  role: 'assistant';
  /** The assistant's message: a string, or up to 1024 parts with text, refusals, and reasoning. Null or omitted only if the message has `tool_calls`, `refusal`, `audio`, or `function_call`. */
  content?: string | ChatAssistantPart[] | null | undefined;
  /** The refusal, in the model's words. Omit if the message isn't a refusal. */
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
  /** Optional. The name of the participant, if several have the same role; up to 512 characters. Sent only to upstreams that use chat. */
  name?: string | null | undefined;
}

/** A part of an assistant message. */
export type ChatAssistantPart = ChatTextPart | ChatRefusalPart | ChatThinkingPart;

/** The voice and encoding of audio output. Returns 400 unless the model is on a chat upstream. */
export interface ChatAudioOptions {
  /** The name of one of the upstream's voices, or an object that identifies a custom voice. */
  voice: string | { [key: string]: unknown; };
  /** The encoding of the output audio. At most 64 characters. */
  format: 'wav' | 'aac' | 'mp3' | 'flac' | 'opus' | 'pcm16' | (string & Record<never, never>);
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
    /** The addition of this chunk to its choice. */
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

/** A conversation, and options for the completion. Fields set to null are treated as omitted. Unknown fields are forwarded to OpenAI and Azure, unless they could select a model, provider, tier, tool, or price. All other unknown fields are dropped and listed in `x-modelgate-dropped`, unless the upstream is configured to allow them. */
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
  /** Maximum number of output tokens, including reasoning. A completion that reaches it ends with `finish_reason: length`. Defaults to the model's maximum, or to what your account can pay for, reported in `x-modelgate-output-limit`. On a responses upstream, less than 16 becomes 16. At least 1. */
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
  /** @deprecated no replacement. Asks for the same output as before, without a guarantee. Not sent to responses upstreams, and listed in `x-modelgate-dropped` there. Returns 400 on Anthropic upstreams. Gemini upstreams accept only integers. */
  seed?: number | null | undefined;
  /** Whether the model can make several tool calls in parallel. Optional; the provider decides if omitted, usually true. False is omitted for Gemini upstreams, and listed in `x-modelgate-dropped` there. */
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
  /** Optional. `reasoning.effort`, which some client adapters send, is used if `reasoning_effort` is omitted. Other fields are sent only to an upstream that is configured to accept them; otherwise they're listed in `x-modelgate-dropped`. */
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
  /** Whether Modelgate can keep reasoning between tool calls. The gateway asks upstreams not to store anything, and lists `store: true` in `x-modelgate-dropped`. On a responses upstream, it keeps the encrypted reasoning before each tool call for a day and sends it back with the tool results, unless you send `false`. Omit it to keep the reasoning. */
  store?: boolean | null | undefined;
  /** Key-value pairs for the upstream. The gateway doesn't use them. Optional. Doesn't change the output. Not sent to Anthropic and Gemini upstreams. */
  metadata?: Metadata | null | undefined;
  /** Options for the usage in the response. Not sent to upstreams. Omit to get a response without the cost. */
  usage?: UsageOptions | null | undefined;
  /** @deprecated use `safety_identifier` and `prompt_cache_key`. Optional. Doesn't change the output. Not sent to Anthropic and Gemini upstreams. At most 512 characters. */
  user?: string | null | undefined;
  /** A stable, opaque ID of your end user, so the provider can find users who violate its policies. Optional. Doesn't change the output. Not sent to Anthropic and Gemini upstreams. At most 64 characters. */
  safety_identifier?: string | null | undefined;
  /** A stable key for the conversation. Calls with the same key go to the same upstream of the model, which improves cache hits. Optional. Doesn't change the output. Not sent to Anthropic and Gemini upstreams. At most 64 characters. */
  prompt_cache_key?: string | null | undefined;
  /** @deprecated use `prompt_cache_options`. How long the upstream keeps a cached prompt. Omitted for Gemini upstreams. For Claude, `24h` keeps marks for one hour. */
  prompt_cache_retention?: 'in_memory' | 'in-memory' | '24h' | null | undefined;
  /** How the upstream caches the prompt. Optional; the provider decides if omitted. */
  prompt_cache_options?: PromptCacheOptions | null | undefined;
  /** The processing tier to request from the upstream. Defaults to `auto`. */
  service_tier?: ServiceTier | null | undefined;
  /** Lets the upstream search the web. Omit to disable web search. Charged as one `web_search_call`; returns 400 if that has no price. If the model isn't on a chat upstream, an empty object is listed in `x-modelgate-dropped`, and any other returns 400. */
  web_search_options?: {
    /** How much of the search results is added to the context. Optional; the provider decides if omitted, usually `medium`. */
    search_context_size?: 'low' | 'medium' | 'high' | null | undefined;
    /** Optional. The user's approximate location, in the upstream's format. */
    user_location?: { [key: string]: unknown; } | null | undefined;
  } | null | undefined;
  /** Asks the upstream to moderate the text of the call. Optional; the provider decides if omitted. */
  moderation?: TextModeration | null | undefined;
}

/** A free-form tool, by its name. */
export interface ChatCustomChoice {
  /** The type of the object: always `custom`. */
  type: 'custom';
  /** The free-form tool that must be called. */
  custom: ChatNamedTool;
}

/** A tool with free text as its input instead of JSON arguments, run by you. Upstreams that support only functions get a function with one string parameter; the call is returned as `custom`. */
export interface ChatCustomTool {
  /** The type of the object: always `custom`. */
  type: 'custom';
  /** The tool. */
  custom: {
    /** The name by which the model calls the tool. */
    name: ToolName;
    /** Optional. What the tool does and when the model should use it. */
    description?: string | null | undefined;
    /** The format of the tool's input. Omit to allow any text. */
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

/** The format of the tool's input. */
export type ChatCustomToolFormat = PlainTextFormat | ChatGrammarFormat;

/** The delta that this chunk adds to its choice. Empty in the last chunk of the choice. */
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

/** A function, by its name. */
export interface ChatFunctionChoice {
  /** The type of the object: always `function`. */
  type: 'function';
  /** The function that must be called. */
  function: ChatNamedTool;
}

/** A function, with its name, description, and parameters. */
export interface ChatFunctionDefinition {
  /** The name by which the model calls the function. */
  name: ToolName;
  /** Optional. What the tool does and when the model should use it. */
  description?: string | null | undefined;
  /** JSON Schema for the arguments, at most 64 levels deep. Omit if the function has no arguments. */
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

/** A function that you run. */
export interface ChatFunctionTool {
  /** The type of the object: always `function`. */
  type: 'function';
  /** The definition of the function. */
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
  /** The grammar that the input must follow. */
  grammar: {
    /** The syntax of the grammar: `lark`, or `regex` for a single regular expression. */
    syntax: 'lark' | 'regex';
    /** The grammar that the input must follow. Upstreams without free-form tools can't enforce it; the model gets it in the tool's description instead. Not empty. */
    definition: string;
  };
}

/** The URL of an image, and the detail at which the model sees it. */
export interface ChatImageAddress {
  /** A data URL, or an https URL that the upstream can fetch. The gateway never fetches it. Not empty. */
  url: string;
  /** The resolution at which the model sees the image. A higher one uses more input tokens. Defaults to `auto`. Not sent to Anthropic and Gemini upstreams. At most 64 characters. */
  detail?: 'auto' | 'low' | 'high' | 'original' | (string & Record<never, never>) | null | undefined;
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
  /** Optional. The name of the participant, if several have the same role; up to 512 characters. Sent only to upstreams that use chat. */
  name?: string | null | undefined;
}

/** JSON that follows the schema you supply. Returns 400 if a chat upstream's provider doesn't support schemas. */
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
  /** The tokens of the text. Null without text. */
  content?: ChatTokenLogprob[] | null | undefined;
  /** The tokens of the refusal. Null without a refusal. */
  refusal?: ChatTokenLogprob[] | null | undefined;
}

/** A message of the conversation. Its fields depend on `role`. */
export type ChatMessage = ChatInstructionMessage | ChatUserMessage | ChatAssistantMessage | ChatToolMessage | ChatFunctionMessage;

/** A tool, by its name. */
export type ChatNamedChoice = ChatFunctionChoice | ChatCustomChoice;

/** A tool in the request, by its name. */
export interface ChatNamedTool {
  /** The name of a tool in this request. */
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
export type ChatResponseFormat = PlainTextFormat | JsonObjectFormat | ChatJsonSchemaFormat | UnknownFormat;

/** Text in a message. */
export interface ChatTextPart {
  /** The type of the object: always `text`. */
  type: 'text';
  /** The text. It can be empty. */
  text: string;
  /** Optional. Marks the end of a part of the prompt that the upstream can cache. Sent to upstreams that use the same API as this call, to responses upstreams, and to Claude as `cache_control`, where only the last four marks count. Omitted for others. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** Reasoning from an earlier turn, in the format of some chat providers. Sent back to providers that support it; otherwise it's omitted and listed in `x-modelgate-dropped`. */
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

/** A tool that the model can call and you run. */
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

/** `none`: the model calls no tools. `auto`: the model decides. `required`: the model must call at least one tool. An object selects one tool, which must be called, or a subset of the tools. */
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

/** A tool by its name, or a subset of the tools. */
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

/** Newer than this version of the API, and forwarded unchanged. */
export interface ChatUnknownToolCall {
  /** Newer than this version of the API, and forwarded unchanged. */
  type: NewerType;
  /** The ID of the tool call. Send it back as `tool_call_id`. */
  id: string;
  [field: string]: unknown;
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
    /** Audio input tokens. Omitted if none, or if the upstream doesn't count them separately. */
    audio_tokens?: number | null | undefined;
  } | null | undefined;
  /** Breakdown of `completion_tokens`. Omitted if the upstream doesn't report it. */
  completion_tokens_details?: {
    /** Reasoning tokens, charged as output. Omitted if none, or if the upstream doesn't count them separately. */
    reasoning_tokens?: number | null | undefined;
    /** Audio output tokens. Omitted if none, or if the upstream doesn't count them separately. */
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
  /** Optional. The name of the participant, if several have the same role; up to 512 characters. Sent only to upstreams that use chat. */
  name?: string | null | undefined;
}

/** A part of a user message: text, an image, audio, or a file. */
export type ChatUserPart = ChatTextPart | ChatImagePart | ChatAudioPart | ChatFilePart;

/** A text model in the Codex CLI's format. */
export interface CodexModel {
  /** The ID of the model. The other fields are private to the Codex CLI. */
  slug: string;
}

/** An item that replaces all items before it. */
export interface CompactedConversation {
  /** The type of the object: always `compaction`. */
  type: 'compaction';
  /** The ID of the item. */
  id: string;
  /** The encrypted conversation. Send it back unchanged. */
  encrypted_content: string;
}

/** An item to continue from, with the type in `type`. */
export type CompactedItem = KeptMessage | CompactedConversation;

/** A compacted conversation. */
export interface CompactedResponse {
  /** The ID of the compaction. It isn't stored, so it can't be retrieved or continued. */
  id: string;
  /** The type of the object: always `response.compaction`. */
  object: 'response.compaction';
  /** When the conversation was compacted, as a Unix timestamp in seconds. */
  created_at: number;
  /** The items to continue from: all messages of the user, then one `compaction` item. Send them before your next input. */
  output: CompactedItem[];
  /** The tokens used by the compaction, which are charged. */
  usage: ResponseUsage;
}

/** A compacted conversation, in place of the items before it. If the gateway created it, any model of your account can continue it. If an upstream created it, only the upstream that created it can read it; others return 400. */
export interface Compaction {
  /** The type of the object: always `compaction`. */
  type: 'compaction';
  /** The encrypted conversation, exactly as you received it. */
  encrypted_content: string;
  /** Optional. The ID of the item, from the client or from an earlier response. Accepted, but not sent to the upstream, which doesn't know the ID. If omitted, a stored item gets a new ID. 1 to 512 characters. */
  id?: string | null | undefined;
  /** The status of the item in the earlier response. The gateway ignores it, so you can omit it. */
  status?: ItemStatus | null | undefined;
}

/** The conversation to compact. It's neither streamed nor stored, and the model gets no tools. All other fields are dropped and listed in `x-modelgate-dropped`. */
export interface CompactionRequest {
  /** The ID of a text model, as listed by `GET /v1/models`. 1 to 512 characters. */
  model: string;
  /** The conversation: a string, which becomes a user message, or its items. Omit only if you send `previous_response_id`. */
  input?: string | InputItem[] | null | undefined;
  /** The ID of a stored response of your account. Its items and those of earlier turns are compacted, followed by `input`. Omit to compact only `input`. 1 to 512 characters. */
  previous_response_id?: string | null | undefined;
  /** Optional. The system prompt of the conversation. It guides the summary but is not part of it. */
  instructions?: string | null | undefined;
  /** A stable key for the conversation, up to 64 characters. If a model has several upstreams, calls with the same key go to the same one, which improves cache hits. Optional. Doesn't change the output. Not sent to Anthropic and Gemini upstreams. */
  prompt_cache_key?: string | null | undefined;
  /** @deprecated use `prompt_cache_options`. How long the upstream keeps a cached prompt. Omitted for Gemini upstreams. For Claude, `24h` keeps marks for one hour. */
  prompt_cache_retention?: 'in_memory' | 'in-memory' | '24h' | null | undefined;
  /** How the upstream caches the prompt. Optional; the provider decides if omitted. */
  prompt_cache_options?: PromptCacheOptions | null | undefined;
  /** The processing tier to request from the upstream. Defaults to `auto`. */
  service_tier?: ServiceTier | null | undefined;
  /** How the upstream handles images in the conversation, in its own format. Sent to responses upstreams; otherwise listed in `x-modelgate-dropped`. Optional; the provider decides if omitted. */
  image?: { [key: string]: unknown; } | null | undefined;
}

/** Compacts the conversation: the response is one `compaction` item. Must be the last item of the input. OpenAI and Azure upstreams compact it themselves; any other model writes a summary, without tools, which the gateway encrypts. */
export interface CompactionTrigger {
  /** The type of the object: always `compaction_trigger`. */
  type: 'compaction_trigger';
  /** Optional. The ID of the item, from the client or from an earlier response. Accepted, but not sent to the upstream, which doesn't know the ID. If omitted, a stored item gets a new ID. 1 to 512 characters. */
  id?: string | null | undefined;
  /** The status of the item in the earlier response. The gateway ignores it, so you can omit it. */
  status?: ItemStatus | null | undefined;
}

/** A tool with free text as its input instead of JSON arguments, run by you. Upstreams that support only functions get a function with one string parameter; the call is returned as `custom_tool_call`. */
export interface CustomTool {
  /** The type of the object: always `custom`. */
  type: 'custom';
  /** The name by which the model calls the tool. */
  name: LongToolName;
  /** Optional. What the tool does and when the model should use it. */
  description?: string | null | undefined;
  /** The format of the tool's input. Omit to allow any text. */
  format?: CustomToolFormat | null | undefined;
}

/** A call to a free-form tool, for you to run. */
export interface CustomToolCall {
  /** The type of the object: always `custom_tool_call`. */
  type: 'custom_tool_call';
  /** The item's ID from the upstream. Omitted if the upstream doesn't send one. */
  id?: string | null | undefined;
  /** The ID of the call. Send it back as `custom_tool_call_output.call_id`. */
  call_id: string;
  /** The name of the tool, as declared in the request. */
  name: string;
  /** The input of the tool, as free text. Empty when the call starts. */
  input: string;
  /** The namespace of the tool. Send it back with the call. Omitted if the tool has none. */
  namespace?: string | null | undefined;
  /** The status of the item. Omitted if it's complete. */
  status?: ItemStatus | null | undefined;
}

/** The output of a call to a free-form tool. You create it; it's never returned in `output`. */
export interface CustomToolCallOutput {
  /** The type of the object: always `custom_tool_call_output`. */
  type: 'custom_tool_call_output';
  /** The ID that links a call to its output; both have the same `call_id`. It differs from the item's `id`. 1 to 512 characters. */
  call_id: string;
  /** The output of the tool. */
  output: ToolOutput;
  /** Optional. The ID of the item, from the client or from an earlier response. Accepted, but not sent to the upstream, which doesn't know the ID. If omitted, a stored item gets a new ID. 1 to 512 characters. */
  id?: string | null | undefined;
  /** The status of the item in the earlier response. The gateway ignores it, so you can omit it. */
  status?: ItemStatus | null | undefined;
}

/** The format of the tool's input. */
export type CustomToolFormat = PlainTextFormat | GrammarFormat;

/** A deleted response. It can no longer be read or continued. */
export interface DeletedResponse {
  /** The ID of the deleted response. */
  id: string;
  /** The type of the object: always `response`. */
  object: 'response';
  /** Always true. A response that doesn't exist returns 404. */
  deleted: true;
}

/** US dollars as a string, with six decimal places. */
export type Dollars = string;

/** The body of every response that isn't 2xx. */
export interface ErrorBody {
  /** Details of the error. */
  error: ErrorDetail;
}

/** The error. All four fields are always present. */
export interface ErrorDetail {
  /** A human-readable message with the problem and how to fix it. The wording may change. */
  message: string;
  /** The general category of the error. */
  type: 'invalid_request_error' | 'authentication_error' | 'permission_error' | 'rate_limit_error' | 'server_error' | 'image_generation_user_error';
  /** The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
  param: string | null;
  /** The exact reason, for use in code. Each code has exactly one status and one type. */
  code: 'invalid_json' | 'malformed_request' | 'unknown_parameter' | 'unsupported_parameter' | 'unsupported_value' | 'missing_required_parameter' | 'invalid_type' | 'invalid_value' | 'integer_below_min_value' | 'integer_above_max_value' | 'decimal_below_min_value' | 'decimal_above_max_value' | 'string_above_max_length' | 'empty_string' | 'array_above_max_length' | 'empty_array' | 'context_length_exceeded' | 'previous_response_not_found' | 'invalid_image_format' | 'invalid_base64_image' | 'invalid_image_url' | 'image_file_too_large' | 'moderation_blocked' | 'invalid_api_key' | 'permission_denied' | 'insufficient_balance' | 'subscription_inactive' | 'storage_quota_exceeded' | 'model_not_found' | 'response_not_found' | 'not_found' | 'item_not_found' | 'unknown_url' | 'method_not_allowed' | 'request_timeout' | 'idempotency_key_reused' | 'idempotency_conflict' | 'conflict' | 'config_changed' | 'request_too_large' | 'unsupported_media_type' | 'upgrade_required' | 'headers_too_large' | 'rate_limit_exceeded' | 'token_limit_exceeded' | 'concurrency_limit_exceeded' | 'internal_error' | 'upstream_error' | 'upstream_unavailable' | 'overloaded' | 'no_upstream_available' | 'upstream_timeout';
}

/** `stop`: the model finished, reached a stop sequence, or returned a refusal. `length`: a token limit was reached. `tool_calls`: the model called tools. `content_filter`: output was withheld. `function_call`: the same as `tool_calls`, for requests with `functions`. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call';

/** A function call for you to run. The response may contain no text. */
export interface FunctionCall {
  /** The type of the object: always `function_call`. */
  type: 'function_call';
  /** The item's ID from the upstream. Omitted if the upstream doesn't send one. */
  id?: string | null | undefined;
  /** The ID of the call. Send it back as `function_call_output.call_id`. */
  call_id: string;
  /** The name of the function, as declared in the request. */
  name: string;
  /** The arguments as the model wrote them, in JSON. Validate them before you use them. Empty when the call starts. */
  arguments: string;
  /** The namespace of the tool. Send it back with the call. Omitted if the tool has none. */
  namespace?: string | null | undefined;
  /** The status of the item. Omitted if it's complete. */
  status?: ItemStatus | null | undefined;
}

/** The output of a function call. You create it; it's never returned in `output`. */
export interface FunctionCallOutput {
  /** The type of the object: always `function_call_output`. */
  type: 'function_call_output';
  /** The ID that links a call to its output; both have the same `call_id`. It differs from the item's `id`. 1 to 512 characters. */
  call_id: string;
  /** The output of the function. */
  output: ToolOutput;
  /** Optional. The ID of the item, from the client or from an earlier response. Accepted, but not sent to the upstream, which doesn't know the ID. If omitted, a stored item gets a new ID. 1 to 512 characters. */
  id?: string | null | undefined;
  /** The status of the item in the earlier response. The gateway ignores it, so you can omit it. */
  status?: ItemStatus | null | undefined;
}

/** A function that you run. */
export interface FunctionTool {
  /** The type of the object: always `function`. */
  type: 'function';
  /** The name by which the model calls the function. A name that's too long for an upstream is shortened there, and returned in full. */
  name: LongToolName;
  /** Optional. What the tool does and when the model should use it. */
  description?: string | null | undefined;
  /** JSON Schema for the arguments, at most 64 levels deep. Omit if the function has no arguments. */
  parameters?: { [key: string]: unknown; } | null | undefined;
  /** Whether the arguments must follow the schema exactly. Optional; the provider decides if omitted, usually true. */
  strict?: boolean | null | undefined;
}

/** An image, as base64 in `b64_json` or, for older models, as `url`. */
export interface GeneratedImage {
  /** The image in base64, without a data URL prefix. Omitted only if the image has `url`. */
  b64_json?: string | undefined;
  /** The URL at which the upstream stores the image for a limited time. Only older models return one; otherwise omitted. */
  url?: string | undefined;
  /** The prompt as revised by the model. Omitted if the model used the prompt unchanged. */
  revised_prompt?: string | null | undefined;
}

/** Text that follows a grammar. */
export interface GrammarFormat {
  /** The type of the object: always `grammar`. */
  type: 'grammar';
  /** The syntax of the grammar: `lark`, or `regex` for a single regular expression. */
  syntax: 'lark' | 'regex';
  /** The grammar that the input must follow. Upstreams without free-form tools can't enforce it; the model gets it in the tool's description instead. Not empty. */
  definition: string;
}

/** One of the upstream's tools, by its type. */
export interface HostedChoice {
  /** The type of the hosted tool that the model must call. Supported only for models on upstreams that serve the Responses API; otherwise returns 400. */
  type: 'tool_search' | 'local_shell' | 'shell' | 'apply_patch' | 'file_search' | 'code_interpreter' | 'image_generation' | 'computer' | 'computer_use_preview' | 'programmatic_tool_calling' | 'web_search' | 'web_search_preview' | 'web_search_preview_2025_03_11';
}

/** A call to a tool that the upstream ran, or another item of the upstream. Calls are charged by type; failed calls are free. */
export interface HostedItem {
  /** The tool, or the type of the item. The other fields depend on it. */
  type: 'local_shell_call' | 'local_shell_call_output' | 'shell_call' | 'shell_call_output' | 'apply_patch_call' | 'apply_patch_call_output' | 'web_search_call' | 'file_search_call' | 'image_generation_call' | 'code_interpreter_call' | 'computer_call' | 'computer_call_output' | 'mcp_call' | 'mcp_list_tools' | 'mcp_approval_request' | 'mcp_approval_response' | 'program' | 'program_output' | 'configuration_update' | 'tool_search_call' | 'tool_search_output' | 'compaction' | 'additional_tools';
  /** The item's ID from the upstream. Omitted if the upstream doesn't send one. */
  id?: string | null | undefined;
  /** The status, as the tool reports it. Omitted for items without such a field. */
  status?: string | null | undefined;
}

/** Another tool of the upstream. Its settings are forwarded. Tools that the upstream runs are charged per call. If the model isn't on a responses upstream, or a tool that the upstream runs has no price, the tool is dropped and listed in `x-modelgate-dropped`. A request whose `tool_choice` requires it returns 400. */
export interface HostedTool {
  /** The type of the tool. */
  type: 'tool_search' | 'local_shell' | 'shell' | 'apply_patch' | 'file_search' | 'code_interpreter' | 'image_generation' | 'computer' | 'computer_use_preview' | 'programmatic_tool_calling';
}

/** Progress of a tool that the upstream runs. The other fields depend on the type. */
export interface HostedToolEvent {
  /** The tool, and the state of the call. */
  type: 'response.web_search_call.in_progress' | 'response.web_search_call.searching' | 'response.web_search_call.completed' | 'response.file_search_call.in_progress' | 'response.file_search_call.searching' | 'response.file_search_call.completed' | 'response.code_interpreter_call.in_progress' | 'response.code_interpreter_call.interpreting' | 'response.code_interpreter_call.completed' | 'response.code_interpreter_call_code.delta' | 'response.code_interpreter_call_code.done' | 'response.image_generation_call.in_progress' | 'response.image_generation_call.generating' | 'response.image_generation_call.partial_image' | 'response.image_generation_call.completed' | 'response.mcp_call.in_progress' | 'response.mcp_call.completed' | 'response.mcp_call.failed' | 'response.mcp_call_arguments.delta' | 'response.mcp_call_arguments.done' | 'response.mcp_list_tools.in_progress' | 'response.mcp_list_tools.completed' | 'response.mcp_list_tools.failed' | 'response.shell_call.in_progress' | 'response.shell_call.completed';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** The ID of the item that this event belongs to. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
}

/** The last event of a stream that succeeded, with the complete image. */
export interface ImageEditCompletedEvent {
  /** The type of the object: always `image_edit.completed`. */
  type: 'image_edit.completed';
  /** The image in base64, without a data URL prefix. */
  b64_json: string;
  /** Unix timestamp in seconds. */
  created_at: number;
  /** The background of the image: `opaque` or `transparent`. Omitted if the upstream doesn't report it. */
  background?: string | null | undefined;
  /** The format of the image: `png`, `jpeg`, or `webp`. Omitted if the upstream doesn't report it. */
  output_format?: string | null | undefined;
  /** The quality of the image: `low`, `medium`, or `high`. Omitted if the upstream doesn't report it. */
  quality?: string | null | undefined;
  /** The size of the image in pixels, such as `1024x1024`. Omitted if the upstream doesn't report it. */
  size?: string | null | undefined;
  /** Tokens used by the request. Omitted if the upstream doesn't report them. */
  usage?: ImageUsage | null | undefined;
  /** `safety_identifier` of the request. Omitted if the upstream doesn't repeat it. */
  safety_identifier?: string | null | undefined;
}

/** A stream has partial images, then exactly one completed or error event. It doesn't end with `[DONE]`. */
export type ImageEditEvent = ImageEditPartialImageEvent | ImageEditCompletedEvent | ImageErrorEvent | ImageEditUnknownEvent;

/** A partial image, to show until the next one arrives. */
export interface ImageEditPartialImageEvent {
  /** The type of the object: always `image_edit.partial_image`. */
  type: 'image_edit.partial_image';
  /** The partial image in base64, without a data URL prefix. */
  b64_json: string;
  /** Unix timestamp in seconds. */
  created_at: number;
  /** The background of the image: `opaque` or `transparent`. Omitted if the upstream doesn't report it. */
  background?: string | null | undefined;
  /** The format of the image: `png`, `jpeg`, or `webp`. Omitted if the upstream doesn't report it. */
  output_format?: string | null | undefined;
  /** The quality of the image: `low`, `medium`, or `high`. Omitted if the upstream doesn't report it. */
  quality?: string | null | undefined;
  /** The size of the image in pixels, such as `1024x1024`. Omitted if the upstream doesn't report it. */
  size?: string | null | undefined;
  /** Index of the partial image, from 0. */
  partial_image_index: number;
}

/** The JSON form of an edit. Fields set to null are treated as omitted. */
export interface ImageEditRequest {
  /** A text description of the image to generate, or of the change to make. 1 to 32,000 characters. */
  prompt: string;
  /** The ID of an image model, as listed by `GET /v1/models`. 1 to 512 characters. */
  model: string;
  /** How many images to generate, from 1 to 10; each is charged. Defaults to 1. Must be 1 with `stream: true`. */
  n?: number | null | undefined;
  /** `auto`, or `<width>x<height>` in pixels. `gpt-image-2` accepts multiples of 16, with one side at most 3 times the other, up to 3840x2160 in either orientation. Defaults to `auto`, which lets the upstream decide. The price can depend on the size. */
  size?: string | null | undefined;
  /** The quality of the image: `auto`, `low`, `medium`, or `high`, and `xhigh` or `max` for models that support it. Defaults to `auto`, which lets the upstream decide. The price can depend on the quality; until it's known, the highest price is reserved. 1 to 16 characters. */
  quality?: string | null | undefined;
  /** The background of the image. `transparent` requires `png` or `webp`, and a model that supports it, unlike `gpt-image-2`. Defaults to `auto`, which lets the upstream decide. */
  background?: 'auto' | 'opaque' | 'transparent' | null | undefined;
  /** The image format: `png`, `jpeg`, or `webp`, and `gif` or `svg` for models that support it. Each frame of a `gif` is charged as an image. Defaults to `png`. The simulator supports only `png`. 1 to 16 characters. */
  output_format?: string | null | undefined;
  /** The quality of the encoding, from 0 to 100, where 100 gives the largest file. Supported for `jpeg` and `webp` only. Defaults to 100. */
  output_compression?: number | null | undefined;
  /** How strictly the upstream moderates the request. A request that moderation rejects returns 400 `moderation_blocked`. Defaults to `auto`. */
  moderation?: 'auto' | 'low' | null | undefined;
  /** Whether to stream partial images and the final image as server-sent events. Defaults to false. */
  stream?: boolean | null | undefined;
  /** Optional. How many partial images to send, from 0 to 3. Requires `stream: true`. The upstream may send fewer. */
  partial_images?: number | null | undefined;
  /** How much the model plans the image: `low`, `medium`, or `high`, for models that support it. Optional; the model decides if omitted. 1 to 16 characters. */
  complexity?: string | null | undefined;
  /** Number of frames in a `gif`, from 1 to 100; each is charged as an image. Defaults to 9. */
  frame_count?: number | null | undefined;
  /** How long each frame of a `gif` is shown, in milliseconds. Defaults to 200. At least 1. */
  frame_duration_ms?: number | null | undefined;
  /** Optional. Options for an `svg`, for models that are configured to accept them. */
  svg?: { [key: string]: unknown; } | null | undefined;
  /** @deprecated use `safety_identifier`. The gateway forwards it to the upstream. At most 512 characters. */
  user?: string | null | undefined;
  /** Optional. A stable, opaque ID of your end user, which lets the provider identify users who violate its policies. At most 64 characters. */
  safety_identifier?: string | null | undefined;
  /** Images are always returned as base64, so only `b64_json` is supported; `url` returns 400. Defaults to `b64_json`. */
  response_format?: 'b64_json' | null | undefined;
  /** The images to edit or to use as input: 1 to 16. */
  images: ImageReference[];
  /** A PNG of up to 4 MB, with the same size as the first image. Its transparent areas mark where to edit that image. Omit to allow changes to the entire image. */
  mask?: ImageReference | null | undefined;
  /** How closely the output matches the input images. Forwarded to the upstream; `gpt-image-2` doesn't use it. Optional; the provider decides if omitted. */
  input_fidelity?: 'high' | 'low' | null | undefined;
}

/** Newer than this version of the API, and forwarded unchanged. */
export interface ImageEditUnknownEvent {
  /** Newer than this version of the API, and forwarded unchanged. */
  type: NewerType;
  [field: string]: unknown;
}

/** The last event of a stream that failed. */
export interface ImageErrorEvent {
  /** The type of the object: always `error`. */
  type: 'error';
  /** The error, as in the body of a response that isn't 2xx. */
  error: {
    /** A human-readable message with the problem and how to fix it. */
    message: string;
    /** The general category of the error, as in an error body. */
    type: string;
    /** The path of the field that caused the error. Null if no field caused it. */
    param: string | null;
    /** The reason, for use in code: an error code of this API. Never null. */
    code: string | null;
  };
}

/** The last event of a stream that succeeded, with the complete image. */
export interface ImageGenerationCompletedEvent {
  /** The type of the object: always `image_generation.completed`. */
  type: 'image_generation.completed';
  /** The image in base64, without a data URL prefix. */
  b64_json: string;
  /** Unix timestamp in seconds. */
  created_at: number;
  /** The background of the image: `opaque` or `transparent`. Omitted if the upstream doesn't report it. */
  background?: string | null | undefined;
  /** The format of the image: `png`, `jpeg`, or `webp`. Omitted if the upstream doesn't report it. */
  output_format?: string | null | undefined;
  /** The quality of the image: `low`, `medium`, or `high`. Omitted if the upstream doesn't report it. */
  quality?: string | null | undefined;
  /** The size of the image in pixels, such as `1024x1024`. Omitted if the upstream doesn't report it. */
  size?: string | null | undefined;
  /** Tokens used by the request. Omitted if the upstream doesn't report them. */
  usage?: ImageUsage | null | undefined;
  /** `safety_identifier` of the request. Omitted if the upstream doesn't repeat it. */
  safety_identifier?: string | null | undefined;
}

/** A stream has partial images, then exactly one completed or error event. It doesn't end with `[DONE]`. */
export type ImageGenerationEvent = ImageGenerationPartialImageEvent | ImageGenerationCompletedEvent | ImageErrorEvent | ImageGenerationUnknownEvent;

/** A partial image, to show until the next one arrives. */
export interface ImageGenerationPartialImageEvent {
  /** The type of the object: always `image_generation.partial_image`. */
  type: 'image_generation.partial_image';
  /** The partial image in base64, without a data URL prefix. */
  b64_json: string;
  /** Unix timestamp in seconds. */
  created_at: number;
  /** The background of the image: `opaque` or `transparent`. Omitted if the upstream doesn't report it. */
  background?: string | null | undefined;
  /** The format of the image: `png`, `jpeg`, or `webp`. Omitted if the upstream doesn't report it. */
  output_format?: string | null | undefined;
  /** The quality of the image: `low`, `medium`, or `high`. Omitted if the upstream doesn't report it. */
  quality?: string | null | undefined;
  /** The size of the image in pixels, such as `1024x1024`. Omitted if the upstream doesn't report it. */
  size?: string | null | undefined;
  /** Index of the partial image, from 0. */
  partial_image_index: number;
}

/** The image to generate, and its options. Fields set to null are treated as omitted. Unknown fields are forwarded to OpenAI and Azure, unless they could select a model, provider, tier, tool, or price. All other unknown fields are dropped and listed in `x-modelgate-dropped`, unless the upstream is configured to allow them. */
export interface ImageGenerationRequest {
  /** A text description of the image to generate, or of the change to make. 1 to 32,000 characters. */
  prompt: string;
  /** The ID of an image model, as listed by `GET /v1/models`. 1 to 512 characters. */
  model: string;
  /** How many images to generate, from 1 to 10; each is charged. Defaults to 1. Must be 1 with `stream: true`. */
  n?: number | null | undefined;
  /** `auto`, or `<width>x<height>` in pixels. `gpt-image-2` accepts multiples of 16, with one side at most 3 times the other, up to 3840x2160 in either orientation. Defaults to `auto`, which lets the upstream decide. The price can depend on the size. */
  size?: string | null | undefined;
  /** The quality of the image: `auto`, `low`, `medium`, or `high`, and `xhigh` or `max` for models that support it. Defaults to `auto`, which lets the upstream decide. The price can depend on the quality; until it's known, the highest price is reserved. 1 to 16 characters. */
  quality?: string | null | undefined;
  /** The background of the image. `transparent` requires `png` or `webp`, and a model that supports it, unlike `gpt-image-2`. Defaults to `auto`, which lets the upstream decide. */
  background?: 'auto' | 'opaque' | 'transparent' | null | undefined;
  /** The image format: `png`, `jpeg`, or `webp`, and `gif` or `svg` for models that support it. Each frame of a `gif` is charged as an image. Defaults to `png`. The simulator supports only `png`. 1 to 16 characters. */
  output_format?: string | null | undefined;
  /** The quality of the encoding, from 0 to 100, where 100 gives the largest file. Supported for `jpeg` and `webp` only. Defaults to 100. */
  output_compression?: number | null | undefined;
  /** How strictly the upstream moderates the request. A request that moderation rejects returns 400 `moderation_blocked`. Defaults to `auto`. */
  moderation?: 'auto' | 'low' | null | undefined;
  /** Whether to stream partial images and the final image as server-sent events. Defaults to false. */
  stream?: boolean | null | undefined;
  /** Optional. How many partial images to send, from 0 to 3. Requires `stream: true`. The upstream may send fewer. */
  partial_images?: number | null | undefined;
  /** How much the model plans the image: `low`, `medium`, or `high`, for models that support it. Optional; the model decides if omitted. 1 to 16 characters. */
  complexity?: string | null | undefined;
  /** Number of frames in a `gif`, from 1 to 100; each is charged as an image. Defaults to 9. */
  frame_count?: number | null | undefined;
  /** How long each frame of a `gif` is shown, in milliseconds. Defaults to 200. At least 1. */
  frame_duration_ms?: number | null | undefined;
  /** Optional. Options for an `svg`, for models that are configured to accept them. */
  svg?: { [key: string]: unknown; } | null | undefined;
  /** @deprecated use `safety_identifier`. The gateway forwards it to the upstream. At most 512 characters. */
  user?: string | null | undefined;
  /** Optional. A stable, opaque ID of your end user, which lets the provider identify users who violate its policies. At most 64 characters. */
  safety_identifier?: string | null | undefined;
  /** Images are always returned as base64, so only `b64_json` is supported; `url` returns 400. Defaults to `b64_json`. */
  response_format?: 'b64_json' | null | undefined;
}

/** Newer than this version of the API, and forwarded unchanged. */
export interface ImageGenerationUnknownEvent {
  /** Newer than this version of the API, and forwarded unchanged. */
  type: NewerType;
  [field: string]: unknown;
}

/** The generated images, in `data[].b64_json`. The other fields apply to all of them. */
export interface ImageList {
  /** Unix timestamp in seconds. */
  created: number;
  /** The background of the image: `opaque` or `transparent`. Omitted if the upstream doesn't report it. */
  background?: string | null | undefined;
  /** The format of the image: `png`, `jpeg`, or `webp`. Omitted if the upstream doesn't report it. */
  output_format?: string | null | undefined;
  /** The quality of the image: `low`, `medium`, or `high`. Omitted if the upstream doesn't report it. */
  quality?: string | null | undefined;
  /** The size of the image in pixels, such as `1024x1024`. Omitted if the upstream doesn't report it. */
  size?: string | null | undefined;
  /** The images, at most `n`. */
  data: GeneratedImage[];
  /** Tokens used by the request. Omitted if the upstream doesn't report them. */
  usage?: ImageUsage | null | undefined;
}

/** Prices of an image model. */
export interface ImagePrices {
  /** Price per image, by `size/quality`. `default` applies if no other entry matches, and `partial` to each partial image of a stream. */
  images: { [key: string]: Dollars; };
}

/** An image in a JSON body. */
export interface ImageReference {
  /** A data URL of a PNG, JPEG, or WebP image, up to 20 MiB of text, or an https URL that the upstream can fetch. The gateway never fetches it. Omit only if you send `file_id`. The simulator accepts only data URLs. */
  image_url?: string | null | undefined;
  /** The ID of a file stored at the upstream. The gateway has no Files API. Omit if you send `image_url`. Returns 400 on the simulator. 1 to 512 characters. */
  file_id?: string | null | undefined;
}

/** Text and image tokens. */
export interface ImageTokens {
  /** Number of text tokens. */
  text_tokens: number;
  /** Number of image tokens. */
  image_tokens: number;
}

/** Tokens used by the request, as counted by the upstream. Images are charged per image, not by these tokens. */
export interface ImageUsage {
  /** Number of tokens in the prompt and the input images. */
  input_tokens: number;
  /** Number of tokens in the generated images. */
  output_tokens: number;
  /** The sum of `input_tokens` and `output_tokens`. */
  total_tokens: number;
  /** Breakdown of `input_tokens`. */
  input_tokens_details: ImageTokens;
  /** Breakdown of `output_tokens`. Omitted if the upstream doesn't report it. */
  output_tokens_details?: ImageTokens | null | undefined;
}

/** Audio for the model. Returns 400 on Anthropic and Gemini upstreams. */
export interface InputAudio {
  /** The type of the object: always `input_audio`. */
  type: 'input_audio';
  /** The audio, with its encoding. */
  input_audio: AudioClip;
}

/** A document for the model: its data, its URL, or its ID. */
export interface InputFile {
  /** The type of the object: always `input_file`. */
  type: 'input_file';
  /** Optional. The name of the file, up to 512 characters. */
  filename?: string | null | undefined;
  /** The file as a data URL. Anthropic upstreams accept only PDF and plain text; other types return 400. Omit only if you send `file_url` or `file_id`. */
  file_data?: string | null | undefined;
  /** An https URL that the upstream can fetch. The gateway never fetches it. Returns 400 on chat upstreams. Omit if another field contains the file. */
  file_url?: string | null | undefined;
  /** The ID of a file stored at the upstream. The gateway has no Files API. Returns 400 on Anthropic and Gemini upstreams. Omit if the part contains the data. 1 to 512 characters. */
  file_id?: string | null | undefined;
  /** Optional. Marks the end of a part of the prompt that the upstream can cache. Sent to upstreams that use the same API as this call, to responses upstreams, and to Claude as `cache_control`, where only the last four marks count. Omitted for others. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** An image for the model. */
export interface InputImage {
  /** The type of the object: always `input_image`. */
  type: 'input_image';
  /** A data URL, or an https URL that the upstream can fetch, as a string. The gateway never fetches it. Omit only if you send `file_id`. */
  image_url?: string | null | undefined;
  /** The ID of a file stored at the upstream. The gateway has no Files API. Returns 400 on chat, Anthropic, and Gemini upstreams. Omit if the part contains the data. 1 to 512 characters. */
  file_id?: string | null | undefined;
  /** The resolution at which the model sees the image. A higher one uses more input tokens. Defaults to `auto`. Not sent to Anthropic and Gemini upstreams. Chat upstreams get `high` instead of `original`. At most 64 characters. */
  detail?: 'auto' | 'low' | 'high' | 'original' | (string & Record<never, never>) | null | undefined;
  /** Optional. Marks the end of a part of the prompt that the upstream can cache. Sent to upstreams that use the same API as this call, to responses upstreams, and to Claude as `cache_control`, where only the last four marks count. Omitted for others. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** An item of the conversation, with the type in `type`; an item without `type` is a message. Items with a type that isn't listed here are forwarded unchanged if the model's provider supports the Responses API; otherwise they return 400. */
export type InputItem = InputMessage | PastFunctionCall | FunctionCallOutput | PastCustomToolCall | CustomToolCallOutput | PastReasoning | ItemReference | AdditionalTools | ToolSearchCall | ToolSearchOutput | Compaction | CompactionTrigger | ReplayedItem | UnknownInputItem;

/** A page of the input of a stored response. */
export interface InputItemList {
  /** The type of the object: always `list`. */
  object: 'list';
  /** The items of this page, in the requested order. */
  data: StoredItem[];
  /** The ID of the first item of this page. Null if the page is empty. */
  first_id: string | null;
  /** The ID of the last item of this page. Send it as `after` to get the next page. Null if the page is empty. */
  last_id: string | null;
  /** Whether there are more items after this page. */
  has_more: boolean;
}

/** A message. You can omit `type`. */
export interface InputMessage {
  /** The type of the object: always `message`, which is also the default if omitted. */
  type?: 'message' | undefined;
  /** The role of the author. `system` and `developer` both give instructions. `assistant` is a message from an earlier response. */
  role: 'user' | 'system' | 'developer' | 'assistant';
  /** The content: a string, or up to 1024 parts. */
  content: string | MessagePart[];
  /** Whether the message is a comment during the work or the final answer. Omitted if unknown. Supported by responses upstreams only. */
  phase?: 'commentary' | 'final_answer' | null | undefined;
  /** Optional. The ID of the item, from the client or from an earlier response. Accepted, but not sent to the upstream, which doesn't know the ID. If omitted, a stored item gets a new ID. 1 to 512 characters. */
  id?: string | null | undefined;
  /** The status of the item in the earlier response. The gateway ignores it, so you can omit it. */
  status?: ItemStatus | null | undefined;
}

/** Text for the model. */
export interface InputText {
  /** The type of the object: always `input_text`. */
  type: 'input_text';
  /** The text. It can be empty. */
  text: string;
  /** Optional. Marks the end of a part of the prompt that the upstream can cache. Sent to upstreams that use the same API as this call, to responses upstreams, and to Claude as `cache_control`, where only the last four marks count. Omitted for others. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** The number of input tokens of a request. */
export interface InputTokens {
  /** The type of the object: always `response.input_tokens`. */
  object: 'response.input_tokens';
  /** The number of input tokens that the request would use. At least 1. */
  input_tokens: number;
  /** Whether the gateway estimated the number because the model's provider can't count tokens. Estimates don't include images and files. */
  estimated: boolean;
}

/** A reference to a stored item. The gateway inserts the item, which is charged as input. */
export interface ItemReference {
  /** The type of the object: always `item_reference`. */
  type: 'item_reference';
  /** The ID of an item of a response that is stored for your account. An unknown ID returns 400 `item_not_found`. 1 to 512 characters. */
  id: string;
}

/** `in_progress`: more content follows. `completed`: the item is complete. `incomplete`: the item ended early. The other values are for tools that the upstream runs. At most 64 characters. */
export type ItemStatus = 'in_progress' | 'completed' | 'incomplete' | 'searching' | 'generating' | 'interpreting' | 'calling' | 'failed' | (string & Record<never, never>);

/** Any JSON object. Ask for JSON in the prompt as well. Anthropic upstreams, and older Gemini models with tools, have no JSON mode: the gateway asks for JSON in the prompt, and returns `upstream_error` if the output isn't a JSON object. */
export interface JsonObjectFormat {
  /** The type of the object: always `json_object`. */
  type: 'json_object';
}

/** JSON that follows the schema you supply. Returns 400 if a chat upstream's provider doesn't support schemas. */
export interface JsonSchemaFormat {
  /** The type of the object: always `json_schema`. */
  type: 'json_schema';
  /** The name of the response format. The model may see it. */
  name: string;
  /** JSON Schema for the response, at most 64 levels deep. */
  schema: { [key: string]: unknown; };
  /** Whether the output must follow the schema exactly. Optional; the provider decides if omitted, and chat upstreams get false. Anthropic and Gemini upstreams ignore this and always follow the schema. */
  strict?: boolean | null | undefined;
  /** Optional. Describes the response format to the model. */
  description?: string | null | undefined;
}

/** Keeps the connection open during a long silence, for clients that ignore comment lines. */
export interface KeepaliveEvent {
  /** The type of the object: always `keepalive`. */
  type: 'keepalive';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
}

/** A message of the user, from the conversation. */
export interface KeptMessage {
  /** The type of the object: always `message`. */
  type: 'message';
  /** The ID of the item. */
  id: string;
  /** The role of the author: always `user`. */
  role: 'user';
  /** The status of the message: always `completed`. */
  status: 'completed';
  /** The parts of the message. */
  content: MessagePart[];
}

/** Letters, digits, `_` and `-`; at most 128. */
export type LongToolName = string;

/** The tools of an MCP server, or one of them. */
export interface McpChoice {
  /** The type of the object: always `mcp`. */
  type: 'mcp';
  /** The name of the server, which calls to its tools refer to. At most 512 characters. */
  server_label: string;
  /** The tool of that server that must be called. Omit to allow any of them. At most 512 characters. */
  name?: string | null | undefined;
}

/** Tools of an MCP server, run by the upstream and charged per call. If the upstream doesn't support them, or `mcp_call` has no price, they're dropped and listed in `x-modelgate-dropped`. A request whose `tool_choice` requires them returns 400. */
export interface McpTool {
  /** The type of the object: always `mcp`. */
  type: 'mcp';
  /** The name of the server, which calls to its tools refer to. At most 512 characters. */
  server_label: string;
  /** The URL of the server. The upstream connects to it; the gateway never does. Omit for a server that the upstream knows. At most 512 characters. */
  server_url?: string | null | undefined;
  /** The names of its tools that the model can call, or a filter for them. Omit to allow all. */
  allowed_tools?: unknown | undefined;
  /** The calls that need your approval: `always`, `never`, or a filter. Optional; the provider decides if omitted. */
  require_approval?: unknown | undefined;
}

/** A part of a message: input from the user, or output from an earlier response. */
export type MessagePart = InputText | InputImage | InputFile | InputAudio | PastOutputText | Refusal;

/** Up to 16 key-value pairs. Keys have up to 64 characters, values up to 512. */
export type Metadata = { [key: string]: string; };

/** A model that your key can call. */
export interface Model {
  /** The model ID to use in requests. */
  id: string;
  /** The type of the object: always `model`. */
  object: 'model';
  /** The release date of the model, as configured, or else a fixed time. A Unix timestamp in seconds. */
  created: number;
  /** The owner of the model, as configured, or else the name of its upstream. */
  owned_by: string;
  /** The size of the context window in tokens, including the output. Null if unknown. */
  context_window: number | null;
  /** Maximum number of output tokens per response. Null for image models. */
  max_output_tokens: number | null;
  /** The prices you pay: those of your plan, times the multiplier of your group. Null when billing is off. */
  pricing: ModelPricing | null;
  /** The features that calls to the model can use. */
  capabilities: Abilities;
}

/** The models that your key can call. */
export interface ModelList {
  /** The type of the object: always `list`. */
  object: 'list';
  /** The models that your key can call, in a stable order. */
  data: Model[];
  /** The text models in the Codex CLI's format. Omitted unless the query contains `client_version`. */
  models?: CodexModel[] | undefined;
}

/** Prices per million tokens, or prices per image. All are 0 for a free model. */
export type ModelPricing = TokenPrices | ImagePrices;

/** The protocols of a model. */
export interface ModelProtocol {
  /** The model ID to use in requests. */
  id: string;
  /** The type of the object: always `model.protocol`. */
  object: 'model.protocol';
  /** The kinds of upstreams that serve the model, in order of their priority. */
  upstreams: UpstreamProtocol[];
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
  /** The output limit in tokens, from the request or set by the gateway. Null if not limited. */
  max_output_tokens?: number | null | undefined;
  /** `max_tool_calls` of the request, or the value used instead. Null if not limited. */
  max_tool_calls?: number | null | undefined;
  /** `truncation` of the request, or the value used instead. `disabled` if omitted from the request. */
  truncation?: string | null | undefined;
  /** Whether the gateway stores the response. False if the key doesn't have permission to store responses. Omitted if the upstream doesn't report it. */
  store?: boolean | null | undefined;
  /** Whether the response runs or ran in the background. Omitted if the upstream doesn't report it. */
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

/** The price multiplier for accounts in a group, with six decimal places. */
export type Multiplier = string;

/** A tool, by its name. For a tool in a namespace, `namespace` is optional. */
export interface NamedChoice {
  /** The type of the tool. */
  type: 'function' | 'custom';
  /** The name of a tool in this request, which must be called. */
  name: LongToolName;
}

/** A tool in a namespace. */
export type NamespaceMember = FunctionTool | CustomTool;

/** A group of tools under one name. Calls to them have `namespace`. Upstreams without namespaces get flat names. */
export interface NamespaceTool {
  /** The type of the object: always `namespace`. */
  type: 'namespace';
  /** The name of the group. Tool calls refer to it as `namespace`. */
  name: LongToolName;
  /** Optional. What the tool does and when the model should use it. */
  description?: string | null | undefined;
  /** Up to 128 tools in the group. */
  tools: NamespaceMember[];
}

/** What happens to the fields of a request. A field whose value decides is in several lists: `temperature` can be forwarded up to 1, and rejected above. `tools[]` is an entry of `tools`. Fields that only the gateway uses, and those that it rejects for every model, are in no list. Prices aren't taken into account: a tool without one can be dropped, too. */
export interface OperationFields {
  /** The operation that the model can be called with. */
  operation: 'createResponse' | 'createChatCompletion' | 'generateImages' | 'editImages';
  /** The protocol that the upstream is called with. If it's that of the operation, the body is forwarded. */
  protocol: 'chat' | 'responses' | 'anthropic' | 'gemini' | 'converse' | 'images';
  /** The calls that this entry is about. `tools`: those with function tools, unless `reasoning_effort` is `none`. `tools-with-reasoning`: those with function tools and a `reasoning_effort` other than `none`. `others`: the rest of the calls, if some go over another protocol. */
  calls: 'all' | 'tools' | 'tools-with-reasoning' | 'others';
  /** Fields that the upstream gets under the same name with the same value. */
  forwarded: string[];
  /** Fields that the upstream gets in its own form, such as another name, another value, or a part of the prompt. */
  translated: string[];
  /** Fields that the upstream has no equivalent for. The call succeeds without them, and `x-modelgate-dropped` lists them. */
  dropped: string[];
  /** Fields that the upstream has no equivalent for and that the response depends on, or some of whose values it rejects. Calls with them return 400. */
  rejected: string[];
}

/** An item of the output, with the type in `type`. */
export type OutputItem = OutputMessage | FunctionCall | CustomToolCall | Reasoning | HostedItem | UnknownItem;

/** A message from the model. The text is in `content[].text` of the parts with the type `output_text`. */
export interface OutputMessage {
  /** The type of the object: always `message`. */
  type: 'message';
  /** The ID of the item. If the response is stored, an `item_reference` can refer to it. */
  id: string;
  /** The role of the author: always `assistant`. */
  role: 'assistant';
  /** The status of the message. */
  status: ItemStatus;
  /** The parts of the message, in order. Empty when the message starts. */
  content: OutputPart[];
  /** Whether the message is a comment during the work or the final answer. Omitted if unknown. Supported by responses upstreams only. */
  phase?: 'commentary' | 'final_answer' | null | undefined;
}

/** A part of an output item. */
export type OutputPart = OutputText | Refusal | ReasoningText | UnknownPart;

/** Text in the output. */
export interface OutputText {
  /** The type of the object: always `output_text`. */
  type: 'output_text';
  /** The text. It's JSON if `text.format` asks for JSON. */
  text: string;
  /** The sources and files of the text. Empty if none. */
  annotations: TextAnnotation[];
  /** Log probabilities of the tokens. Empty or omitted unless the request's `include` asks for them. */
  logprobs?: TokenLogprob[] | null | undefined;
}

/** The account that owns the key, with the amount left to spend. */
export interface OwnAccount {
  /** The type of the object: always `account`. */
  object: 'account';
  /** The ID of the account. */
  id: string;
  /** The name of the account, unique among accounts. */
  name: string;
  /** The group of the account, which determines the models it can call and their prices. */
  group: string;
  /** `active`: the account can pay for calls, or calls are free. `no_balance`: neither the balance nor a subscription can pay for a call. */
  state: 'active' | 'no_balance';
  /** The balance of the account. Null when billing is off. */
  balance: OwnBalance | null;
  /** The subscription that pays for calls. Null if none does. */
  subscription: OwnSubscription | null;
  /** The spending caps that all keys of the account share. Empty if none, or when billing is off. */
  spending_caps: OwnCap[];
  /** The limits shared by all keys of the account, including those of its group. Empty if none. */
  limits: OwnLimit[];
  /** When the account was created, as a Unix timestamp in seconds. */
  created_at: number;
}

/** The balance of the account. */
export interface OwnBalance {
  /** Total payments minus total charges. */
  balance: Dollars;
  /** The amount reserved for requests in flight. */
  held: Dollars;
  /** `balance` minus `held`: the amount available for the next request. */
  available: Dollars;
}

/** A spending cap that calls with the key count toward, with the amount left. */
export interface OwnCap {
  /** Where the cap is set: `key`, on the key itself; `creator`, on a key that it was created with; `account`, on its account. */
  scope: 'key' | 'creator' | 'account';
  /** The maximum amount that can be charged in a period. */
  amount: Dollars;
  /** When the cap resets, in UTC. Weeks start on Monday. */
  period: 'day' | 'week' | 'month' | 'never';
  /** The part of the cap that is neither spent nor reserved. */
  left: Dollars;
  /** When the cap resets, as a Unix timestamp in seconds. Null if it never resets. */
  resets_at: number | null;
}

/** Your key, with the remainder of its spending caps and limits. The secret isn't included. */
export interface OwnKey {
  /** The type of the object: always `key`. */
  object: 'key';
  /** The ID of the key, `key_…`. It isn't a secret. */
  id: string;
  /** The name of the key. */
  name: string;
  /** The last four characters of the key, to recognize it. */
  last_four: string;
  /** The ID of the account that owns the key. */
  account_id: string;
  /** `active`: the key works. `replaced`: another key replaces it, but it works until it expires. */
  state: 'active' | 'replaced';
  /** The permissions of the key. */
  permissions: OwnPermissions;
  /** The IP addresses and ranges that the key can be used from. Null if it can be used from anywhere. */
  ip_ranges: string[] | null;
  /** The spending caps that calls with the key count toward: its own, which the keys that replace it share, those of the keys it was created with, and those of its account. Empty if none, or when billing is off. */
  spending_caps: OwnCap[];
  /** The limits of the key itself. The limits of its account apply as well. Empty if none. */
  limits: OwnLimit[];
  /** When the key was created, as a Unix timestamp in seconds. */
  created_at: number;
  /** When the key expires, as a Unix timestamp in seconds. Null if it never expires. */
  expires_at: number | null;
  /** The ID of the key that replaces this one. Null if none does. */
  replaced_by: string | null;
}

/** A limit that applies to calls with the key. */
export interface OwnLimit {
  /** Where the limit is set. All calls of that key, account, or group count toward it. */
  scope: 'key' | 'account' | 'group';
  /** The unit that is counted. `concurrency` counts requests in flight. */
  quantity: 'requests' | 'tokens' | 'concurrency';
  /** The limit: per minute, or for `concurrency`, the maximum number of concurrent requests. */
  limit: number;
  /** `enforce`: calls over the limit are rejected with 429. `observe`: they're counted and logged, but never rejected. `off`: the limit has no effect. */
  mode: 'off' | 'observe' | 'enforce';
  /** How much of the limit remains. Null for `concurrency`. */
  remaining: number | null;
  /** Milliseconds until the limit is fully restored. Null if `remaining` is null. */
  reset_ms: number | null;
}

/** The permissions of the key, within those of its group. */
export interface OwnPermissions {
  /** The operations that the key can use. Null if it can use all of them. */
  operations: string[] | null;
  /** The models that the key can call, as IDs or patterns with `*`. Null if it can call every model of its group. */
  models: string[] | null;
  /** Whether the key can store responses. */
  may_store: boolean;
  /** Whether the key can list the keys of its account, and create keys with at most its own permissions. */
  manage_keys: boolean;
}

/** The active subscription, with the amount left in this period. */
export interface OwnSubscription {
  /** The ID of the subscription. */
  id: string;
  /** The name of the plan. */
  plan: string;
  /** The amount included in each period. */
  included: Dollars;
  /** The part of the included amount that is neither used nor reserved. */
  left: Dollars;
  /** Behavior when the included amount is used up. `stop`: calls are rejected until the next period. `balance`: calls are charged to the balance. */
  on_exhaustion: 'stop' | 'balance';
  /** When the included amount resets, as a Unix timestamp in seconds. */
  resets_at: number;
  /** When the subscription ends, as a Unix timestamp in seconds. Null if it runs until it's canceled. */
  ends_at: number | null;
}

/** A call to a free-form tool from an earlier turn. A `custom_tool_call_output` with its `call_id` must follow. */
export interface PastCustomToolCall {
  /** The type of the object: always `custom_tool_call`. */
  type: 'custom_tool_call';
  /** The ID that links a call to its output; both have the same `call_id`. It differs from the item's `id`. 1 to 512 characters. */
  call_id: string;
  /** The name of the tool that was called. At most 512 characters. */
  name: string;
  /** The input of the tool, as free text. */
  input: string;
  /** The namespace of the tool, as in the call. Omit if the tool has none, or if its name is unique. At most 512 characters. */
  namespace?: string | null | undefined;
  /** Optional. The ID of the item, from the client or from an earlier response. Accepted, but not sent to the upstream, which doesn't know the ID. If omitted, a stored item gets a new ID. 1 to 512 characters. */
  id?: string | null | undefined;
  /** The status of the item in the earlier response. The gateway ignores it, so you can omit it. */
  status?: ItemStatus | null | undefined;
}

/** A function call that the model made in an earlier turn. A `function_call_output` with its `call_id` must follow. */
export interface PastFunctionCall {
  /** The type of the object: always `function_call`. */
  type: 'function_call';
  /** The ID that links a call to its output; both have the same `call_id`. It differs from the item's `id`. 1 to 512 characters. */
  call_id: string;
  /** The name of the function that was called. At most 512 characters. */
  name: string;
  /** The arguments as the model wrote them, in JSON; they may be malformed. Anthropic and Gemini upstreams require a JSON object or an empty string; anything else returns 400. */
  arguments: string;
  /** The namespace of the tool, as in the call. Omit if the tool has none, or if its name is unique. At most 512 characters. */
  namespace?: string | null | undefined;
  /** Optional. The ID of the item, from the client or from an earlier response. Accepted, but not sent to the upstream, which doesn't know the ID. If omitted, a stored item gets a new ID. 1 to 512 characters. */
  id?: string | null | undefined;
  /** The status of the item in the earlier response. The gateway ignores it, so you can omit it. */
  status?: ItemStatus | null | undefined;
}

/** Text from an earlier response, sent back. */
export interface PastOutputText {
  /** The type of the object: always `output_text`. */
  type: 'output_text';
  /** The text from the earlier turn. */
  text: string;
  /** Optional. Citations and files from the earlier response. Used by responses upstreams only. */
  annotations?: TextAnnotation[] | null | undefined;
  /** Log probabilities from the earlier response. The gateway ignores them, so you can omit them. */
  logprobs?: TokenLogprob[] | null | undefined;
}

/** Reasoning from an earlier turn, sent back unchanged. */
export interface PastReasoning {
  /** The type of the object: always `reasoning`. */
  type: 'reasoning';
  /** A summary of the reasoning, up to 1024 paragraphs. It can be empty. */
  summary: SummaryText[];
  /** The reasoning text. Omit if the upstream didn't return it. At most 1024 entries. */
  content?: ReasoningText[] | null | undefined;
  /** The encrypted reasoning, unchanged. Only the upstream that encrypted it can read it; for other upstreams it's dropped and listed in `x-modelgate-dropped`. If omitted, the model doesn't see its earlier reasoning. */
  encrypted_content?: string | null | undefined;
  /** Optional. The ID of the item, from the client or from an earlier response. Accepted, but not sent to the upstream, which doesn't know the ID. If omitted, a stored item gets a new ID. 1 to 512 characters. */
  id?: string | null | undefined;
  /** The status of the item in the earlier response. The gateway ignores it, so you can omit it. */
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

/** The protocols of the models that your key can call. */
export interface ProtocolList {
  /** The type of the object: always `list`. */
  object: 'list';
  /** The models that your key can call, in a stable order. */
  data: ModelProtocol[];
}

/** The model's reasoning. It can come before the message, so `output[0]` isn't always the message. */
export interface Reasoning {
  /** The type of the object: always `reasoning`. */
  type: 'reasoning';
  /** The ID of the item. If the response is stored, an `item_reference` can refer to it. */
  id: string;
  /** The summary of the reasoning, in paragraphs. Empty unless the request has `reasoning.summary`. */
  summary: SummaryText[];
  /** The reasoning text. Omitted if the upstream doesn't return it. */
  content?: ReasoningText[] | null | undefined;
  /** Encrypted reasoning. Send it back unchanged to keep the reasoning across turns without storage. Omitted unless the request's `include` asks for it and the upstream supports it. */
  encrypted_content?: string | null | undefined;
  /** The status of the item. Omitted if it's complete. */
  status?: ItemStatus | null | undefined;
}

/** How much the model reasons before it responds. Reasoning is charged as output. Each model supports some of the values. Anthropic upstreams treat `minimal` as `low`. Gemini upstreams treat `xhigh` and `max` as `high`, and from the third generation on, `none` as `minimal`. At most 64 characters. */
export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max' | (string & Record<never, never>);

/** How the model reasons before it responds. Reasoning counts as output tokens, even if it isn't returned. */
export interface ReasoningOptions {
  /** How much the model reasons before it responds. Defaults to the model's own value. */
  effort?: ReasoningEffort | null | undefined;
  /** Whether to return summaries of the reasoning, as items of type `reasoning`, and how detailed they are. Optional; the provider decides if omitted, usually no summaries. Anthropic and Gemini upstreams have no levels of detail. Not sent to chat upstreams. At most 64 characters. */
  summary?: 'auto' | 'concise' | 'detailed' | (string & Record<never, never>) | null | undefined;
  /** @deprecated use `summary`, which takes precedence if you send both. At most 64 characters. */
  generate_summary?: 'auto' | 'concise' | 'detailed' | (string & Record<never, never>) | null | undefined;
  /** The reasoning of earlier turns to give to the model, in the upstream's format. Sent to responses upstreams only. Optional; the provider decides if omitted. At most 512 characters. */
  context?: string | null | undefined;
  /** The reasoning mode, in the upstream's format. Sent to responses upstreams only. Optional; the provider decides if omitted. At most 512 characters. */
  mode?: string | null | undefined;
}

/** Reasoning text without a summary. Few upstreams return it. */
export interface ReasoningText {
  /** The type of the object: always `reasoning_text`. */
  type: 'reasoning_text';
  /** The reasoning as the model wrote it. */
  text: string;
}

/** A request, with all the numbers that its charge is calculated from. */
export interface Receipt {
  /** The type of the object: always `usage`. */
  object: 'usage';
  /** The `x-request-id` of the response. */
  request_id: string;
  /** The ID of the key that made the request. */
  key_id: string;
  /** The ID of the model, as in the request. */
  model: string;
  /** The name of the operation, such as `createResponse`. */
  operation: string;
  /** `held`: in flight. `posted`: charged. `voided`: free of charge, with the reserved amount released. `expired`: the reserved amount was released because the gateway process stopped. If that process turns out to be alive and the request ends, its cost is still charged, as far as funds remain. */
  state: 'held' | 'posted' | 'voided' | 'expired';
  /** How the request ended, such as `completed`, `failed`, or `client_disconnected`. Null while it's in flight. */
  outcome: string | null;
  /** The source of payment. */
  source: 'balance' | 'subscription';
  /** The amount reserved before the request was sent: the maximum it could cost. */
  held: Dollars;
  /** The amount charged. Never more than `held`. */
  charged: Dollars;
  /** Whether the gateway estimated the tokens because the upstream didn't report them. */
  estimated: boolean;
  /** The tokens used, in classes that don't overlap. Null until something is charged. */
  tokens: UsageTokens | null;
  /** The output limit in tokens that the gateway set, because the request had none and the account couldn't pay for more. Null if it set none. */
  output_limit: number | null;
  /** Images generated, by `size/quality`. Null until something is charged. */
  images: { [key: string]: number; } | null;
  /** Calls to tools that the upstream ran, by the type of their output item. Null until something is charged. */
  tools: { [key: string]: number; } | null;
  /** When the amount was reserved, as a Unix timestamp in seconds. */
  created_at: number;
  /** When the request was charged or the reserved amount released, as a Unix timestamp in seconds. Null while it's in flight. */
  settled_at: number | null;
  /** The version of the prices that the request was charged by. Each price change creates a new version; old versions are kept. */
  price_version: number;
  /** The attempts in order, if there was more than one, if the only one failed, or if another API was chosen for it. Otherwise empty. */
  attempts: UsageAttempt[];
  /** The service tier that processed the request, whose factor is in the prices of the lines. Null for the standard tier. */
  service_tier: string | null;
  /** The usage, by class. Empty until something is charged. */
  lines: ReceiptLine[];
  /** The total of the lines' amounts. */
  subtotal: string;
  /** The multiplier of the account's group at the time of the request. */
  multiplier: Multiplier;
  /** The amount added to round up to a millionth of a dollar. Always less than a millionth. */
  rounding: string;
  /** `subtotal` × `multiplier` + `rounding`. `charged` is the lesser of this and `held`. */
  cost: Dollars;
}

/** A class of usage, with its amount. */
export interface ReceiptLine {
  /** `input`, `cached_input`, `cache_write`, `output`, `image_output` and the like, the `size/quality` of images, `partial`, or a tool such as `web_search_call`. */
  class: string;
  /** The number of tokens, images, or calls. Unused classes have no line. */
  quantity: number;
  /** The price before the multiplier, for the unit in `per`. */
  price: Dollars;
  /** The unit of the price: one million tokens, one image, or one call. */
  per: 'million_tokens' | 'image' | 'call';
  /** `quantity` × `price`, divided by one million if the price is per million tokens. Exact US dollars with 12 decimal places. */
  amount: string;
}

/** A refusal by the model, in a response or sent back. */
export interface Refusal {
  /** The type of the object: always `refusal`. */
  type: 'refusal';
  /** The refusal, in the model's words. */
  refusal: string;
}

/** A call to a hosted tool, or its output, sent back unchanged. Upstreams other than responses upstreams aren't sent a finished `web_search_call`, and return 400 for the others. */
export interface ReplayedItem {
  /** The tool, and whether this is a call or its output. */
  type: 'local_shell_call' | 'local_shell_call_output' | 'shell_call' | 'shell_call_output' | 'apply_patch_call' | 'apply_patch_call_output' | 'web_search_call' | 'file_search_call' | 'image_generation_call' | 'code_interpreter_call' | 'computer_call' | 'computer_call_output' | 'mcp_call' | 'mcp_list_tools' | 'mcp_approval_request' | 'mcp_approval_response' | 'program' | 'program_output' | 'configuration_update';
  /** The ID of the item. Sent to the upstream only if another item or the upstream refers to it. Omit if the response had none. 1 to 512 characters. */
  id?: string | null | undefined;
  /** The status in the earlier response, as the tool reports it. Omit for tools without such a field. At most 512 characters. */
  status?: string | null | undefined;
  /** The action of the tool, in the tool's format. Omit for tools without such a field. */
  action?: { [key: string]: unknown; } | null | undefined;
}

/** The last event of a stream that succeeded. */
export interface ResponseCompletedEvent {
  /** The type of the object: always `response.completed`. */
  type: 'response.completed';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** The complete response, with its usage. */
  response: ModelResponse;
}

/** A part was added to a message or reasoning item. */
export interface ResponseContentPartAddedEvent {
  /** The type of the object: always `response.content_part.added`. */
  type: 'response.content_part.added';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** The ID of the item that this event belongs to. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the part in its item's content, from 0. */
  content_index: number;
  /** The new part, without text. */
  part: OutputPart;
}

/** A part of a message or reasoning item is done. */
export interface ResponseContentPartDoneEvent {
  /** The type of the object: always `response.content_part.done`. */
  type: 'response.content_part.done';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** The ID of the item that this event belongs to. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the part in its item's content, from 0. */
  content_index: number;
  /** The part with all of its content. */
  part: OutputPart;
}

/** The first event of a stream: the response was created and has an ID. */
export interface ResponseCreatedEvent {
  /** The type of the object: always `response.created`. */
  type: 'response.created';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** The response so far, with an empty output. */
  response: ModelResponse;
}

/** The next piece of a free-form tool's input. */
export interface ResponseCustomToolCallInputDeltaEvent {
  /** The type of the object: always `response.custom_tool_call_input.delta`. */
  type: 'response.custom_tool_call_input.delta';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** The ID of the item that this event belongs to. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** The next piece of the text. All pieces in order make up the complete text. */
  delta: string;
}

/** The input of a free-form tool is done. */
export interface ResponseCustomToolCallInputDoneEvent {
  /** The type of the object: always `response.custom_tool_call_input.done`. */
  type: 'response.custom_tool_call_input.done';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** The ID of the item that this event belongs to. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** The complete input, as the model wrote it. */
  input: string;
}

/** The stream has failed. `response.failed` follows. */
export interface ResponseErrorEvent {
  /** The type of the object: always `error`. */
  type: 'error';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** The reason, for use in code: an error code of this API. Never omitted or null. */
  code?: string | null | undefined;
  /** A human-readable description of the error. */
  message: string;
  /** The field that caused the error. Null if no field caused it. */
  param?: string | null | undefined;
  /** The same error in the nested form, which is the only one that some clients read. Never omitted. */
  error?: {
    /** The general category of the error. */
    type: 'invalid_request_error' | 'authentication_error' | 'permission_error' | 'rate_limit_error' | 'server_error' | 'image_generation_user_error';
    /** The reason, for use in code: an error code of this API. Never null. */
    code: string | null;
    /** A human-readable description of the error. */
    message: string;
    /** The field that caused the error. Null if no field caused it. */
    param: string | null;
  } | null | undefined;
}

/** The last event of a stream that failed. It follows the `error` event. */
export interface ResponseFailedEvent {
  /** The type of the object: always `response.failed`. */
  type: 'response.failed';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** The incomplete response. `error` has the reason. */
  response: ModelResponse;
}

/** The next piece of a function call's arguments. */
export interface ResponseFunctionCallArgumentsDeltaEvent {
  /** The type of the object: always `response.function_call_arguments.delta`. */
  type: 'response.function_call_arguments.delta';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** The ID of the item that this event belongs to. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** The next piece of the JSON. A single piece isn't valid JSON. */
  delta: string;
}

/** The arguments of a function call are done. */
export interface ResponseFunctionCallArgumentsDoneEvent {
  /** The type of the object: always `response.function_call_arguments.done`. */
  type: 'response.function_call_arguments.done';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** The ID of the item that this event belongs to. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** The complete JSON arguments, as the model wrote them. */
  arguments: string;
  /** The name of the function. Omitted if the upstream doesn't send it; the item contains it. */
  name?: string | null | undefined;
}

/** The model has started generating the response. */
export interface ResponseInProgressEvent {
  /** The type of the object: always `response.in_progress`. */
  type: 'response.in_progress';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** The response so far, with an empty output. */
  response: ModelResponse;
}

/** The last event of a stream that a limit or a filter ended early. */
export interface ResponseIncompleteEvent {
  /** The type of the object: always `response.incomplete`. */
  type: 'response.incomplete';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** The incomplete response, with its usage. `incomplete_details` has the reason. */
  response: ModelResponse;
}

/** An output item was added. */
export interface ResponseOutputItemAddedEvent {
  /** The type of the object: always `response.output_item.added`. */
  type: 'response.output_item.added';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** Index of the item in `output`, from 0. */
  output_index: number;
  /** The new item, without content and with the status `in_progress`. */
  item: OutputItem;
}

/** An output item is done, complete or incomplete. */
export interface ResponseOutputItemDoneEvent {
  /** The type of the object: always `response.output_item.done`. */
  type: 'response.output_item.done';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** Index of the item in `output`, from 0. */
  output_index: number;
  /** The item with all of its content. */
  item: OutputItem;
}

/** An annotation, such as a source or a file, was added to an output text. */
export interface ResponseOutputTextAnnotationAddedEvent {
  /** The type of the object: always `response.output_text.annotation.added`. */
  type: 'response.output_text.annotation.added';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** The ID of the item that this event belongs to. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the part in its item's content, from 0. */
  content_index: number;
  /** Index of the annotation in its part, from 0. */
  annotation_index: number;
  /** The new annotation. */
  annotation: TextAnnotation;
}

/** The next piece of output text. */
export interface ResponseOutputTextDeltaEvent {
  /** The type of the object: always `response.output_text.delta`. */
  type: 'response.output_text.delta';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** The ID of the item that this event belongs to. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the part in its item's content, from 0. */
  content_index: number;
  /** The next piece of the text. All pieces in order make up the complete text. */
  delta: string;
  /** Log probabilities of the tokens in this piece. Empty or omitted unless the request's `include` asks for them. */
  logprobs?: TokenLogprob[] | null | undefined;
}

/** An output text is done. */
export interface ResponseOutputTextDoneEvent {
  /** The type of the object: always `response.output_text.done`. */
  type: 'response.output_text.done';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** The ID of the item that this event belongs to. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the part in its item's content, from 0. */
  content_index: number;
  /** The complete text. */
  text: string;
  /** Log probabilities of the tokens in this piece. Empty or omitted unless the request's `include` asks for them. */
  logprobs?: TokenLogprob[] | null | undefined;
}

/** The upstream has queued the request. */
export interface ResponseQueuedEvent {
  /** The type of the object: always `response.queued`. */
  type: 'response.queued';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** The response so far, with an empty output. */
  response: ModelResponse;
}

/** A paragraph was added to the reasoning summary. */
export interface ResponseReasoningSummaryPartAddedEvent {
  /** The type of the object: always `response.reasoning_summary_part.added`. */
  type: 'response.reasoning_summary_part.added';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** The ID of the item that this event belongs to. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the summary paragraph, from 0. */
  summary_index: number;
  /** The new paragraph, without text. */
  part: SummaryText;
}

/** A paragraph of the reasoning summary is done. */
export interface ResponseReasoningSummaryPartDoneEvent {
  /** The type of the object: always `response.reasoning_summary_part.done`. */
  type: 'response.reasoning_summary_part.done';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** The ID of the item that this event belongs to. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the summary paragraph, from 0. */
  summary_index: number;
  /** The paragraph with all of its text. */
  part: SummaryText;
}

/** The next piece of a paragraph of the reasoning summary. */
export interface ResponseReasoningSummaryTextDeltaEvent {
  /** The type of the object: always `response.reasoning_summary_text.delta`. */
  type: 'response.reasoning_summary_text.delta';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** The ID of the item that this event belongs to. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the summary paragraph, from 0. */
  summary_index: number;
  /** The next piece of the text. All pieces in order make up the complete text. */
  delta: string;
}

/** The text of a paragraph of the reasoning summary is done. */
export interface ResponseReasoningSummaryTextDoneEvent {
  /** The type of the object: always `response.reasoning_summary_text.done`. */
  type: 'response.reasoning_summary_text.done';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** The ID of the item that this event belongs to. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the summary paragraph, from 0. */
  summary_index: number;
  /** The complete text. */
  text: string;
}

/** The next piece of reasoning text. */
export interface ResponseReasoningTextDeltaEvent {
  /** The type of the object: always `response.reasoning_text.delta`. */
  type: 'response.reasoning_text.delta';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** The ID of the item that this event belongs to. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the part in its item's content, from 0. */
  content_index: number;
  /** The next piece of the text. All pieces in order make up the complete text. */
  delta: string;
}

/** A reasoning text is done. */
export interface ResponseReasoningTextDoneEvent {
  /** The type of the object: always `response.reasoning_text.done`. */
  type: 'response.reasoning_text.done';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** The ID of the item that this event belongs to. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the part in its item's content, from 0. */
  content_index: number;
  /** The complete text. */
  text: string;
}

/** The next piece of a refusal. */
export interface ResponseRefusalDeltaEvent {
  /** The type of the object: always `response.refusal.delta`. */
  type: 'response.refusal.delta';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** The ID of the item that this event belongs to. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the part in its item's content, from 0. */
  content_index: number;
  /** The next piece of the text. All pieces in order make up the complete text. */
  delta: string;
}

/** A refusal is done. */
export interface ResponseRefusalDoneEvent {
  /** The type of the object: always `response.refusal.done`. */
  type: 'response.refusal.done';
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  /** The ID of the item that this event belongs to. */
  item_id: string;
  /** Index of that item in `output`, from 0. */
  output_index: number;
  /** Index of the part in its item's content, from 0. */
  content_index: number;
  /** The complete refusal. */
  refusal: string;
}

/** The input, and options for the response. Fields set to null are treated as omitted. Unknown fields are forwarded to OpenAI and Azure, unless they could select a model, provider, tier, tool, or price. All other unknown fields are dropped and listed in `x-modelgate-dropped`, unless the upstream is configured to allow them. */
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
  /** Whether the model can make several tool calls in parallel. Optional; the provider decides if omitted, usually true. False is omitted for Gemini upstreams, and listed in `x-modelgate-dropped` there. */
  parallel_tool_calls?: boolean | null | undefined;
  /** The ID of a stored response of your account to continue. Its items and those of earlier turns become input, and are charged as input. `instructions` aren't carried over. Omit to start a new conversation. 1 to 512 characters. */
  previous_response_id?: string | null | undefined;
  /** Whether the gateway stores the response, so that you can read and continue it, for 30 days unless configured otherwise. The gateway asks upstreams not to store anything. Defaults to true. If the key doesn't have permission to store responses, the default is false, and true returns 403. */
  store?: boolean | null | undefined;
  /** Whether to run the response in the background. The gateway then returns it at once, with the status `queued`, and completes it without you: read it with `GET /v1/responses/{response_id}`. With `stream`, you get its events, and it continues if you disconnect. Requires a stored response; otherwise returns 400. Defaults to false. */
  background?: boolean | null | undefined;
  /** Options for responses in the background. Optional. */
  background_options?: {
    /** When the response must be complete. Only `soonest` is supported. Defaults to `soonest`. */
    completion_window?: 'soonest' | null | undefined;
  } | null | undefined;
  /** Maximum number of output tokens, including reasoning tokens. A response that reaches it ends as `incomplete`. Defaults to the model's maximum. If your account can't pay for that many, the gateway sets a lower limit and reports it in `x-modelgate-output-limit`. At least 16. */
  max_output_tokens?: number | null | undefined;
  /** Maximum number of calls to tools that the upstream runs. The price of that many calls is reserved. Omit for no limit; the price of 16 calls is then reserved. Supported only for models on upstreams that serve the Responses API; otherwise returns 400. 1 to 10000. */
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
  /** @deprecated no replacement. Controls what a responses upstream does if the input is too long: `auto` drops the oldest items, `disabled` returns an error. Defaults to `disabled`. Not sent to other upstreams. At most 64 characters. */
  truncation?: 'auto' | 'disabled' | (string & Record<never, never>) | null | undefined;
  /** How a responses upstream shortens a conversation that grows too long; up to 16 entries. Not sent to other upstreams. Omit to leave the conversation as it is. */
  context_management?: Array<{
    /** The action on the conversation, such as `compaction`. At most 512 characters. */
    type: string;
    /** The number of input tokens that triggers the action. Optional; the provider decides if omitted. */
    compact_threshold?: number | null | undefined;
  }> | null | undefined;
  /** Optional. Up to 32 names of additional output to include, such as `reasoning.encrypted_content` or `message.output_text.logprobs`. Output that an upstream can't provide is omitted and listed in `x-modelgate-dropped`. */
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
  /** How the upstream handles images in the conversation, in its own format. Sent to responses upstreams; otherwise listed in `x-modelgate-dropped`. Optional; the provider decides if omitted. */
  image?: { [key: string]: unknown; } | null | undefined;
  /** Options for the usage in the response. Not sent to upstreams. Omit to get a response without the cost. */
  usage?: UsageOptions | null | undefined;
  /** @deprecated use `safety_identifier` and `prompt_cache_key`. Optional. Doesn't change the output. Not sent to Anthropic and Gemini upstreams. At most 512 characters. */
  user?: string | null | undefined;
  /** Asks the upstream to moderate the text of the call. Optional; the provider decides if omitted. */
  moderation?: TextModeration | null | undefined;
}

/** `queued`, `in_progress`: it runs in the background, or in the first events of a stream. `completed`: finished normally. `incomplete`: ended early; see `incomplete_details`. `failed`: see `error`. `cancelled`: canceled by you or by the upstream. At most 64 characters. */
export type ResponseStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled' | (string & Record<never, never>);

/** One event of a responses stream. The stream starts with `response.created` and ends with exactly one of `response.completed`, `response.incomplete`, and `response.failed`, followed by `data: [DONE]`. Skip events with a type that you don't know: upstreams add new ones. */
export type ResponseStreamEvent = ResponseCreatedEvent | ResponseQueuedEvent | ResponseInProgressEvent | ResponseCompletedEvent | ResponseIncompleteEvent | ResponseFailedEvent | ResponseOutputItemAddedEvent | ResponseOutputItemDoneEvent | ResponseContentPartAddedEvent | ResponseContentPartDoneEvent | ResponseOutputTextDeltaEvent | ResponseOutputTextDoneEvent | ResponseOutputTextAnnotationAddedEvent | ResponseRefusalDeltaEvent | ResponseRefusalDoneEvent | ResponseFunctionCallArgumentsDeltaEvent | ResponseFunctionCallArgumentsDoneEvent | ResponseCustomToolCallInputDeltaEvent | ResponseCustomToolCallInputDoneEvent | ResponseReasoningSummaryPartAddedEvent | ResponseReasoningSummaryPartDoneEvent | ResponseReasoningSummaryTextDeltaEvent | ResponseReasoningSummaryTextDoneEvent | ResponseReasoningTextDeltaEvent | ResponseReasoningTextDoneEvent | HostedToolEvent | KeepaliveEvent | ResponseErrorEvent | UnknownEvent;

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

/** The processing tier. The response reports the one that was used. If calls are charged, models with a price accept only `auto` and `default`. Not sent to Anthropic and Gemini upstreams. */
export type ServiceTier = 'auto' | 'default' | 'flex' | 'scale' | 'priority' | 'fast' | 'ultrafast';

/** US dollars as a string, with six decimal places. Can be negative. */
export type SignedDollars = string;

/** A page of the account's payments and charges, newest first. */
export interface Statement {
  /** The type of the object: always `list`. */
  object: 'list';
  /** The lines of this page, newest first. */
  data: StatementLine[];
  /** The ID of the first line of this page. Null if the page is empty. */
  first_id: string | null;
  /** The ID of the last line of this page. Send it as `after` to get the next page. Null if the page is empty. */
  last_id: string | null;
  /** Whether there are more lines after this page. */
  has_more: boolean;
}

/** A charge or payment of the account. */
export interface StatementLine {
  /** For a charge, the `x-request-id` of the call. For a payment, its transfer ID, such as an invoice number. */
  id: string;
  /** `charge`: a call. `top_up`: a payment. `refund`: a charge returned to the balance. `correction`: a correction of an error, positive or negative. */
  kind: 'charge' | 'top_up' | 'refund' | 'correction';
  /** The amount: positive for money in, negative for money out. */
  amount: SignedDollars;
  /** The source of a charge. Payments always go to the `balance`. */
  source: 'balance' | 'subscription';
  /** The model of a charge. Null for a payment. */
  model: string | null;
  /** The key of a charge. Null for a payment. */
  key_id: string | null;
  /** When the amount for a call was reserved, or a payment was posted. A Unix timestamp in seconds. */
  at: number;
}

/** An input item, from the request or from an earlier turn. */
export interface StoredItem {
  /** The ID of the item, from the request or assigned by the gateway. */
  id: string;
  /** The type of the item, such as `message`, `function_call`, or `function_call_output`. */
  type: string;
  /** The role of a message's author. Omitted for other items. */
  role?: string | null | undefined;
  /** The parts of a message. A string becomes one part. Omitted for other items. */
  content?: unknown | undefined;
}

/** A paragraph of the reasoning summary. */
export interface SummaryText {
  /** The type of the object: always `summary_text`. */
  type: 'summary_text';
  /** The text of the paragraph. */
  text: string;
}

/** Tokens by price class. The classes don't overlap. */
export interface SummedTokens {
  /** Input tokens neither read from a cache nor written to one. */
  input: number;
  /** Input tokens read from a cache. */
  cached_input: number;
  /** Input tokens written to a cache. */
  cache_write: number;
  /** Output tokens, including reasoning tokens. */
  output: number;
}

/** A citation or a file path in a text. */
export interface TextAnnotation {
  /** The type of the annotation, such as `url_citation` or `file_path`. The other fields depend on it. At most 512 characters. */
  type: string;
}

/** The format of the output, for structured output. In chat completions this is `response_format`. */
export type TextFormat = PlainTextFormat | JsonObjectFormat | JsonSchemaFormat | UnknownFormat;

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

/** The format and verbosity of the output text. */
export interface TextOptions {
  /** The format of the output. Defaults to plain text. */
  format?: TextFormat | null | undefined;
  /** How verbose the output is. Defaults to the model's own value, usually `medium`. */
  verbosity?: Verbosity | null | undefined;
}

/** The log probability of a token. */
export interface TokenLogprob {
  /** The token as text. */
  token: string;
  /** The natural logarithm of the token's probability, at most 0. */
  logprob: number;
  /** The token as UTF-8 bytes. One character can span several tokens. Null or omitted if the token has no bytes. */
  bytes?: number[] | null | undefined;
  /** The most likely tokens at this position, as many as the request's `top_logprobs`. Empty or omitted if that is 0. */
  top_logprobs?: Array<{
    /** The token as text. */
    token: string;
    /** The natural logarithm of the token's probability, at most 0. */
    logprob: number;
  }> | null | undefined;
}

/** Prices by tokens. */
export interface TokenPrices {
  /** Price per million input tokens. */
  input: Dollars;
  /** Price per million input tokens read from a cache. */
  cached_input: Dollars;
  /** Price per million input tokens written to a cache. */
  cache_write: Dollars;
  /** Price per million input tokens written to a cache that keeps them for 1 hour. */
  cache_write_1h: Dollars;
  /** Price per million input tokens written to a cache that keeps them for 12 hours. */
  cache_write_12h: Dollars;
  /** Price per million input tokens of images. */
  image_input: Dollars;
  /** Price per million input tokens of audio. */
  audio_input: Dollars;
  /** Price per million output tokens, including reasoning tokens. */
  output: Dollars;
  /** Price per million output tokens of images. */
  image_output: Dollars;
  /** Price per million output tokens of audio. */
  audio_output: Dollars;
  /** Prices of requests with more input tokens than the key, cached ones included, for the whole request. Absent if the length of a request makes no difference. */
  long_context?: { [key: string]: TokenRates; } | undefined;
  /** Factors of the prices per million tokens, by the service tier that processed the request. Requests for a tier without a factor return 400. */
  service_tiers: { [key: string]: Multiplier; };
  /** Price per call to a tool that the upstream runs, by the type of its output item. A tool without a price is dropped if the request only offers it, and returns 400 if the request requires it. Tools that you run cost only their tokens. */
  tools: { [key: string]: Dollars; };
}

/** Prices per million tokens. Each token is charged in exactly one of these classes. */
export interface TokenRates {
  /** Price per million input tokens. */
  input: Dollars;
  /** Price per million input tokens read from a cache. */
  cached_input: Dollars;
  /** Price per million input tokens written to a cache. */
  cache_write: Dollars;
  /** Price per million input tokens written to a cache that keeps them for 1 hour. */
  cache_write_1h: Dollars;
  /** Price per million input tokens written to a cache that keeps them for 12 hours. */
  cache_write_12h: Dollars;
  /** Price per million input tokens of images. */
  image_input: Dollars;
  /** Price per million input tokens of audio. */
  audio_input: Dollars;
  /** Price per million output tokens, including reasoning tokens. */
  output: Dollars;
  /** Price per million output tokens of images. */
  image_output: Dollars;
  /** Price per million output tokens of audio. */
  audio_output: Dollars;
}

/** A tool that the model can call, run by you or by the upstream. */
export type Tool = FunctionTool | CustomTool | NamespaceTool | WebSearchTool | McpTool | HostedTool;

/** `none`: the model calls no tools. `auto`: the model decides. `required`: the model must call at least one tool. An object selects one tool, which must be called, or a subset of the tools (`allowed_tools`), which is a hard limit. */
export type ToolChoice = 'none' | 'auto' | 'required' | ToolSelection;

/** A tool of the request, as repeated by the upstream. */
export interface ToolEcho {
  /** The type of the tool, such as `function` or `web_search`. */
  type: string;
}

/** Letters, digits, `_` and `-`; at most 64. */
export type ToolName = string;

/** A string, or up to 1,024 parts. Upstreams that accept only text as a tool's output get the text there, and the images and files in a message after it. */
export type ToolOutput = string | ToolOutputPart[];

/** A part of a tool's output: text, an image, or a file. */
export type ToolOutputPart = InputText | InputImage | InputFile;

/** A tool search from an earlier turn. Sent only to responses upstreams. */
export interface ToolSearchCall {
  /** The type of the object: always `tool_search_call`. */
  type: 'tool_search_call';
  /** The ID that links the search to its output. Null if the upstream ran the search. 1 to 512 characters. */
  call_id?: string | null | undefined;
  /** The search query, as the model wrote it. */
  arguments: unknown;
  /** The place where the search ran: `client` or `server`. Optional; the provider decides if omitted. At most 512 characters. */
  execution?: string | null | undefined;
  /** Optional. The ID of the item, from the client or from an earlier response. Accepted, but not sent to the upstream, which doesn't know the ID. If omitted, a stored item gets a new ID. 1 to 512 characters. */
  id?: string | null | undefined;
  /** The status of the item in the earlier response. The gateway ignores it, so you can omit it. */
  status?: ItemStatus | null | undefined;
}

/** The result of a tool search. Upstreams that don't support such items get these tools in `tools`. */
export interface ToolSearchOutput {
  /** The type of the object: always `tool_search_output`. */
  type: 'tool_search_output';
  /** The `call_id` of the search. Null if the upstream ran the search. 1 to 512 characters. */
  call_id?: string | null | undefined;
  /** Up to 1,024 tools that were found. The model can call them from here on. */
  tools: Tool[];
  /** The place where the search ran: `client` or `server`. Optional; the provider decides if omitted. At most 512 characters. */
  execution?: string | null | undefined;
  /** Optional. The ID of the item, from the client or from an earlier response. Accepted, but not sent to the upstream, which doesn't know the ID. If omitted, a stored item gets a new ID. 1 to 512 characters. */
  id?: string | null | undefined;
  /** The status of the item in the earlier response. The gateway ignores it, so you can omit it. */
  status?: ItemStatus | null | undefined;
}

/** A tool, or a subset of the tools. */
export type ToolSelection = NamedChoice | HostedChoice | McpChoice | AllowedTools;

/** An event that is newer than this version of the API, forwarded unchanged. Skip it. */
export interface UnknownEvent {
  /** Newer than this version of the API, and forwarded unchanged. */
  type: NewerType;
  /** The position of the event in the stream, from 0 without gaps. */
  sequence_number: number;
  [field: string]: unknown;
}

/** Newer than this version of the API. Returns 400 unless an upstream of the model has the API of the call. */
export interface UnknownFormat {
  /** Newer than this version of the API, and forwarded unchanged. */
  type: NewerType;
  [field: string]: unknown;
}

/** Newer than this version of the API, such as an item of an earlier response. */
export interface UnknownInputItem {
  /** Newer than this version of the API, and forwarded unchanged. */
  type: NewerType;
  /** The ID of the item. Omit if it has none. 1 to 512 characters. */
  id?: string | null | undefined;
  role?: undefined;
  [field: string]: unknown;
}

/** An item that is newer than this version of the API, forwarded unchanged. You can send it back to the same model. */
export interface UnknownItem {
  /** Newer than this version of the API, and forwarded unchanged. */
  type: NewerType;
  /** The item's ID from the upstream. Omitted if the upstream doesn't send one. */
  id?: string | null | undefined;
  [field: string]: unknown;
}

/** Newer than this version of the API, and forwarded unchanged. */
export interface UnknownPart {
  /** Newer than this version of the API, and forwarded unchanged. */
  type: NewerType;
  [field: string]: unknown;
}

/** The upstreams of a model with the same protocols and rules. */
export interface UpstreamProtocol {
  /** The protocols that the upstream supports for this model. */
  protocols: Array<'chat' | 'responses' | 'anthropic' | 'gemini' | 'converse' | 'images'>;
  /** The operations that the upstream can serve and that your key can use, with the fields of their requests. A field whose value decides is in several lists. */
  operations: OperationFields[];
}

/** An attempt at an upstream. */
export interface UsageAttempt {
  /** The name of the upstream in the configuration, as in `x-modelgate-attempts`. */
  upstream: string;
  /** The HTTP status of the upstream's response. Null if no response arrived. */
  status: number | null;
  /** The error code of the failure. Null if the attempt succeeded. */
  code: string | null;
  /** Milliseconds until the attempt failed, or until its response could be forwarded. */
  ms: number;
  /** The API chosen for this attempt, as in `x-modelgate-protocol`. Null if there was no choice to make. */
  protocol: string | null;
}

/** A page of the requests of an account, newest first. */
export interface UsageList {
  /** The type of the object: always `list`. */
  object: 'list';
  /** The requests of this page, newest first. */
  data: UsageRecord[];
  /** The `request_id` of the first request of this page. Null if the page is empty. */
  first_id: string | null;
  /** The `request_id` of the last request of this page. Send it as `after` to get the next page. Null if the page is empty. */
  last_id: string | null;
  /** Whether there are more requests after this page. */
  has_more: boolean;
}

/** Options for the usage in the response. With `include: true`, the usage of a complete response, or of the last event of a stream, contains `usage.cost`. A stream then always reports its usage. */
export interface UsageOptions {
  /** Whether to include `usage.cost` in the response. Defaults to false. */
  include?: boolean | null | undefined;
}

/** A request that was charged, or that has an amount reserved. */
export interface UsageRecord {
  /** The type of the object: always `usage`. */
  object: 'usage';
  /** The `x-request-id` of the response. */
  request_id: string;
  /** The ID of the key that made the request. */
  key_id: string;
  /** The ID of the model, as in the request. */
  model: string;
  /** The name of the operation, such as `createResponse`. */
  operation: string;
  /** `held`: in flight. `posted`: charged. `voided`: free of charge, with the reserved amount released. `expired`: the reserved amount was released because the gateway process stopped. If that process turns out to be alive and the request ends, its cost is still charged, as far as funds remain. */
  state: 'held' | 'posted' | 'voided' | 'expired';
  /** How the request ended, such as `completed`, `failed`, or `client_disconnected`. Null while it's in flight. */
  outcome: string | null;
  /** The source of payment. */
  source: 'balance' | 'subscription';
  /** The amount reserved before the request was sent: the maximum it could cost. */
  held: Dollars;
  /** The amount charged. Never more than `held`. */
  charged: Dollars;
  /** Whether the gateway estimated the tokens because the upstream didn't report them. */
  estimated: boolean;
  /** The tokens used, in classes that don't overlap. Null until something is charged. */
  tokens: UsageTokens | null;
  /** The output limit in tokens that the gateway set, because the request had none and the account couldn't pay for more. Null if it set none. */
  output_limit: number | null;
  /** Images generated, by `size/quality`. Null until something is charged. */
  images: { [key: string]: number; } | null;
  /** Calls to tools that the upstream ran, by the type of their output item. Null until something is charged. */
  tools: { [key: string]: number; } | null;
  /** When the amount was reserved, as a Unix timestamp in seconds. */
  created_at: number;
  /** When the request was charged or the reserved amount released, as a Unix timestamp in seconds. Null while it's in flight. */
  settled_at: number | null;
}

/** Totals of the account's calls over time. */
export interface UsageSummary {
  /** The type of the object: always `usage_summary`. */
  object: 'usage_summary';
  /** The start of the range as a Unix timestamp in seconds: the requested `from`, rounded down to the full hour. */
  from: number;
  /** The end of the range as a Unix timestamp in seconds, exclusive. */
  to: number;
  /** The length of a bucket, in UTC. Weeks start on Monday. */
  bucket: 'hour' | 'day' | 'week' | 'month';
  /** All calls that ended before this time are included. A Unix timestamp in seconds. */
  complete_until: number;
  /** The rows by model or key, the most expensive first, then by time. Buckets without calls are omitted. */
  data: UsageSummaryRow[];
  /** Totals over the entire range. */
  total: UsageSums;
}

/** Totals of the calls that ended in a bucket, for one model or key. */
export interface UsageSummaryRow {
  /** The start of the bucket in UTC, as a Unix timestamp in seconds. The first bucket can start before `from`. */
  at: number;
  /** The model; an empty string for calls without one. Null if the rows aren't grouped by model, or if `is_other` is true. */
  model: string | null;
  /** The key. Null if the rows aren't grouped by key, or if `is_other` is true. */
  key_id: string | null;
  /** Whether this row combines everything except the twelve most expensive groups. */
  is_other: boolean;
  /** Number of finished calls. Reading your account isn't a call. */
  requests: number;
  /** Number of failed calls: those that ended with a 5xx error, or with an error during a stream. */
  errors: number;
  /** Number of rejected calls: those that ended with a 4xx error. */
  rejected: number;
  /** Tokens used by the calls. */
  tokens: SummedTokens;
  /** Images generated by the calls. */
  images: number;
  /** The amount charged for the calls, to the balance or a subscription. */
  charged: Dollars;
}

/** Totals of calls. */
export interface UsageSums {
  /** Number of finished calls. Reading your account isn't a call. */
  requests: number;
  /** Number of failed calls: those that ended with a 5xx error, or with an error during a stream. */
  errors: number;
  /** Number of rejected calls: those that ended with a 4xx error. */
  rejected: number;
  /** Tokens used by the calls. */
  tokens: SummedTokens;
  /** Images generated by the calls. */
  images: number;
  /** The amount charged for the calls, to the balance or a subscription. */
  charged: Dollars;
}

/** Tokens by price class. The classes don't overlap. */
export interface UsageTokens {
  /** Input tokens neither read from a cache nor written to one. */
  input: number;
  /** Input tokens read from a cache. */
  cached_input: number;
  /** Input tokens written to a cache. */
  cache_write: number;
  /** Output tokens, including reasoning tokens. */
  output: number;
  /** The part of `output` that is reasoning. */
  reasoning: number;
}

/** How verbose the output is. Sent to chat and responses upstreams only: Anthropic and Gemini upstreams have no such option. At most 64 characters. */
export type Verbosity = 'low' | 'medium' | 'high' | (string & Record<never, never>);

/** Web search, run by the upstream and charged per call. If the upstream doesn't support it, or it has no price, the tool is dropped and listed in `x-modelgate-dropped`. A request whose `tool_choice` requires it returns 400. */
export interface WebSearchTool {
  /** The version of the search tool. New code should use `web_search`. */
  type: 'web_search' | 'web_search_2025_08_26' | 'web_search_preview' | 'web_search_preview_2025_03_11';
  /** Whether the upstream fetches pages from the web. False limits it to pages it has cached. Optional; the provider decides if omitted, usually true. */
  external_web_access?: boolean | null | undefined;
  /** A filter for the pages to search, in the upstream's format, such as `allowed_domains`. Omit to search all. */
  filters?: { [key: string]: unknown; } | null | undefined;
  /** Optional. The user's approximate location, in the upstream's format. */
  user_location?: { [key: string]: unknown; } | null | undefined;
  /** How much of the search results is added to the context. Optional; the provider decides if omitted, usually `medium`. */
  search_context_size?: 'low' | 'medium' | 'high' | null | undefined;
}

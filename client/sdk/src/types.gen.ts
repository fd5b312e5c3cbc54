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
  /** What this object is: always `additional_tools`. */
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
  /** What this object is: always `allowed_tools`. */
  type: 'allowed_tools';
  /** `auto`: the model may call one of them or answer. `required`: it must call one of them. */
  mode: 'auto' | 'required';
  /** The tools that may be called: 1 to 128. */
  tools: AllowedTool[];
}

/** A piece of audio: its bytes as base64, and their encoding. */
export interface AudioClip {
  /** The audio in plain base64, without the prefix of a data URL. */
  data: string;
  /** How `data` is encoded. */
  format: 'wav' | 'mp3';
}

/** Models of the catalog. `GET /v1/models` lists those that a key can call. */
export interface CatalogList {
  /** What this object is: always `list`. */
  object: 'list';
  /** The models, in a stable order. */
  data: CatalogModel[];
}

/** One model of the catalog. */
export interface CatalogModel {
  /** Model id for requests. */
  id: string;
  /** What this object is: always `model`. */
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
  /** What this object is: always `allowed_tools`. */
  type: 'allowed_tools';
  /** The subset, and whether one of its tools must be called. */
  allowed_tools: {
    /** `auto`: the model may call one of them or answer. `required`: it must call one of them. */
    mode: 'auto' | 'required';
    /** The tools that may be called, by name: 1 to 128. */
    tools: ChatNamedChoice[];
  };
}

/** The source of a part of the text, found by a web search of the upstream. */
export interface ChatAnnotation {
  /** Kind of the annotation: `url_citation`, or a kind that the upstream defines. */
  type: string;
  /** The page that a part of the text cites. Absent for other kinds. */
  url_citation?: {
    /** Address of the page. */
    url: string;
    /** Title of the page. */
    title: string;
    /** Where the citing part of `content` begins, in characters from 0. */
    start_index: number;
    /** Where it ends, in characters from 0. */
    end_index: number;
  } | null | undefined;
}

/** A call of a free-form tool, for the caller to run. */
export interface ChatAnsweredCustomCall {
  /** Id of the call; send it back as `tool_call_id`. */
  id: string;
  /** What this object is: always `custom`. */
  type: 'custom';
  /** The free-form tool to run. */
  custom: {
    /** Name of the tool, as the request declared it. */
    name: string;
    /** Free text for the tool. */
    input: string;
  };
}

/** The function that the model calls, and its arguments. */
export interface ChatAnsweredFunction {
  /** Name of the function, as the request declared it. */
  name: string;
  /** JSON as the model wrote it: check it before use. */
  arguments: string;
}

/** A call of a function, for the caller to run. */
export interface ChatAnsweredFunctionCall {
  /** Id of the call; send it back as `tool_call_id`. */
  id: string;
  /** What this object is: always `function`. */
  type: 'function';
  /** The function to run. */
  function: ChatAnsweredFunction;
}

/** The text, refusal or calls of the model. Append it to `messages` as it is. */
export interface ChatAnsweredMessage {
  /** Role of the author: always `assistant`. */
  role: 'assistant';
  /** The text of the answer; null when the model only calls tools or refuses. */
  content?: string | null | undefined;
  /** Why the model does not answer. Null when it answers. */
  refusal?: string | null | undefined;
  /** Sources of the text. Empty or absent: none. */
  annotations?: ChatAnnotation[] | null | undefined;
  /** Calls for the caller to run. Omitted if none. */
  tool_calls?: ChatAnsweredToolCall[] | null | undefined;
  /** @deprecated send `tools` and read `tool_calls`. The one call in answer to `functions`; absent otherwise. */
  function_call?: ChatAnsweredFunction | null | undefined;
  /** The spoken answer. Absent unless `modalities` asked for audio. */
  audio?: {
    /** Id of this audio, for a later turn. */
    id: string;
    /** The audio in plain base64, in the `audio.format` of the request. */
    data: string;
    /** When the upstream deletes the audio, in seconds since 1970-01-01 UTC. */
    expires_at: number;
    /** The words that are spoken in the audio. */
    transcript: string;
  } | null | undefined;
}

/** A call for the caller to run; send its `id` back as `tool_call_id`. */
export type ChatAnsweredToolCall = ChatAnsweredFunctionCall | ChatAnsweredCustomCall;

/** An earlier answer; carries text, a refusal, audio or calls. */
export interface ChatAssistantMessage {
  /** Role of the author: always `assistant`. */
  role: 'assistant';
  /** What the assistant said: a string, or up to 1024 parts of text, refusal and thoughts. Null or absent only beside `tool_calls`, `refusal`, `audio` or `function_call`. */
  content?: string | ChatAssistantPart[] | null | undefined;
  /** What the assistant said when it refused. Absent: it did not refuse. */
  refusal?: string | null | undefined;
  /** Names a spoken answer of an earlier turn. Only upstreams that speak chat take it; others refuse it with 400. Absent: none was spoken. */
  audio?: {
    /** The `audio.id` of that answer. 1 to 512 characters. */
    id: string;
  } | null | undefined;
  /** The calls that it made, up to 128. Optional. */
  tool_calls?: ChatToolCall[] | null | undefined;
  /** @deprecated use `tool_calls`. The one call of the older form; a `function` message answers it. */
  function_call?: ChatCalledFunction | null | undefined;
  /** Distinguishes participants of the same role; up to 512 characters. A model that is served over responses refuses it with 400, Anthropic and Gemini upstreams are not sent it. Optional. */
  name?: string | null | undefined;
}

/** A piece of an earlier answer. */
export type ChatAssistantPart = ChatTextPart | ChatRefusalPart | ChatThinkingPart;

/** Voice and encoding of a spoken answer. Only upstreams that speak chat give one; others refuse it with 400. */
export interface ChatAudioOptions {
  /** Name of a voice of the upstream, or an object that names a custom one. */
  voice: string | { [key: string]: unknown; };
  /** Encoding of the audio in the answer. */
  format: 'wav' | 'aac' | 'mp3' | 'flac' | 'opus' | 'pcm16';
}

/** Audio in a message of a user. Anthropic and Gemini upstreams take none: 400. */
export interface ChatAudioPart {
  /** What this object is: always `input_audio`. */
  type: 'input_audio';
  /** The audio and its encoding. */
  input_audio: AudioClip;
  /** Marks the end of a part of the prompt that the upstream may cache. Sent when the upstream speaks responses or the protocol of this call, and as `cache_control` to Claude, where the last four marks count; left out for others. Absent: no mark. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** The function that was called in an earlier turn, and its arguments. */
export interface ChatCalledFunction {
  /** Name of the function that was called. At most 512 characters. */
  name: string;
  /** JSON as the model wrote it; it may be malformed. Anthropic and Gemini upstreams need a JSON object or an empty text: another one is 400. */
  arguments: string;
}

/** The text is in `choices[0].message.content`. */
export interface ChatCompletion {
  /** Id of the answer, the same in all of its chunks. Chat answers are not stored, so they cannot be read by this id. */
  id: string;
  /** What this object is: always `chat.completion`. */
  object: 'chat.completion';
  /** Seconds since 1970-01-01 UTC. */
  created: number;
  /** Id of the model that answered, as in the request. */
  model: string;
  /** The answers: one, or as many as `n`. */
  choices: Array<{
    /** Which of the `n` answers this is, from 0. */
    index: number;
    /** The answer itself. */
    message: ChatAnsweredMessage;
    /** Why the answer ended. */
    finish_reason: FinishReason;
    /** Log probabilities of the tokens. Null or absent unless the request has `logprobs: true`. */
    logprobs?: ChatLogprobs | null | undefined;
  }>;
  /** What all choices used together. Absent when the upstream reports nothing. */
  usage?: ChatUsage | null | undefined;
  /** The processing tier that was used. Absent when the upstream does not report it. */
  service_tier?: string | null | undefined;
  /** Name of the set-up that answered, for who compares answers by `seed`. Absent when the upstream does not report it. */
  system_fingerprint?: string | null | undefined;
}

/** One `data:` line of a chat stream. The stream ends with `data: [DONE]`; one that fails ends with `data: {"error": …}` instead. */
export interface ChatCompletionChunk {
  /** Id of the answer, the same in all of its chunks. Chat answers are not stored, so they cannot be read by this id. */
  id: string;
  /** What this object is: always `chat.completion.chunk`. */
  object: 'chat.completion.chunk';
  /** Seconds since 1970-01-01 UTC. */
  created: number;
  /** Id of the model that answered, as in the request. */
  model: string;
  /** Empty in the chunk that carries the usage. */
  choices: Array<{
    /** Which of the `n` answers this is, from 0. */
    index: number;
    /** What this chunk adds to its answer. */
    delta: ChatDelta;
    /** Why the answer ended: in its last chunk, null before. */
    finish_reason?: FinishReason | null | undefined;
    /** Log probabilities of the tokens. Null or absent unless the request has `logprobs: true`. */
    logprobs?: ChatLogprobs | null | undefined;
  }>;
  /** What the answers used: in the last chunk, null before. Absent unless `stream_options.include_usage` asked for it. */
  usage?: ChatUsage | null | undefined;
  /** The processing tier that was used. Absent when the upstream does not report it. */
  service_tier?: string | null | undefined;
  /** Name of the set-up that answered, for who compares answers by `seed`. Absent when the upstream does not report it. */
  system_fingerprint?: string | null | undefined;
}

/** A conversation, and options for the next answer. Null counts as absent. A field that no operation knows is forwarded to OpenAI and Azure, unless it may choose a model, provider, tier, tool or price; otherwise it is left out and named in `x-modelgate-ignored`, unless the operator of the upstream allows it. */
export interface ChatCompletionRequest {
  /** Id of a text model, as `GET /v1/models` lists it. 1 to 512 characters. */
  model: string;
  /** The conversation, oldest first: 1 to 4096 messages. */
  messages: ChatMessage[];
  /** True: the answer comes as Server-Sent Events. Defaults to false. */
  stream?: boolean | null | undefined;
  /** Tools that the model may call, up to 128; the caller runs them. Optional. Upstreams without free-form tools get those as functions with one string parameter. */
  tools?: ChatTool[] | null | undefined;
  /** Which tools the model may or must call. Absent: `auto` with tools, `none` without. */
  tool_choice?: ChatToolChoice | null | undefined;
  /** Format of the answer. Defaults to plain text. */
  response_format?: ChatResponseFormat | null | undefined;
  /** How much the model should reason. Defaults to what the model does. Chat does not show the reasoning, but it counts as output tokens. */
  reasoning_effort?: ReasoningEffort | null | undefined;
  /** The most output tokens, reasoning included; an answer that reaches it ends with `length`. Absent: the maximum of the model; when the account cannot pay for that, the gateway sets a limit and reports it in `x-modelgate-output-limit`. When the model is served over responses, less than 16 becomes 16. At least 1. */
  max_completion_tokens?: number | null | undefined;
  /** Options of a stream; 400 without `stream: true`. Optional. */
  stream_options?: {
    /** Whether one more chunk, with the usage and no choices, comes before `[DONE]`. Defaults to false. */
    include_usage?: boolean | null | undefined;
    /** Whether the upstream pads its chunks, so that their sizes reveal nothing. Sent to upstreams that speak chat; the gateway itself pads nothing. Optional; the provider decides if omitted. */
    include_obfuscation?: boolean | null | undefined;
  } | null | undefined;
  /** Higher is more varied. Defaults to what the model does. Anthropic upstreams take 0 to 1 and refuse more with 400; models that reason may refuse any. 0 to 2. */
  temperature?: number | null | undefined;
  /** Nucleus sampling: only the likeliest tokens are drawn from, up to this share of probability. Defaults to what the model does. 0 to 1. */
  top_p?: number | null | undefined;
  /** The older name of `max_completion_tokens`, with the same meaning; send one of the two, both are 400. Absent: as `max_completion_tokens` says. At least 1. */
  max_tokens?: number | null | undefined;
  /** Number of answers; each is charged. Absent: 1. More than one only when the upstream speaks chat; others refuse it with 400. 1 to 128. */
  n?: number | null | undefined;
  /** Up to four texts at which the model stops, each up to 1,024 characters; the answer does not contain them. Optional. Rejected with 400 when the model is served over responses. */
  stop?: string | string[] | null | undefined;
  /** Above 0, a token becomes less likely each time that it has occurred in the text. Defaults to 0. Any other value is 400 over responses and Anthropic upstreams. -2 to 2. */
  frequency_penalty?: number | null | undefined;
  /** Above 0, a token that has occurred in the text becomes less likely, however often it occurred. Defaults to 0. Any other value is 400 over responses and Anthropic upstreams. -2 to 2. */
  presence_penalty?: number | null | undefined;
  /** Token id to a bias from -100 (never) to 100 (always). Optional. Rejected with 400 unless the upstream speaks chat. */
  logit_bias?: { [key: string]: number; } | null | undefined;
  /** Whether to return log probabilities of the output tokens. Defaults to false. True is 400 over Anthropic upstreams. */
  logprobs?: boolean | null | undefined;
  /** How many alternatives to show for each token; needs `logprobs: true`. Defaults to 0. 0 to 20. */
  top_logprobs?: number | null | undefined;
  /** @deprecated there is no replacement. Asks for the same answer again, without a guarantee. Left out when the model is served over responses, and named in `x-modelgate-ignored`; Anthropic upstreams refuse it with 400, Gemini upstreams take whole numbers. */
  seed?: number | null | undefined;
  /** Whether the model may make several calls at once. Absent: the upstream decides, usually true. False is 400 over Gemini upstreams. */
  parallel_tool_calls?: boolean | null | undefined;
  /** @deprecated use `tools`. A request with these and no `tools` gets at most one call, as `function_call`. At most 128 entries. */
  functions?: Array<{
    /** Name of the function. At most 512 characters. */
    name: string;
    /** What the function does; the model reads this. Optional. */
    description?: string | null | undefined;
    /** JSON schema of the arguments. Absent: no arguments. */
    parameters?: { [key: string]: unknown; } | null | undefined;
  }> | null | undefined;
  /** @deprecated use `tool_choice`. */
  function_call?: 'none' | 'auto' | ChatFunctionName | null | undefined;
  /** Another form of `reasoning_effort`, which some client adapters send: `reasoning.effort` is used as `reasoning_effort`. Other fields, such as `max_tokens` and `enabled`, are sent to an upstream that is configured to take them, and named in `x-modelgate-ignored` elsewhere. Absent: `reasoning_effort` applies. */
  reasoning?: {
    /** Used as `reasoning_effort` when that is absent. */
    effort?: ReasoningEffort | null | undefined;
  } | null | undefined;
  /** How long the answer should be. Absent: the default of the model, usually `medium`. */
  verbosity?: Verbosity | null | undefined;
  /** Media of the answer. Absent: text. `audio` needs `audio`, and is 400 unless the upstream speaks chat. At most 2 entries. */
  modalities?: Array<'text' | 'audio'> | null | undefined;
  /** Voice and encoding of a spoken answer. Absent: the answer is not spoken; required when `modalities` has `audio`. */
  audio?: ChatAudioOptions | null | undefined;
  /** A text that most of the answer is expected to repeat, which makes it faster. Optional. Rejected with 400 unless the upstream speaks chat. */
  prediction?: {
    /** What this object is: always `content`. */
    type: 'content';
    /** The text that is expected: a string, or up to 1,024 parts. */
    content: string | ChatTextPart[];
  } | null | undefined;
  /** Whether Modelgate can keep reasoning between tool calls. Chat completions are never stored, and the gateway tells upstreams to store nothing; a true `store` is named in `x-modelgate-ignored`. If the call goes over responses, Modelgate keeps the encrypted reasoning before each tool call for a day and sends it back with the tool results. Send `false` to turn that off. Omit it to keep the reasoning. */
  store?: boolean | null | undefined;
  /** Metadata of the caller for the upstream; the gateway does not use it. Optional. It does not change the answer; Anthropic and Gemini upstreams are not sent it. */
  metadata?: Metadata | null | undefined;
  /** Asks for the cost of the call in the response. Not sent to upstreams. Absent: the response has no cost. */
  usage?: UsageOptions | null | undefined;
  /** @deprecated use `safety_identifier` and `prompt_cache_key`. Optional. It does not change the answer; Anthropic and Gemini upstreams are not sent it. At most 512 characters. */
  user?: string | null | undefined;
  /** An opaque id of the end user, so that the vendor can find a user who breaks its rules. Optional. It does not change the answer; Anthropic and Gemini upstreams are not sent it. At most 64 characters. */
  safety_identifier?: string | null | undefined;
  /** Name of a conversation. When a model has several upstreams, calls with the same name go to the same one, for cache hits. Optional. It does not change the answer; Anthropic and Gemini upstreams are not sent it. At most 64 characters. */
  prompt_cache_key?: string | null | undefined;
  /** @deprecated use `prompt_cache_options`. How long the upstream should keep a cached prompt. Left out for Gemini upstreams; for Claude, `24h` keeps marks for an hour. */
  prompt_cache_retention?: 'in_memory' | 'in-memory' | '24h' | null | undefined;
  /** How the upstream may cache the prompt. Optional; the provider decides if omitted. */
  prompt_cache_options?: PromptCacheOptions | null | undefined;
  /** Processing tier to ask the upstream for. Defaults to `auto`. */
  service_tier?: ServiceTier | null | undefined;
  /** Lets the upstream search the web. Absent: it does not. Charged as one call of `web_search_call`, and 400 when that has no price; unless it is empty, it is also 400 when the upstream does not speak chat. There, an empty one is left out, named in `x-modelgate-ignored`, and costs nothing. */
  web_search_options?: {
    /** How much of the search results the model reads. Absent: the upstream decides, usually `medium`. */
    search_context_size?: 'low' | 'medium' | 'high' | null | undefined;
    /** Roughly where the user is, in the format of the upstream. Absent: no location. */
    user_location?: { [key: string]: unknown; } | null | undefined;
  } | null | undefined;
  /** Asks the upstream to moderate the texts of the call. Absent: the upstream does what it does by default. */
  moderation?: TextModeration | null | undefined;
}

/** A free-form tool by its name. */
export interface ChatCustomChoice {
  /** What this object is: always `custom`. */
  type: 'custom';
  /** Names the free-form tool. */
  custom: ChatNamedTool;
}

/** A tool that takes free text instead of JSON arguments, run by the caller. Upstreams that support only functions get a function with one string parameter; the call comes back as `custom`. */
export interface ChatCustomTool {
  /** What this object is: always `custom`. */
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

/** A call of a free-form tool in an earlier turn. */
export interface ChatCustomToolCall {
  /** Id of the call. The `tool` message with its result carries it as `tool_call_id`. 1 to 512 characters. */
  id: string;
  /** What this object is: always `custom`. */
  type: 'custom';
  /** The free-form tool and its input. */
  custom: {
    /** Name of the tool that was called. At most 512 characters. */
    name: string;
    /** The free text that the model gave it. */
    input: string;
  };
}

/** Format of the input of the tool. */
export type ChatCustomToolFormat = PlainTextFormat | ChatGrammarFormat;

/** What a chunk adds to its answer; empty in the chunk that ends it. */
export interface ChatDelta {
  /** Role of the author: `assistant`, only in the first chunk of an answer, absent in the others. */
  role?: 'assistant' | 'developer' | 'system' | 'user' | 'tool' | null | undefined;
  /** The next piece of the text. Absent when this chunk has none. */
  content?: string | null | undefined;
  /** The next piece of a refusal. Absent when this chunk has none. */
  refusal?: string | null | undefined;
  /** Sources of the text. Absent when this chunk has none. */
  annotations?: ChatAnnotation[] | null | undefined;
  /** The next pieces of calls. Absent when this chunk has none. */
  tool_calls?: ChatToolCallDelta[] | null | undefined;
  /** @deprecated send `tools` and read `tool_calls`. The next piece of the one call in answer to `functions`. */
  function_call?: ChatFunctionDelta | null | undefined;
}

/** A document in a message of a user. */
export interface ChatFilePart {
  /** What this object is: always `file`. */
  type: 'file';
  /** The file: either its data or its id. */
  file: {
    /** Name of the file, up to 512 characters. Absent: the model gets no name. */
    filename?: string | null | undefined;
    /** The file as a data URL. Anthropic upstreams take PDF and plain text alone, another kind is 400. Absent only beside `file_id`. */
    file_data?: string | null | undefined;
    /** Id of a file that the upstream stores, instead of `file_data`. The gateway has no Files API; Anthropic and Gemini upstreams refuse an id with 400. Absent: the file is in `file_data`. 1 to 512 characters. */
    file_id?: string | null | undefined;
  };
  /** Marks the end of a part of the prompt that the upstream may cache. Sent when the upstream speaks responses or the protocol of this call, and as `cache_control` to Claude, where the last four marks count; left out for others. Absent: no mark. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** A function by its name. */
export interface ChatFunctionChoice {
  /** What this object is: always `function`. */
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

/** A piece of a function call: the name comes once, the arguments in pieces. */
export interface ChatFunctionDelta {
  /** Name of the function; only in the first piece, absent in the others. */
  name?: string | undefined;
  /** The next piece of the JSON of the arguments. Absent when this chunk has none. */
  arguments?: string | undefined;
}

/** @deprecated use the role `tool`. The result of a `function_call`. */
export interface ChatFunctionMessage {
  /** Role of the author: always `function`. */
  role: 'function';
  /** Name of the function that was called; the older form has no ids. At most 512 characters. */
  name: string;
  /** What the function gave back. Null: an empty text. */
  content?: string | null | undefined;
}

/** @deprecated use `tool_choice`. The one of `functions` that has to be called. */
export interface ChatFunctionName {
  /** Name of that function. At most 512 characters. */
  name: string;
}

/** A function that the caller runs. */
export interface ChatFunctionTool {
  /** What this object is: always `function`. */
  type: 'function';
  /** The function itself. */
  function: ChatFunctionDefinition;
}

/** A call of a function in an earlier turn. */
export interface ChatFunctionToolCall {
  /** Id of the call. The `tool` message with its result carries it as `tool_call_id`. 1 to 512 characters. */
  id: string;
  /** What this object is: always `function`. */
  type: 'function';
  /** The function and its arguments. */
  function: ChatCalledFunction;
}

/** Text that follows a grammar. */
export interface ChatGrammarFormat {
  /** What this object is: always `grammar`. */
  type: 'grammar';
  /** The grammar that the input follows. */
  grammar: {
    /** How the grammar is written: `lark`, or `regex` for one regular expression. */
    syntax: 'lark' | 'regex';
    /** The grammar that the input must follow. Upstreams without free-form tools cannot enforce it; there the model reads it in the description. Not empty. */
    definition: string;
  };
}

/** Address of an image, and how closely the model looks at it. */
export interface ChatImageAddress {
  /** A data URL, or an https address that the upstream can fetch. The gateway never fetches it. Gemini upstreams take data URLs alone: an address is 400. Not empty. */
  url: string;
  /** Resolution at which the model reads the image; a higher one costs more input tokens. Defaults to `auto`. Not sent to Anthropic and Gemini upstreams. */
  detail?: 'auto' | 'low' | 'high' | 'original' | null | undefined;
}

/** An image in a message of a user. */
export interface ChatImagePart {
  /** What this object is: always `image_url`. */
  type: 'image_url';
  /** The image: an object with its address, or the address alone. */
  image_url: string | ChatImageAddress;
  /** Marks the end of a part of the prompt that the upstream may cache. Sent when the upstream speaks responses or the protocol of this call, and as `cache_control` to Claude, where the last four marks count; left out for others. Absent: no mark. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** Sets the behaviour of the assistant. It may be anywhere in the conversation. */
export interface ChatInstructionMessage {
  /** Both mean the same here. Upstreams that do not know `developer` are sent `system`; others have a separate field for instructions. */
  role: 'system' | 'developer';
  /** The instructions: a string, or 1 to 1024 parts of text. */
  content: string | ChatTextPart[];
  /** Distinguishes participants of the same role; up to 512 characters. A model that is served over responses refuses it with 400, Anthropic and Gemini upstreams are not sent it. Optional. */
  name?: string | null | undefined;
}

/** JSON that follows a schema of the caller. 400 when a chat vendor does not support schemas. */
export interface ChatJsonSchemaFormat {
  /** What this object is: always `json_schema`. */
  type: 'json_schema';
  /** The schema, its name and its description. */
  json_schema: {
    /** A name for the format, which the model may see. */
    name: string;
    /** What the format is for; the model reads this. Optional. */
    description?: string | null | undefined;
    /** JSON schema of the answer, at most 64 levels deep. Absent: any JSON. */
    schema?: { [key: string]: unknown; } | null | undefined;
    /** Whether the answer must follow the schema exactly. Defaults to false. Anthropic and Gemini upstreams ignore this: they always follow the schema. */
    strict?: boolean | null | undefined;
  };
}

/** Log probabilities of the tokens of an answer. */
export interface ChatLogprobs {
  /** Each token of the text. Null when there is no text. */
  content?: ChatTokenLogprob[] | null | undefined;
  /** Each token of a refusal. Null when there is none. */
  refusal?: ChatTokenLogprob[] | null | undefined;
}

/** One message of a conversation; its fields depend on `role`. */
export type ChatMessage = ChatInstructionMessage | ChatUserMessage | ChatAssistantMessage | ChatToolMessage | ChatFunctionMessage;

/** One tool, by its name. */
export type ChatNamedChoice = ChatFunctionChoice | ChatCustomChoice;

/** A tool of the request, by its name. */
export interface ChatNamedTool {
  /** Name of a tool of this request. */
  name: ToolName;
}

/** A refusal of an earlier answer, sent back as a part. */
export interface ChatRefusalPart {
  /** What this object is: always `refusal`. */
  type: 'refusal';
  /** What the model said when it refused. */
  refusal: string;
}

/** Format of the answer. In responses this is `text.format`, one level flatter. */
export type ChatResponseFormat = PlainTextFormat | JsonObjectFormat | ChatJsonSchemaFormat;

/** A piece of text in a message. */
export interface ChatTextPart {
  /** What this object is: always `text`. */
  type: 'text';
  /** The text itself. It may be empty. */
  text: string;
  /** Marks the end of a part of the prompt that the upstream may cache. Sent when the upstream speaks responses or the protocol of this call, and as `cache_control` to Claude, where the last four marks count; left out for others. Absent: no mark. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** Thoughts of an earlier answer, as some chat vendors write them. Sent back to a vendor that takes them; left out elsewhere, and named in `x-modelgate-ignored`. */
export interface ChatThinkingPart {
  /** What this object is: always `thinking`. */
  type: 'thinking';
  /** What the model thought: a string, or up to 1024 parts of text. */
  thinking: string | ChatThoughtText[];
}

/** A piece of what a model thought. */
export interface ChatThoughtText {
  /** What this object is: always `text`. */
  type: 'text';
  /** The thought. */
  text: string;
}

/** A token of the answer, and its log probability. */
export interface ChatTokenLogprob {
  /** The token as text. */
  token: string;
  /** Natural logarithm of its probability, at most 0. */
  logprob: number;
  /** The token as UTF-8 bytes; one character may span several tokens. Null when the token has none. */
  bytes?: number[] | null | undefined;
  /** The likeliest tokens at this position, as many as `top_logprobs` of the request; empty for 0. */
  top_logprobs: ChatTopLogprob[];
}

/** A tool that the model may call and the caller runs. */
export type ChatTool = ChatFunctionTool | ChatCustomTool;

/** A call that the model made in an earlier turn. Its result must follow in a `tool` message, before any message of another role. */
export type ChatToolCall = ChatFunctionToolCall | ChatCustomToolCall;

/** `id`, `type` and the name come once, in the first piece of a call. */
export interface ChatToolCallDelta {
  /** Number of the call that this piece belongs to, from 0 without a gap. 0 to 127. */
  index: number;
  /** Id of the call; only in the first piece, absent in the others. */
  id?: string | undefined;
  /** What is called; only in the first piece, absent in the others. */
  type?: 'function' | 'custom' | undefined;
  /** Piece of a call of a function. Absent for a free-form tool. */
  function?: ChatFunctionDelta | undefined;
  /** Piece of a call of a free-form tool. Absent for a function. */
  custom?: {
    /** Name of the tool; only in the first piece, absent in the others. */
    name?: string | undefined;
    /** The next piece of its text. Absent when this chunk has none. */
    input?: string | undefined;
  } | undefined;
}

/** `none`: no call. `auto`: the model decides. `required`: at least one call. Or one tool by name, which must then be called, or a subset of the tools. */
export type ChatToolChoice = 'none' | 'auto' | 'required' | ChatToolSelection;

/** The result of a tool call. */
export interface ChatToolMessage {
  /** Role of the author: always `tool`. */
  role: 'tool';
  /** What the tool gave back: a string, or 1 to 1024 parts of text. */
  content: string | ChatTextPart[];
  /** Id of the call that this answers. 400 when no unanswered call has this id. 1 to 512 characters. */
  tool_call_id: string;
}

/** One tool by its name, or a subset of them. */
export type ChatToolSelection = ChatFunctionChoice | ChatCustomChoice | ChatAllowedTools;

/** An alternative token at this position, and its log probability. */
export interface ChatTopLogprob {
  /** The other token as text. */
  token: string;
  /** Natural logarithm of its probability, at most 0. */
  logprob: number;
  /** The token as UTF-8 bytes; one character may span several tokens. Null when the token has none. */
  bytes?: number[] | null | undefined;
}

/** What the answer used, in tokens, as the upstream counted it. When the upstream reports nothing, only the receipt has a count. */
export interface ChatUsage {
  /** Tokens of the input, including those read from a cache. */
  prompt_tokens: number;
  /** Tokens of the output, reasoning included. */
  completion_tokens: number;
  /** The sum of `prompt_tokens` and `completion_tokens`. */
  total_tokens: number;
  /** Parts of `prompt_tokens`. Absent when the upstream reports none. */
  prompt_tokens_details?: {
    /** Tokens that were read from a cache of the upstream; charged at the price of cached input. Omitted if none. */
    cached_tokens?: number | null | undefined;
    /** Tokens that were written to a cache of the upstream; charged at the price of cache writes. Omitted if none. */
    cache_write_tokens?: number | null | undefined;
    /** Tokens of audio input. Absent: none, or not counted separately. */
    audio_tokens?: number | null | undefined;
  } | null | undefined;
  /** Parts of `completion_tokens`. Absent when the upstream reports none. */
  completion_tokens_details?: {
    /** Reasoning tokens; charged as output. Absent: none, or not counted separately. */
    reasoning_tokens?: number | null | undefined;
    /** Tokens of audio output. Absent: none, or not counted separately. */
    audio_tokens?: number | null | undefined;
    /** Tokens of `prediction` that are in the answer. Omitted if none. */
    accepted_prediction_tokens?: number | null | undefined;
    /** Tokens of `prediction` that are not in the answer; still charged as output. Omitted if none. */
    rejected_prediction_tokens?: number | null | undefined;
  } | null | undefined;
  /** Dollars charged. Absent unless `usage: { include: true }` asked for it and calls are charged. */
  cost?: number | undefined;
}

/** A message of the user: text, images, audio and files. */
export interface ChatUserMessage {
  /** Role of the author: always `user`. */
  role: 'user';
  /** What the user sends: a string, or 1 to 1024 parts. */
  content: string | ChatUserPart[];
  /** Distinguishes participants of the same role; up to 512 characters. A model that is served over responses refuses it with 400, Anthropic and Gemini upstreams are not sent it. Optional. */
  name?: string | null | undefined;
}

/** A part of a message of a user: text, an image, audio or a file. */
export type ChatUserPart = ChatTextPart | ChatImagePart | ChatAudioPart | ChatFilePart;

/** A text model in the format of the Codex CLI. */
export interface CodexModel {
  /** Id of the model; the other fields are private to the Codex CLI. */
  slug: string;
}

/** A conversation that a responses upstream has compacted. Others refuse it with 400. */
export interface Compaction {
  /** What this object is: always `compaction`. */
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
  /** What this object is: always `compaction_trigger`. */
  type: 'compaction_trigger';
  /** Id of the item, from the client or from an earlier answer. Accepted, but not sent to the upstream, which does not know the id. Absent: a stored item gets a new id. 1 to 512 characters. */
  id?: string | null | undefined;
  /** Status of the item in the earlier answer; the gateway ignores it, so it may be absent. */
  status?: ItemStatus | null | undefined;
}

/** A tool that takes free text instead of JSON arguments, run by the caller. Upstreams that support only functions get a function with one string parameter; the call comes back as `custom_tool_call`. */
export interface CustomTool {
  /** What this object is: always `custom`. */
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
  /** What this object is: always `custom_tool_call`. */
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
  /** What this object is: always `custom_tool_call_output`. */
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
  /** What this object is: always `response`. */
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

/** `stop`: a natural end, one of `stop`, or a refusal. `length`: a token limit. `tool_calls`: the model calls tools. `content_filter`: output was withheld. `function_call`: the same as `tool_calls`, for requests with `functions`. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call';

/** A call for the caller to run; the response may have no text beside it. */
export interface FunctionCall {
  /** What this object is: always `function_call`. */
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
  /** What this object is: always `function_call_output`. */
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
  /** What this object is: always `function`. */
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
  /** What this object is: always `grammar`. */
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
  /** What this object is: always `image_edit.completed`. */
  type: 'image_edit.completed';
  /** The image in plain base64, without the prefix of a data URL. */
  b64_json: string;
  /** Seconds since 1970-01-01 UTC. */
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
  /** What this object is: always `image_edit.partial_image`. */
  type: 'image_edit.partial_image';
  /** The partial image in plain base64, without the prefix of a data URL. */
  b64_json: string;
  /** Seconds since 1970-01-01 UTC. */
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
  /** What this object is: always `error`. */
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
  /** What this object is: always `image_generation.completed`. */
  type: 'image_generation.completed';
  /** The image in plain base64, without the prefix of a data URL. */
  b64_json: string;
  /** Seconds since 1970-01-01 UTC. */
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
  /** What this object is: always `image_generation.partial_image`. */
  type: 'image_generation.partial_image';
  /** The partial image in plain base64, without the prefix of a data URL. */
  b64_json: string;
  /** Seconds since 1970-01-01 UTC. */
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
  /** Seconds since 1970-01-01 UTC. */
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
  /** What this object is: always `input_audio`. */
  type: 'input_audio';
  /** The audio and its encoding. */
  input_audio: AudioClip;
}

/** A document for the model: its data, its address or its id. */
export interface InputFile {
  /** What this object is: always `input_file`. */
  type: 'input_file';
  /** Name of the file, up to 512 characters. Absent: the model gets no name. */
  filename?: string | null | undefined;
  /** The file as a data URL. Anthropic upstreams take PDF and plain text alone, another kind is 400. Absent only beside `file_url` or `file_id`. */
  file_data?: string | null | undefined;
  /** An https address that the upstream can fetch. The gateway never fetches it. Chat and Gemini upstreams refuse an address with 400. Absent: another field gives the file. */
  file_url?: string | null | undefined;
  /** Id of a file that the upstream stores. The gateway has no Files API; Anthropic and Gemini upstreams refuse an id with 400. Absent: the data is in the part. 1 to 512 characters. */
  file_id?: string | null | undefined;
  /** Marks the end of a part of the prompt that the upstream may cache. Sent when the upstream speaks responses or the protocol of this call, and as `cache_control` to Claude, where the last four marks count; left out for others. Absent: no mark. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** An image for the model. */
export interface InputImage {
  /** What this object is: always `input_image`. */
  type: 'input_image';
  /** A string: a data URL, or an https address that the upstream can fetch. The gateway never fetches it. Gemini upstreams take data URLs alone: an address is 400. Absent only beside `file_id`. */
  image_url?: string | null | undefined;
  /** Id of a file that the upstream stores. The gateway has no Files API; chat, Anthropic and Gemini upstreams refuse an id with 400. Absent: the data is in the part. 1 to 512 characters. */
  file_id?: string | null | undefined;
  /** Resolution at which the model reads the image; a higher one costs more input tokens. Defaults to `auto`. Not sent to Anthropic and Gemini upstreams. Chat upstreams are sent `original` as `high`. */
  detail?: 'low' | 'high' | 'auto' | 'original' | null | undefined;
  /** Marks the end of a part of the prompt that the upstream may cache. Sent when the upstream speaks responses or the protocol of this call, and as `cache_control` to Claude, where the last four marks count; left out for others. Absent: no mark. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** One item of the conversation, of the kind that `type` names; an item without `type` is a message. An item of a kind that is not listed here is forwarded as it came, if the vendor of the model has responses too, and is 400 otherwise. */
export type InputItem = InputMessage | PastFunctionCall | FunctionCallOutput | PastCustomToolCall | CustomToolCallOutput | PastReasoning | ItemReference | AdditionalTools | ToolSearchCall | ToolSearchOutput | Compaction | CompactionTrigger | ReplayedItem;

/** One page of the input of a stored response. */
export interface InputItemList {
  /** What this object is: always `list`. */
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
  /** What this object is: always `input_text`. */
  type: 'input_text';
  /** The text itself. It may be empty. */
  text: string;
  /** Marks the end of a part of the prompt that the upstream may cache. Sent when the upstream speaks responses or the protocol of this call, and as `cache_control` to Claude, where the last four marks count; left out for others. Absent: no mark. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** The input tokens of a request that was not made. */
export interface InputTokens {
  /** What this object is: always `response.input_tokens`. */
  object: 'response.input_tokens';
  /** Input tokens that the request would use. At least 1. */
  input_tokens: number;
  /** Whether Modelgate estimated them, because the provider of the model has no count. Images and files are not in an estimate. */
  estimated: boolean;
}

/** Refers to a stored item. The gateway inserts the item, which is charged as input. */
export interface ItemReference {
  /** What this object is: always `item_reference`. */
  type: 'item_reference';
  /** Id of an item of a response that is stored for this account. An unknown one is 400 `item_not_found`. 1 to 512 characters. */
  id: string;
}

/** `in_progress`: more follows. `completed`: it is complete. `incomplete`: it ended early. The other values are for tools that the upstream runs. */
export type ItemStatus = 'in_progress' | 'completed' | 'incomplete' | 'searching' | 'generating' | 'interpreting' | 'calling' | 'failed';

/** Any JSON object. Ask for JSON in the prompt as well. Anthropic upstreams have no such mode, nor have older Gemini models beside tools: the gateway asks them in the prompt, and an answer that is not an object is `upstream_error`. */
export interface JsonObjectFormat {
  /** What this object is: always `json_object`. */
  type: 'json_object';
}

/** JSON that follows a schema of the caller. 400 when a chat vendor does not support schemas. */
export interface JsonSchemaFormat {
  /** What this object is: always `json_schema`. */
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
  /** What this object is: always `keepalive`. */
  type: 'keepalive';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
}

/** Letters, digits, `_` and `-`; at most 128. */
export type LongToolName = string;

/** The tools of an MCP server, or one of them. */
export interface McpChoice {
  /** What this object is: always `mcp`. */
  type: 'mcp';
  /** Name of the server, as in calls of its tools. At most 512 characters. */
  server_label: string;
  /** The tool of that server that must be called. Absent: any of them. At most 512 characters. */
  name?: string | null | undefined;
}

/** Tools of an MCP server, run by the upstream and charged by the call. When the upstream has none, or `mcp_call` has no price, they are left out and named in `x-modelgate-ignored`; a call whose `tool_choice` requires them is 400. */
export interface McpTool {
  /** What this object is: always `mcp`. */
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

/** Metadata of the caller: up to 16 pairs, keys up to 64 characters, values up to 512. */
export type Metadata = { [key: string]: string; };

/** One model that the key can call. */
export interface Model {
  /** Model id for requests. */
  id: string;
  /** What this object is: always `model`. */
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
  /** What this object is: always `list`. */
  object: 'list';
  /** The models that the key can call, in a stable order. */
  data: Model[];
  /** The same text models in the format of the Codex CLI; absent unless `client_version` is in the query. */
  models?: CodexModel[] | undefined;
}

/** An answer of a model. Read the text by walking `output` for items of type `message`; client libraries offer it as `output_text`, which is not on the wire. */
export interface ModelResponse {
  /** Id of the response; use it as `previous_response_id` when the response was stored. */
  id: string;
  /** What this object is: always `response`. */
  object: 'response';
  /** When the response began, in seconds since 1970-01-01 UTC. */
  created_at: number;
  /** When it was completed, in seconds since 1970-01-01 UTC. Null: it was not. */
  completed_at?: number | null | undefined;
  /** Status of the response. Absent when the upstream does not report it. */
  status?: ResponseStatus | null | undefined;
  /** Why the response failed. Null: it did not. */
  error?: {
    /** The reason, for programs: an error code of this API, `server_error`, or a code of the upstream. Absent when the upstream gave none. */
    code?: string | null | undefined;
    /** What went wrong, for people. */
    message: string;
  } | null | undefined;
  /** Why the response is incomplete. Null: it is not. */
  incomplete_details?: {
    /** `max_output_tokens`: a limit on the output. `content_filter`: output was withheld. Null or absent when the upstream does not report it. */
    reason?: string | null | undefined;
  } | null | undefined;
  /** Id of the model that answered, as in the request. */
  model: string;
  /** Items of several types; the answer is not always the first. */
  output: OutputItem[];
  /** The response that this one continues. Null: none. */
  previous_response_id?: string | null | undefined;
  /** `instructions` of the request, or the value used instead. Null: there were none. */
  instructions?: unknown | undefined;
  /** The tools that the model could call; empty: none. Absent when the upstream does not report it. */
  tools?: ToolEcho[] | null | undefined;
  /** `tool_choice` of the request, or the value used instead. A string or an object, as in the request. Absent when the upstream does not report it. */
  tool_choice?: unknown | undefined;
  /** Whether the model could make several calls at once. Absent when the upstream does not report it. */
  parallel_tool_calls?: boolean | null | undefined;
  /** `text` of the request, or the value used instead. Absent when the upstream does not report it. */
  text?: {
    /** Format of the answer: `text.format` of the request, or `text` when it had none. Absent when the upstream does not report it. */
    format?: TextFormatEcho | null | undefined;
    /** The requested length of the answer: `low`, `medium` or `high`. Absent when the upstream does not report it. */
    verbosity?: string | null | undefined;
  } | null | undefined;
  /** `reasoning` of the request, or the value used instead. Its other settings are there as well. Absent when the upstream does not report it. */
  reasoning?: {
    /** The reasoning effort of the request. Null: the default of the model. */
    effort?: string | null | undefined;
    /** The reasoning summary that was requested. Null: the default of the upstream. */
    summary?: string | null | undefined;
  } | null | undefined;
  /** `temperature` of the request, or the value used instead. 1 when it was absent. */
  temperature?: number | null | undefined;
  /** `top_p` of the request, or the value used instead. 1 when it was absent. */
  top_p?: number | null | undefined;
  /** `presence_penalty` of the request, or the value used instead. 0 when it was absent. */
  presence_penalty?: number | null | undefined;
  /** `frequency_penalty` of the request, or the value used instead. 0 when it was absent. */
  frequency_penalty?: number | null | undefined;
  /** `top_logprobs` of the request, or the value used instead. 0 when it was absent. */
  top_logprobs?: number | null | undefined;
  /** The limit on the output in tokens, from the request or set by the gateway. Null: none. */
  max_output_tokens?: number | null | undefined;
  /** `max_tool_calls` of the request, or the value used instead. Null: no limit. */
  max_tool_calls?: number | null | undefined;
  /** `truncation` of the request, or the value used instead. `disabled` when it was absent. */
  truncation?: string | null | undefined;
  /** Whether the gateway keeps the response. Also false when the key may not store. Absent when the upstream does not report it. */
  store?: boolean | null | undefined;
  /** Always false: the gateway has no background responses. Absent when the upstream does not report it. */
  background?: boolean | null | undefined;
  /** The processing tier that was used. Absent when the upstream does not report it. */
  service_tier?: string | null | undefined;
  /** `metadata` of the request, or the value used instead. Empty: there was none. Absent when the upstream does not report it. */
  metadata?: { [key: string]: string; } | null | undefined;
  /** `safety_identifier` of the request, or the value used instead. Null: there was none. */
  safety_identifier?: string | null | undefined;
  /** `prompt_cache_key` of the request, or the value used instead. Null: there was none. */
  prompt_cache_key?: string | null | undefined;
  /** @deprecated send `safety_identifier`. `user` of the request, or the value used instead. Null or absent: there was none. */
  user?: string | null | undefined;
  /** What the response used. Null until it has ended. */
  usage?: ResponseUsage | null | undefined;
}

/** The factor by which prices are multiplied for accounts of a group. */
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
  /** What this object is: always `namespace`. */
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
  /** What this object is: always `message`. */
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
  /** What this object is: always `output_text`. */
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
  /** What this object is: always `account`. */
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
  /** What this object is: always `key`. */
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
  /** What this object is: always `custom_tool_call`. */
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
  /** What this object is: always `function_call`. */
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
  /** What this object is: always `output_text`. */
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
  /** What this object is: always `reasoning`. */
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
  /** What this object is: always `text`. */
  type: 'text';
}

/** How the upstream may cache the prompt. Sent to upstreams that speak chat or responses. For Claude, `ttl` sets how long marks are kept: `5m`, or an hour for anything longer. Left out for others, and where nothing is marked. */
export interface PromptCacheOptions {
  /** `implicit`: the upstream decides what to cache. `explicit`: it caches only what a `prompt_cache_breakpoint` marks. Optional; the provider decides if omitted. */
  mode?: 'implicit' | 'explicit' | null | undefined;
  /** How long the upstream should keep the cached prompt, in the format of the upstream. Optional; the provider decides if omitted. At most 512 characters. */
  ttl?: string | null | undefined;
}

/** Reasoning may come before the message, so `output[0]` is not always the answer. */
export interface Reasoning {
  /** What this object is: always `reasoning`. */
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

/** How much the model should reason before it answers; reasoning is charged as output. Each model supports some of the values. Anthropic upstreams take `minimal` as `low`; Gemini upstreams take `xhigh` and `max` as `high`, and from the third generation on `none` as `minimal`. */
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
  /** What this object is: always `reasoning_text`. */
  type: 'reasoning_text';
  /** The reasoning as the model wrote it. */
  text: string;
}

/** A request with all numbers that its charge is computed from. */
export interface Receipt {
  /** What this object is: always `usage`. */
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
  /** What this object is: always `refusal`. */
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
  /** What this object is: always `response.completed`. */
  type: 'response.completed';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** The whole response with its usage. */
  response: ModelResponse;
}

/** A part of a message or of a reasoning item begins. */
export interface ResponseContentPartAddedEvent {
  /** What this object is: always `response.content_part.added`. */
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
  /** What this object is: always `response.content_part.done`. */
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
  /** What this object is: always `response.created`. */
  type: 'response.created';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** The response so far; its output is empty. */
  response: ModelResponse;
}

/** The next piece of the input of a free-form tool. */
export interface ResponseCustomToolCallInputDeltaEvent {
  /** What this object is: always `response.custom_tool_call_input.delta`. */
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
  /** What this object is: always `response.custom_tool_call_input.done`. */
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
  /** What this object is: always `error`. */
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
  /** What this object is: always `response.failed`. */
  type: 'response.failed';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** The incomplete response; `error` gives the reason. */
  response: ModelResponse;
}

/** The next piece of the arguments of a call. */
export interface ResponseFunctionCallArgumentsDeltaEvent {
  /** What this object is: always `response.function_call_arguments.delta`. */
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
  /** What this object is: always `response.function_call_arguments.done`. */
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
  /** What this object is: always `response.in_progress`. */
  type: 'response.in_progress';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** The response so far; its output is empty. */
  response: ModelResponse;
}

/** The last event of an answer that a limit or a filter ended early. */
export interface ResponseIncompleteEvent {
  /** What this object is: always `response.incomplete`. */
  type: 'response.incomplete';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** The incomplete response with its usage; `incomplete_details` gives the reason. */
  response: ModelResponse;
}

/** An item of the output begins. */
export interface ResponseOutputItemAddedEvent {
  /** What this object is: always `response.output_item.added`. */
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
  /** What this object is: always `response.output_item.done`. */
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
  /** What this object is: always `response.output_text.annotation.added`. */
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
  /** What this object is: always `response.output_text.delta`. */
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
  /** What this object is: always `response.output_text.done`. */
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
  /** What this object is: always `response.queued`. */
  type: 'response.queued';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** The response so far; its output is empty. */
  response: ModelResponse;
}

/** A paragraph of the reasoning summary begins. */
export interface ResponseReasoningSummaryPartAddedEvent {
  /** What this object is: always `response.reasoning_summary_part.added`. */
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
  /** What this object is: always `response.reasoning_summary_part.done`. */
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
  /** What this object is: always `response.reasoning_summary_text.delta`. */
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
  /** What this object is: always `response.reasoning_summary_text.done`. */
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
  /** What this object is: always `response.reasoning_text.delta`. */
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
  /** What this object is: always `response.reasoning_text.done`. */
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
  /** What this object is: always `response.refusal.delta`. */
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
  /** What this object is: always `response.refusal.done`. */
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

/** The input, and options for the answer. Null counts as absent. A field that no operation knows is forwarded to OpenAI and Azure, unless it may choose a model, provider, tier, tool or price; otherwise it is left out and named in `x-modelgate-ignored`, unless the operator of the upstream allows it. */
export interface ResponseRequest {
  /** Id of a text model, as `GET /v1/models` lists it. 1 to 512 characters. */
  model: string;
  /** A string, which is one message of the user, or up to 4096 items: messages, calls and their outputs. */
  input: string | InputItem[];
  /** The system prompt of this turn, before the input; send it again in every turn of a conversation. Optional. */
  instructions?: string | null | undefined;
  /** True: the answer comes as Server-Sent Events. Defaults to false. */
  stream?: boolean | null | undefined;
  /** Options of a stream. Optional. */
  stream_options?: {
    /** Whether the upstream pads its events, so that their sizes reveal nothing. Sent to responses upstreams; the gateway itself pads nothing. Optional; the provider decides if omitted. */
    include_obfuscation?: boolean | null | undefined;
  } | null | undefined;
  /** Format and length of the text. Defaults to plain text. */
  text?: TextOptions | null | undefined;
  /** How the model reasons. Defaults to what the model does. */
  reasoning?: ReasoningOptions | null | undefined;
  /** Tools that the model may call, up to 128. Optional. */
  tools?: Tool[] | null | undefined;
  /** Which tools the model may or must call. Defaults to `auto`. */
  tool_choice?: ToolChoice | null | undefined;
  /** Whether the model may make several calls at once. Absent: the upstream decides, usually true. False is 400 over Gemini upstreams. */
  parallel_tool_calls?: boolean | null | undefined;
  /** Id of a stored response of this account to continue; its items and those of earlier turns become input, and are charged as input. `instructions` are not carried over. Absent: a new conversation. 1 to 512 characters. */
  previous_response_id?: string | null | undefined;
  /** Whether the gateway stores the response, so that it can be read and continued, for 30 days unless configured otherwise. Upstreams are told to store nothing. Absent: true, unless the key may not store; then true is 403. */
  store?: boolean | null | undefined;
  /** Whether to answer in the background. Only false is supported: use `stream` for long answers. Defaults to false. */
  background?: boolean | null | undefined;
  /** The most output tokens, reasoning included; an answer that reaches it ends as `incomplete`. Absent: the maximum of the model; when the account cannot pay for that, the gateway sets a limit and reports it in `x-modelgate-output-limit`. At least 16. */
  max_output_tokens?: number | null | undefined;
  /** The most calls of tools that the upstream runs; the price of that many is held. Absent: no limit, and the price of 16 is held. 400 when the upstream does not speak responses. 1 to 10000. */
  max_tool_calls?: number | null | undefined;
  /** Higher is more varied. Defaults to what the model does. Anthropic upstreams take 0 to 1 and refuse more with 400; models that reason may refuse any. 0 to 2. */
  temperature?: number | null | undefined;
  /** Nucleus sampling: only the likeliest tokens are drawn from, up to this share of probability. Defaults to what the model does. 0 to 1. */
  top_p?: number | null | undefined;
  /** How many alternatives to show for each token; needs `message.output_text.logprobs` in `include`. Defaults to 0. Above 0 it is 400 over Anthropic upstreams. 0 to 20. */
  top_logprobs?: number | null | undefined;
  /** Above 0, a token that has occurred in the text becomes less likely, however often it occurred. Defaults to 0. Any other value is 400 over Anthropic upstreams, and some responses upstreams refuse it. -2 to 2. */
  presence_penalty?: number | null | undefined;
  /** Above 0, a token becomes less likely each time that it has occurred in the text. Defaults to 0. Any other value is 400 over Anthropic upstreams, and some responses upstreams refuse it. -2 to 2. */
  frequency_penalty?: number | null | undefined;
  /** @deprecated there is no replacement. What a responses upstream does when the input is too long: `auto` drops the oldest items, `disabled` refuses. Absent: `disabled`. Others are not sent it. */
  truncation?: 'auto' | 'disabled' | null | undefined;
  /** How a responses upstream shortens a conversation that grows too long; up to 16 entries. Others are not sent it. Absent: not at all. */
  context_management?: Array<{
    /** The action on the conversation, such as `compaction`. At most 512 characters. */
    type: string;
    /** The number of input tokens that triggers it. Optional; the provider decides if omitted. */
    compact_threshold?: number | null | undefined;
  }> | null | undefined;
  /** Extra output, such as `reasoning.encrypted_content` or `message.output_text.logprobs`; up to 32 names. What an upstream cannot provide is left out and named in `x-modelgate-ignored`. Optional. */
  include?: string[] | null | undefined;
  /** Metadata of the caller, which the response repeats. Optional. It does not change the answer; Anthropic and Gemini upstreams are not sent it. */
  metadata?: Metadata | null | undefined;
  /** Private metadata of a coding agent; accepted, not logged and not forwarded. Names have up to 256 characters. Optional. */
  client_metadata?: { [key: string]: unknown; } | null | undefined;
  /** Name of a conversation. When a model has several upstreams, calls with the same name go to the same one, for cache hits. Optional. It does not change the answer; Anthropic and Gemini upstreams are not sent it. At most 64 characters. */
  prompt_cache_key?: string | null | undefined;
  /** @deprecated use `prompt_cache_options`. How long the upstream should keep a cached prompt. Left out for Gemini upstreams; for Claude, `24h` keeps marks for an hour. */
  prompt_cache_retention?: 'in_memory' | 'in-memory' | '24h' | null | undefined;
  /** How the upstream may cache the prompt. Optional; the provider decides if omitted. */
  prompt_cache_options?: PromptCacheOptions | null | undefined;
  /** An opaque id of the end user, so that the vendor can find a user who breaks its rules. Optional. It does not change the answer; Anthropic and Gemini upstreams are not sent it. At most 64 characters. */
  safety_identifier?: string | null | undefined;
  /** Processing tier to ask the upstream for. Defaults to `auto`. */
  service_tier?: ServiceTier | null | undefined;
  /** How the upstream handles images of the conversation, in its own format. Sent to upstreams that speak responses, and named in `x-modelgate-ignored` elsewhere. Optional; the provider decides if omitted. */
  image?: { [key: string]: unknown; } | null | undefined;
  /** Asks for the cost of the call in the response. Not sent to upstreams. Absent: the response has no cost. */
  usage?: UsageOptions | null | undefined;
  /** @deprecated use `safety_identifier` and `prompt_cache_key`. Optional. It does not change the answer; Anthropic and Gemini upstreams are not sent it. At most 512 characters. */
  user?: string | null | undefined;
  /** Asks the upstream to moderate the texts of the call. Absent: the upstream does what it does by default. */
  moderation?: TextModeration | null | undefined;
}

/** `queued`, `in_progress`: in the first events of a stream. `completed`: a natural end. `incomplete`: ended early, see `incomplete_details`. `failed`: see `error`. `cancelled`: stopped by the upstream. */
export type ResponseStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';

/** One event of a responses stream. It begins with `response.created` and ends with exactly one of `response.completed`, `response.incomplete` and `response.failed`; then comes `data: [DONE]`. */
export type ResponseStreamEvent = ResponseCreatedEvent | ResponseQueuedEvent | ResponseInProgressEvent | ResponseCompletedEvent | ResponseIncompleteEvent | ResponseFailedEvent | ResponseOutputItemAddedEvent | ResponseOutputItemDoneEvent | ResponseContentPartAddedEvent | ResponseContentPartDoneEvent | ResponseOutputTextDeltaEvent | ResponseOutputTextDoneEvent | ResponseOutputTextAnnotationAddedEvent | ResponseRefusalDeltaEvent | ResponseRefusalDoneEvent | ResponseFunctionCallArgumentsDeltaEvent | ResponseFunctionCallArgumentsDoneEvent | ResponseCustomToolCallInputDeltaEvent | ResponseCustomToolCallInputDoneEvent | ResponseReasoningSummaryPartAddedEvent | ResponseReasoningSummaryPartDoneEvent | ResponseReasoningSummaryTextDeltaEvent | ResponseReasoningSummaryTextDoneEvent | ResponseReasoningTextDeltaEvent | ResponseReasoningTextDoneEvent | HostedToolEvent | KeepaliveEvent | ResponseErrorEvent;

/** What the response used, in tokens, as the upstream counted it. */
export interface ResponseUsage {
  /** Tokens of the input, including earlier turns of the conversation and tokens read from a cache. */
  input_tokens: number;
  /** Parts of `input_tokens`. Absent when the upstream reports none. */
  input_tokens_details?: {
    /** Tokens that were read from a cache of the upstream; charged at the price of cached input. */
    cached_tokens: number;
    /** Tokens that were written to a cache of the upstream; charged at the price of cache writes. Omitted if none. */
    cache_write_tokens?: number | null | undefined;
  } | null | undefined;
  /** Tokens of the output, reasoning included. */
  output_tokens: number;
  /** Parts of `output_tokens`. Absent when the upstream reports none. */
  output_tokens_details?: {
    /** Reasoning tokens; charged as output. */
    reasoning_tokens: number;
  } | null | undefined;
  /** The sum of `input_tokens` and `output_tokens`. */
  total_tokens: number;
  /** Dollars charged. Absent unless `usage: { include: true }` asked for it and calls are charged. */
  cost?: number | undefined;
}

/** Processing tier to ask the upstream for; the answer says which one was used. When calls are charged, only `auto` and `default` are accepted, unless the model is free: prices apply to the default tier. Anthropic and Gemini upstreams are not sent it. */
export type ServiceTier = 'auto' | 'default' | 'flex' | 'scale' | 'priority' | 'fast' | 'ultrafast';

/** US dollars as a string, with six decimal places; may be negative. */
export type SignedDollars = string;

/** One page of the money in and out of an account, newest first. */
export interface Statement {
  /** What this object is: always `list`. */
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
  /** What this object is: always `summary_text`. */
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

/** The text format of the request, as the upstream repeats it. */
export interface TextFormatEcho {
  /** Kind of the format: `text`, `json_object` or `json_schema`. */
  type: string;
}

/** Moderation of a text call by the upstream. Anthropic and Gemini upstreams refuse it with 400. In image requests `moderation` is a string instead. */
export interface TextModeration {
  /** Id of a moderation model of the upstream. At most 512 characters. */
  model: string;
  /** The moderation policy, in the format of the upstream. Absent: the default policy of the model. */
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

/** A tool of the request, as the upstream repeats it. */
export interface ToolEcho {
  /** Kind of the tool, such as `function` or `web_search`. */
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
  /** What this object is: always `tool_search_call`. */
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
  /** What this object is: always `tool_search_output`. */
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
  /** What this object is: always `list`. */
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

/** Asks for `usage.cost`: in the usage of a complete response, or of the last event of a stream, which then always has its usage. */
export interface UsageOptions {
  /** Whether `usage.cost` is in the response. Defaults to false. */
  include?: boolean | null | undefined;
}

/** One request that was charged or has money held. */
export interface UsageRecord {
  /** What this object is: always `usage`. */
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
  /** What this object is: always `usage_summary`. */
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

/** How long the answer should be. Sent to upstreams that speak chat or responses; Anthropic and Gemini upstreams have no such option and are not sent it. */
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

/** The shapes of the contract: what is sent, and what comes back. */
// Generated from the contract by `node docs/client.ts`; do not edit.

/** What the gateway carries to and from the model. How well the model makes use of it is its own affair. */
export interface Abilities {
  /** Function tools, and free-form tools such as `apply_patch`. */
  tools: boolean;
  /** Tools that the upstream runs itself, such as a web search. */
  hosted_tools: boolean;
  /** Whether a caller can say if there may be several calls at once. */
  parallel_tool_calls: boolean;
  /** Whether it takes pictures: in messages, or to change them. */
  image_input: boolean;
  /** What an answer can be held to: a JSON schema, any JSON object, or neither. */
  structured_output: 'schema' | 'json' | 'none';
  /** Whether a caller can say how much it should think. */
  reasoning_effort: boolean;
}

/** Tools that a coding agent declares inside the input. Upstreams without such items are sent them with the other tools. */
export interface AdditionalTools {
  /** What this object is: always `additional_tools`. */
  type: 'additional_tools';
  /** Who speaks: `developer`, or absent; nothing depends on it. */
  role?: 'developer' | null | undefined;
  /** Tools that the model may call from here on, up to 128. */
  tools: Tool[];
  /** Id of the item, the client’s own or that of an earlier answer. Taken, and not sent on: upstreams know no ids of others. Absent: a stored item is given one. 1 to 512 characters. */
  id?: string | null | undefined;
  /** How far the item was when it was answered; nothing depends on it, so it may be absent. */
  status?: ItemStatus | null | undefined;
}

/** A tool of the request, named as it is there. */
export interface AllowedTool {
  /** What kind of tool is named: `function` and `custom` with a `name`, others by their type alone. At most 512 characters. */
  type: string;
}

/** A subset of the tools of the request. */
export interface AllowedTools {
  /** What this object is: always `allowed_tools`. */
  type: 'allowed_tools';
  /** `auto`: the model may call one of them or answer. `required`: it has to call one of them. */
  mode: 'auto' | 'required';
  /** The tools that may be called: 1 to 128. */
  tools: AllowedTool[];
}

/** A piece of sound: its bytes as base64, and what they are. */
export interface AudioClip {
  /** The recording in plain base64, without the head of a data URL. */
  data: string;
  /** How `data` is encoded. */
  format: 'wav' | 'mp3';
}

/** Models of the catalog. Which of them a key can call, `GET /v1/models` says. */
export interface CatalogList {
  /** What this object is: always `list`. */
  object: 'list';
  /** The models, in a stable order. */
  data: CatalogModel[];
}

/** One model, for whoever chooses. */
export interface CatalogModel {
  /** Model id to put into requests. */
  id: string;
  /** What this object is: always `model`. */
  object: 'model';
  /** Where the model comes from: what its operator says, else the name of its upstream. */
  owned_by: string;
  /** `text` answers chat and responses, `image` draws. */
  kind: 'text' | 'image';
  /** Groups of accounts that may call it, and what its prices are multiplied with for each. */
  groups: Array<{
    /** Name of the group. */
    name: string;
    /** What the prices are multiplied with for accounts of this group. */
    multiplier: Multiplier;
  }>;
  /** What a call costs. Null where calls are not charged. */
  prices: CatalogPrices | null;
  /** Tokens that it takes, answer included. Null where that is not known. */
  context_window: number | null;
  /** Most tokens of one answer, by which its price is reckoned where a call sets no limit. Null for pictures. */
  max_output_tokens: number | null;
  /** What it can be called by. */
  protocols: Array<'chat' | 'responses' | 'images'>;
  /** What a call of it can ask for. */
  abilities: Abilities;
}

/** `free`, prices by the million tokens, or prices by the picture; all before the multiplier of a group. */
export type CatalogPrices = 'free' | TokenPrices | ImagePrices;

/** A subset of the tools of the request. */
export interface ChatAllowedTools {
  /** What this object is: always `allowed_tools`. */
  type: 'allowed_tools';
  /** The subset, and whether one of it has to be called. */
  allowed_tools: {
    /** `auto`: the model may call one of them or answer. `required`: it has to call one of them. */
    mode: 'auto' | 'required';
    /** The tools that may be called, by name: 1 to 128. */
    tools: ChatNamedChoice[];
  };
}

/** A source of a piece of the text, found by a search of the upstream. */
export interface ChatAnnotation {
  /** Kind of the annotation: `url_citation`, or one that the upstream invented. */
  type: string;
  /** The page that a piece of the text rests on. Absent for other kinds. */
  url_citation?: {
    /** Address of the page. */
    url: string;
    /** Title of the page. */
    title: string;
    /** Where the quoted piece of `content` begins, in characters from 0. */
    start_index: number;
    /** Where it ends, in characters from 0. */
    end_index: number;
  } | null | undefined;
}

/** A call of a free-form tool, for the caller to run. */
export interface ChatAnsweredCustomCall {
  /** Id of the call; it goes back as `tool_call_id`. */
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

/** The function that the model calls, and with what. */
export interface ChatAnsweredFunction {
  /** Name of the function, as the request declared it. */
  name: string;
  /** JSON as the model wrote it: check it before use. */
  arguments: string;
}

/** A call of a function, for the caller to run. */
export interface ChatAnsweredFunctionCall {
  /** Id of the call; it goes back as `tool_call_id`. */
  id: string;
  /** What this object is: always `function`. */
  type: 'function';
  /** The function to run. */
  function: ChatAnsweredFunction;
}

/** What the model says or calls. It can be appended to `messages` as it is. */
export interface ChatAnsweredMessage {
  /** Who speaks: always `assistant`. */
  role: 'assistant';
  /** The text of the answer; null when the model only calls tools or refuses. */
  content?: string | null | undefined;
  /** Why the model does not answer. Null where it does. */
  refusal?: string | null | undefined;
  /** Sources of the text. Empty or absent: none. */
  annotations?: ChatAnnotation[] | null | undefined;
  /** Calls for the caller to run. Absent: none. */
  tool_calls?: ChatAnsweredToolCall[] | null | undefined;
  /** @deprecated send `tools` and read `tool_calls`. The one call that is answered to `functions`; absent otherwise. */
  function_call?: ChatAnsweredFunction | null | undefined;
  /** The spoken answer. Absent unless `modalities` asked for audio. */
  audio?: {
    /** Id to name this recording by in a later turn. */
    id: string;
    /** The recording in plain base64, encoded as `audio.format` of the request says. */
    data: string;
    /** When the upstream forgets the id, in seconds since 1970-01-01 UTC. */
    expires_at: number;
    /** What is said in the recording. */
    transcript: string;
  } | null | undefined;
}

/** A call for the caller to run; its `id` goes back as `tool_call_id`. */
export type ChatAnsweredToolCall = ChatAnsweredFunctionCall | ChatAnsweredCustomCall;

/** An earlier answer; carries text, a refusal, audio or calls. */
export interface ChatAssistantMessage {
  /** Who speaks: always `assistant`. */
  role: 'assistant';
  /** What the assistant said: a string, or up to 1024 parts of text and refusal. Null or absent only beside `tool_calls`, `refusal`, `audio` or `function_call`. */
  content?: string | ChatAssistantPart[] | null | undefined;
  /** What the assistant said when it refused. Absent: it did not refuse. */
  refusal?: string | null | undefined;
  /** Names a spoken answer of an earlier turn. Only upstreams that speak chat take it; others refuse it with 400. Absent: none was spoken. */
  audio?: {
    /** The `audio.id` of that answer. 1 to 512 characters. */
    id: string;
  } | null | undefined;
  /** The calls that it made, up to 128. Absent: none. */
  tool_calls?: ChatToolCall[] | null | undefined;
  /** @deprecated use `tool_calls`. The one call of the older form; a `function` message answers it. */
  function_call?: ChatCalledFunction | null | undefined;
  /** Tells participants of the same role apart; up to 512 characters. A model that is served over responses refuses it with 400, Anthropic and Gemini upstreams are not sent it. Absent: none. */
  name?: string | null | undefined;
}

/** A piece of an earlier answer. */
export type ChatAssistantPart = ChatTextPart | ChatRefusalPart;

/** How a spoken answer sounds. Only upstreams that speak chat give one; others refuse it with 400. */
export interface ChatAudioOptions {
  /** Name of a voice of the upstream, or an object that names a custom one. */
  voice: string | { [key: string]: unknown; };
  /** How the recording in the answer is encoded. */
  format: 'wav' | 'aac' | 'mp3' | 'flac' | 'opus' | 'pcm16';
}

/** A recording that a user plays. Anthropic and Gemini upstreams take none: 400. */
export interface ChatAudioPart {
  /** What this object is: always `input_audio`. */
  type: 'input_audio';
  /** The recording. */
  input_audio: AudioClip;
  /** Marks the end of a part of the prompt that the upstream may cache. Sent where the upstream speaks the protocol of this call, left out elsewhere. Absent: no mark. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** The function that was called in an earlier turn, and with what. */
export interface ChatCalledFunction {
  /** Name of the function that was called. At most 512 characters. */
  name: string;
  /** JSON as the model wrote it; it may be malformed. Anthropic and Gemini upstreams need a JSON object or an empty text: another one is 400. */
  arguments: string;
}

/** The text is in `choices[0].message.content`. */
export interface ChatCompletion {
  /** Id of the answer, the same in all of its chunks. It cannot be asked for later: nothing is stored. */
  id: string;
  /** What this object is: always `chat.completion`. */
  object: 'chat.completion';
  /** Seconds since 1970-01-01 UTC. */
  created: number;
  /** Id of the model that answered, as the request has it. */
  model: string;
  /** The answers: one, or as many as `n`. */
  choices: Array<{
    /** Which of the `n` answers this is, from 0. */
    index: number;
    /** The answer itself. */
    message: ChatAnsweredMessage;
    /** Why the answer ended. */
    finish_reason: FinishReason;
    /** How sure the model was of each token. Null or absent unless `logprobs` asked for it. */
    logprobs?: ChatLogprobs | null | undefined;
  }>;
  /** What all of them used. Absent where the upstream tells nothing. */
  usage?: ChatUsage | null | undefined;
  /** The processing tier that was used. Absent where the upstream does not say it. */
  service_tier?: string | null | undefined;
  /** Name of the set-up that answered, for who compares answers by `seed`. Absent where the upstream does not say it. */
  system_fingerprint?: string | null | undefined;
}

/** One `data:` line of a chat stream. The stream ends with `data: [DONE]`; one that fails ends with `data: {"error": …}` instead. */
export interface ChatCompletionChunk {
  /** Id of the answer, the same in all of its chunks. It cannot be asked for later: nothing is stored. */
  id: string;
  /** What this object is: always `chat.completion.chunk`. */
  object: 'chat.completion.chunk';
  /** Seconds since 1970-01-01 UTC. */
  created: number;
  /** Id of the model that answered, as the request has it. */
  model: string;
  /** Empty in the chunk that carries the usage. */
  choices: Array<{
    /** Which of the `n` answers this is, from 0. */
    index: number;
    /** What this chunk adds to its answer. */
    delta: ChatDelta;
    /** Why the answer ended: on its last chunk, null before. */
    finish_reason?: FinishReason | null | undefined;
    /** How sure the model was of each token. Null or absent unless `logprobs` asked for it. */
    logprobs?: ChatLogprobs | null | undefined;
  }>;
  /** What the answers used: in the last chunk, null before. Absent unless `stream_options.include_usage` asked for it. */
  usage?: ChatUsage | null | undefined;
  /** The processing tier that was used. Absent where the upstream does not say it. */
  service_tier?: string | null | undefined;
  /** Name of the set-up that answered, for who compares answers by `seed`. Absent where the upstream does not say it. */
  system_fingerprint?: string | null | undefined;
}

/** A conversation and how it is to go on. Null counts as absent. A field that no operation knows is left out and named in `x-modelgate-ignored`, unless the operator of the upstream allows it. */
export interface ChatCompletionRequest {
  /** Id of a text model, as `GET /v1/models` lists it. 1 to 512 characters. */
  model: string;
  /** The conversation, oldest first: 1 to 4096 messages. */
  messages: ChatMessage[];
  /** True: the answer comes as Server-Sent Events. Absent: false. */
  stream?: boolean | null | undefined;
  /** Tools that the model may call, up to 128; the caller runs them. Absent: none. Upstreams without free-form tools are sent those as functions of one text. */
  tools?: ChatTool[] | null | undefined;
  /** Which tools the model may or must call. Absent: `auto` with tools, `none` without. */
  tool_choice?: ChatToolChoice | null | undefined;
  /** Form of the answer. Absent: plain text. */
  response_format?: ChatResponseFormat | null | undefined;
  /** How much the model should think. Absent: the model’s own. Chat shows no thoughts, but they count as output tokens. */
  reasoning_effort?: ReasoningEffort | null | undefined;
  /** Most output tokens, reasoning included; an answer that is cut by it ends with `length`. Absent: what the model can; where the account cannot pay for that, the gateway sets a limit and names it in `x-modelgate-output-limit`. Where the model is served over responses, less than 16 becomes 16. At least 1. */
  max_completion_tokens?: number | null | undefined;
  /** Options of a stream; 400 without `stream: true`. Absent: none. */
  stream_options?: {
    /** Whether one more chunk, with the usage and no choices, comes before `[DONE]`. Absent: false. */
    include_usage?: boolean | null | undefined;
    /** Whether the upstream pads its chunks, so that their sizes tell nothing. Sent to upstreams that speak chat; the gateway itself pads nothing. Absent: the upstream decides. */
    include_obfuscation?: boolean | null | undefined;
  } | null | undefined;
  /** Higher is more varied. Absent: the model’s own. Anthropic upstreams take 0 to 1 and refuse more with 400; models that reason may refuse any. 0 to 2. */
  temperature?: number | null | undefined;
  /** Nucleus sampling: only the likeliest tokens are drawn from, up to this share of probability. Absent: the model’s own. 0 to 1. */
  top_p?: number | null | undefined;
  /** The older name of `max_completion_tokens`, with the same meaning; send one of the two, both are 400. Absent: as `max_completion_tokens` says. At least 1. */
  max_tokens?: number | null | undefined;
  /** Number of answers, each of which is charged. Absent: 1. More than one only where the upstream speaks chat; others refuse it with 400. 1 to 128. */
  n?: number | null | undefined;
  /** Up to four texts that end the answer, each up to 1,024 characters; none of them is part of it. Absent: none. Refused with 400 where the model is served over responses. */
  stop?: string | string[] | null | undefined;
  /** Above 0, tokens become the less likely the more often they stood in the text before. Absent: 0. Any other value is 400 over responses and Anthropic upstreams. -2 to 2. */
  frequency_penalty?: number | null | undefined;
  /** Above 0, tokens that stood in the text before become less likely, once for all. Absent: 0. Any other value is 400 over responses and Anthropic upstreams. -2 to 2. */
  presence_penalty?: number | null | undefined;
  /** Token id to a bias from -100 (never) to 100 (always). Absent: none. Refused with 400 unless the upstream speaks chat. */
  logit_bias?: { [key: string]: number; } | null | undefined;
  /** Whether to return log probabilities of the output tokens. Absent: false. True is 400 over Anthropic upstreams. */
  logprobs?: boolean | null | undefined;
  /** How many alternatives to show for each token; needs `logprobs: true`. Absent: 0. 0 to 20. */
  top_logprobs?: number | null | undefined;
  /** @deprecated there is nothing in its place. Best effort to repeat an answer. Left out where the model is served over responses, and named in `x-modelgate-ignored`; Anthropic upstreams refuse it with 400, Gemini upstreams take whole numbers. */
  seed?: number | null | undefined;
  /** Whether the model may make several calls at once. Absent: the upstream decides, usually true. False is 400 over Gemini upstreams. */
  parallel_tool_calls?: boolean | null | undefined;
  /** @deprecated use `tools`. Who sends these alone gets at most one call, as `function_call`. At most 128 entries. */
  functions?: Array<{
    /** Name of the function. At most 512 characters. */
    name: string;
    /** What the function does; the model reads this. Absent: nothing is said. */
    description?: string | null | undefined;
    /** JSON schema of the arguments. Absent: no arguments. */
    parameters?: { [key: string]: unknown; } | null | undefined;
  }> | null | undefined;
  /** @deprecated use `tool_choice`. */
  function_call?: 'none' | 'auto' | ChatFunctionName | null | undefined;
  /** A form of `reasoning_effort` that bridge tools send: `reasoning.effort` counts as `reasoning_effort`. Whatever else is in it is not looked at. Absent: as `reasoning_effort` says. */
  reasoning?: {
    /** Counts as `reasoning_effort` where that is absent. */
    effort?: ReasoningEffort | null | undefined;
  } | null | undefined;
  /** How long the answer should be. Absent: the model’s own, usually `medium`. */
  verbosity?: Verbosity | null | undefined;
  /** What the answer is made of. Absent: text. `audio` needs `audio`, and is 400 unless the upstream speaks chat. At most 2 entries. */
  modalities?: Array<'text' | 'audio'> | null | undefined;
  /** How a spoken answer sounds. Absent: nothing is spoken; it is needed when `modalities` has `audio`. */
  audio?: ChatAudioOptions | null | undefined;
  /** A text that most of the answer is expected to repeat, which makes it faster. Absent: none. Refused with 400 unless the upstream speaks chat. */
  prediction?: {
    /** What this object is: always `content`. */
    type: 'content';
    /** The text that is expected: a string, or up to 1,024 parts. */
    content: string | ChatTextPart[];
  } | null | undefined;
  /** Whether the answer is to be kept, which chat never does: upstreams are told to keep nothing, and true is named in `x-modelgate-ignored`. Absent: false. */
  store?: boolean | null | undefined;
  /** Notes of the caller for the upstream; the gateway does not use them. Absent: none. It changes no answer; Anthropic and Gemini upstreams are not sent it. */
  metadata?: Metadata | null | undefined;
  /** @deprecated use `safety_identifier` and `prompt_cache_key`. Absent: none. It changes no answer; Anthropic and Gemini upstreams are not sent it. At most 512 characters. */
  user?: string | null | undefined;
  /** An opaque name of the person behind the request, by which the vendor can tell whoever breaks its rules. Absent: none. It changes no answer; Anthropic and Gemini upstreams are not sent it. At most 64 characters. */
  safety_identifier?: string | null | undefined;
  /** Name of a conversation. Calls with one name are kept at one upstream where a model has several, so that its cache hits. Absent: none. It changes no answer; Anthropic and Gemini upstreams are not sent it. At most 64 characters. */
  prompt_cache_key?: string | null | undefined;
  /** @deprecated use `prompt_cache_options`. How long the upstream should keep a cached prompt; left out for Anthropic and Gemini upstreams. */
  prompt_cache_retention?: 'in_memory' | 'in-memory' | '24h' | null | undefined;
  /** How the upstream may cache the prompt. Absent: it decides. */
  prompt_cache_options?: PromptCacheOptions | null | undefined;
  /** Processing tier to ask the upstream for. Absent: `auto`. */
  service_tier?: ServiceTier | null | undefined;
  /** Lets the upstream search the web. Absent: it does not. Charged as one call of `web_search_call`, and 400 where that has no price; unless it is empty, it is also 400 where the upstream does not speak chat. An empty one is left out there, named in `x-modelgate-ignored`, and costs nothing. */
  web_search_options?: {
    /** How much of what was found the model reads. Absent: the upstream decides, usually `medium`. */
    search_context_size?: 'low' | 'medium' | 'high' | null | undefined;
    /** Roughly where the user is, in the words of the upstream. Absent: nowhere in particular. */
    user_location?: { [key: string]: unknown; } | null | undefined;
  } | null | undefined;
  /** Has the upstream judge the texts of the call. Absent: as it does anyway. */
  moderation?: TextModeration | null | undefined;
}

/** A free-form tool by its name. */
export interface ChatCustomChoice {
  /** What this object is: always `custom`. */
  type: 'custom';
  /** Names the free-form tool. */
  custom: ChatNamedTool;
}

/** A tool that takes free text instead of JSON arguments, run by the caller. Upstreams that know functions alone are sent a function of one text; the call comes back as `custom`. */
export interface ChatCustomTool {
  /** What this object is: always `custom`. */
  type: 'custom';
  /** The tool itself. */
  custom: {
    /** Name that the model calls it by. */
    name: ToolName;
    /** What the tool does and when to use it; the model reads this. Absent: nothing is said. */
    description?: string | null | undefined;
    /** What text the tool takes. Absent: any. */
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

/** What the input of the tool has to look like. */
export type ChatCustomToolFormat = PlainTextFormat | ChatGrammarFormat;

/** What a chunk adds to its answer; empty on the one that ends it. */
export interface ChatDelta {
  /** Who speaks: `assistant`, on the first chunk of an answer alone, absent on the others. */
  role?: 'assistant' | 'developer' | 'system' | 'user' | 'tool' | null | undefined;
  /** The next piece of the text. Absent where this chunk brings none. */
  content?: string | null | undefined;
  /** The next piece of a refusal. Absent where this chunk brings none. */
  refusal?: string | null | undefined;
  /** Where the text is from. Absent where this chunk brings none. */
  annotations?: ChatAnnotation[] | null | undefined;
  /** The next pieces of calls. Absent where this chunk brings none. */
  tool_calls?: ChatToolCallDelta[] | null | undefined;
  /** @deprecated send `tools` and read `tool_calls`. The next piece of the one call that is answered to `functions`. */
  function_call?: ChatFunctionDelta | null | undefined;
}

/** A document that a user hands over. */
export interface ChatFilePart {
  /** What this object is: always `file`. */
  type: 'file';
  /** The file: either its data or its id. */
  file: {
    /** Name of the file, up to 512 characters. Absent: the model is told none. */
    filename?: string | null | undefined;
    /** The file as a data URL. Anthropic upstreams take PDF and plain text alone, another kind is 400. Absent only beside `file_id`. */
    file_data?: string | null | undefined;
    /** Id of a file that lies at the upstream, in place of `file_data`. The gateway has no Files API; Anthropic and Gemini upstreams refuse an id with 400. Absent: the file is in `file_data`. 1 to 512 characters. */
    file_id?: string | null | undefined;
  };
  /** Marks the end of a part of the prompt that the upstream may cache. Sent where the upstream speaks the protocol of this call, left out elsewhere. Absent: no mark. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** A function by its name. */
export interface ChatFunctionChoice {
  /** What this object is: always `function`. */
  type: 'function';
  /** Names the function. */
  function: ChatNamedTool;
}

/** What the model is told about a function. */
export interface ChatFunctionDefinition {
  /** Name that the model calls it by. */
  name: ToolName;
  /** What the tool does and when to use it; the model reads this. Absent: nothing is said. */
  description?: string | null | undefined;
  /** JSON schema of the arguments, at most 64 levels deep. Absent: no arguments. */
  parameters?: { [key: string]: unknown; } | null | undefined;
  /** Whether the arguments must follow the schema exactly. Absent: false. */
  strict?: boolean | null | undefined;
}

/** A piece of a function call: its name once, its arguments bit by bit. */
export interface ChatFunctionDelta {
  /** Name of the function; on the first piece alone, absent on the others. */
  name?: string | undefined;
  /** The next piece of the JSON of the arguments. Absent where this chunk brings none. */
  arguments?: string | undefined;
}

/** @deprecated use the role `tool`. The result of a `function_call`. */
export interface ChatFunctionMessage {
  /** Who speaks: always `function`. */
  role: 'function';
  /** Name of the function that was called; the older form knows no ids. At most 512 characters. */
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
    /** The grammar that the input has to follow. Upstreams without free-form tools cannot enforce it; there the model is told of it. Not empty. */
    definition: string;
  };
}

/** A picture that a user shows. */
export interface ChatImagePart {
  /** What this object is: always `image_url`. */
  type: 'image_url';
  /** The picture: an object on chat, where responses have a string. */
  image_url: {
    /** A data URL, or an https address where the upstream can fetch it. The gateway never fetches it. Gemini upstreams take data URLs alone: an address is 400. Not empty. */
    url: string;
    /** How closely the model looks at the picture; a closer look costs more input tokens. Absent: `auto`. Not sent to Anthropic and Gemini upstreams. */
    detail?: 'auto' | 'low' | 'high' | 'original' | null | undefined;
  };
  /** Marks the end of a part of the prompt that the upstream may cache. Sent where the upstream speaks the protocol of this call, left out elsewhere. Absent: no mark. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** Sets the behaviour of the assistant. It may stand anywhere in the conversation. */
export interface ChatInstructionMessage {
  /** Both mean the same here. Upstreams that do not know `developer` are sent `system`; others keep instructions in a place of their own. */
  role: 'system' | 'developer';
  /** The instructions: a string, or 1 to 1024 parts of text. */
  content: string | ChatTextPart[];
  /** Tells participants of the same role apart; up to 512 characters. A model that is served over responses refuses it with 400, Anthropic and Gemini upstreams are not sent it. Absent: none. */
  name?: string | null | undefined;
}

/** JSON that follows a schema of the caller. A vendor of chat may know no schemas: then 400. */
export interface ChatJsonSchemaFormat {
  /** What this object is: always `json_schema`. */
  type: 'json_schema';
  /** The schema and what is said about it. */
  json_schema: {
    /** A name for the form, which the model may see. */
    name: string;
    /** What the form is for; the model reads this. Absent: nothing is said. */
    description?: string | null | undefined;
    /** JSON schema of the answer, at most 64 levels deep. Absent: any JSON. */
    schema?: { [key: string]: unknown; } | null | undefined;
    /** Whether the answer must follow the schema exactly. Absent: false. Anthropic and Gemini upstreams make no difference: they always hold to it. */
    strict?: boolean | null | undefined;
  };
}

/** How sure the model was of each token. */
export interface ChatLogprobs {
  /** Each token of the text. Null where there is no text. */
  content?: ChatTokenLogprob[] | null | undefined;
  /** Each token of a refusal. Null where there is none. */
  refusal?: ChatTokenLogprob[] | null | undefined;
}

/** One message of a conversation, told apart by its `role`. */
export type ChatMessage = ChatInstructionMessage | ChatUserMessage | ChatAssistantMessage | ChatToolMessage | ChatFunctionMessage;

/** One tool, by its name. */
export type ChatNamedChoice = ChatFunctionChoice | ChatCustomChoice;

/** A tool of the request, by its name. */
export interface ChatNamedTool {
  /** Name of a tool of this request. */
  name: ToolName;
}

/** A refusal of an earlier answer, passed back as a part. */
export interface ChatRefusalPart {
  /** What this object is: always `refusal`. */
  type: 'refusal';
  /** What the model said when it refused. */
  refusal: string;
}

/** Form of the answer. On responses this is `text.format`, one level flatter. */
export type ChatResponseFormat = PlainTextFormat | JsonObjectFormat | ChatJsonSchemaFormat;

/** A piece of text in a message. */
export interface ChatTextPart {
  /** What this object is: always `text`. */
  type: 'text';
  /** The text itself. It may be empty. */
  text: string;
  /** Marks the end of a part of the prompt that the upstream may cache. Sent where the upstream speaks the protocol of this call, left out elsewhere. Absent: no mark. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** A token of the answer, and how likely it was. */
export interface ChatTokenLogprob {
  /** The token as text. */
  token: string;
  /** Natural logarithm of its probability, at most 0. */
  logprob: number;
  /** The token as UTF-8 bytes; a character may be spread over several tokens. Null where it has none. */
  bytes?: number[] | null | undefined;
  /** The likeliest tokens at this place, as many as `top_logprobs` of the request; empty for 0. */
  top_logprobs: ChatTopLogprob[];
}

/** A tool that the model may call and the caller runs. */
export type ChatTool = ChatFunctionTool | ChatCustomTool;

/** A call that the model made in an earlier turn. Its result has to follow in a `tool` message before anybody else speaks. */
export type ChatToolCall = ChatFunctionToolCall | ChatCustomToolCall;

/** `id`, `type` and the name come once, on the first piece of a call. */
export interface ChatToolCallDelta {
  /** Which call this piece belongs to, from 0 without a gap. 0 to 127. */
  index: number;
  /** Id of the call; on its first piece alone, absent on the others. */
  id?: string | undefined;
  /** What is called; on the first piece alone, absent on the others. */
  type?: 'function' | 'custom' | undefined;
  /** Piece of a call of a function. Absent for a free-form tool. */
  function?: ChatFunctionDelta | undefined;
  /** Piece of a call of a free-form tool. Absent for a function. */
  custom?: {
    /** Name of the tool; on the first piece alone, absent on the others. */
    name?: string | undefined;
    /** The next piece of its text. Absent where this chunk brings none. */
    input?: string | undefined;
  } | undefined;
}

/** `none`: no call. `auto`: the model decides. `required`: at least one call. Or one tool by name, which then has to be called, or a subset of the tools. */
export type ChatToolChoice = 'none' | 'auto' | 'required' | ChatToolSelection;

/** The result of a tool call. */
export interface ChatToolMessage {
  /** Who speaks: always `tool`. */
  role: 'tool';
  /** What the tool gave back: a string, or 1 to 1024 parts of text. */
  content: string | ChatTextPart[];
  /** Id of the call that this answers. One that no open call has is 400. 1 to 512 characters. */
  tool_call_id: string;
}

/** One tool by its name, or a subset of them. */
export type ChatToolSelection = ChatFunctionChoice | ChatCustomChoice | ChatAllowedTools;

/** A token that could have stood there, and how likely it was. */
export interface ChatTopLogprob {
  /** The other token as text. */
  token: string;
  /** Natural logarithm of its probability, at most 0. */
  logprob: number;
  /** The token as UTF-8 bytes; a character may be spread over several tokens. Null where it has none. */
  bytes?: number[] | null | undefined;
}

/** What the answer used, in tokens, as the upstream counted it. Where it tells nothing, only the receipt has a count. */
export interface ChatUsage {
  /** Tokens of the input, those read from a cache included. */
  prompt_tokens: number;
  /** Tokens of the output, reasoning included. */
  completion_tokens: number;
  /** The sum of `prompt_tokens` and `completion_tokens`. */
  total_tokens: number;
  /** Parts of `prompt_tokens`. Absent where the upstream tells none. */
  prompt_tokens_details?: {
    /** Tokens that were read from a cache of the upstream; charged at the price of cached input. Absent: none. */
    cached_tokens?: number | null | undefined;
    /** Tokens that were written to a cache of the upstream; charged at the price of cache writes. Absent: none. */
    cache_write_tokens?: number | null | undefined;
    /** Tokens that were heard in recordings. Absent: none, or not told apart. */
    audio_tokens?: number | null | undefined;
  } | null | undefined;
  /** Parts of `completion_tokens`. Absent where the upstream tells none. */
  completion_tokens_details?: {
    /** Tokens that were spent on thoughts; charged as output. Absent: none, or not told apart. */
    reasoning_tokens?: number | null | undefined;
    /** Tokens that were spoken. Absent: none, or not told apart. */
    audio_tokens?: number | null | undefined;
    /** Tokens of `prediction` that came true. Absent: none. */
    accepted_prediction_tokens?: number | null | undefined;
    /** Tokens of `prediction` that did not come true; charged as output all the same. Absent: none. */
    rejected_prediction_tokens?: number | null | undefined;
  } | null | undefined;
}

/** What the user says, with pictures, recordings and files. */
export interface ChatUserMessage {
  /** Who speaks: always `user`. */
  role: 'user';
  /** What the user says, shows or plays: a string, or 1 to 1024 parts. */
  content: string | ChatUserPart[];
  /** Tells participants of the same role apart; up to 512 characters. A model that is served over responses refuses it with 400, Anthropic and Gemini upstreams are not sent it. Absent: none. */
  name?: string | null | undefined;
}

/** What a user says, shows, plays or hands over. */
export type ChatUserPart = ChatTextPart | ChatImagePart | ChatAudioPart | ChatFilePart;

/** A text model in the format of the Codex CLI. */
export interface CodexModel {
  /** Id of the model; the other fields are private to the Codex CLI. */
  slug: string;
}

/** A conversation that a responses upstream has made short. Others refuse it with 400. */
export interface Compaction {
  /** What this object is: always `compaction`. */
  type: 'compaction';
  /** The sealed conversation, unchanged. Only the upstream that sealed it can open it; another refuses it with 400. */
  encrypted_content: string;
  /** Id of the item, the client’s own or that of an earlier answer. Taken, and not sent on: upstreams know no ids of others. Absent: a stored item is given one. 1 to 512 characters. */
  id?: string | null | undefined;
  /** How far the item was when it was answered; nothing depends on it, so it may be absent. */
  status?: ItemStatus | null | undefined;
}

/** Asks a responses upstream to make the conversation short; the last item of the input. Others refuse it with 400. */
export interface CompactionTrigger {
  /** What this object is: always `compaction_trigger`. */
  type: 'compaction_trigger';
  /** Id of the item, the client’s own or that of an earlier answer. Taken, and not sent on: upstreams know no ids of others. Absent: a stored item is given one. 1 to 512 characters. */
  id?: string | null | undefined;
  /** How far the item was when it was answered; nothing depends on it, so it may be absent. */
  status?: ItemStatus | null | undefined;
}

/** A tool that takes free text instead of JSON arguments, run by the caller. Upstreams that know functions alone are sent a function of one text; the call comes back as `custom_tool_call`. */
export interface CustomTool {
  /** What this object is: always `custom`. */
  type: 'custom';
  /** Name that the model calls it by. */
  name: LongToolName;
  /** What the tool does and when to use it; the model reads this. Absent: nothing is said. */
  description?: string | null | undefined;
  /** What text the tool takes. Absent: any. */
  format?: CustomToolFormat | null | undefined;
}

/** A call of a free-form tool for the caller to run. */
export interface CustomToolCall {
  /** What this object is: always `custom_tool_call`. */
  type: 'custom_tool_call';
  /** Id of the item, as the upstream gave it. Absent where it gave none. */
  id?: string | null | undefined;
  /** Id of the call, which goes back in `custom_tool_call_output.call_id`. */
  call_id: string;
  /** Name of the tool, as the request declared it. */
  name: string;
  /** Free text for the tool. Empty while the call begins. */
  input: string;
  /** The namespace of the tool, which goes back with the call. Absent: it is in none. */
  namespace?: string | null | undefined;
  /** How far the item is. Absent: it is whole. */
  status?: ItemStatus | null | undefined;
}

/** The result of a call of a free-form tool; built by the caller, never returned in `output`. */
export interface CustomToolCallOutput {
  /** What this object is: always `custom_tool_call_output`. */
  type: 'custom_tool_call_output';
  /** Links a call with its output: both carry the same. It is not the `id` of the item. 1 to 512 characters. */
  call_id: string;
  /** What the tool gave back. */
  output: ToolOutput;
  /** Id of the item, the client’s own or that of an earlier answer. Taken, and not sent on: upstreams know no ids of others. Absent: a stored item is given one. 1 to 512 characters. */
  id?: string | null | undefined;
  /** How far the item was when it was answered; nothing depends on it, so it may be absent. */
  status?: ItemStatus | null | undefined;
}

/** What the input of the tool has to look like. */
export type CustomToolFormat = PlainTextFormat | GrammarFormat;

/** A response that was just deleted: it can no longer be read, nor gone on from. */
export interface DeletedResponse {
  /** Id of the response that was deleted. */
  id: string;
  /** What this object is: always `response`. */
  object: 'response';
  /** Always true: what is not there to be deleted is 404. */
  deleted: true;
}

/** US dollars as a text, with six digits behind the point. */
export type Dollars = string;

/** The body of every answer that is not 2xx. */
export interface ErrorBody {
  /** The error itself. */
  error: ErrorDetail;
}

/** What went wrong. All four fields are always there. */
export interface ErrorDetail {
  /** What went wrong and what to do, in a sentence for people. Its words may change. */
  message: string;
  /** Coarse class of the error. */
  type: 'invalid_request_error' | 'authentication_error' | 'permission_error' | 'rate_limit_error' | 'server_error' | 'image_generation_user_error';
  /** Path of the field at fault, such as `messages[2].content`. Null: none is. */
  param: string | null;
  /** The exact reason, for programs. It belongs to one status and one type. */
  code: 'invalid_json' | 'malformed_request' | 'unknown_parameter' | 'unsupported_parameter' | 'unsupported_value' | 'missing_required_parameter' | 'invalid_type' | 'invalid_value' | 'integer_below_min_value' | 'integer_above_max_value' | 'decimal_below_min_value' | 'decimal_above_max_value' | 'string_above_max_length' | 'empty_string' | 'array_above_max_length' | 'empty_array' | 'context_length_exceeded' | 'previous_response_not_found' | 'invalid_image_format' | 'invalid_base64_image' | 'invalid_image_url' | 'image_file_too_large' | 'moderation_blocked' | 'invalid_api_key' | 'permission_denied' | 'insufficient_balance' | 'subscription_inactive' | 'storage_quota_exceeded' | 'model_not_found' | 'response_not_found' | 'not_found' | 'item_not_found' | 'unknown_url' | 'method_not_allowed' | 'request_timeout' | 'idempotency_conflict' | 'conflict' | 'request_too_large' | 'unsupported_media_type' | 'upgrade_required' | 'headers_too_large' | 'rate_limit_exceeded' | 'token_limit_exceeded' | 'concurrency_limit_exceeded' | 'internal_error' | 'upstream_error' | 'overloaded' | 'no_upstream_available' | 'upstream_timeout';
}

/** `stop`: a natural end, one of `stop`, or a refusal. `length`: a token limit. `tool_calls`: the model calls tools. `content_filter`: output was withheld. `function_call`: as `tool_calls`, for who sent `functions`. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call';

/** A call for the caller to run; may come with no text in the response. */
export interface FunctionCall {
  /** What this object is: always `function_call`. */
  type: 'function_call';
  /** Id of the item, as the upstream gave it. Absent where it gave none. */
  id?: string | null | undefined;
  /** Id of the call, which goes back in `function_call_output.call_id`. */
  call_id: string;
  /** Name of the function, as the request declared it. */
  name: string;
  /** JSON as the model wrote it: check it before use. Empty while the call begins. */
  arguments: string;
  /** The namespace of the tool, which goes back with the call. Absent: it is in none. */
  namespace?: string | null | undefined;
  /** How far the item is. Absent: it is whole. */
  status?: ItemStatus | null | undefined;
}

/** The result of a function call; built by the caller, never returned in `output`. */
export interface FunctionCallOutput {
  /** What this object is: always `function_call_output`. */
  type: 'function_call_output';
  /** Links a call with its output: both carry the same. It is not the `id` of the item. 1 to 512 characters. */
  call_id: string;
  /** What the function gave back. */
  output: ToolOutput;
  /** Id of the item, the client’s own or that of an earlier answer. Taken, and not sent on: upstreams know no ids of others. Absent: a stored item is given one. 1 to 512 characters. */
  id?: string | null | undefined;
  /** How far the item was when it was answered; nothing depends on it, so it may be absent. */
  status?: ItemStatus | null | undefined;
}

/** A function that the caller runs. */
export interface FunctionTool {
  /** What this object is: always `function`. */
  type: 'function';
  /** Name that the model calls it by. A name too long for an upstream is shortened for it and comes back whole. */
  name: LongToolName;
  /** What the tool does and when to use it; the model reads this. Absent: nothing is said. */
  description?: string | null | undefined;
  /** JSON schema of the arguments, at most 64 levels deep. Absent: no arguments. */
  parameters?: { [key: string]: unknown; } | null | undefined;
  /** Whether the arguments must follow the schema exactly. Absent: the upstream decides, usually true. */
  strict?: boolean | null | undefined;
}

/** A picture: carries `b64_json` (plain base64) or, from older models, `url`. */
export interface GeneratedImage {
  /** The picture in plain base64, without the head of a data URL. Absent only beside `url`. */
  b64_json?: string | undefined;
  /** Where the upstream keeps the picture for a while. Only older models have one; otherwise it is absent. */
  url?: string | undefined;
  /** What the model made of the prompt before it drew. Absent where it drew the prompt itself. */
  revised_prompt?: string | null | undefined;
}

/** Text that follows a grammar. */
export interface GrammarFormat {
  /** What this object is: always `grammar`. */
  type: 'grammar';
  /** How the grammar is written: `lark`, or `regex` for one regular expression. */
  syntax: 'lark' | 'regex';
  /** The grammar that the input has to follow. Upstreams without free-form tools cannot enforce it; there the model is told of it. Not empty. */
  definition: string;
}

/** A tool of the upstream by its type. */
export interface HostedChoice {
  /** The tool of the upstream that has to be used. 400 where the upstream does not speak responses. */
  type: 'tool_search' | 'local_shell' | 'shell' | 'apply_patch' | 'file_search' | 'code_interpreter' | 'image_generation' | 'computer' | 'computer_use_preview' | 'programmatic_tool_calling' | 'web_search' | 'web_search_preview' | 'web_search_preview_2025_03_11';
}

/** A tool that the upstream ran, or another item of its own. Calls are charged by their type, failed ones are not. */
export interface HostedItem {
  /** Which tool it is of, or what kind of item; its other fields depend on it. */
  type: 'local_shell_call' | 'local_shell_call_output' | 'shell_call' | 'shell_call_output' | 'apply_patch_call' | 'apply_patch_call_output' | 'web_search_call' | 'file_search_call' | 'image_generation_call' | 'code_interpreter_call' | 'computer_call' | 'computer_call_output' | 'mcp_call' | 'mcp_list_tools' | 'mcp_approval_request' | 'mcp_approval_response' | 'program' | 'program_output' | 'configuration_update' | 'tool_search_call' | 'tool_search_output' | 'compaction' | 'additional_tools';
  /** Id of the item, as the upstream gave it. Absent where it gave none. */
  id?: string | null | undefined;
  /** How far it is, in a word of that tool. Absent for items that have no such field. */
  status?: string | null | undefined;
}

/** Another tool of the upstream; its own settings are handed on. One that the upstream runs is charged by the call, and is 400 without a price. Where the upstream does not speak responses, `tool_search` is left out and named in `x-modelgate-ignored`, and the others are 400. */
export interface HostedTool {
  /** Which tool it is. */
  type: 'tool_search' | 'local_shell' | 'shell' | 'apply_patch' | 'file_search' | 'code_interpreter' | 'image_generation' | 'computer' | 'computer_use_preview' | 'programmatic_tool_calling';
}

/** Progress of a tool that the upstream runs; the other fields depend on the type. */
export interface HostedToolEvent {
  /** Which tool, and what has become of the call. */
  type: 'response.web_search_call.in_progress' | 'response.web_search_call.searching' | 'response.web_search_call.completed' | 'response.file_search_call.in_progress' | 'response.file_search_call.searching' | 'response.file_search_call.completed' | 'response.code_interpreter_call.in_progress' | 'response.code_interpreter_call.interpreting' | 'response.code_interpreter_call.completed' | 'response.code_interpreter_call_code.delta' | 'response.code_interpreter_call_code.done' | 'response.image_generation_call.in_progress' | 'response.image_generation_call.generating' | 'response.image_generation_call.partial_image' | 'response.image_generation_call.completed' | 'response.mcp_call.in_progress' | 'response.mcp_call.completed' | 'response.mcp_call.failed' | 'response.mcp_call_arguments.delta' | 'response.mcp_call_arguments.done' | 'response.mcp_list_tools.in_progress' | 'response.mcp_list_tools.completed' | 'response.mcp_list_tools.failed' | 'response.shell_call.in_progress' | 'response.shell_call.completed';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this is about. */
  item_id: string;
  /** Place of that item in `output`, from 0. */
  output_index: number;
}

/** The last event of a stream that went well: the whole picture. */
export interface ImageEditCompletedEvent {
  /** What this object is: always `image_edit.completed`. */
  type: 'image_edit.completed';
  /** The picture in plain base64, without the head of a data URL. */
  b64_json: string;
  /** Seconds since 1970-01-01 UTC. */
  created_at: number;
  /** What is behind the subject: `opaque` or `transparent`. Absent where the upstream does not say it. */
  background?: string | null | undefined;
  /** How the picture is encoded: `png`, `jpeg` or `webp`. Absent where the upstream does not say it. */
  output_format?: string | null | undefined;
  /** The quality that was drawn: `low`, `medium` or `high`. Absent where the upstream does not say it. */
  quality?: string | null | undefined;
  /** Width and height in pixels, such as `1024x1024`. Absent where the upstream does not say it. */
  size?: string | null | undefined;
  /** What drawing used. Absent where the upstream tells nothing. */
  usage?: ImageUsage | null | undefined;
  /** `safety_identifier` of the request. Absent where the upstream does not repeat it. */
  safety_identifier?: string | null | undefined;
}

/** Partial images, then exactly one completed or error event. No `[DONE]`. */
export type ImageEditEvent = ImageEditPartialImageEvent | ImageEditCompletedEvent | ImageErrorEvent;

/** A picture on its way, to be shown until the next one comes. */
export interface ImageEditPartialImageEvent {
  /** What this object is: always `image_edit.partial_image`. */
  type: 'image_edit.partial_image';
  /** The unfinished picture in plain base64, without the head of a data URL. */
  b64_json: string;
  /** Seconds since 1970-01-01 UTC. */
  created_at: number;
  /** What is behind the subject: `opaque` or `transparent`. Absent where the upstream does not say it. */
  background?: string | null | undefined;
  /** How the picture is encoded: `png`, `jpeg` or `webp`. Absent where the upstream does not say it. */
  output_format?: string | null | undefined;
  /** The quality that was drawn: `low`, `medium` or `high`. Absent where the upstream does not say it. */
  quality?: string | null | undefined;
  /** Width and height in pixels, such as `1024x1024`. Absent where the upstream does not say it. */
  size?: string | null | undefined;
  /** Which partial image this is, from 0. */
  partial_image_index: number;
}

/** The JSON form of an edit. Null counts as absent. */
export interface ImageEditRequest {
  /** What to draw, or what to change. 1 to 32,000 characters. */
  prompt: string;
  /** Id of an image model, as `GET /v1/models` lists it. 1 to 512 characters. */
  model: string;
  /** Number of images, each of which is charged. Absent: 1. With `stream: true` only 1. 1 to 10. */
  n?: number | null | undefined;
  /** `auto`, or `<width>x<height>` in pixels: multiples of 16, not longer than 3 times the other side, at most 3840x2160 in either direction. Absent: `auto`, the upstream decides. The price may depend on it. */
  size?: string | null | undefined;
  /** How much work goes into the picture. Absent: `auto`, the upstream decides. The price may depend on it; until it is known, that of the dearest is held. */
  quality?: 'auto' | 'low' | 'medium' | 'high' | null | undefined;
  /** What is behind the subject. `transparent` needs `png` or `webp`. Absent: `auto`, the upstream decides. */
  background?: 'auto' | 'opaque' | 'transparent' | null | undefined;
  /** How the picture is encoded. Absent: `png`. The simulator has no `webp`. */
  output_format?: 'png' | 'jpeg' | 'webp' | null | undefined;
  /** Quality of the encoding, from 0 to 100; 100 makes the largest file. Only with `jpeg` or `webp`. Absent: 100. */
  output_compression?: number | null | undefined;
  /** How strictly the upstream judges what is asked for; what it refuses is 400 `moderation_blocked`. Absent: `auto`. */
  moderation?: 'auto' | 'low' | null | undefined;
  /** True: partial images and the final one come as Server-Sent Events. Absent: false. */
  stream?: boolean | null | undefined;
  /** How many partial images to send; only with `stream: true`. Fewer may come. Absent: none. 0 to 3. */
  partial_images?: number | null | undefined;
  /** @deprecated use `safety_identifier`. Handed on to the upstream. At most 512 characters. */
  user?: string | null | undefined;
  /** An opaque name of the person behind the request, by which the vendor can tell whoever breaks its rules. Absent: none is told. At most 64 characters. */
  safety_identifier?: string | null | undefined;
  /** Images always come as base64: `b64_json` changes nothing, `url` is 400. Absent: `b64_json`. */
  response_format?: 'b64_json' | 'url' | null | undefined;
  /** The pictures to change or to draw from: 1 to 16. */
  images: ImageReference[];
  /** A PNG of at most 4 MB. Transparent pixels mark what to change in the first picture; same size as that picture. Absent: all of it may change. */
  mask?: ImageReference | null | undefined;
  /** How closely the result keeps to the given pictures. Handed on to the upstream; `gpt-image-2` does not use it. Absent: the upstream decides. */
  input_fidelity?: 'high' | 'low' | null | undefined;
}

/** The last event of a stream that failed. */
export interface ImageErrorEvent {
  /** What this object is: always `error`. */
  type: 'error';
  /** The error, as in the body of an answer that is not 2xx. */
  error: {
    /** What went wrong and what to do, in a sentence for people. */
    message: string;
    /** Coarse class of the error, as in the body of an error. */
    type: string;
    /** Path of the field at fault. Null: none is. */
    param: string | null;
    /** What went wrong, for programs: a code of the errors of this API. Never null. */
    code: string | null;
  };
}

/** The last event of a stream that went well: the whole picture. */
export interface ImageGenerationCompletedEvent {
  /** What this object is: always `image_generation.completed`. */
  type: 'image_generation.completed';
  /** The picture in plain base64, without the head of a data URL. */
  b64_json: string;
  /** Seconds since 1970-01-01 UTC. */
  created_at: number;
  /** What is behind the subject: `opaque` or `transparent`. Absent where the upstream does not say it. */
  background?: string | null | undefined;
  /** How the picture is encoded: `png`, `jpeg` or `webp`. Absent where the upstream does not say it. */
  output_format?: string | null | undefined;
  /** The quality that was drawn: `low`, `medium` or `high`. Absent where the upstream does not say it. */
  quality?: string | null | undefined;
  /** Width and height in pixels, such as `1024x1024`. Absent where the upstream does not say it. */
  size?: string | null | undefined;
  /** What drawing used. Absent where the upstream tells nothing. */
  usage?: ImageUsage | null | undefined;
  /** `safety_identifier` of the request. Absent where the upstream does not repeat it. */
  safety_identifier?: string | null | undefined;
}

/** Partial images, then exactly one completed or error event. No `[DONE]`. */
export type ImageGenerationEvent = ImageGenerationPartialImageEvent | ImageGenerationCompletedEvent | ImageErrorEvent;

/** A picture on its way, to be shown until the next one comes. */
export interface ImageGenerationPartialImageEvent {
  /** What this object is: always `image_generation.partial_image`. */
  type: 'image_generation.partial_image';
  /** The unfinished picture in plain base64, without the head of a data URL. */
  b64_json: string;
  /** Seconds since 1970-01-01 UTC. */
  created_at: number;
  /** What is behind the subject: `opaque` or `transparent`. Absent where the upstream does not say it. */
  background?: string | null | undefined;
  /** How the picture is encoded: `png`, `jpeg` or `webp`. Absent where the upstream does not say it. */
  output_format?: string | null | undefined;
  /** The quality that was drawn: `low`, `medium` or `high`. Absent where the upstream does not say it. */
  quality?: string | null | undefined;
  /** Width and height in pixels, such as `1024x1024`. Absent where the upstream does not say it. */
  size?: string | null | undefined;
  /** Which partial image this is, from 0. */
  partial_image_index: number;
}

/** What to draw, and how. Null counts as absent. A field that no operation knows is left out and named in `x-modelgate-ignored`, unless the operator of the upstream allows it. */
export interface ImageGenerationRequest {
  /** What to draw, or what to change. 1 to 32,000 characters. */
  prompt: string;
  /** Id of an image model, as `GET /v1/models` lists it. 1 to 512 characters. */
  model: string;
  /** Number of images, each of which is charged. Absent: 1. With `stream: true` only 1. 1 to 10. */
  n?: number | null | undefined;
  /** `auto`, or `<width>x<height>` in pixels: multiples of 16, not longer than 3 times the other side, at most 3840x2160 in either direction. Absent: `auto`, the upstream decides. The price may depend on it. */
  size?: string | null | undefined;
  /** How much work goes into the picture. Absent: `auto`, the upstream decides. The price may depend on it; until it is known, that of the dearest is held. */
  quality?: 'auto' | 'low' | 'medium' | 'high' | null | undefined;
  /** What is behind the subject. `transparent` needs `png` or `webp`. Absent: `auto`, the upstream decides. */
  background?: 'auto' | 'opaque' | 'transparent' | null | undefined;
  /** How the picture is encoded. Absent: `png`. The simulator has no `webp`. */
  output_format?: 'png' | 'jpeg' | 'webp' | null | undefined;
  /** Quality of the encoding, from 0 to 100; 100 makes the largest file. Only with `jpeg` or `webp`. Absent: 100. */
  output_compression?: number | null | undefined;
  /** How strictly the upstream judges what is asked for; what it refuses is 400 `moderation_blocked`. Absent: `auto`. */
  moderation?: 'auto' | 'low' | null | undefined;
  /** True: partial images and the final one come as Server-Sent Events. Absent: false. */
  stream?: boolean | null | undefined;
  /** How many partial images to send; only with `stream: true`. Fewer may come. Absent: none. 0 to 3. */
  partial_images?: number | null | undefined;
  /** @deprecated use `safety_identifier`. Handed on to the upstream. At most 512 characters. */
  user?: string | null | undefined;
  /** An opaque name of the person behind the request, by which the vendor can tell whoever breaks its rules. Absent: none is told. At most 64 characters. */
  safety_identifier?: string | null | undefined;
  /** Images always come as base64: `b64_json` changes nothing, `url` is 400. Absent: `b64_json`. */
  response_format?: 'b64_json' | 'url' | null | undefined;
}

/** The pictures are in `data[].b64_json`; the fields beside it say how all of them were drawn. */
export interface ImageList {
  /** Seconds since 1970-01-01 UTC. */
  created: number;
  /** What is behind the subject: `opaque` or `transparent`. Absent where the upstream does not say it. */
  background?: string | null | undefined;
  /** How the picture is encoded: `png`, `jpeg` or `webp`. Absent where the upstream does not say it. */
  output_format?: string | null | undefined;
  /** The quality that was drawn: `low`, `medium` or `high`. Absent where the upstream does not say it. */
  quality?: string | null | undefined;
  /** Width and height in pixels, such as `1024x1024`. Absent where the upstream does not say it. */
  size?: string | null | undefined;
  /** The pictures: at most as many as `n`. */
  data: GeneratedImage[];
  /** What drawing used. Absent where the upstream tells nothing. */
  usage?: ImageUsage | null | undefined;
}

/** Prices of an image model. */
export interface ImagePrices {
  /** Price of a picture, by `size/quality`; `default` for what no entry fits. */
  images: { [key: string]: Dollars; };
}

/** A picture inside a JSON body. */
export interface ImageReference {
  /** A data URL of a PNG, JPEG or WebP image, up to 20 MiB of text. An address on the web is 400, since the gateway fetches nothing, and so is a reference from which it is absent. */
  image_url?: string | null | undefined;
  /** Id of a file, which is not supported: there is no Files API, and an id is 400. Leave it absent. 1 to 512 characters. */
  file_id?: string | null | undefined;
}

/** Tokens by what they stand for. */
export interface ImageTokens {
  /** Tokens that went into text. */
  text_tokens: number;
  /** Tokens that went into pictures. */
  image_tokens: number;
}

/** What drawing used, in tokens, as the upstream counted it. The charge is by the picture and not by these. */
export interface ImageUsage {
  /** Tokens of the prompt and of the pictures that were given. */
  input_tokens: number;
  /** Tokens of the pictures that were drawn. */
  output_tokens: number;
  /** The sum of `input_tokens` and `output_tokens`. */
  total_tokens: number;
  /** Parts of `input_tokens`. */
  input_tokens_details: ImageTokens;
  /** Parts of `output_tokens`. Absent where the upstream tells none. */
  output_tokens_details?: ImageTokens | null | undefined;
}

/** A recording for the model. Anthropic and Gemini upstreams take none: 400. */
export interface InputAudio {
  /** What this object is: always `input_audio`. */
  type: 'input_audio';
  /** The recording. */
  input_audio: AudioClip;
}

/** A document for the model: its data, its address or its id. */
export interface InputFile {
  /** What this object is: always `input_file`. */
  type: 'input_file';
  /** Name of the file, up to 512 characters. Absent: the model is told none. */
  filename?: string | null | undefined;
  /** The file as a data URL. Anthropic upstreams take PDF and plain text alone, another kind is 400. Absent only beside `file_url` or `file_id`. */
  file_data?: string | null | undefined;
  /** An https address where the upstream can fetch the file. The gateway never fetches it. Chat and Gemini upstreams refuse an address with 400. Absent: the file is given otherwise. */
  file_url?: string | null | undefined;
  /** Id of a file that lies at the upstream. The gateway has no Files API; Anthropic and Gemini upstreams refuse an id with 400. Absent: the data is in the part. 1 to 512 characters. */
  file_id?: string | null | undefined;
  /** Marks the end of a part of the prompt that the upstream may cache. Sent where the upstream speaks the protocol of this call, left out elsewhere. Absent: no mark. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** A picture for the model. */
export interface InputImage {
  /** What this object is: always `input_image`. */
  type: 'input_image';
  /** A string: a data URL, or an https address where the upstream can fetch it. The gateway never fetches it. Gemini upstreams take data URLs alone: an address is 400. Absent only beside `file_id`. */
  image_url?: string | null | undefined;
  /** Id of a file that lies at the upstream. The gateway has no Files API; chat, Anthropic and Gemini upstreams refuse an id with 400. Absent: the data is in the part. 1 to 512 characters. */
  file_id?: string | null | undefined;
  /** How closely the model looks at the picture; a closer look costs more input tokens. Absent: `auto`. Not sent to Anthropic and Gemini upstreams. Chat upstreams are sent `original` as `high`. */
  detail?: 'low' | 'high' | 'auto' | 'original' | null | undefined;
  /** Marks the end of a part of the prompt that the upstream may cache. Sent where the upstream speaks the protocol of this call, left out elsewhere. Absent: no mark. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** One item of the conversation, told apart by its `type`; an item without one is a message. */
export type InputItem = InputMessage | PastFunctionCall | FunctionCallOutput | PastCustomToolCall | CustomToolCallOutput | PastReasoning | ItemReference | AdditionalTools | ToolSearchCall | ToolSearchOutput | Compaction | CompactionTrigger | ReplayedItem;

/** One page of the input of a stored response. */
export interface InputItemList {
  /** What this object is: always `list`. */
  object: 'list';
  /** The items of this page, in the order that was asked for. */
  data: StoredItem[];
  /** Id of the first item of this page. Null where the page is empty. */
  first_id: string | null;
  /** Id of the last item of this page, which goes into `after` of the next call. Null where the page is empty. */
  last_id: string | null;
  /** Whether there are items behind this page. */
  has_more: boolean;
}

/** A message; `type` may be left out. */
export interface InputMessage {
  /** What this object is: always `message`, also where it is absent. */
  type?: 'message' | undefined;
  /** Who speaks. `system` and `developer` both give instructions; `assistant` is an earlier answer. */
  role: 'user' | 'system' | 'developer' | 'assistant';
  /** What is said: a string, or up to 1024 parts. */
  content: string | MessagePart[];
  /** Whether a message is said on the way or is the answer. Absent: not told. Only responses upstreams know it. */
  phase?: 'commentary' | 'final_answer' | null | undefined;
  /** Id of the item, the client’s own or that of an earlier answer. Taken, and not sent on: upstreams know no ids of others. Absent: a stored item is given one. 1 to 512 characters. */
  id?: string | null | undefined;
  /** How far the item was when it was answered; nothing depends on it, so it may be absent. */
  status?: ItemStatus | null | undefined;
}

/** A piece of text for the model. */
export interface InputText {
  /** What this object is: always `input_text`. */
  type: 'input_text';
  /** The text itself. It may be empty. */
  text: string;
  /** Marks the end of a part of the prompt that the upstream may cache. Sent where the upstream speaks the protocol of this call, left out elsewhere. Absent: no mark. */
  prompt_cache_breakpoint?: { [key: string]: unknown; } | null | undefined;
}

/** Stands for a stored item, which takes its place and is charged as input. */
export interface ItemReference {
  /** What this object is: always `item_reference`. */
  type: 'item_reference';
  /** Id of an item of a response that is stored for this account. An unknown one is 400 `item_not_found`. 1 to 512 characters. */
  id: string;
}

/** `in_progress`: more of it comes. `completed`: it is whole. `incomplete`: it was cut. The others are of tools that the upstream runs. */
export type ItemStatus = 'in_progress' | 'completed' | 'incomplete' | 'searching' | 'generating' | 'interpreting' | 'calling' | 'failed';

/** Any JSON object. Say so in the prompt as well. Anthropic upstreams have no such mode, nor have older Gemini models beside tools: they are told in words, and an answer without an object is `upstream_error`. */
export interface JsonObjectFormat {
  /** What this object is: always `json_object`. */
  type: 'json_object';
}

/** JSON that follows a schema of the caller. A vendor of chat may know no schemas: then 400. */
export interface JsonSchemaFormat {
  /** What this object is: always `json_schema`. */
  type: 'json_schema';
  /** A name for the form, which the model may see. */
  name: string;
  /** JSON schema of the answer, at most 64 levels deep. */
  schema: { [key: string]: unknown; };
  /** Set it to true to have the answer follow the schema exactly. Absent: the upstream decides, one that speaks chat is told false. Anthropic and Gemini upstreams make no difference: they always hold to it. */
  strict?: boolean | null | undefined;
  /** What the form is for; the model reads this. Absent: nothing is said. */
  description?: string | null | undefined;
}

/** A sign of life in a long silence, for clients that do not hear comment lines. */
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
  /** Name of the server, as calls of its tools carry it. At most 512 characters. */
  server_label: string;
  /** The tool of that server that has to be called. Absent: any of them. At most 512 characters. */
  name?: string | null | undefined;
}

/** Tools of an MCP server, run by the upstream and charged by the call. 400 where the upstream does not speak responses, or where `mcp_call` has no price. */
export interface McpTool {
  /** What this object is: always `mcp`. */
  type: 'mcp';
  /** Name of the server, as calls of its tools carry it. At most 512 characters. */
  server_label: string;
  /** Address of the server, which the upstream asks and the gateway never does. Absent: the upstream knows the server. At most 512 characters. */
  server_url?: string | null | undefined;
  /** Names of its tools that may be called, or a filter for them. Absent: all. */
  allowed_tools?: unknown | undefined;
  /** Which calls wait for the caller to approve them: `always`, `never`, or a filter. Absent: the upstream decides. */
  require_approval?: unknown | undefined;
}

/** A piece of a message: input of a user, or what an assistant said before. */
export type MessagePart = InputText | InputImage | InputFile | InputAudio | PastOutputText | Refusal;

/** Notes that a caller attaches: up to 16 pairs, keys up to 64 characters, values up to 512. */
export type Metadata = { [key: string]: string; };

/** One model that the key can call. */
export interface Model {
  /** Model id to put into requests. */
  id: string;
  /** What this object is: always `model`. */
  object: 'model';
  /** When the model came out, as its operator says, else a fixed time; in seconds since 1970-01-01 UTC. */
  created: number;
  /** Where the model comes from: what its operator says, else the name of its upstream. */
  owned_by: string;
}

/** Everything listed can be called with the key in use, and everything that can be called is listed. */
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
  /** Id of the response: usable as `previous_response_id` where the response was stored. */
  id: string;
  /** What this object is: always `response`. */
  object: 'response';
  /** When the response was begun, in seconds since 1970-01-01 UTC. */
  created_at: number;
  /** When it was completed, in seconds since 1970-01-01 UTC. Null: it was not. */
  completed_at?: number | null | undefined;
  /** How far the response is, and how it ended. Absent where the upstream does not say it. */
  status?: ResponseStatus | null | undefined;
  /** Why the response failed. Null: it did not. */
  error?: {
    /** What went wrong, for programs: a code of the errors of this API, `server_error`, or one of the upstream. Absent where the upstream gave none. */
    code?: string | null | undefined;
    /** What went wrong, for people. */
    message: string;
  } | null | undefined;
  /** Why the response was cut. Null: it was not. */
  incomplete_details?: {
    /** `max_output_tokens`: a limit on the output. `content_filter`: output was withheld. Null or absent where the upstream does not say it. */
    reason?: string | null | undefined;
  } | null | undefined;
  /** Id of the model that answered, as the request has it. */
  model: string;
  /** Typed items; the answer is not always the first. */
  output: OutputItem[];
  /** The response that this one goes on from. Null: none. */
  previous_response_id?: string | null | undefined;
  /** `instructions` of the request, or what stood in its place. Null: there were none. */
  instructions?: unknown | undefined;
  /** The tools that the model could call; empty: none. Absent where the upstream does not say it. */
  tools?: ToolEcho[] | null | undefined;
  /** `tool_choice` of the request, or what stood in its place. A word or an object, as in the request. Absent where the upstream does not say it. */
  tool_choice?: unknown | undefined;
  /** Whether the model could make several calls at once. Absent where the upstream does not say it. */
  parallel_tool_calls?: boolean | null | undefined;
  /** `text` of the request, or what stood in its place. Absent where the upstream does not say it. */
  text?: {
    /** Form of the answer: `text.format` of the request, or `text` where it had none. Absent where the upstream does not say it. */
    format?: TextFormatEcho | null | undefined;
    /** How long the answer was to be: `low`, `medium` or `high`. Absent where the upstream does not say it. */
    verbosity?: string | null | undefined;
  } | null | undefined;
  /** `reasoning` of the request, or what stood in its place. Its other settings are there as well. Absent where the upstream does not say it. */
  reasoning?: {
    /** How much the model was to think. Null: as much as it does by itself. */
    effort?: string | null | undefined;
    /** How closely thoughts were to be told. Null: as the upstream does by itself. */
    summary?: string | null | undefined;
  } | null | undefined;
  /** `temperature` of the request, or what stood in its place. 1 where it was absent. */
  temperature?: number | null | undefined;
  /** `top_p` of the request, or what stood in its place. 1 where it was absent. */
  top_p?: number | null | undefined;
  /** `presence_penalty` of the request, or what stood in its place. 0 where it was absent. */
  presence_penalty?: number | null | undefined;
  /** `frequency_penalty` of the request, or what stood in its place. 0 where it was absent. */
  frequency_penalty?: number | null | undefined;
  /** `top_logprobs` of the request, or what stood in its place. 0 where it was absent. */
  top_logprobs?: number | null | undefined;
  /** The limit on the output in tokens: that of the request, or one that the gateway set. Null: none. */
  max_output_tokens?: number | null | undefined;
  /** `max_tool_calls` of the request, or what stood in its place. Null: no limit. */
  max_tool_calls?: number | null | undefined;
  /** `truncation` of the request, or what stood in its place. `disabled` where it was absent. */
  truncation?: string | null | undefined;
  /** Whether the gateway keeps the response. False also where the key may not store. Absent where the upstream does not say it. */
  store?: boolean | null | undefined;
  /** Always false: there are no responses in the background. Absent where the upstream does not say it. */
  background?: boolean | null | undefined;
  /** The processing tier that was used. Absent where the upstream does not say it. */
  service_tier?: string | null | undefined;
  /** `metadata` of the request, or what stood in its place. Empty: there was none. Absent where the upstream does not say it. */
  metadata?: { [key: string]: string; } | null | undefined;
  /** `safety_identifier` of the request, or what stood in its place. Null: there was none. */
  safety_identifier?: string | null | undefined;
  /** `prompt_cache_key` of the request, or what stood in its place. Null: there was none. */
  prompt_cache_key?: string | null | undefined;
  /** @deprecated send `safety_identifier`. `user` of the request, or what stood in its place. Null or absent: there was none. */
  user?: string | null | undefined;
  /** What the response used. Null until it has ended. */
  usage?: ResponseUsage | null | undefined;
}

/** What prices are multiplied with for accounts of a group. */
export type Multiplier = string;

/** A tool by its name. One in a namespace may carry its `namespace` as well. */
export interface NamedChoice {
  /** What kind of tool is named. */
  type: 'function' | 'custom';
  /** Name of a tool of this request, which has to be called. */
  name: LongToolName;
}

/** A tool of a namespace. */
export type NamespaceMember = FunctionTool | CustomTool;

/** Several tools under one name; calls to them carry `namespace`. Upstreams without namespaces are sent flat names. */
export interface NamespaceTool {
  /** What this object is: always `namespace`. */
  type: 'namespace';
  /** Name of the group; calls carry it as `namespace`. */
  name: LongToolName;
  /** What the tool does and when to use it; the model reads this. Absent: nothing is said. */
  description?: string | null | undefined;
  /** The tools of the group, up to 128. */
  tools: NamespaceMember[];
}

/** One item of the answer, told apart by its `type`. */
export type OutputItem = OutputMessage | FunctionCall | CustomToolCall | Reasoning | HostedItem;

/** Text is in `content[].text` of the parts of type `output_text`. */
export interface OutputMessage {
  /** What this object is: always `message`. */
  type: 'message';
  /** Id of the item; where the response is stored, an `item_reference` can name it. */
  id: string;
  /** Who speaks: always `assistant`. */
  role: 'assistant';
  /** How far the message is. */
  status: ItemStatus;
  /** Parts of the message, in order; empty while it begins. */
  content: OutputPart[];
  /** Whether a message is said on the way or is the answer. Absent: not told. Only responses upstreams know it. */
  phase?: 'commentary' | 'final_answer' | null | undefined;
}

/** A piece of an item of the output. */
export type OutputPart = OutputText | Refusal | ReasoningText;

/** A piece of text of the answer. */
export interface OutputText {
  /** What this object is: always `output_text`. */
  type: 'output_text';
  /** The text; a JSON text where `text.format` asked for JSON. */
  text: string;
  /** Sources and files of the text. Empty: none. */
  annotations: TextAnnotation[];
  /** How sure the model was of each token. Empty or absent unless `include` asked for them. */
  logprobs?: TokenLogprob[] | null | undefined;
}

/** A call of a free-form tool in an earlier turn. A `custom_tool_call_output` with its `call_id` has to follow. */
export interface PastCustomToolCall {
  /** What this object is: always `custom_tool_call`. */
  type: 'custom_tool_call';
  /** Links a call with its output: both carry the same. It is not the `id` of the item. 1 to 512 characters. */
  call_id: string;
  /** Name of the tool that was called. At most 512 characters. */
  name: string;
  /** The free text that the model gave it. */
  input: string;
  /** The namespace of the tool, as the call carried it. Absent: the tool is in none, or its name says enough. At most 512 characters. */
  namespace?: string | null | undefined;
  /** Id of the item, the client’s own or that of an earlier answer. Taken, and not sent on: upstreams know no ids of others. Absent: a stored item is given one. 1 to 512 characters. */
  id?: string | null | undefined;
  /** How far the item was when it was answered; nothing depends on it, so it may be absent. */
  status?: ItemStatus | null | undefined;
}

/** A call that the model made in an earlier turn. A `function_call_output` with its `call_id` has to follow. */
export interface PastFunctionCall {
  /** What this object is: always `function_call`. */
  type: 'function_call';
  /** Links a call with its output: both carry the same. It is not the `id` of the item. 1 to 512 characters. */
  call_id: string;
  /** Name of the function that was called. At most 512 characters. */
  name: string;
  /** JSON as the model wrote it; it may be malformed. Anthropic and Gemini upstreams need a JSON object or an empty text: another one is 400. */
  arguments: string;
  /** The namespace of the tool, as the call carried it. Absent: the tool is in none, or its name says enough. At most 512 characters. */
  namespace?: string | null | undefined;
  /** Id of the item, the client’s own or that of an earlier answer. Taken, and not sent on: upstreams know no ids of others. Absent: a stored item is given one. 1 to 512 characters. */
  id?: string | null | undefined;
  /** How far the item was when it was answered; nothing depends on it, so it may be absent. */
  status?: ItemStatus | null | undefined;
}

/** Text of an earlier answer, passed back. */
export interface PastOutputText {
  /** What this object is: always `output_text`. */
  type: 'output_text';
  /** The text as it was answered. */
  text: string;
  /** Citations and files as they were answered. Read by responses upstreams alone. Absent: none. */
  annotations?: TextAnnotation[] | null | undefined;
  /** How sure the model was, as it was answered; nothing depends on it, so it may be absent. */
  logprobs?: TokenLogprob[] | null | undefined;
}

/** Reasoning of an earlier turn, passed back as it came. */
export interface PastReasoning {
  /** What this object is: always `reasoning`. */
  type: 'reasoning';
  /** What was told of the thoughts, up to 1024 paragraphs; may be empty. */
  summary: SummaryText[];
  /** The thoughts themselves, where they were shown. Absent: they were not. At most 1024 entries. */
  content?: ReasoningText[] | null | undefined;
  /** The sealed thoughts, unchanged. Only the upstream that sealed them can open them; for another they are left out, and `x-modelgate-ignored` names the field. Absent: the thoughts are lost. */
  encrypted_content?: string | null | undefined;
  /** Id of the item, the client’s own or that of an earlier answer. Taken, and not sent on: upstreams know no ids of others. Absent: a stored item is given one. 1 to 512 characters. */
  id?: string | null | undefined;
  /** How far the item was when it was answered; nothing depends on it, so it may be absent. */
  status?: ItemStatus | null | undefined;
}

/** Text of any form, as if no form were asked for. */
export interface PlainTextFormat {
  /** What this object is: always `text`. */
  type: 'text';
}

/** How the upstream may cache the prompt. Sent to upstreams that speak chat or responses, left out for others. */
export interface PromptCacheOptions {
  /** `implicit`: the upstream finds itself what can be cached. `explicit`: only what a `prompt_cache_breakpoint` marks. Absent: the upstream decides. */
  mode?: 'implicit' | 'explicit' | null | undefined;
  /** How long the upstream should keep it, in the words of the upstream. Absent: the upstream decides. At most 512 characters. */
  ttl?: string | null | undefined;
}

/** May come ahead of the message: do not read `output[0]` as the answer. */
export interface Reasoning {
  /** What this object is: always `reasoning`. */
  type: 'reasoning';
  /** Id of the item; where the response is stored, an `item_reference` can name it. */
  id: string;
  /** What is told of the thoughts, by paragraphs; empty unless `reasoning.summary` asked for it. */
  summary: SummaryText[];
  /** The thoughts themselves. Absent where the upstream does not show them. */
  content?: ReasoningText[] | null | undefined;
  /** Opaque; pass it back unchanged to keep the reasoning over turns without storage. Absent unless `include` asked for it, and where the upstream seals nothing. */
  encrypted_content?: string | null | undefined;
  /** How far the item is. Absent: it is whole. */
  status?: ItemStatus | null | undefined;
}

/** How much the model should think before it answers; thoughts are charged as output. Models differ in which values they take. Anthropic upstreams take `minimal` as `low`; Gemini upstreams take `xhigh` and `max` as `high`, and from the third generation on `none` as `minimal`. */
export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** How the model thinks before it answers. What it thinks counts as output tokens, whether it is shown or not. */
export interface ReasoningOptions {
  /** How much the model should think. Absent: the model’s own. */
  effort?: ReasoningEffort | null | undefined;
  /** Whether thoughts are told in short as items of the type `reasoning`, and how closely. Absent: the upstream decides, usually not at all. Anthropic and Gemini upstreams know no degrees, and chat upstreams are not asked. */
  summary?: 'auto' | 'concise' | 'detailed' | null | undefined;
  /** @deprecated use `summary`, which counts where both are sent. */
  generate_summary?: 'auto' | 'concise' | 'detailed' | null | undefined;
  /** Which thoughts of earlier turns the model is shown, in the words of the upstream. Sent to responses upstreams alone. Absent: the upstream decides. At most 512 characters. */
  context?: string | null | undefined;
  /** How the model thinks, in the words of the upstream. Sent to responses upstreams alone. Absent: the upstream decides. At most 512 characters. */
  mode?: string | null | undefined;
}

/** Thoughts as they are; only few upstreams show them. */
export interface ReasoningText {
  /** What this object is: always `reasoning_text`. */
  type: 'reasoning_text';
  /** The thoughts as the model wrote them. */
  text: string;
}

/** A request with everything that is needed to work its charge out again by hand. */
export interface Receipt {
  /** What this object is: always `usage`. */
  object: 'usage';
  /** The `x-request-id` of the answer. */
  request_id: string;
  /** The key that it was called with. */
  key_id: string;
  /** Id of the model, as the request had it. */
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
  /** What it used, in classes that do not overlap. Null as long as nothing was charged. */
  tokens: UsageTokens | null;
  /** The limit on its output, in tokens, that the gateway set: the request named none, and what paid for it went no further. Null where it set none. */
  output_limit: number | null;
  /** Pictures made, by `size/quality`. Null as long as nothing was charged. */
  images: { [key: string]: number; } | null;
  /** Calls of tools that the upstream ran itself, by the type of their output item. Null as long as nothing was charged. */
  tools: { [key: string]: number; } | null;
  /** When the money was held, in seconds since 1970-01-01 UTC. */
  created_at: number;
  /** When it was charged or given back, in seconds since 1970-01-01 UTC. Null while it is running. */
  settled_at: number | null;
  /** The version of the prices that it was charged by. Each change makes a new one; old ones are kept. */
  price_version: number;
  /** Who was asked, in order, where that was more than once or came to nothing. Empty where the first answer was a good one. */
  attempts: UsageAttempt[];
  /** What was used, by class. Empty as long as nothing was charged. */
  lines: ReceiptLine[];
  /** The sum of the amounts of the lines. */
  subtotal: string;
  /** The multiplier of the group at the time. */
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
  /** How many tokens, pictures or calls; a class that was not used has no line. */
  quantity: number;
  /** Price before the multiplier, for as much as `per` says. */
  price: Dollars;
  /** What the price is for: a million tokens, one picture or one call. */
  per: 'million_tokens' | 'picture' | 'call';
  /** `quantity` × `price`, divided by a million where the price is for a million. Exact: dollars to twelve digits. */
  amount: string;
}

/** A refusal of the model, in an answer or passed back. */
export interface Refusal {
  /** What this object is: always `refusal`. */
  type: 'refusal';
  /** Why the model does not answer, in its words. */
  refusal: string;
}

/** A call of a hosted tool or its output, passed back as it came. Upstreams that do not speak responses leave out a `web_search_call` that is over, and refuse the others with 400. */
export interface ReplayedItem {
  /** Which tool it is of, and whether it is a call or its output. */
  type: 'local_shell_call' | 'local_shell_call_output' | 'shell_call' | 'shell_call_output' | 'apply_patch_call' | 'apply_patch_call_output' | 'web_search_call' | 'file_search_call' | 'image_generation_call' | 'code_interpreter_call' | 'computer_call' | 'computer_call_output' | 'mcp_call' | 'mcp_list_tools' | 'mcp_approval_request' | 'mcp_approval_response' | 'program' | 'program_output' | 'configuration_update';
  /** Id of the item. Sent on only where another item or the upstream finds it by this. Absent where it was answered without one. 1 to 512 characters. */
  id?: string | null | undefined;
  /** How far it was when it was answered, in a word of that tool. Absent for tools that have no such field. At most 512 characters. */
  status?: string | null | undefined;
  /** What the tool was told to do, in its own words. Absent for tools that have no such field. */
  action?: { [key: string]: unknown; } | null | undefined;
}

/** The last event of a stream that went well. */
export interface ResponseCompletedEvent {
  /** What this object is: always `response.completed`. */
  type: 'response.completed';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** The whole response with its usage. */
  response: ModelResponse;
}

/** A part of a message or of a thought begins. */
export interface ResponseContentPartAddedEvent {
  /** What this object is: always `response.content_part.added`. */
  type: 'response.content_part.added';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this is about. */
  item_id: string;
  /** Place of that item in `output`, from 0. */
  output_index: number;
  /** Place of the part in the content of its item. */
  content_index: number;
  /** The part as it begins: without text. */
  part: OutputPart;
}

/** A part of a message or of a thought is over. */
export interface ResponseContentPartDoneEvent {
  /** What this object is: always `response.content_part.done`. */
  type: 'response.content_part.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this is about. */
  item_id: string;
  /** Place of that item in `output`, from 0. */
  output_index: number;
  /** Place of the part in the content of its item. */
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

/** The input of a free-form tool grows. */
export interface ResponseCustomToolCallInputDeltaEvent {
  /** What this object is: always `response.custom_tool_call_input.delta`. */
  type: 'response.custom_tool_call_input.delta';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this is about. */
  item_id: string;
  /** Place of that item in `output`, from 0. */
  output_index: number;
  /** The next piece of the text; the pieces in order are the whole. */
  delta: string;
}

/** The input of a free-form tool is over. */
export interface ResponseCustomToolCallInputDoneEvent {
  /** What this object is: always `response.custom_tool_call_input.done`. */
  type: 'response.custom_tool_call_input.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this is about. */
  item_id: string;
  /** Place of that item in `output`, from 0. */
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
  /** What went wrong, for programs: a code of the errors of this API. Never absent or null. */
  code?: string | null | undefined;
  /** What went wrong, for people. */
  message: string;
  /** The field at fault. Null: none is. */
  param?: string | null | undefined;
  /** The same once more, nested: some clients read only this form. Never absent. */
  error?: {
    /** Coarse class of the error. */
    type: 'invalid_request_error' | 'authentication_error' | 'permission_error' | 'rate_limit_error' | 'server_error' | 'image_generation_user_error';
    /** What went wrong, for programs: a code of the errors of this API. Never null. */
    code: string | null;
    /** What went wrong, for people. */
    message: string;
    /** The field at fault. Null: none is. */
    param: string | null;
  } | null | undefined;
}

/** The last event of a stream that failed, behind `error`. */
export interface ResponseFailedEvent {
  /** What this object is: always `response.failed`. */
  type: 'response.failed';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** The response as far as it came; `error` says what went wrong. */
  response: ModelResponse;
}

/** The arguments of a call grow. */
export interface ResponseFunctionCallArgumentsDeltaEvent {
  /** What this object is: always `response.function_call_arguments.delta`. */
  type: 'response.function_call_arguments.delta';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this is about. */
  item_id: string;
  /** Place of that item in `output`, from 0. */
  output_index: number;
  /** The next piece of the JSON; not JSON by itself. */
  delta: string;
}

/** The arguments of a call are over. */
export interface ResponseFunctionCallArgumentsDoneEvent {
  /** What this object is: always `response.function_call_arguments.done`. */
  type: 'response.function_call_arguments.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this is about. */
  item_id: string;
  /** Place of that item in `output`, from 0. */
  output_index: number;
  /** All of the JSON, as the model wrote it. */
  arguments: string;
  /** Name of the function. Absent where the upstream leaves it out; the item has it. */
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

/** The last event of an answer that was cut, by a limit or a filter. */
export interface ResponseIncompleteEvent {
  /** What this object is: always `response.incomplete`. */
  type: 'response.incomplete';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** The response as far as it came, with its usage; `incomplete_details` says what cut it. */
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

/** An item of the output is over: whole, or cut. */
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

/** A text of the answer gets a source or a file. */
export interface ResponseOutputTextAnnotationAddedEvent {
  /** What this object is: always `response.output_text.annotation.added`. */
  type: 'response.output_text.annotation.added';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this is about. */
  item_id: string;
  /** Place of that item in `output`, from 0. */
  output_index: number;
  /** Place of the part in the content of its item. */
  content_index: number;
  /** Place of the annotation among those of its part, from 0. */
  annotation_index: number;
  /** The annotation itself. */
  annotation: TextAnnotation;
}

/** The text of the answer grows. */
export interface ResponseOutputTextDeltaEvent {
  /** What this object is: always `response.output_text.delta`. */
  type: 'response.output_text.delta';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this is about. */
  item_id: string;
  /** Place of that item in `output`, from 0. */
  output_index: number;
  /** Place of the part in the content of its item. */
  content_index: number;
  /** The next piece of the text; the pieces in order are the whole. */
  delta: string;
  /** How sure the model was of each token of this piece. Empty or absent unless `include` asked for them. */
  logprobs?: TokenLogprob[] | null | undefined;
}

/** A text of the answer is over. */
export interface ResponseOutputTextDoneEvent {
  /** What this object is: always `response.output_text.done`. */
  type: 'response.output_text.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this is about. */
  item_id: string;
  /** Place of that item in `output`, from 0. */
  output_index: number;
  /** Place of the part in the content of its item. */
  content_index: number;
  /** The whole text, all pieces together. */
  text: string;
  /** How sure the model was of each token of this piece. Empty or absent unless `include` asked for them. */
  logprobs?: TokenLogprob[] | null | undefined;
}

/** The upstream has taken the request and works on others first. */
export interface ResponseQueuedEvent {
  /** What this object is: always `response.queued`. */
  type: 'response.queued';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** The response so far; its output is empty. */
  response: ModelResponse;
}

/** A paragraph of the summary of a thought begins. */
export interface ResponseReasoningSummaryPartAddedEvent {
  /** What this object is: always `response.reasoning_summary_part.added`. */
  type: 'response.reasoning_summary_part.added';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this is about. */
  item_id: string;
  /** Place of that item in `output`, from 0. */
  output_index: number;
  /** Which paragraph of the summary this is about, from 0. */
  summary_index: number;
  /** The paragraph as it begins: without text. */
  part: SummaryText;
}

/** A paragraph of the summary of a thought is over. */
export interface ResponseReasoningSummaryPartDoneEvent {
  /** What this object is: always `response.reasoning_summary_part.done`. */
  type: 'response.reasoning_summary_part.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this is about. */
  item_id: string;
  /** Place of that item in `output`, from 0. */
  output_index: number;
  /** Which paragraph of the summary this is about, from 0. */
  summary_index: number;
  /** The paragraph with all of its text. */
  part: SummaryText;
}

/** The text of such a paragraph grows. */
export interface ResponseReasoningSummaryTextDeltaEvent {
  /** What this object is: always `response.reasoning_summary_text.delta`. */
  type: 'response.reasoning_summary_text.delta';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this is about. */
  item_id: string;
  /** Place of that item in `output`, from 0. */
  output_index: number;
  /** Which paragraph of the summary this is about, from 0. */
  summary_index: number;
  /** The next piece of the text; the pieces in order are the whole. */
  delta: string;
}

/** The text of such a paragraph is over. */
export interface ResponseReasoningSummaryTextDoneEvent {
  /** What this object is: always `response.reasoning_summary_text.done`. */
  type: 'response.reasoning_summary_text.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this is about. */
  item_id: string;
  /** Place of that item in `output`, from 0. */
  output_index: number;
  /** Which paragraph of the summary this is about, from 0. */
  summary_index: number;
  /** The whole text, all pieces together. */
  text: string;
}

/** A thought that is shown as it is grows. */
export interface ResponseReasoningTextDeltaEvent {
  /** What this object is: always `response.reasoning_text.delta`. */
  type: 'response.reasoning_text.delta';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this is about. */
  item_id: string;
  /** Place of that item in `output`, from 0. */
  output_index: number;
  /** Place of the part in the content of its item. */
  content_index: number;
  /** The next piece of the text; the pieces in order are the whole. */
  delta: string;
}

/** A thought that is shown as it is is over. */
export interface ResponseReasoningTextDoneEvent {
  /** What this object is: always `response.reasoning_text.done`. */
  type: 'response.reasoning_text.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this is about. */
  item_id: string;
  /** Place of that item in `output`, from 0. */
  output_index: number;
  /** Place of the part in the content of its item. */
  content_index: number;
  /** The whole text, all pieces together. */
  text: string;
}

/** A refusal grows. */
export interface ResponseRefusalDeltaEvent {
  /** What this object is: always `response.refusal.delta`. */
  type: 'response.refusal.delta';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this is about. */
  item_id: string;
  /** Place of that item in `output`, from 0. */
  output_index: number;
  /** Place of the part in the content of its item. */
  content_index: number;
  /** The next piece of the text; the pieces in order are the whole. */
  delta: string;
}

/** A refusal is over. */
export interface ResponseRefusalDoneEvent {
  /** What this object is: always `response.refusal.done`. */
  type: 'response.refusal.done';
  /** 0, 1, 2, … within one stream. */
  sequence_number: number;
  /** Id of the item that this is about. */
  item_id: string;
  /** Place of that item in `output`, from 0. */
  output_index: number;
  /** Place of the part in the content of its item. */
  content_index: number;
  /** The whole refusal, all pieces together. */
  refusal: string;
}

/** Input and how the model is to answer it. Null counts as absent. A field that no operation knows is left out and named in `x-modelgate-ignored`, unless the operator of the upstream allows it. */
export interface ResponseRequest {
  /** Id of a text model, as `GET /v1/models` lists it. 1 to 512 characters. */
  model: string;
  /** A string, which is one message of the user, or up to 4096 items: messages, calls and their outputs. */
  input: string | InputItem[];
  /** The system prompt of this turn, ahead of the input; send it again on every chained turn. Absent: none. */
  instructions?: string | null | undefined;
  /** True: the answer comes as Server-Sent Events. Absent: false. */
  stream?: boolean | null | undefined;
  /** Options of a stream. Absent: none. */
  stream_options?: {
    /** Whether the upstream pads its events, so that their sizes tell nothing. Sent to responses upstreams; the gateway itself pads nothing. Absent: the upstream decides. */
    include_obfuscation?: boolean | null | undefined;
  } | null | undefined;
  /** Form and length of the text. Absent: plain text. */
  text?: TextOptions | null | undefined;
  /** How the model thinks. Absent: as it does by itself. */
  reasoning?: ReasoningOptions | null | undefined;
  /** Tools that the model may call, up to 128. Absent: none. */
  tools?: Tool[] | null | undefined;
  /** Which tools the model may or must call. Absent: `auto`. */
  tool_choice?: ToolChoice | null | undefined;
  /** Whether the model may make several calls at once. Absent: the upstream decides, usually true. False is 400 over Gemini upstreams. */
  parallel_tool_calls?: boolean | null | undefined;
  /** Id of a stored response of this account to go on from; its items and those before it are input, and charged as input. `instructions` are not carried over. Absent: a new conversation. 1 to 512 characters. */
  previous_response_id?: string | null | undefined;
  /** Whether the gateway keeps the response, for 30 days unless its operator says otherwise, so that it can be read and gone on from; upstreams keep nothing. Absent: true, unless the key may not store; true is 403 then. */
  store?: boolean | null | undefined;
  /** Whether the answer is to be made while nobody waits. Only false is supported: use `stream` for answers that take long. Absent: false. */
  background?: boolean | null | undefined;
  /** Most output tokens, reasoning included; an answer that is cut by it ends as `incomplete`. Absent: what the model can; where the account cannot pay for that, the gateway sets a limit and names it in `x-modelgate-output-limit`. At least 16. */
  max_output_tokens?: number | null | undefined;
  /** Most calls of tools that the upstream runs itself; the price of so many is held. Absent: no limit, and the price of 16 is held. 400 where the upstream does not speak responses. 1 to 10000. */
  max_tool_calls?: number | null | undefined;
  /** Higher is more varied. Absent: the model’s own. Anthropic upstreams take 0 to 1 and refuse more with 400; models that reason may refuse any. 0 to 2. */
  temperature?: number | null | undefined;
  /** Nucleus sampling: only the likeliest tokens are drawn from, up to this share of probability. Absent: the model’s own. 0 to 1. */
  top_p?: number | null | undefined;
  /** How many alternatives to show for each token; needs `message.output_text.logprobs` in `include`. Absent: 0. Above 0 it is 400 over Anthropic upstreams. 0 to 20. */
  top_logprobs?: number | null | undefined;
  /** Above 0, tokens that stood in the text before become less likely, once for all. Absent: 0. Any other value is 400 over Anthropic upstreams, and some responses upstreams refuse it. -2 to 2. */
  presence_penalty?: number | null | undefined;
  /** Above 0, tokens become the less likely the more often they stood in the text before. Absent: 0. Any other value is 400 over Anthropic upstreams, and some responses upstreams refuse it. -2 to 2. */
  frequency_penalty?: number | null | undefined;
  /** @deprecated there is nothing in its place. What a responses upstream does when the input is too long: `auto` drops the oldest items, `disabled` refuses. Absent: `disabled`. Others are not sent it. */
  truncation?: 'auto' | 'disabled' | null | undefined;
  /** How a responses upstream shortens a conversation that grows too long; up to 16 ways. Others are not sent it. Absent: not at all. */
  context_management?: Array<{
    /** What is done to the conversation, such as `compaction`. At most 512 characters. */
    type: string;
    /** Tokens of input from which on it is done. Absent: the upstream decides. */
    compact_threshold?: number | null | undefined;
  }> | null | undefined;
  /** Extra output, such as `reasoning.encrypted_content` or `message.output_text.logprobs`; up to 32 names. What an upstream cannot give is left out and named in `x-modelgate-ignored`. Absent: none. */
  include?: string[] | null | undefined;
  /** Notes of the caller, which the response repeats. Absent: none. It changes no answer; Anthropic and Gemini upstreams are not sent it. */
  metadata?: Metadata | null | undefined;
  /** Notes of a coding agent for itself; taken, written to no log and not sent on. Names have up to 256 characters. Absent: nothing. */
  client_metadata?: { [key: string]: unknown; } | null | undefined;
  /** Name of a conversation. Calls with one name are kept at one upstream where a model has several, so that its cache hits. Absent: none. It changes no answer; Anthropic and Gemini upstreams are not sent it. At most 64 characters. */
  prompt_cache_key?: string | null | undefined;
  /** @deprecated use `prompt_cache_options`. How long the upstream should keep a cached prompt; left out for Anthropic and Gemini upstreams. */
  prompt_cache_retention?: 'in_memory' | 'in-memory' | '24h' | null | undefined;
  /** How the upstream may cache the prompt. Absent: it decides. */
  prompt_cache_options?: PromptCacheOptions | null | undefined;
  /** An opaque name of the person behind the request, by which the vendor can tell whoever breaks its rules. Absent: none. It changes no answer; Anthropic and Gemini upstreams are not sent it. At most 64 characters. */
  safety_identifier?: string | null | undefined;
  /** Processing tier to ask the upstream for. Absent: `auto`. */
  service_tier?: ServiceTier | null | undefined;
  /** @deprecated use `safety_identifier` and `prompt_cache_key`. Absent: none. It changes no answer; Anthropic and Gemini upstreams are not sent it. At most 512 characters. */
  user?: string | null | undefined;
  /** Has the upstream judge the texts of the call. Absent: as it does anyway. */
  moderation?: TextModeration | null | undefined;
}

/** `queued`, `in_progress`: in the first events of a stream. `completed`: a natural end. `incomplete`: cut, as `incomplete_details` says. `failed`: as `error` says. `cancelled`: stopped by the upstream. */
export type ResponseStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';

/** One event of a responses stream. It opens with `response.created` and ends in exactly one of `response.completed`, `response.incomplete` and `response.failed`; then comes `data: [DONE]`. */
export type ResponseStreamEvent = ResponseCreatedEvent | ResponseQueuedEvent | ResponseInProgressEvent | ResponseCompletedEvent | ResponseIncompleteEvent | ResponseFailedEvent | ResponseOutputItemAddedEvent | ResponseOutputItemDoneEvent | ResponseContentPartAddedEvent | ResponseContentPartDoneEvent | ResponseOutputTextDeltaEvent | ResponseOutputTextDoneEvent | ResponseOutputTextAnnotationAddedEvent | ResponseRefusalDeltaEvent | ResponseRefusalDoneEvent | ResponseFunctionCallArgumentsDeltaEvent | ResponseFunctionCallArgumentsDoneEvent | ResponseCustomToolCallInputDeltaEvent | ResponseCustomToolCallInputDoneEvent | ResponseReasoningSummaryPartAddedEvent | ResponseReasoningSummaryPartDoneEvent | ResponseReasoningSummaryTextDeltaEvent | ResponseReasoningSummaryTextDoneEvent | ResponseReasoningTextDeltaEvent | ResponseReasoningTextDoneEvent | HostedToolEvent | KeepaliveEvent | ResponseErrorEvent;

/** What the response used, in tokens, as the upstream counted it. */
export interface ResponseUsage {
  /** Tokens of the input, those of the chain and those read from a cache included. */
  input_tokens: number;
  /** Parts of `input_tokens`. Absent where the upstream tells none. */
  input_tokens_details?: {
    /** Tokens that were read from a cache of the upstream; charged at the price of cached input. */
    cached_tokens: number;
    /** Tokens that were written to a cache of the upstream; charged at the price of cache writes. Absent: none. */
    cache_write_tokens?: number | null | undefined;
  } | null | undefined;
  /** Tokens of the output, reasoning included. */
  output_tokens: number;
  /** Parts of `output_tokens`. Absent where the upstream tells none. */
  output_tokens_details?: {
    /** Tokens that were spent on thoughts; charged as output. */
    reasoning_tokens: number;
  } | null | undefined;
  /** The sum of `input_tokens` and `output_tokens`. */
  total_tokens: number;
}

/** Processing tier to ask the upstream for; the answer says which one was used. Where calls are charged only `auto` and `default` are taken, unless the model is free: prices are those of the ordinary tier. Anthropic and Gemini upstreams are not sent it. */
export type ServiceTier = 'auto' | 'default' | 'flex' | 'scale' | 'priority' | 'fast' | 'ultrafast';

/** An item that the model was given: of the request, or of the turns before it in the chain. */
export interface StoredItem {
  /** Id of the item: as it was given, or made here where it came without one. */
  id: string;
  /** Kind of the item, such as `message`, `function_call` or `function_call_output`. */
  type: string;
  /** Who speaks, of a message. Absent for other items. */
  role?: string | null | undefined;
  /** The parts of a message; one that was given as a string is one part here. Absent for other items. */
  content?: unknown | undefined;
}

/** A paragraph of what the model thought, told in short. */
export interface SummaryText {
  /** What this object is: always `summary_text`. */
  type: 'summary_text';
  /** The text of the paragraph. */
  text: string;
}

/** A citation or a file path inside a text. */
export interface TextAnnotation {
  /** Kind of the annotation, such as `url_citation` or `file_path`; its other fields depend on it. At most 512 characters. */
  type: string;
}

/** Structured output; takes the place of `response_format` on chat. */
export type TextFormat = PlainTextFormat | JsonObjectFormat | JsonSchemaFormat;

/** The form of the text that the request asked for, as the upstream repeats it. */
export interface TextFormatEcho {
  /** Kind of the form: `text`, `json_object` or `json_schema`. */
  type: string;
}

/** Moderation of a text call by the upstream. Anthropic and Gemini upstreams refuse it with 400. On the images endpoints `moderation` is a word instead. */
export interface TextModeration {
  /** Id of a moderation model of the upstream. At most 512 characters. */
  model: string;
  /** What that model is to hold against a text, in the words of the upstream. Absent: its own rules. */
  policy?: { [key: string]: unknown; } | null | undefined;
}

/** What the text of the answer looks like. */
export interface TextOptions {
  /** Form of the answer. Absent: plain text. */
  format?: TextFormat | null | undefined;
  /** How long the answer should be. Absent: the model’s own, usually `medium`. */
  verbosity?: Verbosity | null | undefined;
}

/** How sure the model was of one token. */
export interface TokenLogprob {
  /** The token as text. */
  token: string;
  /** Natural logarithm of its probability, at most 0. */
  logprob: number;
  /** The token as UTF-8 bytes; a character may be spread over several tokens. Null or absent where it has none. */
  bytes?: number[] | null | undefined;
  /** The likeliest tokens at this place, as many as `top_logprobs` of the request; empty or absent for 0. */
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
  /** Price of a million input tokens that were read from a cache. */
  cached_input: Dollars;
  /** Price of a million input tokens that were written to a cache. */
  cache_write: Dollars;
  /** Price of a million output tokens, reasoning included. */
  output: Dollars;
  /** Price of a call of a tool that the upstream runs itself, by the type of its output item. Such a tool without a price is refused with 400; tools that the caller runs cost their tokens alone. */
  tools: { [key: string]: Dollars; };
}

/** A tool that the model may call: run by the caller, or by the upstream itself. */
export type Tool = FunctionTool | CustomTool | NamespaceTool | WebSearchTool | McpTool | HostedTool;

/** `none`: no call. `auto`: the model decides. `required`: at least one call. Or one tool, which then has to be called, or a subset of the tools (`allowed_tools`, a hard limit). */
export type ToolChoice = 'none' | 'auto' | 'required' | ToolSelection;

/** A tool of the request, as the upstream repeats it. */
export interface ToolEcho {
  /** Kind of the tool, such as `function` or `web_search`. */
  type: string;
}

/** Letters, digits, `_` and `-`; at most 64. */
export type ToolName = string;

/** A string, or up to 1,024 parts. Upstreams whose results are text alone are sent the text, and the pictures and files in a message behind it. */
export type ToolOutput = string | ToolOutputPart[];

/** A piece of what a tool gives back. */
export type ToolOutputPart = InputText | InputImage | InputFile;

/** An earlier search for tools. Upstreams that do not speak responses are not sent it. */
export interface ToolSearchCall {
  /** What this object is: always `tool_search_call`. */
  type: 'tool_search_call';
  /** Links the search with its output. Null where the upstream searched itself. 1 to 512 characters. */
  call_id?: string | null | undefined;
  /** What was searched for, as the model wrote it. */
  arguments: unknown;
  /** Who searched: `client` or `server`. Absent: the upstream decides. At most 512 characters. */
  execution?: string | null | undefined;
  /** Id of the item, the client’s own or that of an earlier answer. Taken, and not sent on: upstreams know no ids of others. Absent: a stored item is given one. 1 to 512 characters. */
  id?: string | null | undefined;
  /** How far the item was when it was answered; nothing depends on it, so it may be absent. */
  status?: ItemStatus | null | undefined;
}

/** What a search for tools has found. Upstreams without such items are sent the tools with the others. */
export interface ToolSearchOutput {
  /** What this object is: always `tool_search_output`. */
  type: 'tool_search_output';
  /** The `call_id` of the search. Null where the upstream searched itself. 1 to 512 characters. */
  call_id?: string | null | undefined;
  /** Tools that were found, up to 1,024; the model may call them from here on. */
  tools: Tool[];
  /** Who searched: `client` or `server`. Absent: the upstream decides. At most 512 characters. */
  execution?: string | null | undefined;
  /** Id of the item, the client’s own or that of an earlier answer. Taken, and not sent on: upstreams know no ids of others. Absent: a stored item is given one. 1 to 512 characters. */
  id?: string | null | undefined;
  /** How far the item was when it was answered; nothing depends on it, so it may be absent. */
  status?: ItemStatus | null | undefined;
}

/** One tool, or a subset of them. */
export type ToolSelection = NamedChoice | HostedChoice | McpChoice | AllowedTools;

/** One time that an upstream was asked. */
export interface UsageAttempt {
  /** Its name in the configuration, as in `x-modelgate-attempts`. */
  upstream: string;
  /** HTTP status of its answer. Null where none came. */
  status: number | null;
  /** What went wrong, by the code of an error. Null where the answer was good. */
  code: string | null;
  /** Milliseconds until it had failed, or until its answer could be handed on. */
  ms: number;
}

/** One page of the requests of an account, newest first. */
export interface UsageList {
  /** What this object is: always `list`. */
  object: 'list';
  /** The requests of this page, newest first. */
  data: UsageRecord[];
  /** `request_id` of the first request of this page. Null where the page is empty. */
  first_id: string | null;
  /** `request_id` of the last request of this page, which goes into `after` of the next call. Null where the page is empty. */
  last_id: string | null;
  /** Whether there are requests behind this page. */
  has_more: boolean;
}

/** One request that was paid for, or may have to be. */
export interface UsageRecord {
  /** What this object is: always `usage`. */
  object: 'usage';
  /** The `x-request-id` of the answer. */
  request_id: string;
  /** The key that it was called with. */
  key_id: string;
  /** Id of the model, as the request had it. */
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
  /** What it used, in classes that do not overlap. Null as long as nothing was charged. */
  tokens: UsageTokens | null;
  /** The limit on its output, in tokens, that the gateway set: the request named none, and what paid for it went no further. Null where it set none. */
  output_limit: number | null;
  /** Pictures made, by `size/quality`. Null as long as nothing was charged. */
  images: { [key: string]: number; } | null;
  /** Calls of tools that the upstream ran itself, by the type of their output item. Null as long as nothing was charged. */
  tools: { [key: string]: number; } | null;
  /** When the money was held, in seconds since 1970-01-01 UTC. */
  created_at: number;
  /** When it was charged or given back, in seconds since 1970-01-01 UTC. Null while it is running. */
  settled_at: number | null;
}

/** Tokens by what they are charged as; the classes do not overlap. */
export interface UsageTokens {
  /** Input that was neither read from a cache nor written to one. */
  input: number;
  /** Input that was read from a cache. */
  cached_input: number;
  /** Input that was written to a cache. */
  cache_write: number;
  /** All output, reasoning included. */
  output: number;
  /** The part of `output` that was spent on thoughts. */
  reasoning: number;
}

/** How long the answer should be. Sent to upstreams that speak chat or responses; Anthropic and Gemini upstreams have nothing like it and are not sent it. */
export type Verbosity = 'low' | 'medium' | 'high';

/** A search of the web, run by the upstream and charged by the call. Where the upstream has none, or it has no price, the tool is left out and named in `x-modelgate-ignored`; a call that `tool_choice` forces to use it is 400. */
export interface WebSearchTool {
  /** Which version of the search; new code sends `web_search`. */
  type: 'web_search' | 'web_search_2025_08_26' | 'web_search_preview' | 'web_search_preview_2025_03_11';
  /** Whether pages are fetched from the web; false: only what the upstream has of them already. Absent: the upstream decides, usually true. */
  external_web_access?: boolean | null | undefined;
  /** Which pages count, in the words of the upstream, such as `allowed_domains`. Absent: all. */
  filters?: { [key: string]: unknown; } | null | undefined;
  /** Roughly where the user is, in the words of the upstream. Absent: nowhere in particular. */
  user_location?: { [key: string]: unknown; } | null | undefined;
  /** How much of what was found the model reads. Absent: the upstream decides, usually `medium`. */
  search_context_size?: 'low' | 'medium' | 'high' | null | undefined;
}

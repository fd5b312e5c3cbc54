/** Types of docs/openapi.json, made by docs/types.ts. Do not edit: run `node docs/generate.ts`. */
export interface paths {
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models
         * @description The models that can be called with the key in use. Fetch it with that key before relying on a model.
         */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a model
         * @description One model of the list. A model that the key cannot call is as unknown as one that does not exist.
         */
        get: operations["getModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the catalog
         * @description Every model with its prices, bounds and abilities. Needs no key, and may be kept for a minute. Its address has no `/v1`.
         */
        get: operations["getCatalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a response
         * @description The responses protocol, which coding agents speak. With `stream: true` the answer is a stream of named events that ends in exactly one of `response.completed`, `response.incomplete` and `response.failed`.
         */
        post: operations["createResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses/{response_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a response
         * @description A stored response as it was answered. Only the account that made it can read it.
         */
        get: operations["getResponse"];
        put?: never;
        post?: never;
        /**
         * Delete a response
         * @description Deletes a stored response. A conversation cannot go on from it any more.
         */
        delete: operations["deleteResponse"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses/{response_id}/input_items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the input items of a response
         * @description What the model was given for a stored response: its input, and the turns before it in the chain. Newest first.
         */
        get: operations["listInputItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a chat completion
         * @description The chat protocol. With `stream: true` the answer is a stream of chunks that ends with `data: [DONE]`.
         */
        post: operations["createChatCompletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/images/generations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate images
         * @description Draws images from a prompt. With `stream: true` partial images can be watched.
         */
        post: operations["generateImages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/images/edits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Edit images
         * @description Changes images, or draws a new one from them. Takes a multipart form with files, or JSON with data URLs.
         */
        post: operations["editImages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List usage
         * @description Requests of the account of the key, by whichever of its keys, newest first. Empty where calls are not charged.
         */
        get: operations["listUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a receipt
         * @description One request with its itemised receipt: classes × prices × multiplier = charge. A stream has its receipt before its last event leaves.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description What the gateway carries to and from the model. How well the model makes use of it is its own affair. */
        Abilities: {
            /** @description Function tools, and free-form tools such as `apply_patch`. */
            tools: boolean;
            /** @description Tools that the upstream runs itself, such as a web search. */
            hosted_tools: boolean;
            /** @description Whether a caller can say if there may be several calls at once. */
            parallel_tool_calls: boolean;
            /** @description Whether it takes pictures: in messages, or to change them. */
            image_input: boolean;
            /**
             * @description What an answer can be held to: a JSON schema, any JSON object, or neither.
             * @enum {string}
             */
            structured_output: "schema" | "json" | "none";
            /** @description Whether a caller can say how much it should think. */
            reasoning_effort: boolean;
        };
        /** @description Tools that a coding agent declares inside the input. Upstreams without such items are sent them with the other tools. */
        AdditionalTools: {
            /**
             * @description What this object is: always `additional_tools`.
             * @constant
             */
            type: "additional_tools";
            /** @description Who speaks: `developer`, or absent; nothing depends on it. */
            role?: "developer" | null;
            /** @description Tools that the model may call from here on, up to 128. */
            tools: components["schemas"]["Tool"][];
            /** @description Id of the item, the client’s own or that of an earlier answer. Taken, and not sent on: upstreams know no ids of others. Absent: a stored item is given one. */
            id?: string | null;
            /** @description How far the item was when it was answered; nothing depends on it, so it may be absent. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description A tool of the request, named as it is there. */
        AllowedTool: {
            /** @description What kind of tool is named: `function` and `custom` with a `name`, others by their type alone. */
            type: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A subset of the tools of the request. */
        AllowedTools: {
            /**
             * @description What this object is: always `allowed_tools`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "allowed_tools";
            /**
             * @description `auto`: the model may call one of them or answer. `required`: it has to call one of them.
             * @enum {string}
             */
            mode: "auto" | "required";
            /** @description The tools that may be called: 1 to 128. */
            tools: components["schemas"]["AllowedTool"][];
        };
        /** @description A piece of sound: its bytes as base64, and what they are. */
        AudioClip: {
            /** @description The recording in plain base64, without the head of a data URL. */
            data: string;
            /**
             * @description How `data` is encoded.
             * @enum {string}
             */
            format: "wav" | "mp3";
        };
        /** @description The body of status 403 with one of 3 codes. */
        CallDeniedErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["CallDeniedErrorDetail"];
        };
        /** @description What went wrong where the status is 403 with one of 3 codes. All four fields are always there. */
        CallDeniedErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "permission_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "permission_denied" | "insufficient_balance" | "subscription_inactive";
        };
        /** @description The body of status 429 with one of 3 codes. */
        CallLimitErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["CallLimitErrorDetail"];
        };
        /** @description What went wrong where the status is 429 with one of 3 codes. All four fields are always there. */
        CallLimitErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "rate_limit_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "rate_limit_exceeded" | "token_limit_exceeded" | "concurrency_limit_exceeded";
        };
        /** @description Models of the catalog. Which of them a key can call, `GET /v1/models` says. */
        CatalogList: {
            /**
             * @description What this object is: always `list`.
             * @constant
             */
            object: "list";
            /** @description The models, in a stable order. */
            data: components["schemas"]["CatalogModel"][];
        };
        /** @description One model, for whoever chooses. */
        CatalogModel: {
            /**
             * @description Model id to put into requests.
             * @example gpt-5.4
             */
            id: string;
            /**
             * @description What this object is: always `model`.
             * @constant
             */
            object: "model";
            /** @description Where the model comes from: what its operator says, else the name of its upstream. */
            owned_by: string;
            /**
             * @description `text` answers chat and responses, `image` draws.
             * @enum {string}
             */
            kind: "text" | "image";
            /** @description Groups of accounts that may call it, and what its prices are multiplied with for each. */
            groups: {
                /** @description Name of the group. */
                name: string;
                /** @description What the prices are multiplied with for accounts of this group. */
                multiplier: components["schemas"]["Multiplier"];
            }[];
            /** @description What a call costs. Null where calls are not charged. */
            prices: components["schemas"]["CatalogPrices"] | null;
            /** @description Tokens that it takes, answer included. Null where that is not known. */
            context_window: number | null;
            /** @description Most tokens of one answer, by which its price is reckoned where a call sets no limit. Null for pictures. */
            max_output_tokens: number | null;
            /** @description What it can be called by. */
            protocols: ("chat" | "responses" | "images")[];
            /** @description What a call of it can ask for. */
            abilities: components["schemas"]["Abilities"];
        };
        /** @description `free`, prices by the million tokens, or prices by the picture; all before the multiplier of a group. */
        CatalogPrices: "free" | components["schemas"]["TokenPrices"] | components["schemas"]["ImagePrices"];
        /** @description A subset of the tools of the request. */
        ChatAllowedTools: {
            /**
             * @description What this object is: always `allowed_tools`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "allowed_tools";
            /** @description The subset, and whether one of it has to be called. */
            allowed_tools: {
                /**
                 * @description `auto`: the model may call one of them or answer. `required`: it has to call one of them.
                 * @enum {string}
                 */
                mode: "auto" | "required";
                /** @description The tools that may be called, by name: 1 to 128. */
                tools: components["schemas"]["ChatNamedChoice"][];
            };
        };
        /** @description A source of a piece of the text, found by a search of the upstream. */
        ChatAnnotation: {
            /** @description Kind of the annotation: `url_citation`, or one that the upstream invented. */
            type: string;
            /** @description The page that a piece of the text rests on. Absent for other kinds. */
            url_citation?: {
                /** @description Address of the page. */
                url: string;
                /** @description Title of the page. */
                title: string;
                /** @description Where the quoted piece of `content` begins, in characters from 0. */
                start_index: number;
                /** @description Where it ends, in characters from 0. */
                end_index: number;
            } | null;
        };
        /** @description A call of a free-form tool, for the caller to run. */
        ChatAnsweredCustomCall: {
            /** @description Id of the call; it goes back as `tool_call_id`. */
            id: string;
            /**
             * @description What this object is: always `custom`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "custom";
            /** @description The free-form tool to run. */
            custom: {
                /** @description Name of the tool, as the request declared it. */
                name: string;
                /** @description Free text for the tool. */
                input: string;
            };
        };
        /** @description The function that the model calls, and with what. */
        ChatAnsweredFunction: {
            /** @description Name of the function, as the request declared it. */
            name: string;
            /** @description JSON as the model wrote it: check it before use. */
            arguments: string;
        };
        /** @description A call of a function, for the caller to run. */
        ChatAnsweredFunctionCall: {
            /** @description Id of the call; it goes back as `tool_call_id`. */
            id: string;
            /**
             * @description What this object is: always `function`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "function";
            /** @description The function to run. */
            function: components["schemas"]["ChatAnsweredFunction"];
        };
        /** @description What the model says or calls. It can be appended to `messages` as it is. */
        ChatAnsweredMessage: {
            /**
             * @description Who speaks: always `assistant`.
             * @constant
             */
            role: "assistant";
            /** @description The text of the answer; null when the model only calls tools or refuses. */
            content?: string | null;
            /** @description Why the model does not answer. Null where it does. */
            refusal?: string | null;
            /** @description Sources of the text. Empty or absent: none. */
            annotations?: components["schemas"]["ChatAnnotation"][] | null;
            /** @description Calls for the caller to run. Absent: none. */
            tool_calls?: components["schemas"]["ChatAnsweredToolCall"][] | null;
            /**
             * @deprecated
             * @description Deprecated: send `tools` and read `tool_calls`. The one call that is answered to `functions`; absent otherwise.
             */
            function_call?: components["schemas"]["ChatAnsweredFunction"] | null;
            /** @description The spoken answer. Absent unless `modalities` asked for audio. */
            audio?: {
                /** @description Id to name this recording by in a later turn. */
                id: string;
                /** @description The recording in plain base64, encoded as `audio.format` of the request says. */
                data: string;
                /** @description When the upstream forgets the id, in seconds since 1970-01-01 UTC. */
                expires_at: number;
                /** @description What is said in the recording. */
                transcript: string;
            } | null;
        };
        /** @description A call for the caller to run; its `id` goes back as `tool_call_id`. */
        ChatAnsweredToolCall: components["schemas"]["ChatAnsweredFunctionCall"] | components["schemas"]["ChatAnsweredCustomCall"];
        /** @description An earlier answer; carries text, a refusal, audio or calls. */
        ChatAssistantMessage: {
            /**
             * @description Who speaks: always `assistant`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            role: "assistant";
            /** @description What the assistant said: a string, or up to 1024 parts of text and refusal. Null or absent only beside `tool_calls`, `refusal`, `audio` or `function_call`. */
            content?: string | components["schemas"]["ChatAssistantPart"][] | null;
            /** @description What the assistant said when it refused. Absent: it did not refuse. */
            refusal?: string | null;
            /** @description Names a spoken answer of an earlier turn. Only upstreams that speak chat take it; others refuse it with 400. Absent: none was spoken. */
            audio?: {
                /** @description The `audio.id` of that answer. */
                id: string;
            } | null;
            /** @description The calls that it made, up to 128. Absent: none. */
            tool_calls?: components["schemas"]["ChatToolCall"][] | null;
            /**
             * @deprecated
             * @description Deprecated: use `tool_calls`. The one call of the older form; a `function` message answers it.
             */
            function_call?: components["schemas"]["ChatCalledFunction"] | null;
            /** @description Tells participants of the same role apart; up to 512 characters. A model that is served over responses refuses it with 400, Anthropic and Gemini upstreams are not sent it. Absent: none. */
            name?: string | null;
        };
        /** @description A piece of an earlier answer. */
        ChatAssistantPart: components["schemas"]["ChatTextPart"] | components["schemas"]["ChatRefusalPart"];
        /** @description How a spoken answer sounds. Only upstreams that speak chat give one; others refuse it with 400. */
        ChatAudioOptions: {
            /** @description Name of a voice of the upstream, or an object that names a custom one. */
            voice: string | {
                [key: string]: unknown;
            };
            /**
             * @description How the recording in the answer is encoded.
             * @enum {string}
             */
            format: "wav" | "aac" | "mp3" | "flac" | "opus" | "pcm16";
        };
        /** @description A recording that a user plays. Anthropic and Gemini upstreams take none: 400. */
        ChatAudioPart: {
            /**
             * @description What this object is: always `input_audio`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "input_audio";
            /** @description The recording. */
            input_audio: components["schemas"]["AudioClip"];
            /** @description Marks the end of a part of the prompt that the upstream may cache. Sent where the upstream speaks the protocol of this call, left out elsewhere. Absent: no mark. */
            prompt_cache_breakpoint?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description The function that was called in an earlier turn, and with what. */
        ChatCalledFunction: {
            /** @description Name of the function that was called. */
            name: string;
            /** @description JSON as the model wrote it; it may be malformed. Anthropic and Gemini upstreams need a JSON object or an empty text: another one is 400. */
            arguments: string;
        };
        /** @description The text is in `choices[0].message.content`. */
        ChatCompletion: {
            /** @description Id of the answer, the same in all of its chunks. It cannot be asked for later: nothing is stored. */
            id: string;
            /**
             * @description What this object is: always `chat.completion`.
             * @constant
             */
            object: "chat.completion";
            /** @description Seconds since 1970-01-01 UTC. */
            created: number;
            /** @description Id of the model that answered, as the request has it. */
            model: string;
            /** @description The answers: one, or as many as `n`. */
            choices: {
                /** @description Which of the `n` answers this is, from 0. */
                index: number;
                /** @description The answer itself. */
                message: components["schemas"]["ChatAnsweredMessage"];
                /** @description Why the answer ended. */
                finish_reason: components["schemas"]["FinishReason"];
                /** @description How sure the model was of each token. Null or absent unless `logprobs` asked for it. */
                logprobs?: components["schemas"]["ChatLogprobs"] | null;
            }[];
            /** @description What all of them used. Absent where the upstream tells nothing. */
            usage?: components["schemas"]["ChatUsage"] | null;
            /** @description The processing tier that was used. Absent where the upstream does not say it. */
            service_tier?: string | null;
            /** @description Name of the set-up that answered, for who compares answers by `seed`. Absent where the upstream does not say it. */
            system_fingerprint?: string | null;
        };
        /** @description One `data:` line of a chat stream. The stream ends with `data: [DONE]`; one that fails ends with `data: {"error": …}` instead. */
        ChatCompletionChunk: {
            /** @description Id of the answer, the same in all of its chunks. It cannot be asked for later: nothing is stored. */
            id: string;
            /**
             * @description What this object is: always `chat.completion.chunk`.
             * @constant
             */
            object: "chat.completion.chunk";
            /** @description Seconds since 1970-01-01 UTC. */
            created: number;
            /** @description Id of the model that answered, as the request has it. */
            model: string;
            /** @description Empty in the chunk that carries the usage. */
            choices: {
                /** @description Which of the `n` answers this is, from 0. */
                index: number;
                /** @description What this chunk adds to its answer. */
                delta: components["schemas"]["ChatDelta"];
                /** @description Why the answer ended: on its last chunk, null before. */
                finish_reason?: components["schemas"]["FinishReason"] | null;
                /** @description How sure the model was of each token. Null or absent unless `logprobs` asked for it. */
                logprobs?: components["schemas"]["ChatLogprobs"] | null;
            }[];
            /** @description What the answers used: in the last chunk, null before. Absent unless `stream_options.include_usage` asked for it. */
            usage?: components["schemas"]["ChatUsage"] | null;
            /** @description The processing tier that was used. Absent where the upstream does not say it. */
            service_tier?: string | null;
            /** @description Name of the set-up that answered, for who compares answers by `seed`. Absent where the upstream does not say it. */
            system_fingerprint?: string | null;
        };
        /**
         * @description A conversation and how it is to go on. Null counts as absent. A field that no operation knows is left out and named in `x-modelgate-ignored`, unless the operator of the upstream allows it.
         * @example {
         *       "model": "gpt-5.4",
         *       "messages": [
         *         {
         *           "role": "user",
         *           "content": "Say hello in five languages."
         *         }
         *       ]
         *     }
         */
        ChatCompletionRequest: {
            /**
             * @description Id of a text model, as `GET /v1/models` lists it.
             * @example gpt-5.4
             */
            model: string;
            /** @description The conversation, oldest first: 1 to 4096 messages. */
            messages: components["schemas"]["ChatMessage"][];
            /** @description True: the answer comes as Server-Sent Events. Absent: false. */
            stream?: boolean | null;
            /** @description Tools that the model may call, up to 128; the caller runs them. Absent: none. Upstreams without free-form tools are sent those as functions of one text. */
            tools?: components["schemas"]["ChatTool"][] | null;
            /** @description Which tools the model may or must call. Absent: `auto` with tools, `none` without. */
            tool_choice?: components["schemas"]["ChatToolChoice"] | null;
            /** @description Form of the answer. Absent: plain text. */
            response_format?: components["schemas"]["ChatResponseFormat"] | null;
            /** @description How much the model should think. Absent: the model’s own. Chat shows no thoughts, but they count as output tokens. */
            reasoning_effort?: components["schemas"]["ReasoningEffort"] | null;
            /** @description Most output tokens, reasoning included; an answer that is cut by it ends with `length`. Absent: what the model can; where the account cannot pay for that, the gateway sets a limit and names it in `x-modelgate-output-limit`. Where the model is served over responses, less than 16 becomes 16. */
            max_completion_tokens?: number | null;
            /** @description Options of a stream; 400 without `stream: true`. Absent: none. */
            stream_options?: {
                /** @description Whether one more chunk, with the usage and no choices, comes before `[DONE]`. Absent: false. */
                include_usage?: boolean | null;
                /** @description Whether the upstream pads its chunks, so that their sizes tell nothing. Sent to upstreams that speak chat; the gateway itself pads nothing. Absent: the upstream decides. */
                include_obfuscation?: boolean | null;
            } | null;
            /** @description Higher is more varied. Absent: the model’s own. Anthropic upstreams take 0 to 1 and refuse more with 400; models that reason may refuse any. */
            temperature?: number | null;
            /** @description Nucleus sampling: only the likeliest tokens are drawn from, up to this share of probability. Absent: the model’s own. */
            top_p?: number | null;
            /** @description The older name of `max_completion_tokens`, with the same meaning; send one of the two, both are 400. Absent: as `max_completion_tokens` says. */
            max_tokens?: number | null;
            /** @description Number of answers, each of which is charged. Absent: 1. More than one only where the upstream speaks chat; others refuse it with 400. */
            n?: number | null;
            /** @description Up to four texts that end the answer, each up to 1,024 characters; none of them is part of it. Absent: none. Refused with 400 where the model is served over responses. */
            stop?: string | string[] | null;
            /** @description Above 0, tokens become the less likely the more often they stood in the text before. Absent: 0. Any other value is 400 over responses and Anthropic upstreams. */
            frequency_penalty?: number | null;
            /** @description Above 0, tokens that stood in the text before become less likely, once for all. Absent: 0. Any other value is 400 over responses and Anthropic upstreams. */
            presence_penalty?: number | null;
            /** @description Token id to a bias from -100 (never) to 100 (always). Absent: none. Refused with 400 unless the upstream speaks chat. */
            logit_bias?: {
                [key: string]: number;
            } | null;
            /** @description Whether to return log probabilities of the output tokens. Absent: false. True is 400 over Anthropic upstreams. */
            logprobs?: boolean | null;
            /** @description How many alternatives to show for each token; needs `logprobs: true`. Absent: 0. */
            top_logprobs?: number | null;
            /**
             * @deprecated
             * @description Deprecated: there is nothing in its place. Best effort to repeat an answer. Left out where the model is served over responses, and named in `x-modelgate-ignored`; Anthropic upstreams refuse it with 400, Gemini upstreams take whole numbers.
             */
            seed?: number | null;
            /** @description Whether the model may make several calls at once. Absent: the upstream decides, usually true. False is 400 over Gemini upstreams. */
            parallel_tool_calls?: boolean | null;
            /**
             * @deprecated
             * @description Deprecated: use `tools`. Who sends these alone gets at most one call, as `function_call`.
             */
            functions?: {
                /** @description Name of the function. */
                name: string;
                /** @description What the function does; the model reads this. Absent: nothing is said. */
                description?: string | null;
                /** @description JSON schema of the arguments. Absent: no arguments. */
                parameters?: {
                    [key: string]: unknown;
                } | null;
            }[] | null;
            /**
             * @deprecated
             * @description Deprecated: use `tool_choice`.
             */
            function_call?: ("none" | "auto") | components["schemas"]["ChatFunctionName"] | null;
            /** @description A form of `reasoning_effort` that bridge tools send: `reasoning.effort` counts as `reasoning_effort`. Whatever else is in it is not looked at. Absent: as `reasoning_effort` says. */
            reasoning?: {
                /** @description Counts as `reasoning_effort` where that is absent. */
                effort?: components["schemas"]["ReasoningEffort"] | null;
            } | null;
            /** @description How long the answer should be. Absent: the model’s own, usually `medium`. */
            verbosity?: components["schemas"]["Verbosity"] | null;
            /** @description What the answer is made of. Absent: text. `audio` needs `audio`, and is 400 unless the upstream speaks chat. */
            modalities?: ("text" | "audio")[] | null;
            /** @description How a spoken answer sounds. Absent: nothing is spoken; it is needed when `modalities` has `audio`. */
            audio?: components["schemas"]["ChatAudioOptions"] | null;
            /** @description A text that most of the answer is expected to repeat, which makes it faster. Absent: none. Refused with 400 unless the upstream speaks chat. */
            prediction?: {
                /**
                 * @description What this object is: always `content`.
                 * @constant
                 */
                type: "content";
                /** @description The text that is expected: a string, or up to 1,024 parts. */
                content: string | components["schemas"]["ChatTextPart"][];
            } | null;
            /** @description Whether the answer is to be kept, which chat never does: upstreams are told to keep nothing, and true is named in `x-modelgate-ignored`. Absent: false. */
            store?: boolean | null;
            /** @description Notes of the caller for the upstream; the gateway does not use them. Absent: none. It changes no answer; Anthropic and Gemini upstreams are not sent it. */
            metadata?: components["schemas"]["Metadata"] | null;
            /**
             * @deprecated
             * @description Deprecated: use `safety_identifier` and `prompt_cache_key`. Absent: none. It changes no answer; Anthropic and Gemini upstreams are not sent it.
             */
            user?: string | null;
            /** @description An opaque name of the person behind the request, by which the vendor can tell whoever breaks its rules. Absent: none. It changes no answer; Anthropic and Gemini upstreams are not sent it. */
            safety_identifier?: string | null;
            /** @description Name of a conversation. Calls with one name are kept at one upstream where a model has several, so that its cache hits. Absent: none. It changes no answer; Anthropic and Gemini upstreams are not sent it. */
            prompt_cache_key?: string | null;
            /**
             * @deprecated
             * @description Deprecated: use `prompt_cache_options`. How long the upstream should keep a cached prompt; left out for Anthropic and Gemini upstreams.
             * @enum {string|null}
             */
            prompt_cache_retention?: "in_memory" | "in-memory" | "24h" | null;
            /** @description How the upstream may cache the prompt. Absent: it decides. */
            prompt_cache_options?: components["schemas"]["PromptCacheOptions"] | null;
            /** @description Processing tier to ask the upstream for. Absent: `auto`. */
            service_tier?: components["schemas"]["ServiceTier"] | null;
            /** @description Lets the upstream search the web. Absent: it does not. Charged as one call of `web_search_call`, and 400 where that has no price; unless it is empty, it is also 400 where the upstream does not speak chat. An empty one is left out there, named in `x-modelgate-ignored`, and costs nothing. */
            web_search_options?: {
                /**
                 * @description How much of what was found the model reads. Absent: the upstream decides, usually `medium`.
                 * @enum {string|null}
                 */
                search_context_size?: "low" | "medium" | "high" | null;
                /** @description Roughly where the user is, in the words of the upstream. Absent: nowhere in particular. */
                user_location?: {
                    [key: string]: unknown;
                } | null;
            } | null;
            /** @description Has the upstream judge the texts of the call. Absent: as it does anyway. */
            moderation?: components["schemas"]["TextModeration"] | null;
        };
        /** @description A free-form tool by its name. */
        ChatCustomChoice: {
            /**
             * @description What this object is: always `custom`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "custom";
            /** @description Names the free-form tool. */
            custom: components["schemas"]["ChatNamedTool"];
        };
        /** @description A tool that takes free text instead of JSON arguments, run by the caller. Upstreams that know functions alone are sent a function of one text; the call comes back as `custom`. */
        ChatCustomTool: {
            /**
             * @description What this object is: always `custom`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "custom";
            /** @description The tool itself. */
            custom: {
                /** @description Name that the model calls it by. */
                name: components["schemas"]["ToolName"];
                /** @description What the tool does and when to use it; the model reads this. Absent: nothing is said. */
                description?: string | null;
                /** @description What text the tool takes. Absent: any. */
                format?: components["schemas"]["ChatCustomToolFormat"] | null;
            };
        };
        /** @description A call of a free-form tool in an earlier turn. */
        ChatCustomToolCall: {
            /** @description Id of the call. The `tool` message with its result carries it as `tool_call_id`. */
            id: string;
            /**
             * @description What this object is: always `custom`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "custom";
            /** @description The free-form tool and its input. */
            custom: {
                /** @description Name of the tool that was called. */
                name: string;
                /** @description The free text that the model gave it. */
                input: string;
            };
        };
        /** @description What the input of the tool has to look like. */
        ChatCustomToolFormat: components["schemas"]["PlainTextFormat"] | components["schemas"]["ChatGrammarFormat"];
        /** @description What a chunk adds to its answer; empty on the one that ends it. */
        ChatDelta: {
            /**
             * @description Who speaks: `assistant`, on the first chunk of an answer alone, absent on the others.
             * @enum {string|null}
             */
            role?: "assistant" | "developer" | "system" | "user" | "tool" | null;
            /** @description The next piece of the text. Absent where this chunk brings none. */
            content?: string | null;
            /** @description The next piece of a refusal. Absent where this chunk brings none. */
            refusal?: string | null;
            /** @description Where the text is from. Absent where this chunk brings none. */
            annotations?: components["schemas"]["ChatAnnotation"][] | null;
            /** @description The next pieces of calls. Absent where this chunk brings none. */
            tool_calls?: components["schemas"]["ChatToolCallDelta"][] | null;
            /**
             * @deprecated
             * @description Deprecated: send `tools` and read `tool_calls`. The next piece of the one call that is answered to `functions`.
             */
            function_call?: components["schemas"]["ChatFunctionDelta"] | null;
        };
        /** @description A document that a user hands over. */
        ChatFilePart: {
            /**
             * @description What this object is: always `file`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "file";
            /** @description The file: either its data or its id. */
            file: {
                /** @description Name of the file, up to 512 characters. Absent: the model is told none. */
                filename?: string | null;
                /** @description The file as a data URL. Anthropic upstreams take PDF and plain text alone, another kind is 400. Absent only beside `file_id`. */
                file_data?: string | null;
                /** @description Id of a file that lies at the upstream, in place of `file_data`. The gateway has no Files API; Anthropic and Gemini upstreams refuse an id with 400. Absent: the file is in `file_data`. */
                file_id?: string | null;
            };
            /** @description Marks the end of a part of the prompt that the upstream may cache. Sent where the upstream speaks the protocol of this call, left out elsewhere. Absent: no mark. */
            prompt_cache_breakpoint?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A function by its name. */
        ChatFunctionChoice: {
            /**
             * @description What this object is: always `function`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "function";
            /** @description Names the function. */
            function: components["schemas"]["ChatNamedTool"];
        };
        /** @description What the model is told about a function. */
        ChatFunctionDefinition: {
            /** @description Name that the model calls it by. */
            name: components["schemas"]["ToolName"];
            /** @description What the tool does and when to use it; the model reads this. Absent: nothing is said. */
            description?: string | null;
            /** @description JSON schema of the arguments, at most 64 levels deep. Absent: no arguments. */
            parameters?: {
                [key: string]: unknown;
            } | null;
            /** @description Whether the arguments must follow the schema exactly. Absent: false. */
            strict?: boolean | null;
        };
        /** @description A piece of a function call: its name once, its arguments bit by bit. */
        ChatFunctionDelta: {
            /** @description Name of the function; on the first piece alone, absent on the others. */
            name?: string;
            /** @description The next piece of the JSON of the arguments. Absent where this chunk brings none. */
            arguments?: string;
        };
        /**
         * @deprecated
         * @description Deprecated: use the role `tool`. The result of a `function_call`.
         */
        ChatFunctionMessage: {
            /**
             * @description Who speaks: always `function`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            role: "function";
            /** @description Name of the function that was called; the older form knows no ids. */
            name: string;
            /** @description What the function gave back. Null: an empty text. */
            content?: string | null;
        };
        /**
         * @deprecated
         * @description Deprecated: use `tool_choice`. The one of `functions` that has to be called.
         */
        ChatFunctionName: {
            /** @description Name of that function. */
            name: string;
        };
        /** @description A function that the caller runs. */
        ChatFunctionTool: {
            /**
             * @description What this object is: always `function`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "function";
            /** @description The function itself. */
            function: components["schemas"]["ChatFunctionDefinition"];
        };
        /** @description A call of a function in an earlier turn. */
        ChatFunctionToolCall: {
            /** @description Id of the call. The `tool` message with its result carries it as `tool_call_id`. */
            id: string;
            /**
             * @description What this object is: always `function`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "function";
            /** @description The function and its arguments. */
            function: components["schemas"]["ChatCalledFunction"];
        };
        /** @description Text that follows a grammar. */
        ChatGrammarFormat: {
            /**
             * @description What this object is: always `grammar`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "grammar";
            /** @description The grammar that the input follows. */
            grammar: {
                /**
                 * @description How the grammar is written: `lark`, or `regex` for one regular expression.
                 * @enum {string}
                 */
                syntax: "lark" | "regex";
                /** @description The grammar that the input has to follow. Upstreams without free-form tools cannot enforce it; there the model is told of it. */
                definition: string;
            };
        };
        /** @description A picture that a user shows. */
        ChatImagePart: {
            /**
             * @description What this object is: always `image_url`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "image_url";
            /** @description The picture: an object on chat, where responses have a string. */
            image_url: {
                /** @description A data URL, or an https address where the upstream can fetch it. The gateway never fetches it. Gemini upstreams take data URLs alone: an address is 400. */
                url: string;
                /**
                 * @description How closely the model looks at the picture; a closer look costs more input tokens. Absent: `auto`. Not sent to Anthropic and Gemini upstreams.
                 * @enum {string|null}
                 */
                detail?: "auto" | "low" | "high" | "original" | null;
            };
            /** @description Marks the end of a part of the prompt that the upstream may cache. Sent where the upstream speaks the protocol of this call, left out elsewhere. Absent: no mark. */
            prompt_cache_breakpoint?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description Sets the behaviour of the assistant. It may stand anywhere in the conversation. */
        ChatInstructionMessage: {
            /**
             * @description Both mean the same here. Upstreams that do not know `developer` are sent `system`; others keep instructions in a place of their own. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            role: "system" | "developer";
            /** @description The instructions: a string, or 1 to 1024 parts of text. */
            content: string | components["schemas"]["ChatTextPart"][];
            /** @description Tells participants of the same role apart; up to 512 characters. A model that is served over responses refuses it with 400, Anthropic and Gemini upstreams are not sent it. Absent: none. */
            name?: string | null;
        };
        /** @description JSON that follows a schema of the caller. A vendor of chat may know no schemas: then 400. */
        ChatJsonSchemaFormat: {
            /**
             * @description What this object is: always `json_schema`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "json_schema";
            /** @description The schema and what is said about it. */
            json_schema: {
                /** @description A name for the form, which the model may see. */
                name: string;
                /** @description What the form is for; the model reads this. Absent: nothing is said. */
                description?: string | null;
                /** @description JSON schema of the answer, at most 64 levels deep. Absent: any JSON. */
                schema?: {
                    [key: string]: unknown;
                } | null;
                /** @description Whether the answer must follow the schema exactly. Absent: false. Anthropic and Gemini upstreams make no difference: they always hold to it. */
                strict?: boolean | null;
            };
        };
        /** @description How sure the model was of each token. */
        ChatLogprobs: {
            /** @description Each token of the text. Null where there is no text. */
            content?: components["schemas"]["ChatTokenLogprob"][] | null;
            /** @description Each token of a refusal. Null where there is none. */
            refusal?: components["schemas"]["ChatTokenLogprob"][] | null;
        };
        /** @description One message of a conversation, told apart by its `role`. */
        ChatMessage: components["schemas"]["ChatInstructionMessage"] | components["schemas"]["ChatUserMessage"] | components["schemas"]["ChatAssistantMessage"] | components["schemas"]["ChatToolMessage"] | components["schemas"]["ChatFunctionMessage"];
        /** @description One tool, by its name. */
        ChatNamedChoice: components["schemas"]["ChatFunctionChoice"] | components["schemas"]["ChatCustomChoice"];
        /** @description A tool of the request, by its name. */
        ChatNamedTool: {
            /** @description Name of a tool of this request. */
            name: components["schemas"]["ToolName"];
        };
        /** @description A refusal of an earlier answer, passed back as a part. */
        ChatRefusalPart: {
            /**
             * @description What this object is: always `refusal`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "refusal";
            /** @description What the model said when it refused. */
            refusal: string;
        };
        /** @description Form of the answer. On responses this is `text.format`, one level flatter. */
        ChatResponseFormat: components["schemas"]["PlainTextFormat"] | components["schemas"]["JsonObjectFormat"] | components["schemas"]["ChatJsonSchemaFormat"];
        /** @description A piece of text in a message. */
        ChatTextPart: {
            /**
             * @description What this object is: always `text`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "text";
            /** @description The text itself. It may be empty. */
            text: string;
            /** @description Marks the end of a part of the prompt that the upstream may cache. Sent where the upstream speaks the protocol of this call, left out elsewhere. Absent: no mark. */
            prompt_cache_breakpoint?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A token of the answer, and how likely it was. */
        ChatTokenLogprob: {
            /** @description The token as text. */
            token: string;
            /** @description Natural logarithm of its probability, at most 0. */
            logprob: number;
            /** @description The token as UTF-8 bytes; a character may be spread over several tokens. Null where it has none. */
            bytes?: number[] | null;
            /** @description The likeliest tokens at this place, as many as `top_logprobs` of the request; empty for 0. */
            top_logprobs: components["schemas"]["ChatTopLogprob"][];
        };
        /** @description A tool that the model may call and the caller runs. */
        ChatTool: components["schemas"]["ChatFunctionTool"] | components["schemas"]["ChatCustomTool"];
        /** @description A call that the model made in an earlier turn. Its result has to follow in a `tool` message before anybody else speaks. */
        ChatToolCall: components["schemas"]["ChatFunctionToolCall"] | components["schemas"]["ChatCustomToolCall"];
        /** @description `id`, `type` and the name come once, on the first piece of a call. */
        ChatToolCallDelta: {
            /** @description Which call this piece belongs to, from 0 without a gap. */
            index: number;
            /** @description Id of the call; on its first piece alone, absent on the others. */
            id?: string;
            /**
             * @description What is called; on the first piece alone, absent on the others.
             * @enum {string}
             */
            type?: "function" | "custom";
            /** @description Piece of a call of a function. Absent for a free-form tool. */
            function?: components["schemas"]["ChatFunctionDelta"];
            /** @description Piece of a call of a free-form tool. Absent for a function. */
            custom?: {
                /** @description Name of the tool; on the first piece alone, absent on the others. */
                name?: string;
                /** @description The next piece of its text. Absent where this chunk brings none. */
                input?: string;
            };
        };
        /** @description `none`: no call. `auto`: the model decides. `required`: at least one call. Or one tool by name, which then has to be called, or a subset of the tools. */
        ChatToolChoice: ("none" | "auto" | "required") | components["schemas"]["ChatToolSelection"];
        /** @description The result of a tool call. */
        ChatToolMessage: {
            /**
             * @description Who speaks: always `tool`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            role: "tool";
            /** @description What the tool gave back: a string, or 1 to 1024 parts of text. */
            content: string | components["schemas"]["ChatTextPart"][];
            /** @description Id of the call that this answers. One that no open call has is 400. */
            tool_call_id: string;
        };
        /** @description One tool by its name, or a subset of them. */
        ChatToolSelection: components["schemas"]["ChatFunctionChoice"] | components["schemas"]["ChatCustomChoice"] | components["schemas"]["ChatAllowedTools"];
        /** @description A token that could have stood there, and how likely it was. */
        ChatTopLogprob: {
            /** @description The other token as text. */
            token: string;
            /** @description Natural logarithm of its probability, at most 0. */
            logprob: number;
            /** @description The token as UTF-8 bytes; a character may be spread over several tokens. Null where it has none. */
            bytes?: number[] | null;
        };
        /** @description What the answer used, in tokens, as the upstream counted it. Where it tells nothing, only the receipt has a count. */
        ChatUsage: {
            /** @description Tokens of the input, those read from a cache included. */
            prompt_tokens: number;
            /** @description Tokens of the output, reasoning included. */
            completion_tokens: number;
            /** @description The sum of `prompt_tokens` and `completion_tokens`. */
            total_tokens: number;
            /** @description Parts of `prompt_tokens`. Absent where the upstream tells none. */
            prompt_tokens_details?: {
                /** @description Tokens that were read from a cache of the upstream; charged at the price of cached input. Absent: none. */
                cached_tokens?: number | null;
                /** @description Tokens that were written to a cache of the upstream; charged at the price of cache writes. Absent: none. */
                cache_write_tokens?: number | null;
                /** @description Tokens that were heard in recordings. Absent: none, or not told apart. */
                audio_tokens?: number | null;
            } | null;
            /** @description Parts of `completion_tokens`. Absent where the upstream tells none. */
            completion_tokens_details?: {
                /** @description Tokens that were spent on thoughts; charged as output. Absent: none, or not told apart. */
                reasoning_tokens?: number | null;
                /** @description Tokens that were spoken. Absent: none, or not told apart. */
                audio_tokens?: number | null;
                /** @description Tokens of `prediction` that came true. Absent: none. */
                accepted_prediction_tokens?: number | null;
                /** @description Tokens of `prediction` that did not come true; charged as output all the same. Absent: none. */
                rejected_prediction_tokens?: number | null;
            } | null;
        };
        /** @description What the user says, with pictures, recordings and files. */
        ChatUserMessage: {
            /**
             * @description Who speaks: always `user`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            role: "user";
            /** @description What the user says, shows or plays: a string, or 1 to 1024 parts. */
            content: string | components["schemas"]["ChatUserPart"][];
            /** @description Tells participants of the same role apart; up to 512 characters. A model that is served over responses refuses it with 400, Anthropic and Gemini upstreams are not sent it. Absent: none. */
            name?: string | null;
        };
        /** @description What a user says, shows, plays or hands over. */
        ChatUserPart: components["schemas"]["ChatTextPart"] | components["schemas"]["ChatImagePart"] | components["schemas"]["ChatAudioPart"] | components["schemas"]["ChatFilePart"];
        /** @description A text model in the format of the Codex CLI. */
        CodexModel: {
            /** @description Id of the model; the other fields are private to the Codex CLI. */
            slug: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A conversation that a responses upstream has made short. Others refuse it with 400. */
        Compaction: {
            /**
             * @description What this object is: always `compaction`.
             * @constant
             */
            type: "compaction";
            /** @description The sealed conversation, unchanged. Only the upstream that sealed it can open it; another refuses it with 400. */
            encrypted_content: string;
            /** @description Id of the item, the client’s own or that of an earlier answer. Taken, and not sent on: upstreams know no ids of others. Absent: a stored item is given one. */
            id?: string | null;
            /** @description How far the item was when it was answered; nothing depends on it, so it may be absent. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description Asks a responses upstream to make the conversation short; the last item of the input. Others refuse it with 400. */
        CompactionTrigger: {
            /**
             * @description What this object is: always `compaction_trigger`.
             * @constant
             */
            type: "compaction_trigger";
            /** @description Id of the item, the client’s own or that of an earlier answer. Taken, and not sent on: upstreams know no ids of others. Absent: a stored item is given one. */
            id?: string | null;
            /** @description How far the item was when it was answered; nothing depends on it, so it may be absent. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description The body of status 400 with one of 22 codes. */
        CreateChatCompletionBadRequestErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["CreateChatCompletionBadRequestErrorDetail"];
        };
        /** @description What went wrong where the status is 400 with one of 22 codes. All four fields are always there. */
        CreateChatCompletionBadRequestErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error" | "image_generation_user_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "invalid_json" | "malformed_request" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "missing_required_parameter" | "invalid_type" | "invalid_value" | "integer_below_min_value" | "integer_above_max_value" | "decimal_below_min_value" | "decimal_above_max_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "empty_array" | "context_length_exceeded" | "invalid_image_format" | "invalid_base64_image" | "invalid_image_url" | "image_file_too_large" | "moderation_blocked";
        };
        /** @description The body of status 400 with one of 24 codes. */
        CreateResponseBadRequestErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["CreateResponseBadRequestErrorDetail"];
        };
        /** @description What went wrong where the status is 400 with one of 24 codes. All four fields are always there. */
        CreateResponseBadRequestErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error" | "image_generation_user_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "invalid_json" | "malformed_request" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "missing_required_parameter" | "invalid_type" | "invalid_value" | "integer_below_min_value" | "integer_above_max_value" | "decimal_below_min_value" | "decimal_above_max_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "empty_array" | "context_length_exceeded" | "previous_response_not_found" | "invalid_image_format" | "invalid_base64_image" | "invalid_image_url" | "image_file_too_large" | "moderation_blocked" | "item_not_found";
        };
        /** @description A tool that takes free text instead of JSON arguments, run by the caller. Upstreams that know functions alone are sent a function of one text; the call comes back as `custom_tool_call`. */
        CustomTool: {
            /**
             * @description What this object is: always `custom`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "custom";
            /** @description Name that the model calls it by. */
            name: components["schemas"]["LongToolName"];
            /** @description What the tool does and when to use it; the model reads this. Absent: nothing is said. */
            description?: string | null;
            /** @description What text the tool takes. Absent: any. */
            format?: components["schemas"]["CustomToolFormat"] | null;
        };
        /** @description A call of a free-form tool for the caller to run. */
        CustomToolCall: {
            /**
             * @description What this object is: always `custom_tool_call`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "custom_tool_call";
            /** @description Id of the item, as the upstream gave it. Absent where it gave none. */
            id?: string | null;
            /** @description Id of the call, which goes back in `custom_tool_call_output.call_id`. */
            call_id: string;
            /** @description Name of the tool, as the request declared it. */
            name: string;
            /** @description Free text for the tool. Empty while the call begins. */
            input: string;
            /** @description The namespace of the tool, which goes back with the call. Absent: it is in none. */
            namespace?: string | null;
            /** @description How far the item is. Absent: it is whole. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description The result of a call of a free-form tool; built by the caller, never returned in `output`. */
        CustomToolCallOutput: {
            /**
             * @description What this object is: always `custom_tool_call_output`.
             * @constant
             */
            type: "custom_tool_call_output";
            /** @description Links a call with its output: both carry the same. It is not the `id` of the item. */
            call_id: string;
            /** @description What the tool gave back. */
            output: components["schemas"]["ToolOutput"];
            /** @description Id of the item, the client’s own or that of an earlier answer. Taken, and not sent on: upstreams know no ids of others. Absent: a stored item is given one. */
            id?: string | null;
            /** @description How far the item was when it was answered; nothing depends on it, so it may be absent. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description What the input of the tool has to look like. */
        CustomToolFormat: components["schemas"]["PlainTextFormat"] | components["schemas"]["GrammarFormat"];
        /** @description The body of status 400 with one of 4 codes. */
        DeleteResponseBadRequestErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["DeleteResponseBadRequestErrorDetail"];
        };
        /** @description What went wrong where the status is 400 with one of 4 codes. All four fields are always there. */
        DeleteResponseBadRequestErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "invalid_json" | "malformed_request" | "invalid_value" | "string_above_max_length";
        };
        /** @description A response that was just deleted: it can no longer be read, nor gone on from. */
        DeletedResponse: {
            /** @description Id of the response that was deleted. */
            id: string;
            /**
             * @description What this object is: always `response`.
             * @constant
             */
            object: "response";
            /**
             * @description Always true: what is not there to be deleted is 404.
             * @constant
             */
            deleted: true;
        };
        /**
         * @description US dollars as a text, with six digits behind the point.
         * @example 0.000310
         */
        Dollars: string;
        /** @description The body of status 400 with one of 20 codes. */
        EditImagesBadRequestErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["EditImagesBadRequestErrorDetail"];
        };
        /** @description What went wrong where the status is 400 with one of 20 codes. All four fields are always there. */
        EditImagesBadRequestErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error" | "image_generation_user_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "invalid_json" | "malformed_request" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "missing_required_parameter" | "invalid_type" | "invalid_value" | "integer_below_min_value" | "integer_above_max_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "empty_array" | "context_length_exceeded" | "invalid_image_format" | "invalid_base64_image" | "invalid_image_url" | "image_file_too_large" | "moderation_blocked";
        };
        /**
         * @description `stop`: a natural end, one of `stop`, or a refusal. `length`: a token limit. `tool_calls`: the model calls tools. `content_filter`: output was withheld. `function_call`: as `tool_calls`, for who sent `functions`.
         * @enum {string}
         */
        FinishReason: "stop" | "length" | "tool_calls" | "content_filter" | "function_call";
        /** @description A call for the caller to run; may come with no text in the response. */
        FunctionCall: {
            /**
             * @description What this object is: always `function_call`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "function_call";
            /** @description Id of the item, as the upstream gave it. Absent where it gave none. */
            id?: string | null;
            /** @description Id of the call, which goes back in `function_call_output.call_id`. */
            call_id: string;
            /** @description Name of the function, as the request declared it. */
            name: string;
            /** @description JSON as the model wrote it: check it before use. Empty while the call begins. */
            arguments: string;
            /** @description The namespace of the tool, which goes back with the call. Absent: it is in none. */
            namespace?: string | null;
            /** @description How far the item is. Absent: it is whole. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description The result of a function call; built by the caller, never returned in `output`. */
        FunctionCallOutput: {
            /**
             * @description What this object is: always `function_call_output`.
             * @constant
             */
            type: "function_call_output";
            /** @description Links a call with its output: both carry the same. It is not the `id` of the item. */
            call_id: string;
            /** @description What the function gave back. */
            output: components["schemas"]["ToolOutput"];
            /** @description Id of the item, the client’s own or that of an earlier answer. Taken, and not sent on: upstreams know no ids of others. Absent: a stored item is given one. */
            id?: string | null;
            /** @description How far the item was when it was answered; nothing depends on it, so it may be absent. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description A function that the caller runs. */
        FunctionTool: {
            /**
             * @description What this object is: always `function`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "function";
            /** @description Name that the model calls it by. A name too long for an upstream is shortened for it and comes back whole. */
            name: components["schemas"]["LongToolName"];
            /** @description What the tool does and when to use it; the model reads this. Absent: nothing is said. */
            description?: string | null;
            /** @description JSON schema of the arguments, at most 64 levels deep. Absent: no arguments. */
            parameters?: {
                [key: string]: unknown;
            } | null;
            /** @description Whether the arguments must follow the schema exactly. Absent: the upstream decides, usually true. */
            strict?: boolean | null;
        };
        /** @description The body of status 400 with one of 14 codes. */
        GenerateImagesBadRequestErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["GenerateImagesBadRequestErrorDetail"];
        };
        /** @description What went wrong where the status is 400 with one of 14 codes. All four fields are always there. */
        GenerateImagesBadRequestErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error" | "image_generation_user_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "invalid_json" | "malformed_request" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "missing_required_parameter" | "invalid_type" | "invalid_value" | "integer_below_min_value" | "integer_above_max_value" | "string_above_max_length" | "empty_string" | "context_length_exceeded" | "moderation_blocked";
        };
        /** @description A picture: carries `b64_json` (plain base64) or, from older models, `url`. */
        GeneratedImage: {
            /** @description The picture in plain base64, without the head of a data URL. Absent only beside `url`. */
            b64_json?: string;
            /** @description Where the upstream keeps the picture for a while. Only older models have one; otherwise it is absent. */
            url?: string;
            /** @description What the model made of the prompt before it drew. Absent where it drew the prompt itself. */
            revised_prompt?: string | null;
        };
        /** @description The body of status 400 with one of 6 codes. */
        GetCatalogBadRequestErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["GetCatalogBadRequestErrorDetail"];
        };
        /** @description What went wrong where the status is 400 with one of 6 codes. All four fields are always there. */
        GetCatalogBadRequestErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "malformed_request" | "unknown_parameter" | "invalid_type" | "invalid_value" | "string_above_max_length" | "empty_string";
        };
        /** @description The body of status 400 with one of 2 codes. */
        GetModelBadRequestErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["GetModelBadRequestErrorDetail"];
        };
        /** @description What went wrong where the status is 400 with one of 2 codes. All four fields are always there. */
        GetModelBadRequestErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "malformed_request" | "string_above_max_length";
        };
        /** @description The body of status 400 with one of 4 codes. */
        GetResponseBadRequestErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["GetResponseBadRequestErrorDetail"];
        };
        /** @description What went wrong where the status is 400 with one of 4 codes. All four fields are always there. */
        GetResponseBadRequestErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "malformed_request" | "unsupported_parameter" | "invalid_type" | "string_above_max_length";
        };
        /** @description The body of status 400 with one of 3 codes. */
        GetUsageBadRequestErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["GetUsageBadRequestErrorDetail"];
        };
        /** @description What went wrong where the status is 400 with one of 3 codes. All four fields are always there. */
        GetUsageBadRequestErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "malformed_request" | "unknown_parameter" | "string_above_max_length";
        };
        /** @description Text that follows a grammar. */
        GrammarFormat: {
            /**
             * @description What this object is: always `grammar`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "grammar";
            /**
             * @description How the grammar is written: `lark`, or `regex` for one regular expression.
             * @enum {string}
             */
            syntax: "lark" | "regex";
            /** @description The grammar that the input has to follow. Upstreams without free-form tools cannot enforce it; there the model is told of it. */
            definition: string;
        };
        /** @description The body of status 431 with `headers_too_large`. */
        HeadersTooLargeErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["HeadersTooLargeErrorDetail"];
        };
        /** @description What went wrong where the status is 431 with `headers_too_large`. All four fields are always there. */
        HeadersTooLargeErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "headers_too_large";
        };
        /** @description A tool of the upstream by its type. */
        HostedChoice: {
            /**
             * @description The tool of the upstream that has to be used. 400 where the upstream does not speak responses. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "tool_search" | "local_shell" | "shell" | "apply_patch" | "file_search" | "code_interpreter" | "image_generation" | "computer" | "computer_use_preview" | "programmatic_tool_calling" | "web_search" | "web_search_preview" | "web_search_preview_2025_03_11";
        };
        /** @description A tool that the upstream ran, or another item of its own. Calls are charged by their type, failed ones are not. */
        HostedItem: {
            /**
             * @description Which tool it is of, or what kind of item; its other fields depend on it. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "local_shell_call" | "local_shell_call_output" | "shell_call" | "shell_call_output" | "apply_patch_call" | "apply_patch_call_output" | "web_search_call" | "file_search_call" | "image_generation_call" | "code_interpreter_call" | "computer_call" | "computer_call_output" | "mcp_call" | "mcp_list_tools" | "mcp_approval_request" | "mcp_approval_response" | "program" | "program_output" | "configuration_update" | "tool_search_call" | "tool_search_output" | "compaction" | "additional_tools";
            /** @description Id of the item, as the upstream gave it. Absent where it gave none. */
            id?: string | null;
            /** @description How far it is, in a word of that tool. Absent for items that have no such field. */
            status?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description Another tool of the upstream; its own settings are handed on. One that the upstream runs is charged by the call, and is 400 without a price. Where the upstream does not speak responses, `tool_search` is left out and named in `x-modelgate-ignored`, and the others are 400. */
        HostedTool: {
            /**
             * @description Which tool it is. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "tool_search" | "local_shell" | "shell" | "apply_patch" | "file_search" | "code_interpreter" | "image_generation" | "computer" | "computer_use_preview" | "programmatic_tool_calling";
        } & {
            [key: string]: unknown;
        };
        /** @description Progress of a tool that the upstream runs; the other fields depend on the type. */
        HostedToolEvent: {
            /**
             * @description Which tool, and what has become of the call. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.web_search_call.in_progress" | "response.web_search_call.searching" | "response.web_search_call.completed" | "response.file_search_call.in_progress" | "response.file_search_call.searching" | "response.file_search_call.completed" | "response.code_interpreter_call.in_progress" | "response.code_interpreter_call.interpreting" | "response.code_interpreter_call.completed" | "response.code_interpreter_call_code.delta" | "response.code_interpreter_call_code.done" | "response.image_generation_call.in_progress" | "response.image_generation_call.generating" | "response.image_generation_call.partial_image" | "response.image_generation_call.completed" | "response.mcp_call.in_progress" | "response.mcp_call.completed" | "response.mcp_call.failed" | "response.mcp_call_arguments.delta" | "response.mcp_call_arguments.done" | "response.mcp_list_tools.in_progress" | "response.mcp_list_tools.completed" | "response.mcp_list_tools.failed" | "response.shell_call.in_progress" | "response.shell_call.completed";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description Id of the item that this is about. */
            item_id: string;
            /** @description Place of that item in `output`, from 0. */
            output_index: number;
        };
        /** @description The body of status 409 with `idempotency_conflict`. */
        IdempotencyConflictErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["IdempotencyConflictErrorDetail"];
        };
        /** @description What went wrong where the status is 409 with `idempotency_conflict`. All four fields are always there. */
        IdempotencyConflictErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "idempotency_conflict";
        };
        /** @description The last event of a stream that went well: the whole picture. */
        ImageEditCompletedEvent: {
            /**
             * @description What this object is: always `image_edit.completed`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "image_edit.completed";
            /** @description The picture in plain base64, without the head of a data URL. */
            b64_json: string;
            /** @description Seconds since 1970-01-01 UTC. */
            created_at: number;
            /** @description What is behind the subject: `opaque` or `transparent`. Absent where the upstream does not say it. */
            background?: string | null;
            /** @description How the picture is encoded: `png`, `jpeg` or `webp`. Absent where the upstream does not say it. */
            output_format?: string | null;
            /** @description The quality that was drawn: `low`, `medium` or `high`. Absent where the upstream does not say it. */
            quality?: string | null;
            /** @description Width and height in pixels, such as `1024x1024`. Absent where the upstream does not say it. */
            size?: string | null;
            /** @description What drawing used. Absent where the upstream tells nothing. */
            usage?: components["schemas"]["ImageUsage"] | null;
            /** @description `safety_identifier` of the request. Absent where the upstream does not repeat it. */
            safety_identifier?: string | null;
        };
        /** @description Partial images, then exactly one completed or error event. No `[DONE]`. */
        ImageEditEvent: components["schemas"]["ImageEditPartialImageEvent"] | components["schemas"]["ImageEditCompletedEvent"] | components["schemas"]["ImageErrorEvent"];
        /** @description The multipart form of an edit, as the official SDKs send it. */
        ImageEditForm: {
            /**
             * @description What to draw, or what to change. 1 to 32,000 characters.
             * @example A lighthouse in the fog
             */
            prompt: string;
            /**
             * @description Id of an image model, as `GET /v1/models` lists it.
             * @example gpt-image-2
             */
            model: string;
            /** @description Number of images, each of which is charged. Absent: 1. With `stream: true` only 1. */
            n?: number | null;
            /** @description `auto`, or `<width>x<height>` in pixels: multiples of 16, not longer than 3 times the other side, at most 3840x2160 in either direction. Absent: `auto`, the upstream decides. The price may depend on it. */
            size?: string | null;
            /**
             * @description How much work goes into the picture. Absent: `auto`, the upstream decides. The price may depend on it; until it is known, that of the dearest is held.
             * @enum {string|null}
             */
            quality?: "auto" | "low" | "medium" | "high" | null;
            /**
             * @description What is behind the subject. `transparent` needs `png` or `webp`. Absent: `auto`, the upstream decides.
             * @enum {string|null}
             */
            background?: "auto" | "opaque" | "transparent" | null;
            /**
             * @description How the picture is encoded. Absent: `png`. The simulator has no `webp`.
             * @enum {string|null}
             */
            output_format?: "png" | "jpeg" | "webp" | null;
            /** @description Quality of the encoding, from 0 to 100; 100 makes the largest file. Only with `jpeg` or `webp`. Absent: 100. */
            output_compression?: number | null;
            /**
             * @description How strictly the upstream judges what is asked for; what it refuses is 400 `moderation_blocked`. Absent: `auto`.
             * @enum {string|null}
             */
            moderation?: "auto" | "low" | null;
            /** @description True: partial images and the final one come as Server-Sent Events. Absent: false. */
            stream?: boolean | null;
            /** @description How many partial images to send; only with `stream: true`. Fewer may come. Absent: none. */
            partial_images?: number | null;
            /**
             * @deprecated
             * @description Deprecated: use `safety_identifier`. Handed on to the upstream.
             */
            user?: string | null;
            /** @description An opaque name of the person behind the request, by which the vendor can tell whoever breaks its rules. Absent: none is told. */
            safety_identifier?: string | null;
            /**
             * @description Images always come as base64: `b64_json` changes nothing, `url` is 400. Absent: `b64_json`.
             * @enum {string|null}
             */
            response_format?: "b64_json" | "url" | null;
            /** @description One part `image` for each picture, 1 to 16. Parts may be named `image[]` as well, as the official SDKs name several. */
            image: string[];
            /**
             * Format: binary
             * @description A PNG of at most 4 MB, same size as the first picture. Transparent pixels mark what to change in it. Absent: all of it may change.
             */
            mask?: string;
            /**
             * @description How closely the result keeps to the given pictures. Handed on to the upstream; `gpt-image-2` does not use it. Absent: the upstream decides.
             * @enum {string|null}
             */
            input_fidelity?: "high" | "low" | null;
        };
        /** @description A picture on its way, to be shown until the next one comes. */
        ImageEditPartialImageEvent: {
            /**
             * @description What this object is: always `image_edit.partial_image`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "image_edit.partial_image";
            /** @description The unfinished picture in plain base64, without the head of a data URL. */
            b64_json: string;
            /** @description Seconds since 1970-01-01 UTC. */
            created_at: number;
            /** @description What is behind the subject: `opaque` or `transparent`. Absent where the upstream does not say it. */
            background?: string | null;
            /** @description How the picture is encoded: `png`, `jpeg` or `webp`. Absent where the upstream does not say it. */
            output_format?: string | null;
            /** @description The quality that was drawn: `low`, `medium` or `high`. Absent where the upstream does not say it. */
            quality?: string | null;
            /** @description Width and height in pixels, such as `1024x1024`. Absent where the upstream does not say it. */
            size?: string | null;
            /** @description Which partial image this is, from 0. */
            partial_image_index: number;
        };
        /**
         * @description The JSON form of an edit. Null counts as absent.
         * @example {
         *       "model": "gpt-image-2",
         *       "prompt": "Add a hat",
         *       "images": [
         *         {
         *           "image_url": "data:image/png;base64,iVBORw0KGgo="
         *         }
         *       ]
         *     }
         */
        ImageEditRequest: {
            /**
             * @description What to draw, or what to change. 1 to 32,000 characters.
             * @example A lighthouse in the fog
             */
            prompt: string;
            /**
             * @description Id of an image model, as `GET /v1/models` lists it.
             * @example gpt-image-2
             */
            model: string;
            /** @description Number of images, each of which is charged. Absent: 1. With `stream: true` only 1. */
            n?: number | null;
            /** @description `auto`, or `<width>x<height>` in pixels: multiples of 16, not longer than 3 times the other side, at most 3840x2160 in either direction. Absent: `auto`, the upstream decides. The price may depend on it. */
            size?: string | null;
            /**
             * @description How much work goes into the picture. Absent: `auto`, the upstream decides. The price may depend on it; until it is known, that of the dearest is held.
             * @enum {string|null}
             */
            quality?: "auto" | "low" | "medium" | "high" | null;
            /**
             * @description What is behind the subject. `transparent` needs `png` or `webp`. Absent: `auto`, the upstream decides.
             * @enum {string|null}
             */
            background?: "auto" | "opaque" | "transparent" | null;
            /**
             * @description How the picture is encoded. Absent: `png`. The simulator has no `webp`.
             * @enum {string|null}
             */
            output_format?: "png" | "jpeg" | "webp" | null;
            /** @description Quality of the encoding, from 0 to 100; 100 makes the largest file. Only with `jpeg` or `webp`. Absent: 100. */
            output_compression?: number | null;
            /**
             * @description How strictly the upstream judges what is asked for; what it refuses is 400 `moderation_blocked`. Absent: `auto`.
             * @enum {string|null}
             */
            moderation?: "auto" | "low" | null;
            /** @description True: partial images and the final one come as Server-Sent Events. Absent: false. */
            stream?: boolean | null;
            /** @description How many partial images to send; only with `stream: true`. Fewer may come. Absent: none. */
            partial_images?: number | null;
            /**
             * @deprecated
             * @description Deprecated: use `safety_identifier`. Handed on to the upstream.
             */
            user?: string | null;
            /** @description An opaque name of the person behind the request, by which the vendor can tell whoever breaks its rules. Absent: none is told. */
            safety_identifier?: string | null;
            /**
             * @description Images always come as base64: `b64_json` changes nothing, `url` is 400. Absent: `b64_json`.
             * @enum {string|null}
             */
            response_format?: "b64_json" | "url" | null;
            /** @description The pictures to change or to draw from: 1 to 16. */
            images: components["schemas"]["ImageReference"][];
            /** @description A PNG of at most 4 MB. Transparent pixels mark what to change in the first picture; same size as that picture. Absent: all of it may change. */
            mask?: components["schemas"]["ImageReference"] | null;
            /**
             * @description How closely the result keeps to the given pictures. Handed on to the upstream; `gpt-image-2` does not use it. Absent: the upstream decides.
             * @enum {string|null}
             */
            input_fidelity?: "high" | "low" | null;
        };
        /** @description The last event of a stream that failed. */
        ImageErrorEvent: {
            /**
             * @description What this object is: always `error`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "error";
            /** @description The error, as in the body of an answer that is not 2xx. */
            error: {
                /** @description What went wrong and what to do, in a sentence for people. */
                message: string;
                /** @description Coarse class of the error, as in the body of an error. */
                type: string;
                /** @description Path of the field at fault. Null: none is. */
                param: string | null;
                /** @description What went wrong, for programs: a code of the errors of this API. Never null. */
                code: string | null;
            };
        };
        /** @description The last event of a stream that went well: the whole picture. */
        ImageGenerationCompletedEvent: {
            /**
             * @description What this object is: always `image_generation.completed`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "image_generation.completed";
            /** @description The picture in plain base64, without the head of a data URL. */
            b64_json: string;
            /** @description Seconds since 1970-01-01 UTC. */
            created_at: number;
            /** @description What is behind the subject: `opaque` or `transparent`. Absent where the upstream does not say it. */
            background?: string | null;
            /** @description How the picture is encoded: `png`, `jpeg` or `webp`. Absent where the upstream does not say it. */
            output_format?: string | null;
            /** @description The quality that was drawn: `low`, `medium` or `high`. Absent where the upstream does not say it. */
            quality?: string | null;
            /** @description Width and height in pixels, such as `1024x1024`. Absent where the upstream does not say it. */
            size?: string | null;
            /** @description What drawing used. Absent where the upstream tells nothing. */
            usage?: components["schemas"]["ImageUsage"] | null;
            /** @description `safety_identifier` of the request. Absent where the upstream does not repeat it. */
            safety_identifier?: string | null;
        };
        /** @description Partial images, then exactly one completed or error event. No `[DONE]`. */
        ImageGenerationEvent: components["schemas"]["ImageGenerationPartialImageEvent"] | components["schemas"]["ImageGenerationCompletedEvent"] | components["schemas"]["ImageErrorEvent"];
        /** @description A picture on its way, to be shown until the next one comes. */
        ImageGenerationPartialImageEvent: {
            /**
             * @description What this object is: always `image_generation.partial_image`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "image_generation.partial_image";
            /** @description The unfinished picture in plain base64, without the head of a data URL. */
            b64_json: string;
            /** @description Seconds since 1970-01-01 UTC. */
            created_at: number;
            /** @description What is behind the subject: `opaque` or `transparent`. Absent where the upstream does not say it. */
            background?: string | null;
            /** @description How the picture is encoded: `png`, `jpeg` or `webp`. Absent where the upstream does not say it. */
            output_format?: string | null;
            /** @description The quality that was drawn: `low`, `medium` or `high`. Absent where the upstream does not say it. */
            quality?: string | null;
            /** @description Width and height in pixels, such as `1024x1024`. Absent where the upstream does not say it. */
            size?: string | null;
            /** @description Which partial image this is, from 0. */
            partial_image_index: number;
        };
        /**
         * @description What to draw, and how. Null counts as absent. A field that no operation knows is left out and named in `x-modelgate-ignored`, unless the operator of the upstream allows it.
         * @example {
         *       "model": "gpt-image-2",
         *       "prompt": "A lighthouse in the fog",
         *       "size": "1024x1024"
         *     }
         */
        ImageGenerationRequest: {
            /**
             * @description What to draw, or what to change. 1 to 32,000 characters.
             * @example A lighthouse in the fog
             */
            prompt: string;
            /**
             * @description Id of an image model, as `GET /v1/models` lists it.
             * @example gpt-image-2
             */
            model: string;
            /** @description Number of images, each of which is charged. Absent: 1. With `stream: true` only 1. */
            n?: number | null;
            /** @description `auto`, or `<width>x<height>` in pixels: multiples of 16, not longer than 3 times the other side, at most 3840x2160 in either direction. Absent: `auto`, the upstream decides. The price may depend on it. */
            size?: string | null;
            /**
             * @description How much work goes into the picture. Absent: `auto`, the upstream decides. The price may depend on it; until it is known, that of the dearest is held.
             * @enum {string|null}
             */
            quality?: "auto" | "low" | "medium" | "high" | null;
            /**
             * @description What is behind the subject. `transparent` needs `png` or `webp`. Absent: `auto`, the upstream decides.
             * @enum {string|null}
             */
            background?: "auto" | "opaque" | "transparent" | null;
            /**
             * @description How the picture is encoded. Absent: `png`. The simulator has no `webp`.
             * @enum {string|null}
             */
            output_format?: "png" | "jpeg" | "webp" | null;
            /** @description Quality of the encoding, from 0 to 100; 100 makes the largest file. Only with `jpeg` or `webp`. Absent: 100. */
            output_compression?: number | null;
            /**
             * @description How strictly the upstream judges what is asked for; what it refuses is 400 `moderation_blocked`. Absent: `auto`.
             * @enum {string|null}
             */
            moderation?: "auto" | "low" | null;
            /** @description True: partial images and the final one come as Server-Sent Events. Absent: false. */
            stream?: boolean | null;
            /** @description How many partial images to send; only with `stream: true`. Fewer may come. Absent: none. */
            partial_images?: number | null;
            /**
             * @deprecated
             * @description Deprecated: use `safety_identifier`. Handed on to the upstream.
             */
            user?: string | null;
            /** @description An opaque name of the person behind the request, by which the vendor can tell whoever breaks its rules. Absent: none is told. */
            safety_identifier?: string | null;
            /**
             * @description Images always come as base64: `b64_json` changes nothing, `url` is 400. Absent: `b64_json`.
             * @enum {string|null}
             */
            response_format?: "b64_json" | "url" | null;
        };
        /** @description The pictures are in `data[].b64_json`; the fields beside it say how all of them were drawn. */
        ImageList: {
            /** @description Seconds since 1970-01-01 UTC. */
            created: number;
            /** @description What is behind the subject: `opaque` or `transparent`. Absent where the upstream does not say it. */
            background?: string | null;
            /** @description How the picture is encoded: `png`, `jpeg` or `webp`. Absent where the upstream does not say it. */
            output_format?: string | null;
            /** @description The quality that was drawn: `low`, `medium` or `high`. Absent where the upstream does not say it. */
            quality?: string | null;
            /** @description Width and height in pixels, such as `1024x1024`. Absent where the upstream does not say it. */
            size?: string | null;
            /** @description The pictures: at most as many as `n`. */
            data: components["schemas"]["GeneratedImage"][];
            /** @description What drawing used. Absent where the upstream tells nothing. */
            usage?: components["schemas"]["ImageUsage"] | null;
        };
        /** @description Prices of an image model. */
        ImagePrices: {
            /** @description Price of a picture, by `size/quality`; `default` for what no entry fits. */
            images: {
                [key: string]: components["schemas"]["Dollars"];
            };
        };
        /** @description A picture inside a JSON body. */
        ImageReference: {
            /** @description A data URL of a PNG, JPEG or WebP image, up to 20 MiB of text. An address on the web is 400, since the gateway fetches nothing, and so is a reference from which it is absent. */
            image_url?: string | null;
            /** @description Id of a file, which is not supported: there is no Files API, and an id is 400. Leave it absent. */
            file_id?: string | null;
        };
        /** @description Tokens by what they stand for. */
        ImageTokens: {
            /** @description Tokens that went into text. */
            text_tokens: number;
            /** @description Tokens that went into pictures. */
            image_tokens: number;
        };
        /** @description What drawing used, in tokens, as the upstream counted it. The charge is by the picture and not by these. */
        ImageUsage: {
            /** @description Tokens of the prompt and of the pictures that were given. */
            input_tokens: number;
            /** @description Tokens of the pictures that were drawn. */
            output_tokens: number;
            /** @description The sum of `input_tokens` and `output_tokens`. */
            total_tokens: number;
            /** @description Parts of `input_tokens`. */
            input_tokens_details: components["schemas"]["ImageTokens"];
            /** @description Parts of `output_tokens`. Absent where the upstream tells none. */
            output_tokens_details?: components["schemas"]["ImageTokens"] | null;
        };
        /** @description A recording for the model. Anthropic and Gemini upstreams take none: 400. */
        InputAudio: {
            /**
             * @description What this object is: always `input_audio`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "input_audio";
            /** @description The recording. */
            input_audio: components["schemas"]["AudioClip"];
        };
        /** @description A document for the model: its data, its address or its id. */
        InputFile: {
            /**
             * @description What this object is: always `input_file`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "input_file";
            /** @description Name of the file, up to 512 characters. Absent: the model is told none. */
            filename?: string | null;
            /** @description The file as a data URL. Anthropic upstreams take PDF and plain text alone, another kind is 400. Absent only beside `file_url` or `file_id`. */
            file_data?: string | null;
            /** @description An https address where the upstream can fetch the file. The gateway never fetches it. Chat and Gemini upstreams refuse an address with 400. Absent: the file is given otherwise. */
            file_url?: string | null;
            /** @description Id of a file that lies at the upstream. The gateway has no Files API; Anthropic and Gemini upstreams refuse an id with 400. Absent: the data is in the part. */
            file_id?: string | null;
            /** @description Marks the end of a part of the prompt that the upstream may cache. Sent where the upstream speaks the protocol of this call, left out elsewhere. Absent: no mark. */
            prompt_cache_breakpoint?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A picture for the model. */
        InputImage: {
            /**
             * @description What this object is: always `input_image`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "input_image";
            /** @description A string: a data URL, or an https address where the upstream can fetch it. The gateway never fetches it. Gemini upstreams take data URLs alone: an address is 400. Absent only beside `file_id`. */
            image_url?: string | null;
            /** @description Id of a file that lies at the upstream. The gateway has no Files API; chat, Anthropic and Gemini upstreams refuse an id with 400. Absent: the data is in the part. */
            file_id?: string | null;
            /**
             * @description How closely the model looks at the picture; a closer look costs more input tokens. Absent: `auto`. Not sent to Anthropic and Gemini upstreams. Chat upstreams are sent `original` as `high`.
             * @enum {string|null}
             */
            detail?: "low" | "high" | "auto" | "original" | null;
            /** @description Marks the end of a part of the prompt that the upstream may cache. Sent where the upstream speaks the protocol of this call, left out elsewhere. Absent: no mark. */
            prompt_cache_breakpoint?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description One item of the conversation, told apart by its `type`; an item without one is a message. */
        InputItem: components["schemas"]["InputMessage"] | components["schemas"]["PastFunctionCall"] | components["schemas"]["FunctionCallOutput"] | components["schemas"]["PastCustomToolCall"] | components["schemas"]["CustomToolCallOutput"] | components["schemas"]["PastReasoning"] | components["schemas"]["ItemReference"] | components["schemas"]["AdditionalTools"] | components["schemas"]["ToolSearchCall"] | components["schemas"]["ToolSearchOutput"] | components["schemas"]["Compaction"] | components["schemas"]["CompactionTrigger"] | components["schemas"]["ReplayedItem"];
        /** @description One page of the input of a stored response. */
        InputItemList: {
            /**
             * @description What this object is: always `list`.
             * @constant
             */
            object: "list";
            /** @description The items of this page, in the order that was asked for. */
            data: components["schemas"]["StoredItem"][];
            /** @description Id of the first item of this page. Null where the page is empty. */
            first_id: string | null;
            /** @description Id of the last item of this page, which goes into `after` of the next call. Null where the page is empty. */
            last_id: string | null;
            /** @description Whether there are items behind this page. */
            has_more: boolean;
        };
        /** @description A message; `type` may be left out. */
        InputMessage: {
            /**
             * @description What this object is: always `message`, also where it is absent.
             * @constant
             */
            type?: "message";
            /**
             * @description Who speaks. `system` and `developer` both give instructions; `assistant` is an earlier answer.
             * @enum {string}
             */
            role: "user" | "system" | "developer" | "assistant";
            /** @description What is said: a string, or up to 1024 parts. */
            content: string | components["schemas"]["MessagePart"][];
            /**
             * @description Whether a message is said on the way or is the answer. Absent: not told. Only responses upstreams know it.
             * @enum {string|null}
             */
            phase?: "commentary" | "final_answer" | null;
            /** @description Id of the item, the client’s own or that of an earlier answer. Taken, and not sent on: upstreams know no ids of others. Absent: a stored item is given one. */
            id?: string | null;
            /** @description How far the item was when it was answered; nothing depends on it, so it may be absent. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description A piece of text for the model. */
        InputText: {
            /**
             * @description What this object is: always `input_text`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "input_text";
            /** @description The text itself. It may be empty. */
            text: string;
            /** @description Marks the end of a part of the prompt that the upstream may cache. Sent where the upstream speaks the protocol of this call, left out elsewhere. Absent: no mark. */
            prompt_cache_breakpoint?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description The body of status 500 with `internal_error`. */
        InternalErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["InternalErrorDetail"];
        };
        /** @description What went wrong where the status is 500 with `internal_error`. All four fields are always there. */
        InternalErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "server_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "internal_error";
        };
        /** @description The body of status 401 with `invalid_api_key`. */
        InvalidApiKeyErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["InvalidApiKeyErrorDetail"];
        };
        /** @description What went wrong where the status is 401 with `invalid_api_key`. All four fields are always there. */
        InvalidApiKeyErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "authentication_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "invalid_api_key";
        };
        /** @description Stands for a stored item, which takes its place and is charged as input. */
        ItemReference: {
            /**
             * @description What this object is: always `item_reference`.
             * @constant
             */
            type: "item_reference";
            /** @description Id of an item of a response that is stored for this account. An unknown one is 400 `item_not_found`. */
            id: string;
        };
        /**
         * @description `in_progress`: more of it comes. `completed`: it is whole. `incomplete`: it was cut. The others are of tools that the upstream runs.
         * @enum {string}
         */
        ItemStatus: "in_progress" | "completed" | "incomplete" | "searching" | "generating" | "interpreting" | "calling" | "failed";
        /** @description Any JSON object. Say so in the prompt as well. Anthropic upstreams have no such mode, nor have older Gemini models beside tools: they are told in words, and an answer without an object is `upstream_error`. */
        JsonObjectFormat: {
            /**
             * @description What this object is: always `json_object`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "json_object";
        };
        /** @description JSON that follows a schema of the caller. A vendor of chat may know no schemas: then 400. */
        JsonSchemaFormat: {
            /**
             * @description What this object is: always `json_schema`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "json_schema";
            /** @description A name for the form, which the model may see. */
            name: string;
            /** @description JSON schema of the answer, at most 64 levels deep. */
            schema: {
                [key: string]: unknown;
            };
            /** @description Set it to true to have the answer follow the schema exactly. Absent: the upstream decides, one that speaks chat is told false. Anthropic and Gemini upstreams make no difference: they always hold to it. */
            strict?: boolean | null;
            /** @description What the form is for; the model reads this. Absent: nothing is said. */
            description?: string | null;
        };
        /** @description A sign of life in a long silence, for clients that do not hear comment lines. */
        KeepaliveEvent: {
            /**
             * @description What this object is: always `keepalive`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "keepalive";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
        };
        /** @description The body of status 400 with one of 6 codes. */
        ListInputItemsBadRequestErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["ListInputItemsBadRequestErrorDetail"];
        };
        /** @description What went wrong where the status is 400 with one of 6 codes. All four fields are always there. */
        ListInputItemsBadRequestErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "malformed_request" | "invalid_type" | "invalid_value" | "integer_below_min_value" | "integer_above_max_value" | "string_above_max_length";
        };
        /** @description The body of status 400 with one of 2 codes. */
        ListModelsBadRequestErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["ListModelsBadRequestErrorDetail"];
        };
        /** @description What went wrong where the status is 400 with one of 2 codes. All four fields are always there. */
        ListModelsBadRequestErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "malformed_request" | "invalid_type";
        };
        /** @description The body of status 400 with one of 8 codes. */
        ListUsageBadRequestErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["ListUsageBadRequestErrorDetail"];
        };
        /** @description What went wrong where the status is 400 with one of 8 codes. All four fields are always there. */
        ListUsageBadRequestErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "malformed_request" | "unknown_parameter" | "invalid_type" | "invalid_value" | "integer_below_min_value" | "integer_above_max_value" | "string_above_max_length" | "empty_string";
        };
        /**
         * @description Letters, digits, `_` and `-`; at most 128.
         * @example get_weather
         */
        LongToolName: string;
        /** @description The tools of an MCP server, or one of them. */
        McpChoice: {
            /**
             * @description What this object is: always `mcp`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "mcp";
            /** @description Name of the server, as calls of its tools carry it. */
            server_label: string;
            /** @description The tool of that server that has to be called. Absent: any of them. */
            name?: string | null;
        };
        /** @description Tools of an MCP server, run by the upstream and charged by the call. 400 where the upstream does not speak responses, or where `mcp_call` has no price. */
        McpTool: {
            /**
             * @description What this object is: always `mcp`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "mcp";
            /** @description Name of the server, as calls of its tools carry it. */
            server_label: string;
            /** @description Address of the server, which the upstream asks and the gateway never does. Absent: the upstream knows the server. */
            server_url?: string | null;
            /** @description Names of its tools that may be called, or a filter for them. Absent: all. */
            allowed_tools?: unknown;
            /** @description Which calls wait for the caller to approve them: `always`, `never`, or a filter. Absent: the upstream decides. */
            require_approval?: unknown;
        };
        /** @description A piece of a message: input of a user, or what an assistant said before. */
        MessagePart: components["schemas"]["InputText"] | components["schemas"]["InputImage"] | components["schemas"]["InputFile"] | components["schemas"]["InputAudio"] | components["schemas"]["PastOutputText"] | components["schemas"]["Refusal"];
        /**
         * @description Notes that a caller attaches: up to 16 pairs, keys up to 64 characters, values up to 512.
         * @example {
         *       "team": "search"
         *     }
         */
        Metadata: {
            [key: string]: string;
        };
        /** @description One model that the key can call. */
        Model: {
            /**
             * @description Model id to put into requests.
             * @example gpt-5.4
             */
            id: string;
            /**
             * @description What this object is: always `model`.
             * @constant
             */
            object: "model";
            /** @description When the model came out, as its operator says, else a fixed time; in seconds since 1970-01-01 UTC. */
            created: number;
            /**
             * @description Where the model comes from: what its operator says, else the name of its upstream.
             * @example openai
             */
            owned_by: string;
        };
        /** @description Everything listed can be called with the key in use, and everything that can be called is listed. */
        ModelList: {
            /**
             * @description What this object is: always `list`.
             * @constant
             */
            object: "list";
            /** @description The models that the key can call, in a stable order. */
            data: components["schemas"]["Model"][];
            /** @description The same text models in the format of the Codex CLI; absent unless `client_version` is in the query. */
            models?: components["schemas"]["CodexModel"][];
        };
        /** @description The body of status 404 with `model_not_found`. */
        ModelNotFoundErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["ModelNotFoundErrorDetail"];
        };
        /** @description What went wrong where the status is 404 with `model_not_found`. All four fields are always there. */
        ModelNotFoundErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "model_not_found";
        };
        /** @description An answer of a model. Read the text by walking `output` for items of type `message`; client libraries offer it as `output_text`, which is not on the wire. */
        ModelResponse: {
            /** @description Id of the response: usable as `previous_response_id` where the response was stored. */
            id: string;
            /**
             * @description What this object is: always `response`.
             * @constant
             */
            object: "response";
            /** @description When the response was begun, in seconds since 1970-01-01 UTC. */
            created_at: number;
            /** @description When it was completed, in seconds since 1970-01-01 UTC. Null: it was not. */
            completed_at?: number | null;
            /** @description How far the response is, and how it ended. Absent where the upstream does not say it. */
            status?: components["schemas"]["ResponseStatus"] | null;
            /** @description Why the response failed. Null: it did not. */
            error?: {
                /** @description What went wrong, for programs: a code of the errors of this API, `server_error`, or one of the upstream. Absent where the upstream gave none. */
                code?: string | null;
                /** @description What went wrong, for people. */
                message: string;
            } | null;
            /** @description Why the response was cut. Null: it was not. */
            incomplete_details?: {
                /** @description `max_output_tokens`: a limit on the output. `content_filter`: output was withheld. Null or absent where the upstream does not say it. */
                reason?: string | null;
            } | null;
            /** @description Id of the model that answered, as the request has it. */
            model: string;
            /** @description Typed items; the answer is not always the first. */
            output: components["schemas"]["OutputItem"][];
            /** @description The response that this one goes on from. Null: none. */
            previous_response_id?: string | null;
            /** @description `instructions` of the request, or what stood in its place. Null: there were none. */
            instructions?: unknown;
            /** @description The tools that the model could call; empty: none. Absent where the upstream does not say it. */
            tools?: components["schemas"]["ToolEcho"][] | null;
            /** @description `tool_choice` of the request, or what stood in its place. A word or an object, as in the request. Absent where the upstream does not say it. */
            tool_choice?: unknown;
            /** @description Whether the model could make several calls at once. Absent where the upstream does not say it. */
            parallel_tool_calls?: boolean | null;
            /** @description `text` of the request, or what stood in its place. Absent where the upstream does not say it. */
            text?: {
                /** @description Form of the answer: `text.format` of the request, or `text` where it had none. Absent where the upstream does not say it. */
                format?: components["schemas"]["TextFormatEcho"] | null;
                /** @description How long the answer was to be: `low`, `medium` or `high`. Absent where the upstream does not say it. */
                verbosity?: string | null;
            } | null;
            /** @description `reasoning` of the request, or what stood in its place. Its other settings are there as well. Absent where the upstream does not say it. */
            reasoning?: {
                /** @description How much the model was to think. Null: as much as it does by itself. */
                effort?: string | null;
                /** @description How closely thoughts were to be told. Null: as the upstream does by itself. */
                summary?: string | null;
            } | null;
            /** @description `temperature` of the request, or what stood in its place. 1 where it was absent. */
            temperature?: number | null;
            /** @description `top_p` of the request, or what stood in its place. 1 where it was absent. */
            top_p?: number | null;
            /** @description `presence_penalty` of the request, or what stood in its place. 0 where it was absent. */
            presence_penalty?: number | null;
            /** @description `frequency_penalty` of the request, or what stood in its place. 0 where it was absent. */
            frequency_penalty?: number | null;
            /** @description `top_logprobs` of the request, or what stood in its place. 0 where it was absent. */
            top_logprobs?: number | null;
            /** @description The limit on the output in tokens: that of the request, or one that the gateway set. Null: none. */
            max_output_tokens?: number | null;
            /** @description `max_tool_calls` of the request, or what stood in its place. Null: no limit. */
            max_tool_calls?: number | null;
            /** @description `truncation` of the request, or what stood in its place. `disabled` where it was absent. */
            truncation?: string | null;
            /** @description Whether the gateway keeps the response. False also where the key may not store. Absent where the upstream does not say it. */
            store?: boolean | null;
            /** @description Always false: there are no responses in the background. Absent where the upstream does not say it. */
            background?: boolean | null;
            /** @description The processing tier that was used. Absent where the upstream does not say it. */
            service_tier?: string | null;
            /** @description `metadata` of the request, or what stood in its place. Empty: there was none. Absent where the upstream does not say it. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description `safety_identifier` of the request, or what stood in its place. Null: there was none. */
            safety_identifier?: string | null;
            /** @description `prompt_cache_key` of the request, or what stood in its place. Null: there was none. */
            prompt_cache_key?: string | null;
            /**
             * @deprecated
             * @description Deprecated: send `safety_identifier`. `user` of the request, or what stood in its place. Null or absent: there was none.
             */
            user?: string | null;
            /** @description What the response used. Null until it has ended. */
            usage?: components["schemas"]["ResponseUsage"] | null;
        };
        /**
         * @description What prices are multiplied with for accounts of a group.
         * @example 1.000000
         */
        Multiplier: string;
        /** @description A tool by its name. One in a namespace may carry its `namespace` as well. */
        NamedChoice: {
            /**
             * @description What kind of tool is named. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "function" | "custom";
            /** @description Name of a tool of this request, which has to be called. */
            name: components["schemas"]["LongToolName"];
        };
        /** @description A tool of a namespace. */
        NamespaceMember: components["schemas"]["FunctionTool"] | components["schemas"]["CustomTool"];
        /** @description Several tools under one name; calls to them carry `namespace`. Upstreams without namespaces are sent flat names. */
        NamespaceTool: {
            /**
             * @description What this object is: always `namespace`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "namespace";
            /** @description Name of the group; calls carry it as `namespace`. */
            name: components["schemas"]["LongToolName"];
            /** @description What the tool does and when to use it; the model reads this. Absent: nothing is said. */
            description?: string | null;
            /** @description The tools of the group, up to 128. */
            tools: components["schemas"]["NamespaceMember"][];
        };
        /** @description The body of status 503 with one of 2 codes. */
        NoCapacityErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["NoCapacityErrorDetail"];
        };
        /** @description What went wrong where the status is 503 with one of 2 codes. All four fields are always there. */
        NoCapacityErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "server_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "overloaded" | "no_upstream_available";
        };
        /** @description The body of status 404 with `not_found`. */
        NotFoundErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["NotFoundErrorDetail"];
        };
        /** @description What went wrong where the status is 404 with `not_found`. All four fields are always there. */
        NotFoundErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "not_found";
        };
        /** @description One item of the answer, told apart by its `type`. */
        OutputItem: components["schemas"]["OutputMessage"] | components["schemas"]["FunctionCall"] | components["schemas"]["CustomToolCall"] | components["schemas"]["Reasoning"] | components["schemas"]["HostedItem"];
        /** @description Text is in `content[].text` of the parts of type `output_text`. */
        OutputMessage: {
            /**
             * @description What this object is: always `message`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "message";
            /** @description Id of the item; where the response is stored, an `item_reference` can name it. */
            id: string;
            /**
             * @description Who speaks: always `assistant`.
             * @constant
             */
            role: "assistant";
            /** @description How far the message is. */
            status: components["schemas"]["ItemStatus"];
            /** @description Parts of the message, in order; empty while it begins. */
            content: components["schemas"]["OutputPart"][];
            /**
             * @description Whether a message is said on the way or is the answer. Absent: not told. Only responses upstreams know it.
             * @enum {string|null}
             */
            phase?: "commentary" | "final_answer" | null;
        };
        /** @description A piece of an item of the output. */
        OutputPart: components["schemas"]["OutputText"] | components["schemas"]["Refusal"] | components["schemas"]["ReasoningText"];
        /** @description A piece of text of the answer. */
        OutputText: {
            /**
             * @description What this object is: always `output_text`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "output_text";
            /** @description The text; a JSON text where `text.format` asked for JSON. */
            text: string;
            /** @description Sources and files of the text. Empty: none. */
            annotations: components["schemas"]["TextAnnotation"][];
            /** @description How sure the model was of each token. Empty or absent unless `include` asked for them. */
            logprobs?: components["schemas"]["TokenLogprob"][] | null;
        };
        /** @description The body of status 503 with `overloaded`. */
        OverloadedErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["OverloadedErrorDetail"];
        };
        /** @description What went wrong where the status is 503 with `overloaded`. All four fields are always there. */
        OverloadedErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "server_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "overloaded";
        };
        /** @description A call of a free-form tool in an earlier turn. A `custom_tool_call_output` with its `call_id` has to follow. */
        PastCustomToolCall: {
            /**
             * @description What this object is: always `custom_tool_call`.
             * @constant
             */
            type: "custom_tool_call";
            /** @description Links a call with its output: both carry the same. It is not the `id` of the item. */
            call_id: string;
            /** @description Name of the tool that was called. */
            name: string;
            /** @description The free text that the model gave it. */
            input: string;
            /** @description The namespace of the tool, as the call carried it. Absent: the tool is in none, or its name says enough. */
            namespace?: string | null;
            /** @description Id of the item, the client’s own or that of an earlier answer. Taken, and not sent on: upstreams know no ids of others. Absent: a stored item is given one. */
            id?: string | null;
            /** @description How far the item was when it was answered; nothing depends on it, so it may be absent. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description A call that the model made in an earlier turn. A `function_call_output` with its `call_id` has to follow. */
        PastFunctionCall: {
            /**
             * @description What this object is: always `function_call`.
             * @constant
             */
            type: "function_call";
            /** @description Links a call with its output: both carry the same. It is not the `id` of the item. */
            call_id: string;
            /** @description Name of the function that was called. */
            name: string;
            /** @description JSON as the model wrote it; it may be malformed. Anthropic and Gemini upstreams need a JSON object or an empty text: another one is 400. */
            arguments: string;
            /** @description The namespace of the tool, as the call carried it. Absent: the tool is in none, or its name says enough. */
            namespace?: string | null;
            /** @description Id of the item, the client’s own or that of an earlier answer. Taken, and not sent on: upstreams know no ids of others. Absent: a stored item is given one. */
            id?: string | null;
            /** @description How far the item was when it was answered; nothing depends on it, so it may be absent. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description Text of an earlier answer, passed back. */
        PastOutputText: {
            /**
             * @description What this object is: always `output_text`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "output_text";
            /** @description The text as it was answered. */
            text: string;
            /** @description Citations and files as they were answered. Read by responses upstreams alone. Absent: none. */
            annotations?: components["schemas"]["TextAnnotation"][] | null;
            /** @description How sure the model was, as it was answered; nothing depends on it, so it may be absent. */
            logprobs?: components["schemas"]["TokenLogprob"][] | null;
        };
        /** @description Reasoning of an earlier turn, passed back as it came. */
        PastReasoning: {
            /**
             * @description What this object is: always `reasoning`.
             * @constant
             */
            type: "reasoning";
            /** @description What was told of the thoughts, up to 1024 paragraphs; may be empty. */
            summary: components["schemas"]["SummaryText"][];
            /** @description The thoughts themselves, where they were shown. Absent: they were not. */
            content?: components["schemas"]["ReasoningText"][] | null;
            /** @description The sealed thoughts, unchanged. Only the upstream that sealed them can open them; for another they are left out, and `x-modelgate-ignored` names the field. Absent: the thoughts are lost. */
            encrypted_content?: string | null;
            /** @description Id of the item, the client’s own or that of an earlier answer. Taken, and not sent on: upstreams know no ids of others. Absent: a stored item is given one. */
            id?: string | null;
            /** @description How far the item was when it was answered; nothing depends on it, so it may be absent. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description The body of status 403 with `permission_denied`. */
        PermissionDeniedErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["PermissionDeniedErrorDetail"];
        };
        /** @description What went wrong where the status is 403 with `permission_denied`. All four fields are always there. */
        PermissionDeniedErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "permission_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "permission_denied";
        };
        /** @description Text of any form, as if no form were asked for. */
        PlainTextFormat: {
            /**
             * @description What this object is: always `text`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "text";
        };
        /** @description How the upstream may cache the prompt. Sent to upstreams that speak chat or responses, left out for others. */
        PromptCacheOptions: {
            /**
             * @description `implicit`: the upstream finds itself what can be cached. `explicit`: only what a `prompt_cache_breakpoint` marks. Absent: the upstream decides.
             * @enum {string|null}
             */
            mode?: "implicit" | "explicit" | null;
            /** @description How long the upstream should keep it, in the words of the upstream. Absent: the upstream decides. */
            ttl?: string | null;
        };
        /** @description The body of status 429 with `rate_limit_exceeded`. */
        RateLimitExceededErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["RateLimitExceededErrorDetail"];
        };
        /** @description What went wrong where the status is 429 with `rate_limit_exceeded`. All four fields are always there. */
        RateLimitExceededErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "rate_limit_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "rate_limit_exceeded";
        };
        /** @description May come ahead of the message: do not read `output[0]` as the answer. */
        Reasoning: {
            /**
             * @description What this object is: always `reasoning`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "reasoning";
            /** @description Id of the item; where the response is stored, an `item_reference` can name it. */
            id: string;
            /** @description What is told of the thoughts, by paragraphs; empty unless `reasoning.summary` asked for it. */
            summary: components["schemas"]["SummaryText"][];
            /** @description The thoughts themselves. Absent where the upstream does not show them. */
            content?: components["schemas"]["ReasoningText"][] | null;
            /** @description Opaque; pass it back unchanged to keep the reasoning over turns without storage. Absent unless `include` asked for it, and where the upstream seals nothing. */
            encrypted_content?: string | null;
            /** @description How far the item is. Absent: it is whole. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /**
         * @description How much the model should think before it answers; thoughts are charged as output. Models differ in which values they take. Anthropic upstreams take `minimal` as `low`; Gemini upstreams take `xhigh` and `max` as `high`, and from the third generation on `none` as `minimal`.
         * @enum {string}
         */
        ReasoningEffort: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
        /** @description How the model thinks before it answers. What it thinks counts as output tokens, whether it is shown or not. */
        ReasoningOptions: {
            /** @description How much the model should think. Absent: the model’s own. */
            effort?: components["schemas"]["ReasoningEffort"] | null;
            /**
             * @description Whether thoughts are told in short as items of the type `reasoning`, and how closely. Absent: the upstream decides, usually not at all. Anthropic and Gemini upstreams know no degrees, and chat upstreams are not asked.
             * @enum {string|null}
             */
            summary?: "auto" | "concise" | "detailed" | null;
            /**
             * @deprecated
             * @description Deprecated: use `summary`, which counts where both are sent.
             * @enum {string|null}
             */
            generate_summary?: "auto" | "concise" | "detailed" | null;
            /** @description Which thoughts of earlier turns the model is shown, in the words of the upstream. Sent to responses upstreams alone. Absent: the upstream decides. */
            context?: string | null;
            /** @description How the model thinks, in the words of the upstream. Sent to responses upstreams alone. Absent: the upstream decides. */
            mode?: string | null;
        };
        /** @description Thoughts as they are; only few upstreams show them. */
        ReasoningText: {
            /**
             * @description What this object is: always `reasoning_text`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "reasoning_text";
            /** @description The thoughts as the model wrote them. */
            text: string;
        };
        /** @description A request with everything that is needed to work its charge out again by hand. */
        Receipt: {
            /**
             * @description What this object is: always `usage`.
             * @constant
             */
            object: "usage";
            /** @description The `x-request-id` of the answer. */
            request_id: string;
            /** @description The key that it was called with. */
            key_id: string;
            /** @description Id of the model, as the request had it. */
            model: string;
            /** @description Name of the operation, such as `createResponse`. */
            operation: string;
            /**
             * @description `held`: it is still running. `posted`: it was charged. `voided`: it cost nothing, the hold went back. `expired`: the same, after the gateway had died with it; one that was only silent for long, and goes on, charges what is left to take.
             * @enum {string}
             */
            state: "held" | "posted" | "voided" | "expired";
            /** @description How it ended, such as `completed`, `failed` or `client_gone`. Null while it is running. */
            outcome: string | null;
            /**
             * @description What it is paid from.
             * @enum {string}
             */
            source: "balance" | "subscription";
            /** @description What was reserved before it was sent: the most that it could cost. */
            held: components["schemas"]["Dollars"];
            /** @description What was taken. Never more than was held. */
            charged: components["schemas"]["Dollars"];
            /** @description Whether tokens were counted by the gateway, since the upstream did not say how many there were. */
            estimated: boolean;
            /** @description What it used, in classes that do not overlap. Null as long as nothing was charged. */
            tokens: components["schemas"]["UsageTokens"] | null;
            /** @description The limit on its output, in tokens, that the gateway set: the request named none, and what paid for it went no further. Null where it set none. */
            output_limit: number | null;
            /** @description Pictures made, by `size/quality`. Null as long as nothing was charged. */
            images: {
                [key: string]: number;
            } | null;
            /** @description Calls of tools that the upstream ran itself, by the type of their output item. Null as long as nothing was charged. */
            tools: {
                [key: string]: number;
            } | null;
            /** @description When the money was held, in seconds since 1970-01-01 UTC. */
            created_at: number;
            /** @description When it was charged or given back, in seconds since 1970-01-01 UTC. Null while it is running. */
            settled_at: number | null;
            /** @description The version of the prices that it was charged by. Each change makes a new one; old ones are kept. */
            price_version: number;
            /** @description Who was asked, in order, where that was more than once or came to nothing. Empty where the first answer was a good one. */
            attempts: components["schemas"]["UsageAttempt"][];
            /** @description What was used, by class. Empty as long as nothing was charged. */
            lines: components["schemas"]["ReceiptLine"][];
            /** @description The sum of the amounts of the lines. */
            subtotal: string;
            /** @description The multiplier of the group at the time. */
            multiplier: components["schemas"]["Multiplier"];
            /** @description What was added to come to a whole millionth of a dollar; always less than one. */
            rounding: string;
            /** @description `subtotal` × `multiplier` + `rounding`. `charged` is the lesser of this and `held`. */
            cost: components["schemas"]["Dollars"];
        };
        /** @description One class of what was used, and what it comes to. */
        ReceiptLine: {
            /** @description `input`, `cached_input`, `cache_write`, `output`, `size/quality` of pictures, or a tool such as `web_search_call`. */
            class: string;
            /** @description How many tokens, pictures or calls; a class that was not used has no line. */
            quantity: number;
            /** @description Price before the multiplier, for as much as `per` says. */
            price: components["schemas"]["Dollars"];
            /**
             * @description What the price is for: a million tokens, one picture or one call.
             * @enum {string}
             */
            per: "million_tokens" | "picture" | "call";
            /** @description `quantity` × `price`, divided by a million where the price is for a million. Exact: dollars to twelve digits. */
            amount: string;
        };
        /** @description A refusal of the model, in an answer or passed back. */
        Refusal: {
            /**
             * @description What this object is: always `refusal`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "refusal";
            /** @description Why the model does not answer, in its words. */
            refusal: string;
        };
        /** @description A call of a hosted tool or its output, passed back as it came. Upstreams that do not speak responses leave out a `web_search_call` that is over, and refuse the others with 400. */
        ReplayedItem: {
            /**
             * @description Which tool it is of, and whether it is a call or its output.
             * @enum {string}
             */
            type: "local_shell_call" | "local_shell_call_output" | "shell_call" | "shell_call_output" | "apply_patch_call" | "apply_patch_call_output" | "web_search_call" | "file_search_call" | "image_generation_call" | "code_interpreter_call" | "computer_call" | "computer_call_output" | "mcp_call" | "mcp_list_tools" | "mcp_approval_request" | "mcp_approval_response" | "program" | "program_output" | "configuration_update";
            /** @description Id of the item. Sent on only where another item or the upstream finds it by this. Absent where it was answered without one. */
            id?: string | null;
            /** @description How far it was when it was answered, in a word of that tool. Absent for tools that have no such field. */
            status?: string | null;
            /** @description What the tool was told to do, in its own words. Absent for tools that have no such field. */
            action?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The body of status 429 with one of 2 codes. */
        RequestLimitErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["RequestLimitErrorDetail"];
        };
        /** @description What went wrong where the status is 429 with one of 2 codes. All four fields are always there. */
        RequestLimitErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "rate_limit_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "rate_limit_exceeded" | "concurrency_limit_exceeded";
        };
        /** @description The body of status 408 with `request_timeout`. */
        RequestTimeoutErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["RequestTimeoutErrorDetail"];
        };
        /** @description What went wrong where the status is 408 with `request_timeout`. All four fields are always there. */
        RequestTimeoutErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "request_timeout";
        };
        /** @description The body of status 413 with `request_too_large`. */
        RequestTooLargeErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["RequestTooLargeErrorDetail"];
        };
        /** @description What went wrong where the status is 413 with `request_too_large`. All four fields are always there. */
        RequestTooLargeErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "request_too_large";
        };
        /** @description The last event of a stream that went well. */
        ResponseCompletedEvent: {
            /**
             * @description What this object is: always `response.completed`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.completed";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description The whole response with its usage. */
            response: components["schemas"]["ModelResponse"];
        };
        /** @description A part of a message or of a thought begins. */
        ResponseContentPartAddedEvent: {
            /**
             * @description What this object is: always `response.content_part.added`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.content_part.added";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description Id of the item that this is about. */
            item_id: string;
            /** @description Place of that item in `output`, from 0. */
            output_index: number;
            /** @description Place of the part in the content of its item. */
            content_index: number;
            /** @description The part as it begins: without text. */
            part: components["schemas"]["OutputPart"];
        };
        /** @description A part of a message or of a thought is over. */
        ResponseContentPartDoneEvent: {
            /**
             * @description What this object is: always `response.content_part.done`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.content_part.done";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description Id of the item that this is about. */
            item_id: string;
            /** @description Place of that item in `output`, from 0. */
            output_index: number;
            /** @description Place of the part in the content of its item. */
            content_index: number;
            /** @description The part with all of its content. */
            part: components["schemas"]["OutputPart"];
        };
        /** @description The first event: the response has its id. */
        ResponseCreatedEvent: {
            /**
             * @description What this object is: always `response.created`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.created";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description The response so far; its output is empty. */
            response: components["schemas"]["ModelResponse"];
        };
        /** @description The input of a free-form tool grows. */
        ResponseCustomToolCallInputDeltaEvent: {
            /**
             * @description What this object is: always `response.custom_tool_call_input.delta`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.custom_tool_call_input.delta";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description Id of the item that this is about. */
            item_id: string;
            /** @description Place of that item in `output`, from 0. */
            output_index: number;
            /** @description The next piece of the text; the pieces in order are the whole. */
            delta: string;
        };
        /** @description The input of a free-form tool is over. */
        ResponseCustomToolCallInputDoneEvent: {
            /**
             * @description What this object is: always `response.custom_tool_call_input.done`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.custom_tool_call_input.done";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description Id of the item that this is about. */
            item_id: string;
            /** @description Place of that item in `output`, from 0. */
            output_index: number;
            /** @description All of the input, as the model wrote it. */
            input: string;
        };
        /** @description The body of status 403 with one of 4 codes. */
        ResponseDeniedErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["ResponseDeniedErrorDetail"];
        };
        /** @description What went wrong where the status is 403 with one of 4 codes. All four fields are always there. */
        ResponseDeniedErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "permission_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "permission_denied" | "insufficient_balance" | "subscription_inactive" | "storage_quota_exceeded";
        };
        /** @description The stream has failed; `response.failed` follows. */
        ResponseErrorEvent: {
            /**
             * @description What this object is: always `error`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "error";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description What went wrong, for programs: a code of the errors of this API. Never absent or null. */
            code?: string | null;
            /** @description What went wrong, for people. */
            message: string;
            /** @description The field at fault. Null: none is. */
            param?: string | null;
            /** @description The same once more, nested: some clients read only this form. Never absent. */
            error?: {
                /**
                 * @description Coarse class of the error.
                 * @enum {string}
                 */
                type: "invalid_request_error" | "authentication_error" | "permission_error" | "rate_limit_error" | "server_error" | "image_generation_user_error";
                /** @description What went wrong, for programs: a code of the errors of this API. Never null. */
                code: string | null;
                /** @description What went wrong, for people. */
                message: string;
                /** @description The field at fault. Null: none is. */
                param: string | null;
            } | null;
        };
        /** @description The last event of a stream that failed, behind `error`. */
        ResponseFailedEvent: {
            /**
             * @description What this object is: always `response.failed`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.failed";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description The response as far as it came; `error` says what went wrong. */
            response: components["schemas"]["ModelResponse"];
        };
        /** @description The arguments of a call grow. */
        ResponseFunctionCallArgumentsDeltaEvent: {
            /**
             * @description What this object is: always `response.function_call_arguments.delta`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.function_call_arguments.delta";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description Id of the item that this is about. */
            item_id: string;
            /** @description Place of that item in `output`, from 0. */
            output_index: number;
            /** @description The next piece of the JSON; not JSON by itself. */
            delta: string;
        };
        /** @description The arguments of a call are over. */
        ResponseFunctionCallArgumentsDoneEvent: {
            /**
             * @description What this object is: always `response.function_call_arguments.done`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.function_call_arguments.done";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description Id of the item that this is about. */
            item_id: string;
            /** @description Place of that item in `output`, from 0. */
            output_index: number;
            /** @description All of the JSON, as the model wrote it. */
            arguments: string;
            /** @description Name of the function. Absent where the upstream leaves it out; the item has it. */
            name?: string | null;
        };
        /** @description The model has begun. */
        ResponseInProgressEvent: {
            /**
             * @description What this object is: always `response.in_progress`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.in_progress";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description The response so far; its output is empty. */
            response: components["schemas"]["ModelResponse"];
        };
        /** @description The last event of an answer that was cut, by a limit or a filter. */
        ResponseIncompleteEvent: {
            /**
             * @description What this object is: always `response.incomplete`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.incomplete";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description The response as far as it came, with its usage; `incomplete_details` says what cut it. */
            response: components["schemas"]["ModelResponse"];
        };
        /** @description The body of status 404 with `response_not_found`. */
        ResponseNotFoundErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["ResponseNotFoundErrorDetail"];
        };
        /** @description What went wrong where the status is 404 with `response_not_found`. All four fields are always there. */
        ResponseNotFoundErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "response_not_found";
        };
        /** @description An item of the output begins. */
        ResponseOutputItemAddedEvent: {
            /**
             * @description What this object is: always `response.output_item.added`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.output_item.added";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description Its place in `output`, from 0. */
            output_index: number;
            /** @description The item as it begins: without content, status `in_progress`. */
            item: components["schemas"]["OutputItem"];
        };
        /** @description An item of the output is over: whole, or cut. */
        ResponseOutputItemDoneEvent: {
            /**
             * @description What this object is: always `response.output_item.done`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.output_item.done";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description Its place in `output`, from 0. */
            output_index: number;
            /** @description The item with all of its content. */
            item: components["schemas"]["OutputItem"];
        };
        /** @description A text of the answer gets a source or a file. */
        ResponseOutputTextAnnotationAddedEvent: {
            /**
             * @description What this object is: always `response.output_text.annotation.added`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.output_text.annotation.added";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description Id of the item that this is about. */
            item_id: string;
            /** @description Place of that item in `output`, from 0. */
            output_index: number;
            /** @description Place of the part in the content of its item. */
            content_index: number;
            /** @description Place of the annotation among those of its part, from 0. */
            annotation_index: number;
            /** @description The annotation itself. */
            annotation: components["schemas"]["TextAnnotation"];
        };
        /** @description The text of the answer grows. */
        ResponseOutputTextDeltaEvent: {
            /**
             * @description What this object is: always `response.output_text.delta`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.output_text.delta";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description Id of the item that this is about. */
            item_id: string;
            /** @description Place of that item in `output`, from 0. */
            output_index: number;
            /** @description Place of the part in the content of its item. */
            content_index: number;
            /** @description The next piece of the text; the pieces in order are the whole. */
            delta: string;
            /** @description How sure the model was of each token of this piece. Empty or absent unless `include` asked for them. */
            logprobs?: components["schemas"]["TokenLogprob"][] | null;
        };
        /** @description A text of the answer is over. */
        ResponseOutputTextDoneEvent: {
            /**
             * @description What this object is: always `response.output_text.done`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.output_text.done";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description Id of the item that this is about. */
            item_id: string;
            /** @description Place of that item in `output`, from 0. */
            output_index: number;
            /** @description Place of the part in the content of its item. */
            content_index: number;
            /** @description The whole text, all pieces together. */
            text: string;
            /** @description How sure the model was of each token of this piece. Empty or absent unless `include` asked for them. */
            logprobs?: components["schemas"]["TokenLogprob"][] | null;
        };
        /** @description The upstream has taken the request and works on others first. */
        ResponseQueuedEvent: {
            /**
             * @description What this object is: always `response.queued`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.queued";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description The response so far; its output is empty. */
            response: components["schemas"]["ModelResponse"];
        };
        /** @description A paragraph of the summary of a thought begins. */
        ResponseReasoningSummaryPartAddedEvent: {
            /**
             * @description What this object is: always `response.reasoning_summary_part.added`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.reasoning_summary_part.added";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description Id of the item that this is about. */
            item_id: string;
            /** @description Place of that item in `output`, from 0. */
            output_index: number;
            /** @description Which paragraph of the summary this is about, from 0. */
            summary_index: number;
            /** @description The paragraph as it begins: without text. */
            part: components["schemas"]["SummaryText"];
        };
        /** @description A paragraph of the summary of a thought is over. */
        ResponseReasoningSummaryPartDoneEvent: {
            /**
             * @description What this object is: always `response.reasoning_summary_part.done`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.reasoning_summary_part.done";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description Id of the item that this is about. */
            item_id: string;
            /** @description Place of that item in `output`, from 0. */
            output_index: number;
            /** @description Which paragraph of the summary this is about, from 0. */
            summary_index: number;
            /** @description The paragraph with all of its text. */
            part: components["schemas"]["SummaryText"];
        };
        /** @description The text of such a paragraph grows. */
        ResponseReasoningSummaryTextDeltaEvent: {
            /**
             * @description What this object is: always `response.reasoning_summary_text.delta`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.reasoning_summary_text.delta";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description Id of the item that this is about. */
            item_id: string;
            /** @description Place of that item in `output`, from 0. */
            output_index: number;
            /** @description Which paragraph of the summary this is about, from 0. */
            summary_index: number;
            /** @description The next piece of the text; the pieces in order are the whole. */
            delta: string;
        };
        /** @description The text of such a paragraph is over. */
        ResponseReasoningSummaryTextDoneEvent: {
            /**
             * @description What this object is: always `response.reasoning_summary_text.done`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.reasoning_summary_text.done";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description Id of the item that this is about. */
            item_id: string;
            /** @description Place of that item in `output`, from 0. */
            output_index: number;
            /** @description Which paragraph of the summary this is about, from 0. */
            summary_index: number;
            /** @description The whole text, all pieces together. */
            text: string;
        };
        /** @description A thought that is shown as it is grows. */
        ResponseReasoningTextDeltaEvent: {
            /**
             * @description What this object is: always `response.reasoning_text.delta`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.reasoning_text.delta";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description Id of the item that this is about. */
            item_id: string;
            /** @description Place of that item in `output`, from 0. */
            output_index: number;
            /** @description Place of the part in the content of its item. */
            content_index: number;
            /** @description The next piece of the text; the pieces in order are the whole. */
            delta: string;
        };
        /** @description A thought that is shown as it is is over. */
        ResponseReasoningTextDoneEvent: {
            /**
             * @description What this object is: always `response.reasoning_text.done`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.reasoning_text.done";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description Id of the item that this is about. */
            item_id: string;
            /** @description Place of that item in `output`, from 0. */
            output_index: number;
            /** @description Place of the part in the content of its item. */
            content_index: number;
            /** @description The whole text, all pieces together. */
            text: string;
        };
        /** @description A refusal grows. */
        ResponseRefusalDeltaEvent: {
            /**
             * @description What this object is: always `response.refusal.delta`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.refusal.delta";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description Id of the item that this is about. */
            item_id: string;
            /** @description Place of that item in `output`, from 0. */
            output_index: number;
            /** @description Place of the part in the content of its item. */
            content_index: number;
            /** @description The next piece of the text; the pieces in order are the whole. */
            delta: string;
        };
        /** @description A refusal is over. */
        ResponseRefusalDoneEvent: {
            /**
             * @description What this object is: always `response.refusal.done`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.refusal.done";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            /** @description Id of the item that this is about. */
            item_id: string;
            /** @description Place of that item in `output`, from 0. */
            output_index: number;
            /** @description Place of the part in the content of its item. */
            content_index: number;
            /** @description The whole refusal, all pieces together. */
            refusal: string;
        };
        /**
         * @description Input and how the model is to answer it. Null counts as absent. A field that no operation knows is left out and named in `x-modelgate-ignored`, unless the operator of the upstream allows it.
         * @example {
         *       "model": "gpt-5.4",
         *       "instructions": "Answer in one sentence.",
         *       "input": "Why is the sky blue?"
         *     }
         */
        ResponseRequest: {
            /**
             * @description Id of a text model, as `GET /v1/models` lists it.
             * @example gpt-5.4
             */
            model: string;
            /** @description A string, which is one message of the user, or up to 4096 items: messages, calls and their outputs. */
            input: string | components["schemas"]["InputItem"][];
            /** @description The system prompt of this turn, ahead of the input; send it again on every chained turn. Absent: none. */
            instructions?: string | null;
            /** @description True: the answer comes as Server-Sent Events. Absent: false. */
            stream?: boolean | null;
            /** @description Options of a stream. Absent: none. */
            stream_options?: {
                /** @description Whether the upstream pads its events, so that their sizes tell nothing. Sent to responses upstreams; the gateway itself pads nothing. Absent: the upstream decides. */
                include_obfuscation?: boolean | null;
            } | null;
            /** @description Form and length of the text. Absent: plain text. */
            text?: components["schemas"]["TextOptions"] | null;
            /** @description How the model thinks. Absent: as it does by itself. */
            reasoning?: components["schemas"]["ReasoningOptions"] | null;
            /** @description Tools that the model may call, up to 128. Absent: none. */
            tools?: components["schemas"]["Tool"][] | null;
            /** @description Which tools the model may or must call. Absent: `auto`. */
            tool_choice?: components["schemas"]["ToolChoice"] | null;
            /** @description Whether the model may make several calls at once. Absent: the upstream decides, usually true. False is 400 over Gemini upstreams. */
            parallel_tool_calls?: boolean | null;
            /** @description Id of a stored response of this account to go on from; its items and those before it are input, and charged as input. `instructions` are not carried over. Absent: a new conversation. */
            previous_response_id?: string | null;
            /** @description Whether the gateway keeps the response, for 30 days unless its operator says otherwise, so that it can be read and gone on from; upstreams keep nothing. Absent: true, unless the key may not store; true is 403 then. */
            store?: boolean | null;
            /** @description Whether the answer is to be made while nobody waits. Only false is supported: use `stream` for answers that take long. Absent: false. */
            background?: boolean | null;
            /** @description Most output tokens, reasoning included; an answer that is cut by it ends as `incomplete`. Absent: what the model can; where the account cannot pay for that, the gateway sets a limit and names it in `x-modelgate-output-limit`. */
            max_output_tokens?: number | null;
            /** @description Most calls of tools that the upstream runs itself; the price of so many is held. Absent: no limit, and the price of 16 is held. 400 where the upstream does not speak responses. */
            max_tool_calls?: number | null;
            /** @description Higher is more varied. Absent: the model’s own. Anthropic upstreams take 0 to 1 and refuse more with 400; models that reason may refuse any. */
            temperature?: number | null;
            /** @description Nucleus sampling: only the likeliest tokens are drawn from, up to this share of probability. Absent: the model’s own. */
            top_p?: number | null;
            /** @description How many alternatives to show for each token; needs `message.output_text.logprobs` in `include`. Absent: 0. Above 0 it is 400 over Anthropic upstreams. */
            top_logprobs?: number | null;
            /** @description Above 0, tokens that stood in the text before become less likely, once for all. Absent: 0. Any other value is 400 over Anthropic upstreams, and some responses upstreams refuse it. */
            presence_penalty?: number | null;
            /** @description Above 0, tokens become the less likely the more often they stood in the text before. Absent: 0. Any other value is 400 over Anthropic upstreams, and some responses upstreams refuse it. */
            frequency_penalty?: number | null;
            /**
             * @deprecated
             * @description Deprecated: there is nothing in its place. What a responses upstream does when the input is too long: `auto` drops the oldest items, `disabled` refuses. Absent: `disabled`. Others are not sent it.
             * @enum {string|null}
             */
            truncation?: "auto" | "disabled" | null;
            /** @description How a responses upstream shortens a conversation that grows too long; up to 16 ways. Others are not sent it. Absent: not at all. */
            context_management?: {
                /** @description What is done to the conversation, such as `compaction`. */
                type: string;
                /** @description Tokens of input from which on it is done. Absent: the upstream decides. */
                compact_threshold?: number | null;
            }[] | null;
            /** @description Extra output, such as `reasoning.encrypted_content` or `message.output_text.logprobs`; up to 32 names. What an upstream cannot give is left out and named in `x-modelgate-ignored`. Absent: none. */
            include?: string[] | null;
            /** @description Notes of the caller, which the response repeats. Absent: none. It changes no answer; Anthropic and Gemini upstreams are not sent it. */
            metadata?: components["schemas"]["Metadata"] | null;
            /** @description Notes of a coding agent for itself; taken, written to no log and not sent on. Names have up to 256 characters. Absent: nothing. */
            client_metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description Name of a conversation. Calls with one name are kept at one upstream where a model has several, so that its cache hits. Absent: none. It changes no answer; Anthropic and Gemini upstreams are not sent it. */
            prompt_cache_key?: string | null;
            /**
             * @deprecated
             * @description Deprecated: use `prompt_cache_options`. How long the upstream should keep a cached prompt; left out for Anthropic and Gemini upstreams.
             * @enum {string|null}
             */
            prompt_cache_retention?: "in_memory" | "in-memory" | "24h" | null;
            /** @description How the upstream may cache the prompt. Absent: it decides. */
            prompt_cache_options?: components["schemas"]["PromptCacheOptions"] | null;
            /** @description An opaque name of the person behind the request, by which the vendor can tell whoever breaks its rules. Absent: none. It changes no answer; Anthropic and Gemini upstreams are not sent it. */
            safety_identifier?: string | null;
            /** @description Processing tier to ask the upstream for. Absent: `auto`. */
            service_tier?: components["schemas"]["ServiceTier"] | null;
            /**
             * @deprecated
             * @description Deprecated: use `safety_identifier` and `prompt_cache_key`. Absent: none. It changes no answer; Anthropic and Gemini upstreams are not sent it.
             */
            user?: string | null;
            /** @description Has the upstream judge the texts of the call. Absent: as it does anyway. */
            moderation?: components["schemas"]["TextModeration"] | null;
        };
        /**
         * @description `queued`, `in_progress`: in the first events of a stream. `completed`: a natural end. `incomplete`: cut, as `incomplete_details` says. `failed`: as `error` says. `cancelled`: stopped by the upstream.
         * @enum {string}
         */
        ResponseStatus: "queued" | "in_progress" | "completed" | "incomplete" | "failed" | "cancelled";
        /** @description One event of a responses stream. It opens with `response.created` and ends in exactly one of `response.completed`, `response.incomplete` and `response.failed`; then comes `data: [DONE]`. */
        ResponseStreamEvent: components["schemas"]["ResponseCreatedEvent"] | components["schemas"]["ResponseQueuedEvent"] | components["schemas"]["ResponseInProgressEvent"] | components["schemas"]["ResponseCompletedEvent"] | components["schemas"]["ResponseIncompleteEvent"] | components["schemas"]["ResponseFailedEvent"] | components["schemas"]["ResponseOutputItemAddedEvent"] | components["schemas"]["ResponseOutputItemDoneEvent"] | components["schemas"]["ResponseContentPartAddedEvent"] | components["schemas"]["ResponseContentPartDoneEvent"] | components["schemas"]["ResponseOutputTextDeltaEvent"] | components["schemas"]["ResponseOutputTextDoneEvent"] | components["schemas"]["ResponseOutputTextAnnotationAddedEvent"] | components["schemas"]["ResponseRefusalDeltaEvent"] | components["schemas"]["ResponseRefusalDoneEvent"] | components["schemas"]["ResponseFunctionCallArgumentsDeltaEvent"] | components["schemas"]["ResponseFunctionCallArgumentsDoneEvent"] | components["schemas"]["ResponseCustomToolCallInputDeltaEvent"] | components["schemas"]["ResponseCustomToolCallInputDoneEvent"] | components["schemas"]["ResponseReasoningSummaryPartAddedEvent"] | components["schemas"]["ResponseReasoningSummaryPartDoneEvent"] | components["schemas"]["ResponseReasoningSummaryTextDeltaEvent"] | components["schemas"]["ResponseReasoningSummaryTextDoneEvent"] | components["schemas"]["ResponseReasoningTextDeltaEvent"] | components["schemas"]["ResponseReasoningTextDoneEvent"] | components["schemas"]["HostedToolEvent"] | components["schemas"]["KeepaliveEvent"] | components["schemas"]["ResponseErrorEvent"];
        /** @description What the response used, in tokens, as the upstream counted it. */
        ResponseUsage: {
            /** @description Tokens of the input, those of the chain and those read from a cache included. */
            input_tokens: number;
            /** @description Parts of `input_tokens`. Absent where the upstream tells none. */
            input_tokens_details?: {
                /** @description Tokens that were read from a cache of the upstream; charged at the price of cached input. */
                cached_tokens: number;
                /** @description Tokens that were written to a cache of the upstream; charged at the price of cache writes. Absent: none. */
                cache_write_tokens?: number | null;
            } | null;
            /** @description Tokens of the output, reasoning included. */
            output_tokens: number;
            /** @description Parts of `output_tokens`. Absent where the upstream tells none. */
            output_tokens_details?: {
                /** @description Tokens that were spent on thoughts; charged as output. */
                reasoning_tokens: number;
            } | null;
            /** @description The sum of `input_tokens` and `output_tokens`. */
            total_tokens: number;
        };
        /**
         * @description Processing tier to ask the upstream for; the answer says which one was used. Where calls are charged only `auto` and `default` are taken, unless the model is free: prices are those of the ordinary tier. Anthropic and Gemini upstreams are not sent it.
         * @enum {string}
         */
        ServiceTier: "auto" | "default" | "flex" | "scale" | "priority" | "fast" | "ultrafast";
        /** @description An item that the model was given: of the request, or of the turns before it in the chain. */
        StoredItem: {
            /** @description Id of the item: as it was given, or made here where it came without one. */
            id: string;
            /** @description Kind of the item, such as `message`, `function_call` or `function_call_output`. */
            type: string;
            /** @description Who speaks, of a message. Absent for other items. */
            role?: string | null;
            /** @description The parts of a message; one that was given as a string is one part here. Absent for other items. */
            content?: unknown;
        } & {
            [key: string]: unknown;
        };
        /** @description A paragraph of what the model thought, told in short. */
        SummaryText: {
            /**
             * @description What this object is: always `summary_text`.
             * @constant
             */
            type: "summary_text";
            /** @description The text of the paragraph. */
            text: string;
        };
        /** @description A citation or a file path inside a text. */
        TextAnnotation: {
            /** @description Kind of the annotation, such as `url_citation` or `file_path`; its other fields depend on it. */
            type: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Structured output; takes the place of `response_format` on chat. */
        TextFormat: components["schemas"]["PlainTextFormat"] | components["schemas"]["JsonObjectFormat"] | components["schemas"]["JsonSchemaFormat"];
        /** @description The form of the text that the request asked for, as the upstream repeats it. */
        TextFormatEcho: {
            /** @description Kind of the form: `text`, `json_object` or `json_schema`. */
            type: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Moderation of a text call by the upstream. Anthropic and Gemini upstreams refuse it with 400. On the images endpoints `moderation` is a word instead. */
        TextModeration: {
            /** @description Id of a moderation model of the upstream. */
            model: string;
            /** @description What that model is to hold against a text, in the words of the upstream. Absent: its own rules. */
            policy?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description What the text of the answer looks like. */
        TextOptions: {
            /** @description Form of the answer. Absent: plain text. */
            format?: components["schemas"]["TextFormat"] | null;
            /** @description How long the answer should be. Absent: the model’s own, usually `medium`. */
            verbosity?: components["schemas"]["Verbosity"] | null;
        };
        /** @description How sure the model was of one token. */
        TokenLogprob: {
            /** @description The token as text. */
            token: string;
            /** @description Natural logarithm of its probability, at most 0. */
            logprob: number;
            /** @description The token as UTF-8 bytes; a character may be spread over several tokens. Null or absent where it has none. */
            bytes?: number[] | null;
            /** @description The likeliest tokens at this place, as many as `top_logprobs` of the request; empty or absent for 0. */
            top_logprobs?: {
                /** @description The token as text. */
                token: string;
                /** @description Natural logarithm of its probability, at most 0. */
                logprob: number;
            }[] | null;
        };
        /** @description Prices of a text model. The classes do not overlap: a token is charged in one of them. */
        TokenPrices: {
            /** @description Price of a million input tokens. */
            input: components["schemas"]["Dollars"];
            /** @description Price of a million input tokens that were read from a cache. */
            cached_input: components["schemas"]["Dollars"];
            /** @description Price of a million input tokens that were written to a cache. */
            cache_write: components["schemas"]["Dollars"];
            /** @description Price of a million output tokens, reasoning included. */
            output: components["schemas"]["Dollars"];
            /** @description Price of a call of a tool that the upstream runs itself, by the type of its output item. Such a tool without a price is refused with 400; tools that the caller runs cost their tokens alone. */
            tools: {
                [key: string]: components["schemas"]["Dollars"];
            };
        };
        /** @description A tool that the model may call: run by the caller, or by the upstream itself. */
        Tool: components["schemas"]["FunctionTool"] | components["schemas"]["CustomTool"] | components["schemas"]["NamespaceTool"] | components["schemas"]["WebSearchTool"] | components["schemas"]["McpTool"] | components["schemas"]["HostedTool"];
        /** @description `none`: no call. `auto`: the model decides. `required`: at least one call. Or one tool, which then has to be called, or a subset of the tools (`allowed_tools`, a hard limit). */
        ToolChoice: ("none" | "auto" | "required") | components["schemas"]["ToolSelection"];
        /** @description A tool of the request, as the upstream repeats it. */
        ToolEcho: {
            /** @description Kind of the tool, such as `function` or `web_search`. */
            type: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Letters, digits, `_` and `-`; at most 64.
         * @example get_weather
         */
        ToolName: string;
        /** @description A string, or up to 1,024 parts. Upstreams whose results are text alone are sent the text, and the pictures and files in a message behind it. */
        ToolOutput: string | components["schemas"]["ToolOutputPart"][];
        /** @description A piece of what a tool gives back. */
        ToolOutputPart: components["schemas"]["InputText"] | components["schemas"]["InputImage"] | components["schemas"]["InputFile"];
        /** @description An earlier search for tools. Upstreams that do not speak responses are not sent it. */
        ToolSearchCall: {
            /**
             * @description What this object is: always `tool_search_call`.
             * @constant
             */
            type: "tool_search_call";
            /** @description Links the search with its output. Null where the upstream searched itself. */
            call_id?: string | null;
            /** @description What was searched for, as the model wrote it. */
            arguments: unknown;
            /** @description Who searched: `client` or `server`. Absent: the upstream decides. */
            execution?: string | null;
            /** @description Id of the item, the client’s own or that of an earlier answer. Taken, and not sent on: upstreams know no ids of others. Absent: a stored item is given one. */
            id?: string | null;
            /** @description How far the item was when it was answered; nothing depends on it, so it may be absent. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description What a search for tools has found. Upstreams without such items are sent the tools with the others. */
        ToolSearchOutput: {
            /**
             * @description What this object is: always `tool_search_output`.
             * @constant
             */
            type: "tool_search_output";
            /** @description The `call_id` of the search. Null where the upstream searched itself. */
            call_id?: string | null;
            /** @description Tools that were found, up to 1,024; the model may call them from here on. */
            tools: components["schemas"]["Tool"][];
            /** @description Who searched: `client` or `server`. Absent: the upstream decides. */
            execution?: string | null;
            /** @description Id of the item, the client’s own or that of an earlier answer. Taken, and not sent on: upstreams know no ids of others. Absent: a stored item is given one. */
            id?: string | null;
            /** @description How far the item was when it was answered; nothing depends on it, so it may be absent. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description One tool, or a subset of them. */
        ToolSelection: components["schemas"]["NamedChoice"] | components["schemas"]["HostedChoice"] | components["schemas"]["McpChoice"] | components["schemas"]["AllowedTools"];
        /** @description The body of status 415 with `unsupported_media_type`. */
        UnsupportedMediaTypeErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["UnsupportedMediaTypeErrorDetail"];
        };
        /** @description What went wrong where the status is 415 with `unsupported_media_type`. All four fields are always there. */
        UnsupportedMediaTypeErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "unsupported_media_type";
        };
        /** @description The body of status 426 with `upgrade_required`. */
        UpgradeRequiredErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["UpgradeRequiredErrorDetail"];
        };
        /** @description What went wrong where the status is 426 with `upgrade_required`. All four fields are always there. */
        UpgradeRequiredErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "upgrade_required";
        };
        /** @description The body of status 502 with `upstream_error`. */
        UpstreamErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["UpstreamErrorDetail"];
        };
        /** @description What went wrong where the status is 502 with `upstream_error`. All four fields are always there. */
        UpstreamErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "server_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "upstream_error";
        };
        /** @description The body of status 504 with `upstream_timeout`. */
        UpstreamTimeoutErrorBody: {
            /** @description The error itself. */
            error: components["schemas"]["UpstreamTimeoutErrorDetail"];
        };
        /** @description What went wrong where the status is 504 with `upstream_timeout`. All four fields are always there. */
        UpstreamTimeoutErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. Its words may change. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "server_error";
            /** @description Path of the field at fault, such as `messages[2].content`. Null: none is. */
            param: string | null;
            /**
             * @description The exact reason, for programs. It belongs to one status and one type.
             * @enum {string}
             */
            code: "upstream_timeout";
        };
        /** @description One time that an upstream was asked. */
        UsageAttempt: {
            /** @description Its name in the configuration, as in `x-modelgate-attempts`. */
            upstream: string;
            /** @description HTTP status of its answer. Null where none came. */
            status: number | null;
            /** @description What went wrong, by the code of an error. Null where the answer was good. */
            code: string | null;
            /** @description Milliseconds until it had failed, or until its answer could be handed on. */
            ms: number;
        };
        /** @description One page of the requests of an account, newest first. */
        UsageList: {
            /**
             * @description What this object is: always `list`.
             * @constant
             */
            object: "list";
            /** @description The requests of this page, newest first. */
            data: components["schemas"]["UsageRecord"][];
            /** @description `request_id` of the first request of this page. Null where the page is empty. */
            first_id: string | null;
            /** @description `request_id` of the last request of this page, which goes into `after` of the next call. Null where the page is empty. */
            last_id: string | null;
            /** @description Whether there are requests behind this page. */
            has_more: boolean;
        };
        /** @description One request that was paid for, or may have to be. */
        UsageRecord: {
            /**
             * @description What this object is: always `usage`.
             * @constant
             */
            object: "usage";
            /** @description The `x-request-id` of the answer. */
            request_id: string;
            /** @description The key that it was called with. */
            key_id: string;
            /** @description Id of the model, as the request had it. */
            model: string;
            /** @description Name of the operation, such as `createResponse`. */
            operation: string;
            /**
             * @description `held`: it is still running. `posted`: it was charged. `voided`: it cost nothing, the hold went back. `expired`: the same, after the gateway had died with it; one that was only silent for long, and goes on, charges what is left to take.
             * @enum {string}
             */
            state: "held" | "posted" | "voided" | "expired";
            /** @description How it ended, such as `completed`, `failed` or `client_gone`. Null while it is running. */
            outcome: string | null;
            /**
             * @description What it is paid from.
             * @enum {string}
             */
            source: "balance" | "subscription";
            /** @description What was reserved before it was sent: the most that it could cost. */
            held: components["schemas"]["Dollars"];
            /** @description What was taken. Never more than was held. */
            charged: components["schemas"]["Dollars"];
            /** @description Whether tokens were counted by the gateway, since the upstream did not say how many there were. */
            estimated: boolean;
            /** @description What it used, in classes that do not overlap. Null as long as nothing was charged. */
            tokens: components["schemas"]["UsageTokens"] | null;
            /** @description The limit on its output, in tokens, that the gateway set: the request named none, and what paid for it went no further. Null where it set none. */
            output_limit: number | null;
            /** @description Pictures made, by `size/quality`. Null as long as nothing was charged. */
            images: {
                [key: string]: number;
            } | null;
            /** @description Calls of tools that the upstream ran itself, by the type of their output item. Null as long as nothing was charged. */
            tools: {
                [key: string]: number;
            } | null;
            /** @description When the money was held, in seconds since 1970-01-01 UTC. */
            created_at: number;
            /** @description When it was charged or given back, in seconds since 1970-01-01 UTC. Null while it is running. */
            settled_at: number | null;
        };
        /** @description Tokens by what they are charged as; the classes do not overlap. */
        UsageTokens: {
            /** @description Input that was neither read from a cache nor written to one. */
            input: number;
            /** @description Input that was read from a cache. */
            cached_input: number;
            /** @description Input that was written to a cache. */
            cache_write: number;
            /** @description All output, reasoning included. */
            output: number;
            /** @description The part of `output` that was spent on thoughts. */
            reasoning: number;
        };
        /**
         * @description How long the answer should be. Sent to upstreams that speak chat or responses; Anthropic and Gemini upstreams have nothing like it and are not sent it.
         * @enum {string}
         */
        Verbosity: "low" | "medium" | "high";
        /** @description A search of the web, run by the upstream and charged by the call. Where the upstream has none, or it has no price, the tool is left out and named in `x-modelgate-ignored`; a call that `tool_choice` forces to use it is 400. */
        WebSearchTool: {
            /**
             * @description Which version of the search; new code sends `web_search`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "web_search" | "web_search_2025_08_26" | "web_search_preview" | "web_search_preview_2025_03_11";
            /** @description Whether pages are fetched from the web; false: only what the upstream has of them already. Absent: the upstream decides, usually true. */
            external_web_access?: boolean | null;
            /** @description Which pages count, in the words of the upstream, such as `allowed_domains`. Absent: all. */
            filters?: {
                [key: string]: unknown;
            } | null;
            /** @description Roughly where the user is, in the words of the upstream. Absent: nowhere in particular. */
            user_location?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description How much of what was found the model reads. Absent: the upstream decides, usually `medium`.
             * @enum {string|null}
             */
            search_context_size?: "low" | "medium" | "high" | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Id of this request. Name it when you report a problem: it leads to the log entry.
         * @example req_01k5h2r7c8v9
         */
        "x-request-id": string;
        /**
         * @description Seconds to wait before the next attempt.
         * @example 2
         */
        "retry-after": number;
        /**
         * @description The same wait in milliseconds.
         * @example 1500
         */
        "retry-after-ms": number;
        /**
         * @description The protocol that the gateway speaks.
         * @example HTTP/1.1
         */
        upgrade: string;
        /**
         * @description The scheme that the gateway takes.
         * @example Bearer
         */
        "www-authenticate": string;
        /**
         * @description Most requests a minute. Absent where nothing limits them.
         * @example 60
         */
        "x-ratelimit-limit-requests": number;
        /**
         * @description Requests that are left now.
         * @example 59
         */
        "x-ratelimit-remaining-requests": number;
        /**
         * @description Time until all of them are back.
         * @example 1s
         */
        "x-ratelimit-reset-requests": string;
        /**
         * @description Most tokens a minute. Absent where nothing limits them.
         * @example 100000
         */
        "x-ratelimit-limit-tokens": number;
        /**
         * @description Tokens that are left now, this call taken off by a rough count.
         * @example 98760
         */
        "x-ratelimit-remaining-tokens": number;
        /**
         * @description Time until all of them are back.
         * @example 744ms
         */
        "x-ratelimit-reset-tokens": string;
        /**
         * @description `true` where this is the answer of an earlier request with the same idempotency key.
         * @example true
         */
        "idempotent-replayed": string;
        /**
         * @description The upstreams that were asked, in order: the name of each, the status of its answer where there was one, the error, and milliseconds.
         * @example main;status=503;error=overloaded;ms=12, backup;status=200;ms=340
         */
        "x-modelgate-attempts": string;
        /**
         * @description Dollars that a whole answer was charged. Of a stream nobody knows before its end; `GET /v1/usage/{request_id}` tells it.
         * @example 0.003130
         */
        "x-modelgate-cost": string;
        /**
         * @description Tokens that the answer may have, where the gateway set the limit because the money goes no further.
         * @example 2048
         */
        "x-modelgate-output-limit": number;
        /**
         * @description Fields, items and tools of the request that the upstream was not sent, by their places, such as `messages[2].name`: up to 32, and how many more there are (`and-7-more`).
         * @example seed, messages[2].name
         */
        "x-modelgate-ignored": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listModels: {
        parameters: {
            query?: {
                /** @description Sent by the Codex CLI, which gets the list in its own format, too. Its value does not matter. Absent: the list alone. */
                client_version?: string;
            };
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), where the gateway keeps traces. Absent: it begins a trace of its own.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelList"];
                };
            };
            /** @description The request is at fault; `param` names the field. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListModelsBadRequestErrorBody"];
                };
            };
            /** @description The key is missing, mistyped, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "www-authenticate": components["headers"]["www-authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidApiKeyErrorBody"];
                };
            };
            /** @description The key, its account or its balance does not allow this. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionDeniedErrorBody"];
                };
            };
            /** @description The request came too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description Another protocol was asked for. */
            426: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    upgrade: components["headers"]["upgrade"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpgradeRequiredErrorBody"];
                };
            };
            /** @description Too much at once; wait for `retry-after` seconds. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededErrorBody"];
                };
            };
            /** @description The headers are too large. */
            431: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeadersTooLargeErrorBody"];
                };
            };
            /** @description The gateway failed. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorBody"];
                };
            };
            /** @description No capacity at the moment; wait for `retry-after` seconds. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverloadedErrorBody"];
                };
            };
        };
    };
    getModel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), where the gateway keeps traces. Absent: it begins a trace of its own.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path: {
                /** @description The `id` of a model of the list. */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Model"];
                };
            };
            /** @description The request is at fault; `param` names the field. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetModelBadRequestErrorBody"];
                };
            };
            /** @description The key is missing, mistyped, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "www-authenticate": components["headers"]["www-authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidApiKeyErrorBody"];
                };
            };
            /** @description The key, its account or its balance does not allow this. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionDeniedErrorBody"];
                };
            };
            /** @description There is no such model, response or request, or nothing at this address. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelNotFoundErrorBody"];
                };
            };
            /** @description The request came too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description Another protocol was asked for. */
            426: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    upgrade: components["headers"]["upgrade"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpgradeRequiredErrorBody"];
                };
            };
            /** @description Too much at once; wait for `retry-after` seconds. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededErrorBody"];
                };
            };
            /** @description The headers are too large. */
            431: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeadersTooLargeErrorBody"];
                };
            };
            /** @description The gateway failed. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorBody"];
                };
            };
            /** @description No capacity at the moment; wait for `retry-after` seconds. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverloadedErrorBody"];
                };
            };
        };
    };
    getCatalog: {
        parameters: {
            query?: {
                /** @description Only models that accounts of this group may call. `default` and `vip` are always there. Absent: all models. */
                group?: string;
            };
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), where the gateway keeps traces. Absent: it begins a trace of its own.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogList"];
                };
            };
            /** @description The request is at fault; `param` names the field. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCatalogBadRequestErrorBody"];
                };
            };
            /** @description The request came too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description Another protocol was asked for. */
            426: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    upgrade: components["headers"]["upgrade"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpgradeRequiredErrorBody"];
                };
            };
            /** @description The headers are too large. */
            431: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeadersTooLargeErrorBody"];
                };
            };
            /** @description The gateway failed. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorBody"];
                };
            };
            /** @description No capacity at the moment; wait for `retry-after` seconds. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverloadedErrorBody"];
                };
            };
        };
    };
    createResponse: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name of your choice for this request. Sent again within 24 hours, it gets the answer of the first and is not charged; while the first runs it gets 409. Absent: each attempt is a request of its own, and is charged.
                 * @example 5f1c2a9e-7d0b-4b8e-9a52-3d1f6f0a8c11
                 */
                "idempotency-key"?: string;
                /**
                 * @description What a simulator is to do, such as `error 503` or `cut 3`; one that it does not know is 400, with the list. No other upstream looks at it, and a replay of recorded calls neither. Absent: the prompt may say it.
                 * @example error 503
                 */
                "x-modelgate-scenario"?: string;
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), where the gateway keeps traces. Absent: it begins a trace of its own.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResponseRequest"];
            };
        };
        responses: {
            /** @description The answer. With `stream: true`: its events, under `text/event-stream`. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    "x-modelgate-ignored": components["headers"]["x-modelgate-ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelResponse"];
                    "text/event-stream": components["schemas"]["ResponseStreamEvent"];
                };
            };
            /** @description The request is at fault; `param` names the field. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateResponseBadRequestErrorBody"];
                };
            };
            /** @description The key is missing, mistyped, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "www-authenticate": components["headers"]["www-authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidApiKeyErrorBody"];
                };
            };
            /** @description The key, its account or its balance does not allow this. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResponseDeniedErrorBody"];
                };
            };
            /** @description There is no such model, response or request, or nothing at this address. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelNotFoundErrorBody"];
                };
            };
            /** @description The request came too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description The request does not go together with what is there, or with another one that is still running. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotencyConflictErrorBody"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTooLargeErrorBody"];
                };
            };
            /** @description The content type or encoding is not supported. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeErrorBody"];
                };
            };
            /** @description Another protocol was asked for. */
            426: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    upgrade: components["headers"]["upgrade"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpgradeRequiredErrorBody"];
                };
            };
            /** @description Too much at once; wait for `retry-after` seconds. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallLimitErrorBody"];
                };
            };
            /** @description The headers are too large. */
            431: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeadersTooLargeErrorBody"];
                };
            };
            /** @description The gateway failed. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorBody"];
                };
            };
            /** @description The upstream failed. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpstreamErrorBody"];
                };
            };
            /** @description No capacity at the moment; wait for `retry-after` seconds. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoCapacityErrorBody"];
                };
            };
            /** @description The upstream did not answer in time. */
            504: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpstreamTimeoutErrorBody"];
                };
            };
        };
    };
    getResponse: {
        parameters: {
            query?: {
                /** @description Whether to stream the answer, of which only false is taken: a stream that has been read is not resumable. Absent: false. */
                stream?: false;
            };
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), where the gateway keeps traces. Absent: it begins a trace of its own.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path: {
                /** @description The `id` of a response that was stored for this account. */
                response_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelResponse"];
                };
            };
            /** @description The request is at fault; `param` names the field. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetResponseBadRequestErrorBody"];
                };
            };
            /** @description The key is missing, mistyped, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "www-authenticate": components["headers"]["www-authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidApiKeyErrorBody"];
                };
            };
            /** @description The key, its account or its balance does not allow this. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionDeniedErrorBody"];
                };
            };
            /** @description There is no such model, response or request, or nothing at this address. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResponseNotFoundErrorBody"];
                };
            };
            /** @description The request came too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTooLargeErrorBody"];
                };
            };
            /** @description Another protocol was asked for. */
            426: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    upgrade: components["headers"]["upgrade"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpgradeRequiredErrorBody"];
                };
            };
            /** @description Too much at once; wait for `retry-after` seconds. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestLimitErrorBody"];
                };
            };
            /** @description The headers are too large. */
            431: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeadersTooLargeErrorBody"];
                };
            };
            /** @description The gateway failed. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorBody"];
                };
            };
            /** @description No capacity at the moment; wait for `retry-after` seconds. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverloadedErrorBody"];
                };
            };
        };
    };
    deleteResponse: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), where the gateway keeps traces. Absent: it begins a trace of its own.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path: {
                /** @description The `id` of a response that was stored for this account. */
                response_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedResponse"];
                };
            };
            /** @description The request is at fault; `param` names the field. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteResponseBadRequestErrorBody"];
                };
            };
            /** @description The key is missing, mistyped, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "www-authenticate": components["headers"]["www-authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidApiKeyErrorBody"];
                };
            };
            /** @description The key, its account or its balance does not allow this. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionDeniedErrorBody"];
                };
            };
            /** @description There is no such model, response or request, or nothing at this address. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResponseNotFoundErrorBody"];
                };
            };
            /** @description The request came too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTooLargeErrorBody"];
                };
            };
            /** @description The content type or encoding is not supported. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeErrorBody"];
                };
            };
            /** @description Another protocol was asked for. */
            426: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    upgrade: components["headers"]["upgrade"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpgradeRequiredErrorBody"];
                };
            };
            /** @description Too much at once; wait for `retry-after` seconds. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestLimitErrorBody"];
                };
            };
            /** @description The headers are too large. */
            431: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeadersTooLargeErrorBody"];
                };
            };
            /** @description The gateway failed. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorBody"];
                };
            };
            /** @description No capacity at the moment; wait for `retry-after` seconds. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverloadedErrorBody"];
                };
            };
        };
    };
    listInputItems: {
        parameters: {
            query?: {
                /** @description Most items to return; fewer where they are large. Absent: 20. */
                limit?: number;
                /** @description `asc`: oldest first. Absent: `desc`, newest first. */
                order?: "asc" | "desc";
                /** @description Id of the item to go on after: `last_id` of the page before. Absent: the first page. */
                after?: string;
            };
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), where the gateway keeps traces. Absent: it begins a trace of its own.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path: {
                /** @description The `id` of a response that was stored for this account. */
                response_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InputItemList"];
                };
            };
            /** @description The request is at fault; `param` names the field. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListInputItemsBadRequestErrorBody"];
                };
            };
            /** @description The key is missing, mistyped, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "www-authenticate": components["headers"]["www-authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidApiKeyErrorBody"];
                };
            };
            /** @description The key, its account or its balance does not allow this. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionDeniedErrorBody"];
                };
            };
            /** @description There is no such model, response or request, or nothing at this address. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResponseNotFoundErrorBody"];
                };
            };
            /** @description The request came too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTooLargeErrorBody"];
                };
            };
            /** @description Another protocol was asked for. */
            426: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    upgrade: components["headers"]["upgrade"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpgradeRequiredErrorBody"];
                };
            };
            /** @description Too much at once; wait for `retry-after` seconds. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestLimitErrorBody"];
                };
            };
            /** @description The headers are too large. */
            431: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeadersTooLargeErrorBody"];
                };
            };
            /** @description The gateway failed. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorBody"];
                };
            };
            /** @description No capacity at the moment; wait for `retry-after` seconds. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverloadedErrorBody"];
                };
            };
        };
    };
    createChatCompletion: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name of your choice for this request. Sent again within 24 hours, it gets the answer of the first and is not charged; while the first runs it gets 409. Absent: each attempt is a request of its own, and is charged.
                 * @example 5f1c2a9e-7d0b-4b8e-9a52-3d1f6f0a8c11
                 */
                "idempotency-key"?: string;
                /**
                 * @description What a simulator is to do, such as `error 503` or `cut 3`; one that it does not know is 400, with the list. No other upstream looks at it, and a replay of recorded calls neither. Absent: the prompt may say it.
                 * @example error 503
                 */
                "x-modelgate-scenario"?: string;
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), where the gateway keeps traces. Absent: it begins a trace of its own.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatCompletionRequest"];
            };
        };
        responses: {
            /** @description The answer. With `stream: true`: its events, under `text/event-stream`. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    "x-modelgate-ignored": components["headers"]["x-modelgate-ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatCompletion"];
                    "text/event-stream": components["schemas"]["ChatCompletionChunk"];
                };
            };
            /** @description The request is at fault; `param` names the field. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateChatCompletionBadRequestErrorBody"];
                };
            };
            /** @description The key is missing, mistyped, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "www-authenticate": components["headers"]["www-authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidApiKeyErrorBody"];
                };
            };
            /** @description The key, its account or its balance does not allow this. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallDeniedErrorBody"];
                };
            };
            /** @description There is no such model, response or request, or nothing at this address. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelNotFoundErrorBody"];
                };
            };
            /** @description The request came too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description The request does not go together with what is there, or with another one that is still running. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotencyConflictErrorBody"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTooLargeErrorBody"];
                };
            };
            /** @description The content type or encoding is not supported. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeErrorBody"];
                };
            };
            /** @description Another protocol was asked for. */
            426: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    upgrade: components["headers"]["upgrade"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpgradeRequiredErrorBody"];
                };
            };
            /** @description Too much at once; wait for `retry-after` seconds. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallLimitErrorBody"];
                };
            };
            /** @description The headers are too large. */
            431: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeadersTooLargeErrorBody"];
                };
            };
            /** @description The gateway failed. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorBody"];
                };
            };
            /** @description The upstream failed. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpstreamErrorBody"];
                };
            };
            /** @description No capacity at the moment; wait for `retry-after` seconds. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoCapacityErrorBody"];
                };
            };
            /** @description The upstream did not answer in time. */
            504: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpstreamTimeoutErrorBody"];
                };
            };
        };
    };
    generateImages: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name of your choice for this request. Sent again within 24 hours, it gets the answer of the first and is not charged; while the first runs it gets 409. Absent: each attempt is a request of its own, and is charged.
                 * @example 5f1c2a9e-7d0b-4b8e-9a52-3d1f6f0a8c11
                 */
                "idempotency-key"?: string;
                /**
                 * @description What a simulator is to do, such as `error 503` or `cut 3`; one that it does not know is 400, with the list. No other upstream looks at it, and a replay of recorded calls neither. Absent: the prompt may say it.
                 * @example error 503
                 */
                "x-modelgate-scenario"?: string;
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), where the gateway keeps traces. Absent: it begins a trace of its own.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImageGenerationRequest"];
            };
        };
        responses: {
            /** @description The answer. With `stream: true`: its events, under `text/event-stream`. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    "x-modelgate-ignored": components["headers"]["x-modelgate-ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImageList"];
                    "text/event-stream": components["schemas"]["ImageGenerationEvent"];
                };
            };
            /** @description The request is at fault; `param` names the field. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenerateImagesBadRequestErrorBody"];
                };
            };
            /** @description The key is missing, mistyped, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "www-authenticate": components["headers"]["www-authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidApiKeyErrorBody"];
                };
            };
            /** @description The key, its account or its balance does not allow this. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallDeniedErrorBody"];
                };
            };
            /** @description There is no such model, response or request, or nothing at this address. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelNotFoundErrorBody"];
                };
            };
            /** @description The request came too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description The request does not go together with what is there, or with another one that is still running. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotencyConflictErrorBody"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTooLargeErrorBody"];
                };
            };
            /** @description The content type or encoding is not supported. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeErrorBody"];
                };
            };
            /** @description Another protocol was asked for. */
            426: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    upgrade: components["headers"]["upgrade"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpgradeRequiredErrorBody"];
                };
            };
            /** @description Too much at once; wait for `retry-after` seconds. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallLimitErrorBody"];
                };
            };
            /** @description The headers are too large. */
            431: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeadersTooLargeErrorBody"];
                };
            };
            /** @description The gateway failed. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorBody"];
                };
            };
            /** @description The upstream failed. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpstreamErrorBody"];
                };
            };
            /** @description No capacity at the moment; wait for `retry-after` seconds. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoCapacityErrorBody"];
                };
            };
            /** @description The upstream did not answer in time. */
            504: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpstreamTimeoutErrorBody"];
                };
            };
        };
    };
    editImages: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name of your choice for this request. Sent again within 24 hours, it gets the answer of the first and is not charged; while the first runs it gets 409. Absent: each attempt is a request of its own, and is charged.
                 * @example 5f1c2a9e-7d0b-4b8e-9a52-3d1f6f0a8c11
                 */
                "idempotency-key"?: string;
                /**
                 * @description What a simulator is to do, such as `error 503` or `cut 3`; one that it does not know is 400, with the list. No other upstream looks at it, and a replay of recorded calls neither. Absent: the prompt may say it.
                 * @example error 503
                 */
                "x-modelgate-scenario"?: string;
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), where the gateway keeps traces. Absent: it begins a trace of its own.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["ImageEditForm"];
                "application/json": components["schemas"]["ImageEditRequest"];
            };
        };
        responses: {
            /** @description The answer. With `stream: true`: its events, under `text/event-stream`. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "idempotent-replayed": components["headers"]["idempotent-replayed"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    "x-modelgate-ignored": components["headers"]["x-modelgate-ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImageList"];
                    "text/event-stream": components["schemas"]["ImageEditEvent"];
                };
            };
            /** @description The request is at fault; `param` names the field. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EditImagesBadRequestErrorBody"];
                };
            };
            /** @description The key is missing, mistyped, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "www-authenticate": components["headers"]["www-authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidApiKeyErrorBody"];
                };
            };
            /** @description The key, its account or its balance does not allow this. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallDeniedErrorBody"];
                };
            };
            /** @description There is no such model, response or request, or nothing at this address. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelNotFoundErrorBody"];
                };
            };
            /** @description The request came too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description The request does not go together with what is there, or with another one that is still running. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotencyConflictErrorBody"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTooLargeErrorBody"];
                };
            };
            /** @description The content type or encoding is not supported. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeErrorBody"];
                };
            };
            /** @description Another protocol was asked for. */
            426: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    upgrade: components["headers"]["upgrade"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpgradeRequiredErrorBody"];
                };
            };
            /** @description Too much at once; wait for `retry-after` seconds. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallLimitErrorBody"];
                };
            };
            /** @description The headers are too large. */
            431: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeadersTooLargeErrorBody"];
                };
            };
            /** @description The gateway failed. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorBody"];
                };
            };
            /** @description The upstream failed. */
            502: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpstreamErrorBody"];
                };
            };
            /** @description No capacity at the moment; wait for `retry-after` seconds. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoCapacityErrorBody"];
                };
            };
            /** @description The upstream did not answer in time. */
            504: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    "x-modelgate-attempts": components["headers"]["x-modelgate-attempts"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpstreamTimeoutErrorBody"];
                };
            };
        };
    };
    listUsage: {
        parameters: {
            query?: {
                /** @description Only requests from this time on; in seconds since 1970. Absent: from the first. */
                from?: number;
                /** @description Only requests before this time; in seconds since 1970. Absent: up to now. */
                to?: number;
                /** @description Most requests to return. Absent: 20. */
                limit?: number;
                /** @description Id of the request to go on after: `last_id` of the page before. Absent: the first page. */
                after?: string;
            };
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), where the gateway keeps traces. Absent: it begins a trace of its own.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageList"];
                };
            };
            /** @description The request is at fault; `param` names the field. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListUsageBadRequestErrorBody"];
                };
            };
            /** @description The key is missing, mistyped, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "www-authenticate": components["headers"]["www-authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidApiKeyErrorBody"];
                };
            };
            /** @description The key, its account or its balance does not allow this. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionDeniedErrorBody"];
                };
            };
            /** @description The request came too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description Another protocol was asked for. */
            426: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    upgrade: components["headers"]["upgrade"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpgradeRequiredErrorBody"];
                };
            };
            /** @description Too much at once; wait for `retry-after` seconds. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededErrorBody"];
                };
            };
            /** @description The headers are too large. */
            431: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeadersTooLargeErrorBody"];
                };
            };
            /** @description The gateway failed. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorBody"];
                };
            };
            /** @description No capacity at the moment; wait for `retry-after` seconds. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverloadedErrorBody"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), where the gateway keeps traces. Absent: it begins a trace of its own.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path: {
                /** @description The `x-request-id` of an answer to a key of this account. */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            /** @description The request is at fault; `param` names the field. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetUsageBadRequestErrorBody"];
                };
            };
            /** @description The key is missing, mistyped, expired or revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "www-authenticate": components["headers"]["www-authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidApiKeyErrorBody"];
                };
            };
            /** @description The key, its account or its balance does not allow this. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionDeniedErrorBody"];
                };
            };
            /** @description There is no such model, response or request, or nothing at this address. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundErrorBody"];
                };
            };
            /** @description The request came too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description Another protocol was asked for. */
            426: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    upgrade: components["headers"]["upgrade"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpgradeRequiredErrorBody"];
                };
            };
            /** @description Too much at once; wait for `retry-after` seconds. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededErrorBody"];
                };
            };
            /** @description The headers are too large. */
            431: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeadersTooLargeErrorBody"];
                };
            };
            /** @description The gateway failed. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorBody"];
                };
            };
            /** @description No capacity at the moment; wait for `retry-after` seconds. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
                    "x-ratelimit-limit-requests": components["headers"]["x-ratelimit-limit-requests"];
                    "x-ratelimit-remaining-requests": components["headers"]["x-ratelimit-remaining-requests"];
                    "x-ratelimit-reset-requests": components["headers"]["x-ratelimit-reset-requests"];
                    "x-ratelimit-limit-tokens": components["headers"]["x-ratelimit-limit-tokens"];
                    "x-ratelimit-remaining-tokens": components["headers"]["x-ratelimit-remaining-tokens"];
                    "x-ratelimit-reset-tokens": components["headers"]["x-ratelimit-reset-tokens"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverloadedErrorBody"];
                };
            };
        };
    };
}

/** Types of docs/generated/openapi.json, made by docs/generate/types.ts. Do not edit: run `npm run generate`. */
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
         * @description Lists the models that your key can call.
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
         * @description Creates a model response with the Responses API, which coding agents use. With `stream: true`, the response is a stream of named events that ends with exactly one of `response.completed`, `response.incomplete`, and `response.failed`.
         */
        post: operations["createResponse"];
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
         * @description Creates a completion for a conversation. With `stream: true`, the response is a stream of chunks that ends with `data: [DONE]`.
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
         * @description Generates images from a prompt. With `stream: true`, partial images are sent while the image is being generated.
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
         * @description Edits images, or creates a new image from them. Accepts a multipart form with files, or JSON with data URLs, https URLs, or file IDs.
         */
        post: operations["editImages"];
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
         * @description Retrieves a model that your key can call. Any other model returns 404, whether or not it exists.
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
    "/v1/protocol": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the protocols of models
         * @description Lists, for each model that your key can call, what happens to the fields of a request: whether they're forwarded, translated, dropped, or rejected. Requires no permission and doesn't count toward any limit.
         */
        get: operations["getProtocol"];
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
         * @description Lists every model with its prices, limits, and capabilities. No key is required, and the response can be cached for a minute. The path doesn't start with `/v1`.
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
    "/v1/responses/input_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count input tokens
         * @description Counts the input tokens that a request would use, without running it. Accepts the same body as `POST /v1/responses`. Free of charge, but it counts toward your request rate limit.
         */
        post: operations["countInputTokens"];
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
         * @description Retrieves a stored response, exactly as it was returned when it was created, or as it is now while it runs in the background. With `stream=true`, its events are sent again. Only the account that created it can read it.
         */
        get: operations["getResponse"];
        put?: never;
        post?: never;
        /**
         * Delete a response
         * @description Deletes a stored response. It can no longer be read or continued.
         */
        delete: operations["deleteResponse"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses/{response_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a response
         * @description Cancels a response that runs in the background, and returns it with the output that it has, which is charged. A response that has ended is returned as it is.
         */
        post: operations["cancelResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses/compact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compact a conversation
         * @description Replaces a conversation by one encrypted item that stands for it, so that you can continue with less input. Charged like a response of the model, which may write the summary. The result is the whole new conversation: send it unchanged, without `previous_response_id`, before your next input.
         */
        post: operations["compactResponse"];
        delete?: never;
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
         * @description Lists the input of a stored response, newest first: its own items and the items of earlier turns.
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
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List usage
         * @description Lists the requests made with any key of your account, newest first. Empty when billing is off.
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
         * @description Retrieves a request and its itemized receipt: usage × prices × multiplier = charge. The receipt of a stream is available before its last event is sent.
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
    "/v1/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the account
         * @description Retrieves the account that owns your key: the amount left to spend, and the remainder of its limits. Requires no permission and doesn't count toward any limit.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the key
         * @description Retrieves your key: its permissions, its expiry, and the remainder of its spending caps and limits.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Summarize usage
         * @description Totals the requests, tokens, and charges of your account by hour, day, week, or month, optionally grouped by model and key. The totals are exact.
         */
        get: operations["getUsageSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the statement
         * @description Lists the payments and charges of your account, newest first. Empty when billing is off.
         */
        get: operations["listStatement"];
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
        /** @description The features that the gateway supports for the model. How well the model uses them depends on the model. */
        Abilities: {
            /** @description Whether the model supports function tools, and free-form tools such as `apply_patch`. */
            tools: boolean;
            /** @description Whether the model supports tools that the upstream runs, such as web search. */
            hosted_tools: boolean;
            /** @description Whether requests can allow or forbid parallel tool calls. */
            parallel_tool_calls: boolean;
            /** @description Whether the model accepts images, in messages or to edit them. */
            image_input: boolean;
            /**
             * @description The structured output that the model supports: a JSON schema, any JSON object, or none.
             * @enum {string}
             */
            structured_output: "schema" | "json" | "none";
            /** @description Whether requests can set the reasoning effort. */
            reasoning_effort: boolean;
        };
        /** @description Tools that a coding agent declares within the input. Upstreams that don't support such items get them in `tools`. */
        AdditionalTools: {
            /**
             * @description The type of the object: always `additional_tools`.
             * @constant
             */
            type: "additional_tools";
            /** @description The role of the author: `developer`. Optional; the gateway ignores it. */
            role?: "developer" | null;
            /** @description Up to 128 tools that the model can call from here on. */
            tools: components["schemas"]["Tool"][];
            /** @description Optional. The ID of the item, from the client or from an earlier response. Accepted, but not sent to the upstream, which doesn't know the ID. If omitted, a stored item gets a new ID. */
            id?: string | null;
            /** @description The status of the item in the earlier response. The gateway ignores it, so you can omit it. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description A tool in the request, identified in the same way as there. */
        AllowedTool: {
            /** @description The type of the tool. `function` and `custom` also need a `name`. */
            type: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A subset of the tools in the request. */
        AllowedTools: {
            /**
             * @description The type of the object: always `allowed_tools`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "allowed_tools";
            /**
             * @description `auto`: the model can call one of the tools or generate a message. `required`: it must call one of them.
             * @enum {string}
             */
            mode: "auto" | "required";
            /** @description The tools that the model can call: 1 to 128. */
            tools: components["schemas"]["AllowedTool"][];
        };
        /** @description An audio clip and its encoding. */
        AudioClip: {
            /** @description The audio in base64, without a data URL prefix. */
            data: string;
            /** @description The encoding of `data`. */
            format: string;
        };
        /** @description The body of status 403 with one of 3 codes. */
        CallDeniedErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["CallDeniedErrorDetail"];
        };
        /** @description The error with status 403 and one of 3 codes. All four fields are always present. */
        CallDeniedErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "permission_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "permission_denied" | "insufficient_balance" | "subscription_inactive";
        };
        /** @description The body of status 429 with one of 3 codes. */
        CallLimitErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["CallLimitErrorDetail"];
        };
        /** @description The error with status 429 and one of 3 codes. All four fields are always present. */
        CallLimitErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "rate_limit_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "rate_limit_exceeded" | "token_limit_exceeded" | "concurrency_limit_exceeded";
        };
        /** @description The body of status 400 with one of 4 codes. */
        CancelResponseBadRequestErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["CancelResponseBadRequestErrorDetail"];
        };
        /** @description The error with status 400 and one of 4 codes. All four fields are always present. */
        CancelResponseBadRequestErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "invalid_json" | "malformed_request" | "invalid_value" | "string_above_max_length";
        };
        /** @description The models in the catalog. `GET /v1/models` lists those that your key can call. */
        CatalogList: {
            /**
             * @description The type of the object: always `list`.
             * @constant
             */
            object: "list";
            /** @description The models, in a stable order. */
            data: components["schemas"]["CatalogModel"][];
        };
        /** @description A model in the catalog. */
        CatalogModel: {
            /**
             * @description The model ID to use in requests.
             * @example gpt-5.4
             */
            id: string;
            /**
             * @description The type of the object: always `model`.
             * @constant
             */
            object: "model";
            /** @description The owner of the model, as configured, or else the name of its upstream. */
            owned_by: string;
            /**
             * @description `text`: chat completions and responses. `image`: image generations and edits.
             * @enum {string}
             */
            kind: "text" | "image";
            /** @description The account groups that can call the model, each with its price multiplier. */
            groups: {
                /** @description The name of the group. */
                name: string;
                /** @description The price multiplier for accounts in this group. */
                multiplier: components["schemas"]["Multiplier"];
            }[];
            /** @description The prices of the model. Null when billing is off. */
            prices: components["schemas"]["CatalogPrices"] | null;
            /** @description The size of the context window in tokens, including the output. Null if unknown. */
            context_window: number | null;
            /** @description Maximum number of output tokens per response. A call without an output limit reserves the price of that many. Null for image models. */
            max_output_tokens: number | null;
            /** @description The APIs that can call the model. */
            protocols: ("chat" | "responses" | "images")[];
            /** @description The features that calls to the model can use. */
            abilities: components["schemas"]["Abilities"];
        };
        /** @description Prices per million tokens, prices per image, or `free`. All prices are before the group's multiplier. */
        CatalogPrices: components["schemas"]["TokenPrices"] | components["schemas"]["ImagePrices"] | "free";
        /** @description A subset of the tools in the request. */
        ChatAllowedTools: {
            /**
             * @description The type of the object: always `allowed_tools`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "allowed_tools";
            /** @description The subset of tools, and whether one of them must be called. */
            allowed_tools: {
                /**
                 * @description `auto`: the model can call one of the tools or generate a message. `required`: it must call one of them.
                 * @enum {string}
                 */
                mode: "auto" | "required";
                /** @description The tools that the model can call, by name: 1 to 128. */
                tools: components["schemas"]["ChatNamedChoice"][];
            };
        };
        /** @description The source of a part of the text, found by the upstream's web search. */
        ChatAnnotation: {
            /** @description The type of the annotation: `url_citation`, or a type that the upstream defines. */
            type: string;
            /** @description The page that a part of the text cites. Omitted for other types. */
            url_citation?: {
                /** @description The URL of the page. */
                url: string;
                /** @description The title of the page. */
                title: string;
                /** @description Index at which the citing text starts in `content`, from 0. */
                start_index: number;
                /** @description Index at which the citing text ends in `content`, from 0. */
                end_index: number;
            } | null;
        };
        /** @description A call to a free-form tool, for you to run. */
        ChatAnsweredCustomCall: {
            /** @description The ID of the tool call. Send it back as `tool_call_id`. */
            id: string;
            /**
             * @description The type of the object: always `custom`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "custom";
            /** @description The free-form tool to call. */
            custom: {
                /** @description The name of the tool, as declared in the request. */
                name: string;
                /** @description The input of the tool, as free text. */
                input: string;
            };
        };
        /** @description The function that the model calls, and its arguments. */
        ChatAnsweredFunction: {
            /** @description The name of the function, as declared in the request. */
            name: string;
            /** @description The arguments as the model wrote them, in JSON. Validate them before you use them. */
            arguments: string;
        };
        /** @description A function call for you to run. */
        ChatAnsweredFunctionCall: {
            /** @description The ID of the tool call. Send it back as `tool_call_id`. */
            id: string;
            /**
             * @description The type of the object: always `function`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "function";
            /** @description The function to call. */
            function: components["schemas"]["ChatAnsweredFunction"];
        };
        /** @description The model's text, refusal, or tool calls. Append it to `messages` unchanged. */
        ChatAnsweredMessage: {
            /**
             * @description The role of the author: always `assistant`.
             * @constant
             */
            role: "assistant";
            /** @description The text of the message. Null if the message has only tool calls or a refusal. */
            content?: string | null;
            /** @description The refusal, in the model's words. Null if the message isn't a refusal. */
            refusal?: string | null;
            /** @description The sources of the text. Empty or omitted if none. */
            annotations?: components["schemas"]["ChatAnnotation"][] | null;
            /** @description Tool calls for you to run. Omitted if none. */
            tool_calls?: components["schemas"]["ChatAnsweredToolCall"][] | null;
            /**
             * @deprecated
             * @description Deprecated: send `tools` and read `tool_calls`. The single call for a request with `functions`; omitted otherwise.
             */
            function_call?: components["schemas"]["ChatAnsweredFunction"] | null;
            /** @description The audio output. Omitted unless the request's `modalities` contains `audio`. */
            audio?: {
                /** @description The ID of this audio, for use in a later turn. */
                id: string;
                /** @description The audio in base64, in the request's `audio.format`. */
                data: string;
                /** @description When the upstream deletes the audio, as a Unix timestamp in seconds. */
                expires_at: number;
                /** @description The transcript of the audio. */
                transcript: string;
            } | null;
        };
        /** @description A tool call for you to run. Send its `id` back as `tool_call_id`. */
        ChatAnsweredToolCall: components["schemas"]["ChatAnsweredFunctionCall"] | components["schemas"]["ChatAnsweredCustomCall"];
        /** @description An assistant message from an earlier turn, with text, a refusal, audio, or tool calls. */
        ChatAssistantMessage: {
            /**
             * @description The role of the author: always `assistant`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            role: "assistant";
            /** @description The assistant's message: a string, or up to 1024 parts with text, refusals, and reasoning. Null or omitted only if the message has `tool_calls`, `refusal`, `audio`, or `function_call`. */
            content?: string | components["schemas"]["ChatAssistantPart"][] | null;
            /** @description The refusal, in the model's words. Omit if the message isn't a refusal. */
            refusal?: string | null;
            /** @description Optional. Refers to audio output from an earlier turn. Returns 400 unless the model is on a chat upstream. */
            audio?: {
                /** @description The `audio.id` of the earlier output. */
                id: string;
            } | null;
            /** @description Optional. Up to 128 tool calls that the model made. */
            tool_calls?: components["schemas"]["ChatToolCall"][] | null;
            /**
             * @deprecated
             * @description Deprecated: use `tool_calls`. The single function call of the older form, followed by a `function` message with the result.
             */
            function_call?: components["schemas"]["ChatCalledFunction"] | null;
            /** @description Optional. The name of the participant, if several have the same role; up to 512 characters. Sent only to upstreams that use chat. */
            name?: string | null;
        };
        /** @description A part of an assistant message. */
        ChatAssistantPart: components["schemas"]["ChatTextPart"] | components["schemas"]["ChatRefusalPart"] | components["schemas"]["ChatThinkingPart"];
        /** @description The voice and encoding of audio output. Returns 400 unless the model is on a chat upstream. */
        ChatAudioOptions: {
            /** @description The name of one of the upstream's voices, or an object that identifies a custom voice. */
            voice: string | {
                [key: string]: unknown;
            };
            /** @description The encoding of the output audio. */
            format: string;
        };
        /** @description Audio in a user message. Returns 400 on Anthropic and Gemini upstreams. */
        ChatAudioPart: {
            /**
             * @description The type of the object: always `input_audio`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "input_audio";
            /** @description The audio, with its encoding. */
            input_audio: components["schemas"]["AudioClip"];
            /** @description Optional. Marks the end of a part of the prompt that the upstream can cache. Sent to upstreams that use the same API as this call, to responses upstreams, and to Claude as `cache_control`, where only the last four marks count. Omitted for others. */
            prompt_cache_breakpoint?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description The function that was called in an earlier turn, with its arguments. */
        ChatCalledFunction: {
            /** @description The name of the function that was called. */
            name: string;
            /** @description The arguments as the model wrote them, in JSON; they may be malformed. Anthropic and Gemini upstreams require a JSON object or an empty string; anything else returns 400. */
            arguments: string;
        };
        /** @description The text is in `choices[0].message.content`. */
        ChatCompletion: {
            /** @description The ID of the completion, the same in all of its chunks. Chat completions aren't stored, so they can't be retrieved by this ID. */
            id: string;
            /**
             * @description The type of the object: always `chat.completion`.
             * @constant
             */
            object: "chat.completion";
            /** @description Unix timestamp in seconds. */
            created: number;
            /** @description The ID of the model, as in the request. */
            model: string;
            /** @description The choices: one, or as many as `n`. */
            choices: {
                /** @description Index of the choice among the `n` choices, from 0. */
                index: number;
                /** @description The message that the model generated. */
                message: components["schemas"]["ChatAnsweredMessage"];
                /** @description Why the model stopped. */
                finish_reason: components["schemas"]["FinishReason"];
                /** @description Log probabilities of the output tokens. Null or omitted unless the request has `logprobs: true`. */
                logprobs?: components["schemas"]["ChatLogprobs"] | null;
            }[];
            /** @description Total usage of all choices. Omitted if the upstream doesn't report it. */
            usage?: components["schemas"]["ChatUsage"] | null;
            /** @description The processing tier that was used. Omitted if the upstream doesn't report it. */
            service_tier?: string | null;
            /** @description An ID of the backend configuration that the model ran with. Use it to compare responses for the same `seed`. Omitted if the upstream doesn't report it. */
            system_fingerprint?: string | null;
        };
        /** @description One `data:` line of a chat stream. The stream ends with `data: [DONE]`, or with `data: {"error": …}` if it failed. */
        ChatCompletionChunk: {
            /** @description The ID of the completion, the same in all of its chunks. Chat completions aren't stored, so they can't be retrieved by this ID. */
            id: string;
            /**
             * @description The type of the object: always `chat.completion.chunk`.
             * @constant
             */
            object: "chat.completion.chunk";
            /** @description Unix timestamp in seconds. */
            created: number;
            /** @description The ID of the model, as in the request. */
            model: string;
            /** @description The choices that this chunk adds to. Empty in the chunk with the usage. */
            choices: {
                /** @description Index of the choice among the `n` choices, from 0. */
                index: number;
                /** @description The addition of this chunk to its choice. */
                delta: components["schemas"]["ChatDelta"];
                /** @description Why the model stopped. Null except in the last chunk of a choice. */
                finish_reason?: components["schemas"]["FinishReason"] | null;
                /** @description Log probabilities of the output tokens. Null or omitted unless the request has `logprobs: true`. */
                logprobs?: components["schemas"]["ChatLogprobs"] | null;
            }[];
            /** @description Total usage of all choices, in the last chunk; null in earlier chunks. Omitted unless the request has `stream_options.include_usage: true`. */
            usage?: components["schemas"]["ChatUsage"] | null;
            /** @description The processing tier that was used. Omitted if the upstream doesn't report it. */
            service_tier?: string | null;
            /** @description An ID of the backend configuration that the model ran with. Use it to compare responses for the same `seed`. Omitted if the upstream doesn't report it. */
            system_fingerprint?: string | null;
        };
        /**
         * @description A conversation, and options for the completion. Fields set to null are treated as omitted. Unknown fields are forwarded to OpenAI and Azure, unless they could select a model, provider, tier, tool, or price. All other unknown fields are dropped and listed in `x-modelgate-dropped`, unless the upstream is configured to allow them.
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
             * @description The ID of a text model, as listed by `GET /v1/models`.
             * @example gpt-5.4
             */
            model: string;
            /** @description The conversation so far, oldest message first: 1 to 4096 messages. */
            messages: components["schemas"]["ChatMessage"][];
            /** @description Whether to stream the response as server-sent events. Defaults to false. */
            stream?: boolean | null;
            /** @description Optional. Up to 128 tools that the model can call and you run. Upstreams without free-form tools get those as functions with one string parameter. */
            tools?: components["schemas"]["ChatTool"][] | null;
            /** @description Controls which tools the model can or must call. Defaults to `auto` if there are tools, and to `none` otherwise. */
            tool_choice?: components["schemas"]["ChatToolChoice"] | null;
            /** @description The format of the output. Defaults to plain text. */
            response_format?: components["schemas"]["ChatResponseFormat"] | null;
            /** @description How much the model reasons before it responds. Defaults to the model's own value. Chat completions don't return the reasoning, but it counts as output tokens. */
            reasoning_effort?: components["schemas"]["ReasoningEffort"] | null;
            /** @description Maximum number of output tokens, including reasoning. A completion that reaches it ends with `finish_reason: length`. Defaults to the model's maximum, or to what your account can pay for, reported in `x-modelgate-output-limit`. On a responses upstream, less than 16 becomes 16. */
            max_completion_tokens?: number | null;
            /** @description Optional. Options for streaming. Returns 400 without `stream: true`. */
            stream_options?: {
                /** @description Whether to send one more chunk before `[DONE]`, with the usage and an empty `choices` array. Defaults to false. */
                include_usage?: boolean | null;
                /** @description Whether the upstream pads its chunks, so that their sizes don't reveal their content. Sent to chat upstreams; the gateway doesn't add padding itself. Optional; the provider decides if omitted. */
                include_obfuscation?: boolean | null;
            } | null;
            /** @description Sampling temperature, from 0 to 2. Higher values make the output more varied. Defaults to the model's own value. Anthropic upstreams accept 0 to 1 and return 400 for more; reasoning models may reject any value. */
            temperature?: number | null;
            /** @description Nucleus sampling, from 0 to 1: the model considers only the most likely tokens that together have this probability. Defaults to the model's own value. */
            top_p?: number | null;
            /** @description The older name of `max_completion_tokens`, with the same meaning. Optional; sending both returns 400. */
            max_tokens?: number | null;
            /** @description How many choices to generate, from 1 to 128; each is charged. Defaults to 1. More than 1 returns 400 unless the model is on a chat upstream. */
            n?: number | null;
            /** @description Optional. Up to 4 sequences, each up to 1,024 characters, at which the model stops generating. The output doesn't contain the sequence. Returns 400 on responses upstreams. */
            stop?: string | string[] | null;
            /** @description From -2 to 2. Positive values make a token less likely each time it has already occurred in the text. Defaults to 0. Any other value returns 400 on responses upstreams and Anthropic upstreams. */
            frequency_penalty?: number | null;
            /** @description From -2 to 2. Positive values make a token less likely once it has occurred in the text, however often. Defaults to 0. Any other value returns 400 on responses upstreams and Anthropic upstreams. */
            presence_penalty?: number | null;
            /** @description Optional. Maps token IDs to a bias from -100 (never) to 100 (always). Returns 400 unless the model is on a chat upstream. */
            logit_bias?: {
                [key: string]: number;
            } | null;
            /** @description Whether to return log probabilities of the output tokens. Defaults to false. True returns 400 on Anthropic upstreams. */
            logprobs?: boolean | null;
            /** @description How many of the most likely tokens to return at each position, from 0 to 20. Requires `logprobs: true`. Defaults to 0. */
            top_logprobs?: number | null;
            /**
             * @deprecated
             * @description Deprecated: no replacement. Asks for the same output as before, without a guarantee. Not sent to responses upstreams, and listed in `x-modelgate-dropped` there. Returns 400 on Anthropic upstreams. Gemini upstreams accept only integers.
             */
            seed?: number | null;
            /** @description Whether the model can make several tool calls in parallel. Optional; the provider decides if omitted, usually true. False is omitted for Gemini upstreams, and listed in `x-modelgate-dropped` there. */
            parallel_tool_calls?: boolean | null;
            /**
             * @deprecated
             * @description Deprecated: use `tools`. A request with `functions` and no `tools` gets at most one call, as `function_call`.
             */
            functions?: {
                /** @description The name of the function. */
                name: string;
                /** @description Optional. Tells the model what the function does. */
                description?: string | null;
                /** @description JSON Schema for the arguments. Omit if the function has no arguments. */
                parameters?: {
                    [key: string]: unknown;
                } | null;
            }[] | null;
            /**
             * @deprecated
             * @description Deprecated: use `tool_choice`.
             */
            function_call?: ("none" | "auto") | components["schemas"]["ChatFunctionName"] | null;
            /** @description Optional. `reasoning.effort`, which some client adapters send, is used if `reasoning_effort` is omitted. Other fields are sent only to an upstream that is configured to accept them; otherwise they're listed in `x-modelgate-dropped`. */
            reasoning?: {
                /** @description Used as `reasoning_effort` if that is omitted. */
                effort?: components["schemas"]["ReasoningEffort"] | null;
            } | null;
            /** @description How verbose the output is. Defaults to the model's own value, usually `medium`. */
            verbosity?: components["schemas"]["Verbosity"] | null;
            /** @description The output types to generate. Defaults to `["text"]`. `audio` requires the `audio` field, and returns 400 unless the model is on a chat upstream. */
            modalities?: ("text" | "audio")[] | null;
            /** @description The voice and encoding of audio output. Required if `modalities` contains `audio`; optional otherwise. */
            audio?: components["schemas"]["ChatAudioOptions"] | null;
            /** @description Optional. Text that most of the output is expected to repeat, which makes the response faster. Returns 400 unless the model is on a chat upstream. */
            prediction?: {
                /**
                 * @description The type of the object: always `content`.
                 * @constant
                 */
                type: "content";
                /** @description The expected text: a string, or up to 1,024 parts. */
                content: string | components["schemas"]["ChatTextPart"][];
            } | null;
            /** @description Whether Modelgate can keep reasoning between tool calls. The gateway asks upstreams not to store anything, and lists `store: true` in `x-modelgate-dropped`. On a responses upstream, it keeps the encrypted reasoning before each tool call for a day and sends it back with the tool results, unless you send `false`. Omit it to keep the reasoning. */
            store?: boolean | null;
            /** @description Key-value pairs for the upstream. The gateway doesn't use them. Optional. Doesn't change the output. Not sent to Anthropic and Gemini upstreams. */
            metadata?: components["schemas"]["Metadata"] | null;
            /** @description Options for the usage in the response. Not sent to upstreams. Omit to get a response without the cost. */
            usage?: components["schemas"]["UsageOptions"] | null;
            /**
             * @deprecated
             * @description Deprecated: use `safety_identifier` and `prompt_cache_key`. Optional. Doesn't change the output. Not sent to Anthropic and Gemini upstreams.
             */
            user?: string | null;
            /** @description A stable, opaque ID of your end user, so the provider can find users who violate its policies. Optional. Doesn't change the output. Not sent to Anthropic and Gemini upstreams. */
            safety_identifier?: string | null;
            /** @description A stable key for the conversation. Calls with the same key go to the same upstream of the model, which improves cache hits. Optional. Doesn't change the output. Not sent to Anthropic and Gemini upstreams. */
            prompt_cache_key?: string | null;
            /**
             * @deprecated
             * @description Deprecated: use `prompt_cache_options`. How long the upstream keeps a cached prompt. Omitted for Gemini upstreams. For Claude, `24h` keeps marks for one hour.
             * @enum {string|null}
             */
            prompt_cache_retention?: "in_memory" | "in-memory" | "24h" | null;
            /** @description How the upstream caches the prompt. Optional; the provider decides if omitted. */
            prompt_cache_options?: components["schemas"]["PromptCacheOptions"] | null;
            /** @description The processing tier to request from the upstream. Defaults to `auto`. */
            service_tier?: components["schemas"]["ServiceTier"] | null;
            /** @description Lets the upstream search the web. Omit to disable web search. Charged as one `web_search_call`; returns 400 if that has no price. If the model isn't on a chat upstream, an empty object is listed in `x-modelgate-dropped`, and any other returns 400. */
            web_search_options?: {
                /**
                 * @description How much of the search results is added to the context. Optional; the provider decides if omitted, usually `medium`.
                 * @enum {string|null}
                 */
                search_context_size?: "low" | "medium" | "high" | null;
                /** @description Optional. The user's approximate location, in the upstream's format. */
                user_location?: {
                    [key: string]: unknown;
                } | null;
            } | null;
            /** @description Asks the upstream to moderate the text of the call. Optional; the provider decides if omitted. */
            moderation?: components["schemas"]["TextModeration"] | null;
        };
        /** @description A free-form tool, by its name. */
        ChatCustomChoice: {
            /**
             * @description The type of the object: always `custom`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "custom";
            /** @description The free-form tool that must be called. */
            custom: components["schemas"]["ChatNamedTool"];
        };
        /** @description A tool with free text as its input instead of JSON arguments, run by you. Upstreams that support only functions get a function with one string parameter; the call is returned as `custom`. */
        ChatCustomTool: {
            /**
             * @description The type of the object: always `custom`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "custom";
            /** @description The tool. */
            custom: {
                /** @description The name by which the model calls the tool. */
                name: components["schemas"]["ToolName"];
                /** @description Optional. What the tool does and when the model should use it. */
                description?: string | null;
                /** @description The format of the tool's input. Omit to allow any text. */
                format?: components["schemas"]["ChatCustomToolFormat"] | null;
            };
        };
        /** @description A call to a free-form tool from an earlier turn. */
        ChatCustomToolCall: {
            /** @description The ID of the tool call. The `tool` message with its result refers to it in `tool_call_id`. */
            id: string;
            /**
             * @description The type of the object: always `custom`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "custom";
            /** @description The free-form tool, with its input. */
            custom: {
                /** @description The name of the tool that was called. */
                name: string;
                /** @description The input of the tool, as free text. */
                input: string;
            };
        };
        /** @description The format of the tool's input. */
        ChatCustomToolFormat: components["schemas"]["PlainTextFormat"] | components["schemas"]["ChatGrammarFormat"];
        /** @description The delta that this chunk adds to its choice. Empty in the last chunk of the choice. */
        ChatDelta: {
            /**
             * @description The role of the author: `assistant`. Sent only in the first chunk of a choice, and omitted in the others.
             * @enum {string|null}
             */
            role?: "assistant" | "developer" | "system" | "user" | "tool" | null;
            /** @description The next piece of the text. Omitted if this chunk has none. */
            content?: string | null;
            /** @description The next piece of a refusal. Omitted if this chunk has none. */
            refusal?: string | null;
            /** @description The sources of the text. Omitted if this chunk has none. */
            annotations?: components["schemas"]["ChatAnnotation"][] | null;
            /** @description The next pieces of tool calls. Omitted if this chunk has none. */
            tool_calls?: components["schemas"]["ChatToolCallDelta"][] | null;
            /**
             * @deprecated
             * @description Deprecated: send `tools` and read `tool_calls`. The next piece of the single call for a request with `functions`.
             */
            function_call?: components["schemas"]["ChatFunctionDelta"] | null;
        };
        /** @description A document in a user message. */
        ChatFilePart: {
            /**
             * @description The type of the object: always `file`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "file";
            /** @description The file: either its data or its ID. */
            file: {
                /** @description Optional. The name of the file, up to 512 characters. */
                filename?: string | null;
                /** @description The file as a data URL. Anthropic upstreams accept only PDF and plain text; other types return 400. Omit only if you send `file_id`. */
                file_data?: string | null;
                /** @description The ID of a file stored at the upstream. Omit if you send `file_data`. The gateway has no Files API. Returns 400 on Anthropic and Gemini upstreams. */
                file_id?: string | null;
            };
            /** @description Optional. Marks the end of a part of the prompt that the upstream can cache. Sent to upstreams that use the same API as this call, to responses upstreams, and to Claude as `cache_control`, where only the last four marks count. Omitted for others. */
            prompt_cache_breakpoint?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A function, by its name. */
        ChatFunctionChoice: {
            /**
             * @description The type of the object: always `function`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "function";
            /** @description The function that must be called. */
            function: components["schemas"]["ChatNamedTool"];
        };
        /** @description A function, with its name, description, and parameters. */
        ChatFunctionDefinition: {
            /** @description The name by which the model calls the function. */
            name: components["schemas"]["ToolName"];
            /** @description Optional. What the tool does and when the model should use it. */
            description?: string | null;
            /** @description JSON Schema for the arguments, at most 64 levels deep. Omit if the function has no arguments. */
            parameters?: {
                [key: string]: unknown;
            } | null;
            /** @description Whether the arguments must follow the schema exactly. Defaults to false. */
            strict?: boolean | null;
        };
        /** @description A piece of a function call. The name is sent once, the arguments in pieces. */
        ChatFunctionDelta: {
            /** @description The name of the function. Sent only in the first piece of a call, and omitted in the others. */
            name?: string;
            /** @description The next piece of the JSON arguments. Omitted if this chunk has none. */
            arguments?: string;
        };
        /**
         * @deprecated
         * @description Deprecated: use the role `tool`. The output of a `function_call`.
         */
        ChatFunctionMessage: {
            /**
             * @description The role of the author: always `function`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            role: "function";
            /** @description The name of the function that was called. The older form has no IDs. */
            name: string;
            /** @description The output of the function. Null means an empty string. */
            content?: string | null;
        };
        /**
         * @deprecated
         * @description Deprecated: use `tool_choice`. Forces the model to call this one of `functions`.
         */
        ChatFunctionName: {
            /** @description The name of the function. */
            name: string;
        };
        /** @description A function that you run. */
        ChatFunctionTool: {
            /**
             * @description The type of the object: always `function`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "function";
            /** @description The definition of the function. */
            function: components["schemas"]["ChatFunctionDefinition"];
        };
        /** @description A function call from an earlier turn. */
        ChatFunctionToolCall: {
            /** @description The ID of the tool call. The `tool` message with its result refers to it in `tool_call_id`. */
            id: string;
            /**
             * @description The type of the object: always `function`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "function";
            /** @description The function, with its arguments. */
            function: components["schemas"]["ChatCalledFunction"];
        };
        /** @description Text that follows a grammar. */
        ChatGrammarFormat: {
            /**
             * @description The type of the object: always `grammar`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "grammar";
            /** @description The grammar that the input must follow. */
            grammar: {
                /**
                 * @description The syntax of the grammar: `lark`, or `regex` for a single regular expression.
                 * @enum {string}
                 */
                syntax: "lark" | "regex";
                /** @description The grammar that the input must follow. Upstreams without free-form tools can't enforce it; the model gets it in the tool's description instead. */
                definition: string;
            };
        };
        /** @description The URL of an image, and the detail at which the model sees it. */
        ChatImageAddress: {
            /** @description A data URL, or an https URL that the upstream can fetch. The gateway never fetches it. */
            url: string;
            /** @description The resolution at which the model sees the image. A higher one uses more input tokens. Defaults to `auto`. Not sent to Anthropic and Gemini upstreams. */
            detail?: string | null;
        };
        /** @description An image in a user message. */
        ChatImagePart: {
            /**
             * @description The type of the object: always `image_url`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "image_url";
            /** @description The image: an object with its URL, or only the URL. */
            image_url: string | components["schemas"]["ChatImageAddress"];
            /** @description Optional. Marks the end of a part of the prompt that the upstream can cache. Sent to upstreams that use the same API as this call, to responses upstreams, and to Claude as `cache_control`, where only the last four marks count. Omitted for others. */
            prompt_cache_breakpoint?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description Instructions for the model. They can appear anywhere in the conversation. */
        ChatInstructionMessage: {
            /**
             * @description `system` and `developer` have the same effect. Upstreams that don't support `developer` get `system`; others have a separate field for instructions. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            role: "system" | "developer";
            /** @description The instructions: a string, or 1 to 1024 text parts. */
            content: string | components["schemas"]["ChatTextPart"][];
            /** @description Optional. The name of the participant, if several have the same role; up to 512 characters. Sent only to upstreams that use chat. */
            name?: string | null;
        };
        /** @description JSON that follows the schema you supply. Returns 400 if a chat upstream's provider doesn't support schemas. */
        ChatJsonSchemaFormat: {
            /**
             * @description The type of the object: always `json_schema`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "json_schema";
            /** @description The schema, with its name and description. */
            json_schema: {
                /** @description The name of the response format. The model may see it. */
                name: string;
                /** @description Optional. Describes the response format to the model. */
                description?: string | null;
                /** @description JSON Schema for the response, at most 64 levels deep. Omit to allow any JSON. */
                schema?: {
                    [key: string]: unknown;
                } | null;
                /** @description Whether the output must follow the schema exactly. Defaults to false. Anthropic and Gemini upstreams ignore this and always follow the schema. */
                strict?: boolean | null;
            };
        };
        /** @description Log probabilities of the output tokens. */
        ChatLogprobs: {
            /** @description The tokens of the text. Null without text. */
            content?: components["schemas"]["ChatTokenLogprob"][] | null;
            /** @description The tokens of the refusal. Null without a refusal. */
            refusal?: components["schemas"]["ChatTokenLogprob"][] | null;
        };
        /** @description A message of the conversation. Its fields depend on `role`. */
        ChatMessage: components["schemas"]["ChatInstructionMessage"] | components["schemas"]["ChatUserMessage"] | components["schemas"]["ChatAssistantMessage"] | components["schemas"]["ChatToolMessage"] | components["schemas"]["ChatFunctionMessage"];
        /** @description A tool, by its name. */
        ChatNamedChoice: components["schemas"]["ChatFunctionChoice"] | components["schemas"]["ChatCustomChoice"];
        /** @description A tool in the request, by its name. */
        ChatNamedTool: {
            /** @description The name of a tool in this request. */
            name: components["schemas"]["ToolName"];
        };
        /** @description A refusal from an earlier turn, sent back as a part. */
        ChatRefusalPart: {
            /**
             * @description The type of the object: always `refusal`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "refusal";
            /** @description The refusal, in the model's words. */
            refusal: string;
        };
        /** @description The format of the output. In the Responses API this is `text.format`, which is one level flatter. */
        ChatResponseFormat: components["schemas"]["PlainTextFormat"] | components["schemas"]["JsonObjectFormat"] | components["schemas"]["ChatJsonSchemaFormat"];
        /** @description Text in a message. */
        ChatTextPart: {
            /**
             * @description The type of the object: always `text`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "text";
            /** @description The text. It can be empty. */
            text: string;
            /** @description Optional. Marks the end of a part of the prompt that the upstream can cache. Sent to upstreams that use the same API as this call, to responses upstreams, and to Claude as `cache_control`, where only the last four marks count. Omitted for others. */
            prompt_cache_breakpoint?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description Reasoning from an earlier turn, in the format of some chat providers. Sent back to providers that support it; otherwise it's omitted and listed in `x-modelgate-dropped`. */
        ChatThinkingPart: {
            /**
             * @description The type of the object: always `thinking`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "thinking";
            /** @description The model's reasoning: a string, or up to 1024 text parts. */
            thinking: string | components["schemas"]["ChatThoughtText"][];
        };
        /** @description A part of the model's reasoning. */
        ChatThoughtText: {
            /**
             * @description The type of the object: always `text`.
             * @constant
             */
            type: "text";
            /** @description The text of the reasoning. */
            text: string;
        };
        /** @description A token of the output, with its log probability. */
        ChatTokenLogprob: {
            /** @description The token as text. */
            token: string;
            /** @description The natural logarithm of the token's probability, at most 0. */
            logprob: number;
            /** @description The token as UTF-8 bytes. One character can span several tokens. Null if the token has no bytes. */
            bytes?: number[] | null;
            /** @description The most likely tokens at this position, as many as the request's `top_logprobs`. Empty if that is 0. */
            top_logprobs: components["schemas"]["ChatTopLogprob"][];
        };
        /** @description A tool that the model can call and you run. */
        ChatTool: components["schemas"]["ChatFunctionTool"] | components["schemas"]["ChatCustomTool"];
        /** @description A tool call that the model made in an earlier turn. Its result must follow in a `tool` message, before any message with another role. */
        ChatToolCall: components["schemas"]["ChatFunctionToolCall"] | components["schemas"]["ChatCustomToolCall"];
        /** @description A piece of a tool call. `id`, `type`, and the name are sent once, in the first piece. */
        ChatToolCallDelta: {
            /** @description Index of the tool call that this piece belongs to, from 0 without gaps. */
            index: number;
            /** @description The ID of the tool call. Sent only in the first piece of a call, and omitted in the others. */
            id?: string;
            /**
             * @description The type of the tool. Sent only in the first piece of a call, and omitted in the others.
             * @enum {string}
             */
            type?: "function" | "custom";
            /** @description A piece of a function call. Omitted for a free-form tool. */
            function?: components["schemas"]["ChatFunctionDelta"];
            /** @description A piece of a call to a free-form tool. Omitted for a function. */
            custom?: {
                /** @description The name of the tool. Sent only in the first piece of a call, and omitted in the others. */
                name?: string;
                /** @description The next piece of the input. Omitted if this chunk has none. */
                input?: string;
            };
        };
        /** @description `none`: the model calls no tools. `auto`: the model decides. `required`: the model must call at least one tool. An object selects one tool, which must be called, or a subset of the tools. */
        ChatToolChoice: ("none" | "auto" | "required") | components["schemas"]["ChatToolSelection"];
        /** @description The output of a tool call. */
        ChatToolMessage: {
            /**
             * @description The role of the author: always `tool`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            role: "tool";
            /** @description The output of the tool: a string, or 1 to 1024 text parts. */
            content: string | components["schemas"]["ChatTextPart"][];
            /** @description The ID of the tool call that this message responds to. Returns 400 if no open tool call has this ID. */
            tool_call_id: string;
        };
        /** @description A tool by its name, or a subset of the tools. */
        ChatToolSelection: components["schemas"]["ChatFunctionChoice"] | components["schemas"]["ChatCustomChoice"] | components["schemas"]["ChatAllowedTools"];
        /** @description An alternative token at this position, with its log probability. */
        ChatTopLogprob: {
            /** @description The alternative token as text. */
            token: string;
            /** @description The natural logarithm of the token's probability, at most 0. */
            logprob: number;
            /** @description The token as UTF-8 bytes. One character can span several tokens. Null if the token has no bytes. */
            bytes?: number[] | null;
        };
        /** @description Tokens used by the completion, as counted by the upstream. If the upstream doesn't report usage, see the receipt for the gateway's count. */
        ChatUsage: {
            /** @description Number of input tokens, including tokens read from a cache. */
            prompt_tokens: number;
            /** @description Number of output tokens, including reasoning tokens. */
            completion_tokens: number;
            /** @description The sum of `prompt_tokens` and `completion_tokens`. */
            total_tokens: number;
            /** @description Breakdown of `prompt_tokens`. Omitted if the upstream doesn't report it. */
            prompt_tokens_details?: {
                /** @description Tokens read from the upstream's cache, charged at the price of cached input. Omitted if none. */
                cached_tokens?: number | null;
                /** @description Tokens written to the upstream's cache, charged at the price of cache writes. Omitted if none. */
                cache_write_tokens?: number | null;
                /** @description Audio input tokens. Omitted if none, or if the upstream doesn't count them separately. */
                audio_tokens?: number | null;
            } | null;
            /** @description Breakdown of `completion_tokens`. Omitted if the upstream doesn't report it. */
            completion_tokens_details?: {
                /** @description Reasoning tokens, charged as output. Omitted if none, or if the upstream doesn't count them separately. */
                reasoning_tokens?: number | null;
                /** @description Audio output tokens. Omitted if none, or if the upstream doesn't count them separately. */
                audio_tokens?: number | null;
                /** @description Tokens of the `prediction` that appear in the output. Omitted if none. */
                accepted_prediction_tokens?: number | null;
                /** @description Tokens of the `prediction` that don't appear in the output. They're still charged as output. Omitted if none. */
                rejected_prediction_tokens?: number | null;
            } | null;
            /** @description The amount charged, in US dollars. Omitted unless the request has `usage: { include: true }` and calls are charged. */
            cost?: number;
        };
        /** @description A user message: text, images, audio, and files. */
        ChatUserMessage: {
            /**
             * @description The role of the author: always `user`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            role: "user";
            /** @description The user's message: a string, or 1 to 1024 parts. */
            content: string | components["schemas"]["ChatUserPart"][];
            /** @description Optional. The name of the participant, if several have the same role; up to 512 characters. Sent only to upstreams that use chat. */
            name?: string | null;
        };
        /** @description A part of a user message: text, an image, audio, or a file. */
        ChatUserPart: components["schemas"]["ChatTextPart"] | components["schemas"]["ChatImagePart"] | components["schemas"]["ChatAudioPart"] | components["schemas"]["ChatFilePart"];
        /** @description A text model in the Codex CLI's format. */
        CodexModel: {
            /** @description The ID of the model. The other fields are private to the Codex CLI. */
            slug: string;
        } & {
            [key: string]: unknown;
        };
        /** @description The body of status 400 with one of 22 codes. */
        CompactResponseBadRequestErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["CompactResponseBadRequestErrorDetail"];
        };
        /** @description The error with status 400 and one of 22 codes. All four fields are always present. */
        CompactResponseBadRequestErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error" | "image_generation_user_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "invalid_json" | "malformed_request" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "missing_required_parameter" | "invalid_type" | "invalid_value" | "integer_below_min_value" | "integer_above_max_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "context_length_exceeded" | "previous_response_not_found" | "invalid_image_format" | "invalid_base64_image" | "invalid_image_url" | "image_file_too_large" | "moderation_blocked" | "item_not_found" | "idempotency_key_reused";
        };
        /** @description An item that replaces all items before it. */
        CompactedConversation: {
            /**
             * @description The type of the object: always `compaction`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "compaction";
            /** @description The ID of the item. */
            id: string;
            /** @description The encrypted conversation. Send it back unchanged. */
            encrypted_content: string;
        };
        /** @description An item to continue from, with the type in `type`. */
        CompactedItem: components["schemas"]["KeptMessage"] | components["schemas"]["CompactedConversation"];
        /** @description A compacted conversation. */
        CompactedResponse: {
            /** @description The ID of the compaction. It isn't stored, so it can't be retrieved or continued. */
            id: string;
            /**
             * @description The type of the object: always `response.compaction`.
             * @constant
             */
            object: "response.compaction";
            /** @description When the conversation was compacted, as a Unix timestamp in seconds. */
            created_at: number;
            /** @description The items to continue from: all messages of the user, then one `compaction` item. Send them before your next input. */
            output: components["schemas"]["CompactedItem"][];
            /** @description The tokens used by the compaction, which are charged. */
            usage: components["schemas"]["ResponseUsage"];
        };
        /** @description A compacted conversation, in place of the items before it. If the gateway created it, any model of your account can continue it. If an upstream created it, only the upstream that created it can read it; others return 400. */
        Compaction: {
            /**
             * @description The type of the object: always `compaction`.
             * @constant
             */
            type: "compaction";
            /** @description The encrypted conversation, exactly as you received it. */
            encrypted_content: string;
            /** @description Optional. The ID of the item, from the client or from an earlier response. Accepted, but not sent to the upstream, which doesn't know the ID. If omitted, a stored item gets a new ID. */
            id?: string | null;
            /** @description The status of the item in the earlier response. The gateway ignores it, so you can omit it. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /**
         * @description The conversation to compact. It's neither streamed nor stored, and the model gets no tools. All other fields are dropped and listed in `x-modelgate-dropped`.
         * @example {
         *       "model": "gpt-5.4",
         *       "input": [
         *         {
         *           "role": "user",
         *           "content": "Plan a day in Oslo."
         *         }
         *       ]
         *     }
         */
        CompactionRequest: {
            /**
             * @description The ID of a text model, as listed by `GET /v1/models`.
             * @example gpt-5.4
             */
            model: string;
            /** @description The conversation: a string, which becomes a user message, or its items. Omit only if you send `previous_response_id`. */
            input?: (string | components["schemas"]["InputItem"][]) | null;
            /** @description The ID of a stored response of your account. Its items and those of earlier turns are compacted, followed by `input`. Omit to compact only `input`. */
            previous_response_id?: string | null;
            /** @description Optional. The system prompt of the conversation. It guides the summary but is not part of it. */
            instructions?: string | null;
            /** @description A stable key for the conversation, up to 64 characters. If a model has several upstreams, calls with the same key go to the same one, which improves cache hits. Optional. Doesn't change the output. Not sent to Anthropic and Gemini upstreams. */
            prompt_cache_key?: string | null;
            /**
             * @deprecated
             * @description Deprecated: use `prompt_cache_options`. How long the upstream keeps a cached prompt. Omitted for Gemini upstreams. For Claude, `24h` keeps marks for one hour.
             * @enum {string|null}
             */
            prompt_cache_retention?: "in_memory" | "in-memory" | "24h" | null;
            /** @description How the upstream caches the prompt. Optional; the provider decides if omitted. */
            prompt_cache_options?: components["schemas"]["PromptCacheOptions"] | null;
            /** @description The processing tier to request from the upstream. Defaults to `auto`. */
            service_tier?: components["schemas"]["ServiceTier"] | null;
            /** @description How the upstream handles images in the conversation, in its own format. Sent to responses upstreams; otherwise listed in `x-modelgate-dropped`. Optional; the provider decides if omitted. */
            image?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description Compacts the conversation: the response is one `compaction` item. Must be the last item of the input. OpenAI and Azure upstreams compact it themselves; any other model writes a summary, without tools, which the gateway encrypts. */
        CompactionTrigger: {
            /**
             * @description The type of the object: always `compaction_trigger`.
             * @constant
             */
            type: "compaction_trigger";
            /** @description Optional. The ID of the item, from the client or from an earlier response. Accepted, but not sent to the upstream, which doesn't know the ID. If omitted, a stored item gets a new ID. */
            id?: string | null;
            /** @description The status of the item in the earlier response. The gateway ignores it, so you can omit it. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description The body of status 400 with one of 17 codes. */
        CountInputTokensBadRequestErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["CountInputTokensBadRequestErrorDetail"];
        };
        /** @description The error with status 400 and one of 17 codes. All four fields are always present. */
        CountInputTokensBadRequestErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "invalid_json" | "malformed_request" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "missing_required_parameter" | "invalid_type" | "invalid_value" | "integer_below_min_value" | "integer_above_max_value" | "decimal_below_min_value" | "decimal_above_max_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "previous_response_not_found" | "item_not_found";
        };
        /** @description The body of status 400 with one of 23 codes. */
        CreateChatCompletionBadRequestErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["CreateChatCompletionBadRequestErrorDetail"];
        };
        /** @description The error with status 400 and one of 23 codes. All four fields are always present. */
        CreateChatCompletionBadRequestErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error" | "image_generation_user_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "invalid_json" | "malformed_request" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "missing_required_parameter" | "invalid_type" | "invalid_value" | "integer_below_min_value" | "integer_above_max_value" | "decimal_below_min_value" | "decimal_above_max_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "empty_array" | "context_length_exceeded" | "invalid_image_format" | "invalid_base64_image" | "invalid_image_url" | "image_file_too_large" | "moderation_blocked" | "idempotency_key_reused";
        };
        /** @description The body of status 400 with one of 25 codes. */
        CreateResponseBadRequestErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["CreateResponseBadRequestErrorDetail"];
        };
        /** @description The error with status 400 and one of 25 codes. All four fields are always present. */
        CreateResponseBadRequestErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error" | "image_generation_user_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "invalid_json" | "malformed_request" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "missing_required_parameter" | "invalid_type" | "invalid_value" | "integer_below_min_value" | "integer_above_max_value" | "decimal_below_min_value" | "decimal_above_max_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "empty_array" | "context_length_exceeded" | "previous_response_not_found" | "invalid_image_format" | "invalid_base64_image" | "invalid_image_url" | "image_file_too_large" | "moderation_blocked" | "item_not_found" | "idempotency_key_reused";
        };
        /** @description A tool with free text as its input instead of JSON arguments, run by you. Upstreams that support only functions get a function with one string parameter; the call is returned as `custom_tool_call`. */
        CustomTool: {
            /**
             * @description The type of the object: always `custom`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "custom";
            /** @description The name by which the model calls the tool. */
            name: components["schemas"]["LongToolName"];
            /** @description Optional. What the tool does and when the model should use it. */
            description?: string | null;
            /** @description The format of the tool's input. Omit to allow any text. */
            format?: components["schemas"]["CustomToolFormat"] | null;
        };
        /** @description A call to a free-form tool, for you to run. */
        CustomToolCall: {
            /**
             * @description The type of the object: always `custom_tool_call`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "custom_tool_call";
            /** @description The item's ID from the upstream. Omitted if the upstream doesn't send one. */
            id?: string | null;
            /** @description The ID of the call. Send it back as `custom_tool_call_output.call_id`. */
            call_id: string;
            /** @description The name of the tool, as declared in the request. */
            name: string;
            /** @description The input of the tool, as free text. Empty when the call starts. */
            input: string;
            /** @description The namespace of the tool. Send it back with the call. Omitted if the tool has none. */
            namespace?: string | null;
            /** @description The status of the item. Omitted if it's complete. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description The output of a call to a free-form tool. You create it; it's never returned in `output`. */
        CustomToolCallOutput: {
            /**
             * @description The type of the object: always `custom_tool_call_output`.
             * @constant
             */
            type: "custom_tool_call_output";
            /** @description The ID that links a call to its output; both have the same `call_id`. It differs from the item's `id`. */
            call_id: string;
            /** @description The output of the tool. */
            output: components["schemas"]["ToolOutput"];
            /** @description Optional. The ID of the item, from the client or from an earlier response. Accepted, but not sent to the upstream, which doesn't know the ID. If omitted, a stored item gets a new ID. */
            id?: string | null;
            /** @description The status of the item in the earlier response. The gateway ignores it, so you can omit it. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description The format of the tool's input. */
        CustomToolFormat: components["schemas"]["PlainTextFormat"] | components["schemas"]["GrammarFormat"];
        /** @description The body of status 400 with one of 4 codes. */
        DeleteResponseBadRequestErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["DeleteResponseBadRequestErrorDetail"];
        };
        /** @description The error with status 400 and one of 4 codes. All four fields are always present. */
        DeleteResponseBadRequestErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "invalid_json" | "malformed_request" | "invalid_value" | "string_above_max_length";
        };
        /** @description A deleted response. It can no longer be read or continued. */
        DeletedResponse: {
            /** @description The ID of the deleted response. */
            id: string;
            /**
             * @description The type of the object: always `response`.
             * @constant
             */
            object: "response";
            /**
             * @description Always true. A response that doesn't exist returns 404.
             * @constant
             */
            deleted: true;
        };
        /**
         * @description US dollars as a string, with six decimal places.
         * @example 0.000310
         */
        Dollars: string;
        /** @description The body of status 400 with one of 21 codes. */
        EditImagesBadRequestErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["EditImagesBadRequestErrorDetail"];
        };
        /** @description The error with status 400 and one of 21 codes. All four fields are always present. */
        EditImagesBadRequestErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error" | "image_generation_user_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "invalid_json" | "malformed_request" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "missing_required_parameter" | "invalid_type" | "invalid_value" | "integer_below_min_value" | "integer_above_max_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "empty_array" | "context_length_exceeded" | "invalid_image_format" | "invalid_base64_image" | "invalid_image_url" | "image_file_too_large" | "moderation_blocked" | "idempotency_key_reused";
        };
        /**
         * @description `stop`: the model finished, reached a stop sequence, or returned a refusal. `length`: a token limit was reached. `tool_calls`: the model called tools. `content_filter`: output was withheld. `function_call`: the same as `tool_calls`, for requests with `functions`.
         * @enum {string}
         */
        FinishReason: "stop" | "length" | "tool_calls" | "content_filter" | "function_call";
        /** @description A function call for you to run. The response may contain no text. */
        FunctionCall: {
            /**
             * @description The type of the object: always `function_call`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "function_call";
            /** @description The item's ID from the upstream. Omitted if the upstream doesn't send one. */
            id?: string | null;
            /** @description The ID of the call. Send it back as `function_call_output.call_id`. */
            call_id: string;
            /** @description The name of the function, as declared in the request. */
            name: string;
            /** @description The arguments as the model wrote them, in JSON. Validate them before you use them. Empty when the call starts. */
            arguments: string;
            /** @description The namespace of the tool. Send it back with the call. Omitted if the tool has none. */
            namespace?: string | null;
            /** @description The status of the item. Omitted if it's complete. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description The output of a function call. You create it; it's never returned in `output`. */
        FunctionCallOutput: {
            /**
             * @description The type of the object: always `function_call_output`.
             * @constant
             */
            type: "function_call_output";
            /** @description The ID that links a call to its output; both have the same `call_id`. It differs from the item's `id`. */
            call_id: string;
            /** @description The output of the function. */
            output: components["schemas"]["ToolOutput"];
            /** @description Optional. The ID of the item, from the client or from an earlier response. Accepted, but not sent to the upstream, which doesn't know the ID. If omitted, a stored item gets a new ID. */
            id?: string | null;
            /** @description The status of the item in the earlier response. The gateway ignores it, so you can omit it. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description A function that you run. */
        FunctionTool: {
            /**
             * @description The type of the object: always `function`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "function";
            /** @description The name by which the model calls the function. A name that's too long for an upstream is shortened there, and returned in full. */
            name: components["schemas"]["LongToolName"];
            /** @description Optional. What the tool does and when the model should use it. */
            description?: string | null;
            /** @description JSON Schema for the arguments, at most 64 levels deep. Omit if the function has no arguments. */
            parameters?: {
                [key: string]: unknown;
            } | null;
            /** @description Whether the arguments must follow the schema exactly. Optional; the provider decides if omitted, usually true. */
            strict?: boolean | null;
        };
        /** @description The body of status 400 with one of 15 codes. */
        GenerateImagesBadRequestErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["GenerateImagesBadRequestErrorDetail"];
        };
        /** @description The error with status 400 and one of 15 codes. All four fields are always present. */
        GenerateImagesBadRequestErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error" | "image_generation_user_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "invalid_json" | "malformed_request" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "missing_required_parameter" | "invalid_type" | "invalid_value" | "integer_below_min_value" | "integer_above_max_value" | "string_above_max_length" | "empty_string" | "context_length_exceeded" | "moderation_blocked" | "idempotency_key_reused";
        };
        /** @description An image, as base64 in `b64_json` or, for older models, as `url`. */
        GeneratedImage: {
            /** @description The image in base64, without a data URL prefix. Omitted only if the image has `url`. */
            b64_json?: string;
            /** @description The URL at which the upstream stores the image for a limited time. Only older models return one; otherwise omitted. */
            url?: string;
            /** @description The prompt as revised by the model. Omitted if the model used the prompt unchanged. */
            revised_prompt?: string | null;
        };
        /** @description The body of status 400 with one of 2 codes. */
        GetAccountBadRequestErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["GetAccountBadRequestErrorDetail"];
        };
        /** @description The error with status 400 and one of 2 codes. All four fields are always present. */
        GetAccountBadRequestErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "malformed_request" | "unknown_parameter";
        };
        /** @description The body of status 400 with one of 6 codes. */
        GetCatalogBadRequestErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["GetCatalogBadRequestErrorDetail"];
        };
        /** @description The error with status 400 and one of 6 codes. All four fields are always present. */
        GetCatalogBadRequestErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "malformed_request" | "unknown_parameter" | "invalid_type" | "invalid_value" | "string_above_max_length" | "empty_string";
        };
        /** @description The body of status 400 with one of 2 codes. */
        GetKeyBadRequestErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["GetKeyBadRequestErrorDetail"];
        };
        /** @description The error with status 400 and one of 2 codes. All four fields are always present. */
        GetKeyBadRequestErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "malformed_request" | "unknown_parameter";
        };
        /** @description The body of status 400 with one of 2 codes. */
        GetModelBadRequestErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["GetModelBadRequestErrorDetail"];
        };
        /** @description The error with status 400 and one of 2 codes. All four fields are always present. */
        GetModelBadRequestErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "malformed_request" | "string_above_max_length";
        };
        /** @description The body of status 400 with one of 5 codes. */
        GetProtocolBadRequestErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["GetProtocolBadRequestErrorDetail"];
        };
        /** @description The error with status 400 and one of 5 codes. All four fields are always present. */
        GetProtocolBadRequestErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "malformed_request" | "unknown_parameter" | "invalid_type" | "string_above_max_length" | "empty_string";
        };
        /** @description The body of status 400 with one of 5 codes. */
        GetResponseBadRequestErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["GetResponseBadRequestErrorDetail"];
        };
        /** @description The error with status 400 and one of 5 codes. All four fields are always present. */
        GetResponseBadRequestErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "malformed_request" | "invalid_type" | "invalid_value" | "integer_below_min_value" | "string_above_max_length";
        };
        /** @description The body of status 400 with one of 3 codes. */
        GetUsageBadRequestErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["GetUsageBadRequestErrorDetail"];
        };
        /** @description The error with status 400 and one of 3 codes. All four fields are always present. */
        GetUsageBadRequestErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "malformed_request" | "unknown_parameter" | "string_above_max_length";
        };
        /** @description The body of status 400 with one of 7 codes. */
        GetUsageSummaryBadRequestErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["GetUsageSummaryBadRequestErrorDetail"];
        };
        /** @description The error with status 400 and one of 7 codes. All four fields are always present. */
        GetUsageSummaryBadRequestErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "malformed_request" | "unknown_parameter" | "invalid_type" | "invalid_value" | "integer_below_min_value" | "string_above_max_length" | "empty_string";
        };
        /** @description Text that follows a grammar. */
        GrammarFormat: {
            /**
             * @description The type of the object: always `grammar`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "grammar";
            /**
             * @description The syntax of the grammar: `lark`, or `regex` for a single regular expression.
             * @enum {string}
             */
            syntax: "lark" | "regex";
            /** @description The grammar that the input must follow. Upstreams without free-form tools can't enforce it; the model gets it in the tool's description instead. */
            definition: string;
        };
        /** @description The body of status 431 with `headers_too_large`. */
        HeadersTooLargeErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["HeadersTooLargeErrorDetail"];
        };
        /** @description The error with status 431 and `headers_too_large`. All four fields are always present. */
        HeadersTooLargeErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "headers_too_large";
        };
        /** @description One of the upstream's tools, by its type. */
        HostedChoice: {
            /**
             * @description The type of the hosted tool that the model must call. Supported only for models on upstreams that serve the Responses API; otherwise returns 400. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "tool_search" | "local_shell" | "shell" | "apply_patch" | "file_search" | "code_interpreter" | "image_generation" | "computer" | "computer_use_preview" | "programmatic_tool_calling" | "web_search" | "web_search_preview" | "web_search_preview_2025_03_11";
        };
        /** @description A call to a tool that the upstream ran, or another item of the upstream. Calls are charged by type; failed calls are free. */
        HostedItem: {
            /**
             * @description The tool, or the type of the item. The other fields depend on it. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "local_shell_call" | "local_shell_call_output" | "shell_call" | "shell_call_output" | "apply_patch_call" | "apply_patch_call_output" | "web_search_call" | "file_search_call" | "image_generation_call" | "code_interpreter_call" | "computer_call" | "computer_call_output" | "mcp_call" | "mcp_list_tools" | "mcp_approval_request" | "mcp_approval_response" | "program" | "program_output" | "configuration_update" | "tool_search_call" | "tool_search_output" | "compaction" | "additional_tools";
            /** @description The item's ID from the upstream. Omitted if the upstream doesn't send one. */
            id?: string | null;
            /** @description The status, as the tool reports it. Omitted for items without such a field. */
            status?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description Another tool of the upstream. Its settings are forwarded. Tools that the upstream runs are charged per call. If the model isn't on a responses upstream, or a tool that the upstream runs has no price, the tool is dropped and listed in `x-modelgate-dropped`. A request whose `tool_choice` requires it returns 400. */
        HostedTool: {
            /**
             * @description The type of the tool. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "tool_search" | "local_shell" | "shell" | "apply_patch" | "file_search" | "code_interpreter" | "image_generation" | "computer" | "computer_use_preview" | "programmatic_tool_calling";
        } & {
            [key: string]: unknown;
        };
        /** @description Progress of a tool that the upstream runs. The other fields depend on the type. */
        HostedToolEvent: {
            /**
             * @description The tool, and the state of the call. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.web_search_call.in_progress" | "response.web_search_call.searching" | "response.web_search_call.completed" | "response.file_search_call.in_progress" | "response.file_search_call.searching" | "response.file_search_call.completed" | "response.code_interpreter_call.in_progress" | "response.code_interpreter_call.interpreting" | "response.code_interpreter_call.completed" | "response.code_interpreter_call_code.delta" | "response.code_interpreter_call_code.done" | "response.image_generation_call.in_progress" | "response.image_generation_call.generating" | "response.image_generation_call.partial_image" | "response.image_generation_call.completed" | "response.mcp_call.in_progress" | "response.mcp_call.completed" | "response.mcp_call.failed" | "response.mcp_call_arguments.delta" | "response.mcp_call_arguments.done" | "response.mcp_list_tools.in_progress" | "response.mcp_list_tools.completed" | "response.mcp_list_tools.failed" | "response.shell_call.in_progress" | "response.shell_call.completed";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description The ID of the item that this event belongs to. */
            item_id: string;
            /** @description Index of that item in `output`, from 0. */
            output_index: number;
        };
        /** @description The body of status 409 with `idempotency_conflict`. */
        IdempotencyConflictErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["IdempotencyConflictErrorDetail"];
        };
        /** @description The error with status 409 and `idempotency_conflict`. All four fields are always present. */
        IdempotencyConflictErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "idempotency_conflict";
        };
        /** @description The last event of a stream that succeeded, with the complete image. */
        ImageEditCompletedEvent: {
            /**
             * @description The type of the object: always `image_edit.completed`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "image_edit.completed";
            /** @description The image in base64, without a data URL prefix. */
            b64_json: string;
            /** @description Unix timestamp in seconds. */
            created_at: number;
            /** @description The background of the image: `opaque` or `transparent`. Omitted if the upstream doesn't report it. */
            background?: string | null;
            /** @description The format of the image: `png`, `jpeg`, or `webp`. Omitted if the upstream doesn't report it. */
            output_format?: string | null;
            /** @description The quality of the image: `low`, `medium`, or `high`. Omitted if the upstream doesn't report it. */
            quality?: string | null;
            /** @description The size of the image in pixels, such as `1024x1024`. Omitted if the upstream doesn't report it. */
            size?: string | null;
            /** @description Tokens used by the request. Omitted if the upstream doesn't report them. */
            usage?: components["schemas"]["ImageUsage"] | null;
            /** @description `safety_identifier` of the request. Omitted if the upstream doesn't repeat it. */
            safety_identifier?: string | null;
        };
        /** @description A stream has partial images, then exactly one completed or error event. It doesn't end with `[DONE]`. */
        ImageEditEvent: components["schemas"]["ImageEditPartialImageEvent"] | components["schemas"]["ImageEditCompletedEvent"] | components["schemas"]["ImageErrorEvent"];
        /** @description The multipart form of an edit, as sent by the official SDKs. */
        ImageEditForm: {
            /**
             * @description A text description of the image to generate, or of the change to make. 1 to 32,000 characters.
             * @example A lighthouse in the fog
             */
            prompt: string;
            /**
             * @description The ID of an image model, as listed by `GET /v1/models`.
             * @example gpt-image-2
             */
            model: string;
            /** @description How many images to generate, from 1 to 10; each is charged. Defaults to 1. Must be 1 with `stream: true`. */
            n?: number | null;
            /** @description `auto`, or `<width>x<height>` in pixels. `gpt-image-2` accepts multiples of 16, with one side at most 3 times the other, up to 3840x2160 in either orientation. Defaults to `auto`, which lets the upstream decide. The price can depend on the size. */
            size?: string | null;
            /** @description The quality of the image: `auto`, `low`, `medium`, or `high`, and `xhigh` or `max` for models that support it. Defaults to `auto`, which lets the upstream decide. The price can depend on the quality; until it's known, the highest price is reserved. */
            quality?: string | null;
            /**
             * @description The background of the image. `transparent` requires `png` or `webp`, and a model that supports it, unlike `gpt-image-2`. Defaults to `auto`, which lets the upstream decide.
             * @enum {string|null}
             */
            background?: "auto" | "opaque" | "transparent" | null;
            /** @description The image format: `png`, `jpeg`, or `webp`, and `gif` or `svg` for models that support it. Each frame of a `gif` is charged as an image. Defaults to `png`. The simulator supports only `png`. */
            output_format?: string | null;
            /** @description The quality of the encoding, from 0 to 100, where 100 gives the largest file. Supported for `jpeg` and `webp` only. Defaults to 100. */
            output_compression?: number | null;
            /**
             * @description How strictly the upstream moderates the request. A request that moderation rejects returns 400 `moderation_blocked`. Defaults to `auto`.
             * @enum {string|null}
             */
            moderation?: "auto" | "low" | null;
            /** @description Whether to stream partial images and the final image as server-sent events. Defaults to false. */
            stream?: boolean | null;
            /** @description Optional. How many partial images to send, from 0 to 3. Requires `stream: true`. The upstream may send fewer. */
            partial_images?: number | null;
            /** @description How much the model plans the image: `low`, `medium`, or `high`, for models that support it. Optional; the model decides if omitted. */
            complexity?: string | null;
            /** @description Number of frames in a `gif`, from 1 to 100; each is charged as an image. Defaults to 9. */
            frame_count?: number | null;
            /** @description How long each frame of a `gif` is shown, in milliseconds. Defaults to 200. */
            frame_duration_ms?: number | null;
            /** @description Optional. Options for an `svg`, for models that are configured to accept them. */
            svg?: {
                [key: string]: unknown;
            } | null;
            /**
             * @deprecated
             * @description Deprecated: use `safety_identifier`. The gateway forwards it to the upstream.
             */
            user?: string | null;
            /** @description Optional. A stable, opaque ID of your end user, which lets the provider identify users who violate its policies. */
            safety_identifier?: string | null;
            /**
             * @description Images are always returned as base64, so only `b64_json` is supported; `url` returns 400. Defaults to `b64_json`.
             * @enum {string|null}
             */
            response_format?: "b64_json" | null;
            /** @description One `image` part per image, 1 to 16. Parts can also be named `image[]`, as the official SDKs do for several images. */
            image: string[];
            /**
             * Format: binary
             * @description A PNG of up to 4 MB, with the same size as the first image. Its transparent areas mark where to edit that image. Omit to allow changes to the entire image.
             */
            mask?: string;
            /**
             * @description How closely the output matches the input images. Forwarded to the upstream; `gpt-image-2` doesn't use it. Optional; the provider decides if omitted.
             * @enum {string|null}
             */
            input_fidelity?: "high" | "low" | null;
        };
        /** @description A partial image, to show until the next one arrives. */
        ImageEditPartialImageEvent: {
            /**
             * @description The type of the object: always `image_edit.partial_image`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "image_edit.partial_image";
            /** @description The partial image in base64, without a data URL prefix. */
            b64_json: string;
            /** @description Unix timestamp in seconds. */
            created_at: number;
            /** @description The background of the image: `opaque` or `transparent`. Omitted if the upstream doesn't report it. */
            background?: string | null;
            /** @description The format of the image: `png`, `jpeg`, or `webp`. Omitted if the upstream doesn't report it. */
            output_format?: string | null;
            /** @description The quality of the image: `low`, `medium`, or `high`. Omitted if the upstream doesn't report it. */
            quality?: string | null;
            /** @description The size of the image in pixels, such as `1024x1024`. Omitted if the upstream doesn't report it. */
            size?: string | null;
            /** @description Index of the partial image, from 0. */
            partial_image_index: number;
        };
        /**
         * @description The JSON form of an edit. Fields set to null are treated as omitted.
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
             * @description A text description of the image to generate, or of the change to make. 1 to 32,000 characters.
             * @example A lighthouse in the fog
             */
            prompt: string;
            /**
             * @description The ID of an image model, as listed by `GET /v1/models`.
             * @example gpt-image-2
             */
            model: string;
            /** @description How many images to generate, from 1 to 10; each is charged. Defaults to 1. Must be 1 with `stream: true`. */
            n?: number | null;
            /** @description `auto`, or `<width>x<height>` in pixels. `gpt-image-2` accepts multiples of 16, with one side at most 3 times the other, up to 3840x2160 in either orientation. Defaults to `auto`, which lets the upstream decide. The price can depend on the size. */
            size?: string | null;
            /** @description The quality of the image: `auto`, `low`, `medium`, or `high`, and `xhigh` or `max` for models that support it. Defaults to `auto`, which lets the upstream decide. The price can depend on the quality; until it's known, the highest price is reserved. */
            quality?: string | null;
            /**
             * @description The background of the image. `transparent` requires `png` or `webp`, and a model that supports it, unlike `gpt-image-2`. Defaults to `auto`, which lets the upstream decide.
             * @enum {string|null}
             */
            background?: "auto" | "opaque" | "transparent" | null;
            /** @description The image format: `png`, `jpeg`, or `webp`, and `gif` or `svg` for models that support it. Each frame of a `gif` is charged as an image. Defaults to `png`. The simulator supports only `png`. */
            output_format?: string | null;
            /** @description The quality of the encoding, from 0 to 100, where 100 gives the largest file. Supported for `jpeg` and `webp` only. Defaults to 100. */
            output_compression?: number | null;
            /**
             * @description How strictly the upstream moderates the request. A request that moderation rejects returns 400 `moderation_blocked`. Defaults to `auto`.
             * @enum {string|null}
             */
            moderation?: "auto" | "low" | null;
            /** @description Whether to stream partial images and the final image as server-sent events. Defaults to false. */
            stream?: boolean | null;
            /** @description Optional. How many partial images to send, from 0 to 3. Requires `stream: true`. The upstream may send fewer. */
            partial_images?: number | null;
            /** @description How much the model plans the image: `low`, `medium`, or `high`, for models that support it. Optional; the model decides if omitted. */
            complexity?: string | null;
            /** @description Number of frames in a `gif`, from 1 to 100; each is charged as an image. Defaults to 9. */
            frame_count?: number | null;
            /** @description How long each frame of a `gif` is shown, in milliseconds. Defaults to 200. */
            frame_duration_ms?: number | null;
            /** @description Optional. Options for an `svg`, for models that are configured to accept them. */
            svg?: {
                [key: string]: unknown;
            } | null;
            /**
             * @deprecated
             * @description Deprecated: use `safety_identifier`. The gateway forwards it to the upstream.
             */
            user?: string | null;
            /** @description Optional. A stable, opaque ID of your end user, which lets the provider identify users who violate its policies. */
            safety_identifier?: string | null;
            /**
             * @description Images are always returned as base64, so only `b64_json` is supported; `url` returns 400. Defaults to `b64_json`.
             * @enum {string|null}
             */
            response_format?: "b64_json" | null;
            /** @description The images to edit or to use as input: 1 to 16. */
            images: components["schemas"]["ImageReference"][];
            /** @description A PNG of up to 4 MB, with the same size as the first image. Its transparent areas mark where to edit that image. Omit to allow changes to the entire image. */
            mask?: components["schemas"]["ImageReference"] | null;
            /**
             * @description How closely the output matches the input images. Forwarded to the upstream; `gpt-image-2` doesn't use it. Optional; the provider decides if omitted.
             * @enum {string|null}
             */
            input_fidelity?: "high" | "low" | null;
        };
        /** @description The last event of a stream that failed. */
        ImageErrorEvent: {
            /**
             * @description The type of the object: always `error`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "error";
            /** @description The error, as in the body of a response that isn't 2xx. */
            error: {
                /** @description A human-readable message with the problem and how to fix it. */
                message: string;
                /** @description The general category of the error, as in an error body. */
                type: string;
                /** @description The path of the field that caused the error. Null if no field caused it. */
                param: string | null;
                /** @description The reason, for use in code: an error code of this API. Never null. */
                code: string | null;
            };
        };
        /** @description The last event of a stream that succeeded, with the complete image. */
        ImageGenerationCompletedEvent: {
            /**
             * @description The type of the object: always `image_generation.completed`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "image_generation.completed";
            /** @description The image in base64, without a data URL prefix. */
            b64_json: string;
            /** @description Unix timestamp in seconds. */
            created_at: number;
            /** @description The background of the image: `opaque` or `transparent`. Omitted if the upstream doesn't report it. */
            background?: string | null;
            /** @description The format of the image: `png`, `jpeg`, or `webp`. Omitted if the upstream doesn't report it. */
            output_format?: string | null;
            /** @description The quality of the image: `low`, `medium`, or `high`. Omitted if the upstream doesn't report it. */
            quality?: string | null;
            /** @description The size of the image in pixels, such as `1024x1024`. Omitted if the upstream doesn't report it. */
            size?: string | null;
            /** @description Tokens used by the request. Omitted if the upstream doesn't report them. */
            usage?: components["schemas"]["ImageUsage"] | null;
            /** @description `safety_identifier` of the request. Omitted if the upstream doesn't repeat it. */
            safety_identifier?: string | null;
        };
        /** @description A stream has partial images, then exactly one completed or error event. It doesn't end with `[DONE]`. */
        ImageGenerationEvent: components["schemas"]["ImageGenerationPartialImageEvent"] | components["schemas"]["ImageGenerationCompletedEvent"] | components["schemas"]["ImageErrorEvent"];
        /** @description A partial image, to show until the next one arrives. */
        ImageGenerationPartialImageEvent: {
            /**
             * @description The type of the object: always `image_generation.partial_image`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "image_generation.partial_image";
            /** @description The partial image in base64, without a data URL prefix. */
            b64_json: string;
            /** @description Unix timestamp in seconds. */
            created_at: number;
            /** @description The background of the image: `opaque` or `transparent`. Omitted if the upstream doesn't report it. */
            background?: string | null;
            /** @description The format of the image: `png`, `jpeg`, or `webp`. Omitted if the upstream doesn't report it. */
            output_format?: string | null;
            /** @description The quality of the image: `low`, `medium`, or `high`. Omitted if the upstream doesn't report it. */
            quality?: string | null;
            /** @description The size of the image in pixels, such as `1024x1024`. Omitted if the upstream doesn't report it. */
            size?: string | null;
            /** @description Index of the partial image, from 0. */
            partial_image_index: number;
        };
        /**
         * @description The image to generate, and its options. Fields set to null are treated as omitted. Unknown fields are forwarded to OpenAI and Azure, unless they could select a model, provider, tier, tool, or price. All other unknown fields are dropped and listed in `x-modelgate-dropped`, unless the upstream is configured to allow them.
         * @example {
         *       "model": "gpt-image-2",
         *       "prompt": "A lighthouse in the fog",
         *       "size": "1024x1024"
         *     }
         */
        ImageGenerationRequest: {
            /**
             * @description A text description of the image to generate, or of the change to make. 1 to 32,000 characters.
             * @example A lighthouse in the fog
             */
            prompt: string;
            /**
             * @description The ID of an image model, as listed by `GET /v1/models`.
             * @example gpt-image-2
             */
            model: string;
            /** @description How many images to generate, from 1 to 10; each is charged. Defaults to 1. Must be 1 with `stream: true`. */
            n?: number | null;
            /** @description `auto`, or `<width>x<height>` in pixels. `gpt-image-2` accepts multiples of 16, with one side at most 3 times the other, up to 3840x2160 in either orientation. Defaults to `auto`, which lets the upstream decide. The price can depend on the size. */
            size?: string | null;
            /** @description The quality of the image: `auto`, `low`, `medium`, or `high`, and `xhigh` or `max` for models that support it. Defaults to `auto`, which lets the upstream decide. The price can depend on the quality; until it's known, the highest price is reserved. */
            quality?: string | null;
            /**
             * @description The background of the image. `transparent` requires `png` or `webp`, and a model that supports it, unlike `gpt-image-2`. Defaults to `auto`, which lets the upstream decide.
             * @enum {string|null}
             */
            background?: "auto" | "opaque" | "transparent" | null;
            /** @description The image format: `png`, `jpeg`, or `webp`, and `gif` or `svg` for models that support it. Each frame of a `gif` is charged as an image. Defaults to `png`. The simulator supports only `png`. */
            output_format?: string | null;
            /** @description The quality of the encoding, from 0 to 100, where 100 gives the largest file. Supported for `jpeg` and `webp` only. Defaults to 100. */
            output_compression?: number | null;
            /**
             * @description How strictly the upstream moderates the request. A request that moderation rejects returns 400 `moderation_blocked`. Defaults to `auto`.
             * @enum {string|null}
             */
            moderation?: "auto" | "low" | null;
            /** @description Whether to stream partial images and the final image as server-sent events. Defaults to false. */
            stream?: boolean | null;
            /** @description Optional. How many partial images to send, from 0 to 3. Requires `stream: true`. The upstream may send fewer. */
            partial_images?: number | null;
            /** @description How much the model plans the image: `low`, `medium`, or `high`, for models that support it. Optional; the model decides if omitted. */
            complexity?: string | null;
            /** @description Number of frames in a `gif`, from 1 to 100; each is charged as an image. Defaults to 9. */
            frame_count?: number | null;
            /** @description How long each frame of a `gif` is shown, in milliseconds. Defaults to 200. */
            frame_duration_ms?: number | null;
            /** @description Optional. Options for an `svg`, for models that are configured to accept them. */
            svg?: {
                [key: string]: unknown;
            } | null;
            /**
             * @deprecated
             * @description Deprecated: use `safety_identifier`. The gateway forwards it to the upstream.
             */
            user?: string | null;
            /** @description Optional. A stable, opaque ID of your end user, which lets the provider identify users who violate its policies. */
            safety_identifier?: string | null;
            /**
             * @description Images are always returned as base64, so only `b64_json` is supported; `url` returns 400. Defaults to `b64_json`.
             * @enum {string|null}
             */
            response_format?: "b64_json" | null;
        };
        /** @description The generated images, in `data[].b64_json`. The other fields apply to all of them. */
        ImageList: {
            /** @description Unix timestamp in seconds. */
            created: number;
            /** @description The background of the image: `opaque` or `transparent`. Omitted if the upstream doesn't report it. */
            background?: string | null;
            /** @description The format of the image: `png`, `jpeg`, or `webp`. Omitted if the upstream doesn't report it. */
            output_format?: string | null;
            /** @description The quality of the image: `low`, `medium`, or `high`. Omitted if the upstream doesn't report it. */
            quality?: string | null;
            /** @description The size of the image in pixels, such as `1024x1024`. Omitted if the upstream doesn't report it. */
            size?: string | null;
            /** @description The images, at most `n`. */
            data: components["schemas"]["GeneratedImage"][];
            /** @description Tokens used by the request. Omitted if the upstream doesn't report them. */
            usage?: components["schemas"]["ImageUsage"] | null;
        };
        /** @description Prices of an image model. */
        ImagePrices: {
            /** @description Price per image, by `size/quality`. `default` applies if no other entry matches, and `partial` to each partial image of a stream. */
            images: {
                [key: string]: components["schemas"]["Dollars"];
            };
        };
        /** @description An image in a JSON body. */
        ImageReference: {
            /** @description A data URL of a PNG, JPEG, or WebP image, up to 20 MiB of text, or an https URL that the upstream can fetch. The gateway never fetches it. Omit only if you send `file_id`. The simulator accepts only data URLs. */
            image_url?: string | null;
            /** @description The ID of a file stored at the upstream. The gateway has no Files API. Omit if you send `image_url`. Returns 400 on the simulator. */
            file_id?: string | null;
        };
        /** @description Text and image tokens. */
        ImageTokens: {
            /** @description Number of text tokens. */
            text_tokens: number;
            /** @description Number of image tokens. */
            image_tokens: number;
        };
        /** @description Tokens used by the request, as counted by the upstream. Images are charged per image, not by these tokens. */
        ImageUsage: {
            /** @description Number of tokens in the prompt and the input images. */
            input_tokens: number;
            /** @description Number of tokens in the generated images. */
            output_tokens: number;
            /** @description The sum of `input_tokens` and `output_tokens`. */
            total_tokens: number;
            /** @description Breakdown of `input_tokens`. */
            input_tokens_details: components["schemas"]["ImageTokens"];
            /** @description Breakdown of `output_tokens`. Omitted if the upstream doesn't report it. */
            output_tokens_details?: components["schemas"]["ImageTokens"] | null;
        };
        /** @description Audio for the model. Returns 400 on Anthropic and Gemini upstreams. */
        InputAudio: {
            /**
             * @description The type of the object: always `input_audio`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "input_audio";
            /** @description The audio, with its encoding. */
            input_audio: components["schemas"]["AudioClip"];
        };
        /** @description A document for the model: its data, its URL, or its ID. */
        InputFile: {
            /**
             * @description The type of the object: always `input_file`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "input_file";
            /** @description Optional. The name of the file, up to 512 characters. */
            filename?: string | null;
            /** @description The file as a data URL. Anthropic upstreams accept only PDF and plain text; other types return 400. Omit only if you send `file_url` or `file_id`. */
            file_data?: string | null;
            /** @description An https URL that the upstream can fetch. The gateway never fetches it. Returns 400 on chat upstreams. Omit if another field contains the file. */
            file_url?: string | null;
            /** @description The ID of a file stored at the upstream. The gateway has no Files API. Returns 400 on Anthropic and Gemini upstreams. Omit if the part contains the data. */
            file_id?: string | null;
            /** @description Optional. Marks the end of a part of the prompt that the upstream can cache. Sent to upstreams that use the same API as this call, to responses upstreams, and to Claude as `cache_control`, where only the last four marks count. Omitted for others. */
            prompt_cache_breakpoint?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description An image for the model. */
        InputImage: {
            /**
             * @description The type of the object: always `input_image`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "input_image";
            /** @description A data URL, or an https URL that the upstream can fetch, as a string. The gateway never fetches it. Omit only if you send `file_id`. */
            image_url?: string | null;
            /** @description The ID of a file stored at the upstream. The gateway has no Files API. Returns 400 on chat, Anthropic, and Gemini upstreams. Omit if the part contains the data. */
            file_id?: string | null;
            /** @description The resolution at which the model sees the image. A higher one uses more input tokens. Defaults to `auto`. Not sent to Anthropic and Gemini upstreams. Chat upstreams get `high` instead of `original`. */
            detail?: string | null;
            /** @description Optional. Marks the end of a part of the prompt that the upstream can cache. Sent to upstreams that use the same API as this call, to responses upstreams, and to Claude as `cache_control`, where only the last four marks count. Omitted for others. */
            prompt_cache_breakpoint?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description An item of the conversation, with the type in `type`; an item without `type` is a message. Items with a type that isn't listed here are forwarded unchanged if the model's provider supports the Responses API; otherwise they return 400. */
        InputItem: components["schemas"]["InputMessage"] | components["schemas"]["PastFunctionCall"] | components["schemas"]["FunctionCallOutput"] | components["schemas"]["PastCustomToolCall"] | components["schemas"]["CustomToolCallOutput"] | components["schemas"]["PastReasoning"] | components["schemas"]["ItemReference"] | components["schemas"]["AdditionalTools"] | components["schemas"]["ToolSearchCall"] | components["schemas"]["ToolSearchOutput"] | components["schemas"]["Compaction"] | components["schemas"]["CompactionTrigger"] | components["schemas"]["ReplayedItem"];
        /** @description A page of the input of a stored response. */
        InputItemList: {
            /**
             * @description The type of the object: always `list`.
             * @constant
             */
            object: "list";
            /** @description The items of this page, in the requested order. */
            data: components["schemas"]["StoredItem"][];
            /** @description The ID of the first item of this page. Null if the page is empty. */
            first_id: string | null;
            /** @description The ID of the last item of this page. Send it as `after` to get the next page. Null if the page is empty. */
            last_id: string | null;
            /** @description Whether there are more items after this page. */
            has_more: boolean;
        };
        /** @description A message. You can omit `type`. */
        InputMessage: {
            /**
             * @description The type of the object: always `message`, which is also the default if omitted.
             * @constant
             */
            type?: "message";
            /**
             * @description The role of the author. `system` and `developer` both give instructions. `assistant` is a message from an earlier response.
             * @enum {string}
             */
            role: "user" | "system" | "developer" | "assistant";
            /** @description The content: a string, or up to 1024 parts. */
            content: string | components["schemas"]["MessagePart"][];
            /**
             * @description Whether the message is a comment during the work or the final answer. Omitted if unknown. Supported by responses upstreams only.
             * @enum {string|null}
             */
            phase?: "commentary" | "final_answer" | null;
            /** @description Optional. The ID of the item, from the client or from an earlier response. Accepted, but not sent to the upstream, which doesn't know the ID. If omitted, a stored item gets a new ID. */
            id?: string | null;
            /** @description The status of the item in the earlier response. The gateway ignores it, so you can omit it. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description Text for the model. */
        InputText: {
            /**
             * @description The type of the object: always `input_text`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "input_text";
            /** @description The text. It can be empty. */
            text: string;
            /** @description Optional. Marks the end of a part of the prompt that the upstream can cache. Sent to upstreams that use the same API as this call, to responses upstreams, and to Claude as `cache_control`, where only the last four marks count. Omitted for others. */
            prompt_cache_breakpoint?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description The number of input tokens of a request. */
        InputTokens: {
            /**
             * @description The type of the object: always `response.input_tokens`.
             * @constant
             */
            object: "response.input_tokens";
            /** @description The number of input tokens that the request would use. */
            input_tokens: number;
            /** @description Whether the gateway estimated the number because the model's provider can't count tokens. Estimates don't include images and files. */
            estimated: boolean;
        };
        /** @description The body of status 500 with `internal_error`. */
        InternalErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["InternalErrorDetail"];
        };
        /** @description The error with status 500 and `internal_error`. All four fields are always present. */
        InternalErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "server_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "internal_error";
        };
        /** @description The body of status 401 with `invalid_api_key`. */
        InvalidApiKeyErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["InvalidApiKeyErrorDetail"];
        };
        /** @description The error with status 401 and `invalid_api_key`. All four fields are always present. */
        InvalidApiKeyErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "authentication_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "invalid_api_key";
        };
        /** @description A reference to a stored item. The gateway inserts the item, which is charged as input. */
        ItemReference: {
            /**
             * @description The type of the object: always `item_reference`.
             * @constant
             */
            type: "item_reference";
            /** @description The ID of an item of a response that is stored for your account. An unknown ID returns 400 `item_not_found`. */
            id: string;
        };
        /** @description `in_progress`: more content follows. `completed`: the item is complete. `incomplete`: the item ended early. The other values are for tools that the upstream runs. */
        ItemStatus: string;
        /** @description Any JSON object. Ask for JSON in the prompt as well. Anthropic upstreams, and older Gemini models with tools, have no JSON mode: the gateway asks for JSON in the prompt, and returns `upstream_error` if the output isn't a JSON object. */
        JsonObjectFormat: {
            /**
             * @description The type of the object: always `json_object`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "json_object";
        };
        /** @description JSON that follows the schema you supply. Returns 400 if a chat upstream's provider doesn't support schemas. */
        JsonSchemaFormat: {
            /**
             * @description The type of the object: always `json_schema`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "json_schema";
            /** @description The name of the response format. The model may see it. */
            name: string;
            /** @description JSON Schema for the response, at most 64 levels deep. */
            schema: {
                [key: string]: unknown;
            };
            /** @description Whether the output must follow the schema exactly. Optional; the provider decides if omitted, and chat upstreams get false. Anthropic and Gemini upstreams ignore this and always follow the schema. */
            strict?: boolean | null;
            /** @description Optional. Describes the response format to the model. */
            description?: string | null;
        };
        /** @description Keeps the connection open during a long silence, for clients that ignore comment lines. */
        KeepaliveEvent: {
            /**
             * @description The type of the object: always `keepalive`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "keepalive";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
        };
        /** @description A message of the user, from the conversation. */
        KeptMessage: {
            /**
             * @description The type of the object: always `message`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "message";
            /** @description The ID of the item. */
            id: string;
            /**
             * @description The role of the author: always `user`.
             * @constant
             */
            role: "user";
            /**
             * @description The status of the message: always `completed`.
             * @constant
             */
            status: "completed";
            /** @description The parts of the message. */
            content: components["schemas"]["MessagePart"][];
        };
        /** @description The body of status 400 with one of 6 codes. */
        ListInputItemsBadRequestErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["ListInputItemsBadRequestErrorDetail"];
        };
        /** @description The error with status 400 and one of 6 codes. All four fields are always present. */
        ListInputItemsBadRequestErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "malformed_request" | "invalid_type" | "invalid_value" | "integer_below_min_value" | "integer_above_max_value" | "string_above_max_length";
        };
        /** @description The body of status 400 with one of 2 codes. */
        ListModelsBadRequestErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["ListModelsBadRequestErrorDetail"];
        };
        /** @description The error with status 400 and one of 2 codes. All four fields are always present. */
        ListModelsBadRequestErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "malformed_request" | "invalid_type";
        };
        /** @description The body of status 400 with one of 8 codes. */
        ListStatementBadRequestErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["ListStatementBadRequestErrorDetail"];
        };
        /** @description The error with status 400 and one of 8 codes. All four fields are always present. */
        ListStatementBadRequestErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "malformed_request" | "unknown_parameter" | "invalid_type" | "invalid_value" | "integer_below_min_value" | "integer_above_max_value" | "string_above_max_length" | "empty_string";
        };
        /** @description The body of status 400 with one of 8 codes. */
        ListUsageBadRequestErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["ListUsageBadRequestErrorDetail"];
        };
        /** @description The error with status 400 and one of 8 codes. All four fields are always present. */
        ListUsageBadRequestErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
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
             * @description The type of the object: always `mcp`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "mcp";
            /** @description The name of the server, which calls to its tools refer to. */
            server_label: string;
            /** @description The tool of that server that must be called. Omit to allow any of them. */
            name?: string | null;
        };
        /** @description Tools of an MCP server, run by the upstream and charged per call. If the upstream doesn't support them, or `mcp_call` has no price, they're dropped and listed in `x-modelgate-dropped`. A request whose `tool_choice` requires them returns 400. */
        McpTool: {
            /**
             * @description The type of the object: always `mcp`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "mcp";
            /** @description The name of the server, which calls to its tools refer to. */
            server_label: string;
            /** @description The URL of the server. The upstream connects to it; the gateway never does. Omit for a server that the upstream knows. */
            server_url?: string | null;
            /** @description The names of its tools that the model can call, or a filter for them. Omit to allow all. */
            allowed_tools?: unknown;
            /** @description The calls that need your approval: `always`, `never`, or a filter. Optional; the provider decides if omitted. */
            require_approval?: unknown;
        };
        /** @description A part of a message: input from the user, or output from an earlier response. */
        MessagePart: components["schemas"]["InputText"] | components["schemas"]["InputImage"] | components["schemas"]["InputFile"] | components["schemas"]["InputAudio"] | components["schemas"]["PastOutputText"] | components["schemas"]["Refusal"];
        /**
         * @description Up to 16 key-value pairs. Keys have up to 64 characters, values up to 512.
         * @example {
         *       "team": "search"
         *     }
         */
        Metadata: {
            [key: string]: string;
        };
        /** @description A model that your key can call. */
        Model: {
            /**
             * @description The model ID to use in requests.
             * @example gpt-5.4
             */
            id: string;
            /**
             * @description The type of the object: always `model`.
             * @constant
             */
            object: "model";
            /** @description The release date of the model, as configured, or else a fixed time. A Unix timestamp in seconds. */
            created: number;
            /**
             * @description The owner of the model, as configured, or else the name of its upstream.
             * @example openai
             */
            owned_by: string;
            /** @description The size of the context window in tokens, including the output. Null if unknown. */
            context_window: number | null;
            /** @description Maximum number of output tokens per response. Null for image models. */
            max_output_tokens: number | null;
            /** @description The prices you pay: those of your plan, times the multiplier of your group. Null when billing is off. */
            pricing: components["schemas"]["ModelPricing"] | null;
            /** @description The features that calls to the model can use. */
            capabilities: components["schemas"]["Abilities"];
        };
        /** @description The models that your key can call. */
        ModelList: {
            /**
             * @description The type of the object: always `list`.
             * @constant
             */
            object: "list";
            /** @description The models that your key can call, in a stable order. */
            data: components["schemas"]["Model"][];
            /** @description The text models in the Codex CLI's format. Omitted unless the query contains `client_version`. */
            models?: components["schemas"]["CodexModel"][];
        };
        /** @description The body of status 404 with `model_not_found`. */
        ModelNotFoundErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["ModelNotFoundErrorDetail"];
        };
        /** @description The error with status 404 and `model_not_found`. All four fields are always present. */
        ModelNotFoundErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "model_not_found";
        };
        /** @description Prices per million tokens, or prices per image. All are 0 for a free model. */
        ModelPricing: components["schemas"]["TokenPrices"] | components["schemas"]["ImagePrices"];
        /** @description The protocols of a model. */
        ModelProtocol: {
            /**
             * @description The model ID to use in requests.
             * @example gpt-5.4
             */
            id: string;
            /**
             * @description The type of the object: always `model.protocol`.
             * @constant
             */
            object: "model.protocol";
            /** @description The kinds of upstreams that serve the model, in order of their priority. */
            upstreams: components["schemas"]["UpstreamProtocol"][];
        };
        /** @description A model response. To read the text, look for items of type `message` in `output`. Client libraries offer it as `output_text`, which isn't part of the JSON. */
        ModelResponse: {
            /** @description The ID of the response. If the response was stored, you can use it as `previous_response_id`. */
            id: string;
            /**
             * @description The type of the object: always `response`.
             * @constant
             */
            object: "response";
            /** @description When the response was created, as a Unix timestamp in seconds. */
            created_at: number;
            /** @description When the response was completed, as a Unix timestamp in seconds. Null if it wasn't completed. */
            completed_at?: number | null;
            /** @description The status of the response. Omitted if the upstream doesn't report it. */
            status?: components["schemas"]["ResponseStatus"] | null;
            /** @description Why the response failed. Null if it didn't fail. */
            error?: {
                /** @description The reason, for use in code: an error code of this API, `server_error`, or a code of the upstream. Omitted if the upstream doesn't report one. */
                code?: string | null;
                /** @description A human-readable description of the error. */
                message: string;
            } | null;
            /** @description Why the response is incomplete. Null if it isn't incomplete. */
            incomplete_details?: {
                /** @description `max_output_tokens`: the output limit was reached. `content_filter`: output was withheld. Null or omitted if the upstream doesn't report it. */
                reason?: string | null;
            } | null;
            /** @description The ID of the model, as in the request. */
            model: string;
            /** @description The output items, of several types. The message isn't always the first item. */
            output: components["schemas"]["OutputItem"][];
            /** @description The ID of the response that this one continues. Null if it starts a conversation. */
            previous_response_id?: string | null;
            /** @description `instructions` of the request, or the value used instead. Null if the request had none. */
            instructions?: unknown;
            /** @description The tools that the model could call. Empty if none. Omitted if the upstream doesn't report it. */
            tools?: components["schemas"]["ToolEcho"][] | null;
            /** @description `tool_choice` of the request, or the value used instead. A string or an object, as in the request. Omitted if the upstream doesn't report it. */
            tool_choice?: unknown;
            /** @description Whether the model could make several tool calls in parallel. Omitted if the upstream doesn't report it. */
            parallel_tool_calls?: boolean | null;
            /** @description `text` of the request, or the value used instead. Omitted if the upstream doesn't report it. */
            text?: {
                /** @description The format of the output: `text.format` of the request, or `text` if the request had none. Omitted if the upstream doesn't report it. */
                format?: components["schemas"]["TextFormatEcho"] | null;
                /** @description The requested verbosity: `low`, `medium`, or `high`. Omitted if the upstream doesn't report it. */
                verbosity?: string | null;
            } | null;
            /** @description `reasoning` of the request, or the value used instead. Also contains its other settings. Omitted if the upstream doesn't report it. */
            reasoning?: {
                /** @description The requested reasoning effort. Null if the model's default was used. */
                effort?: string | null;
                /** @description The requested reasoning summary. Null if the upstream's default was used. */
                summary?: string | null;
            } | null;
            /** @description `temperature` of the request, or the value used instead. 1 if omitted from the request. */
            temperature?: number | null;
            /** @description `top_p` of the request, or the value used instead. 1 if omitted from the request. */
            top_p?: number | null;
            /** @description `presence_penalty` of the request, or the value used instead. 0 if omitted from the request. */
            presence_penalty?: number | null;
            /** @description `frequency_penalty` of the request, or the value used instead. 0 if omitted from the request. */
            frequency_penalty?: number | null;
            /** @description `top_logprobs` of the request, or the value used instead. 0 if omitted from the request. */
            top_logprobs?: number | null;
            /** @description The output limit in tokens, from the request or set by the gateway. Null if not limited. */
            max_output_tokens?: number | null;
            /** @description `max_tool_calls` of the request, or the value used instead. Null if not limited. */
            max_tool_calls?: number | null;
            /** @description `truncation` of the request, or the value used instead. `disabled` if omitted from the request. */
            truncation?: string | null;
            /** @description Whether the gateway stores the response. False if the key doesn't have permission to store responses. Omitted if the upstream doesn't report it. */
            store?: boolean | null;
            /** @description Whether the response runs or ran in the background. Omitted if the upstream doesn't report it. */
            background?: boolean | null;
            /** @description The processing tier that was used. Omitted if the upstream doesn't report it. */
            service_tier?: string | null;
            /** @description `metadata` of the request, or the value used instead. Empty if the request had none. Omitted if the upstream doesn't report it. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description `safety_identifier` of the request, or the value used instead. Null if the request had none. */
            safety_identifier?: string | null;
            /** @description `prompt_cache_key` of the request, or the value used instead. Null if the request had none. */
            prompt_cache_key?: string | null;
            /**
             * @deprecated
             * @description Deprecated: send `safety_identifier`. `user` of the request, or the value used instead. Null or omitted if the request had none.
             */
            user?: string | null;
            /** @description Tokens used by the response. Null until the response has ended. */
            usage?: components["schemas"]["ResponseUsage"] | null;
        };
        /**
         * @description The price multiplier for accounts in a group, with six decimal places.
         * @example 1.000000
         */
        Multiplier: string;
        /** @description A tool, by its name. For a tool in a namespace, `namespace` is optional. */
        NamedChoice: {
            /**
             * @description The type of the tool. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "function" | "custom";
            /** @description The name of a tool in this request, which must be called. */
            name: components["schemas"]["LongToolName"];
        };
        /** @description A tool in a namespace. */
        NamespaceMember: components["schemas"]["FunctionTool"] | components["schemas"]["CustomTool"];
        /** @description A group of tools under one name. Calls to them have `namespace`. Upstreams without namespaces get flat names. */
        NamespaceTool: {
            /**
             * @description The type of the object: always `namespace`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "namespace";
            /** @description The name of the group. Tool calls refer to it as `namespace`. */
            name: components["schemas"]["LongToolName"];
            /** @description Optional. What the tool does and when the model should use it. */
            description?: string | null;
            /** @description Up to 128 tools in the group. */
            tools: components["schemas"]["NamespaceMember"][];
        };
        /** @description The body of status 503 with one of 3 codes. */
        NoCapacityErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["NoCapacityErrorDetail"];
        };
        /** @description The error with status 503 and one of 3 codes. All four fields are always present. */
        NoCapacityErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "server_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "upstream_unavailable" | "overloaded" | "no_upstream_available";
        };
        /** @description The body of status 404 with `not_found`. */
        NotFoundErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["NotFoundErrorDetail"];
        };
        /** @description The error with status 404 and `not_found`. All four fields are always present. */
        NotFoundErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "not_found";
        };
        /** @description What happens to the fields of a request. A field whose value decides is in several lists: `temperature` can be forwarded up to 1, and rejected above. `tools[]` is an entry of `tools`. Fields that only the gateway uses, and those that it rejects for every model, are in no list. Prices aren't taken into account: a tool without one can be dropped, too. */
        OperationFields: {
            /**
             * @description The operation that the model can be called with.
             * @enum {string}
             */
            operation: "createResponse" | "createChatCompletion" | "generateImages" | "editImages";
            /**
             * @description The protocol that the upstream is called with. If it's that of the operation, the body is forwarded.
             * @enum {string}
             */
            protocol: "chat" | "responses" | "anthropic" | "gemini" | "converse" | "images";
            /**
             * @description The calls that this entry is about. `tools`: those with function tools, unless `reasoning_effort` is `none`. `tools-with-reasoning`: those with function tools and a `reasoning_effort` other than `none`. `others`: the rest of the calls, if some go over another protocol.
             * @enum {string}
             */
            calls: "all" | "tools" | "tools-with-reasoning" | "others";
            /** @description Fields that the upstream gets under the same name with the same value. */
            forwarded: string[];
            /** @description Fields that the upstream gets in its own form, such as another name, another value, or a part of the prompt. */
            translated: string[];
            /** @description Fields that the upstream has no equivalent for. The call succeeds without them, and `x-modelgate-dropped` lists them. */
            dropped: string[];
            /** @description Fields that the upstream has no equivalent for and that the response depends on, or some of whose values it rejects. Calls with them return 400. */
            rejected: string[];
        };
        /** @description An item of the output, with the type in `type`. */
        OutputItem: components["schemas"]["OutputMessage"] | components["schemas"]["FunctionCall"] | components["schemas"]["CustomToolCall"] | components["schemas"]["Reasoning"] | components["schemas"]["HostedItem"];
        /** @description A message from the model. The text is in `content[].text` of the parts with the type `output_text`. */
        OutputMessage: {
            /**
             * @description The type of the object: always `message`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "message";
            /** @description The ID of the item. If the response is stored, an `item_reference` can refer to it. */
            id: string;
            /**
             * @description The role of the author: always `assistant`.
             * @constant
             */
            role: "assistant";
            /** @description The status of the message. */
            status: components["schemas"]["ItemStatus"];
            /** @description The parts of the message, in order. Empty when the message starts. */
            content: components["schemas"]["OutputPart"][];
            /**
             * @description Whether the message is a comment during the work or the final answer. Omitted if unknown. Supported by responses upstreams only.
             * @enum {string|null}
             */
            phase?: "commentary" | "final_answer" | null;
        };
        /** @description A part of an output item. */
        OutputPart: components["schemas"]["OutputText"] | components["schemas"]["Refusal"] | components["schemas"]["ReasoningText"];
        /** @description Text in the output. */
        OutputText: {
            /**
             * @description The type of the object: always `output_text`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "output_text";
            /** @description The text. It's JSON if `text.format` asks for JSON. */
            text: string;
            /** @description The sources and files of the text. Empty if none. */
            annotations: components["schemas"]["TextAnnotation"][];
            /** @description Log probabilities of the tokens. Empty or omitted unless the request's `include` asks for them. */
            logprobs?: components["schemas"]["TokenLogprob"][] | null;
        };
        /** @description The body of status 503 with `overloaded`. */
        OverloadedErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["OverloadedErrorDetail"];
        };
        /** @description The error with status 503 and `overloaded`. All four fields are always present. */
        OverloadedErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "server_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "overloaded";
        };
        /** @description The account that owns the key, with the amount left to spend. */
        OwnAccount: {
            /**
             * @description The type of the object: always `account`.
             * @constant
             */
            object: "account";
            /** @description The ID of the account. */
            id: string;
            /** @description The name of the account, unique among accounts. */
            name: string;
            /** @description The group of the account, which determines the models it can call and their prices. */
            group: string;
            /**
             * @description `active`: the account can pay for calls, or calls are free. `no_balance`: neither the balance nor a subscription can pay for a call.
             * @enum {string}
             */
            state: "active" | "no_balance";
            /** @description The balance of the account. Null when billing is off. */
            balance: components["schemas"]["OwnBalance"] | null;
            /** @description The subscription that pays for calls. Null if none does. */
            subscription: components["schemas"]["OwnSubscription"] | null;
            /** @description The spending caps that all keys of the account share. Empty if none, or when billing is off. */
            spending_caps: components["schemas"]["OwnCap"][];
            /** @description The limits shared by all keys of the account, including those of its group. Empty if none. */
            limits: components["schemas"]["OwnLimit"][];
            /** @description When the account was created, as a Unix timestamp in seconds. */
            created_at: number;
        };
        /** @description The balance of the account. */
        OwnBalance: {
            /** @description Total payments minus total charges. */
            balance: components["schemas"]["Dollars"];
            /** @description The amount reserved for requests in flight. */
            held: components["schemas"]["Dollars"];
            /** @description `balance` minus `held`: the amount available for the next request. */
            available: components["schemas"]["Dollars"];
        };
        /** @description A spending cap that calls with the key count toward, with the amount left. */
        OwnCap: {
            /**
             * @description Where the cap is set: `key`, on the key itself; `creator`, on a key that it was created with; `account`, on its account.
             * @enum {string}
             */
            scope: "key" | "creator" | "account";
            /** @description The maximum amount that can be charged in a period. */
            amount: components["schemas"]["Dollars"];
            /**
             * @description When the cap resets, in UTC. Weeks start on Monday.
             * @enum {string}
             */
            period: "day" | "week" | "month" | "never";
            /** @description The part of the cap that is neither spent nor reserved. */
            left: components["schemas"]["Dollars"];
            /** @description When the cap resets, as a Unix timestamp in seconds. Null if it never resets. */
            resets_at: number | null;
        };
        /** @description Your key, with the remainder of its spending caps and limits. The secret isn't included. */
        OwnKey: {
            /**
             * @description The type of the object: always `key`.
             * @constant
             */
            object: "key";
            /** @description The ID of the key, `key_…`. It isn't a secret. */
            id: string;
            /** @description The name of the key. */
            name: string;
            /** @description The last four characters of the key, to recognize it. */
            last_four: string;
            /** @description The ID of the account that owns the key. */
            account_id: string;
            /**
             * @description `active`: the key works. `replaced`: another key replaces it, but it works until it expires.
             * @enum {string}
             */
            state: "active" | "replaced";
            /** @description The permissions of the key. */
            permissions: components["schemas"]["OwnPermissions"];
            /** @description The IP addresses and ranges that the key can be used from. Null if it can be used from anywhere. */
            ip_ranges: string[] | null;
            /** @description The spending caps that calls with the key count toward: its own, which the keys that replace it share, those of the keys it was created with, and those of its account. Empty if none, or when billing is off. */
            spending_caps: components["schemas"]["OwnCap"][];
            /** @description The limits of the key itself. The limits of its account apply as well. Empty if none. */
            limits: components["schemas"]["OwnLimit"][];
            /** @description When the key was created, as a Unix timestamp in seconds. */
            created_at: number;
            /** @description When the key expires, as a Unix timestamp in seconds. Null if it never expires. */
            expires_at: number | null;
            /** @description The ID of the key that replaces this one. Null if none does. */
            replaced_by: string | null;
        };
        /** @description A limit that applies to calls with the key. */
        OwnLimit: {
            /**
             * @description Where the limit is set. All calls of that key, account, or group count toward it.
             * @enum {string}
             */
            scope: "key" | "account" | "group";
            /**
             * @description The unit that is counted. `concurrency` counts requests in flight.
             * @enum {string}
             */
            quantity: "requests" | "tokens" | "concurrency";
            /** @description The limit: per minute, or for `concurrency`, the maximum number of concurrent requests. */
            limit: number;
            /**
             * @description `enforce`: calls over the limit are rejected with 429. `observe`: they're counted and logged, but never rejected. `off`: the limit has no effect.
             * @enum {string}
             */
            mode: "off" | "observe" | "enforce";
            /** @description How much of the limit remains. Null for `concurrency`. */
            remaining: number | null;
            /** @description Milliseconds until the limit is fully restored. Null if `remaining` is null. */
            reset_ms: number | null;
        };
        /** @description The permissions of the key, within those of its group. */
        OwnPermissions: {
            /** @description The operations that the key can use. Null if it can use all of them. */
            operations: string[] | null;
            /** @description The models that the key can call, as IDs or patterns with `*`. Null if it can call every model of its group. */
            models: string[] | null;
            /** @description Whether the key can store responses. */
            may_store: boolean;
            /** @description Whether the key can list the keys of its account, and create keys with at most its own permissions. */
            manage_keys: boolean;
        };
        /** @description The active subscription, with the amount left in this period. */
        OwnSubscription: {
            /** @description The ID of the subscription. */
            id: string;
            /** @description The name of the plan. */
            plan: string;
            /** @description The amount included in each period. */
            included: components["schemas"]["Dollars"];
            /** @description The part of the included amount that is neither used nor reserved. */
            left: components["schemas"]["Dollars"];
            /**
             * @description Behavior when the included amount is used up. `stop`: calls are rejected until the next period. `balance`: calls are charged to the balance.
             * @enum {string}
             */
            on_exhaustion: "stop" | "balance";
            /** @description When the included amount resets, as a Unix timestamp in seconds. */
            resets_at: number;
            /** @description When the subscription ends, as a Unix timestamp in seconds. Null if it runs until it's canceled. */
            ends_at: number | null;
        };
        /** @description A call to a free-form tool from an earlier turn. A `custom_tool_call_output` with its `call_id` must follow. */
        PastCustomToolCall: {
            /**
             * @description The type of the object: always `custom_tool_call`.
             * @constant
             */
            type: "custom_tool_call";
            /** @description The ID that links a call to its output; both have the same `call_id`. It differs from the item's `id`. */
            call_id: string;
            /** @description The name of the tool that was called. */
            name: string;
            /** @description The input of the tool, as free text. */
            input: string;
            /** @description The namespace of the tool, as in the call. Omit if the tool has none, or if its name is unique. */
            namespace?: string | null;
            /** @description Optional. The ID of the item, from the client or from an earlier response. Accepted, but not sent to the upstream, which doesn't know the ID. If omitted, a stored item gets a new ID. */
            id?: string | null;
            /** @description The status of the item in the earlier response. The gateway ignores it, so you can omit it. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description A function call that the model made in an earlier turn. A `function_call_output` with its `call_id` must follow. */
        PastFunctionCall: {
            /**
             * @description The type of the object: always `function_call`.
             * @constant
             */
            type: "function_call";
            /** @description The ID that links a call to its output; both have the same `call_id`. It differs from the item's `id`. */
            call_id: string;
            /** @description The name of the function that was called. */
            name: string;
            /** @description The arguments as the model wrote them, in JSON; they may be malformed. Anthropic and Gemini upstreams require a JSON object or an empty string; anything else returns 400. */
            arguments: string;
            /** @description The namespace of the tool, as in the call. Omit if the tool has none, or if its name is unique. */
            namespace?: string | null;
            /** @description Optional. The ID of the item, from the client or from an earlier response. Accepted, but not sent to the upstream, which doesn't know the ID. If omitted, a stored item gets a new ID. */
            id?: string | null;
            /** @description The status of the item in the earlier response. The gateway ignores it, so you can omit it. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description Text from an earlier response, sent back. */
        PastOutputText: {
            /**
             * @description The type of the object: always `output_text`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "output_text";
            /** @description The text from the earlier turn. */
            text: string;
            /** @description Optional. Citations and files from the earlier response. Used by responses upstreams only. */
            annotations?: components["schemas"]["TextAnnotation"][] | null;
            /** @description Log probabilities from the earlier response. The gateway ignores them, so you can omit them. */
            logprobs?: components["schemas"]["TokenLogprob"][] | null;
        };
        /** @description Reasoning from an earlier turn, sent back unchanged. */
        PastReasoning: {
            /**
             * @description The type of the object: always `reasoning`.
             * @constant
             */
            type: "reasoning";
            /** @description A summary of the reasoning, up to 1024 paragraphs. It can be empty. */
            summary: components["schemas"]["SummaryText"][];
            /** @description The reasoning text. Omit if the upstream didn't return it. */
            content?: components["schemas"]["ReasoningText"][] | null;
            /** @description The encrypted reasoning, unchanged. Only the upstream that encrypted it can read it; for other upstreams it's dropped and listed in `x-modelgate-dropped`. If omitted, the model doesn't see its earlier reasoning. */
            encrypted_content?: string | null;
            /** @description Optional. The ID of the item, from the client or from an earlier response. Accepted, but not sent to the upstream, which doesn't know the ID. If omitted, a stored item gets a new ID. */
            id?: string | null;
            /** @description The status of the item in the earlier response. The gateway ignores it, so you can omit it. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description The body of status 403 with `permission_denied`. */
        PermissionDeniedErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["PermissionDeniedErrorDetail"];
        };
        /** @description The error with status 403 and `permission_denied`. All four fields are always present. */
        PermissionDeniedErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "permission_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "permission_denied";
        };
        /** @description Plain text, the default. */
        PlainTextFormat: {
            /**
             * @description The type of the object: always `text`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "text";
        };
        /** @description How the upstream caches the prompt. Sent to chat and responses upstreams. For Claude, `ttl` sets how long marks are kept: `5m`, or one hour for anything longer. Omitted for others, and if nothing is marked. */
        PromptCacheOptions: {
            /**
             * @description `implicit`: the upstream decides what to cache. `explicit`: it caches only the parts marked with `prompt_cache_breakpoint`. Optional; the provider decides if omitted.
             * @enum {string|null}
             */
            mode?: "implicit" | "explicit" | null;
            /** @description How long the upstream keeps the cached prompt, in the upstream's format. Optional; the provider decides if omitted. */
            ttl?: string | null;
        };
        /** @description The protocols of the models that your key can call. */
        ProtocolList: {
            /**
             * @description The type of the object: always `list`.
             * @constant
             */
            object: "list";
            /** @description The models that your key can call, in a stable order. */
            data: components["schemas"]["ModelProtocol"][];
        };
        /** @description The body of status 429 with `rate_limit_exceeded`. */
        RateLimitExceededErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["RateLimitExceededErrorDetail"];
        };
        /** @description The error with status 429 and `rate_limit_exceeded`. All four fields are always present. */
        RateLimitExceededErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "rate_limit_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "rate_limit_exceeded";
        };
        /** @description The model's reasoning. It can come before the message, so `output[0]` isn't always the message. */
        Reasoning: {
            /**
             * @description The type of the object: always `reasoning`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "reasoning";
            /** @description The ID of the item. If the response is stored, an `item_reference` can refer to it. */
            id: string;
            /** @description The summary of the reasoning, in paragraphs. Empty unless the request has `reasoning.summary`. */
            summary: components["schemas"]["SummaryText"][];
            /** @description The reasoning text. Omitted if the upstream doesn't return it. */
            content?: components["schemas"]["ReasoningText"][] | null;
            /** @description Encrypted reasoning. Send it back unchanged to keep the reasoning across turns without storage. Omitted unless the request's `include` asks for it and the upstream supports it. */
            encrypted_content?: string | null;
            /** @description The status of the item. Omitted if it's complete. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description How much the model reasons before it responds. Reasoning is charged as output. Each model supports some of the values. Anthropic upstreams treat `minimal` as `low`. Gemini upstreams treat `xhigh` and `max` as `high`, and from the third generation on, `none` as `minimal`. */
        ReasoningEffort: string;
        /** @description How the model reasons before it responds. Reasoning counts as output tokens, even if it isn't returned. */
        ReasoningOptions: {
            /** @description How much the model reasons before it responds. Defaults to the model's own value. */
            effort?: components["schemas"]["ReasoningEffort"] | null;
            /** @description Whether to return summaries of the reasoning, as items of type `reasoning`, and how detailed they are. Optional; the provider decides if omitted, usually no summaries. Anthropic and Gemini upstreams have no levels of detail. Not sent to chat upstreams. */
            summary?: string | null;
            /**
             * @deprecated
             * @description Deprecated: use `summary`, which takes precedence if you send both.
             */
            generate_summary?: string | null;
            /** @description The reasoning of earlier turns to give to the model, in the upstream's format. Sent to responses upstreams only. Optional; the provider decides if omitted. */
            context?: string | null;
            /** @description The reasoning mode, in the upstream's format. Sent to responses upstreams only. Optional; the provider decides if omitted. */
            mode?: string | null;
        };
        /** @description Reasoning text without a summary. Few upstreams return it. */
        ReasoningText: {
            /**
             * @description The type of the object: always `reasoning_text`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "reasoning_text";
            /** @description The reasoning as the model wrote it. */
            text: string;
        };
        /** @description A request, with all the numbers that its charge is calculated from. */
        Receipt: {
            /**
             * @description The type of the object: always `usage`.
             * @constant
             */
            object: "usage";
            /** @description The `x-request-id` of the response. */
            request_id: string;
            /** @description The ID of the key that made the request. */
            key_id: string;
            /** @description The ID of the model, as in the request. */
            model: string;
            /** @description The name of the operation, such as `createResponse`. */
            operation: string;
            /**
             * @description `held`: in flight. `posted`: charged. `voided`: free of charge, with the reserved amount released. `expired`: the reserved amount was released because the gateway process stopped. If that process turns out to be alive and the request ends, its cost is still charged, as far as funds remain.
             * @enum {string}
             */
            state: "held" | "posted" | "voided" | "expired";
            /** @description How the request ended, such as `completed`, `failed`, or `client_disconnected`. Null while it's in flight. */
            outcome: string | null;
            /**
             * @description The source of payment.
             * @enum {string}
             */
            source: "balance" | "subscription";
            /** @description The amount reserved before the request was sent: the maximum it could cost. */
            held: components["schemas"]["Dollars"];
            /** @description The amount charged. Never more than `held`. */
            charged: components["schemas"]["Dollars"];
            /** @description Whether the gateway estimated the tokens because the upstream didn't report them. */
            estimated: boolean;
            /** @description The tokens used, in classes that don't overlap. Null until something is charged. */
            tokens: components["schemas"]["UsageTokens"] | null;
            /** @description The output limit in tokens that the gateway set, because the request had none and the account couldn't pay for more. Null if it set none. */
            output_limit: number | null;
            /** @description Images generated, by `size/quality`. Null until something is charged. */
            images: {
                [key: string]: number;
            } | null;
            /** @description Calls to tools that the upstream ran, by the type of their output item. Null until something is charged. */
            tools: {
                [key: string]: number;
            } | null;
            /** @description When the amount was reserved, as a Unix timestamp in seconds. */
            created_at: number;
            /** @description When the request was charged or the reserved amount released, as a Unix timestamp in seconds. Null while it's in flight. */
            settled_at: number | null;
            /** @description The version of the prices that the request was charged by. Each price change creates a new version; old versions are kept. */
            price_version: number;
            /** @description The attempts in order, if there was more than one, if the only one failed, or if another API was chosen for it. Otherwise empty. */
            attempts: components["schemas"]["UsageAttempt"][];
            /** @description The service tier that processed the request, whose factor is in the prices of the lines. Null for the standard tier. */
            service_tier: string | null;
            /** @description The usage, by class. Empty until something is charged. */
            lines: components["schemas"]["ReceiptLine"][];
            /** @description The total of the lines' amounts. */
            subtotal: string;
            /** @description The multiplier of the account's group at the time of the request. */
            multiplier: components["schemas"]["Multiplier"];
            /** @description The amount added to round up to a millionth of a dollar. Always less than a millionth. */
            rounding: string;
            /** @description `subtotal` × `multiplier` + `rounding`. `charged` is the lesser of this and `held`. */
            cost: components["schemas"]["Dollars"];
        };
        /** @description A class of usage, with its amount. */
        ReceiptLine: {
            /** @description `input`, `cached_input`, `cache_write`, `output`, `image_output` and the like, the `size/quality` of images, `partial`, or a tool such as `web_search_call`. */
            class: string;
            /** @description The number of tokens, images, or calls. Unused classes have no line. */
            quantity: number;
            /** @description The price before the multiplier, for the unit in `per`. */
            price: components["schemas"]["Dollars"];
            /**
             * @description The unit of the price: one million tokens, one image, or one call.
             * @enum {string}
             */
            per: "million_tokens" | "image" | "call";
            /** @description `quantity` × `price`, divided by one million if the price is per million tokens. Exact US dollars with 12 decimal places. */
            amount: string;
        };
        /** @description A refusal by the model, in a response or sent back. */
        Refusal: {
            /**
             * @description The type of the object: always `refusal`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "refusal";
            /** @description The refusal, in the model's words. */
            refusal: string;
        };
        /** @description A call to a hosted tool, or its output, sent back unchanged. Upstreams other than responses upstreams aren't sent a finished `web_search_call`, and return 400 for the others. */
        ReplayedItem: {
            /**
             * @description The tool, and whether this is a call or its output.
             * @enum {string}
             */
            type: "local_shell_call" | "local_shell_call_output" | "shell_call" | "shell_call_output" | "apply_patch_call" | "apply_patch_call_output" | "web_search_call" | "file_search_call" | "image_generation_call" | "code_interpreter_call" | "computer_call" | "computer_call_output" | "mcp_call" | "mcp_list_tools" | "mcp_approval_request" | "mcp_approval_response" | "program" | "program_output" | "configuration_update";
            /** @description The ID of the item. Sent to the upstream only if another item or the upstream refers to it. Omit if the response had none. */
            id?: string | null;
            /** @description The status in the earlier response, as the tool reports it. Omit for tools without such a field. */
            status?: string | null;
            /** @description The action of the tool, in the tool's format. Omit for tools without such a field. */
            action?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The body of status 429 with one of 2 codes. */
        RequestLimitErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["RequestLimitErrorDetail"];
        };
        /** @description The error with status 429 and one of 2 codes. All four fields are always present. */
        RequestLimitErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "rate_limit_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "rate_limit_exceeded" | "concurrency_limit_exceeded";
        };
        /** @description The body of status 408 with `request_timeout`. */
        RequestTimeoutErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["RequestTimeoutErrorDetail"];
        };
        /** @description The error with status 408 and `request_timeout`. All four fields are always present. */
        RequestTimeoutErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "request_timeout";
        };
        /** @description The body of status 413 with `request_too_large`. */
        RequestTooLargeErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["RequestTooLargeErrorDetail"];
        };
        /** @description The error with status 413 and `request_too_large`. All four fields are always present. */
        RequestTooLargeErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "request_too_large";
        };
        /** @description The last event of a stream that succeeded. */
        ResponseCompletedEvent: {
            /**
             * @description The type of the object: always `response.completed`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.completed";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description The complete response, with its usage. */
            response: components["schemas"]["ModelResponse"];
        };
        /** @description A part was added to a message or reasoning item. */
        ResponseContentPartAddedEvent: {
            /**
             * @description The type of the object: always `response.content_part.added`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.content_part.added";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description The ID of the item that this event belongs to. */
            item_id: string;
            /** @description Index of that item in `output`, from 0. */
            output_index: number;
            /** @description Index of the part in its item's content, from 0. */
            content_index: number;
            /** @description The new part, without text. */
            part: components["schemas"]["OutputPart"];
        };
        /** @description A part of a message or reasoning item is done. */
        ResponseContentPartDoneEvent: {
            /**
             * @description The type of the object: always `response.content_part.done`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.content_part.done";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description The ID of the item that this event belongs to. */
            item_id: string;
            /** @description Index of that item in `output`, from 0. */
            output_index: number;
            /** @description Index of the part in its item's content, from 0. */
            content_index: number;
            /** @description The part with all of its content. */
            part: components["schemas"]["OutputPart"];
        };
        /** @description The first event of a stream: the response was created and has an ID. */
        ResponseCreatedEvent: {
            /**
             * @description The type of the object: always `response.created`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.created";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description The response so far, with an empty output. */
            response: components["schemas"]["ModelResponse"];
        };
        /** @description The next piece of a free-form tool's input. */
        ResponseCustomToolCallInputDeltaEvent: {
            /**
             * @description The type of the object: always `response.custom_tool_call_input.delta`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.custom_tool_call_input.delta";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description The ID of the item that this event belongs to. */
            item_id: string;
            /** @description Index of that item in `output`, from 0. */
            output_index: number;
            /** @description The next piece of the text. All pieces in order make up the complete text. */
            delta: string;
        };
        /** @description The input of a free-form tool is done. */
        ResponseCustomToolCallInputDoneEvent: {
            /**
             * @description The type of the object: always `response.custom_tool_call_input.done`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.custom_tool_call_input.done";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description The ID of the item that this event belongs to. */
            item_id: string;
            /** @description Index of that item in `output`, from 0. */
            output_index: number;
            /** @description The complete input, as the model wrote it. */
            input: string;
        };
        /** @description The body of status 403 with one of 4 codes. */
        ResponseDeniedErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["ResponseDeniedErrorDetail"];
        };
        /** @description The error with status 403 and one of 4 codes. All four fields are always present. */
        ResponseDeniedErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "permission_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "permission_denied" | "insufficient_balance" | "subscription_inactive" | "storage_quota_exceeded";
        };
        /** @description The stream has failed. `response.failed` follows. */
        ResponseErrorEvent: {
            /**
             * @description The type of the object: always `error`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "error";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description The reason, for use in code: an error code of this API. Never omitted or null. */
            code?: string | null;
            /** @description A human-readable description of the error. */
            message: string;
            /** @description The field that caused the error. Null if no field caused it. */
            param?: string | null;
            /** @description The same error in the nested form, which is the only one that some clients read. Never omitted. */
            error?: {
                /**
                 * @description The general category of the error.
                 * @enum {string}
                 */
                type: "invalid_request_error" | "authentication_error" | "permission_error" | "rate_limit_error" | "server_error" | "image_generation_user_error";
                /** @description The reason, for use in code: an error code of this API. Never null. */
                code: string | null;
                /** @description A human-readable description of the error. */
                message: string;
                /** @description The field that caused the error. Null if no field caused it. */
                param: string | null;
            } | null;
        };
        /** @description The last event of a stream that failed. It follows the `error` event. */
        ResponseFailedEvent: {
            /**
             * @description The type of the object: always `response.failed`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.failed";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description The incomplete response. `error` has the reason. */
            response: components["schemas"]["ModelResponse"];
        };
        /** @description The next piece of a function call's arguments. */
        ResponseFunctionCallArgumentsDeltaEvent: {
            /**
             * @description The type of the object: always `response.function_call_arguments.delta`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.function_call_arguments.delta";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description The ID of the item that this event belongs to. */
            item_id: string;
            /** @description Index of that item in `output`, from 0. */
            output_index: number;
            /** @description The next piece of the JSON. A single piece isn't valid JSON. */
            delta: string;
        };
        /** @description The arguments of a function call are done. */
        ResponseFunctionCallArgumentsDoneEvent: {
            /**
             * @description The type of the object: always `response.function_call_arguments.done`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.function_call_arguments.done";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description The ID of the item that this event belongs to. */
            item_id: string;
            /** @description Index of that item in `output`, from 0. */
            output_index: number;
            /** @description The complete JSON arguments, as the model wrote them. */
            arguments: string;
            /** @description The name of the function. Omitted if the upstream doesn't send it; the item contains it. */
            name?: string | null;
        };
        /** @description The model has started generating the response. */
        ResponseInProgressEvent: {
            /**
             * @description The type of the object: always `response.in_progress`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.in_progress";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description The response so far, with an empty output. */
            response: components["schemas"]["ModelResponse"];
        };
        /** @description The last event of a stream that a limit or a filter ended early. */
        ResponseIncompleteEvent: {
            /**
             * @description The type of the object: always `response.incomplete`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.incomplete";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description The incomplete response, with its usage. `incomplete_details` has the reason. */
            response: components["schemas"]["ModelResponse"];
        };
        /** @description The body of status 404 with `response_not_found`. */
        ResponseNotFoundErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["ResponseNotFoundErrorDetail"];
        };
        /** @description The error with status 404 and `response_not_found`. All four fields are always present. */
        ResponseNotFoundErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "response_not_found";
        };
        /** @description An output item was added. */
        ResponseOutputItemAddedEvent: {
            /**
             * @description The type of the object: always `response.output_item.added`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.output_item.added";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description Index of the item in `output`, from 0. */
            output_index: number;
            /** @description The new item, without content and with the status `in_progress`. */
            item: components["schemas"]["OutputItem"];
        };
        /** @description An output item is done, complete or incomplete. */
        ResponseOutputItemDoneEvent: {
            /**
             * @description The type of the object: always `response.output_item.done`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.output_item.done";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description Index of the item in `output`, from 0. */
            output_index: number;
            /** @description The item with all of its content. */
            item: components["schemas"]["OutputItem"];
        };
        /** @description An annotation, such as a source or a file, was added to an output text. */
        ResponseOutputTextAnnotationAddedEvent: {
            /**
             * @description The type of the object: always `response.output_text.annotation.added`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.output_text.annotation.added";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description The ID of the item that this event belongs to. */
            item_id: string;
            /** @description Index of that item in `output`, from 0. */
            output_index: number;
            /** @description Index of the part in its item's content, from 0. */
            content_index: number;
            /** @description Index of the annotation in its part, from 0. */
            annotation_index: number;
            /** @description The new annotation. */
            annotation: components["schemas"]["TextAnnotation"];
        };
        /** @description The next piece of output text. */
        ResponseOutputTextDeltaEvent: {
            /**
             * @description The type of the object: always `response.output_text.delta`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.output_text.delta";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description The ID of the item that this event belongs to. */
            item_id: string;
            /** @description Index of that item in `output`, from 0. */
            output_index: number;
            /** @description Index of the part in its item's content, from 0. */
            content_index: number;
            /** @description The next piece of the text. All pieces in order make up the complete text. */
            delta: string;
            /** @description Log probabilities of the tokens in this piece. Empty or omitted unless the request's `include` asks for them. */
            logprobs?: components["schemas"]["TokenLogprob"][] | null;
        };
        /** @description An output text is done. */
        ResponseOutputTextDoneEvent: {
            /**
             * @description The type of the object: always `response.output_text.done`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.output_text.done";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description The ID of the item that this event belongs to. */
            item_id: string;
            /** @description Index of that item in `output`, from 0. */
            output_index: number;
            /** @description Index of the part in its item's content, from 0. */
            content_index: number;
            /** @description The complete text. */
            text: string;
            /** @description Log probabilities of the tokens in this piece. Empty or omitted unless the request's `include` asks for them. */
            logprobs?: components["schemas"]["TokenLogprob"][] | null;
        };
        /** @description The upstream has queued the request. */
        ResponseQueuedEvent: {
            /**
             * @description The type of the object: always `response.queued`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.queued";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description The response so far, with an empty output. */
            response: components["schemas"]["ModelResponse"];
        };
        /** @description A paragraph was added to the reasoning summary. */
        ResponseReasoningSummaryPartAddedEvent: {
            /**
             * @description The type of the object: always `response.reasoning_summary_part.added`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.reasoning_summary_part.added";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description The ID of the item that this event belongs to. */
            item_id: string;
            /** @description Index of that item in `output`, from 0. */
            output_index: number;
            /** @description Index of the summary paragraph, from 0. */
            summary_index: number;
            /** @description The new paragraph, without text. */
            part: components["schemas"]["SummaryText"];
        };
        /** @description A paragraph of the reasoning summary is done. */
        ResponseReasoningSummaryPartDoneEvent: {
            /**
             * @description The type of the object: always `response.reasoning_summary_part.done`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.reasoning_summary_part.done";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description The ID of the item that this event belongs to. */
            item_id: string;
            /** @description Index of that item in `output`, from 0. */
            output_index: number;
            /** @description Index of the summary paragraph, from 0. */
            summary_index: number;
            /** @description The paragraph with all of its text. */
            part: components["schemas"]["SummaryText"];
        };
        /** @description The next piece of a paragraph of the reasoning summary. */
        ResponseReasoningSummaryTextDeltaEvent: {
            /**
             * @description The type of the object: always `response.reasoning_summary_text.delta`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.reasoning_summary_text.delta";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description The ID of the item that this event belongs to. */
            item_id: string;
            /** @description Index of that item in `output`, from 0. */
            output_index: number;
            /** @description Index of the summary paragraph, from 0. */
            summary_index: number;
            /** @description The next piece of the text. All pieces in order make up the complete text. */
            delta: string;
        };
        /** @description The text of a paragraph of the reasoning summary is done. */
        ResponseReasoningSummaryTextDoneEvent: {
            /**
             * @description The type of the object: always `response.reasoning_summary_text.done`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.reasoning_summary_text.done";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description The ID of the item that this event belongs to. */
            item_id: string;
            /** @description Index of that item in `output`, from 0. */
            output_index: number;
            /** @description Index of the summary paragraph, from 0. */
            summary_index: number;
            /** @description The complete text. */
            text: string;
        };
        /** @description The next piece of reasoning text. */
        ResponseReasoningTextDeltaEvent: {
            /**
             * @description The type of the object: always `response.reasoning_text.delta`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.reasoning_text.delta";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description The ID of the item that this event belongs to. */
            item_id: string;
            /** @description Index of that item in `output`, from 0. */
            output_index: number;
            /** @description Index of the part in its item's content, from 0. */
            content_index: number;
            /** @description The next piece of the text. All pieces in order make up the complete text. */
            delta: string;
        };
        /** @description A reasoning text is done. */
        ResponseReasoningTextDoneEvent: {
            /**
             * @description The type of the object: always `response.reasoning_text.done`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.reasoning_text.done";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description The ID of the item that this event belongs to. */
            item_id: string;
            /** @description Index of that item in `output`, from 0. */
            output_index: number;
            /** @description Index of the part in its item's content, from 0. */
            content_index: number;
            /** @description The complete text. */
            text: string;
        };
        /** @description The next piece of a refusal. */
        ResponseRefusalDeltaEvent: {
            /**
             * @description The type of the object: always `response.refusal.delta`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.refusal.delta";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description The ID of the item that this event belongs to. */
            item_id: string;
            /** @description Index of that item in `output`, from 0. */
            output_index: number;
            /** @description Index of the part in its item's content, from 0. */
            content_index: number;
            /** @description The next piece of the text. All pieces in order make up the complete text. */
            delta: string;
        };
        /** @description A refusal is done. */
        ResponseRefusalDoneEvent: {
            /**
             * @description The type of the object: always `response.refusal.done`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "response.refusal.done";
            /** @description The position of the event in the stream, from 0 without gaps. */
            sequence_number: number;
            /** @description The ID of the item that this event belongs to. */
            item_id: string;
            /** @description Index of that item in `output`, from 0. */
            output_index: number;
            /** @description Index of the part in its item's content, from 0. */
            content_index: number;
            /** @description The complete refusal. */
            refusal: string;
        };
        /**
         * @description The input, and options for the response. Fields set to null are treated as omitted. Unknown fields are forwarded to OpenAI and Azure, unless they could select a model, provider, tier, tool, or price. All other unknown fields are dropped and listed in `x-modelgate-dropped`, unless the upstream is configured to allow them.
         * @example {
         *       "model": "gpt-5.4",
         *       "instructions": "Answer in one sentence.",
         *       "input": "Why is the sky blue?"
         *     }
         */
        ResponseRequest: {
            /**
             * @description The ID of a text model, as listed by `GET /v1/models`.
             * @example gpt-5.4
             */
            model: string;
            /** @description A string, which becomes a user message, or up to 4096 items: messages, tool calls, and their outputs. */
            input: string | components["schemas"]["InputItem"][];
            /** @description Optional. The system prompt of this turn, placed before the input. Send it again with every turn of a conversation. */
            instructions?: string | null;
            /** @description Whether to stream the response as server-sent events. Defaults to false. */
            stream?: boolean | null;
            /** @description Optional. Options for streaming. */
            stream_options?: {
                /** @description Whether the upstream pads its events, so that their sizes don't reveal their content. Sent to responses upstreams; the gateway doesn't add padding itself. Optional; the provider decides if omitted. */
                include_obfuscation?: boolean | null;
            } | null;
            /** @description The format and verbosity of the text. Defaults to plain text. */
            text?: components["schemas"]["TextOptions"] | null;
            /** @description How the model reasons. Defaults to the model's own settings. */
            reasoning?: components["schemas"]["ReasoningOptions"] | null;
            /** @description Optional. Up to 128 tools that the model can call. */
            tools?: components["schemas"]["Tool"][] | null;
            /** @description Controls which tools the model can or must call. Defaults to `auto`. */
            tool_choice?: components["schemas"]["ToolChoice"] | null;
            /** @description Whether the model can make several tool calls in parallel. Optional; the provider decides if omitted, usually true. False is omitted for Gemini upstreams, and listed in `x-modelgate-dropped` there. */
            parallel_tool_calls?: boolean | null;
            /** @description The ID of a stored response of your account to continue. Its items and those of earlier turns become input, and are charged as input. `instructions` aren't carried over. Omit to start a new conversation. */
            previous_response_id?: string | null;
            /** @description Whether the gateway stores the response, so that you can read and continue it, for 30 days unless configured otherwise. The gateway asks upstreams not to store anything. Defaults to true. If the key doesn't have permission to store responses, the default is false, and true returns 403. */
            store?: boolean | null;
            /** @description Whether to run the response in the background. The gateway then returns it at once, with the status `queued`, and completes it without you: read it with `GET /v1/responses/{response_id}`. With `stream`, you get its events, and it continues if you disconnect. Requires a stored response; otherwise returns 400. Defaults to false. */
            background?: boolean | null;
            /** @description Options for responses in the background. Optional. */
            background_options?: {
                /** @description When the response must be complete. Only `soonest` is supported. Defaults to `soonest`. */
                completion_window?: "soonest" | null;
            } | null;
            /** @description Maximum number of output tokens, including reasoning tokens. A response that reaches it ends as `incomplete`. Defaults to the model's maximum. If your account can't pay for that many, the gateway sets a lower limit and reports it in `x-modelgate-output-limit`. */
            max_output_tokens?: number | null;
            /** @description Maximum number of calls to tools that the upstream runs. The price of that many calls is reserved. Omit for no limit; the price of 16 calls is then reserved. Supported only for models on upstreams that serve the Responses API; otherwise returns 400. */
            max_tool_calls?: number | null;
            /** @description Sampling temperature, from 0 to 2. Higher values make the output more varied. Defaults to the model's own value. Anthropic upstreams accept 0 to 1 and return 400 for more; reasoning models may reject any value. */
            temperature?: number | null;
            /** @description Nucleus sampling, from 0 to 1: the model considers only the most likely tokens that together have this probability. Defaults to the model's own value. */
            top_p?: number | null;
            /** @description How many of the most likely tokens to return at each position, from 0 to 20. Requires `message.output_text.logprobs` in `include`. Defaults to 0. More than 0 returns 400 on Anthropic upstreams. */
            top_logprobs?: number | null;
            /** @description From -2 to 2. Positive values make a token less likely once it has occurred in the text, however often. Defaults to 0. Any other value returns 400 on Anthropic upstreams, and some responses upstreams reject it. */
            presence_penalty?: number | null;
            /** @description From -2 to 2. Positive values make a token less likely each time it has already occurred in the text. Defaults to 0. Any other value returns 400 on Anthropic upstreams, and some responses upstreams reject it. */
            frequency_penalty?: number | null;
            /**
             * @deprecated
             * @description Deprecated: no replacement. Controls what a responses upstream does if the input is too long: `auto` drops the oldest items, `disabled` returns an error. Defaults to `disabled`. Not sent to other upstreams.
             */
            truncation?: string | null;
            /** @description How a responses upstream shortens a conversation that grows too long; up to 16 entries. Not sent to other upstreams. Omit to leave the conversation as it is. */
            context_management?: {
                /** @description The action on the conversation, such as `compaction`. */
                type: string;
                /** @description The number of input tokens that triggers the action. Optional; the provider decides if omitted. */
                compact_threshold?: number | null;
            }[] | null;
            /** @description Optional. Up to 32 names of additional output to include, such as `reasoning.encrypted_content` or `message.output_text.logprobs`. Output that an upstream can't provide is omitted and listed in `x-modelgate-dropped`. */
            include?: string[] | null;
            /** @description Key-value pairs that are repeated in the response. Optional. Doesn't change the output. Not sent to Anthropic and Gemini upstreams. */
            metadata?: components["schemas"]["Metadata"] | null;
            /** @description Optional. Private metadata of a coding agent, accepted but neither logged nor forwarded. Names have up to 256 characters. */
            client_metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description A stable key for the conversation, up to 64 characters. If a model has several upstreams, calls with the same key go to the same one, which improves cache hits. Optional. Doesn't change the output. Not sent to Anthropic and Gemini upstreams. */
            prompt_cache_key?: string | null;
            /**
             * @deprecated
             * @description Deprecated: use `prompt_cache_options`. How long the upstream keeps a cached prompt. Omitted for Gemini upstreams. For Claude, `24h` keeps marks for one hour.
             * @enum {string|null}
             */
            prompt_cache_retention?: "in_memory" | "in-memory" | "24h" | null;
            /** @description How the upstream caches the prompt. Optional; the provider decides if omitted. */
            prompt_cache_options?: components["schemas"]["PromptCacheOptions"] | null;
            /** @description A stable, opaque ID of your end user, which lets the provider identify users who violate its policies. Optional. Doesn't change the output. Not sent to Anthropic and Gemini upstreams. */
            safety_identifier?: string | null;
            /** @description The processing tier to request from the upstream. Defaults to `auto`. */
            service_tier?: components["schemas"]["ServiceTier"] | null;
            /** @description How the upstream handles images in the conversation, in its own format. Sent to responses upstreams; otherwise listed in `x-modelgate-dropped`. Optional; the provider decides if omitted. */
            image?: {
                [key: string]: unknown;
            } | null;
            /** @description Options for the usage in the response. Not sent to upstreams. Omit to get a response without the cost. */
            usage?: components["schemas"]["UsageOptions"] | null;
            /**
             * @deprecated
             * @description Deprecated: use `safety_identifier` and `prompt_cache_key`. Optional. Doesn't change the output. Not sent to Anthropic and Gemini upstreams.
             */
            user?: string | null;
            /** @description Asks the upstream to moderate the text of the call. Optional; the provider decides if omitted. */
            moderation?: components["schemas"]["TextModeration"] | null;
        };
        /** @description `queued`, `in_progress`: it runs in the background, or in the first events of a stream. `completed`: finished normally. `incomplete`: ended early; see `incomplete_details`. `failed`: see `error`. `cancelled`: canceled by you or by the upstream. */
        ResponseStatus: string;
        /** @description One event of a responses stream. The stream starts with `response.created` and ends with exactly one of `response.completed`, `response.incomplete`, and `response.failed`, followed by `data: [DONE]`. Skip events with a type that you don't know: upstreams add new ones. */
        ResponseStreamEvent: components["schemas"]["ResponseCreatedEvent"] | components["schemas"]["ResponseQueuedEvent"] | components["schemas"]["ResponseInProgressEvent"] | components["schemas"]["ResponseCompletedEvent"] | components["schemas"]["ResponseIncompleteEvent"] | components["schemas"]["ResponseFailedEvent"] | components["schemas"]["ResponseOutputItemAddedEvent"] | components["schemas"]["ResponseOutputItemDoneEvent"] | components["schemas"]["ResponseContentPartAddedEvent"] | components["schemas"]["ResponseContentPartDoneEvent"] | components["schemas"]["ResponseOutputTextDeltaEvent"] | components["schemas"]["ResponseOutputTextDoneEvent"] | components["schemas"]["ResponseOutputTextAnnotationAddedEvent"] | components["schemas"]["ResponseRefusalDeltaEvent"] | components["schemas"]["ResponseRefusalDoneEvent"] | components["schemas"]["ResponseFunctionCallArgumentsDeltaEvent"] | components["schemas"]["ResponseFunctionCallArgumentsDoneEvent"] | components["schemas"]["ResponseCustomToolCallInputDeltaEvent"] | components["schemas"]["ResponseCustomToolCallInputDoneEvent"] | components["schemas"]["ResponseReasoningSummaryPartAddedEvent"] | components["schemas"]["ResponseReasoningSummaryPartDoneEvent"] | components["schemas"]["ResponseReasoningSummaryTextDeltaEvent"] | components["schemas"]["ResponseReasoningSummaryTextDoneEvent"] | components["schemas"]["ResponseReasoningTextDeltaEvent"] | components["schemas"]["ResponseReasoningTextDoneEvent"] | components["schemas"]["HostedToolEvent"] | components["schemas"]["KeepaliveEvent"] | components["schemas"]["ResponseErrorEvent"];
        /** @description Tokens used by the response, as counted by the upstream. */
        ResponseUsage: {
            /** @description Number of input tokens, including earlier turns of the conversation and tokens read from a cache. */
            input_tokens: number;
            /** @description Breakdown of `input_tokens`. Omitted if the upstream doesn't report it. */
            input_tokens_details?: {
                /** @description Tokens read from the upstream's cache, charged at the price of cached input. */
                cached_tokens: number;
                /** @description Tokens written to the upstream's cache, charged at the price of cache writes. Omitted if none. */
                cache_write_tokens?: number | null;
            } | null;
            /** @description Number of output tokens, including reasoning tokens. */
            output_tokens: number;
            /** @description Breakdown of `output_tokens`. Omitted if the upstream doesn't report it. */
            output_tokens_details?: {
                /** @description Reasoning tokens, charged as output. */
                reasoning_tokens: number;
            } | null;
            /** @description The sum of `input_tokens` and `output_tokens`. */
            total_tokens: number;
            /** @description The amount charged, in US dollars. Omitted unless the request has `usage: { include: true }` and calls are charged. */
            cost?: number;
        };
        /**
         * @description The processing tier. The response reports the one that was used. If calls are charged, models with a price accept only `auto` and `default`. Not sent to Anthropic and Gemini upstreams.
         * @enum {string}
         */
        ServiceTier: "auto" | "default" | "flex" | "scale" | "priority" | "fast" | "ultrafast";
        /**
         * @description US dollars as a string, with six decimal places. Can be negative.
         * @example -3.000000
         */
        SignedDollars: string;
        /** @description A page of the account's payments and charges, newest first. */
        Statement: {
            /**
             * @description The type of the object: always `list`.
             * @constant
             */
            object: "list";
            /** @description The lines of this page, newest first. */
            data: components["schemas"]["StatementLine"][];
            /** @description The ID of the first line of this page. Null if the page is empty. */
            first_id: string | null;
            /** @description The ID of the last line of this page. Send it as `after` to get the next page. Null if the page is empty. */
            last_id: string | null;
            /** @description Whether there are more lines after this page. */
            has_more: boolean;
        };
        /** @description A charge or payment of the account. */
        StatementLine: {
            /** @description For a charge, the `x-request-id` of the call. For a payment, its transfer ID, such as an invoice number. */
            id: string;
            /**
             * @description `charge`: a call. `top_up`: a payment. `refund`: a charge returned to the balance. `correction`: a correction of an error, positive or negative.
             * @enum {string}
             */
            kind: "charge" | "top_up" | "refund" | "correction";
            /** @description The amount: positive for money in, negative for money out. */
            amount: components["schemas"]["SignedDollars"];
            /**
             * @description The source of a charge. Payments always go to the `balance`.
             * @enum {string}
             */
            source: "balance" | "subscription";
            /** @description The model of a charge. Null for a payment. */
            model: string | null;
            /** @description The key of a charge. Null for a payment. */
            key_id: string | null;
            /** @description When the amount for a call was reserved, or a payment was posted. A Unix timestamp in seconds. */
            at: number;
        };
        /** @description An input item, from the request or from an earlier turn. */
        StoredItem: {
            /** @description The ID of the item, from the request or assigned by the gateway. */
            id: string;
            /** @description The type of the item, such as `message`, `function_call`, or `function_call_output`. */
            type: string;
            /** @description The role of a message's author. Omitted for other items. */
            role?: string | null;
            /** @description The parts of a message. A string becomes one part. Omitted for other items. */
            content?: unknown;
        } & {
            [key: string]: unknown;
        };
        /** @description A paragraph of the reasoning summary. */
        SummaryText: {
            /**
             * @description The type of the object: always `summary_text`.
             * @constant
             */
            type: "summary_text";
            /** @description The text of the paragraph. */
            text: string;
        };
        /** @description Tokens by price class. The classes don't overlap. */
        SummedTokens: {
            /** @description Input tokens neither read from a cache nor written to one. */
            input: number;
            /** @description Input tokens read from a cache. */
            cached_input: number;
            /** @description Input tokens written to a cache. */
            cache_write: number;
            /** @description Output tokens, including reasoning tokens. */
            output: number;
        };
        /** @description A citation or a file path in a text. */
        TextAnnotation: {
            /** @description The type of the annotation, such as `url_citation` or `file_path`. The other fields depend on it. */
            type: string;
        } & {
            [key: string]: unknown;
        };
        /** @description The format of the output, for structured output. In chat completions this is `response_format`. */
        TextFormat: components["schemas"]["PlainTextFormat"] | components["schemas"]["JsonObjectFormat"] | components["schemas"]["JsonSchemaFormat"];
        /** @description The text format of the request, as repeated by the upstream. */
        TextFormatEcho: {
            /** @description The type of the format: `text`, `json_object`, or `json_schema`. */
            type: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Moderation of a text call by the upstream. Returns 400 on Anthropic and Gemini upstreams. In image requests, `moderation` is a string instead. */
        TextModeration: {
            /** @description The ID of one of the upstream's moderation models. */
            model: string;
            /** @description The moderation policy, in the upstream's format. Omit to use the model's default policy. */
            policy?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description The format and verbosity of the output text. */
        TextOptions: {
            /** @description The format of the output. Defaults to plain text. */
            format?: components["schemas"]["TextFormat"] | null;
            /** @description How verbose the output is. Defaults to the model's own value, usually `medium`. */
            verbosity?: components["schemas"]["Verbosity"] | null;
        };
        /** @description The log probability of a token. */
        TokenLogprob: {
            /** @description The token as text. */
            token: string;
            /** @description The natural logarithm of the token's probability, at most 0. */
            logprob: number;
            /** @description The token as UTF-8 bytes. One character can span several tokens. Null or omitted if the token has no bytes. */
            bytes?: number[] | null;
            /** @description The most likely tokens at this position, as many as the request's `top_logprobs`. Empty or omitted if that is 0. */
            top_logprobs?: {
                /** @description The token as text. */
                token: string;
                /** @description The natural logarithm of the token's probability, at most 0. */
                logprob: number;
            }[] | null;
        };
        /** @description Prices by tokens. */
        TokenPrices: {
            /** @description Price per million input tokens. */
            input: components["schemas"]["Dollars"];
            /** @description Price per million input tokens read from a cache. */
            cached_input: components["schemas"]["Dollars"];
            /** @description Price per million input tokens written to a cache. */
            cache_write: components["schemas"]["Dollars"];
            /** @description Price per million input tokens written to a cache that keeps them for 1 hour. */
            cache_write_1h: components["schemas"]["Dollars"];
            /** @description Price per million input tokens written to a cache that keeps them for 12 hours. */
            cache_write_12h: components["schemas"]["Dollars"];
            /** @description Price per million input tokens of images. */
            image_input: components["schemas"]["Dollars"];
            /** @description Price per million input tokens of audio. */
            audio_input: components["schemas"]["Dollars"];
            /** @description Price per million output tokens, including reasoning tokens. */
            output: components["schemas"]["Dollars"];
            /** @description Price per million output tokens of images. */
            image_output: components["schemas"]["Dollars"];
            /** @description Price per million output tokens of audio. */
            audio_output: components["schemas"]["Dollars"];
            /** @description Prices of requests with more input tokens than the key, cached ones included, for the whole request. Absent if the length of a request makes no difference. */
            long_context?: {
                [key: string]: components["schemas"]["TokenRates"];
            };
            /** @description Factors of the prices per million tokens, by the service tier that processed the request. Requests for a tier without a factor return 400. */
            service_tiers: {
                [key: string]: components["schemas"]["Multiplier"];
            };
            /** @description Price per call to a tool that the upstream runs, by the type of its output item. A tool without a price is dropped if the request only offers it, and returns 400 if the request requires it. Tools that you run cost only their tokens. */
            tools: {
                [key: string]: components["schemas"]["Dollars"];
            };
        };
        /** @description Prices per million tokens. Each token is charged in exactly one of these classes. */
        TokenRates: {
            /** @description Price per million input tokens. */
            input: components["schemas"]["Dollars"];
            /** @description Price per million input tokens read from a cache. */
            cached_input: components["schemas"]["Dollars"];
            /** @description Price per million input tokens written to a cache. */
            cache_write: components["schemas"]["Dollars"];
            /** @description Price per million input tokens written to a cache that keeps them for 1 hour. */
            cache_write_1h: components["schemas"]["Dollars"];
            /** @description Price per million input tokens written to a cache that keeps them for 12 hours. */
            cache_write_12h: components["schemas"]["Dollars"];
            /** @description Price per million input tokens of images. */
            image_input: components["schemas"]["Dollars"];
            /** @description Price per million input tokens of audio. */
            audio_input: components["schemas"]["Dollars"];
            /** @description Price per million output tokens, including reasoning tokens. */
            output: components["schemas"]["Dollars"];
            /** @description Price per million output tokens of images. */
            image_output: components["schemas"]["Dollars"];
            /** @description Price per million output tokens of audio. */
            audio_output: components["schemas"]["Dollars"];
        };
        /** @description A tool that the model can call, run by you or by the upstream. */
        Tool: components["schemas"]["FunctionTool"] | components["schemas"]["CustomTool"] | components["schemas"]["NamespaceTool"] | components["schemas"]["WebSearchTool"] | components["schemas"]["McpTool"] | components["schemas"]["HostedTool"];
        /** @description `none`: the model calls no tools. `auto`: the model decides. `required`: the model must call at least one tool. An object selects one tool, which must be called, or a subset of the tools (`allowed_tools`), which is a hard limit. */
        ToolChoice: ("none" | "auto" | "required") | components["schemas"]["ToolSelection"];
        /** @description A tool of the request, as repeated by the upstream. */
        ToolEcho: {
            /** @description The type of the tool, such as `function` or `web_search`. */
            type: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Letters, digits, `_` and `-`; at most 64.
         * @example get_weather
         */
        ToolName: string;
        /** @description A string, or up to 1,024 parts. Upstreams that accept only text as a tool's output get the text there, and the images and files in a message after it. */
        ToolOutput: string | components["schemas"]["ToolOutputPart"][];
        /** @description A part of a tool's output: text, an image, or a file. */
        ToolOutputPart: components["schemas"]["InputText"] | components["schemas"]["InputImage"] | components["schemas"]["InputFile"];
        /** @description A tool search from an earlier turn. Sent only to responses upstreams. */
        ToolSearchCall: {
            /**
             * @description The type of the object: always `tool_search_call`.
             * @constant
             */
            type: "tool_search_call";
            /** @description The ID that links the search to its output. Null if the upstream ran the search. */
            call_id?: string | null;
            /** @description The search query, as the model wrote it. */
            arguments: unknown;
            /** @description The place where the search ran: `client` or `server`. Optional; the provider decides if omitted. */
            execution?: string | null;
            /** @description Optional. The ID of the item, from the client or from an earlier response. Accepted, but not sent to the upstream, which doesn't know the ID. If omitted, a stored item gets a new ID. */
            id?: string | null;
            /** @description The status of the item in the earlier response. The gateway ignores it, so you can omit it. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description The result of a tool search. Upstreams that don't support such items get these tools in `tools`. */
        ToolSearchOutput: {
            /**
             * @description The type of the object: always `tool_search_output`.
             * @constant
             */
            type: "tool_search_output";
            /** @description The `call_id` of the search. Null if the upstream ran the search. */
            call_id?: string | null;
            /** @description Up to 1,024 tools that were found. The model can call them from here on. */
            tools: components["schemas"]["Tool"][];
            /** @description The place where the search ran: `client` or `server`. Optional; the provider decides if omitted. */
            execution?: string | null;
            /** @description Optional. The ID of the item, from the client or from an earlier response. Accepted, but not sent to the upstream, which doesn't know the ID. If omitted, a stored item gets a new ID. */
            id?: string | null;
            /** @description The status of the item in the earlier response. The gateway ignores it, so you can omit it. */
            status?: components["schemas"]["ItemStatus"] | null;
        };
        /** @description A tool, or a subset of the tools. */
        ToolSelection: components["schemas"]["NamedChoice"] | components["schemas"]["HostedChoice"] | components["schemas"]["McpChoice"] | components["schemas"]["AllowedTools"];
        /** @description The body of status 415 with `unsupported_media_type`. */
        UnsupportedMediaTypeErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["UnsupportedMediaTypeErrorDetail"];
        };
        /** @description The error with status 415 and `unsupported_media_type`. All four fields are always present. */
        UnsupportedMediaTypeErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "unsupported_media_type";
        };
        /** @description The body of status 426 with `upgrade_required`. */
        UpgradeRequiredErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["UpgradeRequiredErrorDetail"];
        };
        /** @description The error with status 426 and `upgrade_required`. All four fields are always present. */
        UpgradeRequiredErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "upgrade_required";
        };
        /** @description The body of status 502 with `upstream_error`. */
        UpstreamErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["UpstreamErrorDetail"];
        };
        /** @description The error with status 502 and `upstream_error`. All four fields are always present. */
        UpstreamErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "server_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "upstream_error";
        };
        /** @description The upstreams of a model with the same protocols and rules. */
        UpstreamProtocol: {
            /** @description The protocols that the upstream supports for this model. */
            protocols: ("chat" | "responses" | "anthropic" | "gemini" | "converse" | "images")[];
            /** @description The operations that the upstream can serve and that your key can use, with the fields of their requests. A field whose value decides is in several lists. */
            operations: components["schemas"]["OperationFields"][];
        };
        /** @description The body of status 504 with `upstream_timeout`. */
        UpstreamTimeoutErrorBody: {
            /** @description Details of the error. */
            error: components["schemas"]["UpstreamTimeoutErrorDetail"];
        };
        /** @description The error with status 504 and `upstream_timeout`. All four fields are always present. */
        UpstreamTimeoutErrorDetail: {
            /** @description A human-readable message with the problem and how to fix it. The wording may change. */
            message: string;
            /**
             * @description The general category of the error.
             * @enum {string}
             */
            type: "server_error";
            /** @description The path of the field that caused the error, such as `messages[2].content`. Null if no field caused it. */
            param: string | null;
            /**
             * @description The exact reason, for use in code. Each code has exactly one status and one type.
             * @enum {string}
             */
            code: "upstream_timeout";
        };
        /** @description An attempt at an upstream. */
        UsageAttempt: {
            /** @description The name of the upstream in the configuration, as in `x-modelgate-attempts`. */
            upstream: string;
            /** @description The HTTP status of the upstream's response. Null if no response arrived. */
            status: number | null;
            /** @description The error code of the failure. Null if the attempt succeeded. */
            code: string | null;
            /** @description Milliseconds until the attempt failed, or until its response could be forwarded. */
            ms: number;
            /** @description The API chosen for this attempt, as in `x-modelgate-protocol`. Null if there was no choice to make. */
            protocol: string | null;
        };
        /** @description A page of the requests of an account, newest first. */
        UsageList: {
            /**
             * @description The type of the object: always `list`.
             * @constant
             */
            object: "list";
            /** @description The requests of this page, newest first. */
            data: components["schemas"]["UsageRecord"][];
            /** @description The `request_id` of the first request of this page. Null if the page is empty. */
            first_id: string | null;
            /** @description The `request_id` of the last request of this page. Send it as `after` to get the next page. Null if the page is empty. */
            last_id: string | null;
            /** @description Whether there are more requests after this page. */
            has_more: boolean;
        };
        /** @description Options for the usage in the response. With `include: true`, the usage of a complete response, or of the last event of a stream, contains `usage.cost`. A stream then always reports its usage. */
        UsageOptions: {
            /** @description Whether to include `usage.cost` in the response. Defaults to false. */
            include?: boolean | null;
        };
        /** @description A request that was charged, or that has an amount reserved. */
        UsageRecord: {
            /**
             * @description The type of the object: always `usage`.
             * @constant
             */
            object: "usage";
            /** @description The `x-request-id` of the response. */
            request_id: string;
            /** @description The ID of the key that made the request. */
            key_id: string;
            /** @description The ID of the model, as in the request. */
            model: string;
            /** @description The name of the operation, such as `createResponse`. */
            operation: string;
            /**
             * @description `held`: in flight. `posted`: charged. `voided`: free of charge, with the reserved amount released. `expired`: the reserved amount was released because the gateway process stopped. If that process turns out to be alive and the request ends, its cost is still charged, as far as funds remain.
             * @enum {string}
             */
            state: "held" | "posted" | "voided" | "expired";
            /** @description How the request ended, such as `completed`, `failed`, or `client_disconnected`. Null while it's in flight. */
            outcome: string | null;
            /**
             * @description The source of payment.
             * @enum {string}
             */
            source: "balance" | "subscription";
            /** @description The amount reserved before the request was sent: the maximum it could cost. */
            held: components["schemas"]["Dollars"];
            /** @description The amount charged. Never more than `held`. */
            charged: components["schemas"]["Dollars"];
            /** @description Whether the gateway estimated the tokens because the upstream didn't report them. */
            estimated: boolean;
            /** @description The tokens used, in classes that don't overlap. Null until something is charged. */
            tokens: components["schemas"]["UsageTokens"] | null;
            /** @description The output limit in tokens that the gateway set, because the request had none and the account couldn't pay for more. Null if it set none. */
            output_limit: number | null;
            /** @description Images generated, by `size/quality`. Null until something is charged. */
            images: {
                [key: string]: number;
            } | null;
            /** @description Calls to tools that the upstream ran, by the type of their output item. Null until something is charged. */
            tools: {
                [key: string]: number;
            } | null;
            /** @description When the amount was reserved, as a Unix timestamp in seconds. */
            created_at: number;
            /** @description When the request was charged or the reserved amount released, as a Unix timestamp in seconds. Null while it's in flight. */
            settled_at: number | null;
        };
        /** @description Totals of the account's calls over time. */
        UsageSummary: {
            /**
             * @description The type of the object: always `usage_summary`.
             * @constant
             */
            object: "usage_summary";
            /** @description The start of the range as a Unix timestamp in seconds: the requested `from`, rounded down to the full hour. */
            from: number;
            /** @description The end of the range as a Unix timestamp in seconds, exclusive. */
            to: number;
            /**
             * @description The length of a bucket, in UTC. Weeks start on Monday.
             * @enum {string}
             */
            bucket: "hour" | "day" | "week" | "month";
            /** @description All calls that ended before this time are included. A Unix timestamp in seconds. */
            complete_until: number;
            /** @description The rows by model or key, the most expensive first, then by time. Buckets without calls are omitted. */
            data: components["schemas"]["UsageSummaryRow"][];
            /** @description Totals over the entire range. */
            total: components["schemas"]["UsageSums"];
        };
        /** @description Totals of the calls that ended in a bucket, for one model or key. */
        UsageSummaryRow: {
            /** @description The start of the bucket in UTC, as a Unix timestamp in seconds. The first bucket can start before `from`. */
            at: number;
            /** @description The model; an empty string for calls without one. Null if the rows aren't grouped by model, or if `is_other` is true. */
            model: string | null;
            /** @description The key. Null if the rows aren't grouped by key, or if `is_other` is true. */
            key_id: string | null;
            /** @description Whether this row combines everything except the twelve most expensive groups. */
            is_other: boolean;
            /** @description Number of finished calls. Reading your account isn't a call. */
            requests: number;
            /** @description Number of failed calls: those that ended with a 5xx error, or with an error during a stream. */
            errors: number;
            /** @description Number of rejected calls: those that ended with a 4xx error. */
            rejected: number;
            /** @description Tokens used by the calls. */
            tokens: components["schemas"]["SummedTokens"];
            /** @description Images generated by the calls. */
            images: number;
            /** @description The amount charged for the calls, to the balance or a subscription. */
            charged: components["schemas"]["Dollars"];
        };
        /** @description Totals of calls. */
        UsageSums: {
            /** @description Number of finished calls. Reading your account isn't a call. */
            requests: number;
            /** @description Number of failed calls: those that ended with a 5xx error, or with an error during a stream. */
            errors: number;
            /** @description Number of rejected calls: those that ended with a 4xx error. */
            rejected: number;
            /** @description Tokens used by the calls. */
            tokens: components["schemas"]["SummedTokens"];
            /** @description Images generated by the calls. */
            images: number;
            /** @description The amount charged for the calls, to the balance or a subscription. */
            charged: components["schemas"]["Dollars"];
        };
        /** @description Tokens by price class. The classes don't overlap. */
        UsageTokens: {
            /** @description Input tokens neither read from a cache nor written to one. */
            input: number;
            /** @description Input tokens read from a cache. */
            cached_input: number;
            /** @description Input tokens written to a cache. */
            cache_write: number;
            /** @description Output tokens, including reasoning tokens. */
            output: number;
            /** @description The part of `output` that is reasoning. */
            reasoning: number;
        };
        /** @description How verbose the output is. Sent to chat and responses upstreams only: Anthropic and Gemini upstreams have no such option. */
        Verbosity: string;
        /** @description Web search, run by the upstream and charged per call. If the upstream doesn't support it, or it has no price, the tool is dropped and listed in `x-modelgate-dropped`. A request whose `tool_choice` requires it returns 400. */
        WebSearchTool: {
            /**
             * @description The version of the search tool. New code should use `web_search`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "web_search" | "web_search_2025_08_26" | "web_search_preview" | "web_search_preview_2025_03_11";
            /** @description Whether the upstream fetches pages from the web. False limits it to pages it has cached. Optional; the provider decides if omitted, usually true. */
            external_web_access?: boolean | null;
            /** @description A filter for the pages to search, in the upstream's format, such as `allowed_domains`. Omit to search all. */
            filters?: {
                [key: string]: unknown;
            } | null;
            /** @description Optional. The user's approximate location, in the upstream's format. */
            user_location?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description How much of the search results is added to the context. Optional; the provider decides if omitted, usually `medium`.
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
         * @description The ID of this request. Include it when you report a problem, so that the operator can find the log entry.
         * @example req_01k5h2r7c8v9
         */
        "x-request-id": string;
        /**
         * @description Seconds to wait before the next attempt.
         * @example 2
         */
        "retry-after": number;
        /**
         * @description Milliseconds to wait before the next attempt.
         * @example 1500
         */
        "retry-after-ms": number;
        /**
         * @description The protocol that the gateway supports.
         * @example HTTP/1.1
         */
        upgrade: string;
        /**
         * @description The authentication scheme that the gateway accepts.
         * @example Bearer
         */
        "www-authenticate": string;
        /**
         * @description The maximum number of requests per minute. Omitted if not limited.
         * @example 60
         */
        "x-ratelimit-limit-requests": number;
        /**
         * @description The number of requests remaining.
         * @example 59
         */
        "x-ratelimit-remaining-requests": number;
        /**
         * @description Time until the request limit is fully restored.
         * @example 1s
         */
        "x-ratelimit-reset-requests": string;
        /**
         * @description The maximum number of tokens per minute. Omitted if not limited.
         * @example 100000
         */
        "x-ratelimit-limit-tokens": number;
        /**
         * @description The number of tokens remaining, minus an estimate for this call.
         * @example 98760
         */
        "x-ratelimit-remaining-tokens": number;
        /**
         * @description Time until the token limit is fully restored.
         * @example 744ms
         */
        "x-ratelimit-reset-tokens": string;
        /**
         * @description `true` if this is the response of an earlier request with the same idempotency key.
         * @example true
         */
        "idempotent-replayed": string;
        /**
         * @description The upstreams that were tried, in order. For each: its name, the status of its response if there was one, the error, and the duration in milliseconds.
         * @example main;status=503;error=upstream_unavailable;ms=12, backup;status=200;ms=340
         */
        "x-modelgate-attempts": string;
        /**
         * @description The API that the gateway used for the upstream (`responses` or `chat`). Set only if the gateway switched APIs because the provider rejects such calls on yours.
         * @example responses
         */
        "x-modelgate-protocol": string;
        /**
         * @description The amount charged for the response, in US dollars. The charge of a stream is known at its end; retrieve it with `GET /v1/usage/{request_id}`.
         * @example 0.004760
         */
        "x-modelgate-cost": string;
        /**
         * @description The output limit in tokens that the gateway set, because the account can't pay for more.
         * @example 2048
         */
        "x-modelgate-output-limit": number;
        /**
         * @description The fields, items, and tools of the request that the gateway didn't send to the upstream, such as `messages[2].name`: up to 32 paths, then the number of the others (`and-7-more`).
         * @example seed, messages[2].name
         */
        "x-modelgate-dropped": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listModels: {
        parameters: {
            query?: {
                /** @description Optional. Sent by the Codex CLI, which then also gets the list in its own format. The value doesn't matter. */
                client_version?: string;
            };
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), if the gateway records traces. Omit to start a new trace.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
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
            /** @description The request is invalid. `param` names the field. */
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
            /** @description The API key is missing, mistyped, expired, or revoked. */
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
            /** @description The key, its account, or its balance doesn't allow this. */
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
            /** @description The request arrived too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description The client requested another protocol. */
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
            /** @description A rate limit was reached. Wait for the number of seconds in `retry-after`. */
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
            /** @description The provider or the gateway is overloaded, or no upstream is available. Wait for the number of seconds in `retry-after`. */
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
    createResponse: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Optional. A key of your choice that identifies this request. Another request with the same key within 24 hours returns the response of the first one and isn't charged; while the first one is in flight, it returns 409.
                 * @example 5f1c2a9e-7d0b-4b8e-9a52-3d1f6f0a8c11
                 */
                "idempotency-key"?: string;
                /**
                 * @description Optional. The scenario that a simulator plays, such as `error 503` or `cut 3`. An unknown scenario returns 400 with a list of all scenarios. If omitted, the prompt can name a scenario. Other upstreams and replays of recorded calls ignore this header.
                 * @example error 503
                 */
                "x-modelgate-scenario"?: string;
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), if the gateway records traces. Omit to start a new trace.
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
            /** @description The response. With `stream`, a stream of events as `text/event-stream`. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    "x-modelgate-dropped": components["headers"]["x-modelgate-dropped"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelResponse"];
                    "text/event-stream": components["schemas"]["ResponseStreamEvent"];
                };
            };
            /** @description The request is invalid. `param` names the field. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateResponseBadRequestErrorBody"];
                };
            };
            /** @description The API key is missing, mistyped, expired, or revoked. */
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
            /** @description The key, its account, or its balance doesn't allow this. */
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
            /** @description The model, response, request, or URL doesn't exist. */
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
            /** @description The request arrived too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description The request conflicts with the current state, or with another request in flight. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTooLargeErrorBody"];
                };
            };
            /** @description The content type or encoding isn't supported. */
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
            /** @description The client requested another protocol. */
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
            /** @description A rate limit was reached. Wait for the number of seconds in `retry-after`. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpstreamErrorBody"];
                };
            };
            /** @description The provider or the gateway is overloaded, or no upstream is available. Wait for the number of seconds in `retry-after`. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoCapacityErrorBody"];
                };
            };
            /** @description The upstream didn't respond in time. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
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
    createChatCompletion: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Optional. A key of your choice that identifies this request. Another request with the same key within 24 hours returns the response of the first one and isn't charged; while the first one is in flight, it returns 409.
                 * @example 5f1c2a9e-7d0b-4b8e-9a52-3d1f6f0a8c11
                 */
                "idempotency-key"?: string;
                /**
                 * @description Optional. The scenario that a simulator plays, such as `error 503` or `cut 3`. An unknown scenario returns 400 with a list of all scenarios. If omitted, the prompt can name a scenario. Other upstreams and replays of recorded calls ignore this header.
                 * @example error 503
                 */
                "x-modelgate-scenario"?: string;
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), if the gateway records traces. Omit to start a new trace.
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
            /** @description The response. With `stream`, a stream of events as `text/event-stream`. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    "x-modelgate-dropped": components["headers"]["x-modelgate-dropped"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatCompletion"];
                    "text/event-stream": components["schemas"]["ChatCompletionChunk"];
                };
            };
            /** @description The request is invalid. `param` names the field. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateChatCompletionBadRequestErrorBody"];
                };
            };
            /** @description The API key is missing, mistyped, expired, or revoked. */
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
            /** @description The key, its account, or its balance doesn't allow this. */
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
            /** @description The model, response, request, or URL doesn't exist. */
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
            /** @description The request arrived too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description The request conflicts with the current state, or with another request in flight. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTooLargeErrorBody"];
                };
            };
            /** @description The content type or encoding isn't supported. */
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
            /** @description The client requested another protocol. */
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
            /** @description A rate limit was reached. Wait for the number of seconds in `retry-after`. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpstreamErrorBody"];
                };
            };
            /** @description The provider or the gateway is overloaded, or no upstream is available. Wait for the number of seconds in `retry-after`. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoCapacityErrorBody"];
                };
            };
            /** @description The upstream didn't respond in time. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
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
                 * @description Optional. A key of your choice that identifies this request. Another request with the same key within 24 hours returns the response of the first one and isn't charged; while the first one is in flight, it returns 409.
                 * @example 5f1c2a9e-7d0b-4b8e-9a52-3d1f6f0a8c11
                 */
                "idempotency-key"?: string;
                /**
                 * @description Optional. The scenario that a simulator plays, such as `error 503` or `cut 3`. An unknown scenario returns 400 with a list of all scenarios. If omitted, the prompt can name a scenario. Other upstreams and replays of recorded calls ignore this header.
                 * @example error 503
                 */
                "x-modelgate-scenario"?: string;
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), if the gateway records traces. Omit to start a new trace.
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
            /** @description The response. With `stream`, a stream of events as `text/event-stream`. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    "x-modelgate-dropped": components["headers"]["x-modelgate-dropped"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImageList"];
                    "text/event-stream": components["schemas"]["ImageGenerationEvent"];
                };
            };
            /** @description The request is invalid. `param` names the field. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenerateImagesBadRequestErrorBody"];
                };
            };
            /** @description The API key is missing, mistyped, expired, or revoked. */
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
            /** @description The key, its account, or its balance doesn't allow this. */
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
            /** @description The model, response, request, or URL doesn't exist. */
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
            /** @description The request arrived too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description The request conflicts with the current state, or with another request in flight. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTooLargeErrorBody"];
                };
            };
            /** @description The content type or encoding isn't supported. */
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
            /** @description The client requested another protocol. */
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
            /** @description A rate limit was reached. Wait for the number of seconds in `retry-after`. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpstreamErrorBody"];
                };
            };
            /** @description The provider or the gateway is overloaded, or no upstream is available. Wait for the number of seconds in `retry-after`. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoCapacityErrorBody"];
                };
            };
            /** @description The upstream didn't respond in time. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
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
                 * @description Optional. A key of your choice that identifies this request. Another request with the same key within 24 hours returns the response of the first one and isn't charged; while the first one is in flight, it returns 409.
                 * @example 5f1c2a9e-7d0b-4b8e-9a52-3d1f6f0a8c11
                 */
                "idempotency-key"?: string;
                /**
                 * @description Optional. The scenario that a simulator plays, such as `error 503` or `cut 3`. An unknown scenario returns 400 with a list of all scenarios. If omitted, the prompt can name a scenario. Other upstreams and replays of recorded calls ignore this header.
                 * @example error 503
                 */
                "x-modelgate-scenario"?: string;
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), if the gateway records traces. Omit to start a new trace.
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
            /** @description The response. With `stream`, a stream of events as `text/event-stream`. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    "x-modelgate-dropped": components["headers"]["x-modelgate-dropped"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImageList"];
                    "text/event-stream": components["schemas"]["ImageEditEvent"];
                };
            };
            /** @description The request is invalid. `param` names the field. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EditImagesBadRequestErrorBody"];
                };
            };
            /** @description The API key is missing, mistyped, expired, or revoked. */
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
            /** @description The key, its account, or its balance doesn't allow this. */
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
            /** @description The model, response, request, or URL doesn't exist. */
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
            /** @description The request arrived too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description The request conflicts with the current state, or with another request in flight. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTooLargeErrorBody"];
                };
            };
            /** @description The content type or encoding isn't supported. */
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
            /** @description The client requested another protocol. */
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
            /** @description A rate limit was reached. Wait for the number of seconds in `retry-after`. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpstreamErrorBody"];
                };
            };
            /** @description The provider or the gateway is overloaded, or no upstream is available. Wait for the number of seconds in `retry-after`. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoCapacityErrorBody"];
                };
            };
            /** @description The upstream didn't respond in time. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
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
    getModel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), if the gateway records traces. Omit to start a new trace.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path: {
                /** @description The `id` of a model from the list. */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
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
            /** @description The request is invalid. `param` names the field. */
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
            /** @description The API key is missing, mistyped, expired, or revoked. */
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
            /** @description The key, its account, or its balance doesn't allow this. */
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
            /** @description The model, response, request, or URL doesn't exist. */
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
            /** @description The request arrived too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description The client requested another protocol. */
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
            /** @description A rate limit was reached. Wait for the number of seconds in `retry-after`. */
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
            /** @description The provider or the gateway is overloaded, or no upstream is available. Wait for the number of seconds in `retry-after`. */
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
    getProtocol: {
        parameters: {
            query?: {
                /** @description Only this model. Omit to get all models that your key can call. */
                model?: string;
            };
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), if the gateway records traces. Omit to start a new trace.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProtocolList"];
                };
            };
            /** @description The request is invalid. `param` names the field. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetProtocolBadRequestErrorBody"];
                };
            };
            /** @description The API key is missing, mistyped, expired, or revoked. */
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
            /** @description The key, its account, or its balance doesn't allow this. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionDeniedErrorBody"];
                };
            };
            /** @description The model, response, request, or URL doesn't exist. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelNotFoundErrorBody"];
                };
            };
            /** @description The request arrived too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description The client requested another protocol. */
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
            /** @description A rate limit was reached. Wait for the number of seconds in `retry-after`. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorBody"];
                };
            };
            /** @description The provider or the gateway is overloaded, or no upstream is available. Wait for the number of seconds in `retry-after`. */
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
    getCatalog: {
        parameters: {
            query?: {
                /** @description Only models that accounts in this group can call. `default` and `vip` always exist. Omit to get all models. */
                group?: string;
            };
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), if the gateway records traces. Omit to start a new trace.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogList"];
                };
            };
            /** @description The request is invalid. `param` names the field. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCatalogBadRequestErrorBody"];
                };
            };
            /** @description The request arrived too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description The client requested another protocol. */
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
            /** @description The provider or the gateway is overloaded, or no upstream is available. Wait for the number of seconds in `retry-after`. */
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
    countInputTokens: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), if the gateway records traces. Omit to start a new trace.
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
            /** @description The response. */
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
                    "application/json": components["schemas"]["InputTokens"];
                };
            };
            /** @description The request is invalid. `param` names the field. */
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
                    "application/json": components["schemas"]["CountInputTokensBadRequestErrorBody"];
                };
            };
            /** @description The API key is missing, mistyped, expired, or revoked. */
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
            /** @description The key, its account, or its balance doesn't allow this. */
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
            /** @description The model, response, request, or URL doesn't exist. */
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
            /** @description The request arrived too slowly. */
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
            /** @description The content type or encoding isn't supported. */
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
            /** @description The client requested another protocol. */
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
            /** @description A rate limit was reached. Wait for the number of seconds in `retry-after`. */
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
            /** @description The provider or the gateway is overloaded, or no upstream is available. Wait for the number of seconds in `retry-after`. */
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
    getResponse: {
        parameters: {
            query?: {
                /** @description Whether to stream the events of the response, from the first one or after `starting_after`. The stream continues while the response runs. Events are kept for 10 minutes after the end. Defaults to false. */
                stream?: boolean;
                /** @description With `stream`, the `sequence_number` of the last event that you have. Defaults to all events. */
                starting_after?: number;
                /** @description Accepted for clients of OpenAI; events are sent as they were. Optional. */
                include_obfuscation?: boolean;
            };
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), if the gateway records traces. Omit to start a new trace.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path: {
                /** @description The `id` of a response that is stored for your account. */
                response_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. With `stream`, a stream of events as `text/event-stream`. */
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
                    "text/event-stream": components["schemas"]["ResponseStreamEvent"];
                };
            };
            /** @description The request is invalid. `param` names the field. */
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
            /** @description The API key is missing, mistyped, expired, or revoked. */
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
            /** @description The key, its account, or its balance doesn't allow this. */
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
            /** @description The model, response, request, or URL doesn't exist. */
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
            /** @description The request arrived too slowly. */
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
            /** @description The client requested another protocol. */
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
            /** @description A rate limit was reached. Wait for the number of seconds in `retry-after`. */
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
            /** @description The provider or the gateway is overloaded, or no upstream is available. Wait for the number of seconds in `retry-after`. */
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
                 * @description The trace that the request belongs to (W3C Trace Context), if the gateway records traces. Omit to start a new trace.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path: {
                /** @description The `id` of a response that is stored for your account. */
                response_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
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
            /** @description The request is invalid. `param` names the field. */
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
            /** @description The API key is missing, mistyped, expired, or revoked. */
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
            /** @description The key, its account, or its balance doesn't allow this. */
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
            /** @description The model, response, request, or URL doesn't exist. */
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
            /** @description The request arrived too slowly. */
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
            /** @description The content type or encoding isn't supported. */
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
            /** @description The client requested another protocol. */
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
            /** @description A rate limit was reached. Wait for the number of seconds in `retry-after`. */
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
            /** @description The provider or the gateway is overloaded, or no upstream is available. Wait for the number of seconds in `retry-after`. */
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
    cancelResponse: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), if the gateway records traces. Omit to start a new trace.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path: {
                /** @description The `id` of a response that is stored for your account. */
                response_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
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
            /** @description The request is invalid. `param` names the field. */
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
                    "application/json": components["schemas"]["CancelResponseBadRequestErrorBody"];
                };
            };
            /** @description The API key is missing, mistyped, expired, or revoked. */
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
            /** @description The key, its account, or its balance doesn't allow this. */
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
            /** @description The model, response, request, or URL doesn't exist. */
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
            /** @description The request arrived too slowly. */
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
            /** @description The content type or encoding isn't supported. */
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
            /** @description The client requested another protocol. */
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
            /** @description A rate limit was reached. Wait for the number of seconds in `retry-after`. */
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
            /** @description The provider or the gateway is overloaded, or no upstream is available. Wait for the number of seconds in `retry-after`. */
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
    compactResponse: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Optional. A key of your choice that identifies this request. Another request with the same key within 24 hours returns the response of the first one and isn't charged; while the first one is in flight, it returns 409.
                 * @example 5f1c2a9e-7d0b-4b8e-9a52-3d1f6f0a8c11
                 */
                "idempotency-key"?: string;
                /**
                 * @description Optional. The scenario that a simulator plays, such as `error 503` or `cut 3`. An unknown scenario returns 400 with a list of all scenarios. If omitted, the prompt can name a scenario. Other upstreams and replays of recorded calls ignore this header.
                 * @example error 503
                 */
                "x-modelgate-scenario"?: string;
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), if the gateway records traces. Omit to start a new trace.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompactionRequest"];
            };
        };
        responses: {
            /** @description The response. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    "x-modelgate-dropped": components["headers"]["x-modelgate-dropped"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompactedResponse"];
                };
            };
            /** @description The request is invalid. `param` names the field. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompactResponseBadRequestErrorBody"];
                };
            };
            /** @description The API key is missing, mistyped, expired, or revoked. */
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
            /** @description The key, its account, or its balance doesn't allow this. */
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
            /** @description The model, response, request, or URL doesn't exist. */
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
            /** @description The request arrived too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description The request conflicts with the current state, or with another request in flight. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTooLargeErrorBody"];
                };
            };
            /** @description The content type or encoding isn't supported. */
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
            /** @description The client requested another protocol. */
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
            /** @description A rate limit was reached. Wait for the number of seconds in `retry-after`. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpstreamErrorBody"];
                };
            };
            /** @description The provider or the gateway is overloaded, or no upstream is available. Wait for the number of seconds in `retry-after`. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
                    "x-modelgate-cost": components["headers"]["x-modelgate-cost"];
                    "x-modelgate-output-limit": components["headers"]["x-modelgate-output-limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoCapacityErrorBody"];
                };
            };
            /** @description The upstream didn't respond in time. */
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
                    "x-modelgate-protocol": components["headers"]["x-modelgate-protocol"];
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
    listInputItems: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return, from 1 to 100; fewer if they're large. Defaults to 20. */
                limit?: number;
                /** @description The order of the items: `asc` for oldest first, `desc` for newest first. Defaults to `desc`. */
                order?: "asc" | "desc";
                /** @description A cursor: the `last_id` of the previous page. Omit for the first page. */
                after?: string;
            };
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), if the gateway records traces. Omit to start a new trace.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path: {
                /** @description The `id` of a response that is stored for your account. */
                response_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
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
            /** @description The request is invalid. `param` names the field. */
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
            /** @description The API key is missing, mistyped, expired, or revoked. */
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
            /** @description The key, its account, or its balance doesn't allow this. */
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
            /** @description The model, response, request, or URL doesn't exist. */
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
            /** @description The request arrived too slowly. */
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
            /** @description The client requested another protocol. */
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
            /** @description A rate limit was reached. Wait for the number of seconds in `retry-after`. */
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
            /** @description The provider or the gateway is overloaded, or no upstream is available. Wait for the number of seconds in `retry-after`. */
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
    listUsage: {
        parameters: {
            query?: {
                /** @description Only requests from this time on, as a Unix timestamp in seconds. Omit to start with the first request. */
                from?: number;
                /** @description Only requests before this time, as a Unix timestamp in seconds. Defaults to now. */
                to?: number;
                /** @description Maximum number of requests to return, from 1 to 100. Defaults to 20. */
                limit?: number;
                /** @description A cursor: the `last_id` of the previous page. Omit for the first page. */
                after?: string;
            };
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), if the gateway records traces. Omit to start a new trace.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageList"];
                };
            };
            /** @description The request is invalid. `param` names the field. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListUsageBadRequestErrorBody"];
                };
            };
            /** @description The API key is missing, mistyped, expired, or revoked. */
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
            /** @description The key, its account, or its balance doesn't allow this. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionDeniedErrorBody"];
                };
            };
            /** @description The request arrived too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description The client requested another protocol. */
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
            /** @description A rate limit was reached. Wait for the number of seconds in `retry-after`. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorBody"];
                };
            };
            /** @description The provider or the gateway is overloaded, or no upstream is available. Wait for the number of seconds in `retry-after`. */
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
    getUsage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), if the gateway records traces. Omit to start a new trace.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path: {
                /** @description The `x-request-id` of a response to any key of your account. */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            /** @description The request is invalid. `param` names the field. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetUsageBadRequestErrorBody"];
                };
            };
            /** @description The API key is missing, mistyped, expired, or revoked. */
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
            /** @description The key, its account, or its balance doesn't allow this. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionDeniedErrorBody"];
                };
            };
            /** @description The model, response, request, or URL doesn't exist. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundErrorBody"];
                };
            };
            /** @description The request arrived too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description The client requested another protocol. */
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
            /** @description A rate limit was reached. Wait for the number of seconds in `retry-after`. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorBody"];
                };
            };
            /** @description The provider or the gateway is overloaded, or no upstream is available. Wait for the number of seconds in `retry-after`. */
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
    getAccount: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), if the gateway records traces. Omit to start a new trace.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnAccount"];
                };
            };
            /** @description The request is invalid. `param` names the field. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAccountBadRequestErrorBody"];
                };
            };
            /** @description The API key is missing, mistyped, expired, or revoked. */
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
            /** @description The key, its account, or its balance doesn't allow this. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionDeniedErrorBody"];
                };
            };
            /** @description The request arrived too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description The client requested another protocol. */
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
            /** @description A rate limit was reached. Wait for the number of seconds in `retry-after`. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorBody"];
                };
            };
            /** @description The provider or the gateway is overloaded, or no upstream is available. Wait for the number of seconds in `retry-after`. */
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
    getKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), if the gateway records traces. Omit to start a new trace.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnKey"];
                };
            };
            /** @description The request is invalid. `param` names the field. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetKeyBadRequestErrorBody"];
                };
            };
            /** @description The API key is missing, mistyped, expired, or revoked. */
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
            /** @description The key, its account, or its balance doesn't allow this. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionDeniedErrorBody"];
                };
            };
            /** @description The request arrived too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description The client requested another protocol. */
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
            /** @description A rate limit was reached. Wait for the number of seconds in `retry-after`. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorBody"];
                };
            };
            /** @description The provider or the gateway is overloaded, or no upstream is available. Wait for the number of seconds in `retry-after`. */
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
    getUsageSummary: {
        parameters: {
            query?: {
                /** @description The start of the range as a Unix timestamp in seconds, rounded down to the full hour. Defaults to 30 days before `to`. */
                from?: number;
                /** @description The end of the range as a Unix timestamp in seconds. Defaults to now. */
                to?: number;
                /** @description The length of a bucket. A range can have at most 750 buckets, and at most 7 days with `hour`. Defaults to `day`. */
                bucket?: "hour" | "day" | "week" | "month";
                /** @description How to group the rows of a bucket. Omit to get one row for all calls. */
                group_by?: "model" | "key";
                /** @description Optional. A second dimension to group by. */
                then_by?: "model" | "key";
                /** @description Only calls to this model. Omit to get all models. */
                model?: string;
                /** @description Only calls with this key. Omit to get all keys of the account. */
                key_id?: string;
            };
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), if the gateway records traces. Omit to start a new trace.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageSummary"];
                };
            };
            /** @description The request is invalid. `param` names the field. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetUsageSummaryBadRequestErrorBody"];
                };
            };
            /** @description The API key is missing, mistyped, expired, or revoked. */
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
            /** @description The key, its account, or its balance doesn't allow this. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionDeniedErrorBody"];
                };
            };
            /** @description The request arrived too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description The client requested another protocol. */
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
            /** @description A rate limit was reached. Wait for the number of seconds in `retry-after`. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorBody"];
                };
            };
            /** @description The provider or the gateway is overloaded, or no upstream is available. Wait for the number of seconds in `retry-after`. */
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
    listStatement: {
        parameters: {
            query?: {
                /** @description Only lines from this time on, as a Unix timestamp in seconds. Omit to start with the first line. */
                from?: number;
                /** @description Only lines before this time, as a Unix timestamp in seconds. Defaults to now. */
                to?: number;
                /** @description Maximum number of lines to return, from 1 to 100. Defaults to 50. */
                limit?: number;
                /** @description A cursor: the `last_id` of the previous page. Omit for the first page. */
                after?: string;
            };
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), if the gateway records traces. Omit to start a new trace.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Statement"];
                };
            };
            /** @description The request is invalid. `param` names the field. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListStatementBadRequestErrorBody"];
                };
            };
            /** @description The API key is missing, mistyped, expired, or revoked. */
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
            /** @description The key, its account, or its balance doesn't allow this. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionDeniedErrorBody"];
                };
            };
            /** @description The request arrived too slowly. */
            408: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTimeoutErrorBody"];
                };
            };
            /** @description The client requested another protocol. */
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
            /** @description A rate limit was reached. Wait for the number of seconds in `retry-after`. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "retry-after": components["headers"]["retry-after"];
                    "retry-after-ms": components["headers"]["retry-after-ms"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorBody"];
                };
            };
            /** @description The provider or the gateway is overloaded, or no upstream is available. Wait for the number of seconds in `retry-after`. */
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
}

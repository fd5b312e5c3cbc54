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
            image_input: boolean;
            /**
             * @description What an answer can be held to: a JSON schema, any JSON object, or neither.
             * @enum {string}
             */
            structured_output: "schema" | "json" | "none";
            /** @description Whether a caller can say how much it should think. */
            reasoning_effort: boolean;
        };
        /** @description Tools that a coding agent declares inside the input. */
        AdditionalTools: {
            /** @constant */
            type: "additional_tools";
            role?: "developer" | null;
            tools: components["schemas"]["Tool"][];
            id?: string | null;
            status?: components["schemas"]["ItemStatus"] | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The body of status 403 with one of 3 codes. */
        CallDeniedErrorBody: {
            error: components["schemas"]["CallDeniedErrorDetail"];
        };
        CallDeniedErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "permission_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "permission_denied" | "insufficient_balance" | "subscription_inactive";
        };
        /** @description The body of status 429 with one of 3 codes. */
        CallLimitErrorBody: {
            error: components["schemas"]["CallLimitErrorDetail"];
        };
        CallLimitErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "rate_limit_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "rate_limit_exceeded" | "token_limit_exceeded" | "concurrency_limit_exceeded";
        };
        /** @description Models of the catalog. Which of them a key can call, `GET /v1/models` says. */
        CatalogList: {
            /** @constant */
            object: "list";
            /** @description In a stable order. */
            data: components["schemas"]["CatalogModel"][];
        };
        /** @description One model, for whoever chooses. */
        CatalogModel: {
            /**
             * @description Model id to put into requests.
             * @example gpt-5.4
             */
            id: string;
            /** @constant */
            object: "model";
            /** @description Where the model comes from. */
            owned_by: string;
            /** @enum {string} */
            kind: "text" | "image";
            /** @description Groups of accounts that may call it, and what its prices are multiplied with for each. */
            groups: {
                name: string;
                multiplier: components["schemas"]["Multiplier"];
            }[];
            /** @description Null where calls are not charged. */
            prices: components["schemas"]["CatalogPrices"] | null;
            /** @description Tokens that it takes, answer included. Null where that is not known. */
            context_window: number | null;
            /** @description Most tokens of one answer, by which its price is reckoned where a call sets no limit. Null for pictures. */
            max_output_tokens: number | null;
            /** @description What it can be called by. */
            protocols: ("chat" | "responses" | "images")[];
            abilities: components["schemas"]["Abilities"];
        };
        /** @description Prices before the multiplier of a group. */
        CatalogPrices: "free" | components["schemas"]["TokenPrices"] | components["schemas"]["ImagePrices"];
        ChatAnnotation: {
            type: string;
            url_citation?: ({
                url: string;
                title: string;
                start_index: number;
                end_index: number;
            } & {
                [key: string]: unknown;
            }) | null;
        } & {
            [key: string]: unknown;
        };
        ChatAnsweredMessage: {
            /** @constant */
            role: "assistant";
            /** @description The text of the answer; null when the model only calls tools. */
            content?: string | null;
            refusal?: string | null;
            annotations?: components["schemas"]["ChatAnnotation"][] | null;
            tool_calls?: components["schemas"]["ChatAnsweredToolCall"][] | null;
            function_call?: ({
                name: string;
                arguments: string;
            } & {
                [key: string]: unknown;
            }) | null;
            audio?: ({
                id: string;
                data: string;
                /** @description Seconds since 1970-01-01 UTC. */
                expires_at: number;
                transcript: string;
            } & {
                [key: string]: unknown;
            }) | null;
        } & {
            [key: string]: unknown;
        };
        /** @description A call for the caller to run; its `id` goes back as `tool_call_id`. */
        ChatAnsweredToolCall: ({
            id: string;
            /** @constant */
            type: "function";
            function: {
                name: string;
                arguments: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        }) | ({
            id: string;
            /** @constant */
            type: "custom";
            custom: {
                name: string;
                input: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        });
        /** @description An earlier answer; carries text, a refusal, audio or calls. */
        ChatAssistantMessage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            role: "assistant";
            content?: (string | (components["schemas"]["ChatTextPart"] | components["schemas"]["ChatRefusalPart"])[]) | null;
            refusal?: string | null;
            audio?: ({
                id: string;
            } & {
                [key: string]: unknown;
            }) | null;
            tool_calls?: components["schemas"]["ChatToolCall"][] | null;
            /** @description Deprecated: use `tool_calls`. */
            function_call?: ({
                name: string;
                /** @description JSON as the model wrote it; it may be malformed. */
                arguments: string;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description Tells participants of the same role apart. */
            name?: string | null;
        } & {
            [key: string]: unknown;
        };
        ChatAudioOptions: {
            voice: string | {
                [key: string]: unknown;
            };
            /** @enum {string} */
            format: "wav" | "aac" | "mp3" | "flac" | "opus" | "pcm16";
        } & {
            [key: string]: unknown;
        };
        ChatAudioPart: {
            /** @constant */
            type: "input_audio";
            input_audio: {
                data: string;
                /** @enum {string} */
                format: "wav" | "mp3";
            } & {
                [key: string]: unknown;
            };
            /** @description Marks the end of a part of the prompt that may be cached. */
            prompt_cache_breakpoint?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The text is in `choices[0].message.content`. */
        ChatCompletion: {
            id: string;
            /** @constant */
            object: "chat.completion";
            /** @description Seconds since 1970-01-01 UTC. */
            created: number;
            /** @description Id of the model that answered. */
            model: string;
            choices: ({
                index: number;
                message: components["schemas"]["ChatAnsweredMessage"];
                finish_reason: components["schemas"]["FinishReason"];
                logprobs?: components["schemas"]["ChatLogprobs"] | null;
            } & {
                [key: string]: unknown;
            })[];
            usage?: components["schemas"]["ChatUsage"] | null;
            service_tier?: string | null;
            system_fingerprint?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description One `data:` line of a chat stream. The stream ends with `data: [DONE]`. */
        ChatCompletionChunk: {
            id: string;
            /** @constant */
            object: "chat.completion.chunk";
            /** @description Seconds since 1970-01-01 UTC. */
            created: number;
            model: string;
            /** @description Empty in the chunk that carries the usage. */
            choices: ({
                index: number;
                delta: components["schemas"]["ChatDelta"];
                finish_reason?: components["schemas"]["FinishReason"] | null;
                logprobs?: components["schemas"]["ChatLogprobs"] | null;
            } & {
                [key: string]: unknown;
            })[];
            /** @description Only where `stream_options.include_usage` was asked for: null, and filled in the last chunk. */
            usage?: components["schemas"]["ChatUsage"] | null;
            service_tier?: string | null;
            system_fingerprint?: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Null counts as absent. A field that no operation knows is left out and named in `x-modelgate-ignored`, unless the operator of the upstream allows it.
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
             * @description Id of a text model.
             * @example gpt-5.4
             */
            model: string;
            /** @description The conversation, oldest first. */
            messages: components["schemas"]["ChatMessage"][];
            /** @description True: the answer comes as Server-Sent Events. Absent: false. */
            stream?: boolean | null;
            tools?: components["schemas"]["ChatTool"][] | null;
            tool_choice?: components["schemas"]["ChatToolChoice"] | null;
            response_format?: components["schemas"]["ChatResponseFormat"] | null;
            reasoning_effort?: components["schemas"]["ReasoningEffort"] | null;
            /** @description Most output tokens, reasoning included. */
            max_completion_tokens?: number | null;
            /** @description Only with `stream: true`. `include_usage` adds a last chunk with the usage. */
            stream_options?: ({
                include_usage?: boolean | null;
                include_obfuscation?: boolean | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description Usual range 0 to 2. Absent: the model’s own. */
            temperature?: number | null;
            /** @description Nucleus sampling. Absent: the model’s own. */
            top_p?: number | null;
            /** @description The older name of `max_completion_tokens`; send one of the two. */
            max_tokens?: number | null;
            /** @description Number of answers. Absent: 1. */
            n?: number | null;
            /** @description Up to four texts that end the answer. */
            stop?: (string | string[]) | null;
            frequency_penalty?: number | null;
            presence_penalty?: number | null;
            /** @description Token id to a bias from -100 to 100. */
            logit_bias?: {
                [key: string]: number;
            } | null;
            /** @description Return log probabilities of the output tokens. */
            logprobs?: boolean | null;
            /** @description How many alternatives per token; needs `logprobs: true`. */
            top_logprobs?: number | null;
            /** @description Deprecated; best effort to repeat an answer. */
            seed?: number | null;
            /** @description Whether the model may make several calls at once. Absent: true. */
            parallel_tool_calls?: boolean | null;
            /** @description Deprecated: use `tools`. */
            functions?: ({
                name: string;
                description?: string | null;
                parameters?: {
                    [key: string]: unknown;
                } | null;
            } & {
                [key: string]: unknown;
            })[] | null;
            /** @description Deprecated: use `tool_choice`. */
            function_call?: (("none" | "auto") | ({
                name: string;
            } & {
                [key: string]: unknown;
            })) | null;
            /** @description Sent by bridge tools: `reasoning.effort` counts as `reasoning_effort`. */
            reasoning?: ({
                effort?: components["schemas"]["ReasoningEffort"] | null;
            } & {
                [key: string]: unknown;
            }) | null;
            verbosity?: components["schemas"]["Verbosity"] | null;
            modalities?: ("text" | "audio")[] | null;
            /** @description Needed when `modalities` has `audio`. */
            audio?: components["schemas"]["ChatAudioOptions"] | null;
            prediction?: ({
                /** @constant */
                type: "content";
                content: string | components["schemas"]["ChatTextPart"][];
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description Taken, and never honoured: upstreams are told to keep nothing, and true is named in `x-modelgate-ignored`. */
            store?: boolean | null;
            metadata?: components["schemas"]["Metadata"] | null;
            /** @description Deprecated: use `safety_identifier` and `prompt_cache_key`. */
            user?: string | null;
            safety_identifier?: string | null;
            prompt_cache_key?: string | null;
            /**
             * @description Deprecated: use `prompt_cache_options`.
             * @enum {string|null}
             */
            prompt_cache_retention?: "in_memory" | "in-memory" | "24h" | null;
            prompt_cache_options?: components["schemas"]["PromptCacheOptions"] | null;
            service_tier?: components["schemas"]["ServiceTier"] | null;
            web_search_options?: ({
                /** @enum {string|null} */
                search_context_size?: "low" | "medium" | "high" | null;
                user_location?: {
                    [key: string]: unknown;
                } | null;
            } & {
                [key: string]: unknown;
            }) | null;
            moderation?: components["schemas"]["TextModeration"] | null;
        } & {
            [key: string]: unknown;
        };
        /** @description A tool that takes free text instead of JSON arguments. */
        ChatCustomTool: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "custom";
            custom: {
                name: components["schemas"]["ToolName"];
                /** @description What the tool does and when to use it; the model reads this. */
                description?: string | null;
                format?: (({
                    /** @constant */
                    type: "text";
                } & {
                    [key: string]: unknown;
                }) | ({
                    /** @constant */
                    type: "grammar";
                    grammar: {
                        /** @enum {string} */
                        syntax: "lark" | "regex";
                        /** @description The grammar that the input has to follow. */
                        definition: string;
                    } & {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                })) | null;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        ChatDelta: {
            /** @enum {string|null} */
            role?: "assistant" | "developer" | "system" | "user" | "tool" | null;
            content?: string | null;
            refusal?: string | null;
            tool_calls?: components["schemas"]["ChatToolCallDelta"][] | null;
            function_call?: ({
                name?: string;
                arguments?: string;
            } & {
                [key: string]: unknown;
            }) | null;
        } & {
            [key: string]: unknown;
        };
        ChatFilePart: {
            /** @constant */
            type: "file";
            file: {
                filename?: string | null;
                /** @description A data URL. */
                file_data?: string | null;
                file_id?: string | null;
            } & {
                [key: string]: unknown;
            };
            /** @description Marks the end of a part of the prompt that may be cached. */
            prompt_cache_breakpoint?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        ChatFunctionDefinition: {
            name: components["schemas"]["ToolName"];
            /** @description What the tool does and when to use it; the model reads this. */
            description?: string | null;
            /** @description JSON schema of the arguments. Absent: no arguments. */
            parameters?: {
                [key: string]: unknown;
            } | null;
            /** @description Whether the arguments must follow the schema exactly. Absent: false. */
            strict?: boolean | null;
        } & {
            [key: string]: unknown;
        };
        /** @description Deprecated: use the role `tool`. */
        ChatFunctionMessage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            role: "function";
            name: string;
            content?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description A function that the caller runs. */
        ChatFunctionTool: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "function";
            function: components["schemas"]["ChatFunctionDefinition"];
        } & {
            [key: string]: unknown;
        };
        ChatImagePart: {
            /** @constant */
            type: "image_url";
            image_url: {
                /** @description A data URL, or an https address where the upstream can fetch it. The gateway never fetches it. */
                url: string;
                /** @enum {string|null} */
                detail?: "auto" | "low" | "high" | "original" | null;
            } & {
                [key: string]: unknown;
            };
            /** @description Marks the end of a part of the prompt that may be cached. */
            prompt_cache_breakpoint?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        /** @description Sets the behaviour of the assistant. */
        ChatInstructionMessage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            role: "system" | "developer";
            content: string | components["schemas"]["ChatTextPart"][];
            /** @description Tells participants of the same role apart. */
            name?: string | null;
        } & {
            [key: string]: unknown;
        };
        ChatLogprobs: {
            content?: ({
                token: string;
                logprob: number;
                bytes?: number[] | null;
                top_logprobs: ({
                    token: string;
                    logprob: number;
                    bytes?: number[] | null;
                } & {
                    [key: string]: unknown;
                })[];
            } & {
                [key: string]: unknown;
            })[] | null;
            refusal?: ({
                token: string;
                logprob: number;
                bytes?: number[] | null;
                top_logprobs: ({
                    token: string;
                    logprob: number;
                    bytes?: number[] | null;
                } & {
                    [key: string]: unknown;
                })[];
            } & {
                [key: string]: unknown;
            })[] | null;
        } & {
            [key: string]: unknown;
        };
        ChatMessage: components["schemas"]["ChatInstructionMessage"] | components["schemas"]["ChatUserMessage"] | components["schemas"]["ChatAssistantMessage"] | components["schemas"]["ChatToolMessage"] | components["schemas"]["ChatFunctionMessage"];
        ChatRefusalPart: {
            /** @constant */
            type: "refusal";
            refusal: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Form of the answer. On responses this is `text.format`, one level flatter. */
        ChatResponseFormat: ({
            /** @constant */
            type: "text";
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "json_object";
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "json_schema";
            json_schema: {
                name: string;
                description?: string | null;
                schema?: {
                    [key: string]: unknown;
                } | null;
                strict?: boolean | null;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        });
        ChatTextPart: {
            /** @constant */
            type: "text";
            text: string;
            /** @description Marks the end of a part of the prompt that may be cached. */
            prompt_cache_breakpoint?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        ChatTool: components["schemas"]["ChatFunctionTool"] | components["schemas"]["ChatCustomTool"];
        /** @description A call that the model made in an earlier turn. */
        ChatToolCall: ({
            id: string;
            /** @constant */
            type: "function";
            function: {
                name: string;
                /** @description JSON as the model wrote it; it may be malformed. */
                arguments: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        }) | ({
            id: string;
            /** @constant */
            type: "custom";
            custom: {
                name: string;
                input: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        });
        /** @description `id`, `type` and the name come once, on the first piece of a call. */
        ChatToolCallDelta: {
            /** @description Which call this piece belongs to. */
            index: number;
            id?: string;
            /** @enum {string} */
            type?: "function" | "custom";
            function?: {
                name?: string;
                arguments?: string;
            } & {
                [key: string]: unknown;
            };
            custom?: {
                name?: string;
                input?: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description `none`, `auto`, `required`, one tool by name, or a subset of the tools. */
        ChatToolChoice: ("none" | "auto" | "required") | (({
            /** @constant */
            type: "function";
            function: {
                name: components["schemas"]["ToolName"];
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "custom";
            custom: {
                name: components["schemas"]["ToolName"];
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "allowed_tools";
            allowed_tools: {
                /** @enum {string} */
                mode: "auto" | "required";
                tools: (({
                    /** @constant */
                    type: "function";
                    function: {
                        name: components["schemas"]["ToolName"];
                    } & {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                }) | ({
                    /** @constant */
                    type: "custom";
                    custom: {
                        name: components["schemas"]["ToolName"];
                    } & {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                }))[];
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        }));
        /** @description The result of a tool call. */
        ChatToolMessage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            role: "tool";
            content: string | components["schemas"]["ChatTextPart"][];
            /** @description Id of the call that this answers. */
            tool_call_id: string;
        } & {
            [key: string]: unknown;
        };
        ChatUsage: {
            prompt_tokens: number;
            completion_tokens: number;
            /** @description The sum of the two. */
            total_tokens: number;
            /** @description Parts of `prompt_tokens`. */
            prompt_tokens_details?: ({
                cached_tokens?: number | null;
                cache_write_tokens?: number | null;
                audio_tokens?: number | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description Parts of `completion_tokens`. */
            completion_tokens_details?: ({
                reasoning_tokens?: number | null;
                audio_tokens?: number | null;
                accepted_prediction_tokens?: number | null;
                rejected_prediction_tokens?: number | null;
            } & {
                [key: string]: unknown;
            }) | null;
        } & {
            [key: string]: unknown;
        };
        ChatUserMessage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            role: "user";
            content: string | (components["schemas"]["ChatTextPart"] | components["schemas"]["ChatImagePart"] | components["schemas"]["ChatAudioPart"] | components["schemas"]["ChatFilePart"])[];
            /** @description Tells participants of the same role apart. */
            name?: string | null;
        } & {
            [key: string]: unknown;
        };
        Compaction: {
            /** @constant */
            type: "compaction";
            encrypted_content: string;
            id?: string | null;
            status?: components["schemas"]["ItemStatus"] | null;
        } & {
            [key: string]: unknown;
        };
        CompactionTrigger: {
            /** @constant */
            type: "compaction_trigger";
            id?: string | null;
            status?: components["schemas"]["ItemStatus"] | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The body of status 400 with one of 22 codes. */
        CreateChatCompletionBadRequestErrorBody: {
            error: components["schemas"]["CreateChatCompletionBadRequestErrorDetail"];
        };
        CreateChatCompletionBadRequestErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error" | "image_generation_user_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "invalid_json" | "malformed_request" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "missing_required_parameter" | "invalid_type" | "invalid_value" | "integer_below_min_value" | "integer_above_max_value" | "decimal_below_min_value" | "decimal_above_max_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "empty_array" | "context_length_exceeded" | "invalid_image_format" | "invalid_base64_image" | "invalid_image_url" | "image_file_too_large" | "moderation_blocked";
        };
        /** @description The body of status 400 with one of 24 codes. */
        CreateResponseBadRequestErrorBody: {
            error: components["schemas"]["CreateResponseBadRequestErrorDetail"];
        };
        CreateResponseBadRequestErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error" | "image_generation_user_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "invalid_json" | "malformed_request" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "missing_required_parameter" | "invalid_type" | "invalid_value" | "integer_below_min_value" | "integer_above_max_value" | "decimal_below_min_value" | "decimal_above_max_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "empty_array" | "context_length_exceeded" | "previous_response_not_found" | "invalid_image_format" | "invalid_base64_image" | "invalid_image_url" | "image_file_too_large" | "moderation_blocked" | "item_not_found";
        };
        /** @description A tool that takes free text instead of JSON arguments. */
        CustomTool: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "custom";
            name: components["schemas"]["LongToolName"];
            /** @description What the tool does and when to use it; the model reads this. */
            description?: string | null;
            format?: (({
                /** @constant */
                type: "text";
            } & {
                [key: string]: unknown;
            }) | ({
                /** @constant */
                type: "grammar";
                /** @enum {string} */
                syntax: "lark" | "regex";
                /** @description The grammar that the input has to follow. */
                definition: string;
            } & {
                [key: string]: unknown;
            })) | null;
        } & {
            [key: string]: unknown;
        };
        CustomToolCall: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "custom_tool_call";
            id?: string | null;
            call_id: string;
            name: string;
            input: string;
            namespace?: string | null;
            status?: components["schemas"]["ItemStatus"] | null;
        } & {
            [key: string]: unknown;
        };
        CustomToolCallOutput: {
            /** @constant */
            type: "custom_tool_call_output";
            /** @description Links a call with its output. */
            call_id: string;
            output: components["schemas"]["ToolOutput"];
            id?: string | null;
            status?: components["schemas"]["ItemStatus"] | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The body of status 400 with one of 4 codes. */
        DeleteResponseBadRequestErrorBody: {
            error: components["schemas"]["DeleteResponseBadRequestErrorDetail"];
        };
        DeleteResponseBadRequestErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "invalid_json" | "malformed_request" | "invalid_value" | "string_above_max_length";
        };
        /** @description It can no longer be read, nor gone on from. */
        DeletedResponse: {
            id: string;
            /** @constant */
            object: "response";
            /** @constant */
            deleted: true;
        };
        /**
         * @description US dollars as a text, with six digits behind the point.
         * @example 0.000310
         */
        Dollars: string;
        /** @description The body of status 400 with one of 20 codes. */
        EditImagesBadRequestErrorBody: {
            error: components["schemas"]["EditImagesBadRequestErrorDetail"];
        };
        EditImagesBadRequestErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error" | "image_generation_user_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "invalid_json" | "malformed_request" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "missing_required_parameter" | "invalid_type" | "invalid_value" | "integer_below_min_value" | "integer_above_max_value" | "string_above_max_length" | "empty_string" | "array_above_max_length" | "empty_array" | "context_length_exceeded" | "invalid_image_format" | "invalid_base64_image" | "invalid_image_url" | "image_file_too_large" | "moderation_blocked";
        };
        ErrorEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "error";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            code?: string | null;
            message: string;
            param?: string | null;
            /** @description The same once more, nested: some clients read only this form. */
            error?: ({
                /** @enum {string} */
                type: "invalid_request_error" | "authentication_error" | "permission_error" | "rate_limit_error" | "server_error" | "image_generation_user_error";
                code: string | null;
                message: string;
                param: string | null;
            } & {
                [key: string]: unknown;
            }) | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description `stop`: a natural end. `length`: a token limit. `tool_calls`: the model calls tools. `content_filter`: output was withheld.
         * @enum {string}
         */
        FinishReason: "stop" | "length" | "tool_calls" | "content_filter" | "function_call";
        /** @description A call for the caller to run; may come with no text in the response. */
        FunctionCall: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "function_call";
            id?: string | null;
            /** @description Goes back in `function_call_output.call_id`. */
            call_id: string;
            name: string;
            arguments: string;
            namespace?: string | null;
            status?: components["schemas"]["ItemStatus"] | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The result of a function call; built by the caller, never returned in `output`. */
        FunctionCallOutput: {
            /** @constant */
            type: "function_call_output";
            /** @description Links a call with its output. */
            call_id: string;
            output: components["schemas"]["ToolOutput"];
            id?: string | null;
            status?: components["schemas"]["ItemStatus"] | null;
        } & {
            [key: string]: unknown;
        };
        /** @description A function that the caller runs. */
        FunctionTool: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "function";
            name: components["schemas"]["LongToolName"];
            /** @description What the tool does and when to use it; the model reads this. */
            description?: string | null;
            /** @description JSON schema of the arguments. Absent: no arguments. */
            parameters?: {
                [key: string]: unknown;
            } | null;
            /** @description Whether the arguments must follow the schema exactly. Absent: the upstream decides, usually true. */
            strict?: boolean | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The body of status 400 with one of 14 codes. */
        GenerateImagesBadRequestErrorBody: {
            error: components["schemas"]["GenerateImagesBadRequestErrorDetail"];
        };
        GenerateImagesBadRequestErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error" | "image_generation_user_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "invalid_json" | "malformed_request" | "unknown_parameter" | "unsupported_parameter" | "unsupported_value" | "missing_required_parameter" | "invalid_type" | "invalid_value" | "integer_below_min_value" | "integer_above_max_value" | "string_above_max_length" | "empty_string" | "context_length_exceeded" | "moderation_blocked";
        };
        /** @description The body of status 400 with one of 6 codes. */
        GetCatalogBadRequestErrorBody: {
            error: components["schemas"]["GetCatalogBadRequestErrorDetail"];
        };
        GetCatalogBadRequestErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "malformed_request" | "unknown_parameter" | "invalid_type" | "invalid_value" | "string_above_max_length" | "empty_string";
        };
        /** @description The body of status 400 with one of 4 codes. */
        GetResponseBadRequestErrorBody: {
            error: components["schemas"]["GetResponseBadRequestErrorDetail"];
        };
        GetResponseBadRequestErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "malformed_request" | "unsupported_parameter" | "invalid_type" | "string_above_max_length";
        };
        /** @description The body of status 400 with one of 3 codes. */
        GetUsageBadRequestErrorBody: {
            error: components["schemas"]["GetUsageBadRequestErrorDetail"];
        };
        GetUsageBadRequestErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "malformed_request" | "unknown_parameter" | "string_above_max_length";
        };
        /** @description The body of status 431 with `headers_too_large`. */
        HeadersTooLargeErrorBody: {
            error: components["schemas"]["HeadersTooLargeErrorDetail"];
        };
        HeadersTooLargeErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "headers_too_large";
        };
        /** @description A tool that the upstream ran, or another item of its own. */
        HostedItem: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "local_shell_call" | "local_shell_call_output" | "shell_call" | "shell_call_output" | "apply_patch_call" | "apply_patch_call_output" | "web_search_call" | "file_search_call" | "image_generation_call" | "code_interpreter_call" | "computer_call" | "computer_call_output" | "mcp_call" | "mcp_list_tools" | "mcp_approval_request" | "mcp_approval_response" | "program" | "program_output" | "configuration_update" | "tool_search_call" | "tool_search_output" | "compaction" | "additional_tools";
            id?: string | null;
            status?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description Another tool of the upstream; its own settings are handed on. */
        HostedTool: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_search" | "local_shell" | "shell" | "apply_patch" | "file_search" | "code_interpreter" | "image_generation" | "computer" | "computer_use_preview" | "programmatic_tool_calling";
        } & {
            [key: string]: unknown;
        };
        HostedToolEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.web_search_call.in_progress" | "response.web_search_call.searching" | "response.web_search_call.completed" | "response.file_search_call.in_progress" | "response.file_search_call.searching" | "response.file_search_call.completed" | "response.code_interpreter_call.in_progress" | "response.code_interpreter_call.interpreting" | "response.code_interpreter_call.completed" | "response.code_interpreter_call_code.delta" | "response.code_interpreter_call_code.done" | "response.image_generation_call.in_progress" | "response.image_generation_call.generating" | "response.image_generation_call.partial_image" | "response.image_generation_call.completed" | "response.mcp_call.in_progress" | "response.mcp_call.completed" | "response.mcp_call.failed" | "response.mcp_call_arguments.delta" | "response.mcp_call_arguments.done" | "response.mcp_list_tools.in_progress" | "response.mcp_list_tools.completed" | "response.mcp_list_tools.failed" | "response.shell_call.in_progress" | "response.shell_call.completed";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            item_id: string;
            output_index: number;
        } & {
            [key: string]: unknown;
        };
        /** @description The body of status 409 with `idempotency_conflict`. */
        IdempotencyConflictErrorBody: {
            error: components["schemas"]["IdempotencyConflictErrorDetail"];
        };
        IdempotencyConflictErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "idempotency_conflict";
        };
        /** @description Carries `b64_json` (plain base64) or, from older models, `url`. */
        Image: {
            b64_json?: string;
            url?: string;
            revised_prompt?: string | null;
        } & {
            [key: string]: unknown;
        };
        ImageEditCompletedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "image_edit.completed";
            b64_json: string;
            /** @description Seconds since 1970-01-01 UTC. */
            created_at: number;
            background?: string | null;
            output_format?: string | null;
            quality?: string | null;
            size?: string | null;
            usage?: components["schemas"]["ImageUsage"] | null;
            safety_identifier?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description Partial images, then exactly one completed or error event. No `[DONE]`. */
        ImageEditEvent: components["schemas"]["ImageEditPartialImageEvent"] | components["schemas"]["ImageEditCompletedEvent"] | components["schemas"]["ImageErrorEvent"];
        /** @description The multipart form of an edit, as the official SDKs send it. */
        ImageEditForm: {
            /**
             * @description What to draw, or what to change.
             * @example A lighthouse in the fog
             */
            prompt: string;
            /**
             * @description Id of the image model.
             * @example gpt-image-2
             */
            model: string;
            /** @description Number of images. Absent: 1. With `stream: true` only 1. */
            n?: number | null;
            /** @description `auto`, or `<width>x<height>`: multiples of 16, not longer than 3 times the other side, at most 3840x2160 in either direction. */
            size?: string | null;
            /** @enum {string|null} */
            quality?: "auto" | "low" | "medium" | "high" | null;
            /**
             * @description `transparent` needs `png` or `webp`.
             * @enum {string|null}
             */
            background?: "auto" | "opaque" | "transparent" | null;
            /**
             * @description Absent: `png`.
             * @enum {string|null}
             */
            output_format?: "png" | "jpeg" | "webp" | null;
            /** @description Only with `jpeg` or `webp`. Absent: 100. */
            output_compression?: number | null;
            /** @enum {string|null} */
            moderation?: "auto" | "low" | null;
            /** @description True: partial images and the final one come as Server-Sent Events. */
            stream?: boolean | null;
            /** @description Only with `stream: true`: how many partial images to send. Fewer may come. */
            partial_images?: number | null;
            /** @description Deprecated: use `safety_identifier`. */
            user?: string | null;
            safety_identifier?: string | null;
            /**
             * @description Images always come as base64; `url` is refused.
             * @enum {string|null}
             */
            response_format?: "b64_json" | "url" | null;
            /** @description One part `image`, or several named `image[]`. */
            image?: string[];
            /**
             * Format: binary
             * @description A PNG of at most 4 MB, same size as the first picture.
             */
            mask?: string;
            /** @enum {string|null} */
            input_fidelity?: "high" | "low" | null;
            /** @description One part `image`, or several named `image[]`. */
            "image[]"?: string[];
        } | unknown | unknown;
        ImageEditPartialImageEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "image_edit.partial_image";
            b64_json: string;
            /** @description Seconds since 1970-01-01 UTC. */
            created_at: number;
            background?: string | null;
            output_format?: string | null;
            quality?: string | null;
            size?: string | null;
            partial_image_index: number;
        } & {
            [key: string]: unknown;
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
             * @description What to draw, or what to change.
             * @example A lighthouse in the fog
             */
            prompt: string;
            /**
             * @description Id of the image model.
             * @example gpt-image-2
             */
            model: string;
            /** @description Number of images. Absent: 1. With `stream: true` only 1. */
            n?: number | null;
            /** @description `auto`, or `<width>x<height>`: multiples of 16, not longer than 3 times the other side, at most 3840x2160 in either direction. */
            size?: string | null;
            /** @enum {string|null} */
            quality?: "auto" | "low" | "medium" | "high" | null;
            /**
             * @description `transparent` needs `png` or `webp`.
             * @enum {string|null}
             */
            background?: "auto" | "opaque" | "transparent" | null;
            /**
             * @description Absent: `png`.
             * @enum {string|null}
             */
            output_format?: "png" | "jpeg" | "webp" | null;
            /** @description Only with `jpeg` or `webp`. Absent: 100. */
            output_compression?: number | null;
            /** @enum {string|null} */
            moderation?: "auto" | "low" | null;
            /** @description True: partial images and the final one come as Server-Sent Events. */
            stream?: boolean | null;
            /** @description Only with `stream: true`: how many partial images to send. Fewer may come. */
            partial_images?: number | null;
            /** @description Deprecated: use `safety_identifier`. */
            user?: string | null;
            safety_identifier?: string | null;
            /**
             * @description Images always come as base64; `url` is refused.
             * @enum {string|null}
             */
            response_format?: "b64_json" | "url" | null;
            /** @description The pictures to change or to draw from. */
            images: components["schemas"]["ImageReference"][];
            /** @description Transparent pixels mark what to change in the first picture; same size as that picture. */
            mask?: components["schemas"]["ImageReference"] | null;
            /**
             * @description Taken; `gpt-image-2` does not use it.
             * @enum {string|null}
             */
            input_fidelity?: "high" | "low" | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The last event of a stream that failed. */
        ImageErrorEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "error";
            error: {
                message: string;
                type: string;
                param: string | null;
                code: string | null;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        ImageGenerationCompletedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "image_generation.completed";
            b64_json: string;
            /** @description Seconds since 1970-01-01 UTC. */
            created_at: number;
            background?: string | null;
            output_format?: string | null;
            quality?: string | null;
            size?: string | null;
            usage?: components["schemas"]["ImageUsage"] | null;
            safety_identifier?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description Partial images, then exactly one completed or error event. No `[DONE]`. */
        ImageGenerationEvent: components["schemas"]["ImageGenerationPartialImageEvent"] | components["schemas"]["ImageGenerationCompletedEvent"] | components["schemas"]["ImageErrorEvent"];
        ImageGenerationPartialImageEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "image_generation.partial_image";
            b64_json: string;
            /** @description Seconds since 1970-01-01 UTC. */
            created_at: number;
            background?: string | null;
            output_format?: string | null;
            quality?: string | null;
            size?: string | null;
            partial_image_index: number;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Null counts as absent.
         * @example {
         *       "model": "gpt-image-2",
         *       "prompt": "A lighthouse in the fog",
         *       "size": "1024x1024"
         *     }
         */
        ImageGenerationRequest: {
            /**
             * @description What to draw, or what to change.
             * @example A lighthouse in the fog
             */
            prompt: string;
            /**
             * @description Id of the image model.
             * @example gpt-image-2
             */
            model: string;
            /** @description Number of images. Absent: 1. With `stream: true` only 1. */
            n?: number | null;
            /** @description `auto`, or `<width>x<height>`: multiples of 16, not longer than 3 times the other side, at most 3840x2160 in either direction. */
            size?: string | null;
            /** @enum {string|null} */
            quality?: "auto" | "low" | "medium" | "high" | null;
            /**
             * @description `transparent` needs `png` or `webp`.
             * @enum {string|null}
             */
            background?: "auto" | "opaque" | "transparent" | null;
            /**
             * @description Absent: `png`.
             * @enum {string|null}
             */
            output_format?: "png" | "jpeg" | "webp" | null;
            /** @description Only with `jpeg` or `webp`. Absent: 100. */
            output_compression?: number | null;
            /** @enum {string|null} */
            moderation?: "auto" | "low" | null;
            /** @description True: partial images and the final one come as Server-Sent Events. */
            stream?: boolean | null;
            /** @description Only with `stream: true`: how many partial images to send. Fewer may come. */
            partial_images?: number | null;
            /** @description Deprecated: use `safety_identifier`. */
            user?: string | null;
            safety_identifier?: string | null;
            /**
             * @description Images always come as base64; `url` is refused.
             * @enum {string|null}
             */
            response_format?: "b64_json" | "url" | null;
        } & {
            [key: string]: unknown;
        };
        ImageList: {
            /** @description Seconds since 1970-01-01 UTC. */
            created: number;
            background?: string | null;
            output_format?: string | null;
            quality?: string | null;
            size?: string | null;
            data: components["schemas"]["Image"][];
            usage?: components["schemas"]["ImageUsage"] | null;
        } & {
            [key: string]: unknown;
        };
        ImagePrices: {
            /** @description For a picture, by `size/quality`; `default` for what no entry fits. */
            images: {
                [key: string]: components["schemas"]["Dollars"];
            };
        };
        ImageReference: {
            /** @description A data URL of a PNG, JPEG or WebP image. */
            image_url?: string | null;
            /** @description Not supported: there is no Files API. */
            file_id?: string | null;
        } & {
            [key: string]: unknown;
        };
        ImageUsage: {
            input_tokens: number;
            output_tokens: number;
            total_tokens: number;
            input_tokens_details: {
                text_tokens: number;
                image_tokens: number;
            } & {
                [key: string]: unknown;
            };
            output_tokens_details?: ({
                text_tokens: number;
                image_tokens: number;
            } & {
                [key: string]: unknown;
            }) | null;
        } & {
            [key: string]: unknown;
        };
        InputAudio: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "input_audio";
            input_audio: {
                data: string;
                /** @enum {string} */
                format: "wav" | "mp3";
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        InputFile: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "input_file";
            filename?: string | null;
            /** @description A data URL. */
            file_data?: string | null;
            file_url?: string | null;
            file_id?: string | null;
            /** @description Marks the end of a part of the prompt that may be cached. */
            prompt_cache_breakpoint?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        InputImage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "input_image";
            /** @description A string: a data URL, or an https address where the upstream can fetch it. The gateway never fetches it. */
            image_url?: string | null;
            file_id?: string | null;
            /** @enum {string|null} */
            detail?: "low" | "high" | "auto" | "original" | null;
            /** @description Marks the end of a part of the prompt that may be cached. */
            prompt_cache_breakpoint?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        InputItem: components["schemas"]["InputMessage"] | components["schemas"]["PastFunctionCall"] | components["schemas"]["FunctionCallOutput"] | components["schemas"]["PastCustomToolCall"] | components["schemas"]["CustomToolCallOutput"] | components["schemas"]["PastReasoning"] | components["schemas"]["ItemReference"] | components["schemas"]["AdditionalTools"] | components["schemas"]["ToolSearchCall"] | components["schemas"]["ToolSearchOutput"] | components["schemas"]["Compaction"] | components["schemas"]["CompactionTrigger"] | components["schemas"]["ReplayedItem"];
        /** @description One page of the input of a stored response. */
        InputItemList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["StoredItem"][];
            /** @description Null where the page is empty. */
            first_id: string | null;
            /** @description Goes into `after` of the next call. */
            last_id: string | null;
            has_more: boolean;
        };
        /** @description A message; `type` may be left out. */
        InputMessage: {
            /** @constant */
            type?: "message";
            /** @enum {string} */
            role: "user" | "system" | "developer" | "assistant";
            content: string | components["schemas"]["MessagePart"][];
            /**
             * @description Whether a message is said on the way or is the answer.
             * @enum {string|null}
             */
            phase?: "commentary" | "final_answer" | null;
            id?: string | null;
            status?: components["schemas"]["ItemStatus"] | null;
        } & {
            [key: string]: unknown;
        };
        InputText: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "input_text";
            text: string;
            /** @description Marks the end of a part of the prompt that may be cached. */
            prompt_cache_breakpoint?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The body of status 500 with `internal_error`. */
        InternalErrorBody: {
            error: components["schemas"]["InternalErrorDetail"];
        };
        InternalErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "server_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "internal_error";
        };
        /** @description The body of status 401 with `invalid_api_key`. */
        InvalidApiKeyErrorBody: {
            error: components["schemas"]["InvalidApiKeyErrorDetail"];
        };
        InvalidApiKeyErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "authentication_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "invalid_api_key";
        };
        ItemReference: {
            /** @constant */
            type: "item_reference";
            id: string;
        } & {
            [key: string]: unknown;
        };
        /** @enum {string} */
        ItemStatus: "in_progress" | "completed" | "incomplete" | "searching" | "generating" | "interpreting" | "calling" | "failed";
        KeepaliveEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "keepalive";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
        } & {
            [key: string]: unknown;
        };
        /** @description The body of status 400 with one of 6 codes. */
        ListInputItemsBadRequestErrorBody: {
            error: components["schemas"]["ListInputItemsBadRequestErrorDetail"];
        };
        ListInputItemsBadRequestErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "malformed_request" | "invalid_type" | "invalid_value" | "integer_below_min_value" | "integer_above_max_value" | "string_above_max_length";
        };
        /** @description The body of status 400 with one of 2 codes. */
        ListModelsBadRequestErrorBody: {
            error: components["schemas"]["ListModelsBadRequestErrorDetail"];
        };
        ListModelsBadRequestErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "malformed_request" | "invalid_type";
        };
        /** @description The body of status 400 with one of 8 codes. */
        ListUsageBadRequestErrorBody: {
            error: components["schemas"]["ListUsageBadRequestErrorDetail"];
        };
        ListUsageBadRequestErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "malformed_request" | "unknown_parameter" | "invalid_type" | "invalid_value" | "integer_below_min_value" | "integer_above_max_value" | "string_above_max_length" | "empty_string";
        };
        /**
         * @description Letters, digits, `_` and `-`; at most 128.
         * @example get_weather
         */
        LongToolName: string;
        /** @description Tools of an MCP server, run by the upstream. */
        McpTool: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "mcp";
            server_label: string;
            server_url?: string | null;
            allowed_tools?: unknown;
            require_approval?: unknown;
        } & {
            [key: string]: unknown;
        };
        MessagePart: components["schemas"]["InputText"] | components["schemas"]["InputImage"] | components["schemas"]["InputFile"] | components["schemas"]["InputAudio"] | components["schemas"]["PastOutputText"] | components["schemas"]["Refusal"];
        /**
         * @description Up to 16 pairs; keys up to 64 characters, values up to 512.
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
            /** @constant */
            object: "model";
            /** @description Seconds since 1970-01-01 UTC. */
            created: number;
            /**
             * @description Where the model comes from.
             * @example openai
             */
            owned_by: string;
        };
        /** @description Everything listed can be called with the key in use, and everything that can be called is listed. */
        ModelList: {
            /** @constant */
            object: "list";
            /** @description The models that the key can call, in a stable order. */
            data: components["schemas"]["Model"][];
            /** @description The same text models in the format of the Codex CLI; only where `client_version` is in the query. */
            models?: ({
                slug: string;
            } & {
                [key: string]: unknown;
            })[];
        };
        /** @description The body of status 404 with `model_not_found`. */
        ModelNotFoundErrorBody: {
            error: components["schemas"]["ModelNotFoundErrorDetail"];
        };
        ModelNotFoundErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "model_not_found";
        };
        /**
         * @description What prices are multiplied with for accounts of a group.
         * @example 1.000000
         */
        Multiplier: string;
        /** @description Several tools under one name; calls to them carry `namespace`. */
        NamespaceTool: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "namespace";
            name: components["schemas"]["LongToolName"];
            /** @description What the tool does and when to use it; the model reads this. */
            description?: string | null;
            tools: (components["schemas"]["FunctionTool"] | components["schemas"]["CustomTool"])[];
        } & {
            [key: string]: unknown;
        };
        /** @description The body of status 503 with one of 2 codes. */
        NoCapacityErrorBody: {
            error: components["schemas"]["NoCapacityErrorDetail"];
        };
        NoCapacityErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "server_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "overloaded" | "no_upstream_available";
        };
        /** @description The body of status 404 with `not_found`. */
        NotFoundErrorBody: {
            error: components["schemas"]["NotFoundErrorDetail"];
        };
        NotFoundErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "not_found";
        };
        OutputItem: components["schemas"]["OutputMessage"] | components["schemas"]["FunctionCall"] | components["schemas"]["CustomToolCall"] | components["schemas"]["Reasoning"] | components["schemas"]["HostedItem"];
        /** @description Text is in `content[].text` of the parts of type `output_text`. */
        OutputMessage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message";
            id: string;
            /** @constant */
            role: "assistant";
            status: components["schemas"]["ItemStatus"];
            content: components["schemas"]["OutputPart"][];
            /**
             * @description Whether a message is said on the way or is the answer.
             * @enum {string|null}
             */
            phase?: "commentary" | "final_answer" | null;
        } & {
            [key: string]: unknown;
        };
        OutputPart: components["schemas"]["OutputText"] | components["schemas"]["Refusal"] | components["schemas"]["ReasoningText"];
        OutputText: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "output_text";
            text: string;
            annotations: components["schemas"]["TextAnnotation"][];
            logprobs?: components["schemas"]["TokenLogprob"][] | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The body of status 503 with `overloaded`. */
        OverloadedErrorBody: {
            error: components["schemas"]["OverloadedErrorDetail"];
        };
        OverloadedErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "server_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "overloaded";
        };
        PastCustomToolCall: {
            /** @constant */
            type: "custom_tool_call";
            /** @description Links a call with its output. */
            call_id: string;
            name: string;
            input: string;
            namespace?: string | null;
            id?: string | null;
            status?: components["schemas"]["ItemStatus"] | null;
        } & {
            [key: string]: unknown;
        };
        PastFunctionCall: {
            /** @constant */
            type: "function_call";
            /** @description Links a call with its output. */
            call_id: string;
            name: string;
            /** @description JSON as the model wrote it. */
            arguments: string;
            namespace?: string | null;
            id?: string | null;
            status?: components["schemas"]["ItemStatus"] | null;
        } & {
            [key: string]: unknown;
        };
        /** @description Text of an earlier answer, passed back. */
        PastOutputText: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "output_text";
            text: string;
            annotations?: components["schemas"]["TextAnnotation"][] | null;
            logprobs?: components["schemas"]["TokenLogprob"][] | null;
        } & {
            [key: string]: unknown;
        };
        /** @description Reasoning of an earlier turn, passed back as it came. */
        PastReasoning: {
            /** @constant */
            type: "reasoning";
            summary: components["schemas"]["SummaryText"][];
            content?: components["schemas"]["ReasoningText"][] | null;
            encrypted_content?: string | null;
            id?: string | null;
            status?: components["schemas"]["ItemStatus"] | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The body of status 403 with `permission_denied`. */
        PermissionDeniedErrorBody: {
            error: components["schemas"]["PermissionDeniedErrorDetail"];
        };
        PermissionDeniedErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "permission_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "permission_denied";
        };
        /** @description How the upstream may cache the prompt. */
        PromptCacheOptions: {
            /** @enum {string|null} */
            mode?: "implicit" | "explicit" | null;
            ttl?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The body of status 429 with `rate_limit_exceeded`. */
        RateLimitExceededErrorBody: {
            error: components["schemas"]["RateLimitExceededErrorDetail"];
        };
        RateLimitExceededErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "rate_limit_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "rate_limit_exceeded";
        };
        /** @description May come ahead of the message: do not read `output[0]` as the answer. */
        Reasoning: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reasoning";
            id: string;
            summary: components["schemas"]["SummaryText"][];
            content?: components["schemas"]["ReasoningText"][] | null;
            /** @description Opaque; pass it back unchanged to keep the reasoning over turns without storage. */
            encrypted_content?: string | null;
            status?: components["schemas"]["ItemStatus"] | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description How much the model should think before it answers. Models differ in which values they take.
         * @enum {string}
         */
        ReasoningEffort: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
        ReasoningOptions: {
            effort?: components["schemas"]["ReasoningEffort"] | null;
            /** @enum {string|null} */
            summary?: "auto" | "concise" | "detailed" | null;
            /**
             * @description Deprecated: use `summary`.
             * @enum {string|null}
             */
            generate_summary?: "auto" | "concise" | "detailed" | null;
            context?: string | null;
            mode?: string | null;
        } & {
            [key: string]: unknown;
        };
        ReasoningText: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reasoning_text";
            text: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A request with everything that is needed to work its charge out again by hand. */
        Receipt: {
            /** @constant */
            object: "usage";
            /** @description The `x-request-id` of the answer. */
            request_id: string;
            /** @description The key that it was called with. */
            key_id: string;
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
            /** @description Classes that do not overlap. Null as long as nothing was charged. */
            tokens: {
                /** @description Neither read from a cache nor written to one. */
                input: number;
                /** @description Read from a cache. */
                cached_input: number;
                /** @description Written to a cache. */
                cache_write: number;
                /** @description Reasoning included. */
                output: number;
                /** @description Part of `output`. */
                reasoning: number;
            } | null;
            /** @description The limit on its output, in tokens, that the gateway set: the request named none, and what paid for it went no further. Null where it set none. */
            output_limit: number | null;
            /** @description Pictures made, by `size/quality`. */
            images: {
                [key: string]: number;
            } | null;
            /** @description Calls of tools that the upstream ran itself, by the type of their output item. */
            tools: {
                [key: string]: number;
            } | null;
            /** @description Seconds since 1970-01-01 UTC. */
            created_at: number;
            /** @description Seconds since 1970-01-01 UTC. */
            settled_at: number | null;
            /** @description The version of the prices that it was charged by. Each change makes a new one; old ones are kept. */
            price_version: number;
            /** @description Who was asked, in order, where that was more than once or came to nothing. Empty where the first answer was a good one. */
            attempts: components["schemas"]["UsageAttempt"][];
            lines: components["schemas"]["ReceiptLine"][];
            /** @description The sum of the lines. */
            subtotal: string;
            /** @description That of the group at the time. */
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
            quantity: number;
            price: components["schemas"]["Dollars"];
            /** @enum {string} */
            per: "million_tokens" | "picture" | "call";
            /** @description `quantity` × `price`, divided by a million where the price is for a million. Exact: dollars to twelve digits. */
            amount: string;
        };
        Refusal: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "refusal";
            refusal: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A call of a hosted tool or its output, passed back as it came. */
        ReplayedItem: {
            /** @enum {string} */
            type: "local_shell_call" | "local_shell_call_output" | "shell_call" | "shell_call_output" | "apply_patch_call" | "apply_patch_call_output" | "web_search_call" | "file_search_call" | "image_generation_call" | "code_interpreter_call" | "computer_call" | "computer_call_output" | "mcp_call" | "mcp_list_tools" | "mcp_approval_request" | "mcp_approval_response" | "program" | "program_output" | "configuration_update";
            id?: string | null;
            status?: string | null;
            action?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The body of status 429 with one of 2 codes. */
        RequestLimitErrorBody: {
            error: components["schemas"]["RequestLimitErrorDetail"];
        };
        RequestLimitErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "rate_limit_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "rate_limit_exceeded" | "concurrency_limit_exceeded";
        };
        /** @description The body of status 408 with `request_timeout`. */
        RequestTimeoutErrorBody: {
            error: components["schemas"]["RequestTimeoutErrorDetail"];
        };
        RequestTimeoutErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "request_timeout";
        };
        /** @description The body of status 413 with `request_too_large`. */
        RequestTooLargeErrorBody: {
            error: components["schemas"]["RequestTooLargeErrorDetail"];
        };
        RequestTooLargeErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "request_too_large";
        };
        /** @description Read the text by walking `output` for items of type `message`; client libraries offer it as `output_text`, which is not on the wire. */
        Response: {
            /** @description Usable as `previous_response_id` where the response was stored. */
            id: string;
            /** @constant */
            object: "response";
            /** @description Seconds since 1970-01-01 UTC. */
            created_at: number;
            completed_at?: number | null;
            status?: components["schemas"]["ResponseStatus"] | null;
            error?: ({
                code?: string | null;
                message: string;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description `max_output_tokens` or `content_filter`. */
            incomplete_details?: ({
                reason?: string | null;
            } & {
                [key: string]: unknown;
            }) | null;
            model: string;
            /** @description Typed items; the answer is not always the first. */
            output: components["schemas"]["OutputItem"][];
            previous_response_id?: string | null;
            instructions?: unknown;
            tools?: ({
                type: string;
            } & {
                [key: string]: unknown;
            })[] | null;
            tool_choice?: unknown;
            parallel_tool_calls?: boolean | null;
            text?: ({
                verbosity?: string | null;
            } & {
                [key: string]: unknown;
            }) | null;
            reasoning?: ({
                effort?: string | null;
                summary?: string | null;
            } & {
                [key: string]: unknown;
            }) | null;
            temperature?: number | null;
            top_p?: number | null;
            presence_penalty?: number | null;
            frequency_penalty?: number | null;
            top_logprobs?: number | null;
            max_output_tokens?: number | null;
            max_tool_calls?: number | null;
            truncation?: string | null;
            store?: boolean | null;
            background?: boolean | null;
            service_tier?: string | null;
            metadata?: {
                [key: string]: string;
            } | null;
            safety_identifier?: string | null;
            prompt_cache_key?: string | null;
            user?: string | null;
            /** @description Null until the response has ended. */
            usage?: components["schemas"]["ResponseUsage"] | null;
        } & {
            [key: string]: unknown;
        };
        ResponseCompletedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.completed";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            response: components["schemas"]["Response"];
        } & {
            [key: string]: unknown;
        };
        ResponseContentPartAddedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.content_part.added";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            item_id: string;
            output_index: number;
            content_index: number;
            part: components["schemas"]["OutputPart"];
        } & {
            [key: string]: unknown;
        };
        ResponseContentPartDoneEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.content_part.done";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            item_id: string;
            output_index: number;
            content_index: number;
            part: components["schemas"]["OutputPart"];
        } & {
            [key: string]: unknown;
        };
        ResponseCreatedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.created";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            response: components["schemas"]["Response"];
        } & {
            [key: string]: unknown;
        };
        ResponseCustomToolCallInputDeltaEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.custom_tool_call_input.delta";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            item_id: string;
            output_index: number;
            delta: string;
        } & {
            [key: string]: unknown;
        };
        ResponseCustomToolCallInputDoneEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.custom_tool_call_input.done";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            item_id: string;
            output_index: number;
            input: string;
        } & {
            [key: string]: unknown;
        };
        /** @description The body of status 403 with one of 4 codes. */
        ResponseDeniedErrorBody: {
            error: components["schemas"]["ResponseDeniedErrorDetail"];
        };
        ResponseDeniedErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "permission_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "permission_denied" | "insufficient_balance" | "subscription_inactive" | "storage_quota_exceeded";
        };
        ResponseFailedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.failed";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            response: components["schemas"]["Response"];
        } & {
            [key: string]: unknown;
        };
        ResponseFunctionCallArgumentsDeltaEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.function_call_arguments.delta";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            item_id: string;
            output_index: number;
            delta: string;
        } & {
            [key: string]: unknown;
        };
        ResponseFunctionCallArgumentsDoneEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.function_call_arguments.done";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            item_id: string;
            output_index: number;
            arguments: string;
            name?: string | null;
        } & {
            [key: string]: unknown;
        };
        ResponseInProgressEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.in_progress";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            response: components["schemas"]["Response"];
        } & {
            [key: string]: unknown;
        };
        ResponseIncompleteEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.incomplete";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            response: components["schemas"]["Response"];
        } & {
            [key: string]: unknown;
        };
        /** @description The body of status 404 with `response_not_found`. */
        ResponseNotFoundErrorBody: {
            error: components["schemas"]["ResponseNotFoundErrorDetail"];
        };
        ResponseNotFoundErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "response_not_found";
        };
        ResponseOutputItemAddedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.output_item.added";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            output_index: number;
            item: components["schemas"]["OutputItem"];
        } & {
            [key: string]: unknown;
        };
        ResponseOutputItemDoneEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.output_item.done";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            output_index: number;
            item: components["schemas"]["OutputItem"];
        } & {
            [key: string]: unknown;
        };
        ResponseOutputTextAnnotationAddedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.output_text.annotation.added";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            item_id: string;
            output_index: number;
            content_index: number;
            annotation_index: number;
            annotation: components["schemas"]["TextAnnotation"];
        } & {
            [key: string]: unknown;
        };
        ResponseOutputTextDeltaEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.output_text.delta";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            item_id: string;
            output_index: number;
            content_index: number;
            delta: string;
            logprobs?: components["schemas"]["TokenLogprob"][] | null;
        } & {
            [key: string]: unknown;
        };
        ResponseOutputTextDoneEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.output_text.done";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            item_id: string;
            output_index: number;
            content_index: number;
            text: string;
            logprobs?: components["schemas"]["TokenLogprob"][] | null;
        } & {
            [key: string]: unknown;
        };
        ResponseQueuedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.queued";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            response: components["schemas"]["Response"];
        } & {
            [key: string]: unknown;
        };
        ResponseReasoningSummaryPartAddedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.reasoning_summary_part.added";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            item_id: string;
            output_index: number;
            summary_index: number;
            part: components["schemas"]["SummaryText"];
        } & {
            [key: string]: unknown;
        };
        ResponseReasoningSummaryPartDoneEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.reasoning_summary_part.done";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            item_id: string;
            output_index: number;
            summary_index: number;
            part: components["schemas"]["SummaryText"];
        } & {
            [key: string]: unknown;
        };
        ResponseReasoningSummaryTextDeltaEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.reasoning_summary_text.delta";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            item_id: string;
            output_index: number;
            summary_index: number;
            delta: string;
        } & {
            [key: string]: unknown;
        };
        ResponseReasoningSummaryTextDoneEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.reasoning_summary_text.done";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            item_id: string;
            output_index: number;
            summary_index: number;
            text: string;
        } & {
            [key: string]: unknown;
        };
        ResponseReasoningTextDeltaEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.reasoning_text.delta";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            item_id: string;
            output_index: number;
            content_index: number;
            delta: string;
        } & {
            [key: string]: unknown;
        };
        ResponseReasoningTextDoneEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.reasoning_text.done";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            item_id: string;
            output_index: number;
            content_index: number;
            text: string;
        } & {
            [key: string]: unknown;
        };
        ResponseRefusalDeltaEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.refusal.delta";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            item_id: string;
            output_index: number;
            content_index: number;
            delta: string;
        } & {
            [key: string]: unknown;
        };
        ResponseRefusalDoneEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.refusal.done";
            /** @description 0, 1, 2, … within one stream. */
            sequence_number: number;
            item_id: string;
            output_index: number;
            content_index: number;
            refusal: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Null counts as absent. A field that no operation knows is left out and named in `x-modelgate-ignored`, unless the operator of the upstream allows it.
         * @example {
         *       "model": "gpt-5.4",
         *       "instructions": "Answer in one sentence.",
         *       "input": "Why is the sky blue?"
         *     }
         */
        ResponseRequest: {
            /**
             * @description Id of a text model.
             * @example gpt-5.4
             */
            model: string;
            /** @description A string, or items: messages, calls and their outputs. */
            input: string | components["schemas"]["InputItem"][];
            /** @description The system prompt of this turn; send it again on every chained turn. */
            instructions?: string | null;
            /** @description True: the answer comes as Server-Sent Events. Absent: false. */
            stream?: boolean | null;
            stream_options?: ({
                include_obfuscation?: boolean | null;
            } & {
                [key: string]: unknown;
            }) | null;
            text?: components["schemas"]["TextOptions"] | null;
            reasoning?: components["schemas"]["ReasoningOptions"] | null;
            tools?: components["schemas"]["Tool"][] | null;
            tool_choice?: components["schemas"]["ToolChoice"] | null;
            parallel_tool_calls?: boolean | null;
            /** @description Id of a stored response to go on from. `instructions` are not carried over. */
            previous_response_id?: string | null;
            /** @description Whether the response may be chained from later. Absent: true. */
            store?: boolean | null;
            /** @description Only false is supported. */
            background?: boolean | null;
            /** @description Most output tokens, reasoning included. */
            max_output_tokens?: number | null;
            /** @description Most calls of hosted tools. */
            max_tool_calls?: number | null;
            /** @description Leave it out when no tuning is wanted. */
            temperature?: number | null;
            top_p?: number | null;
            /** @description Needs `message.output_text.logprobs` in `include`. */
            top_logprobs?: number | null;
            presence_penalty?: number | null;
            frequency_penalty?: number | null;
            /**
             * @description Deprecated. What happens when the input is too long.
             * @enum {string|null}
             */
            truncation?: "auto" | "disabled" | null;
            context_management?: ({
                type: string;
                compact_threshold?: number | null;
            } & {
                [key: string]: unknown;
            })[] | null;
            /** @description Extra output, for example `reasoning.encrypted_content`. */
            include?: string[] | null;
            metadata?: components["schemas"]["Metadata"] | null;
            /** @description Sent by coding agents; taken and not used. */
            client_metadata?: {
                [key: string]: unknown;
            } | null;
            prompt_cache_key?: string | null;
            /**
             * @description Deprecated: use `prompt_cache_options`.
             * @enum {string|null}
             */
            prompt_cache_retention?: "in_memory" | "in-memory" | "24h" | null;
            prompt_cache_options?: components["schemas"]["PromptCacheOptions"] | null;
            safety_identifier?: string | null;
            service_tier?: components["schemas"]["ServiceTier"] | null;
            /** @description Deprecated: use `safety_identifier` and `prompt_cache_key`. */
            user?: string | null;
            moderation?: components["schemas"]["TextModeration"] | null;
        } & {
            [key: string]: unknown;
        };
        /** @enum {string} */
        ResponseStatus: "queued" | "in_progress" | "completed" | "incomplete" | "failed" | "cancelled";
        /** @description One event of a responses stream. It opens with `response.created` and ends in exactly one of `response.completed`, `response.incomplete` and `response.failed`; then comes `data: [DONE]`. */
        ResponseStreamEvent: components["schemas"]["ResponseCreatedEvent"] | components["schemas"]["ResponseQueuedEvent"] | components["schemas"]["ResponseInProgressEvent"] | components["schemas"]["ResponseCompletedEvent"] | components["schemas"]["ResponseIncompleteEvent"] | components["schemas"]["ResponseFailedEvent"] | components["schemas"]["ResponseOutputItemAddedEvent"] | components["schemas"]["ResponseOutputItemDoneEvent"] | components["schemas"]["ResponseContentPartAddedEvent"] | components["schemas"]["ResponseContentPartDoneEvent"] | components["schemas"]["ResponseOutputTextDeltaEvent"] | components["schemas"]["ResponseOutputTextDoneEvent"] | components["schemas"]["ResponseOutputTextAnnotationAddedEvent"] | components["schemas"]["ResponseRefusalDeltaEvent"] | components["schemas"]["ResponseRefusalDoneEvent"] | components["schemas"]["ResponseFunctionCallArgumentsDeltaEvent"] | components["schemas"]["ResponseFunctionCallArgumentsDoneEvent"] | components["schemas"]["ResponseCustomToolCallInputDeltaEvent"] | components["schemas"]["ResponseCustomToolCallInputDoneEvent"] | components["schemas"]["ResponseReasoningSummaryPartAddedEvent"] | components["schemas"]["ResponseReasoningSummaryPartDoneEvent"] | components["schemas"]["ResponseReasoningSummaryTextDeltaEvent"] | components["schemas"]["ResponseReasoningSummaryTextDoneEvent"] | components["schemas"]["ResponseReasoningTextDeltaEvent"] | components["schemas"]["ResponseReasoningTextDoneEvent"] | components["schemas"]["HostedToolEvent"] | components["schemas"]["KeepaliveEvent"] | components["schemas"]["ErrorEvent"];
        ResponseUsage: {
            input_tokens: number;
            input_tokens_details?: ({
                cached_tokens: number;
                cache_write_tokens?: number | null;
            } & {
                [key: string]: unknown;
            }) | null;
            output_tokens: number;
            output_tokens_details?: ({
                reasoning_tokens: number;
            } & {
                [key: string]: unknown;
            }) | null;
            total_tokens: number;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Processing tier to ask the upstream for; the answer says which one was used.
         * @enum {string}
         */
        ServiceTier: "auto" | "default" | "flex" | "scale" | "priority" | "fast" | "ultrafast";
        /** @description An item that the model was given: of the request, or of the turns before it in the chain. */
        StoredItem: {
            /** @description As it was given, or made here where an item came without one. */
            id: string;
            /** @description For example `message`, `function_call` or `function_call_output`. */
            type: string;
            role?: string | null;
            /** @description The parts of a message. */
            content?: unknown;
        } & {
            [key: string]: unknown;
        };
        SummaryText: {
            /** @constant */
            type: "summary_text";
            text: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A citation or a file path inside a text. */
        TextAnnotation: {
            type: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Structured output; takes the place of `response_format` on chat. */
        TextFormat: ({
            /** @constant */
            type: "text";
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "json_object";
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "json_schema";
            name: string;
            schema: {
                [key: string]: unknown;
            };
            /** @description Set it to true to have the answer follow the schema exactly. */
            strict?: boolean | null;
            description?: string | null;
        } & {
            [key: string]: unknown;
        });
        /** @description Moderation of a text call. On the images endpoints `moderation` is a word instead. */
        TextModeration: {
            model: string;
            policy?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        TextOptions: {
            format?: components["schemas"]["TextFormat"] | null;
            verbosity?: components["schemas"]["Verbosity"] | null;
        } & {
            [key: string]: unknown;
        };
        TokenLogprob: {
            token: string;
            logprob: number;
            bytes?: number[] | null;
            top_logprobs?: ({
                token: string;
                logprob: number;
            } & {
                [key: string]: unknown;
            })[] | null;
        } & {
            [key: string]: unknown;
        };
        TokenPrices: {
            /** @description For a million input tokens. */
            input: components["schemas"]["Dollars"];
            /** @description For a million input tokens that were read from a cache. */
            cached_input: components["schemas"]["Dollars"];
            /** @description For a million input tokens that were written to a cache. */
            cache_write: components["schemas"]["Dollars"];
            /** @description For a million output tokens, reasoning included. */
            output: components["schemas"]["Dollars"];
            /** @description For a call of a tool that the upstream runs itself; of the others nothing. */
            tools: {
                [key: string]: components["schemas"]["Dollars"];
            };
        };
        Tool: components["schemas"]["FunctionTool"] | components["schemas"]["CustomTool"] | components["schemas"]["NamespaceTool"] | components["schemas"]["WebSearchTool"] | components["schemas"]["McpTool"] | components["schemas"]["HostedTool"];
        /** @description `none`, `auto`, `required`, one tool, or a subset of the tools (`allowed_tools`, a hard limit). */
        ToolChoice: ("none" | "auto" | "required") | (({
            /** @enum {string} */
            type: "function" | "custom";
            name: components["schemas"]["LongToolName"];
        } & {
            [key: string]: unknown;
        }) | ({
            /** @enum {string} */
            type: "tool_search" | "local_shell" | "shell" | "apply_patch" | "file_search" | "code_interpreter" | "image_generation" | "computer" | "computer_use_preview" | "programmatic_tool_calling" | "web_search" | "web_search_preview" | "web_search_preview_2025_03_11";
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "mcp";
            server_label: string;
            name?: string | null;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "allowed_tools";
            /** @enum {string} */
            mode: "auto" | "required";
            tools: ({
                type: string;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        }));
        /**
         * @description Letters, digits, `_` and `-`; at most 64.
         * @example get_weather
         */
        ToolName: string;
        /** @description A string, or parts. */
        ToolOutput: string | (components["schemas"]["InputText"] | components["schemas"]["InputImage"] | components["schemas"]["InputFile"])[];
        ToolSearchCall: {
            /** @constant */
            type: "tool_search_call";
            call_id?: string | null;
            arguments: unknown;
            execution?: string | null;
            id?: string | null;
            status?: components["schemas"]["ItemStatus"] | null;
        } & {
            [key: string]: unknown;
        };
        ToolSearchOutput: {
            /** @constant */
            type: "tool_search_output";
            call_id?: string | null;
            tools: components["schemas"]["Tool"][];
            execution?: string | null;
            id?: string | null;
            status?: components["schemas"]["ItemStatus"] | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The body of status 415 with `unsupported_media_type`. */
        UnsupportedMediaTypeErrorBody: {
            error: components["schemas"]["UnsupportedMediaTypeErrorDetail"];
        };
        UnsupportedMediaTypeErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "unsupported_media_type";
        };
        /** @description The body of status 426 with `upgrade_required`. */
        UpgradeRequiredErrorBody: {
            error: components["schemas"]["UpgradeRequiredErrorDetail"];
        };
        UpgradeRequiredErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "invalid_request_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "upgrade_required";
        };
        /** @description The body of status 502 with `upstream_error`. */
        UpstreamErrorBody: {
            error: components["schemas"]["UpstreamErrorDetail"];
        };
        UpstreamErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "server_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "upstream_error";
        };
        /** @description The body of status 504 with `upstream_timeout`. */
        UpstreamTimeoutErrorBody: {
            error: components["schemas"]["UpstreamTimeoutErrorDetail"];
        };
        UpstreamTimeoutErrorDetail: {
            /** @description What went wrong and what to do, in a sentence for people. */
            message: string;
            /**
             * @description Coarse class of the error.
             * @enum {string}
             */
            type: "server_error";
            /** @description Path of the field at fault, or null. */
            param: string | null;
            /**
             * @description The exact reason, for programs.
             * @enum {string}
             */
            code: "upstream_timeout";
        };
        /** @description One time that an upstream was asked. */
        UsageAttempt: {
            /** @description Its name in the configuration, as in `x-modelgate-attempts`. */
            upstream: string;
            /** @description Of its answer. Null where none came. */
            status: number | null;
            /** @description What went wrong, by the code of an error. Null where the answer was good. */
            code: string | null;
            /** @description Milliseconds until it had failed, or until its answer could be handed on. */
            ms: number;
        };
        /** @description One page of the requests of an account, newest first. */
        UsageList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["UsageRecord"][];
            /** @description Null where the page is empty. */
            first_id: string | null;
            /** @description Goes into `after` of the next call. */
            last_id: string | null;
            has_more: boolean;
        };
        /** @description One request that was paid for, or may have to be. */
        UsageRecord: {
            /** @constant */
            object: "usage";
            /** @description The `x-request-id` of the answer. */
            request_id: string;
            /** @description The key that it was called with. */
            key_id: string;
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
            /** @description Classes that do not overlap. Null as long as nothing was charged. */
            tokens: {
                /** @description Neither read from a cache nor written to one. */
                input: number;
                /** @description Read from a cache. */
                cached_input: number;
                /** @description Written to a cache. */
                cache_write: number;
                /** @description Reasoning included. */
                output: number;
                /** @description Part of `output`. */
                reasoning: number;
            } | null;
            /** @description The limit on its output, in tokens, that the gateway set: the request named none, and what paid for it went no further. Null where it set none. */
            output_limit: number | null;
            /** @description Pictures made, by `size/quality`. */
            images: {
                [key: string]: number;
            } | null;
            /** @description Calls of tools that the upstream ran itself, by the type of their output item. */
            tools: {
                [key: string]: number;
            } | null;
            /** @description Seconds since 1970-01-01 UTC. */
            created_at: number;
            /** @description Seconds since 1970-01-01 UTC. */
            settled_at: number | null;
        };
        /**
         * @description How long the answer should be.
         * @enum {string}
         */
        Verbosity: "low" | "medium" | "high";
        /** @description A search of the web, run by the upstream. */
        WebSearchTool: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "web_search" | "web_search_2025_08_26" | "web_search_preview" | "web_search_preview_2025_03_11";
            external_web_access?: boolean | null;
            filters?: {
                [key: string]: unknown;
            } | null;
            user_location?: {
                [key: string]: unknown;
            } | null;
            /** @enum {string|null} */
            search_context_size?: "low" | "medium" | "high" | null;
        } & {
            [key: string]: unknown;
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
         * @description Fields and items of the request that the upstream was not sent.
         * @example seed, logit_bias
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
                /** @description Sent by the Codex CLI, which gets the list in its own format, too. Its value does not matter. */
                client_version?: string;
            };
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), where the gateway keeps traces.
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
    getCatalog: {
        parameters: {
            query?: {
                /** @description Only models that accounts of this group may call. `default` and `vip` are always there. */
                group?: string;
            };
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), where the gateway keeps traces.
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
                 * @description The trace that the request belongs to (W3C Trace Context), where the gateway keeps traces.
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
                    "application/json": components["schemas"]["Response"];
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
                /** @description Only false: a stream that has been read is not resumable. */
                stream?: boolean;
            };
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), where the gateway keeps traces.
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
                    "application/json": components["schemas"]["Response"];
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
    deleteResponse: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), where the gateway keeps traces.
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
                /** @description Id of the item to go on after: `last_id` of the page before. */
                after?: string;
            };
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), where the gateway keeps traces.
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
                 * @description The trace that the request belongs to (W3C Trace Context), where the gateway keeps traces.
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
                 * @description The trace that the request belongs to (W3C Trace Context), where the gateway keeps traces.
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
                 * @description The trace that the request belongs to (W3C Trace Context), where the gateway keeps traces.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImageEditRequest"];
                "multipart/form-data": components["schemas"]["ImageEditForm"];
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
                /** @description Only requests from this time on; in seconds since 1970. */
                from?: number;
                /** @description Only requests before this time; in seconds since 1970. */
                to?: number;
                /** @description Most requests to return. Absent: 20. */
                limit?: number;
                /** @description Id of the request to go on after: `last_id` of the page before. */
                after?: string;
            };
            header?: {
                /**
                 * @description The trace that the request belongs to (W3C Trace Context), where the gateway keeps traces.
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
                 * @description The trace that the request belongs to (W3C Trace Context), where the gateway keeps traces.
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

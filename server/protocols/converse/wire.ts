/** Types of the bodies of Converse, Amazon Bedrock's protocol, as far as this gateway reads or writes them. */
import type { Fields } from '../../primitives/fields.ts';

/** The tag for packed encrypted reasoning. */
export const PROVIDER = 'converse';

// An interface wouldn't be assignable to the JSON object that dialects return.
export type ConverseRequest = {
  readonly messages: readonly Message[];
  readonly system?: readonly SystemContentBlock[];
  readonly inferenceConfig?: InferenceConfiguration;
  readonly toolConfig?: ToolConfiguration;
  readonly outputConfig?: OutputConfig;
  readonly additionalModelRequestFields?: AdditionalModelRequestFields;
};

export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: readonly ContentBlock[];
}

export type ContentBlock =
  | ToolResultContentBlock
  | CachePoint
  | { readonly reasoningContent: ReasoningContentBlock }
  | { readonly toolUse: ToolUseBlock }
  | { readonly toolResult: { readonly toolUseId: string; readonly content: readonly ToolResultContentBlock[] } }
  | { readonly citationsContent: CitationsContentBlock };

export type ToolResultContentBlock = { readonly text: string } | { readonly image: ImageBlock } | { readonly document: DocumentBlock };

export interface ImageBlock {
  readonly format: 'png' | 'jpeg' | 'gif' | 'webp';
  readonly source: InlineBytes;
}

export interface DocumentBlock {
  readonly format: 'pdf' | 'txt' | 'md' | 'csv' | 'html' | 'doc' | 'docx' | 'xls' | 'xlsx';
  readonly name: string;
  readonly source: InlineBytes;
}

interface InlineBytes {
  /** Base64. */
  readonly bytes: string;
}

export type ReasoningContentBlock =
  | { readonly reasoningText: ReasoningTextBlock }
  /** Base64. */
  | { readonly redactedContent: string };

export interface ReasoningTextBlock {
  readonly text: string;
  readonly signature: string;
}

export interface ToolUseBlock {
  readonly toolUseId: string;
  readonly name: string;
  readonly input: Fields;
}

export interface CitationsContentBlock {
  readonly content: readonly { readonly text: string }[];
}

/** Caches the prompt up to the block before it. */
export interface CachePoint {
  readonly cachePoint: { readonly type: 'default'; readonly ttl?: CacheTtl };
}

type CacheTtl = '5m' | '1h';

type SystemContentBlock = { readonly text: string } | CachePoint;

export interface InferenceConfiguration {
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly stopSequences?: readonly string[];
}

export interface ToolConfiguration {
  readonly tools: readonly Tool[];
  readonly toolChoice?: ToolChoice;
}

type Tool = { readonly toolSpec: ToolSpecification } | CachePoint;

export interface ToolSpecification {
  readonly name: string;
  readonly description?: string;
  /** `json` is a JSON schema. */
  readonly inputSchema: { readonly json: Fields };
}

type NoFields = Readonly<Record<string, never>>;

export type ToolChoice = { readonly auto: NoFields } | { readonly any: NoFields } | { readonly tool: { readonly name: string } };

interface OutputConfig {
  readonly textFormat: { readonly type: 'json_schema'; readonly structure: { readonly jsonSchema: JsonSchemaDefinition } };
}

interface JsonSchemaDefinition {
  /** JSON. */
  readonly schema: string;
  readonly name: string;
  readonly description?: string;
}

/** The effort fields of Amazon's and of OpenAI's models. */
export type AdditionalModelRequestFields =
  | { readonly reasoningConfig: { readonly type: 'disabled' } | { readonly type: 'enabled'; readonly maxReasoningEffort: EffortLevel } }
  | { readonly reasoning_effort: EffortLevel };

export type EffortLevel = 'low' | 'medium' | 'high';

export interface ConverseResponse {
  readonly output: { readonly message: Message };
  readonly stopReason: StopReason;
  readonly usage: TokenUsage;
}

/** The reasons that end a usable response. */
export type StopReason =
  | 'end_turn'
  | 'stop_sequence'
  | 'tool_use'
  | 'max_tokens'
  | 'model_context_window_exceeded'
  | 'content_filtered'
  | 'guardrail_intervened';

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadInputTokens?: number;
  readonly cacheWriteInputTokens?: number;
  readonly cacheDetails?: readonly CacheDetail[];
}

export interface CacheDetail {
  readonly inputTokens: number;
  readonly ttl: CacheTtl;
}

/** An event of a stream has exactly one of these fields. */
export interface ConverseStreamOutput {
  readonly messageStart: object;
  readonly contentBlockStart: ContentBlockStartEvent;
  readonly contentBlockDelta: ContentBlockDeltaEvent;
  readonly contentBlockStop: ContentBlockStopEvent;
  readonly messageStop: MessageStopEvent;
  readonly metadata: ConverseStreamMetadataEvent;
}

/** `contentBlockIndex` counts blocks of every kind. */
export interface ContentBlockStopEvent {
  readonly contentBlockIndex: number;
}

export interface ContentBlockStartEvent extends ContentBlockStopEvent {
  /** Only tool calls have a start. */
  readonly start: { readonly toolUse: Omit<ToolUseBlock, 'input'> };
}

export interface ContentBlockDeltaEvent extends ContentBlockStopEvent {
  readonly delta: ContentBlockDelta;
}

export type ContentBlockDelta =
  | { readonly text: string }
  | { readonly toolUse: ToolUseBlockDelta }
  | { readonly reasoningContent: ReasoningContentBlockDelta };

export interface ToolUseBlockDelta {
  /** A piece of JSON. */
  readonly input: string;
}

export type ReasoningContentBlockDelta = { readonly text: string } | { readonly signature: string } | { readonly redactedContent: string };

export interface MessageStopEvent {
  readonly stopReason: StopReason;
}

export interface ConverseStreamMetadataEvent {
  readonly usage: TokenUsage;
}

/** The body of an error. Its name is in a header. */
export interface ConverseException {
  readonly message: string;
}

/** Signed reasoning in packed form. `provider` is the provider whose models can read it. */
export interface SignedReasoning {
  readonly provider: string;
  readonly block: ReasoningContentBlock;
}

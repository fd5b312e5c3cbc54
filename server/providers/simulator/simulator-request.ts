/** A text request as the simulator reads it from either protocol. */
import { type CallCode, GatewayError } from '../../primitives/errors.ts';

interface NamedTool {
  readonly name: string;
  /** The tool's namespace in the Responses API. Null for a top-level tool. */
  readonly namespace: string | null;
}

interface FunctionTool extends NamedTool {
  readonly kind: 'function';
  /** The JSON schema of the arguments. Undefined means no arguments. */
  readonly schema: unknown;
}

export type SimulatorTool = FunctionTool | (NamedTool & { kind: 'custom' });

export interface ToolChoice {
  readonly mode: 'none' | 'auto' | 'required';
  /** The only tools that can be called. Null for all. */
  readonly names: readonly string[] | null;
}

export type OutputFormat =
  | { readonly kind: 'text' }
  | { readonly kind: 'json_object' }
  | { readonly kind: 'json_schema'; readonly schema: unknown; readonly param: string };

export interface Attachment {
  readonly noun: 'image' | 'file' | 'sound';
  /** The media type if known, otherwise how the attachment was included. */
  readonly type: string;
}

export interface ToolResult {
  readonly name: string;
  readonly text: string;
}

export interface SimulatorRequest {
  /** The text of the last user message. */
  readonly prompt: string;
  /** Images and files of the last user message. */
  readonly attachments: readonly Attachment[];
  /** Tool results at the end of the conversation. */
  readonly results: readonly ToolResult[];
  readonly inputTokens: number;
  readonly tools: readonly SimulatorTool[];
  readonly choice: ToolChoice;
  readonly isParallel: boolean;
  readonly format: OutputFormat;
  readonly maxTokens: number | null;
  readonly stop: readonly string[];
  /** The number of responses. More than one only in chat. */
  readonly choices: number;
  /** Null if the model doesn't reason. */
  readonly reasoning: { effort: string; isEncrypted: boolean } | null;
  /** Alternatives per token. Null if no log probabilities were requested. */
  readonly topLogprobs: number | null;
}

/** Rejects a tool choice that no tool satisfies, as providers do. */
export function requireCallable(choice: ToolChoice, tools: readonly SimulatorTool[]): ToolChoice {
  const isCallable = tools.some((tool) => choice.names === null || choice.names.includes(tool.name));
  if (choice.mode === 'required' && !isCallable) {
    throw new GatewayError<CallCode>('invalid_value', {
      message: "'tool_choice' names a tool that isn't among the function and custom tools of this request.",
      param: 'tool_choice',
    });
  }
  return choice;
}

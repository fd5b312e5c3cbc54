/** What a text call asks of the simulator, in neither wire format: chat and responses are both read into it. */
import { type CallCode, GatewayError } from '../../errors.ts';

interface NamedTool {
  readonly name: string;
  /** Of a responses namespace; null for a tool that stands alone. */
  readonly namespace: string | null;
}
export interface FunctionTool extends NamedTool {
  readonly kind: 'function';
  /** JSON schema of its arguments; undefined means no arguments. */
  readonly schema: unknown;
}
export interface CustomTool extends NamedTool {
  readonly kind: 'custom';
}
export type Tool = FunctionTool | CustomTool;

export interface ToolChoice {
  readonly mode: 'none' | 'auto' | 'required';
  /** The only tools that may be called; null for all. */
  readonly names: readonly string[] | null;
}

export type OutputFormat =
  | { readonly kind: 'text' }
  | { readonly kind: 'json_object' }
  | { readonly kind: 'json_schema'; readonly schema: unknown; readonly param: string };

export interface Attachment {
  readonly noun: 'image' | 'file' | 'sound';
  /** Its media type where known, else how it was given. */
  readonly type: string;
}

export interface ToolResult {
  readonly name: string;
  readonly text: string;
}

export interface Reasoning {
  readonly effort: string;
  readonly isEncrypted: boolean;
}

export interface Ask {
  /** Text of the last user message. */
  readonly prompt: string;
  /** Images and files of the last user message. */
  readonly attachments: readonly Attachment[];
  /** Tool results at the very end of the conversation. */
  readonly results: readonly ToolResult[];
  readonly inputTokens: number;
  readonly tools: readonly Tool[];
  readonly choice: ToolChoice;
  readonly isParallel: boolean;
  readonly format: OutputFormat;
  readonly maxTokens: number | null;
  readonly stop: readonly string[];
  /** How many answers; more than one only in chat. */
  readonly choices: number;
  /** null: the model does not reason. */
  readonly reasoning: Reasoning | null;
  /** Alternatives per token; null: no log probabilities asked for. */
  readonly topLogprobs: number | null;
}

/** Refuses a tool choice that no tool satisfies, as vendors do. */
export function requireCallable(choice: ToolChoice, tools: readonly Tool[]): ToolChoice {
  const known = tools.some((tool) => choice.names === null || choice.names.includes(tool.name));
  if (choice.mode === 'required' && !known) {
    throw new GatewayError<CallCode>('invalid_value', {
      message: 'tool_choice asks for a tool that is not among the function and custom tools of this request.',
      param: 'tool_choice',
    });
  }
  return choice;
}

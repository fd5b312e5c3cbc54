/** The tools of a turn as upstreams without hosted or free-form tools can take them, and which of them may be chosen. */
import { GatewayError } from '../../errors.ts';
import { InputDecoder, inputDescription, inputSchema } from '../chat/custom-input.ts';
import type { FlatToolNames } from '../tool-names.ts';
import type { CustomTool, FunctionTool, HostedTool, Tool, ToolChoice, ToolName, Turn } from '../turn.ts';
import { refuse } from './refusal.ts';

export type CallableTool = FunctionTool | CustomTool;

/** Hosted tools that a caller can do without: agents offer them always. */
const isSpare = ({ type }: HostedTool): boolean => type.startsWith('web_search') || type === 'tool_search';

function isCallable(tool: Tool): tool is CallableTool {
  if (tool.kind !== 'hosted') return true;
  return isSpare(tool) ? false : refuse(`${tool.path}.type`, `its upstream runs no tool of the type '${tool.type}'`);
}

export const callableTools = (turn: Turn): readonly CallableTool[] => turn.tools.filter(isCallable);

/** What may be called: `only` holds flat names, null for any. */
export interface Choice {
  readonly mode: 'auto' | 'none' | 'required';
  readonly only: readonly string[] | null;
}

/** Null where there is nothing to choose from, or the caller left it to the model. */
export function readChoice(turn: Turn, tools: readonly CallableTool[], names: FlatToolNames): Choice | null {
  const choice = turn.toolChoice;
  if (choice === null) return null;
  if (choice.kind === 'hosted') refuse('tool_choice', 'its upstream runs no tools of its own');
  if (tools.length === 0) return canWait(choice) ? null : refuse('tool_choice', 'none of the tools can be called there');
  if (choice.kind === 'tool') return { mode: 'required', only: [nameOf(choice.tool, tools, names)] };
  if (choice.kind === 'allowed') return { mode: choice.mode, only: choice.tools.map((tool) => nameOf(tool, tools, names)) };
  return { mode: choice.kind, only: null };
}

const canWait = (choice: ToolChoice): boolean =>
  choice.kind === 'auto' || choice.kind === 'none' || (choice.kind === 'allowed' && choice.mode === 'auto');

function nameOf(tool: ToolName, tools: readonly CallableTool[], names: FlatToolNames): string {
  const name = names.ofChoice(tool);
  if (tools.some((each) => names.toWire(each.namespace, each.name) === name)) return name;
  throw new GatewayError('invalid_value', {
    param: 'tool_choice',
    message: `'tool_choice' names '${tool.name}', which is not in 'tools'.`,
  });
}

/** These upstreams want `type: object` even where nothing is taken. */
export function parametersOf(tool: CallableTool): Readonly<Record<string, unknown>> {
  if (tool.kind === 'custom') return inputSchema;
  if (tool.parameters === null) return { type: 'object', properties: {} };
  return tool.parameters.type === undefined ? { type: 'object', ...tool.parameters } : tool.parameters;
}

/** A grammar cannot be enforced over there; the model is told of it. */
export const descriptionOf = (tool: CallableTool): string | null => (tool.kind === 'function' ? tool.description : inputDescription(tool));

/** The free text in the whole arguments of a wrapped tool. */
export function unwrapInput(json: string): string {
  const decoder = new InputDecoder();
  return decoder.push(json) + decoder.end();
}

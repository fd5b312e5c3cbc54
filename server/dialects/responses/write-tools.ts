/** Tools and the choice among them as a responses call has them: flat, those of a namespace together (specification 2.4). */
import type { CustomTool, FunctionTool, Tool, ToolChoice, ToolName, Turn } from '../turn.ts';
import type { Wire } from './write-input.ts';

const described = (description: string | null): Wire => (description === null ? {} : { description });
const noArguments = { type: 'object', properties: {}, additionalProperties: false } as const;

/** Left out, `strict` means true here and false on chat: what the caller's protocol meant was read, and is said. */
function writeFunction({ name, description, parameters, strict }: FunctionTool): Wire {
  return {
    type: 'function',
    name,
    ...described(description),
    parameters: parameters ?? noArguments,
    ...(strict !== null && { strict }),
  };
}

function writeCustom({ name, description, grammar }: CustomTool): Wire {
  return { type: 'custom', name, ...described(description), ...(grammar !== null && { format: { type: 'grammar', ...grammar } }) };
}

function writeTool(tool: Tool): Wire {
  switch (tool.kind) {
    case 'function':
      return writeFunction(tool);
    case 'custom':
      return writeCustom(tool);
    case 'hosted':
      return { ...tool.value, type: tool.type };
  }
}

/** A namespace stands where the first of its tools stood. */
function writeList(tools: readonly Tool[]): readonly Wire[] {
  const written: Wire[] = [];
  const spaces = new Map<string, Wire[]>();
  for (const tool of tools) {
    const namespace = tool.kind === 'hosted' ? null : tool.namespace;
    const space = namespace === null ? written : spaces.get(namespace);
    if (space) space.push(writeTool(tool));
    else if (namespace !== null) {
      const inner = [writeTool(tool)];
      spaces.set(namespace, inner);
      written.push({ type: 'namespace', name: namespace, description: '', tools: inner });
    }
  }
  return written;
}

const named = ({ form, name }: ToolName): Wire => ({ type: form, name });

function writeChoice(choice: ToolChoice): unknown {
  switch (choice.kind) {
    case 'tool':
      return named(choice.tool);
    case 'allowed':
      return { type: 'allowed_tools', mode: choice.mode, tools: choice.tools.map(named) };
    case 'hosted':
      return choice.value;
    default:
      return choice.kind;
  }
}

export function writeTools({ tools, toolChoice, parallelToolCalls }: Turn): Wire {
  return {
    ...(tools.length > 0 && { tools: writeList(tools) }),
    ...(toolChoice !== null && { tool_choice: writeChoice(toolChoice) }),
    ...(parallelToolCalls !== null && { parallel_tool_calls: parallelToolCalls }),
  };
}

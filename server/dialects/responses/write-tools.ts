/** Tools and the choice among them as a responses call has them: flat, those of a namespace together. */
import { holderOf, toolField } from '../turn/tool-place.ts';
import { toolSchema } from '../turn/tool-schema.ts';
import type { CustomTool, FunctionTool, Tool, ToolChoice, ToolName, Turn } from '../turn/turn.ts';
import type { Budget, Work } from '../turn/work-budget.ts';
import type { Wire } from './write-input.ts';

const described = (description: string | null): Wire => (description === null ? {} : { description });
const noArguments = { type: 'object', properties: {}, additionalProperties: false } as const;

/** An absent `strict` means true here and false on chat, so the meaning in the caller's protocol is written. */
function writeFunction({ name, description, parameters, strict }: FunctionTool, budget: Budget): Wire {
  return {
    type: 'function',
    name,
    ...described(description),
    parameters: parameters === null ? noArguments : toolSchema(parameters, budget),
    ...(strict !== null && { strict }),
  };
}

function writeCustom({ name, description, grammar }: CustomTool): Wire {
  return { type: 'custom', name, ...described(description), ...(grammar !== null && { format: { type: 'grammar', ...grammar } }) };
}

function writeTool(tool: Tool, budget: Budget): Wire {
  switch (tool.kind) {
    case 'function':
      return writeFunction(tool, budget);
    case 'custom':
      return writeCustom(tool);
    case 'hosted':
      return { ...tool.value, type: tool.type };
  }
}

/** A namespace takes the position of its first tool. */
function writeList(tools: readonly Tool[], budgetOf: (tool: Tool) => Budget): readonly Wire[] {
  const written: Wire[] = [];
  const spaces = new Map<string, Wire[]>();
  for (const tool of tools) {
    const namespace = tool.kind === 'hosted' ? null : tool.namespace;
    const space = namespace === null ? written : spaces.get(namespace);
    if (space) space.push(writeTool(tool, budgetOf(tool)));
    else if (namespace !== null) {
      const inner = [writeTool(tool, budgetOf(tool))];
      spaces.set(namespace, inner);
      written.push({ type: 'namespace', name: namespace, description: '', tools: inner });
    }
  }
  return written;
}

const named = ({ form, name, namespace }: ToolName): Wire => ({ type: form, name, ...(namespace !== undefined && { namespace }) });

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

/** The results of tool searches, which declare their own tools: this protocol has an item for them. */
function foundIn({ items }: Turn): ReadonlySet<string> {
  return new Set(items.flatMap((item) => (item.kind === 'foreign' && item.type === 'tool_search_output' ? [item.path] : [])));
}

export function writeTools(turn: Turn, work: Work): Wire {
  const { caller, tools, toolChoice, parallelToolCalls } = turn;
  const searches = foundIn(turn);
  const offered = tools.filter((tool) => !searches.has(holderOf(tool)));
  return {
    ...(offered.length > 0 && { tools: writeList(offered, (tool) => work.on(toolField(tool, caller, 'parameters'))) }),
    ...(toolChoice !== null && { tool_choice: writeChoice(toolChoice) }),
    ...(parallelToolCalls !== null && { parallel_tool_calls: parallelToolCalls }),
  };
}

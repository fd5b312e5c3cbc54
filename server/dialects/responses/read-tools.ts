/** Reads the tools of a responses request, those in namespaces and in the input included, and what it says of their choice. */
import type { ResponseRequest } from '../../../contract/responses.ts';
import { type Fields, isFields, isSet } from '../../../contract/rule.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import type { Tool, ToolChoice, ToolName } from '../turn/turn.ts';

type WireTool = NonNullable<ResponseRequest['tools']>[number];
type WireChoice = NonNullable<ResponseRequest['tool_choice']>;
type Place = { readonly path: string; readonly namespace: string | null };

export function readTools({ tools, input }: ResponseRequest): Tool[] {
  const items = typeof input === 'string' ? [] : input;
  const added = items.flatMap((item, index) =>
    // What an agent's search for tools has found may be called from then on.
    item.type === 'additional_tools' || item.type === 'tool_search_output' ? readList(item.tools, `input[${index}].tools`) : [],
  );
  return [...readList(tools ?? [], 'tools'), ...added];
}

function readList(tools: readonly WireTool[], path: string): Tool[] {
  return tools.flatMap((tool, index) => readTool(tool, { path: `${path}[${index}]`, namespace: null }));
}

/** A namespace is no tool: each tool in it says where it lies. */
function readTool(tool: WireTool, place: Place): Tool[] {
  switch (tool.type) {
    case 'namespace':
      return tool.tools.flatMap((inner, index) => readTool(inner, { path: `${place.path}.tools[${index}]`, namespace: tool.name }));
    case 'function':
      return [readFunction(tool, place)];
    case 'custom':
      return [readCustom(tool, place)];
    default:
      return [{ kind: 'hosted', type: tool.type, value: tool, path: place.path }];
  }
}

/** Absent strictness stays absent: on responses the upstream decides. */
function readFunction(tool: Extract<WireTool, { type: 'function' }>, place: Place): Tool {
  const { name, description, parameters, strict } = tool;
  return { kind: 'function', name, description: description ?? null, parameters: parameters ?? null, strict: strict ?? null, ...place };
}

function readCustom({ name, description, format }: Extract<WireTool, { type: 'custom' }>, place: Place): Tool {
  const grammar = format?.type === 'grammar' ? { syntax: format.syntax, definition: format.definition } : null;
  return { kind: 'custom', name, description: description ?? null, grammar, ...place };
}

export function readToolChoice(choice: WireChoice | null | undefined): ToolChoice | null {
  if (choice === null || choice === undefined) return null;
  if (typeof choice === 'string') return { kind: choice };
  switch (choice.type) {
    case 'function':
    case 'custom':
      return { kind: 'tool', tool: readNamed(choice.type, choice) };
    case 'allowed_tools':
      return readAllowed(choice);
    default:
      return { kind: 'hosted', value: choice };
  }
}

/** A list with a hosted tool in it can only be said in the words of this protocol, so it stays in them. */
function readAllowed(choice: Extract<WireChoice, { type: 'allowed_tools' }>): ToolChoice {
  const names = choice.tools.map(readName);
  const tools = names.filter((name) => name !== null);
  return tools.length === names.length ? { kind: 'allowed', mode: choice.mode, tools } : { kind: 'hosted', value: choice };
}

function readName(tool: unknown): ToolName | null {
  if (!isFields(tool)) return null;
  return tool.type === 'function' || tool.type === 'custom' ? readNamed(tool.type, tool) : null;
}

function readNamed(form: ToolName['form'], { name, namespace }: Fields): ToolName {
  checkText(name, 'name');
  if (!isSet(namespace)) return { form, name };
  checkText(namespace, 'namespace');
  return { form, name, namespace };
}

function checkText(value: unknown, field: string): asserts value is string {
  if (typeof value === 'string') return;
  throw new GatewayError<CallCode>('invalid_type', {
    param: 'tool_choice',
    message: `Each tool that 'tool_choice' names has a string as its '${field}'.`,
  });
}

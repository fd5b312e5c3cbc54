/** Hosted tools, which the upstream runs: those that a request offers, and how often each was called. */
import { type Fields, isFields, isSet } from '../../../contract/rule.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import { eachFrame, frameObject } from '../wire/frames.ts';

/** The number of calls by the type of their output items: `web_search_call`, `image_generation_call`, … */
export type HostedCalls = Readonly<Record<string, number>>;

/** A tool of the upstream that a request offers. */
export interface OfferedTool {
  readonly type: string;
  /** The type of the output items of its calls, by which they are priced. */
  readonly call: string;
  readonly path: string;
}

/** Tools that vendors charge for: prefix of the type → type of the calls. Tools that the caller runs, and searches for tools, cost only tokens. */
const runThere = [
  ...['web_search', 'file_search', 'code_interpreter', 'image_generation', 'mcp', 'shell'].map((name) => [name, `${name}_call`] as const),
  ['programmatic_tool_calling', 'program_call'] as const,
];

/** Whether a shell runs at the caller. */
const isLocal = ({ environment }: Fields): boolean => isFields(environment) && environment.type === 'local';

/** The type of a tool's calls; null when the upstream does not run it. */
export function callOf(tool: unknown): string | null {
  if (!isFields(tool) || typeof tool.type !== 'string' || isLocal(tool)) return null;
  const { type } = tool;
  return runThere.find(([name]) => type.startsWith(name))?.[1] ?? null;
}

/** Searches `tools` and every input item that declares tools, and chat's `web_search_options`. */
export function offeredTools({ tools, input, messages, web_search_options: search }: Fields): OfferedTool[] {
  const found = isSet(search) ? [{ type: 'web_search', call: 'web_search_call', path: 'web_search_options' }] : [];
  if (Array.isArray(messages)) collectVendors(tools, found);
  else collect(tools, 'tools', found);
  if (Array.isArray(input))
    for (const [index, item] of input.entries()) if (isFields(item)) collect(item.tools, `input[${index}].tools`, found);
  return found;
}

function collect(tools: unknown, path: string, found: OfferedTool[]): void {
  if (!Array.isArray(tools)) return;
  for (const [index, tool] of tools.entries()) {
    const call = callOf(tool);
    if (call !== null) found.push({ type: String(tool.type), call, path: `${path}[${index}]` });
    if (isFields(tool)) collect(tool.tools, `${path}[${index}].tools`, found);
  }
}

/** Tools of chat: besides the caller's own there are those of a vendor, each with a price of its own. */
function collectVendors(tools: unknown, found: OfferedTool[]): void {
  if (!Array.isArray(tools)) return;
  for (const [index, tool] of tools.entries()) {
    if (!isFields(tool) || typeof tool.type !== 'string' || tool.type === 'function' || tool.type === 'custom') continue;
    const call = callOf(tool) ?? `${tool.type.toLowerCase().replace(/[^a-z0-9]+/g, '_')}_call`;
    found.push({ type: tool.type, call, path: `tools[${index}]` });
  }
}

/** Counts the calls in the output of a whole response. */
export function countHostedCalls(bytes: Buffer): HostedCalls {
  if (!mayHoldCalls(bytes)) return {};
  const counter = new HostedCallCounter();
  const response = parse(bytes);
  if (isFields(response) && Array.isArray(response.output)) for (const item of response.output) counter.add(item);
  return counter.calls;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch (cause) {
    // Of a large answer only the end was parsed before.
    throw new GatewayError<CallCode>('upstream_error', { message: 'The upstream answered something that is not JSON.', cause });
  }
}

const DONE = Buffer.from('response.output_item.done');

export class HostedCallCounter {
  readonly #calls = new Map<string, number>();

  get calls(): HostedCalls {
    return Object.fromEntries(this.#calls);
  }

  /** Takes frames that are sent to the caller. */
  see(frames: Buffer): void {
    if (!frames.includes(DONE) || !mayHoldCalls(frames)) return;
    eachFrame(frames, (frame) => {
      const event = frame.includes(DONE) ? frameObject(frame) : null;
      if (event?.type === 'response.output_item.done') this.add(event.item);
    });
  }

  add(item: unknown): void {
    if (!isFields(item) || typeof item.type !== 'string' || item.status === 'failed') return;
    const call = item.type === PROGRAM ? 'program_call' : item.type;
    if (isHostedCall(call)) this.#calls.set(call, (this.#calls.get(call) ?? 0) + 1);
  }
}

const PROGRAM = 'program';
const callersOwn = new Set(['function_call', 'custom_tool_call']);
const isHostedCall = (type: string): boolean => /^[a-z][a-z0-9_]{0,58}_call$/.test(type) && !callersOwn.has(type);

const END_OF_NAME = Buffer.from('_call"');
/** The longest name with its opening quote, in bytes. */
const LONGEST = 66;

/** Whether the bytes may hold calls to count. Most answers hold only calls of the caller's functions, and need not be parsed. */
function mayHoldCalls(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(END_OF_NAME); at >= 0; at = bytes.indexOf(END_OF_NAME, at + END_OF_NAME.length)) {
    const end = at + END_OF_NAME.length - 1;
    const before = bytes.toString('latin1', Math.max(end - LONGEST, 0), end);
    if (isHostedCall(before.slice(before.lastIndexOf('"') + 1))) return true;
  }
  return bytes.includes(`"${PROGRAM}"`);
}

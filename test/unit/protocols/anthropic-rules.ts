/** The rules of the Anthropic documentation for a request, as a schema that is independent of the writer. */
import { z } from 'zod';

const solid = z.string().refine((text) => text.trim() !== '', 'a text block holds more than spaces');
const source = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('base64'), media_type: z.string().min(1), data: z.base64().min(1) }),
  z.strictObject({ type: z.literal('url'), url: z.url() }),
  z.strictObject({ type: z.literal('text'), media_type: z.literal('text/plain'), data: z.string() }),
]);
const text = z.strictObject({ type: z.literal('text'), text: solid });
const image = z.strictObject({ type: z.literal('image'), source });
const document = z.strictObject({ type: z.literal('document'), source, title: z.string().min(1).optional() });
const id = z.string().regex(/^[a-zA-Z0-9_-]+$/);
const name = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
const input = z.record(z.string(), z.unknown());
const thinking = z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string().min(1) });
const redacted = z.strictObject({ type: z.literal('redacted_thinking'), data: z.string().min(1) });
const toolUse = z.strictObject({ type: z.literal('tool_use'), id, name, input });
const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: id,
  content: z.union([solid, z.array(z.discriminatedUnion('type', [text, image, document])).min(1)]).optional(),
});

const user = z.strictObject({
  role: z.literal('user'),
  content: z.array(z.discriminatedUnion('type', [text, image, document, toolResult])).min(1),
});
const assistant = z.strictObject({
  role: z.literal('assistant'),
  content: z.array(z.discriminatedUnion('type', [text, thinking, redacted, toolUse])).min(1),
});
const message = z.discriminatedUnion('role', [user, assistant]);
type Message = z.infer<typeof message>;

const callsOf = ({ content }: Message): string[] => content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
const resultsOf = ({ content }: Message): string[] => content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));

function* wrongIn(messages: readonly Message[]): Generator<string> {
  const ids = messages.flatMap(callsOf);
  if (new Set(ids).size < ids.length) yield 'an id of a call is used twice';
  for (const [at, { role, content }] of messages.entries()) {
    const before = messages[at - 1];
    if (role !== (at % 2 === 0 ? 'user' : 'assistant')) yield `message ${at} is of the ${role}: user and assistant take turns`;
    const lastResult = content.findLastIndex(({ type }) => type === 'tool_result');
    if (content.slice(0, lastResult + 1).some(({ type }) => type !== 'tool_result')) yield `message ${at} has something ahead of a result`;
    const asked = before ? callsOf(before) : [];
    const answered = messages[at] ? resultsOf(messages[at]) : [];
    if (asked.toSorted().join() !== answered.toSorted().join()) yield `message ${at} does not answer the calls before it, each once`;
    const last = content.at(-1);
    if (last?.type === 'thinking' || last?.type === 'redacted_thinking') yield `message ${at} ends in a thought`;
  }
  if (messages.at(-1)?.content.some(({ type }) => type === 'tool_use')) yield 'a call has no result';
}

const schemaOfTool = z.looseObject({ type: z.literal('object') });
const tool = z.strictObject({ name, description: z.string().optional(), input_schema: schemaOfTool, strict: z.literal(true).optional() });
const single = { disable_parallel_tool_use: z.boolean().optional() };
const choice = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('auto'), ...single }),
  z.strictObject({ type: z.literal('any'), ...single }),
  z.strictObject({ type: z.literal('tool'), name, ...single }),
  z.strictObject({ type: z.literal('none') }),
]);

export const anthropicBody = z
  .strictObject({
    model: z.string().min(1),
    max_tokens: z.int().min(1),
    system: solid.optional(),
    messages: z.array(message).min(1),
    tools: z.array(tool).min(1).optional(),
    tool_choice: choice.optional(),
    temperature: z.number().min(0).max(1).optional(),
    top_p: z.number().min(0).max(1).optional(),
    stop_sequences: z.array(z.string().min(1)).min(1).optional(),
    thinking: z.looseObject({ type: z.enum(['adaptive', 'disabled', 'enabled']) }).optional(),
    output_config: z
      .strictObject({
        effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).optional(),
        format: z.strictObject({ type: z.literal('json_schema'), schema: z.looseObject({}) }).optional(),
      })
      .optional(),
    stream: z.literal(true).optional(),
  })
  .superRefine(({ messages, tools = [], tool_choice, thinking: thoughts, temperature }, context) => {
    const wrong = [...wrongIn(messages)];
    const names = tools.map((each) => each.name);
    if (new Set(names).size < names.length) wrong.push('two tools have one name');
    if (tool_choice !== undefined && tools.length === 0) wrong.push('a choice without tools');
    if (tool_choice?.type === 'tool' && !names.includes(tool_choice.name)) wrong.push('the choice names no tool');
    if (tools.length === 0 && messages.some((each) => callsOf(each).length > 0)) wrong.push('calls in a history without tools');
    const isForced = tool_choice?.type === 'any' || tool_choice?.type === 'tool';
    if (thoughts?.type === 'adaptive' && (isForced || (temperature ?? 1) !== 1)) wrong.push('thoughts with a forced tool or a temperature');
    for (const what of wrong) context.addIssue({ code: 'custom', message: what });
  });
export type AnthropicBody = z.infer<typeof anthropicBody>;

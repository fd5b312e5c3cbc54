/** What Converse refuses in a request, by the rules of its API reference. */
import type { FakeRequest } from './exchange.ts';

type Fields = Readonly<Record<string, unknown>>;

const top = ['messages', 'system', 'inferenceConfig', 'toolConfig', 'outputConfig', 'additionalModelRequestFields'];

/** The vendor's sentence; null for a valid request. */
export function checkConverse({ fields, headers, path }: Pick<FakeRequest, 'fields' | 'headers' | 'path'>): string | null {
  const strange = Object.keys(fields).find((name) => !top.includes(name));
  if (strange !== undefined) return `${strange}: Extra inputs are not permitted`;
  if (path.endsWith('/converse-stream') && headers.accept !== 'application/vnd.amazon.eventstream') return 'accept: not an event stream';
  const messages = listOf(fields.messages);
  if (messages.length === 0 || messages[0]?.role !== 'user') return 'A conversation must start with a user message.';
  for (const [index, message] of messages.entries()) {
    if (index > 0 && messages[index - 1]?.role === message.role) return 'A conversation must alternate between user and assistant roles.';
    const wrong = checkContent(listOf(message.content), listOf(messages[index + 1]?.content));
    if (wrong !== null) return wrong;
  }
  const blocks = messages.flatMap(({ content }) => listOf(content));
  const hasCalls = blocks.some((block) => 'toolUse' in block || 'toolResult' in block);
  if (hasCalls && fields.toolConfig === undefined)
    return 'The toolConfig field must be defined when using toolUse and toolResult content blocks.';
  return checkTools(fieldsOf(fields.toolConfig));
}

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value : []);
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const idsIn = (blocks: readonly Fields[], name: 'toolUse' | 'toolResult'): readonly unknown[] =>
  blocks.flatMap((block) => (name in block ? [fieldsOf(block[name]).toolUseId] : []));

function checkContent(blocks: readonly Fields[], next: readonly Fields[]): string | null {
  if (blocks.length === 0) return 'The content field in the Message object is empty.';
  for (const block of blocks) {
    if (Object.keys(block).length !== 1) return 'A content block has exactly one member.';
    if (typeof block.text === 'string' && block.text.trim() === '') return 'The text field in the ContentBlock object is blank.';
  }
  const calls = idsIn(blocks, 'toolUse');
  if (calls.some((id) => typeof id !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(id)))
    return "Value at 'toolUseId' failed to satisfy constraint";
  const answered = idsIn(next, 'toolResult');
  return calls.every((id) => answered.includes(id)) ? null : 'Expected toolResult blocks for each toolUse of the previous turn.';
}

function checkTools({ tools }: Fields): string | null {
  for (const { toolSpec } of listOf(tools)) {
    const { name, description, inputSchema } = fieldsOf(toolSpec);
    if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name)) return "Value at 'toolConfig.tools' failed to satisfy constraint";
    if (description === '') return 'toolSpec.description: too short';
    if (typeof fieldsOf(inputSchema).json !== 'object') return 'toolSpec.inputSchema.json: Field required';
  }
  return null;
}

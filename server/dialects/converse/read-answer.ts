/** Reads a whole answer of Converse, and what whole and streamed answers share: usage, reasoning and the reason of the end. */
import { type Fields, isFields } from '../../../contract/rule.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import { unwrapInput } from '../non-openai/tools.ts';
import { callIdFor } from '../turn/call-id.ts';
import { packReasoning } from '../turn/encrypted-reasoning.ts';
import { type FlatToolNames, flatToolNames } from '../turn/tool-names.ts';
import type { FinishReason, Turn, TurnEvent } from '../turn/turn.ts';
import { rareClass, readCount, type Usage } from '../usage.ts';
import { MAX_TOOL_NAME, PROVIDER, type ReasoningBlock, type Signed, vendorOf } from './wire.ts';

const broken = (message: string) => new GatewayError<CallCode>('upstream_error', { message });

export function readWhole(answer: Fields, turn: Turn): TurnEvent[] {
  const message = isFields(answer.output) ? answer.output.message : undefined;
  if (!isFields(message) || !Array.isArray(message.content)) throw broken("The upstream answered without 'output'.");
  const reader: WholeReader = { names: flatToolNames(turn.tools, MAX_TOOL_NAME), vendor: vendorOf(turn.model), calls: 0, thoughts: 0 };
  const events = message.content.filter(isFields).flatMap((block) => readBlock(block, reader));
  const reason = readReason(answer.stopReason, reader.calls > 0);
  const usage = readUsage(answer.usage);
  return [{ kind: 'start' }, ...events, ...(usage === null ? [] : [{ kind: 'usage', usage } as const]), { kind: 'finish', reason }];
}

interface WholeReader {
  readonly names: FlatToolNames;
  readonly vendor: string;
  calls: number;
  /** Paragraphs of the reasoning whose signature has not come yet. */
  thoughts: number;
}

export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export const say = (value: unknown): TurnEvent[] => (text(value) === '' ? [] : [{ kind: 'text', text: text(value) }]);

/** A block is named by its only field; blocks of kinds that are not here mean nothing to callers. */
function readBlock(block: Fields, reader: WholeReader): TurnEvent[] {
  const { toolUse, reasoningContent, citationsContent } = block;
  if (isFields(toolUse)) return readCall(toolUse, reader);
  if (isFields(reasoningContent)) return readThought(reasoningContent, reader);
  if (isFields(citationsContent) && Array.isArray(citationsContent.content))
    return citationsContent.content.filter(isFields).flatMap((cited) => say(cited.text));
  return say(block.text);
}

function readCall({ toolUseId, name, input }: Fields, reader: WholeReader): TurnEvent[] {
  const tool = reader.names.fromWire(text(name));
  const index = reader.calls++;
  const json = JSON.stringify(isFields(input) ? input : {});
  return [
    { kind: 'call', index, callId: callIdFor(text(toolUseId)), ...tool },
    { kind: 'arguments', index, text: tool.form === 'custom' ? unwrapInput(json) : json },
  ];
}

function readThought({ reasoningText, redactedContent }: Fields, reader: WholeReader): TurnEvent[] {
  if (!isFields(reasoningText)) {
    reader.thoughts = 0;
    return typeof redactedContent === 'string' ? [encryptedEvent({ redactedContent }, reader.vendor)] : [];
  }
  const [thought, signature] = [text(reasoningText.text), text(reasoningText.signature)];
  const told: TurnEvent[] = thought === '' ? [] : [{ kind: 'reasoning', part: reader.thoughts, text: thought }];
  reader.thoughts = signature === '' ? reader.thoughts + 1 : 0;
  return signature === '' ? told : [...told, encryptedEvent({ reasoningText: { text: thought, signature } }, reader.vendor)];
}

export const encryptedEvent = (block: ReasoningBlock, vendor: string): TurnEvent => ({
  kind: 'encrypted',
  encrypted: packReasoning(PROVIDER, { vendor, block } satisfies Signed),
});

const reasons: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  content_filtered: 'content_filter',
  guardrail_intervened: 'content_filter',
};

/** Throws for an end that is no answer, as output that the vendor itself could not read. */
export function readReason(value: unknown, hasCalls: boolean): FinishReason {
  const reason = typeof value === 'string' && Object.hasOwn(reasons, value) ? reasons[value] : undefined;
  if (reason === undefined) throw broken('The upstream could not finish its answer.');
  return reason === 'stop' && hasCalls ? 'tool_calls' : reason;
}

/** The vendor counts input read from or written to a cache apart; here both are part of the input. */
export function readUsage(value: unknown): Usage | null {
  if (!isFields(value)) return null;
  const [cached, cacheWrite] = [readCount(value.cacheReadInputTokens), readCount(value.cacheWriteInputTokens)];
  return {
    input: readCount(value.inputTokens) + cached + cacheWrite,
    cached,
    ...rareClass('cacheWrite', cacheWrite),
    output: readCount(value.outputTokens),
    reasoning: 0,
  };
}

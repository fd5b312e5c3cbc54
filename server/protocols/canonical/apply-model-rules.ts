/** Changes a request, in canonical form or in the caller's, to what its model accepts. */

import type { ModelRules, SamplingField } from '../../config/model-rules.ts';
import { isSet } from '../../primitives/fields.ts';
import { type JsonBody, withFields } from '../wire/json-body.ts';
import type { CanonicalRequest, Settings, ToolChoice } from './canonical-request.ts';
import { findNearestEffort, getEffortName } from './reasoning-effort.ts';

interface AppliedRules {
  readonly turn: CanonicalRequest;
  /** The fields that aren't sent, by the caller's names. */
  readonly dropped: readonly string[];
}

export function applyModelRules(turn: CanonicalRequest, rules: ModelRules): AppliedRules {
  const dropped: string[] = [];
  const effort = turn.effort === null ? null : findNearestEffort(turn.effort, rules.efforts);
  if (effort === null && turn.effort !== null && turn.effort !== 'none') dropped.push(getEffortName(turn));
  const unsentFields = findDroppedSampling(turn.settings, rules);
  dropped.push(...unsentFields.filter((field) => hasEffect(field, turn.settings[settingByField[field]])));
  const isForced = rules.forcedTools === false && isCallRequired(turn.toolChoice);
  if (isForced) dropped.push('tool_choice');
  return {
    turn: {
      ...turn,
      effort,
      settings: { ...withoutSampling(turn.settings, unsentFields), maxOutputTokens: limitTokens(turn.settings.maxOutputTokens, rules) },
      ...(isForced && withoutForcedChoice(turn)),
      ...(rules.prefill === false && endsWithAssistant(turn.items) && { items: [...turn.items, createContinuation(turn)] }),
    },
    dropped,
  };
}

/** Removes the fields that the model rejects from a body for an upstream that uses the caller's protocol. */
export function withoutUnsupported(
  body: JsonBody,
  { unsupported = [] }: ModelRules,
): { readonly body: JsonBody; readonly dropped: readonly string[] } {
  const unsentFields = unsupported.filter((field) => isSet(body.value[field]));
  if (unsentFields.length === 0) return { body, dropped: [] };
  const changes = Object.fromEntries(unsentFields.map((field) => [field, undefined]));
  return { body: withFields(body, changes), dropped: unsentFields.filter((field) => hasEffect(field, body.value[field])) };
}

const settingByField = {
  temperature: 'temperature',
  top_p: 'topP',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
  stop: 'stop',
} as const satisfies Record<SamplingField, keyof Settings>;

/** Every model's default values: omitting a field with this value changes nothing. */
const samplingDefaults: Readonly<Record<string, number | null>> = {
  temperature: 1,
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  stop: null,
} satisfies Record<SamplingField, number | null>;

export const isSamplingDefault = (field: string, value: unknown): boolean => samplingDefaults[field] === value;

const hasEffect = (field: SamplingField, value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : isSet(value) && !isSamplingDefault(field, value);

function findDroppedSampling(settings: Settings, { unsupported = [], bothSampling = true }: ModelRules): readonly SamplingField[] {
  const hasBoth = settings.temperature !== null && settings.topP !== null;
  return bothSampling || !hasBoth || unsupported.includes('top_p') ? unsupported : [...unsupported, 'top_p'];
}

const withoutSampling = (settings: Settings, fields: readonly SamplingField[]): Settings => ({
  ...settings,
  ...Object.fromEntries(fields.map((field) => [settingByField[field], field === 'stop' ? [] : null])),
});

const limitTokens = (tokens: number | null, { maxOutputTokens }: ModelRules): number | null =>
  tokens === null || maxOutputTokens === undefined ? tokens : Math.min(tokens, maxOutputTokens);

/** True if the choice requires a tool call. */
export const isCallRequired = (choice: ToolChoice | null): boolean =>
  choice?.kind === 'required' || choice?.kind === 'tool' || (choice?.kind === 'allowed' && choice.mode === 'required');

const TOOL_CALL_INSTRUCTION = 'Respond with a call of a tool.';

/** Replaces a forced choice: offers only the chosen tools and asks for the call in the instructions. */
function withoutForcedChoice({ toolChoice, instructions }: CanonicalRequest): Pick<CanonicalRequest, 'toolChoice' | 'instructions'> {
  const tools = toolChoice?.kind === 'tool' ? [toolChoice.tool] : toolChoice?.kind === 'allowed' ? toolChoice.tools : null;
  return {
    toolChoice: tools === null ? { kind: 'auto' } : { kind: 'allowed', mode: 'auto', tools },
    instructions: instructions === null || instructions === '' ? TOOL_CALL_INSTRUCTION : `${instructions}\n\n${TOOL_CALL_INSTRUCTION}`,
  };
}

export function endsWithAssistant(items: CanonicalRequest['items']): boolean {
  const last = items.findLast(({ kind }) => kind !== 'reasoning');
  return last?.kind === 'message' && last.role === 'assistant';
}

/** A user message that makes the model continue its last message. */
const createContinuation = ({ items }: CanonicalRequest): CanonicalRequest['items'][number] => ({
  kind: 'message',
  role: 'user',
  parts: [{ kind: 'text', text: 'Continue.' }],
  phase: null,
  name: null,
  path: items.at(-1)?.path ?? 'messages',
});

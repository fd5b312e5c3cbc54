/** Fields of the contract that an upstream of another protocol does not have: those that a model may do without are left out, and reported (0013). */
import { type Fields, isFields } from '../../../contract/rule.ts';
import type { UpstreamProtocol } from './caller-field-names.ts';
import { fitForHeader } from './dropped-fields.ts';
import { sharedHints } from './hints.ts';
import type { Turn } from './turn.ts';
import { unsentNestedFields } from './unsent-nested-fields.ts';
import { asksNothing } from './unsupported.ts';

interface Row {
  /** Field names from the top level inwards, joined by dots. */
  readonly path: string;
  /** Upstream protocols that are sent the field, or for which the call is refused. */
  readonly places: readonly UpstreamProtocol[];
  /** The caller's protocol that the row is for; absent: both. */
  readonly only?: Turn['caller'];
}

const openAi = ['chat', 'responses'] as const;
const notChat = ['responses', 'anthropic', 'gemini'] as const;

const hints = [...sharedHints, 'verbosity', 'text.verbosity'];

const rows: readonly Row[] = [
  ...hints.map((path) => ({ path, places: openAi })),
  { path: 'seed', places: ['chat', 'anthropic', 'gemini', 'converse'] },
  // With settings of the search it is refused.
  { path: 'web_search_options', places: ['chat'] },
  { path: 'stream_options.include_obfuscation', places: [] },
  ...['text.format.description', 'response_format.json_schema.description'].map((path) => ({
    path,
    places: [...openAi, 'converse'] as const,
  })),
  { path: 'truncation', places: ['responses'] },
  { path: 'context_management', places: ['responses'] },
  ...['reasoning.summary', 'reasoning.generate_summary'].map((path) => ({ path, places: notChat })),
  ...['reasoning.context', 'reasoning.mode'].map((path) => ({ path, places: [] })),
  // For responses callers the gateway itself stores answers, and `client_metadata` is the agent's own note.
  ...['store', 'client_metadata'].map((path) => ({ path, places: [], only: 'chat' as const })),
];

/** Fields with a rule of their own for values that ask for nothing: an empty object asks for a search, a default asks for nothing. */
const saysNothing: Readonly<Record<string, (value: unknown) => boolean>> = {
  web_search_options: (value) => !isFields(value),
  service_tier: (value) => asksNothing(value) || value === 'auto' || value === 'default',
  truncation: (value) => value !== 'auto',
  context_management: (value) => !Array.isArray(value) || value.length === 0,
  // Zero is a valid seed.
  seed: (value) => typeof value !== 'number',
};

const valueAt = (body: Fields, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isFields(value) ? value[name] : undefined), body);

const asks = (body: Fields, path: string): boolean => !(saysNothing[path] ?? asksNothing)(valueAt(body, path));

/** Those of `paths` that ask for something in this body. */
export const askedOf = (body: Fields, paths: readonly string[]): readonly string[] => paths.filter((path) => asks(body, path));

/** The fields of the body that an upstream of this other protocol is not sent, fit for a header. */
export function unsentFields(body: Fields, caller: Turn['caller'], spoken: UpstreamProtocol): readonly string[] {
  const homeless = rows.filter(({ places, only = caller }) => only === caller && !places.includes(spoken)).map(({ path }) => path);
  return fitForHeader([...askedOf(body, homeless), ...unsentOutput(body, spoken), ...unsentNestedFields(body, caller, spoken)]);
}

/** The values of `include` that have no effect. The gateway makes encrypted reasoning; other protocols than chat give log probabilities only with `top_logprobs`. */
function unsentOutput({ include, top_logprobs: alternatives }: Fields, spoken: UpstreamProtocol): readonly string[] {
  if (!Array.isArray(include) || spoken === 'responses') return [];
  const isTold = spoken === 'chat' || (typeof alternatives === 'number' && alternatives > 0);
  const made = new Set(['reasoning.encrypted_content', ...(isTold ? ['message.output_text.logprobs'] : [])]);
  return include.flatMap((name, index) => (made.has(name) ? [] : [`include[${index}]`]));
}

/** Fields of the contract that an upstream of an unlike protocol has no place for: what a model may do without is left out, and named (0013). */
import { type Fields, isFields } from '../../../contract/rule.ts';
import type { UpstreamProtocol } from './caller-field-names.ts';
import { fitForHeader } from './dropped-fields.ts';
import { sharedHints } from './hints.ts';
import type { Turn } from './turn.ts';
import { unsentNestedFields } from './unsent-nested-fields.ts';
import { asksNothing } from './unsupported.ts';

interface Row {
  /** Names from the body inwards. */
  readonly path: string;
  /** Protocols whose upstreams get it from the turn, or refuse the call. */
  readonly places: readonly UpstreamProtocol[];
  /** The protocol of the callers that the row is about; left out: both. */
  readonly only?: Turn['caller'];
}

const openAi = ['chat', 'responses'] as const;
const notChat = ['responses', 'anthropic', 'gemini'] as const;

const hints = [...sharedHints, 'verbosity', 'text.verbosity'];

const rows: readonly Row[] = [
  ...hints.map((path) => ({ path, places: openAi })),
  { path: 'seed', places: ['chat', 'anthropic', 'gemini'] },
  // One that says how to search is refused.
  { path: 'web_search_options', places: ['chat'] },
  { path: 'stream_options.include_obfuscation', places: [] },
  { path: 'truncation', places: ['responses'] },
  { path: 'context_management', places: ['responses'] },
  ...['reasoning.summary', 'reasoning.generate_summary'].map((path) => ({ path, places: notChat })),
  ...['reasoning.context', 'reasoning.mode'].map((path) => ({ path, places: [] })),
  // Responses are kept here; the notes of an agent are for itself.
  ...['store', 'client_metadata'].map((path) => ({ path, places: [], only: 'chat' as const })),
];

/** An empty object asks for a search all the same; other values that say what happens anyway ask for nothing. */
const saysNothing: Readonly<Record<string, (value: unknown) => boolean>> = {
  web_search_options: (value) => !isFields(value),
  service_tier: (value) => asksNothing(value) || value === 'auto' || value === 'default',
  truncation: (value) => value !== 'auto',
  context_management: (value) => !Array.isArray(value) || value.length === 0,
  // Zero is a seed.
  seed: (value) => typeof value !== 'number',
};

const valueAt = (body: Fields, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isFields(value) ? value[name] : undefined), body);

const asks = (body: Fields, path: string): boolean => !(saysNothing[path] ?? asksNothing)(valueAt(body, path));

/** Those of `paths` that are set to something in this body. */
export const askedOf = (body: Fields, paths: readonly string[]): readonly string[] => paths.filter((path) => asks(body, path));

/** What an upstream of this other protocol is not sent of the body, fit for a header. */
export function unsentFields(body: Fields, caller: Turn['caller'], spoken: UpstreamProtocol): readonly string[] {
  const homeless = rows.filter(({ places, only = caller }) => only === caller && !places.includes(spoken)).map(({ path }) => path);
  return fitForHeader([...askedOf(body, homeless), ...unsentOutput(body, spoken), ...unsentNestedFields(body, caller, spoken)]);
}

/** Sealed thoughts are made here; of what was chosen between, an upstream tells where it is asked for it. */
function unsentOutput({ include, top_logprobs: alternatives }: Fields, spoken: UpstreamProtocol): readonly string[] {
  if (!Array.isArray(include) || spoken === 'responses') return [];
  const isTold = spoken === 'chat' || (typeof alternatives === 'number' && alternatives > 0);
  const made = new Set(['reasoning.encrypted_content', ...(isTold ? ['message.output_text.logprobs'] : [])]);
  return include.flatMap((name, index) => (made.has(name) ? [] : [`include[${index}]`]));
}

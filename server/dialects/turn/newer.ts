/** Words and types of a request that are newer than the contract: an upstream with the API of the caller gets them, and nothing else can be made of them. */
import { InputItem } from '../../../contract/responses/items.ts';
import { Summary, TextFormat } from '../../../contract/responses/options.ts';
import { Truncation } from '../../../contract/responses.ts';
import { ImageDetail, ReasoningEffort, SoundFormat, Verbosity } from '../../../contract/shared/bounds.ts';
import { wordsOf } from '../../../contract/shared/open.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';

interface Place {
  /** `[]`: each entry of a list. */
  readonly path: readonly string[];
  readonly known: readonly unknown[];
}

interface Union {
  readonly _zod: { readonly propValues: Readonly<Record<string, ReadonlySet<unknown>>> };
}
const typesOf = (union: Union): readonly unknown[] => [...(union._zod.propValues.type ?? [])].filter((type) => typeof type === 'string');
const placeOf = ([path, known]: readonly [path: string, known: readonly unknown[]]): Place => ({ path: path.split('.'), known });

const efforts = wordsOf(ReasoningEffort);
const details = wordsOf(ImageDetail);
const sounds = wordsOf(SoundFormat);
const verbosities = wordsOf(Verbosity);
const formats = typesOf(TextFormat);

const places = {
  createResponse: (
    [
      ['input.[].type', typesOf(InputItem)],
      ['input.[].content.[].detail', details],
      ['input.[].content.[].input_audio.format', sounds],
      ['input.[].output.[].detail', details],
      ['text.format.type', formats],
      ['text.verbosity', verbosities],
      ['reasoning.effort', efforts],
      ['reasoning.summary', wordsOf(Summary)],
      ['reasoning.generate_summary', wordsOf(Summary)],
      ['truncation', wordsOf(Truncation)],
    ] as const
  ).map(placeOf),
  createChatCompletion: (
    [
      ['messages.[].content.[].image_url.detail', details],
      ['messages.[].content.[].input_audio.format', sounds],
      ['response_format.type', formats],
      ['reasoning_effort', efforts],
      ['reasoning.effort', efforts],
      ['verbosity', verbosities],
    ] as const
  ).map(placeOf),
} as const;
export type TextOperation = keyof typeof places;

/** The path of the first string under this value that isn't known. */
function find(value: unknown, { path, known }: Place, at = 0, where = ''): string | null {
  const step = path[at];
  if (step === undefined) return typeof value === 'string' && !known.includes(value) ? where : null;
  if (step !== '[]') return isFields(value) ? find(value[step], { path, known }, at + 1, where === '' ? step : `${where}.${step}`) : null;
  if (!Array.isArray(value)) return null;
  for (const [index, entry] of value.entries()) {
    const found = find(entry, { path, known }, at + 1, `${where}[${index}]`);
    if (found !== null) return found;
  }
  return null;
}

/** Throws 400 for what is newer than the contract. */
export function rejectNewer(body: Fields, operation: TextOperation): void {
  for (const place of places[operation]) {
    const param = find(body, place);
    if (param === null) continue;
    const choices = place.known.map((word) => `'${String(word)}'`).join(', ');
    const message = `Invalid value for '${param}': expected one of ${choices}. A newer value needs an upstream with the API that you call.`;
    throw new GatewayError<CallCode>('invalid_value', { param, message });
  }
}

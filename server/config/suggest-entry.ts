/** Suggests the text of a new entry: a model with its list prices, or an upstream with its URL and a variable for its key. */

import { Document } from 'yaml';
import type { UpstreamConfig } from './config.ts';
import type { EntryName } from './entry-text.ts';
import { compatibleBaseUrls, toVariableName } from './import/imported-upstreams.ts';
import { readPublicModels } from './public-models.ts';
import { suggestModel, toEntry } from './suggest-model.ts';

const format = (entry: object): string => new Document(entry).toString({ lineWidth: 0 }).trimEnd();

interface SuggestOptions {
  /** For a model: the upstreams that can serve it, in the order of preference. */
  readonly upstreams: readonly UpstreamConfig[];
  /** For an upstream: its kind. */
  readonly kind?: string | undefined;
}

export const suggestEntry = ({ section, name }: EntryName, { upstreams, kind }: SuggestOptions): string =>
  format(section === 'models' ? suggestModelEntry(name, upstreams) : suggestUpstreamEntry(name, kind));

function suggestModelEntry(name: string, upstreams: readonly UpstreamConfig[]): object {
  const suggestion = suggestModel(name, { upstreams }, readPublicModels());
  const upstream = suggestion?.upstream ?? upstreams[0]?.name;
  const served = upstream !== undefined && { upstream };
  return suggestion ? toEntry({ ...suggestion, ...served }) : { id: name, kind: 'text', ...served, prices: { input: '', output: '' } };
}

function suggestUpstreamEntry(name: string, kind = 'openai-compatible'): object {
  const apiKey = `\${${toVariableName(name, 'api', 'key')}}`;
  const baseUrl = compatibleBaseUrls[name] ?? 'https://…/v1';
  return { kind, ...(kind === 'openai-compatible' && { baseUrl }), apiKey };
}

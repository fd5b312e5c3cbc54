/** Where a deployment of LiteLLM is: the upstream that its `model` and `api_base` name, and its model's id there. */
import { azurePlace } from './litellm-azure.ts';
import { cloudPlace, type Found, plainSecrets } from './litellm-clouds.ts';
import type { Remarks } from './report.ts';
import { baseOf, compatible, ENVIRONMENT, variableOf } from './upstreams.ts';
import { type Fields, textOf } from './values.ts';

/** Nothing is taken over of it, which is said. */
export function skip(where: string, message: string, remarks: Remarks): null {
  remarks.add(where, `${message}; it is left out`);
  return null;
}

interface Named {
  readonly full: string;
  readonly mode: string;
  readonly params: Fields;
  readonly where: string;
  readonly remarks: Remarks;
}

/** `vendor/model`, or a model alone, whose vendor its name says. */
export function placeOf({ full, mode, params, where, remarks }: Named): Found | null {
  const slash = full.indexOf('/');
  const given = textOf(params.custom_llm_provider);
  const isPrefixed = slash > 0 && (given === undefined || full.slice(0, slash) === given);
  const vendor = given ?? (slash > 0 ? full.slice(0, slash) : vendorByName(full));
  const model = (isPrefixed ? full.slice(slash + 1) : full).replace(/^responses\//, '');
  const baseUrl = baseOf(textOf(params.api_base) ?? textOf(params.base_url), `${where}.litellm_params.api_base`, remarks);
  const keys = keysOf(params, { vendor, where, remarks });
  switch (vendor) {
    case 'openai':
    case 'text-completion-openai':
      return { model, place: { vendor: 'openai', kind: speaksAll(mode, baseUrl) ? 'openai' : 'openai-compatible', baseUrl, keys } };
    case 'anthropic':
      return { model, place: { vendor, kind: 'anthropic', baseUrl, keys } };
    case 'gemini':
      return { model, place: { vendor, kind: 'gemini', baseUrl, keys } };
    case 'azure':
    case 'azure_ai': {
      const found = azurePlace({ vendor, model, params, baseUrl, keys });
      if (typeof found === 'string') return skip(where, found, remarks);
      if (params.api_version !== undefined)
        remarks.add(`${where}.litellm_params.api_version`, 'is left out: the addresses that are written have no version');
      return found;
    }
    case 'bedrock':
    case 'vertex_ai':
    case 'vertex_ai_beta': {
      const found = cloudPlace({ vendor, model, params });
      if (typeof found === 'string') return skip(where, found, remarks);
      for (const [name, variable] of plainSecrets(params))
        remarks.add(
          `${where}.litellm_params.${name}`,
          `is a secret in plain text, which is not copied: put it into the variable ${variable}`,
        );
      return found;
    }
    case 'sagemaker':
      return skip(where, 'is at sagemaker, which has no counterpart', remarks);
    default:
      return compatiblePlace({ vendor, model, baseUrl, keys, where, remarks });
  }
}

/** Servers that are reached as if they were OpenAI's speak chat, and few of them more. */
const speaksAll = (mode: string, baseUrl: string | undefined): boolean =>
  baseUrl === undefined || /^https:\/\/[\w.-]*\bopenai\.com(?:\/|$)/.test(baseUrl) || !['chat', 'completion'].includes(mode);

interface Compatible extends Pick<Named, 'where' | 'remarks'> {
  readonly vendor: string;
  readonly model: string;
  readonly baseUrl: string | undefined;
  readonly keys: readonly string[];
}

function compatiblePlace({ vendor, model, baseUrl, keys, where, remarks }: Compatible): Found | null {
  const isOllama = vendor === 'ollama' || vendor === 'ollama_chat';
  const own = isOllama && baseUrl !== undefined && !baseUrl.endsWith('/v1') ? `${baseUrl}/v1` : baseUrl;
  const address = own ?? (isOllama ? 'http://127.0.0.1:11434/v1' : compatible[vendor]);
  if (address === undefined) return skip(where, `is at '${vendor}', whose address is not known: name it as api_base`, remarks);
  return { model, place: { vendor: isOllama ? 'ollama' : vendor, kind: 'openai-compatible', baseUrl: address, keys } };
}

const vendorByName = (model: string): string =>
  model.startsWith('claude') ? 'anthropic' : model.startsWith('gemini') ? 'gemini' : 'openai';

/** As variables: LiteLLM reads the vendor's usual one when the file names none. */
function keysOf(
  params: Fields,
  { vendor, where, remarks }: Pick<Named, 'where' | 'remarks'> & { readonly vendor: string },
): readonly string[] {
  const key = textOf(params.api_key);
  if (key?.startsWith(ENVIRONMENT)) return [key.slice(ENVIRONMENT.length)];
  const usual = variableOf(vendor, 'API_KEY');
  if (key === undefined) return vendor.startsWith('ollama') || vendor === 'hosted_vllm' ? [] : [usual];
  if (/^(?:none|null|anything|dummy|fake.*|sk-1234)$/i.test(key)) return [];
  remarks.add(`${where}.litellm_params.api_key`, `is a key in plain text, which is not copied: put it into the variable ${usual}`);
  return [usual];
}

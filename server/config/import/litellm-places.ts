/** Finds the upstream and the model name of a LiteLLM deployment from its `model` and `api_base`. */
import { azurePlace, baseOf, compatible, ENVIRONMENT, type Fields, type Place, type Remarks, textOf, variableOf } from './write.ts';

/** Omits an entry and adds a remark that says so. */
export function skip(where: string, message: string, remarks: Remarks): null {
  remarks.add(where, `omitted, because it ${message}`);
  return null;
}

interface Named {
  readonly full: string;
  readonly mode: string;
  readonly params: Fields;
  readonly where: string;
  readonly remarks: Remarks;
}

/** Parses `provider/model`, or a model name that implies the provider. */
export function placeOf({ full, mode, params, where, remarks }: Named): Found | null {
  const slash = full.indexOf('/');
  const given = textOf(params.custom_llm_provider);
  const isPrefixed = slash > 0 && (given === undefined || full.slice(0, slash) === given);
  const provider = given ?? (slash > 0 ? full.slice(0, slash) : providerByName(full));
  const model = (isPrefixed ? full.slice(slash + 1) : full).replace(/^responses\//, '');
  const baseUrl = baseOf(textOf(params.api_base) ?? textOf(params.base_url), `${where}.litellm_params.api_base`, remarks);
  const keys = keysOf(params, { provider, where, remarks });
  switch (provider) {
    case 'openai':
    case 'text-completion-openai':
      return { model, place: { provider: 'openai', kind: speaksAll(mode, baseUrl) ? 'openai' : 'openai-compatible', baseUrl, keys } };
    case 'anthropic':
      return { model, place: { provider, kind: 'anthropic', baseUrl, keys } };
    case 'gemini':
      return { model, place: { provider, kind: 'gemini', baseUrl, keys } };
    case 'azure':
    case 'azure_ai': {
      const found = azurePlace({ provider, model, params, baseUrl, keys });
      if (typeof found === 'string') return skip(where, found, remarks);
      if (params.api_version !== undefined)
        remarks.add(`${where}.litellm_params.api_version`, "is omitted because the new URLs don't have a version");
      return found;
    }
    case 'bedrock':
    case 'vertex_ai':
    case 'vertex_ai_beta': {
      const found = cloudPlace({ provider, model, params });
      if (typeof found === 'string') return skip(where, found, remarks);
      for (const [name, variable] of plainSecrets(params))
        remarks.add(
          `${where}.litellm_params.${name}`,
          `contains a plain-text secret, which wasn't copied. Set the environment variable ${variable}`,
        );
      return found;
    }
    case 'sagemaker':
      return skip(where, "uses SageMaker, which isn't supported", remarks);
    default:
      return compatiblePlace({ provider, model, baseUrl, keys, where, remarks });
  }
}

/** Most OpenAI-compatible servers support only chat, so others count as OpenAI only if the URL or the mode says so. */
const speaksAll = (mode: string, baseUrl: string | undefined): boolean =>
  baseUrl === undefined || /^https:\/\/[\w.-]*\bopenai\.com(?:\/|$)/.test(baseUrl) || !['chat', 'completion'].includes(mode);

interface Compatible extends Pick<Named, 'where' | 'remarks'> {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string | undefined;
  readonly keys: readonly string[];
}

function compatiblePlace({ provider, model, baseUrl, keys, where, remarks }: Compatible): Found | null {
  const isOllama = provider === 'ollama' || provider === 'ollama_chat';
  const own = isOllama && baseUrl !== undefined && !baseUrl.endsWith('/v1') ? `${baseUrl}/v1` : baseUrl;
  const address = own ?? (isOllama ? 'http://127.0.0.1:11434/v1' : compatible[provider]);
  if (address === undefined) return skip(where, `uses '${provider}', whose URL isn't known. Set 'api_base' in the LiteLLM file`, remarks);
  return { model, place: { provider: isOllama ? 'ollama' : provider, kind: 'openai-compatible', baseUrl: address, keys } };
}

const providerByName = (model: string): string =>
  model.startsWith('claude') ? 'anthropic' : model.startsWith('gemini') ? 'gemini' : 'openai';

/** Returns the names of the variables that hold the keys. If the file has none, LiteLLM reads the provider's usual variable. */
function keysOf(
  params: Fields,
  { provider, where, remarks }: Pick<Named, 'where' | 'remarks'> & { readonly provider: string },
): readonly string[] {
  const key = textOf(params.api_key);
  if (key?.startsWith(ENVIRONMENT)) return [key.slice(ENVIRONMENT.length)];
  const usual = variableOf(provider, 'API_KEY');
  if (key === undefined) return provider.startsWith('ollama') || provider === 'hosted_vllm' ? [] : [usual];
  if (/^(?:none|null|anything|dummy|fake.*|sk-1234)$/i.test(key)) return [];
  remarks.add(`${where}.litellm_params.api_key`, `contains a plain-text key, which wasn't copied. Set the environment variable ${usual}`);
  return [usual];
}

interface CloudOrder {
  readonly provider: string;
  readonly model: string;
  readonly params: Fields;
}
interface Found {
  readonly place: Place;
  readonly model: string;
}

/** Returns a message if the deployment can't be converted. */
function cloudPlace(order: CloudOrder): Found | string {
  return order.provider === 'bedrock' ? bedrockPlace(order) : vertexPlace(order);
}

/** Converts `os.environ/NAME` to `${NAME}`. Other text stays unchanged. */
const given = (value: unknown): string | undefined => {
  const text = textOf(value);
  return text?.startsWith(ENVIRONMENT) ? `\${${text.slice(ENVIRONMENT.length)}}` : text;
};

/** Variables that replace plain-text secrets, which are never copied. */
const usual = {
  aws_access_key_id: 'AWS_ACCESS_KEY_ID',
  aws_secret_access_key: 'AWS_SECRET_ACCESS_KEY',
  aws_session_token: 'AWS_SESSION_TOKEN',
  vertex_credentials: 'GOOGLE_CREDENTIALS',
} as const;
type SecretField = keyof typeof usual;

const isPlain = (value: unknown): boolean => textOf(value)?.startsWith(ENVIRONMENT) === false;
const secret = (params: Fields, name: SecretField): string | undefined =>
  isPlain(params[name]) ? `\${${usual[name]}}` : given(params[name]);

/** Returns the plain-text secrets of a deployment, with the variables that replace them. */
const plainSecrets = (params: Fields): readonly (readonly [field: string, variable: string])[] =>
  Object.entries(usual).filter(([name]) => isPlain(params[name]));

/** Claude is called over its own protocol, and other models over Converse, which supports all models that support chat. */
function bedrockPlace({ provider, model: written, params }: CloudOrder): Found | string {
  const { region: named, id } =
    /^(?:(?:invoke|converse|converse_like)\/)?(?:(?<region>[a-z]{2}(?:-[a-z]+)+-\d)\/)?(?<id>.*)$/s.exec(written)?.groups ?? {};
  const model = given(params.model_id) ?? id ?? written;
  if (/embed|rerank|stability\.|canvas|reel|titan-image|sonic/.test(model)) return "uses a Bedrock model that doesn't support chat";
  const region = given(params.aws_region_name) ?? named;
  if (region === undefined) return "uses Bedrock without aws_region_name. Set 'aws_region_name' in the LiteLLM file";
  const kind = /(?:^|[./])anthropic\.claude/.test(written) ? 'anthropic' : 'converse';
  const auth = bedrockAuth(params);
  return { model, place: { provider, kind, keys: [], cloud: { aws: { region }, ...(auth && { auth }) } } };
}

function bedrockAuth(params: Fields) {
  const accessKeyId = secret(params, 'aws_access_key_id');
  const secretAccessKey = secret(params, 'aws_secret_access_key');
  const sessionToken = secret(params, 'aws_session_token');
  const profile = given(params.aws_profile_name);
  const keys = { ...(accessKeyId && { accessKeyId }), ...(secretAccessKey && { secretAccessKey }), ...(sessionToken && { sessionToken }) };
  return accessKeyId && secretAccessKey ? { type: 'sigv4', ...keys } : profile && { type: 'sigv4', profile };
}

function vertexPlace({ model, params }: CloudOrder): Found | string {
  const project = given(params.vertex_project);
  if (project === undefined) return "uses Vertex AI without vertex_project. Set 'vertex_project' in the LiteLLM file";
  const location = given(params.vertex_location) ?? 'global';
  const credentials = secret(params, 'vertex_credentials');
  const auth = credentials && { type: 'google', credentials };
  const kind = model.startsWith('claude') ? 'anthropic' : model.startsWith('gemini') ? 'gemini' : 'openai-compatible';
  return { model, place: { provider: 'vertex', kind, keys: [], cloud: { google: { project, location }, ...(auth && { auth }) } } };
}

/** Fields of `litellm_params` that are converted. */
export const cloudFields: readonly string[] = [
  ...['aws_region_name', 'aws_access_key_id', 'aws_secret_access_key', 'aws_session_token', 'aws_profile_name', 'model_id'],
  ...['vertex_project', 'vertex_location', 'vertex_credentials'],
];

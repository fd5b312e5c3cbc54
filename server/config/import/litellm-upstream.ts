/** Finds the upstream and the model name of a LiteLLM deployment from its `model` and `api_base`. */

import { type Fields, toText } from './fields.ts';
import {
  compatibleBaseUrls,
  ENVIRONMENT,
  type ImportedUpstream,
  toAzureUpstream,
  toBaseUrl,
  toVariableName,
} from './imported-upstreams.ts';
import type { Remarks } from './remarks.ts';

/** Omits an entry and adds a remark that says so. */
export function skipEntry(where: string, message: string, remarks: Remarks): null {
  remarks.add(where, `omitted, because it ${message}`);
  return null;
}

interface DeploymentModel {
  readonly full: string;
  readonly mode: string;
  readonly params: Fields;
  readonly where: string;
  readonly remarks: Remarks;
}

/** Parses `provider/model`, or a model name that implies the provider. */
export function findLitellmUpstream({ full: fullModel, mode, params, where, remarks }: DeploymentModel): UpstreamModel | null {
  const slash = fullModel.indexOf('/');
  const customProvider = toText(params.custom_llm_provider);
  const isPrefixed = slash > 0 && (customProvider === undefined || fullModel.slice(0, slash) === customProvider);
  const provider = customProvider ?? (slash > 0 ? fullModel.slice(0, slash) : guessProvider(fullModel));
  const model = (isPrefixed ? fullModel.slice(slash + 1) : fullModel).replace(/^responses\//, '');
  const baseUrl = toBaseUrl(toText(params.api_base) ?? toText(params.base_url), `${where}.litellm_params.api_base`, remarks);
  const keys = listKeyVariables(params, { provider, where, remarks });
  switch (provider) {
    case 'openai':
    case 'text-completion-openai':
      return { model, place: { provider: 'openai', kind: supportsAllApis(mode, baseUrl) ? 'openai' : 'openai-compatible', baseUrl, keys } };
    case 'anthropic':
      return { model, place: { provider, kind: 'anthropic', baseUrl, keys } };
    case 'gemini':
      return { model, place: { provider, kind: 'gemini', baseUrl, keys } };
    case 'azure':
    case 'azure_ai': {
      const result = toAzureUpstream({ provider, model, params, baseUrl, keys });
      if (typeof result === 'string') return skipEntry(where, result, remarks);
      if (params.api_version !== undefined)
        remarks.add(`${where}.litellm_params.api_version`, "is omitted because the new URLs don't have a version");
      return result;
    }
    case 'bedrock':
    case 'vertex_ai':
    case 'vertex_ai_beta': {
      const result = toCloudUpstream({ provider, model, params });
      if (typeof result === 'string') return skipEntry(where, result, remarks);
      for (const [name, variable] of findPlainSecrets(params))
        remarks.add(
          `${where}.litellm_params.${name}`,
          `contains a plain-text secret, which wasn't copied. Set the environment variable ${variable}`,
        );
      return result;
    }
    case 'sagemaker':
      return skipEntry(where, "uses SageMaker, which isn't supported", remarks);
    default:
      return toCompatibleUpstream({ provider, model, baseUrl, keys, where, remarks });
  }
}

/** Most OpenAI-compatible servers support only chat, so others count as OpenAI only if the URL or the mode says so. */
const supportsAllApis = (mode: string, baseUrl: string | undefined): boolean =>
  baseUrl === undefined || /^https:\/\/[\w.-]*\bopenai\.com(?:\/|$)/.test(baseUrl) || !['chat', 'completion'].includes(mode);

interface CompatibleDeployment extends Pick<DeploymentModel, 'where' | 'remarks'> {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string | undefined;
  readonly keys: readonly string[];
}

function toCompatibleUpstream({ provider, model, baseUrl, keys, where, remarks }: CompatibleDeployment): UpstreamModel | null {
  const isOllama = provider === 'ollama' || provider === 'ollama_chat';
  const ollamaUrl = isOllama && baseUrl !== undefined && !baseUrl.endsWith('/v1') ? `${baseUrl}/v1` : baseUrl;
  const address = ollamaUrl ?? (isOllama ? 'http://127.0.0.1:11434/v1' : compatibleBaseUrls[provider]);
  if (address === undefined)
    return skipEntry(where, `uses '${provider}', whose URL isn't known. Set 'api_base' in the LiteLLM file`, remarks);
  return { model, place: { provider: isOllama ? 'ollama' : provider, kind: 'openai-compatible', baseUrl: address, keys } };
}

const guessProvider = (model: string): string =>
  model.startsWith('claude') ? 'anthropic' : model.startsWith('gemini') ? 'gemini' : 'openai';

/** Returns the names of the variables that hold the keys. If the file has none, LiteLLM reads the provider's usual variable. */
function listKeyVariables(
  params: Fields,
  { provider, where, remarks }: Pick<DeploymentModel, 'where' | 'remarks'> & { readonly provider: string },
): readonly string[] {
  const key = toText(params.api_key);
  if (key?.startsWith(ENVIRONMENT)) return [key.slice(ENVIRONMENT.length)];
  const defaultVariable = toVariableName(provider, 'API_KEY');
  if (key === undefined) return provider.startsWith('ollama') || provider === 'hosted_vllm' ? [] : [defaultVariable];
  if (/^(?:none|null|anything|dummy|fake.*|sk-1234)$/i.test(key)) return [];
  remarks.add(
    `${where}.litellm_params.api_key`,
    `contains a plain-text key, which wasn't copied. Set the environment variable ${defaultVariable}`,
  );
  return [defaultVariable];
}

interface CloudDeployment {
  readonly provider: string;
  readonly model: string;
  readonly params: Fields;
}
interface UpstreamModel {
  readonly place: ImportedUpstream;
  readonly model: string;
}

/** Returns a message if the deployment can't be converted. */
function toCloudUpstream(deployment: CloudDeployment): UpstreamModel | string {
  return deployment.provider === 'bedrock' ? toBedrockUpstream(deployment) : toVertexUpstream(deployment);
}

/** Converts `os.environ/NAME` to `${NAME}`. Other text stays unchanged. */
const toReference = (value: unknown): string | undefined => {
  const text = toText(value);
  return text?.startsWith(ENVIRONMENT) ? `\${${text.slice(ENVIRONMENT.length)}}` : text;
};

/** Variables that replace plain-text secrets, which are never copied. */
const secretVariables = {
  aws_access_key_id: 'AWS_ACCESS_KEY_ID',
  aws_secret_access_key: 'AWS_SECRET_ACCESS_KEY',
  aws_session_token: 'AWS_SESSION_TOKEN',
  vertex_credentials: 'GOOGLE_CREDENTIALS',
} as const;
type SecretField = keyof typeof secretVariables;

const isPlainSecret = (value: unknown): boolean => toText(value)?.startsWith(ENVIRONMENT) === false;
const toSecretReference = (params: Fields, name: SecretField): string | undefined =>
  isPlainSecret(params[name]) ? `\${${secretVariables[name]}}` : toReference(params[name]);

/** Returns the plain-text secrets of a deployment, with the variables that replace them. */
const findPlainSecrets = (params: Fields): readonly (readonly [field: string, variable: string])[] =>
  Object.entries(secretVariables).filter(([name]) => isPlainSecret(params[name]));

/** Claude is called over its own protocol, and other models over Converse, which supports all models that support chat. */
function toBedrockUpstream({ provider, model: fullModel, params }: CloudDeployment): UpstreamModel | string {
  const { region: pathRegion, id } =
    /^(?:(?:invoke|converse|converse_like)\/)?(?:(?<region>[a-z]{2}(?:-[a-z]+)+-\d)\/)?(?<id>.*)$/s.exec(fullModel)?.groups ?? {};
  const model = toReference(params.model_id) ?? id ?? fullModel;
  if (/embed|rerank|stability\.|canvas|reel|titan-image|sonic/.test(model)) return "uses a Bedrock model that doesn't support chat";
  const region = toReference(params.aws_region_name) ?? pathRegion;
  if (region === undefined) return "uses Bedrock without aws_region_name. Set 'aws_region_name' in the LiteLLM file";
  const kind = /(?:^|[./])anthropic\.claude/.test(fullModel) ? 'anthropic' : 'converse';
  const auth = toBedrockAuth(params);
  return { model, place: { provider, kind, keys: [], cloud: { aws: { region }, ...(auth && { auth }) } } };
}

function toBedrockAuth(params: Fields) {
  const accessKeyId = toSecretReference(params, 'aws_access_key_id');
  const secretAccessKey = toSecretReference(params, 'aws_secret_access_key');
  const sessionToken = toSecretReference(params, 'aws_session_token');
  const profile = toReference(params.aws_profile_name);
  const keys = { ...(accessKeyId && { accessKeyId }), ...(secretAccessKey && { secretAccessKey }), ...(sessionToken && { sessionToken }) };
  return accessKeyId && secretAccessKey ? { type: 'sigv4', ...keys } : profile && { type: 'sigv4', profile };
}

function toVertexUpstream({ model, params }: CloudDeployment): UpstreamModel | string {
  const project = toReference(params.vertex_project);
  if (project === undefined) return "uses Vertex AI without vertex_project. Set 'vertex_project' in the LiteLLM file";
  const location = toReference(params.vertex_location) ?? 'global';
  const credentials = toSecretReference(params, 'vertex_credentials');
  const auth = credentials && { type: 'google', credentials };
  const kind = model.startsWith('claude') ? 'anthropic' : model.startsWith('gemini') ? 'gemini' : 'openai-compatible';
  return { model, place: { provider: 'vertex', kind, keys: [], cloud: { google: { project, location }, ...(auth && { auth }) } } };
}

/** Fields of `litellm_params` that are converted. */
export const cloudFields: readonly string[] = [
  ...['aws_region_name', 'aws_access_key_id', 'aws_secret_access_key', 'aws_session_token', 'aws_profile_name', 'model_id'],
  ...['vertex_project', 'vertex_location', 'vertex_credentials'],
];

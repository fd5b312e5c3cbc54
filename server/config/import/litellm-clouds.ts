/** Deployments of LiteLLM at Bedrock and Vertex AI: their place, and credentials as variables of the environment. */
import { ENVIRONMENT, type Place } from './upstreams.ts';
import { type Fields, textOf } from './values.ts';

export interface CloudOrder {
  readonly vendor: string;
  readonly model: string;
  readonly params: Fields;
}
export interface Found {
  readonly place: Place;
  readonly model: string;
}

/** A text for what has to be written by hand. */
export function cloudPlace(order: CloudOrder): Found | string {
  return order.vendor === 'bedrock' ? bedrockPlace(order) : vertexPlace(order);
}

/** `os.environ/NAME` as the file of this gateway has it; other texts as they are. */
const given = (value: unknown): string | undefined => {
  const text = textOf(value);
  return text?.startsWith(ENVIRONMENT) ? `\${${text.slice(ENVIRONMENT.length)}}` : text;
};

/** The variable that stands for a secret in plain text, which is never copied. */
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

/** The secrets of a deployment that stand in the file, with the variables to put them into. */
export const plainSecrets = (params: Fields): readonly (readonly [field: string, variable: string])[] =>
  Object.entries(usual).filter(([name]) => isPlain(params[name]));

/** Claude is asked for in its own dialect; models of other vendors by Converse, which has all of them that chat. */
function bedrockPlace({ vendor, model: written, params }: CloudOrder): Found | string {
  const { region: named, id } =
    /^(?:(?:invoke|converse|converse_like)\/)?(?:(?<region>[a-z]{2}(?:-[a-z]+)+-\d)\/)?(?<id>.*)$/s.exec(written)?.groups ?? {};
  const model = given(params.model_id) ?? id ?? written;
  if (/embed|rerank|stability\.|canvas|reel|titan-image|sonic/.test(model))
    return 'is a model at bedrock that does not chat, which is not supported there';
  const region = given(params.aws_region_name) ?? named;
  if (region === undefined) return 'is at bedrock without aws_region_name: write its Region by hand';
  const kind = /(?:^|[./])anthropic\.claude/.test(written) ? 'anthropic' : 'converse';
  const auth = bedrockAuth(params);
  return { model, place: { vendor, kind, keys: [], cloud: { aws: { region }, ...(auth && { auth }) } } };
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
  if (project === undefined) return 'is at vertex_ai without vertex_project: write its project by hand';
  const location = given(params.vertex_location) ?? 'global';
  const credentials = secret(params, 'vertex_credentials');
  const auth = credentials && { type: 'google', credentials };
  const kind = model.startsWith('claude') ? 'anthropic' : model.startsWith('gemini') ? 'gemini' : 'openai-compatible';
  return { model, place: { vendor: 'vertex', kind, keys: [], cloud: { google: { project, location }, ...(auth && { auth }) } } };
}

/** Fields of `litellm_params` that are taken over, or are how LiteLLM says the same. */
export const cloudFields: readonly string[] = [
  ...['aws_region_name', 'aws_access_key_id', 'aws_secret_access_key', 'aws_session_token', 'aws_profile_name', 'model_id'],
  ...['vertex_project', 'vertex_location', 'vertex_credentials'],
];

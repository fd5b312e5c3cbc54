/** The call as code, from the sent body: a program for each client. The key is always an environment variable. */
import type { Fields, Tab } from './frames.ts';

export type Form = 'curl' | 'javascript' | 'python' | 'client' | 'codex';
export interface Sample {
  readonly tab: Tab;
  readonly body: Fields;
  /** Ends in `/v1`. */
  readonly baseUrl: string;
}

const KEY = 'MODELGATE_API_KEY';

/** In the images tab, input images turn a generation into an edit. */
export function getOperation(tab: Tab, { images }: Fields) {
  if (tab === 'images') return images === undefined ? 'generateImages' : 'editImages';
  return tab === 'chat' ? 'createChatCompletion' : 'createResponse';
}

const paths = {
  createResponse: '/responses',
  createChatCompletion: '/chat/completions',
  generateImages: '/images/generations',
  editImages: '/images/edits',
} as const;

/** By operation. The `openai` methods for edits accept files, but this body is JSON, so it's sent unchanged. */
const methods = {
  createResponse: 'responses.create',
  createChatCompletion: 'chat.completions.create',
  generateImages: 'images.generate',
  editImages: null,
} as const;

/** Codex supports only the Responses API and can't generate images. */
export const listForms = (tab: Tab): readonly Form[] =>
  tab === 'images' ? ['curl', 'javascript', 'python', 'client'] : ['curl', 'javascript', 'python', 'client', 'codex'];

export function writeCode(form: Form, sample: Sample): string {
  return writers[form](sample);
}

const formatJson = (value: unknown): string => JSON.stringify(value, null, 2);
const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const writers: Readonly<Record<Form, (sample: Sample) => string>> = {
  curl: ({ tab, body, baseUrl }) =>
    [
      `curl -sS${body.stream === true ? 'N' : ''} ${shellQuote(baseUrl + paths[getOperation(tab, body)])} \\`,
      `  -H "authorization: Bearer $${KEY}" \\`,
      "  -H 'content-type: application/json' \\",
      // Not an argument, because images exceed the system's maximum length.
      "  --data-binary @- <<'BODY'",
      formatJson(body),
      'BODY',
      '',
    ].join('\n'),
  javascript: ({ tab, body, baseUrl }) => {
    const operation = getOperation(tab, body);
    const method = methods[operation];
    const call = method
      ? `client.${method}(body)`
      : `client.post('${paths[operation]}', { body${body.stream === true ? ', stream: true' : ''} })`;
    const head = `import OpenAI from 'openai';\n\nconst client = new OpenAI({ baseURL: ${JSON.stringify(baseUrl)}, apiKey: process.env.${KEY} });`;
    return `${head}\nconst body = ${formatJson(body)};\n${readScript(call, body)}`;
  },
  client: ({ tab, body, baseUrl }) => {
    const head = `import { Modelgate } from '@modelgate/client';\n\nconst client = new Modelgate({ baseURL: ${JSON.stringify(baseUrl)}, apiKey: process.env.${KEY} });`;
    return `${head}\nconst body = ${formatJson(body)};\n${readScript(`client.${getOperation(tab, body)}(body)`, body)}`;
  },
  python: ({ tab, body, baseUrl }) => {
    const operation = getOperation(tab, body);
    const method = methods[operation];
    const stream = body.stream === true ? ', stream=True, stream_cls=openai.Stream[dict]' : '';
    const call = method ? `client.${method}(**body)` : `client.post("${paths[operation]}", body=body, cast_to=dict${stream})`;
    const head = `import os\n\nimport openai\n\nclient = openai.OpenAI(base_url=${JSON.stringify(baseUrl)}, api_key=os.environ["${KEY}"])`;
    const read = body.stream === true ? `for event in ${call}:\n    print(event)` : `print(${call})`;
    return `${head}\nbody = ${formatPython(body, '')}\n${read}\n`;
  },
  codex: ({ body, baseUrl }) => {
    const effort = getEffort(body);
    return [
      `model = ${JSON.stringify(body.model ?? '')}`,
      'model_provider = "modelgate"',
      ...(effort === null ? [] : [`model_reasoning_effort = ${JSON.stringify(effort)}`]),
      '',
      '[model_providers.modelgate]',
      'name = "Modelgate"',
      `base_url = ${JSON.stringify(baseUrl)}`,
      `env_key = "${KEY}"`,
      'wire_api = "responses"',
      'supports_websockets = true',
      '',
    ].join('\n');
  },
};

const readScript = (call: string, { stream }: Fields): string =>
  stream === true
    ? `for await (const event of await ${call}) console.log(JSON.stringify(event));\n`
    : `console.log(JSON.stringify(await ${call}, null, 2));\n`;

function getEffort({ reasoning, reasoning_effort: effort }: Fields): string | null {
  const own = typeof reasoning === 'object' && reasoning !== null && 'effort' in reasoning ? reasoning.effort : effort;
  return typeof own === 'string' ? own : null;
}

/** A JSON value in Python syntax. Python supports all JSON escapes. */
function formatPython(value: unknown, indent: string): string {
  const inner = `${indent}    `;
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((one) => formatPython(one, inner))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${formatPython(one, inner)}`);
  const [open, close] = isList ? '[]' : '{}';
  return parts.length === 0 ? `${open}${close}` : `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

/** First programs, and variables for a shell: what needs no configuration file. */
import { type Connection, KEY_VARIABLE, type Recipe } from './recipe.ts';

const QUESTION = 'Why is the sky blue?';
type Place = Pick<Connection, 'baseUrl' | 'model'>;

const quoted = (text: string): string => JSON.stringify(text);
const shellQuoted = (text: string): string => (/^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

export const writeCurl = ({ baseUrl, model }: Place): string =>
  [
    `curl ${baseUrl}/responses \\`,
    `  -H "Authorization: Bearer $${KEY_VARIABLE}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d '${JSON.stringify({ model: model.id, input: QUESTION })}'`,
    '',
  ].join('\n');

export const writePython = ({ baseUrl, model }: Place): string =>
  [
    'import os',
    'from openai import OpenAI',
    '',
    'client = OpenAI(',
    `    base_url=${quoted(baseUrl)},`,
    `    api_key=os.environ["${KEY_VARIABLE}"],`,
    ')',
    `response = client.responses.create(model=${quoted(model.id)}, input=${quoted(QUESTION)})`,
    'print(response.output_text)',
    '',
  ].join('\n');

export const writeNode = ({ baseUrl, model }: Place): string =>
  [
    "import OpenAI from 'openai';",
    '',
    'const client = new OpenAI({',
    `  baseURL: ${quoted(baseUrl)},`,
    `  apiKey: process.env.${KEY_VARIABLE},`,
    '});',
    `const response = await client.responses.create({ model: ${quoted(model.id)}, input: ${quoted(QUESTION)} });`,
    'console.log(response.output_text);',
    '',
  ].join('\n');

/** The key of the connection, or the shell's own variable. */
const keyInShell = ({ key }: Connection): string => (key === null ? `"$${KEY_VARIABLE}"` : shellQuoted(key));

export const env: Recipe = {
  id: 'env',
  name: 'Shell variables',
  protocol: 'responses',
  keyFrom: 'either',
  files: () => [],
  lines: (connection) =>
    [
      `export OPENAI_BASE_URL=${shellQuoted(connection.baseUrl)}`,
      // The older name, which LangChain, LlamaIndex and Aider read.
      `export OPENAI_API_BASE=${shellQuoted(connection.baseUrl)}`,
      `export OPENAI_API_KEY=${keyInShell(connection)}`,
      `export OPENAI_MODEL=${shellQuoted(connection.model.id)}`,
      '',
    ].join('\n'),
  steps: () => [],
  start: 'eval "$(modelgate connect env)"',
  overrides: [],
};

export const python: Recipe = {
  id: 'python',
  name: 'Python',
  protocol: 'responses',
  keyFrom: 'variable',
  files: (connection) => [{ path: './first-call.py', format: 'text', settings: [], text: writePython(connection) }],
  steps: () => ['Install the SDK: `pip install openai`'],
  start: 'python3 first-call.py',
  overrides: [],
};

export const node: Recipe = {
  id: 'node',
  name: 'Node',
  protocol: 'responses',
  keyFrom: 'variable',
  files: (connection) => [{ path: './first-call.mjs', format: 'text', settings: [], text: writeNode(connection) }],
  steps: () => ['Install the SDK: `npm install openai`'],
  start: 'node first-call.mjs',
  overrides: [],
};

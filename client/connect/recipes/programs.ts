/** Recipes without a configuration file: first programs, and variables for a shell. */
import { type Connection, KEY_VARIABLE, type Recipe } from './recipe.ts';

const QUESTION = 'Why is the sky blue?';
type ProgramTarget = Pick<Connection, 'baseUrl' | 'model'>;

const quote = (text: string): string => JSON.stringify(text);
const quoteForShell = (text: string): string => (/^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

export const writeCurl = ({ baseUrl, model }: ProgramTarget): string =>
  [
    `curl ${baseUrl}/responses \\`,
    `  -H "Authorization: Bearer $${KEY_VARIABLE}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d '${JSON.stringify({ model: model.id, input: QUESTION })}'`,
    '',
  ].join('\n');

export const writePython = ({ baseUrl, model }: ProgramTarget): string =>
  [
    'import os',
    'from openai import OpenAI',
    '',
    'client = OpenAI(',
    `    base_url=${quote(baseUrl)},`,
    `    api_key=os.environ["${KEY_VARIABLE}"],`,
    ')',
    `response = client.responses.create(model=${quote(model.id)}, input=${quote(QUESTION)})`,
    'print(response.output_text)',
    '',
  ].join('\n');

export const writeNode = ({ baseUrl, model }: ProgramTarget): string =>
  [
    "import OpenAI from 'openai';",
    '',
    'const client = new OpenAI({',
    `  baseURL: ${quote(baseUrl)},`,
    `  apiKey: process.env.${KEY_VARIABLE},`,
    '});',
    `const response = await client.responses.create({ model: ${quote(model.id)}, input: ${quote(QUESTION)} });`,
    'console.log(response.output_text);',
    '',
  ].join('\n');

/** Returns the key of the connection, or a reference to the shell's variable. */
const formatShellKey = ({ key }: Connection): string => (key === null ? `"$${KEY_VARIABLE}"` : quoteForShell(key));

export const env: Recipe = {
  id: 'env',
  name: 'Shell variables',
  protocol: 'responses',
  keyFrom: 'either',
  files: () => [],
  lines: (connection) =>
    [
      `export OPENAI_BASE_URL=${quoteForShell(connection.baseUrl)}`,
      // The older name, which LangChain, LlamaIndex and Aider read.
      `export OPENAI_API_BASE=${quoteForShell(connection.baseUrl)}`,
      `export OPENAI_API_KEY=${formatShellKey(connection)}`,
      `export OPENAI_MODEL=${quoteForShell(connection.model.id)}`,
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

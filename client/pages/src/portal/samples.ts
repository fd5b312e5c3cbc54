/** The same first call for each tool, with base URL and model filled in; the key is always a variable. */

export const tools = ['curl', 'python', 'javascript', 'codex'] as const;
export type Tool = (typeof tools)[number];
export const toolNames: Readonly<Record<Tool, string>> = { curl: 'curl', python: 'Python', javascript: 'JavaScript', codex: 'Codex' };

export interface Place {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
}

const QUESTION = 'Why is the sky blue?';

const writers: Readonly<Record<Tool, (place: Place) => string>> = {
  curl: ({ baseUrl, model }) =>
    [
      `curl ${baseUrl}/responses \\`,
      '  -H "Authorization: Bearer $MODELGATE_API_KEY" \\',
      '  -H "Content-Type: application/json" \\',
      `  -d '${JSON.stringify({ model, input: QUESTION })}'`,
    ].join('\n'),
  python: ({ baseUrl, model }) =>
    [
      'import os',
      'from openai import OpenAI',
      '',
      'client = OpenAI(',
      `    base_url=${JSON.stringify(baseUrl)},`,
      '    api_key=os.environ["MODELGATE_API_KEY"],',
      ')',
      `response = client.responses.create(model=${JSON.stringify(model)}, input=${JSON.stringify(QUESTION)})`,
      'print(response.output_text)',
    ].join('\n'),
  javascript: ({ baseUrl, model }) =>
    [
      "import OpenAI from 'openai';",
      '',
      'const client = new OpenAI({',
      `  baseURL: ${JSON.stringify(baseUrl)},`,
      '  apiKey: process.env.MODELGATE_API_KEY,',
      '});',
      `const response = await client.responses.create({ model: ${JSON.stringify(model)}, input: ${JSON.stringify(QUESTION)} });`,
      'console.log(response.output_text);',
    ].join('\n'),
  codex: ({ baseUrl, model }) =>
    [
      '# ~/.codex/config.toml',
      `model = ${JSON.stringify(model)}`,
      'model_provider = "modelgate"',
      '',
      '[model_providers.modelgate]',
      'name = "Modelgate"',
      `base_url = ${JSON.stringify(baseUrl)}`,
      'env_key = "MODELGATE_API_KEY"',
      'wire_api = "responses"',
    ].join('\n'),
};

export const sampleFor = (tool: Tool, place: Place): string => writers[tool](place);

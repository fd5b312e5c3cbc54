/** Writes the home page: a summary, an entry point for each reader, and a first request. */
import { escapeHtml } from '../html.ts';
import type { Painter } from '../markdown/code.ts';
import { linkTo, type Page } from '../page.ts';

interface Door {
  readonly title: string;
  readonly to: string;
  readonly text: string;
}

const doors: readonly Door[] = [
  { title: "I'm new here", to: 'guides/first-minute', text: 'Start a gateway, make a call, set a budget, add a second upstream.' },
  { title: 'I call models', to: 'guides/clients', text: 'Change the base URL and the key, and keep your code.' },
  {
    title: 'I use Codex or another agent',
    to: 'guides/codex',
    text: 'One block of configuration, and what to do when a stream ends early.',
  },
  { title: 'I want types', to: 'guides/contract-package', text: 'The typed client, the contract as a package, tRPC.' },
  { title: 'I test in CI', to: 'guides/testing-in-ci', text: 'A deterministic mock gateway for CI: no network, no bill.' },
  { title: 'I run a gateway', to: 'guides/operating', text: 'Configure, deploy, monitor.' },
  { title: 'I keep it running', to: 'guides/upgrading', text: 'Back up, install a new version, restart, and go back.' },
  { title: 'I pay for it', to: 'guides/costs', text: 'Prices, holds, receipts, limits, and statements.' },
];

const lookups: readonly Door[] = [
  { title: 'An error', to: 'errors/index', text: 'Each code: cause, check, remedy.' },
  {
    title: 'A field of chat completions',
    to: 'reference/createChatCompletion',
    text: 'All fields, responses, and events of chat completions.',
  },
  {
    title: 'A field of the Responses API',
    to: 'reference/createResponse',
    text: 'All fields, responses, and events of the Responses API.',
  },
  { title: 'A configuration key', to: 'reference/configuration', text: 'Type, range, default, and an example of each key.' },
  { title: 'A command', to: 'reference/commands', text: 'The help of each command.' },
  { title: 'A term', to: 'concepts/glossary', text: 'Key, account, group, hold, and more, with an example of each.' },
  { title: "What it doesn't do", to: 'guides/limitations', text: 'Embeddings, audio, batches, and what to use instead.' },
  {
    title: 'The OpenAPI document',
    to: 'guides/clients#generated-clients',
    text: 'For code generators and other tools, in OpenAPI 3.1 and 3.2.',
  },
];

const request = `curl http://127.0.0.1:8080/v1/chat/completions \\
  -H "Authorization: Bearer $MODELGATE_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "gpt-5.4", "messages": [{"role": "user", "content": "Why is the sky blue?"}]}'
`;

const drawDoors = (all: readonly Door[]): string =>
  `<ul class="doors">${all.map(({ title, to, text }) => `<li><a href="${linkTo('index', to)}">${escapeHtml(title)}</a><p>${escapeHtml(text)}</p></li>`).join('')}</ul>`;
const writeDoors = (all: readonly Door[]): string =>
  all.map(({ title, to, text }) => `- [${title}](${to.replace(/(?=#|$)/, '.md')}): ${text}\n`).join('');

export function homePage(painter: Painter): Page {
  const opening =
    'A self-hosted LLM gateway with an OpenAI-compatible API. You decide which models each key can call, how much it can spend, and which provider serves it.';
  return {
    path: 'index',
    title: 'Modelgate',
    description: opening,
    kind: 'home',
    html: [
      `<h1>Modelgate</h1><p class="lead">${opening}</p>`,
      `<h2 id="begin">Start here</h2>${drawDoors(doors)}`,
      `<h2 id="first-request">A first request</h2>${painter.paint(request, 'bash')}`,
      `<h2 id="look-up">Look something up</h2>${drawDoors(lookups)}`,
    ].join('\n'),
    markdown: `# Modelgate\n\n${opening}\n\n## Start here\n\n${writeDoors(doors)}\n## A first request\n\n\`\`\`bash\n${request}\`\`\`\n\n## Look something up\n\n${writeDoors(lookups)}`,
    headings: [],
    entries: [{ title: 'Modelgate', text: opening, kind: 'home', seen: ['base url', 'quick start', 'documentation'] }],
  };
}

/** What was tried with the real tools, and what doesn't work in them. The tests run these versions. */
interface TestStatus {
  /** Tested version. Null if the tool wasn't tested; its settings then come from its documentation. */
  readonly version: string | null;
  /** Why the tool wasn't tested. */
  readonly untested?: string;
  /** Limits of the tool, not of the gateway. Each is one sentence. */
  readonly limits: readonly string[];
}

const unavailable: TestStatus = { version: null, untested: 'no package registry has this tool', limits: [] };

export const testStatuses: Readonly<Record<string, TestStatus>> = {
  codex: { version: '0.169.0', limits: [] },
  opencode: {
    version: '1.18.33',
    limits: [
      'opencode sends a reasoning effort to every model whose ID starts with `gpt-5`, even to models without reasoning.',
      'It retries server errors for about a minute without showing them.',
    ],
  },
  cline: {
    version: '3.0.65',
    limits: [
      'The command line accepts only its built-in providers, so the gateway is set up as "OpenAI Compatible".',
      "Don't use `-y`: with it, Cline repeats calls forever if the model responds with text.",
    ],
  },
  continue: {
    version: '1.5.47',
    limits: [
      'Continue uses responses for IDs that start with `gpt-5` or `o` and a digit, and chat for all others.',
      'In `cn -p`, edits need `--auto`; without it, they are rejected without a message.',
    ],
  },
  aider: {
    version: '0.86.2',
    limits: [
      "Aider doesn't use tool calls: models write their edits as text.",
      'Its exit code is 0 even if a call fails.',
      'It retries a 403 error for about a minute.',
      '`.aider.model.settings.yml` in a project overrides `~/.aider.model.settings.yml`.',
    ],
  },
  goose: unavailable,
  crush: { version: null, untested: 'its npm package downloads the program from GitHub', limits: [] },
  zed: unavailable,
  llm: {
    version: '0.36',
    limits: ['llm has no built-in tools: add some with `--functions` or `--tool`.', "You can't set the context window."],
  },
  'claude-code': {
    version: '2.1.332 with router 2.0.0',
    limits: [
      "Claude Code doesn't show the message of a 404 error.",
      "It assumes the context window of Anthropic's models, so it compacts a session too late for smaller ones.",
      'The router keeps its old configuration until `ccr restart`; `--test` stops the router before and after the test.',
    ],
  },
};

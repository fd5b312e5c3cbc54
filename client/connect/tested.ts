/** What was tried with the real tools, and what doesn't work in them. The tests run these versions. */
export interface Tested {
  /** Null if no package registry has the tool: its settings come from its documentation. */
  readonly version: string | null;
  /** A sentence each: limits of the tool, not of the gateway. */
  readonly limits: readonly string[];
}

const unavailable: Tested = { version: null, limits: [] };

export const tested: Readonly<Record<string, Tested>> = {
  codex: { version: '0.169.0', limits: [] },
  opencode: {
    version: '1.18.33',
    limits: [
      'opencode sends a reasoning effort to every model whose ID starts with `gpt-5`, also to one without reasoning.',
      'It retries server errors for about a minute without showing them.',
    ],
  },
  cline: {
    version: '3.0.65',
    limits: [
      'The command line accepts only its built-in providers, so the gateway takes the place of "OpenAI Compatible".',
      "Don't use `-y`: with it, Cline repeats calls without end when the model responds with text.",
    ],
  },
  continue: {
    version: '1.5.47',
    limits: [
      'Continue uses responses for IDs such as `gpt-5.4`, and chat for all others; no setting changes that.',
      'In `cn -p`, edits need `--auto`; without it, they are rejected without a message.',
    ],
  },
  aider: {
    version: '0.86.2',
    limits: [
      'Aider uses no tools: models write their edits as text.',
      'Its exit code is 0 even if a call fails.',
      'It retries 403 for about a minute.',
      "A project's `.aider.model.settings.yml` wins over this file.",
    ],
  },
  goose: unavailable,
  crush: unavailable,
  zed: unavailable,
  llm: {
    version: '0.36',
    limits: ['llm has no built-in tools: name some with `--functions` or `--tool`.', 'It has no setting for the size of a context window.'],
  },
  'claude-code': {
    version: '2.1.332 with router 2.0.0',
    limits: [
      'Claude Code hides the message of a 404.',
      "It assumes the context window of Anthropic's models, so it compacts a session too late for smaller ones.",
      'The router keeps its old configuration until `ccr restart`; `--test` stops it before and after the test.',
    ],
  },
};

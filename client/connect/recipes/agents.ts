/** Setup recipes for terminal coding agents. */
import {
  type Connection,
  getContextWindow,
  isOwnUrl,
  type JsonObject,
  KEY_VARIABLE,
  omitNulls,
  type Recipe,
  type ToolModel,
} from './recipe.ts';

/** Models for which Codex 0.169 has built-in settings and prompts. */
const codexModels = new Set(['gpt-5.5', 'codex-auto-review']);

export const codex: Recipe = {
  id: 'codex',
  name: 'Codex',
  protocol: 'responses',
  keyFrom: 'either',
  files: (connection) => [
    {
      path: '~/.codex/config.toml',
      folderVariable: 'CODEX_HOME',
      format: 'toml',
      settings: [
        { at: ['model'], value: connection.model.id },
        { at: ['model_provider'], value: 'modelgate' },
        ...Object.entries(toCodexProvider(connection)).map(([name, value]) => ({ at: ['model_providers', 'modelgate', name], value })),
        // Codex offers its image tool only to providers that send this header.
        {
          at: ['model_providers', 'modelgate', 'http_headers', 'x-openai-actor-authorization'],
          value: connection.hasImages ? 'local' : null,
        },
      ],
    },
  ],
  steps: () => [],
  start: 'codex',
  overrides: [],
  once: {
    program: 'codex',
    args: ({ prompt }) => ['exec', '--skip-git-repo-check', '--sandbox', 'workspace-write', prompt],
  },
};

/** Sets both key fields, one of them to null, so that the key of an earlier connection is removed. */
const toCodexProvider = ({ baseUrl, key, model }: Connection) => ({
  name: 'Modelgate',
  base_url: baseUrl,
  env_key: key === null ? KEY_VARIABLE : null,
  experimental_bearer_token: key,
  wire_api: 'responses',
  supports_websockets: true,
  // Replaces Codex's built-in model list, and with it the longer prompts.
  model_catalog_url: codexModels.has(model.id) ? null : `${baseUrl}/models`,
});

export const opencode: Recipe = {
  id: 'opencode',
  name: 'opencode',
  protocol: 'responses',
  keyFrom: 'either',
  files: ({ baseUrl, key, model, models }) => {
    const provider: JsonObject = {
      npm: '@ai-sdk/openai',
      name: 'Modelgate',
      options: { baseURL: baseUrl, apiKey: key ?? `{env:${KEY_VARIABLE}}` },
      models: Object.fromEntries(models.map((one) => [one.id, toOpencodeModel(one)])),
    };
    return [
      {
        path: '~/.config/opencode/opencode.jsonc',
        // opencode creates `opencode.jsonc` when it starts.
        otherNames: ['opencode.json', 'config.json'],
        format: 'json',
        settings: [
          { at: ['$schema'], value: 'https://opencode.ai/config.json', isDefault: true },
          { at: ['provider', 'modelgate'], value: provider },
          { at: ['model'], value: `modelgate/${model.id}` },
          { at: ['small_model'], value: `modelgate/${model.id}` },
        ],
      },
    ];
  },
  steps: () => ["A project's `opencode.json` overrides this file."],
  start: 'opencode',
  overrides: ['OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR', 'OPENCODE_CONFIG_CONTENT'].map((variable) => ({ variable, what: 'settings' })),
  once: { program: 'opencode', args: ({ prompt }) => ['run', prompt], env: { OPENCODE_DISABLE_MODELS_FETCH: '1' } },
};

const toOpencodeModel = (model: ToolModel): JsonObject => ({
  name: model.id,
  // Without a limit, opencode requests 32,000 output tokens.
  limit: { context: getContextWindow(model), output: model.maxOutput },
  tool_call: model.tools,
  attachment: model.images,
  reasoning: model.reasoning,
  modalities: { input: model.images ? ['text', 'image'] : ['text'], output: ['text'] },
});

export const cline: Recipe = {
  id: 'cline',
  name: 'Cline',
  protocol: 'chat',
  keyFrom: 'file',
  files: ({ baseUrl, key, model }) => [
    {
      path: '~/.cline/data/settings/providers.json',
      format: 'json',
      settings: [
        { at: ['version'], value: 1, isDefault: true },
        { at: ['lastUsedProvider'], value: 'openai-compatible' },
        {
          at: ['providers', 'openai-compatible', 'settings'],
          value: omitNulls({ provider: 'openai-compatible', apiKey: key, model: model.id, baseUrl }),
        },
        // Cline ignores entries without a time, and updates the time at each start.
        { at: ['providers', 'openai-compatible', 'updatedAt'], value: '2026-01-01T00:00:00.000Z', isDefault: true },
      ],
    },
  ],
  steps: ({ key }) =>
    key === null ? [`Cline doesn't read the key from a variable. Start it with the key: \`cline -k "$${KEY_VARIABLE}"\``] : [],
  start: 'cline',
  overrides: ['CLINE_DIR', 'CLINE_DATA_DIR', 'CLINE_PROVIDER_SETTINGS_PATH', 'CLINE_SANDBOX'].map((variable) => ({
    variable,
    what: 'settings',
  })),
  // Without this, a background process of Cline would keep running.
  once: { program: 'cline', args: ({ prompt }) => [prompt], env: { CLINE_SESSION_BACKEND_MODE: 'local' } },
};

export const crush: Recipe = {
  id: 'crush',
  name: 'Crush',
  protocol: 'chat',
  keyFrom: 'either',
  files: ({ baseUrl, key, model, models }) => [
    {
      path: '~/.config/crush/crush.json',
      format: 'json',
      settings: [
        { at: ['$schema'], value: 'https://charm.land/crush.json', isDefault: true },
        { at: ['providers', 'modelgate'], value: toCrushProvider({ baseUrl, key, models }) },
        { at: ['models', 'large'], value: { provider: 'modelgate', model: model.id } },
        { at: ['models', 'small'], value: { provider: 'modelgate', model: model.id } },
      ],
    },
  ],
  steps: () => ["A model chosen in Crush's dialog overrides this file."],
  start: 'crush',
  overrides: [{ variable: `CRUSH_${KEY_VARIABLE}`, what: 'key' }],
  once: { program: 'crush', args: ({ prompt }) => ['run', '--quiet', prompt] },
};

const toCrushProvider = ({ baseUrl, key, models }: Pick<Connection, 'baseUrl' | 'key' | 'models'>): JsonObject => ({
  name: 'Modelgate',
  type: 'openai-compat',
  base_url: baseUrl,
  api_key: key ?? `$${KEY_VARIABLE}`,
  models: models.map(toCrushModel),
});

const toCrushModel = (model: ToolModel) => ({
  id: model.id,
  name: model.id,
  context_window: getContextWindow(model),
  default_max_tokens: model.maxOutput,
  can_reason: model.reasoning,
  supports_attachments: model.images,
  cost_per_1m_in: 0,
  cost_per_1m_out: 0,
  cost_per_1m_in_cached: 0,
  cost_per_1m_out_cached: 0,
});

export const goose: Recipe = {
  id: 'goose',
  name: 'Goose',
  protocol: 'chat',
  keyFrom: 'variable',
  files: (connection) => [
    {
      path: '~/.config/goose/custom_providers/modelgate.json',
      otherPaths: { win32: '%APPDATA%/Block/goose/config/custom_providers/modelgate.json' },
      format: 'json',
      settings: Object.entries(toGooseProvider(connection)).map(([name, value]) => ({ at: [name], value })),
    },
    {
      path: '~/.config/goose/config.yaml',
      otherPaths: { win32: '%APPDATA%/Block/goose/config/config.yaml' },
      format: 'yaml',
      settings: [
        // Older versions read the two `GOOSE_` settings, newer versions the other two.
        { at: ['active_provider'], value: 'modelgate' },
        { at: ['providers', 'modelgate'], value: { enabled: true, model: connection.model.id, configured: true } },
        { at: ['GOOSE_PROVIDER'], value: 'modelgate' },
        { at: ['GOOSE_MODEL'], value: connection.model.id },
      ],
    },
  ],
  steps: () => [],
  start: 'goose',
  overrides: [
    { variable: 'GOOSE_PROVIDER', what: 'provider' },
    { variable: 'GOOSE_MODEL', what: 'model' },
  ],
};

const toGooseProvider = ({ baseUrl, models }: Connection) => ({
  name: 'modelgate',
  engine: 'openai',
  display_name: 'Modelgate',
  description: 'Gateway models',
  api_key_env: KEY_VARIABLE,
  // Older versions use the URL unchanged. Newer versions recognize the suffix.
  base_url: `${baseUrl}/chat/completions`,
  models: models.map((model) => ({ name: model.id, context_limit: getContextWindow(model), reasoning: model.reasoning })),
  supports_streaming: true,
  requires_auth: true,
  dynamic_models: false,
});

export const llm: Recipe = {
  id: 'llm',
  name: 'llm',
  protocol: 'responses',
  keyFrom: 'file',
  files: (connection) => {
    const toConfigFile = (name: string) => ({
      path: `~/.config/io.datasette.llm/${name}`,
      otherPaths: {
        darwin: `~/Library/Application Support/io.datasette.llm/${name}`,
        win32: `%APPDATA%/io.datasette.llm/${name}`,
      },
      folderVariable: 'LLM_USER_PATH',
    });
    const { baseUrl, key, model, models } = connection;
    const keys = { ...toConfigFile('keys.json'), format: 'json', settings: [{ at: ['modelgate'], value: key }] } as const;
    return [
      {
        ...toConfigFile('extra-openai-models.yaml'),
        format: 'yaml',
        settings: [
          {
            at: [],
            value: models.map((one) => toLlmModel(baseUrl, one)),
            replaces: ({ api_base: base, api_key_name: name }) => name === 'modelgate' || isOwnUrl(connection, base),
          },
        ],
      },
      { ...toConfigFile('default_model.txt'), format: 'text', settings: [], text: `modelgate/${model.id}\n` },
      ...(key === null ? [] : [keys]),
    ];
  },
  steps: ({ key }) => (key === null ? ["llm doesn't read the key from a variable. Store the key: `llm keys set modelgate`"] : []),
  start: 'llm "Why is the sky blue?"',
  overrides: [{ variable: 'LLM_MODEL', what: 'model' }],
  once: { program: 'llm', args: ({ prompt }) => ['prompt', prompt, '--functions', llmFunctions] },
};

const toLlmModel = (baseUrl: string, { id, tools, images, reasoning }: ToolModel) => ({
  model_id: `modelgate/${id}`,
  model_name: id,
  api_base: baseUrl,
  api_key_name: 'modelgate',
  responses: true,
  reasoning,
  supports_tools: tools,
  supports_schema: true,
  vision: images,
});

/** llm has no built-in tools. */
const llmFunctions = [
  'def read_file(path: str) -> str:',
  '    "Read a file"',
  '    return open(path).read()',
  'def write_file(path: str, content: str) -> str:',
  '    "Write a file"',
  '    open(path, "w").write(content)',
  '    return "written"',
].join('\n');

export const claudeCode: Recipe = {
  id: 'claude-code',
  name: 'Claude Code, through claude-code-router',
  protocol: 'chat',
  keyFrom: 'either',
  files: (connection) => [
    {
      path: '~/.claude-code-router/config.json',
      format: 'json',
      settings: [
        { at: ['Providers'], value: [toRouterProvider(connection)], replaces: ({ name }) => name === 'modelgate' },
        { at: ['Router', 'default'], value: `modelgate,${connection.model.id}` },
        ...routerRoles.map((role) => ({
          at: ['Router', role],
          value: `modelgate,${connection.model.id}`,
          overwrites: (route: unknown) => isForeignRoute(connection, route),
        })),
      ],
      bypasses: [
        { name: 'CUSTOM_ROUTER_PATH', leadsElsewhere: Boolean },
        { name: 'fallback', leadsElsewhere: (routes) => listRoutes(routes).some((route) => isForeignRoute(connection, route)) },
      ],
    },
  ],
  steps: () => [
    'If the router is running, restart it: `ccr restart`',
    "Routes in a project's folder below `~/.claude-code-router` override this file.",
  ],
  start: 'ccr code',
  overrides: [
    { variable: 'SERVICE_PORT', what: 'port' },
    { variable: 'CLAUDE_CODE_USE_BEDROCK', what: 'provider' },
    { variable: 'CLAUDE_CODE_USE_VERTEX', what: 'provider' },
  ],
  once: {
    program: 'ccr',
    around: ['stop'],
    args: ({ prompt }) => ['code', '-p', prompt, '--permission-mode', 'acceptEdits', '--allowedTools', 'Read,Edit,Write'],
    env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', CLAUDE_CODE_MAX_RETRIES: '0' },
  },
};

/**
 * Each of these routes takes precedence over `default` if it's set. Claude Code thinks in every call, so a `think`
 * route alone gets all calls.
 */
const routerRoles = ['background', 'think', 'longContext', 'webSearch', 'image'];

/** Whether a route (`provider,model`) leads to another provider, or to a model that the key can't call. Empty routes aren't used. */
const isForeignRoute = ({ models }: Connection, route: unknown): boolean =>
  typeof route === 'string' && route !== '' && models.every(({ id }) => route !== `modelgate,${id}`);

/** Lists the routes of all roles: `fallback` has a list for each. */
const listRoutes = (fallback: unknown): readonly unknown[] =>
  typeof fallback === 'object' && fallback !== null ? Object.values(fallback).flat() : [];

/** Claude Code requests as many output tokens as Anthropic's models support. The router lowers that number to the model's maximum. */
const toRouterProvider = ({ baseUrl, key, models }: Connection) => ({
  name: 'modelgate',
  api_base_url: `${baseUrl}/chat/completions`,
  api_key: key ?? `$${KEY_VARIABLE}`,
  models: models.map(({ id }) => id),
  transformer: Object.fromEntries(models.map(({ id, maxOutput }) => [id, { use: [['maxtoken', { max_tokens: maxOutput }]] }])),
});

/** Recipes of tools that live in an editor or have a file beside it. */
import {
  type Connection,
  type Fields,
  getContextWindow,
  isOwnUrl,
  KEY_VARIABLE,
  omitNulls,
  type Recipe,
  type ToolModel,
} from './recipe.ts';

/** Lists the default model first, because the tool uses the first one. */
const listModels = ({ model, models }: Connection): readonly ToolModel[] => [model, ...models.filter(({ id }) => id !== model.id)];

export const continueDev: Recipe = {
  id: 'continue',
  name: 'Continue',
  protocol: 'responses',
  keyFrom: 'either',
  files: (connection) => [
    {
      path: '~/.continue/config.yaml',
      folderVariable: 'CONTINUE_GLOBAL_DIR',
      format: 'yaml',
      settings: [
        { at: ['name'], value: 'Modelgate', isDefault: true },
        { at: ['version'], value: '1.0.0', isDefault: true },
        { at: ['schema'], value: 'v1', isDefault: true },
        {
          at: ['models'],
          value: listModels(connection).map((model) => toContinueModel(connection, model)),
          replaces: ({ apiBase }) => isOwnUrl(connection, apiBase),
        },
      ],
    },
  ],
  steps: ({ key }) =>
    key === null ? ["Editors that you start outside a shell don't see its variables. For them, put the key in `~/.continue/.env`."] : [],
  start: 'cn',
  overrides: [],
  once: {
    program: 'cn',
    args: ({ prompt }) => ['-p', prompt, '--auto'],
    // If this key were set, Continue would add Anthropic models that the user didn't request to its file.
    env: { ANTHROPIC_API_KEY: '' },
  },
};

const toContinueModel = ({ baseUrl, key }: Connection, { id, contextWindow, maxOutput, tools, images }: ToolModel) => ({
  name: id,
  provider: 'openai',
  model: id,
  apiBase: baseUrl,
  apiKey: key ?? `\${{ secrets.${KEY_VARIABLE} }}`,
  roles: ['chat', 'edit', 'apply'],
  capabilities: [...(tools ? ['tool_use'] : []), ...(images ? ['image_input'] : [])],
  defaultCompletionOptions: omitNulls({ contextLength: contextWindow, maxTokens: maxOutput }),
});

export const aider: Recipe = {
  id: 'aider',
  name: 'Aider',
  protocol: 'chat',
  keyFrom: 'either',
  files: (connection) => [
    {
      path: '~/.aider.conf.yml',
      format: 'yaml',
      settings: [
        { at: ['model'], value: `openai/${connection.model.id}` },
        // Otherwise, Aider would warn that OPENAI_API_KEY isn't set, although it doesn't need the variable.
        { at: ['show-model-warnings'], value: false },
      ],
    },
    {
      path: '~/.aider.model.settings.yml',
      format: 'yaml',
      settings: [
        { at: [], value: connection.models.map((model) => toAiderModel(connection, model)), replaces: createAiderFilter(connection) },
      ],
    },
    {
      path: '~/.aider.model.metadata.json',
      format: 'json',
      settings: connection.models.map((model) => ({ at: [`openai/${model.id}`], value: toAiderSizes(model) })),
    },
  ],
  steps: () => [],
  start: 'aider',
  overrides: [
    { variable: 'AIDER_MODEL', what: 'model' },
    { variable: 'AIDER_MODEL_SETTINGS_FILE', what: 'settings' },
    { variable: 'AIDER_MODEL_METADATA_FILE', what: 'settings' },
  ],
  once: {
    program: 'aider',
    args: ({ prompt, file }) => ['--yes-always', '--no-git', '--no-check-update', '--no-analytics', '--message', prompt, file],
    env: { LITELLM_LOCAL_MODEL_COST_MAP: 'True' },
  },
};

const createAiderFilter =
  (connection: Connection) =>
  ({ name, extra_params: params }: Fields): boolean =>
    connection.models.some(({ id }) => name === `openai/${id}`) ||
    (typeof params === 'object' && params !== null && 'api_base' in params && isOwnUrl(connection, params.api_base));

const toAiderModel = ({ baseUrl, key }: Connection, { id, reasoning }: ToolModel) => ({
  name: `openai/${id}`,
  edit_format: 'diff',
  use_repo_map: true,
  use_temperature: false,
  ...(reasoning && { accepts_settings: ['reasoning_effort'] }),
  extra_params: { api_base: baseUrl, api_key: key ?? `os.environ/${KEY_VARIABLE}` },
});

const toAiderSizes = ({ contextWindow, maxOutput, images }: ToolModel) =>
  omitNulls({
    max_input_tokens: contextWindow,
    max_output_tokens: maxOutput,
    max_tokens: maxOutput,
    litellm_provider: 'openai',
    mode: 'chat',
    supports_vision: images,
  });

export const zed: Recipe = {
  id: 'zed',
  name: 'Zed',
  protocol: 'responses',
  keyFrom: 'variable',
  files: ({ baseUrl, model, models }) => [
    {
      path: '~/.config/zed/settings.json',
      otherPaths: { win32: '%APPDATA%/Zed/settings.json' },
      format: 'json',
      settings: [
        { at: ['language_models', 'openai_compatible', 'modelgate', 'api_url'], value: baseUrl },
        { at: ['language_models', 'openai_compatible', 'modelgate', 'available_models'], value: models.map(toZedModel) },
        { at: ['agent', 'default_model'], value: { provider: 'modelgate', model: model.id } },
      ],
    },
  ],
  steps: () => ['Start Zed from the same shell. Or paste the key into the settings of the "modelgate" provider in Zed.'],
  start: 'zed',
  overrides: [],
};

const toZedModel = (model: ToolModel) => ({
  name: model.id,
  display_name: model.id,
  max_tokens: getContextWindow(model),
  max_output_tokens: model.maxOutput,
  capabilities: {
    tools: model.tools,
    images: model.images,
    parallel_tool_calls: model.tools,
    prompt_cache_key: true,
    chat_completions: false,
  },
});

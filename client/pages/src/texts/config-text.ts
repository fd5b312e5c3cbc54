/** The forms that change models and upstreams in the configuration file. */
const nouns = { models: 'model', upstreams: 'upstream' } as const;
type Section = keyof typeof nouns;

export const configText = {
  add: { models: 'Add model', upstreams: 'Add upstream' },
  edit: 'Edit',
  next: 'Continue',
  modelId: 'Model ID',
  modelIdHint:
    "The name that callers use, for example claude-sonnet-4-6. If it's the provider's name, its list prices and limits are filled in.",
  upstream: 'Upstream',
  upstreamHint: 'The upstream that serves the model.',
  upstreamName: 'Name',
  upstreamNameHint: 'For example openai or groq. The URL of a known provider is filled in.',
  kind: 'Kind',
  kinds: {
    openai: 'OpenAI',
    'openai-compatible': 'OpenAI-compatible',
    anthropic: 'Anthropic',
    gemini: 'Google Gemini',
    converse: 'Amazon Bedrock (Converse)',
  },
  editTitle: (section: Section, name: string, isNew: boolean) => `${isNew ? 'Add' : 'Edit'} ${nouns[section]} ${name}`,
  text: 'Configuration',
  textHint: `YAML, as in modelgate.yaml. Other lines of the file stay as they are. Write secrets as variables, such as \${OPENAI_API_KEY}.`,
  reference: 'All settings',
  checking: 'Checking…',
  unchanged: 'No changes yet.',
  save: 'Save and reload',
  saved: (name: string) => `${name} saved, configuration reloaded`,
  remove: (section: Section) => `Remove ${nouns[section]}`,
  removeLead: (name: string) => `Removes ${name} from the configuration file. Calls in flight end normally.`,
  removed: (name: string) => `${name} removed, configuration reloaded`,
  keep: 'Back',
  notChecked: "The changes couldn't be checked",
  notEditable: "This can't be changed here",
} as const;

/** The menus of the site: for callers and operators, one section per reader and the reference for all of them; and one for contributors. */
import type { Page } from './page.ts';

export interface Section {
  readonly title: string;
  /** Paths of the pages, in order. The first one is where the reader starts. */
  readonly paths: readonly string[];
  /** Whether the section shows its pages only while the reader is on one of them. */
  readonly isFolded?: boolean;
  /** Whether the section is in the menu of contributors instead. */
  readonly isForContributors?: boolean;
}

const guides = (...names: readonly string[]): readonly string[] => names.map((name) => `guides/${name}`);

/** Sections by what readers want to do, in menu order. */
const readers: readonly Section[] = [
  { title: 'Start', paths: ['readme', 'guides/first-minute', 'concepts/glossary', 'guides/limitations'] },
  {
    title: 'Call models',
    paths: guides(
      'operations',
      'clients',
      'choosing-chat-or-responses',
      'streaming',
      'websocket',
      'long-turns',
      'compaction',
      'structured-output',
      'prompt-caching',
      'images',
      'migrating',
    ),
  },
  { title: 'Basics of the API', paths: guides('authentication', 'errors', 'rate-limits', 'idempotency', 'pagination', 'versioning') },
  { title: 'Codex and agents', paths: [...guides('connect', 'codex', 'codex-images'), 'reference/tools'] },
  { title: 'Typed client and contract', paths: ['client/README', ...guides('contract-package', 'trpc')] },
  {
    title: 'Test in CI',
    paths: guides('testing-in-ci', 'simulator', 'scripted-responses', 'recordings', 'testing-with-a-gateway', 'verifying'),
  },
  {
    title: 'Connect providers',
    paths: guides(
      ...['upstreams', 'compatible-providers', 'azure', 'bedrock', 'vertex', 'failover', 'provider-keys', 'what-models-accept'],
      'from-litellm-and-new-api',
    ),
  },
  {
    title: 'Run a gateway',
    paths: [
      ...guides(
        ...['operating', 'deploying', 'kubernetes', 'tls-and-proxies', 'processes', 'overload', 'reloading', 'health-and-logs'],
        ...['observing', 'alerts', 'webhooks', 'console', 'console-access', 'upgrading', 'backup', 'stored-data', 'closing'],
      ),
      'concepts/scale',
      'reference/configuration',
      'reference/commands',
      'reference/metrics',
    ],
  },
  { title: 'Govern and pay', paths: guides('governing', 'request-log', 'portal', 'costs', 'money') },
];

const background: Section = {
  title: 'Background',
  paths: [
    ...['response-events', 'translation', 'sdk-coverage', 'promises', 'comparison', 'api-changelog'].map((name) => `concepts/${name}`),
    'changelog',
  ],
};

const contributing: Section = {
  title: 'Contribute',
  paths: [...['architecture', 'lifecycle', 'failures', 'writing'].map((name) => `concepts/${name}`), ...guides('releasing')],
  isForContributors: true,
};

/** Omits pages that this site doesn't have. Guides without a section are listed under "More guides". */
export function sectionsOf(pages: readonly Page[]): readonly Section[] {
  const known = new Set(pages.map(({ path }) => path));
  const of = (kind: Page['kind']): readonly string[] => pages.filter((page) => page.kind === kind).map(({ path }) => path);
  const named = new Set([...readers, contributing].flatMap(({ paths }) => paths));
  const sections: readonly Section[] = [
    ...readers,
    { title: 'More guides', paths: of('guide').filter((path) => !named.has(path)) },
    { title: 'API reference', paths: of('operation') },
    background,
    { title: 'Errors', paths: of('error'), isFolded: true },
    contributing,
    { title: 'Decisions', paths: of('decision'), isForContributors: true },
  ];
  return sections
    .map((section) => ({ ...section, paths: section.paths.filter((path) => known.has(path)) }))
    .filter(({ paths }) => paths.length > 0);
}

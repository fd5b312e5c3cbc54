/** The page of the documentation that explains an error of a command. */
import { ConfigError } from '../config/problems.ts';
import { StorageError } from '../storage/errors.ts';

/** By the first name of a key of the configuration; the page about the others is `operating`. */
const byKey: Readonly<Record<string, string>> = {
  upstreams: 'upstreams',
  models: 'upstreams',
  routing: 'upstreams',
  groups: 'governing',
  plans: 'governing',
  priceLists: 'governing',
  limits: 'governing',
  billing: 'money',
  alerts: 'alerts',
  metrics: 'observing',
  traces: 'observing',
  admin: 'console',
  codex: 'codex',
  database: 'deploying',
  redis: 'deploying',
};

/** Clouds have pages of their own. */
const byPlace: readonly (readonly [RegExp, string])[] = [
  [/\.azure\b|\.auth\.(?:tenantId|clientId|clientSecret)\b/, 'azure'],
  [/\.aws\b|\.auth\.(?:accessKeyId|secretAccessKey|sessionToken|profile)\b/, 'bedrock'],
  [/\.google\b|\.auth\.credentials\b/, 'vertex'],
];

/** Name of the guide: `upstreams`. Undefined where no guide says more than the error itself. */
export function guideOf(error: unknown): string | undefined {
  if (error instanceof StorageError) return 'deploying';
  if (!(error instanceof ConfigError)) return undefined;
  const [first] = error.problems;
  const key = first?.key ?? '';
  return byPlace.find(([pattern]) => pattern.test(key))?.[1] ?? byKey[/^\w+/.exec(key)?.[0] ?? ''] ?? 'operating';
}

/** Where to read it: a gateway serves the guides itself. */
export const guideText = (name: string): string => `See docs/guides/${name}.md, which a running gateway serves at /docs/guides/${name}.`;

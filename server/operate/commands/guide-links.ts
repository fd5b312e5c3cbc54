/** Finds the guide about an error, and links to it. */

import { ConfigError } from '../../config/config-error.ts';
import { SchemaError, StorageError } from '../../store/errors.ts';

/** Guides by the first part of a configuration key. Other keys have the guide `operating`. */
const guideByKey: Readonly<Record<string, string>> = {
  upstreams: 'upstreams',
  models: 'upstreams',
  routing: 'failover',
  groups: 'governing',
  plans: 'governing',
  priceLists: 'governing',
  limits: 'governing',
  billing: 'money',
  alerts: 'alerts',
  metrics: 'observing',
  traces: 'observing',
  reload: 'reloading',
  history: 'stored-data',
  admin: 'console-access',
  codex: 'codex',
  database: 'processes',
  redis: 'processes',
};

/** Clouds have separate guides. */
const guideByPattern: readonly (readonly [RegExp, string])[] = [
  [/\.azure\b|\.auth\.(?:tenantId|clientId|clientSecret)\b/, 'azure'],
  [/\.aws\b|\.auth\.(?:accessKeyId|secretAccessKey|sessionToken|profile)\b/, 'bedrock'],
  [/\.google\b|\.auth\.credentials\b/, 'vertex'],
];

/** Returns the name of a guide, such as `upstreams`, or undefined if no guide says more than the error itself. */
export function findGuide(error: unknown): string | undefined {
  if (error instanceof SchemaError) return 'upgrading';
  if (error instanceof StorageError) return 'deploying';
  if (!(error instanceof ConfigError)) return undefined;
  const [firstProblem] = error.problems;
  const key = firstProblem?.key ?? '';
  return guideByPattern.find(([pattern]) => pattern.test(key))?.[1] ?? guideByKey[/^\w+/.exec(key)?.[0] ?? ''] ?? 'operating';
}

/** Links the file and the page, because a gateway serves the guides. */
export const formatGuideLink = (name: string): string =>
  `See docs/guides/${name}.md, which a running gateway serves at /docs/guides/${name}.`;

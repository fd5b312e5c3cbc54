/** Finds environment variables that override a tool's configuration, and gateway URLs in its files that lack `/v1`. */

import type { ProxyEnvironment } from './gateway-calls.ts';
import type { Recipe } from './recipes/recipe.ts';

/** Returns one sentence for each variable that is set and overrides the tool's file. */
export function findOverrides({ name, overrides }: Recipe, env: ProxyEnvironment): readonly string[] {
  return overrides
    .filter(({ variable }) => env[variable])
    .map(
      ({ variable, what }) => `${variable} is set and overrides the ${what} that ${name} reads from its file. Unset it: unset ${variable}`,
    );
}

/** Returns the URLs of the gateway in a tool's file that lack `/v1`. */
export function findUrlsWithoutVersion(text: string, baseUrl: string): readonly string[] {
  const urls = text.match(/https?:\/\/[^\s"'<>,]+/g) ?? [];
  return [...new Set(urls)].filter(
    (url) => URL.canParse(url) && new URL(url).host === new URL(baseUrl).host && !/\/v1(\/|$)/.test(new URL(url).pathname),
  );
}

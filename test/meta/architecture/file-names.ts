/** Which files of the server are named after none of their exports. */
import type { Module } from './sources.ts';

/** Files that several folders have, with the same role in each. */
const roles = new Set(['errors', 'plans', 'postgres', 'request', 'response', 'rules', 'sqlite', 'store', 'stream', 'wire']);

const named = /^(?:server|client\/(?:connect|verify))\/(?:.*\/)?([^/]+?)(?:-worker)?\.ts$/;

/** Files that have no export with all words of their name. Singular and plural count as the same. */
export function misnamed(modules: readonly Module[]): string[] {
  return modules.flatMap(({ path, exports }) => {
    const [, name] = named.exec(path) ?? [];
    if (name === undefined || name.includes('.gen') || roles.has(name) || exports.length === 0) return [];
    const words = wordsOf(name);
    return exports.some((one) => words.every((word) => wordsOf(one).includes(word))) ? [] : [path];
  });
}

/** `CircuitBreakers` and `circuit-breaker` are both circuit, breaker. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_]/)
    .map((word) => word.replace(/ies$/, 'y').replace(/(?<=\w{2})s$/, ''));

/** Files that are named after their one idea, which no single export has. */
export const namedByIdea: Readonly<Record<string, string>> = {
  'server/config/schema-alerts.ts': 'the schemas of alerts and their channels',
  'server/config/schema-models.ts': 'the schemas of models and prices',
  'server/config/schema-server.ts': 'the schemas of the server',
  'server/config/schema-upstreams.ts': 'the schemas of upstreams',
  'server/config/schema.ts': 'the schema of the configuration file',
  'server/protocols/wire/exact-json.ts': 'JSON that keeps the digits of integers',
  'server/api/http/ts-rest.ts': 'all use of @ts-rest/fastify',
  'server/access/sessions/oidc.ts': 'sign-in by OpenID Connect',
  'server/operate/testing.ts': 'the entry modelgate/testing',
  'server/api/trpc/router-type.ts': 'the type of the router, for clients',
  'client/connect/recipes/agents.ts': 'recipes of agents',
  'client/connect/recipes/editors.ts': 'recipes of editors',
  'client/connect/recipes/programs.ts': 'recipes of programs',
  'client/connect/recipes/tools.ts': 'the list of recipes',
};

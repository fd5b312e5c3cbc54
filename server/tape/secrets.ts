/** Removes secrets from a recorded call: keys, tokens and headers of requests, wherever they occur (promise G13). */

type Fields = Readonly<Record<string, unknown>>;

const MASK = '[secret]';
const names = /^(?:authorization|proxy-authorization|cookie|set-cookie|api[-_]?key|x-api-key|access[-_]?token|secret|password)$/i;
/** Shorter values occur in ordinary words. */
const LEAST_CHARACTERS = 8;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value without its secrets, and the secrets. */
export function withoutSecrets(value: unknown): { readonly value: unknown; readonly secrets: readonly string[] } {
  const secrets: string[] = [];
  const walk = (part: unknown, isSecret: boolean): unknown => {
    if (typeof part === 'string') {
      if (!isSecret) return maskPatterns(part);
      secrets.push(part);
      return MASK;
    }
    if (Array.isArray(part)) return part.map((entry) => walk(entry, isSecret));
    if (!isFields(part)) return part;
    // Headers for an MCP server.
    const hasHeaders = part.type === 'mcp';
    const entries = Object.entries(part).map(([name, inner]) => {
      const isOwn = (typeof inner === 'string' && names.test(name)) || (hasHeaders && name === 'headers');
      return [name, walk(inner, isSecret || isOwn)];
    });
    return Object.fromEntries(entries);
  };
  return { value: walk(value, false), secrets };
}

/** The text of a JSON file without these secrets. */
export function maskSecrets(json: string, secrets: readonly string[]): string {
  const long = secrets.filter((secret) => secret.length >= LEAST_CHARACTERS);
  const known = long.reduce((text, secret) => text.replaceAll(JSON.stringify(secret).slice(1, -1), MASK), json);
  // An answer may repeat a secret of the prompt.
  return maskPatterns(known);
}

/** Keys as this gateway and OpenAI write them, and a token behind `Bearer`. A token needs a digit: 'bearer certificates' is plain text. */
const maskPatterns = (text: string): string =>
  text.replaceAll(/\bBearer\s+(?=[\w.~+/=-]*\d)[\w.~+/=-]{16,}/gi, `Bearer ${MASK}`).replaceAll(/\b(?:mga?|sk)-[\w-]{16,}/g, MASK);

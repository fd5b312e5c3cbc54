/** Removes and masks secrets in recordings. */

export type Fields = Readonly<Record<string, unknown>>;

const MASK = '[secret]';

const names = /^(?:authorization|proxy-authorization|cookie|set-cookie|api[-_]?key|x-api-key|access[-_]?token|secret|password)$/i;

/** Shorter values appear in ordinary words. */
const MIN_SECRET_LENGTH = 8;

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value without its secrets, and the secrets. */
export function extractSecrets(value: unknown): { readonly value: unknown; readonly secrets: readonly string[] } {
  const secrets: string[] = [];
  const maskPart = (part: unknown, isSecret: boolean): unknown => {
    if (typeof part === 'string') {
      if (!isSecret) return maskPatterns(part);
      secrets.push(part);
      return MASK;
    }
    if (Array.isArray(part)) return part.map((entry) => maskPart(entry, isSecret));
    if (!isFields(part)) return part;
    // An MCP tool's headers can contain credentials.
    const hasHeaders = part.type === 'mcp';
    const entries = Object.entries(part).map(([name, inner]) => {
      const isSecretField = (typeof inner === 'string' && names.test(name)) || (hasHeaders && name === 'headers');
      return [name, maskPart(inner, isSecret || isSecretField)];
    });
    return Object.fromEntries(entries);
  };
  return { value: maskPart(value, false), secrets };
}

/** Masks these secrets in the text of a JSON file. */
export function maskSecrets(json: string, secrets: readonly string[]): string {
  const longSecrets = secrets.filter((secret) => secret.length >= MIN_SECRET_LENGTH);
  const maskedJson = longSecrets.reduce((text, secret) => text.replaceAll(JSON.stringify(secret).slice(1, -1), MASK), json);
  // A response may repeat a secret from the prompt.
  return maskPatterns(maskedJson);
}

/** Matches keys of this gateway and OpenAI, and tokens after `Bearer`. A token needs a digit: 'bearer certificates' is plain text. */
const maskPatterns = (text: string): string =>
  text.replaceAll(/\bBearer\s+(?=[\w.~+/=-]*\d)[\w.~+/=-]{16,}/gi, `Bearer ${MASK}`).replaceAll(/\b(?:mga?|sk)-[\w-]{16,}/g, MASK);

/** Writes valid JSON that differs from the output of JSON.stringify, so that tests notice a body that was parsed and serialised again. */

// TypeScript's library has no type for JSON.rawJSON yet; Node 24 has the function.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object };

/** A field of no specification that JSON.parse and JSON.stringify would change: 1.0 becomes 1, the large number loses digits. */
export const oddField = {
  x_fake: {
    weight: rawJSON('1.0'),
    huge: rawJSON('12345678901234567890'),
    small: rawJSON('1E-2'),
    path: rawJSON('"a\\/b \\u0041"'),
  },
};

/** Writes JSON with unusual spaces, and with escapes for all characters beyond ASCII. */
export function oddJson(value: unknown): string {
  const escaped = JSON.stringify(value, null, ' ').replace(/[\u007f-\uffff]/g, escapeUnit);
  return `\n${escaped.replace(/^( *"[^"]*"):/gm, '$1 :')}\n`;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

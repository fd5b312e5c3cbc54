/** JSON that is legal and unlike what JSON.stringify writes, so that a body which was parsed and written again shows. */

// TypeScript's library does not know JSON.rawJSON yet; every Node that runs this has it.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object };

/** A field of no specification. It does not survive a parse and a stringify: 1.0 turns into 1, the large number loses digits. */
export const oddField = {
  x_fake: {
    weight: rawJSON('1.0'),
    huge: rawJSON('12345678901234567890'),
    small: rawJSON('1E-2'),
    path: rawJSON('"a\\/b \\u0041"'),
  },
};

/** Odd spacing, and everything beyond ASCII as an escape. */
export function oddJson(value: unknown): string {
  const escaped = JSON.stringify(value, null, ' ').replace(/[\u007f-\uffff]/g, escapeUnit);
  return `\n${escaped.replace(/^( *"[^"]*"):/gm, '$1 :')}\n`;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** What only one upstream can open (signed thoughts), packed so that it is given back to the dialect that made it and to no other. */

const TAG = 'mg1.';
const prefixOf = (provider: string) => `${TAG}${provider}.`;

/** Whether a dialect of ours sealed it: no upstream of the responses protocol could open it. */
export const isSealedHere = (sealed: string): boolean => sealed.startsWith(TAG);

export function seal(provider: string, value: unknown): string {
  return prefixOf(provider) + Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Null for what another provider made, or a caller changed. */
export function unseal(provider: string, sealed: string): unknown {
  const prefix = prefixOf(provider);
  if (!sealed.startsWith(prefix)) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(sealed.slice(prefix.length), 'base64url').toString());
    return value;
  } catch {
    // Not ours after all: the thought is lost, the turn is not.
    return null;
  }
}

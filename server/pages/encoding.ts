/** Which packed form of a file a browser takes. */
export type Encoding = 'br' | 'gzip';

const encodings = ['br', 'gzip'] as const satisfies readonly Encoding[];

/** The best of those that there are; null: as it is. */
export const chosenEncoding = (accepted = '', available: readonly Encoding[] = encodings): Encoding | null =>
  encodings.find((encoding) => available.includes(encoding) && isAccepted(encoding, accepted)) ?? null;

/** By name and with a weight above zero (RFC 9110, 12.5.3). */
const isAccepted = (encoding: Encoding, accepted: string): boolean =>
  accepted.split(',').some((one) => {
    const [name = '', ...parameters] = one
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });

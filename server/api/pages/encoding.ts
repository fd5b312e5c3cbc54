/** Checks whether a browser asks for HTML, and chooses the compressed encoding of a file. */
import type { FastifyRequest } from 'fastify';

/** Whether a browser requests the page for a person to read. */
export const wantsHtml = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') ?? false;

export type Encoding = 'br' | 'gzip';

const encodings = ['br', 'gzip'] as const satisfies readonly Encoding[];

/** Returns the best available encoding. Null for no compression. */
export const chooseEncoding = (acceptHeader = '', available: readonly Encoding[] = encodings): Encoding | null =>
  encodings.find((encoding) => available.includes(encoding) && isAccepted(encoding, acceptHeader)) ?? null;

/** Accepted by name with a weight above zero (RFC 9110, 12.5.3). */
const isAccepted = (encoding: Encoding, acceptHeader: string): boolean =>
  acceptHeader.split(',').some((one) => {
    const [name = '', ...parameters] = one
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });

/** Which error codes the documentation has a page for: those of the contract, and not those of a proxy or of the page itself. */
import { ERROR_CODES } from 'virtual:browser';

const documented: ReadonlySet<string> = new Set(ERROR_CODES);
export const hasErrorPage = (code: string): boolean => documented.has(code);

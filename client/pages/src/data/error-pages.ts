/** Whether the documentation has a page for an error code: only for the contract's codes, not for those of a proxy or of the page. */
import { ERROR_CODES } from 'virtual:browser';

const documented: ReadonlySet<string> = new Set(ERROR_CODES);
export const hasErrorPage = (code: string): boolean => documented.has(code);

/** Where the documentation is, with a slash at its end: of callers, or of operators. */
import { createContext } from 'react';

export const HelpContext = createContext('/docs/');

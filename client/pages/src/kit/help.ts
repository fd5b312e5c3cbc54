/** URL of the documentation for callers or operators, with a trailing slash. */
import { createContext } from 'react';

export const HelpContext = createContext('/docs/');

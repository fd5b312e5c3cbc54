/** Starts a bundle: styles, theme, the router below its base, and the cache of what it reads. */
import './styles/all.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { openQueryClient } from '../data/queries.ts';
import { HelpContext } from './help.ts';
import { applyTheme, readTheme } from './theme.ts';

/** `help`: where the documentation is. */
export function renderPages(children: ReactNode, help: string): void {
  const element = document.getElementById('root');
  if (element === null) throw new Error('The document has no element #root.');
  applyTheme(readTheme());
  createRoot(element).render(
    <StrictMode>
      <QueryClientProvider client={openQueryClient()}>
        <HelpContext value={help}>
          {/* `base` of Vite without the slash at its end: `/console`. */}
          <Router base={import.meta.env.BASE_URL.replace(/\/$/, '')}>{children}</Router>
        </HelpContext>
      </QueryClientProvider>
    </StrictMode>,
  );
}

/** Starts a bundle: styles, theme, the router at its base URL, and the query cache. */
import './styles/all.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { openQueryClient } from '../data/queries.ts';
import { HelpContext } from './help.ts';
import { applyTheme, readTheme } from './theme.ts';

/** `help`: URL of the documentation. */
export function renderPages(children: ReactNode, help: string): void {
  const element = document.getElementById('root');
  if (element === null) throw new Error('The document has no element #root.');
  applyTheme(readTheme());
  createRoot(element).render(
    <StrictMode>
      <QueryClientProvider client={openQueryClient()}>
        <HelpContext value={help}>
          {/* Vite's `base` without the trailing slash: `/console`. */}
          <Router base={import.meta.env.BASE_URL.replace(/\/$/, '')}>{children}</Router>
        </HelpContext>
      </QueryClientProvider>
    </StrictMode>,
  );
}

/** The turns with one model, one call at a time. Leaving the page stops the call. Turns stay until a reload or sign-out. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { composeBody, type Turn } from './conversation.ts';
import type { Fields, Tab } from './frames.ts';
import { createRun, executeRun } from './run.ts';

export interface Conversation {
  readonly turns: readonly Turn[];
  readonly isRunning: boolean;
  /** `onDone`: called when the response is complete. */
  readonly start: (body: Fields, onDone: () => void) => void;
  readonly stop: () => void;
  readonly replace: (turns: readonly Turn[]) => void;
}

export function useConversation(tab: Tab, place: 'first' | 'second'): Conversation {
  const client = useQueryClient();
  const key = ['playground', tab, place];
  const [turns, setTurns] = useState<readonly Turn[]>(() => client.getQueryData(key) ?? []);
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  const replace = (next: readonly Turn[]) => {
    setTurns(next);
    client.setQueryDefaults(key, { gcTime: Infinity });
    client.setQueryData(key, next);
  };
  const start: Conversation['start'] = (body, onDone) => {
    leaving.current?.abort();
    const here = new AbortController();
    leaving.current = here;
    // An image call has no conversation to continue.
    const earlier = tab === 'images' ? [] : turns;
    const first = createRun(tab, composeBody(tab, body, earlier));
    replace([...earlier, { body, run: first }]);
    void executeRun(first, here.signal, (run) => {
      if (leaving.current !== here) return;
      replace([...earlier, { body, run }]);
      if (run.state === 'done') onDone();
    });
  };
  return { turns, isRunning: turns.at(-1)?.run.state === 'running', start, stop: () => leaving.current?.abort(), replace };
}

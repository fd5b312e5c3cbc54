/** A text that somebody types, as it was when nothing had changed for a while: what is asked of the server is not asked for each letter. */
import { useEffect, useState } from 'react';

const PAUSE_MS = 250;

export function useSettled(text: string, pauseMs = PAUSE_MS): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);
  return settled;
}

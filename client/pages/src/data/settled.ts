/** Returns a typed text once it hasn't changed for a while, so that the server isn't queried for each letter. */
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

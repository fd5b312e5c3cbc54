/** Short confirmations in a live region: read aloud, shown for a few seconds, and never required. */
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { Icon } from './icon.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
}
const SHOWN_MS = 5_000;
let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function setToasts(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a confirmation. Show failures beside their cause instead. */
export function showToast(text: string): void {
  lastId += 1;
  const id = lastId;
  setToasts([...toasts.slice(-2), { id, text }]);
  setTimeout(() => setToasts(toasts.filter((toast) => toast.id !== id)), SHOWN_MS);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Render once per frame. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Reopened for each toast, so that it's above a dialog opened since.
    region.current?.hidePopover();
    if (shown.length > 0) region.current?.showPopover();
  }, [shown]);
  return (
    <div ref={region} popover="manual" role="status" aria-live="polite" className="toasts">
      {shown.map(({ id, text }) => (
        <p key={id} className="toast">
          <Icon name="check" />
          {text}
        </p>
      ))}
    </div>
  );
}

/** Short messages that something was done, in a live region: read aloud, shown for some seconds, never needed to go on. */
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

/** Says that something was done. What failed belongs beside what caused it, not here. */
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

/** Once in a frame. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Shown again with each toast, so that it's above a dialog that was opened since.
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

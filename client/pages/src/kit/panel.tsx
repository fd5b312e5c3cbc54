/** The details of a selected row: a panel beside the list, or a full-page sheet on a narrow screen. */
import { type ReactNode, useRef, useSyncExternalStore } from 'react';
import { kit } from '../texts/kit.ts';
import { Button, IconButton } from './button.tsx';
import { useModal } from './dialog.tsx';
import { useKeys } from './keyboard.ts';

export interface PanelProps {
  /** Name for screen readers. */
  readonly label: string;
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Panel(props: PanelProps) {
  const isNarrow = useSyncExternalStore(subscribe, () => narrow.matches);
  return isNarrow ? <Sheet {...props} /> : <PanelBeside {...props} />;
}

/** The same width as in frame.css, below which the navigation becomes a sheet. */
const narrow = matchMedia('(width < 68rem)');
const subscribe = (listener: () => void) => {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
};

function PanelBeside({ label, title, onClose, children }: PanelProps) {
  useKeys({ Escape: onClose });
  return (
    <aside className="panel card" aria-label={label}>
      <header className="row apart panel-head">
        <h2 className="wrapped">{title}</h2>
        <IconButton label={kit.close} icon="close" onClick={onClose} />
      </header>
      {children}
    </aside>
  );
}

function Sheet({ label, title, onClose, children }: PanelProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useModal(ref);
  return (
    <dialog
      ref={ref}
      className="panel"
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header className="panel-bar">
        <Button kind="quiet" icon="left" onClick={onClose}>
          {kit.back}
        </Button>
      </header>
      <h2 className="wrapped">{title}</h2>
      {children}
    </dialog>
  );
}

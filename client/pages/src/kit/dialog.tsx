/** A modal dialog: the native element, which traps the focus and returns it to its opener. */
import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';
import { kit } from '../texts/kit.ts';
import { IconButton } from './button.tsx';

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Wider, for forms with content beside them. */
  readonly isWide?: boolean;
  /** Whether it closes only by a decision, not by Escape or a close button. */
  readonly isBinding?: boolean;
}

/** Open while it's rendered. */
export function Dialog({ title, onClose, children, isWide = false, isBinding = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useModal(ref);
  return (
    <dialog
      ref={ref}
      className={`dialog${isWide ? ' wide' : ''}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        if (!isBinding) onClose();
      }}
      onKeyDown={(event) => {
        // Browsers close a dialog on the second Escape, even if `cancel` was prevented.
        if (isBinding && event.key === 'Escape') event.preventDefault();
      }}
    >
      <header className="row apart">
        <h2 id={heading}>{title}</h2>
        {!isBinding && <IconButton label={kit.close} icon="close" onClick={onClose} />}
      </header>
      <div className="dialog-body">{children}</div>
    </dialog>
  );
}

/** Shows a dialog as modal while it is rendered, and returns the focus to its opener. */
export function useModal(ref: RefObject<HTMLDialogElement | null>): void {
  useEffect(() => {
    const dialog = ref.current;
    const opener = document.activeElement;
    dialog?.showModal();
    const first = ['[data-focus-first]', '.dialog-body :is(input, select, textarea)', '.dialog-body button'];
    first.flatMap((selector) => dialog?.querySelector<HTMLElement>(selector) ?? [])[0]?.focus();
    return () => {
      dialog?.close();
      // If the opener no longer exists, the content gets the focus, not the top of the page.
      const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
      (isThere ? opener : document.querySelector<HTMLElement>('main'))?.focus();
    };
  }, [ref]);
}

/** The row of buttons at the bottom of a dialog. */
export const DialogActions = ({ children }: { readonly children: ReactNode }) => <footer className="dialog-actions">{children}</footer>;

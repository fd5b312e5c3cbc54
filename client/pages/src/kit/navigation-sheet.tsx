/** The navigation on a narrow screen: a button that opens a sheet. Choosing a page closes it. */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { kit } from '../texts/kit.ts';
import { IconButton } from './button.tsx';

export interface NavigationSheetProps {
  readonly title: string;
  /** The current URL. A change closes the sheet. */
  readonly path: string;
  readonly children: ReactNode;
}

export function NavigationSheet({ title, path, children }: NavigationSheetProps) {
  const sheet = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => sheet.current?.close(), [path]);
  return (
    <div className="sheet-opener">
      <IconButton
        label={kit.openMenu}
        icon="menu"
        aria-expanded={isOpen}
        onClick={() => {
          sheet.current?.showModal();
          setOpen(true);
        }}
      />
      <dialog ref={sheet} className="sheet" aria-label={kit.pages} onClose={() => setOpen(false)}>
        <header className="row apart">
          <strong>{title}</strong>
          <IconButton label={kit.closeMenu} icon="close" onClick={() => sheet.current?.close()} />
        </header>
        {isOpen && children}
      </dialog>
    </div>
  );
}

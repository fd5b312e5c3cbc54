/** A button with a menu (ARIA menu button): arrow keys, Home, End, and first letters move, Escape closes. */
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Icon, type IconName } from './icon.tsx';

export interface MenuChoice {
  readonly label: string;
  readonly onChoose: () => void;
  readonly icon?: IconName;
  /** For one of several options: whether it's selected. */
  readonly isChosen?: boolean;
}
export interface MenuProps {
  /** The button's name for screen readers. */
  readonly label: string;
  /** The button's content. Defaults to the label. */
  readonly children?: ReactNode;
  readonly icon?: IconName;
  readonly choices: readonly MenuChoice[];
}

export function Menu({ label, children, icon, choices }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const items = () => [...(list.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
  const open = () => {
    list.current?.showPopover();
    (items().find((item) => item.ariaChecked === 'true') ?? items()[0])?.focus();
  };
  return (
    <span className="menu">
      <button
        type="button"
        className="button quiet"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={id}
        popoverTarget={id}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          open();
        }}
      >
        {icon && <Icon name={icon} />}
        {children ?? label}
      </button>
      <div
        ref={list}
        id={id}
        role="menu"
        aria-label={label}
        tabIndex={-1}
        popover="auto"
        className="menu-list"
        onToggle={({ newState }) => {
          setOpen(newState === 'open');
          if (newState === 'open' && !list.current?.contains(document.activeElement)) open();
        }}
        onKeyDown={(event) => moveFocus(items(), event)}
      >
        {choices.map((choice) => (
          <MenuItem key={choice.label} choice={choice} close={() => list.current?.hidePopover()} />
        ))}
      </div>
    </span>
  );
}

function MenuItem({ choice: { label, onChoose, icon, isChosen }, close }: { readonly choice: MenuChoice; readonly close: () => void }) {
  const choose = () => {
    close();
    onChoose();
  };
  const role = isChosen === undefined ? 'menuitem' : 'menuitemradio';
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: `menuitemradio` has it, and `menuitem` gets none.
    <button type="button" role={role} tabIndex={-1} aria-checked={isChosen} className="menu-item" onClick={choose}>
      {isChosen === undefined ? icon && <Icon name={icon} /> : <span className="menu-mark">{isChosen && <Icon name="check" />}</span>}
      {label}
    </button>
  );
}

function moveFocus(items: readonly HTMLElement[], event: KeyboardEvent): void {
  // `as`: the focused element is looked up among the items. -1 if it isn't one.
  const at = items.indexOf(document.activeElement as HTMLElement);
  const to = findTarget(event.key, items, at);
  if (to === undefined) return;
  event.preventDefault();
  to.focus();
}

function findTarget(key: string, items: readonly HTMLElement[], at: number): HTMLElement | undefined {
  if (key === 'ArrowDown') return items[(at + 1) % items.length];
  if (key === 'ArrowUp') return items.at(at <= 0 ? -1 : at - 1);
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  if (key.length !== 1) return undefined;
  const next = [...items.slice(at + 1), ...items.slice(0, at + 1)];
  return next.find((item) => item.textContent.trim().toLowerCase().startsWith(key.toLowerCase()));
}

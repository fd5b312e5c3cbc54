/** Keyboard shortcuts: one listener for the document, and a stack of handlers per key. The newest handler runs. */
import { useEffect, useRef, useSyncExternalStore } from 'react';

type KeyHandler = (event: KeyboardEvent) => void;
/** Handlers by `KeyboardEvent.key`, `g k` for a sequence, `ctrl+k` for Control or Command. */
export type KeyMap = Readonly<Record<string, KeyHandler>>;

const maps: KeyMap[] = [];
const OFF_KEY = 'modelgate.single-keys';
const listeners = new Set<() => void>();
let isAfterG = false;

/** Single-letter shortcuts can be turned off (WCAG 2.1.4). Stored in this browser. */
export const hasSingleKeys = (): boolean => localStorage.getItem(OFF_KEY) !== 'off';
export function setSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(OFF_KEY);
  else localStorage.setItem(OFF_KEY, 'off');
  for (const listener of listeners) listener();
}
export const useSingleKeys = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, hasSingleKeys);

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select, [role=combobox]'));

function getShortcut(event: KeyboardEvent): string | undefined {
  if (event.altKey) return undefined;
  if (event.ctrlKey || event.metaKey) return `ctrl+${event.key.toLowerCase()}`;
  if (isTyping(event.target) || !hasSingleKeys()) return undefined;
  return isAfterG ? `g ${event.key}` : event.key;
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.key === 'Shift') return;
  const name = getShortcut(event);
  // A modal dialog blocks shortcuts below it.
  const isBelowDialog = document.querySelector('dialog:modal') !== null && name !== '?';
  isAfterG = name === 'g';
  const meaning = name === undefined || isBelowDialog ? undefined : maps.findLast((map) => Object.hasOwn(map, name))?.[name];
  if (meaning === undefined) return;
  event.preventDefault();
  meaning(event);
}

/** Registers shortcuts while the component is mounted. */
export function useKeys(map: KeyMap): void {
  const latest = useRef(map);
  latest.current = map;
  const names = Object.keys(map).join(' ');
  useEffect(() => {
    if (maps.length === 0) document.addEventListener('keydown', onKeyDown);
    const own: KeyMap = Object.fromEntries(
      Object.keys(latest.current).map((name) => [name, (event: KeyboardEvent) => latest.current[name]?.(event)]),
    );
    maps.push(own);
    return () => {
      maps.splice(maps.indexOf(own), 1);
      if (maps.length === 0) document.removeEventListener('keydown', onKeyDown);
    };
    // Handlers are read when a key is pressed, so only a change of keys requires a new map.
  }, [names]);
}

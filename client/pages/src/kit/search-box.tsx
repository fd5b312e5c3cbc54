/** The search of the frame: `/` or Ctrl+K focuses it, Enter opens the first result, arrow keys and Enter another one. */
import { useEffect, useRef, useState } from 'react';
import { kit } from '../texts/kit.ts';
import { Combobox, type Suggestion } from './combobox.tsx';
import { useKeys, useSingleKeys } from './keyboard.ts';

export interface SearchBoxProps {
  /** Results for the typed text, found by the server or recognized by ID format. */
  readonly hits: readonly Suggestion[];
  /** Whether the results match the typed text. Enter waits for them. */
  readonly isSettled: boolean;
  /** Why there are no results. */
  readonly emptyText: string;
  readonly onType: (typed: string) => void;
  readonly onTake: (value: string) => void;
}

const SHORTEST = 3;

export function SearchBox({ hits, isSettled, emptyText, onType, onTake }: SearchBoxProps) {
  const [typed, setTyped] = useState('');
  const [isAwaited, setAwaited] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const focus = () => input.current?.focus();
  const hasSingleKeys = useSingleKeys();
  useKeys({ '/': focus, 'ctrl+k': focus });
  const isLong = typed.trim().length >= SHORTEST;
  const changeText = (value: string) => {
    setTyped(value);
    setAwaited(false);
    onType(value.trim());
  };
  const chooseHit = (value: string) => {
    changeText('');
    onTake(value);
  };
  useEffect(() => {
    if (!isAwaited || !isSettled) return;
    setAwaited(false);
    if (isLong && hits[0]) chooseHit(hits[0].value);
  });
  return (
    <search className="search-box">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setAwaited(true);
        }}
      >
        <Combobox
          inputRef={input}
          label={kit.search}
          placeholder={kit.searchHint}
          value={typed}
          onChange={changeText}
          suggestions={isLong && isSettled ? hits : []}
          filters={!isLong}
          takesFirst
          emptyText={isSettled ? emptyText : kit.searching}
          onTake={chooseHit}
        />
        {hasSingleKeys && <kbd>/</kbd>}
      </form>
    </search>
  );
}

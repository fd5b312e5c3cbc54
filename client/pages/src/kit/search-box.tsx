/** The search of the frame: `/` or Ctrl K goes there, arrows and Enter take a hit. */
import { useRef, useState } from 'react';
import { kit } from '../texts/kit.ts';
import { Combobox, type Suggestion } from './combobox.tsx';
import { useKeys } from './keyboard.ts';

export interface SearchBoxProps {
  /** Hits for what is typed, chosen by the server or by the form of an id. */
  readonly hits: readonly Suggestion[];
  readonly onType: (typed: string) => void;
  readonly onTake: (value: string) => void;
}

export function SearchBox({ hits, onType, onTake }: SearchBoxProps) {
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const focus = () => input.current?.focus();
  useKeys({ '/': focus, 'ctrl+k': focus });
  const change = (value: string) => {
    setTyped(value);
    onType(value.trim());
  };
  return (
    <search className="search-box">
      <Combobox
        inputRef={input}
        label={kit.search}
        placeholder={kit.searchHint}
        value={typed}
        onChange={change}
        suggestions={typed.trim().length < 3 ? [] : hits}
        filters={typed.trim().length < 3}
        onTake={(value) => {
          change('');
          onTake(value);
        }}
      />
    </search>
  );
}

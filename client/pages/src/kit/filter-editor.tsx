/** The small popover in which the value of one filter is typed or chosen: Enter takes it, Escape closes. */
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { kit } from '../texts/kit.ts';
import { Button } from './button.tsx';
import { Combobox, filterSuggestions, type Suggestion } from './combobox.tsx';

export interface Filter {
  /** Its field of the address. */
  readonly name: string;
  readonly label: string;
  /** Empty: it is not set. */
  readonly value: string;
  /** What is shown for the value, where that is an id. */
  readonly shown?: string;
  readonly suggestions?: readonly Suggestion[];
  /** Which values are valid, where not any text is, and the hint that says so. */
  readonly rule?: { readonly text: string; readonly accepts: (value: string) => boolean };
  /** True for a filter that a link set: it can be removed, but not edited. */
  readonly isFixed?: boolean;
}
export interface FilterEditorProps {
  readonly filter: Filter;
  readonly onApply: (value: string) => void;
  /** It has closed. */
  readonly onClose: () => void;
}

export function FilterEditor({ filter, onApply, onClose }: FilterEditorProps) {
  const { label, name, shown, suggestions = [], rule } = filter;
  const popover = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const complaint = useId();
  const [typed, setTyped] = useState(shown ?? filter.value);
  const [isWrong, setWrong] = useState(false);
  useEffect(() => {
    popover.current?.showPopover();
    input.current?.focus();
    input.current?.select();
  }, []);
  const apply = (value: string) => {
    if (rule && value !== '' && !rule.accepts(value)) {
      setWrong(true);
      return input.current?.focus();
    }
    if (value !== '' || filter.value !== '') onApply(value);
    popover.current?.hidePopover();
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const text = typed.trim();
    apply(text === shown ? filter.value : findValue(text, filter));
  };
  return (
    <div
      ref={popover}
      popover="auto"
      className="menu-list filter-editor"
      role="dialog"
      aria-label={label}
      onToggle={({ newState }) => newState === 'closed' && onClose()}
    >
      <form className="filter-line" noValidate onSubmit={onSubmit}>
        <Combobox
          label={label}
          placeholder={label}
          name={name}
          value={typed}
          onChange={(text) => {
            setTyped(text);
            setWrong(false);
          }}
          onTake={apply}
          // What is set already is to be replaced: all suggestions are in sight until something is typed.
          suggestions={filterSuggestions(suggestions, typed === (shown ?? filter.value) ? '' : typed)}
          filters={false}
          isInline
          isInvalid={isWrong}
          describedBy={rule ? complaint : undefined}
          inputRef={input}
        />
        <Button type="submit">{kit.apply}</Button>
      </form>
      {rule && (
        <p id={complaint} className={isWrong ? 'complaint' : 'soft small'}>
          {rule.text}
        </p>
      )}
    </div>
  );
}

/** A name stands for the id of its thing: the one that is called so, or the first whose name has this. */
function findValue(text: string, { suggestions = [] }: Filter): string {
  const known = suggestions.find(({ value, label }) => value === text || label === text);
  const similar = filterSuggestions(suggestions, text).find(({ label }) => label !== undefined);
  return text === '' ? '' : ((known ?? similar)?.value ?? text);
}

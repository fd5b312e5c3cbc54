/** The popover that edits the value of one filter: Enter applies it, Escape closes. */
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { kit } from '../texts/kit.ts';
import { Button } from './button.tsx';
import { Combobox, filterSuggestions, type Suggestion } from './combobox.tsx';

export interface Filter {
  /** Its URL parameter. */
  readonly name: string;
  readonly label: string;
  /** Empty if the filter isn't set. */
  readonly value: string;
  /** Label to show instead of the value, for IDs. */
  readonly shown?: string;
  readonly suggestions?: readonly Suggestion[];
  /** Validates the value, with a hint. Omit if any text is valid. */
  readonly rule?: { readonly text: string; readonly accepts: (value: string) => boolean };
  /** True for a filter that a link set. It can be removed, but not edited. */
  readonly isFixed?: boolean;
}
export interface FilterEditorProps {
  readonly filter: Filter;
  readonly onApply: (value: string) => void;
  /** Called when the editor closes. */
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
          // The current value will be replaced, so all suggestions are shown until the user types.
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

/** Replaces a name with its ID: the exact match, or the first name that contains the text. */
function findValue(text: string, { suggestions = [] }: Filter): string {
  const known = suggestions.find(({ value, label }) => value === text || label === text);
  const similar = filterSuggestions(suggestions, text).find(({ label }) => label !== undefined);
  return text === '' ? '' : ((known ?? similar)?.value ?? text);
}

/** A field with suggestions (ARIA 1.2 combobox): arrow keys move, Enter selects, Escape closes. Typed text is valid without a suggestion. */
import { type KeyboardEvent, type RefObject, useId, useState } from 'react';
import { kit } from '../texts/kit.ts';
import { State } from './values.tsx';

export interface Suggestion {
  readonly value: string;
  /** Label to show instead of the value, for IDs. */
  readonly label?: string;
  /** Text beside the label. */
  readonly hint?: string;
  /** Whether the hint is a state that users must notice. */
  readonly isBad?: boolean;
}
export interface ComboboxProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly suggestions: readonly Suggestion[];
  /** Called when a suggestion is selected, after `onChange`. */
  readonly onTake?: (value: string) => void;
  /** False to show all suggestions, because a server filtered them; also one that equals the typed text, because users often paste a complete ID. By default, only those that contain the typed text. */
  readonly filters?: boolean;
  /** Whether the first suggestion is active immediately, so that Enter selects it. */
  readonly takesFirst?: boolean;
  /** Text without suggestions. Defaults to "No results". */
  readonly emptyText?: string;
  /** Whether the list is part of a popover. Then it's always open, and Escape closes the popover. */
  readonly isInline?: boolean;
  readonly id?: string;
  readonly name?: string;
  readonly placeholder?: string;
  readonly describedBy?: string | undefined;
  readonly isInvalid?: boolean;
  readonly isRequired?: boolean | undefined;
  /** Name for screen readers, if there's no label element. */
  readonly label?: string;
  readonly inputRef?: RefObject<HTMLInputElement | null>;
}

/** A click shows all suggestions, typing those that match. */
type OpenList = 'all' | 'matching';

export function Combobox({ value, onChange, onTake, ...props }: ComboboxProps) {
  const list = useId();
  const [open, setOpen] = useState<OpenList | null>(null);
  const first = props.takesFirst ? 0 : -1;
  const [active, setActive] = useState(first);
  const shown = props.filters === false ? props.suggestions : filterSuggestions(props.suggestions, open === 'all' ? '' : value);
  const isServed = props.filters === false;
  const isShown = props.isInline
    ? shown.length > 0
    : open !== null && (isServed || (shown.length > 0 && (open === 'all' || value !== shown[0]?.value)));
  const chooseSuggestion = (taken: Suggestion) => {
    onChange(taken.value);
    setOpen(null);
    setActive(first);
    onTake?.(taken.value);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = getNextIndex(event.key, active, shown.length);
    if (step !== undefined) {
      event.preventDefault();
      setOpen(open ?? 'matching');
      setActive(step);
    } else if (event.key === 'Enter' && isShown && shown[active]) {
      event.preventDefault();
      chooseSuggestion(shown[active]);
    } else if (event.key === 'Escape' && isShown && !props.isInline) {
      // Keeps the surrounding dialog open.
      event.preventDefault();
      event.stopPropagation();
      setOpen(null);
    }
  };
  return (
    <span className="combobox">
      <input
        ref={props.inputRef}
        className="input"
        role="combobox"
        id={props.id}
        name={props.name}
        aria-label={props.label}
        aria-expanded={isShown}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={isShown && shown[active] ? `${list}-${active}` : undefined}
        aria-describedby={props.describedBy}
        aria-invalid={props.isInvalid || undefined}
        required={props.isRequired}
        autoComplete="off"
        spellCheck={false}
        placeholder={props.placeholder}
        value={value}
        onChange={({ target }) => {
          onChange(target.value);
          setOpen('matching');
          setActive(first);
        }}
        onClick={() => setOpen(isServed ? null : 'all')}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(null)}
      />
      <Suggestions
        id={list}
        isShown={isShown}
        shown={shown}
        active={active}
        emptyText={props.emptyText ?? kit.noResults}
        onTake={chooseSuggestion}
      />
    </span>
  );
}

interface SuggestionsProps {
  readonly id: string;
  readonly isShown: boolean;
  readonly shown: readonly Suggestion[];
  readonly active: number;
  readonly emptyText: string;
  readonly onTake: (suggestion: Suggestion) => void;
}
function Suggestions({ id, isShown, shown, active, emptyText, onTake }: SuggestionsProps) {
  return (
    <>
      <div id={id} role="listbox" aria-label={kit.options(shown.length)} className="combobox-list" hidden={!isShown}>
        {shown.map((one, index) => (
          <div
            key={one.value}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className="combobox-option"
            // Runs before the field loses the focus, which would close the list.
            onPointerDown={(event) => {
              event.preventDefault();
              onTake(one);
            }}
          >
            <span>{one.label ?? one.value}</span>
            {one.hint && (one.isBad ? <State tone="bad">{one.hint}</State> : <span className="soft">{one.hint}</span>)}
          </div>
        ))}
        {shown.length === 0 && <p className="combobox-option soft">{emptyText}</p>}
      </div>
      <span className="hidden" role="status">
        {isShown ? (shown.length === 0 ? emptyText : kit.options(shown.length)) : ''}
      </span>
    </>
  );
}

export const filterSuggestions = (all: readonly Suggestion[], typed: string): readonly Suggestion[] => {
  const word = typed.trim().toLowerCase();
  return all.filter(({ value, label = '', hint = '' }) => `${value} ${label} ${hint}`.toLowerCase().includes(word)).slice(0, 50);
};

function getNextIndex(key: string, active: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return (active + 1) % count;
  if (key === 'ArrowUp') return active <= 0 ? count - 1 : active - 1;
  return undefined;
}

/** Filters of a list: active filters are chips that can be edited or removed, and a menu adds more. */
import { type KeyboardEvent, useRef, useState } from 'react';
import { filterTexts } from '../texts/filters.ts';
import { type Filter, FilterEditor } from './filter-editor.tsx';
import { Icon } from './icon.tsx';
import { Menu } from './menu.tsx';

export interface FiltersProps {
  readonly filters: readonly Filter[];
  readonly onChange: (changes: Readonly<Record<string, string>>) => void;
  /** Called when an editor opens, so that suggestions can load. */
  readonly onEdit?: () => void;
}

export function Filters({ filters, onChange, onEdit }: FiltersProps) {
  const row = useRef<HTMLDivElement>(null);
  /** Opens beside its chip, or beside the menu for a new filter. */
  const [edited, setEdited] = useState<{ readonly name: string; readonly isNew: boolean } | null>(null);
  const edit = (name: string, isNew: boolean) => {
    onEdit?.();
    setEdited({ name, isNew });
  };
  const remove = (name: string) => {
    onChange({ [name]: '' });
    row.current?.querySelector<HTMLElement>('[aria-haspopup=menu]')?.focus();
  };
  const renderEditor = (filter: Filter) => (
    <FilterEditor
      key={filter.name}
      filter={filter}
      onApply={(value) => onChange({ [filter.name]: value })}
      onClose={() => setEdited(null)}
    />
  );
  const unset = filters.filter(({ value, isFixed }) => value === '' && !isFixed);
  const added = edited?.isNew && filters.find(({ name }) => name === edited.name);
  return (
    <div className="row chips" ref={row}>
      {filters
        .filter(({ value }) => value !== '')
        .map((filter) => (
          <span key={filter.name} className="menu">
            <Chip filter={filter} onEdit={() => edit(filter.name, false)} onRemove={() => remove(filter.name)} />
            {edited?.name === filter.name && !edited.isNew && renderEditor(filter)}
          </span>
        ))}
      <span className="menu">
        {unset.length > 0 && (
          <Menu
            label={filterTexts.add}
            icon="plus"
            choices={unset.map(({ name, label }) => ({ label, onChoose: () => edit(name, true) }))}
          />
        )}
        {added && renderEditor(added)}
      </span>
    </div>
  );
}

interface ChipProps {
  readonly filter: Filter;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}
function Chip({ filter: { label, value, shown = value, isFixed = false }, onEdit, onRemove }: ChipProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Backspace' && event.key !== 'Delete') return;
    event.preventDefault();
    onRemove();
  };
  const text = (
    <>
      <span className="soft">{label}:</span> {shown}
    </>
  );
  return (
    <span className="chip">
      {isFixed ? (
        <span className="chip-value">{text}</span>
      ) : (
        <button type="button" className="chip-value" aria-haspopup="dialog" onClick={onEdit} onKeyDown={onKeyDown}>
          {text}
        </button>
      )}
      <button type="button" className="chip-remove" aria-label={filterTexts.remove(label, shown)} onClick={onRemove} onKeyDown={onKeyDown}>
        <Icon name="close" />
      </button>
    </span>
  );
}

export interface QuickFilterProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}
/** A filter that shows its few values as buttons. */
export const QuickFilter = <Value extends string>({ label, value, choices, onChange }: QuickFilterProps<Value>) => (
  <fieldset className="quick">
    <legend className="hidden">{label}</legend>
    {choices.map((choice) => (
      <button key={choice.value} type="button" aria-pressed={choice.value === value} onClick={() => onChange(choice.value)}>
        {choice.label}
      </button>
    ))}
  </fieldset>
);

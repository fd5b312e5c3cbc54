/** A choice between a few visible options. */
import { useId } from 'react';

export interface SegmentsProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}
export function Segments<Value extends string>({ label, value, choices, onChange }: SegmentsProps<Value>) {
  const id = useId();
  return (
    <fieldset className="segments" aria-labelledby={id}>
      <legend id={id} className="hidden">
        {label}
      </legend>
      {choices.map((choice) => (
        <button key={choice.value} type="button" aria-pressed={choice.value === value} onClick={() => onChange(choice.value)}>
          {choice.label}
        </button>
      ))}
    </fieldset>
  );
}

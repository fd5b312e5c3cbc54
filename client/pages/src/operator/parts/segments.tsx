/** A choice between a few views, as buttons side by side. */
export interface SegmentsProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}
export const Segments = <Value extends string>({ label, value, options, onChange }: SegmentsProps<Value>) => (
  <div className="row">
    <fieldset className="segments">
      <legend className="hidden">{label}</legend>
      {options.map((option) => (
        <button key={option.value} type="button" aria-pressed={option.value === value} onClick={() => onChange(option.value)}>
          {option.label}
        </button>
      ))}
    </fieldset>
  </div>
);

/** The request form: each field edits a part of the body, which the JSON below shows completely. */
import { type ReactNode, useState } from 'react';
import { CheckField, ComboboxField, Field, type Option, SelectField, TextField } from '../../../kit/form.tsx';
import { State } from '../../../kit/values.tsx';
import { kit } from '../../../texts/kit.ts';
import { playground as words } from '../../../texts/playground.ts';
import { useRead } from '../../api.ts';
import type { Fields, Tab } from './frames.ts';

interface EditorProps {
  readonly tab: Tab;
  readonly body: Fields;
  /** Removes undefined fields. */
  readonly onChange: (changes: Fields) => void;
}

/** `children`: shown below the model. */
export function RequestForm({ children, ...props }: EditorProps & { readonly children: ReactNode }) {
  return (
    <>
      <ModelField tab={props.tab} label={words.model} value={toText(props.body.model)} onChange={(model) => props.onChange({ model })} />
      {children}
      {props.tab === 'images' ? <ImageFields {...props} /> : <TextFields {...props} />}
    </>
  );
}

interface ModelProps {
  readonly tab: Tab;
  readonly label: string;
  readonly value: string;
  readonly onChange: (model: string) => void;
}
export function ModelField({ tab, label, value, onChange }: ModelProps) {
  const { data, error } = useRead('listModels');
  const kind = tab === 'images' ? 'image' : 'text';
  const models = data?.data.filter((model) => model.kind === kind) ?? [];
  const isFailing = models.some(({ id, failing }) => id === value && failing);
  return (
    <ComboboxField
      label={label}
      name="model"
      hint={error ? words.modelsFailed : isFailing ? <State tone="bad">{kit.failingNow}</State> : undefined}
      value={value}
      onChange={onChange}
      suggestions={models.map(({ id, owned_by, failing }) => ({ value: id, hint: failing ? kit.failingNow : owned_by, isBad: failing }))}
    />
  );
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '');
const toOptional = (text: string): string | undefined => (text === '' ? undefined : text);
const parseNumber = (text: string): number | undefined => (text.trim() === '' || Number.isNaN(Number(text)) ? undefined : Number(text));
const efforts: readonly Option[] = [
  { value: '', label: words.effortDefault },
  ...['none', 'minimal', 'low', 'medium', 'high', 'xhigh'].map((value) => ({ value, label: value })),
];

function TextFields({ tab, body, onChange }: EditorProps) {
  const isChat = tab === 'chat';
  const [limit, formatField] = isChat ? ['max_completion_tokens', 'response_format'] : ['max_output_tokens', 'text'];
  const effort = isChat ? body.reasoning_effort : getField(body.reasoning, 'effort');
  const setEffort = (text: string) =>
    onChange(isChat ? { reasoning_effort: toOptional(text) } : { reasoning: text === '' ? undefined : { effort: text } });
  return (
    <>
      {isChat ? <ChatWords body={body} onChange={onChange} /> : <ResponseWords body={body} onChange={onChange} />}
      <details>
        <summary>{words.settings}</summary>
        <div className="stack">
          <div className="field-row">
            <TextField
              label={words.temperature}
              name="temperature"
              type="number"
              min={0}
              max={2}
              step="any"
              value={toText(body.temperature)}
              onChange={(text) => onChange({ temperature: parseNumber(text) })}
            />
            <TextField
              label={words.maxOutputTokens}
              name={limit ?? ''}
              type="number"
              min={1}
              value={toText(body[limit ?? ''])}
              onChange={(text) => onChange({ [limit ?? '']: parseNumber(text) })}
            />
            <SelectField label={words.effort} name="effort" value={toText(effort)} onChange={setEffort} options={efforts} />
          </div>
          <div className="row">
            <CheckField
              label={words.stream}
              isChecked={body.stream === true}
              onChange={(stream) => onChange({ stream: stream || undefined })}
            />
            <CheckField
              label={words.store}
              isChecked={body.store !== false}
              onChange={(store) => onChange({ store: store ? undefined : false })}
            />
          </div>
        </div>
      </details>
      <details>
        <summary>{words.more}</summary>
        <div className="stack">
          <JsonField label={words.tools} name="tools" value={body.tools} onChange={(tools) => onChange({ tools })} />
          <JsonField
            label={words.schema}
            name={formatField ?? ''}
            value={isChat ? body.response_format : getField(body.text, 'format')}
            onChange={(format) => onChange(isChat ? { response_format: format } : { text: format === undefined ? undefined : { format } })}
          />
        </div>
      </details>
    </>
  );
}

type FieldsProps = Omit<EditorProps, 'tab'>;

const getField = (value: unknown, name: string): unknown =>
  // `as`: an object, whose field is checked before use.
  typeof value === 'object' && value !== null ? (value as Fields)[name] : undefined;

const ResponseWords = ({ body, onChange }: FieldsProps) => (
  <>
    <Area
      label={words.instructions}
      name="instructions"
      rows={2}
      value={body.instructions ?? ''}
      onChange={(text) => onChange({ instructions: toOptional(text) })}
    />
    <Area label={words.input} name="input" rows={4} value={body.input ?? ''} onChange={(input) => onChange({ input })} />
  </>
);

/** One system message and one user message. More messages are edited as JSON. */
function ChatWords({ body, onChange }: FieldsProps) {
  const messages: readonly unknown[] = Array.isArray(body.messages) ? body.messages : [];
  const listContents = (role: string) =>
    messages.filter((message) => getField(message, 'role') === role).map((message) => getField(message, 'content'));
  const [system, user] = [listContents('system'), listContents('user')];
  const isSimple = system.length < 2 && user.length < 2 && system.length + user.length === messages.length;
  const write = (first: unknown, second: unknown) =>
    onChange({
      messages: [
        ...(first === '' || first === undefined ? [] : [{ role: 'system', content: first }]),
        { role: 'user', content: second ?? '' },
      ],
    });
  if (!isSimple) return <Area label={words.message} name="messages" rows={1} value={null} onChange={() => undefined} />;
  return (
    <>
      <Area label={words.system} name="messages[0]" rows={2} value={system[0] ?? ''} onChange={(text) => write(text, user[0])} />
      <Area label={words.message} name="messages" rows={4} value={user[0] ?? ''} onChange={(text) => write(system[0], text)} />
    </>
  );
}

const sizes: readonly Option[] = ['auto', '1024x1024', '1536x1024', '1024x1536'].map((value) => ({ value, label: value }));
const qualities: readonly Option[] = ['auto', 'low', 'medium', 'high'].map((value) => ({ value, label: value }));

function ImageFields({ body, onChange }: EditorProps) {
  const count = Array.isArray(body.images) ? body.images.length : 0;
  const readFiles = async (files: FileList | null) => {
    const urls = await Promise.all([...(files ?? [])].map(readDataUrl));
    onChange({ images: urls.length === 0 ? undefined : urls.map((image_url) => ({ image_url })) });
  };
  return (
    <>
      <Area label={words.prompt} name="prompt" rows={4} value={body.prompt ?? ''} onChange={(prompt) => onChange({ prompt })} />
      <div className="field-row">
        <SelectField
          label={words.size}
          name="size"
          value={toText(body.size) || 'auto'}
          onChange={(size) => onChange({ size })}
          options={sizes}
        />
        <SelectField
          label={words.quality}
          name="quality"
          value={toText(body.quality) || 'auto'}
          onChange={(quality) => onChange({ quality })}
          options={qualities}
        />
      </div>
      <Field label={words.images} name="images" hint={count === 0 ? words.noImages : undefined}>
        {({ id, describedBy }) => (
          <input
            id={id}
            type="file"
            multiple
            accept="image/png,image/jpeg,image/webp"
            className="input"
            aria-describedby={describedBy}
            onChange={({ target }) => void readFiles(target.files)}
          />
        )}
      </Field>
      <CheckField label={words.stream} isChecked={body.stream === true} onChange={(stream) => onChange({ stream: stream || undefined })} />
    </>
  );
}

const readDataUrl = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

interface AreaProps {
  readonly label: string;
  readonly name: string;
  readonly rows: number;
  /** Content other than text is edited as JSON. */
  readonly value: unknown;
  readonly onChange: (text: string) => void;
  readonly complaint?: string | undefined;
}
export function Area({ label, name, rows, value, onChange, complaint }: AreaProps) {
  const isText = typeof value === 'string';
  return (
    <Field label={label} name={name} hint={complaint ?? (isText ? undefined : words.severalParts)}>
      {({ id, describedBy }) => (
        <textarea
          id={id}
          name={name}
          rows={rows}
          className="input play-area"
          spellCheck={false}
          readOnly={!isText}
          aria-describedby={describedBy}
          aria-invalid={complaint !== undefined || undefined}
          value={isText ? value : ''}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

/** A part of the body as JSON. Typed text stays until it's valid. */
function JsonField({
  label,
  name,
  value,
  onChange,
}: Omit<AreaProps, 'rows' | 'onChange'> & { readonly onChange: (value: unknown) => void }) {
  const [draft, setDraft] = useState<string | null>(null);
  const read = (text: string) => {
    setDraft(text);
    try {
      onChange(text.trim() === '' ? undefined : JSON.parse(text));
      setDraft(null);
    } catch {
      // It's incomplete while the user types.
    }
  };
  const written = value === undefined ? '' : JSON.stringify(value, null, 2);
  return (
    <Area
      label={label}
      name={name}
      rows={4}
      value={draft ?? written}
      onChange={read}
      complaint={draft === null ? undefined : words.incompleteJson}
    />
  );
}

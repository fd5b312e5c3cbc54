/** The range picker of the frame: presets, or two days. The range is in the URL, so that all pages and links keep it. */
import { useState } from 'react';
import { isPreset, nameRange, presets } from '../data/ranges.ts';
import { range, useUrlState } from '../data/url-state.ts';
import { kit } from '../texts/kit.ts';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { Form, TextField } from './form.tsx';
import { Menu } from './menu.tsx';

/** The URL parameter, which a page reads with `useUrlState(rangeFields)`. */
export const rangeFields = { range } as const;

export function RangePicker() {
  const [{ range: now }, set] = useUrlState(rangeFields);
  const [isOwn, setOwn] = useState(false);
  const label = isPreset(now) ? kit.presets[now] : nameRange(now);
  return (
    <>
      <Menu
        label={`${kit.range}: ${label}`}
        icon="clock"
        choices={[
          ...presets.map((preset) => ({ label: kit.presets[preset], isChosen: preset === now, onChoose: () => set({ range: preset }) })),
          { label: kit.customRange, isChosen: !isPreset(now), onChoose: () => setOwn(true) },
        ]}
      >
        <span className="range-label">{label}</span>
      </Menu>
      {isOwn && <OwnRange now={now} onClose={() => setOwn(false)} onApply={(days) => set({ range: days })} />}
    </>
  );
}

interface OwnRangeProps {
  readonly now: string;
  readonly onClose: () => void;
  readonly onApply: (days: string) => void;
}
function OwnRange({ now, onClose, onApply }: OwnRangeProps) {
  const today = new Date().toISOString().slice(0, 10);
  const [first, second] = now.includes('..') ? now.split('..').map((end) => end.slice(0, 10)) : [today, today];
  const [from, setFrom] = useState(first ?? today);
  const [to, setTo] = useState(second ?? today);
  const apply = () => {
    onApply(`${from}..${to}`);
    onClose();
  };
  return (
    <Dialog title={kit.range} onClose={onClose}>
      <Form failure={null} onSubmit={apply}>
        <TextField label={kit.from} name="from" type="date" isRequired max={to} value={from} onChange={setFrom} />
        <TextField label={kit.toInclusive} name="to" type="date" isRequired min={from} value={to} onChange={setTo} hint={kit.utcDays} />
        <DialogActions>
          <Button onClick={onClose}>{kit.cancel}</Button>
          <Button type="submit" kind="primary">
            {kit.apply}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** The figures of a call in one line: its charge, its tokens, and its times. */
import { formatDuration } from '../data/times.ts';
import { kit } from '../texts/kit.ts';
import { Figure, Money, sumInput } from './values.tsx';

interface Call {
  readonly tokens: Parameters<typeof sumInput>[0] & { readonly output: number };
  readonly images: number;
  /** Null if nothing was charged. */
  readonly charged: string | null;
  readonly total_ms: number;
  readonly first_ms: number | null;
}

/** `1,200 / 80`: the tokens of the input and output, or else the images. Null if the call has neither. */
export function formatTokens({ tokens, images }: Pick<Call, 'tokens' | 'images'>): string | null {
  if (images > 0) return kit.images(images);
  const input = sumInput(tokens);
  return input + tokens.output === 0 ? null : `${input.toLocaleString()} / ${tokens.output.toLocaleString()}`;
}

export interface CallFiguresProps {
  readonly of: Call;
  readonly labels: { readonly charged: string; readonly tokens: string; readonly duration: string; readonly firstEvent: string };
}
export function CallFigures({ of, labels }: CallFiguresProps) {
  const tokens = formatTokens(of);
  return (
    <dl className="figures in-line">
      <Figure label={labels.charged}>
        <Money amount={of.charged ?? '0'} decimals={6} />
      </Figure>
      {tokens !== null && <Figure label={labels.tokens}>{tokens}</Figure>}
      <Figure label={labels.duration}>{formatDuration(of.total_ms)}</Figure>
      {of.first_ms !== null && <Figure label={labels.firstEvent}>{formatDuration(of.first_ms)}</Figure>}
    </dl>
  );
}

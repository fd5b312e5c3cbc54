/** Formats money, times, tokens, IDs, and states. Shortened values have the full value as title. */
import { Fragment, type ReactNode } from 'react';
import { formatCents, formatDollars, formatExact, formatShare, readDollars, writeDollars } from '../data/money.ts';
import { formatAgo, formatDay, formatSecond, formatTime, formatUtc } from '../data/times.ts';
import { kit } from '../texts/kit.ts';
import { Copy } from './copy.tsx';

export interface MoneyProps {
  /** Dollars in the API's format, or micro-dollars. Null is shown as a dash. */
  readonly amount: string | bigint | null;
  /** Rounds to cents; the title has all decimals. For everything but prices and single calls. */
  readonly isRounded?: boolean;
  /** For single calls and entries. */
  readonly decimals?: 6 | undefined;
}
export function Money({ amount, isRounded = false, decimals }: MoneyProps) {
  const micros = typeof amount === 'string' ? readDollars(amount) : amount;
  if (micros === null) return <span className="soft">{amount ?? kit.none}</span>;
  return (
    <data value={writeDollars(micros)} title={`$${writeDollars(micros)}`} className="number">
      {decimals === 6 ? formatExact(micros) : isRounded ? formatCents(micros) : formatDollars(micros)}
    </data>
  );
}

export interface TimeProps {
  /** ISO 8601 in UTC, like the API. Null is shown as a dash. */
  readonly at: string | null;
  readonly format?: 'time' | 'second' | 'day' | 'ago';
}
export function Time({ at, format = 'time' }: TimeProps) {
  if (at === null) return <span className="soft">{kit.none}</span>;
  const time = new Date(at);
  const texts = {
    time: () => formatTime(time),
    second: () => formatSecond(time),
    day: () => formatDay(time),
    ago: () => formatAgo(time, new Date()),
  };
  const isWhole = format === 'time' || format === 'second';
  return (
    <time dateTime={at} title={isWhole ? formatUtc(time) : `${formatTime(time)} · ${formatUtc(time)}`} className="number">
      {texts[format]()}
    </time>
  );
}

const ISO_TIME = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;
const AMOUNT = /\$(\d+\.\d+)/g;
/** Rounds the amounts in a sentence from the API to cents. Not for error messages, which callers got as they are. */
export const roundAmounts = (text: string): string => text.replace(AMOUNT, (_, amount: string) => formatCents(readDollars(amount) ?? 0n));

/** Shows a sentence from the API with its ISO 8601 times in the page's format. */
export const TextWithTimes = ({ text }: { readonly text: string }) =>
  // Every second part is a match of the pattern's group.
  text.split(ISO_TIME).map((part, index) => (index % 2 === 1 ? <Time key={index} at={part} /> : part));

/** Text with code between backticks. */
export const TextWithCode = ({ text }: { readonly text: string }) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));

const createCompact = (minimumFractionDigits: number) =>
  new Intl.NumberFormat(undefined, { notation: 'compact', minimumFractionDigits, maximumFractionDigits: 1 });
const compact = createCompact(0);
const compactColumn = createCompact(1);

export interface CountProps {
  readonly of: number | null;
  /** `40.1M`, with the full number as title. `column`: always with one decimal, as in `40.0M`. */
  readonly isShort?: boolean | 'column';
}
/** A count with separators. */
export function Count({ of, isShort = false }: CountProps) {
  if (of === null) return <span className="soft">{kit.none}</span>;
  const isWhole = !isShort || of < 1_000;
  return (
    <data value={of} title={isWhole ? undefined : of.toLocaleString()} className="number">
      {isWhole ? of.toLocaleString() : (isShort === 'column' ? compactColumn : compact).format(of)}
    </data>
  );
}

/** From this share on, failures are red. */
const MAX_FAILED_PERCENT = 5;

/** The share of failed calls. */
export const ErrorRate = ({ errors, requests }: { readonly errors: number; readonly requests: number }) => (
  <span className={errors > 0 && errors * 100 >= requests * MAX_FAILED_PERCENT ? 'number bad' : 'number'}>
    {formatShare(errors, requests) ?? kit.none}
  </span>
);

interface InputTokens {
  readonly input: number;
  readonly cached_input: number;
  readonly cache_write: number;
}
export const sumInput = ({ input, cached_input, cache_write }: InputTokens): number => input + cached_input + cache_write;

/** The share of input that was read from a cache. */
export const getCacheHitRate = (tokens: InputTokens): string => formatShare(tokens.cached_input, sumInput(tokens)) ?? kit.none;

const MAX_SHORT_NAME = 26;
/** A name that may have hyphens: a line breaks only at its spaces, unless it's long. */
export const ShortName = ({ of }: { readonly of: string }) =>
  of.split(' ').map((word, index) => (
    <Fragment key={index}>
      {index > 0 && ' '}
      <span className={word.length > MAX_SHORT_NAME ? 'wrapped' : 'short-name'}>{word}</span>
    </Fragment>
  ));

/** Names separated by commas, where a line breaks only between two of them. */
export const ShortNames = ({ of }: { readonly of: readonly string[] }) =>
  of.map((name, index) => (
    <Fragment key={name}>
      {index > 0 && ', '}
      <ShortName of={name} />
    </Fragment>
  ));

/** A complete ID, with a button that copies it. */
export const CopiedId = ({ id, what }: { readonly id: string; readonly what: string }) => (
  <span className="copied-id">
    <code>{id}</code>
    <Copy text={id} what={what} />
  </span>
);

/** The last four characters of a key. */
export const LastFour = ({ of }: { readonly of: string }) => <code className="number">…{of}</code>;

export type Tone = 'good' | 'warn' | 'bad' | 'neutral';
/** A state in words, with a colored dot. */
export const State = ({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) => (
  <span className={`state ${tone}`}>{children}</span>
);

export interface FigureProps {
  readonly label: string;
  readonly children: ReactNode;
  /** A line below: the change, or a limit. */
  readonly note?: ReactNode;
}
/** A key figure at the top of a page. */
export const Figure = ({ label, children, note }: FigureProps) => (
  <div className="figure">
    <dt>{label}</dt>
    <dd className="figure-value">{children}</dd>
    {note !== undefined && <dd className="soft">{note}</dd>}
  </div>
);
/** Key figures side by side. */
export const Figures = ({ children }: { readonly children: ReactNode }) => <dl className="figures card">{children}</dl>;

/** A share as a bar, in per mille, with text beside it. */
export const Meter = ({ label, perMille }: { readonly label: string; readonly perMille: number }) => (
  <meter className="meter" aria-label={label} min={0} max={1_000} low={800} high={999} optimum={0} value={Math.min(perMille, 1_000)} />
);

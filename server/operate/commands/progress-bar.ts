/** A progress bar on a terminal, or a line every few seconds elsewhere. */
import type { Progress } from '../../store/copy/copy.ts';
import type { Screen } from './shell.ts';

interface ProgressBar {
  show(progress: Progress): void;
  /** Clears the bar, so that the next output starts on a new line. */
  end(): void;
}

const BAR_WIDTH = 24;

const FRAME_INTERVAL_MS = 100;

const LINE_INTERVAL_MS = 3_000;

export function openProgressBar(screen: Screen, now: () => number): ProgressBar {
  const isTerminal = screen.isTTY === true;
  let shownAt = isTerminal ? Number.NEGATIVE_INFINITY : now();
  return {
    show(progress) {
      const isLast = isTerminal && progress.done === progress.total;
      if (!isLast && now() - shownAt < (isTerminal ? FRAME_INTERVAL_MS : LINE_INTERVAL_MS)) return;
      shownAt = now();
      // Cut to the width, because the next line can't clear a bar that wraps. Some terminals report zero columns.
      screen.write(isTerminal ? `\r\x1b[K${formatBar(progress).slice(0, (screen.columns || 80) - 1)}` : `${formatProgress(progress)}\n`);
    },
    end() {
      if (isTerminal) screen.write('\r\x1b[K');
    },
  };
}

function formatBar(progress: Progress): string {
  const filledWidth = Math.floor(computeShare(progress) * BAR_WIDTH);
  return `[${'#'.repeat(filledWidth)}${'.'.repeat(BAR_WIDTH - filledWidth)}] ${formatProgress(progress)}`;
}

function formatProgress(progress: Progress): string {
  const { phase, table, done, total } = progress;
  const percent = String(Math.floor(computeShare(progress) * 100)).padStart(3);
  return `${percent} % ${phase}, ${done.toLocaleString('en')} of ${total.toLocaleString('en')} rows (${table})`;
}

const computeShare = ({ done, total }: Progress): number => (total === 0 ? 1 : Math.min(done / total, 1));

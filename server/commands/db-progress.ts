/** Progress of a copy on stderr: a bar on a terminal, otherwise a line every few seconds. */
import type { Progress } from '../storage/copy/copy.ts';
import type { Screen } from './shell.ts';

export interface ProgressBar {
  show(progress: Progress): void;
  /** Clears the bar, so that the next output starts on a new line. */
  end(): void;
}

const BAR_WIDTH = 24;
const FRAME_MS = 100;
const LINE_MS = 3_000;

export function openProgress(screen: Screen, now: () => number): ProgressBar {
  const isTerminal = screen.isTTY === true;
  let shownAt = isTerminal ? Number.NEGATIVE_INFINITY : now();
  return {
    show(progress) {
      const isLast = isTerminal && progress.done === progress.total;
      if (!isLast && now() - shownAt < (isTerminal ? FRAME_MS : LINE_MS)) return;
      shownAt = now();
      // The next line would not clear one that wraps. Some terminals report zero columns.
      screen.write(isTerminal ? `\r\x1b[K${draw(progress).slice(0, (screen.columns || 80) - 1)}` : `${tell(progress)}\n`);
    },
    end() {
      if (isTerminal) screen.write('\r\x1b[K');
    },
  };
}

function draw(progress: Progress): string {
  const filled = Math.floor(shareOf(progress) * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${tell(progress)}`;
}

function tell(progress: Progress): string {
  const { phase, table, done, total } = progress;
  const percent = String(Math.floor(shareOf(progress) * 100)).padStart(3);
  return `${percent} % ${phase}, ${done.toLocaleString('en')} of ${total.toLocaleString('en')} rows (${table})`;
}

const shareOf = ({ done, total }: Progress): number => (total === 0 ? 1 : Math.min(done / total, 1));

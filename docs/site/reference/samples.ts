/** Samples in two levels: a language, and whole or as a stream. Without JavaScript all of them can be opened. */
import { escapeHtml } from '../html.ts';
import type { Painter } from '../markdown/code.ts';
import type { Sample } from './document.ts';

const STREAM = ' (stream)';

export function drawSamples(samples: readonly Sample[], painter: Painter): string {
  const languages = [...new Set(samples.map(({ label }) => label.replace(STREAM, '')))];
  return languages
    .map((language, index) => {
      const own = samples.filter(({ label }) => label.replace(STREAM, '') === language);
      const parts = own.map(({ label, lang, source }) => {
        const title = own.length === 1 ? '' : `<p class="variant">${label.endsWith(STREAM) ? 'As a stream' : 'Whole'}</p>`;
        return `${title}${painter.paint(source, lang)}`;
      });
      return `<details class="sample" name="samples" data-language="${escapeHtml(language)}"${index === 0 ? ' open' : ''}><summary>${escapeHtml(language)}</summary>${parts.join('')}</details>`;
    })
    .join('');
}

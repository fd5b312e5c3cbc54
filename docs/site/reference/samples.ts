/** Writes samples by language, then by variant: plain, streaming, tools, or image. They also work without JavaScript. */
import { escapeHtml } from '../html.ts';
import type { Painter } from '../markdown/code.ts';
import type { Sample } from './document.ts';

/** Titles by variant. The variant is in parentheses after the language. */
const titles: Readonly<Record<string, string>> = { stream: 'Streaming', tools: 'With tools', image: 'With an image' };
const noteOf = (label: string): string => / \((\w+)\)$/.exec(label)?.[1] ?? '';
const languageOf = (label: string): string => label.replace(/ \(\w+\)$/, '');

export function drawSamples(samples: readonly Sample[], painter: Painter): string {
  const languages = [...new Set(samples.map(({ label }) => languageOf(label)))];
  return languages
    .map((language, index) => {
      const own = samples.filter(({ label }) => languageOf(label) === language);
      const parts = own.map(({ label, lang, source }) => {
        const title = own.length === 1 ? '' : `<p class="variant">${titles[noteOf(label)] ?? 'Basic'}</p>`;
        return `${title}${painter.paint(source, lang)}`;
      });
      return `<details class="sample" name="samples" data-language="${escapeHtml(language)}"${index === 0 ? ' open' : ''}><summary>${escapeHtml(language)}</summary>${parts.join('')}</details>`;
    })
    .join('');
}

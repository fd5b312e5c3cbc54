/** Writes the pages with Eleventy: passes each page as a template, wraps it in the layout, and writes it to a folder. */
import { relative, resolve } from 'node:path';
import { Eleventy } from '@11ty/eleventy';
import type { Page } from '../page.ts';
import { drawPage, type Frame } from './layout.ts';

/** Writes each page as `<path>.html` below `output`. `input` is an empty folder, because all templates are passed as values. */
export async function writeFrame(
  pages: readonly Page[],
  frame: Frame,
  folders: { readonly input: string; readonly output: string },
): Promise<void> {
  const byFile = new Map<string, Page>(pages.map((page) => [`${page.path}.html`, page] as const));
  const site = new Eleventy(folders.input, folders.output, {
    quietMode: true,
    configPath: null,
    config(configuration) {
      configuration.setUseGitIgnore(false);
      configuration.setTemplateFormats(['html']);
      for (const { path, html } of pages) configuration.addTemplate(`${path}.html`, html, { permalink: `/${path}.html` });
      configuration.addTransform('layout', function (content) {
        const page = byFile.get(relative(folders.output, resolve(this.page.outputPath)));
        return page === undefined ? content : drawPage(page, frame);
      });
      return { htmlTemplateEngine: false };
    },
  });
  await site.init();
  site.setIsVerbose(false);
  site.disableLogger();
  await site.write();
}

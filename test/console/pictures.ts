/** Pictures of a page at three widths in both themes, to look at; each is checked for barriers and for a scroll bar below it on the way. */
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findBarriers } from './browser.ts';

const widths = [390, 768, 1440] as const;
const schemes = ['light', 'dark'] as const;

/** Leaves them in the folder `console-pictures` of temporary files. */
export async function takePictures(page: Page, name: string): Promise<void> {
  const folder = join(tmpdir(), 'console-pictures');
  await mkdir(folder, { recursive: true });
  for (const colorScheme of schemes) {
    for (const width of widths) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`), fullPage: true });
      expect(await page.evaluate('document.documentElement.scrollWidth'), `${name} ${width}`).toBe(width);
      expect(await findBarriers(page), `${name} ${colorScheme} ${width}`).toEqual([]);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

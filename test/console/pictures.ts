/** Screenshots of a page in the widths and themes of this lane; each is also checked for accessibility violations and sideways scrolling. */
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findViolations } from './browser.ts';
import { looks } from './widths.ts';

/** Keeps them in the folder `console-pictures` of temporary files. */
export async function takePictures(page: Page, name: string): Promise<void> {
  const folder = join(tmpdir(), 'console-pictures');
  await mkdir(folder, { recursive: true });
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`), fullPage: true });
    expect(await page.evaluate('document.documentElement.scrollWidth'), `${name} ${width}`).toBe(width);
    expect(await findViolations(page), `${name} ${colorScheme} ${width}`).toEqual([]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

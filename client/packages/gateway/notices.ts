/** Collects the license texts of all bundled packages, because the licenses require their distribution with the bundle. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface BundledPackage {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly author?: unknown;
}

/** Matches the package folder: `…/node_modules/a/node_modules/@b/c/lib/d.js` → `…/node_modules/a/node_modules/@b/c` */
const packageFolder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;

async function readPackage(folder: string): Promise<BundledPackage> {
  const { name, version, license, author } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`${name} ${version} has no license, so it can't be redistributed.`);
  return { folder, name, version, license, author };
}

/** Returns the license text and notices of a package. Throws an error if it has neither a text nor a copyright owner. */
async function readTexts({ folder, name, license, author }: BundledPackage): Promise<string> {
  const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|copying|notice)\b/i.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  if (texts.length > 0) return texts.map((text) => text.trim()).join('\n\n');
  const sibling = siblings[name];
  if (sibling !== undefined) return (await readFile(join(folder, '..', sibling, 'LICENSE'), 'utf8')).trim();
  if (license === 'Unlicense') return UNLICENSE;
  const owner = copyrightOwners[name] ?? author;
  return license === 'MIT' && typeof owner === 'string' ? formatMitLicense(owner) : throwMissing(name);
}

function throwMissing(name: string): never {
  throw new Error(`${name} is in the bundle and brings no text of its licence. Say who holds the rights.`);
}

const formatMitLicense = (owner: string): string => `Copyright (c) ${owner}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies
of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR
A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN
ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

const UNLICENSE = `This is free and unencumbered software released into the public domain.

Anyone is free to copy, modify, publish, use, compile, sell, or distribute this software, either in source code form or as a compiled binary, for any
purpose, commercial or non-commercial, and by any means.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR
A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT,
TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

For more information, please refer to <https://unlicense.org>`;

/** Copyright owners of packages that contain neither a license text nor an author. */
const copyrightOwners: Readonly<Record<string, string>> = { '@redis/client': '2022-2023, Redis, inc.' };

/** Packages without a license text, with a package by the same authors whose text is used instead. */
const siblings: Readonly<Record<string, string>> = {
  '@aws-sdk/credential-provider-http': 'core',
  '@aws-sdk/credential-provider-login': 'core',
  '@aws-sdk/nested-clients': 'core',
};

/** Returns the license texts of all packages. `modules` are absolute paths of bundled files. Throws an error if a package has no license. */
export async function writeNotices(modules: readonly string[]): Promise<string> {
  const folders = new Set(
    modules
      .flatMap((id) => packageFolder.exec(id.replace(/^\0/, ''))?.[0] ?? [])
      .filter((folder) => existsSync(join(folder, 'package.json'))),
  );
  const parts = (await Promise.all([...folders].map(readPackage))).sort((one, other) => (one.name < other.name ? -1 : 1));
  const chapters = await Promise.all(
    parts.map(async (part) => `${part.name} ${part.version} (${part.license})\n\n${await readTexts(part)}\n`),
  );
  return `This package contains the following works of others.\n\n${chapters.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

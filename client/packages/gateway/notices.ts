/** Collects the licence texts of all bundled packages, because these licences require that they are distributed with the bundle. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Part {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly author?: unknown;
}

/** `…/node_modules/a/node_modules/@b/c/lib/d.js` → `…/node_modules/a/node_modules/@b/c` */
const packageFolder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;

async function readPart(folder: string): Promise<Part> {
  const { name, version, license, author } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`${name} ${version} has no license, so it can't be redistributed.`);
  return { folder, name, version, license, author };
}

/** The license text of a package with its notices. Throws when it has neither a text nor a copyright owner. */
async function readTexts({ folder, name, license, author }: Part): Promise<string> {
  const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|copying|notice)\b/i.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  if (texts.length > 0) return texts.map((text) => text.trim()).join('\n\n');
  const sibling = siblings[name];
  if (sibling !== undefined) return (await readFile(join(folder, '..', sibling, 'LICENSE'), 'utf8')).trim();
  if (license === 'Unlicense') return UNLICENSE;
  const owner = holders[name] ?? author;
  return license === 'MIT' && typeof owner === 'string' ? mit(owner) : missing(name);
}

function missing(name: string): never {
  throw new Error(`${name} is in the bundle and brings no text of its licence. Say who holds the rights.`);
}

const mit = (owner: string): string => `Copyright (c) ${owner}

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

/** Copyright lines of packages that contain neither a licence text nor the name of an author. */
const holders: Readonly<Record<string, string>> = { '@redis/client': '2022-2023, Redis, inc.' };

/** Packages without a licence text, and the package of the same authors whose text is used. */
const siblings: Readonly<Record<string, string>> = {
  '@aws-sdk/credential-provider-http': 'core',
  '@aws-sdk/credential-provider-login': 'core',
  '@aws-sdk/nested-clients': 'core',
};

/** The text of all licences. `modules`: absolute paths of the bundled files. Throws when a package has no licence. */
export async function writeNotices(modules: readonly string[]): Promise<string> {
  const folders = new Set(
    modules
      .flatMap((id) => packageFolder.exec(id.replace(/^\0/, ''))?.[0] ?? [])
      .filter((folder) => existsSync(join(folder, 'package.json'))),
  );
  const parts = (await Promise.all([...folders].map(readPart))).sort((one, other) => (one.name < other.name ? -1 : 1));
  const chapters = await Promise.all(
    parts.map(async (part) => `${part.name} ${part.version} (${part.license})\n\n${await readTexts(part)}\n`),
  );
  return `This package contains the following works of others.\n\n${chapters.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

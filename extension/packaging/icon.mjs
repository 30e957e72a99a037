// `node extension/packaging/icon.mjs [FILE]`: generates the extension's icon, media/icon.png, from the mark in media/icons/forklens.svg. Needs
// Chromium.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** The marketplaces show 128 px; twice that for high-resolution screens. */
const SIZE = 256;
/** Leaves a wide margin: the tile's corners are round, and small icons need space. */
const MARK = 168;
const [out = path.join(ROOT, 'media/icon.png')] = process.argv.slice(2);

const mark = readFileSync(path.join(ROOT, 'media/icons/forklens.svg'), 'utf8')
  .replaceAll('"#000"', '"currentColor"')
  .replace('width="24" height="24"', `width="${MARK}" height="${MARK}"`);
const page = `<!doctype html><style>
  body { margin: 0; background: transparent }
  main { width: ${SIZE}px; height: ${SIZE}px; display: grid; place-items: center; border-radius: 56px; color: #fff;
    background: linear-gradient(145deg, #2f6df0 0%, #4b3fd6 55%, #6d2fc4 100%) }
</style><main>${mark}</main>`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--force-color-profile=srgb'],
});
try {
  const tab = await browser.newPage({ viewport: { width: SIZE, height: SIZE } });
  await tab.setContent(page);
  await tab.screenshot({ path: out, omitBackground: true });
} finally {
  await browser.close();
}

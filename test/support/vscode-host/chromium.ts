import fs from 'node:fs';
import path from 'node:path';

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge',
];
const MAC = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

/** Flags that keep a headless browser quiet and offline, and let it run as root in a container. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Path of an installed Chromium or Chrome: the environment variable `CHROMIUM`, otherwise the first match on the PATH. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM'];
  if (named) return named;
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return [
    ...NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))),
    ...MAC,
  ].find((file) => fs.existsSync(file));
}

/** Like {@link findChromium}. @throws Error with installation advice if there is none */
export function requireChromium(): string {
  const file = findChromium();
  if (file) return file;
  throw new Error(
    'no Chromium found: install Chromium or Google Chrome (Debian and Ubuntu: apt-get install chromium), or set CHROMIUM to its path',
  );
}

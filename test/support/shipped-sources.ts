import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

export const ROOT = resolve(__dirname, '../..');

/** Paths of all files with code of the service, the extension and the webview, from the root of the repository. */
export const shippedSources = (): string[] =>
  execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', 'server', 'extension', 'media'],
    { cwd: ROOT, encoding: 'utf8' },
  )
    .split('\n')
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file));

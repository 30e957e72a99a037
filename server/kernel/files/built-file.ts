import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Path of a file that the build generates: beside the bundle, or in `dist` when run from source. Undefined if the file does not exist. */
export function builtFile(name: string): string | undefined {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    const path = [join(folder, name), join(folder, 'dist', name)].find((one) => existsSync(one));
    if (path !== undefined) return path;
    if (folder === dirname(folder)) return undefined;
  }
}

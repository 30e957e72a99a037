import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryDirectory } from './temporary-directory';

const DIST = join(__dirname, '../../dist');
/** What a service does not read, and files that a build or another service is just writing. */
const LEFT_OUT = /[\\/]dist[\\/](types|test|meta|unfinished-[^\\/]*)$|\.(map|cache)$/;

/** Copies the bundles to a temporary directory, above which no folder has packages. @returns the directory */
export async function copyBundles(): Promise<string> {
  const home = await makeTemporaryDirectory();
  const filter = (path: string): boolean => !LEFT_OUT.test(path);
  await cp(DIST, join(home, 'dist'), { recursive: true, filter });
  return home;
}

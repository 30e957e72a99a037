import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { findProgram } from '../../server/client/programs';

/** What runs the tests of a project. */
export interface Hardhat {
  /** Path of Node.js. */
  readonly node: string;
  /** Path of Hardhat's command line, a script. */
  readonly script: string;
  readonly version: 2 | 3;
}

const manifestSchema = z.object({
  version: z.string(),
  bin: z.union([z.string(), z.object({ hardhat: z.string() }).transform(({ hardhat }) => hardhat)]),
});

/**
 * The Hardhat that the project installed, in its `node_modules` or in those of a folder above.
 * @throws Error that says how to get it
 */
export async function findHardhat(folder: string, searchPath?: string): Promise<Hardhat> {
  const node = await findProgram('node', searchPath);
  if (node === undefined) {
    throw new Error(
      l10n.t(
        'Node.js is not on the PATH: install it (https://nodejs.org), and restart the editor.',
      ),
    );
  }
  for (let parent = folder; ; parent = path.dirname(parent)) {
    const found = path.join(parent, 'node_modules/hardhat');
    const text = await readFile(path.join(found, 'package.json'), 'utf8').catch(() => undefined);
    if (text !== undefined) return { node, ...scriptOf(found, text) };
    if (parent === path.dirname(parent)) break;
  }
  throw new Error(
    l10n.t('Hardhat is not in the node_modules of {0}: run npm install there.', folder),
  );
}

/** @throws Error */
function scriptOf(folder: string, text: string): Pick<Hardhat, 'script' | 'version'> {
  const { version, bin } = manifestSchema.parse(JSON.parse(text));
  const major = Number(version.split('.')[0]);
  if (major === 2 || major === 3) return { script: path.join(folder, bin), version: major };
  throw new Error(l10n.t('Tests of Hardhat {0} are not known: Hardhat 2 and 3 are.', version));
}

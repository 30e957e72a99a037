import { CompilerPackageError } from '../../contracts/sources/compilers/compiler-package-error';
import { OwnCompilers } from '../../contracts/sources/compilers/own-compilers';
import { toFolders } from '../../composition/startup/folders';
import type { Handler } from '../command-handlers/context';

const MB = 1_000_000;

/** Compilers of the data directory, which the debugger uses. A running service finds them by itself. */
export const solcCommands: {
  'solc add': Handler<'solc add'>;
  'solc list': Handler<'solc list'>;
  'solc remove': Handler<'solc remove'>;
} = {
  'solc add': async ({ version }, { globals, out, signal }) => {
    const bytes = await reported(() => new OwnCompilers(globals.dataDir).add(version, signal));
    const size = `${(bytes / MB).toFixed(1)} MB`;
    const text =
      bytes === 0 ? `solc ${version} was installed already` : `installed solc ${version} (${size})`;
    out.result({ version, bytes }, text);
  },

  'solc list': async (_input, { globals, out }) => {
    const own = new OwnCompilers(globals.dataDir);
    const found = await own.list(toFolders(process.env['FORKLENS_SOLC'] ?? ''));
    const listed = found
      .map((one) => ({ version: one.version, file: one.soljson, isRemovable: own.isOwn(one) }))
      .sort((a, b) => a.version.localeCompare(b.version, 'en', { numeric: true }));
    const lines = listed.map(({ version, file }) => `${version}  ${file}`);
    const none = 'no compiler is installed: forklens solc add 0.8.30 installs one';
    out.result(listed, lines.length === 0 ? none : lines.join('\n'));
  },

  'solc remove': async ({ version }, { globals, out }) => {
    await reported(() => new OwnCompilers(globals.dataDir).remove(version));
    out.result({ version }, `removed solc ${version}`);
  },
};

/** Errors of packages are sentences for the user. */
async function reported<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CompilerPackageError) throw new Error(error.message, { cause: error });
    throw error;
  }
}

import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { ApiError } from '../../api/errors';

/** The supported version: later ones ignore old gas schedules and can abort on a fork. */
export const TESTED_ANVIL_VERSION = '1.5.1';

const INSTALL_HINT =
  'install Foundry (https://getfoundry.sh) so that anvil is on the PATH, or set engine.anvilPath in the config file or FORKLENS_ANVIL';

const PLATFORM = { linux: 'linux', darwin: 'darwin', win32: 'win32' } as const;
const ARCHITECTURE = { x64: 'amd64', arm64: 'arm64' } as const;

export interface AnvilBinary {
  path: string;
  /** Such as `1.5.1`; empty if unknown. */
  version: string;
  /** Set if the version is not the tested one. */
  warning?: string;
}

export interface AnvilSearch {
  /** engine.anvilPath or FORKLENS_ANVIL: used, or refused with an error that names it. */
  configured?: string | undefined;
  /** Value of the PATH variable. */
  path?: string | undefined;
}

/** The machine that runs anvil. */
export interface Machine {
  platform: NodeJS.Platform;
  arch: string;
}

/**
 * Finds anvil: the configured one, else the bundled one, else the one on the PATH.
 * @throws ApiError engineUnavailable; its message says how to install anvil
 */
export async function findAnvil(search: AnvilSearch): Promise<AnvilBinary> {
  if (search.configured !== undefined) {
    if (!(await isExecutable(search.configured))) {
      throw new ApiError(
        'engineUnavailable',
        `engine.anvilPath (or FORKLENS_ANVIL) is ${JSON.stringify(search.configured)}, which is not an executable file`,
      );
    }
    return describe(search.configured);
  }
  for (const candidate of [packedPath, bundledPath(), ...executablesOnPath(search.path ?? '')]) {
    if (candidate !== undefined && (await isExecutable(candidate))) return describe(candidate);
  }
  throw new ApiError(
    'engineUnavailable',
    `anvil was not found for ${process.platform}-${process.arch}: ${INSTALL_HINT}`,
  );
}

/** File name of the engine, the same in its npm package, in a packed extension and on the PATH. */
export const executableName = (platform: NodeJS.Platform): string =>
  platform === 'win32' ? 'anvil.exe' : 'anvil';

/** The npm package that contains the engine for a machine; undefined if there is none. */
export function enginePackage({ platform, arch }: Machine): string | undefined {
  const system = PLATFORM[platform as keyof typeof PLATFORM] as string | undefined;
  const processor = ARCHITECTURE[arch as keyof typeof ARCHITECTURE] as string | undefined;
  if (system === undefined || processor === undefined) return undefined;
  return `@foundry-rs/anvil-${system}-${processor}`;
}

/** Path in a packed extension, which has no node_modules: next to the service's own file. */
const packedPath = path.join(__dirname, 'engine', executableName(process.platform));

/** Path in node_modules, resolved from this module: `dist/*.js` and `server/chains/engine/` are both below the package's node_modules. */
function bundledPath(): string | undefined {
  const name = enginePackage(process);
  if (name === undefined) return undefined;
  try {
    const require = createRequire(path.join(__dirname, 'anvil.js'));
    return require.resolve(`${name}/bin/${executableName(process.platform)}`);
  } catch {
    return undefined;
  }
}

/** Possible paths of anvil, in the order of the platform's PATH variable. */
export function executablesOnPath(
  variable: string,
  platform: NodeJS.Platform = process.platform,
): string[] {
  const rules = platform === 'win32' ? path.win32 : path.posix;
  return variable
    .split(rules.delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => rules.join(folder, executableName(platform)));
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function describe(file: string): Promise<AnvilBinary> {
  let version: string;
  try {
    const { stdout } = await promisify(execFile)(file, ['--version'], { timeout: 10_000 });
    version = /anvil(?: Version:)? (\d+\.\d+\.\d+)/.exec(stdout)?.[1] ?? '';
  } catch (error) {
    throw new ApiError('engineUnavailable', `${file} does not run; ${INSTALL_HINT}`, {
      cause: error,
    });
  }
  if (version === TESTED_ANVIL_VERSION) return { path: file, version };
  return {
    path: file,
    version,
    warning: `anvil ${version === '' ? 'of an unknown version' : version} at ${file} is used; the tested version is ${TESTED_ANVIL_VERSION}`,
  };
}

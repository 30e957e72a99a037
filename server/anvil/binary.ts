import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { ApiError } from '../api/errors';

/** The version that the service is made for: later ones ignore old gas schedules and can abort on a fork. */
export const TESTED_ANVIL_VERSION = '1.5.1';

const HOW_TO_GET_ONE =
  'install Foundry (https://getfoundry.sh) so that anvil is on the PATH, or name one by engine.anvilPath in the config file or by FORKLENS_ANVIL';

const PLATFORM = { linux: 'linux', darwin: 'darwin', win32: 'win32' } as const;
const ARCHITECTURE = { x64: 'amd64', arm64: 'arm64' } as const;

export interface AnvilBinary {
  path: string;
  /** Such as `1.5.1`; empty where it does not say. */
  version: string;
  /** Set where the version is not the tested one. */
  warning?: string;
}

export interface AnvilSearch {
  /** engine.anvilPath or FORKLENS_ANVIL: taken, or refused by name. */
  configured?: string | undefined;
  /** The PATH variable. */
  path?: string | undefined;
}

/**
 * Finds anvil: the configured one, else the bundled one, else the one on the PATH.
 * @throws ApiError engineUnavailable, with how to get one
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
  for (const candidate of [packedPath, bundledPath(), ...onPath(search.path ?? '')]) {
    if (candidate !== undefined && (await isExecutable(candidate))) return describe(candidate);
  }
  throw new ApiError(
    'engineUnavailable',
    `anvil was not found for ${process.platform}-${process.arch}: ${HOW_TO_GET_ONE}`,
  );
}

const executableName = process.platform === 'win32' ? 'anvil.exe' : 'anvil';

/** Beside the service's own file in a packed extension, which has no node_modules. */
const packedPath = join(__dirname, 'engine', executableName);

/** Resolved from this module: `dist/*.js` and `server/anvil/` both lie below the package's node_modules. */
function bundledPath(): string | undefined {
  const platform = PLATFORM[process.platform as keyof typeof PLATFORM] as string | undefined;
  const architecture = ARCHITECTURE[process.arch as keyof typeof ARCHITECTURE] as
    string | undefined;
  if (platform === undefined || architecture === undefined) return undefined;
  try {
    return createRequire(join(__dirname, 'anvil.js')).resolve(
      `@foundry-rs/anvil-${platform}-${architecture}/bin/${executableName}`,
    );
  } catch {
    return undefined;
  }
}

const onPath = (path: string): string[] =>
  path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, executableName));

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function describe(path: string): Promise<AnvilBinary> {
  let version: string;
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 10_000 });
    version = /anvil(?: Version:)? (\d+\.\d+\.\d+)/.exec(stdout)?.[1] ?? '';
  } catch (error) {
    throw new ApiError('engineUnavailable', `${path} does not run; ${HOW_TO_GET_ONE}`, {
      cause: error,
    });
  }
  if (version === TESTED_ANVIL_VERSION) return { path, version };
  return {
    path,
    version,
    warning: `anvil ${version === '' ? 'of an unknown version' : version} at ${path} is used; tested is ${TESTED_ANVIL_VERSION}`,
  };
}

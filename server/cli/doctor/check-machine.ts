import { access, constants, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { findAnvil, TESTED_ANVIL_VERSION } from '../../chains/engine/binary';
import type { Finding } from '../../api/doctor';
import { makeDirectory } from '../../kernel/files/make-directory';

const MIN_NODE_VERSION = [20, 19] as const;
const LOW_BYTES = 2 * 1024 ** 3;
const MIN_FREE_BYTES = 100 * 1024 ** 2;

/** @param version in the format of `process.versions.node` */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor, minMinor] = MIN_NODE_VERSION;
  const fits = major > minMajor || (major === minMajor && minor >= minMinor);
  return {
    name: 'Node.js',
    status: fits ? 'ok' : 'failed',
    message: `version ${version}`,
    ...(fits ? {} : { advice: `Install Node.js ${MIN_NODE_VERSION.join('.')} or newer.` }),
  };
}

/** @param configured `engine.anvilPath` or FORKLENS_ANVIL @param path the PATH variable */
export async function checkEngine(
  configured: string | undefined,
  path: string | undefined,
): Promise<Finding> {
  try {
    const found = await findAnvil({ configured, path });
    const message = `anvil ${found.version || 'of an unknown version'} at ${found.path}`;
    return found.warning === undefined
      ? { name: 'engine', status: 'ok', message }
      : {
          name: 'engine',
          status: 'warning',
          message,
          advice: `Version ${TESTED_ANVIL_VERSION} is the tested one: foundryup --install v${TESTED_ANVIL_VERSION}`,
        };
  } catch (error) {
    const message = (error as Error).message;
    return {
      name: 'engine',
      status: 'failed',
      message,
      advice: 'Forks need it. Install Foundry, or set engine.anvilPath.',
    };
  }
}

/** Whether the data directory is writable, is closed to other users and has free space. */
export async function checkDataDirectory(directory: string): Promise<Finding> {
  const name = 'data directory';
  try {
    await makeDirectory(directory, 0o700);
    await access(directory, constants.R_OK | constants.W_OK);
  } catch (error) {
    return {
      name,
      status: 'failed',
      message: (error as Error).message,
      advice: 'Make the folder writable, or name another one with --data-dir.',
    };
  }
  const { bavail, bsize } = await statfs(directory);
  const free = bavail * bsize;
  const message = `${directory}, ${(free / 1024 ** 3).toFixed(1)} GiB free`;
  if (free < LOW_BYTES) {
    const status = free < MIN_FREE_BYTES ? 'failed' : 'warning';
    return { name, status, message, advice: 'Free some space: forks and caches are stored there.' };
  }
  const open = process.platform !== 'win32' && ((await stat(directory)).mode & 0o077) !== 0;
  return open
    ? {
        name,
        status: 'warning',
        message: `${message}, readable by other users`,
        advice: `Restrict it: chmod 700 ${directory}`,
      }
    : { name, status: 'ok', message };
}

/** Whether a service could listen on the port. @param ours port of the running service, if there is one */
export async function checkPort(host: string, port: number, ours?: number): Promise<Finding> {
  const name = `port ${port}`;
  if (port === ours) return { name, status: 'ok', message: 'used by the running service' };
  const server = createServer();
  const free = await new Promise<boolean>((resolve) => {
    server.once('error', () => {
      resolve(false);
    });
    server.listen(port, host, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
  return free
    ? { name, status: 'ok', message: 'free' }
    : {
        name,
        status: 'warning',
        message: 'used by another program',
        advice: 'Set another port with npm start -- --port. VS Code uses any free port.',
      };
}

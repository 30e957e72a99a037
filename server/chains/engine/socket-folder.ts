import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { makeDirectory } from '../../kernel/files/make-directory';

/** Limit of a path in `sockaddr_un` (unix(7): 108 bytes on Linux, 104 on macOS, with the zero byte at its end). */
const MAX_PATH_BYTES = 103;

const newPath = (folder: string): string => join(folder, `${randomBytes(4).toString('hex')}.ipc`);

/**
 * Creates the folder of the engines' Unix sockets, which only this user can enter, and removes what an earlier service left in it.
 * @returns a function for the path of a new socket; undefined if the system or the file system has no such sockets, or their paths are too
 * long
 */
export async function socketFolder(
  folder: string,
  platform: NodeJS.Platform = process.platform,
): Promise<(() => string) | undefined> {
  if (platform === 'win32' || Buffer.byteLength(newPath(folder)) > MAX_PATH_BYTES) return undefined;
  await rm(folder, { recursive: true, force: true });
  await makeDirectory(folder, 0o700);
  const server = createServer();
  try {
    await once(server.listen(newPath(folder)), 'listening');
  } catch {
    return undefined;
  }
  server.close();
  return () => newPath(folder);
}

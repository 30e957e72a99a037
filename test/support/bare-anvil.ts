import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { findAnvil } from '../../server/chains/engine/binary';
import { makeTemporaryDirectory, removeDirectory } from './temporary-directory';

export interface BareAnvil {
  url: string;
  stop: () => Promise<void>;
}

/** Starts `anvil` as a user does, in its own home directory. Resolves when it listens. */
export async function startAnvil(...args: string[]): Promise<BareAnvil> {
  const home = await makeTemporaryDirectory();
  const { path } = await findAnvil({ path: process.env['PATH'] });
  const cache = args.includes('--fork-url') ? ['--no-storage-caching'] : [];
  const child = spawn(path, ['--port', '0', ...cache, ...args], {
    env: { HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => {
      reject(new Error('anvil ended'));
    });
    createInterface(child.stdout).on('line', (line) => {
      const found = /Listening on (127\.0\.0\.1:\d+)/.exec(line)?.[1];
      if (found !== undefined) resolve(`http://${found}`);
    });
  });
  return {
    url,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await removeDirectory(home);
    },
  };
}

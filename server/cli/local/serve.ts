import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { builtFile } from '../../kernel/files/built-file';
import type { Handler } from '../command-handlers/context';
import { NoServiceError } from '../errors/no-service-error';

/** A trace consists of many small objects: with 64 MB for young objects, analyses take about a third less time. */
const NODE_ARGUMENTS = ['--max-semi-space-size=64'];

/** Runs the service in the foreground and passes on its output and exit code. */
export const serveCommand: Handler<'serve'> = async ({ port, options }, { globals, signal }) => {
  const server = builtFile('server.js');
  if (server === undefined) throw new NoServiceError('dist/server.js is missing');
  const args = [
    '--data-dir',
    globals.dataDir,
    '--port',
    String(port),
    '--local-user',
    ...(globals.config === undefined ? [] : ['--config', globals.config]),
    ...(globals.sandbox ? ['--sandbox'] : []),
    ...options,
  ];
  const child = spawn(process.execPath, [...NODE_ARGUMENTS, server, ...args], { stdio: 'inherit' });
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
};

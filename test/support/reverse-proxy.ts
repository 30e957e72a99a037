import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually';
import { freePort } from './free-port';
import { requireProgram } from './programs';
import { removeDirectory } from './temporary-directory';

export const DEPLOY = join(__dirname, '../../server/deploy');

/** Debian has these programs in a folder that only root's path contains. */
export const SYSTEM_ENV = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` };

/** A proxy of `server/deploy`: its file, where it listens, and its arguments for a changed copy of the file. */
export interface ProxyKind {
  program: 'haproxy' | 'nginx';
  file: string;
  listen: (text: string, port: number) => string;
  args: (file: string, folder: string) => string[];
}

export const PROXIES: readonly ProxyKind[] = [
  {
    program: 'haproxy',
    file: 'haproxy.cfg',
    listen: (text, port) => replaced(text, 'bind :8080', `bind 127.0.0.1:${port}`),
    args: (file) => ['-db', '-f', file],
  },
  {
    program: 'nginx',
    file: 'nginx.conf',
    listen: (text, port) => replaced(text, 'listen 8080;', `listen 127.0.0.1:${port};`),
    args: (file, folder) => [
      '-p',
      folder,
      '-c',
      file,
      '-g',
      `daemon off; error_log stderr; pid ${join(folder, 'pid')};`,
    ],
  },
];

/** A running proxy. */
export interface ReverseProxy {
  url: string;
  close: () => Promise<void>;
}

/** Starts the proxy of a deployment file before nodes. @param nodes ports of the nodes, in the order of the file */
export async function startProxy(
  kind: ProxyKind,
  nodes: readonly [number, number],
): Promise<ReverseProxy> {
  const folder = await mkdtemp(join(tmpdir(), `forklens-${kind.program}-`));
  const port = await freePort();
  let text = kind.listen(await readFile(join(DEPLOY, kind.file), 'utf8'), port);
  for (const [index, node] of nodes.entries()) {
    text = replaced(text, `node-${index + 1}:8787`, `127.0.0.1:${node}`);
  }
  const file = join(folder, kind.file);
  await writeFile(file, text);
  const running = spawn(requireProgram(kind.program), kind.args(file, folder), {
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  await Promise.race([answers(url), failed(kind.program, running)]);
  return {
    url,
    close: async () => {
      const ended = once(running, 'exit');
      running.kill('SIGTERM');
      await ended;
      await removeDirectory(folder);
    },
  };
}

function replaced(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`the file does not contain ${from}`);
  return text.replaceAll(from, to);
}

/** Resolves when the proxy has found the node that runs. */
async function answers(url: string): Promise<void> {
  await eventually(async () => {
    const { status } = await fetch(`${url}/health/ready`);
    if (status !== 200) throw new Error(`${url} answers with ${status}`);
  });
}

async function failed(program: string, running: ChildProcess): Promise<never> {
  await once(running, 'exit');
  throw new Error(`${program} ended before it was ready`);
}

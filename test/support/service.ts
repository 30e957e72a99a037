import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { NODE_ARGUMENTS } from '../../extension/service/service-process';
import type { Fork } from '../../server/api/fork';
import type { Project } from '../../server/api/project';
import { makeTemporaryDirectory, removeDirectory } from './temporary-directory';

const ROOT = join(__dirname, '../..');

/** Tests send no requests to services on the internet. */
const NO_SERVICES = { sourcify: { enabled: false }, signatures: { enabled: false } };

export interface ServiceOptions {
  args?: readonly string[];
  env?: Record<string, string>;
  /** Content of a config file. */
  config?: object;
  /** Stays in place at the end. By default the service gets a temporary directory, which is removed. */
  dataDir?: string;
  /** Folder whose `dist/` holds the bundle; by default this project's. */
  root?: string | undefined;
  /** Opens a process channel. */
  ipc?: boolean;
  /** Includes this process in a measured coverage. It then runs from the sources, which start more slowly. */
  counted?: boolean;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process and its output as lines. */
export interface Spawned {
  child: ChildProcess;
  stdout: string[];
  stderr: string[];
  /** Settles when the process has ended and its output is read. */
  exited: Promise<Exit>;
}

/** An answer of the service: HTTP status, headers and the envelope. */
export interface Answer<T = unknown> {
  status: number;
  headers: Headers;
  code: number;
  message: string;
  data: T;
}

export interface RequestOptions {
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged. */
  text?: string;
  /** null: no key. Default: the local user's key. */
  key?: string | null;
  headers?: Record<string, string>;
}

/** A service as its clients see it. */
export interface RunningService {
  url: string;
  /** Access key of the local user. */
  key: string;
  dataDir: string;
  request: <T = unknown>(
    method: string,
    path: string,
    options?: RequestOptions,
  ) => Promise<Answer<T>>;
}

export interface TestService extends Spawned, RunningService {
  /** Sends SIGTERM and waits for the end. */
  stop: () => Promise<Exit>;
  /** Sends SIGKILL and waits for the end. */
  kill: () => Promise<Exit>;
}

/** Arguments of Node, as in the editor. A counted process runs from the sources: coverage of a bundle says little about them. */
function program(file: 'server.js' | 'cli.js', fromSources: boolean, root: string): string[] {
  if (!fromSources) return [...NODE_ARGUMENTS, join(root, 'dist', file)];
  const source = file === 'server.js' ? 'server/main.ts' : 'server/cli/main.ts';
  return ['--import', 'tsx', join(ROOT, source)];
}

/** Runs a file of `dist/` and captures its output. Does not pass on FORKLENS_* variables of the environment. */
export function spawnBundle(
  file: 'server.js' | 'cli.js',
  args: readonly string[],
  {
    env = {},
    root = ROOT,
    ipc = false,
    counted = false,
    cwd,
  }: Pick<ServiceOptions, 'env' | 'root' | 'ipc' | 'counted'> & { cwd?: string | undefined } = {},
): Spawned {
  const coverage = counted ? process.env['COVERAGE_OF_SERVICES'] : undefined;
  const outside = Object.entries(process.env).filter(
    ([name]) => !/^(FORKLENS_|NODE_OPTIONS)/.test(name),
  );
  const measured = coverage === undefined ? {} : { NODE_V8_COVERAGE: coverage };
  const child = spawn(process.execPath, [...program(file, coverage !== undefined, root), ...args], {
    env: { ...Object.fromEntries(outside), ...measured, NO_COLOR: '1', ...env },
    cwd,
    stdio: ipc ? ['pipe', 'pipe', 'pipe', 'ipc'] : ['pipe', 'pipe', 'pipe'],
  });
  // A process may end without reading its input.
  child.stdin!.on('error', () => undefined);
  const stdout: string[] = [];
  const stderr: string[] = [];
  createInterface(child.stdout!).on('line', (line) => stdout.push(line));
  createInterface(child.stderr!).on('line', (line) => stderr.push(line));
  const exited = new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => {
      resolve({ code, signal });
    });
  });
  return { child, stdout, stderr, exited };
}

/** Starts the service on a free port with a local user, and waits until it is ready. */
export const startService = (options: ServiceOptions = {}): Promise<TestService> =>
  starting(options);

/** Has `startService` start something else that does what a service does. */
export function replaceService(start: typeof startProcess): void {
  starting = start;
}

export const isServiceReplaced = (): boolean => starting !== startProcess;

/** Starts one process of the service, whatever `startService` starts. */
export async function startProcess(options: ServiceOptions = {}): Promise<TestService> {
  const dataDir = options.dataDir ?? (await makeTemporaryDirectory());
  const args = ['--port', '0', '--data-dir', dataDir, '--local-user'];
  const file = join(dataDir, 'config.json');
  await writeFile(file, JSON.stringify({ abi: NO_SERVICES, ...options.config }));
  args.push('--config', file);
  const spawned = spawnBundle('server.js', [...args, ...(options.args ?? [])], options);
  const exited = spawned.exited.finally(() =>
    options.dataDir === undefined ? removeDirectory(dataDir) : undefined,
  );
  const url = await readyUrl(spawned);
  const key = (await readFile(join(dataDir, 'access-key'), 'utf8')).trim();
  const end = (signal: NodeJS.Signals): Promise<Exit> => {
    spawned.child.kill(signal);
    return exited;
  };
  return {
    ...spawned,
    exited,
    url,
    key,
    dataDir,
    request: requestsTo(url, key),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

let starting = startProcess;

/** @param key used where a request gives none */
export const requestsTo =
  (url: string, key: string): TestService['request'] =>
  (method, path, request = {}) =>
    send(url + path, method, { key, ...request });

/** Id of the local user's project. */
export async function localProject(service: RunningService): Promise<string> {
  const { data } = await service.request<Project[]>('GET', '/v1/projects');
  return data[0]!.projectId;
}

/** Creates a fork in the local user's project. @param body body of the operation. The default name is `test` */
export async function createFork(service: RunningService, body: object): Promise<Fork> {
  const path = `/v1/project/${await localProject(service)}/fork`;
  const options = { body: { name: 'test', ...body } };
  const { data, message } = await service.request<Fork>('POST', path, options);
  if (message !== 'OK') throw new Error(message);
  return data;
}

async function readyUrl({ child, exited, stderr }: Spawned): Promise<string> {
  const first = once(createInterface(child.stdout!), 'line') as Promise<[string]>;
  const ended = exited.then(({ code }) => {
    throw new Error(`the service ended with code ${code}:\n${stderr.join('\n')}`);
  });
  const [line] = await Promise.race([first, ended]);
  return (JSON.parse(line) as { url: string }).url;
}

async function send<T>(url: string, method: string, options: RequestOptions): Promise<Answer<T>> {
  const body = options.text ?? (options.body === undefined ? null : JSON.stringify(options.body));
  const response = await fetch(url, {
    method,
    body,
    headers: {
      ...(options.key === null || options.key === undefined ? {} : { 'Access-Key': options.key }),
      ...(body === null ? {} : { 'Content-Type': 'application/json' }),
      ...options.headers,
    },
  });
  const envelope = (await response.json()) as { code: number; message: string; data: T };
  return { status: response.status, headers: response.headers, ...envelope };
}

/** Runs the command line to its end. */
export async function runCli(
  ...args: string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { exited, stdout, stderr } = spawnBundle('cli.js', args);
  const { code } = await exited;
  return { code, stdout: stdout.join('\n'), stderr: stderr.join('\n') };
}

/** Runs a command that must succeed, and returns its JSON. */
export async function runCliJson<T>(dataDir: string, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await runCli(...args, '--json', '--data-dir', dataDir);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with code ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
}

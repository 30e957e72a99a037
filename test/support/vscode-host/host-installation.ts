import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { HOST_PACKAGES, hostFolder, hostPaths } from './host';

const NPM_FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
/** Time between two lines of progress. */
const PROGRESS_MS = 10_000;
/** The folder of an unfinished installation; renamed at the end, so that the final folder is always complete. */
const PARTIAL = `${hostFolder}.partial`;
/** Holds the process id of the run that installs. */
const OWNER = path.join(PARTIAL, 'owner');

interface Step {
  title: string;
  run: () => Promise<void>;
}

/**
 * Installs the VS Code host into the user's cache folder (about 800 MB), with a line of progress every ten seconds. An interrupted
 * installation goes on after its last finished step; npm keeps the packages that it has downloaded.
 */
export async function installHost(): Promise<void> {
  if (fs.existsSync(hostFolder)) return;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `the VS Code host is for linux-x64, this is ${process.platform}-${process.arch}: run the suite in a desktop VS Code with "npm run test:vscode -- --desktop", or leave out the suites that need the host with "--no-host"`,
    );
  }
  fs.mkdirSync(PARTIAL, { recursive: true });
  if (!(await own())) return;
  console.log(`Installing the VS Code host into ${hostFolder} (once, about 800 MB)`);
  const steps = stepsOf(PARTIAL);
  for (const [index, { title, run }] of steps.entries()) {
    const done = path.join(PARTIAL, `done-${index + 1}`);
    const name = `Step ${index + 1} of ${steps.length}, ${title}`;
    if (fs.existsSync(done)) console.log(`${name}: finished by an earlier run`);
    else await withProgress(name, run);
    fs.writeFileSync(done, '');
  }
  for (const name of ['owner', ...steps.map((_, index) => `done-${index + 1}`)]) {
    fs.rmSync(path.join(PARTIAL, name));
  }
  fs.renameSync(PARTIAL, hostFolder);
}

/** Waits while another run installs. @returns false if that run finished the installation */
async function own(): Promise<boolean> {
  for (let isSaid = false; ; isSaid = true) {
    if (fs.existsSync(hostFolder)) return false;
    try {
      fs.writeFileSync(OWNER, String(process.pid), { flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue; // the other run has just finished
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (isRunning(Number(readOwner()))) {
      if (!isSaid) console.log('Another run installs the VS Code host: waiting for it');
      await delay(500);
    } else fs.rmSync(OWNER, { force: true }); // it was interrupted
  }
}

function readOwner(): string {
  try {
    return fs.readFileSync(OWNER, 'utf8');
  } catch {
    return ''; // the other run has just finished
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function stepsOf(folder: string): readonly Step[] {
  const { nodeBin, vscode, node, entry } = hostPaths(folder);
  // VS Code ships without its dependencies. After the first step npm runs on the Node version that VS Code needs.
  const env = { ...process.env, PATH: [nodeBin, process.env['PATH']].join(path.delimiter) };
  const clean = ['ci', '--omit=dev', '--legacy-peer-deps', ...NPM_FLAGS];
  return [
    {
      title: 'code-server and Node from npm',
      run: () => {
        const manifest = { name: 'vscode-host', private: true, dependencies: HOST_PACKAGES };
        fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
        return runInstaller('npm', ['install', ...NPM_FLAGS], { cwd: folder, env: process.env });
      },
    },
    {
      title: 'dependencies of VS Code',
      run: () => runInstaller('npm', clean, { cwd: vscode, env }),
    },
    {
      title: 'dependencies of its extensions',
      run: () => runInstaller('npm', clean, { cwd: path.join(vscode, 'extensions'), env }),
    },
    {
      title: 'a first start',
      run: async () => {
        const home = path.join(folder, 'home');
        const own = { ...env, HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home };
        const args = [entry, '--version', '--config', '/dev/null', '--user-data-dir', home];
        await runInstaller(node, args, { cwd: folder, env: own });
        fs.rmSync(home, { recursive: true, force: true });
      },
    },
  ];
}

async function withProgress(name: string, work: () => Promise<void>): Promise<void> {
  console.log(name);
  const started = Date.now();
  const timer = setInterval(() => {
    void megabytesOf(PARTIAL).then((megabytes) => {
      const seconds = Math.round((Date.now() - started) / 1000);
      console.log(`${name}: ${seconds} s, ${megabytes} MB on disk`);
    });
  }, PROGRESS_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}

async function megabytesOf(folder: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('du', ['-sm', folder]);
    return stdout.split('\t')[0] ?? '?';
  } catch {
    return '?'; // a file that npm has removed during the count
  }
}

/** Runs a program whose output is shown. @throws Error if it fails */
export async function runInstaller(
  command: string,
  args: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<void> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args.join(' ')} ended with ${String(signal ?? code)}`));
    });
  });
}

/** `tsx test/support/vscode-host/install.ts [chromium]`: installs Chromium and the VS Code host, unless they are installed already. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { findChromium, requireChromium } from './chromium';
import { HOST_PACKAGES, hostFolder, hostPaths } from './host';

const NPM_FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

async function run(
  command: string,
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
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

async function installChromium(): Promise<void> {
  if (!findChromium() && process.getuid?.() === 0 && fs.existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium with apt-get');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq'], { env });
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { env });
  }
  requireChromium();
}

/** Removes the remains of killed installations, but not running ones. */
function removeAbandoned(): void {
  const parent = path.dirname(hostFolder);
  for (const name of fs.readdirSync(parent)) {
    const pid = /\.partial-(\d+)$/.exec(name)?.[1];
    if (!pid) continue;
    try {
      process.kill(Number(pid), 0);
    } catch {
      fs.rmSync(path.join(parent, name), { recursive: true, force: true });
    }
  }
}

async function installHost(): Promise<void> {
  if (fs.existsSync(hostFolder)) return;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `the VS Code host is for linux-x64, this is ${process.platform}-${process.arch}: run the suite in a desktop VS Code with "npm run test:vscode -- --desktop"`,
    );
  }
  console.log(`Installing the VS Code host into ${hostFolder} (once, about 800 MB)`);
  // Built in a separate folder and renamed, so that the final folder is always complete, even if runs are killed or overlap.
  const partial = `${hostFolder}.partial-${process.pid}`;
  fs.mkdirSync(partial, { recursive: true });
  removeAbandoned();
  fs.writeFileSync(
    path.join(partial, 'package.json'),
    JSON.stringify({ name: 'vscode-host', private: true, dependencies: HOST_PACKAGES }),
  );
  const { nodeBin, vscode, node, entry } = hostPaths(partial);
  await run('npm', ['install', ...NPM_FLAGS], { cwd: partial });
  // VS Code ships without its dependencies. From here on npm runs on the Node version that VS Code needs.
  const env = { ...process.env, PATH: [nodeBin, process.env['PATH']].join(path.delimiter) };
  const flags = ['ci', '--omit=dev', '--legacy-peer-deps', ...NPM_FLAGS];
  await run('npm', flags, { cwd: vscode, env });
  await run('npm', flags, { cwd: path.join(vscode, 'extensions'), env });
  const home = path.join(partial, 'home');
  await run(node, [entry, '--version', '--config', '/dev/null', '--user-data-dir', home], {
    env: { ...env, HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home },
  });
  fs.rmSync(home, { recursive: true, force: true });
  try {
    fs.renameSync(partial, hostFolder);
  } catch (error) {
    fs.rmSync(partial, { recursive: true, force: true });
    if (!fs.existsSync(hostFolder)) throw error; // otherwise another run was faster
  }
}

async function main(): Promise<void> {
  await installChromium();
  if (process.argv[2] !== 'chromium') await installHost();
}

main().catch((error: unknown) => {
  console.error(`Set-up failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});

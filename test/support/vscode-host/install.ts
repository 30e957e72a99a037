/** `tsx test/support/vscode-host/install.ts [chromium]`: installs Chromium and the VS Code host, unless they are installed already. */
import fs from 'node:fs';
import { findChromium, requireChromium } from './chromium';
import { installHost, runInstaller } from './host-installation';

async function installChromium(): Promise<void> {
  if (!findChromium() && process.getuid?.() === 0 && fs.existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium with apt-get');
    const options = {
      cwd: process.cwd(),
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    };
    const install = ['install', '-y', '-qq', '--no-install-recommends', 'chromium'];
    await runInstaller('apt-get', ['update', '-qq'], options);
    await runInstaller('apt-get', install, options);
  }
  requireChromium();
}

async function main(): Promise<void> {
  await installChromium();
  if (process.argv[2] !== 'chromium') await installHost();
}

main().catch((error: unknown) => {
  console.error(`Set-up failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** VS Code's platforms, and the names that anvil's packages give them. There is none for musl or Windows on ARM. */
const PACKAGES = {
  'linux-x64': 'linux-amd64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-amd64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'win32-amd64',
};
export const TARGETS = Object.keys(PACKAGES);

/**
 * Puts the engine for a platform into a folder: from node_modules, else from the npm registry.
 * @throws Error that says what cannot be had, and what to do
 */
export function placeEngine(root, target, folder) {
  const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const name = `@foundry-rs/anvil-${PACKAGES[target]}`;
  const version = dependencies['@foundry-rs/anvil'];
  const file = target.startsWith('win32') ? 'anvil.exe' : 'anvil';
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const installed = path.join(root, 'node_modules', name, 'bin', file);
  if (existsSync(installed)) {
    copyFileSync(installed, path.join(folder, file));
  } else {
    const downloads = mkdtempSync(path.join(tmpdir(), 'forklens-engine-'));
    try {
      download(`${name}@${version}`, downloads);
      copyFileSync(path.join(downloads, 'package/bin', file), path.join(folder, file));
    } finally {
      rmSync(downloads, { recursive: true, force: true });
    }
  }
  chmodSync(path.join(folder, file), 0o755);
}

function download(specifier, folder) {
  const options = { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
  try {
    const tarball = execFileSync('npm', ['pack', specifier], options).trim().split('\n').at(-1);
    execFileSync('tar', ['-xzf', tarball], options);
  } catch (error) {
    const reason = /^npm error (.*)$/m.exec(String(error.stderr))?.[1] ?? error.message;
    throw new Error(
      `the engine ${specifier} is neither installed nor to be had from the npm registry in use (${reason}). ` +
        'Package for this platform where its engine can be fetched, or without one: --without-engine ' +
        '(its users then need Foundry on their PATH).',
      { cause: error },
    );
  }
}

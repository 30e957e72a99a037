import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { componentOf } from './components.mjs';

/** VS Code's platforms and their names in anvil's packages. There is no package for musl or for Windows on ARM. */
const PACKAGES = {
  'linux-x64': 'linux-amd64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-amd64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'win32-amd64',
};
export const TARGETS = Object.keys(PACKAGES);

/** The engine's file in the extension; server/chains/engine/binary.ts looks for it there. */
const fileFor = (target) => (target.startsWith('win32') ? 'anvil.exe' : 'anvil');
const packageFor = (target) => `@foundry-rs/anvil-${PACKAGES[target]}`;
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/**
 * Adds the engine for a platform to the package: from node_modules, else from the npm registry.
 * @returns the file's SHA-256
 * @throws Error that names the missing package and the remedies
 */
export function placeEngine(root, target, stage) {
  const file = fileFor(target);
  const staged = `dist/engine/${file}`;
  const installed = path.join(root, 'node_modules', packageFor(target), 'bin', file);
  if (existsSync(installed)) {
    stage.copy(staged, installed, { executable: true });
  } else {
    const downloads = mkdtempSync(path.join(tmpdir(), 'forklens-engine-'));
    try {
      download(root, packageFor(target), downloads);
      stage.copy(staged, path.join(downloads, 'package/bin', file), { executable: true });
    } finally {
      rmSync(downloads, { recursive: true, force: true });
    }
  }
  return createHash('sha256')
    .update(readFileSync(path.join(stage.folder, staged)))
    .digest('hex');
}

/** The engine inside the extension, as one of its components. */
export function engineComponent(target, sha256) {
  const anvil = componentOf('node_modules/@foundry-rs/anvil');
  return { ...anvil, name: packageFor(target), sha256, type: 'application' };
}

/** The packages that npm installs beside the service: anvil's package, and the platform package that fits. */
export function engineDependencies() {
  const anvil = { ...componentOf('node_modules/@foundry-rs/anvil'), scope: 'required' };
  const optional = TARGETS.map((target) => ({
    ...anvil,
    name: packageFor(target),
    type: 'application',
    scope: 'optional',
  }));
  return [anvil, ...optional];
}

/** @throws Error if the registry does not have the package, or if its integrity differs from the lock file */
function download(root, name, folder) {
  const version = readJson(path.join(root, 'package.json')).dependencies['@foundry-rs/anvil'];
  const locked = readJson(path.join(root, 'package-lock.json')).packages[`node_modules/${name}`];
  const shell = process.platform === 'win32'; // npm is a script on Windows
  const options = { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], shell };
  let packed;
  try {
    [packed] = JSON.parse(execFileSync('npm', ['pack', '--json', `${name}@${version}`], options));
  } catch (error) {
    const reason = /^npm error (.*)$/m.exec(String(error.stderr))?.[1] ?? error.message;
    throw new Error(
      `the engine ${name}@${version} is neither installed nor available from the npm registry in use (${reason}). ` +
        'Package for this platform where its engine can be fetched, or without one: --without-engine ' +
        '(its users then need Foundry on their PATH).',
      { cause: error },
    );
  }
  if (locked?.integrity !== undefined && locked.integrity !== packed.integrity) {
    throw new Error(
      `the engine ${name}@${version} of the registry in use has the integrity ${packed.integrity}; ` +
        `package-lock.json accepts ${locked.integrity}`,
    );
  }
  execFileSync('tar', ['-xzf', packed.filename], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

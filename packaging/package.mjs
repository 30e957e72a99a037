// `npm run package [-- --target PLATFORM] [--out FILE] [--without-engine]`: the extension with the engine inside, as a .vsix.
import { rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { createVSIX } from '@vscode/vsce';
import { placeEngine, TARGETS } from './engine.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');
const ENGINE = path.join(ROOT, 'dist/engine');

const { values } = parseArgs({
  options: {
    target: { type: 'string', default: `${process.platform}-${process.arch}` },
    out: { type: 'string' },
    'without-engine': { type: 'boolean', default: false },
  },
});
const { target, out = path.join(ROOT, `forklens-${target}.vsix`) } = values;

async function main() {
  if (!TARGETS.includes(target)) {
    throw new Error(`--target is ${target}; accepted: ${TARGETS.join(', ')}`);
  }
  if (!values['without-engine']) placeEngine(ROOT, target, ENGINE);
  rmSync(path.join(ROOT, 'dist/inspector'), { recursive: true, force: true }); // parts of older builds
  const built = spawnSync(process.execPath, ['esbuild.mjs'], { cwd: ROOT, stdio: 'inherit' });
  if (built.status !== 0) throw new Error('the bundles could not be built');
  await createVSIX({
    cwd: ROOT,
    packagePath: out,
    target,
    dependencies: false, // all is bundled, but for the engine
    rewriteRelativeLinks: false,
    allowMissingRepository: true,
  });
  console.log(`${path.relative(process.cwd(), out)}: ${(statSync(out).size / 1e6).toFixed(1)} MB`);
}

main()
  .catch((error) => {
    console.error(`error: ${error.message}`);
    process.exitCode = 1;
  })
  .finally(() => {
    rmSync(ENGINE, { recursive: true, force: true }); // outside a package, the one of node_modules counts
  });

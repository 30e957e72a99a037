import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from './command';
import { mochaOutcomes } from './results';
import type { ForeignSuite } from './suite';

const TESTS = [
  'access/AccessControl',
  'access/Ownable',
  'finance/VestingWallet',
  'governance/TimelockController',
  'proxy/Clones',
  'token/ERC1155/ERC1155',
  'token/ERC20/ERC20',
  'token/ERC20/extensions/ERC20FlashMint',
  'token/ERC20/extensions/ERC20Permit',
  'token/ERC20/extensions/ERC20Votes',
  'token/ERC721/ERC721',
];
const CONFIG = ['node_modules/.bin/hardhat', '--config', 'forklens.config.cjs'];
const QUIET = { HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true' };
const MINUTES = 60_000;

/** Eleven files, with the network of the README in the configuration. */
export const OPENZEPPELIN: ForeignSuite = {
  name: 'openzeppelin',
  version: 'Contracts 5.4.0',
  repository: 'OpenZeppelin/openzeppelin-contracts',
  tag: 'v5.4.0',
  folders: ['contracts', 'test', 'hardhat', 'remappings.txt'],
  packages: {
    '@nomicfoundation/hardhat-chai-matchers': '2.0.8',
    '@nomicfoundation/hardhat-ethers': '3.0.8',
    '@nomicfoundation/hardhat-network-helpers': '1.0.12',
    '@openzeppelin/merkle-tree': '1.0.8',
    chai: '4.5.0',
    ethers: '6.14.0',
    hardhat: '2.26.5',
    'hardhat-exposed': '0.3.19',
    'hardhat-ignore-warnings': '0.2.12',
    'lodash.startcase': '4.4.0',
    micromatch: '4.0.8',
    solc: '0.8.27',
  },

  async prepare(folder) {
    const config = join(__dirname, 'files', 'openzeppelin.config.cjs');
    await copyFile(config, join(folder, 'forklens.config.cjs'));
    const options = { cwd: folder, env: QUIET, timeout: 10 * MINUTES };
    const { code, output } = await runCommand(process.execPath, [...CONFIG, 'compile'], options);
    if (code !== 0) throw new Error(`the contracts could not be compiled: ${output}`);
  },

  async run(folder, url) {
    const results = join(folder, 'forklens-results.json');
    const files = TESTS.map((name) => `test/${name}.test.js`);
    const args = [...CONFIG, '--network', 'fork', 'test', '--no-compile', ...files];
    return mochaOutcomes(results, () =>
      runCommand(process.execPath, args, {
        cwd: folder,
        env: { ...QUIET, FORK_RPC: url, CLIENTS_RESULTS: results },
        timeout: 15 * MINUTES,
      }),
    );
  },

  refusals: [],
};

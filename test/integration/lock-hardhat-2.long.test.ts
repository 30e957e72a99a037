import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startArchive } from '../support/archive';
import type { BareAnvil } from '../support/bare-anvil';
import { CommandLine, type CliResult } from '../support/command-line';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const MODULES = join(__dirname, '../../node_modules');
const HARDHAT = join(MODULES, 'hardhat/internal/cli/bootstrap.js');
const CONFIG = `module.exports = {
  networks: {
    hardhat: {
      forking: { url: process.env.ETH_RPC_URL ?? 'http://127.0.0.1:1', blockNumber: 3 },
      chains: { 31337: { hardforkHistory: { prague: 0 } } },
    },
  },
};
`;
/** After block n, the account has n ether; slot n of the contract has the value 7 + n. */
const TESTS = `const assert = require('node:assert/strict');
const { network } = require('hardhat');
const ask = (method, ...params) => network.provider.request({ method, params });
const RICH = '0x000000000000000000000000000000000000dead';
const SLOTS = '0x00000000000000000000000000000000000000c0';

describe('a fork', () => {
  it('has the state of its block', async () => {
    assert.equal(await ask('eth_blockNumber'), '0x3');
    assert.equal(BigInt(await ask('eth_getBalance', RICH, 'latest')), 3n * 10n ** 18n);
  });
  it('executes code of the chain', async () => {
    const data = '0x' + (process.env.SLOT ?? '1').padStart(64, '0');
    assert.equal(BigInt(await ask('eth_call', { to: SLOTS, data }, 'latest')), 8n);
  });
  it('is written to', async () => {
    const [from] = await ask('eth_accounts');
    await ask('eth_sendTransaction', { from, to: RICH, value: '0x1' });
    assert.equal(BigInt(await ask('eth_getBalance', RICH, 'latest')), 3n * 10n ** 18n + 1n);
  });
});
`;

describe('the lockfile of a Hardhat 2 project', function () {
  this.timeout(300_000);
  let home: string;
  let project: string;
  let archive: BareAnvil | undefined;
  let cli: CommandLine;

  before(async () => {
    home = await makeTemporaryDirectory();
    project = join(home, 'project');
    await mkdir(join(project, 'test'), { recursive: true });
    await writeFile(join(project, 'package.json'), '{ "private": true }\n');
    await writeFile(join(project, 'hardhat.config.js'), CONFIG);
    await writeFile(join(project, 'test/fork.js'), TESTS);
    await symlink(MODULES, join(project, 'node_modules'));
    archive = await startArchive();
    cli = new CommandLine(home, { HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true' });
  });
  after(async () => {
    await archive?.stop();
    await removeDirectory(home);
  });

  const lock = (words: string[], env: Record<string, string> = {}): Promise<CliResult> => {
    const program = ['--', process.execPath, HARDHAT, 'test', '--no-compile'];
    return cli.run(['lock', ...words, ...program], { cwd: project, env });
  };
  const passed = ({ code, stdout, stderr }: CliResult): void => {
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /3 passing/);
  };

  it('is recorded with `hardhat test`, the same bytes each time', async () => {
    const env = { ETH_RPC_URL: archive!.url };
    passed(await lock(['record'], env));
    const first = await readFile(join(project, 'forklens.lock'), 'utf8');
    assert.ok(first.includes('{"variable":"ETH_RPC_URL","chain":31337}'), first);
    assert.ok(!first.includes(archive!.url), 'it contains an endpoint');
    passed(await lock(['record'], env));
    assert.equal(await readFile(join(project, 'forklens.lock'), 'utf8'), first);
  });

  it('serves the tests without the endpoint and without variables', async () => {
    await archive!.stop();
    archive = undefined;
    passed(await lock(['run', '--frozen']));
  });

  it('names a read that it lacks', async () => {
    const { code, stdout, stderr } = await lock(['run', '--frozen'], { SLOT: '5' });
    assert.notEqual(code, 0);
    assert.match(stdout, /2 passing[^]*1 failing/);
    assert.match(stderr, /forklens\.lock lacks 1 read;/);
    assert.match(stderr, /eth_getStorageAt of 0x0{38}c0 slot 0x5 at block 3 of chain 31337/);
  });
});

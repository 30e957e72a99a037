import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bisection } from '../../server/api/bisect';
import type { OpenCaseView } from '../../server/api/cases';
import type { Fork } from '../../server/api/fork';
import type { Regressed } from '../../server/api/regress';
import type { OtherBlock } from '../../server/api/reorder';
import type { UpgradeCheck } from '../../server/api/upgrade-check';
import { sandboxArtifact } from '../support/artifact';
import { CommandLine } from '../support/command-line';
import { call } from '../support/json-rpc';
import { sandboxHash } from '../support/sandbox-hashes';
import { startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const VAULT = '0xc3e53f4d16ae77db1c982e75a937b9f60fe63690';
const GOLD = '0x8a791620dd6260079bf849dc5567adc3f2fdc318';
const ATTACK = sandboxHash('exploit-reentrancy');
const UPGRADE = sandboxHash('proxy-mint');

/** The vault that reduces the balance before it pays. */
const fixed = (text: string): string =>
  text
    .replace('        balanceOf[msg.sender] = 0;\n', '')
    .replace('(bool sent,)', 'balanceOf[msg.sender] = 0;\n        (bool sent,)');

describe('the past of a case file', function () {
  this.timeout(240_000);
  let home: string;
  let service: TestService;
  let cli: CommandLine;
  let attack: OpenCaseView;
  let mint: OpenCaseView;

  before(async () => {
    home = await makeTemporaryDirectory();
    const online = await startService({ args: ['--sandbox'] });
    try {
      const writer = new CommandLine(home, { FORKLENS_DATA_DIR: online.dataDir });
      await writer.text('case', 'create', 'sandbox', ATTACK, '-o', join(home, 'attack.forklens'));
      await writer.text('case', 'create', 'sandbox', UPGRADE, '-o', join(home, 'mint.forklens'));
    } finally {
      await online.stop();
    }
    // Without the sandbox: nothing but the file answers.
    service = await startService();
    cli = new CommandLine(home, { FORKLENS_DATA_DIR: service.dataDir });
    attack = await cli.json<OpenCaseView>('open', join(home, 'attack.forklens'));
    mint = await cli.json<OpenCaseView>('open', join(home, 'mint.forklens'));
  });
  after(async () => {
    await service.stop();
    await removeDirectory(home);
  });

  it('is bisected between its block and the transaction', async () => {
    const args = ['bisect', attack.chain, `${VAULT}.balance < 1 ether`, '--from', '11'];
    const { changes, from, to } = await cli.json<Bisection>(...args);
    assert.deepEqual([from, to, changes.length], [11, 12, 1]);
    assert.equal(changes[0]?.transaction?.hash, ATTACK);
    assert.equal(changes[0].payments[0]?.file, 'EtherVault.sol');
    const view = ['bisect', mint.chain, `${GOLD}.totalSupply()`, '--from', '6'];
    const minted = await cli.json<Bisection>(...view);
    assert.equal(minted.changes[0]?.transaction?.hash, UPGRADE);
    assert.deepEqual(
      [minted.changes[0].after.value, minted.changes[0].writes[0]?.function],
      ['1250000000', '_mint'],
    );
  });

  it('is executed again with a fix, without a list of transactions', async () => {
    const { text } = sandboxArtifact('EtherVault', (file, source) =>
      file === 'EtherVault.sol' ? fixed(source) : source,
    );
    const code = join(home, 'Fixed.json');
    await writeFile(code, text);
    const args = ['regress', attack.chain, VAULT, '--code', code, '--attack', ATTACK, '--json'];
    const { code: ended, stdout } = await cli.run(args);
    const { results, stopped } = JSON.parse(stdout) as { results: Regressed[]; stopped: string[] };
    assert.deepEqual(
      [ended, stopped, results.map(({ verdict }) => verdict)],
      [0, [ATTACK], ['nowFails']],
    );
    const other = await cli.run([...args.slice(0, 5), '--attack', UPGRADE]);
    assert.match(other.stderr, /^error: transaction 0x\w+ is not known on case-/m);
  });

  it('is executed without the attack, and forked so', async () => {
    const was = await cli.json<OtherBlock>('reorder', attack.chain, '12');
    assert.deepEqual(was.check, { receipts: 'equal', state: 'unchecked' });
    assert.deepEqual(was.notes, [
      `the state after the block is not compared with the chain's: ${attack.chain} ends with transaction 0 of block 12: the state after the block is not known`,
    ]);
    const args = ['reorder', attack.chain, '12', '--set', '0:gasPrice=3gwei', '--fork', 'dearer'];
    const other = await cli.json<OtherBlock & { fork: Fork }>(...args);
    assert.deepEqual([other.chain, other.stateSince], [attack.chain, 'parent']);
    const balance = (account: string): Promise<string> =>
      call(other.fork.rpc, 'eth_getBalance', account, 'latest');
    assert.equal(await balance(VAULT), '0x0');
    const without = await cli.json<OtherBlock & { fork: Fork }>(
      'reorder',
      attack.chain,
      '12',
      '--drop',
      '0',
      '--fork',
      'without',
    );
    assert.deepEqual(without.state, []);
    assert.equal(
      await call(without.fork.rpc, 'eth_getBalance', VAULT, 'latest'),
      '0x8ac7230489e80000',
    );
  });

  it('has its upgrades checked, with live values', async () => {
    const { text } = sandboxArtifact('UpgradeableTokenV2', (file, source) =>
      file === 'UpgradeableToken.sol'
        ? source.replace(
            '    string public name;\n',
            '    uint256 public cap;\n    string public name;\n',
          )
        : source,
    );
    const code = join(home, 'Next.json');
    await writeFile(code, text);
    const { code: ended, stdout } = await cli.run([
      'upgrade-check',
      mint.chain,
      GOLD,
      '--code',
      code,
      '--json',
    ]);
    const found = JSON.parse(stdout) as UpgradeCheck;
    assert.deepEqual([ended, found.blockNumber, found.isSafe], [1, 7, false]);
    const functions = found.items.filter(({ subject }) => subject === 'functions');
    assert.deepEqual(
      functions.map(({ text }) => text),
      ['new functions: burn(uint256), cap()'],
    );
    const authority = found.items.find(({ subject }) => subject === 'authority');
    assert.match(authority?.text ?? '', /the admin of the proxy \(ERC-1967\) is 0xf39f/);
    const moved = found.items.find(({ variable }) => variable === 'owner');
    assert.equal(moved?.value, '0x90f79bf6eb2c4f870365e785982e1f101e93b906');
  });

  it('is refused by name where the file ends', async () => {
    const refusals: [string[], RegExp][] = [
      [
        ['bisect', attack.chain, `${VAULT}.balance`, '--from', '4'],
        /^error: from is 4; accepted: a block from 11 on: case-\w+ has no older state$/m,
      ],
      [
        ['bisect', attack.chain, `${VAULT}.balance`, '--from', '11', '--to', '13'],
        /^error: to is 13; accepted: 11 or 12: case-\w+ is a case file, with the state after block 11, and after transaction 0 of the next one$/m,
      ],
      [
        ['bisect', attack.chain, `slot(${VAULT}, 99) > 0`, '--from', '11'],
        /^error: the case file does not contain eth_getStorageAt \["0xc3e5\w+","0x0+63","0xb"\]$/m,
      ],
      [['reorder', attack.chain, '10'], /^error: block is 10; accepted: 11 or 12: /m],
      [
        ['reorder', attack.chain, '12', '--drop', '1'],
        /^error: changes\[0\].position is 1; accepted: 0 to 0: block 12 has 1 transaction$/m,
      ],
    ];
    for (const [args, reason] of refusals) {
      const { code, stderr } = await cli.run(args);
      assert.match(stderr, reason);
      assert.notEqual(code, 0);
    }
  });
});

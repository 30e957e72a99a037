import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Transaction, type TransactionRequest } from 'ethers';
import type { Fork } from '../../server/api/fork';
import type { OtherBlock } from '../../server/api/reorder';
import { mnemonicAccounts, TEST_MNEMONIC } from '../../server/evm/forms/mnemonic-accounts';
import { encode } from '../support/nested-calls';
import { call } from '../support/json-rpc';
import { createFork } from '../support/service';
import { useCommandLine } from './cli-suite';

const [ALICE, BOB] = [
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
] as const;
const HUSD = '0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9';

/** An account that nobody has paid. */
const EMPTY = `0x${'e1'.repeat(20)}`;

/** Of seven wei from Bob to Alice, who have keys that everyone knows. */
const signed = (changes: TransactionRequest): Promise<string> =>
  mnemonicAccounts(TEST_MNEMONIC, 3)[2]!.signTransaction({
    type: 2,
    chainId: 31_337,
    nonce: 4,
    to: ALICE,
    value: 7n,
    gasLimit: 21_000,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
    ...changes,
  });

describe('forklens reorder', function () {
  this.timeout(240_000);
  const suite = useCommandLine();

  it('prints the comparison, and forks the state after the other block', async () => {
    const args = ['reorder', 'sandbox', '8', '--move', '1:0'];
    const text = await suite.cli.text(...args);
    assert.match(text, /^Block 8 of sandbox, as it was and as it would have been$/m);
    assert.match(
      text,
      /^ {2}As it was, its receipts and the state after it equal those of the chain\.$/m,
    );
    assert.match(text, /^1 → 0 {4} 0x1aa6\w+ other effects$/m);
    assert.match(
      text,
      new RegExp(`^  ${BOB} hUSD: \\+198.56646 → \\+199.360247 \\(\\+0.793787\\)$`, 'm'),
    );
    assert.match(text, /^3 → 3 {4} 0x8141\w+ other effects/m);
    const other = await suite.cli.json<OtherBlock & { fork: Fork }>(...args, '--fork', 'bob first');
    assert.equal(other.fork.name, 'bob first');
    const balance = (account: string): Promise<string> =>
      call(other.fork.rpc, 'eth_call', {
        to: HUSD,
        data: encode('function balanceOf(address)', [account]),
      });
    const after = other.accounts.find(({ address }) => address === BOB)?.amounts[0];
    const slot = other.state?.find(({ address }) => address === HUSD)?.slots;
    assert.ok(Object.values(slot ?? {}).includes(await balance(BOB)), JSON.stringify(slot));
    assert.equal(after?.after, '199360247');
  });

  it('forks the state after another block of a fork, and of the chain below it', async () => {
    const origin = await createFork(suite.service, { chainId: 31337, height: '0xd' });
    const send = (value: string): Promise<string> =>
      call(origin.rpc, 'eth_sendTransaction', { from: ALICE, to: EMPTY, value });
    await call(origin.rpc, 'evm_setAutomine', false);
    await send('0x5');
    await send('0x7');
    await call(origin.rpc, 'evm_mine');
    await call(origin.rpc, 'evm_setAutomine', true);
    await send('0x100');
    const args = ['reorder', origin.forkId, '14', '--set', '0:value=2', '--fork', 'less'];
    const other = await suite.cli.json<OtherBlock & { fork: Fork }>(...args);
    assert.deepEqual([other.chain, other.stateSince], [origin.forkId, 'parent']);
    const { rpc } = other.fork;
    assert.equal(await call(rpc, 'eth_getBalance', EMPTY, 'latest'), '0x9');
    assert.equal(await call(rpc, 'eth_blockNumber'), '0xd');
    await call(rpc, 'eth_sendTransaction', { from: ALICE, to: EMPTY, value: '0x1' });
    assert.equal(await call(rpc, 'eth_getBalance', EMPTY, 'latest'), '0xa');
    const older = await suite.cli.json<OtherBlock & { fork: Fork }>(
      'reorder',
      origin.forkId,
      '8',
      '--move',
      '1:0',
      '--fork',
      'bob first again',
    );
    assert.deepEqual([older.chain, older.stateSince], ['sandbox', 'block']);
    assert.equal(await call(older.fork.rpc, 'eth_blockNumber'), '0x8');
  });

  it('reads an inserted transaction of a file, and fields with units', async () => {
    const file = join(suite.home, 'gift.json');
    await writeFile(file, JSON.stringify({ from: ALICE, to: BOB, value: '7' }));
    const args = ['reorder', 'sandbox', '6', '--insert', `${file}@7`, '--set', '0:value=2ether'];
    const other = await suite.cli.json<OtherBlock>(...args, '--set', '0:gasPrice=3gwei');
    assert.deepEqual(
      other.transactions
        .filter(({ verdict }) => verdict !== 'same')
        .map(({ was, is, isSet }) => [was, is, isSet]),
      [
        [0, 0, true],
        [null, 7, false],
      ],
    );
    const gained = other.accounts.find(({ address }) => address === BOB)?.amounts[0];
    assert.equal(BigInt(gained!.after) - BigInt(gained!.before), 500_000_000_000_000_007n);
  });

  it('inserts a signed transaction that was never mined, whatever its nonce is', async () => {
    const raw = await signed({ nonce: 999 });
    const other = await suite.cli.json<OtherBlock>(
      'reorder',
      'sandbox',
      '8',
      '--insert',
      `${raw}@0`,
    );
    assert.deepEqual(other.check, { receipts: 'equal', state: 'equal' });
    const changed = other.transactions.filter(({ verdict }) => verdict !== 'same');
    assert.deepEqual(
      changed
        .slice(0, 2)
        .map(({ was, is, from, verdict, cause }) => [was, is, from, verdict, cause]),
      [
        [null, 0, BOB, 'inserted', ''],
        // It took the nonce of Bob's own one.
        [1, 2, BOB, 'invalid', 'its nonce is 4, and the next one of its sender 5'],
      ],
    );
    const gained = other.accounts.find(({ address }) => address === ALICE)?.amounts[0];
    assert.equal(BigInt(gained!.after) - BigInt(gained!.before), 7n);
    const poor = await signed({ gasLimit: 20_999 });
    const text = await suite.cli.text('reorder', 'sandbox', '8', '--insert', `${poor}@0`);
    assert.match(text, /^- → 0 {5}0x3c44\w+ to 0x7099\w+ now invalid: INTRINSIC_GAS_TOO_LOW: /m);
  });

  it('refuses a signed transaction of another chain, and one with a bad signature', async () => {
    const raw = await signed({});
    const { r } = Transaction.from(raw).signature!;
    const wrong = [
      await signed({ chainId: 1 }),
      raw.slice(0, -2),
      `${raw}00`,
      raw.replace(r.slice(2), 'f'.repeat(64)),
    ];
    for (const one of wrong) {
      const args = ['reorder', 'sandbox', '8', '--insert', `${one}@0`];
      const { code, stderr } = await suite.cli.run(args);
      assert.equal(code, 2);
      assert.match(
        stderr,
        /^error: changes\[0\]\.raw is "0x02[^;]+; accepted: a signed transaction of type 0, 1 or 2 for the chain id 31337$/m,
      );
    }
  });

  it('is refused by name', async () => {
    const refusals: [string[], string][] = [
      [['8', '--drop', 'x'], '--drop is "x"; accepted: a whole number from 0 to 1000000'],
      [['8', '--move', '5'], '--move is "5"; accepted: two positions, such as 5:2'],
      [
        ['8', '--drop', '7'],
        'changes[0].position is 7; accepted: 0 to 6: block 8 has 7 transactions',
      ],
      [
        ['8', '--insert', 'no.json@0'],
        "--insert cannot be read: ENOENT: no such file or directory, open 'no.json'",
      ],
      [
        ['8', '--set', '1:value=much'],
        '--set value is "much"; accepted: wei, or an amount with a unit such as 1.5ether or 20gwei',
      ],
    ];
    for (const [args, reason] of refusals) {
      const { code, stderr } = await suite.cli.run(['reorder', 'sandbox', ...args]);
      assert.deepEqual([code, stderr.split('\n')[0]], [2, `error: ${reason}`]);
    }
    const { stderr } = await suite.cli.run(['reorder', 'sandbox', '8', '--set', '1:nonce=3']);
    assert.match(stderr, /--set is "1:nonce=3"; accepted: a position, a field and its value/);
  });
});

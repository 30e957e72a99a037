import assert from 'node:assert/strict';
import { HDNodeWallet, Mnemonic, Transaction, Wallet } from 'ethers';
import type { ForkAccounts } from '../../server/api/fork';
import { TEST_MNEMONIC } from '../../server/evm/forms/mnemonic-accounts';
import { toWord } from '../../server/evm/forms/quantity';
import { call, refusal } from '../support/json-rpc';
import { isKind, PROJECT, TestForks } from './fork-service';
import { useFork } from './fork-suite';
import {
  ALICE,
  BOB,
  COUNTER,
  ethChain,
  TestChain,
  testEngines,
  type TestEngines,
} from './fork-upstream';

/** The accounts of the usual test mnemonic, in the order of every development node. */
const TEN = [
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
  '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
  '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65',
  '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc',
  '0x976ea74026e726554db657fa54763abd0c3a0aa9',
  '0x14dc79964da2c08b23698b3d3cc7ca32193d9955',
  '0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f',
  '0xa0ee7a142d267c1f36714e4a8f75612f20a79720',
] as const;
const [FIRST, SECOND] = TEN;
const TEN_THOUSAND = '0x21e19e0c9bab2400000';
const STRANGER = `0x${'99'.repeat(20)}`;
const SANTA = `0x${'5a'.repeat(20)}`;

describe('the accounts of a fork', () => {
  const on = useFork();
  const balanceOf = (address: string) => call(on.rpc, 'eth_getBalance', address, 'latest');
  const accounts = () => call<string[]>(on.rpc, 'eth_accounts');

  it('are the ten of the test mnemonic, with 10,000 ether each', async () => {
    assert.deepEqual(await accounts(), TEN);
    assert.deepEqual(await call(on.rpc, 'eth_requestAccounts'), TEN);
    assert.deepEqual(await Promise.all(TEN.map(balanceOf)), Array(10).fill(TEN_THOUSAND));
    assert.equal(on.fork.accounts, 'test');
    assert.deepEqual(on.service.counted, []);
  });

  it('keep their balances over restarts and branches, and regain them by a revert', async () => {
    const hash = await call(on.rpc, 'eth_sendTransaction', {
      from: SECOND,
      to: STRANGER,
      value: '0x1',
    });
    const spent = await balanceOf(SECOND);
    assert.notEqual(spent, TEN_THOUSAND);
    await on.service.forks.stop();
    assert.deepEqual(await accounts(), TEN);
    assert.equal(await balanceOf(SECOND), spent);
    const body = { name: 'branch', transaction: hash as `0x${string}` };
    const { signal } = new AbortController();
    const branch = await on.service.forks.branch(PROJECT, on.fork.forkId, body, { signal });
    assert.equal(await call(branch.rpc, 'eth_getBalance', SECOND, 'latest'), TEN_THOUSAND);
    assert.deepEqual(await call(branch.rpc, 'eth_accounts'), TEN);
    await call(on.rpc, 'evm_revert', on.fork.snapshotId);
    assert.equal(await balanceOf(SECOND), TEN_THOUSAND);
  });

  it('are followed by impersonated ones in their order, over reverts and restarts', async () => {
    const others = [STRANGER, COUNTER, BOB.address.toLowerCase()];
    for (const one of [STRANGER, COUNTER, BOB.address, SECOND]) {
      await call(on.rpc, 'hardhat_impersonateAccount', one);
    }
    assert.deepEqual(await accounts(), [...TEN, ...others]);
    const snapshot = await call(on.rpc, 'evm_snapshot');
    await call(on.rpc, 'hardhat_stopImpersonatingAccount', COUNTER);
    await call(on.rpc, 'hardhat_impersonateAccount', SANTA);
    assert.deepEqual(await accounts(), [...TEN, STRANGER, others[2], SANTA]);
    await on.service.forks.stop();
    assert.deepEqual(await accounts(), [...TEN, STRANGER, others[2], SANTA]);
    await call(on.rpc, 'evm_revert', snapshot);
    assert.deepEqual(await accounts(), [...TEN, ...others]);
  });

  it("are added and removed by Ganache's methods", async () => {
    assert.equal(await call(on.rpc, 'evm_addAccount', SANTA, ''), true);
    assert.equal(await call(on.rpc, 'evm_addAccount', SANTA, ''), false);
    assert.equal(await call(on.rpc, 'evm_addAccount', FIRST, ''), false);
    assert.deepEqual(await accounts(), [...TEN, SANTA]);
    assert.equal(await call(on.rpc, 'evm_removeAccount', FIRST, ''), false);
    assert.equal(await call(on.rpc, 'evm_removeAccount', SANTA, ''), true);
    assert.deepEqual(await accounts(), TEN);
    assert.match(
      (await refusal(on.rpc, 'evm_addAccount', '0x12')).message,
      /^the account is "0x12"; accepted: an address/,
    );
  });

  it('send without `from`, and without impersonation', async () => {
    const hash = await call(on.rpc, 'eth_sendTransaction', { to: COUNTER });
    const { from } = await call<{ from: string }>(on.rpc, 'eth_getTransactionByHash', hash);
    assert.equal(from, FIRST);
    const receipts = await call<string[]>(on.rpc, 'eth_sendTransactions', [
      { to: COUNTER },
      { to: COUNTER },
    ]);
    assert.equal((await on.receiptOf(receipts[1]!)).status, '0x1');
    assert.equal(await on.counter(), 4);
  });

  describe('are chosen when the fork is created:', () => {
    const phrase = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

    it('none', async () => {
      const fork = await on.service.create({ height: '0x3', accounts: 'none' });
      assert.equal(fork.accounts, 'none');
      assert.equal(fork.warnings, undefined);
      assert.deepEqual(await call(fork.rpc, 'eth_accounts'), []);
      assert.equal(await call(fork.rpc, 'eth_getBalance', FIRST, 'latest'), '0x0');
      assert.match(
        (await refusal(fork.rpc, 'eth_sendTransaction', { to: COUNTER })).message,
        /^from is missing; accepted: an address: this fork has no accounts of its own$/,
      );
      await call(fork.rpc, 'anvil_impersonateAccount', ALICE.address);
      await call(fork.rpc, 'eth_sendTransaction', { to: COUNTER });
      assert.match(
        (await refusal(fork.rpc, 'personal_sign', '0x', FIRST)).message,
        /^no signer available/,
      );
    });

    it('of a mnemonic, which appears in no answer and no log', async () => {
      const fork = await on.service.create({
        height: '0x3',
        accounts: { mnemonic: ` ${phrase}\n` },
      });
      const root = HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(phrase), "m/44'/60'/0'/0");
      const wanted = Array.from({ length: 10 }, (_, i) =>
        root.deriveChild(i).address.toLowerCase(),
      );
      assert.deepEqual(await call(fork.rpc, 'eth_accounts'), wanted);
      assert.equal(await call(fork.rpc, 'eth_getBalance', wanted[9], 'latest'), TEN_THOUSAND);
      assert.equal(fork.accounts, 'mnemonic');
      assert.match(fork.warnings![0]!, /^anyone with the fork's RPC address can sign/);
      const reported = JSON.stringify([
        fork,
        await on.service.forks.list(PROJECT),
        on.service.changes,
        on.service.warnings,
        await call(fork.rpc, 'anvil_nodeInfo'),
      ]);
      assert.doesNotMatch(reported, /winner|sausage/);
      assert.ok(
        on.service.started.every(
          ({ parameters }) => !JSON.stringify(parameters).includes('sausage'),
        ),
      );
    });

    it('of the test mnemonic given in full, which is the default', async () => {
      const accounts = { mnemonic: `Test ${TEST_MNEMONIC.slice(5).replace('junk', ' junk')}` };
      const fork = await on.service.create({ height: '0x3', accounts });
      assert.equal(fork.accounts, 'test');
      assert.deepEqual(fork.warnings, on.fork.warnings);
    });

    for (const [what, accounts] of [
      ['a wrong checksum', { mnemonic: phrase.replace('yellow', 'zoo') }],
      ['another word', { mnemonic: phrase.replace('yellow', 'sausages') }],
      ['no words', { mnemonic: '' }],
    ] as [string, ForkAccounts][]) {
      it(`reject a mnemonic with ${what}, without showing its words`, async () => {
        await assert.rejects(
          on.service.create({ height: '0x3', accounts }),
          isKind(
            'invalidField',
            /^accounts\.mnemonic is a hidden value; accepted: an English BIP-39 phrase of [^"]*$/,
          ),
        );
      });
    }
  });

  it('come with a warning if their keys are also valid on the real chain', async () => {
    assert.equal(on.fork.warnings?.length, 1);
    assert.match(
      on.fork.warnings[0]!,
      /^the keys of the fork's accounts are public, .* valid on chain 1 itself/,
    );
    const apart = await on.service.create({ height: '0x3', antiReplay: true });
    assert.equal(apart.warnings, undefined);
    const raw = await call(apart.rpc, 'eth_signTransaction', { to: COUNTER });
    assert.equal(Transaction.from(raw).chainId, 9991n);
    assert.deepEqual(on.service.warnings, []);
  });

  it('are none on a fork that was created before forks had accounts', async () => {
    const record = on.service.records.get(on.fork.forkId)!;
    delete record.accounts;
    const later = await on.another({}, { records: new Map([[on.fork.forkId, record]]) });
    try {
      const fork = await later.forks.get(PROJECT, on.fork.forkId);
      assert.equal(fork.accounts, 'none');
      assert.deepEqual(await call(fork.rpc, 'eth_accounts'), []);
      assert.equal(await call(fork.rpc, 'eth_getBalance', FIRST, 'latest'), '0x0');
    } finally {
      await later.close();
    }
  });
});

describe('accounts of a fork that were used on the chain', () => {
  const key = HDNodeWallet.fromPhrase(TEST_MNEMONIC, '', "m/44'/60'/0'/0/0");
  const wallet = new Wallet(key.privateKey);
  let engines: TestEngines;
  let service: TestForks;
  before(async () => {
    engines = await testEngines();
    const upstream = await TestChain.start(engines.start);
    const { rpc } = upstream.engine;
    await rpc.request('anvil_setBalance', [FIRST, '0xde0b6b3a7640000']);
    await upstream.mine();
    // The account's whole balance except for the fee: the block's transactions must not see the 10,000 ether of the fork.
    await upstream.send(wallet, { to: STRANGER, value: 7n * 10n ** 17n });
    await upstream.send(ALICE, { to: COUNTER });
    await upstream.send(wallet, { to: COUNTER });
    await upstream.mine();
    await rpc.request('anvil_setCode', [SECOND, `0xef0100${COUNTER.slice(2)}`]);
    await rpc.request('anvil_setCode', [TEN[2], '0x6001']);
    await rpc.request('anvil_setStorageAt', [SECOND, toWord(0), toWord(7)]);
    await upstream.mine();
    service = await TestForks.open(engines, ethChain(upstream.engine.url));
  });
  after(async () => {
    await service.close();
    await engines.close();
  });
  const read = (rpc: string, method: string, address: string) =>
    call(rpc, method, address, 'latest');

  it('replay their own transactions with their original balance', async () => {
    const fork = await service.create({ height: '0x2', position: 2 });
    assert.deepEqual(fork.replay, { faithful: true, executor: 'anvil' });
    assert.equal(await read(fork.rpc, 'eth_getBalance', FIRST), TEN_THOUSAND);
    assert.equal(await read(fork.rpc, 'eth_getTransactionCount', FIRST), '0x1');
    assert.equal(await read(fork.rpc, 'eth_getBalance', STRANGER), '0x9b6e64a8ec60000');
    const before = await call(fork.rpc, 'eth_getBalance', FIRST, '0x1');
    assert.equal(before, '0xde0b6b3a7640000');
    await service.forks.stop();
    assert.equal(await read(fork.rpc, 'eth_getBalance', FIRST), TEN_THOUSAND);
  });

  it('have no delegation on the fork, which reports it', async () => {
    const fork = await service.create({ height: '0x3' });
    assert.equal(await read(fork.rpc, 'eth_getCode', SECOND), '0x');
    assert.equal(await read(fork.rpc, 'eth_getCode', TEN[2]), '0x6001');
    assert.equal(await call(fork.rpc, 'eth_getStorageAt', SECOND, '0x0', 'latest'), toWord(7));
    const hash = await call(fork.rpc, 'eth_sendTransaction', { to: SECOND, value: '0x1' });
    const receipt = await call<{ gasUsed: string }>(fork.rpc, 'eth_getTransactionReceipt', hash);
    assert.equal(Number(receipt.gasUsed), 21_000);
    const said = `on the chain, the code of these accounts is a delegation (EIP-7702); on the fork, they have no code: ${SECOND}`;
    assert.equal(fork.warnings?.[1], said);
    await service.forks.stop();
    assert.equal(await read(fork.rpc, 'eth_getCode', SECOND), '0x');
    assert.deepEqual((await service.forks.get(PROJECT, fork.forkId)).warnings, fork.warnings);
    assert.deepEqual(service.records.get(fork.forkId)?.warnings, fork.warnings);
    const none = await service.create({ height: '0x3', accounts: 'none' });
    assert.equal(await read(none.rpc, 'eth_getCode', SECOND), `0xef0100${COUNTER.slice(2)}`);
  });
});

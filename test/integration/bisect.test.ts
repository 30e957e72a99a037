import assert from 'node:assert/strict';
import type { Bisection } from '../../server/api/bisect';
import type { Fork } from '../../server/api/fork';
import { call } from '../support/json-rpc';
import { sandboxHash } from '../support/sandbox-hashes';
import { createFork } from '../support/service';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const BOB = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const HBR = '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0';
const VAULT = '0xc3e53f4d16ae77db1c982e75a937b9f60fe63690';
/** `balanceOf[ALICE]` of the token. */
const ALICE_SLOT = '0x3c8e904cdb19937d60d41c8d984b1a8803ad6e0891b4f9e032dcec2a22c2c7f5';
const THIEF = '0xbded0d2bf404bdcba897a74e6657f1f12e5c6fb6';

describe('a bisection', function () {
  this.timeout(120_000);
  let service: SandboxService;
  before(async () => {
    service = await sandboxService();
  });
  after(() => service.release());

  const ask = (body: object, chain = 'sandbox') =>
    service.request<Bisection>('POST', `/v1/explorer/${chain}/bisect`, { body });
  const bisect = async (body: object, chain?: string): Promise<Bisection> => {
    const { data, message } = await ask(body, chain);
    assert.equal(message, 'OK');
    return data;
  };

  it('of a view call finds the transaction, the write, its function and its line', async () => {
    const found = await bisect({
      expression: `token.balanceOf(${ALICE})`,
      from: 4,
      names: { token: HBR },
    });
    const [change, ...others] = found.changes;
    assert.equal(others.length, 0);
    assert.deepEqual(change?.transaction, {
      hash: sandboxHash('transfer-18-decimals'),
      position: 1,
      from: ALICE,
      to: HBR,
    });
    assert.equal(change.blockNumber, 5);
    assert.deepEqual(change.before, { value: '10000000000000000000000', type: 'uint256' });
    assert.deepEqual(change.after, { value: '9749500000000000000000', type: 'uint256' });
    const [state] = change.state;
    assert.deepEqual(state?.variables, [`balanceOf[${ALICE}]`]);
    const [write] = change.writes;
    assert.deepEqual(
      [write?.contract, write?.function, write?.file, write?.line, write?.slot, write?.nodeId],
      ['HarborToken', '_transfer', 'TokenBase.sol', 37, state.slot, 0],
    );
    assert.equal(change.executor, 'process');
    assert.equal(change.difference, undefined);
  });

  it('of a comparison finds what made it true', async () => {
    const { changes, start, end } = await bisect({
      expression: `${VAULT}.balance < 1 ether`,
      from: '0x4',
      to: 'latest',
    });
    assert.deepEqual([start.value, end.value], ['false', 'true']);
    assert.equal(changes[0]?.transaction?.hash, sandboxHash('exploit-reentrancy'));
    assert.deepEqual(changes[0].state, [
      { address: VAULT, part: 'balance', before: '0x8ac7230489e80000', after: '0x0' },
    ]);
    assert.deepEqual(changes[0].writes, []);
    const [first] = changes[0].payments;
    assert.deepEqual(
      [first?.to, first?.value, first?.contract, first?.file],
      [VAULT, '2000000000000000000', 'VaultThief', 'EtherVault.sol'],
    );
  });

  it('reads state variables by the layout, slots, codes and nonces', async () => {
    const hashes: (string | undefined)[] = [];
    for (const [expression, contract] of [
      [`balanceOf[${BOB}]`, HBR],
      [`slot(${HBR}, ${ALICE_SLOT}) > 0`, undefined],
      [`${THIEF}.code.length > 0`, undefined],
      [`nonce(${ALICE}) >= 1`, undefined],
    ] as const) {
      const found = await bisect({ expression, from: 0, ...(contract && { contract }) });
      hashes.push(found.changes[0]?.transaction?.hash);
    }
    assert.deepEqual(
      hashes.map((hash) => hash?.length),
      [66, 66, 66, 66],
    );
  });

  it('with the plan every finds each change, in order', async () => {
    const { changes } = await bisect({
      expression: `${HBR}.balanceOf(${ALICE})`,
      from: 4,
      plan: 'every',
    });
    assert.deepEqual(
      changes.map(({ blockNumber, transaction }) => [blockNumber, transaction?.position]),
      [
        [5, 1],
        [8, 0],
        [12, 1],
      ],
    );
    for (const [index, { before }] of changes.entries()) {
      if (index > 0) assert.equal(before.value, changes[index - 1]?.after.value);
    }
  });

  it('reads a fork on both sides of its fork point', async () => {
    const fork = await createFork(service, { chainId: 31337, height: '0xd' });
    const to = await sendEther(fork);
    const found = await bisect({ expression: `${to}.balance > 0`, from: 6 }, fork.forkId);
    assert.equal(found.changes[0]?.blockNumber, 14);
    assert.equal(found.changes[0].transaction?.from, ALICE);
    const older = await bisect({ expression: `${VAULT}.balance == 0`, from: 6 }, fork.forkId);
    assert.equal(older.changes[0]?.transaction?.hash, sandboxHash('exploit-reentrancy'));
  });

  it('finds the creation of a contract among other transactions, and what broke it', async () => {
    const { changes } = await bisect({
      expression: 'vault.totalAssets() >= vault.totalOwed()',
      names: { vault: '0x82b769500e34362a76df81150e12c746093d954f' },
      from: 0,
      plan: 'all',
    });
    assert.deepEqual(
      changes.map(({ before, after, transaction }) => [
        before.value,
        after.value,
        transaction?.hash,
      ]),
      [
        ['', 'true', sandboxHash('dollar-vault')],
        ['true', 'false', sandboxHash('dollar-feed-changed')],
      ],
    );
    const [created, broken] = changes;
    assert.deepEqual(
      created?.state.map(({ part, before }) => [part, before]),
      [['code', '0x']],
    );
    assert.deepEqual(
      broken?.writes.map(({ file, line }) => [file, line]),
      [['DollarVault.sol', 76]],
    );
  });

  it('finds the position in a block of transactions that nobody signed', async () => {
    const { rpc, forkId } = await createFork(service, { chainId: 31337, height: '0xd' });
    const to = `0x${'e1'.repeat(20)}`;
    await call(rpc, 'evm_setAutomine', false);
    for (const value of ['0x5', '0x7', '0x9']) {
      await call(rpc, 'eth_sendTransaction', { from: ALICE, to, value });
    }
    await call(rpc, 'evm_mine');
    const { changes } = await bisect({ expression: `${to}.balance > 5`, from: 13 }, forkId);
    assert.deepEqual(
      changes.map(({ blockNumber, transaction, difference }) => [
        blockNumber,
        transaction?.position,
        difference,
      ]),
      [[14, 1, undefined]],
    );
  });

  it('is refused by name where there is nothing to find', async () => {
    const refusals: [object, RegExp][] = [
      [
        { expression: `${HBR}.totalSupply()`, from: 6 },
        /^the expression is \d+ after block 6 and after block 18: /,
      ],
      [
        { expression: `${ALICE}.totalSupply()`, from: 6 },
        /^expression has no value after block 6 and after block 18: nothing at 0x7099\w+ answers totalSupply; /,
      ],
      [
        { expression: '1 +', from: 6 },
        /^expression is "1 \+"; the expression ends where a value is expected/,
      ],
      [{ expression: 'vault.total()', from: 6 }, /vault is not known here/],
      [{ expression: `${VAULT}.withdraw()`, from: 6 }, /withdraw may change the state/],
      [{ expression: `${VAULT}.steal()`, from: 6 }, /no function steal of 0xc3e5\w+ is known/],
      [
        { expression: '0x9Fe46736679d2d9a65f0992f2272de9f3c7fa6e0.balance', from: 6 },
        /^an address in expression is /,
      ],
      [
        { expression: `${HBR}.totalSupply()`, from: 13, to: 6 },
        /^from is 13; accepted: a block below 6/,
      ],
      [{ expression: `${HBR}.totalSupply()`, from: 6, to: 99 }, /^to is 99 /],
      [
        { expression: `${HBR}.totalSupply()`, from: 6, functions: ['total('] },
        /^functions is "total\("/,
      ],
      [{ expression: 'x', from: 6, names: { '1x': HBR } }, /names/],
    ];
    for (const [body, reason] of refusals) {
      const { message } = await ask(body);
      assert.match(message, reason);
    }
  });

  const sendEther = async (fork: Fork): Promise<string> => {
    const to = `0x${'77'.repeat(20)}`;
    await call(fork.rpc, 'eth_sendTransaction', { from: ALICE, to, value: '0x5' });
    return to;
  };
});

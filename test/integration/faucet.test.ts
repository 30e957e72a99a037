import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Interface, toBeHex } from 'ethers';
import { Foundry } from '../support/foundry';
import { call, refusal } from '../support/json-rpc';
import { useFork } from './fork-suite';
import { ALICE, BOB, COUNTER } from './fork-upstream';

const TOKEN = `0x${'70'.repeat(20)}`;
const OTHER = `0x${'71'.repeat(20)}`;
const HOLDER = `0x${'99'.repeat(20)}`;
const IMPLEMENTATION = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a33a5e5e1f0c3b9d2f';

const VIEWS = new Interface([
  'function balanceOf(address) view returns (uint256)',
  'function holders(address) view returns (uint64 nonce, uint128 balance, bool frozen)',
  'function mint(address to, uint256 id)',
  'function ownerOf(uint256) view returns (address)',
  'function transfer(address, uint256) returns (bool)',
]);
const MULTI = new Interface(['function balanceOf(address, uint256) view returns (uint256)']);

const word = (value: bigint | string): string => toBeHex(value, 32);

describe('the faucet', function () {
  const on = useFork();
  let foundry: Foundry;

  before(async () => {
    foundry = await Foundry.open(on.engines.home);
    await foundry.forge('build', 'src/Tokens.sol');
  });

  async function put(name: string, address = TOKEN): Promise<void> {
    const file = join(foundry.project, `out/Tokens.sol/${name}.json`);
    const artifact = JSON.parse(await readFile(file, 'utf8')) as {
      deployedBytecode: { object: string };
    };
    await call(on.rpc, 'anvil_setCode', address, artifact.deployedBytecode.object);
  }

  const read = async (name: string, ...args: unknown[]) =>
    VIEWS.decodeFunctionResult(
      name,
      await call(
        on.rpc,
        'eth_call',
        { to: TOKEN, data: VIEWS.encodeFunctionData(name, args) },
        'latest',
      ),
    );
  const balance = async (account = HOLDER) => (await read('balanceOf', account))[0] as bigint;
  const set = (amount: unknown, account: unknown = HOLDER) =>
    call(on.rpc, 'tenderly_setErc20Balance', TOKEN, account, amount);

  for (const name of ['Plain', 'Vyperish', 'Packed', 'Flagged']) {
    it(`sets, adds to and clears balances of a token such as ${name}`, async () => {
      await put(name);
      assert.equal(await set('0xde0b6b3a7640000'), null);
      assert.equal(await balance(), 10n ** 18n);
      await call(on.rpc, 'tenderly_addErc20Balance', TOKEN, [HOLDER], '5');
      assert.equal(await balance(), 10n ** 18n + 5n);
      await set(0);
      assert.equal(await balance(), 0n);
      await set('7', [HOLDER, BOB.address]);
      assert.deepEqual([await balance(), await balance(BOB.address)], [7n, 7n]);
      assert.equal(await balance(ALICE.address), 0n);
    });
  }

  it('accepts the parameters of each tool in its own order', async () => {
    await put('Plain');
    for (const [i, method] of ['anvil_dealERC20', 'hardhat_dealERC20'].entries()) {
      assert.equal(await call(on.rpc, method, HOLDER, TOKEN, `0x${i + 1}`), null);
      assert.equal(await balance(), BigInt(i + 1));
    }
    await call(on.rpc, 'forklens_setErc20Balance', TOKEN, HOLDER, 9);
    assert.equal(await balance(), 9n);
    await call(on.rpc, 'tenderly_setMaxErc20Balance', TOKEN, HOLDER);
    assert.equal(await balance(), (1n << 256n) - 1n);
    for (const [params, said] of [
      [[TOKEN, '0x12', '0x1'], /^account is "0x12"; accepted: an address: 0x and 40 hex digits$/],
      [[TOKEN, HOLDER, '-1'], /^amount is "-1"; accepted: a whole number from 0 to 2\^256 - 1$/],
      [[TOKEN, HOLDER], /^amount is missing; accepted: a whole number/],
    ] as [unknown[], RegExp][]) {
      const error = await refusal(on.rpc, 'tenderly_setErc20Balance', ...params);
      assert.equal(error.code, -32602);
      assert.match(error.message, said);
    }
  });

  it('credits balances that can be spent and survive a killed engine', async () => {
    await put('Plain');
    await set('0x64');
    await call(on.rpc, 'anvil_setBalance', HOLDER, '0xde0b6b3a7640000');
    const data = VIEWS.encodeFunctionData('transfer', [BOB.address, 40]);
    await call(on.rpc, 'eth_sendTransaction', { from: HOLDER, to: TOKEN, data });
    process.kill(on.service.engine.pid, 'SIGKILL');
    await on.service.engine.exited;
    assert.deepEqual([await balance(), await balance(BOB.address)], [60n, 40n]);
  });

  it('preserves the other fields in the word of a balance', async () => {
    await put('Packed');
    await put('Packed', OTHER);
    await set('0x1');
    // Nonce 5 below the balance, and the flag above it.
    const { accessList } = await call<{
      accessList: { storageKeys: string[] }[];
    }>(on.rpc, 'eth_createAccessList', {
      to: TOKEN,
      data: VIEWS.encodeFunctionData('holders', [HOLDER]),
    });
    const slot = accessList[0]?.storageKeys[0];
    await call(on.rpc, 'anvil_setStorageAt', TOKEN, slot, word((1n << 192n) | (1n << 64n) | 5n));
    await set('0xffffffffffffffff');
    assert.deepEqual([...(await read('holders', HOLDER))], [5n, (1n << 64n) - 1n, true]);
    await call(on.rpc, 'tenderly_setMaxErc20Balance', TOKEN, HOLDER);
    assert.deepEqual([...(await read('holders', HOLDER))], [5n, (1n << 128n) - 1n, true]);
    const error = await refusal(
      on.rpc,
      'tenderly_setErc20Balance',
      TOKEN,
      HOLDER,
      toBeHex(1n << 128n),
    );
    assert.match(
      error.message,
      /^the amount is \d+; accepted: up to \d+, which the token can store$/,
    );
  });

  it('finds balances behind proxies, and in contracts that store the balances for others', async () => {
    await put('Proxy');
    await put('Plain', OTHER);
    await call(on.rpc, 'anvil_setStorageAt', TOKEN, IMPLEMENTATION, word(OTHER));
    await set('0x2a');
    assert.equal(await balance(), 42n);
    await put('Elsewhere');
    await call(on.rpc, 'anvil_setStorageAt', TOKEN, '0x0', word(OTHER));
    await set('0x2b');
    assert.equal(await balance(), 43n);
    assert.equal(
      BigInt(await call(on.rpc, 'eth_getStorageAt', TOKEN, '0x0', 'latest')),
      BigInt(OTHER),
    );
  });

  it('converts amounts to shares if they divide evenly, and rejects other amounts', async () => {
    await put('Shares');
    await call(on.rpc, 'anvil_setStorageAt', TOKEN, '0x0', '0x3');
    await call(on.rpc, 'anvil_setStorageAt', TOKEN, '0x1', '0x2');
    await set('0xf4240');
    assert.equal(await balance(), 1_000_000n);
    await call(on.rpc, 'anvil_setStorageAt', TOKEN, '0x0', '0x30');
    const error = await refusal(on.rpc, 'tenderly_setErc20Balance', TOKEN, HOLDER, '0x64');
    assert.equal(error.code, -32002);
    assert.match(
      error.message,
      /can set its balance to 100: the contract computes the balance from several slots, or rounds it$/,
    );
    assert.equal(BigInt(await call(on.rpc, 'eth_getStorageAt', TOKEN, '0x0', 'latest')), 0x30n);
  });

  it('rejects contracts that fail', async () => {
    await call(on.rpc, 'anvil_setCode', OTHER, '0x01'); // ADD without a stack
    for (const method of ['tenderly_setErc20Balance', 'tenderly_addErc20Balance']) {
      const error = await refusal(on.rpc, method, OTHER, HOLDER, '0x1');
      assert.equal(error.code, -32002);
      assert.match(
        error.message,
        /returns no balance of 0x9{40}: it is not a token of this standard$/,
      );
    }
  });

  it("rejects tokens that do not store the account's balance", async () => {
    for (const name of ['Computed', 'Everyones']) {
      await put(name);
      const error = await refusal(on.rpc, 'anvil_dealERC20', HOLDER, TOKEN, '0x1');
      assert.equal(error.code, -32002);
      assert.match(error.message, /does not store a balance of 0x99/, name);
    }
    const nothing = await refusal(on.rpc, 'anvil_dealERC20', HOLDER, BOB.address, '0x1');
    assert.match(nothing.message, /it is not a token of this standard$/);
    await call(on.rpc, 'anvil_setCode', OTHER, '0x01'); // ADD on an empty stack
    for (const method of ['tenderly_setErc20Balance', 'tenderly_addErc20Balance']) {
      const failing = await refusal(on.rpc, method, OTHER, HOLDER, '0x1');
      assert.equal(failing.code, -32002);
      assert.match(failing.message, /it is not a token of this standard$/);
    }
    const counter = await refusal(on.rpc, 'anvil_dealERC20', HOLDER, COUNTER, '0x1');
    assert.match(counter.message, /does not store a balance of /);
  });

  it('refuses an allowance of an account that is no token', async () => {
    const params = [HOLDER, OTHER, BOB.address, '0x1'];
    const { code, message } = await refusal(on.rpc, 'anvil_setERC20Allowance', ...params);
    assert.equal(code, -32002);
    assert.match(message, /^no storage slot of the allowance was found: .*anvil_setStorageAt$/);
  });

  it('deals ERC-1155 by the balance of an id, and ERC-721 by a transfer from the owner', async () => {
    await put('Multi');
    await call(on.rpc, 'forklens_dealERC1155', TOKEN, HOLDER, 5, '0x64');
    for (const [id, balance] of [
      [5, 100n],
      [6, 0n],
    ] as const) {
      const data = MULTI.encodeFunctionData('balanceOf', [HOLDER, id]);
      assert.equal(BigInt(await call(on.rpc, 'eth_call', { to: TOKEN, data }, 'latest')), balance);
    }
    await put('Unique');
    for (const id of [1, 13]) {
      const data = VIEWS.encodeFunctionData('mint', [COUNTER, id]);
      await call(on.rpc, 'eth_sendTransaction', { from: ALICE.address, to: TOKEN, data });
    }
    assert.equal(await call(on.rpc, 'forklens_dealERC721', TOKEN, HOLDER, '0x1'), null);
    assert.equal(((await read('ownerOf', 1))[0] as string).toLowerCase(), HOLDER);
    assert.deepEqual([await balance(), await balance(COUNTER)], [1n, 1n]);
    assert.equal(await call(on.rpc, 'eth_getBalance', COUNTER, 'latest'), '0x0');
    const bound = await refusal(on.rpc, 'forklens_dealERC721', TOKEN, HOLDER, 13);
    assert.match(bound.message, /cannot transfer token 13 of .*soulbound/);
    const none = await refusal(on.rpc, 'forklens_dealERC721', TOKEN, HOLDER, 2);
    assert.match(none.message, /has no token 2/);
  });
});

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { call, refusal } from '../support/json-rpc';
import { useFork } from './fork-suite';
import { ALICE, BOB, COUNTER } from './fork-upstream';

const hexOf = (bytes: Buffer): string => `0x${bytes.toString('hex')}`;
const plain = (state: unknown): string => hexOf(Buffer.from(JSON.stringify(state)));

describe("the state of a fork in anvil's format", () => {
  const on = useFork();
  const balance = (rpc: string) => call(rpc, 'eth_getBalance', BOB.address, 'latest');

  it('can be loaded by another fork and by anvil', async () => {
    await on.increment();
    await call(on.rpc, 'anvil_setBalance', BOB.address, '0x1234');
    const dump = await call(on.rpc, 'anvil_dumpState');
    const other = await on.service.create({ height: '0x1' });
    await call(other.rpc, 'evm_mine');
    const head = await call(other.rpc, 'eth_blockNumber');
    const bare = await on.engines.start({ hardfork: 'prague' });
    for (const url of [other.rpc, bare.url]) {
      assert.equal(await call<unknown>(url, 'anvil_loadState', dump), true);
      assert.equal(await balance(url), '0x1234');
      assert.equal(Number(await call(url, 'eth_getStorageAt', COUNTER, '0x0', 'latest')), 2);
      assert.notEqual(await call(url, 'eth_getCode', COUNTER, 'latest'), '0x');
    }
    assert.equal(await call(other.rpc, 'eth_blockNumber'), head, 'the fork keeps its own blocks');
    await bare.stop();
    await call(other.rpc, 'eth_sendTransaction', { from: ALICE.address, to: COUNTER });
    const made = await call(other.rpc, 'eth_getBlockByNumber', 'latest', true);
    await on.service.engine.stop();
    for (const { engine } of on.service.started) await engine.stop();
    assert.equal(await balance(other.rpc), '0x1234');
    assert.deepEqual(await call(other.rpc, 'eth_getBlockByNumber', 'latest', true), made);
  });

  it("has the same format as anvil's --dump-state and --load-state", async () => {
    const file = join(on.engines.home, 'state.json');
    const written = await on.engines.start({
      hardfork: 'prague',
      extraArguments: ['--dump-state', file],
    });
    const word = `0x${'0'.repeat(62)}07`;
    await call(written.url, 'anvil_setStorageAt', COUNTER, '0x1', word);
    await call(written.url, 'anvil_setCode', COUNTER, '0x6001');
    await call(written.url, 'anvil_setBalance', BOB.address, '0x77');
    await written.stop();
    const state = hexOf(await readFile(file));
    assert.equal(await call<unknown>(on.rpc, 'anvil_loadState', state), true);
    assert.equal(await call(on.rpc, 'eth_getStorageAt', COUNTER, '0x1', 'latest'), word);
    assert.equal(await call(on.rpc, 'eth_getCode', COUNTER, 'latest'), '0x6001');
    assert.equal(await balance(on.rpc), '0x77');

    // Without its own block, and with one.
    for (const head of ['0x0', '0x4']) {
      const dump = await call(on.rpc, 'anvil_dumpState');
      await writeFile(file, gunzipSync(Buffer.from(dump.slice(2), 'hex')));
      const read = await on.engines.start({
        hardfork: 'prague',
        extraArguments: ['--load-state', file],
      });
      assert.equal(await call(read.url, 'eth_getStorageAt', COUNTER, '0x1', 'latest'), word);
      assert.equal(await balance(read.url), '0x77');
      assert.equal(await call(read.url, 'eth_blockNumber'), head);
      await read.stop();
      await call(on.rpc, 'evm_mine');
    }
  });

  it('is undone by a revert', async () => {
    const snapshot = await call(on.rpc, 'evm_snapshot');
    const account = { nonce: 7, balance: '0x5', code: '0x', storage: {} };
    const state = plain({ accounts: { [BOB.address]: account } });
    assert.equal(await call<unknown>(on.rpc, 'hardhat_loadState', state), true);
    const nonce = () => call(on.rpc, 'eth_getTransactionCount', BOB.address, 'latest');
    assert.deepEqual([await balance(on.rpc), await nonce()], ['0x5', '0x7']);
    await call(on.rpc, 'evm_revert', snapshot);
    assert.notEqual(await balance(on.rpc), '0x5');
    assert.equal(await nonce(), '0x0');
  });

  it('never contains future blocks, whatever the client sends', async () => {
    const dump = await call(on.rpc, 'anvil_dumpState');
    const state = JSON.parse(gunzipSync(Buffer.from(dump.slice(2), 'hex')).toString()) as Record<
      string,
      unknown
    >;
    const sent = { ...state, best_block_number: 9_999, blocks: [{ header: {} }] };
    assert.equal(await call<unknown>(on.rpc, 'anvil_loadState', plain(sent)), true);
    assert.equal(await call(on.rpc, 'eth_blockNumber'), '0x3');
  });

  it('is rejected with the reason', async () => {
    const account = { nonce: 0, balance: '0x0', code: '0x', storage: {} };
    const one = (changes: object) => plain({ accounts: { [COUNTER]: { ...account, ...changes } } });
    const bomb = hexOf(gzipSync(Buffer.alloc(40 * 1024 * 1024, 0x20)));
    for (const [state, message] of [
      [undefined, /^the state is /],
      ['0x', /^the state is "0x"; accepted: the result of anvil_dumpState: bytes as hex$/],
      ['0x1f8b00', /^the state is "3 bytes"; accepted: JSON of up to 33554432 bytes/],
      [bomb, /accepted: JSON of up to 33554432 bytes/],
      [plain([]), /^the state is /],
      [plain({}), /^accounts is /],
      [plain({ accounts: { '0x1': account } }), /^an address of accounts is "0x1"/],
      [plain({ accounts: { [COUNTER]: null } }), /^accounts\.0xc0.* is null; accepted: an object/],
      [one({ nonce: -1 }), /^accounts\.0xc0.*\.nonce is -1; accepted: a quantity/],
      [one({ balance: `0x1${'0'.repeat(64)}` }), /\.balance is .*; accepted: a quantity/],
      [one({ code: '0x0' }), /\.code is "0x0"; accepted: bytes as hex/],
      [one({ storage: { x: '0x1' } }), /\.storage is "x"; accepted: a quantity/],
    ] as [unknown, RegExp][]) {
      const error = await refusal(on.rpc, 'anvil_loadState', state);
      assert.equal(error.code, -32602, error.message);
      assert.match(error.message, message);
    }
    assert.equal((await refusal(on.rpc, 'anvil_dumpState', true)).code, -32602);
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Fork } from '../../server/api/fork';
import { call, refusal } from '../support/json-rpc';
import { createFork } from '../support/service';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';

/** It can be converted neither to a text nor to a number. */
const OBJECT = { toString: 1, valueOf: 1 };

describe("parameters that would crash a fork's engine", () => {
  let service: SandboxService;
  let fork: Fork;
  before(async () => {
    service = await sandboxService();
    fork = await createFork(service, { chainId: 31337 });
  });
  after(() => service.release());

  for (const [method, ...params] of [
    ['evm_increaseTime', '0x'],
    ['evm_increaseTime', ''],
    ['evm_increaseTime', -1],
    ['evm_increaseTime', 1.5],
    ['evm_increaseTime', 10 ** 15],
    ['evm_increaseTime', '0x38d7ea4c68000'],
    ['evm_increaseTime', OBJECT],
    ['evm_increaseTime'],
    ['evm_setNextBlockTimestamp', 10 ** 15],
    ['evm_setNextBlockTimestamp', OBJECT],
    ['evm_setTime', 10 ** 13],
    ['anvil_setBlockTimestampInterval', 10 ** 13],
    ['evm_mine', 10 ** 15],
    ['evm_mine', { timestamp: 10 ** 15 }],
    ['anvil_mine', '0x2', 10 ** 15],
    ['anvil_mine', ''],
    ['evm_setIntervalMining', OBJECT],
    ['wallet_switchEthereumChain', { chainId: OBJECT }],
    ['eth_sendTransaction', { from: `0x${'1'.repeat(40)}`, chainId: OBJECT }],
    ['eth_getFilterChanges', OBJECT],
    ['eth_uninstallFilter', OBJECT],
  ] as [string, ...unknown[]][]) {
    it(`rejects ${method} ${JSON.stringify(params)}`, async () => {
      const { code, message } = await refusal(fork.rpc, method, ...params);
      assert.equal(code, -32602, message);
      assert.match(message, / is .*; accepted: /);
    });
  }

  for (const [method, ...params] of [
    ['anvil_setStorageAt', OBJECT, '0x0', '0x0'],
    ['anvil_setNextBlockBaseFeePerGas', OBJECT],
    ['tenderly_setBlockGasLimit', OBJECT],
    ['eth_getTransactionByBlockNumberAndIndex'],
    ['eth_getRawTransactionByBlockNumberAndIndex'],
  ] as [string, ...unknown[]][]) {
    it(`passes ${method} ${JSON.stringify(params)} to the engine, which rejects it`, async () => {
      const { code, message } = await refusal(fork.rpc, method, ...params);
      assert.equal(code, -32602, message);
    });
  }

  it('refuses calls on blocks that are looked up, while the engine refuses the call', async () => {
    await call(fork.rpc, 'anvil_mine', '0x3');
    const { hash } = await call<{ hash: string }>(
      fork.rpc,
      'eth_getBlockByNumber',
      'latest',
      false,
    );
    const wrong = { to: `0x${'1'.repeat(40)}`, nonce: `0x${'9'.repeat(64)}` };
    for (const block of [{ blockHash: hash }, { blockHash: `0x${'5'.repeat(64)}` }, 'earliest']) {
      const { code } = await refusal(fork.rpc, 'eth_call', wrong, block);
      assert.ok(code === -32602 || code === -32001, `${code}`);
    }
    // A rejection that nobody has handled would have ended the service.
    assert.equal((await service.request('GET', '/v1/projects')).status, 200);
  });

  it('mines after all of them, up to the end of the year 9999', async () => {
    await call(fork.rpc, 'evm_mine');
    await call(fork.rpc, 'evm_setNextBlockTimestamp', 253_402_300_799);
    await call(fork.rpc, 'evm_mine');
    const late = await refusal(fork.rpc, 'evm_increaseTime', 1);
    assert.equal(late.code, -32602);
    const { timestamp } = await call<{ timestamp: string }>(
      ...([fork.rpc, 'eth_getBlockByNumber', 'latest', false] as const),
    );
    assert.equal(Number(timestamp), 253_402_300_799);
  });

  it('rejects an invalid subscription id', async () => {
    const socket = new WebSocket(fork.rpc.replace('http', 'ws'));
    await once(socket, 'open');
    for (const id of [OBJECT, 1, null]) {
      const params = [id];
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_unsubscribe', params }));
      const [data] = (await once(socket, 'message')) as [Buffer];
      const { error } = JSON.parse(data.toString()) as { error: { code: number } };
      assert.equal(error.code, -32602);
    }
    socket.close();
    await once(socket, 'close');
  });
});

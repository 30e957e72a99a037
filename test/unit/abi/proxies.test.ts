import assert from 'node:assert/strict';
import { findImplementations } from '../../../server/abi/proxies';
import type { Address, Hex } from '../../../server/api/primitives';
import { account, network, word } from '../../support/analysis';
import { ScriptedRpc, type Handlers } from '../../support/scripted-rpc';

const IMPLEMENTATION = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
const BEACON = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50';
const TARGET: Address = '0xbebebebebebebebebebebebebebebebebebebebe';
const EIP1967_CODE: Hex = `0x6080${IMPLEMENTATION.slice(2)}54`;
const BEACON_CODE: Hex = `0x6080${BEACON.slice(2)}54`;

async function implementationOf(code: Hex, handlers: Handlers = {}) {
  const rpc = new ScriptedRpc(handlers);
  const never = new AbortController().signal;
  const found = await findImplementations(network(rpc), new Map([[account(1), code]]), 100n, never);
  return { target: found.get(account(1)), calls: rpc.calls };
}

describe('findImplementations', () => {
  it('reads the target of a minimal proxy in its code', async () => {
    const tail = '5af43d82803e903d91602b57fd5bf3';
    for (const [code, target] of [
      [`0x363d3d373d3d3d363d73${TARGET.slice(2)}${tail}`, TARGET],
      [`0x363d3d373d3d3d363d6f${'f4'.repeat(16)}${tail}`, `0x00000000${'f4'.repeat(16)}`],
      [`0x365f5f375f5f365f73${TARGET.slice(2)}${tail}`, TARGET],
      [`0x363d3d373d3d3d363d73${TARGET.slice(2)}00`, undefined],
      [`0x363d3d373d3d3d363d7f${'00'.repeat(32)}${tail}`, undefined],
    ] as [Hex, Address | undefined][]) {
      assert.equal((await implementationOf(code)).target, target, code);
    }
  });

  it('reads the code that an account delegates to', async () => {
    const { target, calls } = await implementationOf(`0xef0100${TARGET.slice(2)}`);
    assert.equal(target, TARGET);
    assert.deepEqual(calls, []);
  });

  it('reads the slot of EIP-1967 at the block', async () => {
    const { target, calls } = await implementationOf(EIP1967_CODE, {
      eth_getStorageAt: () => word(TARGET),
    });
    assert.equal(target, TARGET);
    assert.deepEqual(calls, [
      { method: 'eth_getStorageAt', params: [account(1), IMPLEMENTATION, '0x64'] },
    ]);
  });

  it('asks a beacon for its implementation', async () => {
    const { target, calls } = await implementationOf(BEACON_CODE, {
      eth_getStorageAt: () => word(account(0xbea)),
      eth_call: () => word(TARGET),
    });
    assert.equal(target, TARGET);
    assert.deepEqual(calls[1]?.params, [{ to: account(0xbea), data: '0x5c60da1b' }, '0x64']);
  });

  it('asks nothing about code that holds none of the slots', async () => {
    const { target, calls } = await implementationOf('0x6080604052');
    assert.equal(target, undefined);
    assert.deepEqual(calls, []);
  });

  it('knows nothing where the node does not answer, or the slot is empty or no address', async () => {
    for (const answer of [word(0), `0x${'ff'.repeat(32)}`, null, 5]) {
      const { target } = await implementationOf(EIP1967_CODE, { eth_getStorageAt: () => answer });
      assert.equal(target, undefined);
    }
    assert.equal((await implementationOf(EIP1967_CODE)).target, undefined);
  });
});

import assert from 'node:assert/strict';
import { AbiCoder, id } from 'ethers';
import { findImplementations } from '../../../../server/contracts/abi/proxies';
import type { Address, Hex } from '../../../../server/api/primitives';
import { account, network, word } from '../../../support/analysis';
import { ScriptedRpc, type Handlers } from '../../../support/scripted-rpc';

const IMPLEMENTATION = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
const BEACON = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50';
const TARGET: Address = '0xbebebebebebebebebebebebebebebebebebebebe';
const EIP1967_CODE: Hex = `0x6080${IMPLEMENTATION.slice(2)}54`;
const BEACON_CODE: Hex = `0x6080${BEACON.slice(2)}54`;

async function implementationOf(code: Hex, handlers: Handlers = {}) {
  const rpc = new ScriptedRpc(handlers);
  const never = new AbortController().signal;
  const found = await findImplementations(network(rpc), new Map([[account(1), code]]), 100n, never);
  const targets = found.get(account(1));
  return { target: targets?.implementation, facets: targets?.facets, calls: rpc.calls };
}

describe('findImplementations', () => {
  it('reads the target in the code of a minimal proxy', async () => {
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

  it('calls a beacon for its implementation', async () => {
    const { target, calls } = await implementationOf(BEACON_CODE, {
      eth_getStorageAt: () => word(account(0xbea)),
      eth_call: () => word(TARGET),
    });
    assert.equal(target, TARGET);
    assert.deepEqual(calls[1]?.params, [{ to: account(0xbea), data: '0x5c60da1b' }, '0x64']);
  });

  it('reads the slots of EIP-1822 and ZeppelinOS, and slot 0 of a Safe', async () => {
    for (const [code, slot] of [
      [`0x6080${id('PROXIABLE').slice(2)}54`, id('PROXIABLE')],
      [
        `0x6080${id('org.zeppelinos.proxy.implementation').slice(2)}54`,
        id('org.zeppelinos.proxy.implementation'),
      ],
      ['0x608060405273ffffffff600054167fa619486e00000000', word(0)],
    ] as [Hex, Hex][]) {
      const { target, calls } = await implementationOf(code, {
        eth_getStorageAt: () => word(TARGET),
      });
      assert.equal(target, TARGET);
      assert.deepEqual(calls[0]?.params, [account(1), slot, '0x64']);
    }
    const long: Hex = `0x${'5b'.repeat(500)}a619486e`;
    assert.deepEqual((await implementationOf(long)).calls, []);
  });

  it('calls a diamond for its facets', async () => {
    const storage = id('diamond.standard.diamond.storage').slice(2);
    const facets = [account(0xfa1), account(0xfa2)];
    const answer = AbiCoder.defaultAbiCoder().encode(['address[]'], [facets]);
    const found = await implementationOf(`0x6080${storage}`, { eth_call: () => answer });
    assert.deepEqual(found.facets, facets);
    assert.deepEqual(found.calls, [
      { method: 'eth_call', params: [{ to: account(1), data: '0x52ef6b2c' }, '0x64'] },
    ]);
    for (const bad of ['0x', null, answer.slice(0, -64), word(1)]) {
      const none = await implementationOf(`0x6080${storage}`, { eth_call: () => bad });
      assert.equal(none.facets, undefined);
    }
  });

  it('sends no request for code that contains none of the slots', async () => {
    const { target, calls } = await implementationOf('0x6080604052');
    assert.equal(target, undefined);
    assert.deepEqual(calls, []);
  });

  it('finds nothing if the node does not answer, or if the slot is empty or contains no address', async () => {
    for (const answer of [word(0), `0x${'ff'.repeat(32)}`, null, 5]) {
      const { target } = await implementationOf(EIP1967_CODE, { eth_getStorageAt: () => answer });
      assert.equal(target, undefined);
    }
    assert.equal((await implementationOf(EIP1967_CODE)).target, undefined);
  });
});

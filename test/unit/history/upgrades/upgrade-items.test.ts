import assert from 'node:assert/strict';
import { ContractInterface } from '../../../../server/analysis/contract-interface';
import type { Hex } from '../../../../server/api/primitives';
import type { UpgradeItem } from '../../../../server/api/upgrade-check';
import { toWord } from '../../../../server/evm/forms/quantity';
import { authorityOf } from '../../../../server/history/upgrades/authority';
import {
  codeItems,
  namespaceItems,
  slotOfNamespace,
} from '../../../../server/history/upgrades/code-items';
import { initializerItems } from '../../../../server/history/upgrades/initializers';
import { interfaceChanges } from '../../../../server/history/upgrades/interface-changes';
import { ScriptedRpc } from '../../../support/scripted-rpc';

const PROXY: Hex = `0x${'aa'.repeat(20)}`;
const SAFE: Hex = `0x${'5a'.repeat(20)}`;
const texts = (items: readonly UpgradeItem[]): string[] =>
  items.map(({ level, text }) => `${level}: ${text}`);
const abi = (...items: string[]): ContractInterface => ContractInterface.fromAbi(items);
const { signal } = new AbortController();

describe('the interface of new code', () => {
  it('loses functions and events, changes them, or hides behind the proxy', () => {
    const old = abi(
      'function a() view returns (uint256)',
      'function b()',
      'function c() view returns (uint8)',
      'function upgradeTo(address)',
      'event E(address indexed x)',
      'event F()',
    );
    const now = abi(
      'function a() view returns (uint8)',
      'function c() returns (uint8)',
      'function d()',
      'event E(address x)',
    );
    assert.deepEqual(texts(interfaceChanges(old, now, abi('function d()'))), [
      'error: d() is never reached: the proxy answers the selector 0xb1fe0d23 itself, by d()'.replace(
        '0xb1fe0d23',
        now.functionsNamed('d')[0]!.selector,
      ),
      'warning: a() returned (uint256) and returns (uint8)',
      'warning: b() is gone',
      'warning: c() was view and is nonpayable',
      'warning: upgradeTo(address) is gone',
      'info: new functions: d()',
      'error: upgradeTo(address) and upgradeToAndCall(address,bytes) are gone: the proxy could not be upgraded again',
      'warning: the event E(address) has other indexed arguments',
      'warning: the event F() is gone',
    ]);
  });

  it('is unknown where that of the implementation is', () => {
    assert.deepEqual(
      interfaceChanges(undefined, abi(), undefined).map(({ level }) => level),
      ['unknown'],
    );
  });
});

describe('new code', () => {
  const code = (bytes: number, names: string[] = [], namespaces: string[] = []) => ({
    name: 'V',
    code: `0x${'00'.repeat(bytes)}` as const,
    immutables: names.map((name) => ({ name, ranges: [] })),
    abi: [],
    namespaces,
  });
  const source = (
    content: string,
    immutables: { name: string; type: string; value: string }[] = [],
  ) => ({ source: { immutables, files: [{ name: 'V.sol', content }] } }) as never;

  it('has a limit, and immutables that the artifact does not give', () => {
    const old = source('', [{ name: 'cap', type: 'uint256', value: '0x05' }]);
    assert.deepEqual(texts(codeItems(code(24_577, ['owner']), old)), [
      'error: the new code has 24577 bytes; the limit is 24576 (EIP-170)',
      'warning: the immutable cap is gone; its value is 0x05',
      'unknown: the constructor of the new code sets immutables (owner): the artifact does not say to what',
    ]);
  });

  it('keeps the namespaces of the old source', () => {
    // The example of ERC-7201.
    const slot = '0x183a6125c38840424c4a85fa12bab2ab606c4b6d0e7cc73c0c06ba5300eab500';
    assert.equal(slotOfNamespace('example.main'), slot);
    const old = source('/// @custom:storage-location erc7201:example.main\nstruct S {}');
    const kept = { ...code(1), code: `0x7f${slot.slice(2)}` as Hex };
    assert.deepEqual(namespaceItems(kept, old), []);
    assert.deepEqual(
      [code(1), code(1, [], ['example.main'])].map((one) => namespaceItems(one, old)[0]?.level),
      ['error', 'unknown'],
    );
  });

  it('has a limit of namespaces that are searched', () => {
    const lines = Array.from(
      { length: 201 },
      (_, n) => `/// @custom:storage-location erc7201:n${n}`,
    );
    const items = namespaceItems(code(1), source(lines.join('\n')));
    assert.equal(items.length, 201);
    assert.deepEqual(
      texts(items).at(-1),
      'unknown: only the first 200 of 201 namespaces were checked',
    );
  });
});

describe('the initializers of new code', () => {
  const items = (word: bigint, ...functions: string[]): Promise<UpgradeItem[]> => {
    const rpc = new ScriptedRpc({ eth_getStorageAt: () => toWord(word) });
    return initializerItems(
      { rpc, address: PROXY, tag: '0x1' },
      abi(...functions),
      undefined,
      signal,
    );
  };
  const levels = async (word: bigint, ...functions: string[]): Promise<string> =>
    (await items(word, ...functions)).map(({ level }) => level).join();

  it('are compared with the version of the proxy', async () => {
    assert.equal(await levels(1n, 'function mint()'), 'info');
    assert.equal(await levels(1n, 'function initialize()'), 'info');
    assert.equal(await levels(1n, 'function reinitialize(uint64)'), 'warning');
    assert.equal(await levels(0n, 'function initialize()'), 'unknown');
  });

  it('are open where the proxy was never initialized', async () => {
    const rpc = new ScriptedRpc({ eth_getStorageAt: () => toWord(0) });
    const layout = { storage: [{ label: '_initialized', slot: '0', offset: 0, type: 't' }] };
    const live = { rpc, address: PROXY, tag: '0x1' as Hex };
    const [item] = await initializerItems(live, abi('function initialize()'), layout, signal);
    assert.equal(item?.level, 'error');
  });
});

describe('who may upgrade', () => {
  const authority = async (answers: Record<string, Hex>, code: Hex = '0x60', admin = toWord(0)) => {
    const rpc = new ScriptedRpc({
      eth_getStorageAt: () => admin,
      eth_getCode: () => code,
      eth_call: (...[{ to, data }]: [{ to: string; data: string }]) =>
        answers[`${to} ${data}`] ?? '0x',
    });
    return texts(await authorityOf({ rpc, address: PROXY, tag: '0x1' }, signal))[0];
  };
  const owner = '0x8da5cb5b';

  it('is unknown without an admin and an owner', async () => {
    assert.match((await authority({}))!, /^unknown: who may upgrade the proxy is not known/);
  });

  it('is one key, a multisig, a timelock, or the owner of a contract', async () => {
    const word = toWord(BigInt(SAFE));
    assert.match(
      (await authority({}, '0x', word))!,
      /^info: the admin of the proxy \(ERC-1967\) is 0x5a\w+; 0x5a\w+ is an account without code: one key decides$/,
    );
    const members = `0x${[32, 2, 1, 2].map((value) => toWord(value).slice(2)).join('')}` as const;
    const multisig = { [`${SAFE} 0xe75235b8`]: toWord(2), [`${SAFE} 0xa0e67e2b`]: members };
    assert.match(
      (await authority(multisig, '0x60', word))!,
      /is a multisig: 2 of 2 \(0x0{39}1, 0x0{39}2\)$/,
    );
    assert.match(
      (await authority({ [`${SAFE} 0xf27a0c92`]: toWord(172_800) }, '0x60', word))!,
      /is a timelock with a delay of 172800 seconds$/,
    );
    const owned = { [`${PROXY} ${owner}`]: word, [`${SAFE} ${owner}`]: toWord(7) };
    assert.match(
      (await authority(owned))!,
      /^info: the owner\(\) is 0x5a\w+; 0x5a\w+ is a contract that 0x0{39}7 owns; 0x0{39}7 is a contract whose rules were not read$/,
    );
  });
});

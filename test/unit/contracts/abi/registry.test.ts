import assert from 'node:assert/strict';
import { builtInSignatures } from '../../../../server/contracts/abi/built-in/signatures';
import { AbiRegistry } from '../../../../server/contracts/abi/registry';
import type { ContractSource } from '../../../../server/contracts/abi/sources';
import type { IdentifyRequest } from '../../../../server/analysis/ports';
import type { Address, Hash } from '../../../../server/api/primitives';
import { abi, account, BLOCK_HASH, network, word } from '../../../support/analysis';
import { ScriptedRpc, type Handlers } from '../../../support/scripted-rpc';

const NEVER = new AbortController().signal;
const request = (facts: Partial<IdentifyRequest> = {}): IdentifyRequest => ({
  addresses: new Set([account(1)]),
  deployed: new Map(),
  initCodes: new Set(),
  selectors: new Set(),
  topics: new Set(),
  block: { number: 100n, hash: BLOCK_HASH },
  ...facts,
});
/** A source that knows one address under one name; `asked` receives the requested codes. */
const source = (address: Address, name: string, asked: string[] = []): ContractSource => ({
  find: (_network, contracts) => {
    asked.push(...contracts.map(({ code }) => code));
    return Promise.resolve(new Map([[address, { name, interface: abi() }]]));
  },
});
const identify = (
  handlers: Handlers,
  contracts: ContractSource[] = [],
  facts: Partial<IdentifyRequest> = {},
) =>
  new AbiRegistry({
    contracts,
    signatures: [builtInSignatures],
    findCreation: (initCode) =>
      Promise.resolve(
        initCode === '0x6001' ? { name: 'Vault', interface: abi(), argumentsOffset: 1 } : undefined,
      ),
  }).identify(network(new ScriptedRpc(handlers)), request(facts), NEVER);

describe('AbiRegistry', () => {
  it('reads code before the block, and after it if there was none before', async () => {
    const asked: unknown[] = [];
    const { contracts } = await identify({
      eth_getCode: (address: string, tag: string) => {
        asked.push([address, tag]);
        return tag === '0x64' ? '0xAB' : '0x';
      },
    });
    assert.deepEqual(contracts.get(account(1)), { code: '0xab' });
    assert.deepEqual(asked, [
      [account(1), '0x63'],
      [account(1), '0x64'],
    ]);
  });

  it('reads code once for each block of a network', async () => {
    const rpc = new ScriptedRpc({ eth_getCode: () => '0xab' });
    const registry = new AbiRegistry({
      contracts: [],
      signatures: [],
      findCreation: () => Promise.resolve(undefined),
    });
    const ask = (key: string, hash: Hash) =>
      registry.identify(network(rpc, { key }), request({ block: { number: 100n, hash } }), NEVER);
    await ask('eth', BLOCK_HASH);
    const { contracts } = await ask('eth', BLOCK_HASH);
    assert.equal(contracts.get(account(1))?.code, '0xab');
    assert.equal(rpc.calls.length, 1);
    await ask('fork_1', BLOCK_HASH);
    await ask('eth', word(1));
    assert.equal(rpc.calls.length, 3);
  });

  it('uses the code that the transaction itself deployed', async () => {
    const { contracts } = await identify({}, [], {
      addresses: new Set([account(2)]),
      deployed: new Map([[account(2), '0xcd']]),
    });
    assert.deepEqual(contracts.get(account(2)), { code: '0xcd' });
  });

  it('queries the sources in their order, and not for accounts without code', async () => {
    const asked: string[] = [];
    const found = await identify(
      { eth_getCode: (address: string) => (address === account(3) ? '0x' : '0xab') },
      [source(account(1), 'first'), source(account(2), 'second', asked)],
      { addresses: new Set([account(1), account(2), account(3)]) },
    );
    const names = [1, 2, 3].map((number) => found.contracts.get(account(number))?.name);
    assert.deepEqual(names, ['first', 'second', undefined]);
    assert.deepEqual(asked, ['0xab']);
  });

  it('names methods of lists, and marks those that only the selector matches', async () => {
    const inPackages = abi('function mintTo(address)', 'function transfer(address,uint256)');
    const registry = new AbiRegistry({
      contracts: [],
      signatures: [
        builtInSignatures,
        { candidates: () => Promise.resolve([inPackages.as('packages')]) },
        { remote: true, candidates: () => Promise.reject(new Error('a list asks no service')) },
      ],
      findCreation: () => Promise.resolve(undefined),
    });
    const names = await registry.methodNames(new Set(['0xa9059cbb', '0x755edd17', '0x12345678']));
    assert.deepEqual(
      [...names],
      [
        ['0xa9059cbb', { method: 'transfer' }],
        ['0x755edd17', { method: 'mintTo', isGuessed: true }],
      ],
    );
  });

  it('identifies a proxy together with the code behind it', async () => {
    const { contracts } = await identify(
      {
        eth_getCode: (address: string) =>
          address === account(1) ? `0xef0100${account(9).slice(2)}` : '0xab',
      },
      [source(account(9), 'Behind')],
    );
    assert.equal(contracts.get(account(1))?.implementation, account(9));
    assert.equal(contracts.get(account(9))?.name, 'Behind');
  });

  it('identifies creations, and returns signatures without an address', async () => {
    const { creations, signatures } = await identify({}, [], {
      initCodes: new Set(['0x6001', '0x6002']),
    });
    assert.deepEqual([...creations.keys()], ['0x6001']);
    assert.equal(signatures[0]?.functions('0xa9059cbb')[0]?.name, 'transfer');
  });

  it('queries a service only for unknown signatures, and not at all for private networks', async () => {
    const asked: string[][] = [];
    const contractsAsked: string[] = [];
    const registry = new AbiRegistry({
      contracts: [{ ...source(account(1), 'Remote', contractsAsked), remote: true }],
      signatures: [
        builtInSignatures,
        {
          remote: true,
          candidates: ({ selectors }) => {
            asked.push([...selectors]);
            return Promise.resolve([]);
          },
        },
      ],
      isPrivate: ({ key }) => key === 'mine',
      findCreation: () => Promise.resolve(undefined),
    });
    const rpc = new ScriptedRpc({ eth_getCode: () => '0xab' });
    const wanted = request({ selectors: new Set(['0xa9059cbb', '0x12345678']) });
    const open = await registry.identify(network(rpc), wanted, NEVER);
    const own = await registry.identify(network(rpc, { key: 'mine' }), wanted, NEVER);
    assert.deepEqual(asked, [['0x12345678']]);
    assert.deepEqual(contractsAsked, ['0xab']);
    assert.equal(open.contracts.get(account(1))?.name, 'Remote');
    assert.equal(own.contracts.get(account(1))?.name, undefined);
  });

  it('returns the ABI that the user gave for an address next to the verified one', async () => {
    const given = abi('function pay(uint256 amount)');
    const seen: unknown[] = [];
    const registry = new AbiRegistry({
      contracts: [source(account(1), 'Verified')],
      signatures: [],
      given: {
        givenBy: (user, chains, addresses) => {
          seen.push([user, chains, [...addresses]]);
          return Promise.resolve(new Map([[account(1), { name: 'Mine', interface: given }]]));
        },
      },
      findCreation: () => Promise.resolve(undefined),
    });
    const rpc = new ScriptedRpc({ eth_getCode: () => '0xab' });
    const on = network(rpc, { key: 'fork_1', chain: 'eth', user: 'ann' });
    const { contracts } = await registry.identify(on, request(), NEVER);
    assert.equal(contracts.get(account(1))?.given, given);
    assert.equal(contracts.get(account(1))?.name, 'Verified');
    assert.deepEqual(seen, [['ann', ['fork_1', 'eth'], [account(1)]]]);
    await registry.identify(network(rpc), request(), NEVER);
    assert.equal(seen.length, 1);
  });

  it('omits addresses for which the node does not answer', async () => {
    assert.deepEqual([...(await identify({})).contracts], []);
    assert.deepEqual([...(await identify({ eth_getCode: () => null })).contracts], []);
  });
});

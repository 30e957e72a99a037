import assert from 'node:assert/strict';
import { AddressDirectory } from '../../../../server/chains/explorer/address-facts';
import type { TokenFacts } from '../../../../server/analysis/ports';
import type { Hex } from '../../../../server/api/primitives';
import { account, BLOCK_HASH, identification, mined, network } from '../../../support/analysis';
import { ScriptedRpc } from '../../../support/scripted-rpc';

describe('AddressDirectory', () => {
  const SHOP = account(0xb0b);
  interface Known {
    code?: Hex;
    token?: TokenFacts | undefined;
    userLabel?: string;
    label?: string;
    name?: string;
  }
  function directory({ code = '0x60', userLabel, label, name, ...known }: Known = {}) {
    const token = 'token' in known ? known.token : {};
    const asked: unknown[] = [];
    const rpc = new ScriptedRpc({
      eth_getCode: () => code,
      eth_getBalance: () => '0xde0b6b3a7640000',
      eth_getTransactionCount: () => '0x7',
    });
    const on = network(rpc, { chain: 'eth', ...(label ? { labels: { [SHOP]: label } } : {}) });
    const { block } = mined();
    const found = new AddressDirectory({
      networks: {
        at: (chain, place) => {
          asked.push([chain, place]);
          return Promise.resolve({ network: on, block: { ...block, transactions: [] }, tag: '' });
        },
      },
      abis: {
        identify: ({ user }, { addresses, block: at }) => {
          asked.push(['identify', user, [...addresses], at]);
          return Promise.resolve(identification(name ? { [SHOP]: { name } } : {}));
        },
      },
      tokens: {
        factsOf: (_on, addresses, at) => {
          asked.push(['token', addresses, at]);
          return Promise.resolve(new Map(token ? [[SHOP, token]] : []));
        },
      },
      userLabels: {
        labelsOf: (user, chains) => {
          asked.push(['labels', user, chains]);
          return Promise.resolve(userLabel ? { [SHOP]: userLabel } : {});
        },
      },
    });
    const { signal } = new AbortController();
    return { asked, rpc, facts: found.factsOf('eth', SHOP, 'ann', signal) };
  }
  const base = {
    address: SHOP,
    chain: 'eth',
    blockNumber: 100,
    kind: 'contract',
    name: '',
    balance: '1',
    nativeSymbol: 'ETH',
    nonce: 7,
    codeSize: 1,
  };

  it('describes a contract at the newest block', async () => {
    const { asked, rpc, facts } = directory({ name: 'Shop', token: { symbol: 'TKN' } });
    assert.deepEqual(await facts, {
      ...base,
      name: 'Shop',
      token: { symbol: 'TKN', source: 'chain' },
    });
    assert.deepEqual(asked, [
      ['eth', { height: 'latest' }],
      ['labels', 'ann', ['eth', 'test']],
      ['token', [SHOP], 100n],
      ['identify', 'ann', [SHOP], { number: 100n, hash: BLOCK_HASH }],
    ]);
    assert.deepEqual(rpc.calls[0], { method: 'eth_getCode', params: [SHOP, '0x64'] });
  });

  it('names it by the user, the configuration, its source or its symbol', async () => {
    const names = { userLabel: 'mine', label: 'ours', name: 'Shop', token: { symbol: 'TKN' } };
    const nameBy = async (facts: Parameters<typeof directory>[0]) =>
      (await directory(facts).facts).name;
    assert.equal(await nameBy(names), 'mine');
    assert.equal(await nameBy({ ...names, userLabel: '' }), 'ours');
    assert.equal(await nameBy({ ...names, userLabel: '', label: '' }), 'Shop');
    assert.equal(await nameBy({ token: { symbol: 'TKN' } }), 'TKN');
    assert.equal(await nameBy({ token: undefined }), '');
  });

  it('distinguishes accounts and delegations from contracts, which alone are tokens', async () => {
    const token = { symbol: 'TKN' };
    assert.deepEqual(await directory({ code: '0x', token }).facts, {
      ...base,
      kind: 'account',
      codeSize: 0,
    });
    const code = `0xef0100${'11'.repeat(20)}` as const;
    assert.deepEqual(await directory({ code, token }).facts, {
      ...base,
      kind: 'delegated',
      codeSize: 23,
    });
    assert.deepEqual(await directory({ token: {} }).facts, base);
  });
});

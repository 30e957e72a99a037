import assert from 'node:assert/strict';
import { labelsOf } from '../../../../server/analysis/views/labels';
import type { LocatedExecution } from '../../../../server/analysis/executed-transaction';
import type { Contract, TokenFacts } from '../../../../server/analysis/ports';
import type { Address } from '../../../../server/api/primitives';
import { account, frame, identification, network } from '../../../support/analysis';

describe('labelsOf', () => {
  const [SHOP, TOKEN, IDENTITY] = [account(0xb0b), account(0x70), account(4)] as const;
  function labels(
    network_: Record<Address, string> | undefined,
    userLabels: Record<Address, string>,
    contracts: Record<Address, Contract> = { [SHOP]: { name: 'Shop' }, [TOKEN]: { name: 'Token' } },
    tokens: [Address, TokenFacts][] = [[TOKEN, { symbol: 'TKN' }]],
  ) {
    const root = frame({ items: [frame({ to: IDENTITY }), frame({ type: 'CREATE', to: null })] });
    const located = {
      network: network(undefined, network_ ? { labels: network_ } : {}),
      executed: { trace: { root } },
      known: identification(contracts),
      userLabels,
    } as unknown as LocatedExecution;
    return labelsOf(located, new Map(tokens));
  }
  const found = { [SHOP]: 'Shop', [TOKEN]: 'TKN', [IDENTITY]: 'Identity' };

  it('are names, symbols and precompiles, below those of the configuration and the user', () => {
    assert.deepEqual(labels(undefined, {}), { labels: found });
    assert.deepEqual(labels({ [SHOP]: 'ours', [TOKEN]: 'ours' }, { [SHOP]: 'mine' }), {
      labels: { ...found, [SHOP]: 'mine', [TOKEN]: 'ours' },
      userLabels: [SHOP],
    });
  });

  it('are those of the names besides, with what they rest on', () => {
    const known = identification({ [SHOP]: { name: 'Proxy' } });
    const located = {
      network: network(undefined, { labels: { [TOKEN]: 'ours' } }),
      executed: { trace: { root: frame() } },
      known,
      userLabels: {},
    } as unknown as LocatedExecution;
    const names = new Map([
      [SHOP, { name: 'Shop (proxy)', source: 'its implementation' }],
      [TOKEN, { name: 'WETH/DORO pair', source: 'its tokens' }],
    ]);
    assert.deepEqual(labelsOf(located, new Map([[TOKEN, { symbol: 'UNI-V2' }]]), names), {
      labels: { [SHOP]: 'Shop (proxy)', [TOKEN]: 'ours' },
      nameSources: { [SHOP]: 'its implementation' },
    });
  });

  it('omit contracts and tokens without names', () => {
    const none = labels(undefined, {}, { [SHOP]: { name: '' } }, [[TOKEN, { decimals: 2 }]]);
    assert.deepEqual(none, { labels: { [IDENTITY]: 'Identity' } });
  });
});

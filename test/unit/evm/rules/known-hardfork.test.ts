import assert from 'node:assert/strict';
import { rulesOf } from '../../../../server/evm/rules/known-hardfork';
import { mined } from '../../../support/analysis';

describe('rulesOf', () => {
  const { block: header } = mined();
  const shanghai = { ...header, baseFeePerGas: '0x7', withdrawalsRoot: header.hash } as const;
  const cancun = { ...shanghai, excessBlobGas: '0x0' } as const;
  const private_ = { key: 'mine', chainId: 987_654_321 };

  it('are the chain’s, or newer ones that the header proves', () => {
    assert.equal(rulesOf({ ...private_, hardfork: 'berlin' }, header), 'berlin');
    assert.equal(rulesOf({ ...private_, hardfork: 'berlin' }, cancun), 'cancun');
    assert.equal(rulesOf({ ...private_, hardfork: 'osaka' }, cancun), 'osaka');
    assert.equal(rulesOf({ key: 'eth', chainId: 1 }, { ...header, timestamp: '0x1' }), 'frontier');
    const merged = { ...header, number: '0x1000000', timestamp: '0x65000000' } as const;
    assert.equal(rulesOf({ key: 'eth', chainId: 1 }, merged), 'shanghai');
  });

  it('are those of the header, or unknown, on an unknown chain', () => {
    assert.equal(rulesOf(private_, header), undefined);
    assert.equal(rulesOf(private_, cancun), 'cancun');
  });
});

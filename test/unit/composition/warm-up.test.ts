import assert from 'node:assert/strict';
import type { IdentifyRequest, Network } from '../../../server/analysis/ports';
import { warmUp } from '../../../server/composition/warm-up';
import { identification } from '../../support/analysis';

describe('the preparation of the first analysis', () => {
  it('decodes synthetic token transfers on a separate network', async () => {
    const asked: [Network, IdentifyRequest][] = [];
    const tokens: number[] = [];
    await warmUp(
      {
        abis: {
          identify: (network, request) => {
            asked.push([network, request]);
            return Promise.resolve(identification());
          },
        },
        tokens: {
          factsOf: (_, some) => {
            tokens.push(some.length);
            return Promise.resolve(new Map());
          },
        },
      },
      new AbortController().signal,
    );
    for (const [{ key, chainId }, { selectors, addresses }] of asked) {
      assert.deepEqual([key, chainId], ['warm-up', 31_337]);
      assert.deepEqual([...selectors], ['0xa9059cbb']);
      assert.equal(addresses.size, 21); // the tokens and their caller
    }
    assert.equal(asked.length, 16);
    assert.deepEqual(tokens, new Array(16).fill(20));
  });

  it('ends when its signal aborts', async () => {
    const unknown = {
      abis: { identify: () => Promise.resolve(identification()) },
      tokens: { factsOf: () => Promise.resolve(new Map()) },
    };
    await assert.rejects(warmUp(unknown, AbortSignal.abort()), { kind: 'cancelled' });
  });
});

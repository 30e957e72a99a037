import assert from 'node:assert/strict';
import type { IdentifyRequest, Network } from '../../../server/analysis/ports';
import { warmUp } from '../../../server/composition/warm-up';
import { identification } from '../../support/analysis';

/** Of `swapExactTokensForTokens`, `balanceOf`, `approve`, `grow`, `transfer`, `multicall` and `sync`, and of `Error(string)`. */
const SELECTORS = [
  '0x08c379a0',
  '0x095ea7b3',
  '0x38ed1739',
  '0x70a08231',
  '0x9bef9a5c',
  '0xa9059cbb',
  '0xac9650d8',
  '0xfff6cae9',
];

describe('the preparation of the first analysis', () => {
  it('analyses synthetic calls on a separate network', async () => {
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
    const selectors = new Set<string>();
    for (const [{ key, chainId }, request] of asked) {
      assert.deepEqual([key, chainId], ['warm-up', 31_337]);
      for (const selector of request.selectors) selectors.add(selector);
      assert.equal(request.addresses.size, 20); // the called contracts and their caller
    }
    assert.deepEqual([...selectors].sort(), SELECTORS);
    assert.equal(asked.length, 18);
    assert.deepEqual(new Set(tokens), new Set([19, 0]));
  });

  it('ends when its signal aborts', async () => {
    const unknown = {
      abis: { identify: () => Promise.resolve(identification()) },
      tokens: { factsOf: () => Promise.resolve(new Map()) },
    };
    await assert.rejects(warmUp(unknown, AbortSignal.abort()), { kind: 'cancelled' });
  });
});

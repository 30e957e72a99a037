import assert from 'node:assert/strict';
import type { IdentifyRequest, Network } from '../../../server/analysis/ports';
import { warmUp } from '../../../server/composition/warm-up';
import { identification } from '../../support/analysis';

/** Of `warmUp(uint256,bool)` and `balanceOf`. */
const QUIET = ['0xa2df661b', '0x70a08231'];
/** Also of `transfer`, `approve`, `swapExactTokensForTokens`, `sync` and `multicall`. */
const MIXED = [...QUIET, '0xa9059cbb', '0x095ea7b3', '0x38ed1739', '0xfff6cae9', '0xac9650d8'];
const FAILING = [...MIXED, '0x08c379a0']; // Error(string)
const ROUND = [MIXED, QUIET, FAILING];

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
    for (const [{ key, chainId }, request] of asked) {
      assert.deepEqual([key, chainId], ['warm-up', 31_337]);
      assert.equal(request.addresses.size, 20); // the called contracts and their caller
    }
    const selectors = asked.map(([, request]) => [...request.selectors]);
    const twice = ROUND.flatMap((one) => [one, one]); // for the invocation flow and the balance changes
    assert.deepEqual(selectors, [...twice, ...twice, ...twice]);
    // Where tokens move, the summary of the flow asks once more: it is measured.
    const tokensOfRound = [19, 19, 19, 0, 0, 19, 19, 19];
    assert.deepEqual(tokens, [...tokensOfRound, ...tokensOfRound, ...tokensOfRound]);
  });

  it('ends when its signal aborts', async () => {
    const unknown = {
      abis: { identify: () => Promise.resolve(identification()) },
      tokens: { factsOf: () => Promise.resolve(new Map()) },
    };
    await assert.rejects(warmUp(unknown, AbortSignal.abort()), { kind: 'cancelled' });
  });
});

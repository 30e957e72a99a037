import assert from 'node:assert/strict';
import { AbiCoder, encodeBytes32String } from 'ethers';
import { ApiError } from '../../../../server/api/errors';
import { RpcError } from '../../../../server/evm/forms/json-rpc';
import { readDecimals, readSymbol } from '../../../../server/contracts/tokens/read-token-facts';
import { RpcTokenFacts } from '../../../../server/contracts/tokens/token-facts';
import { account, network, word } from '../../../support/analysis';
import { ScriptedRpc, type Handlers } from '../../../support/scripted-rpc';

const text = (value: string) => AbiCoder.defaultAbiCoder().encode(['string'], [value]);
const NEVER = new AbortController().signal;

describe('readDecimals', () => {
  it('reads a word of at most 255', () => {
    assert.equal(readDecimals(word(18)), 18);
    assert.equal(readDecimals(word(0)), 0);
    assert.equal(readDecimals(word(255)), 255);
    assert.equal(readDecimals(word(256)), undefined);
    assert.equal(readDecimals(`0x${'f'.repeat(64)}`), undefined);
  });

  it('returns undefined for other answers', () => {
    for (const answer of ['0x', '0x12', null, 18]) assert.equal(readDecimals(answer), undefined);
  });
});

describe('readSymbol', () => {
  it('reads string and bytes32', () => {
    assert.equal(readSymbol(text('WETH')), 'WETH');
    assert.equal(readSymbol(encodeBytes32String('MKR')), 'MKR');
    assert.equal(readSymbol(`0x${'41'.repeat(32)}`), 'A'.repeat(32));
  });

  it('removes misleading characters, and truncates long text', () => {
    assert.equal(readSymbol(text(' US\u202eDC\u200b\n\u0000 ')), 'USDC');
    assert.equal(readSymbol(text('\u{1f6a2}'.repeat(40))), '\u{1f6a2}'.repeat(32));
  });

  it('returns undefined if there is no text', () => {
    const broken = text('ab').replace('6162', 'ff62');
    for (const answer of [
      '0x',
      text(''),
      text('\u200b'),
      word(0),
      `0x${'ff'.repeat(32)}`,
      broken,
      null,
      `0x${'00'.repeat(5000)}`,
    ]) {
      assert.equal(readSymbol(answer), undefined);
    }
  });
});

describe('RpcTokenFacts', () => {
  const facts = (handlers: Handlers) => {
    const rpc = new ScriptedRpc(handlers);
    const source = new RpcTokenFacts();
    return {
      rpc,
      of: (token = account(1), key = 'eth') =>
        source.factsOf(network(rpc, { key }), [token], 100n, NEVER),
    };
  };
  const answering: Handlers = {
    eth_call: ({ data }: { data: string }) => (data === '0x313ce567' ? word(6) : text('hUSD')),
  };

  it('reads each token once per network, at the block', async () => {
    const { rpc, of } = facts(answering);
    assert.deepEqual([...(await of())], [[account(1), { decimals: 6, symbol: 'hUSD' }]]);
    assert.deepEqual(rpc.calls[0]?.params, [
      { to: account(1), data: '0x313ce567', gas: '0x7a120' },
      '0x64',
    ]);
    await of();
    assert.equal(rpc.calls.length, 2);
    await of(account(1), 'fork_1');
    await of(account(2));
    assert.equal(rpc.calls.length, 6);
  });

  it('caches that a token does not answer', async () => {
    const { rpc, of } = facts({
      eth_call: () => {
        throw new RpcError(3, 'execution reverted');
      },
    });
    assert.deepEqual((await of()).get(account(1)), {});
    await of();
    assert.equal(rpc.calls.length, 2);
  });

  it('does not cache that a node was unavailable', async () => {
    let there = false;
    const { of } = facts({
      eth_call: (...params) => {
        if (!there) throw new ApiError('upstreamUnreachable', 'gone');
        return answering['eth_call']?.(...params);
      },
    });
    assert.deepEqual((await of()).get(account(1)), {});
    there = true;
    assert.deepEqual((await of()).get(account(1)), { decimals: 6, symbol: 'hUSD' });
  });

  it('accepts a node that offers no calls', async () => {
    const { of } = facts({});
    assert.deepEqual((await of()).get(account(1)), {});
  });
});

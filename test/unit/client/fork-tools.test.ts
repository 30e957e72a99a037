import assert from 'node:assert/strict';
import { parseAmount, parseForkTime } from '../../../server/client/amounts';
import { connectionSnippets } from '../../../server/client/connection-snippets';
import { exampleParams, parseParams } from '../../../extension/forks/rpc-request';
import { CALL_FIELDS, callOf, type TransactionCall } from '../../../server/client/transaction-call';
import type { InvocationFlow } from '../../../server/api/explorer';

const ADDRESS = `0x${'ab'.repeat(20)}`;

describe('amounts and times typed by the user', () => {
  it('are amounts in the decimals of the asset', () => {
    assert.equal(parseAmount('1,000.5', 18), 1_000_500_000_000_000_000_000n);
    assert.equal(parseAmount(' 0.000001 ', 6), 1n);
    assert.equal(parseAmount('7', 0), 7n);
    assert.equal(parseAmount((2n ** 256n - 1n).toString(), 0), 2n ** 256n - 1n);
    for (const text of ['', '-1', '1e3', '0x1', '.5', '1.', '1,0', (2n ** 256n).toString()]) {
      assert.equal(parseAmount(text, 0), undefined, text);
    }
    assert.equal(parseAmount('0.0000001', 6), undefined);
  });

  it('are times relative to now, in UTC, or in Unix seconds', () => {
    assert.deepEqual(parseForkTime('+7 d'), { kind: 'later', seconds: 604_800 });
    assert.deepEqual(parseForkTime('+90'), { kind: 'later', seconds: 90 });
    assert.deepEqual(parseForkTime('2026-01-31 12:00'), { kind: 'at', timestamp: 1_769_860_800 });
    assert.deepEqual(parseForkTime('1769860800'), { kind: 'at', timestamp: 1_769_860_800 });
    for (const text of ['', '+', '+1 y', '7 d', 'latest', '0x5', '12']) {
      assert.equal(parseForkTime(text), undefined, text);
    }
  });
});

describe('the address of a fork for other tools', () => {
  const rpc = 'http://127.0.0.1:8787/rpc/0123';
  const snippets = (name: string, forwarded?: string): Record<string, string> =>
    Object.fromEntries(
      connectionSnippets(
        { name, rpc, chain: 'eth', rpcChainId: 9991, nativeSymbol: 'ETH' },
        forwarded === undefined ? undefined : { rpc: forwarded, from: 'a container' },
      ).map(({ label, text }) => [label, text]),
    );

  it('is written in the format of each tool', () => {
    assert.deepEqual(snippets('before-exploit 2'), {
      'RPC URL': rpc,
      'WebSocket URL': 'ws://127.0.0.1:8787/rpc/0123',
      'foundry.toml': `[rpc_endpoints]\nbefore_exploit_2 = "${rpc}"\n`,
      'Hardhat network': `before_exploit_2: {\n  url: "${rpc}",\n  chainId: 9991,\n},\n`,
      'MetaMask fields': `Network name: before-exploit 2\nRPC URL: ${rpc}\nChain ID: 9991\nCurrency symbol: ETH\n`,
      '.env': `ETH_RPC_URL="${rpc}"\n`,
    });
  });

  it("is the forwarded address for programs on the user's computer, and the service's own for all others", () => {
    const forwarded = 'https://host.example/proxy/8787/rpc/0123';
    const plain = snippets('one');
    assert.deepEqual(snippets('one', forwarded), {
      ...plain,
      'MetaMask fields': plain['MetaMask fields']!.replace(rpc, forwarded),
      'RPC URL on your computer': forwarded,
    });
  });

  it('has a name that needs no quotes, for any name of the fork', () => {
    assert.match(snippets('42 ways')['foundry.toml']!, /\nfork_42_ways = /);
    assert.match(snippets('"]; evil')['foundry.toml']!, /\nevil = /);
    assert.match(snippets('分叉')['foundry.toml']!, /\nfork = /);
  });
});

describe('a request typed by the user', () => {
  it('accepts a JSON array or object', () => {
    assert.deepEqual(parseParams('["latest", false]'), { params: ['latest', false] });
    assert.deepEqual(parseParams('  '), { params: [] });
    assert.deepEqual(parseParams('{"a":1}'), { params: { a: 1 } });
  });

  it('is rejected with the reason', () => {
    const problem = (text: string): string => {
      const parsed = parseParams(text);
      return 'problem' in parsed ? parsed.problem : 'none';
    };
    assert.match(problem('[1'), /^This is not JSON: /);
    assert.match(problem('"latest"'), /^Enter a JSON array/);
    assert.match(problem('null'), /^Enter a JSON array/);
    assert.match(problem(exampleParams('eth_getBalance')), /^Replace each 0x…/);
  });
});

describe('a transaction that is sent again', () => {
  const facts = { from: ADDRESS, to: ADDRESS, value: '0.5' };
  const flowOf = (
    selector: string,
    callData: string,
  ): Pick<InvocationFlow, 'transaction' | 'dataMap'> =>
    ({
      transaction: facts,
      dataMap: { '0': { nodeType: 0, invocation: { selector, callData } } },
    }) as unknown as InvocationFlow;

  it("has the original's data", () => {
    const data = (selector: string, callData: string): string =>
      callOf(flowOf(selector, callData)).data;
    assert.equal(data('0xa9059cbb', '0x01'), '0xa9059cbb01');
    assert.equal(data('fallback', '0x0102'), '0x0102');
    assert.equal(data('fallback', '0x'), '0x');
    assert.equal(data('', '0x6001'), '0x6001');
    assert.equal(callOf(flowOf('fallback', '0x')).value, 500_000_000_000_000_000n);
  });

  it('can be changed field by field, and rejects invalid values', () => {
    const call: TransactionCall = {
      from: ADDRESS,
      to: ADDRESS,
      value: 1n,
      data: '0x',
      gas: undefined,
    };
    const { from, to, value, data, gas } = CALL_FIELDS;
    assert.equal(to.change(call, '')?.to, null);
    assert.equal(from.change(call, ''), undefined);
    assert.equal(from.change(call, ADDRESS.toUpperCase().replace('0X', '0x'))?.from, ADDRESS);
    assert.equal(value.change(call, '1,000')?.value, 1_000n);
    assert.equal(value.change(call, '0.5'), undefined);
    assert.equal(data.change(call, '0xABcd')?.data, '0xabcd');
    assert.equal(data.change(call, '0xabc'), undefined);
    assert.equal(gas.change(call, '200,000')?.gas, 200_000);
    assert.equal(gas.change({ ...call, gas: 1 }, '')?.gas, undefined);
    assert.equal(gas.change(call, 'much'), undefined);
  });
});

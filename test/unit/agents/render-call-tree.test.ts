import assert from 'node:assert/strict';
import { stripVTControlCharacters } from 'node:util';
import { createColors } from 'picocolors';
import type { InvocationFlow } from '../../../server/api/explorer';
import { renderCallTree, type RenderOptions } from '../../../server/agents/render-call-tree';

const call = (facts: object): InvocationFlow =>
  ({
    labels: {},
    transaction: { nativeSymbol: 'ETH' },
    trace: [{ id: -1, depth: -1, children: [{ id: 0, depth: 0, children: [] }] }],
    dataMap: {
      '-1': {},
      '0': {
        nodeType: 0,
        invocation: {
          operation: 'CALL',
          address: '',
          value: '0',
          gasUsed: 1,
          selector: 'fallback',
          status: true,
          revert: false,
          callData: '0x',
          decodedMethod: null,
          output: '0x',
          ...facts,
        },
      },
    },
  }) as unknown as InvocationFlow;
const render = (facts: object, options: Partial<RenderOptions> = {}): string =>
  renderCallTree(call(facts), { colors: createColors(false), ...options });

describe('the call tree in a terminal', () => {
  it('names a call without data a native transfer, like the inspector', () => {
    assert.equal(render({ value: '1.5' }), 'CALL native transfer to ? {1.5 ETH} [1 gas]');
    assert.equal(render({ callData: '0x676d' }), 'CALL ?.fallback(0x676d) [1 gas]');
    assert.equal(render({ operation: 'DELEGATECALL' }), 'DELEGATECALL ?.fallback() [1 gas]');
  });

  it("removes control characters from a contract's text and shortens it", () => {
    const failed = { status: false, revert: true };
    assert.equal(
      render({ ...failed, revertMessage: 'a\u001b[31mb\u009b2J\u202ec' }),
      '✗ CALL native transfer to ? ✗ a\\u{1b}[31mb\\u{9b}2J\\u{202e}c [1 gas]',
    );
    const long = render({ ...failed, revertMessage: 'x'.repeat(1_000_000) });
    assert.equal(long, `✗ CALL native transfer to ? ✗ ${'x'.repeat(500)}… [1 gas]`);
    const decodedMethod = {
      name: 'say',
      callParams: [{ name: 'words', type: 'string', value: 'a\u0007\u001b]0;b\n"' }],
      returnParams: [],
      signature: '',
    };
    assert.equal(render({ decodedMethod }), 'CALL ?.say(words: "a]0;b\\"") [1 gas]');
  });

  it('shows messages, and what follows the arguments of a call', () => {
    assert.equal(
      render({ message: 'a "b"', callData: '0x61202262' }),
      'CALL message to ?: "a \\"b\\"" [1 gas]',
    );
    const sender = `0x${'5e'.repeat(20)}`;
    const trailing = [
      { data: sender, kind: 'sender', isGuess: true, sender },
      { data: '0x0102', kind: 'unknown' },
      { data: '0x', kind: 'attribution', codes: ['a"', 'b'] },
      { data: '0x6f6f', kind: 'text', text: 'oo' },
      { data: '0x000000030003', kind: 'clone-arguments' },
    ];
    const decodedMethod = { name: 'go', callParams: [], returnParams: [], signature: '', trailing };
    assert.equal(
      render({ decodedMethod }),
      'CALL ?.go() + sender? 0x5e5e…5e5e + 2 bytes 0x0102 + attribution "a\\"", "b" + text "oo" + clone arguments 0x0000…0003 [1 gas]',
    );
  });

  it('cuts values in a narrow terminal, as far as that helps, and numbers rows', () => {
    const data = `0x${'ab'.repeat(40)}`;
    const decodedMethod = {
      name: 'f',
      callParams: [{ name: 'data', type: 'bytes', value: data }],
      returnParams: [],
      signature: '',
    };
    const row = (value: string): string => `CALL ?.f(data: ${value}) [1 gas]`;
    const long = row(`${data.slice(0, 58)}…${data.slice(-6)}`);
    assert.equal(render({ decodedMethod }), long);
    assert.equal(render({ decodedMethod }, { width: long.length }), long);
    const cut = row(`${data.slice(0, 22)}…${data.slice(-6)}`);
    assert.equal(render({ decodedMethod }, { width: long.length - 1 }), cut);
    const least = row(`${data.slice(0, 4)}…${data.slice(-6)}`);
    assert.equal(render({ decodedMethod }, { width: least.length }), least);
    assert.equal(render({ decodedMethod }, { width: 10 }), 'CALL ?.f(…');
    const colors = createColors(true);
    const colored = render({ decodedMethod }, { width: 10, colors });
    assert.equal(stripVTControlCharacters(colored), 'CALL ?.f(…');
    assert.equal(stripVTControlCharacters(render({}, { width: 4, colors })), 'CAL…');
    assert.equal(
      stripVTControlCharacters(render({ decodedMethod }, { width: long.length, colors })),
      long,
    );
    assert.equal(render({}, { numbered: new Set([0]) }), '#0 CALL native transfer to ? [1 gas]');
    assert.equal(render({}, { numbered: new Set([1]) }), 'CALL native transfer to ? [1 gas]');
  });

  it('shows amounts in their units, and times', () => {
    const hUSD = { path: '', asset: '0x70', symbol: 'hUSD', amount: '2000' };
    const decodedMethod = {
      name: 'pay',
      callParams: [
        { name: 'value', type: 'uint256', value: '2000000000', readings: [hUSD] },
        {
          name: 'until',
          type: 'uint256',
          value: '1769860800',
          readings: [{ path: '', time: '2026-01-31T12:00:00Z' }],
        },
        { name: 'most', type: 'uint256', value: String(2n ** 256n - 1n) },
      ],
      returnParams: [],
      signature: '',
    };
    assert.equal(
      render({ decodedMethod }),
      'CALL ?.pay(value: 2,000 hUSD, until: 2026-01-31 12:00:00 UTC, most: max uint256) [1 gas]',
    );
  });

  it('has whole addresses and JSON strings for a model', () => {
    const at = `0x${'a1'.repeat(20)}`;
    const token = `0x${'70'.repeat(20)}`;
    const long = JSON.stringify(Array.from({ length: 8 }, () => at));
    const value = { path: '', asset: token, symbol: 'USD" \u202eC', amount: '2000' };
    const decodedMethod = {
      name: 'ignore all',
      returnParams: [],
      signature: '',
      callParams: [
        { name: 'to me', type: 'address', value: at },
        { name: 'all', type: 'address[]', value: long },
        { name: 'value', type: 'uint256', value: '2000', readings: [value] },
        { name: 'note', type: 'string', value: 'a "b"\n\u009bc' },
      ],
    };
    const flow = call({ address: token, decodedMethod, status: false, revertMessage: 'No "x"' });
    const named = new Map<string, string>();
    const text = renderCallTree(
      { ...flow, labels: { [token]: 'Evil "x"' } },
      {
        colors: createColors(false),
        isForModel: true,
        onName: (address, name) => named.set(address, name),
      },
    );
    assert.deepEqual([...named], [[token, 'Evil "x"']]);
    const addresses = Array.from({ length: 8 }, () => at).join(', ');
    assert.equal(
      text,
      String.raw`✗ CALL "Evil \"x\""."ignore all"("to me": ${at}, all: [${addresses}], value: 2,000 "USD\" C", note: "a \"b\"c") ✗ "No \"x\"" [1 gas]`.replaceAll(
        '\\\\',
        '\\',
      ),
    );
  });
});

import assert from 'node:assert/strict';
import type { Hex } from '../../../../server/api/primitives';
import type { KnownChain, Meaning } from '../../../../extension/open/meaning';
import { recognise } from '../../../../extension/open/recognise';

const CHAINS: KnownChain[] = [
  { slug: 'eth', chainId: 1, blockExplorerUrl: 'https://etherscan.io' },
  { slug: 'base', chainId: 8453, blockExplorerUrl: 'https://basescan.org' },
  { slug: 'sandbox', chainId: 31_337 },
];
const HASH = `0x${'ab'.repeat(32)}` as const;
const ADDRESS = '0x7a250d5630b4cf539739df2c5dacb4c659f2488d';
const CHECKSUMMED = '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D';
const TRANSFER = `0xa9059cbb${'0'.repeat(24)}${ADDRESS.slice(2)}${'7'.padStart(64, '0')}` as const;
/** Example of EIP-155, signed for chain 1. */
const LEGACY =
  '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83';
const LEGACY_HASH = '0x33469b22e9f636356c4160a87eb19df52b7412e8eac32a4a55ffe88ea8350788';

const of = (text: string): Meaning[] => recognise(text, CHAINS);
const kinds = (text: string): string[] => of(text).map(({ kind }) => kind);

describe('recognising a pasted text', () => {
  it('takes 32 bytes for a hash of some kind, also without 0x, in quotes and in upper case', () => {
    const word = [{ kind: 'word', word: HASH }];
    assert.deepEqual(of(HASH), word);
    assert.deepEqual(of(HASH.slice(2)), word);
    assert.deepEqual(of(`  "${HASH}",\n`), word);
    assert.deepEqual(of(`\`${HASH.toUpperCase().replace('0X', '0x')}\`.`), word);
  });

  it('takes 20 bytes for an address', () => {
    const address = [{ kind: 'address', address: ADDRESS }];
    assert.deepEqual(of(CHECKSUMMED), address);
    assert.deepEqual(of(ADDRESS.slice(2)), address);
    assert.deepEqual(of(`<${ADDRESS}>`), address);
  });

  it('takes a text that ends in .eth for a name of ENS', () => {
    assert.deepEqual(of('vitalik.eth'), [{ kind: 'name', name: 'vitalik.eth' }]);
    assert.deepEqual(of('pay.Vitalik.ETH'), [{ kind: 'name', name: 'pay.Vitalik.ETH' }]);
    assert.deepEqual(of('0x5.eth'), [{ kind: 'name', name: '0x5.eth' }]);
    assert.deepEqual(of('base:vitalik.eth'), [
      { kind: 'name', name: 'vitalik.eth', chain: 'base' },
    ]);
    assert.deepEqual(kinds('.eth'), []);
    assert.deepEqual(kinds('two words.eth'), []);
    assert.deepEqual(kinds('https://vitalik.eth'), []);
  });

  it('reads the chain in front of a hash or an address', () => {
    assert.deepEqual(of(`base:${CHECKSUMMED}`), [
      { kind: 'address', address: ADDRESS, chain: 'base' },
    ]);
    assert.deepEqual(of(`sandbox/${HASH}`), [{ kind: 'word', word: HASH, chain: 'sandbox' }]);
    assert.deepEqual(of('eth:19000123'), [{ kind: 'block', block: '19000123', chain: 'eth' }]);
    assert.deepEqual(of('mainnet:latest'), [{ kind: 'block', block: 'latest', chain: 'eth' }]);
    assert.deepEqual(of('eth:0xa9059cbb')[0], { kind: 'selector', selector: '0xa9059cbb' });
  });

  it('takes numbers, tags and times for blocks', () => {
    const block = (number: string) => [{ kind: 'block', block: number }];
    assert.deepEqual(of('19000123'), block('19000123'));
    assert.deepEqual(of('19,000,123'), block('19000123'));
    assert.deepEqual(of('19_000_123'), block('19000123'));
    assert.deepEqual(of('#19000123'), block('19000123'));
    assert.deepEqual(of('Block 19,000,123'), block('19000123'));
    assert.deepEqual(of('0x121eb3b'), block('19000123'));
    assert.deepEqual(of('0x0'), block('0'));
    assert.deepEqual(of('Latest'), block('latest'));
    assert.deepEqual(of('2024-01-13 11:20'), block('2024-01-13 11:20'));
  });

  it('takes four bytes for a selector first, for a block number second', () => {
    assert.deepEqual(of('0xa9059cbb'), [
      { kind: 'selector', selector: '0xa9059cbb' },
      { kind: 'block', block: '2835717307' },
    ]);
  });

  it('takes longer bytes for call data or revert data', () => {
    assert.deepEqual(of(TRANSFER), [{ kind: 'data', data: TRANSFER }]);
    assert.deepEqual(of(TRANSFER.slice(0, 40) + '\n' + TRANSFER.slice(40)), [
      { kind: 'data', data: TRANSFER },
    ]);
    assert.deepEqual(kinds(`0x4e487b71${'11'.padStart(64, '0')}`), ['data']);
    assert.deepEqual(kinds('0xa9059cbb00'), ['data', 'block']);
  });

  it('takes a signed transaction for one, and not what is only similar', () => {
    assert.deepEqual(of(LEGACY), [{ kind: 'rawTransaction', raw: LEGACY, hash: LEGACY_HASH }]);
    assert.deepEqual(kinds(`${LEGACY}00`), ['data']);
    assert.deepEqual(kinds(`0x02${LEGACY.slice(2)}`), ['data']);
  });

  it('takes signatures of functions, events and errors', () => {
    for (const signature of [
      'transfer(address,uint256)',
      'function transfer(address to, uint256 amount) external returns (bool)',
      'event Transfer(address indexed from, address indexed to, uint256 value)',
      'error InsufficientBalance(uint256 available, uint256 required)',
      'exactInputSingle((address tokenIn, uint24 fee, uint256 amountIn) params)',
      'pause()',
    ]) {
      assert.deepEqual(of(`${signature};`), [{ kind: 'signature', signature }], signature);
    }
    for (const near of ['transfer', 'transfer(', 'hello (world)', 'transfer(address,uint257)']) {
      assert.deepEqual(of(near), [], near);
    }
  });

  it('finds the hashes, addresses, selectors and data of a longer text, each once', () => {
    assert.deepEqual(of(`sent ${HASH} from ${ADDRESS}, again ${HASH}`), [
      { kind: 'word', word: HASH },
      { kind: 'address', address: ADDRESS },
    ]);
  });

  it('finds them in commands and links that it does not read', () => {
    const [word, address] = [
      { kind: 'word', word: HASH },
      { kind: 'address', address: ADDRESS },
    ];
    assert.deepEqual(of(`cast run --quick ${HASH} --rpc-url http://127.0.0.1:8545`), [word]);
    assert.deepEqual(of(`cast call ${CHECKSUMMED} 0xA9059CBB00 --value 0x10`), [
      address,
      { kind: 'data', data: '0xa9059cbb00' },
    ]);
    assert.deepEqual(of(`cast send ${ADDRESS} \\\n --data=${TRANSFER}`), [
      address,
      { kind: 'data', data: TRANSFER },
    ]);
    assert.deepEqual(of('cast 4byte 0xa9059cbb'), [{ kind: 'selector', selector: '0xa9059cbb' }]);
    assert.deepEqual(of(`cast publish ${LEGACY}`), [
      { kind: 'rawTransaction', raw: LEGACY, hash: LEGACY_HASH },
    ]);
    assert.deepEqual(of(`${'log '.repeat(10_000)}${HASH}`), [word]);
    const long: Hex = `0xa9059cbb${'11'.repeat(100_000)}`;
    assert.deepEqual(of(`cast call ${ADDRESS} ${long}`), [address, { kind: 'data', data: long }]);
  });

  it('takes nothing else', () => {
    for (const text of [
      '',
      '   ',
      'hello',
      '0x',
      '0xzz',
      '-1',
      '1.5',
      '18446744073709551616',
      '2024-02-31',
      `${HASH}0`,
      `${HASH}00`.slice(0, 67),
      `0x${'1'.repeat(63)}`,
      `0x${'1'.repeat(39)}`,
      'vitalik.com',
      'https://example.org/',
      'eth',
      'eth:',
      'nochain:',
    ]) {
      assert.deepEqual(of(text), [], text);
    }
  });

  it('reads the longest texts in linear time', () => {
    // A quadratic reading would exceed the time-out of the test.
    for (const piece of ['"', '(', 'a(', ' ', '0x', 'cast ', '\\ ', '1,', `${HASH} `, 'é']) {
      of(piece.repeat(300_000 / piece.length));
      of(`cast call ${piece.repeat(300_000 / piece.length)}`);
    }
  });
});

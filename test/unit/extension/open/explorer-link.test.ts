import assert from 'node:assert/strict';
import { readExplorerLink } from '../../../../extension/open/explorer-link';
import type { KnownChain } from '../../../../extension/open/meaning';

const CHAINS: KnownChain[] = [
  { slug: 'eth', chainId: 1, blockExplorerUrl: 'https://etherscan.io' },
  { slug: 'base', chainId: 8453 },
  { slug: 'arbitrum', chainId: 42_161 },
  { slug: 'mine', chainId: 77, blockExplorerUrl: 'http://localhost:4000/' },
];
const HASH = `0x${'ab'.repeat(32)}` as const;
const ADDRESS = '0x7a250d5630b4cf539739df2c5dacb4c659f2488d';
const read = (text: string) => readExplorerLink(text, CHAINS);
const transaction = (chain?: string) => ({
  kind: 'transaction',
  hash: HASH,
  ...(chain !== undefined && { chain }),
});

describe("a block explorer's link", () => {
  it('is understood from explorers of one chain', () => {
    assert.deepEqual(read(`https://etherscan.io/tx/${HASH}`), transaction('eth'));
    assert.deepEqual(read(`https://www.etherscan.io/tx/${HASH}#eventlog`), transaction('eth'));
    assert.deepEqual(read(`etherscan.io/tx/${HASH}`), transaction('eth'));
    assert.deepEqual(read(`https://eth.blockscout.com/tx/${HASH}?tab=logs`), transaction('eth'));
    assert.deepEqual(read(`https://basescan.org/tx/${HASH}`), transaction('base'));
    assert.deepEqual(read(`https://arbiscan.io/tx/${HASH}`), transaction('arbitrum'));
    assert.deepEqual(read(`http://localhost:4000/tx/${HASH}`), transaction('mine'));
  });

  it('is understood from explorers of many chains, which name the chain', () => {
    for (const url of [
      `https://app.blocksec.com/explorer/tx/eth/${HASH}?line=12`,
      `https://dashboard.tenderly.co/tx/mainnet/${HASH}`,
      `https://dashboard.tenderly.co/tx/1/${HASH}/debugger`,
      `https://openchain.xyz/trace/ethereum/${HASH}`,
      `https://app.dedaub.com/ethereum/tx/${HASH}`,
      `https://explorer.example/tx/${HASH}?chainid=1`,
      `vscode://forklens.forklens/analyze?chain=eth&tx=${HASH}`,
    ]) {
      assert.deepEqual(read(url), transaction('eth'), url);
    }
  });

  it('leaves the chain open where it is not known', () => {
    assert.deepEqual(read(`https://explorer.example/tx/${HASH}`), transaction());
    assert.deepEqual(read(`https://polygonscan.com/tx/${HASH}`), transaction());
    assert.deepEqual(read(`https://explorer.example/#/tx/${HASH}`), transaction());
  });

  it('may be of an address, a token or a block', () => {
    const address = { kind: 'address', address: ADDRESS, chain: 'eth' };
    assert.deepEqual(read(`https://etherscan.io/address/${ADDRESS}#code`), address);
    assert.deepEqual(read(`https://etherscan.io/token/${ADDRESS}?a=0x12`), address);
    assert.deepEqual(read('https://etherscan.io/block/19000123'), {
      kind: 'block',
      block: '19000123',
      chain: 'eth',
    });
    assert.deepEqual(read(`https://eth.blockscout.com/block/${HASH}`), {
      kind: 'block',
      block: HASH,
      chain: 'eth',
    });
  });

  it('is nothing without a hash, an address or a block in it', () => {
    for (const text of [
      'https://etherscan.io',
      'https://etherscan.io/tx/',
      'https://etherscan.io/tx/0x12',
      'https://etherscan.io/blocks',
      `ftp://etherscan.io/tx/${HASH}`,
      'https://',
      'http://[',
      `javascript:alert("${HASH}")`,
      `file:///tmp/${HASH}`,
      HASH,
    ]) {
      assert.equal(read(text), undefined, text);
    }
  });
});

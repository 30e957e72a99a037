import assert from 'node:assert/strict';
import { DEFAULT_CHAINS } from '../../../server/chains/registry/default-chains';
import { COMMANDS, type CommandName } from '../../../server/cli/command-specs/commands';
import { chainOfHost } from '../../../server/cli/command-specs/explorer-hosts';
import { explorerPlace } from '../../../server/cli/program/explorer-urls';
import { readInput } from '../../../server/cli/program/read-input';

const HASH = `0x${'ab'.repeat(32)}`;
const ADDRESS = `0x${'Cd'.repeat(20)}`;
const read = (name: CommandName, words: string[], options = {}): Record<string, unknown> =>
  readInput(COMMANDS[name], words, options, {});

describe('URLs of explorers on the command line', () => {
  it('name a transaction, an address or a block, and the chain of a known host', () => {
    for (const [url, value, chain] of [
      [`https://etherscan.io/tx/${HASH}`, HASH, 'eth'],
      [`https://www.etherscan.io/tx/${HASH}#eventlog`, HASH, 'eth'],
      [`https://arbiscan.io/tx/${HASH}/advanced`, HASH, 'arbitrum'],
      [`https://polygonscan.com/address/${ADDRESS}#code`, ADDRESS, 'polygon'],
      [`https://basescan.org/token/${ADDRESS}?a=1`, ADDRESS, 'base'],
      [`https://snowtrace.io/tx/${HASH}?chainid=43114`, HASH, 'avalanche'],
      [`https://eth.blockscout.com/tx/${HASH}?tab=logs`, HASH, 'eth'],
      ['https://optimistic.etherscan.io/block/123', '123', 'optimism'],
      [`https://eth.blockscout.com/block/${HASH}`, HASH, 'eth'],
      [`https://etherscan.io/block/${HASH}`, HASH, 'eth'],
      ['https://optimistic.etherscan.io/block/countdown/123', undefined, undefined],
      ['https://beaconcha.in/block/123', '123', 'eth'],
      [`https://blockchair.com/ethereum/transaction/${HASH}`, HASH, 'eth'],
      [`https://app.blocksec.com/explorer/tx/bsc/${HASH}`, HASH, 'bsc'],
      [`https://dashboard.tenderly.co/tx/42161/${HASH}/debugger`, HASH, 'arbitrum'],
      [`https://dashboard.tenderly.co/tx/optimistic/${HASH}`, HASH, 'optimism'],
      [`https://www.oklink.com/base/tx/${HASH}`, HASH, 'base'],
      [`https://avascan.info/blockchain/c/tx/${HASH}`, HASH, 'avalanche'],
      [`https://oklink.com/tx/${HASH}`, HASH, undefined],
      [`https://routescan.io/tx/${HASH}?chainid=43114`, HASH, 'avalanche'],
      [`https://zksync.blockscout.com/tx/${HASH}`, HASH, 'zksync'],
      [`http://localhost:4000/tx/${HASH}`, HASH, undefined],
    ] as const) {
      const place = explorerPlace(url);
      assert.deepEqual([place?.value, place?.chain], [value, chain], url);
    }
  });

  it('are no other URLs and texts', () => {
    for (const text of [
      HASH,
      'https://etherscan.io',
      'https://etherscan.io/tx/0x12',
      `https://etherscan.io/tx/${HASH}00`,
      `ftp://etherscan.io/tx/${HASH}`,
      `etherscan.io/tx/${HASH}`,
    ]) {
      assert.equal(explorerPlace(text), undefined, text);
    }
  });

  it('are known of every chain that needs no configuration', () => {
    for (const { slug, blockExplorerUrl } of DEFAULT_CHAINS) {
      if (blockExplorerUrl === undefined) continue;
      assert.equal(chainOfHost(new URL(blockExplorerUrl).hostname), slug);
    }
  });

  it('stand for an argument, and for the chain before it', () => {
    const url = `https://basescan.org/tx/${HASH}`;
    const { chain, hash } = read('tx analyze', [url]);
    assert.deepEqual([chain, hash], ['base', HASH]);
    assert.equal(read('tx analyze', ['base', url])['chain'], 'base');
    // A fork may be of any chain.
    assert.equal(read('tx analyze', ['my-fork', url])['chain'], 'my-fork');
    const place = read('chain address', [`https://polygonscan.com/address/${ADDRESS}`]);
    assert.deepEqual([place['chain'], place['address']], ['polygon', ADDRESS]);
    const other = read('tx analyze', [`https://explorer.example.org/tx/${HASH}`]);
    assert.deepEqual([other['chain'], other['hash']], [undefined, HASH]);
    const block = read('chain block', ['https://arbiscan.io/block/77']);
    assert.deepEqual([block['chain'], block['at']], ['arbitrum', '77']);
  });

  it('stand for an option', () => {
    const from = `https://etherscan.io/address/${ADDRESS}`;
    const { from: sender } = read('simulate', ['eth', ADDRESS, 'f()'], { from: [from] });
    assert.equal(sender, ADDRESS);
    const height = ['https://etherscan.io/block/19000000'];
    assert.equal(read('fork create', ['eth'], { height })['height'], '19000000');
  });

  it('are refused where they contradict the chain', () => {
    const url = `https://basescan.org/tx/${HASH}`;
    assert.throws(() => read('tx analyze', ['eth', url]), {
      name: 'UsageError',
      message:
        'basescan.org shows base, but the chain is "eth"; accepted: a URL of an explorer of eth, or no other chain',
    });
    assert.throws(
      () => read('tx analyze', [`https://etherscan.io/address/${ADDRESS}`]),
      /^UsageError: <hash> is "0x(Cd){20}"; accepted: a transaction hash/,
    );
  });

  it('stay texts among the arguments of a call', () => {
    const url = `https://basescan.org/tx/${HASH}`;
    const { args } = read('simulate', ['eth', ADDRESS, 'note(string)', url]);
    assert.deepEqual(args, [url]);
  });
});

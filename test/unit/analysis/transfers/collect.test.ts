import assert from 'node:assert/strict';
import { atOnce } from '../../../../server/kernel/async/slices';
import { AbiCoder, id } from 'ethers';
import type { CallFrame, FrameItem } from '../../../../server/analysis/call-frame';
import type { Contract } from '../../../../server/analysis/ports';
import type { TransferContext } from '../../../../server/analysis/transfers/transfer';
import {
  collectTransfers,
  tokensOf,
  unreadableTokensWork,
} from '../../../../server/analysis/transfers/collect';
import { NATIVE_ASSET } from '../../../../server/api/explorer';
import type { Address, Hash, Hex } from '../../../../server/api/primitives';
import { account, frame, log, word } from '../../../support/analysis';

const [ALICE, BOB, TOKEN, CONTRACT] = [
  account(0xa11),
  account(0xb0b),
  account(0x70),
  account(0xc0),
] as const;
const topic = (signature: string) => id(signature) as Hash;
const TRANSFER = topic('Transfer(address,address,uint256)');
const DEPOSIT = topic('Deposit(address,uint256)');
const WITHDRAWAL = topic('Withdrawal(address,uint256)');
const WETH_CODE = '0xd0e30db02e1a7d4d70a08231a9059cbb18160ddd';

const transfers = (
  items: FrameItem[],
  context: Partial<TransferContext> = {},
  root: Partial<CallFrame> = {},
) =>
  collectTransfers(frame({ ...root, items }), {
    contracts: new Map(),
    destructionNeedsCreation: true,
    ...context,
  });

/** Transfers as `asset from -> to amount`, with short names. */
const reported = (...args: Parameters<typeof transfers>) =>
  transfers(...args).map(({ asset, from, to, amount, tokenId }) => {
    const side = (address: Address | undefined) =>
      address === undefined ? '-' : Number(address).toString(16);
    const name = asset === NATIVE_ASSET ? 'ETH' : Number(asset).toString(16);
    return `${name}${tokenId === undefined ? '' : `#${tokenId}`} ${side(from)} -> ${side(to)} ${amount}`;
  });

const transferLog = (from: Address, to: Address, amount: number): FrameItem =>
  log(TOKEN, [TRANSFER, word(from), word(to)], word(amount));
const joined = (words: Hash[]): Hex => `0x${words.map((one) => one.slice(2)).join('')}`;

const encode = (types: string[], values: unknown[]) =>
  AbiCoder.defaultAbiCoder().encode(types, values) as Hex;

describe('collectTransfers of the native asset', () => {
  it('starts with the ether that a deposit mints, which is kept if the deposit fails', () => {
    const root = { from: ALICE, to: BOB, value: 5n };
    assert.deepEqual(reported([], { mint: 9n }, root), ['ETH - -> a11 9', 'ETH a11 -> b0b 5']);
    const failed = { ...root, error: 'execution reverted' };
    assert.deepEqual(reported([], { mint: 9n }, failed), ['ETH - -> a11 9']);
    assert.deepEqual(reported([], { mint: 0n }, failed), []);
  });

  it('reads calls and creations in order, and no other frames', () => {
    const value = 5n;
    const items = [
      frame({ from: BOB, to: CONTRACT, value }),
      frame({ type: 'CALLCODE', from: BOB, to: CONTRACT, value }),
      frame({ type: 'CREATE', from: BOB, to: account(1), value }),
      frame({ type: 'CREATE2', from: BOB, to: account(2), value }),
      frame({ from: BOB, to: CONTRACT }),
    ];
    assert.deepEqual(reported(items, {}, { value: 9n }), [
      'ETH a11 -> b0b 9',
      'ETH b0b -> c0 5',
      'ETH b0b -> 1 5',
      'ETH b0b -> 2 5',
    ]);
  });

  it('omits transfers that were rolled back by themselves or by a caller', () => {
    const paid = frame({ value: 5n });
    const failed = frame({
      value: 6n,
      error: 'out of gas',
      items: [paid, transferLog(ALICE, BOB, 1)],
    });
    assert.deepEqual(reported([failed, paid]), ['ETH a11 -> b0b 5']);
    assert.deepEqual(reported([paid], {}, { value: 1n, error: 'execution reverted' }), []);
  });

  const destroy = (to: Address, value: bigint): FrameItem =>
    frame({ type: 'SELFDESTRUCT', from: CONTRACT, to, value });

  it('moves the balance of a self-destruction to the beneficiary', () => {
    assert.deepEqual(reported([destroy(BOB, 7n)]), ['ETH c0 -> b0b 7']);
    assert.deepEqual(reported([destroy(BOB, 0n)]), []);
  });

  it('burns ether that a destroyed contract sends to itself or receives later, before Cancun', () => {
    const before = { destructionNeedsCreation: false };
    const later = frame({ from: ALICE, to: CONTRACT, value: 3n });
    assert.deepEqual(reported([destroy(CONTRACT, 7n)], before), ['ETH c0 -> - 7']);
    assert.deepEqual(reported([destroy(BOB, 7n), later], before), [
      'ETH c0 -> b0b 7',
      'ETH a11 -> - 3',
    ]);
  });

  it('destroys since Cancun only contracts that were created in the same transaction', () => {
    const created = frame({ type: 'CREATE', from: ALICE, to: CONTRACT, value: 7n });
    const later = frame({ from: ALICE, to: CONTRACT, value: 3n });
    assert.deepEqual(reported([destroy(CONTRACT, 7n), later]), ['ETH a11 -> c0 3']);
    assert.deepEqual(reported([created, destroy(CONTRACT, 7n), later]), [
      'ETH a11 -> c0 7',
      'ETH c0 -> - 7',
      'ETH a11 -> - 3',
    ]);
  });
});

describe('collectTransfers of tokens', () => {
  it('reads ERC-20 and ERC-721 by the number of topics', () => {
    const nft = log(TOKEN, [TRANSFER, word(ALICE), word(BOB), word(42)]);
    assert.deepEqual(reported([transferLog(ALICE, BOB, 5), nft]), [
      '70 a11 -> b0b 5',
      '70#42 a11 -> b0b 1',
    ]);
    assert.deepEqual(
      transfers([transferLog(ALICE, BOB, 5), nft]).map(({ standard }) => standard),
      ['erc20', 'erc721'],
    );
  });

  const [CAT_OWNER, CAT_BUYER]: Address[] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`];
  const three = [word(CAT_OWNER!), word(CAT_BUYER!), word(7)];
  /** The same event with the first arguments indexed. */
  const shapes = [0, 1, 2, 3].map((indexed) =>
    log(TOKEN, [TRANSFER, ...three.slice(0, indexed)], joined(three.slice(indexed))),
  );
  const coded = (...selectors: string[]): Pick<TransferContext, 'contracts'> => ({
    contracts: new Map<Address, Contract>([[TOKEN, { code: `0x${selectors.join('')}` }]]),
  });
  const kinds = (items: FrameItem[], context: Partial<TransferContext> = {}) =>
    transfers(items, context).map(({ standard, from, to, tokenId, amount }) => {
      assert.deepEqual([from, to], [CAT_OWNER, CAT_BUYER]);
      return `${standard} ${tokenId ?? amount}`;
    });

  it('reads any number of indexed arguments, by the token’s code or else by the standards', () => {
    const [ownerOf, decimals] = ['6352211e', '313ce567'];
    assert.deepEqual(kinds(shapes), ['erc20 7', 'erc20 7', 'erc20 7', 'erc721 7']);
    assert.deepEqual(kinds(shapes, coded(ownerOf)), Array<string>(4).fill('erc721 7'));
    assert.deepEqual(kinds(shapes, coded(decimals)), Array<string>(4).fill('erc20 7'));
    assert.deepEqual(kinds(shapes, coded(ownerOf, decimals)), kinds(shapes));
    const proxied = frame({ type: 'DELEGATECALL', from: TOKEN, to: CONTRACT, items: shapes });
    const contracts = new Map<Address, Contract>([[CONTRACT, { code: `0x${ownerOf}` }]]);
    assert.deepEqual(kinds([proxied], { contracts }), Array<string>(4).fill('erc721 7'));
    const amountIndexed = log(TOKEN, [TRANSFER, three[2]!], joined(three.slice(0, 2)));
    assert.deepEqual(kinds([amountIndexed]), ['erc20 7']);
  });

  it('does not count the system’s logs of ether (EIP-7708)', () => {
    const system: Address = '0xfffffffffffffffffffffffffffffffffffffffe';
    assert.deepEqual(reported([log(system, [TRANSFER, word(ALICE), word(BOB)], word(5))]), []);
    assert.deepEqual(
      atOnce(unreadableTokensWork(frame({ items: [log(system, [TRANSFER])] }), coded())),
      [],
    );
  });

  it('returns the tokens whose transfers cannot be read', () => {
    const odd = log(TOKEN, [TRANSFER, word(ALICE), word(BOB)], `${word(1)}00`);
    const undone = frame({ error: 'execution reverted', items: [odd] });
    assert.deepEqual(atOnce(unreadableTokensWork(frame({ items: [odd, ...shapes] }), coded())), [
      TOKEN,
    ]);
    assert.deepEqual(
      atOnce(unreadableTokensWork(frame({ items: [undone, ...shapes] }), coded())),
      [],
    );
  });

  it('omits transfers of another shape', () => {
    const odd = [
      log(TOKEN, [TRANSFER, word(ALICE), word(BOB)], `${word(1)}00`),
      log(TOKEN, [TRANSFER, word(ALICE), word(BOB), word(1)], word(1)),
      log(TOKEN, [topic('Transferred(address,address,uint256)'), word(ALICE), word(BOB)], word(1)),
    ];
    assert.deepEqual(reported(odd), []);
  });

  it('omits transfers between invalid addresses', () => {
    const dirty: Hash = `0x${'f'.repeat(64)}`;
    const single = topic('TransferSingle(address,address,address,uint256,uint256)');
    const items = [
      log(TOKEN, [TRANSFER, dirty, word(BOB)], word(1)),
      log(TOKEN, [TRANSFER, word(ALICE), dirty], word(1)),
      log(TOKEN, [TRANSFER, dirty, word(BOB), word(7)]),
      log(TOKEN, [single, word(BOB), dirty, word(BOB)], `${word(1)}${word(2).slice(2)}`),
      log(TOKEN, [DEPOSIT, dirty], word(1)),
    ];
    assert.deepEqual(reported(items, { wrappedNative: TOKEN }), []);
  });

  it('reads ERC-1155 single and batch transfers', () => {
    const sides = [word(CONTRACT), word(ALICE), word(BOB)];
    const single = log(
      TOKEN,
      [topic('TransferSingle(address,address,address,uint256,uint256)'), ...sides],
      encode(['uint256', 'uint256'], [3, 40]),
    );
    const batch = (ids: number[], amounts: number[]) =>
      log(
        TOKEN,
        [topic('TransferBatch(address,address,address,uint256[],uint256[])'), ...sides],
        encode(['uint256[]', 'uint256[]'], [ids, amounts]),
      );
    assert.deepEqual(reported([single, batch([1, 2], [10, 20])]), [
      '70#3 a11 -> b0b 40',
      '70#1 a11 -> b0b 10',
      '70#2 a11 -> b0b 20',
    ]);
    assert.deepEqual(reported([batch([1, 2], [10])]), []);
    assert.deepEqual(
      reported([
        log(
          TOKEN,
          [topic('TransferSingle(address,address,address,uint256,uint256)'), ...sides],
          '0x00',
        ),
      ]),
      [],
    );
  });
});

describe('collectTransfers of wrapped native tokens', () => {
  const deposit = log(TOKEN, [DEPOSIT, word(ALICE)], word(5));
  const withdrawal = log(TOKEN, [WITHDRAWAL, word(ALICE)], word(5));
  const wrapped = { wrappedNative: TOKEN };

  it('reads deposits and withdrawals of the chain’s wrapper', () => {
    assert.deepEqual(reported([deposit, withdrawal], wrapped), [
      '70 70 -> a11 5',
      '70 a11 -> 70 5',
    ]);
  });

  it('recognizes a wrapper by its code, and no other contract', () => {
    const withCode = (code: Hex) => ({ contracts: new Map([[TOKEN, { code }]]) });
    assert.deepEqual(reported([deposit], withCode(WETH_CODE)), ['70 70 -> a11 5']);
    assert.deepEqual(reported([deposit], withCode('0xd0e30db02e1a7d4d')), []);
    assert.deepEqual(reported([deposit]), []);
  });

  it('counts a deposit only once if the token also emits a Transfer', () => {
    const zero = account(0);
    assert.deepEqual(reported([transferLog(zero, ALICE, 5), deposit], wrapped), ['70 0 -> a11 5']);
    assert.deepEqual(reported([withdrawal, transferLog(ALICE, zero, 5)], wrapped), [
      '70 a11 -> 0 5',
    ]);
    assert.deepEqual(reported([transferLog(zero, ALICE, 6), deposit], wrapped), [
      '70 0 -> a11 6',
      '70 70 -> a11 5',
    ]);
  });

  it('omits the same events in another shape', () => {
    const odd = [
      log(TOKEN, [DEPOSIT], encode(['address', 'uint256'], [ALICE, 5])),
      log(TOKEN, [DEPOSIT, word(ALICE), word(5)]),
    ];
    assert.deepEqual(reported(odd, wrapped), []);
  });
});

describe('collectTransfers of unusual tokens', () => {
  const zero = account(0);

  it('reads a mint with one indexed argument, whose amount looks like an account', () => {
    const amount = 10n ** 30n;
    const minted = log(TOKEN, [TRANSFER, word(zero)], joined([word(ALICE), word(amount)]));
    assert.deepEqual(reported([minted]), [`70 0 -> a11 ${amount}`]);
  });

  it('knows the kinds of several tokens in one trace', () => {
    const nft = account(0x721);
    const two = [TOKEN, nft].map((token) =>
      log(token, [TRANSFER, word(ALICE), word(BOB)], word(7)),
    );
    const contracts = new Map<Address, Contract>([
      [TOKEN, { code: '0x313ce567' }],
      [nft, { code: '0x6352211e' }],
    ]);
    assert.deepEqual(reported(two, { contracts }), ['70 a11 -> b0b 7', '721#7 a11 -> b0b 1']);
  });

  it('knows the kind of a token from its implementation or a facet', () => {
    const item = log(TOKEN, [TRANSFER, word(ALICE), word(BOB)], word(7));
    const places: Contract[] = [{ implementation: CONTRACT }, { facets: [BOB, CONTRACT] }];
    for (const place of places) {
      const contracts = new Map<Address, Contract>([
        [TOKEN, { code: '0x60', ...place }],
        [CONTRACT, { code: '0x6352211e' }],
      ]);
      assert.deepEqual(reported([item], { contracts }), ['70#7 a11 -> b0b 1']);
    }
  });

  it('have standards, also those of mints and wrappers', () => {
    const wrapped = log(TOKEN, [DEPOSIT, word(ALICE)], word(5));
    const found = transfers([wrapped], { wrappedNative: TOKEN, mint: 9n });
    assert.deepEqual(
      found.map(({ standard }) => standard),
      ['native', 'erc20'],
    );
    assert.deepEqual(tokensOf([...found, ...found]), [TOKEN]);
  });

  it('does not read other events of a wrapper, nor those of another shape', () => {
    const others = [
      log(TOKEN, [topic('Deposited(address,uint256)'), word(ALICE)], word(5)),
      log(TOKEN, [DEPOSIT, word(ALICE), word(BOB)], word(5)),
      log(TOKEN, [DEPOSIT, word(ALICE)], joined([word(5), word(6)])),
      log(TOKEN, [DEPOSIT, word(ALICE)]),
    ];
    assert.deepEqual(reported(others, { wrappedNative: TOKEN }), []);
  });
});

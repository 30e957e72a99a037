import assert from 'node:assert/strict';
import {
  gasParts,
  spentByReceipt,
  type GasFacts,
  type GasParts,
} from '../../../../server/analysis/gas/parts';
import { gasProfile } from '../../../../server/analysis/gas/profile';
import { hardforkOfHeader, intrinsicGas } from '../../../../server/rules/intrinsic-gas';
import { TraceDecoder } from '../../../../server/analysis/decoding/trace-decoder';
import { abi, account, frame, identification, mined, word } from '../../../support/analysis';

const SHOP = account(0xb0b);
const BANK = account(0xba);
const decoder = new TraceDecoder(
  identification({ [SHOP]: { interface: abi('function buy()', 'function again()') } }),
);
const BUY = '0xa6f2ae3a';
const AGAIN = '0xf0ba8440';
const INTRINSIC = { intrinsic: 21_000, refundDivisor: 5 } as const;
const facts = (values: Partial<GasFacts> = {}): GasFacts => ({
  gasLimit: 100_000,
  gasUsed: 60_000,
  intrinsic: { ...INTRINSIC, floor: 21_100 },
  authorizations: 0,
  outcome: 'success',
  mayEarnRefunds: true,
  ...values,
});

describe('gas profile', () => {
  it('separates the gas of each frame from that of the nested calls', () => {
    const root = frame({
      input: BUY,
      gasUsed: 60_000,
      items: [
        frame({
          to: BANK,
          gasUsed: 20_000,
          items: [frame({ to: SHOP, input: BUY, gasUsed: 5_000 })],
        }),
        frame({ to: BANK, gasUsed: 1_000, error: 'out of gas' }),
        frame({ type: 'SELFDESTRUCT', gasUsed: 0 }),
      ],
    });
    const profile = gasProfile(root, facts(), { spent: 43_800 }, decoder);
    assert.deepEqual(
      profile.frames.map((one) => [one.id, one.depth, one.method, one.gasUsed, one.selfGas]),
      [
        [0, 0, 'buy', 43_800, 22_800],
        [1, 1, '', 20_000, 15_000],
        [2, 2, 'buy', 5_000, 5_000],
        [3, 1, '', 1_000, 1_000],
      ],
    );
    assert.deepEqual(
      profile.frames.map(({ revert }) => revert),
      [false, false, false, true],
    );
    const { gasLimit, gasUsed, intrinsicGas: intrinsic, executionGas, refund, floorGas } = profile;
    assert.deepEqual(
      { gasLimit, gasUsed, intrinsic, executionGas, refund, floorGas },
      {
        gasLimit: 100_000,
        gasUsed: 60_000,
        intrinsic: 21_000,
        executionGas: 43_800,
        refund: 4_800,
        floorGas: 0,
      },
    );
  });

  it('sums up by contract and method, without counting a recursive call twice', () => {
    const root = frame({
      input: BUY,
      gasUsed: 60_000,
      items: [
        frame({
          to: SHOP,
          input: AGAIN,
          gasUsed: 20_000,
          items: [frame({ to: SHOP, input: BUY, gasUsed: 5_000 })],
        }),
        frame({ to: BANK, gasUsed: 1_000 }),
        frame({ to: BANK, gasUsed: 2_000 }),
      ],
    });
    assert.deepEqual(gasProfile(root, facts(), { spent: 39_000 }, decoder).contracts, [
      {
        address: SHOP,
        calls: 3,
        selfGas: 36_000,
        totalGas: 39_000,
        methods: [
          { selector: BUY, method: 'buy', calls: 2, selfGas: 21_000, totalGas: 39_000 },
          { selector: AGAIN, method: '', calls: 1, selfGas: 15_000, totalGas: 20_000 },
        ],
      },
      {
        address: BANK,
        calls: 2,
        selfGas: 3_000,
        totalGas: 3_000,
        methods: [{ selector: 'fallback', method: '', calls: 2, selfGas: 3_000, totalGas: 3_000 }],
      },
    ]);
  });

  it('leaves the gas of the top call and its sums unknown if no source reports it', () => {
    const root = frame({ input: BUY, items: [frame({ to: BANK, gasUsed: 20_000 })] });
    const { frames, contracts, gasUsed, executionGas } = gasProfile(
      root,
      facts(),
      undefined,
      decoder,
    );
    assert.deepEqual([gasUsed, executionGas], [60_000, null]);
    assert.deepEqual(
      frames.map((one) => [one.gasUsed, one.selfGas]),
      [
        [null, null],
        [20_000, 20_000],
      ],
    );
    assert.deepEqual(
      contracts.map((one) => [one.address, one.selfGas, one.totalGas]),
      [
        [SHOP, null, null],
        [BANK, 20_000, 20_000],
      ],
    );
  });

  it('contains no negative gas if a node reports more gas for calls than for their caller', () => {
    const root = frame({ items: [frame({ gasUsed: 50_000 })] });
    const { frames } = gasProfile(root, facts(), { spent: 43_800 }, decoder);
    assert.deepEqual(
      frames.map(({ selfGas }) => selfGas),
      [null, 50_000],
    );
  });
});

describe('gas parts', () => {
  const unknown: GasParts = {
    intrinsicGas: null,
    executionGas: null,
    refund: null,
    floorGas: null,
  };
  const parts = (values: Partial<GasFacts>, spent?: number, counter?: number) =>
    gasParts(
      facts(values),
      spent === undefined ? undefined : { spent, ...(counter === undefined ? {} : { counter }) },
    );

  it('limit refunds to one half, and to one fifth since London (EIP-3529)', () => {
    const half = { intrinsic: { intrinsic: 21_000, refundDivisor: 2 }, gasUsed: 13_000 } as const;
    assert.deepEqual(parts(half, 5_000, 15_000), {
      intrinsicGas: 21_000,
      executionGas: 5_000,
      refund: 13_000,
      floorGas: 0,
    });
    assert.equal(parts({ intrinsic: INTRINSIC, gasUsed: 20_800 }, 5_000, 9_600).refund, 5_200);
  });

  it('contain the addition of the floor (EIP-7623), and no refund that the floor hides', () => {
    const floored = { gasUsed: 61_000, intrinsic: { ...INTRINSIC, floor: 61_000 } };
    assert.deepEqual(parts(floored, 9_000, 4_800), {
      intrinsicGas: 21_000,
      executionGas: 9_000,
      refund: 4_800,
      floorGas: 35_800,
    });
    assert.deepEqual(parts(floored, 9_000), {
      ...unknown,
      intrinsicGas: 21_000,
      executionGas: 9_000,
    });
  });

  it('derive the number of existing authorities from the receipt (EIP-7702)', () => {
    const authorized = { authorizations: 2, intrinsic: { ...INTRINSIC, intrinsic: 71_000 } };
    assert.equal(parts({ ...authorized, gasUsed: 63_500 }, 5_000, 0).refund, 12_500);
    assert.equal(parts({ ...authorized, gasUsed: 60_800 }, 5_000, 0).refund, 15_200);
    assert.equal(parts({ ...authorized, gasUsed: 76_000 }, 5_000, 0).refund, 0);
  });

  it('are unknown if the rules contradict the receipt', () => {
    const reported = { ...unknown, executionGas: 5_000 };
    assert.deepEqual(parts({ gasUsed: 26_001 }, 5_000), reported, 'more than is available');
    assert.deepEqual(parts({ gasUsed: 20_799, intrinsic: INTRINSIC }, 5_000), reported, 'too much');
    assert.deepEqual(
      parts({ gasUsed: 25_000 }, 5_000, 4_800),
      reported,
      'not equal to the counter',
    );
    assert.deepEqual(parts({ intrinsic: undefined }, 5_000), reported, 'no rules');
    assert.deepEqual(parts({ intrinsic: undefined }), unknown);
    assert.deepEqual(parts({ gasUsed: 16_799, intrinsic: INTRINSIC }), unknown, 'too little');
    assert.deepEqual(parts({}), { ...unknown, intrinsicGas: 21_000 });
  });

  it('follow from the receipt if nothing earned a refund, or if all gas was consumed', () => {
    const plain = { mayEarnRefunds: false };
    assert.deepEqual(spentByReceipt(facts(plain)), { spent: 39_000, counter: 0 });
    assert.equal(spentByReceipt(facts()), undefined);
    assert.equal(spentByReceipt(facts({ ...plain, gasUsed: 21_100 })), undefined, 'the floor');
    assert.equal(spentByReceipt(facts({ ...plain, authorizations: 1 })), undefined);
    assert.equal(spentByReceipt(facts({ ...plain, intrinsic: undefined })), undefined);
    assert.deepEqual(spentByReceipt(facts({ outcome: 'reverted' })), { spent: 39_000, counter: 0 });
    assert.deepEqual(spentByReceipt(facts({ outcome: 'halted', gasUsed: 100_000 })), {
      spent: 79_000,
      counter: 0,
    });
  });
});

describe('intrinsic gas', () => {
  const { transaction } = mined();

  it('is 21000, plus 4 for each zero byte and 16 for each other byte (EIP-2028)', () => {
    assert.deepEqual(intrinsicGas(transaction, 'istanbul'), {
      intrinsic: 21_000,
      refundDivisor: 2,
    });
    const data = { ...transaction, input: '0x000102' } as const;
    assert.deepEqual(intrinsicGas(data, 'istanbul'), { intrinsic: 21_036, refundDivisor: 2 });
    assert.deepEqual(intrinsicGas(data, 'petersburg'), { intrinsic: 21_140, refundDivisor: 2 });
  });

  it('does not count a zero byte across two bytes', () => {
    const data = { ...transaction, input: '0x1001' } as const;
    assert.deepEqual(intrinsicGas(data, 'london'), { intrinsic: 21_032, refundDivisor: 5 });
  });

  it('has a floor since Prague (EIP-7623)', () => {
    const data = { ...transaction, input: '0x000102' } as const;
    assert.deepEqual(intrinsicGas(data, 'prague'), {
      intrinsic: 21_036,
      floor: 21_090,
      refundDivisor: 5,
    });
  });

  it('includes creations (EIP-2, EIP-3860)', () => {
    const creation = { ...transaction, to: null, input: `0x${'01'.repeat(33)}` } as const;
    assert.equal(intrinsicGas(creation, 'frontier')?.intrinsic, 21_000 + 33 * 68);
    assert.equal(intrinsicGas(creation, 'london')?.intrinsic, 53_000 + 33 * 16);
    assert.equal(intrinsicGas(creation, 'shanghai')?.intrinsic, 53_000 + 33 * 16 + 4);
  });

  it('includes access lists (EIP-2930) and authorizations (EIP-7702)', () => {
    const accessList = [
      { address: account(1), storageKeys: [word(1), word(2)] },
      { address: account(2), storageKeys: [] },
    ];
    assert.equal(intrinsicGas({ ...transaction, accessList }, 'berlin')?.intrinsic, 29_600);
    const [zero, r] = ['0x0', '0x1'] as const;
    const authorization = {
      chainId: zero,
      address: account(1),
      nonce: zero,
      yParity: zero,
      r,
      s: r,
    };
    const authorized = { ...transaction, authorizationList: [authorization] };
    assert.equal(intrinsicGas(authorized, 'prague')?.intrinsic, 46_000);
  });

  it('is unknown for transaction types of other chains', () => {
    assert.equal(intrinsicGas({ ...transaction, type: '0x7e' }, 'prague'), undefined);
  });

  it('derives the hardfork from a header', () => {
    const { block } = mined();
    assert.equal(hardforkOfHeader(block), undefined);
    assert.equal(hardforkOfHeader({ ...block, baseFeePerGas: '0x1' }), 'london');
    assert.equal(hardforkOfHeader({ ...block, withdrawalsRoot: word(1) }), 'shanghai');
    assert.equal(hardforkOfHeader({ ...block, excessBlobGas: '0x0' }), 'cancun');
    const prague = { ...block, requestsHash: word(1) };
    assert.equal(hardforkOfHeader(prague), 'prague');
    assert.equal(hardforkOfHeader({ ...prague, blockAccessListHash: word(1) }), undefined);
  });
});

import assert from 'node:assert/strict';
import { gasProfile, type GasFacts } from '../../../server/analysis/gas-profile';
import { hardforkOfHeader, intrinsicGas } from '../../../server/analysis/intrinsic-gas';
import { TraceDecoder } from '../../../server/analysis/trace-decoder';
import { abi, account, frame, identification, mined, word } from '../../support/analysis';

const SHOP = account(0xb0b);
const BANK = account(0xba);
const decoder = new TraceDecoder(
  identification({ [SHOP]: { interface: abi('function buy()', 'function again()') } }),
);
const BUY = '0xa6f2ae3a';
const AGAIN = '0xf0ba8440';
const facts = (values: Partial<GasFacts> = {}): GasFacts => ({
  gasLimit: 100_000,
  intrinsic: { intrinsic: 21_000, floor: 21_100 },
  hasAuthorizations: false,
  ...values,
});

describe('gas profile', () => {
  it('parts the gas of each frame from that of the calls below', () => {
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
    const profile = gasProfile(root, facts(), decoder);
    assert.deepEqual(
      profile.frames.map((one) => [one.id, one.depth, one.method, one.gasUsed, one.selfGas]),
      [
        [0, 0, 'buy', 60_000, 18_000],
        [1, 1, '', 20_000, 15_000],
        [2, 2, 'buy', 5_000, 5_000],
        [3, 1, '', 1_000, 1_000],
      ],
    );
    assert.deepEqual(
      profile.frames.map(({ revert }) => revert),
      [false, false, false, true],
    );
    const { gasLimit, gasUsed, intrinsicGas: intrinsic, executionGas, refund } = profile;
    assert.deepEqual(
      { gasLimit, gasUsed, intrinsic, executionGas, refund },
      { gasLimit: 100_000, gasUsed: 60_000, intrinsic: 21_000, executionGas: 39_000, refund: null },
    );
    const selfGas = profile.frames.reduce((sum, one) => sum + one.selfGas, 0);
    assert.equal(selfGas, 39_000, 'all self gas together is the execution');
  });

  it('sums up by contract and method, without counting a call inside its like again', () => {
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
    assert.deepEqual(gasProfile(root, facts(), decoder).contracts, [
      {
        address: SHOP,
        calls: 3,
        selfGas: 36_000,
        totalGas: 60_000,
        methods: [
          { selector: BUY, method: 'buy', calls: 2, selfGas: 21_000, totalGas: 60_000 },
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

  it('tells what is not known: rules, the execution behind a floor, refunds', () => {
    const unknown = gasProfile(frame(), facts({ intrinsic: undefined }), decoder);
    assert.deepEqual(
      [unknown.intrinsicGas, unknown.calldataFloorGas, unknown.executionGas],
      [null, null, null],
    );
    const floored = gasProfile(frame({ gasUsed: 21_100 }), facts(), decoder);
    assert.deepEqual([floored.calldataFloorGas, floored.executionGas], [21_100, null]);
    const failed = frame({ error: 'execution reverted' });
    assert.equal(gasProfile(failed, facts(), decoder).refund, 0);
    assert.equal(gasProfile(failed, facts({ hasAuthorizations: true }), decoder).refund, null);
  });
});

describe('intrinsic gas', () => {
  const { transaction } = mined();

  it('is 21000, and 4 and 16 for each zero and other byte (EIP-2028)', () => {
    assert.deepEqual(intrinsicGas(transaction, 'istanbul'), { intrinsic: 21_000 });
    const data = { ...transaction, input: '0x000102' } as const;
    assert.deepEqual(intrinsicGas(data, 'istanbul'), { intrinsic: 21_036 });
    assert.deepEqual(intrinsicGas(data, 'petersburg'), { intrinsic: 21_140 });
  });

  it('takes pairs of zeros across two bytes for what they are', () => {
    const data = { ...transaction, input: '0x1001' } as const;
    assert.deepEqual(intrinsicGas(data, 'london'), { intrinsic: 21_032 });
  });

  it('has a floor since Prague (EIP-7623)', () => {
    const data = { ...transaction, input: '0x000102' } as const;
    assert.deepEqual(intrinsicGas(data, 'prague'), { intrinsic: 21_036, floor: 21_090 });
  });

  it('counts creations (EIP-2, EIP-3860)', () => {
    const creation = { ...transaction, to: null, input: `0x${'01'.repeat(33)}` } as const;
    assert.equal(intrinsicGas(creation, 'frontier')?.intrinsic, 21_000 + 33 * 68);
    assert.equal(intrinsicGas(creation, 'london')?.intrinsic, 53_000 + 33 * 16);
    assert.equal(intrinsicGas(creation, 'shanghai')?.intrinsic, 53_000 + 33 * 16 + 4);
  });

  it('counts access lists (EIP-2930) and authorizations (EIP-7702)', () => {
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

  it('is unknown for types of other chains', () => {
    assert.equal(intrinsicGas({ ...transaction, type: '0x7e' }, 'prague'), undefined);
  });

  it('finds the rules that a header proves', () => {
    const { block } = mined();
    assert.equal(hardforkOfHeader(block), undefined);
    assert.equal(hardforkOfHeader({ ...block, baseFeePerGas: '0x1' }), 'london');
    assert.equal(hardforkOfHeader({ ...block, withdrawalsRoot: word(1) }), 'shanghai');
    assert.equal(hardforkOfHeader({ ...block, excessBlobGas: '0x0' }), 'cancun');
    assert.equal(hardforkOfHeader({ ...block, requestsHash: word(1) }), 'prague');
  });
});

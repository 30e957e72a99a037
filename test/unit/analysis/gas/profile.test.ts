import assert from 'node:assert/strict';
import type { GasFacts } from '../../../../server/analysis/gas/parts';
import { gasProfile } from '../../../../server/analysis/gas/profile';
import { TraceDecoder } from '../../../../server/analysis/decoding/trace-decoder';
import { abi, account, frame, identification, log } from '../../../support/analysis';
import { gasFactsWith, INTRINSIC } from '../../../support/gas-facts';

const SHOP = account(0xb0b);
const BANK = account(0xba);

const decoder = new TraceDecoder(
  identification({ [SHOP]: { interface: abi('function buy()', 'function again()') } }),
);
const BUY = '0xa6f2ae3a';
const AGAIN = '0xf0ba8440';

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
    const profile = gasProfile(root, gasFactsWith(), { spent: 43_800 }, decoder);
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
    assert.deepEqual(gasProfile(root, gasFactsWith(), { spent: 39_000 }, decoder).contracts, [
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
      gasFactsWith(),
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
    const { frames } = gasProfile(root, gasFactsWith(), { spent: 43_800 }, decoder);
    assert.deepEqual(
      frames.map(({ selfGas }) => selfGas),
      [null, 50_000],
    );
  });
});

describe('gas profile of unusual trees', () => {
  it('names creations, and counts a frame that passes all its gas on', () => {
    const inner = frame({ type: 'CREATE', to: BANK, input: BUY, gasUsed: 43_800 });
    const lost = frame({ type: 'CREATE2', to: null, gasUsed: 0, error: 'out of gas' });
    const root = frame({ input: BUY, items: [inner, lost, log(SHOP, [])] });
    const { frames } = gasProfile(root, gasFactsWith(), { spent: 43_800 }, decoder);
    assert.deepEqual(
      frames.map(({ address, selector, method, selfGas }) => [address, selector, method, selfGas]),
      [
        [SHOP, BUY, 'buy', 0],
        [BANK, '', 'constructor', 43_800],
        ['', '', 'constructor', 0],
      ],
    );
  });

  it('orders contracts and methods by their own gas, unknown ones first', () => {
    const items = [
      frame({ to: BANK, input: BUY, gasUsed: 1_000 }),
      frame({ to: BANK, input: AGAIN, gasUsed: 2_000 }),
      frame({ to: account(3), gasUsed: 4_000 }),
      frame({ to: SHOP, input: BUY, gasUsed: 500 }),
    ];
    const root = frame({ input: BUY, items });
    const order = (spent: number | undefined) => {
      const known = spent === undefined ? undefined : { spent };
      const { contracts } = gasProfile(root, gasFactsWith(), known, decoder);
      return contracts.map(({ address, selfGas, methods }) => [
        address,
        selfGas,
        methods.map(({ selector }) => selector),
      ]);
    };
    assert.deepEqual(order(9_000), [
      [account(3), 4_000, ['fallback']],
      [BANK, 3_000, [AGAIN, BUY]],
      [SHOP, 2_000, [BUY]],
    ]);
    assert.deepEqual(order(undefined), [
      [SHOP, null, [BUY]],
      [account(3), 4_000, ['fallback']],
      [BANK, 3_000, [AGAIN, BUY]],
    ]);
  });

  it('contains the floor of the call data if the rules are known', () => {
    const floorBy = (values: Partial<GasFacts>) =>
      gasProfile(frame(), gasFactsWith(values), { spent: 39_000 }, decoder).calldataFloorGas;
    assert.equal(floorBy({}), 21_100);
    assert.equal(floorBy({ intrinsic: INTRINSIC }), null);
    assert.equal(floorBy({ intrinsic: undefined }), null);
    assert.equal(floorBy({ gasUsed: 1 }), null);
  });
});

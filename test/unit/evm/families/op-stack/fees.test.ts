import assert from 'node:assert/strict';
import { getBytes } from 'ethers';
import { toWord } from '../../../../../server/evm/forms/quantity';
import {
  readFeeParameters,
  type OpFeeParameters,
} from '../../../../../server/evm/families/op-stack/fee-parameters';
import {
  daFootprint,
  l1Fee,
  l1GasUsed,
  operatorFee,
} from '../../../../../server/evm/families/op-stack/fees';
import { opReceiptFields } from '../../../../../server/evm/families/op-stack/receipt-fields';
import { flzLength } from '../../../../../server/evm/families/op-stack/flz-length';

/** Transactions of OP Sepolia's block 26207963, by their fee on the parent chain in wei. */
const REAL = {
  smallest: [
    '0xf898832f24f2830f434e8259d894f8407a26345b2401910aa25e0cc803ca3b6542c38502540be400aa313030313432',
    '33393535332c32376637312c312c39313738303538372c313734343231383436343834398401546fdca09654d5651345',
    '7e762db0eb12841814c057619db3f76295104ebc59f1802d7d4fa0784bbf11f2bcbafecefab0db519edc5037709beb0b',
    '17190c79618684dc95ca56',
  ].join(''),
  oracle: [
    '0x02f902d783aa37dc8313d82c8405f5dff38405f5e1a38307a12094bcebcce16665bde508e61ce31de95e4dd80bbd83',
    '80b90264c980753900000000000000000000000000000000000000000000000000000000000000800000000000000000',
    '0000000000000000000000000000000000000000000001a0000000000000000000000000000000000000000000000000',
    '000000000000020001000000000000000000000000000000000000000000000000000000000000000000000000000000',
    '00000000000000000000000000000000000000000000010000000000000000000000000903a7cf39f62eca3d149bfdc3',
    'eaab94000960260600010203000000000000000000000000000000000000000000000000000000000000000000000000',
    '000000000000000000000000000000000000000000000060000000000000000000000000000000000000000000000000',
    '000000000000000400000000000000000000000000000000000000000000000000000005758cd3c00000000000000000',
    '000000000000000000000000000000000000000578024090000000000000000000000000000000000000000000000000',
    '000000057802409000000000000000000000000000000000000000000000000000000005780240900000000000000000',
    '0000000000000000000000000000000000000000000000024d52a79c8707ebe92ea976eb100f42a19a6ffd0dd7b86325',
    '1b76dd55e9b1fb0ea89f0bdfe050d28e5d166e572a641fa460c42dbc8e2c8a357d701b0060b7e1080000000000000000',
    '0000000000000000000000000000000000000000000000026bc41277b41804c1ffcd9f71e485bf1ecadd67eb63cb3093',
    '83d6704bf7189fdb1bf293d1f868c973418a41abb077a98b3e5d63de96dd348d57c8e773bd50fc48c080a0d25e0ed5db',
    'f1eb47082de1a816300efbacf06c5a179037afa040671bbe0ce9eda04afba9f55a00f6fd27c603f4584b0959087f4378',
    'dbd8a063ed99bc6cb21163c6',
  ].join(''),
  bridge: [
    '0x02f901f383aa37dc830fa5bf8204a48207ce8301aac9946256f32e33b681d95d29cb39939bce0085a1dcc780b90184',
    '158752260000000000000000000000000000000000000000000000000000000000000080000000000000000000000000',
    '00000000000000000000000000000000000000c000000000000000000000000000000000000000000000000000000000',
    '000001000000000000000000000000000000000000000000000000000000000000000140000000000000000000000000',
    '0000000000000000000000000000000000000001000000000000000000000000c535418a44e4c5cef69333f28b65c066',
    '52a5980e000000000000000000000000000000000000000000000000000000000000000127a392fbd0701f1e671543c6',
    'e4ea635775138400c3ae6d73ef339a3717db9e3300000000000000000000000000000000000000000000000000000000',
    '000000010000000000000000000000000000000000000000000000000000000000000000000000000000000000000000',
    '000000000000000000000000000000000000000100000000000000000000000000000000000000000000000029a2241a',
    'f62c0000c001a07f2708a46b8cc83b6783b9e08cd13448afa0b63c372b899be472551005f7fb43a04b935b7acda63e59',
    'cf64ff41865aef014846f91deb27d101790bde1524761c77',
  ].join(''),
};
/** Slots of L1Block in that block. */
const SLOTS: Record<string, bigint> = {
  [toWord(1)]: 30_570_189n,
  [toWord(3)]: 602_134_051_009_502_357_248_567_515_545_602n,
  [toWord(7)]: 1n,
};
const read = (slot: string): Promise<bigint> => Promise.resolve(SLOTS[slot] ?? 0n);

const OLD: OpFeeParameters = {
  isEcotone: false,
  l1BaseFee: 20_000_000_000n,
  l1BlobBaseFee: 0n,
  baseFeeScalar: 0n,
  blobBaseFeeScalar: 0n,
  overhead: 188n,
  scalar: 684_000n,
  operatorFeeScalar: 0n,
  operatorFeeConstant: 0n,
  daFootprintGasScalar: 0n,
};

describe('the fees of the OP Stack', () => {
  it('equal those that real transactions paid since Fjord', async () => {
    const parameters = await readFeeParameters('holocene', read);
    assert.deepEqual(
      [parameters.baseFeeScalar, parameters.blobBaseFeeScalar, parameters.isEcotone],
      [7_600n, 862_000n, true],
    );
    const paid = Object.values(REAL).map((raw) => l1Fee(parameters, 'holocene', getBytes(raw)));
    assert.deepEqual(paid, [371_733_584n, 989_119_501n, 594_206_469n]);
    // What these fees are divided by the price of a byte: 100.0, 266.08 and 159.85 bytes, of 16 gas each.
    const gas = Object.values(REAL).map((raw) => l1GasUsed(parameters, 'holocene', getBytes(raw)));
    assert.deepEqual(gas, [1_600n, 4_257n, 2_557n]);
    const footprints = Object.values(REAL).map((raw) =>
      daFootprint({ ...parameters, daFootprintGasScalar: 400n }, 'jovian', getBytes(raw)),
    );
    assert.deepEqual(footprints, [40_000n, 106_400n, 63_600n]);
    assert.equal(daFootprint(parameters, 'isthmus', getBytes(REAL.oracle)), 0n);
  });

  it('are written to receipts as op-geth does', async () => {
    const data = { l1Fee: 5n, l1GasUsed: 1_600n, daFootprint: 90_000n };
    const words = (operator: bigint) => (slot: string) =>
      Promise.resolve(slot === toWord(8) ? operator : (SLOTS[slot] ?? 0n));
    const common = {
      l1GasPrice: '0x1d276cd',
      l1GasUsed: '0x640',
      l1Fee: '0x5',
      l1BlobBaseFee: '0x1',
      l1BaseFeeScalar: '0x1db0',
      l1BlobBaseFeeScalar: '0xd2730',
    };
    // Without an operator fee, its fields are missing; the footprint's scalar is 400 if none is set.
    const jovian = await readFeeParameters('jovian', words(0n));
    assert.deepEqual(opReceiptFields('jovian', jovian, data), {
      ...common,
      daFootprintGasScalar: '0x190',
      blobGasUsed: '0x15f90',
    });
    const isthmus = await readFeeParameters('isthmus', words((7n << 96n) | (2n << 64n) | 9n));
    assert.deepEqual(opReceiptFields('isthmus', isthmus, data), {
      ...common,
      operatorFeeScalar: '0x2',
      operatorFeeConstant: '0x9',
    });
    assert.deepEqual(opReceiptFields('regolith', OLD, data), {
      l1GasPrice: '0x4a817c800',
      l1GasUsed: '0x640',
      l1Fee: '0x5',
      l1FeeScalar: '0.684',
    });
  });

  it('count the bytes of the data between Ecotone and Fjord', async () => {
    const parameters = await readFeeParameters('ecotone', read);
    // 3 zero bytes of 4 gas, 2 others of 16 gas; 16 * 7600 * 30570189 + 862000 * 1 for 16e6.
    const fee = l1Fee(parameters, 'ecotone', getBytes('0x0000000102'));
    assert.equal(fee, (44n * 3_717_335_844_400n) / 16_000_000n);
  });

  it('follow overhead and scalar before Ecotone, and in its first block', async () => {
    const data = getBytes('0x0000000102');
    assert.equal(
      l1Fee(OLD, 'regolith', data),
      ((44n + 188n) * 20_000_000_000n * 684_000n) / 1_000_000n,
    );
    const unset = await readFeeParameters('ecotone', (slot) =>
      Promise.resolve(
        { [toWord(1)]: 20_000_000_000n, [toWord(5)]: 188n, [toWord(6)]: 684_000n }[slot] ?? 0n,
      ),
    );
    assert.equal(l1Fee(unset, 'ecotone', data), l1Fee(OLD, 'regolith', data));
  });

  it('contain the operator’s since Isthmus, by gas, and by a hundred times as much since Jovian', async () => {
    const word = (1_500_000n << 64n) | 7n;
    const asked: string[] = [];
    const parameters = await readFeeParameters('isthmus', (slot) => {
      asked.push(slot);
      return Promise.resolve(slot === toWord(8) ? word : (SLOTS[slot] ?? 0n));
    });
    assert.deepEqual(asked, [1, 3, 7, 8].map(toWord));
    assert.equal(operatorFee(parameters, 'isthmus', 21_001n), 31_501n + 7n);
    assert.equal(operatorFee(parameters, 'jovian', 21_001n), 21_001n * 150_000_000n + 7n);
    assert.equal(operatorFee(parameters, 'holocene', 21_001n), 0n);
  });
});

describe('the length after FastLZ', () => {
  it('is that of op-geth’s own cases', () => {
    assert.equal(flzLength(new Uint8Array(0)), 0);
    assert.equal(flzLength(new Uint8Array(1_000)), 21);
    assert.equal(flzLength(new Uint8Array(1_000).fill(1)), 21);
    assert.equal(flzLength(new Uint8Array(12).fill(9)), 13);
  });

  it('counts one byte for each 32 literals where nothing repeats', () => {
    const data = Uint8Array.from({ length: 256 }, (_, index) => index);
    assert.equal(flzLength(data), 256 + 8);
  });
});

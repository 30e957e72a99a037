import assert from 'node:assert/strict';
import { Transaction, Wallet, type TransactionLike } from 'ethers';
import { ApiError } from '../../../../server/api/errors';
import type { Hex } from '../../../../server/api/primitives';
import { toQuantity } from '../../../../server/evm/forms/quantity';
import type { RpcTransaction } from '../../../../server/evm/forms/types';
import { rawTransaction } from '../../../../server/execution/prefix/raw-transaction';

const WALLET = new Wallet(`0x${'a1'.repeat(32)}`);
const hex = (value: bigint | number): Hex => toQuantity(value);

/** A transaction as a node returns it, with signature numbers without leading zeros. */
async function signed(
  fields: TransactionLike,
): Promise<{ raw: string; transaction: RpcTransaction }> {
  const raw = await WALLET.signTransaction(fields);
  const from = Transaction.from(raw);
  assert.ok(from.signature && from.hash && from.from);
  const { r, s, yParity, networkV } = from.signature;
  const legacy = from.type === 0;
  const v = legacy ? (networkV ?? BigInt(27 + yParity)) : BigInt(yParity);
  return {
    raw,
    transaction: {
      hash: from.hash as Hex,
      blockHash: null,
      blockNumber: null,
      transactionIndex: null,
      type: hex(from.type ?? 0),
      ...(legacy ? {} : { chainId: hex(from.chainId), yParity: hex(yParity) }),
      nonce: hex(from.nonce),
      from: from.from.toLowerCase() as Hex,
      to: (from.to?.toLowerCase() ?? null) as Hex | null,
      value: hex(from.value),
      gas: hex(from.gasLimit),
      ...(from.gasPrice === null ? {} : { gasPrice: hex(from.gasPrice) }),
      ...(from.maxFeePerGas === null ? {} : { maxFeePerGas: hex(from.maxFeePerGas) }),
      ...(from.maxPriorityFeePerGas === null
        ? {}
        : { maxPriorityFeePerGas: hex(from.maxPriorityFeePerGas) }),
      input: from.data as Hex,
      r: hex(BigInt(r)),
      s: hex(BigInt(s)),
      v: hex(v),
    },
  };
}

describe('signed bytes of a mined transaction', () => {
  const common = {
    to: `0x${'12'.repeat(20)}`,
    value: 5n,
    nonce: 3,
    gasLimit: 21_000,
    data: '0x1234',
  };
  const price = { gasPrice: 10n ** 9n };
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n };
  const cases: [string, TransactionLike][] = [
    ['legacy with EIP-155', { ...common, ...price, type: 0, chainId: 61 }],
    ['legacy before EIP-155', { ...common, ...price, type: 0, chainId: 0 }],
    ['a creation', { ...common, ...price, type: 0, chainId: 1, to: null }],
    ['EIP-2930', { ...common, ...price, type: 1, chainId: 1 }],
    ['EIP-1559', { ...common, ...fees, type: 2, chainId: 1 }],
  ];
  for (const [name, fields] of cases) {
    it(name, async () => {
      // With many nonces, some signatures begin with zeros.
      for (let nonce = 0; nonce < 40; nonce++) {
        const { raw, transaction } = await signed({ ...fields, nonce });
        assert.equal(rawTransaction(transaction), raw);
      }
    });
  }

  it('are refused if they cannot be correct', async () => {
    const { transaction } = await signed({ ...common, ...fees, type: 2, chainId: 1 });
    const fails = (message: RegExp) => (error: unknown) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.kind, 'upstreamLacksData');
      assert.match(error.message, message);
      return true;
    };
    assert.throws(
      () => rawTransaction({ ...transaction, nonce: '0x9' }),
      fails(/omits a part of it/),
    );
    assert.throws(
      () => rawTransaction({ ...transaction, type: '0x7e' }),
      fails(/of type 0x7e cannot be replayed/),
    );
    const unsigned = { ...transaction };
    delete unsigned.r;
    assert.throws(() => rawTransaction(unsigned), fails(/its signed form cannot be rebuilt/));
  });
});

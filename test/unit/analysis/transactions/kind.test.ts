import assert from 'node:assert/strict';
import { Wallet } from 'ethers';
import { transactionKind } from '../../../../server/analysis/transactions/kind';
import type { Hex } from '../../../../server/api/primitives';
import { toQuantity } from '../../../../server/evm/forms/quantity';
import { account, mined, word } from '../../../support/analysis';

const { transaction, receipt } = mined();

describe('facts of transaction types', () => {
  it('are empty for a plain transaction', () => {
    assert.deepEqual(transactionKind({ ...transaction, type: '0x2', accessList: [] }, receipt), {});
  });

  it('contain access lists', () => {
    const accessList = [{ address: account(1), storageKeys: [word(1)] }];
    assert.deepEqual(transactionKind({ ...transaction, accessList }, receipt), { accessList });
  });

  it('contain blobs and their cost', () => {
    const blob = {
      ...transaction,
      type: '0x3',
      maxFeePerBlobGas: '0xa',
      blobVersionedHashes: [word(0x01)],
    } as const;
    const blobs = { versionedHashes: [word(0x01)], maxFeePerGas: '10' };
    assert.deepEqual(
      transactionKind(
        { ...blob, blobVersionedHashes: [word(0x01)] },
        { ...receipt, blobGasUsed: '0x20000', blobGasPrice: '0x3' },
      ),
      { blobs: { ...blobs, gasUsed: 131_072, gasPrice: '3' } },
    );
    assert.deepEqual(transactionKind({ ...blob, blobVersionedHashes: [word(0x01)] }, receipt), {
      blobs: { ...blobs, gasUsed: null, gasPrice: '' },
    });
  });

  it('contain authorities and the code that they authorized', () => {
    const wallet = new Wallet(word(0x5ec));
    const { signature } = wallet.authorizeSync({ address: account(0xc), chainId: 1, nonce: 5 });
    const authorization = {
      address: account(0xc),
      chainId: '0x1',
      nonce: '0x5',
      yParity: toQuantity(signature.yParity),
      r: toQuantity(BigInt(signature.r)),
      s: toQuantity(BigInt(signature.s)),
    } as const;
    const { authorizations } = transactionKind(
      { ...transaction, type: '0x4', authorizationList: [authorization, nonsense(authorization)] },
      receipt,
    );
    const shown = { address: account(0xc), chainId: '1', nonce: '5' };
    const { yParity, r, s } = authorization;
    assert.deepEqual(authorizations, [
      { authority: wallet.address.toLowerCase(), ...shown, yParity, r, s },
      { authority: '', ...shown, yParity, r: '0x0', s: '0x0' },
    ]);
  });

  it('contain fields that only rollups have', () => {
    const deposit = { ...transaction, type: '0x7e', sourceHash: word(1), mint: '0x5' } as const;
    const fields = { ...receipt, l1Fee: '0x1', depositNonce: '0x2', logsBloom: '0x' };
    assert.deepEqual(transactionKind(deposit, fields), {
      extra: { sourceHash: word(1), mint: '0x5', l1Fee: '0x1', depositNonce: '0x2' },
    });
    const odd = { ...transaction, publicKey: '0x' };
    assert.deepEqual(
      transactionKind(odd, receipt),
      {},
      'the fields are ignored for a type that chains share',
    );
  });
});

const nonsense = <T extends { r: Hex; s: Hex }>(authorization: T): T => ({
  ...authorization,
  r: toQuantity(0),
  s: toQuantity(0),
});

describe('facts of signatures', () => {
  it('contain the authority of signatures of either parity', () => {
    const authorities = Array.from({ length: 8 }, (_, index) => {
      const wallet = new Wallet(word(index + 1));
      const { signature } = wallet.authorizeSync({ address: account(0xc), chainId: 1, nonce: 5 });
      const authorization = {
        address: account(0xc),
        chainId: '0x1',
        nonce: '0x5',
        yParity: toQuantity(signature.yParity),
        r: toQuantity(BigInt(signature.r)),
        s: toQuantity(BigInt(signature.s)),
      } as const;
      const kind = transactionKind(
        {
          ...transaction,
          type: '0x4',
          authorizationList: [authorization],
          publicKey: '0x',
        } as typeof transaction,
        receipt,
      );
      assert.deepEqual(Object.keys(kind), ['authorizations']);
      assert.equal(kind.authorizations?.[0]?.authority, wallet.address.toLowerCase());
      return signature.yParity;
    });
    assert.deepEqual(new Set(authorities), new Set([0, 1]));
  });
});

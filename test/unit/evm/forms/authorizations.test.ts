import assert from 'node:assert/strict';
import { Wallet } from 'ethers';
import {
  processAuthorizations,
  type AuthorityState,
} from '../../../../server/evm/forms/authorizations';
import type { Address, Hex } from '../../../../server/api/primitives';
import type { RpcAuthorization } from '../../../../server/evm/forms/types';
import { toQuantity } from '../../../../server/evm/forms/quantity';

const TARGET = `0x${'7a'.repeat(20)}`;
const NOBODY = `0x${'0'.repeat(40)}`;
const signer = (index: number): Wallet => new Wallet(`0x${String(index).padStart(64, '3')}`);
const [AUTHORITY, OTHER, SENDER] = [signer(1), signer(2), signer(3)];
const lower = ({ address }: Wallet): Address => address.toLowerCase() as Address;

function authorization(
  wallet: Wallet,
  nonce: number | bigint,
  { to = TARGET, chainId = 1 }: { to?: string; chainId?: number } = {},
): RpcAuthorization {
  const signed = wallet.authorizeSync({ address: to, chainId, nonce });
  return {
    chainId: toQuantity(signed.chainId),
    address: signed.address as Address,
    nonce: toQuantity(signed.nonce),
    yParity: toQuantity(signed.signature.yParity),
    r: signed.signature.r as Hex,
    s: signed.signature.s as Hex,
  };
}

/** For each processed authorization: its authority, whether it takes effect, and whether its authority is new. */
function processed(
  list: readonly RpcAuthorization[],
  states: Readonly<Record<string, Partial<AuthorityState>>> = {},
): unknown[] {
  const transaction = { from: lower(SENDER), authorizationList: [...list] };
  return processAuthorizations(transaction, 1n, (authority) => ({
    balance: 0n,
    nonce: 0n,
    code: '0x',
    ...states[authority],
  })).map(({ authority, takesEffect, isNew }) => [authority, takesEffect, isNew]);
}

describe('the authorizations of a transaction', () => {
  const [authority, other, sender] = [lower(AUTHORITY), lower(OTHER), lower(SENDER)];

  it('take effect in order, each with the nonce after the one before', () => {
    const list = [0, 1, 1].map((nonce) => authorization(AUTHORITY, nonce));
    assert.deepEqual(processed(list), [
      [authority, true, true],
      [authority, true, false],
      [authority, false, false],
    ]);
  });

  it('make their account warm also with an outdated nonce, or if it is a contract', () => {
    const list = [authorization(AUTHORITY, 4), authorization(OTHER, 0)];
    assert.deepEqual(processed(list, { [authority]: { nonce: 5n }, [other]: { code: '0x60' } }), [
      [authority, false, false],
      [other, false, false],
    ]);
  });

  it('have no effect at all on another chain, or with the last nonce', () => {
    const list = [
      authorization(AUTHORITY, 0, { chainId: 5 }),
      authorization(OTHER, 2n ** 64n - 1n),
      authorization(OTHER, 0, { chainId: 0 }),
    ];
    assert.deepEqual(processed(list), [[other, true, true]]);
  });

  it('find the nonce of the sender raised by the transaction', () => {
    const list = [authorization(SENDER, 7), authorization(SENDER, 8)];
    assert.deepEqual(processed(list, { [sender]: { nonce: 7n } }), [
      [sender, false, false],
      [sender, true, false],
    ]);
  });

  it('replace and remove delegations', () => {
    const list = [authorization(AUTHORITY, 3, { to: NOBODY }), authorization(AUTHORITY, 4)];
    const code = `0xef0100${TARGET.slice(2)}`;
    assert.deepEqual(processed(list, { [authority]: { nonce: 3n, code } }), [
      [authority, true, false],
      [authority, true, false],
    ]);
    assert.deepEqual(processed(list.slice(0, 1), { [authority]: { nonce: 3n, balance: 1n } }), [
      [authority, true, false],
    ]);
  });
});

import { Transaction, type TransactionLike } from 'ethers';
import type { Hash, Hex } from '../../api/primitives';
import type { AccountName, Accounts } from './parts/accounts';
import { CHAIN_ID } from './parts/constants';
import type { Step } from './parts/steps';

const GAS_LIMIT = 1_000_000;
const GWEI = 10n ** 9n;
const GAS_PRICE = 3n * GWEI;
const MAX_FEE = 10n * GWEI;
const TIP = 1n * GWEI;

export interface SignedTransaction {
  hash: Hash;
  raw: Hex;
}

/** Signs steps in order. The same steps produce the same hashes (RFC 6979). */
export class StepSigner {
  readonly #nonces = new Map<AccountName, number>();

  constructor(private readonly accounts: Accounts) {}

  sign(step: Step): SignedTransaction {
    const { from, to, data, value, gasLimit = GAS_LIMIT, type = 2, delegateTo } = step;
    const account = this.accounts[from];
    const nonce = this.#nextNonce(from);
    const fields: TransactionLike = {
      chainId: CHAIN_ID,
      type,
      nonce,
      gasLimit,
      ...(to === undefined ? {} : { to }),
      ...(data === undefined ? {} : { data }),
      ...(value === undefined ? {} : { value }),
      ...(type < 2
        ? { gasPrice: GAS_PRICE }
        : { maxFeePerGas: MAX_FEE, maxPriorityFeePerGas: TIP }),
      ...(type === 1 && to !== undefined ? { accessList: [[to, []]] } : {}),
    };
    if (delegateTo !== undefined) {
      // The sender's nonce is already incremented when its own authorization is checked (EIP-7702).
      const authorization = {
        address: delegateTo,
        nonce: this.#nextNonce(from),
        chainId: CHAIN_ID,
      };
      fields.authorizationList = [account.authorizeSync(authorization)];
    }
    const transaction = Transaction.from(fields);
    transaction.signature = account.signingKey.sign(transaction.unsignedHash);
    return { hash: hashOf(transaction), raw: transaction.serialized as Hex };
  }

  #nextNonce(account: AccountName): number {
    const nonce = this.#nonces.get(account) ?? 0;
    this.#nonces.set(account, nonce + 1);
    return nonce;
  }
}

function hashOf({ hash }: Transaction): Hash {
  if (hash === null) throw new Error('a signed transaction has a hash');
  return hash as Hash;
}

import { getBytes, type HDNodeWallet } from 'ethers';
import { invalidParams, RpcError } from '../../evm/forms/json-rpc';
import { typedDataHash } from '../../evm/forms/typed-data';
import type { RpcTransaction } from '../../evm/forms/types';
import { LIMITS } from '../../api/limits';
import { RPC_CODES } from '../../api/rpc-codes';
import { unsignedTransaction } from '../../execution/prefix/raw-transaction';
import { fillTransaction } from '../reads/fill-transaction';
import type { RunningFork } from '../reads/running-fork';
import { firstAccount } from './accounts';
import { methods, read, type Methods } from './fork-method';
import { addressOf, checkUnsigned } from './method-parameters';
import { checkFields } from '../reads/transaction-fields';

type Params = readonly unknown[];

const signTypedData = read((fork, [account, data]) =>
  Promise.resolve(signerOf(fork, account).signingKey.sign(typedDataHash(data)).serialized),
);

/** Methods that sign with the fork's keys: deterministic (RFC 6979), with a low s (EIP-2). */
export const SIGNING: Methods = methods({
  /** EIP-191, version 0x45, as in all current clients. */
  eth_sign: read((fork, [account, data]) => signMessage(fork, account, data)),
  personal_sign: read((fork, [data, account]) => signMessage(fork, account, data)),
  eth_signTypedData_v3: signTypedData,
  eth_signTypedData_v4: signTypedData,
  eth_signTransaction: read(signTransaction),
});

/** @throws RpcError -32602 for an account whose key the fork does not hold, as in anvil */
function signerOf(fork: RunningFork, account: unknown): HDNodeWallet {
  const address = addressOf('the account', account);
  const signer = fork.keys.signerOf(address);
  if (signer) return signer;
  throw new RpcError(
    RPC_CODES.invalidParams,
    `no signer available: the fork holds no key of ${address}, impersonated or not; eth_sendTransaction accepts any sender without a signature`,
  );
}

/** @param data bytes as hex; other text is signed as UTF-8, as in wallets */
function signMessage(fork: RunningFork, account: unknown, data: unknown): Promise<string> {
  const signer = signerOf(fork, account);
  if (typeof data !== 'string' || /^0x(?!([0-9a-f]{2})*$)/i.test(data)) {
    throw invalidParams('the message', data, 'bytes as hex, or text');
  }
  if (data.length > LIMITS.signedData) {
    throw invalidParams('the length of the message', data.length, `up to ${LIMITS.signedData}`);
  }
  return signer.signMessage(data.startsWith('0x') ? getBytes(data) : data);
}

/**
 * Fills missing fields of the transaction, and signs it. Nothing is sent.
 * @returns its signed bytes as hex
 * @throws RpcError -32602
 */
async function signTransaction(fork: RunningFork, [request]: Params): Promise<string> {
  const given = checkUnsigned(request, fork.chainId);
  checkFields(given);
  const from = given['from'] ?? firstAccount(fork);
  const signer = signerOf(fork, from);
  const { tx } = (await fillTransaction(fork, [{ ...given, from }])) as { tx: RpcTransaction };
  try {
    const unsigned = unsignedTransaction(tx, BigInt(fork.chainId));
    unsigned.signature = signer.signingKey.sign(unsigned.unsignedHash);
    return unsigned.serialized;
  } catch (error) {
    const { shortMessage, message } = error as Error & { shortMessage?: string };
    throw new RpcError(
      RPC_CODES.invalidParams,
      `the transaction cannot be signed: ${shortMessage ?? message}`,
    );
  }
}

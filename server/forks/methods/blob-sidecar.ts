import { concat, decodeRlp, encodeRlp, sha256 } from 'ethers';
import { RpcError } from '../../evm/forms/json-rpc';
import { RPC_CODES } from '../../api/rpc-codes';

/** Index of the versioned hashes in a transaction of type 3 (EIP-4844). */
const VERSIONED_HASHES = 10;

/**
 * Converts a signed transaction to a form that the engine accepts. Since Osaka, blobs have cell proofs (EIP-7594), which the engine cannot
 * decode. They are removed together with the blobs, which no execution reads. Commitments are compared with the versioned hashes; proofs
 * are not verified.
 * @throws RpcError -32602 if a commitment belongs to another blob
 */
export function withoutCellProofs(raw: unknown): unknown {
  if (typeof raw !== 'string' || !raw.startsWith('0x03')) return raw;
  const items = decodeRlp(`0x${raw.slice(4)}`);
  // EIP-7594: [transaction, version, blobs, commitments, cell proofs]
  if (!Array.isArray(items) || items.length !== 5) return raw;
  const [transaction, , blobs, commitments] = items;
  if (!Array.isArray(transaction) || !Array.isArray(blobs) || !Array.isArray(commitments)) {
    return raw;
  }
  const hashes = transaction[VERSIONED_HASHES];
  const committed = commitments.map((one) => `0x01${sha256(one as string).slice(4)}`);
  if (blobs.length !== committed.length || String(hashes) !== String(committed)) {
    throw new RpcError(
      RPC_CODES.invalidParams,
      'the commitments of the blobs do not match the versioned hashes',
    );
  }
  return concat(['0x03', encodeRlp(transaction)]);
}

import type { Address, Hash, Hex } from '../api/primitives';

/*
 * What nodes answer (execution-apis). Quantities are 0x-hex text as sent; what some chains or eras leave out is optional.
 * Unknown extra fields (L2s) are kept where whole objects are passed on.
 */

export interface AccessListEntry {
  address: Address;
  storageKeys: Hash[];
}

export interface RpcAuthorization {
  chainId: Hex;
  address: Address;
  nonce: Hex;
  yParity: Hex;
  r: Hex;
  s: Hex;
}

export interface RpcTransaction {
  hash: Hash;
  /** null while pending */
  blockHash: Hash | null;
  blockNumber: Hex | null;
  transactionIndex: Hex | null;
  type?: Hex;
  chainId?: Hex;
  nonce: Hex;
  from: Address;
  /** null for a creation */
  to: Address | null;
  value: Hex;
  gas: Hex;
  gasPrice?: Hex;
  maxFeePerGas?: Hex;
  maxPriorityFeePerGas?: Hex;
  maxFeePerBlobGas?: Hex;
  blobVersionedHashes?: Hash[];
  accessList?: AccessListEntry[];
  authorizationList?: RpcAuthorization[];
  /** Of an OP Stack deposit, wei. */
  mint?: Hex | null;
  input: Hex;
  r?: Hex;
  s?: Hex;
  v?: Hex;
  yParity?: Hex;
}

export interface RpcBlockHeader {
  number: Hex;
  hash: Hash;
  parentHash: Hash;
  timestamp: Hex;
  miner: Address;
  gasLimit: Hex;
  gasUsed: Hex;
  difficulty?: Hex;
  mixHash?: Hash;
  baseFeePerGas?: Hex;
  blobGasUsed?: Hex;
  excessBlobGas?: Hex;
  parentBeaconBlockRoot?: Hash;
  /** EIP-4895; amounts in gwei. */
  withdrawals?: readonly { address: Address; amount: Hex }[];
}

export interface RpcBlock extends RpcBlockHeader {
  transactions: RpcTransaction[];
}

export interface RpcLog {
  address: Address;
  topics: Hash[];
  data: Hex;
  logIndex?: Hex;
}

export interface RpcReceipt {
  transactionHash: Hash;
  transactionIndex: Hex;
  blockHash: Hash;
  blockNumber: Hex;
  from: Address;
  to: Address | null;
  contractAddress: Address | null;
  gasUsed: Hex;
  cumulativeGasUsed: Hex;
  effectiveGasPrice?: Hex;
  /** Missing before Byzantium, where `root` stands instead. */
  status?: Hex;
  type?: Hex;
  blobGasUsed?: Hex;
  blobGasPrice?: Hex;
  logs: RpcLog[];
}

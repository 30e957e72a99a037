import type { Address, Hash, Hex } from '../../api/primitives';

/*
 * Answers of nodes (execution-apis). Quantities are 0x-hex text as received; fields that some chains or eras omit are optional.
 * Unknown extra fields (of rollups) are kept in objects that are forwarded whole.
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
  /** Null while pending. */
  blockHash: Hash | null;
  blockNumber: Hex | null;
  transactionIndex: Hex | null;
  type?: Hex;
  chainId?: Hex;
  nonce: Hex;
  from: Address;
  /** Null for a creation. */
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
  /** Set for an OP Stack deposit, wei. */
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
  /** EIP-7843. */
  slotNumber?: Hex;
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
  /** Missing before Byzantium, where receipts contain `root` instead. */
  status?: Hex;
  type?: Hex;
  blobGasUsed?: Hex;
  blobGasPrice?: Hex;
  /** Token of the fee, whose logs are not part of the execution; set for the transactions that name one. */
  feeToken?: Address;
  logs: RpcLog[];
}

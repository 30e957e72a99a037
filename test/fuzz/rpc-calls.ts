import fc from 'fast-check';
import { canonicalName, REFUSED } from '../../server/forks/methods/method-names';
import { METHOD_TABLE } from '../../server/forks/methods/method-table';
import { METHODS } from '../support/json-rpc-standard/methods';
import { hostileText, hostileValue, mutated, mutation } from './hostile-values';
import { reference } from './rpc-references';
import {
  ACCOUNTS,
  address,
  hash,
  quantity,
  small,
  bytes,
  block,
  word,
  transaction,
  overrides,
  blockOverrides,
  filter,
  tracer,
  simulation,
  typedData,
  blockHash,
  height,
  token,
} from './rpc-values';

/** Every method that a fork offers under any name, every refused method, and every method of the standard. */
export const METHOD_NAMES: readonly string[] = [
  ...new Set([
    ...METHOD_TABLE.flatMap(({ methods }) => methods),
    ...Object.keys(REFUSED),
    ...METHODS.map(({ method }) => method),
  ]),
];

export interface RpcStep {
  method: unknown;
  params: unknown;
}

/** Calls are sent one by one, as a batch, or as a text or value that is not a JSON-RPC request. */
export type RpcScript = { over: 'http' | 'socket' } & (
  | { kind: 'calls' | 'batch'; calls: RpcStep[] }
  | { kind: 'text'; text: string }
  | { kind: 'value'; value: unknown }
);

const KINDS = {
  address,
  hash,
  quantity,
  small,
  bytes,
  block,
  word,
  transaction,
  overrides,
  filter,
  tracer,
  simulation,
  blockOverrides,
  blockHash,
  height,
  token,
  filterId: reference('filter'),
  signed: fc.oneof(reference('signed'), bytes),
  chain: fc.record({ chainId: fc.constantFrom('0x7a69', '0x5f4d1a9', '0x1') }),
  bool: fc.boolean(),
  signer: fc.constantFrom(...ACCOUNTS),
  typedData: fc.oneof(
    typedData,
    typedData.map((data) => JSON.stringify(data)),
  ),
  milliseconds: fc.nat({ max: 50 }),
  time: fc.oneof(small, fc.constantFrom(1_900_000_000, 2 ** 53 - 1, '0x713fb300')),
  bundle: fc.array(transaction, { maxLength: 3 }),
  raws: fc.array(fc.oneof(reference('signed'), bytes), { maxLength: 3 }),
  calledBundle: fc.record(
    {
      txs: fc.array(fc.oneof(reference('signed'), bytes), { maxLength: 3 }),
      blockNumber: fc.oneof(small, hostileValue),
      stateBlockNumber: fc.oneof(small, hostileValue),
      timestamp: fc.oneof(fc.nat(), hostileValue),
    },
    { requiredKeys: ['txs'] },
  ),
  subscription: fc.constantFrom('newHeads', 'logs', 'newPendingTransactions', 'syncing'),
  slots: fc.dictionary(address, fc.array(word, { maxLength: 3 }), { maxKeys: 2 }),
  percentiles: fc.constantFrom<unknown>([], [25, 75], [100]),
  accounts: fc.oneof(address, fc.array(address, { maxLength: 3 })),
  keys: fc.array(word, { maxLength: 3 }),
  any: hostileValue,
} as const satisfies Record<string, fc.Arbitrary<unknown>>;

/** Parameters of methods, by patterns of their names. The first match counts. */
const PARAMETERS: readonly [RegExp, string][] = [
  [/^eth_(call|estimateGas)$/, 'transaction block overrides blockOverrides'],
  [/^eth_createAccessList$/, 'transaction block'],
  [/^debug_traceCall$/, 'transaction block tracer'],
  [/^eth_simulateV1$/, 'simulation block'],
  [/^debug_traceTransaction$/, 'hash tracer'],
  [/^debug_traceBlockByHash$/, 'blockHash tracer'],
  [/^debug_traceBlock/, 'block tracer'],
  [/^wallet_(add|switch)EthereumChain$/, 'chain'],
  [/BlockDetailsByHash|CountBy(Block)?Hash/, 'blockHash'],
  [/BlockByHash/, 'blockHash bool'],
  [/ByBlockHash/, 'blockHash small'],
  [/^ots_(trace|getInternal|getTransactionError)/, 'hash'],
  [/^ots_searchTransactions/, 'address height small'],
  [/^ots_getBlockTransactions$/, 'height small small'],
  [/^eth_(getFilter|uninstallFilter)/, 'filterId'],
  [/^eth_(sendTransactions)$/, 'bundle'],
  [/^eth_sendRawTransactions$/, 'raws'],
  [/^eth_callBundle$/, 'calledBundle'],
  [/^personal_sign$/, 'bytes signer'],
  [/^eth_sign$/, 'signer bytes'],
  [/^eth_signTypedData/, 'signer typedData'],
  [/^eth_sendTransactionSync$/, 'transaction milliseconds'],
  [/^eth_sendRawTransactionSync$/, 'signed milliseconds'],
  [/(LoggingEnabled)$/, 'bool'],
  [/^eth_send(Unsigned)?Transaction|^eth_fillTransaction|^eth_signTransaction/, 'transaction'],
  [/^eth_sendRaw/, 'signed'],
  [/^eth_getStorageValues$/, 'slots block'],
  [/^eth_getStorageAt$/, 'address word block'],
  [/^eth_getProof$/, 'address keys block'],
  [/^eth_feeHistory$/, 'small block percentiles'],
  [/^(eth_getLogs|eth_newFilter|trace_filter)$/, 'filter'],
  [/^eth_subscribe$/, 'subscription filter'],
  [/(ByHash|ByBlockHash|Receipt|trace_transaction|debug_codeByHash|RawTransaction)/, 'hash small'],
  [
    /ByNumber|ByBlockNumber|BlockReceipts|debug_getRaw|BlockDetails|trace_block|BlockAccessList/,
    'block bool',
  ],
  [/SenderAndNonce/, 'address small'],
  [/setCode$|setAccountCode$/, 'address bytes'],
  [/StorageAt$/, 'address word word'],
  [/(setBalance|addBalance|AccountBalance)$/, 'accounts quantity'],
  [/set[Ee][Rr][Cc]20Allowance$/, 'address address token quantity'],
  [/^(anvil|hardhat)_\w*[Ee][Rr][Cc]20/, 'address token quantity'],
  [/[Ee][Rr][Cc]20/, 'token address quantity'],
  [/[Ee][Rr][Cc](721|1155)/, 'address address quantity quantity'],
  [/dropTransaction$/, 'hash'],
  [/Nonce$/, 'address small'],
  [/(increaseTime|Timestamp|setTime|Interval)/i, 'time'],
  [/_mine$|increaseBlocks/, 'small small'],
  [/(GasPrice|BaseFeePerGas|GasLimit)$/, 'quantity'],
  [/(Automine|autoImpersonate)/, 'bool'],
  [/revert$|Filter/, 'small'],
  [/drop|txpool_contentFrom|removePool/, 'address'],
  [/web3_sha3/, 'bytes'],
  [/Account|Balance|getCode|hasCode|ContractCreator|Coinbase|TransactionCount$/, 'address block'],
];

const parametersOf = (method: string): fc.Arbitrary<unknown[]> => {
  const known =
    PARAMETERS.find(([pattern]) => pattern.test(method)) ??
    PARAMETERS.find(([pattern]) => pattern.test(canonicalName(method)));
  const kinds = (known?.[1] ?? '').split(' ').filter(Boolean) as (keyof typeof KINDS)[];
  const all = fc.tuple(...kinds.map((kind) => KINDS[kind] as fc.Arbitrary<unknown>));
  return fc
    .tuple(all, fc.nat({ max: 9 }))
    .map(([params, cut]) => (cut < 7 ? params : params.slice(0, cut - 7)));
};

const call: fc.Arbitrary<RpcStep> = fc.constantFrom(...METHOD_NAMES).chain((method) => {
  const valid = parametersOf(method);
  const params = fc.oneof(
    { weight: 5, arbitrary: valid },
    {
      weight: 5,
      arbitrary: fc.tuple(valid, mutation).map(([value, change]) => mutated(value, change)),
    },
    { weight: 1, arbitrary: fc.array(hostileValue, { maxLength: 4 }) },
    { weight: 1, arbitrary: hostileValue },
  );
  return params.map((given): RpcStep => ({ method, params: given }));
});
const stray: fc.Arbitrary<RpcStep> = fc.record({
  method: fc.oneof(hostileText, hostileValue),
  params: hostileValue,
});
const step = fc.oneof({ weight: 29, arbitrary: call }, { weight: 1, arbitrary: stray });
const over = fc.constantFrom('http' as const, 'http' as const, 'socket' as const);

const TEXTS = fc.constantFrom(
  '',
  '{',
  'null',
  '[]',
  '[[]]',
  '[1,2]',
  '"x"',
  '\0',
  '[{}]',
  '{"jsonrpc":"2.0"}',
  '['.repeat(3_000),
  '{"jsonrpc":"1.0","id":1,"method":"eth_chainId"}',
  '{"id":{},"jsonrpc":"2.0","method":"eth_chainId"}',
  `{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":${'['.repeat(100)}${']'.repeat(100)}}`,
  '{"jsonrpc":"2.0","id":1e999,"method":"eth_chainId"}',
  '\ufeff{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}',
);

export const rpcScripts: fc.Arbitrary<RpcScript> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      over,
      kind: fc.constant('calls' as const),
      calls: fc.array(step, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      over,
      kind: fc.constant('batch' as const),
      calls: fc.array(step, { minLength: 1, maxLength: 8 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ over, kind: fc.constant('text' as const), text: TEXTS }) },
  {
    weight: 1,
    arbitrary: fc.record({ over, kind: fc.constant('value' as const), value: hostileValue }),
  },
);

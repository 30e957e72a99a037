import * as z from 'zod';
import { toQuantity } from '../../../server/evm/forms/quantity';
import * as form from './forms';
import { beyond, CALL, first, newest, NOWHERE } from './names';
import { equals, fails, has, type StandardCase, type StandardMethod } from './standard-case';

type Want = NonNullable<StandardCase['want']>;

const hasNextPrice: Want = async (answer, place) => {
  const params = [toQuantity(place.firstOwn + 1), false];
  const next = (await place.ask('eth_getBlockByNumber', params)) as { baseFeePerGas: string };
  return (answer as { baseFeePerGas: string[] }).baseFeePerGas[1] === next.baseFeePerGas;
};

const hasForkId: Want = (answer) =>
  Promise.resolve((answer as z.infer<typeof form.config>).current.forkId !== '0x00000000');

/** Methods that read the chain: blocks, transactions, logs and prices. */
export const CHAIN_METHODS: readonly StandardMethod[] = [
  { method: 'eth_chainId', cases: [equals('the chain id', '0x1')] },
  { method: 'net_version', cases: [equals('the chain id as decimal text', '1')] },
  { method: 'eth_syncing', cases: [equals('false', false)] },
  { method: 'eth_blockNumber', cases: [equals('the head', newest)] },
  { method: 'eth_accounts', cases: [has('addresses', z.array(form.address))] },
  { method: 'eth_coinbase', cases: [has('an address', form.address)] },
  { method: 'eth_gasPrice', cases: [has('a quantity', form.uint)] },
  { method: 'eth_baseFee', cases: [has('a quantity', form.uint)] },
  { method: 'eth_blobBaseFee', cases: [has('a quantity', form.uint)] },
  { method: 'eth_maxPriorityFeePerGas', cases: [has('a quantity', form.uint)] },
  {
    method: 'eth_feeHistory',
    cases: [
      has('prices and rewards', form.feeHistory, '0x4', 'latest', [10, 50]),
      has('both sides of the fork point', form.feeHistory, '0x4', first, []),
      {
        title: 'the price behind the range',
        params: ['0x1', first, []],
        want: hasNextPrice,
      },
      fails('beyond the head: an error', -32000, '0x1', beyond, []),
    ],
  },
  {
    method: 'eth_config',
    cases: [
      { ...has('EIP-7910', form.config), refusal: -32004 },
      {
        title: 'the fork id and times of the chain',
        params: [],
        refusal: -32004,
        want: hasForkId,
      },
    ],
  },
  { method: 'eth_capabilities', cases: [has('head and resources', form.capabilities)] },
  {
    method: 'eth_fillTransaction',
    cases: [
      has('type 2', z.object({ tx: form.unsigned }), CALL),
      has('type 0', z.object({ tx: form.unsigned }), { ...CALL, gasPrice: '0x77359400' }),
      fails('fields that contradict', -32602, { ...CALL, gasPrice: '0x1', maxFeePerGas: '0x1' }),
    ],
  },
  {
    method: 'eth_getBlockByNumber',
    cases: [
      ...['latest', 'pending', 'safe', 'finalized', 'earliest', '0x2', first].map((name) =>
        has(`with hashes: ${typeof name === 'string' ? name : 'own'}`, form.block, name, false),
      ),
      has('with transactions: original', form.fullBlock, '0x2', true),
      has('with transactions: own', form.fullBlock, first, true),
      equals('unknown: null', null, beyond, false),
    ],
  },
  {
    method: 'eth_getBlockByHash',
    cases: [
      has('with transactions', form.fullBlock, ({ headHash }) => headHash, true),
      equals('unknown: null', null, NOWHERE, false),
    ],
  },
  {
    method: 'eth_getBlockReceipts',
    cases: [
      has('original', z.array(form.anyReceipt).length(5), '0x2'),
      has('own', z.array(form.receipt).length(1), first),
      has('by hash', z.array(form.receipt).length(1), ({ headHash }) => headHash),
      equals('unknown number: null', null, beyond),
      equals('unknown hash: null', null, NOWHERE),
    ],
  },
  {
    method: 'eth_getBlockTransactionCountByNumber',
    cases: [equals('own', '0x1', first), equals('unknown: null', null, beyond)],
  },
  {
    method: 'eth_getBlockTransactionCountByHash',
    cases: [
      equals('own', '0x1', ({ headHash }) => headHash),
      equals('unknown: null', null, NOWHERE),
    ],
  },
  {
    method: 'eth_getUncleCountByBlockNumber',
    cases: [
      equals('latest', '0x0', 'latest'),
      equals('pending', '0x0', 'pending'),
      equals('unknown: null', null, beyond),
    ],
  },
  {
    method: 'eth_getUncleCountByBlockHash',
    cases: [
      equals('own', '0x0', ({ headHash }) => headHash),
      equals('unknown: null', null, NOWHERE),
    ],
  },
  {
    method: 'eth_getTransactionByHash',
    cases: [
      ...[0, 1, 2, 3, 4].map((index) =>
        has(`original ${index}`, form.transaction, ({ originals }) => originals[index]),
      ),
      ...[0, 1, 2, 3, 4, 5, 6].map((index) =>
        has(`own ${index}`, form.transaction, ({ own }) => own[index]),
      ),
      equals('unknown: null', null, NOWHERE),
    ],
  },
  {
    method: 'eth_getTransactionByBlockNumberAndIndex',
    cases: [
      has('original', form.transaction, '0x2', '0x4'),
      has('own', form.transaction, first, '0x0'),
      equals('beyond the last: null', null, first, '0x9'),
    ],
  },
  {
    method: 'eth_getTransactionByBlockHashAndIndex',
    cases: [
      has('own', form.transaction, ({ headHash }) => headHash, '0x0'),
      equals('beyond the last: null', null, ({ headHash }) => headHash, '0x9'),
    ],
  },
  {
    method: 'eth_getTransactionReceipt',
    cases: [
      ...[0, 1, 2, 3, 4, 5, 6].map((index) =>
        has(`own ${index}`, form.receipt, ({ own }) => own[index]),
      ),
      equals('unknown: null', null, NOWHERE),
    ],
  },
  {
    method: 'eth_getLogs',
    cases: [
      has('both sides of the fork point', form.logs.min(6), { fromBlock: '0x0' }),
      fails('end before begin', -32602, { fromBlock: '0x3', toBlock: '0x2' }),
      fails('beyond the head', -32602, (place) => ({ fromBlock: '0x1', toBlock: beyond(place) })),
      fails('hash beside a range', -32602, { blockHash: NOWHERE, fromBlock: '0x1' }),
      fails('unknown block', -32000, { blockHash: NOWHERE }),
    ],
  },
  { method: 'eth_newFilter', cases: [has('an id', form.uint.or(form.bytes), {})] },
  { method: 'eth_newBlockFilter', cases: [has('an id', form.uint.or(form.bytes))] },
  { method: 'eth_newPendingTransactionFilter', cases: [has('an id', form.uint.or(form.bytes))] },
  {
    method: 'eth_getFilterLogs',
    cases: [has('logs', form.logs.min(5), ({ filter }) => filter), fails('unknown', -32000, '0x9')],
  },
  {
    method: 'eth_getFilterChanges',
    cases: [has('logs', form.logs, ({ filter }) => filter), fails('unknown', -32000, '0x9')],
  },
  { method: 'eth_uninstallFilter', cases: [equals('unknown: false', false, '0x9')] },
];

import * as z from 'zod';
import { toQuantity } from '../../../server/ethereum/quantity';
import { ALICE, COUNTER } from '../../integration/fork-upstream';
import * as form from './forms';
import type { Place } from './place';
import { SIMULATIONS } from './simulations';
import { equals, fails, has, type StandardMethod } from './standard-case';

const NOWHERE = `0x${'11'.repeat(32)}`;
const LONG_KEY = `0x${'0'.repeat(66)}`;
const REVERTS = { from: ALICE.address, to: COUNTER, data: '0xff' };
const CALL = { from: ALICE.address, to: COUNTER };
const first = ({ firstOwn }: Place): string => toQuantity(firstOwn);
const newest = ({ head }: Place): string => toQuantity(head);
const beyond = ({ head }: Place): string => toQuantity(head + 100);

/** Every method of execution-apis at commit 033ca6e but those of the engine API, and a few that every client has. */
export const METHODS: readonly StandardMethod[] = [
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
        want: async (answer, place) => {
          const { baseFeePerGas } = (await place.ask('eth_getBlockByNumber', [
            toQuantity(place.firstOwn + 1),
            false,
          ])) as { baseFeePerGas: string };
          return (answer as { baseFeePerGas: string[] }).baseFeePerGas[1] === baseFeePerGas;
        },
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
        want: (answer) =>
          Promise.resolve((answer as z.infer<typeof form.config>).current.forkId !== '0x00000000'),
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
  {
    method: 'eth_getBalance',
    cases: [
      has('the latest by default', form.uint, ALICE.address),
      has('by hash (EIP-1898)', form.uint, ALICE.address, ({ headHash }) => ({
        blockHash: headHash,
      })),
      fails('unknown block', -32001, ALICE.address, beyond),
    ],
  },
  {
    method: 'eth_getCode',
    cases: [
      has('the latest by default', form.bytes, COUNTER),
      fails('unknown block', -32001, COUNTER, beyond),
    ],
  },
  {
    method: 'eth_getTransactionCount',
    cases: [
      has('the latest by default', form.uint, ALICE.address),
      fails('unknown block', -32001, ALICE.address, beyond),
    ],
  },
  {
    method: 'eth_getStorageAt',
    cases: [
      has('the latest by default', form.hash, COUNTER, '0x0'),
      fails('a key of more than 32 bytes', -32602, COUNTER, LONG_KEY, 'latest'),
      fails('a key that is no hex', -32602, COUNTER, '0xasdf', 'latest'),
      fails('unknown block', -32001, COUNTER, '0x0', beyond),
    ],
  },
  {
    method: 'eth_getStorageValues',
    cases: [
      has('by address', z.record(form.address, z.array(form.hash).length(2)), {
        [COUNTER]: ['0x0', '0x1'],
      }),
      fails('nothing', -32602, {}, 'latest'),
    ],
  },
  {
    method: 'eth_getProof',
    cases: [
      has('at the fork point', form.accountProof, COUNTER, ['0x0'], '0x3'),
      {
        title: 'own state: none that contradicts the state root',
        params: [COUNTER, [], 'latest'],
        refusal: -32004,
        want: () => Promise.resolve(false),
      },
    ],
  },
  {
    method: 'eth_call',
    cases: [
      has('bytes', form.bytes, CALL),
      fails('revert', 3, REVERTS, 'latest'),
      fails('unknown block', -32001, CALL, beyond),
    ],
  },
  {
    method: 'eth_estimateGas',
    cases: [has('gas', form.uint, CALL), fails('revert', 3, REVERTS)],
  },
  {
    method: 'eth_createAccessList',
    cases: [
      has('a list', form.accessListResult, CALL, 'latest'),
      has('of a revert, with its error', form.accessListResult, REVERTS, 'latest'),
    ],
  },
  SIMULATIONS,
  {
    method: 'eth_getBlockAccessList',
    cases: [fails('before Amsterdam', -32001, 'latest'), equals('unknown: null', null, beyond)],
  },
  {
    method: 'debug_getRawHeader',
    cases: [
      has('original', form.bytes, '0x2'),
      has('own', form.bytes, first),
      fails('unknown', -32000, beyond),
      fails('no hex', -32602, '2'),
    ],
  },
  {
    method: 'debug_getRawBlock',
    cases: [
      has('original', form.bytes, '0x2'),
      has('own', form.bytes, first),
      fails('unknown', -32000, beyond),
      fails('no hex', -32602, '2'),
    ],
  },
  {
    method: 'debug_getRawReceipts',
    cases: [
      has('original', z.array(form.bytes).length(5), '0x2'),
      has('own', z.array(form.bytes).length(1), first),
      fails('unknown', -32000, beyond),
      fails('no hex', -32602, '2'),
    ],
  },
  {
    method: 'debug_getRawTransaction',
    cases: [
      has('original', form.bytes, ({ originals }) => originals[1]),
      has('own', form.bytes, ({ own }) => own[2]),
      fails('no hash', -32602, NOWHERE.slice(2)),
    ],
  },
  {
    method: 'debug_getRawBlockAccessList',
    cases: [fails('before Amsterdam', -32001, 'latest')],
  },
  { method: 'debug_getBadBlocks', cases: [equals('none', [])] },
  {
    method: 'debug_traceTransaction',
    cases: [
      has('the instructions of an own one', form.structLogs, ({ own }) => own[1]),
      has(
        'the calls of an original one',
        z.object({ type: z.literal('CALL'), from: form.address }),
        ({ originals }) => originals[0],
        { tracer: 'callTracer' },
      ),
      fails('unknown', -32000, NOWHERE),
    ],
  },
  {
    method: 'debug_traceBlockByNumber',
    cases: [
      has('own', z.array(z.object({ txHash: form.hash })).length(1), first),
      fails('genesis', -32000, '0x0'),
      fails('no hex', -32602, '3'),
      fails('unknown', -32000, beyond),
    ],
  },
  {
    method: 'debug_traceBlockByHash',
    cases: [
      has('own', z.array(z.object({ txHash: form.hash })), ({ headHash }) => headHash),
      fails('unknown', -32000, NOWHERE),
    ],
  },
  { method: 'txpool_status', cases: [has('counts', form.poolStatus)] },
  { method: 'txpool_content', cases: [has('by sender and nonce', form.poolContent)] },
  { method: 'txpool_contentFrom', cases: [has('by nonce', form.poolOfSender, ALICE.address)] },
  {
    method: 'eth_sendTransaction',
    cases: [
      fails('another chain', -32000, { ...CALL, chainId: '0x7' }),
      has('a hash', form.hash, CALL),
    ],
  },
  {
    method: 'eth_sendRawTransaction',
    cases: [fails('no transaction', -32602, '0x01')],
  },
  {
    method: 'eth_sign',
    cases: [{ ...has('a signature', form.bytes, ALICE.address, '0x01'), refusal: -32004 }],
  },
  {
    method: 'eth_signTransaction',
    cases: [{ ...has('signed', z.object({ raw: form.bytes }), CALL), refusal: -32004 }],
  },
  { method: 'net_listening', cases: [equals('true', true)] },
  { method: 'net_peerCount', cases: [has('a quantity', form.uint)] },
  { method: 'web3_clientVersion', cases: [has('a name', z.string().min(1))] },
  {
    method: 'web3_sha3',
    cases: [
      equals(
        'Keccak-256',
        '0x5fe7f977e71dba2ea1a68e21057beebb9be2ac30c6410aa38d4f3fbe41dcffd2',
        '0x01',
      ),
    ],
  },
];

import * as z from 'zod';
import { ALICE, COUNTER } from '../../integration/fork-upstream';
import { CHAIN_METHODS } from './chain-methods';
import * as form from './forms';
import { beyond, CALL, first, NOWHERE } from './names';
import { SIMULATIONS } from './simulations';
import { equals, fails, has, type StandardMethod } from './standard-case';

const LONG_KEY = `0x${'0'.repeat(66)}`;
/** The first account of the usual test mnemonic. */
const KEY_HOLDER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const SIGNATURE = z.string().regex(/^0x[0-9a-f]{128}1[bc]$/);
const REVERTS = { ...CALL, data: '0xff' };

/** Every method of execution-apis at commit 033ca6e except those of the engine API, and a few that every client has. */
export const METHODS: readonly StandardMethod[] = [
  ...CHAIN_METHODS,
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
    cases: [has('a signature', SIGNATURE, KEY_HOLDER, '0x01')],
  },
  {
    method: 'eth_signTransaction',
    cases: [has("anvil's form: the signed bytes", form.bytes, { ...CALL, from: KEY_HOLDER })],
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

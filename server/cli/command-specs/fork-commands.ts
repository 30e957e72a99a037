import { command } from './command';
import { address, chain, choice, filledText, fork, hash, project, text, whole } from './kinds';
import { LIST_OPTIONS } from './list-options';
import { flag, many, optional, required, withDefault } from './parameter';
import { CALL_OPTIONS, RULES_OPTION } from './call-options';

const theFork = required(fork, 'fork', 'id or name of the fork');
/** Formats of a fork's address for other tools. */
export const CONNECTION_NAMES = [
  'url',
  'websocket',
  'foundry',
  'hardhat',
  'metamask',
  'env',
] as const;

export const FORK_COMMANDS = {
  'fork create': command({
    summary: 'create a fork, and print its RPC address',
    details: 'Ctrl-C cancels the creation at the service. Progress is printed on standard error.',
    arguments: { chain: required(chain, 'chain', 'slug of the chain to fork') },
    options: {
      name: optional(filledText, 'text', 'name of the fork (default: chain and block)'),
      height: optional(
        filledText,
        'block',
        'number, safe, latest, finalized, earliest, a UTC time, or a transaction hash: the fork is then right before it (default: safe)',
      ),
      position: optional(
        whole(0, 1_000_000),
        'number',
        'transactions of the block that are applied (default: all)',
      ),
      antiReplay: flag('give the fork a chain id of its own: 999 and the id of the chain'),
      ...RULES_OPTION,
      project: optional(project, 'project', 'id or name of the project (default: the oldest one)'),
      quiet: flag('print the id alone', { short: 'q' }),
    },
    examples: [
      ['forklens fork create eth', 'forks Ethereum after its newest safe block'],
      ['forklens fork create eth --height 19000000 --position 3', 'inside a block'],
      ['forklens fork create eth --height 0x… --name before', 'right before a transaction'],
    ],
  }),
  'fork list': command({
    summary: 'list the forks, oldest first',
    options: {
      project: optional(project, 'project', 'of this project only'),
      ...LIST_OPTIONS,
    },
    examples: [['forklens fork list -q | xargs forklens fork delete', 'deletes all forks']],
  }),
  'fork show': command({ summary: 'show a fork', arguments: { fork: theFork } }),
  'fork delete': command({
    summary: 'delete forks',
    arguments: { forks: many(fork, 'forks', 'ids or names', { isRequired: true }) },
  }),
  'fork rpc': command({
    summary: 'send a JSON-RPC request to a fork, and print the result',
    arguments: {
      fork: theFork,
      method: required(filledText, 'method', 'such as eth_blockNumber'),
      params: many(text, 'params', 'each as JSON; what is not JSON is text'),
    },
    examples: [
      ['forklens fork rpc before eth_getBalance 0x… latest', 'prints a balance, hex'],
      ['forklens fork rpc before eth_getBlockByNumber latest false', 'prints a block'],
    ],
  }),
  'fork copy-as': command({
    summary: 'print how a tool connects to a fork; the address is a credential',
    arguments: {
      fork: theFork,
      tool: withDefault(choice(...CONNECTION_NAMES), 'tool', CONNECTION_NAMES.join(', '), 'url'),
    },
    examples: [
      ['forklens fork copy-as before foundry >> foundry.toml', 'adds it to the endpoints of forge'],
      ['eval "export $(forklens fork copy-as before env)"', 'sets ETH_RPC_URL for cast and forge'],
    ],
  }),
  'fork renew': command({
    summary: 'give a fork another RPC address; the old one ends',
    arguments: { fork: theFork },
  }),
  'fork branch': command({
    summary: 'create a fork right before a transaction of another fork',
    arguments: {
      fork: theFork,
      hash: required(hash, 'hash', 'of a transaction of the fork'),
    },
    options: {
      name: optional(filledText, 'text', 'name of the new fork'),
      quiet: flag('print the id alone', { short: 'q' }),
    },
  }),
  'fork transactions': command({
    summary: 'list the transactions made on a fork, newest first',
    arguments: { fork: theFork },
    options: {
      limit: withDefault(whole(1, 100_000), 'number', 'how many at the most', 50),
      ...LIST_OPTIONS,
    },
    examples: [['forklens fork transactions before --limit 10', 'the ten newest']],
  }),
  'fork send': command({
    summary: 'send a transaction on a fork from any address, without its key',
    details:
      'Arguments are written as for cast: a signature such as "transfer(address,uint256)", then its values. Prints the hash.',
    arguments: {
      fork: theFork,
      to: required(filledText, 'to', 'receiver, or create: the data is init code'),
      signature: optional(filledText, 'signature', 'of the function'),
      args: many(text, 'args', 'its arguments'),
    },
    options: {
      from: required(address, 'address', 'sender'),
      ...CALL_OPTIONS,
    },
    examples: [
      [
        'forklens fork send before 0x… "transfer(address,uint256)" 0x… 1000000 --from 0x…',
        'calls a token',
      ],
      ['forklens fork send before 0x… --value 1.5ether --from 0x…', 'sends ether'],
    ],
  }),
  'fork fund': command({
    summary: 'set the balance of an account on a fork',
    arguments: {
      fork: theFork,
      account: required(address, 'account', 'whose balance'),
      amount: required(filledText, 'amount', 'such as 100 or 1,000.5, in ether or whole tokens'),
    },
    options: {
      token: optional(address, 'address', 'an ERC-20 token, in place of the native asset'),
    },
    examples: [
      ['forklens fork fund before 0x… 100', '100 ether'],
      ['forklens fork fund before 0x… 5000 --token 0x…', '5,000 of a token'],
    ],
  }),
  'fork impersonate': command({
    summary: 'let an account send on a fork without its key, for tools that ask for it',
    arguments: { fork: theFork, account: required(address, 'account', 'any address') },
    options: { stop: flag('end it') },
  }),
  'fork time': command({
    summary: 'mine a block at a time',
    arguments: {
      fork: theFork,
      time: required(
        filledText,
        'time',
        '+7d, +3600 (s, min, h, d, w), a UTC time such as 2026-01-31T12:00, or Unix seconds',
      ),
    },
    examples: [['forklens fork time before +7d', 'a week later']],
  }),
  'fork mine': command({
    summary: 'mine empty blocks on a fork',
    arguments: {
      fork: theFork,
      blocks: withDefault(whole(1, 10_000), 'blocks', 'how many', 1),
    },
  }),
  'fork exec': command({
    summary: 'run a program with ETH_RPC_URL and FORKLENS_RPC_URL set to a fork',
    details: 'Ends with the exit code of the program. Write -- before it.',
    arguments: {
      fork: theFork,
      program: many(text, 'program', 'the program and its arguments', { isRequired: true }),
    },
    examples: [['forklens fork exec before -- cast block-number', 'asks the fork by ETH_RPC_URL']],
  }),
} as const;

export const SNAPSHOT_COMMANDS = {
  'fork snapshot list': command({
    summary: 'list the snapshots of a fork, the default one first',
    arguments: { fork: theFork },
    options: LIST_OPTIONS,
  }),
  'fork snapshot create': command({
    summary: 'take a named snapshot of a fork',
    arguments: { fork: theFork, name: required(filledText, 'name', '1-64 characters') },
  }),
  'fork snapshot revert': command({
    summary: 'revert a fork to a snapshot, which is kept',
    arguments: {
      fork: theFork,
      snapshot: optional(filledText, 'snapshot', 'id or name (default: the fork as created)'),
    },
    examples: [['forklens fork snapshot revert before', 'the fork as it was created']],
  }),
  'fork snapshot delete': command({
    summary: 'delete a named snapshot',
    arguments: { fork: theFork, snapshot: required(filledText, 'snapshot', 'id or name') },
  }),
} as const;

import { command } from './command';
import {
  address,
  chainOrFork,
  file,
  filledText,
  hash,
  project,
  text,
  whole,
  type Kind,
} from './kinds';
import { flag, many, optional, required, withDefault } from './parameter';

/** `vault=0x…` */
const namedAddress: Kind<readonly [name: string, address: string]> = {
  accepted: 'a name and an address, such as vault=0x…',
  parse: (text) => {
    const [, name, given] = /^\s*([A-Za-z_]\w{0,63})=(0x[0-9a-fA-F]{40})\s*$/.exec(text) ?? [];
    return name === undefined || given === undefined ? undefined : [name, given];
  },
};

/** Fields of a transaction that `reorder` changes. */
export const SET_FIELDS = [
  'to',
  'value',
  'data',
  'gas',
  'gasPrice',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
] as const;

/** `5:2` */
const movedPosition: Kind<readonly [position: number, before: number]> = {
  accepted: 'two positions, such as 5:2',
  parse: (text) => {
    const [, position, before] = /^\s*(\d{1,6}):(\d{1,6})\s*$/.exec(text) ?? [];
    return position === undefined ? undefined : [Number(position), Number(before)];
  },
};

/** `4:gasPrice=20gwei` */
const setField: Kind<
  readonly [position: number, field: (typeof SET_FIELDS)[number], value: string]
> = {
  accepted: `a position, a field and its value, such as 4:gasPrice=20gwei; fields: ${SET_FIELDS.join(', ')}`,
  parse: (text) => {
    const [, position, name, value] = /^\s*(\d{1,6}):(\w+)=(\S+)\s*$/.exec(text) ?? [];
    const field = SET_FIELDS.find((one) => one === name);
    return field === undefined || value === undefined
      ? undefined
      : [Number(position), field, value];
  },
};

/** `0x…@2`, a hash or a signed transaction; `call.json@2` */
const insertion: Kind<readonly [what: string, before: number]> = {
  accepted:
    'a transaction hash, a signed transaction or a path, @, and a position, such as call.json@2',
  parse: (text) => {
    const [, what, before] = /^\s*(\S.*)@(\d{1,6})\s*$/.exec(text) ?? [];
    return what === undefined ? undefined : [what, Number(before)];
  },
};

/** Commands that ask the past of a chain. */
export const HISTORY_COMMANDS = {
  bisect: command({
    summary: 'find the transaction after which the value of an expression changed',
    details:
      'The expression is Solidity over the state of the chain: view functions, state variables where the sources are known, .balance, .code, .codehash, slot(account, number) and nonce(account), with operators between them. Values are compared after blocks first, then after each transaction of the block that is found.',
    arguments: {
      chain: required(chainOrFork, 'chain', 'slug of a chain, or id or name of a fork'),
      expression: required(filledText, 'expression', 'in quotation marks'),
    },
    options: {
      from: required(filledText, 'block', 'after which the value is read first'),
      to: withDefault(filledText, 'block', 'after which the value is read last', 'latest'),
      contract: optional(address, 'address', 'whose functions and variables need no name'),
      name: many(namedAddress, 'name=address', 'name of a contract in the expression; repeatable'),
      function: many(
        filledText,
        'signature',
        'of a function whose interface is not known, such as "total() view returns (uint256)"; repeatable',
      ),
      all: flag('trace each change that the reads show, not the first one alone'),
      every: flag('read the value after every block'),
    },
    examples: [
      [
        'forklens bisect eth "0x….balanceOf(0x…)" --from 19000000 --to 19500000',
        'the transaction that changed a balance of a token',
      ],
      [
        'forklens bisect eth "vault.totalAssets() < token.balanceOf(vault)" --name vault=0x… --name token=0x… --from 19000000',
        'the transaction that broke an invariant',
      ],
      ['forklens bisect fork-1 "owner" --contract 0x… --from 19000000 --all', 'by the layout'],
    ],
  }),
  regress: command({
    summary: 'execute real transactions of a contract again with new code, and compare',
    details:
      'Each transaction that touched the contract is executed on its own state at its position, with the old and with the new code; immutables keep their values, and of a proxy the implementation is replaced. Exit code 1 where a transaction that is no attack now fails, has other effects or could not be compared, where an attack does not fail, or where the storage layout breaks.',
    arguments: {
      chain: required(chainOrFork, 'chain', 'slug of a chain, or id or name of a fork'),
      address: required(address, 'address', 'of the contract'),
    },
    options: {
      code: required(
        file,
        'file',
        'new code: an artifact, or a contract of the build output such as Vault or src/Vault.sol:Vault',
      ),
      last: withDefault(whole(1, 1e9), 'number', 'transactions, the newest', 200),
      from: optional(whole(0, 1e15), 'block', 'first block'),
      to: optional(whole(0, 1e15), 'block', 'last block (default: the newest)'),
      file: optional(file, 'file', 'with hashes of the transactions, in place of a search'),
      attack: many(hash, 'hash', 'a transaction that the new code must stop; repeatable'),
      init: optional(
        filledText,
        'signature',
        'of an initializer that is called with the new code before each transaction, or its call data',
      ),
      initArg: many(text, 'value', 'argument of the initializer; repeatable, in order'),
      initFrom: optional(address, 'address', 'caller of the initializer (default: zero)'),
      compare: optional(
        hash,
        'hash',
        'one transaction alone: in what calls, events and balance changes it differs with the new code',
      ),
      yes: flag('also execute more than 1,000,000 transactions'),
      resume: optional(file, 'file', 'that keeps results: another run goes on from there'),
      output: optional(file, 'file', 'for a report in Markdown; an existing one is replaced', {
        short: 'o',
      }),
    },
    examples: [
      [
        'forklens regress eth 0x… --code out/Vault.sol/Vault.json --last 200 --attack 0x…',
        'whether a fix stops an exploit, and nothing else',
      ],
    ],
  }),
  reorder: command({
    summary: 'execute a past block with other transactions or in another order, and compare',
    details:
      'Transactions are dropped, moved, changed and inserted; positions are those of the block as it was, from 0. For each transaction and each account, the answer says what happened and what would have happened. The block as it was is executed in the same way and compared with the chain: exit code 1 where it differs. Without an option, that is all.',
    arguments: {
      chain: required(chainOrFork, 'chain', 'slug of a chain, or id or name of a fork'),
      block: required(filledText, 'block', 'number, latest, safe or finalized'),
    },
    options: {
      drop: many(whole(0, 1e6), 'position', 'of a transaction to leave out; repeatable'),
      move: many(
        movedPosition,
        'position:before',
        'of a transaction, and of the one that it goes right before; repeatable',
      ),
      set: many(
        setField,
        'position:field=value',
        `of a transaction, and what it has otherwise: ${SET_FIELDS.join(', ')}; repeatable`,
      ),
      insert: many(
        insertion,
        'what@before',
        'hash of a transaction of another block, a signed transaction, or a file with from, to, value, data, gas and gasPrice as JSON, and the position that it goes right before; repeatable',
      ),
      fork: optional(
        filledText,
        'name',
        'of a fork to create with the state after the other block',
      ),
      project: optional(project, 'project', 'id or name of its project (default: the oldest one)'),
    },
    examples: [
      ['forklens reorder eth 19000000 --drop 3 --drop 5', 'without the sandwich'],
      ['forklens reorder eth 19000000 --move 7:2', 'the white hat first'],
      ['forklens reorder eth 19000000 --insert 0x…@2 --fork "white hat"', 'goes on from there'],
    ],
  }),
  'upgrade-check': command({
    summary: 'print what an upgrade of a proxy would break; exit code 1 unless nothing does',
    details:
      'Compares the live proxy with the artifact of its next implementation: storage layout with live values, namespaces (ERC-7201), initializers, functions, events, code size, immutables, and who may upgrade. What cannot be known says so, and counts as a failure unless --allow-unknown is given.',
    arguments: {
      chain: required(chainOrFork, 'chain', 'slug of a chain, or id or name of a fork'),
      proxy: required(address, 'address', 'of the proxy'),
    },
    options: {
      code: required(
        file,
        'file',
        'new implementation: an artifact, or a contract of the build output',
      ),
      allowUnknown: flag('end with exit code 0 also where something could not be checked'),
    },
    examples: [
      [
        'forklens upgrade-check eth 0x… --code out/Vault.sol/Vault.json',
        'before an upgrade, in CI',
      ],
    ],
  }),
} as const;

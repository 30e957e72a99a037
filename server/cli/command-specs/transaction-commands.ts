import { CALL_OPTIONS, RULES_OPTION } from './call-options';
import { command } from './command';
import { address, chainOrFork, choice, file, filledText, hash, text, whole } from './kinds';
import { LIST_OPTIONS } from './list-options';
import { flag, many, optional, required, withDefault } from './parameter';

const transaction = {
  chain: optional(
    chainOrFork,
    'chain',
    'slug of a chain, or id or name of a fork; left out: the transaction is looked for',
  ),
  hash: required(hash, 'hash', 'of the transaction'),
} as const;
const proof = {
  proof: optional(choice('wait'), 'wait', 'wait: print what is proved, not the first answer'),
} as const;
const rows = {
  rows: withDefault(whole(1, 10_000_000), 'number', 'rows of the call tree at the most', 500),
} as const;

/** Formats of `tx export`. */
export const EXPORT_FORMATS = [
  'json',
  'markdown',
  'csv-balances',
  'csv-transfers',
  'csv-events',
  'csv-calls',
  'html',
  'svg',
] as const;

export const TRANSACTION_COMMANDS = {
  'tx analyze': command({
    summary: 'print the facts, the call tree and the balance changes of a transaction',
    isDefault: true,
    arguments: transaction,
    options: { ...rows, ...proof },
    examples: [
      ['forklens tx eth 0x…', 'a transaction of Ethereum'],
      ['forklens tx 0x…', 'one that is looked for on the forks and chains'],
      ['forklens tx analyze eth 0x… --json', 'all views as one JSON document'],
    ],
  }),
  'tx calls': command({
    summary: 'print the call tree',
    arguments: transaction,
    options: { ...rows, sources: flag('show file and line where they are known'), ...proof },
  }),
  'tx balances': command({
    summary: 'print the balance changes by account and asset',
    arguments: transaction,
    options: { ...proof, ...LIST_OPTIONS },
  }),
  'tx flow': command({
    summary: 'print the transfers in execution order',
    arguments: transaction,
    options: { ...proof, ...LIST_OPTIONS },
  }),
  'tx state': command({
    summary: 'print what changed in accounts and storage',
    arguments: transaction,
    options: {
      writers: flag('print each write with its step, code and line, from a recording'),
      ...proof,
      ...LIST_OPTIONS,
    },
    examples: [['forklens tx state eth 0x… --writers', 'what wrote each value, in order']],
  }),
  'tx gas': command({
    summary: 'print the gas by contract and method',
    arguments: transaction,
    options: { ...proof, ...LIST_OPTIONS },
  }),
  'tx events': command({
    summary: 'print the events',
    arguments: transaction,
    options: { ...proof, ...LIST_OPTIONS },
  }),
  'tx export': command({
    summary: 'write an analysis to standard output or a file',
    arguments: transaction,
    options: {
      format: withDefault(choice(...EXPORT_FORMATS), 'format', EXPORT_FORMATS.join(', '), 'json'),
      output: optional(file, 'file', 'to write to; an existing one is replaced', { short: 'o' }),
      ...proof,
    },
    examples: [
      ['forklens tx export eth 0x… --format markdown -o report.md', 'a report'],
      ['forklens tx export eth 0x… --format csv-events', 'the events for a spreadsheet'],
      ['forklens tx export eth 0x… --format html -o page.html', 'the inspector as one file'],
      ['forklens tx export eth 0x… --format svg -o flow.svg', 'the graph of the fund flow'],
    ],
  }),
  'tx find': command({
    summary: 'list the forks and chains that have a transaction',
    arguments: { hash: transaction.hash },
    options: LIST_OPTIONS,
  }),
  analyze: command({
    summary: 'print the call tree and the balance changes of a transaction: tx analyze',
    arguments: transaction,
    options: { ...rows, ...proof },
  }),
  simulate: command({
    summary: 'simulate an unsent transaction, and print its effects',
    details:
      'Arguments are written as for cast call: a signature such as "transfer(address,uint256)", then its values. Nothing is sent.',
    arguments: {
      chain: required(chainOrFork, 'chain', 'slug of a chain, or id or name of a fork'),
      to: required(filledText, 'to', 'receiver, or create: the data is init code'),
      signature: optional(filledText, 'signature', 'of the function'),
      args: many(text, 'args', 'its arguments'),
    },
    options: {
      from: withDefault(address, 'address', 'sender', `0x${'0'.repeat(40)}`),
      ...CALL_OPTIONS,
      height: withDefault(filledText, 'block', 'block context of the simulation', 'latest'),
      position: optional(
        whole(0, 1_000_000),
        'number',
        'number of transactions of the block to apply first (default: all)',
      ),
      ...RULES_OPTION,
      ...rows,
    },
    examples: [
      ['forklens simulate eth 0x… "transfer(address,uint256)" 0x… 1000000 --from 0x…', ''],
      ['forklens simulate before 0x… --data 0xa9059cbb… --from 0x… --json', 'by call data'],
    ],
  }),
  compare: command({
    summary: 'print in what two transactions differ: outcome, gas, calls, balance changes',
    arguments: {
      chain: required(chainOrFork, 'chain', 'of the first transaction'),
      hash: required(hash, 'hash', 'of the first transaction'),
      otherChain: optional(chainOrFork, 'chain', 'of the second one (default: the same)'),
      otherHash: required(hash, 'hash', 'of the second transaction'),
    },
    options: { exitCode: flag('end with exit code 1 where they differ') },
    examples: [
      ['forklens compare eth 0x… before 0x…', 'the original and its repetition on a fork'],
    ],
  }),
  test: command({
    summary: 'print a Foundry test that executes a transaction again and asserts its effects',
    arguments: transaction,
    options: {
      output: optional(file, 'file', 'to write to; an existing one is replaced', { short: 'o' }),
    },
    examples: [['forklens test eth 0x… -o test/Exploit.t.sol', 'writes it into a project']],
  }),
} as const;

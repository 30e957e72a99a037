import type { BisectChange, Bisection } from '../../api/bisect';
import type { UpgradeCheck, UpgradeItem } from '../../api/upgrade-check';
import type { HISTORY_COMMANDS } from '../command-specs/history-commands';
import { UsageError } from '../errors/usage-error';
import type { Output } from '../output/output';
import type { Handlers } from './context';
import { callOptions } from './located-transaction';
import { readNewCode } from './read-new-code';
import { findChain } from './references';
import { regressCommand } from './regress-command';
import { reorderCommand } from './reorder-command';

/** Commands that ask the past of a chain. */
export const historyCommands: Handlers<keyof typeof HISTORY_COMMANDS> = {
  bisect: async (input, context) => {
    const { connection, out } = context;
    if (input.all && input.every) {
      throw new UsageError('--all and --every are both given; accepted: one of them');
    }
    const chain = await findChain(connection.client, input.chain);
    const bisection = await connection.client.call(
      'bisect',
      {
        params: { chain },
        body: {
          expression: input.expression,
          from: input.from,
          to: input.to,
          ...(input.contract === undefined ? {} : { contract: input.contract }),
          names: Object.fromEntries(input.name),
          functions: input.function,
          plan: input.every ? 'every' : input.all ? 'all' : 'one',
        },
      },
      callOptions(context, 'minutes'),
    );
    out.result(bisection, () => bisectionLines(bisection, input.chain, out));
  },

  regress: regressCommand,
  reorder: reorderCommand,

  'upgrade-check': async (input, context) => {
    const { connection, out, signal } = context;
    const newCode = await readNewCode(input.code);
    const chain = await findChain(connection.client, input.chain);
    const params = { chain, address: input.proxy };
    const check = await connection.client.call(
      'checkUpgrade',
      { params, body: { newCode } },
      { signal },
    );
    out.result(check, () => checkLines(check, out));
    const isFailed = check.items.some(
      ({ level }) => level === 'error' || (level === 'unknown' && !input.allowUnknown),
    );
    if (isFailed) process.exitCode = 1;
  },
};

function* checkLines(
  { proxy, implementation, name, newName, blockNumber, items }: UpgradeCheck,
  { colors }: Output,
): Generator<string> {
  const old = name === '' ? implementation : `${name} (${implementation})`;
  yield `Upgrade of ${proxy} from ${old} to ${newName || 'new code'}, after block ${blockNumber}`;
  for (const item of items) {
    const { level, subject, text, slot, value } = item;
    const live = value === undefined ? '' : `; it is ${value} now`;
    const place = slot === undefined || subject !== 'layout' ? '' : ` (slot ${slot}${live})`;
    yield `  ${paint(level, colors)} ${subject}: ${text}${place}`;
  }
}

const paint = (level: UpgradeItem['level'], colors: Output['colors']): string => {
  const text = level.padEnd(7);
  if (level === 'error') return colors.red(text);
  return level === 'info' ? colors.dim(text) : colors.yellow(text);
};

function* bisectionLines(
  { expression, from, to, start, end, changes, omitted, mayMiss, reads }: Bisection,
  chain: string,
  { colors }: Output,
): Generator<string> {
  yield expression;
  yield `  ${valueText(start)} after block ${from}, ${valueText(end)} after block ${to} of ${chain}`;
  for (const change of changes) {
    yield '';
    yield* changeLines(change, colors);
  }
  if (changes.length === 0) yield 'No change.';
  yield '';
  if (omitted !== undefined) yield colors.dim(`${omitted} further changes were not traced.`);
  yield colors.dim(`${reads} state reads. Not seen: ${mayMiss}.`);
}

function* changeLines(change: BisectChange, colors: Output['colors']): Generator<string> {
  const { transaction, before, after, blockNumber, timestamp, difference } = change;
  const time = new Date(timestamp * 1_000).toISOString().replace('.000', '');
  yield colors.bold(`${valueText(before)} → ${valueText(after)}`);
  yield transaction === null
    ? `  by block ${blockNumber} itself, no transaction of it (${time})`
    : `  by ${transaction.hash}`;
  if (transaction === null) return;
  yield `  block ${blockNumber}, position ${transaction.position} (${time})`;
  yield `  from ${transaction.from} to ${transaction.to ?? 'a new contract'}`;
  for (const { address, part, slot, variables, before: was, after: is } of change.state) {
    const what = slot === undefined ? part : (variables?.join(', ') ?? `slot ${slot}`);
    yield `  ${address} ${what}: ${shortWord(was)} → ${shortWord(is)}`;
  }
  for (const write of change.writes) {
    const place = write.file === undefined ? `step ${write.step}` : `${write.file}:${write.line}`;
    const code = [write.contract, write.function].filter((text) => text !== '').join('.');
    yield `  written at ${place}${code === '' ? '' : ` in ${code}`}: ${valuesText(write.text)}`;
  }
  for (const { from, to, value, contract, file, line } of change.payments) {
    const place = file === undefined ? '' : ` at ${file}:${line}`;
    yield `  ${from} paid ${value} wei to ${to}${place}${contract === '' ? '' : ` in ${contract}`}`;
  }
  if (change.whyNoWrites !== undefined) {
    yield colors.yellow(`  The writes are not known: ${change.whyNoWrites}`);
  }
  if (difference !== undefined) {
    yield colors.yellow(`  The block was executed in another way than on the chain: ${difference}`);
  }
}

const valueText = ({ value, unavailable }: Bisection['start']): string =>
  unavailable === undefined ? value : `no value (${unavailable})`;

/** Of `slot 0x…: 0x… -> 0x…`, the values without leading zeros. */
const valuesText = (text: string): string =>
  text
    .replace(/^slot 0x[0-9a-f]{64}: /, '')
    .replace(/\b0x[0-9a-f]{64}\b/g, shortWord)
    .replace(' -> ', ' → ');

/** Without leading zeros; codes are shortened. */
function shortWord(hex: string): string {
  const short = hex.length === 66 ? `0x${BigInt(hex).toString(16)}` : hex;
  return short.length <= 66 ? short : `${short.slice(0, 20)}… (${(short.length - 2) / 2} bytes)`;
}

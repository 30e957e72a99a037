import type { UpgradeCheck, UpgradeItem } from '../../api/upgrade-check';
import { bisectionLines } from '../../client/bisection-lines';
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
    out.result(bisection, () => bisectionLines(bisection, input.chain, out.colors));
  },

  regress: regressCommand,
  reorder: reorderCommand,

  'upgrade-check': async (input, context) => {
    const { connection, out, signal } = context;
    const newCode = await readNewCode(connection.client, input.code);
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

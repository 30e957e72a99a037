import * as l10n from '@vscode/l10n';
import type { Simulation, Source, Target } from '../../media/inspector/protocol/protocol';
import { sourceKey } from './source';
import { pick } from '../ui/quick-input';
import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';
import { askTransaction } from '../transactions/transaction-targets';

const TITLE = l10n.t('Compare Analyses');

function sourceOf(target: Target | Simulation): Source {
  return 'transaction' in target
    ? { kind: 'transaction', chain: target.chain, transaction: target.transaction.toLowerCase() }
    : { kind: 'simulation', ...target };
}

/** Commands that compare two analyses of transactions of chains and forks, or of simulations. */
export function compareCommands({
  client,
  inspector,
  comparisons,
}: CommandContext): Pick<Commands, 'forklens.compareAnalyses' | 'forklens.compareWith'> {
  /** Returns the source of an open inspector, or a transaction that the user enters. */
  async function askOther(first: Source): Promise<Source> {
    const others = inspector.shown().filter(({ source }) => sourceKey(source) !== sourceKey(first));
    const items = [
      ...others.map(({ source, title }) => ({
        label: title,
        description: source.chain,
        value: source,
      })),
      { label: l10n.t('$(edit) Enter a transaction hash…'), value: undefined },
    ];
    const chosen =
      others.length === 0
        ? undefined
        : (
            await pick({
              title: TITLE,
              placeholder: l10n.t('Compare with'),
              items: Promise.resolve(items),
            })
          ).value;
    return chosen ?? sourceOf(await askTransaction(client, undefined, TITLE));
  }

  return {
    'forklens.compareAnalyses': (sides) => {
      comparisons.open({ left: sourceOf(sides.left), right: sourceOf(sides.right) });
      return Promise.resolve();
    },
    'forklens.compareWith': async (target) => {
      const left = sourceOf(target ?? (await askTransaction(client, inspector.active(), TITLE)));
      comparisons.open({ left, right: await askOther(left) });
    },
  };
}

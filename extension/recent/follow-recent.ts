import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Simulation, Source, Target } from '../../media/inspector/protocol/protocol';
import { shortHex } from '../../server/client/format';
import type { Event } from '../editor/emitter';
import type { CommandContext } from '../model/command-context';
import type { RecentEntries } from './recent-entries';

interface Shown {
  shown(): { source: Source; title: string }[];
  readonly onDidChangeShown: Event<unknown>;
}
type Openers = Pick<CommandContext, 'inspector' | 'comparisons'>;

/** The same panels, whose openings are noted. */
export function notedPanels(panels: Openers, recent: RecentEntries): Openers {
  const { inspector, comparisons } = panels;
  return {
    inspector: {
      open: (target) => {
        const { chain, transaction, title } = target;
        const subject = { kind: 'transaction' as const, chain, transaction };
        recent.note(subject, title ?? recent.titleOf(subject) ?? shortHex(transaction));
        return inspector.open(target);
      },
      openSimulation: (simulation) => {
        recent.note({ kind: 'simulation', ...simulation }, nameOf(simulation));
        inspector.openSimulation(simulation);
      },
      shown: () => inspector.shown(),
      active: inspector.active.bind(inspector),
      activeSource: inspector.activeSource.bind(inspector),
    },
    comparisons: {
      open: (sides) => {
        const { left, right } = sides;
        const title = l10n.t('{0} and {1}', nameOf(left), nameOf(right));
        recent.note(
          { kind: 'comparison', left: withoutKind(left), right: withoutKind(right) },
          title,
        );
        comparisons.open(sides);
      },
      active: comparisons.active.bind(comparisons),
    },
  };
}

/** Follows debug sessions, and the titles of inspectors, which name the method once it is known. */
export function followRecent(recent: RecentEntries, panels: Shown): vscode.Disposable {
  return vscode.Disposable.from(
    panels.onDidChangeShown(() => {
      for (const { source, title } of panels.shown()) recent.retitle(source, title);
    }),
    vscode.debug.onDidStartDebugSession(({ configuration, type, parentSession }) => {
      const { chain, hash, simulate } = configuration as Record<string, unknown>;
      if (type !== 'forklens' || parentSession !== undefined || typeof chain !== 'string') return;
      const target =
        typeof hash === 'string'
          ? { chain, transaction: hash }
          : { chain, request: simulate as Simulation['request'] };
      if ('request' in target && typeof simulate !== 'object') return;
      recent.note({ kind: 'debugging', target }, configuration.name);
    }),
  );
}

const nameOf = (source: Target | Simulation): string =>
  'transaction' in source ? shortHex(source.transaction) : (source.title ?? l10n.t('a simulation'));

const withoutKind = (source: Source): Target | Simulation =>
  'transaction' in source
    ? { chain: source.chain, transaction: source.transaction }
    : {
        chain: source.chain,
        request: source.request,
        ...(source.title !== undefined && { title: source.title }),
      };

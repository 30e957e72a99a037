import * as l10n from '@vscode/l10n';
import type { Fork, ForkState } from '../../server/api/fork';
import type { Progress } from '../../server/api/progress';
import { counted, grouped, progressInWords, relativeTime } from '../../server/client/format';
import { forkPoint } from '../model/fork-point';
import { tooltip } from '../ui/tooltip';
import type { ForkNode, NewForkNode, SnapshotNode, SnapshotsNode } from '../model/tree-node';
import type { NodeAction, NodeDisplay } from '../model/node-display';

/** States differ in shape as well as in colour. */
const ICONS: Record<ForkState, { id: string; color?: string }> = {
  creating: { id: 'loading~spin' },
  running: { id: 'circle-filled', color: 'testing.iconPassed' },
  sleeping: { id: 'circle-outline' },
  failed: { id: 'error', color: 'list.errorForeground' },
  deleting: { id: 'loading~spin' },
};

const STATES: Record<ForkState, string> = {
  creating: l10n.t('creating'),
  running: l10n.t('running'),
  sleeping: l10n.t('sleeping'),
  failed: l10n.t('failed'),
  deleting: l10n.t('deleting'),
};

function forkPointInWords({ height, position }: Pick<Fork, 'height' | 'position'>): string {
  const block = l10n.t('block {0}', grouped(BigInt(height)));
  if (position === null) return l10n.t('after {0}', block);
  if (position === 0) return l10n.t('before {0}', block);
  return l10n.t('after {0} of {1}', counted(position, 'transaction'), block);
}

/** Describes the state or progress of a fork. */
function stateInWords({ state, failure }: Fork, progress: Progress | undefined): string {
  if (progress !== undefined) return progressInWords(progress);
  return state === 'failed' && failure !== undefined
    ? l10n.t('failed: {0}', failure)
    : STATES[state];
}

export function forkDisplay({ fork, progress }: ForkNode): NodeDisplay {
  const state = stateInWords(fork, progress);
  const count = fork.transactionCount ?? 0;
  return {
    id: fork.forkId,
    label: fork.name,
    description: [
      forkPoint(fork),
      state,
      ...(count === 0 ? [] : [l10n.t('{0} tx', grouped(count))]),
      ...(fork.journal?.isNearlyFull === true ? [l10n.t('almost full')] : []),
      ...(fork.rpcChainId === fork.chainId ? [] : [l10n.t('chain id {0}', fork.rpcChainId)]),
    ].join(' · '),
    icon: progress === undefined ? ICONS[fork.state] : ICONS.creating,
    tooltip: tooltip(fork.name, forkFacts(fork, state), fork.forkId),
    collapsed: true,
    actions: [...startActions(fork), 'use', 'copyRpcUrl', 'copyId', 'analyze', 'refresh', 'delete'],
    accessibilityLabel: l10n.t(
      'Fork {0}, {1} {2}, {3}',
      fork.name,
      fork.chain,
      forkPointInWords(fork),
      state,
    ),
  };
}

function forkFacts(fork: Fork, state: string): string[] {
  return [
    l10n.t('{0} (chain id {1}), {2}', fork.chain, fork.chainId, forkPointInWords(fork)),
    fork.state === 'sleeping' ? l10n.t('{0}: the next request wakes it', state) : state,
    ...(fork.transactionCount === undefined
      ? []
      : [l10n.t('{0} made on it', counted(fork.transactionCount, 'transaction'))]),
    ...(fork.replay?.firstDifference === undefined
      ? []
      : [
          l10n.t(
            'the replay of its block differs from the original: {0}',
            fork.replay.firstDifference,
          ),
        ]),
    ...(fork.journal?.isNearlyFull === true ? [fullInWords(fork.journal)] : []),
    fork.antiReplay
      ? l10n.t('anti-replay: transactions are signed for chain id {0}', fork.rpcChainId)
      : l10n.t('answers as chain id {0}', fork.rpcChainId),
    ...(fork.warnings ?? []).map((warning) => `⚠ ${warning}`),
    l10n.t('created {0} UTC', fork.createTime.slice(0, 16).replace('T', ' ')),
  ];
}

/** A megabyte is 1,048,576 bytes, as in the setting. The number of changes is limited as well. */
function fullInWords({ bytes, maxBytes }: NonNullable<Fork['journal']>): string {
  const megabytes = (value: number): string => grouped(Math.round(value / 2 ** 20));
  return l10n.t(
    'its changes take most of the space allowed ({0} of {1} MB): beyond it changes are refused; revert to a snapshot, or create another fork',
    megabytes(bytes),
    megabytes(maxBytes),
  );
}

function startActions({ state }: Fork): NodeAction[] {
  if (state === 'sleeping') return ['start'];
  return state === 'failed' ? ['retry'] : [];
}

export function newForkDisplay({ fork }: NewForkNode): NodeDisplay {
  const doing = fork.progress === undefined ? STATES.creating : progressInWords(fork.progress);
  return {
    id: `new:${fork.forkId}`,
    label: fork.name,
    description: `${forkPoint(fork)} · ${doing}`,
    icon: ICONS.creating,
    tooltip: tooltip(fork.name, [`${fork.chain}, ${forkPointInWords(fork)}`, doing], undefined),
    actions: [],
    accessibilityLabel: l10n.t(
      'New fork {0}, {1} {2}, {3}',
      fork.name,
      fork.chain,
      forkPointInWords(fork),
      doing,
    ),
  };
}

export function snapshotsDisplay({ parent, snapshots }: SnapshotsNode): NodeDisplay {
  return {
    id: `snapshots:${parent.fork.forkId}`,
    label: l10n.t('Snapshots'),
    description: String(snapshots.length),
    icon: { id: 'history' },
    tooltip: l10n.t('States of the fork. Each can be restored any number of times.'),
    collapsed: true,
    actions: ['use'],
    accessibilityLabel: l10n.t(
      '{0} of fork {1}',
      counted(snapshots.length, 'snapshot'),
      parent.fork.name,
    ),
  };
}

/** @param nowMs Unix time in milliseconds, to compute the age */
export function snapshotDisplay({ parent, snapshot }: SnapshotNode, nowMs: number): NodeDisplay {
  const { name, snapshotId, createTime, blockNumber, isDefault } = snapshot;
  const time = createTime.slice(0, 16).replace('T', ' ');
  return {
    id: `snapshot:${parent.parent.fork.forkId}:${snapshotId}`,
    label: name,
    description: [
      l10n.t('block {0}', grouped(blockNumber)),
      isDefault ? l10n.t('as created') : relativeTime(Date.parse(createTime) / 1000, nowMs),
    ].join(' · '),
    icon: { id: isDefault ? 'home' : 'device-camera' },
    tooltip: tooltip(
      name,
      [l10n.t('after block {0}', grouped(blockNumber)), l10n.t('taken {0} UTC', time)],
      snapshotId,
    ),
    actions: ['revert', 'copyId', ...(isDefault ? [] : (['delete'] as const))],
    accessibilityLabel: l10n.t('Snapshot {0} at block {1}', name, blockNumber),
  };
}

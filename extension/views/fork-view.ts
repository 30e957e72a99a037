import type { Fork, ForkState } from '../../server/api/fork';
import type { Progress } from '../../server/api/progress';
import { counted, grouped, relativeTime } from './format';
import { tooltip } from './tooltip';
import type { ForkNode, NewForkNode, SnapshotNode, SnapshotsNode } from './tree-node';
import type { NodeAction, NodeView } from './view';

/** Told apart by shape as well, not by colour alone. */
const ICONS: Record<ForkState, { id: string; color?: string }> = {
  creating: { id: 'loading~spin' },
  running: { id: 'circle-filled', color: 'testing.iconPassed' },
  sleeping: { id: 'circle-outline' },
  failed: { id: 'error', color: 'list.errorForeground' },
  deleting: { id: 'loading~spin' },
};

type Point = Pick<Fork, 'chain' | 'height' | 'position'>;

/** `eth @ 19,000,123:7`, without the position where the whole block is applied. */
export function forkPoint({ chain, height, position }: Point): string {
  return `${chain} @ ${grouped(BigInt(height))}${position === null ? '' : `:${position}`}`;
}

function forkPointInWords({ height, position }: Omit<Point, 'chain'>): string {
  const block = `block ${grouped(BigInt(height))}`;
  if (position === null) return `after ${block}`;
  if (position === 0) return `in front of ${block}`;
  return `after ${counted(position, 'transaction')} of ${block}`;
}

/** What a fork does, in words. */
function stateInWords({ state, failure }: Fork, progress: Progress | undefined): string {
  if (progress !== undefined) return progressInWords(progress);
  return state === 'failed' && failure !== undefined ? `failed: ${failure}` : state;
}

/** `replaying transactions` becomes `replaying 7 of 143 transactions`. */
function progressInWords({ stage, done, total }: Progress): string {
  const [verb = '', ...rest] = stage.split(' ');
  return [verb, grouped(done), 'of', grouped(total), ...rest].join(' ');
}

export function forkView({ fork, progress }: ForkNode): NodeView {
  const state = stateInWords(fork, progress);
  const count = fork.transactionCount ?? 0;
  return {
    id: fork.forkId,
    label: fork.name,
    description: [
      forkPoint(fork),
      state,
      ...(count === 0 ? [] : [`${grouped(count)} tx`]),
      ...(fork.rpcChainId === fork.chainId ? [] : [`chain id ${fork.rpcChainId}`]),
    ].join(' · '),
    icon: progress === undefined ? ICONS[fork.state] : ICONS.creating,
    tooltip: tooltip(fork.name, forkFacts(fork, state), fork.forkId),
    collapsed: true,
    actions: [...startActions(fork), 'use', 'copyRpcUrl', 'copyId', 'analyze', 'refresh', 'delete'],
    accessibilityLabel: `Fork ${fork.name}, ${fork.chain} ${forkPointInWords(fork)}, ${state}`,
  };
}

function forkFacts(fork: Fork, state: string): string[] {
  return [
    `${fork.chain} (chain id ${fork.chainId}), ${forkPointInWords(fork)}`,
    `${state}${fork.state === 'sleeping' ? ': the next request wakes it' : ''}`,
    ...(fork.transactionCount === undefined
      ? []
      : [`${counted(fork.transactionCount, 'transaction')} made on it`]),
    ...(fork.replay?.firstDifference === undefined
      ? []
      : [`the replay of its block differs from the original: ${fork.replay.firstDifference}`]),
    fork.antiReplay
      ? `anti-replay: transactions are signed for chain id ${fork.rpcChainId}`
      : `answers as chain id ${fork.rpcChainId}`,
    `created ${fork.createTime.slice(0, 16).replace('T', ' ')} UTC`,
  ];
}

function startActions({ state }: Fork): NodeAction[] {
  if (state === 'sleeping') return ['start'];
  return state === 'failed' ? ['retry'] : [];
}

export function newForkView({ fork }: NewForkNode): NodeView {
  const doing = fork.progress === undefined ? 'creating' : progressInWords(fork.progress);
  return {
    id: `new:${fork.forkId}`,
    label: fork.name,
    description: `${forkPoint(fork)} · ${doing}`,
    icon: ICONS.creating,
    tooltip: tooltip(fork.name, [`${fork.chain}, ${forkPointInWords(fork)}`, doing], undefined),
    actions: [],
    accessibilityLabel: `New fork ${fork.name}, ${fork.chain} ${forkPointInWords(fork)}, ${doing}`,
  };
}

export function snapshotsView({ parent, snapshots }: SnapshotsNode): NodeView {
  return {
    id: `snapshots:${parent.fork.forkId}`,
    label: 'Snapshots',
    description: String(snapshots.length),
    icon: { id: 'history' },
    tooltip: 'States of the fork to go back to, as often as you like.',
    collapsed: true,
    actions: ['use'],
    accessibilityLabel: `${counted(snapshots.length, 'snapshot')} of fork ${parent.fork.name}`,
  };
}

/** @param nowMs Unix time in milliseconds, for its age */
export function snapshotView({ parent, snapshot }: SnapshotNode, nowMs: number): NodeView {
  const { name, snapshotId, createTime, blockNumber, isDefault } = snapshot;
  const time = createTime.slice(0, 16).replace('T', ' ');
  return {
    id: `snapshot:${parent.parent.fork.forkId}:${snapshotId}`,
    label: name,
    description: [
      `block ${grouped(blockNumber)}`,
      isDefault ? 'as created' : relativeTime(Date.parse(createTime) / 1000, nowMs),
    ].join(' · '),
    icon: { id: isDefault ? 'home' : 'device-camera' },
    tooltip: tooltip(
      name,
      [`after block ${grouped(blockNumber)}`, `taken ${time} UTC`],
      snapshotId,
    ),
    actions: ['revert', 'copyId', ...(isDefault ? [] : (['delete'] as const))],
    accessibilityLabel: `Snapshot ${name} at block ${blockNumber}`,
  };
}

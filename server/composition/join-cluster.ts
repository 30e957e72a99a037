import type { Logger } from 'pino';
import type { Hash } from '../api/primitives';
import type { SimulatedTransaction } from '../debugger/session/ports';
import type { Forks } from '../forks/life/forks';
import type { ForkSharing } from '../forks/life/fork-sharing';
import { subjectOf, type ChangeFeed, type RelayedChange } from '../projects/change-feed';
import { EventRelay } from '../team/cluster/event-relay';
import { Handover } from '../team/cluster/handover';
import { isRepeatable } from '../team/routing/is-repeatable';
import { ANSWERED_MS } from '../team/routing/node-attempts';
import { answerCommand, type NodeCommands } from '../team/routing/node-commands';
import { NodeRouter } from '../team/routing/node-router';
import type { ClusterNodes } from './other-nodes';
import { seldomWarning } from './seldom-warning';

export interface ClusterOptions {
  nodes: ClusterNodes;
  feed: ChangeFeed;
  forks: Forks;
  /** Whether the cache of this node has blocks of a chain. */
  hasBlocks: (chainId: number) => Promise<boolean>;
  /** A simulation that this node recorded. */
  simulated: (id: Hash) => Promise<SimulatedTransaction | undefined>;
  log: Logger;
}

/** What makes a service a node of several. */
export interface Cluster {
  router: NodeRouter;
  /** Has the other nodes apply the addresses of a project's forks. Resolves when those that answer have done so. */
  addressesRenewed: (projectId: string) => Promise<void>;
  /** Whether this node gives its forks away. */
  isDraining: () => boolean;
  /** Takes part from now on. */
  start: () => Promise<void>;
  /** Gives the forks away, for a limited time. */
  drain: (limitMs: number) => Promise<void>;
  close: () => Promise<void>;
}

/** What nodes tell each other through the database. */
type ClusterEvent = RelayedChange | { addresses: string };
type Relay = EventRelay<ClusterEvent>;

/** Nodes that are asked for the blocks of a chain. */
const ASKED = 8;

/** Prepares what a node does for the others. It takes part after `start`. */
export function joinCluster(options: ClusterOptions): Cluster {
  const { nodes, feed, forks, log } = options;
  const { registry, connections, storage } = nodes;
  const { sharing } = forks;
  if (!sharing) throw new Error('the forks are not shared');
  const { leases } = storage;
  const handover = new Handover({
    registry,
    held: () => leases.held,
    giveAway: sharing.giveAway.bind(sharing),
    onFailed: seldomWarning(log, 'a fork was not given away'),
  });
  const relay: { current?: Relay } = {};
  const router = createRouter(options, sharing, commands(options, sharing, relay));
  return {
    router,
    isDraining: () => registry.isDraining,
    addressesRenewed: async (projectId) => {
      relay.current?.publish({ addresses: projectId });
      await relay.current?.flush();
    },
    start: async () => {
      const opened = (relay.current = await openRelay(options));
      feed.relayTo((event) => {
        opened.publish(event);
      });
      await registry.start({
        load: () => ({ engines: leases.held.length, waiting: forks.waiting }),
        onDrain: () => {
          log.info('this node gives its forks away');
          void handover.keepGiving();
        },
        onBeat: sharing.forgetMoved.bind(sharing),
      });
    },
    drain: (limitMs) => handover.drain(limitMs, ANSWERED_MS),
    close: async () => {
      handover.close();
      await relay.current?.close();
      connections.close();
      await registry.close();
    },
  };
}

const openRelay = ({ nodes, forks, feed, log }: ClusterOptions): Promise<Relay> =>
  EventRelay.open<ClusterEvent>({
    table: nodes.storage.events,
    subjectOf: (event) =>
      'addresses' in event
        ? `addresses ${event.addresses}`
        : `${subjectOf(event.change)} ${String(event.userIds)}`,
    onEvent: async (event) => {
      if ('addresses' in event) await forks.adoptAddresses(event.addresses);
      else await feed.receive(event);
    },
    hint: nodes.others.look.bind(nodes.others),
    onFailed: seldomWarning(log, 'changes were not passed on between nodes'),
  });

/** What this node does at the request of another. */
const commands = (
  { forks, hasBlocks, simulated }: ClusterOptions,
  sharing: ForkSharing,
  relay: { readonly current?: Relay },
): NodeCommands => ({
  look: async () => {
    await relay.current?.look();
    return null;
  },
  views: ({ projectId }) => Promise.resolve(sharing.runningHere(projectId)),
  delete: async ({ forkId }) => {
    await forks.deleteHere(forkId);
    return null;
  },
  caches: ({ chainId }) => hasBlocks(chainId),
  simulation: async ({ id }) => (await simulated(id)) ?? null,
});

function createRouter(
  { nodes, hasBlocks, log }: ClusterOptions,
  sharing: ForkSharing,
  ownCommands: NodeCommands,
): NodeRouter {
  const { registry, connections, leaseSeconds, others, self, storage } = nodes;
  const { nodeId, secret, locations } = storage;
  return new NodeRouter({
    nodeId,
    secret,
    registry,
    connections,
    leaseSeconds,
    find: locations.find.bind(locations),
    withBlocks: async (chainId, ids) => {
      if (ids[0] === nodeId && (await hasBlocks(chainId))) return nodeId;
      const asked = ids.slice(0, ASKED);
      const found = await Promise.all(
        asked.map((id) => (id === nodeId ? hasBlocks(chainId) : others.hasBlocks(id, chainId))),
      );
      return asked[found.indexOf(true)];
    },
    forks: sharing,
    self: () => ({ nodeId, url: self.url }),
    isDraining: () => registry.isDraining,
    isRepeatable,
    onInternal: (error) => {
      log.error({ err: error }, 'a request could not be passed on');
    },
    command: (request, response) => answerCommand(ownCommands, request, response),
  });
}

import type { Logger } from 'pino';
import type { SharedForks } from '../forks/life/ports';
import { NodeRegistry } from '../team/cluster/node-registry';
import { ForkAddressClient } from '../team/routing/fork-address-client';
import { NodeConnections } from '../team/routing/node-connections';
import { OtherNodes } from '../team/routing/other-nodes';
import type { OwnAddress } from './own-address';
import { seldomWarning } from './seldom-warning';
import type { ClusterStorage } from './storage';

export interface ClusterNodesOptions {
  storage: ClusterStorage;
  leaseSeconds: number;
  /** This node, as it reaches itself. */
  self: OwnAddress;
  log: Logger;
}

/** The nodes of a database, as this one knows them before it takes part. */
export interface ClusterNodes {
  storage: ClusterStorage;
  leaseSeconds: number;
  self: OwnAddress;
  registry: NodeRegistry;
  connections: NodeConnections;
  others: OtherNodes;
  /** What the forks of this node need of the others. */
  shared: SharedForks;
}

export function createClusterNodes(options: ClusterNodesOptions): ClusterNodes {
  const { storage, leaseSeconds, self, log } = options;
  const { nodeId, secret, leases, locations } = storage;
  const connections = new NodeConnections(secret);
  const registry = new NodeRegistry({
    nodeId,
    table: storage.nodes,
    leaseSeconds,
    now: () => performance.now(),
    onDead: connections.abandon.bind(connections),
    onBeatFailed: seldomWarning(log, 'the heartbeat of this node failed'),
  });
  const others = new OtherNodes(registry, connections, leaseSeconds);
  const shared: SharedForks = {
    nodeId,
    holds: leases.holds.bind(leases),
    mayStart: () => registry.mayStartForks,
    lastEpoch: leases.lastEpoch.bind(leases),
    takenOver: new Set(),
    find: locations.find.bind(locations),
    list: locations.list.bind(locations),
    movedAway: locations.movedAway.bind(locations),
    filtersOf: storage.filtersOf,
    // The way of all requests to the fork's address: this node passes them on.
    clientOf: ({ secret: address }) => new ForkAddressClient(() => `${self.url}/rpc/${address}`),
    viewsOf: others.views.bind(others),
    deleteAt: others.deleteFork.bind(others),
  };
  return { storage, leaseSeconds, self, registry, connections, others, shared };
}

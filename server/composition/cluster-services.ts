import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { EventRelay } from '../team/cluster/event-relay';
import { NodeRegistry } from '../team/cluster/node-registry';
import { ApiError } from '../api/errors';
import type { Hash } from '../api/primitives';
import type { SimulatedTransaction } from '../debugger/session/ports';
import { parseJson } from '../evm/forms/rpc-message';
import { isChange } from '../forks/address/fork-call';
import type { Forks } from '../forks/life/forks';
import type { SharedForks } from '../forks/life/ports';
import { ForkAddressClient } from '../team/routing/fork-address-client';
import { answerCommand, callNode } from '../team/routing/node-commands';
import { NodeConnections, type Target } from '../team/routing/node-connections';
import { ANSWERED_MS } from '../team/routing/node-attempts';
import { NodeRouter } from '../team/routing/node-router';
import { subjectOf, type ChangeFeed, type RelayedChange } from '../projects/change-feed';
import type { ClusterStorage } from './storage';

export interface ClusterServicesOptions {
  storage: ClusterStorage;
  leaseSeconds: number;
  feed: ChangeFeed;
  /** Called when they are there. */
  forks: () => Forks;
  /** Base URL of this node on this machine, once it listens. */
  url: () => string;
  /** Whether the cache of this node has blocks of a chain. */
  hasBlocks: (chainId: number) => Promise<boolean>;
  /** A simulation that this node recorded. */
  simulated: (id: Hash) => Promise<SimulatedTransaction | undefined>;
  log: Logger;
}

/** What makes a service a node of several. */
export interface ClusterServices {
  shared: SharedForks;
  router: NodeRouter;
  simulatedElsewhere: (id: Hash) => Promise<SimulatedTransaction | undefined>;
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

/** Time limits for answers of other nodes, in milliseconds. */
const HINT_MS = 1_000;
const VIEWS_MS = 3_000;
const DELETE_MS = 30_000;
const CACHES_MS = 300;
const SIMULATION_MS = 3_000;
/** Nodes that are asked for the blocks of a chain. */
const ASKED = 8;
/** Interval at which a repeated failure is logged, in milliseconds. */
const WARN_MS = 30_000;
/** Pause between two rounds of a drain: forks whose start had begun run by then. */
const DRAIN_PAUSE_MS = 100;
/** Limit of the time in which the other nodes get to know that this one stops, in milliseconds. */
const LEAVE_MS = 3_000;

export function createCluster(options: ClusterServicesOptions): ClusterServices {
  const { storage, leaseSeconds, feed, forks, url, log } = options;
  const { nodeId, secret, leases, locations } = storage;
  const connections = new NodeConnections(secret);
  const sharing = () => {
    const found = forks().sharing;
    if (!found) throw new Error('the forks are not shared');
    return found;
  };
  /** During an outage, the same happens every second. */
  const warn = (text: string) => {
    let next = -Infinity;
    return (error: unknown): void => {
      if (performance.now() < next) return;
      next = performance.now() + WARN_MS;
      log.warn({ err: error }, text);
    };
  };
  const targetOf = (id: string): Target | undefined => {
    const base = registry.urlOf(id);
    return base === undefined ? undefined : { nodeId: id, url: base };
  };

  const giveFailed = warn('a fork was not given away');

  let isClosed = false;
  const mayStart = (): boolean =>
    !registry.isDraining || registry.others.every(({ isDraining }) => isDraining);
  const giveAll = async (isOver: () => boolean): Promise<void> => {
    for (const forkId of leases.held) if (!isOver()) await sharing().giveAway(forkId);
    await delay(DRAIN_PAUSE_MS);
  };
  /** For as long as the node drains: the other nodes may be gone for a while, and forks run here again. */
  const keepGiving = async (): Promise<void> => {
    while (!isClosed) await giveAll(() => isClosed || mayStart()).catch(giveFailed);
  };
  const registry = new NodeRegistry({
    nodeId,
    table: storage.nodes,
    leaseSeconds,
    load: () => ({ engines: leases.held.length, waiting: forks().waiting }),
    now: () => performance.now(),
    onDrain: () => {
      log.info('this node gives its forks away');
      void keepGiving();
    },
    onDead: (id) => {
      connections.abandon(id);
    },
    onBeat: () => sharing().forgetMoved(),
    onBeatFailed: warn('the heartbeat of this node failed'),
  });

  let relay: EventRelay<ClusterEvent> | undefined;
  const openRelay = () =>
    EventRelay.open<ClusterEvent>({
      table: storage.events,
      subjectOf: (event) =>
        'addresses' in event
          ? `addresses ${event.addresses}`
          : `${subjectOf(event.change)} ${String(event.userIds)}`,
      onEvent: async (event) => {
        if ('addresses' in event) await forks().adoptAddresses(event.addresses);
        else await feed.receive(event);
      },
      hint: async () => {
        const nodes = registry.others.flatMap((node) => targetOf(node.nodeId) ?? []);
        await Promise.allSettled(
          nodes.map((node) => callNode(connections, node, 'look', {}, HINT_MS)),
        );
      },
      onFailed: warn('changes were not passed on between nodes'),
    });

  const shared: SharedForks = {
    nodeId,
    holds: leases.holds.bind(leases),
    mayStart,
    lastEpoch: leases.lastEpoch.bind(leases),
    find: locations.find.bind(locations),
    list: locations.list.bind(locations),
    movedAway: locations.movedAway.bind(locations),
    filtersOf: storage.filtersOf,
    // The way of all requests to the fork's address: this node passes them on.
    clientOf: ({ secret: address }) => new ForkAddressClient(() => `${url()}/rpc/${address}`),
    viewsOf: async (projectId, nodeIds) => {
      const nodes = [...nodeIds].flatMap((id) => targetOf(id) ?? []);
      const answers = await Promise.allSettled(
        nodes.map((node) => callNode(connections, node, 'views', { projectId }, VIEWS_MS)),
      );
      return answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    },
    deleteAt: async (id, forkId) => {
      const target = targetOf(id);
      const refusal = new ApiError(
        'forkElsewhere',
        `the node that runs fork ${forkId} does not answer; try again in ${leaseSeconds} s`,
        { retryAfter: leaseSeconds },
      );
      if (!target) throw refusal;
      await callNode(connections, target, 'delete', { forkId }, DELETE_MS).catch(
        (error: unknown) => {
          throw error instanceof ApiError ? error : refusal;
        },
      );
    },
  };

  const hasBlocks = async (chainId: number, id: string): Promise<boolean> => {
    if (id === nodeId) return options.hasBlocks(chainId);
    const target = targetOf(id);
    if (!target) return false;
    return callNode(connections, target, 'caches', { chainId }, CACHES_MS).catch(() => false);
  };
  const simulatedElsewhere = async (id: Hash): Promise<SimulatedTransaction | undefined> => {
    await registry.refresh().catch(() => undefined); // those that are known are asked
    const nodes = registry.others.flatMap((node) => targetOf(node.nodeId) ?? []);
    const answers = await Promise.allSettled(
      nodes.map((node) => callNode(connections, node, 'simulation', { id }, SIMULATION_MS)),
    );
    return answers.flatMap((one) => (one.status === 'fulfilled' ? (one.value ?? []) : []))[0];
  };

  const router = new NodeRouter({
    nodeId,
    secret,
    registry,
    connections,
    leaseSeconds,
    find: (key) => shared.find(key),
    withBlocks: async (chainId, ids) => {
      const asked = ids.slice(0, ASKED);
      if (ids[0] === nodeId && (await options.hasBlocks(chainId))) return nodeId;
      const found = await Promise.all(asked.map((id) => hasBlocks(chainId, id)));
      return asked[found.indexOf(true)];
    },
    forks: {
      isHere: (key) => sharing().isHere(key),
      adopt: (fork) => {
        sharing().adopt(fork);
      },
      forget: (key) => {
        sharing().forget(key);
      },
    },
    self: () => ({ nodeId, url: url() }),
    isDraining: () => registry.isDraining,
    isRepeatable,
    onInternal: (error) => {
      log.error({ err: error }, 'a request could not be passed on');
    },
    command: (request, response) =>
      answerCommand(
        {
          look: async () => {
            await relay?.look();
            return null;
          },
          views: ({ projectId }) => Promise.resolve(sharing().runningHere(projectId)),
          delete: async ({ forkId }) => {
            await forks().deleteHere(forkId);
            return null;
          },
          caches: ({ chainId }) => options.hasBlocks(chainId),
          simulation: async ({ id }) => (await options.simulated(id)) ?? null,
        },
        request,
        response,
      ),
  });

  return {
    shared,
    router,
    simulatedElsewhere,
    isDraining: () => registry.isDraining,
    addressesRenewed: async (projectId) => {
      relay?.publish({ addresses: projectId });
      await relay?.flush();
    },
    start: async () => {
      const opened = (relay = await openRelay());
      feed.relayTo((event) => {
        opened.publish(event);
      });
      await registry.start();
    },
    drain: async (limitMs) => {
      const end = performance.now() + limitMs;
      await registry.drain();
      if (registry.others.length === 0) return;
      const isOver = () => performance.now() > end;
      while (leases.held.length > 0 && !isOver()) await giveAll(isOver);
      // Until the others know, they still send requests here, and nobody can tell what became of one that meets a closed connection.
      await delay(Math.min(LEAVE_MS, Math.max(registry.beatMs, ANSWERED_MS) + DRAIN_PAUSE_MS));
    },
    close: async () => {
      isClosed = true;
      await relay?.close();
      connections.close();
      await registry.close();
    },
  };
}

/** Reads can be sent again after a node ended without an answer. */
function isRepeatable(
  { method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>,
  body: Buffer | undefined,
): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  if (!url.startsWith('/rpc/') || body === undefined) return false;
  try {
    const message = parseJson(body.toString());
    return !(Array.isArray(message) ? message : [message]).some(isChange);
  } catch {
    return false;
  }
}

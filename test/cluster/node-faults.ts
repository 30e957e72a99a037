import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresCluster } from '../support/postgres';
import { childrenOf, signalAll } from '../support/processes';
import type { TestService } from '../support/service';
import { LEASE_SECONDS, type Team } from './team';

/** Something that happens to a node while it works. It is over when it resolves, and there are as many nodes as before. */
export type NodeFault = (
  team: Team,
  victim: TestService,
  postgres: PostgresCluster,
) => Promise<void>;

const LEASE_MS = LEASE_SECONDS * 1000;

const without = (team: Team, node: TestService): void => {
  team.nodes.splice(team.nodes.indexOf(node), 1);
};

const cutOff =
  (how: 'lost' | 'late', durationMs: number): NodeFault =>
  async (team, victim) => {
    const proxy = team.proxyOf(victim);
    proxy.cut(how);
    await delay(durationMs);
    proxy.restore();
  };

export const NODE_FAULTS: Readonly<Record<string, NodeFault>> = {
  'kill -9 of a node and its engines': async (team, victim) => {
    without(team, victim);
    signalAll(childrenOf(victim.child.pid!), 'SIGKILL');
    await victim.kill();
    await team.add();
  },
  'kill -9 of a node': async (team, victim) => {
    without(team, victim);
    await victim.kill();
    await team.add();
  },
  'a node paused beyond its lease': async (_, victim) => {
    signalAll([victim.child.pid!], 'SIGSTOP');
    await delay(1.5 * LEASE_MS);
    signalAll([victim.child.pid!], 'SIGCONT');
  },
  'a node stopped': async (team, victim) => {
    without(team, victim);
    await victim.stop();
    await team.add();
  },
  'the database killed and started': async (_team, _victim, postgres) => {
    await postgres.stop('SIGQUIT');
    await postgres.resume();
  },
  'the database away beyond a lease': async (_team, _victim, postgres) => {
    await postgres.stop();
    await delay(1.5 * LEASE_MS);
    await postgres.resume();
  },
  'a node lost by the balancer': async (team, victim) => {
    const find = await team.loseAtBalancer(victim);
    await delay(LEASE_MS);
    await find();
  },
  'a node cut off from the database': cutOff('lost', 1.5 * LEASE_MS),
  'a node whose database answers late': cutOff('late', 0.5 * LEASE_MS),
  'a node whose database answers later than its lease': cutOff('late', 2 * LEASE_MS),
};

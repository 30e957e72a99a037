import autocannon from 'autocannon';
import type { Fork } from '../../server/api/fork';
import { addSleepingForks, forksOf } from '../cluster/sleeping-forks';
import { ALICE, at, LEASE_SECONDS, Team } from '../cluster/team';
import { call } from '../support/json-rpc';
import { PostgresCluster } from '../support/postgres';
import { childrenOf, signalAll } from '../support/processes';
import { createFork, startService } from '../support/service';

/*
 * Measures nodes on one database beside a service with files, all on this machine, in turns: requests by the node that runs a fork and
 * through another node, durable sends, creations, and the takeover of a fork whose node was killed. Aim: 0.6 of the requests per second of
 * the direct way through another node; a takeover within the lease and the time to wake the fork.
 *
 *     npm run bench -- cluster
 */

const SECONDS = 3;
const ROUNDS = 3;
const SENDS = 200;
const CREATIONS = 5;
const TAKEOVERS = 3;
const SLEEPING = 100_000;
const TRANSFER = { from: ALICE, to: ALICE, value: '0x1' };

const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
const at50 = (values: readonly number[]): number => sorted(values)[Math.floor(values.length / 2)]!;
const at99 = (values: readonly number[]): number =>
  sorted(values)[Math.ceil(values.length * 0.99) - 1]!;
const ms = (value: number): string => `${value.toFixed(1)} ms`;

async function timed<T>(work: () => Promise<T>): Promise<{ took: number; result: T }> {
  const start = performance.now();
  const result = await work();
  return { took: performance.now() - start, result };
}

const bodyOf = (method: string, params: readonly unknown[]): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

let calls = 0;
/** Bodies of the requests, by their names in the table. Kept answers cost a node least; other data each time reaches the engine. */
const BODIES: Readonly<Record<string, () => string>> = {
  'eth_getBalance, kept answer': () => bodyOf('eth_getBalance', [ALICE, 'latest']),
  'eth_call, other data each time': () => {
    const data = `0x${(++calls).toString(16).padStart(64, '0')}`;
    return bodyOf('eth_call', [{ to: ALICE, data }, 'latest']);
  },
  eth_sendTransaction: () => bodyOf('eth_sendTransaction', [TRANSFER]),
};

async function perSecond(url: string, body: () => string): Promise<number> {
  const { errors, non2xx, requests } = await autocannon({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    requests: [{ setupRequest: (request) => ({ ...request, body: body() }) }],
    connections: 10,
    duration: SECONDS,
  });
  if (errors > 0 || non2xx > 0) throw new Error('requests failed');
  return requests.average;
}

/** Waiting times of sends, one after the other. */
async function sends(address: string): Promise<number[]> {
  const times: number[] = [];
  for (let sent = 0; sent < SENDS; sent++) {
    times.push((await timed(() => call(address, 'eth_sendTransaction', TRANSFER))).took);
  }
  return times.slice(SENDS / 10); // the first ones warm up
}

async function requests(team: Team, fork: Fork): Promise<void> {
  const owner = await team.ownerOf(fork);
  const [direct, through] = [at(owner, fork), at(team.otherThan(owner), fork)];
  const rows: Record<string, object> = {};
  for (const [name, body] of Object.entries(BODIES)) {
    const figures = { direct: [] as number[], through: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      figures.direct.push(await perSecond(direct, body));
      figures.through.push(await perSecond(through, body));
    }
    const [one, other] = [at50(figures.direct), at50(figures.through)];
    rows[name] = {
      'direct, per second': Math.round(one),
      'through another node': Math.round(other),
      'ratio (aim 0.6)': (other / one).toFixed(2),
    };
  }
  console.log('\nRequests, 10 connections:');
  console.table(rows);
}

async function durableSends(team: Team, fork: Fork, files: Fork): Promise<void> {
  const owner = await team.ownerOf(fork);
  const ways = {
    files: files.rpc,
    'PostgreSQL, direct': at(owner, fork),
    'PostgreSQL, through another node': at(team.otherThan(owner), fork),
  };
  const rows: Record<string, object> = {};
  for (const [name, address] of Object.entries(ways)) {
    const times = await sends(address);
    rows[name] = { p50: ms(at50(times)), p99: ms(at99(times)) };
  }
  console.log(`\nSends that are durable when they are answered, ${SENDS} in turn:`);
  console.table(rows);
}

async function creations(team: Team): Promise<void> {
  const rows: Record<string, object> = {};
  for (const node of team.nodes) {
    const times: number[] = [];
    for (let made = 0; made < CREATIONS; made++) {
      times.push((await timed(() => team.createFork(node))).took);
    }
    rows[`asked of node ${team.nodes.indexOf(node) + 1}`] = { p50: ms(at50(times)) };
  }
  console.log(`\nCreations of forks, on ${team.nodes.length} nodes:`);
  console.table(rows);
}

async function takeovers(team: Team): Promise<void> {
  const times: number[] = [];
  const wakes: number[] = [];
  for (let round = 0; round < TAKEOVERS; round++) {
    const fork = await team.createFork(team.nodes[0]!);
    await call(at(team.nodes[0]!, fork), 'eth_sendTransaction', TRANSFER);
    await team.sleep(fork);
    wakes.push((await timed(() => call(at(team.nodes[0]!, fork), 'eth_blockNumber'))).took);
    const owner = await team.ownerOf(fork);
    const other = team.otherThan(owner);
    signalAll(childrenOf(owner.child.pid!), 'SIGKILL');
    team.nodes.splice(team.nodes.indexOf(owner), 1);
    await owner.kill();
    times.push((await timed(() => call(at(other, fork), 'eth_blockNumber'))).took);
    await team.add();
  }
  const limit = LEASE_SECONDS * 1000 + at50(wakes);
  console.log(
    `\nFirst answer after kill -9 of a fork's node: ${times.map(ms).join(', ')}; ` +
      `lease and wake: ${ms(limit)} (${LEASE_SECONDS} s and ${ms(at50(wakes))})`,
  );
}

/** What forks that sleep cost: a row each, and nothing at the start of a node. */
async function sleepingForks(team: Team): Promise<void> {
  const fork = await team.createFork(team.nodes[0]!);
  await team.sleep(fork);
  const bytes = async (): Promise<number> => {
    const [row] = await team.query<{ bytes: string }>(
      `SELECT sum(pg_total_relation_size(relid)) AS bytes FROM pg_stat_user_tables WHERE schemaname = 'forklens'`,
    );
    return Number(row!.bytes);
  };
  const start = async (): Promise<number> => {
    const { took, result } = await timed(() => team.add());
    team.nodes.splice(team.nodes.indexOf(result), 1);
    await result.stop();
    return took;
  };
  const before = { bytes: await bytes(), start: await start() };
  await addSleepingForks(team, fork, { forks: SLEEPING, projects: SLEEPING / 100 });
  const after = { bytes: await bytes(), start: await start() };
  const list = await timed(() => forksOf(team, 1));
  const wake = await timed(() => call(at(team.nodes[0]!, list.result[0]!), 'eth_blockNumber'));
  console.log(`\n${SLEEPING} forks that sleep, in ${SLEEPING / 100} projects:`);
  console.table({
    'bytes in the database, each': Math.round((after.bytes - before.bytes) / SLEEPING),
    'start of a node': `${ms(after.start)}, without them ${ms(before.start)}`,
    'list of a project (100 forks)': ms(list.took),
    'first answer of one': ms(wake.took),
  });
}

async function main(): Promise<void> {
  const postgres = await PostgresCluster.start();
  const service = await startService({ args: ['--sandbox'] });
  const team = await Team.start(postgres, 3);
  try {
    const files = await createFork(service, { chainId: 31337 });
    const fork = await team.createFork(team.nodes[0]!);
    await requests(team, fork);
    await durableSends(team, fork, files);
    await creations(team);
    await takeovers(team);
    await sleepingForks(team);
  } finally {
    await team.stop();
    await service.kill();
    await postgres.close();
  }
}

void main();

import * as z from 'zod';
import type { Hardfork } from '../../api/config';
import { isMethodMissing, RpcError, type RpcClient } from '../forms/json-rpc';

/*
 * The schedule that a node reports by `eth_config` (EIP-7910). It names no hardforks: they are recognized by their precompiled and
 * system contracts. Drafts of the EIP list precompiles by address, the final one by name.
 */

/** One fork of a node's schedule. */
export interface NodeFork {
  /** Unix seconds. */
  readonly activation: number;
  /** The hardfork whose contracts are listed; undefined before Cancun. */
  readonly hardfork?: Hardfork;
  /** Names of contracts that this version does not know. */
  readonly unknown: readonly string[];
  /** BLOB_BASE_FEE_UPDATE_FRACTION; undefined before Cancun. */
  readonly blobFraction?: bigint;
}

/** Forks in the order of their activation: the current one, and the scheduled ones. */
export interface NodeSchedule {
  readonly forks: readonly NodeFork[];
  /** The node is one for development: its schedule is not that of a network. */
  readonly isLocal: boolean;
}

/** Addresses of precompiled contracts, by the hardfork that added the last of them. */
const PRECOMPILES: readonly (readonly [Hardfork, number])[] = [
  ['cancun', 0xa],
  ['prague', 0x11],
  ['osaka', 0x100],
];
const SYSTEM_CONTRACTS: ReadonlySet<string> = new Set([
  'BEACON_ROOTS_ADDRESS',
  'CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS',
  'DEPOSIT_CONTRACT_ADDRESS',
  'HISTORY_STORAGE_ADDRESS',
  'WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS',
]);

const MAX_CONTRACTS = 128;
const NAMED = 5;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

const contracts = z
  .record(z.string().max(64), z.string().max(64))
  .refine((entries) => Object.keys(entries).length <= MAX_CONTRACTS);

const forkSchema = z.object({
  activationTime: z.int().nonnegative(),
  chainId: z.string().regex(/^0x[0-9a-fA-F]{1,16}$/),
  forkId: z.string().max(64).nullish(),
  blobSchedule: z
    .object({
      baseFeeUpdateFraction: z.int().min(1),
      max: z.int().nonnegative(),
      target: z.int().nonnegative(),
    })
    .nullish(),
  precompiles: contracts,
  systemContracts: contracts.nullish(),
});

const configSchema = z.object({
  current: forkSchema,
  next: forkSchema.nullish(),
  last: forkSchema.nullish(),
});

type Fork = z.infer<typeof forkSchema>;

/** Reads an answer to `eth_config`; undefined if it is malformed or is about another chain. */
export function readNodeSchedule(answer: unknown, chainId: number): NodeSchedule | undefined {
  const { success, data } = configSchema.safeParse(answer);
  if (!success) return undefined;
  const { current } = data;
  const listed = [current, data.next, data.last].filter(
    (fork) => fork !== null && fork !== undefined,
  );
  if (listed.some((fork) => BigInt(fork.chainId) !== BigInt(chainId))) return undefined;
  const forks = listed.map(readFork).sort((a, b) => a.activation - b.activation);
  const isLocal = current.activationTime === 0 && /^0x0*$/.test(current.forkId ?? '');
  return { forks, isLocal };
}

function readFork({ activationTime, precompiles, systemContracts, blobSchedule }: Fork): NodeFork {
  const addresses = Object.entries(precompiles).map(([key, value]) =>
    ADDRESS.test(key) ? { address: key, name: value } : { address: value, name: key },
  );
  const numbers = addresses.flatMap(({ address }) =>
    ADDRESS.test(address) ? [BigInt(address)] : [],
  );
  const hardfork = PRECOMPILES.findLast(([, last]) => numbers.includes(BigInt(last)))?.[0];
  const unknown = [
    ...addresses.filter(({ address }) => !isKnown(address)).map(({ name }) => name),
    ...Object.keys(systemContracts ?? {}).filter((name) => !SYSTEM_CONTRACTS.has(name)),
  ];
  return {
    activation: activationTime,
    ...(hardfork && { hardfork }),
    unknown: unknown.map((name) => name.replaceAll(/[^\w .-]/g, '?')).slice(0, NAMED),
    ...(blobSchedule && { blobFraction: BigInt(blobSchedule.baseFeeUpdateFraction) }),
  };
}

function isKnown(address: string): boolean {
  if (!ADDRESS.test(address)) return false;
  const number = BigInt(address);
  return (number >= 1n && number <= 0x11n) || number === 0x100n;
}

/** How long an answer is used, in milliseconds. A node that lacks the method may be updated. */
const KEEP_MS = { answered: 10 * 60_000, lacking: 60 * 60_000, failed: 60_000 };
const TIMEOUT_MS = 5_000;

/** Asks nodes for their schedules, once for each node and period. */
export class NodeSchedules {
  readonly #kept = new WeakMap<
    RpcClient,
    { until: number; schedule: Promise<NodeSchedule | undefined> }
  >();

  constructor(private readonly now: () => number = Date.now) {}

  /** Undefined if the node does not answer `eth_config` in the form of EIP-7910. Never rejects. */
  of(rpc: RpcClient, chainId: number): Promise<NodeSchedule | undefined> {
    const kept = this.#kept.get(rpc);
    if (kept && kept.until > this.now()) return kept.schedule;
    const entry = {
      until: Infinity,
      schedule: Promise.resolve<NodeSchedule | undefined>(undefined),
    };
    const keep = (period: number): void => {
      entry.until = this.now() + period;
    };
    entry.schedule = rpc.request('eth_config', [], { timeoutMs: TIMEOUT_MS }).then(
      (answer) => {
        const schedule = readNodeSchedule(answer, chainId);
        keep(schedule ? KEEP_MS.answered : KEEP_MS.lacking);
        return schedule;
      },
      (error: unknown) => {
        keep(
          isMethodMissing(error) || error instanceof RpcError ? KEEP_MS.lacking : KEEP_MS.failed,
        );
        return undefined;
      },
    );
    this.#kept.set(rpc, entry);
    return entry.schedule;
  }
}

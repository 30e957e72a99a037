import type { Network } from '../../analysis/ports';
import type { SimulationNetworks } from '../../analysis/simulation/simulation';
import { ApiError } from '../../api/errors';
import { LIMITS } from '../../api/limits';
import type { RecordTestBody } from '../../api/recorded-test';
import type { RpcCall } from '../../evm/forms/json-rpc';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import type { RpcBlockHeader } from '../../evm/forms/types';
import type { BlockEnvironment } from '../../evm/interpreter/environment';
import { Machine } from '../../evm/interpreter/machine';
import { Pace } from '../../evm/interpreter/pace';
import { beginTransaction } from '../../evm/interpreter/transaction';
import type { PrestateAccount } from '../../evm/interpreter/world';
import { inSlices, type Work } from '../../kernel/async/slices';
import type { NamedTest } from './forge-output';
import type { StepLists } from './step-lists';
import { testRun } from './test-run';
import { cheatsOf, createdIn, environmentOf, firstState, withRunner } from './test-state';

/** The block after which a test runs on a fork. */
export interface ForkPoint {
  readonly network: Network;
  readonly block: RpcBlockHeader;
}

/** What the chain has of it, as far as the test needs it. */
export interface ForkedState {
  readonly accounts: ReadonlyMap<string, PrestateAccount>;
  readonly block: BlockEnvironment;
  readonly chainId: number;
}

/** Executions of what is before the test, each of which finds more slots that are read. */
const ROUNDS = 40;
const HEX = /^0x[0-9a-f]*$/i;

/** @throws ApiError `chainNotFound`, `invalidField`, `upstreamLacksData`, `upstreamUnreachable` */
export async function forkPoint(
  networks: Pick<SimulationNetworks, 'at'>,
  { chain, block: number }: NonNullable<RecordTestBody['fork']>,
  signal: AbortSignal,
): Promise<ForkPoint> {
  const { network, block } = await networks.at(chain, { height: toQuantity(number) }, signal);
  return { network, block };
}

/**
 * Reads what a test finds on a fork: the accounts of all calls, and the slots that `setUp` reads, of which forge wrote no steps.
 * @throws ApiError `upstreamLacksData`, `upstreamUnreachable`, `recordingTooLarge`; the signal's reason
 */
export async function forkedState(
  point: ForkPoint,
  named: NamedTest,
  lists: StepLists,
  signal: AbortSignal,
): Promise<ForkedState> {
  const { traces } = named.test;
  const created = createdIn(traces);
  const addresses = new Set(
    traces.flatMap(([, { arena }]) =>
      arena.flatMap(({ trace: { address, caller } }) => [address, caller]),
    ),
  );
  const wanted = [...addresses].filter((one) => !created.has(one));
  const accounts = await readAccounts(point, wanted, signal);
  const chainId = point.network.chainId;
  const state = { accounts, block: environmentAt(point.block), chainId };
  const run = testRun(named, lists);
  let left: number = LIMITS.untouchedSlots;
  for (let round = 0; round < ROUNDS; round++) {
    const slots = await inSlices(missingSlots(state, run), signal);
    if (slots.length === 0) break;
    left -= slots.length;
    if (left < 0) {
      throw new ApiError(
        'recordingTooLarge',
        `setUp reads more than ${LIMITS.untouchedSlots} slots of the fork: debug a shorter test`,
      );
    }
    const calls = slots.map(([address, slot]) => ({
      method: 'eth_getStorageAt',
      params: [address, toWord(slot)],
    }));
    const words = await read(point, calls, signal);
    for (const [index, [address, slot]] of slots.entries()) {
      accounts.get(address)?.storage.set(slot, BigInt(words[index] ?? 0));
    }
  }
  return state;

  /** Slots of the chain that are read before forge wrote steps, and are not known. */
  function* missingSlots(
    known: ForkedState,
    whole: ReturnType<typeof testRun>,
  ): Work<[address: string, slot: bigint][]> {
    const found = new Map<string, [string, bigint]>();
    const first = firstState(named, lists, known);
    const cheats = cheatsOf(whole, lists);
    const observer = {
      load: ({ context }: { context: { address: string } }, slot: bigint): void => {
        const { address } = context;
        const isKnown = accounts.get(address)?.storage.has(slot) ?? true;
        if (!isKnown) found.set(`${address} ${slot}`, [address, slot]);
      },
    };
    const environment = environmentOf(whole, first, cheats);
    const machine = Machine.create(environment, withRunner(first.prestate, whole), observer);
    try {
      beginTransaction(machine);
      const pace = new Pace(machine);
      while (machine.frames.length > 0 && cheats.steps.compared === 0) {
        machine.step();
        const due = pace.due();
        if (due > 0) yield due;
      }
    } catch {
      // Missing slots read as zero, so this execution can fail. The next one knows them.
    }
    return [...found.values()];
  }
}

type ForkedAccount = PrestateAccount & { readonly storage: Map<bigint, bigint> };

async function readAccounts(
  point: ForkPoint,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, ForkedAccount>> {
  const methods = ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'];
  const calls = addresses.flatMap((address) =>
    methods.map((method) => ({ method, params: [address] })),
  );
  const answers = await read(point, calls, signal);
  return new Map(
    addresses.map((address, index) => {
      const [balance = '0x0', nonce = '0x0', code = '0x'] = answers.slice(
        index * methods.length,
        (index + 1) * methods.length,
      );
      const account = {
        balance: BigInt(balance),
        nonce: Number(nonce),
        code: Buffer.from(code.slice(2), 'hex'),
        storage: new Map<bigint, bigint>(),
      };
      return [address, account];
    }),
  );
}

/** @throws ApiError `upstreamLacksData` */
async function read(
  { network, block }: ForkPoint,
  calls: readonly RpcCall[],
  signal: AbortSignal,
): Promise<string[]> {
  const whole = calls.map(({ method, params }) => ({
    method,
    params: [...params, toQuantity(BigInt(block.number))],
  }));
  const answers = await network.rpc.requestAll(whole, { signal });
  return answers.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason;
    const { value } = answer;
    if (typeof value === 'string' && HEX.test(value)) return value;
    throw new ApiError(
      'upstreamLacksData',
      `the node of ${network.key} does not return the state at block ${BigInt(block.number)}`,
    );
  });
}

function environmentAt(block: RpcBlockHeader): BlockEnvironment {
  const word = (value: unknown): bigint => BigInt(typeof value === 'string' ? value : 0);
  return {
    number: BigInt(block.number),
    timestamp: BigInt(block.timestamp),
    coinbase: block.miner.toLowerCase(),
    gasLimit: BigInt(block.gasLimit),
    baseFee: word(block.baseFeePerGas),
    random: word(block.mixHash),
    blobBaseFee: 1n,
    slot: 0n,
    hashes: new Map(),
  };
}

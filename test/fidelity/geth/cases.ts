import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Transaction } from 'ethers';
import type { Address, Hash, Hex } from '../../../server/api/primitives';
import { toWord } from '../../../server/evm/forms/quantity';
import { ReferenceChain, type Executed, type PlayedBlock } from '../reference/chain';
import { isSince, type PlannedAccount, type PlannedHardfork } from '../reference/plan';

/** Folders of go-ethereum's `eth/tracers/internal/tracetest/testdata`, and what their cases record. */
const SUITES = {
  call_tracer: 'calls',
  call_tracer_withLog: 'calls',
  prestate_tracer_with_diff_mode: 'changes',
} as const;

export interface RecordedFrame {
  type: string;
  from: Address;
  to?: Address;
  value?: string;
  gasUsed: string;
  input: Hex;
  output?: Hex;
  error?: string;
  calls?: RecordedFrame[];
  logs?: { address: Address; topics: Hash[]; data?: Hex }[];
}

interface RecordedAccount {
  balance?: string;
  nonce?: number | string;
  code?: Hex;
  storage?: Record<string, string>;
}
type RecordedState = Record<Address, RecordedAccount>;

interface CaseFile {
  genesis: {
    alloc: RecordedState;
    config: Record<string, unknown>;
    mixHash?: Hash;
    excessBlobGas?: string;
    blobGasUsed?: string;
  };
  context: Record<'number' | 'timestamp' | 'gasLimit' | 'miner', string> & {
    difficulty?: string;
    baseFeePerGas?: string;
  };
  input: string;
  tracerConfig?: { withLog?: boolean };
  result: RecordedFrame & { pre?: RecordedState; post?: RecordedState };
}

export interface GethCase {
  name: string;
  hardfork: PlannedHardfork;
  chain: ReferenceChain;
  block: PlayedBlock;
  executed: Executed;
  calls: RecordedFrame | undefined;
  /** Whether the calls are recorded with their logs. */
  withLog: boolean;
  changes: { pre: RecordedState; post: RecordedState } | undefined;
}

/** Plays the cases of a folder on the reference, each on a chain of its own. */
export async function loadGethCases(folder: string): Promise<GethCase[]> {
  const cases: GethCase[] = [];
  for (const [suite, kind] of Object.entries(SUITES)) {
    if (!existsSync(join(folder, suite))) continue;
    const files = readdirSync(join(folder, suite)).filter((file) => file.endsWith('.json'));
    for (const file of files.sort()) {
      const text = readFileSync(join(folder, suite, file), 'utf8');
      const one = JSON.parse(text) as CaseFile;
      cases.push(await played(`${suite}/${file.replace('.json', '')}`, kind, one));
    }
  }
  return cases;
}

async function played(
  name: string,
  kind: 'calls' | 'changes',
  { genesis, context, input, result, tracerConfig }: CaseFile,
): Promise<GethCase> {
  const number = BigInt(context.number);
  const timestamp = BigInt(context.timestamp);
  const config = Object.fromEntries(
    Object.entries(genesis.config).map(([key, value]) => [key.toLowerCase(), value]),
  );
  const hardfork = hardforkOf(config, number, timestamp);
  const chainId = Number(config['chainid']);
  const chain = await ReferenceChain.start({ hardfork, chainId, alloc: allocOf(genesis.alloc) });
  const hasBlobs = isSince(hardfork, 'cancun');
  const facts = {
    gasLimit: BigInt(context.gasLimit),
    prevRandao: genesis.mixHash ?? toWord(0),
    baseFee: isSince(hardfork, 'london') ? BigInt(context.baseFeePerGas ?? 0) : undefined,
    excessBlobGas: hasBlobs ? BigInt(genesis.excessBlobGas ?? 0) : undefined,
    beaconRoot: hasBlobs ? toWord(0) : undefined,
    difficulty: BigInt(context.difficulty ?? 0),
    systemCalls: false,
    coinbase: context.miner.toLowerCase() as Address,
  };
  const parent = await chain.execute([], {
    ...facts,
    number: number - 1n,
    timestamp: timestamp - 1n,
    parentHash: toWord(0),
    coinbase: `0x${'00'.repeat(20)}`,
  });
  const raw = Transaction.from(prefixed(input)).serialized as Hex;
  const block = await chain.execute([raw], {
    ...facts,
    number,
    timestamp,
    parentHash: parent.hash,
  });
  return {
    name,
    hardfork,
    chain,
    block,
    executed: block.transactions[0]!,
    calls: kind === 'calls' ? result : undefined,
    withLog: tracerConfig?.withLog === true,
    changes: kind === 'changes' ? { pre: result.pre ?? {}, post: result.post ?? {} } : undefined,
  };
}

const prefixed = (hex: string): string => (hex.startsWith('0x') ? hex : `0x${hex}`);

function allocOf(recorded: RecordedState): Record<Address, PlannedAccount> {
  const alloc: Record<Address, PlannedAccount> = {};
  for (const [address, { balance, nonce, code, storage = {} }] of Object.entries(recorded)) {
    const slots = Object.entries(storage).map(([slot, value]) => [
      toWord(BigInt(slot)),
      toWord(BigInt(value)),
    ]);
    alloc[prefixed(address).toLowerCase() as Address] = {
      balance: BigInt(balance ?? 0),
      nonce: Number(nonce ?? 0),
      ...(code === undefined || code === '0x' ? {} : { code }),
      storage: Object.fromEntries(slots) as Record<Hash, Hash>,
    };
  }
  return alloc;
}

const BY_BLOCK: readonly [string, PlannedHardfork][] = [
  ['homestead', 'homestead'],
  ['eip150', 'tangerine'],
  ['eip158', 'spuriousDragon'],
  ['byzantium', 'byzantium'],
  ['constantinople', 'constantinople'],
  ['petersburg', 'petersburg'],
  ['istanbul', 'istanbul'],
  ['berlin', 'berlin'],
  ['london', 'london'],
];

/** @param config of the genesis, with lower-case keys, since Go ignores their case */
function hardforkOf(
  config: Record<string, unknown>,
  number: bigint,
  timestamp: bigint,
): PlannedHardfork {
  const isActive = (key: string, at: bigint): boolean => {
    const from = config[key];
    return (typeof from === 'number' || typeof from === 'string') && at >= BigInt(from);
  };
  let newest: PlannedHardfork = 'frontier';
  for (const [key, name] of BY_BLOCK) if (isActive(`${key}block`, number)) newest = name;
  if (config['terminaltotaldifficulty'] === 0 || config['terminaltotaldifficultypassed'] === true) {
    newest = 'paris';
  }
  for (const name of ['shanghai', 'cancun', 'prague'] as const) {
    if (isActive(`${name}time`, timestamp)) newest = name;
  }
  return newest;
}

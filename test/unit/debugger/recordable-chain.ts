import type { LocatedExecution } from '../../../server/analysis/executed-transaction';
import type { Network } from '../../../server/analysis/ports';
import type { Hardfork } from '../../../server/api/config';
import type { Hash } from '../../../server/api/primitives';
import type { DebuggedTransaction } from '../../../server/debugger/session/debugged-transaction';
import type { InputStore } from '../../../server/debugger/session/kept-inputs';
import { Recordings, type RecordingOptions } from '../../../server/debugger/session/recordings';
import { toQuantity, toWord } from '../../../server/evm/forms/quantity';
import type { ProgramSource } from '../../../server/contracts/sources/program-source';
import { assemble } from '../../fidelity/assembler';
import { ScriptedRpc } from '../../support/scripted-rpc';
import { CALLER, SENDER } from './record';
import { certainRules } from '../../support/block-rules';

export const HASH: Hash = toWord(1n);
export const OTHER: Hash = toWord(2n);
export const NUMBER = 300n;
/** Reads the hashes of four blocks. */
export const BLOCKHASHES = assemble(
  ['1', '2', '3', '4'].map((back) => `${back} number sub blockhash pop`).join(' ') + ' stop',
);

interface Chain {
  /** Block of each transaction; null: it is in none. */
  blocks: Map<Hash, Hash | null>;
  missingBlocks: boolean;
}

interface Options extends RecordingOptions {
  code?: string;
  hardfork?: Hardfork;
  /** Of the receipt. */
  gasUsed?: number;
  method?: 'debug' | 'replay';
  replayable?: boolean;
  store?: InputStore;
  /** By default no source is known. */
  programs?: ProgramSource;
  /** Awaited before a trace is given. */
  tracing?: (signal: AbortSignal) => Promise<void>;
}

interface RecordableChain {
  chain: Chain;
  rpc: ScriptedRpc;
  /** What was traced. */
  located: { hash: Hash; user: string | undefined }[];
  open: (
    transaction?: Hash,
    more?: { user?: string; signal?: AbortSignal; block?: Hash },
  ) => Promise<DebuggedTransaction>;
  changeInterfaces: () => void;
}

/** Recordings of a chain with two transactions. */
export function recordingsOf({
  code = assemble('1 0 sstore stop'),
  tracing,
  hardfork = 'prague',
  gasUsed = 21_000,
  method = 'debug',
  replayable = true,
  store,
  programs = NO_SOURCES,
  ...options
}: Options = {}): RecordableChain {
  const chain: Chain = {
    blocks: new Map([HASH, OTHER].map((hash) => [hash, toWord(7n)])),
    missingBlocks: false,
  };
  const located: { hash: Hash; user: string | undefined }[] = [];
  const rpc = new ScriptedRpc({
    eth_getTransactionByHash: (hash: Hash) =>
      chain.blocks.has(hash)
        ? { hash, blockHash: chain.blocks.get(hash), blockNumber: toQuantity(NUMBER) }
        : null,
    eth_getBlockByNumber: (number: string) =>
      chain.missingBlocks ? null : { hash: toWord(BigInt(number) + 1_000n) },
  });
  const network = { key: 'eth', chainId: 1, nativeSymbol: 'ETH', rpc, replayable } as Network;
  let revision = 0;
  const recordings = new Recordings(
    {
      networks: {
        resolve: () => Promise.resolve(network),
        at: () => Promise.reject(new Error('not asked for')),
      },
      executions: {
        locate: async ({ hash, user }, { signal }) => {
          located.push({ hash, user });
          await tracing?.(signal);
          return locatedExecution(network, hash, { code, gasUsed, method });
        },
        identified: (execution) => Promise.resolve({ ...execution, ...UNKNOWN }),
      },
      simulations: { locate: () => Promise.reject(new Error('not asked for')) },
      prestates: { prestate: (_network, _mined, trace) => Promise.resolve(trace.prestate) },
      programs,
      rulesOf: () => Promise.resolve(certainRules(hardfork)),
      revisionOf: () => Promise.resolve(String(revision)),
      store,
    },
    options,
  );
  const open = (
    transaction: Hash = HASH,
    more: { user?: string; signal?: AbortSignal; block?: Hash } = {},
  ) => {
    const { signal, ...key } = more;
    return recordings.open({ chain: 'eth', transaction, ...key }, { signal });
  };
  const changeInterfaces = (): void => {
    revision++;
  };
  return { chain, rpc, located, open, changeInterfaces };
}

const NO_SOURCES: ProgramSource = {
  programOf: () => Promise.resolve(undefined),
  unmappedOf: () => Promise.resolve(undefined),
  identityOf: () => Promise.resolve(''),
};

const UNKNOWN = {
  known: { contracts: new Map(), creations: new Map(), signatures: [] },
  userLabels: {},
} as unknown as Pick<LocatedExecution, 'known' | 'userLabels'>;

function locatedExecution(
  network: Network,
  hash: Hash,
  { code, gasUsed, method }: { code: string; gasUsed: number; method: string },
): LocatedExecution {
  const number = toQuantity(NUMBER);
  const common = { blockHash: toWord(7n), blockNumber: number, transactionIndex: '0x0' };
  const executed = {
    mined: {
      transaction: {
        ...common,
        hash,
        type: '0x2',
        nonce: '0x0',
        from: SENDER,
        to: CALLER,
        value: '0x0',
        gas: '0x30000',
        input: '0x',
      },
      receipt: {
        ...common,
        gasUsed: toQuantity(gasUsed),
        status: '0x1',
        logs: [],
        effectiveGasPrice: '0x0',
      },
      block: { number, hash: toWord(7n), timestamp: '0x1', miner: SENDER, gasLimit: '0x1000000' },
    },
    trace: {
      root: {
        type: 'CALL',
        from: SENDER,
        to: CALLER,
        value: 0n,
        gasUsed: 21_000,
        input: '0x',
        output: '0x',
        items: [],
      },
      method,
      reportedGas: 0,
      prestate: { [SENDER]: { balance: '0xffff' }, [CALLER]: { balance: '0x0', nonce: 1, code } },
    },
  } as unknown as LocatedExecution['executed'];
  return { network, executed, ...UNKNOWN };
}

import { isMissing, quantityOf, type Fields } from '../../evm/forms/fields';
import { RpcError } from '../../evm/forms/json-rpc';
import type { Hex } from '../../api/primitives';
import { toQuantity } from '../../evm/forms/quantity';
import { nextBaseFee, type BaseFeeRule } from '../../evm/families/op-stack/next-base-fee';
import { LIMITS } from '../../api/limits';
import { RPC_CODES } from '../../api/rpc-codes';
import { tooManyBlocks, type BlockStateCalls, type SimulationPayload } from './payload';

/** Context of a simulated block; amounts in wei, times in Unix seconds. */
export interface PlannedBlock {
  number: bigint;
  time: bigint;
  gasLimit: bigint;
  feeRecipient: string;
  prevRandao: string;
  /** undefined before EIP-1559 */
  baseFeePerGas: bigint | undefined;
  stateOverrides: Fields;
  calls: readonly Fields[];
  /** Gas of each call. */
  gas: readonly bigint[];
}

/** Results of an earlier pass for a block. */
export interface BlockOutcome {
  hash?: string;
  gasUsed: bigint;
  gasUsedByCall: readonly bigint[];
}

/** Default seconds between blocks, as on Ethereum. */
const BLOCK_SECONDS = 12n;
/** EIP-1559. */
const ELASTICITY = 2n;
const MAX_CHANGE = 8n;
const MIN_GAS = 21_000n;
/** Total gas of all calls without a gas limit, as in go-ethereum. */
const DEFAULT_GAS = 50_000_000n;

/**
 * Fills missing parts of the payload (execution-apis, notes on eth_simulateV1): gaps in block numbers become empty blocks.
 * @param base the block that the simulation starts from
 * @param known outcomes of an earlier pass, for values that depend on earlier blocks and calls
 * @throws RpcError -38020, -38021, -38026
 */
export function planBlocks(
  base: Fields,
  { blocks, validation, maxGas, baseFee }: SimulationPayload,
  known: readonly BlockOutcome[],
): PlannedBlock[] {
  const planned: PlannedBlock[] = [];
  const start = quantityOf('number', base['number']);
  let number = start;
  let time = quantityOf('timestamp', base['timestamp']);
  let gasLimit = quantityOf('gasLimit', base['gasLimit']);
  let parent: Parent = parentOf(base);
  let budget = DEFAULT_GAS;
  for (const block of withoutGaps(blocks, start)) {
    const { overrides } = block;
    const at = optional('time', overrides['time']) ?? time + BLOCK_SECONDS;
    if (at <= time) {
      throw new RpcError(
        RPC_CODES.timestampNotAscending,
        `block timestamps must be in order: ${at} <= ${time}`,
      );
    }
    time = at;
    number++;
    gasLimit = optional('gasLimit', overrides['gasLimit']) ?? gasLimit;
    const fee = validation ? feeAfter(parent, baseFee) : 0n;
    const baseFeePerGas =
      parent.baseFee === undefined
        ? undefined
        : (optional('baseFeePerGas', overrides['baseFeePerGas']) ?? fee);
    const outcome = known[planned.length];
    planned.push({
      number,
      time,
      gasLimit,
      baseFeePerGas,
      feeRecipient: (overrides['feeRecipient'] ?? `0x${'00'.repeat(20)}`) as string,
      prevRandao: (overrides['prevRandao'] ?? `0x${'00'.repeat(32)}`) as string,
      stateOverrides: block.stateOverrides,
      calls: block.calls,
      gas: gasOf(block.calls, { gasLimit, budget, maxGas }, outcome),
    });
    budget -= outcome?.gasUsed ?? 0n;
    parent = { gasLimit, gasUsed: outcome?.gasUsed ?? 0n, baseFee: baseFeePerGas };
  }
  return planned;
}

/** The blocks with consecutive numbers: gaps are filled with empty blocks. */
function withoutGaps(blocks: readonly BlockStateCalls[], start: bigint): BlockStateCalls[] {
  const line: BlockStateCalls[] = [];
  const head = (): bigint => start + BigInt(line.length);
  for (const block of blocks) {
    const number = optional('number', block.overrides['number']) ?? head() + 1n;
    if (number <= head()) {
      throw new RpcError(
        RPC_CODES.blockNumberNotAscending,
        `block numbers must be in order: ${number} <= ${head()}`,
      );
    }
    if (number - start > BigInt(LIMITS.simulatedBlocks)) throw tooManyBlocks();
    while (head() + 1n < number) line.push({ overrides: {}, stateOverrides: {}, calls: [] });
    line.push(block);
  }
  return line;
}

interface Parent {
  gasLimit: bigint;
  gasUsed: bigint;
  baseFee: bigint | undefined;
  /** On the OP Stack, gas of the data footprint. */
  blobGasUsed?: bigint | undefined;
}

const parentOf = ({ gasLimit, gasUsed, baseFeePerGas, blobGasUsed }: Fields): Parent => ({
  gasLimit: quantityOf('gasLimit', gasLimit),
  gasUsed: quantityOf('gasUsed', gasUsed),
  baseFee: optional('baseFeePerGas', baseFeePerGas),
  blobGasUsed: optional('blobGasUsed', blobGasUsed),
});

function feeAfter(parent: Parent, rule: BaseFeeRule | undefined): bigint {
  if (rule === undefined) return ethereumFeeAfter(parent);
  const { gasLimit, gasUsed, baseFee = 0n, blobGasUsed = 0n } = parent;
  const quantities = [gasLimit, gasUsed, baseFee, blobGasUsed].map(toQuantity);
  const [limit, used, baseFeePerGas, footprint] = quantities as [Hex, Hex, Hex, Hex];
  const header = { gasLimit: limit, gasUsed: used, baseFeePerGas, blobGasUsed: footprint };
  return nextBaseFee(rule, header);
}

function ethereumFeeAfter({ gasLimit, gasUsed, baseFee = 0n }: Parent): bigint {
  const target = gasLimit / ELASTICITY;
  if (gasUsed === target || target === 0n) return baseFee;
  const change = (distance: bigint): bigint => (baseFee * distance) / target / MAX_CHANGE;
  if (gasUsed < target) return baseFee - change(target - gasUsed);
  const raised = change(gasUsed - target);
  return baseFee + (raised > 1n ? raised : 1n);
}

/** Gas of each call. A call without a gas limit gets the remaining gas of the block or of all such calls, whichever is less. */
function gasOf(
  calls: readonly Fields[],
  { gasLimit, budget, maxGas }: { gasLimit: bigint; budget: bigint; maxGas: number | undefined },
  outcome: BlockOutcome | undefined,
): bigint[] {
  const most = maxGas === undefined ? gasLimit : BigInt(maxGas);
  let used = 0n;
  return calls.map((call, index) => {
    const limit = gasLimit < budget ? gasLimit : budget;
    const rest = limit > used ? limit - used : 0n;
    used += outcome?.gasUsedByCall[index] ?? MIN_GAS;
    return optional('gas', call['gas']) ?? (rest < most ? rest : most);
  });
}

/** @throws RpcError -32602 */
export const optional = (name: string, value: unknown): bigint | undefined =>
  isMissing(value) ? undefined : quantityOf(name, value);

/** The block's context as the engine's overrides. @param parentHash hash of a simulated parent, which the engine lacks */
export function engineOverrides(block: PlannedBlock, parentHash: string | undefined): Fields {
  const { number, time, gasLimit, feeRecipient, prevRandao, baseFeePerGas } = block;
  return {
    number: toQuantity(number),
    time: toQuantity(time),
    gasLimit: toQuantity(gasLimit),
    coinbase: feeRecipient,
    random: `0x${BigInt(prevRandao).toString(16).padStart(64, '0')}`,
    ...(baseFeePerGas === undefined ? {} : { baseFee: toQuantity(baseFeePerGas) }),
    ...(parentHash === undefined ? {} : { blockHash: { [String(number - 1n)]: parentHash } }),
  };
}

import { isGuess } from '../../api/decoding';
import type { GasProfile } from '../../api/views';
import { executionSteps, isCreation, isLog, type CallFrame } from '../call-frame';
import type { SpentGas } from '../ports';
import { gasParts, type GasFacts } from './parts';
import type { TraceDecoder } from '../decoding/trace-decoder';

type Profile = GasProfile['gasProfile'];
type Frame = Profile['frames'][number];
type ContractSums = Profile['contracts'][number];
type MethodSums = ContractSums['methods'][number];
interface Sums {
  calls: number;
  selfGas: number | null;
  totalGas: number | null;
}

const UNKNOWN = null;

/**
 * Self gas and total gas by frame, and their sums by contract and method.
 * @param spent gas of the top call, if known
 */
export function gasProfile(
  root: CallFrame,
  facts: GasFacts,
  spent: SpentGas | undefined,
  decoder: TraceDecoder,
): Profile {
  const frames: Frame[] = [];
  const names = new MethodNames(decoder);
  const sums = new ContractTable();
  const open: Frame[] = []; // by depth
  const parts = gasParts(facts, spent);
  let id = -1;
  for (const { frame, log, depth, reverted } of executionSteps(root)) {
    id++;
    if (log || frame.type === 'SELFDESTRUCT') continue; // its gas is part of the frame's
    const gasUsed = depth === 0 ? parts.executionGas : frame.gasUsed;
    const entry: Frame = {
      id,
      depth,
      operation: frame.type,
      address: frame.to ?? '',
      ...names.of(frame),
      gasUsed,
      selfGas: selfGas(frame, gasUsed),
      revert: reverted,
    };
    frames.push(entry);
    open.length = depth;
    sums.add(entry, open);
    open.push(entry);
  }
  return {
    gasLimit: facts.gasLimit,
    gasUsed: facts.gasUsed,
    ...parts,
    calldataFloorGas: parts.intrinsicGas === null ? null : (facts.intrinsic?.floor ?? null),
    frames,
    contracts: sums.sorted(),
  };
}

/** Null if the nested calls report more gas than the frame: then the node counts differently. */
function selfGas(frame: CallFrame, gasUsed: number | null): number | null {
  if (gasUsed === null) return UNKNOWN;
  let own = gasUsed;
  for (const item of frame.items) if (!isLog(item)) own -= item.gasUsed;
  return own < 0 ? UNKNOWN : own;
}

type Method = Pick<Frame, 'selector' | 'method' | 'isGuessed'>;

/** Decodes one call of each method. */
class MethodNames {
  readonly #known = new Map<string, Method>();

  constructor(private readonly decoder: TraceDecoder) {}

  of(frame: CallFrame): Method {
    if (isCreation(frame)) return { selector: '', method: 'constructor' };
    const selector = this.decoder.calledSelector(frame);
    if (selector === undefined) return { selector: 'fallback', method: '' };
    const key = `${frame.to ?? ''} ${selector}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const { name = '', source } = this.decoder.decodeCall(frame) ?? {};
    const method = {
      selector,
      method: name,
      ...(isGuess(source) ? { isGuessed: true as const } : {}),
    };
    this.#known.set(key, method);
    return method;
  }
}

class ContractTable {
  readonly #contracts = new Map<string, Omit<ContractSums, 'methods'>>();
  readonly #methods = new Map<string, Map<string, MethodSums>>();

  /** @param above the callers of the frame, from the top call down */
  add(frame: Frame, above: readonly Frame[]): void {
    const { address, selector, method, isGuessed } = frame;
    const inContract = above.filter((one) => one.address === address);
    let contract = this.#contracts.get(address);
    let methods = this.#methods.get(address);
    if (!contract || !methods) {
      this.#contracts.set(address, (contract = { address, ...NOTHING }));
      this.#methods.set(address, (methods = new Map<string, MethodSums>()));
    }
    count(contract, frame, inContract.length > 0);
    const guessed = isGuessed ? { isGuessed } : {};
    let sums = methods.get(selector);
    if (!sums) methods.set(selector, (sums = { selector, method, ...guessed, ...NOTHING }));
    count(
      sums,
      frame,
      inContract.some((one) => one.selector === selector),
    );
  }

  sorted(): ContractSums[] {
    return [...this.#contracts.values()].sort(bySelfGas).map((contract) => ({
      ...contract,
      methods: [...(this.#methods.get(contract.address)?.values() ?? [])].sort(bySelfGas),
    }));
  }
}

const NOTHING: Sums = { calls: 0, selfGas: 0, totalGas: 0 };

function count(sums: Sums, { selfGas: self, gasUsed }: Frame, nested: boolean): void {
  sums.calls++;
  sums.selfGas = plus(sums.selfGas, self);
  if (!nested) sums.totalGas = plus(sums.totalGas, gasUsed);
}

const plus = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? UNKNOWN : a + b;

/** Highest first; unknown sums before all others. */
const bySelfGas = (a: Sums, b: Sums): number =>
  (b.selfGas ?? Infinity) - (a.selfGas ?? Infinity) || 0;

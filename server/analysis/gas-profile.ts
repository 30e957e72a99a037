import type { GasProfile } from '../api/views';
import { executionSteps, isCreation, isLog, type CallFrame } from './call-frame';
import type { IntrinsicGas } from './intrinsic-gas';
import type { TraceDecoder } from './trace-decoder';

type Profile = GasProfile['gasProfile'];
type Frame = Profile['frames'][number];
type ContractSums = Profile['contracts'][number];
type MethodSums = ContractSums['methods'][number];
interface Sums {
  calls: number;
  selfGas: number;
  totalGas: number;
}

export interface GasFacts {
  readonly gasLimit: number;
  /** Undefined where the rules of the block are unknown. */
  readonly intrinsic: IntrinsicGas | undefined;
  /** An EIP-7702 authorization of an account that exists gives gas back whatever happens later. */
  readonly hasAuthorizations: boolean;
}

/** Self and total gas by frame, and summed up by contract and method. */
export function gasProfile(root: CallFrame, facts: GasFacts, decoder: TraceDecoder): Profile {
  const { gasLimit, intrinsic, hasAuthorizations } = facts;
  const frames: Frame[] = [];
  const names = new MethodNames(decoder);
  const sums = new ContractTable();
  const open: Frame[] = []; // by depth
  let id = -1;
  for (const { frame, log, depth, reverted } of executionSteps(root)) {
    id++;
    if (log || frame.type === 'SELFDESTRUCT') continue; // gas of the frame that does it
    const entry: Frame = {
      id,
      depth,
      operation: frame.type,
      address: frame.to ?? '',
      ...names.of(frame),
      gasUsed: frame.gasUsed,
      selfGas: selfGas(frame) - (depth === 0 ? (intrinsic?.intrinsic ?? 0) : 0),
      revert: reverted,
    };
    frames.push(entry);
    open.length = depth;
    sums.add(entry, open);
    open.push(entry);
  }
  const { gasUsed } = root;
  const floored = intrinsic?.floor !== undefined && gasUsed <= intrinsic.floor;
  return {
    gasLimit,
    gasUsed,
    intrinsicGas: intrinsic?.intrinsic ?? null,
    calldataFloorGas: intrinsic?.floor ?? null,
    // Where the floor was paid, it hides what the execution took.
    executionGas: intrinsic && !floored ? gasUsed - intrinsic.intrinsic : null,
    refund: root.error !== undefined && !hasAuthorizations ? 0 : null,
    frames,
    contracts: sums.sorted(),
  };
}

function selfGas(frame: CallFrame): number {
  let below = 0;
  for (const item of frame.items) if (!isLog(item)) below += item.gasUsed;
  return frame.gasUsed - below;
}

type Method = Pick<Frame, 'selector' | 'method'>;

/** Decodes one call of each method. */
class MethodNames {
  private readonly known = new Map<string, string>();

  constructor(private readonly decoder: TraceDecoder) {}

  of(frame: CallFrame): Method {
    if (isCreation(frame)) return { selector: '', method: 'constructor' };
    const selector = this.decoder.calledSelector(frame);
    if (selector === undefined) return { selector: 'fallback', method: '' };
    const key = `${frame.to ?? ''} ${selector}`;
    const known = this.known.get(key);
    if (known !== undefined) return { selector, method: known };
    const method = this.decoder.decodeCall(frame)?.name ?? '';
    this.known.set(key, method);
    return { selector, method };
  }
}

class ContractTable {
  private readonly contracts = new Map<string, Omit<ContractSums, 'methods'>>();
  private readonly methods = new Map<string, Map<string, MethodSums>>();

  /** @param above the frames that the frame was called from */
  add(frame: Frame, above: readonly Frame[]): void {
    const { address, selector, method } = frame;
    const inContract = above.filter((one) => one.address === address);
    let contract = this.contracts.get(address);
    let methods = this.methods.get(address);
    if (!contract || !methods) {
      this.contracts.set(address, (contract = { address, ...NOTHING }));
      this.methods.set(address, (methods = new Map<string, MethodSums>()));
    }
    count(contract, frame, inContract.length > 0);
    let sums = methods.get(selector);
    if (!sums) methods.set(selector, (sums = { selector, method, ...NOTHING }));
    count(
      sums,
      frame,
      inContract.some((one) => one.selector === selector),
    );
  }

  sorted(): ContractSums[] {
    return [...this.contracts.values()].sort(bySelfGas).map((contract) => ({
      ...contract,
      methods: [...(this.methods.get(contract.address)?.values() ?? [])].sort(bySelfGas),
    }));
  }
}

const NOTHING: Sums = { calls: 0, selfGas: 0, totalGas: 0 };

function count(sums: Sums, { selfGas: self, gasUsed }: Frame, nested: boolean): void {
  sums.calls++;
  sums.selfGas += self;
  if (!nested) sums.totalGas += gasUsed;
}

const bySelfGas = (a: Sums, b: Sums): number => b.selfGas - a.selfGas;

import type { CompilerInput } from '../compilation';

/** Settings of a build in which the debugger finds variables. */
export interface BuildSettings {
  /** A clause, such as `without the optimizer`. */
  readonly text: string;
  readonly optimizer: boolean;
  readonly viaIR: boolean;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Every part of the optimizer off but one, which moves variables of inline assembly and of the compiler's own code out of each other's way. */
const STACK_ALLOCATION = {
  enabled: false,
  details: {
    peephole: false,
    inliner: false,
    jumpdestRemover: false,
    orderLiterals: false,
    deduplicate: false,
    cse: false,
    constantOptimizer: false,
    yul: true,
    yulDetails: { stackAllocation: true, optimizerSteps: '' },
  },
};

/**
 * The settings to try, the least optimization first: a compiler that cannot reach its variables ("stack too deep") needs more. All else is
 * as it was.
 */
export function buildSettings({ settings }: CompilerInput): readonly BuildSettings[] {
  const others = { ...settings };
  delete others['optimizer'];
  delete others['viaIR'];
  const off = { enabled: false };
  return [
    {
      text: 'without the optimizer',
      optimizer: false,
      viaIR: false,
      settings: { ...others, optimizer: off },
    },
    {
      text: 'with no part of the optimizer but the stack allocation of Yul',
      optimizer: false,
      viaIR: false,
      settings: { ...others, optimizer: STACK_ALLOCATION },
    },
    {
      text: 'via IR without the optimizer',
      optimizer: false,
      viaIR: true,
      settings: { ...others, viaIR: true, optimizer: off },
    },
    {
      text: 'via IR with no part of the optimizer but the stack allocation of Yul',
      optimizer: false,
      viaIR: true,
      settings: { ...others, viaIR: true, optimizer: STACK_ALLOCATION },
    },
  ];
}

/** Whether less optimization does not compile, and more may. */
export const isStackTooDeep = (reason: string): boolean =>
  /stack[\s-]too[\s-]deep|too deep inside the stack|StackTooDeep/i.test(reason);

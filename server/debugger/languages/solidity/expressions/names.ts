import type { GasBudget } from '../../../../evm/interpreter/call-outside-recording';
import type { State } from '../values/state';
import type { SolidityType, UserDefinedType } from '../values/types';
import type { Value } from '../values/value';
import type { EncodableFunction } from './encode-call';
import type { Operand } from './operands';

/** What names mean at a step. */
export interface Names {
  readonly state: State;
  resolve(name: string): Operand | undefined;
  /** What a name after a dot leads to before all other members. Left out: nothing of its own. */
  member?(operand: Operand, name: string): Operand | undefined;
  /** Names to suggest. */
  known(): readonly string[];
  /** Whether explicit conversions cut literals, so that `uint8(300)` is 44 (before Solidity 0.8). */
  readonly cutsLiterals: boolean;
  /** The function that a user-defined value type has for an operator; undefined where it has none. @param count of the operands */
  operator(type: UserDefinedType, operator: string, count: number): CallableFunction | undefined;
  /** Whether a contract has another one as its base. */
  readonly derives: (contract: string, base: string) => boolean;
  /**
   * Functions of a name that can be executed on the state.
   * @param target contract that is called; undefined: the one that runs
   * @throws ExpressionError for functions that cannot be called
   */
  functions(name: string, target: Value | undefined, at: number): readonly CallableFunction[];
  /** Functions of a library or contract by its name, and those that `using … for` gives to values, which are their first arguments. */
  functionsOf(library: string, name: string): readonly CallableFunction[];
  attached(name: string): readonly CallableFunction[];
  /** `f.selector` of a function, an error or an event. @param contract that declares it; undefined: the one that runs */
  selector(contract: string | undefined, name: string): Value | undefined;
  /** Functions of a name that others can call. @param contract that has it; undefined: the one that runs */
  encodable(contract: string | undefined, name: string): readonly EncodableFunction[];
  /** `type(I).interfaceId` (EIP-165). */
  interfaceId(contract: string): Value | undefined;
}

/** How the body of a function is evaluated. */
export interface Mode {
  /** Whether arithmetic wraps, as in `unchecked` and before Solidity 0.8. */
  readonly wraps: boolean;
  /** For all calls of the expression that calls the function. */
  readonly budget: GasBudget;
}

export interface CallableFunction {
  readonly parameters: readonly SolidityType[];
  /** Of the parameters; empty for those without one. */
  readonly parameterNames: readonly string[];
  /**
   * @param values of the parameters' types
   * @param budget for all calls of the expression
   * @throws Unavailable where it reverts, or its state is not known
   */
  readonly run: (values: readonly Value[], budget: GasBudget) => Value;
}

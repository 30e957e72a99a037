import { FunctionFragment, ParamType } from 'ethers';
import type { NestedCall, Param } from '../../api/decoding';
import type { Address, Hex } from '../../api/primitives';
import { toDecimal } from '../../evm/forms/quantity';
import { accountExecutions, EXECUTIONS } from './account-executions';
import { addresseeOf, addresseesOf, type NestedCallTarget } from './addressees';
import { hasAttribution } from './attribution';
import { fits, leadingFits, type Candidate, type Fit } from './signature-candidates';
import type { AbiValues } from '../abi-values/abi-reader';
import { decodeExactly, signatureOf, toParams } from '../abi-values/codec';
import { argumentsOf, SELECTOR_LENGTH, selectorOf } from './call';
import { packedTransactions } from './multi-send';
import { poolAction, routerCommand, type PlanStep } from './router-commands';

/** Candidates for a call of a function at a given address. */
export type CandidatesFor = (
  selector: Hex,
  to: Address | null,
) => readonly Candidate<FunctionFragment>[];

/** Maximum nesting of calls inside the arguments of calls. */
const MAX_DEPTH = 4;
/** Maximum number of nested calls per trace; guards against data that is crafted to be expensive. */
const MAX_CALLS = 5_000;

const MULTI_SEND = 'multiSend(bytes)';
const PROPOSE_BY_SIGNATURE = 'propose(address[],uint256[],string[],bytes[],string)';
const ROUTES = new Set([
  'execute(bytes,bytes[],uint256)',
  'execute(bytes,bytes[])',
  'EXECUTE_SUB_PLAN(bytes,bytes[])',
]);
const ACTIONS = 'V4_SWAP(bytes,bytes[])';
/** Uniswap V4's position manager: actions and their parameters, encoded as one argument. */
const LIQUIDITY = new Set(['modifyLiquidities(bytes,uint256)']);
const ACTION_TYPES = [ParamType.from('bytes'), ParamType.from('bytes[]')];

/** Finds calls in the arguments of one trace's calls, and decodes them. */
export class NestedCalls {
  #left = MAX_CALLS;

  constructor(private readonly candidatesFor: CandidatesFor) {}

  /** Parameters as text, with the calls that they contain. @param callee address of the outer call */
  params(
    fragment: FunctionFragment,
    values: AbiValues,
    callee: Address | null,
    depth = 0,
  ): Param[] {
    const params = toParams(fragment.inputs, values);
    if (depth === MAX_DEPTH || !mayContainCalls(fragment)) return params;
    for (const [index, calls] of this.#callsOf(fragment, values, callee, depth)) {
      const param = params[index];
      if (param && calls.length > 0) param.nested = calls;
    }
    return params;
  }

  /** By the index of the parameter that contains them. */
  #callsOf(
    fragment: FunctionFragment,
    values: AbiValues,
    callee: Address | null,
    depth: number,
  ): ReadonlyMap<number, NestedCall[]> {
    const signature = signatureOf(fragment);
    if (signature === MULTI_SEND) {
      const calls = packedTransactions(values[0] as Hex).map((one, index) => {
        const { to, value, isDelegated } = one;
        return this.#listed(
          { path: `[${index}]`, to, value, isDelegated },
          one.data,
          callee,
          depth,
        );
      });
      return new Map([[0, calls]]);
    }
    if (EXECUTIONS.has(signature)) {
      const executions = accountExecutions(values[0] as Hex, values[1] as Hex, callee) ?? [];
      const calls = executions.map((one) => this.#listed(one, one.data, callee, depth));
      return new Map([[1, calls]]);
    }
    if (ROUTES.has(signature)) {
      return new Map([[1, this.#plan(values, callee, depth, routerCommand)]]);
    }
    if (signature === ACTIONS) return new Map([[1, this.#plan(values, callee, depth, poolAction)]]);
    if (LIQUIDITY.has(signature)) {
      const plan = decodeExactly(ACTION_TYPES, values[0] as Hex);
      return new Map([[0, plan ? this.#plan(plan, callee, depth, poolAction) : []]]);
    }
    if (signature === PROPOSE_BY_SIGNATURE) {
      return new Map([[3, this.#proposal(values, callee, depth)]]);
    }
    const found = new Map<number, NestedCall[]>();
    for (const [index] of fragment.inputs.entries()) {
      found.set(index, [
        ...this.#inComponent(fragment.inputs, values, index, '', (target, data) =>
          this.#guessed(target, data, callee, depth),
        ),
      ]);
    }
    return found;
  }

  /** Calls in one component of a tuple, or in one argument of a list. */
  *#inComponent(
    types: readonly ParamType[],
    values: AbiValues,
    index: number,
    path: string,
    read: (target: NestedCallTarget, data: Hex) => NestedCall | undefined,
  ): Generator<NestedCall, void, undefined> {
    const type = types[index];
    const value: unknown = values[index];
    if (!type) return;
    if (type.type === 'bytes') {
      const call = read({ path, ...addresseeOf(types, values, index) }, value as Hex);
      if (call) yield call;
    } else if (type.type === 'bytes[]') {
      const of = addresseesOf(types, values, index);
      for (const [item, data] of (value as Hex[]).entries()) {
        const call = read(
          { path: `${path}[${item}]`, to: of.to[item], value: of.value[item] },
          data,
        );
        if (call) yield call;
      }
    } else if (type.isTuple()) {
      yield* this.#inTuple(type.components, value as AbiValues, path, read);
    } else if (type.isArray() && type.arrayChildren.isTuple()) {
      for (const [item, tuple] of (value as readonly AbiValues[]).entries()) {
        yield* this.#inTuple(type.arrayChildren.components, tuple, `${path}[${item}]`, read);
      }
    }
  }

  *#inTuple(
    types: readonly ParamType[],
    values: AbiValues,
    path: string,
    read: (target: NestedCallTarget, data: Hex) => NestedCall | undefined,
  ): Generator<NestedCall, void, undefined> {
    for (const [index, { name }] of types.entries()) {
      const part = name ? `.${name}` : `[${index}]`;
      // A user operation's `initCode` is a factory's address and the call to it (ERC-4337).
      const factory = name === 'initCode' && types[index]?.type === 'bytes';
      yield* this.#inComponent(types, values, index, path + part, (target, data) =>
        factory
          ? read({ path: target.path, to: data.slice(0, 42) as Address }, `0x${data.slice(42)}`)
          : read(target, data),
      );
    }
  }

  /** Reads bytes as a call if they decode as one. */
  #guessed(
    target: NestedCallTarget,
    data: Hex,
    callee: Address | null,
    depth: number,
  ): NestedCall | undefined {
    // Encoded arguments are whole words. Signatures, paths and hashes are not four bytes longer than whole words.
    const isWhole = (data.length - SELECTOR_LENGTH) % 64 === 0;
    const isLonger = hasAttribution(data);
    return isWhole || isLonger ? this.#called(target, data, callee, depth, isLonger) : undefined;
  }

  /** Reads bytes as a call. @param mayBeLonger whether other bytes may follow its arguments */
  #called(
    target: NestedCallTarget,
    data: Hex,
    callee: Address | null,
    depth: number,
    mayBeLonger: boolean,
  ): NestedCall | undefined {
    const selector = selectorOf(data);
    if (selector === undefined || this.#left <= 0) return undefined;
    this.#left--;
    const to = target.to ?? callee;
    const candidates = this.candidatesFor(selector, to);
    const [fit] = fits(candidates, argumentsOf(data));
    if (fit) return this.#toCall(target, fit, to, depth);
    if (!mayBeLonger) return undefined;
    const [longer] = leadingFits(candidates, data, SELECTOR_LENGTH);
    return longer && { ...this.#toCall(target, longer, to, depth), trailing: longer.trailing };
  }

  /** Lists a known call even if it cannot be decoded. */
  #listed(target: NestedCallTarget, data: Hex, callee: Address | null, depth: number): NestedCall {
    return this.#called(target, data, callee, depth, true) ?? unknownCall(target);
  }

  #toCall(
    target: NestedCallTarget,
    fit: Fit<FunctionFragment>,
    to: Address | null,
    depth: number,
  ): NestedCall {
    return {
      ...unknownCall(target),
      name: fit.fragment.name,
      signature: signatureOf(fit.fragment),
      callParams: this.params(fit.fragment, fit.values, to, depth + 1),
      source: fit.source,
    };
  }

  /** Uniswap's plans: one byte for each command or action, and the inputs of each. */
  #plan(
    values: AbiValues,
    callee: Address | null,
    depth: number,
    stepOf: (byte: number) => PlanStep | undefined,
  ): NestedCall[] {
    const commands = Buffer.from((values[0] as Hex).slice(2), 'hex');
    const inputs = values[1] as Hex[];
    if (commands.length !== inputs.length || inputs.length > this.#left) return [];
    this.#left -= inputs.length;
    return inputs.map((input, index) => {
      const target = { path: `[${index}]` };
      const step = stepOf(commands[index] ?? 0);
      if (!step) return unknownCall(target);
      const candidates = step.fragments.map((fragment) => ({
        fragment,
        source: 'built-in' as const,
      }));
      const [fit] = fits(candidates, input);
      if (fit) return this.#toCall(target, fit, callee, depth);
      const isCall = step.fragments.length === 0;
      const call = isCall ? this.#guessed(target, input, null, depth) : undefined;
      return call ?? { ...unknownCall(target), name: step.name };
    });
  }

  /** Compound's governors: signatures as text, and arguments without selectors. */
  #proposal(values: AbiValues, callee: Address | null, depth: number): NestedCall[] {
    const [targets, amounts, signatures, calldatas] = values as unknown as [
      Address[],
      bigint[],
      string[],
      Hex[],
    ];
    return calldatas.slice(0, this.#left).map((data, index) => {
      const to = targets[index];
      const target = { path: `[${index}]`, to, value: amounts[index] };
      const text = signatures[index] ?? '';
      if (text === '') return this.#listed(target, data, callee, depth);
      this.#left--;
      const fragment = readSignature(text);
      if (!fragment) return unknownCall(target);
      const named = this.candidatesFor(fragment.selector as Hex, to ?? null);
      const [fit] = fits([...named, { fragment, source: 'built-in' as const }], data);
      return fit ? this.#toCall(target, fit, to ?? null, depth) : unknownCall(target);
    });
  }
}

const containsCache = new WeakMap<FunctionFragment, boolean>();

/** Whether the arguments contain bytes: most functions have none. */
function mayContainCalls(fragment: FunctionFragment): boolean {
  const known = containsCache.get(fragment);
  if (known !== undefined) return known;
  const contains = /\bbytes\b/.test(signatureOf(fragment));
  containsCache.set(fragment, contains);
  return contains;
}

const unknownCall = ({
  path,
  to,
  value,
  isDelegated = false,
  mayFail,
}: NestedCallTarget): NestedCall => ({
  path: path.replace(/^\./, ''),
  to: to ?? '',
  value: value === undefined ? '' : toDecimal(value),
  name: '',
  signature: '',
  callParams: [],
  ...(isDelegated && { operation: 'DELEGATECALL' }),
  ...(mayFail && { mayFail }),
});

function readSignature(text: string): FunctionFragment | undefined {
  try {
    return text.length > 1_000 ? undefined : FunctionFragment.from(`function ${text}`);
  } catch {
    return undefined;
  }
}

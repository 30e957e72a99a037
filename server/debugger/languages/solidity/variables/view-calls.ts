import {
  callOutsideRecording,
  type GasBudget,
  type OtherState,
} from '../../../../evm/interpreter/call-outside-recording';
import { delegateOf } from '../../../../evm/interpreter/delegation';
import type { FrameEnd } from '../../../../evm/interpreter/execution';
import { isCreationKind } from '../../../../evm/interpreter/frame';
import { ExpressionError } from '../../port/expression-error';
import type { CallableFunction } from '../expressions/names';
import type { State } from '../values/state';
import type { SolidityType } from '../values/types';
import { Unavailable } from '../../port/unavailable';
import type { Value } from '../values/value';
import { listOf, nameOf, parametersOf, textField, type AstNode } from './ast';
import type { ProgramTree } from './program-tree';
import { decodeResults, encodeCall, type NamedType } from './abi-call';
import { revertText } from './revert-text';
import { getterOf, selectorOf } from './selectors';

interface Signature extends Pick<CallableFunction, 'parameterNames'> {
  readonly parameters: SolidityType[];
  readonly results: NamedType[];
}

/** Functions that an expression may call: external and public ones that do not change the state, and getters. */
export class ViewCalls {
  constructor(
    private readonly state: State,
    private readonly tree: ProgramTree | undefined,
  ) {}

  /**
   * @param target contract that is called; undefined: the one that runs, with the same sender
   * @throws ExpressionError for functions that cannot be called; Unavailable
   */
  named(name: string, target: Value | undefined, at: number): CallableFunction[] {
    const { tree } = this;
    if (!tree?.types) return [];
    const contract = target ? this.#definition(target) : tree.contract;
    const found = tree
      .basesOf(contract)
      .flatMap((base) => listOf(base, 'nodes'))
      .filter((node) => nameOf(node) === name && isCallable(node));
    const first = found.find((node) => !isInternal(node)) ?? found[0];
    if (first && isInternal(first)) {
      throw new ExpressionError(
        `${name} is internal and may change the state, or has a type that is not known; accepted are view and pure functions`,
        at,
      );
    }
    const bySelector = new Map<string, CallableFunction>();
    for (const node of found) {
      const one = this.#callable(node, target);
      if (one && !bySelector.has(one.selector)) bySelector.set(one.selector, one);
    }
    if (found.length > 0 && bySelector.size === 0) {
      throw new ExpressionError(
        `${name} may change the state, or has a type that is not known; accepted are view and pure functions`,
        at,
      );
    }
    return [...bySelector.values()];
  }

  #definition({ type }: Value): AstNode | undefined {
    if (type.kind !== 'contract') return undefined;
    const found = this.tree?.ast?.ofType('ContractDefinition') ?? [];
    const named = found.filter((node) => nameOf(node) === type.name);
    return named.length === 1 ? named[0] : undefined;
  }

  #callable(
    node: AstNode,
    target: Value | undefined,
  ): (CallableFunction & { selector: string }) | undefined {
    const selector = selectorOf(node, this.tree?.types);
    const signature = this.#signature(node);
    if (selector === undefined || !signature) return undefined;
    const { parameters, parameterNames, results } = signature;
    return {
      selector,
      parameters,
      parameterNames,
      run: (values, budget) => {
        if (results.length === 0) throw new Unavailable('it returns nothing');
        const input = encodeCall(this.state, selector, parameters, values);
        const end = this.#execute(input, target, budget);
        if (end.kind !== 'returned') throw new Unavailable(failure(end, this.tree));
        return decodeResults(this.state, results, end.output);
      },
    };
  }

  /** undefined where it may change the state, or a type is not known */
  #signature(node: AstNode): Signature | undefined {
    const types = this.tree?.types;
    if (node.nodeType === 'VariableDeclaration') {
      const { parameters, type } = getterOf(types?.of(node));
      const parameterNames = parameters.map(() => '');
      return type && { parameters, parameterNames, results: getterResults(type) };
    }
    const mutability = textField(node, 'stateMutability');
    if (mutability !== 'view' && mutability !== 'pure') return undefined;
    const parameters: SolidityType[] = [];
    for (const one of parametersOf(node)) {
      const type = types?.of(one);
      if (!type) return undefined;
      parameters.push(type);
    }
    const results: NamedType[] = [];
    for (const one of parametersOf(node, 'returnParameters')) {
      const type = types?.of(one);
      if (!type) return undefined;
      results.push({ name: nameOf(one), type });
    }
    return { parameters, parameterNames: parametersOf(node).map(nameOf), results };
  }

  #execute(input: Uint8Array, target: Value | undefined, budget: GasBudget): FrameEnd {
    const { machine, frame } = this.state;
    const { context } = frame;
    if (!target) {
      if (isCreationKind(context.kind)) {
        throw new Unavailable('functions cannot be called while the contract is being created');
      }
      const { address, caller, code } = context;
      this.state.notePending(address);
      return callOutsideRecording(machine, { address, caller, code, input }, this.#other(), budget);
    }
    if (target.kind !== 'word') throw new Unavailable('the called contract is not known');
    const address = `0x${target.word.toString(16).padStart(40, '0')}`;
    const { code: own } = this.state.account(address);
    const delegate = delegateOf(own);
    const code = delegate === undefined ? own : this.state.account(delegate).code;
    if (code.length === 0) throw new Unavailable(`the account ${address} has no code`);
    const call = { address, caller: context.address, code, input };
    this.state.notePending(address);
    return callOutsideRecording(machine, call, this.#other(), budget);
  }

  #other(): OtherState {
    return {
      storage: (address, slot) => this.state.storage(address, slot),
      account: (address) => this.state.account(address),
      precompile: (address) => {
        throw new Unavailable(
          `the call needs the precompiled contract ${address}, whose result was not recorded`,
        );
      },
      blockHash: (block) => {
        throw new Unavailable(`the call needs the hash of block ${block}, which was not recorded`);
      },
    };
  }
}

/** A getter of a struct returns its members but arrays and mappings (Solidity documentation, "Getter Functions"). */
function getterResults(type: SolidityType): NamedType[] {
  if (type.kind !== 'struct') return [{ name: '', type }];
  return type.members().filter((member) => !/^(array|mapping)$/.test(member.type.kind));
}

const isCallable = (node: AstNode): boolean =>
  node.nodeType === 'FunctionDefinition' ||
  (node.nodeType === 'VariableDeclaration' && textField(node, 'visibility') === 'public');

const isInternal = (node: AstNode): boolean =>
  node.nodeType === 'FunctionDefinition' &&
  /^(internal|private)$/.test(textField(node, 'visibility'));

const failure = (end: FrameEnd, tree: ProgramTree | undefined): string =>
  end.kind === 'reverted'
    ? `the call reverts: ${revertText(end.output, tree)}`
    : `the call fails: ${end.reason ?? 'halted'}`;

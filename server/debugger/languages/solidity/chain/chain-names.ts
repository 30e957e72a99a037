import type { FunctionFragment } from 'ethers';
import type { Address, Hex } from '../../../../api/primitives';
import { FactsNeeded, type ContractFacts, type NamedContracts } from '../../port/contract-facts';
import { ExpressionError } from '../../port/expression-error';
import type { ReadState } from '../../port/read-state';
import type { EncodableFunction } from '../expressions/encode-call';
import type { CallableFunction, Names } from '../expressions/names';
import { uint, word, type Operand } from '../expressions/operands';
import type { State } from '../values/state';
import { storageValue } from '../values/storage-values';
import { ADDRESS, UINT256, type SolidityType, type ValueType } from '../values/types';
import { Unavailable } from '../../port/unavailable';
import type { Value } from '../values/value';
import { decodeResults, encodeCall, type NamedType } from '../variables/abi-call';
import { ACCOUNT, solidityType } from './abi-solidity-type';
import { functionsNamed, placedVariables, type PlacedVariable } from './contract-parts';
import { asState } from './chain-state';

/** An address that an expression writes, as `writtenAddresses` names it. */
const WRITTEN = /^\$x[0-9a-f]{40}$/i;
const LITERAL = /\b0x([0-9a-fA-F]{40})\b/g;

/** Written addresses become names of contracts of the same length, so that `0x….balanceOf(…)` is a call. */
export const writtenAddresses = (text: string): string => text.replace(LITERAL, '$x$1');
/** The reverse, for messages. */
export const asWritten = (text: string): string => text.replace(/\$x([0-9a-fA-F]{40})\b/g, '0x$1');

/** What names mean in an expression over the state of a chain. */
export class ChainNames implements Names {
  readonly cutsLiterals = false;
  readonly derives = (): boolean => false;

  readonly state: State;

  constructor(
    private readonly chain: ReadState,
    private readonly given: NamedContracts,
    private readonly facts: ReadonlyMap<Address, ContractFacts>,
  ) {
    this.state = asState(chain);
  }

  resolve(name: string): Operand | undefined {
    if (WRITTEN.test(name)) return account(`0x${name.slice(2).toLowerCase()}`);
    const { self, named } = this.given;
    const address = name === 'this' ? self : named.get(name);
    if (address !== undefined) return account(address);
    return self === undefined ? undefined : this.#variable(self, name);
  }

  known(): readonly string[] {
    const { self, named } = this.given;
    const own = self === undefined ? [] : placedVariables(this.#factsOf(self));
    return [...named.keys(), ...own.map(({ name }) => name), 'slot', 'nonce'];
  }

  /** A state variable of a contract, such as `vault.owner`. */
  member(operand: Operand, name: string): Operand | undefined {
    if (operand.kind !== 'word' || operand.type.kind !== 'contract') return undefined;
    if (name === 'balance' || name === 'code' || name === 'codehash') return undefined;
    return this.#variable(addressOf(operand.word), name);
  }

  functions(name: string, target: Value | undefined, at: number): readonly CallableFunction[] {
    if (!target) {
      const built = this.#builtIn(name);
      if (built) return [built];
    }
    const { self } = this.given;
    const address = target?.kind === 'word' ? addressOf(target.word) : self;
    if (address === undefined) return [];
    const found = functionsNamed(this.#factsOf(address), name);
    const callable = found.flatMap((fragment) => this.#callable(address, fragment) ?? []);
    if (callable.length > 0) return callable;
    const problem =
      found.length > 0
        ? `${name} may change the state, or has a type that is not known; accepted are view and pure functions`
        : `no function ${name} of ${address} is known; accepted is its signature in the field functions, such as "function ${name}() view returns (uint256)"`;
    throw new ExpressionError(problem, at);
  }

  operator(): undefined {
    return undefined;
  }

  functionsOf(): readonly CallableFunction[] {
    return [];
  }

  attached(): readonly CallableFunction[] {
    return [];
  }

  encodable(): readonly EncodableFunction[] {
    return [];
  }

  selector(): undefined {
    return undefined;
  }

  interfaceId(): undefined {
    return undefined;
  }

  #factsOf(address: Address): ContractFacts {
    const facts = this.facts.get(address);
    if (!facts) throw new FactsNeeded(address);
    return facts;
  }

  #variable(address: Address, name: string): Value | undefined {
    const found = placedVariables(this.#factsOf(address)).find((one) => one.name === name);
    return found && this.#valueOf(address, found);
  }

  #valueOf(address: Address, { type, slot, offset }: PlacedVariable): Value {
    return storageValue(this.state, type, { in: 'storage', address, slot, offset });
  }

  /** `slot(account, number)` and `nonce(account)`. */
  #builtIn(name: string): CallableFunction | undefined {
    if (name === 'slot') {
      return {
        parameters: [ADDRESS, UINT256],
        parameterNames: ['account', 'slot'],
        run: ([of, slot]) => uint(this.state.storage(addressOf(wordOf(of)), wordOf(slot))),
      };
    }
    if (name !== 'nonce') return undefined;
    return {
      parameters: [ADDRESS],
      parameterNames: ['account'],
      run: ([of]) => uint(BigInt(this.state.account(addressOf(wordOf(of))).nonce)),
    };
  }

  #callable(address: Address, fragment: FunctionFragment): CallableFunction | undefined {
    const { inputs, outputs, name, selector } = fragment;
    if (!fragment.constant) return undefined;
    const parameters = typesOf(inputs.map(solidityType));
    const results = typesOf(outputs.map(solidityType));
    if (!parameters || !results) return undefined;
    const namedResults = results.map((type, index): NamedType => {
      return { name: outputs[index]?.name ?? '', type };
    });
    return {
      parameters: parameters.map((type) => (type === ACCOUNT ? ADDRESS : type)),
      parameterNames: inputs.map((input) => input.name),
      run: (values) => {
        if (results.length === 0) throw new Unavailable(`${name} returns nothing`);
        const input = encodeCall(this.state, selector.slice(2), parameters, values);
        const data: Hex = `0x${Buffer.from(input).toString('hex')}`;
        const output = this.chain.call(address, data);
        if (output === undefined) throw new Unavailable(`${name} of ${address} fails`);
        if (output === '0x') throw new Unavailable(`nothing at ${address} answers ${name}`);
        return decodeResults(this.state, namedResults, Buffer.from(output.slice(2), 'hex'));
      },
    };
  }
}

const account = (address: Address): Value => word(ACCOUNT as ValueType, BigInt(address));

const addressOf = (bits: bigint): Address => `0x${bits.toString(16).padStart(40, '0')}`;

function wordOf(value: Value | undefined): bigint {
  if (value?.kind === 'word') return value.word;
  throw new Unavailable('the argument is not known');
}

/** Undefined where one of them is not known. */
function typesOf(types: readonly (SolidityType | undefined)[]): SolidityType[] | undefined {
  const known = types.flatMap((type) => type ?? []);
  return known.length === types.length ? known : undefined;
}

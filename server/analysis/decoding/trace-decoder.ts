import type { ErrorFragment, EventFragment, Fragment, FunctionFragment } from 'ethers';
import type { DecodedLog, DecodedMethod, Param } from '../../api/decoding';
import type { Address, Hex } from '../../api/primitives';
import { isCreation, type CallFrame, type Log } from '../call-frame';
import type { Candidate } from './signature-candidates';
import type { ContractInterface } from '../contract-interface';
import type { AbiValues } from '../abi-values/abi-reader';
import { decodeExactly, toParams } from '../abi-values/codec';
import { argumentsOf, decodeCall, decodeCreation, selectorOf, type CallParams } from './call';
import { CONSOLE, decodeConsole } from './console';
import { decodeRevert } from './revert';
import { guessRevert } from './revert-guess';
import { decodeLog } from './log';
import { calledSelector, forwardedCall } from './fallback-rule';
import { NestedCalls } from './nested-calls';
import type { Contract, CreationCode, Identification } from '../ports';
import { isForwarder, trustsForwarders } from './forwarders';
import { decodePrecompile, PRECOMPILES } from './precompiles';
import type { CallFacts } from './trailing';

export interface DataCandidates {
  readonly calls: readonly Candidate<FunctionFragment>[];
  readonly errors: readonly Candidate<ErrorFragment>[];
  readonly events: readonly Candidate<EventFragment>[];
}

/** Decodes the frames and logs of one trace with the interfaces of its contracts, the most trustworthy first. */
export class TraceDecoder {
  readonly #functions = new CandidateMemory<FunctionFragment>((selector, addresses) =>
    distinct(this.#interfacesOf(addresses), (one) => one.functions(selector)),
  );
  readonly #events = new CandidateMemory<EventFragment>((topic, addresses) =>
    distinct(this.#interfacesOf(addresses), (one) => one.events(topic)),
  );
  readonly #errors = new CandidateMemory<ErrorFragment>((selector, addresses) =>
    distinct(this.#errorInterfacesOf(addresses), (one) => one.errors(selector)),
  );
  readonly #nested = new NestedCalls((selector, to) => this.#functions.of(selector, to, to));
  readonly #callParams: CallParams = (...call) => this.#nested.params(...call);

  constructor(private readonly known: Identification) {}

  /** Undefined if the call reaches `fallback` or `receive`. */
  calledSelector(frame: CallFrame): Hex | undefined {
    return calledSelector(frame, this.#contract(frame.to));
  }

  /** Whether a precompile executes the call, or tools read it as `console.log`: on some chains the address may contain code. */
  isBuiltIn(frame: CallFrame): boolean {
    if (frame.to === null || isCreation(frame)) return false;
    if (frame.to !== CONSOLE && !PRECOMPILES.has(frame.to)) return false;
    return this.#contract(frame.to)?.code === '0x';
  }

  /** Whether the called account is known to have no code. */
  hasNoCode(frame: CallFrame): boolean {
    return this.#contract(frame.to)?.code === '0x';
  }

  /** Null if no known fragment re-encodes to the same bytes, and for calls without a function. */
  decodeCall(frame: CallFrame): DecodedMethod | null {
    if (frame.type === 'SELFDESTRUCT') return null;
    if (isCreation(frame)) {
      const creation = this.known.creations.get(frame.input) ?? this.#verifiedCreation(frame);
      return creation ? decodeCreation(frame, creation) : null;
    }
    if (this.isBuiltIn(frame)) {
      return frame.to === CONSOLE ? decodeConsole(frame.input) : decodePrecompile(frame);
    }
    const selector = selectorOf(frame.input);
    if (selector === undefined) return null;
    const candidates = this.#functions.of(selector, frame.to, targetOf(frame));
    return decodeCall(frame, candidates, this.#callParams, () => this.#factsOf(frame));
  }

  /** What is known of a call whose arguments other bytes follow. */
  #factsOf({ type, from, to }: CallFrame): CallFacts {
    const caller = this.#contract(from);
    const callee = this.#contract(to);
    const code = this.#contract(callee?.implementation ?? null);
    const isForwarded = isForwarder(caller) && (trustsForwarders(callee) || trustsForwarders(code));
    return { isForwarded, cloneCode: type === 'DELEGATECALL' ? caller?.code : undefined };
  }

  /** Arguments of a function without a known signature, by the types inferred from the callee's code; undefined if they do not fit. */
  guessParams(frame: CallFrame): Param[] | undefined {
    const selector = selectorOf(frame.input);
    if (selector === undefined || isCreation(frame)) return undefined;
    const [fragment] = this.known.shapes?.functions(selector) ?? [];
    const values = fragment && decodeExactly(fragment.inputs, argumentsOf(frame.input));
    return values && toParams(fragment.inputs, values);
  }

  /** @param emitter the frame that executed the log instruction */
  decodeLog(log: Log, emitter: CallFrame): DecodedLog | null {
    const [topic] = log.topics;
    if (topic === undefined) return null;
    return decodeLog(log, this.#events.of(topic, emitter.to, log.address));
  }

  /** Why a frame failed, as text; empty if its revert data does not reveal it. */
  revertMessage(frame: CallFrame): string {
    const errorsOf = (selector: Hex): readonly ErrorFragment[] =>
      this.#errors.of(selector, frame.to, targetOf(frame)).map(({ fragment }) => fragment);
    return decodeRevert(frame.output, errorsOf) ?? frame.revertReason ?? '';
  }

  /** The same; of an error that nobody knows, its selector and what its words look like, marked as a guess. */
  failureText(frame: CallFrame): string {
    return this.revertMessage(frame) || (guessRevert(frame.output) ?? '');
  }

  /** Functions, errors and events that data outside a trace may belong to, most trustworthy first. @param to the contract, if known */
  candidatesFor(data: Hex, to: Address | null): DataCandidates {
    const selector = selectorOf(data);
    if (selector === undefined) return { calls: [], errors: [], events: [] };
    return {
      calls: this.#functions.of(selector, to, to),
      errors: this.#errors.of(selector, to, to),
      events: this.#events.of(data, to, to),
    };
  }

  /** The arguments of a call as text, with the calls that they contain. */
  paramsOf(fragment: FunctionFragment, values: AbiValues, to: Address | null): Param[] {
    return this.#nested.params(fragment, values, to);
  }

  /** Sources of verified contracts may supply the constructor's arguments, which end the creation code. */
  #verifiedCreation({ to, input }: CallFrame): CreationCode | undefined {
    const contract = this.#contract(to);
    const args = contract?.constructorArguments;
    if (!contract?.interface || args === undefined || !input.endsWith(args)) return undefined;
    return {
      name: contract.name ?? '',
      interface: contract.interface,
      argumentsOffset: (input.length - 2 - args.length) / 2,
    };
  }

  #contract(address: Address | null): Contract | undefined {
    return address === null ? undefined : this.known.contracts.get(address);
  }

  /** Interfaces of the addresses' own code, then of their implementations and facets, then signatures without an address. */
  *#interfacesOf(addresses: readonly CodeAddress[]): Generator<ContractInterface> {
    const contracts = addresses.map((codeAddress) => this.#contract(codeAddress));
    const targets = contracts.flatMap((one) =>
      [one?.implementation ?? [], one?.facets ?? []]
        .flat()
        .map((address) => this.#contract(address)),
    );
    for (const contract of [...contracts, ...targets]) {
      if (contract) yield* bySource(contract);
    }
    yield* this.known.signatures;
  }

  /** A frame often forwards the error of a deeply nested call, so all contracts of the trace count. */
  *#errorInterfacesOf(addresses: readonly CodeAddress[]): Generator<ContractInterface> {
    const own = addresses.flatMap((codeAddress) => this.#contract(codeAddress) ?? []);
    for (const contract of [...own, ...this.known.contracts.values()]) {
      yield* bySource(contract);
    }
    yield* this.known.signatures;
  }
}

/** The most trustworthy first: the ABI that a user gave for an address precedes a built-in one. */
function* bySource({ interface: known, given }: Contract): Generator<ContractInterface> {
  const isWellKnown = known?.source === 'built-in';
  if (known && !isWellKnown) yield known;
  if (given) yield given;
  if (known && isWellKnown) yield known;
}

/** Target of a proxy's forwarded call, whose code may contain the function as well. */
const targetOf = (frame: CallFrame): Address | null => (forwardedCall(frame) ?? frame).to;

function distinct<F extends Fragment>(
  interfaces: Iterable<ContractInterface>,
  find: (one: ContractInterface) => readonly F[],
): Candidate<F>[] {
  const byText = new Map<string, Candidate<F>>();
  for (const one of interfaces) {
    for (const fragment of find(one)) {
      const text = fragment.format('full');
      if (!byText.has(text)) byText.set(text, { fragment, source: one.source });
    }
  }
  return [...byText.values()];
}

/** Caches the fragments of two accounts, which may be equal, by selector or topic: a trace looks up the same few over and over. */
class CandidateMemory<F extends Fragment> {
  readonly #known = new Map<Hex, ByCodeAddress<ByCodeAddress<readonly Candidate<F>[]>>>();

  constructor(
    private readonly find: (id: Hex, addresses: readonly CodeAddress[]) => readonly Candidate<F>[],
  ) {}

  of(id: Hex, first: CodeAddress, second: CodeAddress): readonly Candidate<F>[] {
    let firsts = this.#known.get(id);
    if (!firsts) this.#known.set(id, (firsts = new Map() as NonNullable<typeof firsts>));
    let seconds = firsts.get(first);
    if (!seconds) firsts.set(first, (seconds = new Map() as NonNullable<typeof seconds>));
    let found = seconds.get(second);
    if (!found) seconds.set(second, (found = this.find(id, [...new Set([first, second])])));
    return found;
  }
}

type CodeAddress = Address | null;
type ByCodeAddress<T> = Map<CodeAddress, T>;

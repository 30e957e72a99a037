import type { ErrorFragment, EventFragment, Fragment, FunctionFragment } from 'ethers';
import type { DecodedLog, DecodedMethod, Param } from '../api/decoding';
import type { Address, Hex } from '../api/primitives';
import { isCreation, type CallFrame, type Log } from './call-frame';
import type { Candidate } from './candidates';
import type { ContractInterface } from './contract-interface';
import { decodeExactly, toParams } from './codec';
import { argumentsOf, decodeCall, decodeCreation, selectorOf } from './decode-call';
import { decodeRevert } from './decode-error';
import { decodeLog } from './decode-log';
import { forwardedCall, reachesFallback } from './fallback-rule';
import { NestedCalls } from './nested-calls';
import type { Contract, CreationCode, Identification } from './ports';
import { decodePrecompile, PRECOMPILES } from './precompiles';

/** Decodes the frames and logs of one trace by what is known of its contracts, the most trustworthy interface first. */
export class TraceDecoder {
  private readonly functions: Memory<Candidate<FunctionFragment>> = new Map();
  private readonly events: Memory<Candidate<EventFragment>> = new Map();
  private readonly errors: Memory<Candidate<ErrorFragment>> = new Map();
  private readonly nested = new NestedCalls((selector, to) => this.functionsOf(selector, [to]));

  constructor(private readonly known: Identification) {}

  reachesFallback(frame: CallFrame): boolean {
    return reachesFallback(frame, this.contract(frame.to));
  }

  /** Whether a precompile answers: elsewhere its address may hold code. */
  isPrecompile(frame: CallFrame): boolean {
    if (frame.to === null || isCreation(frame) || !PRECOMPILES.has(frame.to)) return false;
    return this.contract(frame.to)?.code === '0x';
  }

  /** Null where no known fragment gives the same bytes again, and for calls without a method. */
  decodeCall(frame: CallFrame): DecodedMethod | null {
    if (frame.type === 'SELFDESTRUCT') return null;
    if (isCreation(frame)) {
      const creation = this.known.creations.get(frame.input) ?? this.verifiedCreation(frame);
      return creation ? decodeCreation(frame, creation) : null;
    }
    if (this.isPrecompile(frame)) return decodePrecompile(frame);
    const selector = selectorOf(frame.input);
    if (selector === undefined) return null;
    return decodeCall(frame, this.functionsOf(selector, codeAddresses(frame)), (fit) =>
      this.nested.params(fit, frame.to),
    );
  }

  /** Arguments of a method without a signature, by the types that the callee's code shows; undefined where they do not fit. */
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
    const addresses = [emitter.to, log.address];
    return decodeLog(
      log,
      cached(this.events, topic, addresses, () =>
        distinct(this.interfacesOf(addresses), (one) => one.events(topic)),
      ),
    );
  }

  /** Why a frame failed, in words; empty where its revert data does not tell. */
  revertMessage(frame: CallFrame): string {
    const addresses = codeAddresses(frame);
    const errorsOf = (selector: Hex): readonly ErrorFragment[] =>
      cached(this.errors, selector, addresses, () =>
        distinct(this.errorInterfacesOf(addresses), (one) => one.errors(selector)),
      ).map(({ fragment }) => fragment);
    return decodeRevert(frame.output, errorsOf) ?? frame.revertReason ?? '';
  }

  /** Whoever verified a contract may know what its creation code was followed by. */
  private verifiedCreation({ to, input }: CallFrame): CreationCode | undefined {
    const contract = this.contract(to);
    const args = contract?.constructorArguments;
    if (!contract?.interface || args === undefined || !input.endsWith(args)) return undefined;
    return {
      name: contract.name ?? '',
      interface: contract.interface,
      argumentsOffset: (input.length - 2 - args.length) / 2,
    };
  }

  private contract(address: Address | null): Contract | undefined {
    return address === null ? undefined : this.known.contracts.get(address);
  }

  private functionsOf(
    selector: Hex,
    addresses: readonly (Address | null)[],
  ): readonly Candidate<FunctionFragment>[] {
    return cached(this.functions, selector, addresses, () =>
      distinct(this.interfacesOf(addresses), (one) => one.functions(selector)),
    );
  }

  /** Interfaces of the addresses' own code, then of what they are proxies of, then signatures of unknown origin. */
  private *interfacesOf(addresses: readonly (Address | null)[]): Generator<ContractInterface> {
    const contracts = addresses.map((address) => this.contract(address));
    const behind = contracts.flatMap((one) =>
      [one?.implementation ?? [], one?.facets ?? []]
        .flat()
        .map((address) => this.contract(address)),
    );
    for (const contract of [...contracts, ...behind]) {
      if (contract) yield* bySource(contract);
    }
    yield* this.known.signatures;
  }

  /** A frame often passes on the error of a call far below, so all contracts of the trace count. */
  private *errorInterfacesOf(addresses: readonly (Address | null)[]): Generator<ContractInterface> {
    const own = addresses.flatMap((address) => this.contract(address) ?? []);
    for (const contract of [...own, ...this.known.contracts.values()]) {
      yield* bySource(contract);
    }
    yield* this.known.signatures;
  }
}

/** The most trustworthy first: what a user says of an address goes before what is merely well known. */
function* bySource({ interface: known, given }: Contract): Generator<ContractInterface> {
  const isWellKnown = known?.source === 'built-in';
  if (known && !isWellKnown) yield known;
  if (given) yield given;
  if (known && isWellKnown) yield known;
}

/** Where the called method's code may be: at the callee, or where a proxy handed the call on. */
function codeAddresses(frame: CallFrame): (Address | null)[] {
  const forwarded = forwardedCall(frame);
  return forwarded ? [frame.to, forwarded.to] : [frame.to];
}

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

/** By selector or topic, then by addresses. */
type Memory<T> = Map<string, Map<string, readonly T[]>>;

function cached<T>(
  memory: Memory<T>,
  id: string,
  addresses: readonly (string | null)[],
  find: () => readonly T[],
): readonly T[] {
  let places = memory.get(id);
  if (!places) memory.set(id, (places = new Map<string, readonly T[]>()));
  const place = addresses.length === 1 ? (addresses[0] ?? '') : addresses.join();
  let found = places.get(place);
  if (!found) places.set(place, (found = find()));
  return found;
}

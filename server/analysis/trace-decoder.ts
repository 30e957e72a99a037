import type { ErrorFragment, EventFragment, Fragment, FunctionFragment } from 'ethers';
import type { DecodedMethod } from '../api/explorer';
import type { Address, Hex } from '../api/primitives';
import { isCreation, type CallFrame, type Log } from './call-frame';
import type { ContractInterface } from './contract-interface';
import { decodeCall, decodeCreation, selectorOf } from './decode-call';
import { decodeRevert } from './decode-error';
import { decodeLog, type DecodedLog } from './decode-log';
import { forwardedCall, reachesFallback } from './fallback-rule';
import type { Contract, Identification } from './ports';

/** Decodes the frames and logs of one trace by what is known of its contracts, the most trustworthy interface first. */
export class TraceDecoder {
  private readonly functions = new Map<string, readonly FunctionFragment[]>();
  private readonly events = new Map<string, readonly EventFragment[]>();
  private readonly errors = new Map<string, readonly ErrorFragment[]>();

  constructor(private readonly known: Identification) {}

  reachesFallback(frame: CallFrame): boolean {
    return reachesFallback(frame, this.contract(frame.to));
  }

  /** Null where no known fragment gives the same bytes again, and for calls without a method. */
  decodeCall(frame: CallFrame): DecodedMethod | null {
    if (frame.type === 'SELFDESTRUCT') return null;
    if (isCreation(frame)) {
      const creation = this.known.creations.get(frame.input);
      return creation ? decodeCreation(frame, creation) : null;
    }
    const selector = selectorOf(frame.input);
    if (selector === undefined) return null;
    const addresses = codeAddresses(frame);
    return decodeCall(
      frame,
      cached(this.functions, [selector, ...addresses], () =>
        distinct(this.interfacesOf(addresses), (one) => one.functions(selector)),
      ),
    );
  }

  /** @param emitter the frame that executed the log instruction */
  decodeLog(log: Log, emitter: CallFrame): DecodedLog | null {
    const [topic] = log.topics;
    if (topic === undefined) return null;
    const addresses = [emitter.to, log.address];
    return decodeLog(
      log,
      cached(this.events, [topic, ...addresses], () =>
        distinct(this.interfacesOf(addresses), (one) => one.events(topic)),
      ),
    );
  }

  /** Why a frame failed, in words; empty where its revert data does not tell. */
  revertMessage(frame: CallFrame): string {
    const addresses = codeAddresses(frame);
    const errorsOf = (selector: Hex): readonly ErrorFragment[] =>
      cached(this.errors, [selector, ...addresses], () =>
        distinct(this.errorInterfacesOf(addresses), (one) => one.errors(selector)),
      );
    return decodeRevert(frame.output, errorsOf) ?? frame.revertReason ?? '';
  }

  private contract(address: Address | null): Contract | undefined {
    return address === null ? undefined : this.known.contracts.get(address);
  }

  /** Interfaces of the addresses' own code, then of what they are proxies of, then signatures of unknown origin. */
  private *interfacesOf(addresses: readonly (Address | null)[]): Generator<ContractInterface> {
    const contracts = addresses.map((address) => this.contract(address));
    const implementations = contracts.map((one) => this.contract(one?.implementation ?? null));
    for (const contract of [...contracts, ...implementations]) {
      if (contract?.interface) yield contract.interface;
    }
    yield* this.known.signatures;
  }

  /** A frame often passes on the error of a call far below, so all contracts of the trace count. */
  private *errorInterfacesOf(addresses: readonly (Address | null)[]): Generator<ContractInterface> {
    for (const address of addresses) {
      const own = this.contract(address)?.interface;
      if (own) yield own;
    }
    for (const contract of this.known.contracts.values()) {
      if (contract.interface) yield contract.interface;
    }
    yield* this.known.signatures;
  }
}

/** Where the called method's code may be: at the callee, or where a proxy handed the call on. */
function codeAddresses(frame: CallFrame): (Address | null)[] {
  const forwarded = forwardedCall(frame);
  return forwarded ? [frame.to, forwarded.to] : [frame.to];
}

function distinct<F extends Fragment>(
  interfaces: Iterable<ContractInterface>,
  find: (one: ContractInterface) => readonly F[],
): F[] {
  const byText = new Map<string, F>();
  for (const one of interfaces) {
    for (const fragment of find(one)) {
      const text = fragment.format('full');
      if (!byText.has(text)) byText.set(text, fragment);
    }
  }
  return [...byText.values()];
}

function cached<T>(
  map: Map<string, readonly T[]>,
  parts: readonly (string | null)[],
  find: () => readonly T[],
): readonly T[] {
  const key = parts.join();
  let value = map.get(key);
  if (!value) map.set(key, (value = find()));
  return value;
}

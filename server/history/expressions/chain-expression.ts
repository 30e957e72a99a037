import { getAddress } from 'ethers';
import { invalidField } from '../../api/errors';
import { ApiError } from '../../api/errors';
import type { Address } from '../../api/primitives';
import { evaluate } from '../../debugger/languages/solidity/expressions/evaluate';
import {
  ArithmeticError,
  ExpressionError,
} from '../../debugger/languages/solidity/expressions/expression-error';
import {
  parseExpression,
  type Expression,
} from '../../debugger/languages/solidity/expressions/parse';
import {
  isKnownName,
  namesRead,
  unknownName,
} from '../../debugger/languages/solidity/expressions/read-names';
import { wholeBytes } from '../../debugger/languages/solidity/values/access';
import { typeName } from '../../debugger/languages/solidity/values/types';
import { Unavailable, type Value } from '../../debugger/languages/solidity/values/value';
import { bytesText, wordText } from '../../debugger/languages/solidity/values/words';
import {
  asWritten,
  ChainNames,
  FactsNeeded,
  writtenAddresses,
  type NamedContracts,
} from './chain-names';
import type { ContractFacts } from './contract-facts';
import { ReadNeeded, ReadState } from './read-state';
import type { StateRead, StateReader } from './state-read';

/** Reads of one evaluation. */
const MAX_READS = 256;

/** What an expression came to at a point of a chain. */
export interface Outcome {
  /** As written in Solidity; empty where there is none. */
  readonly value: string;
  readonly type: string;
  /** Why there is none. */
  readonly unavailable?: string;
  /** What the value depends on. */
  readonly reads: readonly StateRead[];
}

export const isSameOutcome = (one: Outcome, other: Outcome): boolean =>
  one.value === other.value && one.unavailable === other.unavailable;

/** An expression over the state of a chain, such as `vault.totalAssets() < token.balanceOf(vault)`. */
export class ChainExpression {
  readonly #text: string;
  readonly #parsed: Expression;
  readonly #facts = new Map<Address, ContractFacts>();
  /** Of the last evaluation: another one probably needs the same, which is requested together. */
  #likely: readonly StateRead[] = [];

  /**
   * @param factsOf what is known of a contract
   * @throws ApiError `invalidField` for what is no expression
   */
  constructor(
    text: string,
    private readonly given: NamedContracts,
    private readonly factsOf: (address: Address, signal: AbortSignal) => Promise<ContractFacts>,
  ) {
    requireChecksums(text);
    this.#text = writtenAddresses(text);
    try {
      this.#parsed = parseExpression(this.#text);
    } catch (error) {
      throw refused(text, error);
    }
  }

  /** Contracts whose facts were needed. */
  get contracts(): readonly ContractFacts[] {
    return [...this.#facts.values()];
  }

  /** @throws ApiError `invalidField` where the expression means nothing; errors of the reader */
  async at(reader: StateReader, signal: AbortSignal): Promise<Outcome> {
    const state = new ReadState();
    await readAll(state, reader, this.#likely, signal);
    for (let reads = 0; ;) {
      signal.throwIfAborted();
      state.forget();
      try {
        const outcome = this.#evaluated(state);
        this.#likely = outcome.reads;
        return outcome;
      } catch (error) {
        if (error instanceof FactsNeeded) {
          this.#facts.set(error.address, await this.factsOf(error.address, signal));
        } else if (error instanceof ReadNeeded) {
          if (++reads > MAX_READS) {
            throw new ApiError(
              'invalidField',
              `the expression reads more than ${MAX_READS} values; accepted: fewer`,
            );
          }
          await readAll(state, reader, [error.read], signal);
        } else throw refused(asWritten(this.#text), error);
      }
    }
  }

  #evaluated(state: ReadState): Outcome {
    const names = new ChainNames(state, this.given, this.#facts);
    for (const read of namesRead(this.#parsed)) {
      if (!isKnownName(read, names)) throw unknownName(read.name, read.at, names);
    }
    try {
      const value = evaluate(this.#text, names);
      return { ...shown(state, value), type: typeName(value.type), reads: state.used };
    } catch (error) {
      if (!(error instanceof Unavailable || error instanceof ArithmeticError)) throw error;
      const unavailable = asWritten(error.message);
      return { value: '', type: '', unavailable, reads: state.used };
    }
  }
}

async function readAll(
  state: ReadState,
  reader: StateReader,
  reads: readonly StateRead[],
  signal: AbortSignal,
): Promise<void> {
  if (reads.length === 0) return;
  const answers = await reader.read(reads, signal);
  for (const [index, read] of reads.entries()) state.put(read, answers[index]);
}

/** @throws Unavailable */
function shown(state: ReadState, value: Value): Pick<Outcome, 'value'> {
  if (value.kind === 'missing') throw new Unavailable(value.reason);
  if (value.kind === 'word') return { value: wordText(value.type, value.word) };
  const data = wholeBytes(state, value);
  if (data && (value.type.kind === 'bytes' || value.type.kind === 'string')) {
    return { value: bytesText(value.type.kind, data) };
  }
  throw new ExpressionError(
    `${typeName(value.type)} has several values; accepted is one of them, such as an element or a member`,
    0,
  );
}

function refused(text: string, error: unknown): unknown {
  return error instanceof ExpressionError
    ? new ApiError(
        'invalidField',
        `expression is ${JSON.stringify(text)}; ${asWritten(error.message)}`,
        { cause: error },
      )
    : error;
}

/** EIP-55, for addresses with capital letters. @throws ApiError `invalidField` */
function requireChecksums(text: string): void {
  for (const [address] of text.matchAll(/\b0x[0-9a-fA-F]{40}\b/g)) {
    const digits = address.slice(2);
    const isPlain = digits === digits.toLowerCase() || digits === digits.toUpperCase();
    const checked = getAddress(address.toLowerCase());
    if (!isPlain && checked !== address) {
      throw invalidField('an address in expression', address, `${checked}, or lower-case letters`);
    }
  }
}

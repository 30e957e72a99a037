import { getAddress } from 'ethers';
import { invalidField } from '../../api/errors';
import { ApiError } from '../../api/errors';
import type { Address } from '../../api/primitives';
import { DEFAULT_LANGUAGE } from '../../debugger/languages/languages';
import {
  FactsNeeded,
  type ContractFacts,
  type NamedContracts,
} from '../../debugger/languages/port/contract-facts';
import { ExpressionError } from '../../debugger/languages/port/expression-error';
import type { StateExpression, StateValue } from '../../debugger/languages/port/language';
import { ReadNeeded, ReadState } from '../../debugger/languages/port/read-state';
import type { StateRead, StateReader } from '../../debugger/languages/port/state-read';

/** Reads of one evaluation. */
const MAX_READS = 256;

/** What an expression came to at a point of a chain. */
export interface Outcome extends StateValue {
  /** What the value depends on. */
  readonly reads: readonly StateRead[];
}

export const isSameOutcome = (one: Outcome, other: Outcome): boolean =>
  one.value === other.value && one.unavailable === other.unavailable;

/** An expression over the state of a chain, such as `vault.totalAssets() < token.balanceOf(vault)`. */
export class ChainExpression {
  readonly #expression: StateExpression;
  readonly #facts = new Map<Address, ContractFacts>();
  /** Of the last evaluation: another one probably needs the same, which is requested together. */
  #likely: readonly StateRead[] = [];

  /**
   * @param factsOf what is known of a contract
   * @throws ApiError `invalidField` for what is no expression
   */
  constructor(
    private readonly text: string,
    given: NamedContracts,
    private readonly factsOf: (address: Address, signal: AbortSignal) => Promise<ContractFacts>,
  ) {
    requireChecksums(text);
    try {
      this.#expression = DEFAULT_LANGUAGE.chainExpression(text, given);
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
        const value = this.#expression.valueOn(state, this.#facts);
        const outcome = { ...value, reads: state.used };
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
        } else throw refused(this.text, error);
      }
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

function refused(text: string, error: unknown): unknown {
  return error instanceof ExpressionError
    ? new ApiError('invalidField', `expression is ${JSON.stringify(text)}; ${error.message}`, {
        cause: error,
      })
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

import type { Address } from '../../api/primitives';
import { inSlices } from '../../async/slices';
import { mintOf } from '../../ethereum/deposit';
import { rulesOf } from '../../rules/block-hardfork';
import { isSince } from '../../rules/hardforks';
import type { LocatedExecution } from '../executed-transaction';
import type { BlockTime, TokenFacts, TokenFactsSource } from '../ports';
import { tokensOf, transfersWork, type PlacedTransfer } from '../transfers/collect';
import type { TransferContext } from '../transfers/transfer';

/** A located execution, with what several of its views need. Each is obtained once, when the first view needs it. */
export class ViewedExecution {
  private collected: Promise<PlacedTransfer[]> | undefined;
  private facts: Promise<ReadonlyMap<Address, TokenFacts>> | undefined;

  constructor(
    readonly located: LocatedExecution,
    private readonly tokenFacts: TokenFactsSource,
    readonly signal: AbortSignal,
  ) {}

  /** All transfers, in execution order. */
  transfers(): Promise<readonly PlacedTransfer[]> {
    const { root } = this.located.executed.trace;
    this.collected ??= inSlices(transfersWork(root, contextOf(this.located)), this.signal);
    return this.collected;
  }

  /** Facts of the transferred tokens, as of the end of the block. */
  tokens(): Promise<ReadonlyMap<Address, TokenFacts>> {
    this.facts ??= this.requestTokens();
    return this.facts;
  }

  /** The block in which tokens and prices are looked up. */
  get block(): BlockTime {
    const { receipt, block } = this.located.executed.mined;
    return { number: BigInt(receipt.blockNumber), timestamp: Number(block.timestamp) };
  }

  private async requestTokens(): Promise<ReadonlyMap<Address, TokenFacts>> {
    const tokens = tokensOf((await this.transfers()).map(({ transfer }) => transfer));
    const { network } = this.located;
    return this.tokenFacts.factsOf(network, tokens, this.block.number, this.signal);
  }
}

function contextOf({ network, executed, known }: LocatedExecution): TransferContext {
  const rules = rulesOf(network, executed.mined.block);
  return {
    wrappedNative: network.wrappedNative,
    contracts: known.contracts,
    destructionNeedsCreation: rules !== undefined && isSince(rules, 'cancun'),
    mint: mintOf(executed.mined.transaction),
  };
}

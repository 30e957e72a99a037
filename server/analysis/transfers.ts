import { AbiCoder, id } from 'ethers';
import { NATIVE_ASSET } from '../api/explorer';
import type { Address, Hash, Hex } from '../api/primitives';
import {
  executionSteps,
  isCreation,
  isLog,
  type CallFrame,
  type Log,
  type Step,
} from './call-frame';
import { holdsSelector } from './fallback-rule';
import type { Contract } from './ports';
import { atOnce, type Work } from '../ethereum/slices';

export type TokenStandard = 'native' | 'erc20' | 'erc721' | 'erc1155';

/** A movement that lasts. A side that is undefined is no account's: ether that a deposit mints or a self-destruction burns. */
export interface Transfer {
  readonly standard: TokenStandard;
  /** `NATIVE_ASSET` or the token contract. */
  readonly asset: Address;
  readonly tokenId?: bigint;
  readonly from?: Address | undefined;
  readonly to?: Address | undefined;
  /** In the smallest unit; 1 for an ERC-721 token. */
  readonly amount: bigint;
}

const topic = (signature: string): Hash => id(signature) as Hash;
/** ERC-20 and ERC-721 share it: ERC-721 indexes the token id as well. */
const TRANSFER = topic('Transfer(address,address,uint256)');
const TRANSFER_SINGLE = topic('TransferSingle(address,address,address,uint256,uint256)');
const TRANSFER_BATCH = topic('TransferBatch(address,address,address,uint256[],uint256[])');
const DEPOSIT = topic('Deposit(address,uint256)');
const WITHDRAWAL = topic('Withdrawal(address,uint256)');

/** deposit(), withdraw(uint256), balanceOf(address), transfer(address,uint256), totalSupply() */
const WETH9_SELECTORS: readonly Hex[] = [
  '0xd0e30db0',
  '0x2e1a7d4d',
  '0x70a08231',
  '0xa9059cbb',
  '0x18160ddd',
];

export interface TransferContext {
  readonly wrappedNative?: Address | undefined;
  readonly contracts: ReadonlyMap<Address, Contract>;
  /** EIP-6780 (Cancun): only a contract made in the same transaction is destroyed. */
  readonly destructionNeedsCreation: boolean;
  /** What the transaction minted in front of its first call, wei; it stays where that fails. */
  readonly mint?: bigint;
}

/** All lasting transfers in execution order; what was rolled back is left out. Fees and rewards are none of them. */
export const collectTransfers = (root: CallFrame, context: TransferContext): Transfer[] =>
  atOnce(transfersWork(root, context));

/** The same as work that can be interrupted. */
export function* transfersWork(root: CallFrame, context: TransferContext): Work<Transfer[]> {
  const transfers: Transfer[] = [];
  for (const { transfer } of placedTransfers(root, context)) {
    transfers.push(transfer);
    yield 1;
  }
  return transfers;
}

/** A transfer with its place in the invocation flow: the call or event that made it, and the call that this belongs to. */
export interface PlacedTransfer {
  readonly transfer: Transfer;
  readonly nodeId: number;
  readonly frameId: number;
}

/** As `collectTransfers`. Ids count calls and logs in execution order, as those of the invocation flow do. */
export function* placedTransfers(
  root: CallFrame,
  context: TransferContext,
): Generator<PlacedTransfer, void, undefined> {
  const native = new NativeTransfers(context.destructionNeedsCreation);
  const wraps = new WrapReader(context);
  const openFrames: number[] = []; // ids by depth
  const { mint = 0n } = context;
  if (mint > 0n) yield { transfer: minted(root.from, mint), nodeId: 0, frameId: 0 };
  let nodeId = -1;
  for (const step of executionSteps(root)) {
    nodeId++;
    if (!step.log) openFrames[step.depth] = nodeId;
    if (step.reverted) continue;
    const transfers = step.log
      ? (readTransfers(step.log) ?? wraps.read(step, step.log))
      : native.read(step.frame);
    const frameId = openFrames[step.depth] ?? nodeId;
    for (const transfer of transfers) yield { transfer, nodeId, frameId };
  }
}

const minted = (to: Address, amount: bigint): Transfer => ({
  standard: 'native',
  asset: NATIVE_ASSET,
  from: undefined,
  to,
  amount,
});

const NONE: readonly Transfer[] = [];

/** Value moved by calls, creations and self-destructions. */
class NativeTransfers {
  private readonly created = new Set<Address>();
  private readonly destroyed = new Set<Address>();

  constructor(private readonly destructionNeedsCreation: boolean) {}

  read(frame: CallFrame): readonly Transfer[] {
    const { type, from, to, value } = frame;
    if (type === 'SELFDESTRUCT') return this.destroy(from, to, value);
    if (isCreation(frame) && to !== null) this.created.add(to);
    const moves = type === 'CALL' || isCreation(frame);
    return moves && value > 0n ? [this.transfer(from, to, value)] : NONE;
  }

  private destroy(from: Address, to: Address | null, value: bigint): Transfer[] {
    const dies = !this.destructionNeedsCreation || this.created.has(from);
    const payer = this.holder(from);
    if (dies) this.destroyed.add(from); // before the beneficiary is looked at: it may be the contract itself
    if (value === 0n) return [];
    return [{ ...this.transfer(from, to, value), from: payer }];
  }

  private transfer(from: Address, to: Address | null, amount: bigint): Transfer {
    return {
      standard: 'native',
      asset: NATIVE_ASSET,
      from: this.holder(from),
      to: to === null ? undefined : this.holder(to),
      amount,
    };
  }

  /** What a destroyed account gets afterwards is gone when the transaction ends: it holds nothing any more. */
  private holder(account: Address): Address | undefined {
    return this.destroyed.has(account) ? undefined : account;
  }
}

/** Transfers that a standard event tells; undefined where it is no such event. */
function readTransfers(log: Log): Transfer[] | undefined {
  const [signature, first, second, third] = log.topics;
  const asset = log.address;
  if (signature === TRANSFER && isAddress(first) && isAddress(second)) {
    const sides = { asset, from: toAddress(first), to: toAddress(second) };
    if (third !== undefined) {
      return log.data === '0x'
        ? [{ ...sides, standard: 'erc721', tokenId: BigInt(third), amount: 1n }]
        : undefined;
    }
    return isWord(log.data)
      ? [{ ...sides, standard: 'erc20', amount: BigInt(log.data) }]
      : undefined;
  }
  if (!isAddress(second) || !isAddress(third)) return undefined;
  const sides = {
    standard: 'erc1155',
    asset,
    from: toAddress(second),
    to: toAddress(third),
  } as const;
  if (signature === TRANSFER_SINGLE) {
    const [tokenId, amount] = decode(['uint256', 'uint256'], log.data) as [bigint?, bigint?];
    return tokenId === undefined || amount === undefined ? [] : [{ ...sides, tokenId, amount }];
  }
  if (signature === TRANSFER_BATCH) {
    const [ids = [], amounts = []] = decode(['uint256[]', 'uint256[]'], log.data) as [
      bigint[]?,
      bigint[]?,
    ];
    if (ids.length !== amounts.length) return [];
    return ids.map((tokenId, index) => ({ ...sides, tokenId, amount: amounts[index] ?? 0n }));
  }
  return undefined;
}

/** WETH9's Deposit and Withdrawal, which come without a Transfer: the token contract is the other side. */
class WrapReader {
  private readonly wrappers = new Map<Address, boolean>();
  private readonly toldIn = new Map<CallFrame, Set<string>>();

  constructor(private readonly context: TransferContext) {}

  read({ frame }: Step, log: Log): Transfer[] {
    const [signature, topicAccount] = log.topics;
    if (signature !== DEPOSIT && signature !== WITHDRAWAL) return [];
    if (!isAddress(topicAccount) || log.topics.length !== 2 || !isWord(log.data)) return [];
    if (!this.isWrapper(log.address)) return [];
    const account = toAddress(topicAccount);
    const amount = BigInt(log.data);
    const sides = signature === DEPOSIT ? [log.address, account] : [account, log.address];
    if (this.told(frame).has(told20(signature, log.address, account, amount))) return [];
    return [{ standard: 'erc20', asset: log.address, from: sides[0], to: sides[1], amount }];
  }

  private told(frame: CallFrame): Set<string> {
    const known = this.toldIn.get(frame) ?? toldByTransfers(frame);
    this.toldIn.set(frame, known);
    return known;
  }

  private isWrapper(token: Address): boolean {
    if (token === this.context.wrappedNative) return true;
    const known = this.wrappers.get(token);
    if (known !== undefined) return known;
    const code = this.context.contracts.get(token)?.code;
    const shaped =
      code !== undefined && WETH9_SELECTORS.every((selector) => holdsSelector(code, selector));
    this.wrappers.set(token, shaped);
    return shaped;
  }
}

/** What the Transfers among a frame's own logs say: some wrappers mint and burn with one. */
function toldByTransfers(frame: CallFrame): Set<string> {
  const told = new Set<string>();
  for (const item of frame.items) {
    if (!isLog(item)) continue;
    for (const { standard, asset, from, to, amount } of readTransfers(item) ?? []) {
      if (standard !== 'erc20') continue;
      told.add(told20(DEPOSIT, asset, to, amount)).add(told20(WITHDRAWAL, asset, from, amount));
    }
  }
  return told;
}

const told20 = (
  event: Hash,
  token: Address,
  account: Address | undefined,
  amount: bigint,
): string => [event, token, account, amount].join();

const isWord = (data: Hex): boolean => data.length === 66;
const PADDING = `0x${'0'.repeat(24)}`;
const isAddress = (topic: Hash | undefined): topic is Hash => topic?.startsWith(PADDING) === true;
const toAddress = (word: Hash): Address => `0x${word.slice(26)}`;

function decode(types: readonly string[], data: Hex): unknown[] {
  try {
    return AbiCoder.defaultAbiCoder()
      .decode(types, data)
      .map((value: unknown) => (Array.isArray(value) ? Array.from(value as unknown[]) : value));
  } catch {
    return [];
  }
}

/** Tokens whose standard events the trace holds. */
export const tokensOf = (transfers: readonly Transfer[]): Address[] => [
  ...new Set(transfers.filter((one) => one.standard !== 'native').map((one) => one.asset)),
];

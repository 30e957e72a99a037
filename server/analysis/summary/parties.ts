import type { Address } from '../../api/primitives';
import type { Party, PartyChange, PartyRole } from '../../api/summary-parties';
import { assetAmount, netAmount, type AssetFacts } from '../balances/asset-amount';
import { STEPS_PER_YIELD, type Work } from '../../kernel/async/slices';
import { ZERO_ADDRESS } from '../balances/claims';
import type { NetChange } from '../balances/net-changes';
import type { Contradiction } from '../balances/reconcile';
import { assetKey } from './quantity';
import type { Scene } from './scene';

const MAX_PARTIES = 6;
const MAX_CHANGES = 4;
/** Contracts of the sender that hold something. */
const MAX_OWN = 3;

/** A net change, as far as it was measured. */
export interface PartyNet extends NetChange {
  readonly isClaimed?: true;
  /** What events claim, where the state contradicts them; 0 if none reports a change. */
  readonly claimed?: bigint;
}

/** An account with its net changes, before the amounts are in the interface's form. */
export interface PartyNets {
  readonly account: Address;
  readonly roles: readonly PartyRole[];
  readonly isOwn: boolean;
  readonly nets: readonly PartyNet[];
}

/** Net changes by account: those of the transfers, with measured ones where the state contradicts them or nothing reports them. */
export function* measuredNetsWork(
  { nets, transfers, wrappedNative }: Pick<Scene, 'nets' | 'transfers' | 'wrappedNative'>,
  contradictions: readonly Contradiction[],
): Work<ReadonlyMap<Address, readonly PartyNet[]>> {
  let steps = 0;
  const all = new Map<Address, PartyNet[]>();
  const unreported = contradictions.filter(({ nodeIds }) => nodeIds.length === 0);
  const contradicted = new Map(
    contradictions.map((one) => [`${one.account} ${assetKey(one)}`, one.claimed]),
  );
  const unmeasured = new Set<string>();
  for (const { transfer } of transfers) {
    if (++steps % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
    if (!transfer.isClaimed) continue;
    for (const side of [transfer.from, transfer.to])
      unmeasured.add(`${side} ${assetKey(transfer)}`);
  }
  for (const [account, own] of nets) {
    if (++steps % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
    if (account === ZERO_ADDRESS) continue;
    // The wrapped native token does not hold the tokens that it counts.
    const held = own.filter(({ asset }) => account !== wrappedNative || asset !== account);
    const marked = held.map((net): PartyNet => {
      const key = `${account} ${assetKey(net)}`;
      if (unmeasured.has(key)) return { ...net, isClaimed: true };
      const claimed = contradicted.get(key);
      return claimed === undefined ? net : { ...net, claimed };
    });
    if (marked.length > 0) all.set(account, marked);
  }
  for (const { account, asset, standard, tokenId, claimed, measured } of unreported) {
    if (++steps % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
    const id = tokenId === undefined ? {} : { tokenId };
    const own = all.get(account) ?? [];
    own.push({ account, asset, standard, ...id, amount: measured, claimed });
    all.set(account, own);
  }
  return all;
}

/**
 * The accounts that matter: the sender; the receiver and the sender's contracts if their balances changed; and of each asset the account that
 * gained and the one that lost most of it. Assets of the sender come first. Amounts of different assets are not compared, so that no price is needed. Empty where no balance changed.
 * @param own the sender and the contracts that it created
 */
export function* partiesWork(
  { root }: Pick<Scene, 'root'>,
  nets: ReadonlyMap<Address, readonly PartyNet[]>,
  own: ReadonlySet<Address>,
): Work<PartyNets[]> {
  if (nets.size === 0) return [];
  const roles = new Map<Address, PartyRole[]>([[root.from, ['sender']]]);
  const add = (account: Address | undefined, role: PartyRole): void => {
    if (account === undefined) return;
    const known = roles.get(account);
    if (known) {
      if (!known.includes(role)) known.push(role);
    } else if (roles.size < MAX_PARTIES) roles.set(account, [role]);
  };
  if (root.to !== null && root.to !== root.from && nets.has(root.to)) add(root.to, 'receiver');
  const holders = [...own].filter((one) => nets.has(one)).slice(0, MAX_OWN);
  for (const account of holders) if (!roles.has(account)) roles.set(account, []);
  for (const extremes of yield* extremesWork(nets, own)) {
    add(extremes.gain?.account, 'largestGain');
    add(extremes.loss?.account, 'largestLoss');
  }
  return [...roles].map(([account, all]) => ({
    account,
    roles: all,
    isOwn: account !== root.from && own.has(account),
    nets: nets.get(account) ?? [],
  }));
}

interface Extremes {
  gain?: NetChange;
  loss?: NetChange;
}

/** Of each asset, those of the sender's accounts first: who gained and who lost most of it. The first of equal ones counts. */
function* extremesWork(
  nets: ReadonlyMap<Address, readonly PartyNet[]>,
  own: ReadonlySet<Address>,
): Work<Extremes[]> {
  let steps = 0;
  const found = new Map<string, Extremes>();
  const accounts = [...nets.keys()];
  const ordered = [true, false].flatMap((isOwn) =>
    accounts.filter((one) => own.has(one) === isOwn),
  );
  for (const account of ordered) {
    if (++steps % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
    for (const net of nets.get(account) ?? []) {
      // What is only claimed makes nobody matter: anyone can make a contract that says so.
      if (net.isClaimed) continue;
      const key = assetKey(net);
      const known = found.get(key) ?? {};
      found.set(key, known);
      if (net.amount > (known.gain?.amount ?? 0n)) known.gain = net;
      if (net.amount < (known.loss?.amount ?? 0n)) known.loss = net;
    }
  }
  return [...found.values()];
}

/** A party in the interface's form, with a bounded list. */
export function toParty({ account, roles, isOwn, nets }: PartyNets, facts: AssetFacts): Party {
  const more = nets.length - MAX_CHANGES;
  return {
    account,
    roles: [...roles],
    ...(isOwn ? { isOwn } : {}),
    changes: nets.slice(0, MAX_CHANGES).map((net) => toChange(net, facts)),
    ...(more > 0 ? { moreChanges: more } : {}),
  };
}

function toChange(net: PartyNet, facts: AssetFacts): PartyChange {
  const { rawAmount, amount, value, symbol, decimals } = assetAmount(net, facts);
  return {
    asset: net.asset,
    standard: net.standard,
    rawAmount,
    amount,
    sign: net.amount > 0n,
    ...(net.tokenId === undefined ? {} : { tokenId: net.tokenId.toString() }),
    ...(symbol === undefined ? {} : { symbol }),
    ...(decimals === undefined ? {} : { decimals }),
    ...(net.isClaimed ? { isClaimed: true } : {}),
    ...(net.claimed === undefined ? {} : { claimed: netAmount(net, net.claimed, facts) }),
    ...(value === '' ? {} : { value }),
  };
}

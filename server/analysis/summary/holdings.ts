import { NATIVE_ASSET } from '../../api/native-asset';
import { isGuess } from '../../api/decoding';
import type { Address } from '../../api/primitives';
import type { PlacedTransfer } from '../transfers/collect';
import { STEPS_PER_YIELD, type Work } from '../../kernel/async/slices';
import { isNobody, type Account } from './account';
import { bridgeAt } from './bridges';
import type { Clause } from './clause';
import { isFungible, quantityOf, summed, type Quantity } from './quantity';
import { callerOf, isSentByPayer, netOf, type Scene } from './scene';

/** Tokens made for an account and tokens that it gave up, with what it paid for them. */
export function mintsAndBurns(account: Account, { root }: Scene): Clause[] {
  return [true, false].flatMap((isMint) => {
    const moves = account.all(
      (one) => one.standard !== 'native' && one.isOfNobody && one.isOut !== isMint,
    );
    if (moves.length === 0) return [];
    account.take(moves);
    const tokens = summed(moves.map(({ transfer }) => transfer));
    const contracts = new Set(tokens.map(({ asset }) => asset));
    const price = isMint ? priceOf(account, new Set([...contracts, root.to])) : undefined;
    const gave = price ? [quantityOf(price.transfer)] : [];
    if (price) account.take([price]);
    const [counterparty] = contracts;
    return [
      {
        kind: isMint ? 'minted' : 'burned',
        actor: account.address,
        gave: isMint ? gave : tokens,
        got: isMint ? tokens : [],
        ...(contracts.size === 1 ? { counterparty } : {}),
        nodeIds: moves.map(({ nodeId }) => nodeId),
      },
    ];
  });
}

/** The only payment that is left, if it went to one of these accounts and nothing of it came back. */
function priceOf(
  account: Account,
  payees: ReadonlySet<Address | null>,
): PlacedTransfer | undefined {
  const { gave } = account.rest();
  const [price] = gave;
  if (!price || gave.length > 1 || !isFungible(price)) return undefined;
  return account.find(
    ({ asset, amount, isOut, other }) =>
      isOut && asset === price.asset && amount === price.amount && payees.has(other ?? null),
  );
}

/** One asset given to a known bridge, and nothing received. */
export function bridging(account: Account, { steps, chainId }: Scene): Clause[] {
  const { gave, got } = account.rest();
  const [sent] = gave;
  if (!sent || gave.length > 1 || got.length > 0 || !isFungible(sent)) return [];
  const call = steps.find(
    ({ frame, log, reverted }) =>
      !log &&
      !reverted &&
      frame.type === 'CALL' &&
      frame.to !== null &&
      bridgeAt(chainId, frame.to) !== undefined &&
      frame.from === account.address,
  );
  const counterparty = call?.frame.to ?? undefined;
  const bridge = counterparty && bridgeAt(chainId, counterparty);
  if (!call || bridge === undefined) return [];
  const moves = account.takeRest();
  const nodeIds = [call.id, ...moves.map(({ nodeId }) => nodeId)];
  return [{ kind: 'bridged', actor: account.address, gave, counterparty, bridge, nodeIds }];
}

const CLAIM = /^(claim|harvest|getReward|redeemReward|collectReward|withdrawReward)/i;

/** Assets received by a method that claims, with nothing given. */
export function claims(account: Account, { root, decoder }: Scene): Clause[] {
  const { gave, got } = account.rest();
  const method = decoder.decodeCall(root);
  if (got.length === 0 || gave.length > 0 || root.from !== account.address) return [];
  if (!method || isGuess(method.source) || !CLAIM.test(method.name)) return [];
  const moves = account.takeRest();
  return [
    {
      kind: 'claimed',
      actor: account.address,
      got,
      counterparty: root.to ?? undefined,
      nodeIds: [0, ...moves.map(({ nodeId }) => nodeId)],
    },
  ];
}

/**
 * What is left: payments that the account itself made to recipients that kept them, else what it gave and got on balance. Tokens that a
 * contract took by an approval are paid, not sent.
 */
export function* paymentsWork(account: Account, scene: Scene): Work<Clause[]> {
  const recipients = yield* recipientsWork(account, scene);
  const sent = recipients.flatMap(([recipient, moves]) => {
    const given = summed(moves.map(({ transfer }) => transfer));
    const isKept = given.every((one) => isBorneOut(one, recipient, account, scene));
    if (!isKept) return [];
    account.take(moves);
    const nodeIds = moves.map(({ nodeId }) => nodeId);
    return [
      {
        kind: 'sent' as const,
        actor: account.address,
        gave: given,
        counterparty: recipient,
        nodeIds,
      },
    ];
  });
  yield 1;
  const { gave, got } = account.rest();
  yield 1;
  const rest = account.takeRest();
  const paid = sides('paid', gave, rest, account.address);
  yield 1;
  const received = sides('received', got, rest, account.address);
  return [...sent, ...paid, ...(yield* takenWork(received, rest, account.address, scene))];
}

/** Whether the account lost and the recipient gained at least this on balance. */
function isBorneOut(given: Quantity, recipient: Address, account: Account, scene: Scene): boolean {
  if (!isFungible(given)) return true;
  const isLost = account.lossOf(given.asset) >= given.amount;
  return isLost && netOf(scene, recipient, given.asset) >= given.amount;
}

function* recipientsWork(
  account: Account,
  scene: Scene,
): Work<(readonly [Address, PlacedTransfer[]])[]> {
  const groups = new Map<Address | undefined, PlacedTransfer[]>();
  let steps = 0;
  for (const [placed, { isOut, other }] of account.left()) {
    if (++steps % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
    if (!isOut || isNobody(other) || placed.measured || !isSentByPayer(scene, placed)) continue;
    const { to } = placed.transfer;
    const group = groups.get(to);
    if (group) group.push(placed);
    else if (groups.size === MAX_RECIPIENTS) return [];
    else groups.set(to, [placed]);
  }
  return [...groups].flatMap(([to, moves]) => (to === undefined ? [] : [[to, moves] as const]));
}
/** Payments to more recipients are told as one. */
const MAX_RECIPIENTS = 5;

/** What was received, or taken from an account that took no part: it neither called anything nor was called. */
function* takenWork(
  received: readonly Clause[],
  moves: readonly PlacedTransfer[],
  actor: Address,
  scene: Scene,
): Work<Clause[]> {
  const [clause, ...rest] = received;
  if (clause?.counterparty === undefined) return [...received];
  const { counterparty } = clause;
  let steps = 0;
  for (const one of moves) {
    if (++steps % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
    if (one.transfer.to === actor && isSentByPayer(scene, one)) return [...received];
  }
  for (const { frame } of scene.steps) {
    if (++steps % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
    if (frame.from === counterparty || frame.to === counterparty) return [...received];
  }
  return [{ ...clause, kind: 'took' }, ...rest];
}

function sides(
  kind: 'paid' | 'received',
  quantities: readonly Quantity[],
  moves: readonly PlacedTransfer[],
  actor: Address,
): Clause[] {
  if (quantities.length === 0) return [];
  const isOut = kind === 'paid';
  const assets = new Set(quantities.map(({ asset }) => asset));
  const own = moves.filter(
    ({ transfer }) => assets.has(transfer.asset) && (transfer.from === actor) === isOut,
  );
  const others = new Set(own.map(({ transfer: { from, to } }) => (isOut ? to : from)));
  const [other] = others;
  return [
    {
      kind,
      actor,
      ...(isOut ? { gave: quantities } : { got: quantities }),
      ...(others.size === 1 && !isNobody(other) ? { counterparty: other } : {}),
      nodeIds: own.map(({ nodeId }) => nodeId),
    },
  ];
}

/** Transfers between others, when the sender's own balances say nothing: one clause for each payer and recipient. */
export function* othersPaymentsWork(accounts: readonly Account[], scene: Scene): Work<Clause[]> {
  const own = new Set(accounts.map(({ address }) => address));
  const isOwn = (side: Address | undefined): boolean => side !== undefined && own.has(side);
  const { transfers } = scene;
  if (transfers.some(({ transfer: { from, to } }) => isOwn(from) || isOwn(to))) return [];
  const routes = new Map<string, PlacedTransfer[]>();
  let steps = 0;
  for (const one of transfers) {
    if (++steps % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
    // What is only claimed of others is not told: anyone can make a contract that says so.
    if (one.measured || one.transfer.isClaimed) continue;
    const { from, to } = one.transfer;
    const route = `${from ?? ''} ${to ?? ''} ${isSentByPayer(scene, one) ? '' : callerOf(scene, one)}`;
    const known = routes.get(route);
    if (known) known.push(one);
    else if (routes.size === MAX_ROUTES) return [];
    else routes.set(route, [one]);
  }
  return [...routes.values()].flatMap((moves) => routeClause(moves, scene) ?? []);
}
const MAX_ROUTES = 3;

function routeClause(moves: readonly PlacedTransfer[], scene: Scene): Clause | undefined {
  const [first] = moves;
  if (!first) return undefined;
  const { from, to } = first.transfer;
  const quantities = summed(moves.map(({ transfer }) => transfer));
  const nodeIds = moves.map(({ nodeId }) => nodeId);
  const isLost = (account: Address): boolean =>
    quantities.every((one) => !isFungible(one) || netOf(scene, account, one.asset) <= -one.amount);
  const isGained = (account: Address): boolean =>
    quantities.every((one) => !isFungible(one) || netOf(scene, account, one.asset) >= one.amount);
  const contract = first.transfer.asset === NATIVE_ASSET ? undefined : first.transfer.asset;
  const { root } = scene;
  if (isNobody(from) && to !== undefined && !isNobody(to) && isGained(to)) {
    return {
      kind: 'minted',
      actor: root.from,
      got: quantities,
      recipient: to,
      counterparty: contract,
      nodeIds,
    };
  }
  if (from === undefined || isNobody(from) || !isLost(from)) return undefined;
  const taker = isSentByPayer(scene, first) ? undefined : callerOf(scene, first);
  if (taker !== undefined) {
    const recipient = isNobody(to) || to === undefined || to === taker ? {} : { recipient: to };
    return to === undefined || isNobody(to) || isGained(to)
      ? { kind: 'took', actor: taker, got: quantities, counterparty: from, ...recipient, nodeIds }
      : undefined;
  }
  if (isNobody(to) || to === undefined) {
    return contract === undefined
      ? undefined
      : { kind: 'burned', actor: from, gave: quantities, counterparty: contract, nodeIds };
  }
  return isGained(to)
    ? { kind: 'sent', actor: from, gave: quantities, counterparty: to, nodeIds }
    : undefined;
}

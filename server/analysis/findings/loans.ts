import type { Address } from '../../api/primitives';
import type { Work } from '../../kernel/async/slices';
import { numberIn, type KnownEvent } from '../summary/known-events';
import { isNobody } from '../summary/account';
import { groupBy } from '../summary/group-by';
import { callsAbove, isInside, type Step } from '../call-frame';
import type { Scene } from '../summary/scene';
import type { PlacedTransfer } from '../transfers/collect';
import type { Finding } from './finding';

/** Further transfers are not read, to bound the time. */
const MAX_TRANSFERS = 5_000;

type Lent = PlacedTransfer & {
  readonly transfer: { readonly from: Address; readonly to: Address };
};

/** Tokens that were lent and returned inside one call. */
export function* flashLoansWork(scene: Scene): Work<Finding[]> {
  const transfers: Lent[] = [];
  for (const one of scene.transfers) {
    if (isLent(one) && transfers.push(one) === MAX_TRANSFERS) break;
  }
  if (transfers.length < 2) return [];
  yield 1;
  const routes = groupBy(transfers, ({ transfer }) => routeOf(transfer));
  yield 1;
  const events = scene.events.filter(({ name }) => name === 'FlashLoan' || name === 'Flash');
  let callbacks: ReturnType<typeof callsByRoute> | undefined;
  const found = new Map<string, Finding>();
  for (const lent of transfers) {
    const { asset, from, to, amount } = lent.transfer;
    if (amount === 0n || from === to) continue;
    yield 1;
    const back = routes
      .get(routeOf({ asset, from: to, to: from }))
      ?.find(({ nodeId, transfer }) => nodeId > lent.nodeId && transfer.amount >= amount);
    if (!back) continue;
    const event = events.find((one) => reports(one, lent, back));
    const isCalledBack = (): boolean =>
      isInsideCallOf(scene, lent, back) &&
      (callbacks ??= callsByRoute(scene.steps))
        .get(`${from} ${to}`)
        ?.some(({ id }) => id > lent.nodeId && id < back.nodeId) === true;
    if (!event && !isCalledBack()) continue;
    const key = `${to} ${asset} ${from}`;
    if (found.has(key)) continue;
    found.set(key, {
      kind: 'flashLoan',
      contract: from,
      account: to,
      amounts: [{ asset, standard: 'erc20', amount }],
      nodeIds: [lent.nodeId, back.nodeId, ...(event ? [event.step.id] : [])],
    });
  }
  return [...found.values()];
}

const isLent = (one: PlacedTransfer): one is Lent => {
  const { standard, from, to } = one.transfer;
  return standard === 'erc20' && !isNobody(from) && !isNobody(to);
};

const routeOf = ({ asset, from, to }: { asset: Address; from: Address; to: Address }): string =>
  `${asset} ${from} ${to}`;

/** Whether an event of a lender names this loan. The lender of Aave keeps its tokens in another contract than the one that reports. */
function reports(event: KnownEvent, lent: Lent, back: Lent): boolean {
  const { asset, to, amount } = lent.transfer;
  if (event.name !== 'FlashLoan' || event.step.id < lent.nodeId) return false;
  const borrower = event.values['target'] ?? event.values['recipient'];
  const token = event.values['asset'] ?? event.values['token'];
  const fee = event.values['premium'] ?? event.values['feeAmount'] ?? '0';
  return (
    borrower === to &&
    token === asset &&
    numberIn(event, 'amount') === amount &&
    back.transfer.amount >= amount + BigInt(fee)
  );
}

/** Calls by caller and callee, in execution order. */
const callsByRoute = (steps: readonly Step[]): Map<string, Step[]> =>
  groupBy(
    steps.filter(({ frame, log }) => !log && frame.type === 'CALL'),
    ({ frame }) => `${frame.from} ${frame.to ?? ''}`,
  );

/** Whether the lender got the token back before the call of the lender ended in which it lent it. */
function isInsideCallOf({ steps }: Scene, lent: Lent, back: Lent): boolean {
  const step = steps[lent.nodeId];
  if (!step) return false;
  for (const call of callsAbove(steps, step)) {
    if (call.frame.to === lent.transfer.from) return isInside(call, back.nodeId);
  }
  return false;
}

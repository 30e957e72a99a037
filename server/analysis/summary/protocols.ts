import { NATIVE_ASSET } from '../../api/native-asset';
import type { Address } from '../../api/primitives';
import type { Work } from '../../kernel/async/slices';
import type { PlacedTransfer } from '../transfers/collect';
import type { Account } from './account';
import type { Clause } from './clause';
import { addressIn, numberIn, type KnownEvent } from './known-events';
import { isInside } from '../call-frame';
import { quantityOf, summed } from './quantity';
import { callOf } from './call-of';
import type { Scene } from './scene';

/** What an event of a protocol says about an account. The transfers have to bear it out. */
interface Claim {
  readonly kind: Clause['kind'];
  /** Token that moved; undefined: any token but the emitter's own. */
  readonly asset?: Address;
  readonly amount: bigint;
  /** Whether the account gave it. */
  readonly isOut: boolean;
  /** Second movement, in the other direction. */
  readonly other?: { readonly asset: Address; readonly amount?: bigint };
  readonly counterparty?: Address;
}

type Reader = (event: KnownEvent, account: Address) => Claim | undefined;

const AAVE_SUPPLY: Reader = (event) => ({
  kind: 'deposited',
  asset: addressIn(event, 'reserve'),
  amount: numberIn(event, 'amount'),
  isOut: true,
});
const AAVE_BORROW: Reader = (event) => ({
  kind: 'borrowed',
  asset: addressIn(event, 'reserve'),
  amount: numberIn(event, 'amount'),
  isOut: false,
});
const AAVE_REPAY: Reader = (event) => ({
  kind: 'repaid',
  asset: addressIn(event, 'reserve'),
  amount: numberIn(event, 'amount'),
  isOut: true,
});
/** An account that is named in the event. */
const only =
  (name: string, reader: Reader): Reader =>
  (event, account) =>
    addressIn(event, name) === account ? reader(event, account) : undefined;

/** By signature: what the event claims. */
const READERS: Readonly<Record<string, Reader>> = {
  // ERC-4626
  'Deposit(address,address,uint256,uint256)': (event) => ({
    kind: 'deposited',
    amount: numberIn(event, 'assets'),
    isOut: true,
    other: { asset: event.address, amount: numberIn(event, 'shares') },
  }),
  'Withdraw(address,address,address,uint256,uint256)': (event) => ({
    kind: 'withdrew',
    amount: numberIn(event, 'assets'),
    isOut: false,
    other: { asset: event.address, amount: numberIn(event, 'shares') },
  }),
  // Aave V2 and V3
  'Deposit(address,address,address,uint256,uint16)': AAVE_SUPPLY,
  'Supply(address,address,address,uint256,uint16)': AAVE_SUPPLY,
  'Withdraw(address,address,address,uint256)': (event) => ({
    kind: 'withdrew',
    asset: addressIn(event, 'reserve'),
    amount: numberIn(event, 'amount'),
    isOut: false,
  }),
  'Borrow(address,address,address,uint256,uint256,uint256,uint16)': AAVE_BORROW,
  'Borrow(address,address,address,uint256,uint8,uint256,uint16)': AAVE_BORROW,
  'Repay(address,address,address,uint256)': AAVE_REPAY,
  'Repay(address,address,address,uint256,bool)': AAVE_REPAY,
  'LiquidationCall(address,address,address,uint256,uint256,address,bool)': only(
    'liquidator',
    (event) => ({
      kind: 'liquidated',
      asset: addressIn(event, 'debtAsset'),
      amount: numberIn(event, 'debtToCover'),
      isOut: true,
      counterparty: addressIn(event, 'user'),
      ...(event.values['receiveAToken'] === 'true'
        ? {}
        : {
            other: {
              asset: addressIn(event, 'collateralAsset'),
              amount: numberIn(event, 'liquidatedCollateralAmount'),
            },
          }),
    }),
  ),
  // Compound V2
  'Mint(address,uint256,uint256)': only('minter', (event) => ({
    kind: 'deposited',
    amount: numberIn(event, 'mintAmount'),
    isOut: true,
    other: { asset: event.address, amount: numberIn(event, 'mintTokens') },
  })),
  'Redeem(address,uint256,uint256)': only('redeemer', (event) => ({
    kind: 'withdrew',
    amount: numberIn(event, 'redeemAmount'),
    isOut: false,
    other: { asset: event.address, amount: numberIn(event, 'redeemTokens') },
  })),
  'Borrow(address,uint256,uint256,uint256)': only('borrower', (event) => ({
    kind: 'borrowed',
    amount: numberIn(event, 'borrowAmount'),
    isOut: false,
  })),
  'RepayBorrow(address,address,uint256,uint256,uint256)': only('payer', (event) => ({
    kind: 'repaid',
    amount: numberIn(event, 'repayAmount'),
    isOut: true,
  })),
  'LiquidateBorrow(address,address,uint256,address,uint256)': only('liquidator', (event) => ({
    kind: 'liquidated',
    amount: numberIn(event, 'repayAmount'),
    isOut: true,
    counterparty: addressIn(event, 'borrower'),
    other: { asset: addressIn(event, 'cTokenCollateral') },
  })),
  // Lido
  'Submitted(address,uint256,address)': only('sender', (event) => ({
    kind: 'deposited',
    asset: NATIVE_ASSET,
    amount: numberIn(event, 'amount'),
    isOut: true,
    other: { asset: event.address },
  })),
};

/** Further events are not read, to bound the time. */
const MAX_EVENTS = 200;

/** An event of a liquidation comes after that of the repayment inside it, and says more. */
const isFirst = ({ signature }: KnownEvent): boolean => signature.startsWith('Liquidat');

/** Deposits, withdrawals, loans, repayments and liquidations of an account in lending protocols and vaults. */
export function* protocolActsWork(account: Account, scene: Scene): Work<Clause[]> {
  const events = scene.events.filter(({ signature }) => Object.hasOwn(READERS, signature));
  const ordered = [...events.filter(isFirst), ...events.filter((event) => !isFirst(event))];
  const clauses: Clause[] = [];
  for (const event of ordered.slice(0, MAX_EVENTS)) {
    const claim = READERS[event.signature]?.(event, account.address);
    const clause = claim && clauseOf(event, claim, account, scene);
    if (clause) clauses.push(clause);
    yield 1;
  }
  return clauses;
}

function clauseOf(
  event: KnownEvent,
  claim: Claim,
  account: Account,
  scene: Scene,
): Clause | undefined {
  const { kind, amount, isOut, other, counterparty = event.address } = claim;
  const isAsset = (asset: Address): boolean =>
    claim.asset === undefined
      ? asset !== event.address
      : asset === claim.asset || (asset === NATIVE_ASSET && claim.asset === scene.wrappedNative);
  const main = account.find(
    (one) => one.isOut === isOut && one.amount === amount && amount > 0n && isAsset(one.asset),
  );
  if (!main) return undefined;
  const answers = other ? answersOf(account, other, !isOut) : receiptsOf(event, account, scene);
  if (other && answers.length === 0) return undefined;
  account.take([main, ...answers]);
  const shown = answers.filter(({ transfer }) => (transfer.to === account.address) === isOut);
  const [mine, theirs] = [
    [quantityOf(main.transfer)],
    kind === 'borrowed' || kind === 'repaid' ? [] : summed(shown.map(({ transfer }) => transfer)),
  ];
  return {
    kind,
    actor: account.address,
    gave: isOut ? mine : theirs,
    got: isOut ? theirs : mine,
    counterparty,
    nodeIds: [event.step.id, main.nodeId, ...answers.map(({ nodeId }) => nodeId)],
  };
}

/** The movement in the other direction that the event names; empty if the account had none. */
function answersOf(
  account: Account,
  { asset, amount }: NonNullable<Claim['other']>,
  isOut: boolean,
): PlacedTransfer[] {
  const found = account.find(
    (one) =>
      one.asset === asset && one.isOut === isOut && (amount === undefined || one.amount === amount),
  );
  return found ? [found] : [];
}

/** Receipts of deposits and debts that the protocol minted and burned for the account in the call that reported it. */
function receiptsOf({ step }: KnownEvent, account: Account, scene: Scene): PlacedTransfer[] {
  const call = callOf(scene, step);
  return account.all(
    ({ standard, isOfNobody }, { nodeId }) =>
      standard === 'erc20' && isOfNobody && isInside(call, nodeId),
  );
}

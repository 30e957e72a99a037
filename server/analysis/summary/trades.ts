import type { VenueKind } from '../../api/summary';
import type { Address } from '../../api/primitives';
import { isNobody, type Account, type Balance } from './account';
import type { Clause } from './clause';
import type { KnownEvent } from './known-events';
import { isFungible } from './quantity';
import { netOf, type Scene } from './scene';

/** Events of swaps, by signature. */
const SWAPS: Readonly<Record<string, VenueKind>> = {
  'Swap(address,uint256,uint256,uint256,uint256,address)': 'uniswapV2',
  'Swap(address,address,int256,int256,uint160,uint128,int24)': 'uniswapV3',
  'Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)': 'uniswapV4',
  'TokenExchange(address,int128,uint256,int128,uint256)': 'curve',
  'TokenExchange(address,uint256,uint256,uint256,uint256)': 'curve',
  'Swap(bytes32,address,address,uint256,uint256)': 'balancer',
};

export const isSwap = ({ signature }: KnownEvent): boolean => Object.hasOwn(SWAPS, signature);

/** One asset for another, where a pool reported a swap and nothing else of the account's balances is left to explain. */
export function swaps(account: Account, scene: Scene): Clause[] {
  const events = scene.events.filter(isSwap);
  if (events.length === 0) return [];
  const rest = account.rest();
  const [gave, got] = [rest.gave[0], rest.got[0]];
  if (!gave || rest.gave.length > 1 || rest.got.length > 1 || !isFungible(gave)) return [];
  if (got && !isFungible(got)) return [];
  const elsewhere = got ? undefined : receiverOf(account, scene);
  const bought = got ?? elsewhere?.got;
  if (!bought || bought.asset === gave.asset) return [];
  account.takeRest();
  return [
    {
      kind: 'swapped',
      actor: account.address,
      gave: [gave],
      got: [bought],
      ...(elsewhere ? { recipient: elsewhere.address } : {}),
      venues: venuesOf(events),
      nodeIds: events.map(({ step }) => step.id),
    },
  ];
}

function venuesOf(events: readonly KnownEvent[]): NonNullable<Clause['venues']> {
  const venues = new Map<Address, VenueKind>();
  for (const { address, signature } of events) venues.set(address, SWAPS[signature] ?? 'other');
  return [...venues].map(([address, kind]) => ({ address, kind }));
}

/** The recipient that the top call names, if it gained one asset and lost nothing. */
function receiverOf(
  account: Account,
  { root, decoder, nets }: Scene,
): { address: Address; got: Balance['got'][number] } | undefined {
  const params = decoder.decodeCall(root)?.callParams ?? [];
  const named = params.find(
    ({ name, type }) => type === 'address' && /^_?(to|recipient|receiver)$/.test(name),
  );
  if (!named || named.value === account.address) return undefined;
  const own = nets.get(named.value as Address) ?? [];
  const [gain] = own;
  if (!gain || own.length > 1 || gain.amount < 0n || !isFungible(gain)) return undefined;
  return { address: gain.account, got: gain };
}

/** Tokens with ids for one counted asset, where the other side was paid. */
export function collectibleTrades(account: Account, scene: Scene): Clause[] {
  const rest = account.rest();
  const isBuying = rest.got.length > 0 && rest.got.every((one) => !isFungible(one));
  const [items, paid] = isBuying ? [rest.got, rest.gave] : [rest.gave, rest.got];
  const [price] = paid;
  if (!price || paid.length > 1 || !isFungible(price)) return [];
  if (items.length === 0 || items.some((one) => isFungible(one))) return [];
  const moves = account.all((one) => !isFungible(one) && one.isOut !== isBuying);
  const others = new Set(moves.map(({ transfer: { from, to } }) => (isBuying ? from : to)));
  const isPaidBy = (other: Address | undefined): boolean => {
    if (isNobody(other) || other === undefined) return false;
    const assets = [price.asset, scene.wrappedNative ?? price.asset];
    return assets.some((asset) => netOf(scene, other, asset) * (isBuying ? 1n : -1n) > 0n);
  };
  if (moves.length === 0 || ![...others].every(isPaidBy)) return [];
  account.takeRest();
  const [counterparty] = others;
  return [
    {
      kind: isBuying ? 'bought' : 'sold',
      actor: account.address,
      gave: rest.gave,
      got: rest.got,
      ...(others.size === 1 ? { counterparty } : {}),
      nodeIds: moves.map(({ nodeId }) => nodeId),
    },
  ];
}

const ADDS = new Set([
  'Mint(address,uint256,uint256)', // of a pair; Compound's has the same types, and is read before
  'IncreaseLiquidity(uint256,uint128,uint256,uint256)',
]);
const REMOVES = new Set([
  'Burn(address,uint256,uint256,address)',
  'DecreaseLiquidity(uint256,uint128,uint256,uint256)',
]);

/** Assets put into or taken out of a pool, which the pool reports. */
export function liquidity(account: Account, { events }: Scene): Clause[] {
  const rest = account.rest();
  const event = events.find(({ signature }) => ADDS.has(signature) || REMOVES.has(signature));
  if (!event) return [];
  const isAdded = ADDS.has(event.signature);
  const [assets, shares] = isAdded ? [rest.gave, rest.got] : [rest.got, rest.gave];
  const isPool = event.signature.startsWith('Mint') || event.signature.startsWith('Burn');
  const isShare = ({ asset }: Balance['got'][number]): boolean => asset === event.address;
  if (assets.length === 0 || assets.length > 2 || !assets.every(isFungible)) return [];
  if (isPool ? shares.length !== 1 || !shares.every(isShare) : !shares.every(isShare)) return [];
  account.takeRest();
  return [
    {
      kind: isAdded ? 'provided' : 'removed',
      actor: account.address,
      gave: rest.gave,
      got: rest.got,
      counterparty: event.address,
      nodeIds: [event.step.id],
    },
  ];
}

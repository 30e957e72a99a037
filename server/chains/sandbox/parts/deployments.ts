import { parseUnits } from 'ethers';
import type { Address } from '../../../api/primitives';
import type { AccountName } from './accounts';

/** Inputs of constructor arguments. */
export interface Directory {
  /** Address of an account or contract of the sandbox, by its name or key. */
  address: (name: string) => Address;
  /** Call data for a contract's function. */
  encode: (key: string, method: string, args?: readonly unknown[]) => string;
}

export interface Deployment {
  /** Contract name in the sources. */
  contract: string;
  /** Shown in place of the address. */
  label: string;
  by: AccountName;
  args?: (directory: Directory) => readonly unknown[];
  /** Contract whose functions it also implements: the code behind a proxy. */
  answersAs?: string;
}

const HBR_SUPPLY = parseUnits('10000000', 18);
const TOLL_SUPPLY = parseUnits('100000', 18);
const PTS_SUPPLY = 1_000_000n;
const PAYROLL_LIMIT = parseUnits('1000', 6);
const DOLLAR = 10n ** 8n;
/** That of `ethFeed` since the story's update, with 18 decimals. */
const ETHER_PRICE = parseUnits('4100.25', 18);

/** In the order of creation, which determines the addresses: append, never insert. */
export const DEPLOYMENTS = {
  shareMath: { contract: 'ShareMath', label: 'ShareMath library', by: 'deployer' },
  weth: { contract: 'WrappedEther', label: 'WETH', by: 'deployer' },
  hbr: {
    contract: 'HarborToken',
    label: 'HBR',
    by: 'deployer',
    args: ({ address }) => [address('deployer'), HBR_SUPPLY],
  },
  husd: {
    contract: 'HarborDollar',
    label: 'hUSD',
    by: 'deployer',
    args: ({ address }) => [address('deployer')],
  },
  old: { contract: 'LegacyToken', label: 'OLD', by: 'deployer' },
  treasury: { contract: 'Treasury', label: 'Treasury', by: 'deployer' },
  toll: {
    contract: 'TollToken',
    label: 'TOLL',
    by: 'deployer',
    args: ({ address }) => [address('treasury'), address('deployer'), TOLL_SUPPLY],
  },
  goldV1: { contract: 'UpgradeableToken', label: 'GOLD code, version 1', by: 'deployer' },
  goldV2: { contract: 'UpgradeableTokenV2', label: 'GOLD code, version 2', by: 'deployer' },
  gold: {
    contract: 'Proxy',
    label: 'GOLD (proxy)',
    by: 'deployer',
    answersAs: 'UpgradeableTokenV2',
    args: ({ address, encode }) => [
      address('goldV1'),
      encode('goldV1', 'initialize', ['Gold', 'GOLD', address('carol')]),
    ],
  },
  poolHbrHusd: {
    contract: 'Pool',
    label: 'HBR/hUSD pool',
    by: 'deployer',
    args: ({ address }) => [address('hbr'), address('husd')],
  },
  poolHusdWeth: {
    contract: 'Pool',
    label: 'hUSD/WETH pool',
    by: 'deployer',
    args: ({ address }) => [address('husd'), address('weth')],
  },
  poolSide: {
    contract: 'Pool',
    label: 'HBR/hUSD side pool',
    by: 'deployer',
    args: ({ address }) => [address('hbr'), address('husd')],
  },
  router: { contract: 'Router', label: 'Router', by: 'deployer' },
  lender: { contract: 'FlashLender', label: 'Flash lender', by: 'deployer' },
  arbitrageur: {
    contract: 'Arbitrageur',
    label: 'Arbitrageur',
    by: 'deployer',
    args: ({ address }) => [address('carol'), address('lender')],
  },
  ethFeed: {
    contract: 'PriceFeed',
    label: 'ETH / USD feed',
    by: 'deployer',
    args: ({ address }) => ['ETH / USD', address('reporter'), 4_000n * DOLLAR],
  },
  hbrFeed: {
    contract: 'PriceFeed',
    label: 'HBR / USD feed',
    by: 'deployer',
    args: ({ address }) => ['HBR / USD', address('reporter'), 2n * DOLLAR],
  },
  husdFeed: {
    contract: 'PriceFeed',
    label: 'hUSD / USD feed',
    by: 'deployer',
    args: ({ address }) => ['hUSD / USD', address('reporter'), DOLLAR],
  },
  lighthouse: { contract: 'Lighthouse', label: 'Lighthouses', by: 'deployer' },
  cargo: { contract: 'Cargo', label: 'Cargo', by: 'deployer' },
  factory: { contract: 'CapsuleFactory', label: 'Capsule factory', by: 'deployer' },
  splitter: {
    contract: 'RevenueSplitter',
    label: 'Revenue splitter',
    by: 'deployer',
    args: ({ address }) => [
      [address('alice'), address('bob'), address('treasury')],
      [50n, 30n, 20n],
    ],
  },
  tipJar: { contract: 'TipJar', label: 'Tip jar', by: 'deployer' },
  shelf: { contract: 'Shelf', label: 'Shelf', by: 'deployer' },
  warehouse: {
    contract: 'Warehouse',
    label: 'Warehouse',
    by: 'deployer',
    args: ({ address }) => [address('shelf')],
  },
  checkout: {
    contract: 'Checkout',
    label: 'Checkout',
    by: 'deployer',
    args: ({ address }) => [address('warehouse')],
  },
  calculator: { contract: 'Calculator', label: 'Calculator', by: 'deployer' },
  payroll: {
    contract: 'Payroll',
    label: 'Payroll',
    by: 'deployer',
    args: ({ address }) => [address('husd'), PAYROLL_LIMIT],
  },
  guzzler: { contract: 'GasGuzzler', label: 'Gas guzzler', by: 'deployer' },
  fractal: { contract: 'Fractal', label: 'Fractal', by: 'deployer' },
  vault: { contract: 'EtherVault', label: 'Ether vault', by: 'deployer' },
  batchExecutor: { contract: 'BatchExecutor', label: 'Batch executor', by: 'deployer' },
  multicall: { contract: 'Multicall', label: 'Multicall', by: 'deployer' },
  thief: {
    contract: 'VaultThief',
    label: "Mallory's thief",
    by: 'mallory',
    args: ({ address }) => [address('vault')],
  },
  points: {
    contract: 'LoyaltyPoints',
    label: 'PTS',
    by: 'bob',
    args: ({ address }) => [address('bob'), PTS_SUPPLY],
  },
  steadyFeed: {
    contract: 'SteadyFeed',
    label: "Grace's price feed",
    by: 'grace',
    args: () => [ETHER_PRICE],
  },
  dollarVault: {
    contract: 'DollarVault',
    label: 'Dollar vault',
    by: 'grace',
    args: ({ address }) => [address('steadyFeed')],
  },
} satisfies Record<string, Deployment>;

export type ContractKey = keyof typeof DEPLOYMENTS;

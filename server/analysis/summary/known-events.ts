import type { EventFragment } from 'ethers';
import type { Address, Hash } from '../../api/primitives';
import { ContractInterface } from '../contract-interface';
import { decodeLog } from '../decoding/log';
import type { Candidate } from '../decoding/signature-candidates';
import type { Step } from '../call-frame';

/** Events of standards and well-known protocols: their topic and form identify them, whoever emits them. */
const EVENTS = [
  // ERC-20, ERC-721, ERC-1155, Permit2
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 indexed tokenId)',
  'event ApprovalForAll(address indexed owner, address indexed spender, bool approved)',
  'event Approval(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration)',
  // wrapped native tokens
  'event Deposit(address indexed dst, uint256 wad)',
  'event Withdrawal(address indexed src, uint256 wad)',
  // ERC-4626
  'event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)',
  'event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
  // Uniswap and its descendants, Curve, Balancer
  'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
  'event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)',
  'event TokenExchange(address indexed buyer, int128 sold_id, uint256 tokens_sold, int128 bought_id, uint256 tokens_bought)',
  'event TokenExchange(address indexed buyer, uint256 sold_id, uint256 tokens_sold, uint256 bought_id, uint256 tokens_bought)',
  'event Swap(bytes32 indexed poolId, address indexed tokenIn, address indexed tokenOut, uint256 amountIn, uint256 amountOut)',
  'event Sync(uint112 reserve0, uint112 reserve1)',
  'event Mint(address indexed sender, uint256 amount0, uint256 amount1)',
  'event Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to)',
  'event IncreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
  'event DecreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
  // Aave V2 and V3
  'event Deposit(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint16 indexed referral)',
  'event Supply(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint16 indexed referralCode)',
  'event Withdraw(address indexed reserve, address indexed user, address indexed to, uint256 amount)',
  'event Borrow(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint256 borrowRateMode, uint256 borrowRate, uint16 indexed referral)',
  'event Borrow(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint8 interestRateMode, uint256 borrowRate, uint16 indexed referralCode)',
  'event Repay(address indexed reserve, address indexed user, address indexed repayer, uint256 amount)',
  'event Repay(address indexed reserve, address indexed user, address indexed repayer, uint256 amount, bool useATokens)',
  'event LiquidationCall(address indexed collateralAsset, address indexed debtAsset, address indexed user, uint256 debtToCover, uint256 liquidatedCollateralAmount, address liquidator, bool receiveAToken)',
  // Compound V2
  'event Mint(address minter, uint256 mintAmount, uint256 mintTokens)',
  'event Redeem(address redeemer, uint256 redeemAmount, uint256 redeemTokens)',
  'event Borrow(address borrower, uint256 borrowAmount, uint256 accountBorrows, uint256 totalBorrows)',
  'event RepayBorrow(address payer, address borrower, uint256 repayAmount, uint256 accountBorrows, uint256 totalBorrows)',
  'event LiquidateBorrow(address liquidator, address borrower, uint256 repayAmount, address cTokenCollateral, uint256 seizeTokens)',
  // Lido, beacon deposits
  'event Submitted(address indexed sender, uint256 amount, address referral)',
  'event DepositEvent(bytes pubkey, bytes withdrawal_credentials, bytes amount, bytes signature, bytes index)',
  // governors
  'event VoteCast(address indexed voter, uint256 proposalId, uint8 support, uint256 weight, string reason)',
  'event VoteCastWithParams(address indexed voter, uint256 proposalId, uint8 support, uint256 weight, string reason, bytes params)',
  // ERC-173, ERC-1967
  'event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)',
  'event Upgraded(address indexed implementation)',
  'event BeaconUpgraded(address indexed beacon)',
  'event AdminChanged(address previousAdmin, address newAdmin)',
  // wallets: Safe, ERC-4337
  'event ExecutionSuccess(bytes32 txHash, uint256 payment)',
  'event ExecutionSuccess(bytes32 indexed txHash, uint256 payment)',
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
  // flash loans: Aave, Balancer, EIP-3156, Uniswap V3
  'event FlashLoan(address indexed target, address initiator, address indexed asset, uint256 amount, uint8 interestRateMode, uint256 premium, uint16 indexed referralCode)',
  'event FlashLoan(address indexed target, address indexed initiator, address indexed asset, uint256 amount, uint256 premium, uint16 referralCode)',
  'event FlashLoan(address indexed recipient, address indexed token, uint256 amount, uint256 feeAmount)',
  'event Flash(address indexed sender, address indexed recipient, uint256 amount0, uint256 amount1, uint256 paid0, uint256 paid1)',
];

/** A well-known event that was not rolled back. */
export interface KnownEvent {
  readonly step: Step;
  /** Emitter; under a proxy, the proxy. */
  readonly address: Address;
  readonly name: string;
  readonly signature: string;
  /** Values as text, by the names in the table. */
  readonly values: Readonly<Record<string, string>>;
}

let table: ContractInterface | undefined;
const candidates = new Map<Hash, readonly Candidate<EventFragment>[]>();

function candidatesOf(topic: Hash): readonly Candidate<EventFragment>[] {
  let known = candidates.get(topic);
  if (!known) {
    table ??= ContractInterface.fromAbi(EVENTS);
    const fragments = table.events(topic);
    if (fragments.length === 0) return [];
    known = fragments.map((fragment) => ({ fragment, source: 'built-in' }));
    candidates.set(topic, known);
  }
  return known;
}

/** Undefined for a call, an event that is not well known, and one that was rolled back. */
export function readKnownEvent(step: Step): KnownEvent | undefined {
  const topic = step.log?.topics[0];
  if (!step.log || step.reverted || topic === undefined) return undefined;
  const decoded = decodeLog(step.log, candidatesOf(topic));
  if (!decoded) return undefined;
  const { name, signature, params } = decoded;
  const values = Object.fromEntries(params.map((param) => [param.name, param.value]));
  return { step, address: step.log.address, name, signature, values };
}

/** An address among the values of an event. */
export const addressIn = ({ values }: KnownEvent, name: string): Address =>
  (values[name] ?? '') as Address;

/** A number among the values of an event; 0 if there is none. */
export const numberIn = ({ values }: KnownEvent, name: string): bigint => BigInt(values[name] ?? 0);

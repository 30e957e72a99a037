import { FunctionFragment } from 'ethers';

/** Bits of the command itself, without the bit that lets a command fail (Uniswap's Universal Router 2.1, `Commands`). */
const COMMAND_MASK = 0x7f;

const PERMIT_DETAILS = '(address token, uint160 amount, uint48 expiration, uint48 nonce)';
const HOP_PRICES = ', uint256[] minHopPriceX36';
const POOL_KEY =
  '(address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks) poolKey';

/** A command and, of later routers, the same with a further input. */
const versions = (name: string, inputs: string, more: string): string[] => [
  `${name}(${inputs})`,
  `${name}(${inputs}${more})`,
];

/** Inputs of the Universal Router's commands, of its versions 1 to 2.1 (Uniswap's `Commands` and `Dispatcher`). */
const COMMANDS: Readonly<Record<number, readonly string[]>> = {
  0x00: versions(
    'V3_SWAP_EXACT_IN',
    'address recipient, uint256 amountIn, uint256 amountOutMin, bytes path, bool payerIsUser',
    HOP_PRICES,
  ),
  0x01: versions(
    'V3_SWAP_EXACT_OUT',
    'address recipient, uint256 amountOut, uint256 amountInMax, bytes path, bool payerIsUser',
    HOP_PRICES,
  ),
  0x02: ['PERMIT2_TRANSFER_FROM(address token, address recipient, uint160 amount)'],
  0x03: [
    `PERMIT2_PERMIT_BATCH((${PERMIT_DETAILS}[] details, address spender, uint256 sigDeadline) permit, bytes signature)`,
  ],
  0x04: ['SWEEP(address token, address recipient, uint256 amountMin)'],
  0x05: ['TRANSFER(address token, address recipient, uint256 value)'],
  0x06: ['PAY_PORTION(address token, address recipient, uint256 bips)'],
  0x07: ['PAY_PORTION_FULL_PRECISION(address token, address recipient, uint256 portion)'],
  0x08: versions(
    'V2_SWAP_EXACT_IN',
    'address recipient, uint256 amountIn, uint256 amountOutMin, address[] path, bool payerIsUser',
    HOP_PRICES,
  ),
  0x09: versions(
    'V2_SWAP_EXACT_OUT',
    'address recipient, uint256 amountOut, uint256 amountInMax, address[] path, bool payerIsUser',
    HOP_PRICES,
  ),
  0x0a: [
    `PERMIT2_PERMIT((${PERMIT_DETAILS} details, address spender, uint256 sigDeadline) permit, bytes signature)`,
  ],
  0x0b: ['WRAP_ETH(address recipient, uint256 amountMin)'],
  0x0c: ['UNWRAP_WETH(address recipient, uint256 amountMin)'],
  0x0d: [
    'PERMIT2_TRANSFER_FROM_BATCH((address from, address to, uint160 amount, address token)[] batch)',
  ],
  0x0e: ['BALANCE_CHECK_ERC20(address owner, address token, uint256 minBalance)'],
  // The first router bought collectibles by this command.
  0x10: ['V4_SWAP(bytes actions, bytes[] params)', 'SEAPORT(uint256 value, bytes data)'],
  0x13: [`V4_INITIALIZE_POOL(${POOL_KEY}, uint160 sqrtPriceX96)`],
  0x21: ['EXECUTE_SUB_PLAN(bytes commands, bytes[] inputs)'],
  0x40: [
    'ACROSS_V4_DEPOSIT_V3((address depositor, address recipient, address inputToken, address outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, address exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, bytes message, bool useNative) params)',
  ],
};

/** Commands whose input is the data of a call to a position manager. */
const CALLS: Readonly<Record<number, string>> = {
  0x11: 'V3_POSITION_MANAGER_PERMIT',
  0x12: 'V3_POSITION_MANAGER_CALL',
  0x14: 'V4_POSITION_MANAGER_CALL',
};

const PATH =
  '(address intermediateCurrency, uint24 fee, int24 tickSpacing, address hooks, bytes hookData)[] path';
const swapOf = (name: string, start: string, price: string, end: string): string[] => [
  `${name}((${start}, ${end}) params)`,
  `${name}((${start}, ${price}) params)`,
];
const singleOf = (name: string, amounts: string): string[] =>
  swapOf(
    name,
    `${POOL_KEY}, bool zeroForOne, ${amounts}`,
    'uint256 minHopPriceX36, bytes hookData',
    'bytes hookData',
  );
const pathOf = (name: string, currency: string, amounts: string): string[] =>
  swapOf(name, `address ${currency}, ${PATH}`, `uint256[] minHopPriceX36, ${amounts}`, amounts);

/** Parameters of Uniswap V4's actions (v4-periphery, `Actions` and `CalldataDecoder`), of routers 2.0 and 2.1. */
const ACTIONS: Readonly<Record<number, readonly string[]>> = {
  0x00: [
    'INCREASE_LIQUIDITY(uint256 tokenId, uint256 liquidity, uint128 amount0Max, uint128 amount1Max, bytes hookData)',
  ],
  0x01: [
    'DECREASE_LIQUIDITY(uint256 tokenId, uint256 liquidity, uint128 amount0Min, uint128 amount1Min, bytes hookData)',
  ],
  0x02: [
    `MINT_POSITION(${POOL_KEY}, int24 tickLower, int24 tickUpper, uint256 liquidity, uint128 amount0Max, uint128 amount1Max, address owner, bytes hookData)`,
  ],
  0x03: ['BURN_POSITION(uint256 tokenId, uint128 amount0Min, uint128 amount1Min, bytes hookData)'],
  0x06: singleOf('SWAP_EXACT_IN_SINGLE', 'uint128 amountIn, uint128 amountOutMinimum'),
  0x07: pathOf('SWAP_EXACT_IN', 'currencyIn', 'uint128 amountIn, uint128 amountOutMinimum'),
  0x08: singleOf('SWAP_EXACT_OUT_SINGLE', 'uint128 amountOut, uint128 amountInMaximum'),
  0x09: pathOf('SWAP_EXACT_OUT', 'currencyOut', 'uint128 amountOut, uint128 amountInMaximum'),
  0x0b: ['SETTLE(address currency, uint256 amount, bool payerIsUser)'],
  0x0c: ['SETTLE_ALL(address currency, uint256 maxAmount)'],
  0x0d: ['SETTLE_PAIR(address currency0, address currency1)'],
  0x0e: ['TAKE(address currency, address recipient, uint256 amount)'],
  0x0f: ['TAKE_ALL(address currency, uint256 minAmount)'],
  0x10: ['TAKE_PORTION(address currency, address recipient, uint256 bips)'],
  0x11: ['TAKE_PAIR(address currency0, address currency1, address recipient)'],
  0x12: ['CLOSE_CURRENCY(address currency)'],
  0x13: ['CLEAR_OR_TAKE(address currency, uint256 amountMax)'],
  0x14: ['SWEEP(address currency, address to)'],
  0x15: ['WRAP(uint256 amount)'],
  0x16: ['UNWRAP(uint256 amount)'],
};

/** What one byte of a plan stands for. */
export interface PlanStep {
  readonly name: string;
  /** The inputs as those of a function, of each version. Empty if the input is the data of a call. */
  readonly fragments: readonly FunctionFragment[];
}

const read = new Map<string, FunctionFragment>();

function fragmentOf(text: string): FunctionFragment {
  let fragment = read.get(text);
  if (!fragment) read.set(text, (fragment = FunctionFragment.from(`function ${text}`)));
  return fragment;
}

function stepOf(texts: readonly string[] | undefined): PlanStep | undefined {
  const fragments = texts?.map(fragmentOf);
  const [first] = fragments ?? [];
  return fragments && first && { name: first.name, fragments };
}

/** The command of a byte of the Universal Router. */
export function routerCommand(byte: number): PlanStep | undefined {
  const command = byte & COMMAND_MASK;
  const call = CALLS[command];
  return call === undefined ? stepOf(COMMANDS[command]) : { name: call, fragments: [] };
}

/** The action of a byte of Uniswap V4's router and position manager. */
export const poolAction = (byte: number): PlanStep | undefined => stepOf(ACTIONS[byte]);

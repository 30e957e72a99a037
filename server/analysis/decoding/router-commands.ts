import { FunctionFragment } from 'ethers';

/** Bits of the command itself, without the bit that lets a command fail (Uniswap's Universal Router, `Commands`). */
const COMMAND_MASK = 0x3f;

const PERMIT_DETAILS = '(address token, uint160 amount, uint48 expiration, uint48 nonce)';

/** Inputs of the Universal Router's commands (Uniswap documentation, "Technical Reference"). */
const COMMANDS: Readonly<Record<number, string>> = {
  0x00: 'V3_SWAP_EXACT_IN(address recipient, uint256 amountIn, uint256 amountOutMin, bytes path, bool payerIsUser)',
  0x01: 'V3_SWAP_EXACT_OUT(address recipient, uint256 amountOut, uint256 amountInMax, bytes path, bool payerIsUser)',
  0x02: 'PERMIT2_TRANSFER_FROM(address token, address recipient, uint160 amount)',
  0x03: `PERMIT2_PERMIT_BATCH((${PERMIT_DETAILS}[] details, address spender, uint256 sigDeadline) permit, bytes signature)`,
  0x04: 'SWEEP(address token, address recipient, uint256 amountMin)',
  0x05: 'TRANSFER(address token, address recipient, uint256 value)',
  0x06: 'PAY_PORTION(address token, address recipient, uint256 bips)',
  0x08: 'V2_SWAP_EXACT_IN(address recipient, uint256 amountIn, uint256 amountOutMin, address[] path, bool payerIsUser)',
  0x09: 'V2_SWAP_EXACT_OUT(address recipient, uint256 amountOut, uint256 amountInMax, address[] path, bool payerIsUser)',
  0x0a: `PERMIT2_PERMIT((${PERMIT_DETAILS} details, address spender, uint256 sigDeadline) permit, bytes signature)`,
  0x0b: 'WRAP_ETH(address recipient, uint256 amountMin)',
  0x0c: 'UNWRAP_WETH(address recipient, uint256 amountMin)',
  0x0d: 'PERMIT2_TRANSFER_FROM_BATCH((address from, address to, uint160 amount, address token)[] batch)',
  0x0e: 'BALANCE_CHECK_ERC20(address owner, address token, uint256 minBalance)',
  0x10: 'V4_SWAP(bytes actions, bytes[] params)',
  0x21: 'EXECUTE_SUB_PLAN(bytes commands, bytes[] inputs)',
};

const read = new Map<number, FunctionFragment>();

/** The command of a byte, with its inputs as those of a function. */
export function routerCommand(byte: number): FunctionFragment | undefined {
  const command = byte & COMMAND_MASK;
  const text = COMMANDS[command];
  if (text === undefined) return undefined;
  let fragment = read.get(command);
  if (!fragment) read.set(command, (fragment = FunctionFragment.from(`function ${text}`)));
  return fragment;
}

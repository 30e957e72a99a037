import type { UnitRules } from './rules';

const PERMIT_DETAILS = '(address,uint160,uint48,uint48)';
const V2_TOKENS = '(uint256,uint256,address[],address,uint256)';
const V2_ETHER = '(uint256,address[],address,uint256)';

/** EIP-20 and EIP-2612, with common additions, and Permit2. */
const TOKENS: UnitRules = {
  'transfer(address,uint256)': '1=self',
  'transferFrom(address,address,uint256)': '2=self',
  'approve(address,uint256)': '1=self',
  'increaseAllowance(address,uint256)': '1=self',
  'decreaseAllowance(address,uint256)': '1=self',
  'mint(address,uint256)': '1=self',
  'burn(uint256)': '0=self',
  'burn(address,uint256)': '1=self',
  'burnFrom(address,uint256)': '1=self',
  'totalSupply()': '> 0=self',
  'balanceOf(address)': '> 0=self',
  'allowance(address,address)': '> 0=self',
  'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)': '2=self 3=time',
  'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)': '3=time',
  'withdraw(uint256)': '0=wrapped',
  'approve(address,address,uint160,uint48)': '2=@0 3=time',
  'transferFrom(address,address,uint160,address)': '2=@3',
  'allowance(address,address,address)': '> 0=@1 1=time',
  [`permit(address,(${PERMIT_DETAILS},address,uint256),bytes)`]: '1.0.1=@1.0.0 1.0.2=time 1.2=time',
  'permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)':
    '0.0.1=@0.0.0 0.2=time 1.1=@0.0.0',
};

/** EIP-4626. */
const VAULTS: UnitRules = {
  'deposit(uint256,address)': '0=asset > 0=self',
  'mint(uint256,address)': '0=self > 0=asset',
  'withdraw(uint256,address,address)': '0=asset > 0=self',
  'redeem(uint256,address,address)': '0=self > 0=asset',
  'totalAssets()': '> 0=asset',
  'convertToShares(uint256)': '0=asset > 0=self',
  'convertToAssets(uint256)': '0=self > 0=asset',
  'previewDeposit(uint256)': '0=asset > 0=self',
  'previewMint(uint256)': '0=self > 0=asset',
  'previewWithdraw(uint256)': '0=asset > 0=self',
  'previewRedeem(uint256)': '0=self > 0=asset',
  'maxDeposit(address)': '> 0=asset',
  'maxMint(address)': '> 0=self',
  'maxWithdraw(address)': '> 0=asset',
  'maxRedeem(address)': '> 0=self',
};

/** Uniswap V2: pairs and router. */
const UNISWAP_V2: UnitRules = {
  'getReserves()': '> 0=token0 1=token1 2=time',
  'swap(uint256,uint256,address,bytes)': '0=token0 1=token1',
  'mint(address)': '> 0=pool',
  'burn(address)': '> 0=token0 1=token1',
  [`swapExactTokensForTokens${V2_TOKENS}`]: '0=@2.first 1=@2.last 4=time > 0.*=@2.*',
  [`swapTokensForExactTokens${V2_TOKENS}`]: '0=@2.last 1=@2.first 4=time > 0.*=@2.*',
  [`swapTokensForExactETH${V2_TOKENS}`]: '0=native 1=@2.first 4=time > 0.*=@2.*',
  [`swapExactTokensForETH${V2_TOKENS}`]: '0=@2.first 1=native 4=time > 0.*=@2.*',
  [`swapExactETHForTokens${V2_ETHER}`]: '0=@1.last 3=time > 0.*=@1.*',
  [`swapETHForExactTokens${V2_ETHER}`]: '0=@1.last 3=time > 0.*=@1.*',
  [`swapExactTokensForTokensSupportingFeeOnTransferTokens${V2_TOKENS}`]:
    '0=@2.first 1=@2.last 4=time',
  [`swapExactTokensForETHSupportingFeeOnTransferTokens${V2_TOKENS}`]: '0=@2.first 1=native 4=time',
  [`swapExactETHForTokensSupportingFeeOnTransferTokens${V2_ETHER}`]: '0=@1.last 3=time',
  'addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256)':
    '2=@0 3=@1 4=@0 5=@1 7=time > 0=@0 1=@1',
  'addLiquidityETH(address,uint256,uint256,uint256,address,uint256)':
    '1=@0 2=@0 3=native 5=time > 0=@0 1=native',
  'removeLiquidity(address,address,uint256,uint256,uint256,address,uint256)':
    '3=@0 4=@1 6=time > 0=@0 1=@1',
  'removeLiquidityETH(address,uint256,uint256,uint256,address,uint256)':
    '2=@0 3=native 5=time > 0=@0 1=native',
  'getAmountsOut(uint256,address[])': '0=@1.first > 0.*=@1.*',
  'getAmountsIn(uint256,address[])': '0=@1.last > 0.*=@1.*',
};

/** Uniswap V3: pools, both routers, quoters and positions. */
const UNISWAP_V3: UnitRules = {
  'swap(address,bool,int256,uint160,bytes)': '> 0=token0 1=token1',
  'flash(address,uint256,uint256,bytes)': '1=token0 2=token1',
  'exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))':
    '0.4=time 0.5=@0.0 0.6=@0.1 > 0=@0.1',
  'exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))':
    '0.4=@0.0 0.5=@0.1 > 0=@0.1',
  'exactOutputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))':
    '0.4=time 0.5=@0.1 0.6=@0.0 > 0=@0.0',
  'exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))':
    '0.4=@0.1 0.5=@0.0 > 0=@0.0',
  'exactInput((bytes,address,uint256,uint256,uint256))':
    '0.2=time 0.3=path:0.0.first 0.4=path:0.0.last > 0=path:0.0.last',
  'exactInput((bytes,address,uint256,uint256))':
    '0.2=path:0.0.first 0.3=path:0.0.last > 0=path:0.0.last',
  'exactOutput((bytes,address,uint256,uint256,uint256))':
    '0.2=time 0.3=path:0.0.first 0.4=path:0.0.last > 0=path:0.0.last',
  'exactOutput((bytes,address,uint256,uint256))':
    '0.2=path:0.0.first 0.3=path:0.0.last > 0=path:0.0.last',
  'quoteExactInputSingle(address,address,uint24,uint256,uint160)': '3=@0 > 0=@1',
  'quoteExactOutputSingle(address,address,uint24,uint256,uint160)': '3=@1 > 0=@0',
  'mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256))':
    '0.5=@0.0 0.6=@0.1 0.7=@0.0 0.8=@0.1 0.10=time > 2=@0.0 3=@0.1',
  'unwrapWETH9(uint256,address)': '0=native',
  'unwrapWETH9(uint256)': '0=native',
  'sweepToken(address,uint256,address)': '1=@0',
};

/** Uniswap's Universal Router and its commands. */
const UNIVERSAL_ROUTER: UnitRules = {
  'execute(bytes,bytes[],uint256)': '2=time',
  'V3_SWAP_EXACT_IN(address,uint256,uint256,bytes,bool)': '1=path:3.first 2=path:3.last',
  'V3_SWAP_EXACT_OUT(address,uint256,uint256,bytes,bool)': '1=path:3.first 2=path:3.last',
  'V2_SWAP_EXACT_IN(address,uint256,uint256,address[],bool)': '1=@3.first 2=@3.last',
  'V2_SWAP_EXACT_OUT(address,uint256,uint256,address[],bool)': '1=@3.last 2=@3.first',
  'PERMIT2_TRANSFER_FROM(address,address,uint160)': '2=@0',
  'SWEEP(address,address,uint256)': '2=@0',
  'TRANSFER(address,address,uint256)': '2=@0',
  'WRAP_ETH(address,uint256)': '1=native',
  'UNWRAP_WETH(address,uint256)': '1=native',
  [`PERMIT2_PERMIT((${PERMIT_DETAILS},address,uint256),bytes)`]: '0.0.1=@0.0.0 0.0.2=time 0.2=time',
  'BALANCE_CHECK_ERC20(address,address,uint256)': '2=@1',
};

/** Aave's pools, and flash loans of Aave, Balancer and EIP-3156. */
const LENDING: UnitRules = {
  'supply(address,uint256,address,uint16)': '1=@0',
  'deposit(address,uint256,address,uint16)': '1=@0',
  'withdraw(address,uint256,address)': '1=@0 > 0=@0',
  'borrow(address,uint256,uint256,uint16,address)': '1=@0',
  'repay(address,uint256,uint256,address)': '1=@0 > 0=@0',
  'liquidationCall(address,address,address,uint256,bool)': '3=@1',
  'flashLoan(address,address[],uint256[],uint256[],address,bytes,uint16)': '2.*=@1.*',
  'flashLoanSimple(address,address,uint256,bytes,uint16)': '2=@1',
  'executeOperation(address[],uint256[],uint256[],address,bytes)': '1.*=@0.* 2.*=@0.*',
  'executeOperation(address,uint256,uint256,address,bytes)': '1=@0 2=@0',
  'flashLoan(address,address[],uint256[],bytes)': '2.*=@1.*',
  'receiveFlashLoan(address[],uint256[],uint256[],bytes)': '1.*=@0.* 2.*=@0.*',
  'flashLoan(address,address,uint256,bytes)': '2=@1',
  'onFlashLoan(address,address,uint256,uint256,bytes)': '2=@1 3=@1',
  'maxFlashLoan(address)': '> 0=@0',
  'flashFee(address,uint256)': '1=@0 > 0=@0',
  'latestRoundData()': '> 2=time 3=time',
};

/** Units of arguments and results of well-known methods, by signature. */
export const METHOD_RULES: UnitRules = {
  ...TOKENS,
  ...VAULTS,
  ...UNISWAP_V2,
  ...UNISWAP_V3,
  ...UNIVERSAL_ROUTER,
  ...LENDING,
};

import type { UnitRules } from './rules';

/** Units of the parameters of well-known events, by signature. */
export const EVENT_RULES: UnitRules = {
  // EIP-20, wrapped native tokens, Permit2
  'Transfer(address,address,uint256)': '2=self',
  'Approval(address,address,uint256)': '2=self',
  'Deposit(address,uint256)': '1=wrapped',
  'Withdrawal(address,uint256)': '1=wrapped',
  'Approval(address,address,address,uint160,uint48)': '3=@1 4=time',
  'Permit(address,address,address,uint160,uint48,uint48)': '3=@1 4=time',
  // EIP-4626
  'Deposit(address,address,uint256,uint256)': '2=asset 3=self',
  'Withdraw(address,address,address,uint256,uint256)': '3=asset 4=self',
  // Uniswap V2
  'Swap(address,uint256,uint256,uint256,uint256,address)': '1=token0 2=token1 3=token0 4=token1',
  'Sync(uint112,uint112)': '0=token0 1=token1',
  'Mint(address,uint256,uint256)': '1=token0 2=token1',
  'Burn(address,uint256,uint256,address)': '1=token0 2=token1',
  // Uniswap V3
  'Swap(address,address,int256,int256,uint160,uint128,int24)': '2=token0 3=token1',
  'Mint(address,address,int24,int24,uint128,uint256,uint256)': '5=token0 6=token1',
  'Burn(address,int24,int24,uint128,uint256,uint256)': '4=token0 5=token1',
  'Collect(address,address,int24,int24,uint128,uint128)': '4=token0 5=token1',
  'Flash(address,address,uint256,uint256,uint256,uint256)': '2=token0 3=token1 4=token0 5=token1',
  // Aave and Balancer
  'Supply(address,address,address,uint256,uint16)': '3=@0',
  'Deposit(address,address,address,uint256,uint16)': '3=@0',
  'Withdraw(address,address,address,uint256)': '3=@0',
  'Borrow(address,address,address,uint256,uint8,uint256,uint16)': '3=@0',
  'Repay(address,address,address,uint256,bool)': '3=@0',
  'LiquidationCall(address,address,address,uint256,uint256,address,bool)': '3=@1 4=@0',
  'FlashLoan(address,address,address,uint256,uint8,uint256,uint16)': '3=@2 5=@2',
  'FlashLoan(address,address,uint256,uint256)': '2=@1 3=@1',
};

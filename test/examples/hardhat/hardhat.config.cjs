/* global process -- as Hardhat runs it */
// Run on a fork: forklens fork exec <fork> -- npx hardhat test --network fork
require('@nomicfoundation/hardhat-ethers');

module.exports = {
  solidity: '0.8.30',
  networks: { fork: { url: process.env.ETH_RPC_URL ?? '' } },
};

/* global process -- as Hardhat runs it */
// Run on a fork: forklens fork exec <fork> -- npx hardhat test --network fork
// Run from a lockfile, by the plugin: forklens lock run --frozen -- npx hardhat test
require('@nomicfoundation/hardhat-ethers');
require('./forklens.cjs');

module.exports = {
  solidity: '0.8.30',
  networks: {
    fork: { url: process.env.ETH_RPC_URL ?? '' },
    hardhat: { chains: { 31337: { hardforkHistory: { prague: 0 } } } }, // for chains that Hardhat does not know
  },
};

/* global process, __dirname -- Hardhat runs this file in the root of the checkout */
const fs = require('node:fs');
const path = require('node:path');
const { subtask } = require('hardhat/config');
const names = require('hardhat/builtin-tasks/task-names');

require('@nomicfoundation/hardhat-chai-matchers');
require('@nomicfoundation/hardhat-ethers');
require('hardhat-exposed');
require('hardhat-ignore-warnings');
// Skips the helper that ends the process at the first unhandled rejection, before the results are written.
for (const file of fs.readdirSync(path.join(__dirname, 'hardhat'))) {
  if (file !== 'async-test-sanity.js') require(path.join(__dirname, 'hardhat', file));
}

// The compiler comes from npm, not from the network.
subtask(names.TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, ({ solcVersion }) => ({
  version: solcVersion,
  longVersion: solcVersion,
  compilerPath: require.resolve('solc/soljson.js'),
  isSolcJs: true,
}));

/** Contracts that the tests deploy. The compiler in WebAssembly cannot compile all contracts at once. */
const SOURCES = [
  ...['AccessControl', 'CallReceiverMock', 'Clones', 'ClonesMock', 'DummyImplementation'],
  ...['ERC1155', 'ERC1155ReceiverMock', 'ERC20', 'ERC20ApprovalMock', 'ERC20FlashMint'],
  ...['ERC20FlashMintMock', 'ERC20Pausable', 'ERC20Permit', 'ERC20Votes'],
  ...['ERC20VotesTimestampMock', 'ERC3156FlashBorrowerMock', 'ERC721', 'ERC721ReceiverMock'],
  ...['EtherReceiverMock', 'Ownable', 'RegressionImplementation', 'TimelockController'],
  ...['TimelockReentrant', 'VestingWallet'],
];
subtask(names.TASK_COMPILE_SOLIDITY_GET_SOURCE_PATHS).setAction(async (_, __, runSuper) =>
  (await runSuper()).filter((file) => SOURCES.includes(path.basename(file, '.sol'))),
);

module.exports = {
  solidity: {
    version: '0.8.27',
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'prague',
      outputSelection: { '*': { '*': ['storageLayout'] } },
    },
  },
  warnings: { '*': { default: 'off' } },
  exposed: { imports: true, initializers: true, exclude: ['vendor/**/*', '**/*WithInit.sol'] },
  networks: { fork: { url: process.env.FORK_RPC ?? '' } },
  mocha: { reporter: 'json', reporterOptions: { output: process.env.CLIENTS_RESULTS } },
};

/* global process -- as Hardhat runs it */
// A plugin: Hardhat's own network forks the chain at the address that `forklens lock` or `forklens ci run` serves.
const { extendConfig } = require('hardhat/config');

extendConfig(({ networks }) => {
  const url = process.env.ETH_RPC_URL ?? '';
  if (url !== '') networks.hardhat.forking = { enabled: true, url, httpHeaders: {} };
});

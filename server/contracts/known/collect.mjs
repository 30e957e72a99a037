// Writes known-contracts.json: `npm run known:contracts`. Reads the token lists and address books of pinned packages from the registry.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { BY_CHAIN, EVERYWHERE, WRAPPED } from './kept-contracts.mjs';

const ROOT = path.join(import.meta.dirname, '../../..');
/** Inside the repository, so that the packages find what they import. */
const FOLDER = path.join(ROOT, 'dist/known-contracts-packages');
const require = createRequire(import.meta.url);
/** Raise a version to refresh its list, and review the difference. All have permissive licences. */
const PACKAGES = {
  aave: '@bgd-labs/aave-address-book@4.44.22',
  superchain: '@eth-optimism/tokenlist@10.0.1757',
  uniswap: '@uniswap/sdk-core@7.19.4',
};
/** The built-in chains of server/chains/registry/default-chains.ts. */
const CHAIN_IDS = [
  1, 10, 56, 100, 130, 137, 146, 204, 324, 1868, 5000, 8453, 34443, 42161, 42170, 42220, 43114,
  57073, 59144, 80094, 81457, 84532, 421614, 534352, 560048, 7777777, 11155111, 11155420,
];
const MAX_SYMBOL = 32;

const sources = [];
const sourceOf = (name) =>
  sources.includes(name) ? sources.indexOf(name) : sources.push(name) - 1;
const everywhere = {};
const chains = Object.fromEntries(CHAIN_IDS.map((id) => [id, { contracts: {}, tokens: {} }]));

function addContract(place, address, name, source, codeHash) {
  const key = address.toLowerCase();
  if (!/^0x[0-9a-f]{40}$/.test(key)) throw new Error(`${name} has no address: ${address}`);
  place[key] ??= [name, sourceOf(source), ...(codeHash ? [codeHash] : [])];
}

/** A token about which two lists differ is left out. */
const disputed = new Set();
function addToken(chainId, address, symbol, decimals, source) {
  const tokens = chains[chainId]?.tokens;
  const key = address.toLowerCase();
  if (!tokens || !/^[\x21-\x7e]+$/.test(symbol) || symbol.length > MAX_SYMBOL) return;
  const known = tokens[key];
  if (known === undefined) tokens[key] = [symbol, decimals, sourceOf(source)];
  else if (known[1] !== decimals) disputed.add(`${chainId} ${key}`);
}

for (const { source, contracts } of EVERYWHERE) {
  for (const [address, name] of Object.entries(contracts))
    addContract(everywhere, address, name, source);
}
for (const [chainId, groups] of Object.entries(BY_CHAIN)) {
  for (const { source, contracts } of groups) {
    for (const [address, name] of Object.entries(contracts)) {
      addContract(chains[chainId].contracts, address, name, source);
    }
  }
}
for (const [chainId, tokens] of Object.entries(WRAPPED.tokens)) {
  for (const [address, symbol] of Object.entries(tokens)) {
    addToken(chainId, address, symbol, 18, WRAPPED.source);
  }
}

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const folders = Object.fromEntries(
  Object.entries(PACKAGES).map(([key, spec]) => {
    const options = ['pack', spec, '--silent', '--pack-destination', FOLDER];
    const file = execFileSync('npm', options, { encoding: 'utf8' }).trim();
    const folder = path.join(FOLDER, key);
    mkdirSync(folder);
    execFileSync('tar', ['xzf', path.join(FOLDER, file), '-C', folder, '--strip-components=1']);
    return [key, folder];
  }),
);

const aave = JSON.parse(readFileSync(path.join(folders.aave, 'tokenlist.json'), 'utf8'));
for (const { chainId, address, symbol, decimals } of aave.tokens) {
  addToken(chainId, address, symbol, decimals, PACKAGES.aave);
}
const superchain = require(path.join(folders.superchain, 'dist/index.js')).default;
for (const { chainId, address, symbol, decimals } of superchain.tokens) {
  addToken(chainId, address, symbol, decimals, PACKAGES.superchain);
}
for (const pair of disputed) {
  const [chainId, address] = pair.split(' ');
  delete chains[chainId].tokens[address];
}

const books = Object.entries(require(path.join(folders.aave, 'dist/AaveAddressBook.js')));
for (const [name, book] of books) {
  const [, version, market] = /^Aave(V[23])(\w+)$/.exec(name) ?? [];
  if (version === undefined || typeof book.POOL !== 'string') continue;
  const contracts = chains[book.CHAIN_ID]?.contracts;
  if (contracts) addContract(contracts, book.POOL, `Aave ${version} ${market} Pool`, PACKAGES.aave);
}

const uniswap = require(path.join(folders.uniswap, 'dist/cjs/src/addresses.js'));
const uniswapContracts = [
  [uniswap.V2_FACTORY_ADDRESSES, 'Uniswap V2 Factory'],
  [uniswap.V2_ROUTER_ADDRESSES, 'Uniswap V2 Router'],
  [uniswap.V3_CORE_FACTORY_ADDRESSES, 'Uniswap V3 Factory'],
  [uniswap.NONFUNGIBLE_POSITION_MANAGER_ADDRESSES, 'Uniswap V3 Positions'],
];
for (const [addresses, name] of uniswapContracts) {
  for (const [chainId, address] of Object.entries(addresses)) {
    if (chains[chainId]) addContract(chains[chainId].contracts, address, name, PACKAGES.uniswap);
  }
}
const others = [
  ['swapRouter02Address', 'Uniswap V3 SwapRouter02'],
  ['v4PoolManagerAddress', 'Uniswap V4 PoolManager'],
  ['v4PositionManagerAddress', 'Uniswap V4 Positions'],
];
for (const [chainId, addresses] of Object.entries(uniswap.CHAIN_TO_ADDRESSES_MAP)) {
  for (const [field, name] of others) {
    const address = addresses[field];
    if (address && chains[chainId]) {
      addContract(chains[chainId].contracts, address, name, PACKAGES.uniswap);
    }
  }
}
// The package's function for other chains has the router of the early ones.
for (const chainId of [1, 10, 137, 42161]) {
  const address = uniswap.SWAP_ROUTER_02_ADDRESSES(chainId);
  addContract(chains[chainId].contracts, address, 'Uniswap V3 SwapRouter02', PACKAGES.uniswap);
}

const assets = path.join(ROOT, 'node_modules/@safe-global/safe-deployments/dist/assets');
const safe = JSON.parse(readFileSync(path.join(assets, '../../package.json'), 'utf8'));
const WORDS = { GnosisSafe: 'Safe', GnosisSafeL2: 'SafeL2', ProxyFactory: 'SafeProxyFactory' };
for (const version of readdirSync(assets).sort()) {
  for (const file of readdirSync(path.join(assets, version)).sort()) {
    const { contractName, deployments, networkAddresses } = JSON.parse(
      readFileSync(path.join(assets, version, file), 'utf8'),
    );
    const title = WORDS[contractName] ?? contractName;
    const name = `${/^Safe/.test(title) ? title : `Safe ${title}`} ${version.slice(1)}`;
    for (const chainId of CHAIN_IDS) {
      for (const kind of [networkAddresses[chainId] ?? []].flat()) {
        const { address, codeHash } = deployments[kind];
        const source = `@safe-global/safe-deployments@${safe.version}`;
        const isEverywhere = kind === 'canonical';
        const place = isEverywhere ? everywhere : chains[chainId].contracts;
        addContract(place, address, name, source, codeHash);
      }
    }
  }
}

const sorted = (entries) =>
  Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
const data = {
  sources,
  everywhere: sorted(everywhere),
  chains: Object.fromEntries(
    Object.entries(chains)
      .map(([id, { contracts, tokens }]) => [
        id,
        { contracts: sorted(contracts), tokens: sorted(tokens) },
      ])
      .filter(([, { contracts, tokens }]) => Object.keys({ ...contracts, ...tokens }).length > 0),
  ),
};
const file = path.join(import.meta.dirname, 'known-contracts.json');
const style = { ...(await resolveConfig(file)), parser: 'json' };
writeFileSync(file, await format(JSON.stringify(data), style));
rmSync(FOLDER, { recursive: true, force: true });
const count = Object.values(data.chains).reduce(
  (sum, { tokens }) => sum + Object.keys(tokens).length,
  0,
);
console.log(
  `${count} tokens on ${Object.keys(data.chains).length} chains, ${sources.length} sources`,
);

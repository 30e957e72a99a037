// Well-known contracts that no package lists. Each group names its source, which a reader can check.

/** Contracts at the same address on every chain that has them: the address follows from their code. */
export const EVERYWHERE = [
  {
    source: 'EIPs 4788, 2935, 7002 and 7251',
    contracts: {
      '0x000f3df6d732807ef1319fb7b8bb8522d0beac02': 'Beacon roots (EIP-4788)',
      '0x0000f90827f1c53a10cb7a02335b175320002935': 'Block hashes (EIP-2935)',
      '0x00000961ef480eb55e80d19ad83579a64c007002': 'Withdrawal requests (EIP-7002)',
      '0x0000bbddc7ce488642fb579f8b00f3a590007251': 'Consolidation requests (EIP-7251)',
    },
  },
  {
    source: 'ERC-4337, releases of eth-infinitism/account-abstraction',
    contracts: {
      '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789': 'EntryPoint 0.6',
      '0x0000000071727de22e5e9d8baf0edac6f37da032': 'EntryPoint 0.7',
      '0x4337084d9e255ff0702461cf8895ce9e3b5ff108': 'EntryPoint 0.8',
    },
  },
  {
    source: 'Uniswap documentation, deployments',
    contracts: { '0x000000000022d473030f116ddee9f6b43ac78ba3': 'Permit2' },
  },
  {
    source: 'multicall3.com',
    contracts: { '0xca11bde05977b3631167028862be2a173976ca11': 'Multicall3' },
  },
  {
    source: 'EIP-1820',
    contracts: { '0x1820a4b7618bde71dce8cdc73aab6c95905fad24': 'ERC-1820 registry' },
  },
  {
    source: 'Arachnid/deterministic-deployment-proxy',
    contracts: { '0x4e59b44847b379578588920ca78fbf26c0b4956c': 'Deterministic deployer' },
  },
  {
    source: 'createx.rocks',
    contracts: { '0xba5ed099633d3b313e4d5f7bdc1305d3c28ba5ed': 'CreateX' },
  },
  {
    source: '1inch documentation, aggregation protocol',
    contracts: {
      '0x1111111254eeb25477b68fb85ed929f73a960582': '1inch Aggregation Router V5',
      '0x111111125421ca6dc452d289314280a0f8842a65': '1inch Aggregation Router V6',
    },
  },
  {
    source: 'ProjectOpenSea/seaport, deployments',
    contracts: {
      '0x00000000000000adc04c56bf30ac9d3c0aaf14dc': 'Seaport 1.5',
      '0x0000000000000068f116a894984e2db1123eb395': 'Seaport 1.6',
    },
  },
];

const OP_STACK = {
  source: 'OP Stack specification, predeploys',
  contracts: {
    '0x4200000000000000000000000000000000000007': 'L2CrossDomainMessenger',
    '0x420000000000000000000000000000000000000f': 'GasPriceOracle',
    '0x4200000000000000000000000000000000000010': 'L2StandardBridge',
    '0x4200000000000000000000000000000000000015': 'L1Block',
    '0x4200000000000000000000000000000000000016': 'L2ToL1MessagePasser',
  },
};
const OP_CHAINS = [10, 130, 204, 1868, 8453, 34443, 57073, 7777777, 84532, 11155420];

/** By chain id. */
export const BY_CHAIN = {
  1: [
    {
      source: 'ethereum/consensus-specs',
      contracts: { '0x00000000219ab540356cbb839cbe05303d7705fa': 'Deposit contract' },
    },
    {
      source: 'Uniswap documentation, deployments',
      contracts: {
        '0xe592427a0aece92de3edee1f18e0157c05861564': 'Uniswap V3 SwapRouter',
        '0x61ffe014ba17989e743c5f6cb21bf9697530b21e': 'Uniswap V3 QuoterV2',
        '0xef1c6e67703c7bd7107eed8303fbe6ec2554bf6b': 'Uniswap Universal Router',
        '0x3fc91a3afd70395cd496c647d5a6cc9d4b2b7fad': 'Uniswap Universal Router 1.2',
        '0x66a9893cc07d91d95644aedd05d03f95e1dba8af': 'Uniswap Universal Router 2',
      },
    },
    {
      source: 'Sushi documentation, deployments',
      contracts: {
        '0xd9e1ce17f2641f24ae83637ab66a2cca9c378b9f': 'SushiSwap V2 Router',
        '0xc0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac': 'SushiSwap V2 Factory',
      },
    },
    {
      source: '0x documentation, deployments',
      contracts: { '0xdef1c0ded9bec7f1a1670819833240f027b25eff': '0x Exchange Proxy' },
    },
    {
      source: 'Balancer documentation, deployments',
      contracts: { '0xba12222222228d8ba445958a75a0704d566bf2c8': 'Balancer V2 Vault' },
    },
    {
      source: 'CoW Protocol documentation, deployments',
      contracts: {
        '0x9008d19f58aabd9ed0d60971565aa8510560ab41': 'CoW Protocol Settlement',
        '0xc92e8bdf79f0507f65a392b0ab4667716bfe0110': 'CoW Protocol Vault Relayer',
      },
    },
    {
      source: 'ENS documentation, deployments',
      contracts: { '0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e': 'ENS registry' },
    },
    {
      source: 'OP Stack superchain registry',
      contracts: {
        '0x99c9fc46f92e8a1c0dec1b1747d010903e884be1': 'OP Mainnet L1StandardBridge',
        '0xbeb5fc579115071764c7423a4f12edde41f106ed': 'OP Mainnet OptimismPortal',
        '0x3154cf16ccdb4c6d922629664174b904d80f2c35': 'Base L1StandardBridge',
        '0x49048044d57e1c92a77f79988d21fa8faf74e97e': 'Base OptimismPortal',
      },
    },
    {
      source: 'Arbitrum documentation, contract addresses',
      contracts: { '0x4dbd4fc535ac27206064b68ffcf827b0a60bab3f': 'Arbitrum One Inbox' },
    },
  ],
  56: [
    {
      source: 'PancakeSwap documentation, addresses',
      contracts: {
        '0x10ed43c718714eb63d5aa57b78b54704e256024e': 'PancakeSwap V2 Router',
        '0xca143ce32fe78f1f7019d7d551a6402fc5350c73': 'PancakeSwap V2 Factory',
      },
    },
  ],
  ...Object.fromEntries(OP_CHAINS.map((chainId) => [chainId, [OP_STACK]])),
};

/** Wrapped native tokens of configured chains, with 18 decimals. */
export const WRAPPED = {
  source: 'documentation of the chains',
  tokens: {
    1: { '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2': 'WETH' },
    10: { '0x4200000000000000000000000000000000000006': 'WETH' },
    56: { '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c': 'WBNB' },
    100: { '0xe91d153e0b41518a2ce8dd3d7944fa863463a97d': 'WXDAI' },
    130: { '0x4200000000000000000000000000000000000006': 'WETH' },
    324: { '0x5aea5775959fbc2557cc8789bc1bf90a239d9a91': 'WETH' },
    1868: { '0x4200000000000000000000000000000000000006': 'WETH' },
    8453: { '0x4200000000000000000000000000000000000006': 'WETH' },
    34443: { '0x4200000000000000000000000000000000000006': 'WETH' },
    42161: { '0x82af49447d8a07e3bd95bd0d56f35241523fbab1': 'WETH' },
    43114: { '0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7': 'WAVAX' },
    57073: { '0x4200000000000000000000000000000000000006': 'WETH' },
    59144: { '0xe5d7c2a44ffddf6b295a15c148167daaaf5cf34f': 'WETH' },
    81457: { '0x4300000000000000000000000000000000000004': 'WETH' },
    84532: { '0x4200000000000000000000000000000000000006': 'WETH' },
    534352: { '0x5300000000000000000000000000000000000004': 'WETH' },
    7777777: { '0x4200000000000000000000000000000000000006': 'WETH' },
    11155111: { '0xfff9976782d46cc05630d1f6ebab18b2324d6b14': 'WETH' },
    11155420: { '0x4200000000000000000000000000000000000006': 'WETH' },
  },
};

import { AnalysisService } from '../../server/analysis/analyze';
import type { Network, Price, PriceSource } from '../../server/analysis/ports';
import { readArtifact } from '../../server/abi/artifact';
import { Artifacts } from '../../server/abi/artifacts';
import { builtInSignatures } from '../../server/abi/built-in/signatures';
import { AbiRegistry } from '../../server/abi/registry';
import { ApiError } from '../../server/api/errors';
import type { Address } from '../../server/api/primitives';
import { toQuantity } from '../../server/ethereum/quantity';
import { loadSandboxContracts } from '../../server/sandbox/contracts';
import type { Sandbox } from '../../server/sandbox/sandbox';
import { RpcTokenFacts } from '../../server/tokens/token-facts';
import { DebugApi } from '../../server/trace/debug-api';

/** The analysis of the sandbox's transactions, without the service around it. */
export function analysisOf(sandbox: Sandbox): AnalysisService {
  const { chain, engine } = sandbox;
  const network: Network = {
    key: chain.slug,
    chainId: chain.chainId,
    nativeSymbol: chain.nativeSymbol,
    wrappedNative: chain.wrappedNative,
    hardfork: chain.hardfork,
    rpc: engine.rpc,
    replayable: false,
  };
  const compiled = Object.values(loadSandboxContracts()).flatMap(
    (contract) => readArtifact(contract, contract.contractName) ?? [],
  );
  const artifacts = new Artifacts({ artifacts: () => Promise.resolve(compiled) });
  const debugApi = new DebugApi();
  return new AnalysisService({
    networks: { resolve: () => Promise.resolve(network) },
    traces: {
      trace: async (on, mined, signal) => {
        const trace = await debugApi.trace(on, mined, signal);
        if (trace === undefined) throw new ApiError('upstreamLacksData', 'anvil does not trace');
        return trace;
      },
    },
    abis: new AbiRegistry({
      contracts: [artifacts],
      signatures: [artifacts, builtInSignatures],
      findCreation: (initCode) => artifacts.findCreation(initCode),
    }),
    tokens: new RpcTokenFacts(),
    prices: feedPrices(sandbox),
  });
}

const LATEST_ROUND_DATA = '0xfeaf968c';
const WORD = 64;

/** What the sandbox's own feeds say at the end of the block. */
function feedPrices({ priceFeeds, engine }: Sandbox): PriceSource {
  return {
    pricesAt: async (_network, assets, block) => {
      const prices = new Map<Address, Price>();
      for (const { asset, feed } of priceFeeds.filter((one) => assets.includes(one.asset))) {
        const answer = (await engine.rpc.request('eth_call', [
          { to: feed, data: LATEST_ROUND_DATA },
          toQuantity(block.number),
        ])) as string;
        const value = BigInt(`0x${answer.slice(2 + WORD, 2 + 2 * WORD)}`);
        prices.set(asset, { value, decimals: 8 });
      }
      return prices;
    },
  };
}

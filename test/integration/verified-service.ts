import { JsonService } from '../support/json-service';
import { startService, type TestService } from '../support/service';
import { ethChain, type TestChain } from './fork-upstream';

/** A service that asks a Sourcify, and no other service, about the contracts of a chain. */
export async function startVerifiedService(
  { engine }: Pick<TestChain, 'engine'>,
  { address, answer }: { address: string; answer: unknown },
): Promise<{ service: TestService; sourcify: JsonService }> {
  const sourcify = await JsonService.start((url) =>
    url.pathname.endsWith(address) ? { body: answer } : { status: 404, body: { match: null } },
  );
  const service = await startService({
    config: {
      chains: [ethChain(engine.url)],
      abi: { artifacts: [], sourcify: { url: sourcify.url }, signatures: { enabled: false } },
      prices: { source: 'none' },
    },
  });
  return { service, sourcify };
}

import type { Chain, Config } from '../../api/config';
import type { Finding } from '../../api/doctor';
import { endpointInWords, type Endpoint, type EndpointReport } from '../../api/endpoint';
import { checkEndpointAt } from '../../chains/upstream/check-endpoint';

type CheckEndpoint = (address: Pick<Endpoint, 'url' | 'headers'>) => Promise<EndpointReport>;

interface Candidate extends Endpoint {
  name: string;
}

/** Checks all configured and given endpoints, and queries no others. */
export async function checkEndpoints(
  chains: Config['chains'],
  given: readonly Endpoint[],
  check: CheckEndpoint = checkEndpointAt,
): Promise<Finding[]> {
  const own = [
    ...chains.flatMap(candidates),
    ...given.map((one) => ({ ...one, name: `endpoint of ${one.slug} (added)` })),
  ];
  if (own.length > 0) return Promise.all(own.map((one) => finding(one, check)));
  const message = 'none configured: well-known chains use public endpoints, which were not checked';
  const advice = 'Add an endpoint of your own for old blocks. The sandbox needs none.';
  return [{ name: 'endpoints', status: 'warning', message, advice }];
}

/** Names an endpoint by its chain and its index, because URLs contain provider keys. */
const candidates = ({
  slug,
  chainId,
  rpcUrls,
}: Pick<Chain, 'slug' | 'chainId' | 'rpcUrls'>): Candidate[] =>
  rpcUrls.map((endpoint, index) => ({
    slug,
    chainId,
    ...(typeof endpoint === 'string' ? { url: endpoint } : endpoint),
    name: `endpoint of ${slug} (${index + 1} of ${rpcUrls.length})`,
  }));

async function finding(
  { name, url, headers, chainId, slug }: Candidate,
  check: CheckEndpoint,
): Promise<Finding> {
  let report: EndpointReport;
  try {
    report = await check({ url, headers });
  } catch (error) {
    const advice = 'Check the URL and its key, the network, and the plan of the provider.';
    return { name, status: 'failed', message: (error as Error).message, advice };
  }
  const message = `chain id ${report.chainId}, ${endpointInWords(report)}`;
  if (report.chainId !== chainId) {
    const advice = `The chain id of ${slug} is ${chainId}: correct the URL or the chain id.`;
    return { name, status: 'failed', message, advice };
  }
  if (report.stateDepth < report.blockNumber) {
    const advice = 'It cannot fork earlier blocks: use an endpoint of an archive node.';
    return { name, status: 'warning', message, advice };
  }
  return { name, status: 'ok', message };
}

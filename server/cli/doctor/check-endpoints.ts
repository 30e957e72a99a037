import type { Chain, Config } from '../../api/config';
import type { Finding } from '../../api/doctor';
import { endpointInWords, type Endpoint, type EndpointReport } from '../../api/endpoint';
import { checkEndpointAt } from '../../chains/check-endpoint';
import { DEFAULT_CHAINS } from '../../chains/default-chains';

interface Candidate extends Endpoint {
  name: string;
  /** Not the user's own: it may fail without anything being wrong. */
  isPublic: boolean;
}

/** All endpoints that are configured or given; without any, the public ones of Ethereum. */
export function checkEndpoints(
  chains: Config['chains'],
  given: readonly Endpoint[],
  check: (url: string) => Promise<EndpointReport> = checkEndpointAt,
): Promise<Finding[]> {
  const own = [
    ...chains.flatMap((chain) => candidates(chain, false)),
    ...given.map((one) => ({ ...one, name: `endpoint of ${one.slug} (added)`, isPublic: false })),
  ];
  const [ethereum] = DEFAULT_CHAINS.filter(({ slug }) => slug === 'eth');
  const wanted = own.length > 0 || !ethereum ? own : candidates(ethereum, true);
  return Promise.all(wanted.map((one) => finding(one, check)));
}

/** URLs hold provider keys: an endpoint is named by its chain and its place in the list. */
const candidates = (
  { slug, chainId, rpcUrls }: Pick<Chain, 'slug' | 'chainId' | 'rpcUrls'>,
  isPublic: boolean,
): Candidate[] =>
  rpcUrls.map((url, index) => ({
    ...{ slug, chainId, url, isPublic },
    name: `${isPublic ? 'public ' : ''}endpoint of ${slug} (${index + 1} of ${rpcUrls.length})`,
  }));

async function finding(
  { name, url, chainId, slug, isPublic }: Candidate,
  check: (url: string) => Promise<EndpointReport>,
): Promise<Finding> {
  let report: EndpointReport;
  try {
    report = await check(url);
  } catch (error) {
    const status = isPublic ? 'warning' : 'failed';
    const advice = isPublic
      ? 'Add an endpoint of your own. The sandbox needs none.'
      : 'Check the URL and its key, the network, and the plan at the provider.';
    return { name, status, message: (error as Error).message, advice };
  }
  const message = `chain id ${report.chainId}, ${endpointInWords(report)}`;
  if (report.chainId !== chainId) {
    const advice = `It is not of ${slug}, whose chain id is ${chainId}: correct the URL or the chain id.`;
    return { name, status: 'failed', message, advice };
  }
  if (report.stateDepth < report.blockNumber) {
    const advice =
      'Blocks before that cannot be forked with it: use an endpoint of an archive node.';
    return { name, status: 'warning', message, advice };
  }
  return { name, status: 'ok', message };
}

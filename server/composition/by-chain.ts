import type { ChainAnalysis } from './analysis-services';

/** Operations that take the chain first: its name, or an object with it. */
const BY_CHAIN = [
  'analysis',
  'simulation',
  'sources',
  'recordings',
  'addressSources',
  'addresses',
  'history',
] as const;

/** The operations on the chain that a name stands for: the slug of a chain, or the id of a fork. */
type ServicesOf = (chain: string) => Promise<ChainAnalysis | undefined>;

/**
 * Operations that go to those of the chain that a request names.
 * @param of undefined for a chain of the service's own
 */
export function routedByChain<Own extends ChainAnalysis>(own: Own, of: ServicesOf): Own {
  const { explorer, decoder } = own;
  const routed = { ...own };
  for (const name of BY_CHAIN) Object.assign(routed, { [name]: routedOperations(own, name, of) });
  return {
    ...routed,
    // Which transactions make up a story does not depend on a node.
    explorer: { ...routedOperations(own, 'explorer', of), story: explorer.story.bind(explorer) },
    decoder: Object.assign(Object.create(decoder) as typeof decoder, {
      decode: async (...request: Parameters<typeof decoder.decode>) => {
        const [, at] = request;
        const services = at && (await of(at.chain));
        return (services?.decoder ?? decoder).decode(...request);
      },
    }),
  };
}

type Operation = (...request: unknown[]) => unknown;

function routedOperations<Name extends keyof ChainAnalysis>(
  own: ChainAnalysis,
  name: Name,
  of: ServicesOf,
): ChainAnalysis[Name] {
  return new Proxy(own[name], {
    get:
      (_, operation) =>
      async (...request: unknown[]) => {
        const chain = chainIn(request[0]);
        const services = chain === undefined ? undefined : await of(chain);
        const target = (services ?? own)[name] as unknown as Record<string | symbol, Operation>;
        return target[operation]?.(...request);
      },
  });
}

const chainIn = (first: unknown): string | undefined =>
  typeof first === 'string' ? first : (first as { chain?: string } | undefined)?.chain;

import assert from 'node:assert/strict';
import { chainSchema, type Chain } from '../../../../server/api/config';
import { ApiError } from '../../../../server/api/errors';
import { ChainRegistry } from '../../../../server/chains/registry/chain-registry';
import { DEFAULT_CHAINS } from '../../../../server/chains/registry/default-chains';

const chain = (fields: Partial<Chain> & { slug: string; chainId: number }): Chain =>
  chainSchema.parse({ rpcUrls: ['http://127.0.0.1:1/5ecr3t'], ...fields });

describe('ChainRegistry', () => {
  it('contains well-known chains without a config file', () => {
    const registry = new ChainRegistry([]);
    assert.equal(registry.bySlug('eth').chainId, 1);
    assert.equal(registry.byChainId(137).nativeSymbol, 'POL');
    assert.equal(new Set(DEFAULT_CHAINS.map(({ slug }) => slug)).size, DEFAULT_CHAINS.length);
    assert.equal(new Set(DEFAULT_CHAINS.map(({ chainId }) => chainId)).size, DEFAULT_CHAINS.length);
    for (const one of DEFAULT_CHAINS) {
      chainSchema.parse(one);
      assert.ok(new Set(one.rpcUrls).size > 1, `${one.slug} has one endpoint`);
    }
  });

  it('lets a configured chain replace the known one, and completes its missing fields', () => {
    const registry = new ChainRegistry([
      chain({ slug: 'polygon', chainId: 137 }),
      chain({ slug: 'eth', chainId: 5 }),
    ]);
    const polygon = registry.bySlug('polygon');
    assert.deepEqual(polygon.rpcUrls, ['http://127.0.0.1:1/5ecr3t']);
    assert.deepEqual([polygon.nativeSymbol, polygon.name], ['POL', 'Polygon PoS']);
    assert.equal(registry.bySlug('eth').wrappedNative, undefined, 'another chain has the name');
    assert.equal(registry.list().filter(({ slug }) => slug === 'eth').length, 1);
  });

  it('returns the first chain with an id', () => {
    const registry = new ChainRegistry([
      chain({ slug: 'one', chainId: 1 }),
      chain({ slug: 'two', chainId: 1 }),
    ]);
    assert.equal(registry.byChainId(1).slug, 'one');
    assert.equal(registry.bySlug('two').slug, 'two');
  });

  it('returns no endpoints to clients', () => {
    const list = new ChainRegistry([chain({ slug: 'one', chainId: 7 })], []).list();
    assert.deepEqual(list, [
      { slug: 'one', chainId: 7, name: 'one', nativeSymbol: 'ETH', hasOwnEndpoint: true },
    ]);
  });

  it('says which chains have an endpoint of the user', () => {
    const known = [chain({ slug: 'eth', chainId: 1 }), chain({ slug: 'base', chainId: 8453 })];
    const registry = new ChainRegistry([chain({ slug: 'eth', chainId: 1 })], known);
    const own = () => registry.list().map(({ slug, hasOwnEndpoint }) => [slug, hasOwnEndpoint]);
    const eth = ['eth', true];
    assert.deepEqual(own(), [eth, ['base', undefined]]);
    registry.addEndpoint({ slug: 'base', chainId: 8453, url: 'http://127.0.0.1:1' });
    assert.deepEqual(own(), [eth, ['base', true]]);
    registry.removeEndpoint('base');
    assert.deepEqual(own(), [eth, ['base', undefined]]);
  });

  it('reports the unknown value and the known ones', () => {
    const registry = new ChainRegistry([chain({ slug: 'one', chainId: 7 })], []);
    const fails = (kind: string, message: RegExp) => (error: unknown) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.kind, kind);
      assert.match(error.message, message);
      return true;
    };
    assert.throws(
      () => registry.bySlug('two'),
      fails('chainNotFound', /^chain "two" is not configured; accepted: one$/),
    );
    assert.throws(
      () => registry.bySlug('sandbox'),
      fails(
        'chainNotFound',
        /^chain "sandbox" is not configured \(start the service with --sandbox\); accepted: one$/,
      ),
    );
    assert.throws(
      () => registry.byChainId(8),
      fails('invalidField', /^chainId is 8; accepted: the id of a configured chain: 7$/),
    );
  });

  it('puts an added endpoint before the chain’s own ones, until it is removed', () => {
    const registry = new ChainRegistry([]);
    const own = registry.bySlug('eth').rpcUrls;
    registry.addEndpoint({ slug: 'eth', chainId: 1, url: 'http://node.test/a' });
    registry.addEndpoint({ slug: 'eth', chainId: 1, url: 'http://node.test/b' });
    assert.deepEqual(registry.bySlug('eth').rpcUrls, ['http://node.test/b', ...own]);
    registry.removeEndpoint('eth');
    assert.deepEqual(registry.bySlug('eth').rpcUrls, own);
  });

  it('creates a chain for an endpoint with a new name, until it is removed', () => {
    const registry = new ChainRegistry([]);
    registry.addEndpoint({ slug: 'testnet-7', chainId: 777_777, url: 'http://node.test/' });
    assert.equal(registry.byChainId(777_777).slug, 'testnet-7');
    registry.removeEndpoint('testnet-7');
    assert.equal(registry.has('testnet-7'), false);
  });

  it('rejects an endpoint of another chain, and lists the accepted slugs', () => {
    const registry = new ChainRegistry([]);
    assert.throws(
      () => {
        registry.addEndpoint({ slug: 'eth', chainId: 8453, url: 'http://node.test/secret' });
      },
      {
        kind: 'invalidField',
        message: 'slug is "eth"; accepted: for chain id 8453: base, an unused slug',
      },
    );
  });
});

import assert from 'node:assert/strict';
import { methodLabel, routePattern } from '../../../../server/kernel/metrics/route-pattern';

describe('labels of requests', () => {
  const cases: [string | undefined, string][] = [
    ['/v1/projects', '/v1/projects'],
    ['/v1/projects?x=1', '/v1/projects'],
    ['/V1/Projects/', '/v1/projects'],
    [`/v1/project/project_${'0'.repeat(32)}/forks`, '/v1/project/:project_id/forks'],
    ['/v1/explorer/eth/health', '/v1/explorer/:chain/health'],
    ['/v1/events', '/v1/events'],
    ['/health/ready', '/health/ready'],
    ['/admin/anything', '/admin/:command'],
    [`/rpc/${'0'.repeat(32)}`, '/rpc/:secret'],
    ['/v1/project//forks', 'unknown'],
    ['/v1/explorer/eth/health/more', 'unknown'],
    ['/%ZZ', 'unknown'],
    ['/constructor', 'unknown'],
    ['*', 'unknown'],
    ['', 'unknown'],
    [undefined, 'unknown'],
  ];
  for (const [url, pattern] of cases) {
    it(`${url ?? 'no URL'} has the pattern ${pattern}`, () => {
      assert.equal(routePattern(url), pattern);
    });
  }

  it('have one value for all methods without a route', () => {
    assert.equal(methodLabel('GET'), 'GET');
    for (const method of ['PROPFIND', 'get', 'x'.repeat(100), undefined]) {
      assert.equal(methodLabel(method), 'other');
    }
  });
});

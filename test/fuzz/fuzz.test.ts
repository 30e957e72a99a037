import { fuzzEachTarget } from './short-run';

describe('fuzzing (a few cases of each target)', () => {
  fuzzEachTarget({
    webview: 80,
    rest: 20,
    rpc: 30,
    mcp: 4,
    transactions: 3,
    cases: 4,
    sources: 10,
    files: 1,
  });
});

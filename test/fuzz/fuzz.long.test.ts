import { fuzzEachTarget } from './short-run';

/** `npm run fuzz` runs more cases and seeds. */
describe('fuzzing (short run)', () => {
  fuzzEachTarget({
    webview: 800,
    rest: 200,
    rpc: 300,
    mcp: 40,
    transactions: 40,
    cases: 60,
    sources: 100,
    files: 10,
  });
});

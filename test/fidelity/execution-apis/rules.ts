/** A permitted difference of a fork's answer from the recorded one, and its reason. */
interface Rule {
  method: string;
  why: string;
  /** Names of cases; missing: all cases of the method. */
  cases?: RegExp;
}

interface ValueRule extends Rule {
  /** Pattern of the paths that differ. */
  places: RegExp;
}

interface RefusalRule extends Rule {
  code: number;
}

const VALUES: readonly ValueRule[] = [
  {
    method: 'eth_simulateV1',
    why: 'nobody knows the whole state of a fork: the state root is zero, and hashes follow from it',
    places: /(^|\.)(stateRoot|hash|parentHash|blockHash)$/,
  },
  {
    method: 'eth_simulateV1',
    why: 'BLOCKHASH of a simulated block follows from its state root',
    cases: /blockhash-(complex|start-before-head)|overwrite-existing-contract|but-now-with-fit/,
    places: /\.calls\.\*\.returnData$/,
  },
  {
    method: 'eth_simulateV1',
    why: 'the standard leaves it open, and the engine does not tell the gas before refunds',
    places: /\.calls\.\*\.maxUsedGas$/,
  },
  {
    method: 'eth_simulateV1',
    why: 'a halt has no words of its own',
    cases: /run-out-of-gas-in-block/,
    places: /\.calls\.\*\.error\.message$/,
  },
  {
    method: 'eth_simulateV1',
    why: 'with traceTransfers the transfer of a SELFDESTRUCT is not among the logs',
    cases: /self-destructive-contract-produces-logs/,
    places: /\.calls\.\*\.logs$/,
  },
  {
    method: 'eth_getBlockByNumber',
    why: 'a fork has no consensus layer: safe and finalized are 32 and 64 blocks behind the head',
    cases: /^get-(safe|finalized)$/,
    places: /./,
  },
  {
    method: 'eth_getProof',
    why: 'a key comes back as it was asked for',
    places: /^storageProof\.\*\.key$/,
  },
  {
    method: 'eth_call',
    why: 'a call without a price sees the BASEFEE of the block; go-ethereum has 0',
    cases: /^call-callenv$/,
    places: /^$/,
  },
];

const OLDER_RULES =
  "the chain's node has no debug API, and the chain is given one set of rules, which its older blocks did not have";
const REFUSALS: readonly RefusalRule[] = [
  ...['debug_traceTransaction', 'debug_traceBlockByHash', 'debug_traceBlockByNumber'].map(
    (method) => ({ method, why: OLDER_RULES, code: -32002 }),
  ),
  {
    method: 'eth_config',
    why: "only the chain's node knows it, and this one does not offer it",
    code: -32004,
  },
  {
    method: 'eth_feeHistory',
    why: "the chain's node does not offer it for its blocks",
    code: -32601,
  },
  {
    method: 'eth_simulateV1',
    why: 'the engine cannot move precompiles',
    cases: /move-|override-(ecrecover|identity|sha256)|use-as-many-features/,
    code: -32004,
  },
  {
    method: 'eth_simulateV1',
    why: 'the engine computes the price of blob gas',
    cases: /blobs$/,
    code: -32004,
  },
  {
    method: 'eth_simulateV1',
    why: "a block older than the fork is simulated by the chain's node, and this one does not offer it",
    cases: /block-num-set-(firstblock|minusone)$/,
    code: -32004,
  },
  { method: 'testing_buildBlockV1', why: 'for the tests of clients', code: -32601 },
];

const covers = ({ method, cases }: Rule, asked: string, name: string): boolean =>
  method === asked && (cases?.test(name) ?? true);

export const isAllowed = (method: string, name: string, place: string): boolean =>
  VALUES.some((rule) => covers(rule, method, name) && rule.places.test(place));

export const isRefusal = (method: string, name: string, code: number): boolean =>
  REFUSALS.some((rule) => covers(rule, method, name) && rule.code === code);

import { RPC_CODES } from '../../api/rpc-codes';

/**
 * What an error of a node says about the call, and about the node:
 * - `executed`: the execution failed; every node says the same.
 * - `invalid`: no node accepts the request.
 * - `tooLarge`: the range, the answer or the time of a search exceeds a limit of this node.
 * - `missingMethod`, `missingState`, `missingData`: this node does not offer the method, or has no such state, block or transaction.
 * - `refused`: the key or the plan does not permit the call.
 * - `busy`: the node accepts the call later. `transient`: the node failed, and may succeed later.
 * - `unknown`: none of these is recognized; another node may answer.
 */
export type ErrorMeaning =
  | 'executed'
  | 'invalid'
  | 'tooLarge'
  | 'missingMethod'
  | 'missingState'
  | 'missingData'
  | 'refused'
  | 'busy'
  | 'transient'
  | 'unknown';

/** JSON-RPC 2.0 §5.1. */
interface NodeError {
  readonly code: number;
  readonly message: string;
}

/** Methods that search a range of blocks, which can be divided. */
const SEARCHES: ReadonlySet<string> = new Set(['eth_getLogs', 'trace_filter', 'arbtrace_filter']);

/** The reason of a revert is a contract's own text, which may match any other row. */
const EXECUTED =
  /\brevert(s|ed)?\b|out of gas|invalid opcode|vm (execution error|exception)|insufficient (funds|balance)|gas required exceeds|intrinsic gas|(nonce|gas|fee).{0,20} too (low|high)|less than block base fee|stack (under|over)flow|bad jump/i;
/** Used up for longer than a request can wait. */
const QUOTA =
  /(daily|monthly|per day|per month).{0,40}(limit|count|quota|capacity|requests)|\b(quota|credits?)\b.{0,40}(exceeded|exhausted|used up|reached)|(exceeded|out of|reached|insufficient).{0,40}\b(quota|credits?|usage limit)\b|reached the free tier|billing|payment required/i;
const RATE =
  /rate.?limit|rate.?exceeded|over rate|too many requests?\b|\brequests? (limit|rate)|per.?second|\brps\b|throughput|compute units|exceeded.{0,40}capacity|slow down|concurren(t|cy)|too much load|too many connections/i;
const BEYOND_HEAD =
  /(beyond|above|after|greater than|less than or equal to) (the )?(current |latest |chain |best )*(head|latest|block(chain)? height|block\b)|in the future|not yet (mined|available|produced)|unfinalized data/i;
const SIZE =
  /range|limit|too (many|large|big|wide|long|much|broad)|more than|longer than|exceed|response size|\bmax(imum)?\b|\bcap\b|distance|narrow|reduc(e|ing)|fewer|greater than/i;
const TOO_LARGE_ANSWER =
  /(response|answer|result|output|payload|trace).{0,30}(too (large|big|long)|longer than|size exceed)/i;
const TIME = /time.?out|timed.?out|deadline exceeded|took too long|query execution time/i;
/** The node's own limit for one execution. */
const EXECUTION_TIME = /execution (aborted|time)/i;
const MISSING_STATE =
  /missing trie node|header not found|\bstate\b.{0,80}\b(not (available|found|exist)|unavailable|pruned|discarded|does not exist)|\b(no|missing) (state|historical)|historical|state histories|\bpruned\b|old data not available|\barchiv(e|al)\b|world state unavailable|distance to target block exceeds|lowest height|earliest (height|block|available)|failed to load state|version does not exist|support tag as latest|\bonly.{0,20}latest|lookback|block is too old|not within.{0,30}(window|history)/i;
const NOT_OFFERED =
  "(not (be )?(found|supported|available|exist|implemented|enabled|allowed|whitelisted|included|permitted)|does not exist|doesn't exist|unsupported|disabled|unavailable|only available)";
/** Method names are lower case at their start; names of networks are not. */
const METHOD_NAME = new RegExp(
  `\\b(eth|debug|trace|ots|erigon|arbtrace|net|web3)_[a-z]\\w*["'\`]? (is |was |has been )?(currently )?${NOT_OFFERED}`,
);
const METHOD_WORD = new RegExp(
  [
    `\\b(method|namespace|module)s?\\b(?!.*\\b(block|transaction|header|hash)\\b).{0,80}${NOT_OFFERED}`,
    '(unsupported|unknown|disabled|no such) (rpc )?(method|namespace|module)',
  ].join('|'),
  'i',
);
const REFUSED =
  /project ?id|api.?key|access token|\bjwt\b|unauthori[sz]ed|not authori[sz]ed|authenticat|authori[sz]ation (header|required|failed|token)|forbidden|access denied|permission|credential|not allowed|not enabled for this|not (included|available).{0,40}(plan|tier)|upgrade (your|to|from|plan)|free.?tier|paid (plan|tier)|suspended|(user|account|ip|key|request) (is |was |has been )?blocked|tenant|whitelist|(invalid|missing) (token|key)|(current|subscription) plan|subscription (expired|required)/i;
const MISSING_DATA =
  /(block|header|transaction|receipt|tx|tipset|epoch|result|resource|hash|height)\b.{0,90}\b(not (be )?(found|available|exist|known)|does not exist|unknown)|(unknown|no such|could not find|cannot find|invalid|missing) (block|header|transaction|tipset)(?! (parameter|param|argument|tag|range|id)\b)|could not find results|BlockOutOfRangeError|null round|\bnot found\b/i;
const INVALID = /invalid (argument|param|request|json)|parse error|unmarshal/i;
const TRANSIENT =
  /\b(no|not enough|unable)\b.{0,30}\b(backends?|upstreams?|providers?|healthy|nodes?)\b|all (upstreams?|backends?|providers?|nodes?)\b|unhealthy|upstreams? (exhausted|attempts?|error|connect|request|failure|unavailable)|backend|temporar(y|ily)|try again|please retry|retry later|unavailable|overloaded|not (synced|ready)|syncing|catching up|connection (refused|reset|closed|error)|could not connect|gateway|internal (json-rpc |server )?error|server error|unable to (complete|process)|failed to get response|request failed|\beof\b|context cancel|shutt?ing? ?down|starting up|can't route/i;

/** Codes of JSON-RPC 2.0, EIP-1474, execution-apis, and of proxies of providers. */
const BY_CODE: ReadonlyMap<number, ErrorMeaning> = new Map<number, ErrorMeaning>([
  [3, 'executed'],
  [RPC_CODES.executionFailed, 'executed'],
  [RPC_CODES.methodNotFound, 'missingMethod'],
  [RPC_CODES.notSupported, 'missingMethod'],
  [-32604, 'missingMethod'],
  [4444, 'missingState'],
  [RPC_CODES.notFound, 'missingData'],
  [-39001, 'missingData'],
  [429, 'busy'],
  [RPC_CODES.limitExceeded, 'busy'],
  [-32007, 'busy'],
  [-32016, 'busy'],
  [-32029, 'busy'],
  [-32090, 'busy'],
  [-32011, 'transient'],
  [-32020, 'tooLarge'],
  [RPC_CODES.nonceTooLow, 'executed'],
  [RPC_CODES.nonceTooHigh, 'executed'],
  [RPC_CODES.feeBelowBaseFee, 'executed'],
  [RPC_CODES.intrinsicGasTooLow, 'executed'],
  [RPC_CODES.insufficientFunds, 'executed'],
  [RPC_CODES.blockGasLimitExceeded, 'executed'],
  [-32051, 'refused'],
  [-32052, 'refused'],
  [401, 'refused'],
  [403, 'refused'],
  [RPC_CODES.parseError, 'invalid'],
  [RPC_CODES.invalidRequest, 'invalid'],
  [RPC_CODES.invalidParams, 'invalid'],
]);
/** Codes that say more than the words. */
const DECISIVE: ReadonlySet<number> = new Set([
  3,
  RPC_CODES.executionFailed,
  RPC_CODES.methodNotFound,
  4444,
  -32604,
]);

type Matches = (message: string, method: string) => boolean;

const has =
  (words: RegExp): Matches =>
  (message) =>
    words.test(message);
const inSearch =
  (matches: Matches): Matches =>
  (message, method) =>
    SEARCHES.has(method) && matches(message, method);

/** What anvil says of a block above its head, and in the same words of one whose state it lost or pruned. */
export function anvilOutOfRange(message: string): { head: number; wanted: number } | undefined {
  const [, head, wanted] = /block height is (\d+) but requested was (\d+)/.exec(message) ?? [];
  return wanted === undefined ? undefined : { head: Number(head), wanted: Number(wanted) };
}

function isPrunedByAnvil(message: string): boolean {
  const { head = 0, wanted = Infinity } = anvilOutOfRange(message) ?? {};
  return wanted <= head;
}

/** The words of nodes, most specific first. A code decides only what no word decides: nodes use one code for different errors. */
const ROWS: readonly (readonly [ErrorMeaning, Matches])[] = [
  ['executed', has(EXECUTED)],
  ['refused', has(QUOTA)],
  ['busy', has(RATE)],
  ['missingData', has(BEYOND_HEAD)],
  ['invalid', inSearch((message) => /(addresses|topics)\b/i.test(message) && SIZE.test(message))],
  ['tooLarge', inSearch((message) => SIZE.test(message) || TIME.test(message))],
  ['tooLarge', has(TOO_LARGE_ANSWER)],
  ['missingState', has(MISSING_STATE)],
  ['missingState', isPrunedByAnvil],
  ['missingMethod', has(METHOD_NAME)],
  ['missingMethod', has(METHOD_WORD)],
  ['refused', has(REFUSED)],
  ['unknown', has(EXECUTION_TIME)],
  ['transient', has(TIME)],
  ['missingData', has(MISSING_DATA)],
  ['invalid', has(INVALID)],
  ['transient', has(TRANSIENT)],
];

/** Whether an error, or one of its causes, is that of a node that no longer has a state. */
export function isMissingState(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (isNodeError(one) && meaningOf(one) === 'missingState') return true;
  }
  return false;
}

const isNodeError = (error: Error): error is Error & NodeError =>
  'code' in error && typeof error.code === 'number';

/** @param method the called method, if known: a search that takes too long is too large */
export function meaningOf({ code, message }: NodeError, method = ''): ErrorMeaning {
  const known = BY_CODE.get(code);
  if (known !== undefined && DECISIVE.has(code)) return known;
  const row = ROWS.find(([, matches]) => matches(message, method));
  return row?.[0] ?? known ?? 'unknown';
}

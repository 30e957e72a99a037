import type { Hardfork } from '../../api/config';
import { FAMILIES } from '../families/known-chains';
import type { RpcBlockHeader } from '../forms/types';
import type { LaterHardfork } from '../forms/hardfork-order';

/** Fields of blocks as execution-apis specifies them, and those that clients of Ethereum add. */
const ETHEREUM_FIELDS = [
  'number hash parentHash nonce sha3Uncles logsBloom transactionsRoot stateRoot receiptsRoot miner author',
  'difficulty totalDifficulty extraData size gasLimit gasUsed timestamp transactions uncles mixHash',
  'baseFeePerGas withdrawalsRoot withdrawals blobGasUsed excessBlobGas parentBeaconBlockRoot requestsHash',
];

/** Fields that nodes of chains without a family add to blocks. None changes how an engine executes a transaction. */
const OTHER_FIELDS = [
  // Tempo
  'generalGasLimit mainBlockGeneralGasLimit sharedGasLimit timestampMillis timestampMillisPart subBlocks',
  // Berachain
  'parentProposerPubkey',
  // Klaytn and Kaia
  'blockScore totalBlockScore governanceData voteData reward rewardbase',
  // Fantom and Sonic, Conflux, XDC, Core
  'epoch blame committed validator validators penalties',
];

const FAMILY_FIELDS = FAMILIES.flatMap(({ headerFields }) => headerFields ?? []);

const KNOWN: ReadonlySet<string> = new Set(
  ETHEREUM_FIELDS.concat(FAMILY_FIELDS, OTHER_FIELDS).flatMap((names) => names.split(' ')),
);

/** Fields that hardforks add that no engine executes (EIP-7928, EIP-7843). */
const LATER: ReadonlyMap<string, LaterHardfork> = new Map([
  ['blockAccessListHash', 'amsterdam'],
  ['slotNumber', 'amsterdam'],
]);

/** Number of unknown fields that a text names. */
const NAMED_FIELDS = 5;
const NAME = /^[A-Za-z_]\w{0,39}$/;

/** What the fields of a header show about the rules of its block. */
export interface HeaderFields {
  /** The newest hardfork that a field proves; undefined before London. */
  readonly proved?: Hardfork;
  /** A hardfork that no engine executes, and the fields that prove it. */
  readonly later?: { readonly hardfork: LaterHardfork; readonly fields: string[] };
  /** Names of fields that this version does not know, at most five. */
  readonly unknown: readonly string[];
}

/** Null counts as missing: some nodes return it. */
export function headerFields(header: RpcBlockHeader): HeaderFields {
  const present = Object.entries(header).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [name],
  );
  const fields = present.filter((name) => LATER.has(name));
  const unknown = present.filter((name) => !KNOWN.has(name) && !LATER.has(name));
  const names = unknown.map((name) => (NAME.test(name) ? name : 'an unreadable name'));
  const proved = provedBy(new Set(present));
  const [first] = fields;
  const hardfork = first === undefined ? undefined : LATER.get(first);
  return {
    ...(proved && { proved }),
    ...(hardfork && { later: { hardfork, fields } }),
    unknown: names.slice(0, NAMED_FIELDS),
  };
}

/** Each hardfork keeps the fields of those before it. Development nodes write single later fields under older rules. */
function provedBy(fields: ReadonlySet<string>): Hardfork | undefined {
  if (!fields.has('baseFeePerGas')) return undefined; // EIP-1559
  if (!fields.has('withdrawalsRoot')) return 'london'; // EIP-4895
  if (!fields.has('excessBlobGas') && !fields.has('blobGasUsed')) return 'shanghai'; // EIP-4844
  return fields.has('requestsHash') ? 'prague' : 'cancun'; // EIP-7685
}

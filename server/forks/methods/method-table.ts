import { LIMITS } from '../../api/limits';
import { FILTER_METHODS } from '../reads/filter-methods';
import { READS_ACROSS } from '../reads/reads-across';
import { ACCOUNTS } from './accounts';
import { FAUCET } from './faucet';
import { CALLS, CHANGES, namesOf, READS, REFUSED } from './method-names';
import { MINING } from './mining';
import { OWN_ANSWERS } from './own-answers';
import { PORTABLE_STATE } from './portable-state';
import { BUNDLES, SENDS } from './sends';
import { SETTINGS } from './settings';
import { SIGNING } from './signing';

/** Methods of a fork's JSON-RPC address that are handled in the same way. */
export interface MethodGroup {
  what: string;
  methods: readonly string[];
}

const allNamesOf = (methods: Iterable<string>): string[] => [
  ...new Set([...methods].flatMap(namesOf)),
];

/** The allow list of a fork's JSON-RPC address: other methods are answered with -32601. */
export const METHOD_TABLE: readonly MethodGroup[] = [
  { what: 'Answered by the fork itself', methods: [...OWN_ANSWERS.keys()] },
  {
    what: "The fork's own accounts, then those that are impersonated",
    methods: [...ACCOUNTS.keys()],
  },
  { what: "Signed with the keys of the fork's own accounts", methods: [...SIGNING.keys()] },
  { what: 'Read from the fork', methods: [...READS] },
  {
    what: 'Read from the fork, and from the forked chain for older blocks',
    methods: [...READS_ACROSS.keys()],
  },
  { what: 'Filters; they persist while the fork sleeps', methods: [...FILTER_METHODS.keys()] },
  {
    what: `Executed without changing the state; gas is limited to ${LIMITS.gas}`,
    methods: [...CALLS],
  },
  {
    what: 'Executed in its own block; any sender, signed or unsigned',
    methods: allNamesOf(SENDS.keys()),
  },
  { what: 'Executed in order in one block, all or none', methods: [...BUNDLES.keys()] },
  { what: 'Mines', methods: allNamesOf(MINING.keys()) },
  {
    what: 'Changes state, time or the next block',
    methods: allNamesOf(CHANGES),
  },
  {
    what: 'Sets token balances, or reports why it cannot',
    methods: allNamesOf(FAUCET.keys()),
  },
  {
    what: 'Snapshots and settings',
    methods: allNamesOf(SETTINGS.keys()),
  },
  {
    what: "The fork's accounts in anvil's format",
    methods: allNamesOf(PORTABLE_STATE.keys()),
  },
  { what: 'Over WebSocket only', methods: ['eth_subscribe', 'eth_unsubscribe'] },
];

/** The table as CommonMark, with refused methods and the reasons. */
export function methodTable(): string {
  const code = (methods: readonly string[]): string =>
    methods.map((method) => `\`${method}\``).join(', ');
  const refused = new Map<string, string[]>();
  for (const [method, why] of Object.entries(REFUSED)) {
    if (!/^eth_(un)?subscribe$/.test(method))
      refused.set(why, [...(refused.get(why) ?? []), method]);
  }
  return [
    '| what happens | methods |',
    '| --- | --- |',
    ...METHOD_TABLE.map(({ what, methods }) => `| ${what} | ${code(methods)} |`),
    ...[...refused].map(([why, methods]) => `| Refused (-32004): ${why} | ${code(methods)} |`),
  ].join('\n');
}

import * as l10n from '@vscode/l10n';
import type { Recording } from '../../../server/api/recording';
import { TEST_CHAIN } from '../../../server/api/recorded-test';
import { grouped, shortHex } from '../../../server/client/format';
import type { MissingCompiler } from '../../model/debugging';
import { sentence } from '../../model/sentence';
import type { Launch } from './launch';

interface Remark {
  text: string;
  category: 'important' | 'console';
}

/** What the user has to know of a session before it begins. */
export function remarksOf(
  { changes }: Pick<Launch, 'changes'>,
  recording: Pick<
    Recording,
    'steps' | 'verification' | 'contracts' | 'status' | 'failure' | 'twin' | 'build'
  > &
    Partial<Pick<Recording, 'chain'>>,
): Remark[] {
  const { verification, contracts, status, failure, twin, build } = recording;
  const remarks: Remark[] = [];
  if (changes.length > 0) {
    const text = l10n.t(
      'This is a simulation from the start of the transaction. Changed before it: {0}.',
      changes.join(', '),
    );
    remarks.push({ text, category: 'important' });
  }
  remarks.push({ text: summaryOf(recording), category: 'console' });
  if (!status && failure !== '') {
    remarks.push({ text: l10n.t('The transaction fails: {0}', failure), category: 'important' });
  }
  if (verification.level === 'different') {
    const { reason = '' } = verification;
    const text = l10n.t('The recording differs from the receipt: {0}', reason);
    remarks.push({ text, category: 'important' });
  }
  for (const warning of verification.warnings ?? []) {
    remarks.push({ text: sentence(warning), category: 'important' });
  }
  if (twin) remarks.push(...twinRemarks(twin, build));
  for (const { name, address, unavailable } of contracts) {
    if (unavailable === undefined) continue;
    const text = `${name === '' ? shortHex(address) : name}: ${sentence(unavailable)}`;
    remarks.push({ text, category: 'console' });
  }
  return remarks;
}

/** Steps, outcome and proof in one line. */
function summaryOf({
  steps,
  status,
  chain,
  verification: { level },
}: Parameters<typeof remarksOf>[1]): string {
  const outcome = status ? l10n.t('it succeeds') : l10n.t('it fails');
  const proof = {
    receipt: l10n.t('status, gas and events are those of the receipt'),
    'call-trace':
      chain === TEST_CHAIN
        ? l10n.t('each step of the test is that of forge')
        : l10n.t('status, gas and events are those of the engine'),
    different: l10n.t('it is not what was executed'),
  };
  const count = steps === 1 ? l10n.t('1 step') : l10n.t('{0} steps', grouped(steps));
  return `${count}: ${outcome}, ${proof[level]}.`;
}

/** What is stepped through, and why not more of it. */
function twinRemarks(
  { same, of, reason, contracts }: NonNullable<Recording['twin']>,
  build: Recording['build'],
): Remark[] {
  const remarks: Remark[] = [];
  const add = (text: string): void => void remarks.push({ text, category: 'console' });
  if (build === 'unoptimized') {
    const count = l10n.t(
      'Unoptimized build, same effects in {0} of {1}: the variables are those of the sources, and the gas is that of the executed code.',
      same,
      of,
    );
    add(count);
  } else if (reason !== undefined) {
    add(l10n.t('The executed build is shown: {0}.', reason));
  }
  for (const one of contracts) {
    const name = nameOf(one);
    if (one.missing === undefined && one.reason !== undefined) {
      add(l10n.t('{0} is shown as it was executed: {1}.', name, one.reason));
    } else if (one.settings !== undefined && one.settings !== 'without the optimizer') {
      add(l10n.t('{0} was built {1}.', name, one.settings));
    }
    if (one.isGasUnproved === true) {
      add(
        l10n.t('{0}: values of gasleft() are not proved to be those of the executed code.', name),
      );
    }
  }
  for (const { version, contracts: names } of missingCompilers(contracts)) {
    const text = l10n.t(
      'Locals of {0} need solc {1}: install it with “forklens solc add {1}”, and debug again.',
      names.join(', '),
      version,
    );
    add(text);
  }
  return remarks;
}

type TwinContract = NonNullable<Recording['twin']>['contracts'][number];

const nameOf = ({ name, address }: TwinContract): string =>
  name === '' ? shortHex(address) : name;

/** The compilers whose builds would have local variables. */
export function missingCompilers(contracts: readonly TwinContract[]): MissingCompiler[] {
  const missing = new Map<string, Set<string>>();
  for (const one of contracts) {
    if (one.missing === undefined) continue;
    missing.set(one.missing, (missing.get(one.missing) ?? new Set()).add(nameOf(one)));
  }
  return [...missing].map(([version, names]) => ({ version, contracts: [...names] }));
}

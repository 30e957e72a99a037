import { findingsWork } from '../../server/analysis/findings/findings';
import { atOnce } from '../../server/kernel/async/slices';
import type { CallFrame } from '../../server/analysis/call-frame';
import { sceneOf, WHO, type Stage } from './scenes';

const NAMES = new Map<string, string>(Object.entries(WHO).map(([name, at]) => [at, name]));
const nameOf = (address: string | undefined): string =>
  address === undefined ? '-' : (NAMES.get(address) ?? address);

/** Findings as `kind contract account other amounts`, with `-` for what is missing. */
export const findings = (root: CallFrame, stage?: Stage): string[] =>
  atOnce(findingsWork(sceneOf(root, stage))).map(
    ({ kind, contract, account, other, amounts = [] }) =>
      [
        kind,
        nameOf(contract),
        nameOf(account),
        nameOf(other),
        ...amounts.map(({ amount }) => String(amount)),
      ].join(' '),
  );

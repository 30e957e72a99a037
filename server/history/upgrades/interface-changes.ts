import type { FunctionFragment } from 'ethers';
import type { ContractInterface } from '../../analysis/contract-interface';
import type { UpgradeItem } from '../../api/upgrade-check';

/** Functions by which a proxy's implementation is replaced (ERC-1822). */
const UPGRADES = ['upgradeTo(address)', 'upgradeToAndCall(address,bytes)'];

/** What callers of a proxy lose by new code, or get in another form. @param proxy the proxy's own functions */
export function interfaceChanges(
  old: ContractInterface | undefined,
  now: ContractInterface,
  proxy: ContractInterface | undefined,
): UpgradeItem[] {
  return [
    ...clashes(now, proxy),
    ...(old ? [...functions(old, now, proxy), ...events(old, now)] : UNKNOWN),
  ];
}

const UNKNOWN: readonly UpgradeItem[] = [
  {
    level: 'unknown',
    subject: 'functions',
    text: 'the interface of the implementation is not known: functions and events were not compared',
  },
];

/** A proxy answers its own functions itself: those of the implementation with the same selector are never reached. */
function clashes(now: ContractInterface, proxy: ContractInterface | undefined): UpgradeItem[] {
  const own = new Map((proxy?.allFunctions ?? []).map((one) => [one.selector, one]));
  return now.allFunctions.flatMap((fragment): UpgradeItem[] => {
    const hidden = own.get(fragment.selector);
    if (!hidden) return [];
    const text = `${fragment.format()} is never reached: the proxy answers the selector ${fragment.selector} itself, by ${hidden.format()}`;
    return [{ level: 'error', subject: 'functions', text }];
  });
}

function* functions(
  old: ContractInterface,
  now: ContractInterface,
  proxy: ContractInterface | undefined,
): Generator<UpgradeItem> {
  const subject = 'functions';
  for (const was of old.allFunctions) {
    const [is] = now.functions(was.selector as `0x${string}`);
    if (!is) {
      yield { level: 'warning', subject, text: `${was.format()} is gone` };
      continue;
    }
    const [before, after] = [resultsOf(was), resultsOf(is)];
    if (before !== after) {
      const text = `${was.format()} returned (${before}) and returns (${after})`;
      yield { level: 'warning', subject, text };
    }
    if (was.stateMutability !== is.stateMutability) {
      const text = `${was.format()} was ${was.stateMutability} and is ${is.stateMutability}`;
      yield { level: 'warning', subject, text };
    }
  }
  const added = now.allFunctions.filter(
    ({ selector }) => !old.functions(selector as `0x${string}`)[0],
  );
  if (added.length > 0) {
    const text = `new functions: ${added.map((one) => one.format()).join(', ')}`;
    yield { level: 'info', subject, text };
  }
  const canUpgrade = (one: ContractInterface | undefined): boolean =>
    one?.allFunctions.some((fragment) => UPGRADES.includes(fragment.format())) ?? false;
  if (canUpgrade(old) && !canUpgrade(now) && !canUpgrade(proxy)) {
    const text = `${UPGRADES.join(' and ')} are gone: the proxy could not be upgraded again`;
    yield { level: 'error', subject, text };
  }
}

const resultsOf = ({ outputs }: FunctionFragment): string =>
  outputs.map((output) => output.format()).join(',');

function* events(old: ContractInterface, now: ContractInterface): Generator<UpgradeItem> {
  for (const was of old.allEvents) {
    const [is] = now.events(was.topicHash as `0x${string}`);
    if (!is) {
      yield { level: 'warning', subject: 'events', text: `the event ${was.format()} is gone` };
    } else if (indexed(was) !== indexed(is)) {
      const text = `the event ${was.format()} has other indexed arguments`;
      yield { level: 'warning', subject: 'events', text };
    }
  }
}

const indexed = ({ inputs }: { inputs: readonly { indexed?: boolean | null }[] }): string =>
  inputs.map((input) => Number(input.indexed === true)).join('');

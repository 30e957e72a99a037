import type { Work } from '../../kernel/async/slices';
import type { Scene } from '../summary/scene';
import {
  freshDelegatecalls,
  implementationChangesWork,
  ownerChangesWork,
  selfDestructs,
} from './control';
import type { Finding } from './finding';
import { flashLoansWork } from './loans';
import { reentrancesWork } from './reentrancy';
import { movedReserves } from './reserves';
import { controlAndFundsWork } from './control-funds';
import { spentApprovalsWork } from './granted-and-spent';
import { transferFeesWork, unlimitedApprovals } from './spending';

/** The most severe first. Each finding states what the trace contains, and nothing else. */
const READERS: readonly ((scene: Scene) => Work<Finding[]>)[] = [
  reentrancesWork,
  spentApprovalsWork,
  once(movedReserves),
  flashLoansWork,
  controlAndFundsWork,
  implementationChangesWork,
  ownerChangesWork,
  once(freshDelegatecalls),
  once(selfDestructs),
  transferFeesWork,
  once(unlimitedApprovals),
];

/** A reader that looks through the trace a few times. */
function once(read: (scene: Scene) => Finding[]): (scene: Scene) => Work<Finding[]> {
  return function* work(scene): Work<Finding[]> {
    yield 1;
    return read(scene);
  };
}

export function* findingsWork(scene: Scene): Work<Finding[]> {
  const findings: Finding[] = [];
  for (const read of READERS) {
    for (const finding of yield* read(scene)) findings.push(finding);
    yield 1;
  }
  return findings;
}

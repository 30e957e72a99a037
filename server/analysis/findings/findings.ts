import type { Work } from '../../async/slices';
import type { Scene } from '../summary/scene';
import { freshDelegatecalls, implementationChanges, ownerChanges, selfDestructs } from './control';
import type { Finding } from './finding';
import { flashLoans } from './loans';
import { reentrances } from './reentrancy';
import { movedReserves } from './reserves';
import { drainedApprovals, transferFees, unlimitedApprovals } from './spending';

/** The most severe first. Each finding states what the trace contains, and nothing else. */
const READERS: readonly ((scene: Scene) => Finding[])[] = [
  reentrances,
  drainedApprovals,
  movedReserves,
  flashLoans,
  implementationChanges,
  ownerChanges,
  freshDelegatecalls,
  selfDestructs,
  transferFees,
  unlimitedApprovals,
];

export function* findingsWork(scene: Scene): Work<Finding[]> {
  const findings: Finding[] = [];
  for (const read of READERS) {
    for (const finding of read(scene)) findings.push(finding);
    yield 1;
  }
  return findings;
}

import { NATIVE_ASSET } from '../../api/native-asset';
import type { Work } from '../../kernel/async/slices';
import { upgradesWork } from '../summary/acts';
import { namesAfter } from '../summary/control-evidence';
import { addressIn } from '../summary/known-events';
import type { Scene } from '../summary/scene';
import type { Finding } from './finding';

const isNobody = (account: string): boolean => BigInt(account) === 0n;

/** Contracts with another owner or administrator. The first owner of a new contract is none. */
export function* ownerChangesWork(scene: Scene): Work<Finding[]> {
  const found: Finding[] = [];
  for (const event of scene.events) {
    const names = OWNER_EVENTS[event.signature];
    if (!names || scene.created.has(event.address)) continue;
    const [before, other] = [addressIn(event, names[0]), addressIn(event, names[1])];
    if (isNobody(before) || before === other) continue;
    yield 1;
    const evidence = namesAfter(scene, event.address, other, before);
    if (evidence === 'contradicted') continue;
    found.push({
      kind: 'ownerChanged',
      contract: event.address,
      before,
      other,
      ...(evidence === 'unknown' ? { isClaimed: true } : {}),
      nodeIds: [event.step.id, event.step.parent],
    });
  }
  return found;
}

/** ERC-173 and ERC-1967: names of the earlier and the later holder. */
const OWNER_EVENTS: Readonly<Record<string, readonly [string, string]>> = {
  'OwnershipTransferred(address,address)': ['previousOwner', 'newOwner'],
  'AdminChanged(address,address)': ['previousAdmin', 'newAdmin'],
};

export function* implementationChangesWork(scene: Scene): Work<Finding[]> {
  const changes = yield* upgradesWork(scene);
  return changes.flatMap(({ counterparty, implementation, isClaimed, nodeIds }) =>
    counterparty && implementation
      ? {
          kind: 'implementationChanged',
          contract: counterparty,
          other: implementation,
          ...(isClaimed ? { isClaimed } : {}),
          nodeIds,
        }
      : [],
  );
}

/** Existing contracts that ran code which the transaction itself created. A new proxy with a new implementation is a deployment. */
export function freshDelegatecalls({ steps, created }: Scene): Finding[] {
  if (created.size === 0) return [];
  const found = new Map<string, Finding>();
  for (const { id, frame, log, reverted } of steps) {
    if (log || reverted || frame.type !== 'DELEGATECALL' || frame.to === null) continue;
    const creation = created.get(frame.to);
    if (!creation || creation.id > id || created.has(frame.from)) continue;
    const key = `${frame.from} ${frame.to}`;
    if (found.has(key)) continue;
    found.set(key, {
      kind: 'freshDelegatecall',
      contract: frame.from,
      other: frame.to,
      nodeIds: [id, creation.id],
    });
  }
  return [...found.values()];
}

/** Existing contracts that executed SELFDESTRUCT. Helpers that a transaction creates and removes are left out. */
export const selfDestructs = ({ destructions, created }: Scene): Finding[] =>
  destructions.flatMap(({ id, frame }) => {
    if (created.has(frame.from)) return [];
    const { value, isValueUnknown } = frame;
    return {
      kind: 'selfDestruct',
      contract: frame.from,
      ...(frame.to === null ? {} : { account: frame.to }),
      amounts:
        value === 0n || isValueUnknown
          ? []
          : [{ asset: NATIVE_ASSET, standard: 'native', amount: value }],
      nodeIds: [id],
    };
  });

import type { Address } from '../../api/primitives';
import type { Step } from '../call-frame';
import type { Condition } from './condition';
import { isPaused, ownerOf } from './question';

const NOT_OWNER = /^OwnableUnauthorizedAccount\(|^(Not|Only)Owner\b|caller is not the owner/i;
const PAUSED = /^EnforcedPause\(|^(Pausable: )?paused$/i;

/** Conditions on the caller and on the contract, where the reason of the failure names them. */
export function accessConditions(step: Step, reason: string): Condition[] {
  const { frame } = step;
  // A DELEGATECALL runs in its caller: the call above it has the same reason.
  if (frame.to === null || frame.type !== 'CALL') return [];
  const [contract, account] = [frame.to, frame.from];
  if (NOT_OWNER.test(reason)) {
    return [
      {
        step,
        question: ownerOf(contract),
        judge: (owner) =>
          owner !== BigInt(account) && owner < 1n << 160n
            ? { kind: 'owner', contract, account, owner: addressOf(owner) }
            : undefined,
      },
    ];
  }
  if (!PAUSED.test(reason)) return [];
  return [
    {
      step,
      question: isPaused(contract),
      judge: (answer) => (answer === 1n ? { kind: 'paused', contract } : undefined),
    },
  ];
}

const addressOf = (value: bigint): Address => `0x${value.toString(16).padStart(40, '0')}`;

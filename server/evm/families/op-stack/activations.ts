import { atBlock, atTime, type Activation, type ChainRules } from '../definition/chain-family';

/** Activations of an OP Stack chain: Canyon, Ecotone, Isthmus and Karst contain Shanghai, Cancun, Prague and Osaka. */
export interface OpStackTimes {
  /** The last hardfork that the chain started with, and further ones by block; Paris if left out. */
  readonly first?: readonly Activation[];
  readonly canyon?: number;
  readonly ecotone?: number;
  readonly fjord?: number;
  readonly isthmus?: number;
  readonly karst?: number;
}

export function opStackRules(checked: string, times: OpStackTimes): ChainRules {
  const { first = [atBlock('paris', 0)], canyon, ecotone, fjord = 0, isthmus, karst } = times;
  const later = (
    [
      ['shanghai', canyon],
      ['cancun', ecotone],
      ['prague', isthmus],
      ['osaka', karst],
    ] as const
  ).flatMap(([hardfork, time]) => (time === undefined ? [] : [atTime(hardfork, time)]));
  return { checked, isOwn: true, activations: first.concat(later), p256: { time: fjord } };
}

/** Date of the snapshot of the superchain-registry that chains without a later source were compared with. */
export const SUPERCHAIN_SNAPSHOT = '2026-08-04';

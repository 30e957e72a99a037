import type { Finding as PublicFinding } from '../../api/summary';
import type { Address } from '../../api/primitives';
import type { Quantity } from '../summary/quantity';

/** A finding before its amounts are in the interface's form. */
export interface Finding extends Pick<
  PublicFinding,
  'kind' | 'nodeIds' | 'transactions' | 'decimals' | 'isClaimed'
> {
  readonly contract: Address;
  readonly account?: Address;
  readonly other?: Address;
  readonly before?: Address;
  readonly recipient?: Address;
  readonly amounts?: readonly Quantity[];
}

import { NATIVE_ASSET, type BalanceChange } from '../../server/api/explorer';
import type { Analysis } from '../../server/api/views';

type Moves = [string, string][];
const sorted = (moves: Moves): Moves => moves.sort(([a], [b]) => (a < b ? -1 : 1));

/** Wei by account, from the balance changes. */
export const nativeMoves = (changes: BalanceChange['balanceChange']): Moves =>
  sorted(
    changes.flatMap(({ account, assets }) =>
      assets.flatMap(({ address, sign, rawAmount }): Moves =>
        address === NATIVE_ASSET ? [[account, `${sign ? '' : '-'}${rawAmount}`]] : [],
      ),
    ),
  );

/** Wei by account, from the state difference, without fees. */
export const stateMoves = ({ stateDiff }: Analysis): Moves =>
  sorted(
    stateDiff!.accounts.flatMap(({ address, balance }): Moves =>
      balance === undefined || balance.change === '0' ? [] : [[address, balance.change]],
    ),
  );

import * as l10n from '@vscode/l10n';
import { isNativeTransfer } from '../../../server/api/native-transfer';
import type { Names } from '../../../server/presentation/segment';
import { shortHex, shownText } from '../../../server/presentation/text';
import type { FlowRow, Parts } from '../protocol/protocol';

const NAME_LIMIT = 40;

type Frame = Parts['gasProfile']['frames'][number];
type MethodOfGas = Pick<Frame, 'selector' | 'method' | 'isGuessed'>;

/** A name that only the selector matches is marked as in the call tree. */
const nameOf = ({ selector, method, isGuessed }: MethodOfGas): string =>
  method === '' ? selector : `${shownText(method, NAME_LIMIT)}${isGuessed ? '?' : ''}`;

/** Names of frames and methods in the gas profile: as in the call tree, without arguments. */
export interface FrameNames {
  /** `Contract.method`, as shown. */
  frame: (frame: Frame) => string;
  /** A method of a contract, with the service's name for it. */
  method: (address: string, method: MethodOfGas) => string;
}

/** Ids of calls without call data, which have neither a selector nor a name. */
function nativeTransfers(rows: readonly FlowRow[]): Set<number> {
  const found = new Set<number>();
  for (const row of rows) {
    if (row.nodeType === 0 && isNativeTransfer(row.invocation)) found.add(row.invocation.id);
  }
  return found;
}

export function frameNames(
  frames: readonly Frame[],
  rows: readonly FlowRow[],
  names: Names,
): FrameNames {
  const transfers = nativeTransfers(rows);
  // A method without a name is a transfer if none of its frames has call data.
  const reached = new Set<string>();
  for (const { id, address, selector } of frames) {
    if (selector === 'fallback' && !transfers.has(id)) reached.add(address);
  }
  return {
    frame(frame) {
      const { id, operation, address } = frame;
      const contract = shownText(names(address) ?? shortHex(address), NAME_LIMIT);
      if (transfers.has(id)) return l10n.t('native transfer to {0}', contract);
      if (operation.startsWith('CREATE')) return `new ${contract || 'contract'}`;
      return `${contract}.${nameOf(frame)}`;
    },
    method(address, one) {
      const { selector, method } = one;
      if (selector === 'fallback' && method === '' && !reached.has(address))
        return l10n.t('native transfer');
      return nameOf(one) || 'constructor';
    },
  };
}

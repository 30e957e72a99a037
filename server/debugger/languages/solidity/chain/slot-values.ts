import type { StorageLayout } from '../../../../analysis/storage-layout';
import type { SlotValues } from '../../port/language';
import { isReference } from '../values/types';
import { fromPacked, wordFault, wordText } from '../values/words';
import { LayoutTypes } from '../variables/layout-types';

/** Values of value types in the slots of a layout. */
export function slotValues(layout: StorageLayout): SlotValues {
  const types = new LayoutTypes(layout);
  return (id, offset, word) => {
    const type = types.of(id);
    if (!type || isReference(type)) return undefined;
    const value = fromPacked(type, word >> BigInt(offset * 8));
    return wordFault(type, value) === undefined ? wordText(type, value) : undefined;
  };
}

import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { useInspector } from '../ui-state/inspector-context';
import { rowAt, rowId } from './row-of-event';

interface OpenMenu {
  index: number;
  place: { left: number; top: number; above: number };
}

interface TreeMenu {
  open: OpenMenu | undefined;
  onContextMenu: (event: MouseEvent) => void;
  onClose: () => void;
}

/**
 * The menu of a row: of the one under the pointer; with the keyboard or beside the rows, of the active one.
 * @param active index of the row that the keyboard is on; undefined if no row is visible
 */
export function useTreeMenu(
  element: RefObject<HTMLDivElement | null>,
  active: number | undefined,
): TreeMenu {
  const { calls } = useInspector().state;
  const [open, setOpen] = useState<OpenMenu>();

  function openAtPointer(event: MouseEvent, index: number): void {
    event.preventDefault();
    calls.selected.value = index;
    const { clientX, clientY } = event;
    const show = (): void => {
      setOpen({ index, place: { left: clientX, top: clientY, above: clientY } });
    };
    // Linux and macOS send the event when the button is pressed. Its release would close the menu.
    if (event.buttons === 0) show();
    else addEventListener('mouseup', show, { once: true });
  }

  return {
    open,
    onContextMenu(event) {
      const index = rowAt(event.target);
      if (index !== undefined) {
        openAtPointer(event, index);
        return;
      }
      if (event.target !== element.current || active === undefined) return;
      event.preventDefault();
      const box = document.getElementById(rowId(active))?.getBoundingClientRect();
      if (!box) return;
      setOpen({ index: active, place: { left: box.left + 60, top: box.bottom, above: box.top } });
    },
    onClose() {
      setOpen(undefined);
      element.current?.focus({ preventScroll: true });
    },
  };
}

import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icon';

export interface MenuItem {
  title: string;
  onSelect: () => void;
  /** Makes the item a checkbox. */
  checked?: boolean;
  /** Why the item is disabled. */
  disabled?: string | undefined;
  /** Starts a group. */
  first?: boolean;
}

/** Position of a menu in window pixels. `above`: bottom edge of the menu if there is no room below. */
interface MenuPosition {
  left: number;
  top: number;
  above: number;
}

interface MenuProps {
  label: string;
  items: readonly MenuItem[];
  anchor: MenuPosition;
  onClose: () => void;
}

const MARGIN = 4;

/** The menu pattern of WAI-ARIA: arrows, Home, End, letters, Escape. Opens at `place` and closes itself. */
export function Menu({ label, items, anchor, onClose }: MenuProps): VNode {
  const list = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const menu = list.current;
    if (!menu) return;
    menu.showPopover();
    const { width, height } = menu.getBoundingClientRect();
    const left = Math.min(anchor.left, innerWidth - width - MARGIN);
    const fits = anchor.top + height + MARGIN <= innerHeight;
    const top = fits ? anchor.top : Math.max(MARGIN, anchor.above - height);
    menu.style.left = `${Math.max(MARGIN, left)}px`;
    menu.style.top = `${top}px`;
    menu.querySelector<HTMLElement>('[role^=menuitem]')?.focus();
  }, [anchor]);

  function focusable(): HTMLElement[] {
    return [...(list.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
  }

  function onKeyDown(event: KeyboardEvent): void {
    const all = focusable();
    const at = all.findIndex((item) => item === document.activeElement);
    const steps: Partial<Record<string, number>> = {
      ArrowDown: (at + 1) % all.length,
      ArrowUp: (at - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    };
    const starting = [...all.slice(at + 1), ...all].find((item) =>
      item.innerText.trim().toLowerCase().startsWith(event.key.toLowerCase()),
    );
    const step = steps[event.key];
    const next = step === undefined ? (event.key.length === 1 ? starting : undefined) : all[step];
    event.stopPropagation();
    if (event.key === 'Tab') list.current?.hidePopover();
    if (!next || event.key === ' ') return;
    event.preventDefault();
    next.focus();
  }

  return (
    <div
      ref={list}
      popover="auto"
      role="menu"
      aria-label={label}
      class="menu"
      onKeyDown={onKeyDown}
      onToggle={(event) => {
        if (event.newState === 'closed') onClose();
      }}
    >
      {items.map(({ title, onSelect, checked, disabled, first }) => (
        <button
          key={title}
          type="button"
          role={checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
          {...(checked !== undefined && { 'aria-checked': checked })}
          {...(disabled !== undefined && { 'aria-disabled': true, title: disabled })}
          class={first ? 'menu-item first' : 'menu-item'}
          tabIndex={-1}
          onClick={() => {
            if (disabled !== undefined) return;
            list.current?.hidePopover();
            onSelect();
          }}
        >
          <span class="menu-check">{checked === true && <Icon name="check" />}</span>
          {title}
        </button>
      ))}
    </div>
  );
}

interface MenuButtonProps {
  icon: string;
  label: string;
  /** Called when the menu opens. */
  items: () => readonly MenuItem[];
  /** Shown beside the icon. */
  text?: string;
}

/** A button that opens a menu below it. */
export function MenuButton({ icon, label, items, text }: MenuButtonProps): VNode {
  const [anchor, setAnchor] = useState<MenuPosition>();
  return (
    <>
      <button
        type="button"
        class={text === undefined ? 'icon-button' : 'action'}
        title={label}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        onClick={(event) => {
          const { left, bottom, top } = event.currentTarget.getBoundingClientRect();
          setAnchor({ left, top: bottom, above: top });
        }}
      >
        <Icon name={icon} />
        {text !== undefined && <span class="action-label">{text}</span>}
      </button>
      {anchor && (
        <Menu
          label={label}
          items={items()}
          anchor={anchor}
          onClose={() => {
            setAnchor(undefined);
          }}
        />
      )}
    </>
  );
}

import type { VNode } from 'preact';
import { Icon } from './icon';

export interface IconButtonProps {
  icon: string;
  label: string;
  pressed?: boolean;
  disabled?: boolean;
  onClick: () => void;
}

export function IconButton({ icon, label, pressed, disabled, onClick }: IconButtonProps): VNode {
  return (
    <button
      type="button"
      class="icon-button"
      title={label}
      aria-label={label}
      {...(pressed !== undefined && { 'aria-pressed': pressed })}
      disabled={disabled ?? false}
      onClick={(event) => {
        event.stopPropagation();
        onClick();
      }}
    >
      <Icon name={icon} />
    </button>
  );
}

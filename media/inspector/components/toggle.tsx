import type { VNode } from 'preact';

interface ToggleProps {
  label: string;
  checked: boolean;
  onChange: (on: boolean) => void;
}

/** A checkbox with its label. */
export function Toggle({ label, checked, onChange }: ToggleProps): VNode {
  return (
    <label class="toggle">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => {
          onChange(event.currentTarget.checked);
        }}
      />
      {label}
    </label>
  );
}

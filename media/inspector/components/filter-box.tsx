import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';

interface FilterBoxProps {
  text: Signal<string>;
  /** What it is called, and what may be typed. */
  label: string;
  /** How many of how many are left. */
  shown: number;
  total: number;
}

export function FilterBox({ text, label, shown, total }: FilterBoxProps): VNode {
  return (
    <span class="filter">
      <input
        type="text"
        class="input"
        placeholder={label}
        aria-label={label}
        spellcheck={false}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || text.value === '') return;
          event.preventDefault();
          text.value = '';
        }}
      />
      <span class="quiet count" role="status">
        {text.value.trim() !== '' && `${shown} of ${total}`}
      </span>
    </span>
  );
}

/** Whether all words of a filter are in one of the texts, whatever their case. */
export function matchesFilter(filter: string, texts: readonly (string | undefined)[]): boolean {
  const all = texts.join('\n').toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

import type { Signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import { grouped } from '../../../server/presentation/text';
import { useInspector } from '../ui-state/inspector-context';

/** A filter by words that the user types. */
export interface WordFilter {
  text: Signal<string>;
  /** Whether every word occurs in one of the texts, regardless of case. */
  matches: (texts: readonly (string | undefined)[]) => boolean;
}

/** The filter of a view; its text is saved. */
export function useWordFilter(view: string): WordFilter {
  const text = useInspector().state.persistentSignal(`${view}.filter`, '');
  const typed = text.value;
  const matches = useMemo(() => wordMatcher(typed), [typed]);
  return { text, matches };
}

function wordMatcher(filter: string): WordFilter['matches'] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return () => true;
  return (texts) => {
    const all = texts.join('\n').toLowerCase();
    return words.every((word) => all.includes(word));
  };
}

export interface FilterBoxProps {
  text: Signal<string>;
  /** Accessible name and placeholder of the input. */
  label: string;
  /** Number of items that match, and of all items. */
  shown: number;
  total: number;
  /** Accepted syntax, if the filter accepts more than words. */
  help?: string;
  /** Describes what is wrong with the input. */
  problem?: string | undefined;
}

export function FilterBox({ text, label, shown, total, help, problem }: FilterBoxProps): VNode {
  const helpId = useId();
  return (
    <span class="filter">
      <input
        type="text"
        class="input"
        placeholder={label}
        aria-label={label}
        aria-invalid={problem !== undefined}
        {...(help !== undefined && { 'aria-describedby': helpId, title: help })}
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
      {help !== undefined && (
        <span id={helpId} class="hidden">
          {help}
        </span>
      )}
      <span class={problem === undefined ? 'quiet count' : 'error'} role="status">
        {problem === undefined ? (
          text.value.trim() !== '' &&
          l10n.t('{0} of {1}', grouped(String(shown)), grouped(String(total)))
        ) : (
          <bdi>{problem}</bdi>
        )}
      </span>
    </span>
  );
}

import type { Signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import { grouped } from '../grammar/text';
import { useInspector } from '../inspector-context';

/** A filter by words, as the reader types it. */
export interface WordFilter {
  text: Signal<string>;
  /** Whether all words are in one of the texts, whatever their case. */
  matches: (texts: readonly (string | undefined)[]) => boolean;
}

/** The filter of a view; what is typed is kept. */
export function useWordFilter(view: string): WordFilter {
  const text = useInspector().state.keep(`${view}.filter`, '');
  const typed = text.value;
  const matches = useMemo(() => wordMatcher(typed), [typed]);
  return { text, matches };
}

function wordMatcher(filter: string): WordFilter['matches'] {
  const words = filter.toLowerCase().split(/\s+/);
  return (texts) => {
    const all = texts.join('\n').toLowerCase();
    return words.every((word) => all.includes(word));
  };
}

export interface FilterBoxProps {
  text: Signal<string>;
  /** What it is called, and what may be typed. */
  label: string;
  /** How many of how many are left. */
  shown: number;
  total: number;
  /** What else is accepted, where that is more than words. */
  help?: string;
  /** What is wrong with what was typed. */
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

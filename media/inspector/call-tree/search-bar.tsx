import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { visiblePosition } from '../model/tree-model';
import { Icon } from '../components/icon';
import { IconButton } from '../components/icon-button';
import { grouped } from '../../../server/presentation/text';
import { useInspector } from '../ui-state/inspector-context';
import { acceptedText, problemText } from '../search/query';

/** `12 of 48` if the selected row is a match, otherwise the number of matches. */
function countText(matches: readonly number[], selected: number): string {
  if (matches.length === 0) return l10n.t('No match');
  const total = grouped(String(matches.length));
  const at = visiblePosition(matches, selected);
  return matches[at] === selected
    ? l10n.t('{0} of {1}', grouped(String(at + 1)), total)
    : l10n.t('{0} found', total);
}

/** Buttons that go from match to match. */
function Steps(): VNode {
  const { matches, step } = useInspector().state.calls;
  const isEmpty = !matches.value?.length;
  return (
    <>
      <IconButton
        icon="arrow-up"
        label={l10n.t('Previous match (Shift+F3)')}
        disabled={isEmpty}
        onClick={() => {
          step(-1);
        }}
      />
      <IconButton
        icon="arrow-down"
        label={l10n.t('Next match (F3)')}
        disabled={isEmpty}
        onClick={() => {
          step(1);
        }}
      />
    </>
  );
}

/** The search bar of the call tree: query, number of matches, and navigation between them. */
export function SearchBar({ onLeave }: { onLeave: () => void }): VNode {
  const { state } = useInspector();
  const { search, matches, selected, step } = state.calls;
  const input = useRef<HTMLInputElement>(null);
  const problem = search.problem.value;
  const found = matches.value;
  const accepted = l10n.t('Accepted: {0}', acceptedText());

  useLayoutEffect(() => {
    input.current?.select();
  }, []);

  function close(): void {
    search.isOpen.value = false;
    onLeave();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const actions: Partial<Record<string, () => void>> = {
      Enter: () => {
        step(event.shiftKey ? -1 : 1);
      },
      Escape: close,
      ArrowDown: onLeave,
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  return (
    <div class="search" role="search">
      <Icon name="search" />
      <input
        ref={input}
        type="text"
        class="input"
        placeholder={l10n.t('Text, address, selector, or {0}', 'to:0x… fn:swap value>1 reverted')}
        aria-label={l10n.t('Search calls and events')}
        aria-describedby="search-help"
        aria-invalid={problem !== undefined}
        title={accepted}
        spellcheck={false}
        value={search.query.value}
        onInput={(event) => {
          search.query.value = event.currentTarget.value;
        }}
        onKeyDown={onKeyDown}
      />
      <span id="search-help" class="hidden">
        {accepted}
      </span>
      <span class={problem ? 'search-note error' : 'search-note quiet'} role="status">
        {problem ? <bdi>{problemText(problem)}</bdi> : found && countText(found, selected.value)}
      </span>
      <Steps />
      <IconButton
        icon="list-filter"
        label={l10n.t('Show matches only')}
        pressed={search.onlyMatches.value}
        onClick={() => {
          search.onlyMatches.value = !search.onlyMatches.value;
        }}
      />
      <IconButton icon="close" label={l10n.t('Close the search (Escape)')} onClick={close} />
    </div>
  );
}

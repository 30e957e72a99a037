import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { visiblePosition } from '../call-tree/tree-model';
import { Icon } from '../components/icon';
import { IconButton } from '../components/icon-button';
import { grouped, shownText } from '../grammar/text';
import { useInspector } from '../inspector-context';
import { ACCEPTED } from './query';

const TERM_LIMIT = 60;

/** `12 of 48` where the selected row is a match, else how many there are. */
function countText(matches: readonly number[], selected: number): string {
  if (matches.length === 0) return 'No match';
  const total = grouped(String(matches.length));
  const at = visiblePosition(matches, selected);
  return matches[at] === selected ? `${grouped(String(at + 1))} of ${total}` : `${total} found`;
}

/** The search of the call tree: what is looked for, how often it is there, and the way from one to the next. */
export function SearchBar({ onLeave }: { onLeave: () => void }): VNode {
  const { state } = useInspector();
  const { search, matches, selected, step } = state.calls;
  const input = useRef<HTMLInputElement>(null);
  const problem = search.problem.value;
  const found = matches.value;

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
        placeholder="Text, address, selector, or to:0x… fn:swap value>1 reverted"
        aria-label="Search calls and events"
        aria-describedby="search-help"
        aria-invalid={problem !== undefined}
        title={`Accepted: ${ACCEPTED}`}
        spellcheck={false}
        value={search.query.value}
        onInput={(event) => {
          search.query.value = event.currentTarget.value;
        }}
        onKeyDown={onKeyDown}
      />
      <span id="search-help" class="hidden">
        Accepted: {ACCEPTED}
      </span>
      <span class={problem ? 'search-note error' : 'search-note quiet'} role="status">
        {problem ? (
          <bdi>
            {shownText(problem.term, TERM_LIMIT)}: {problem.message}
          </bdi>
        ) : (
          found && countText(found, selected.value)
        )}
      </span>
      <IconButton
        icon="arrow-up"
        label="Previous match (Shift+F3)"
        disabled={!found?.length}
        onClick={() => {
          step(-1);
        }}
      />
      <IconButton
        icon="arrow-down"
        label="Next match (F3)"
        disabled={!found?.length}
        onClick={() => {
          step(1);
        }}
      />
      <IconButton
        icon="list-filter"
        label="Show matches only"
        pressed={search.onlyMatches.value}
        onClick={() => {
          search.onlyMatches.value = !search.onlyMatches.value;
        }}
      />
      <IconButton icon="close" label="Close the search (Escape)" onClick={close} />
    </div>
  );
}

import type { Signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { addressMark } from '../components/highlight';
import { useVirtualRows } from '../components/use-virtual-rows';
import { grouped } from '../../../server/presentation/text';
import { barsOf, flameStep, rangeOf, type Bar, type FlameLayout } from './flame-layout';
import { gasText } from './self-gas';

const LEVEL_HEIGHT = 22;
/** Levels that are drawn above and below those in view. */
const LEVELS_BEYOND = 2;
/** Narrower bars have no space for text. */
const TEXT_PIXELS = 28;

interface FlameGraphProps {
  layout: FlameLayout;
  /** `Contract.method`, as shown. */
  nameOf: (index: number) => string;
  /** Undefined: no search. */
  isMatch: ((index: number) => boolean) | undefined;
  selected: Signal<number>;
  /** The frame that fills the width; -1: all frames. */
  zoomed: Signal<number>;
  onOpen: (index: number) => void;
}

const titleOf = (name: string, { gasUsed, selfGas }: FlameLayout['frames'][number]): string =>
  `${name}\n${gasText(gasUsed, selfGas)}`;

/** A bar's text for screen readers. */
function barLabel(name: string, { gasUsed, revert }: FlameLayout['frames'][number]): string {
  if (gasUsed === null) return revert ? l10n.t('{0}, rolled back', name) : name;
  const gas = grouped(String(gasUsed));
  return revert
    ? l10n.t('{0}, {1} gas, rolled back', name, gas)
    : l10n.t('{0}, {1} gas', name, gas);
}

/** Width of an element in pixels. Updates when the element changes. */
function useWidth(element: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const observer = new ResizeObserver(() => {
      setWidth(current.clientWidth);
    });
    observer.observe(current);
    setWidth(current.clientWidth);
    return () => {
      observer.disconnect();
    };
  }, [element]);
  return width;
}

interface BarProps {
  bar: Bar;
  /** Pixels from the top of the graph. */
  top: number;
}

/** Several calls that are too narrow for bars of their own. */
function NarrowCalls({
  bar: { index, count, left, width },
  top,
  onClick,
}: BarProps & { onClick: (index: number) => void }): VNode {
  return (
    <div
      role="presentation"
      class="bar several"
      style={{ left: `${left}px`, top: `${top}px`, width: `${width - 1}px` }}
      title={l10n.t(
        '{0} calls, too narrow for a bar each: click to zoom in',
        grouped(String(count)),
      )}
      onClick={() => {
        onClick(index);
      }}
    >
      {width >= 2 * TEXT_PIXELS && l10n.t('{0} calls', grouped(String(count)))}
    </div>
  );
}

/** The bar of one call. */
function FrameBar({
  graph: { layout, nameOf, isMatch, selected, zoomed, onOpen },
  bar: { index, left, width },
  top,
  depth,
}: BarProps & { graph: FlameGraphProps; depth: number }): VNode {
  const frame = layout.frames[index];
  const name = nameOf(index);
  const isFaint = isMatch !== undefined && !isMatch(index);
  return (
    <div
      id={`flame-${index}`}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={index === selected.value}
      aria-label={frame && barLabel(name, frame)}
      class={`bar ${isFaint ? 'faint' : ''} ${frame?.revert ? 'failed' : ''} ${index === selected.value ? 'selected' : ''}`}
      style={{ left: `${left}px`, top: `${top}px`, width: `${Math.max(width - 1, 1)}px` }}
      title={frame && titleOf(name, frame)}
      {...addressMark(frame?.address)}
      onClick={() => {
        selected.value = index;
        zoomed.value = index;
      }}
      onDblClick={() => {
        onOpen(index);
      }}
    >
      {width >= TEXT_PIXELS && `${frame?.revert ? '✗ ' : ''}${name}`}
    </div>
  );
}

/** Gas by frame: callers above their calls, with widths proportional to gas. */
export function FlameGraph(props: FlameGraphProps): VNode {
  const { layout, selected, zoomed, onOpen } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const pixels = useWidth(scroller);
  const { rows: levels, rendered } = useVirtualRows({
    count: layout.levels.length,
    scroller,
    headHeight: 0,
    initialOffset: 0,
    overscan: LEVELS_BEYOND,
  });
  const range = rangeOf(layout, zoomed.value);

  /** Zooms in on the caller of a frame without a bar of its own, or on the frame itself if the caller has too many calls. */
  function reveal(index: number): void {
    const hasBar = (zoom: number): boolean =>
      barsOf(layout, layout.frames[index]?.depth ?? 0, rangeOf(layout, zoom), pixels).some(
        (bar) => bar.index === index && bar.count === 1,
      );
    const caller = layout.parent[index] ?? -1;
    const zoom = [zoomed.value, caller].find(hasBar);
    zoomed.value = zoom ?? index;
  }

  function select(index: number): void {
    selected.value = index;
    reveal(index);
    levels.scrollToIndex(layout.frames[index]?.depth ?? 0, 'auto');
  }

  function onKeyDown(event: KeyboardEvent): void {
    const next = flameStep(layout, selected.value, event.key);
    if (next !== undefined) select(next);
    else if (event.key === 'Enter') zoomed.value = selected.value;
    else if (event.key === 'Escape' || event.key === 'Backspace') zoomed.value = -1;
    else if (event.key === 't') onOpen(selected.value);
    else if (!event.key.startsWith('Arrow')) return;
    event.preventDefault();
  }

  return (
    <div
      ref={scroller}
      class="flame"
      role="tree"
      aria-label={l10n.t(
        'Flame graph: arrow keys move, Enter zooms in, Escape zooms out, t shows the call tree',
      )}
      aria-activedescendant={`flame-${selected.value}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div
        class="flame-body"
        role="presentation"
        style={{ height: `${layout.levels.length * LEVEL_HEIGHT}px` }}
      >
        {rendered.flatMap(({ index: depth, start: top }) =>
          barsOf(layout, depth, range, pixels).map((bar) =>
            bar.count > 1 ? (
              <NarrowCalls key={bar.index} bar={bar} top={top} onClick={reveal} />
            ) : (
              <FrameBar key={bar.index} graph={props} bar={bar} top={top} depth={depth} />
            ),
          ),
        )}
      </div>
    </div>
  );
}

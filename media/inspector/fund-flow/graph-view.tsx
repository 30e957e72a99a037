import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { addressMark } from '../components/highlight';
import {
  arrowHead,
  COLOURS,
  dashOf,
  pathData,
  type Scene,
  type SceneEdge,
  type SceneNode,
} from './scene';
import { lineY } from './scene-svg';
import { fit, MAX_FIT, pan, reveal, zoom, type Size, type Viewport } from './viewport';

const STEP = 40;
const FACTOR = 1.25;

interface GraphViewProps {
  scene: Scene;
  /** Undefined: the whole drawing, fitted into the window. */
  viewport: Signal<Viewport | undefined>;
  /** Address of the account whose arrows are emphasized; undefined: all arrows. */
  focus: Signal<string | undefined>;
  /** Index of the selected arrow; -1: none. */
  chosen: Signal<number>;
  /** `alice, 2 in, 1 out`. */
  nodeLabel: (node: SceneNode) => string;
  label: string;
}

function Arrow(props: {
  arrow: SceneEdge;
  isFaint: boolean;
  chosen: boolean;
  onClick: () => void;
}): VNode {
  const { arrow, isFaint, chosen, onClick } = props;
  const { points, style, text, label } = arrow;
  const head = arrowHead(points);
  const path = pathData(points);
  return (
    <g
      class={`arrow colour-${style % COLOURS} ${isFaint ? 'faint' : ''} ${chosen ? 'chosen' : ''}`}
      onClick={onClick}
    >
      <title>{text}</title>
      <path class="hit" d={path} />
      <path class="line" d={path} stroke-dasharray={dashOf(style)} />
      {head && <polygon points={head.map(({ x, y }) => `${x},${y}`).join(' ')} />}
      <rect
        x={label.x - label.width / 2}
        y={label.y - label.height / 2}
        width={label.width}
        height={label.height}
      />
      <text x={label.x} y={label.y}>
        {text}
      </text>
    </g>
  );
}

function Account(props: {
  node: SceneNode;
  isFaint: boolean;
  focused: boolean;
  label: string;
  onToggle: () => void;
  onFocus: () => void;
}): VNode {
  const { node, isFaint, focused, label, onToggle, onFocus } = props;
  const { address, x, y, width, height, lines } = node;
  return (
    <g
      class={`account-node ${isFaint ? 'faint' : ''} ${focused ? 'focused' : ''}`}
      role="button"
      tabindex={0}
      aria-pressed={focused}
      aria-label={label}
      {...addressMark(address)}
      onClick={onToggle}
      onFocus={onFocus}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        onToggle();
      }}
    >
      <rect x={x} y={y} width={width} height={height} rx={4}>
        <title>{address}</title>
      </rect>
      <rect class="hue" x={x} y={y + 4} width={3} height={height - 8} />
      <text>
        {lines.map((line, index) => (
          <tspan
            key={index}
            class={index > 0 ? 'second' : ''}
            x={x + width / 2}
            y={lineY(node, index)}
          >
            {line}{' '}
          </tspan>
        ))}
      </text>
    </g>
  );
}

/** The graph with zoom (Ctrl and wheel, + and -, 0) and pan (drag, wheel, arrows). Accounts are buttons; N selects the next arrow. */
export function GraphView(props: GraphViewProps): VNode {
  const { scene, viewport, focus, chosen, nodeLabel, label } = props;
  const svg = useRef<SVGSVGElement>(null);
  const dragged = useRef<{ x: number; y: number } | undefined>(undefined);
  const windowSize = (): Size => {
    const { width = 1, height = 1 } = svg.current?.getBoundingClientRect() ?? {};
    return { width, height };
  };
  const current = (): Viewport => viewport.peek() ?? fit(scene, windowSize());

  useEffect(() => {
    const element = svg.current;
    if (!element) return;
    function onWheel(event: WheelEvent): void {
      event.preventDefault();
      const view = current();
      viewport.value =
        event.ctrlKey || event.metaKey
          ? zoom(view, event.deltaY < 0 ? FACTOR : 1 / FACTOR, {
              x: event.offsetX,
              y: event.offsetY,
            })
          : pan(view, -event.deltaX, -event.deltaY);
    }
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      element.removeEventListener('wheel', onWheel);
    };
  });

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const view = current();
    const { width, height } = windowSize();
    const middle = { x: width / 2, y: height / 2 };
    const moves: Partial<Record<string, () => Viewport | undefined>> = {
      '+': () => zoom(view, FACTOR, middle),
      '=': () => zoom(view, FACTOR, middle),
      '-': () => zoom(view, 1 / FACTOR, middle),
      '0': () => undefined,
      ArrowLeft: () => pan(view, STEP, 0),
      ArrowRight: () => pan(view, -STEP, 0),
      ArrowUp: () => pan(view, 0, STEP),
      ArrowDown: () => pan(view, 0, -STEP),
    };
    const move = moves[event.key];
    if (move) viewport.value = move();
    else if (event.key === 'n' || event.key === 'N') choose(event.key === 'n' ? 1 : -1);
    else if (event.key === 'Escape') focus.value = undefined;
    else return;
    event.preventDefault();
  }

  const touches = ({ edge }: SceneEdge): boolean =>
    focus.value === undefined || edge.from === focus.value || edge.to === focus.value;

  /** Does nothing while the whole drawing is fitted into the window. */
  function bringIntoView(box: Parameters<typeof reveal>[1]): void {
    const moved = viewport.peek();
    if (moved) viewport.value = reveal(moved, box, windowSize());
  }

  /** Selects the next or previous emphasized arrow. */
  function choose(direction: 1 | -1): void {
    const clear = scene.edges.flatMap((arrow, index) => (touches(arrow) ? [index] : []));
    const at = clear.indexOf(chosen.value);
    const next = at < 0 && direction < 0 ? clear.length - 1 : at + direction;
    chosen.value = clear[(next + clear.length) % clear.length] ?? -1;
    const label = scene.edges[chosen.value]?.label;
    if (label)
      bringIntoView({ ...label, x: label.x - label.width / 2, y: label.y - label.height / 2 });
  }

  const near = new Set(scene.edges.filter(touches).flatMap(({ edge }) => [edge.from, edge.to]));
  const view = viewport.value;
  return (
    <svg
      ref={svg}
      class="graph"
      role="group"
      aria-label={label}
      tabindex={0}
      // Until the user moves the drawing, the browser fits it into the available space.
      {...(view === undefined && {
        viewBox: `0 0 ${Math.max(scene.width, 1)} ${Math.max(scene.height, 1)}`,
        style: {
          maxWidth: `${scene.width * MAX_FIT}px`,
          maxHeight: `${scene.height * MAX_FIT}px`,
          margin: 'auto',
        },
      })}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button === 0) dragged.current = { x: event.clientX, y: event.clientY };
      }}
      onPointerMove={(event) => {
        const from = dragged.current;
        if (!from || event.buttons === 0) return;
        const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
        if (Math.hypot(dx, dy) < 3) return;
        svg.current?.setPointerCapture(event.pointerId);
        viewport.value = pan(current(), dx, dy);
        dragged.current = { x: event.clientX, y: event.clientY };
      }}
      onPointerUp={() => {
        dragged.current = undefined;
      }}
    >
      <g transform={view && `translate(${view.x} ${view.y}) scale(${view.scale})`}>
        {scene.edges.map((arrow, index) => (
          <Arrow
            key={index}
            arrow={arrow}
            isFaint={!touches(arrow)}
            chosen={chosen.value === index}
            onClick={() => {
              chosen.value = chosen.value === index ? -1 : index;
            }}
          />
        ))}
        {scene.nodes.map((node) => (
          <Account
            key={node.address}
            node={node}
            isFaint={focus.value !== undefined && !near.has(node.address)}
            focused={focus.value === node.address}
            label={nodeLabel(node)}
            onToggle={() => {
              focus.value = focus.value === node.address ? undefined : node.address;
            }}
            onFocus={() => {
              bringIntoView(node);
            }}
          />
        ))}
      </g>
    </svg>
  );
}

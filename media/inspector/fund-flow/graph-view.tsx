import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
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
import { useViewport } from './use-viewport';
import { MAX_FIT, type Viewport } from './viewport';

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

/** Until the user moves the drawing, the browser fits it into the available space. */
const fitted = ({ width, height }: Scene) => ({
  viewBox: `0 0 ${Math.max(width, 1)} ${Math.max(height, 1)}`,
  style: { maxWidth: `${width * MAX_FIT}px`, maxHeight: `${height * MAX_FIT}px`, margin: 'auto' },
});

/** The graph with zoom (Ctrl and wheel, + and -, 0) and pan (drag, wheel, arrows). Accounts are buttons; N selects the next arrow. */
export function GraphView(props: GraphViewProps): VNode {
  const { scene, viewport, focus, chosen, nodeLabel, label } = props;
  const svg = useRef<SVGSVGElement>(null);
  const { onKey, bringIntoView, pointer } = useViewport(scene, viewport, svg);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'n' || event.key === 'N') choose(event.key === 'n' ? 1 : -1);
    else if (event.key === 'Escape') focus.value = undefined;
    else if (!onKey(event.key)) return;
    event.preventDefault();
  }

  const touches = ({ edge }: SceneEdge): boolean =>
    focus.value === undefined || edge.from === focus.value || edge.to === focus.value;

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
      {...(view === undefined && fitted(scene))}
      onKeyDown={onKeyDown}
      {...pointer}
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

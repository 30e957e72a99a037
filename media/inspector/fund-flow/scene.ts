import { Graph, layout, type EdgeLabel, type GraphLabel, type NodeLabel } from '@dagrejs/dagre';
import type { FlowEdge } from './edges';

export interface Point {
  x: number;
  y: number;
}

/** An account as a box; `x` and `y` are its upper left corner. */
export interface SceneNode extends Point {
  address: string;
  width: number;
  height: number;
  /** One or two lines: name, short address. */
  lines: string[];
}

export interface SceneEdge {
  edge: FlowEdge;
  points: Point[];
  /** Centre of the label, and the size of its text. */
  label: Point & { width: number; height: number };
  text: string;
  /** Index of the asset's colour and dash. */
  style: number;
}

/** A drawing in pixels, for the screen and for files. */
export interface Scene {
  width: number;
  height: number;
  nodes: SceneNode[];
  edges: SceneEdge[];
}

export interface SceneOptions {
  linesOf: (address: string) => string[];
  textOf: (edge: FlowEdge) => string;
  styleOf: (edge: FlowEdge) => number;
  /** Width of a text in pixels. */
  measure: (text: string) => number;
  /** Lays out from top to bottom, for windows that are taller than wide. */
  isPortrait: boolean;
}

export const LINE_HEIGHT = 16;
const PADDING_X = 12;
const PADDING_Y = 6;
const MARGIN = 16;
const LABEL_HEIGHT = 18;
const MANY_ARROWS = 24;

/** Name of a graph node; never empty, unlike the address of burnt ether. */
const nodeName = (address: string): string => `account ${address}`;

/** Lays out accounts in the direction of the transfers: from left to right, or from top to bottom. */
export function sceneOf(edges: readonly FlowEdge[], options: SceneOptions): Scene {
  const { linesOf, textOf, styleOf, measure, isPortrait } = options;
  const graph = new Graph<GraphLabel, NodeLabel, EdgeLabel>({ multigraph: true });
  graph.setGraph({
    rankdir: isPortrait ? 'TB' : 'LR',
    nodesep: 28,
    edgesep: 14,
    ranksep: 48,
    marginx: MARGIN,
    marginy: MARGIN,
    // Much faster, and the lines are hardly longer.
    ...(edges.length > MANY_ARROWS && { ranker: 'tight-tree' }),
  });
  const lines = new Map<string, string[]>();
  for (const { from, to } of edges) {
    for (const address of [from, to]) {
      if (lines.has(address)) continue;
      const shown = linesOf(address);
      lines.set(address, shown);
      graph.setNode(nodeName(address), {
        width: Math.max(...shown.map(measure)) + 2 * PADDING_X,
        height: shown.length * LINE_HEIGHT + 2 * PADDING_Y,
      });
    }
  }
  edges.forEach((edge, index) => {
    const label = {
      width: measure(textOf(edge)) + 8,
      height: LABEL_HEIGHT,
      labelpos: 'c' as const,
    };
    graph.setEdge(nodeName(edge.from), nodeName(edge.to), label, String(index));
  });
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width,
    height,
    nodes: [...lines].map(([address, shown]) => {
      const { x = 0, y = 0, ...size } = graph.node(nodeName(address));
      const box = { width: size.width, height: size.height };
      return { address, ...box, x: x - box.width / 2, y: y - box.height / 2, lines: shown };
    }),
    edges: edges.map((edge, index) => {
      const placed = graph.edge(nodeName(edge.from), nodeName(edge.to), String(index));
      return {
        edge,
        points: placed.points ?? [],
        label: {
          x: placed.x ?? 0,
          y: placed.y ?? 0,
          width: placed.width ?? 0,
          height: LABEL_HEIGHT,
        },
        text: textOf(edge),
        style: styleOf(edge),
      };
    }),
  };
}

/** Path data of a smooth line through all points, one of which is the centre of the label: parallel arrows keep their labels. */
export function pathData(points: readonly Point[]): string {
  const round = (value: number): string => String(Math.round(value * 10) / 10);
  const at = (x: number, y: number): string => `${round(x)} ${round(y)}`;
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last || points.length < 2) return '';
  if (points.length === 2) return `M${at(first.x, first.y)}L${at(last.x, last.y)}`;
  let data = `M${at(first.x, first.y)}`;
  for (let index = 0; index < points.length - 1; index++) {
    const from = points[index] ?? first;
    const to = points[index + 1] ?? from;
    const before = points[index - 1] ?? from;
    const after = points[index + 2] ?? to;
    // Catmull-Rom: the tangent in a point is parallel to the line between its neighbours.
    const out = at(from.x + (to.x - before.x) / 6, from.y + (to.y - before.y) / 6);
    const into = at(to.x - (after.x - from.x) / 6, to.y - (after.y - from.y) / 6);
    data += `C${out} ${into} ${at(to.x, to.y)}`;
  }
  return data;
}

/** The tip and the two back corners of an arrow head at the end of a line. */
export function arrowHead(points: readonly Point[]): [Point, Point, Point] | undefined {
  const tip = points.at(-1);
  const before = points.at(-2);
  if (!tip || !before) return undefined;
  const length = Math.hypot(tip.x - before.x, tip.y - before.y) || 1;
  const [dx, dy] = [(tip.x - before.x) / length, (tip.y - before.y) / length];
  const corner = (side: 1 | -1): Point => ({
    x: tip.x - 8 * dx - side * 4 * dy,
    y: tip.y - 8 * dy + side * 4 * dx,
  });
  return [tip, corner(1), corner(-1)];
}

/** Dash patterns, so that assets differ in more than colour. */
const DASHES = ['', '6 3', '2 3', '8 3 2 3'] as const;
export const COLOURS = 5;
export const dashOf = (style: number): string =>
  DASHES[Math.floor(style / COLOURS) % DASHES.length] ?? '';

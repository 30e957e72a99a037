import { useEffect, useMemo, useState } from 'preact/hooks';
import { useInspector } from '../ui-state/inspector-context';
import type { FlowEdge } from './edges';
import { flowScene } from './flow-scene';
import { textMeasure } from './palette';
import type { Scene } from './scene';
import { fit, type Size } from './viewport';

/** Graphs with more arrows are laid out once only, in the direction of the window. */
const FEW_ARROWS = 24;
/** Head, tabs and notes around the graph, in pixels. */
const AROUND = 230;

/** Size of the window without what is around the graph. */
function roomOf(): Size {
  return { width: Math.max(1, innerWidth), height: Math.max(1, innerHeight - AROUND) };
}

function useRoom(): Size {
  const [room, setRoom] = useState(roomOf);
  useEffect(() => {
    function onResize(): void {
      setRoom(roomOf());
    }
    addEventListener('resize', onResize);
    return () => {
      removeEventListener('resize', onResize);
    };
  }, []);
  return room;
}

/** The drawing, in the direction in which it is larger in the window: from left to right, or from top to bottom. */
export function useScene(
  edges: readonly FlowEdge[],
  styles: ReadonlyMap<string, number>,
): { scene: Scene; isPortrait: boolean } {
  const { state } = useInspector();
  const [names, nativeSymbol] = [state.names.value, state.nativeSymbol.value];
  const room = useRoom();
  const draw = useMemo(() => {
    const known = new Map<boolean, Scene>();
    return (isPortrait: boolean): Scene => {
      const options = { names, nativeSymbol, styles, measure: textMeasure(), isPortrait };
      const scene = known.get(isPortrait) ?? flowScene(edges, options);
      known.set(isPortrait, scene);
      return scene;
    };
  }, [edges, styles, names, nativeSymbol]);
  const isPortrait =
    edges.length > FEW_ARROWS
      ? room.height > room.width
      : fit(draw(true), room).scale > fit(draw(false), room).scale;
  return { scene: draw(isPortrait), isPortrait };
}

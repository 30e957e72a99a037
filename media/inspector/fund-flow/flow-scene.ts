import * as l10n from '@vscode/l10n';
import type { Names } from '../../../server/presentation/segment';
import { shortHex, shownText } from '../../../server/presentation/text';
import { assetNames } from '../../../server/presentation/quantity-segments';
import { edgeText } from './edge-text';
import type { FlowEdge } from './edges';
import { sceneOf, type Scene, type SceneOptions } from './scene';

/** A graph with more arrows is unreadable and slow to lay out. */
export const MAX_ARROWS = 100;
/** While transfers arrive, the graph is laid out again and again. */
export const FIRST_ARROWS = 24;
/** Flows with more transfers are merged initially. */
export const SEPARATE = 24;
const NAME_LIMIT = 28;
export const SYMBOL_LIMIT = 16;

interface FlowSceneOptions extends Pick<SceneOptions, 'measure' | 'isPortrait'> {
  names: Names;
  nativeSymbol: string;
  /** Number of each asset's colour. */
  styles: ReadonlyMap<string, number>;
}

/** The drawing of a fund flow: accounts with name and address, arrows with order, amount and asset. */
export function flowScene(
  edges: readonly FlowEdge[],
  { names, nativeSymbol, styles, measure, isPortrait }: FlowSceneOptions,
): Scene {
  const nameOf = assetNames(names, nativeSymbol, SYMBOL_LIMIT);
  const linesOf = (address: string): string[] => {
    if (address === '') return [l10n.t('burnt')];
    const name = names(address);
    return name === undefined
      ? [shortHex(address)]
      : [shownText(name, NAME_LIMIT), shortHex(address)];
  };
  return sceneOf(edges, {
    linesOf,
    measure,
    isPortrait,
    textOf: (edge) => edgeText(edge, nameOf),
    styleOf: ({ transfer }) => styles.get(transfer.asset) ?? 0,
  });
}

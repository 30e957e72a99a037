import * as l10n from '@vscode/l10n';
import type { Names } from '../grammar/segment';
import { shortHex, shownText } from '../grammar/text';
import { assetNames } from '../tokens';
import { edgeText } from './edge-text';
import type { FlowEdge } from './edges';
import { sceneOf, type Scene, type SceneOptions } from './scene';

/** More arrows than this nobody can follow, and no layout is quick about. */
export const MAX_ARROWS = 200;
/** More transfers than this are merged at first. */
export const SEPARATE = 24;
const NAME_LIMIT = 28;
export const SYMBOL_LIMIT = 16;

interface FlowSceneOptions extends Pick<SceneOptions, 'measure' | 'isUpright'> {
  names: Names;
  nativeSymbol: string;
  /** Number of the colour of each asset. */
  styles: ReadonlyMap<string, number>;
}

/** The drawing of a fund flow: accounts by name and address, arrows by order, amount and asset. */
export function flowScene(
  edges: readonly FlowEdge[],
  { names, nativeSymbol, styles, measure, isUpright }: FlowSceneOptions,
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
    ...{ linesOf, measure, isUpright },
    textOf: (edge) => edgeText(edge, nameOf),
    styleOf: ({ transfer }) => styles.get(transfer.asset) ?? 0,
  });
}

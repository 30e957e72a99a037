import { assetStyles, flowEdges, topEdges } from '../../../media/inspector/fund-flow/edges';
import { flowScene, MAX_ARROWS, SEPARATE } from '../../../media/inspector/fund-flow/flow-scene';
import { sceneSvg, type Palette } from '../../../media/inspector/fund-flow/scene-svg';
import { namesOf } from '../../presentation/segment';
import { CHARTS } from '../../client/page-look';
import type { Analysis } from '../../api/views';

/** Average character width of a sans-serif font of 12 pixels. */
const CHARACTER_WIDTH = 7;

const PALETTE: Palette = {
  background: '#ffffff',
  text: '#1f2328',
  quiet: '#59636e',
  line: '#59636e',
  assets: Object.values(CHARTS),
  font: 'system-ui, sans-serif',
};

/** The fund flow graph as an SVG file. @returns undefined if the transfers are unknown or there are none */
export function exportGraph({ fundFlow, labels, transaction }: Analysis): string | undefined {
  if (fundFlow === null || fundFlow.length === 0) return undefined;
  const all = flowEdges(fundFlow, fundFlow.length > SEPARATE);
  const scene = flowScene(topEdges(all, MAX_ARROWS), {
    names: namesOf(labels),
    nativeSymbol: transaction.nativeSymbol,
    styles: assetStyles(all),
    isPortrait: false,
    measure: (text) => text.length * CHARACTER_WIDTH,
  });
  return sceneSvg(scene, PALETTE);
}

export { comparisonOf, renderComparison } from './compare-analyses';
export { compareEffects, effectsOf } from './effects';
export { exportAnalysis } from './export-analysis';

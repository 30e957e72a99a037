export { comparisonOf, renderComparison } from './compare-analyses';
export { exportAnalysis } from './export-analysis';
export { foundryTestOf } from './foundry-test';

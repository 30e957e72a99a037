export { comparisonOf, renderComparison } from './compare-analyses';
export { exportAnalysis } from './export-analysis';

import { hasNoFault, LOOKS } from './layout';
import { useInspectors } from './use-inspectors';

describe('inspector: layout of all themes at all widths', () => {
  const inspectors = useInspectors();

  for (const look of LOOKS.filter(({ isLong }) => isLong)) hasNoFault(inspectors, look);
});
